package toontest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/internal/toon"
)

// Marshal returns a Go value as TOON, by the rules of encoding/json: its tags,
// its Marshalers, and the order of its fields. What encoding/json can't write,
// such as NaN, is its error.
func Marshal(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	value, err := FromJSON(data)
	if err != nil {
		return nil, err
	}
	return Encoder{}.Append(nil, value)
}

// Unmarshal fills what v points to from TOON, by the rules of encoding/json. The
// error is an [*toon.Error] or one of encoding/json.
func Unmarshal(data []byte, v any) error {
	value, err := Decode(string(data))
	if err != nil {
		return err
	}
	return json.Unmarshal(value.AppendJSON(nil), v)
}

// FromJSON reads a JSON text with the limits of the zero [toon.Decoder]. Refused are
// also repeated keys, half of a surrogate pair, and text that isn't UTF-8. The
// error is an [*toon.Error].
func FromJSON(data []byte) (Value, error) {
	fail := func(offset int64, code toon.ErrorCode, format string, args ...any) (Value, error) {
		return Value{}, &toon.Error{Code: code, Message: fmt.Sprintf(format, args...), Place: toon.Decoder{}.Tokens(string(data)).Place(int(offset))}
	}
	if !utf8.Valid(data) {
		at := 0
		for r, n := utf8.DecodeRune(data); r != utf8.RuneError || n > 1; r, n = utf8.DecodeRune(data[at:]) {
			at += n
		}
		return fail(int64(at), toon.InvalidUTF8, "byte 0x%02X is not UTF-8", data[at])
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var b builder
	var sets []keySet
	key := false // a key comes next
	for {
		before := d.InputOffset()
		t, err := d.Token()
		if err == io.EOF && len(b.values) > 0 && len(b.open) == 0 {
			return b.values[0], nil
		}
		if err != nil {
			offset := d.InputOffset()
			// Within a value the decoder counts the byte that it tripped over.
			if s, ok := errors.AsType[*json.SyntaxError](err); ok && s.Offset > offset {
				offset = s.Offset - 1
			}
			return fail(offset, InvalidJSON, "not readable as JSON: %v", err)
		}
		if len(b.open) == 0 && len(b.values) > 0 {
			return fail(before, InvalidJSON, "a second value behind the first")
		}
		switch t := t.(type) {
		case json.Delim:
			switch t {
			case '{', '[':
				if len(b.open) == defaultDepth {
					return fail(before, toon.LimitExceeded, "arrays and objects nest more than %d deep", defaultDepth)
				}
				kind := ArrayKind
				if t == '{' {
					kind = ObjectKind
				}
				b.begin(kind)
				sets = append(sets, keySet{})
			default:
				b.end()
				sets = sets[:len(sets)-1]
			}
		case string:
			if at := halfPair(data[before:d.InputOffset()]); at >= 0 {
				return fail(before+int64(at), InvalidJSON, "half of a surrogate pair")
			}
			if key {
				if !sets[len(sets)-1].add(t) {
					return fail(before, toon.DuplicateKey, "key %q is given twice", clip(t))
				}
				b.keys = append(b.keys, t)
				key = false
				continue
			}
			b.add(String(t))
		case json.Number:
			v, err := Number(t.String())
			if err != nil {
				return fail(before, InvalidNumber, "%v", err)
			}
			b.add(v)
		case bool:
			b.add(Bool(t))
		case nil:
			b.add(Value{})
		}
		key = len(b.open) > 0 && b.open[len(b.open)-1].kind == ObjectKind
	}
}

// halfPair finds an escape of half a surrogate pair in the writing of a JSON
// string, -1 for none. encoding/json would make U+FFFD of it.
func halfPair(s []byte) int {
	unit := func(i int) (u rune) {
		if i+6 > len(s) || s[i] != '\\' || s[i+1] != 'u' {
			return 0
		}
		for _, h := range s[i+2 : i+6] {
			switch {
			case h <= '9':
				u = u<<4 | rune(h-'0')
			default:
				u = u<<4 | rune(h|0x20-'a'+10)
			}
		}
		return u
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		switch u := unit(i); {
		case 0xD800 <= u && u < 0xDC00:
			if low := unit(i + 6); low < 0xDC00 || low > 0xDFFF {
				return i
			}
			i += 11
		case 0xDC00 <= u && u <= 0xDFFF:
			return i
		default:
			i++
		}
	}
	return -1
}

// AppendJSON appends the value as JSON without white space. What JSON must
// escape in a string is what TOON does.
func (v Value) AppendJSON(dst []byte) []byte {
	type level struct {
		v    Value
		next int
	}
	open := make([]level, 0, 16)
	begin := func(v Value) {
		switch v.kind {
		case NullKind:
			dst = append(dst, "null"...)
		case StringKind:
			dst = quote.Common.Append(dst, v.text)
		case ArrayKind:
			dst = append(dst, '[')
			open = append(open, level{v: v})
		case ObjectKind:
			dst = append(dst, '{')
			open = append(open, level{v: v})
		default:
			dst = append(dst, v.text...)
		}
	}
	begin(v)
	for len(open) > 0 {
		top := &open[len(open)-1]
		if top.next == top.v.Len() {
			if top.v.kind == ArrayKind {
				dst = append(dst, ']')
			} else {
				dst = append(dst, '}')
			}
			open = open[:len(open)-1]
			continue
		}
		i := top.next
		top.next++
		if i > 0 {
			dst = append(dst, ',')
		}
		if top.v.kind == ObjectKind {
			dst = append(quote.Common.Append(dst, top.v.Key(i)), ':')
		}
		begin(top.v.Item(i))
	}
	return dst
}
