package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// The classes that the splitters of package token tell apart, under the names
// and values they have there.
const (
	other byte = iota
	mark
	space // White_Space without the two of line
	line  // carriage return and line feed
	number
	upper  // Lu, Lt
	lower  // Ll
	letter // Lm, Lo: stands where an upper and where a lower case letter may
	wide   // of bytes only: the first of a longer sequence
)

// block is the number of code points that share one entry of the index.
const block = 128

// properties lists the input files by their folder in the package.
var properties = []struct {
	folder string
	class  byte
	digest string
}{
	{"General_Category/Uppercase_Letter", upper, "d1fd4f05c3536ce58137c1ec60368e2c971c5a122d35b3a5a57befbe1fc83da8"},
	{"General_Category/Titlecase_Letter", upper, "6a700cec766744ccde607af9b9c646229ac5eb2ff76b1cce15d18de28c011c77"},
	{"General_Category/Lowercase_Letter", lower, "81016c669673d0f25c7ac03a224326162becc5bb5fbeac086930a50dc120ac19"},
	{"General_Category/Modifier_Letter", letter, "7ada2598125f2f8064e7164dafefa93d90491a36a86c91667c3c946ad0d61f08"},
	{"General_Category/Other_Letter", letter, "d9cfd15854f15c8c44bd9ef3b67f17848afd541867146ac4ad7968257add2092"},
	{"General_Category/Mark", mark, "54c36e57655d7995e456a622dbde586e35bc1f7d3c7b1cd1c3a91128d1c962cd"},
	{"General_Category/Number", number, "ed16c5d7b46df2c3443d7a430c6a48dab2a8e146b5c3fa3b4daf200749f5a3cc"},
	{"Binary_Property/White_Space", space, "9da02468170fa9e31648d130575d4c1d35ee04b7b14feec99154332be4502168"},
}

// classTable writes classes.bin: the class of each of the 256 bytes, wide for
// those from 0x80 on; then one byte for each block of code points, the number
// of the block of classes that it uses; then those blocks, each once.
func classTable(modules string) ([]byte, error) {
	classes := make([]byte, 0x110000)
	for _, p := range properties {
		path := filepath.Join(modules, "@unicode", "unicode-16.0.0", filepath.FromSlash(p.folder), "ranges.mjs")
		content, err := read(path, p.digest)
		if err != nil {
			return nil, err
		}
		if err := assign(classes, content, p.class); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	classes['\r'], classes['\n'] = line, line

	table := append(bytes.Clone(classes[:0x80]), bytes.Repeat([]byte{wide}, 0x80)...)
	var blocks []byte
	seen := map[string]int{}
	for start := 0; start < len(classes); start += block {
		b := string(classes[start : start+block])
		n, ok := seen[b]
		if !ok {
			n = len(seen)
			seen[b] = n
			blocks = append(blocks, b...)
		}
		if n > 0xff {
			return nil, fmt.Errorf("more than 256 different blocks of %d code points", block)
		}
		table = append(table, byte(n))
	}
	return append(table, blocks...), nil
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

var ranges = regexp.MustCompile(`decodeRanges\('([\w-]+)'\)`)

// assign gives a class to the code points that one file of the package lists.
// The list is a string of numbers, of one to four digits of six bits, whose
// first digit tells by its upper bits how many follow. Numbers come in pairs:
// how many code points lie between the range before and this one, less one,
// and the length of this one, less one.
func assign(classes, content []byte, class byte) error {
	match := ranges.FindSubmatch(content)
	if match == nil {
		return fmt.Errorf("no list of ranges in the file")
	}
	var numbers []int
	for list := match[1]; len(list) > 0; {
		n, more := strings.IndexByte(digits, list[0]), 0
		switch {
		case n >= 0b111_000:
			n, more = n&0b000_111, 3
		case n >= 0b110_000:
			n, more = n&0b000_111, 2
		case n >= 0b100_000:
			n, more = n&0b001_111, 1
		}
		if len(list) < 1+more {
			return fmt.Errorf("the list of ranges ends inside a number")
		}
		for _, digit := range list[1 : 1+more] {
			n = n<<6 | strings.IndexByte(digits, digit)
		}
		numbers = append(numbers, n)
		list = list[1+more:]
	}
	if len(numbers)%2 != 0 {
		return fmt.Errorf("the list of ranges ends inside a range")
	}
	end := -1
	for i := 0; i < len(numbers); i += 2 {
		begin := end + 1 + numbers[i]
		end = begin + 1 + numbers[i+1]
		if end > len(classes) {
			return fmt.Errorf("a range ends at %#x, after the last code point", end)
		}
		for c := begin; c < end; c++ {
			classes[c] = class
		}
	}
	return nil
}
