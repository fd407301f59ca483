package cli_test

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cento-dev/cento/internal/cli"
)

// heardVariable names the file in which a program that a script runs leaves the codes
// of what it said in words.
const heardVariable = "CENTO_TEST_CODES"

// hearCodes begins such a file anew.
func hearCodes(path string) {
	if path == "" {
		return
	}
	f, err := os.Create(path)
	if err != nil {
		fmt.Fprintf(os.Stderr, "the codes of this run can't be kept: %v\n", err)
		os.Exit(1)
	}
	cli.HearCodes(func(code string) {
		if _, err := fmt.Fprintln(f, code); err != nil {
			panic(err)
		}
	})
}

// code holds what the program said last to its codes.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: code CODE...")
	}
	heard := strings.Fields(ts.ReadFile(ts.Getenv(heardVariable)))
	for _, want := range args {
		if !slices.Contains(heard, want) {
			ts.Fatalf("no error or note of the code %s was told: %s", want, heard)
		}
	}
}
