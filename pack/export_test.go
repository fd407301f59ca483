package pack

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// Example is a value of the type.
func (t VarType) Example() jinja.Value {
	var m jinja.MapBuilder
	return [...]jinja.Value{
		jinja.None(), jinja.String("", 0), jinja.Int(1), jinja.Float(1), jinja.Bool(true), jinja.List(), m.Map(),
	}[t]
}

// WordingTexts gives the texts of a file of wording by key.
func WordingTexts(w *Wording) map[string]cento.Text {
	out := map[string]cento.Text{}
	for _, t := range w.texts {
		out[t.key] = cento.Text{Body: t.text, Runs: t.runs}
	}
	return out
}
