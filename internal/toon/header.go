package toon

import (
	"math"
	"strings"
)

// header is the line that opens an array or a keyed table.
type header struct {
	key       string
	want      int
	keyed     bool
	delimiter byte
	fields    *fieldList // nil for none
	inline    string     // what stands behind the colon
	inlineAt  int
	at        int
}

// tooMany is a declared length that is beyond counting: it is never met.
const tooMany = math.MaxInt

// fieldList is what a row is made of: the object that its cells fill, in the
// order of its tokens.
type fieldList struct {
	parts     []part
	leaves    int
	delimiter byte
}

// part is a token of a row, or the place of one.
type part struct {
	kind partKind
	name string
	at   int
}

type partKind uint8

const (
	namePart partKind = iota
	cellPart
	beginPart
	endPart
)

// header reads a header, whose bracket is at an index of s.
func (r *Reader) header(s string, at, bracket int) (header, bool) {
	h := header{at: at, delimiter: byte(Comma)}
	if bracket > 0 {
		if c := s[bracket-1]; c == ' ' || c == '\t' {
			return h, r.fail(at+bracket-1, Syntax, "", "white space between a key and its length")
		}
		key, ok := r.token(s[:bracket], at)
		if !ok {
			return h, false
		}
		h.key = key.Text
	}
	i := bracket + 1
	n := digits(s[i:])
	if n == 0 || n > 1 && s[i] == '0' {
		return h, r.fail(at+i, Syntax, "a length is a number without leading zeros, as in items[2]:", "a length is missing in %q", clip(s[bracket:]))
	}
	for _, c := range []byte(s[i : i+n]) {
		if h.want > (tooMany-9)/10 {
			h.want = tooMany
			break
		}
		h.want = h.want*10 + int(c-'0')
	}
	i += n
	if i < len(s) && s[i] == ':' {
		h.keyed = true
		i++
	}
	if i < len(s) && (s[i] == '\t' || s[i] == '|') {
		h.delimiter = s[i]
		i++
	}
	if i == len(s) || s[i] != ']' {
		return h, r.fail(at+i, Syntax, "a length may be followed by a colon for a keyed table, and by a tab or pipe as delimiter", "the length in %q is not closed", clip(s[bracket:]))
	}
	i++
	if i < len(s) && s[i] == '{' {
		var ok bool
		if h.fields, i, ok = r.fields(s, at, i, h.delimiter); !ok {
			return h, false
		}
	} else if h.keyed {
		return h, r.fail(at+i, Syntax, "as in users[2:]{age,city}:", "a keyed table has no field list")
	}
	if i == len(s) || s[i] != ':' {
		return h, r.fail(at+i, Syntax, "", "a colon is missing behind %q", clip(s[bracket:i]))
	}
	rest, front := trim(s[i+1:])
	h.inline, h.inlineAt = rest, at+i+1+front
	if rest != "" && h.fields != nil {
		return h, r.fail(h.inlineAt, Syntax, "rows stand on lines of their own", "%q behind a field list", clip(rest))
	}
	return h, true
}

// fields reads a field list, whose brace is at an index of s, and tells where
// it ended.
func (r *Reader) fields(s string, at, i int, delimiter byte) (*fieldList, int, bool) {
	list := &fieldList{parts: make([]part, 0, 4), delimiter: delimiter}
	var few [4]keySpan
	open := few[:0] // the groups that are open
	failed := func(i int, format string, args ...any) (*fieldList, int, bool) {
		return nil, i, r.fail(at+i, Syntax, "", format, args...)
	}
	for {
		// Here a group begins: a brace.
		if len(open) == r.depth {
			return nil, i, r.fail(at+i, LimitExceeded, "", "arrays and objects nest more than %d deep", r.depth)
		}
		open = append(open, keySpan{keys: len(r.keys)})
		i++
		for done := false; !done; {
			begin := i
			for i < len(s) && s[i] == ' ' {
				i++
			}
			from := i
			for i < len(s) && s[i] != ',' && s[i] != '\t' && s[i] != '|' && s[i] != '{' && s[i] != '}' {
				if s[i] == '"' {
					i = skipQuotes(s, i)
				} else {
					i++
				}
			}
			if i == len(s) {
				return failed(begin, "a field list is not closed")
			}
			name := strings.TrimRight(s[from:i], " ")
			switch {
			case s[i] != '{' && s[i] != '}' && s[i] != delimiter:
				return failed(i, "the delimiter %q in a field list of another", rune(s[i]))
			case name == "":
				return failed(from, "a field without a name")
			case s[i] == '{' && len(name) < i-from:
				return failed(i-1, "white space between a field and its group")
			}
			key, ok := r.token(name, at+from)
			if !ok {
				return nil, i, false
			}
			if !r.distinct(&open[len(open)-1], key.Text, at+from) {
				return nil, i, false
			}
			list.parts = append(list.parts, part{namePart, key.Text, at + from})
			if s[i] == '{' {
				list.parts = append(list.parts, part{kind: beginPart, at: at + i})
				break
			}
			list.parts = append(list.parts, part{kind: cellPart})
			list.leaves++
			for s[i] == '}' {
				r.keys = r.keys[:open[len(open)-1].keys]
				open = open[:len(open)-1]
				i++
				if len(open) == 0 {
					return list, i, true
				}
				list.parts = append(list.parts, part{kind: endPart, at: at + i - 1})
				for i < len(s) && s[i] == ' ' {
					i++
				}
				if i == len(s) || s[i] != '}' && s[i] != delimiter {
					return failed(i, "something behind a group of fields")
				}
			}
			i++
		}
	}
}
