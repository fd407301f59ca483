package serve

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/page"
	"github.com/cento-dev/cento/internal/textdiff"
)

// sides is a request to set two prompts beside each other: of a project under what-ifs,
// or of records, which are named as inputs.
type sides struct {
	A *document `json:"a"`
	B *document `json:"b"`
	// ARevision and BRevision are commits whose files a side is of; empty for the files
	// as they are.
	ARevision string `json:"a_revision,omitempty"`
	BRevision string `json:"b_revision,omitempty"`
}

// revised is a project as a commit has it, beside another side that is one.
type revised struct {
	*place
	from     *app.Repository
	revision string
}

// Open reads the project as the commit has it.
func (p *revised) Open(ctx context.Context, r app.Request) (*app.Project, error) {
	site, _, err := p.Located()
	if err != nil {
		return nil, err
	}
	project, _, _, err := app.OpenRevision(ctx, p.from, site, r, p.revision)
	for _, e := range cento.SourceErrors(err) {
		if filepath.IsAbs(e.Position.File) { // of the repository, which isn't the reader's to know
			e.Position = cento.Position{}
		}
	}
	return project, err
}

// beside is what differs between two prompts, with what the page shows of it.
type beside struct {
	Before     size              `json:"before"`
	After      size              `json:"after"`
	Difference *cento.Difference `json:"difference"`
	// In are the fragments of the verdicts that are in on the second side, Texts what
	// each of those brings where it is in.
	In    map[string]bool   `json:"in"`
	Texts map[string]string `json:"texts"`
	// Words are the texts of fragments that are in on both sides, compared: the sign of a
	// stretch, as textdiff.Word has it, and the stretch.
	Words map[string][][2]string `json:"words"`
	// Hues are the colours of fragments, by their ids.
	Hues map[string]string `json:"hues"`
}

// inspectDiff answers with what differs between two prompts.
func inspectDiff(x *exchange) (err error) {
	at, request, err := x.asked()
	if err != nil {
		return err
	}
	f, err := read[sides](request)
	if err != nil {
		return err
	}
	var of [2]*side
	repository := &app.Repository{}
	defer func() { err = errors.Join(err, repository.Close()) }()
	revisions := [2]string{f.ARevision, f.BRevision}
	for i, d := range []*document{f.A, f.B} {
		r, err := manifest.ParseExplain(call.RequestName, d.orEmpty(), app.RequestLimits())
		if err != nil {
			return err
		}
		o := call.Options{Place: at}
		switch {
		case r.Record != "":
			o = call.Options{Sealed: true, Record: x.record}
		case f.ARevision+f.BRevision != "":
			o.Place = &revised{at, repository, revisions[i]}
		}
		if of[i], err = x.side(r, o); err != nil {
			return err
		}
	}
	var explained [2]*cento.Explanation
	for i, s := range of {
		if explained[i], err = s.explain(); err != nil {
			return err
		}
	}
	from, to := explained[0], explained[1]
	out := beside{Before: sizeOf(from), After: sizeOf(to), Difference: cento.Diff(of[0].prompt, of[1].prompt), In: map[string]bool{}, Texts: map[string]string{}, Words: map[string][][2]string{}, Hues: map[string]string{}}
	for _, c := range out.Difference.Changed {
		for _, w := range textdiff.Words(orEmpty(c.From), orEmpty(c.To)) {
			out.Words[c.ID] = append(out.Words[c.ID], [2]string{string(w.Op), w.Text})
		}
	}
	for _, v := range out.Difference.Verdicts {
		out.In[v.ID] = false
	}
	for _, e := range []*cento.Explanation{from, to} {
		for i := range e.Fragments {
			t := &e.Fragments[i]
			out.Hues[t.ID] = page.Hue(t.Source)
			if _, turned := out.In[t.ID]; !turned || !t.Included {
				continue
			}
			out.In[t.ID] = e == to
			if t.Span != nil && e.System != nil {
				out.Texts[t.ID] = (*e.System)[t.Span[0]:t.Span[1]]
			}
		}
	}
	return x.plainly(out)
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// row is a session as the page draws it.
type row struct {
	Turn    int64         `json:"turn"`
	Epoch   int64         `json:"epoch"`
	Pending []pending     `json:"pending"`
	Records []app.Summary `json:"records"`
	Steps   []step        `json:"steps"`
	Exact   bool          `json:"exact"`
	// Why says why nothing is told of the prompt cache; empty where it is.
	Why string `json:"why"`
}

type pending struct {
	ID   string `json:"id"`
	Body string `json:"body"`
}

// step is what became of a prompt in the prompt cache.
type step struct {
	// Record is the number of the record that has the prompt.
	Record    int64                `json:"record"`
	Tokens    int                  `json:"tokens"`
	Predicted *app.CachePrediction `json:"predicted"`
	Lost      int                  `json:"lost"`
	// Billed is what the provider billed of the input; null where nobody told.
	Billed *app.InputBilled `json:"billed"`
	// Deviation says how that differs from what was predicted; empty where it doesn't.
	Deviation string `json:"deviation"`
	// Broke says what broke the beginning, and what would have kept it.
	Broke []string `json:"broke"`
}

// inspectSession answers with the turns of a session.
func inspectSession(x *exchange) error {
	s, err := x.onSession(x.r.PathValue("id"), ScopeRead)
	if err != nil {
		return err
	}
	ctx := x.r.Context()
	shown, err := s.Show(ctx, s.id)
	if err != nil {
		return s.hidden(err, s.id)
	}
	list, err := x.log().Records(ctx, app.RecordQuery{Session: s.id})
	if err != nil {
		return s.hidden(err, s.id)
	}
	out := row{Turn: shown.Turn, Epoch: shown.Epoch, Pending: []pending{}, Records: []app.Summary{}, Steps: []step{}, Exact: true}
	seqs := map[string]int64{} // by the name of a step
	for i := range list {      // the oldest first
		r := list[len(list)-1-i]
		x.label(&r.Project)
		out.Records, seqs[app.StepName(r)] = append(out.Records, r), r.Seq
	}
	for _, r := range shown.Pending {
		out.Pending = append(out.Pending, pending{r.ID, r.Body})
	}
	report, err := s.Cache(ctx, s.id, app.CacheOptions{})
	if err != nil {
		errs := cento.SourceErrors(err)
		if len(errs) == 0 || errors.Is(err, ctx.Err()) {
			return err
		}
		out.Why = "Nothing is told of the prompt cache: " + errs[0].Message + "."
		return x.plainly(out)
	}
	out.Exact = report.Exact
	for _, r := range report.Steps {
		t := step{Record: seqs[r.Name], Tokens: r.Tokens, Predicted: r.Prediction, Lost: r.Lost, Billed: r.Billed, Broke: []string{}}
		if r.Deviation != nil {
			t.Deviation = app.DeviationText(r.Deviation)
		}
		for _, c := range r.Causes {
			t.Broke = append(t.Broke, app.CauseLines(c)...)
		}
		if r.Hint != nil {
			t.Broke = append(t.Broke, "hint: "+app.HintText(*r.Hint, report.Exact))
		}
		out.Steps = append(out.Steps, t)
	}
	return x.plainly(out)
}
