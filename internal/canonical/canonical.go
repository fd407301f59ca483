// Package canonical writes JSON whose bytes are a promise: no white space,
// members in the order in which they are written, and only `"`, `\` and C0
// controls escaped. It sorts nothing and reads nothing back. The encoder of the standard library escapes more, U+2028
// among it, and can't be told not to.
//
// It depends on nothing but its input and keeps no state.
package canonical

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/quote"
)

// Writer writes one value. It belongs to the function that [Append] calls.
type Writer struct {
	b   []byte
	err error
}

// Append appends what value writes. The error is [cento.InvalidUTF8]; dst is
// then returned as it was.
func Append(dst []byte, value func(*Writer)) ([]byte, error) {
	w := Writer{b: dst}
	value(&w)
	if w.err != nil {
		return dst, w.err
	}
	return w.b, nil
}

// Begin opens an object, whose members are written next.
func (w *Writer) Begin() { w.b = append(w.b, '{') }

// End closes it.
func (w *Writer) End() { w.b = append(w.b, '}') }

// Member begins a member of an object; its value is written next. The object's
// brace is the last byte before its first one.
func (w *Writer) Member(name string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.Text(name)
	w.b = append(w.b, ':')
}

// TextMember writes a member that is a text.
func (w *Writer) TextMember(name, value string) {
	w.Member(name)
	w.Text(value)
}

// Optional writes a member that is a text, unless it is empty.
func (w *Writer) Optional(name, value string) {
	if value != "" {
		w.TextMember(name, value)
	}
}

// IntMember writes a member that is a whole number.
func (w *Writer) IntMember(name string, value int64) {
	w.Member(name)
	w.b = strconv.AppendInt(w.b, value, 10)
}

// BoolMember writes a member that is true or false.
func (w *Writer) BoolMember(name string, value bool) {
	w.Member(name)
	w.b = strconv.AppendBool(w.b, value)
}

// Raw writes a value that is in canonical form already.
func (w *Writer) Raw(value []byte) { w.b = append(w.b, value...) }

// List writes a list, each value by the function.
func List[T any](w *Writer, values []T, value func(*T)) {
	w.b = append(w.b, '[')
	for i := range values {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		value(&values[i])
	}
	w.b = append(w.b, ']')
}

// Texts writes a member that is a list of texts.
func (w *Writer) Texts(name string, values []string) {
	w.Member(name)
	List(w, values, func(v *string) { w.Text(*v) })
}

// Text writes a string.
func (w *Writer) Text(s string) {
	if w.err == nil && !utf8.ValidString(s) {
		w.err = &cento.SourceError{Code: cento.InvalidUTF8, Message: fmt.Sprintf("%.40q isn't valid UTF-8", s)}
	}
	w.b = quote.JSON.Append(w.b, s)
}
