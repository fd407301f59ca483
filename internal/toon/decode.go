package toon

import (
	"fmt"
	"io"
	"slices"
)

// Decoder reads documents. The zero Decoder has the defaults.
type Decoder struct {
	// Indent is how many spaces one level is indented. Default 2.
	Indent int
	// Depth is how deep arrays and objects may nest. Default 100.
	Depth int
	// Bytes is how long a document may be. Default 16 MiB.
	Bytes int
	// Values is how many values, those of arrays and objects included, a
	// document may hold for [Decoder.Decode]. Default 1,000,000.
	Values int
}

func (d Decoder) withDefaults() Decoder {
	for _, f := range []struct {
		field *int
		value int
	}{{&d.Indent, 2}, {&d.Depth, defaultDepth}, {&d.Bytes, 16 << 20}, {&d.Values, 1_000_000}} {
		if *f.field <= 0 {
			*f.field = f.value
		}
	}
	return d
}

// Decode reads a document with the defaults; see [Decoder.Decode].
func Decode(text string) (Value, error) { return Decoder{}.Decode(text) }

// Decode reads a document. The strings of the value share its memory. The error
// is an [*Error].
func (d Decoder) Decode(text string) (Value, error) {
	d = d.withDefaults()
	r := d.Tokens(text)
	b := builder{limit: d.Values}
	for {
		t, err := r.Next()
		if err == io.EOF {
			return b.values[0], nil
		}
		if err != nil {
			return Value{}, err
		}
		switch t.Kind {
		case Key:
			b.keys = append(b.keys, t.Text)
			continue
		case BeginArray:
			b.begin(ArrayKind)
			continue
		case BeginObject:
			b.begin(ObjectKind)
			continue
		case EndArray, EndObject:
			b.end()
		case StringToken:
			b.add(Value{kind: StringKind, text: t.Text})
		case BoolToken:
			b.add(Value{kind: BoolKind, text: t.Text})
		case NullToken:
			b.add(Value{})
		case NumberToken:
			number, ok := canonicalNumber(t.Text)
			if !ok {
				return Value{}, &Error{Code: InvalidNumber, Place: r.Place(t.Offset), Message: "the exponent of " + clip(t.Text) + " has more than nine digits"}
			}
			b.add(Value{kind: NumberKind, text: number})
		}
		if b.count > b.limit {
			return Value{}, &Error{Code: LimitExceeded, Place: r.Place(t.Offset), Message: fmt.Sprintf("there are more than %d values", b.limit)}
		}
	}
}

// builder makes a tree of what begins and ends.
type builder struct {
	values []Value  // of everything that is open, and the root
	keys   []string // of the objects that are open
	open   []opened
	count  int
	limit  int
}

type opened struct {
	kind         Kind
	values, keys int // where its own begin
}

func (b *builder) begin(kind Kind) {
	b.open = append(b.open, opened{kind, len(b.values), len(b.keys)})
}

func (b *builder) add(v Value) {
	b.count++
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
