package provenance

import (
	"strings"

	"github.com/cento-dev/cento"
)

// Explanation is [project.Project.Explain] for a prompt that was made of an input, with all
// texts that [Texts.ExplainText] finds as removed.
func (p Texts) Explanation(in cento.Input, prompt *cento.Prompt, o cento.ExplainOptions) (*cento.Explanation, error) {
	s := &search{Texts: p, in: in, prompt: prompt}
	left, err := s.left()
	if err != nil {
		return nil, err
	}
	e := p.project.Explain(prompt, o)
	for i := range left {
		l := &left[i]
		at, from := l.at, 0
		for _, part := range l.parts() {
			// A sentence that a cut goes through is found whole.
			part[0] = max(from, strings.LastIndexByte(l.text[:part[0]], '\n')+1)
			text := l.text[part[0]:part[1]]
			at, from = at.After(l.text[from:part[0]]), part[0]
			if blank(text) {
				continue
			}
			m := l.match(at, part[0], part[1])
			x := cento.RemovedText{Fragment: m.Fragment, Origin: m.Origin, Bytes: len(text), Reason: m.Reason, Code: m.Code}
			if o.ExcludedTexts {
				x.Text = text
			}
			e.Removed = append(e.Removed, x)
		}
	}
	return e, nil
}
