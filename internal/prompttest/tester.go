package prompttest

import (
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/wire"
)

// tester runs the cases of a suite.
type tester struct {
	suite   *Suite
	library *library
	options Options
	files   *goldens
	tables  []*table // in the order of the cases
}

// Subject is a project as a case has it, for those who check it. The request names no
// target: what is never in any is found among all of them.
type Subject struct {
	Site    project.Site
	Request project.Request
	Target  string
}

// run makes the prompt of a run and asks all that its case says.
func (t *tester) run(ctx context.Context, r *run) (*assembled, []Failure) {
	c := r.of
	a, err := t.library.assemble(ctx, r.target, &r.with)
	t.truth(r, a, err)
	if c.Error != nil {
		return a, t.wantError(c, err)
	}
	if err != nil {
		return a, failuresOf(err, c)
	}
	var out []Failure
	for _, x := range t.assertions(c) {
		if x.holds(a) {
			continue
		}
		f := x.explain(a)
		f.Assertion = x.key
		if f.Position.IsZero() {
			f.Position = x.at
		}
		out = append(out, f)
	}
	out = append(out, t.prefix(ctx, r, a)...)
	out = append(out, t.wire(c, a)...)
	if c.Golden != nil {
		out = append(out, t.golden("golden", c, c.Golden, a.text, a)...)
	}
	out = append(out, t.findings(ctx, c, a)...)
	slices.SortStableFunc(out, func(x, y Failure) int { return x.Position.Compare(y.Position) })
	return a, out
}

// failuresOf are the errors that keep a prompt from being made.
func failuresOf(err error, c *testCase) []Failure {
	list := cento.SourceErrors(err)
	if len(list) == 0 {
		return []Failure{{Position: c.Position, Assertion: "name", Message: err.Error()}}
	}
	var out []Failure
	for _, e := range list {
		f := Failure{Position: e.Position, Path: e.Path, Assertion: "name", Code: e.Code, Message: withoutPlace(e), Hint: e.Hint}
		if f.Position.IsZero() {
			f.Position = c.Position
		}
		for _, r := range e.Related {
			f.Details = append(f.Details, strings.TrimPrefix(r.Position.String()+": "+r.Message, ": "))
		}
		out = append(out, f)
	}
	return out
}

// withoutPlace is the message of an error without its place, which stands before it.
func withoutPlace(e *cento.SourceError) string {
	return strings.TrimPrefix(e.Error(), e.Position.String()+": ")
}

// wantError holds the error of a run to the code that is wanted.
func (t *tester) wantError(c *testCase, err error) []Failure {
	f := Failure{Position: c.Error.Position, Assertion: "error"}
	list := cento.SourceErrors(err)
	var codes []string
	for _, e := range list {
		if string(e.Code) == c.Error.Text {
			return nil
		}
		codes = append(codes, string(e.Code))
		f.Details = append(f.Details, fmt.Sprintf("%s [%s]", e.Error(), e.Code))
	}
	switch {
	case err == nil:
		f.Message = fmt.Sprintf("the prompt is made, and the error %s is wanted", c.Error.Text)
	case list == nil:
		f.Message = fmt.Sprintf("the error is %v, and %s is wanted", err, c.Error.Text)
	default:
		f.Message = fmt.Sprintf("the error %s is wanted, and there is another one", c.Error.Text)
		f.Hint, f.Details = near(c.Error.Text, codes), firstLines(f.Details)
	}
	return []Failure{f}
}

