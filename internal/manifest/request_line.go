package manifest

import (
	"bytes"
	"encoding/json"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// A Line is one of many requests.
type Line struct {
	// ID is what the answer is known by: a text or a number, as JSON.
	ID json.RawMessage
	// Op names the operation, and Request is what it is asked: JSON, from its first
	// byte to its last.
	Op      string
	Request []byte
}

type lineFile struct {
	ID      *idFile      `json:"id" jsonschema:"What the answer is known by: a text or a number."`
	Op      text         `json:"op" jsonschema:"Name of the operation."`
	Request *requestNode `json:"request" jsonschema:"What it is asked."`
}

type idFile struct{ json []byte }

func (f *idFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Text && n.Kind() != strict.Number {
		d.Expected(n, "a text or a number")
		return
	}
	var err error
	f.json, err = n.AppendJSON(nil)
	d.Report(err)
}

type requestNode struct{ text []byte }

func (r *requestNode) DecodeNode(_ *strict.Decoder, n *strict.Node) { r.text = n.Source() }

// ParseLine reads one of many requests; see [ParseReduce] for its arguments and
// errors. The request itself is only known to be JSON.
func ParseLine(name string, data []byte, limits cento.Limits) (*Line, error) {
	f, err := strict.Request[lineFile](name, data, limits)
	if err != nil {
		return nil, err
	}
	return &Line{ID: f.ID.json, Op: f.Op.Value, Request: f.Request.text}, nil
}

// CutLine is ParseLine without looking into the request, for a line as programs write it:
// the keys id, op and request in this order, the id and the op texts of plain letters or
// the id a whole number. What it takes for the request is one only if ParseLine took the
// very same bytes for one before; then it would give the same line as this does. It is
// false for any other line. What it gives are parts of the line.
func CutLine(line []byte) (l Line, ok bool) {
	var op []byte
	rest := bytes.TrimRight(line, blanks)
	if rest, ok = bytes.CutSuffix(rest, []byte("}")); !ok {
		return l, false
	}
	if rest, ok = past(rest, "{"); !ok {
		return l, false
	}
	if rest, ok = past(rest, `"id"`); !ok {
		return l, false
	}
	if l.ID, rest, ok = plainValue(rest); !ok {
		return l, false
	}
	if rest, ok = past(rest, `"op"`); !ok {
		return l, false
	}
	if op, rest, ok = plainValue(rest); !ok || op[0] != '"' {
		return l, false
	}
	if rest, ok = past(rest, `"request"`); !ok {
		return l, false
	}
	if rest, ok = past(rest, ":"); !ok {
		return l, false
	}
	l.Op, l.Request = string(op[1:len(op)-1]), bytes.Trim(rest, blanks)
	return l, true
}

// blanks is what may stand between the tokens of JSON.
const blanks = " \t\r\n"

// past is what follows a token, with blanks before it.
func past(text []byte, token string) (rest []byte, ok bool) {
	text = bytes.TrimLeft(text, blanks)
	if len(text) < len(token) || string(text[:len(token)]) != token {
		return text, false
	}
	return text[len(token):], true
}

// plainValue is the value behind a key, up to the comma, if it is a text of plain ASCII
// or a whole number that is written in one way alone.
func plainValue(text []byte) (value, rest []byte, ok bool) {
	if text, ok = past(text, ":"); !ok {
		return nil, nil, false
	}
	text = bytes.TrimLeft(text, blanks)
	n := 0
	if len(text) > 0 && text[0] == '"' {
		for n = 1; n < len(text) && text[n] != '"'; n++ {
			if c := text[n]; c < ' ' || c > '~' || c == '\\' {
				return nil, nil, false
			}
		}
		n++
	} else {
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		if n == 0 || n > 15 || n > 1 && text[0] == '0' {
			return nil, nil, false
		}
	}
	if n > len(text) {
		return nil, nil, false
	}
	rest, ok = past(text[n:], ",")
	return text[:n], rest, ok
}
