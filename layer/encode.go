package layer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// The canonical form is written here by hand, since its bytes are a promise: no
// white space, members in a fixed order, keys of maps bytewise, and only `"`, `\`
// and C0 controls escaped. The encoder of the standard library escapes more.

// AppendJSON appends the layer in canonical form: an empty one is `{}`. The
// error is [cento.InvalidUTF8].
func (l Layer) AppendJSON(dst []byte) ([]byte, error) {
	return write(dst, func(w *writer) { w.layer(&l) })
}

// AppendJSON appends the section plan in canonical form. The error is
// [cento.InvalidUTF8].
func (t Template) AppendJSON(dst []byte) ([]byte, error) {
	return write(dst, func(w *writer) { w.template(&t) })
}

// AppendJSON appends the contribution in canonical form. The error is
// [cento.InvalidUTF8].
func (c Contribution) AppendJSON(dst []byte) ([]byte, error) {
	return write(dst, func(w *writer) { w.contribution(&c, c.Slot, "") })
}

// AppendJSON appends the contribution in canonical form with its layer as last
// member. The error is [cento.InvalidUTF8].
func (r Resolved) AppendJSON(dst []byte) ([]byte, error) {
	return write(dst, func(w *writer) { w.contribution(&r.Contribution, r.Slot, r.Layer) })
}

// MarshalJSON gives the form of [Layer.AppendJSON]. encoding/json escapes more
// when the layer is part of something else.
func (l Layer) MarshalJSON() ([]byte, error) { return l.AppendJSON(nil) }

// MarshalJSON gives the form of [Template.AppendJSON].
func (t Template) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil) }

// MarshalJSON gives the form of [Contribution.AppendJSON].
func (c Contribution) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// MarshalJSON gives the form of [Resolved.AppendJSON].
func (r Resolved) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

type writer struct {
	b   []byte
	err error
}

func write(dst []byte, value func(*writer)) ([]byte, error) {
	w := writer{b: dst}
	value(&w)
	if w.err != nil {
		return dst, w.err
	}
	return w.b, nil
}

// member begins a member of an object; the object's brace is the last byte
// before its first one.
func (w *writer) member(name string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.text(name)
	w.b = append(w.b, ':')
}

func (w *writer) textMember(name, value string) {
	w.member(name)
	w.text(value)
}

// optional writes a member unless its value is empty.
func (w *writer) optional(name, value string) {
	if value != "" {
		w.textMember(name, value)
	}
}

func (w *writer) names(name string, values []string) {
	if len(values) > 0 {
		list(w, name, values, func(v *string) { w.text(*v) })
	}
}

func list[T any](w *writer, name string, values []T, value func(*T)) {
	w.member(name)
	w.b = append(w.b, '[')
	for i := range values {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		value(&values[i])
	}
	w.b = append(w.b, ']')
}

func (w *writer) layer(l *Layer) {
	w.b = append(w.b, '{')
	if l.Template != nil {
		w.member("template")
		w.template(l.Template)
	}
	if len(l.Slots) > 0 {
		w.member("slots")
		w.b = append(w.b, '{')
		for _, name := range slices.Sorted(maps.Keys(l.Slots)) {
			s := l.Slots[name]
			w.member(name)
			w.slot(name, &s)
		}
		w.b = append(w.b, '}')
	}
	if len(l.Patches) > 0 {
		list(w, "patch", l.Patches, w.patch)
	}
	w.b = append(w.b, '}')
}

func (w *writer) slot(name string, s *SlotLayer) {
	w.b = append(w.b, '{')
	w.member("reset")
	w.b = strconv.AppendBool(w.b, s.Reset)
	if len(s.Remove) > 0 {
		list(w, "remove", s.Remove, func(x *Removal) { w.text(x.Key) })
	}
	if len(s.Contributions) > 0 {
		list(w, "contributions", s.Contributions, func(c *Contribution) { w.contribution(c, name, "") })
	}
	w.b = append(w.b, '}')
}

func (w *writer) contribution(c *Contribution, slot, layer string) {
	w.b = append(w.b, '{')
	w.textMember("slot", slot)
	if c.Title != nil {
		w.textMember("title", *c.Title)
	}
	w.member("priority")
	w.b = strconv.AppendInt(w.b, int64(c.Priority), 10)
	if len(c.RequiresAnyTools) > 0 {
		w.member("gate")
		w.b = append(w.b, '{')
		w.names("tools", c.RequiresAnyTools)
		w.b = append(w.b, '}')
	}
	if c.Template == "" || c.Content != "" {
		w.textMember("content", c.Content)
	}
	w.optional("template", c.Template)
	w.optional("id", c.ID)
	w.names("requires_tools", c.RequiresTools)
	w.names("requires_caps", c.RequiresCaps)
	w.optional("when", c.When)
	if n, ok := c.Importance.Level(); ok {
		w.member("importance")
		w.b = strconv.AppendInt(w.b, int64(n), 10)
	}
	if c.Stability != cento.Static {
		w.textMember("stability", c.Stability.String())
	}
	if c.Protected {
		w.member("protected")
		w.b = append(w.b, "true"...)
	}
	w.optional("layer", layer)
	w.b = append(w.b, '}')
}

func (w *writer) template(t *Template) {
	w.b = append(w.b, '{')
	list(w, "sections", t.Sections, w.section)
	w.b = append(w.b, '}')
}

func (w *writer) section(s *Section) {
	w.b = append(w.b, '{')
	if s.Title != nil {
		w.textMember("title", *s.Title)
	}
	if len(s.Entries) > 0 {
		list(w, "entries", s.Entries, w.entry)
	}
	w.b = append(w.b, '}')
}

func (w *writer) entry(e *Entry) {
	w.b = append(w.b, '{')
	w.textMember("kind", e.Kind.String())
	name := e.Kind.String()
	if e.Kind == TextEntry {
		name = "content"
	}
	w.textMember(name, e.Value)
	w.b = append(w.b, '}')
}

func (w *writer) patch(p *Patch) {
	w.b = append(w.b, '{')
	w.textMember("op", p.Op.String())
	if p.Op == InsertEntry {
		w.textMember("section", p.Section)
	}
	if p.After {
		w.textMember("after", p.Anchor)
	} else {
		w.textMember("before", p.Anchor)
	}
	if p.Op == InsertEntry {
		w.member("entry")
		w.entry(&p.NewEntry)
	} else {
		w.member("section")
		w.section(&p.NewSection)
	}
	w.b = append(w.b, '}')
}

const hex = "0123456789abcdef"

// text writes a string; escaped are the quote, the backslash and C0 controls.
func (w *writer) text(s string) {
	if w.err == nil && !utf8.ValidString(s) {
		w.err = &cento.SourceError{Code: cento.InvalidUTF8, Message: fmt.Sprintf("%.40q isn't valid UTF-8", s)}
	}
	w.b = append(w.b, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		w.b = append(append(w.b, s[from:i]...), '\\')
		from = i + 1
		switch c {
		case '"', '\\':
			w.b = append(w.b, c)
		case '\b':
			w.b = append(w.b, 'b')
		case '\f':
			w.b = append(w.b, 'f')
		case '\n':
			w.b = append(w.b, 'n')
		case '\r':
			w.b = append(w.b, 'r')
		case '\t':
			w.b = append(w.b, 't')
		default:
			w.b = append(w.b, 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	w.b = append(append(w.b, s[from:]...), '"')
}
