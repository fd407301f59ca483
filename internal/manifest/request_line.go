package manifest

import (
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
