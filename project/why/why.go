// Package why finds where a text of a prompt comes from, or why the prompt doesn't have it.
// `cento why` prints the same answers.
//
// [Text] searches one prompt. [InProject] also searches what the project has besides: files
// that it didn't load, branches of prompt files, other targets, definitions of tools; and
// returns the commit that wrote each line.
//
//	answer := why.Text(prompt, "run the tests")
//	for _, place := range answer.Places {
//		fmt.Println(place.Origin, place.Reason)
//	}
package why

import (
	"context"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/provenance"
	"github.com/cento-dev/cento/project"
)

// Answer lists the places of a text.
type Answer struct {
	// Places has the places in the prompt first, then those in texts that are not in it. A
	// text that runs over several fragments has a place in each.
	Places []Place
	More   int // places that aren't listed, when there are very many
	// IgnoredCase: only the same text with other letter case was found.
	IgnoredCase bool
	// Nearest is the most similar sentence, if the text was found nowhere and one is similar.
	Nearest *Place
}

// Found reports whether the prompt has the text.
func (a *Answer) Found() bool { return len(a.Places) > 0 && a.Places[0].In }

// Place is one place of a text.
type Place struct {
	In         bool // whether it is in the prompt
	Start, End int  // byte offsets in the prompt; 0 if it isn't there
	Fragment   string
	Source     string
	Layer      string         // empty: of no layer
	Origin     cento.Position // zero: of no file
	Var        string         // the variable that brought the text; empty for none
	SetAt      cento.Position // where its value is set; zero if no file sets it
	Trust      cento.Trust
	MadeBy     cento.Maker
	Reason     string // why the text is in the prompt, or what keeps it out
	Code       cento.Code
	OutAt      cento.Position // what removed the text or replaced it; zero for nothing, and if it is in no file
	Text       string         // as it reads there
	Commit     *Commit        // nil if no commit wrote the line, or nobody asked
	History    string         // why there is no commit; empty if nobody asked
}

// Commit is the commit that wrote a line.
type Commit struct{ ID, Author, Summary, Time string }

// Text finds a text in a prompt and in what was left out of it: excluded fragments, and
// what a budget removed. Runs of white space count as one space. If the text isn't found,
// Text ignores letter case.
func Text(p *cento.Prompt, text string) *Answer {
	if p == nil {
		return &Answer{}
	}
	return answer(provenance.InPrompt(p, text))
}

// InProject finds a text in the prompt of an input of the project, and else in what the
// project has besides. The errors are those of [project.Project.Reduce], and those of ctx.
func InProject(ctx context.Context, p *project.Project, in cento.Input, text string) (*Answer, error) {
	w, err := provenance.Of(p).ExplainText(ctx, in, text)
	if err != nil {
		return nil, err
	}
	return answer(w), nil
}

func answer(w *provenance.Why) *Answer {
	a := &Answer{More: w.More, IgnoredCase: w.IgnoredCase}
	for i := range w.Matches {
		a.Places = append(a.Places, place(&w.Matches[i]))
	}
	if w.Nearest != nil {
		nearest := place(w.Nearest)
		a.Nearest = &nearest
	}
	return a
}

func place(m *provenance.Match) Place {
	p := Place{
		Fragment: m.Fragment, Source: m.Source, Layer: or(m.Layer), Origin: or(m.Origin), Var: m.Var, SetAt: or(m.SetAt),
		Trust: m.Trust, MadeBy: m.MadeBy, Reason: m.Reason, Code: m.Code, OutAt: or(m.OutAt), Text: m.Text, History: m.History,
	}
	if m.Start != nil {
		p.In, p.Start, p.End = true, *m.Start, *m.End
	}
	if c := m.Commit; c != nil {
		p.Commit = &Commit{c.ID, c.Author, c.Summary, c.Time}
	}
	return p
}

// or is the value that a pointer has; zero for nil.
func or[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
