// Libraries is Hello with the libraries of Cento linked in, of which it uses
// none: what they do before main is what it takes longer.
package main

import (
	"fmt"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/modelcontextprotocol/go-sdk/mcp"
	_ "github.com/pressly/goose/v3"
	_ "github.com/spf13/cobra"
	_ "go.yaml.in/yaml/v4"
	_ "modernc.org/sqlite"
)

func main() { fmt.Println("Hello, world.") }
