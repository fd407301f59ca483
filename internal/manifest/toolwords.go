package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// What this file promises: nothing in the definition of a tool is hidden from
// the people who use it. A definition goes to a provider beside the prompt, so
// its strings don't pass the prompt's own check; every one of them is looked at
// here, the names of parameters, the values of enumerations and the defaults as
// well as the descriptions.

// maxToolNotes bounds how many findings are listed for one source of tools.
const maxToolNotes = 20

// toolWords looks for hidden characters and imitated frames in definitions.
type toolWords struct {
	notes   []cento.Note
	omitted map[cento.Code]int
	tool    string
}

// definition takes every string of a definition but its guidance, which is a
// text of the prompt.
func (w *toolWords) definition(tool string, n *strict.Node) {
	w.tool = tool
	w.value(n.Without("guidance"), "")
}

// value takes the strings of a value, keys included.
func (w *toolWords) value(n *strict.Node, path string) {
	switch n.Kind() {
	case strict.Map:
		for k, v := range n.Members() {
			name, _ := k.Text()
			below := strict.ShownKey(name)
			if path != "" {
				below = path + "." + below
			}
			w.addText(k, below+" itself")
			if (path == "function" || path == "_meta") && name == "guidance" {
				continue
			}
			w.value(v, below)
		}
	case strict.List:
		for i := range n.Items() {
			w.value(&n.Items()[i], path+"["+strconv.Itoa(i)+"]")
		}
	default:
		w.addText(n, path)
	}
}

// addText takes one string, which stands at a path of the definition.
func (w *toolWords) addText(n *strict.Node, path string) {
	s, ok := n.Text()
	if !ok || len(cento.Inspect(cento.Text{Body: s, Trust: cento.TrustTool})) == 0 {
		return
	}
	for _, found := range cento.Inspect(cento.Text{Body: s, Runs: n.Runs(cento.TrustTool), Trust: cento.TrustTool, Origin: n.Position()}) {
		if len(w.notes) == maxToolNotes {
			if w.omitted == nil {
				w.omitted = map[cento.Code]int{}
			}
			w.omitted[found.Code]++
			continue
		}
		what := "hidden characters"
		if found.Code == cento.CodeForged {
			what = "a line that imitates a protected section or frame"
		}
		note := cento.Note{
			Code: found.Code, Position: n.Position(),
			Message: fmt.Sprintf("the tool %q has %s in %s, which go to a provider as they stand: %s", w.tool, what, path, found.Message),
		}
		if found.Position != nil && !found.Position.IsZero() {
			note.Position = *found.Position
		}
		w.notes = append(w.notes, note)
	}
}

// list is what was found, and how much more there was of each kind.
func (w *toolWords) list(at cento.Position) []cento.Note {
	for _, code := range slices.Sorted(maps.Keys(w.omitted)) {
		w.notes = append(w.notes, cento.Note{Code: code, Position: at, Message: fmt.Sprintf("and %d more findings in the definitions of tools", w.omitted[code])})
	}
	return w.notes
}
