package pack

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// alwaysTrue are the variables of prompt files that are true whatever they hold, with
// what to write instead. Whoever asks for their truth means something else and would
// never learn the answer.
var alwaysTrue = map[string]struct{ reason, hint string }{
	"tool":  {"is a function", "write tool('x') for the one named x, tools for whether there is any"},
	"cap":   {"is a function", "write cap('x') for the one named x, caps for whether there is any"},
	"model": {"has properties", "ask for one of them, such as model.name or model.vision"},
	"agent": {"always has a name", "leave the condition out"},
}

// idleTests are the places of a template that ask whether one of them is true.
func idleTests(t *jinja.Template, place func(line, column int) cento.Position) (errs []*cento.SourceError) {
	for _, ref := range t.Tested() {
		if always, ok := alwaysTrue[ref.Path]; ok {
			errs = append(errs, &cento.SourceError{
				Code: ParseFailed, Position: place(ref.Line, ref.Column),
				Message: "the condition never changes: " + quote(ref.Path) + " " + always.reason + ", and counts as true",
				Hint:    always.hint,
			})
		}
	}
	return errs
}

// idleTests are those of all files of the graph, and what takes for a text what is none. Files without one of the words
// aren't parsed for it again.
func (s *fileSet) idleTests() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var refs []Ref
	var templates []*jinja.Template
	for _, ref := range s.order {
		p := s.files[ref]
		if p.src.Trust == cento.TrustBuiltin || !namesAlwaysTrue(p.body) {
			continue
		}
		if t := s.parse(p); t != nil { // else told by the engine where it is reached
			refs, templates = append(refs, ref), append(templates, t)
		}
	}
	bound := func(name string) bool {
		return slices.ContainsFunc(templates, func(t *jinja.Template) bool { return t.Binds(name) })
	}
	var errs []*cento.SourceError
	for i, t := range templates {
		place := func(line, column int) cento.Position { return plainPlace(refs[i].Path(), line, column) }
		errs = append(errs, idleTests(t, place)...)
		errs = append(errs, textUses(t.TextUses(), bound, func(u jinja.TextUse) cento.Position { return place(u.Line, u.Column) })...)
	}
	return cento.Join(errs)
}

func namesAlwaysTrue(text string) bool {
	for name := range alwaysTrue {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}
