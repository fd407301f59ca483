package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/workspace"
)

// NoProjects: a request names a project or a folder on disk or brings a recorded input,
// and the door that it comes through takes none.
const NoProjects cento.ErrorCode = "request.outside"

// NoRecord: a request names a record by its hash, and there is none, or the door has
// no records.
const NoRecord cento.ErrorCode = "record.unknown"

// Assembled is a prompt.
type Assembled struct {
	app.BuiltPrompt
	// Tokens is how many the prompt has, and Encoding what counted them; absent
	// unless the request asks for it.
	Tokens   *int   `json:"tokens,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	// Exact tells whether the model counts the same.
	Exact *bool        `json:"exact,omitempty"`
	Notes []cento.Note `json:"notes,omitempty"`
}

// asked is the project of a request, open, and the input of the prompt that is
// asked for.
type asked struct {
	*app.Project
	in    cento.Input
	notes []cento.Note
	// others: the input differs from the project's in more than what is active.
	others bool
	// told has the notes of the answer that the prompt is for.
	told *told
}

// prompt makes the prompt that is asked for.
func (a *asked) prompt(ctx context.Context) (p *cento.Prompt, err error) {
	if a.others {
		p, err = a.Reduce(a.in)
	} else {
		active := a.in.Active
		active.Tools = a.in.ActiveTools()
		p, err = a.Assemble(active)
	}
	if err = cmp.Or(err, ctx.Err()); err == nil {
		a.told.prompt(a.Project, p)
	}
	return p, err
}

// on opens the project of a request and does something with it. Files that came
// with the request are on disk for as long.
func (o Options) on(ctx context.Context, r *manifest.ProjectRequest, do func(*asked) error) error {
	p, err := o.project(ctx, r)
	if err != nil {
		return err
	}
	a, err := o.ask(p, r)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	return do(a)
}

// project opens the project of a request, or has it from those that are kept.
func (o Options) project(ctx context.Context, r *manifest.ProjectRequest) (*app.Project, error) {
	o, err := o.at(r)
	if err != nil {
		return nil, err
	}
	site, request, clock, err := o.requested(r)
	switch {
	case err != nil:
		return nil, err
	case o.Kept != nil && o.Place == nil && !r.Recorded() && r.Folder != "" && r.Manifest == nil && r.Prefixes == nil:
		p, at, err := o.Kept.open(ctx, request, clock)
		if err == nil {
			o.read.also(at)
		}
		return p, ofFolder(r, request, err)
	}
	if site, err = o.found(r, site, request); err != nil {
		return nil, err
	}
	return o.open(ctx, r, site, request)
}

// open opens the project of a request that was found.
func (o Options) open(ctx context.Context, r *manifest.ProjectRequest, site app.Site, request app.Request) (*app.Project, error) {
	switch {
	case r.Record != "":
		return o.recorded(ctx, r)
	case r.Input != nil:
		return app.OpenInput(r.Input, r.Position)
	case o.Place != nil:
		return o.Place.Open(ctx, request)
	}
	return app.Open(ctx, site, request)
}

// ask is the open project of a request, with what the request hands over and changes. What
// there is to say of both is told.
func (o Options) ask(p *app.Project, r *manifest.ProjectRequest) (*asked, error) {
	p, brought, err := handed(r).Open(p)
	if err != nil {
		return nil, err
	}
	a := &asked{Project: p, others: r.Recorded() || !brought.Empty(), told: o.told}
	if r.Recorded() {
		if a.notes, err = over(&p.Input, r); err != nil {
			return nil, err
		}
	}
	in, remarks := p.WhatIf(changes(r.Changes))
	a.in = brought.On(in)
	a.notes = append(a.notes, app.RemarkNotes(remarks)...)
	a.told.project(a)
	return a, nil
}

// over lays on a recorded input what reading a project would have read otherwise.
func over(in *cento.Input, r *manifest.ProjectRequest) (notes []cento.Note, err error) {
	if r.Model != "" && r.Model != in.Active.Model {
		in.Active.Model = r.Model
		*in, notes = ofModel(*in, r.ModelAt)
	}
	if !r.Now.IsZero() {
		in.Files.Now = r.Now
	}
	if b := budgetOf(r.Budget); b != nil {
		*in, err = b.On(*in)
	}
	return notes, err
}

// budgetOf is a budget that is asked for; nil for none.
func budgetOf(b *manifest.Budget) *app.Budget {
	if b == nil {
		return nil
	}
	return &app.Budget{Tokens: b.Tokens, Share: b.Share, Position: b.Position}
}

// Do opens the project of a request and does something with the input of the prompt
// that is asked for, which has the remarks on what the request changes among its notes.
func (o Options) Do(ctx context.Context, r *manifest.ProjectRequest, do func(*app.Project, cento.Input) error) error {
	return o.on(ctx, r, func(a *asked) error { return do(a.Project, app.Noted(a.in, a.notes)) })
}

// Ask is Do with those remarks by themselves.
func (o Options) Ask(ctx context.Context, r *manifest.ProjectRequest, do func(*app.Project, cento.Input, []cento.Note) error) error {
	return o.on(ctx, r, func(a *asked) error { return do(a.Project, a.in, a.notes) })
}

// handed is what a request brings beside the files of its project.
func handed(r *manifest.ProjectRequest) app.Handed {
	return app.Handed{Host: r.Host, System: r.System, Parts: r.Parts, Fragments: r.Fragments}
}

// changes are those that are made to an input that was collected.
func changes(c manifest.Changes) app.WhatIf {
	return app.WhatIf{Tools: c.Tools, WithoutTools: c.WithoutTools, Caps: c.Caps, WithoutCaps: c.WithoutCaps}
}

// locate finds the project of a request, and says how it is read.
func (o Options) locate(r *manifest.ProjectRequest) (app.Site, app.Request, error) {
	o, err := o.at(r)
	if err != nil {
		return app.Site{}, app.Request{}, err
	}
	site, request, _, err := o.requested(r)
	if err == nil {
		site, err = o.found(r, site, request)
	}
	return site, request, err
}

// at is o with the project that a request names, where the door has it at hand.
func (o Options) at(r *manifest.ProjectRequest) (Options, error) {
	if o.Places == nil || o.Place != nil || r.Recorded() || r.Manifest != nil || r.Files != nil {
		return o, nil
	}
	name := cmp.Or(r.Folder, o.Default)
	if name == "" {
		return o, nil
	}
	var err error
	o.Place, err = o.Places(name)
	r.Folder = "" // it is said
	return o, err
}

// found is where the project of a request stands.
func (o Options) found(r *manifest.ProjectRequest, site app.Site, request app.Request) (app.Site, error) {
	if o.Place != nil || r.Recorded() {
		return site, nil
	}
	site, err := app.Locate(request)
	return site, ofFolder(r, request, err)
}

// ofFolder is an error about the folder that a request names, at the place where it does.
func ofFolder(r *manifest.ProjectRequest, request app.Request, err error) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	at := r.At("project") // the place of the request where it names none, and has the door's
	if !ok || e.Code != workspace.InvalidFolder || e.Position.File != filepath.ToSlash(request.Dir) || at == r.Position {
		return err
	}
	told := *e
	told.Position = at
	return &told
}

// requested says how the project of a request is read, and by which clock unless the
// request brings another. Of the user's there is nothing in one that came with the
// request. Where it stands is known of the door's own alone.
func (o Options) requested(r *manifest.ProjectRequest) (site app.Site, request app.Request, clock time.Time, err error) {
	if err := o.outside(r); err != nil || r.Recorded() {
		return site, request, clock, err
	}
	if r.Folder == "" && r.Manifest == nil && r.Files == nil {
		r.Folder = o.Default
	}
	switch {
	case o.Place != nil:
		if site, request, err = o.Place.Located(); err != nil {
			return site, request, clock, err
		}
	case r.Folder != "":
		if o.Project == nil {
			hint := "hand the manifest and its files over"
			if o.OfProjects != "" {
				hint += ", or " + o.OfProjects
			}
			return site, request, clock, &cento.SourceError{
				Code: NoProjects, Position: r.At("project"), Message: "a folder on disk can't be named here", Hint: hint,
			}
		}
		if request, err = o.Project(r.Folder); err != nil {
			return site, request, clock, err
		}
	default:
		if request, err = app.FilesOf(r.Files); err != nil {
			return site, request, clock, err
		}
		request.Folder = r.Root
		if r.Manifest == nil && r.Files[app.ManifestName] == "" {
			r.Manifest = []byte("{}")
		}
	}
	if r.Manifest != nil {
		request.ManifestName, request.ManifestText = RequestName, r.Manifest
	}
	request.Prefixes = r.Prefixes
	collected(&request, r.Changes)
	clock = request.Now
	if !r.Now.IsZero() {
		request.Now = r.Now // else that of the door, and of none for what came with the request
	}
	if r.Profile != nil {
		request.Profile, err = app.ReadProfile(RequestName, r.Profile)
	}
	return site, request, clock, err
}

// collected says of changes what is settled when a project is read.
func collected(request *app.Request, c manifest.Changes) {
	request.Target, request.Model, request.ModelAt, request.Vars, request.Skills = c.Target, c.Model, c.ModelAt, c.Vars, c.Skills
	request.Budget = budgetOf(c.Budget)
	if c.ToolsText != nil {
		request.ToolsName, request.ToolsText = RequestName, c.ToolsText
	}
}

// Differs reports whether a request asks for another prompt than the one that the files
// of its project give, as [app.Differs] has it.
func Differs(r *manifest.ProjectRequest) bool {
	instead := r.Profile != nil || r.Folder != "" && r.Manifest != nil // else the manifest is that of the files
	return instead || !handed(r).Empty() || Changed(r.Changes)
}

// Changed is Differs for changes alone.
func Changed(c manifest.Changes) bool {
	var request app.Request
	collected(&request, c)
	return app.Differs(request, app.Handed{}, changes(c))
}

// answerAssemble makes a prompt.
func answerAssemble(ctx context.Context, r *manifest.ProjectRequest, o Options) (out *Assembled, err error) {
	err = o.on(ctx, r, func(a *asked) error {
		prompt, err := a.prompt(ctx)
		if err != nil {
			return err
		}
		out = &Assembled{BuiltPrompt: app.Built(prompt)}
		if r.Tokens != nil && *r.Tokens {
			counter := app.CounterOf(a.in)
			text, _ := prompt.System()
			n, exact := counter.Count(text), counter.Exact()
			out.Tokens, out.Encoding, out.Exact = &n, counter.Name(), &exact
		}
		return nil
	})
	return out, err
}

// answerExplain tells what is in a prompt, and why.
func answerExplain(ctx context.Context, r *manifest.ProjectRequest, o Options) (out *cento.Explanation, err error) {
	err = o.on(ctx, r, func(a *asked) error {
		prompt, err := a.prompt(ctx)
		if err != nil {
			return err
		}
		out, err = a.Explanation(a.in, prompt, cento.ExplainOptions{AllReasons: r.AllReasons, Counter: counter(r.Tokens, a.in)})
		return err
	})
	return out, err
}

// counter counts for the model of an input, unless a request says not to.
func counter(wanted *bool, in cento.Input) cento.Counter {
	if wanted != nil && !*wanted {
		return nil
	}
	return app.CounterOf(in)
}

// Budgeted is what a budget does to a prompt.
type Budgeted struct {
	app.BudgetAnswer
	// Notes tell of what was read, and of what the request changes.
	Notes []cento.Note `json:"notes,omitempty"`
}

// answerBudget tells what a budget does to a prompt.
func answerBudget(ctx context.Context, r *manifest.ProjectRequest, o Options) (out *Budgeted, err error) {
	err = o.on(ctx, r, func(a *asked) error {
		answer, err := a.Budget(ctx, a.in, "")
		if err == nil {
			out = &Budgeted{BudgetAnswer: *answer}
		}
		return err
	})
	return out, err
}

// WireBody is the request of a provider.
type WireBody struct {
	app.WireBody
	// Notes tell of what was read, and of what the request changes.
	Notes []cento.Note `json:"notes,omitempty"`
}

// answerWire writes the request of a provider.
func answerWire(ctx context.Context, r *manifest.ProjectRequest, o Options) (out *WireBody, err error) {
	err = o.on(ctx, r, func(a *asked) error {
		a.fit(r)
		body, err := a.wire(ctx, r)
		if err == nil {
			out = &WireBody{WireBody: *body}
		}
		return err
	})
	return out, err
}

// fit says that the budget is one of the request that is asked for.
func (a *asked) fit(r *manifest.ProjectRequest) {
	if !r.Recorded() && a.in.Budget != nil { // a recorded prompt stays as it was fitted
		a.in, a.others = a.InForm(a.in, r.Form), true
	}
}

// wire writes the prompt that is asked for into the request of a provider.
func (a *asked) wire(ctx context.Context, r *manifest.ProjectRequest) (*app.WireBody, error) {
	prompt, err := a.prompt(ctx)
	if err != nil {
		return nil, err
	}
	return a.Wire(a.in, prompt, wireOptions(r))
}

// Why is where a text comes from, or why it isn't there.
type Why struct {
	app.Why
	// Notes tell of what was read, and of what the request changes.
	Notes []cento.Note `json:"notes,omitempty"`
}

// answerWhy finds a text.
func answerWhy(ctx context.Context, r *manifest.ProjectRequest, o Options) (out *Why, err error) {
	err = o.on(ctx, r, func(a *asked) error {
		if r.Wired {
			a.fit(r)
		}
		why, err := a.Answer(ctx, a.in, r.Text, app.AskedAs(r.As))
		if err != nil {
			return err
		}
		if r.Wired {
			body, err := a.wire(ctx, r)
			if err != nil {
				return err
			}
			body.AddTo(why, a.Project, r.Text)
		}
		out = &Why{Why: *why}
		return nil
	})
	return out, err
}

// Compared is what differs between two prompts, and why.
type Compared struct {
	app.Comparison
	// Notes tell of what was read for either side, and of what the request changes.
	Notes []cento.Note `json:"notes,omitempty"`
}

// answerDiff compares two prompts.
func answerDiff(ctx context.Context, r *manifest.ProjectRequest, o Options) (*Compared, error) {
	var sides []*app.MadePrompt
	err := o.onBoth(ctx, r, func(a *asked) error {
		p, err := a.prompt(ctx)
		sides = append(sides, &app.MadePrompt{Project: a.Project, Input: a.in, Prompt: p})
		return err
	})
	if err != nil {
		return nil, err
	}
	d, err := app.Compare(ctx, sides[0], sides[1])
	if err != nil {
		return nil, err
	}
	return &Compared{Comparison: *d}, nil
}

// onBoth does something with each of the two sides of a request. Each is read by itself,
// since another model, target or variable is another reading.
func (o Options) onBoth(ctx context.Context, r *manifest.ProjectRequest, do func(*asked) error) error {
	other := *r
	other.Changes = r.To.Over(r.Changes)
	for _, side := range []*manifest.ProjectRequest{r, &other} {
		if err := o.on(ctx, side, do); err != nil {
			return err
		}
	}
	return nil
}

// Cached is what the prompt cache makes of a prompt and of another one behind it.
type Cached struct {
	app.CacheReport
	// Notes tell of what was read, and of what the request changes.
	Notes []cento.Note `json:"notes,omitempty"`
}

// answerCache sets two prompts beside each other as the prompt cache sees them.
func answerCache(ctx context.Context, r *manifest.ProjectRequest, o Options) (*Cached, error) {
	out := &Cached{}
	var row *app.CacheRow
	err := o.onBoth(ctx, r, func(a *asked) (err error) {
		name := "to"
		if row == nil {
			name = "from"
			row, err = a.CacheRow(app.CacheOptions{WireOptions: app.WireOptions{Form: r.Form, FormAt: r.FormAt, Messages: r.Messages, Partial: r.Partial}})
		}
		if err == nil {
			err = row.Prompt(name, a.Project, a.in)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	report, err := row.Report()
	if err != nil {
		return nil, err
	}
	out.CacheReport = *report
	return out, nil
}

// answerModels tells what is known of models.
func answerModels(_ context.Context, r *manifest.ProjectRequest, o Options) (*app.Models, error) {
	site, request, err := o.locate(r)
	if err != nil {
		return nil, err
	}
	return app.FindModels(site, request, r.Text)
}

// answerCheck looks for what is doubtful in a project and its targets.
func answerCheck(ctx context.Context, r *manifest.ProjectRequest, o Options) (*app.CheckAnswer, error) {
	site, request, err := o.locate(r)
	if err != nil {
		return nil, err
	}
	return app.Check(ctx, site, request, app.CheckOptions{Strict: r.Strict})
}

// Counts tells how many tokens texts have.
type Counts struct {
	// Counts are those of the texts, in their order.
	Counts []int `json:"counts"`
	app.Counting
	// Notes tell of the model that is named.
	Notes []cento.Note `json:"notes,omitempty"`
}

// answerTokens counts texts.
func answerTokens(ctx context.Context, r *manifest.TokensRequest) (*Counts, error) {
	counter, about, err := app.CountBy(r.Model, r.Encoding)
	if err != nil {
		return nil, app.EncodingAt(err, r.EncodingAt)
	}
	out := &Counts{Counts: make([]int, len(r.Texts)), Counting: about, Notes: model.At(r.ModelAt, app.ModelNotes(r.Model))}
	for i, text := range r.Texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.Counts[i] = counter.Count(text)
	}
	return out, nil
}

// answerInstructions tells which instruction files are loaded.
func answerInstructions(ctx context.Context, r *manifest.InstructionsRequest, o Options) (*app.InstructionsReport, error) {
	site, request, err := o.locate(&r.ProjectRequest)
	if err != nil {
		return nil, err
	}
	if o.Sealed || o.Place != nil {
		for _, name := range append(slices.Clip(r.For), r.Cwd) {
			if name != "" && !filepath.IsLocal(filepath.FromSlash(name)) {
				return nil, &cento.SourceError{
					Code: NoProjects, Position: r.Position, Message: fmt.Sprintf("%.60q is no path in the project", name), Hint: "write it from the folder of the project",
				}
			}
		}
	}
	if r.Cwd != "" {
		request.Dir = inFolder(request.Dir, r.Cwd)
		if site, err = app.Locate(request); err != nil {
			return nil, err
		}
	}
	files := make([]string, len(r.For))
	for i, name := range r.For {
		files[i] = inFolder(request.Dir, name)
	}
	var rules []string
	if r.Convention != "" {
		rules = []string{r.Convention}
	}
	reports, err := app.Instructions(ctx, site, request, rules, files)
	if err != nil {
		return nil, err
	}
	return reports[0], nil
}

// inFolder is a path from a folder, unless it is absolute.
func inFolder(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}
