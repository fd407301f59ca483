package pack

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cento-dev/cento"
)

// document reads one YAML mapping of a file strictly and keeps the place of
// everything in it: no anchors, no repeated keys, no unknown fields, bounded
// depth. What is wrong is collected, so that an author sees all of it at once.
type document struct {
	file    string
	above   int             // lines of the file above the document
	code    cento.ErrorCode // of its errors
	nesting int
	errs    []*cento.SourceError
}

// at is the place of a node in the file.
func (d *document) at(n *yaml.Node) cento.Position {
	return cento.Position{File: d.file, Line: n.Line + d.above, Column: n.Column}
}

func (d *document) fail(n *yaml.Node, format string, args ...any) *cento.SourceError {
	e := &cento.SourceError{Code: d.code, Position: d.at(n), Message: fmt.Sprintf(format, args...)}
	d.errs = append(d.errs, e)
	return e
}

// parse reads the text as YAML; nil without an error means an empty document.
func (d *document) parse(text string) (*yaml.Node, error) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		e := &cento.SourceError{Code: d.code, Position: cento.Position{File: d.file, Line: d.above + 1}}
		e.Message = "not valid YAML"
		if load, ok := errors.AsType[*yaml.LoadError](err); ok {
			e.Message += ": " + load.Message
			e.Position.Line = d.above + max(1, load.Mark.Line)
			e.Position.Column = max(0, load.Mark.Column)
		}
		return nil, e
	}
	if len(root.Content) == 0 {
		return nil, nil
	}
	if err := d.refuseTricks(root.Content[0], 1); err != nil {
		return nil, err
	}
	return root.Content[0], nil
}

// refuseTricks looks for what a short file can cost a lot with. The parser
// itself stops at a depth that this recursion can bear.
func (d *document) refuseTricks(n *yaml.Node, depth int) error {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return d.fail(n, "anchors and aliases are not supported")
	case depth > d.nesting:
		e := d.fail(n, "nested deeper than %d", d.nesting)
		e.Code = cento.LimitExceeded
		return e
	}
	for _, c := range n.Content {
		if err := d.refuseTricks(c, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// pairs visits the members of a mapping in order; a key that stands twice is an
// error that names both places.
func (d *document) pairs(n *yaml.Node, visit func(key, value *yaml.Node)) {
	first := make(map[string]*yaml.Node, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch earlier := first[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			d.fail(key, "a key must be a plain word")
		case earlier != nil:
			e := d.fail(key, "%s stands twice", quote(key.Value))
			e.Related = []cento.Related{{Position: d.at(earlier), Message: "the first one"}}
		default:
			first[key.Value] = key
			visit(key, value)
		}
	}
}

// unknown refuses a key that is none of the known ones.
func (d *document) unknown(key *yaml.Node, known []string) {
	e := d.fail(key, "unknown field %s", quote(key.Value))
	e.Hint = didYouMean(key.Value, known, "the fields are "+strings.Join(known, ", "))
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// isText reports whether a value is a text where texts, numbers and others are
// told apart. What only looks like a date is one.
func isText(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!str" || n.ShortTag() == "!!timestamp")
}

// text reads a scalar where a text is wanted: what stands there is the text,
// whatever else YAML could take it for.
func (d *document) text(key, n *yaml.Node) string {
	if isNull(n) {
		return ""
	}
	if n.Kind != yaml.ScalarNode {
		d.fail(n, "%s must be a text, not %s", key.Value, kindOf(n))
		return ""
	}
	return n.Value
}

// list reads a list of names.
func (d *document) list(key, n *yaml.Node) []string {
	if isNull(n) {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		d.fail(n, "%s must be a list of names, not %s", key.Value, kindOf(n)).Hint = "write [" + cmp.Or(printable(n.Value), "name") + "]"
		return nil
	}
	out := make([]string, 0, len(n.Content))
	for _, item := range n.Content {
		switch {
		case item.Kind != yaml.ScalarNode:
			d.fail(item, "%s must hold names, not %s", key.Value, kindOf(item))
		case strings.TrimSpace(item.Value) == "":
			d.fail(item, "%s holds a blank name", key.Value)
		default:
			out = append(out, item.Value)
		}
	}
	return out
}

// kindOf names a value in words.
func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a mapping"
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "the number " + printable(n.Value)
	case "!!bool":
		return "the truth value " + printable(n.Value)
	case "!!null":
		return "nothing"
	}
	return quote(n.Value)
}
