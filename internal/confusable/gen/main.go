// Command gen writes table.txt of package confusable from the file confusables.txt
// of the Unicode security data (UTS 39): the characters that look like text of
// ASCII, by that text.
//
//	go run ./internal/confusable/gen confusables.txt > internal/confusable/table.txt
package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: gen confusables.txt")
	}
	f, err := os.Open(os.Args[1])
	if err != nil {
		return err
	}
	defer f.Close()
	version := ""
	by := map[string][]rune{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimPrefix(lines.Text(), "\ufeff")
		if v, ok := strings.CutPrefix(line, "# Version:"); ok {
			version = strings.TrimSpace(v)
		}
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Split(line, ";")
		if len(fields) < 2 {
			continue
		}
		from, err := runes(fields[0])
		if err != nil {
			return err
		}
		to, err := runes(fields[1])
		if err != nil {
			return err
		}
		if len(from) == 1 && !slices.ContainsFunc(to, func(r rune) bool { return r <= ' ' || r > '~' }) {
			by[string(to)] = append(by[string(to)], from[0])
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if version == "" || len(by) < 50 {
		return fmt.Errorf("%s isn't Unicode's confusables.txt", os.Args[1])
	}
	fmt.Printf("# Characters that look like text of ASCII: that text, then their code points.\n# Made by gen of confusables.txt %s. Copyright Unicode, Inc.; https://www.unicode.org/license.txt\n", version)
	for _, to := range slices.Sorted(maps.Keys(by)) {
		slices.Sort(by[to])
		fmt.Print(to)
		for _, r := range by[to] {
			fmt.Printf(" %04X", r)
		}
		fmt.Println()
	}
	return nil
}

func runes(field string) ([]rune, error) {
	var out []rune
	for hex := range strings.FieldsSeq(field) {
		n, err := strconv.ParseUint(hex, 16, 32)
		if err != nil {
			return nil, err
		}
		out = append(out, rune(n))
	}
	return out, nil
}
