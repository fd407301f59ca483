package toontest

import (
	"io"
	"slices"

	"github.com/cento-dev/cento/internal/toon"
)

// Decode reads a document with the defaults; see [DecodeBy].
func Decode(text string) (Value, error) { return DecodeBy(toon.Decoder{}, text) }

// DecodeBy reads a document with limits. The strings of the value share its memory. The error
// is an [*toon.Error].
func DecodeBy(d toon.Decoder, text string) (Value, error) {
	r := d.Tokens(text)
	var b builder
	for {
		t, err := r.Next()
		if err == io.EOF {
			return b.values[0], nil
		}
		if err != nil {
			return Value{}, err
		}
		switch t.Kind {
		case toon.Key:
			b.keys = append(b.keys, t.Text)
			continue
		case toon.BeginArray:
			b.begin(ArrayKind)
			continue
		case toon.BeginObject:
			b.begin(ObjectKind)
			continue
		case toon.EndArray, toon.EndObject:
			b.end()
		case toon.StringToken:
			b.add(Value{kind: StringKind, text: t.Text})
		case toon.BoolToken:
			b.add(Value{kind: BoolKind, text: t.Text})
		case toon.NullToken:
			b.add(Value{})
		case toon.NumberToken:
			number, ok := canonicalNumber(t.Text)
			if !ok {
				return Value{}, &toon.Error{Code: InvalidNumber, Place: r.Place(t.Offset), Message: "the exponent of " + clip(t.Text) + " has more than nine digits"}
			}
			b.add(Value{kind: NumberKind, text: number})
		}
	}
}

// builder makes a tree of what begins and ends.
type builder struct {
	values []Value  // of everything that is open, and the root
	keys   []string // of the objects that are open
	open   []opened
}

type opened struct {
	kind         Kind
	values, keys int // where its own begin
}

func (b *builder) begin(kind Kind) {
	b.open = append(b.open, opened{kind, len(b.values), len(b.keys)})
}

func (b *builder) add(v Value) {
	b.values = append(b.values, v)
}

func (b *builder) end() {
	o := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	v := Value{kind: o.kind}
	if items := b.values[o.values:]; len(items) > 0 {
		v.node = &node{items: slices.Clone(items)}
		if o.kind == ObjectKind {
			v.node.keys = b.shared(b.keys[o.keys:], o.values)
			b.keys = b.keys[:o.keys]
		}
	}
	b.values = b.values[:o.values]
	b.add(v)
}

// shared keeps some keys. The rows of a table have the same ones, so those of
// the value before are taken if they are equal.
func (b *builder) shared(keys []string, at int) []string {
	within := 0
	if len(b.open) > 0 {
		within = b.open[len(b.open)-1].values
	}
	if at > within {
		if n := b.values[at-1].node; n != nil && slices.Equal(n.keys, keys) {
			return n.keys
		}
	}
	return slices.Clone(keys)
}