// prefix holds the beginning of a prompt to that of another.
func (t *tester) prefix(ctx context.Context, r *run, a *assembled) []Failure {
	s := r.of.SamePrefix
	if s == nil {
		return nil
	}
	f := Failure{Position: s.Limit, Assertion: "same_prefix"}
	other, err := t.library.assemble(ctx, r.target, otherSide(r))
	if err != nil {
		list := failuresOf(err, r.of)
		for i := range list {
			if list[i].Position == r.of.Position { // it has no place of its own
				list[i].Position = s.Position
			}
			list[i].Assertion, list[i].Message = "same_prefix", "the other prompt can't be made: "+list[i].Message
		}
		return list
	}
	if samePrefix(s, a, other) {
		return nil
	}
	n := s.Bytes
	if s.Through != "" {
		ends, failure := ends(s, a)
		if failure != nil {
			failure.Position, failure.Assertion = f.Position, f.Assertion
			return []Failure{*failure}
		}
		n = ends
	}
	at := commonPrefix(a.text, other.text)
	f.Message = fmt.Sprintf("the prompts are the same for %d bytes, and not for %d", at, n)
	for _, x := range []struct {
		side string
		a    *assembled
	}{{"here", a}, {"there", other}} {
		f.Details = append(f.Details, x.side+": "+x.a.lineAt(at))
	}
	return []Failure{f}
}

// otherSide is what is different on the other side of a comparison.
func otherSide(r *run) *manifest.With {
	w := r.with
	as := &r.of.SamePrefix.As
	for _, key := range as.Keys() {
		w = as.Over(key, w)
	}
	return &w
}

func samePrefix(s *manifest.SamePrefix, a, other *assembled) bool {
	n := s.Bytes
	if s.Through != "" {
		i, ok := a.Index(s.Through)
		if !ok {
			return false
		}
		_, end, in := a.Extent(i)
		if !in {
			return false
		}
		n = end
	}
	return len(a.text) >= n && len(other.text) >= n && a.text[:n] == other.text[:n]
}

