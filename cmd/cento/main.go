// Cento assembles the system prompts of AI agents from fragments, and explains
// them. See `cento --help`.
package main

import (
	"os"

	"github.com/cento-dev/cento/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
