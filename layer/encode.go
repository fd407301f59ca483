package layer

import (
	"cmp"
	"maps"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/canonical"
)

// The canonical form is that of internal/canonical, with members in a fixed
// order and keys of maps bytewise.

// AppendJSON appends the layer in canonical form: an empty one is `{}`. The
// error is [cento.InvalidUTF8].
func (l Layer) AppendJSON(dst []byte) ([]byte, error) {
	return write(dst, func(w writer) { w.layer(&l) })
}

// MarshalJSON gives the form of [Layer.AppendJSON]. encoding/json escapes more
// when the layer is part of something else.
func (l Layer) MarshalJSON() ([]byte, error) { return l.AppendJSON(nil) }

// MarshalJSON gives the canonical form. The error is [cento.InvalidUTF8].
func (t Template) MarshalJSON() ([]byte, error) {
	return write(nil, func(w writer) { w.template(&t) })
}

// MarshalJSON gives the canonical form. The error is [cento.InvalidUTF8].
func (s Section) MarshalJSON() ([]byte, error) {
	return write(nil, func(w writer) { w.section(&s) })
}

// MarshalJSON gives the canonical form. The error is [cento.InvalidUTF8].
func (e Entry) MarshalJSON() ([]byte, error) { return write(nil, func(w writer) { w.entry(&e) }) }

// MarshalJSON gives the canonical form. The error is [cento.InvalidUTF8].
func (p Patch) MarshalJSON() ([]byte, error) { return write(nil, func(w writer) { w.patch(&p) }) }

// MarshalJSON gives the canonical form, each contribution with the slot that it was
// written for. The error is [cento.InvalidUTF8].
func (s SlotLayer) MarshalJSON() ([]byte, error) {
	return write(nil, func(w writer) { w.slot("", &s) })
}

// MarshalJSON gives the key as a text. The error is [cento.InvalidUTF8].
func (r Removal) MarshalJSON() ([]byte, error) { return write(nil, func(w writer) { w.Text(r.Key) }) }

// MarshalJSON gives the canonical form. The error is [cento.InvalidUTF8].
func (c Contribution) MarshalJSON() ([]byte, error) {
	return write(nil, func(w writer) { w.contribution(&c, c.Slot, "", "") })
}

// MarshalJSON gives the canonical form, with the layer and the key as last members.
// The error is [cento.InvalidUTF8].
func (r Resolved) MarshalJSON() ([]byte, error) {
	return write(nil, func(w writer) { w.contribution(&r.Contribution, r.Slot, r.Layer, r.Key) })
}

// writer knows the objects of this package.
type writer struct{ *canonical.Writer }

func write(dst []byte, value func(writer)) ([]byte, error) {
	return canonical.Append(dst, func(w *canonical.Writer) { value(writer{w}) })
}

// names writes a member that is a list of texts, unless it is empty.
func (w writer) names(name string, values []string) {
	if len(values) > 0 {
		w.Texts(name, values)
	}
}

func list[T any](w writer, name string, values []T, value func(*T)) {
	w.Member(name)
	canonical.List(w.Writer, values, value)
}

func (w writer) layer(l *Layer) {
	w.Begin()
	if l.Template != nil {
		w.Member("template")
		w.template(l.Template)
	}
	if len(l.Slots) > 0 {
		w.Member("slots")
		w.Begin()
		for _, name := range slices.Sorted(maps.Keys(l.Slots)) {
			s := l.Slots[name]
			w.Member(name)
			w.slot(name, &s)
		}
		w.End()
	}
	if len(l.Patches) > 0 {
		list(w, "patch", l.Patches, w.patch)
	}
	w.End()
}

// slot writes what is done to a slot; without its name, contributions have their own.
func (w writer) slot(name string, s *SlotLayer) {
	w.Begin()
	w.BoolMember("reset", s.Reset)
	if len(s.Remove) > 0 {
		list(w, "remove", s.Remove, func(x *Removal) { w.Text(x.Key) })
	}
	if len(s.Contributions) > 0 {
		list(w, "contributions", s.Contributions, func(c *Contribution) { w.contribution(c, cmp.Or(name, c.Slot), "", "") })
	}
	w.End()
}

func (w writer) contribution(c *Contribution, slot, layer, key string) {
	w.Begin()
	w.TextMember("slot", slot)
	if c.Title != nil {
		w.TextMember("title", *c.Title)
	}
	w.IntMember("priority", int64(c.Priority))
	if len(c.RequiresAnyTools) > 0 {
		w.Member("gate")
		w.Begin()
		w.names("tools", c.RequiresAnyTools)
		w.End()
	}
	if c.Template == "" || c.Content != "" {
		w.TextMember("content", c.Content)
	}
	w.Optional("template", c.Template)
	w.Optional("id", c.ID)
	w.names("requires_tools", c.RequiresTools)
	w.names("requires_caps", c.RequiresCaps)
	w.Optional("when", c.When)
	if n, ok := c.Importance.Level(); ok {
		w.IntMember("importance", int64(n))
	}
	if c.Stability != cento.Static {
		w.TextMember("stability", c.Stability.String())
	}
	if c.Protected {
		w.BoolMember("protected", true)
	}
	w.Optional("layer", layer)
	w.Optional("key", key)
	w.End()
}

func (w writer) template(t *Template) {
	w.Begin()
	list(w, "sections", t.Sections, w.section)
	w.End()
}

func (w writer) section(s *Section) {
	w.Begin()
	if s.Title != nil {
		w.TextMember("title", *s.Title)
	}
	if len(s.Entries) > 0 {
		list(w, "entries", s.Entries, w.entry)
	}
	w.End()
}

func (w writer) entry(e *Entry) {
	w.Begin()
	w.TextMember("kind", e.Kind.String())
	name := e.Kind.String()
	if e.Kind == TextEntry {
		name = "content"
	}
	w.TextMember(name, e.Value)
	w.End()
}

func (w writer) patch(p *Patch) {
	w.Begin()
	w.TextMember("op", p.Op.String())
	if p.Op == InsertEntry {
		w.TextMember("section", p.Section)
	}
	if p.After {
		w.TextMember("after", p.Anchor)
	} else {
		w.TextMember("before", p.Anchor)
	}
	if p.Op == InsertEntry {
		w.Member("entry")
		w.entry(&p.NewEntry)
	} else {
		w.Member("section")
		w.section(&p.NewSection)
	}
	w.End()
}
