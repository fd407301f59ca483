package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// An extras holds what properties.txt says: the properties that neither package unicode nor
// golang.org/x/text knows.
type extras struct {
	version      string
	pictographic []rune   // sorted
	variants     [][]rune // [n] holds the sorted bases of the standardized sequences with U+FE00+n
}

// extract reads the Unicode Character Database and prints the extract.
func extract(ucd fs.FS) (string, error) {
	x := extras{variants: make([][]rune, 16)}
	version, err := fs.ReadFile(ucd, "ReadMe.txt")
	if err != nil {
		return "", err
	}
	_, rest, found := strings.Cut(string(version), "Version ")
	if !found {
		return "", fmt.Errorf("no version in ReadMe.txt")
	}
	x.version = strings.TrimRight(strings.Fields(rest)[0], ".")

	err = eachLine(ucd, "emoji/emoji-data.txt", func(fields []string) error {
		if fields[1] != "Extended_Pictographic" {
			return nil
		}
		lo, hi, err := parseRange(fields[0], "..")
		for r := lo; r <= hi; r++ {
			x.pictographic = append(x.pictographic, r)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	err = eachLine(ucd, "StandardizedVariants.txt", func(fields []string) error {
		base, selector, _ := strings.Cut(fields[0], " ")
		b, _, err := parseRange(base, "..")
		if err != nil {
			return err
		}
		v, _, err := parseRange(selector, "..")
		if 0xFE00 <= v && v <= 0xFE0F {
			x.variants[v-0xFE00] = append(x.variants[v-0xFE00], b)
		}
		return err // the others are Mongolian, which has a wider rule of its own
	})
	if err != nil {
		return "", err
	}
	slices.Sort(x.pictographic)
	for _, bases := range x.variants {
		slices.Sort(bases)
	}
	return x.String(), nil
}

// eachLine calls use with the trimmed fields of each line of a file of the database.
func eachLine(ucd fs.FS, name string, use func(fields []string) error) error {
	f, err := ucd.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	used := 0
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if strings.TrimSpace(text) == "" {
			continue
		}
		fields := strings.Split(text, ";")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if len(fields) < 2 {
			return fmt.Errorf("%s: line without fields: %q", name, lines.Text())
		}
		if err := use(fields); err != nil {
			return fmt.Errorf("%s: %q: %w", name, lines.Text(), err)
		}
		used++
	}
	if used == 0 {
		return fmt.Errorf("%s: no data", name)
	}
	return lines.Err()
}

func parseRange(s, sep string) (lo, hi rune, err error) {
	first, last, isRange := strings.Cut(s, sep)
	if !isRange {
		last = first
	}
	l, err := strconv.ParseUint(first, 16, 21)
	if err != nil {
		return 0, 0, err
	}
	h, err := strconv.ParseUint(last, 16, 21)
	return rune(l), rune(h), err
}

// String prints the extract in the form that parseExtras reads.
func (x extras) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Extract of the Unicode Character Database %s, written by gen -ucd.
# Copyright Unicode, Inc. Terms of use: https://www.unicode.org/license.txt
#
# pictographic CODE POINTS         Extended_Pictographic, of emoji-data.txt
# variants SELECTOR CODE POINTS    bases of StandardizedVariants.txt, without the Mongolian ones

version %[1]s
`, x.version)
	writeRunes(&b, "pictographic", x.pictographic)
	for n, bases := range x.variants {
		writeRunes(&b, fmt.Sprintf("variants %04X", 0xFE00+n), bases)
	}
	return b.String()
}

func writeRunes(b *strings.Builder, keyword string, runes []rune) {
	line := keyword
	for i := 0; i < len(runes); {
		j := i + 1
		for j < len(runes) && runes[j] == runes[j-1]+1 {
			j++
		}
		item := fmt.Sprintf(" %04X", runes[i])
		if j-i > 1 {
			item += fmt.Sprintf("-%04X", runes[j-1])
		}
		if len(line)+len(item) > 120 {
			b.WriteString(line + "\n")
			line = keyword
		}
		line += item
		i = j
	}
	if line != keyword {
		b.WriteString(line + "\n")
	}
}

// parseExtras reads an extract and refuses one that lacks a part.
func parseExtras(text string) (extras, error) {
	x := extras{variants: make([][]rune, 16)}
	variants := 0
	for n, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		var into *[]rune
		switch {
		case fields[0] == "version" && len(fields) == 2:
			x.version = fields[1]
			continue
		case fields[0] == "pictographic":
			into, fields = &x.pictographic, fields[1:]
		case fields[0] == "variants" && len(fields) > 2:
			v, _, err := parseRange(fields[1], "-")
			if err != nil || v < 0xFE00 || v > 0xFE0F {
				return x, fmt.Errorf("properties.txt:%d: %q is no variation selector", n+1, fields[1])
			}
			into, fields = &x.variants[v-0xFE00], fields[2:]
			variants++
		default:
			return x, fmt.Errorf("properties.txt:%d: unknown line %q", n+1, line)
		}
		for _, field := range fields {
			lo, hi, err := parseRange(field, "-")
			if err != nil {
				return x, fmt.Errorf("properties.txt:%d: %w", n+1, err)
			}
			for r := lo; r <= hi; r++ {
				*into = append(*into, r)
			}
		}
	}
	if x.version == "" || len(x.pictographic) == 0 || variants == 0 {
		return x, fmt.Errorf("properties.txt lacks the version, pictographic or variants lines")
	}
	return x, nil
}
