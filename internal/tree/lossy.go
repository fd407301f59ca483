package tree

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// ReadLossy reads a file as programs do that put U+FFFD where bytes are not UTF-8,
// instead of refusing the file, and that keep CRLF. [File.Replaced] has the offsets
// of the first, and [File.Mark] tells whether there is a byte order mark.
func (t *Tree) ReadLossy(name string) (*File, error) {
	raw, info, err := t.read(name)
	if err != nil {
		return nil, err
	}
	text, replaced, err := DecodeLossy(t.show(name), raw)
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, Text: text, Info: info, Replaced: replaced, Mark: bytes.HasPrefix(raw, byteOrderMark)}
	if text != string(raw) {
		f.raw = raw
	}
	return f, nil
}

// DecodeLossy is [Decode] with CRLF kept, and U+FFFD for what is not UTF-8: one for each
// sequence that begins well and breaks off, as the WHATWG's decoder and Rust's
// do. replaced are the offsets of those characters in the text. The one error
// is [HoldsNUL].
func DecodeLossy(file string, raw []byte) (text string, replaced []int, err error) {
	body := bytes.TrimPrefix(raw, byteOrderMark)
	if utf8.Valid(body) {
		if bytes.IndexByte(body, 0) >= 0 {
			_, err = Decode(file, raw)
		} else {
			text = string(body)
		}
		return text, nil, err
	}
	var b strings.Builder
	b.Grow(len(body) + len(body)/8)
	for i := 0; i < len(body); {
		r, n := utf8.DecodeRune(body[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			replaced = append(replaced, b.Len())
			b.WriteRune(utf8.RuneError)
			i += brokenOff(body[i:])
			continue
		case r == 0:
			e := &cento.SourceError{
				Code: HoldsNUL, Message: "the text holds a NUL character", Position: placeBehind(file, []byte(b.String())),
			}
			nameEncoding(e, raw)
			return "", nil, e
		default:
			b.Write(body[i : i+n])
		}
		i += n
	}
	return b.String(), replaced, nil
}

// brokenOff is the length of the sequence that isn't UTF-8 at the beginning of
// b: its first byte and those after it that could have gone on with it.
func brokenOff(b []byte) int {
	more, low, high := 0, byte(0x80), byte(0xbf)
	switch c := b[0]; {
	case 0xc2 <= c && c <= 0xdf:
		more = 1
	case c == 0xe0:
		more, low = 2, 0xa0
	case c == 0xed:
		more, high = 2, 0x9f
	case 0xe1 <= c && c <= 0xef:
		more = 2
	case c == 0xf0:
		more, low = 3, 0x90
	case 0xf1 <= c && c <= 0xf3:
		more = 3
	case c == 0xf4:
		more, high = 3, 0x8f
	}
	n := 1
	for n <= more && n < len(b) && low <= b[n] && b[n] <= high {
		n, low, high = n+1, 0x80, 0xbf
	}
	return n
}
