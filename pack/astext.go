package pack

import (
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// noText are the variables of prompt files that are no text, with what is written for the
// text that was meant: printed, they say what no reader should see, and they equal none.
var noText = map[string]struct{ kind, printed, compared string }{
	"tool":  {"a function", "write {{ tools|join(', ') }} for the names of all, tool('x') for whether x is among them", ""},
	"cap":   {"a function", "write {{ caps|join(', ') }} for the names of all, cap('x') for whether x is among them", ""},
	"tools": {"a list", "", ""}, // a list may be printed
	"caps":  {"a list", "", ""},
	"model": {"a map of properties", "write model.name", "write model.name"},
	"agent": {"a map of properties", "write agent.name", "write agent.name"},
}

// textUses are the places of a template that take one of them for a text, but for those that
// a file of its graph binds: what one binds, those that it includes may read.
func textUses(uses []jinja.TextUse, bound func(name string) bool, place func(u jinja.TextUse) cento.Position) (errs []*cento.SourceError) {
	for _, u := range uses {
		of, ok := noText[u.Path]
		if !ok || !u.Compared && of.printed == "" || bound(u.Root) {
			continue
		}
		e := &cento.SourceError{
			Code: ParseFailed, Position: place(u), Hint: of.printed,
			Message: quote(u.Path) + " is " + of.kind + ", and is printed as if it were a text",
		}
		if u.Compared {
			e.Message, e.Hint = "the comparison never changes: "+quote(u.Path)+" is "+of.kind+", and equals no text", of.compared
			if e.Hint == "" {
				e.Hint = "write " + question(strings.TrimSuffix(u.Path, "s"), plainName(u.Text)) + " for whether it is among them"
			}
		}
		errs = append(errs, e)
	}
	return errs
}

// plainName is a name that stands between quotes as it is; another one is called x.
func plainName(name string) string {
	if name == "" || len(name) > maxName || strings.ContainsAny(name, "'\\\n") {
		return "x"
	}
	return name
}
