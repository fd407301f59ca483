package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/quote"
)

// Canonical JSON is that of RFC 8785 as far as records need it: members in the
// order of their names, no white space, no character escaped that needn't be.
// Every number in a record is a whole one.

// member begins a member of an object; the names come in order.
func member(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(append(dst, '"'), name...), '"', ':')
}

func appendOptional(dst []byte, s *string) []byte {
	if s == nil {
		return append(dst, "null"...)
	}
	return quote.JSON.Append(dst, *s)
}

// appendFragment appends a fragment of a record. Its form is what is left
// without digest and span: what many records share.
func appendFragment(dst []byte, f *Fragment, form bool) []byte {
	dst = append(dst, '{')
	dst = quote.JSON.Append(member(dst, "code"), string(f.Code))
	if !form {
		dst = appendOptional(member(dst, "digest"), f.Digest)
	}
	dst = quote.JSON.Append(member(dst, "id"), f.ID)
	dst = strconv.AppendBool(member(dst, "included"), f.Included)
	dst = appendOptional(member(dst, "layer"), f.Layer)
	dst = member(dst, "origin")
	if f.Origin == nil {
		dst = append(dst, "null"...)
	} else {
		dst = append(dst, '{')
		dst = strconv.AppendInt(member(dst, "column"), int64(f.Origin.Column), 10)
		dst = quote.JSON.Append(member(dst, "file"), f.Origin.File)
		dst = strconv.AppendInt(member(dst, "line"), int64(f.Origin.Line), 10)
		dst = append(dst, '}')
	}
	dst = quote.JSON.Append(member(dst, "reason"), f.Reason)
	dst = quote.JSON.Append(member(dst, "source"), f.Source)
	if !form {
		dst = member(dst, "span")
		if f.Span == nil {
			dst = append(dst, "null"...)
		} else {
			dst = strconv.AppendInt(append(dst, '['), int64(f.Span[0]), 10)
			dst = strconv.AppendInt(append(dst, ','), int64(f.Span[1]), 10)
			dst = append(dst, ']')
		}
	}
	dst = quote.JSON.Append(member(dst, "trust"), f.Trust.String())
	return append(dst, '}')
}

func appendFragments(dst []byte, list []Fragment) []byte {
	dst = append(dst, '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendFragment(dst, &list[i], false)
	}
	return append(dst, ']')
}

// appendRecord appends the canonical record; fragments is its list, canonical
// already.
func appendRecord(dst, fragments []byte, inputDigest, prev string, promptDigest *string, seq int64, session string) []byte {
	dst = append(dst, '{')
	dst = append(member(dst, "fragments"), fragments...)
	dst = quote.JSON.Append(member(dst, "input_digest"), inputDigest)
	dst = quote.JSON.Append(member(dst, "prev"), prev)
	dst = appendOptional(member(dst, "prompt_digest"), promptDigest)
	dst = strconv.AppendInt(member(dst, "seq"), seq, 10)
	dst = quote.JSON.Append(member(dst, "session"), session)
	return append(dst, '}')
}

// InputDocument is an input as it is stored, whose SHA-256 is its digest. The error
// is [Invalid], with the tool where its parameters are no JSON.
func InputDocument(in cento.Input) ([]byte, error) {
	whole, _, _, err := splitInput(in)
	return whole, err
}

// splitInput gives the JSON of an input the one way that it is written: members
// in the order of the type, objects of callers in theirs, strings as in
// canonical JSON. Beside the whole it gives its texts and what stands between
// them: each value that is a text of some length is one, but for the clock, which
// stands between them.
func splitInput(in cento.Input) (whole []byte, parts [][]byte, texts []string, err error) {
	for i := range in.Tools {
		if t := &in.Tools[i]; t.Parameters != nil && !json.Valid(t.Parameters) {
			e := invalid("the parameters of the tool %q aren't JSON", clip(t.Name))
			e.Position, e.Hint = t.Origin, "they are a JSON Schema, an object; leave them out for a tool that takes none"
			return nil, nil, nil, e
		}
	}
	raw, err := json.Marshal(in)
	if err != nil {
		e := invalid("the input can't be written as JSON")
		e.Err = err
		return nil, nil, nil, e
	}
	whole = make([]byte, 0, len(raw))
	clock := in.Files.Now.Format(time.RFC3339Nano)
	key := ""
	from := 0 // of the part, in whole
	for i := 0; i < len(raw); {
		next := bytes.IndexByte(raw[i:], '"')
		if next < 0 {
			whole = append(whole, raw[i:]...)
			break
		}
		whole = append(whole, raw[i:i+next]...)
		i += next
		s, n, err := unquote(raw[i:])
		if err != nil {
			return nil, nil, nil, err
		}
		i += n
		start := len(whole)
		whole = quote.JSON.Append(whole, s)
		switch {
		case i < len(raw) && raw[i] == ':':
			key = s
		case key == "now" && s == clock:
		case s != "" && (len(s) >= longText || isBodyKey(key)):
			parts, texts = append(parts, whole[from:start:start]), append(texts, s)
			from = len(whole)
		}
	}
	return whole, append(parts, whole[from:]), texts, nil
}

// unquote reads the string that JSON begins with, and tells how long it is
// there.
func unquote(b []byte) (string, int, error) {
	end, plain := 1, true
	for {
		k := quoteOrEscape(b[end:])
		if k < 0 {
			return "", 0, errors.New("a string without end in JSON")
		}
		if end += k; b[end] == '"' {
			break
		}
		plain = false
		if end += 2; end >= len(b) {
			return "", 0, errors.New("a string without end in JSON")
		}
	}
	if plain {
		return string(b[1:end]), end + 1, nil
	}
	out := make([]byte, 0, end)
	for i := 1; i < end; {
		k := bytes.IndexByte(b[i:end], '\\')
		if k < 0 {
			out = append(out, b[i:end]...)
			break
		}
		out = append(out, b[i:i+k]...)
		i += k + 2
		switch c := b[i-1]; c {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case '"', '\\', '/':
			out = append(out, c)
		default: // the rarer ones are for the library
			var s string
			err := json.Unmarshal(b[:end+1], &s)
			return s, end + 1, err
		}
	}
	return string(out), end + 1, nil
}

// longText is from how many bytes on a string is stored as a text of its own.
const longText = 32

// bodyKeys are the members whose strings are texts of their own whatever their
// length: they are what a redaction takes out.
func isBodyKey(key string) bool {
	switch key {
	case "body", "content", "guidance", "variants":
		return true
	}
	return strings.HasPrefix(key, "$") // a prompt file, by its reference
}

// quoteOrEscape is the place of the first quote or backslash, -1 for none.
func quoteOrEscape(b []byte) int {
	quote := bytes.IndexByte(b, '"')
	if quote < 0 {
		return -1
	}
	if escape := bytes.IndexByte(b[:quote], '\\'); escape >= 0 {
		return escape
	}
	return quote
}
