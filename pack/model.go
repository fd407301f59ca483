package pack

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// Model is what templates and conditions can ask of the model. Without a model
// its texts are empty, its numbers 0 and nothing is true of it.
type Model struct {
	// Name is the name that was asked for.
	Name string
	// Facts are what is known of it; nil: nothing but the name. What isn't known
	// isn't defined, and reading it is an error.
	Facts *cento.Model
}

// modelOf is the model of an active set, where an input says what is known of it.
func modelOf(name string, facts *cento.Model) Model {
	if facts == nil || facts.ID == "" || name == "" {
		return Model{Name: name}
	}
	return Model{Name: name, Facts: facts}
}

// modelFact is a property of the model. It is nil where it isn't known.
type modelFact struct {
	name string
	of   func(*cento.Model) any
}

// modelFacts are the properties that templates and conditions read beside the
// name, each a text, a number or a truth.
var modelFacts = []modelFact{
	{"cache_breakpoints", func(m *cento.Model) any {
		if m.Cache.MaxBreakpoints == nil {
			return nil
		}
		return *m.Cache.MaxBreakpoints > 0
	}},
	{"developer_role", func(m *cento.Model) any { return m.System == cento.DeveloperMessage }},
	{"encoding", func(m *cento.Model) any { return m.Counting.Counter }},
	{"family", func(m *cento.Model) any { return m.Family }},
	{"id", func(m *cento.Model) any { return m.ID }},
	{"max_output", func(m *cento.Model) any { return size(m.MaxOutput) }},
	{"native_tools", func(m *cento.Model) any { return truth(m.Tools, true) }},
	{"prompt_cache", func(m *cento.Model) any {
		if m.Cache.Kind == "" {
			return nil
		}
		return m.Cache.Kind != cento.CacheNone
	}},
	{"provider", func(m *cento.Model) any { return m.Provider }},
	{"reasoning", func(m *cento.Model) any { return truth(m.Reasoning, true) }},
	{"sections_markdown", func(m *cento.Model) any { return slices.Contains(m.Sections, "markdown") }},
	{"sections_xml", func(m *cento.Model) any { return slices.Contains(m.Sections, "xml") }},
	{"series", func(m *cento.Model) any { return m.Series }},
	{"system_field", func(m *cento.Model) any { return m.System == cento.SystemField }},
	{"text_tools", func(m *cento.Model) any { return truth(m.Tools, false) }},
	{"vision", func(m *cento.Model) any { return truth(m.Vision, true) }},
	{"window", func(m *cento.Model) any {
		n, ok := m.Window()
		if !ok {
			return nil
		}
		return n
	}},
}

func size(n *int) any {
	if n == nil {
		return nil
	}
	return *n
}

func truth(b *bool, want bool) any {
	if b == nil {
		return nil
	}
	return *b == want
}

// modelFields are the names that templates and conditions read.
var modelFields = func() []string {
	names := []string{"name"}
	for _, f := range modelFacts {
		names = append(names, f.name)
	}
	slices.Sort(names)
	return names
}()

func (m Model) value() jinja.Value {
	text := func(s string) jinja.Value { return jinja.String(oneLine(s, maxName), label(cento.TrustHost)) }
	var b jinja.MapBuilder
	b.Set("name", text(m.Name))
	for _, f := range modelFacts {
		switch v := m.fact(f).(type) {
		case string:
			if v != "" || m.Name == "" {
				b.Set(f.name, text(v))
			}
		case int:
			b.Set(f.name, jinja.Int(int64(v)))
		case bool:
			b.Set(f.name, jinja.Bool(v))
		}
	}
	return b.Map()
}

// none is the model where there is none: a number that isn't known is 0.
var none = func() *cento.Model {
	zero, no := 0, false
	return &cento.Model{Context: &zero, MaxOutput: &zero, Vision: &no, Reasoning: &no, Cache: cento.ModelCache{Kind: cento.CacheNone, MaxBreakpoints: &zero}}
}()

// fact is nil where it isn't known.
func (m Model) fact(f modelFact) any {
	switch {
	case m.Name == "" && strings.HasSuffix(f.name, "_tools"):
		return false
	case m.Name == "":
		return f.of(none)
	case m.Facts == nil:
		return nil
	}
	return f.of(m.Facts)
}

// knows reports whether a property of the model is known, by its name behind
// `model.`.
func (m Model) knows(name string) bool {
	for _, f := range modelFacts {
		if f.name == name {
			v := m.fact(f)
			return v != nil && (v != "" || m.Name == "")
		}
	}
	return true
}
