// Command gen writes tables.go, the Unicode tables of package unitab.
//
//	go generate ./internal/unitab          tables.go from Go's tables and properties.txt
//	go run ./gen -ucd DIR                  properties.txt from the Unicode Character Database
//
// Most properties come from package unicode and golang.org/x/text. The two that neither has,
// Extended_Pictographic and the standardized variation sequences, are kept in properties.txt,
// a compact extract of the Unicode Character Database; the -ucd form writes it anew from a
// directory laid out as Debian's package unicode-data installs it.
//
// All sources must be of one Unicode version, else gen stops: tables of mixed versions would
// break the law of the skeleton. The output depends on nothing but the sources.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
)

//go:embed properties.txt
var properties string

func main() {
	out := flag.String("o", "tables.go", "the file to write")
	ucd := flag.String("ucd", "", "write gen/properties.txt from the Unicode Character Database in this directory instead")
	flag.Parse()
	if err := run(*out, *ucd); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(out, ucd string) error {
	if ucd != "" {
		text, err := extract(os.DirFS(ucd))
		if err != nil {
			return err
		}
		return os.WriteFile("gen/properties.txt", []byte(text), 0o644)
	}
	src, err := generate(properties)
	if err != nil {
		return err
	}
	return os.WriteFile(out, src, 0o644)
}
