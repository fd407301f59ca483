package pack

import "github.com/cento-dev/cento"

// WordingTexts gives the texts of a file of wording by key.
func WordingTexts(w *Wording) map[string]cento.Text {
	out := map[string]cento.Text{}
	for _, t := range w.texts {
		out[t.key] = cento.Text{Body: t.text, Runs: t.runs}
	}
	return out
}