// ends is where the fragment of a comparison ends.
func ends(s *manifest.SamePrefix, a *assembled) (int, *Failure) {
	i, ok := a.Index(s.Through)
	if !ok {
		f := unknown(a, s.Through, false)
		return 0, &f
	}
	_, end, in := a.Extent(i)
	if !in {
		return 0, &Failure{Message: fmt.Sprintf("%q is not in the prompt", s.Through), Details: []string{verdict(a, i)}}
	}
	return end, nil
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// lineAt names the line of a byte, and the fragment that it is of.
func (a *assembled) lineAt(at int) string {
	if at >= len(a.text) {
		return "the end of the prompt"
	}
	start := strings.LastIndexByte(a.text[:at], '\n') + 1
	line, _, _ := strings.Cut(a.text[start:], "\n")
	for i := range a.Len() {
		if from, to, in := a.Extent(i); in && from <= at && at < to {
			return fmt.Sprintf("%q, of %s", clipped(line), a.Fragment(i).ID)
		}
	}
	return fmt.Sprintf("%q", clipped(line))
}

// wire holds the request of a provider to what is wanted.
func (t *tester) wire(c *testCase, a *assembled) []Failure {
	w := c.Wire
	if w == nil {
		return nil
	}
	body, err := t.body(w, a)
	if err != nil {
		list := failuresOf(err, c)
		for i := range list {
			list[i].Assertion = "wire"
		}
		return list
	}
	var out []Failure
	if w.Golden != nil {
		out = t.golden("wire", c, w.Golden, body.Body, nil)
	}
	if w.Losses == nil {
		return out
	}
	var got []string
	for _, l := range body.Losses {
		got = append(got, string(l.Code))
	}
	return append(out, t.codes("wire", w.LossesPosition, "losses of the request", w.Losses, got)...)
}

func (t *tester) body(w *manifest.WireCase, a *assembled) (*wire.Result, error) {
	p, err := a.whole()
	if err != nil {
		return nil, err
	}
	r, chosen, err := a.plan.reading.project.WireRequest(a.in, p)
	if err != nil {
		return nil, err
	}
	if w.Form != nil {
		r.Form = *w.Form
	} else if !chosen {
		return nil, &cento.SourceError{
			Code: wire.InvalidForm, Position: w.Position, Message: "the form of the request isn't known: no model is chosen, and the manifest names no form",
			Hint: "name one, as in provider: " + wire.Forms()[0],
		}
	}
	r.Partial, r.Counter = true, t.options.Explain.Counter(a.in)
	return wire.Build(r)
}

// codes holds codes to those that are wanted, each once.
func (t *tester) codes(key string, at cento.Position, what string, want []manifest.Said, got []string) []Failure {
	var details []string
	for _, w := range want {
		if !slices.Contains(got, w.Text) {
			details = append(details, w.Text+" is wanted, and isn't there")
		}
	}
	got = slices.Compact(slices.Sorted(slices.Values(got)))
	for _, g := range got {
		if !slices.ContainsFunc(want, func(w manifest.Said) bool { return w.Text == g }) {
			details = append(details, g+" is there, and not wanted")
		}
	}
	if details == nil {
		return nil
	}
	return []Failure{{Position: at, Assertion: key, Message: "the " + what + " are others", Details: firstLines(details)}}
}

// findings holds what the checks find to what is wanted.
func (t *tester) findings(ctx context.Context, c *testCase, a *assembled) []Failure {
	if c.Findings == nil {
		return nil
	}
	r := a.plan.reading
	s := &Subject{r.site, r.request, r.request.Target}
	s.Request.Target = ""
	codes, err := t.options.Check(ctx, s)
	if err != nil {
		return failuresOf(err, c)
	}
	got := make([]string, len(codes))
	for i, code := range codes {
		got[i] = string(code)
	}
	return t.codes("findings", c.Findings.Position, "findings of `cento check`", c.Findings.Codes, got)
}

// table is the truth table of a case while it is filled.
type table struct {
	of      *testCase
	columns []string
	rows    []string // ids, in the order of declaration
	cells   map[string]map[string]string
	partial bool // a run was skipped or gave no prompt
}

// truth takes a run into the table of its case.
func (t *tester) truth(r *run, a *assembled, err error) {
	x := t.tableOf(r)
	if x == nil {
		return
	}
	column := r.column
	if column == "" {
		column = "code"
	}
	x.columns = append(x.columns, column)
	if err != nil {
		x.partial = true
		return
	}
	at := 0
	for i := range a.Len() {
		id := a.plan.fragments[i].ID
		if x.cells[id] == nil {
			x.cells[id] = map[string]string{}
			x.rows = slices.Insert(x.rows, at, id)
		}
		at = slices.Index(x.rows, id) + 1
		x.cells[id][column] = string(a.Code(i))
	}
}

// truthSkipped notes that a table won't be whole.
func (t *tester) truthSkipped(r *run) {
	if x := t.tableOf(r); x != nil {
		x.partial = true
	}
}

func (t *tester) tableOf(r *run) *table {
	if r.of.Truth == nil {
		return nil
	}
	if n := len(t.tables); n == 0 || t.tables[n-1].of != r.of {
		t.tables = append(t.tables, &table{of: r.of, cells: map[string]map[string]string{}})
	}
	return t.tables[len(t.tables)-1]
}

// csv is the table as its file has it.
func (x *table) csv() string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	rows := [][]string{append([]string{"fragment"}, x.columns...)}
	for _, id := range x.rows {
		row := []string{id}
		for _, c := range x.columns {
			row = append(row, x.cells[id][c])
		}
		rows = append(rows, row)
	}
	_ = w.WriteAll(rows) // into memory
	return b.String()
}

// truths compares the truth tables. A table that isn't whole because some of its runs
// were left out is neither compared nor written.
func (t *tester) truths(out *Report) {
	for _, x := range t.tables {
		if x.partial {
			continue
		}
		failures := t.golden("truth", x.of, x.of.Truth, x.csv(), nil)
		if len(failures) == 0 {
			continue
		}
		for i := range out.Results {
			r := &out.Results[i]
			if r.Position != x.of.Position || r.Status == Skipped {
				continue
			}
			// It is one table for all runs of the case: its last one tells.
			if i+1 < len(out.Results) && out.Results[i+1].Position == x.of.Position && out.Results[i+1].Status != Skipped {
				continue
			}
			if r.Status == Passed {
				r.Status = Failed
				out.Passed--
				out.Failed++
			}
			r.Failures = append(r.Failures, failures...)
		}
	}
}

// clipped is the beginning of a long text.
func clipped(s string) string { return quote.ClipRunes(s, 80) }
