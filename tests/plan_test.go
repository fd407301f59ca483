package tests

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cento-dev/cento"
)

// The ceiling on fragments holds at its default, and is met before anything is
// done with the texts.
func TestFragmentCeiling(t *testing.T) {
	const most = 100_000
	fragments := make([]cento.Fragment, most+1)
	for i := range fragments {
		fragments[i] = cento.Fragment{ID: fmt.Sprintf("f%d", i), Body: "x", Origin: at("a.json", i+1)}
	}
	_, err := cento.Compile(fragments, cento.Options{})
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || e.Code != cento.LimitExceeded || e.Position != at("a.json", most+1) {
		t.Fatalf("one too many: %v", err)
	}
	p, err := cento.ReduceFragments(fragments[:most], cento.Active{}, cento.Options{})
	if err != nil || p.Included() != most || p.Bytes() != 3*most-2 {
		t.Fatalf("as many as there may be: %v", err)
	}
	if _, err := cento.Compile(fragments, cento.Options{Limits: cento.Limits{Fragments: most + 1}}); err != nil {
		t.Errorf("with a higher ceiling: %v", err)
	}
}

// On an error the text that was there stays, and what was written goes.
func TestAppendTextKeepsWhatWasThere(t *testing.T) {
	fragments := []cento.Fragment{{ID: "a", Body: "Long enough.", RequiresTools: []string{"t"}}, {ID: "b", Body: "B."}}
	plan, err := cento.Compile(fragments, cento.Options{Limits: cento.Limits{Prompt: 8}})
	if err != nil {
		t.Fatal(err)
	}
	var a cento.Assembly
	dst := append(make([]byte, 0, 64), "kept"...)
	out, err := plan.AppendText(dst, plan.Bind(cento.Active{Tools: []string{"t"}}), &a)
	if !errors.Is(err, cento.LimitExceeded) || string(out) != "kept" {
		t.Fatalf("%q, %v", out, err)
	}
	out, err = plan.AppendText(out, plan.Bind(cento.Active{}), &a)
	if err != nil || string(out) != "keptB." || a.Bytes() != 2 {
		t.Errorf("after it: %q, %v", out, err)
	}
}

// A plan assembles what it bound itself. Without memory for its decisions, the text is the same.
func TestForeignBound(t *testing.T) {
	fragments := []cento.Fragment{{ID: "a", Body: "A.", RequiresTools: []string{"x"}}}
	one, err := cento.Compile(fragments, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	two, err := cento.Compile(fragments, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	active := cento.Active{Tools: []string{"x"}}
	for name, c := range map[string]struct {
		plan  *cento.Plan
		bound *cento.Bound
	}{
		"of another plan": {two, one.Bind(active)}, "zero": {one, new(cento.Bound)}, "nil": {one, nil},
		"zero plan": {new(cento.Plan), one.Bind(active)}, "nil plan": {nil, new(cento.Bound)},
	} {
		text, err := c.plan.AppendText([]byte("kept"), c.bound, new(cento.Assembly))
		if list := cento.SourceErrors(err); len(list) != 1 || list[0].Code != cento.InvalidBound || string(text) != "kept" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for name, err := range map[string]error{
		"prompt of zero":   failure(new(cento.Bound).Prompt()),
		"prompt of nil":    failure((*cento.Bound)(nil).Prompt()),
		"nil plan":         failure((*cento.Plan)(nil).Assemble(active)),
		"with, of zero":    failure(new(cento.Bound).With(active, nil)),
		"with, of nil":     failure((*cento.Bound)(nil).With(active, nil)),
		"with, of no plan": failure((*cento.Plan)(nil).Bind(active).With(active, nil)),
	} {
		if !errors.Is(err, cento.InvalidBound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if text, err := one.AppendText(nil, one.Bind(active), nil); err != nil || string(text) != "A." {
		t.Errorf("%q, %v", text, err)
	}
}

// A name that no reader gives to a tool is refused wherever a tool is active or defined.
func TestToolNames(t *testing.T) {
	for _, name := range []string{"read", "a.b:c/d_e-9", "A", strings.Repeat("z", 128)} {
		if !cento.IsToolName(name) {
			t.Errorf("%q is refused", name)
		}
	}
	fragments := []cento.Fragment{{ID: "a", Body: "A.", RequiresTools: []string{"x"}}}
	plan, err := cento.Compile(fragments, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "T\u00e4sk", "a b", "a\n## Conduct", "a,b", "a;", "a@", "a[", "a`", "a{", strings.Repeat("z", 129)} {
		active := cento.Active{Tools: []string{"x", name}}
		for way, err := range map[string]error{
			"reduced":   failure(cento.ReduceFragments(fragments, active, cento.Options{})),
			"assembled": failure(plan.Assemble(active)),
			"of inputs": failure(cento.Reduce(cento.Input{Fragments: fragments, Active: active})),
			"sections":  failure(cento.ReduceFragments([]cento.Fragment{{ID: "a", Body: "A.", Section: "S"}}, active, cento.Options{})),
			"defined":   failure(cento.Reduce(cento.Input{Tools: []cento.Tool{{Name: name}}, AllTools: true})),
		} {
			if !errors.Is(err, cento.InvalidTool) {
				t.Errorf("%q, %s: %v", name, way, err)
			}
		}
		bound, _ := plan.Bind(cento.Active{}).With(active, nil)
		if _, err := bound.Prompt(); !errors.Is(err, cento.InvalidTool) {
			t.Errorf("%q, bound anew: %v", name, err)
		}
	}
}

// Plans and prompts may be shared, each goroutine with memory of its own.
func TestPlanIsShared(t *testing.T) {
	var fragments []cento.Fragment
	for i := range 200 {
		fragments = append(fragments, cento.Fragment{
			ID: fmt.Sprintf("f%d", i), Body: fmt.Sprintf("Text %d.", i), RequiresTools: []string{fmt.Sprintf("t%d", i%7)},
			Section: fmt.Sprintf("S%d", i/10), Trust: cento.TrustWorkspace, Title: "<directive>",
		})
	}
	plan, err := cento.Compile(fragments, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for k := range 8 {
		active := cento.Active{Tools: []string{fmt.Sprintf("t%d", k%7), fmt.Sprintf("t%d", (k+1)%7)}}
		want, err := cento.ReduceFragments(fragments, active, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			var a cento.Assembly
			var text []byte
			for range 20 {
				var err error
				if text, err = plan.AppendText(text[:0], plan.Bind(active), &a); err != nil {
					t.Error(err)
					return
				}
				if system, _ := want.System(); string(text) != system || len(a.Spans()) != len(want.Spans()) {
					t.Errorf("%q differs", active.Tools)
					return
				}
			}
		})
	}
	wait.Wait()
}

// Without an engine what needs one is refused, and the place is told.
func TestNoEngine(t *testing.T) {
	for _, c := range []struct {
		fragment cento.Fragment
		code     cento.ErrorCode
	}{
		{cento.Fragment{ID: "a", Body: "A.", When: "true", Origin: at("a.yaml", 7)}, cento.UnsupportedWhen},
		{cento.Fragment{ID: "a", Template: "$user/a", Origin: at("a.yaml", 7)}, cento.UnsupportedTemplate},
		{cento.Fragment{ID: "a", Template: "$user/a", Body: "A.", Origin: at("a.yaml", 7)}, cento.InvalidFragment},
	} {
		_, err := cento.Compile([]cento.Fragment{c.fragment}, cento.Options{})
		if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != c.code || e.Position != at("a.yaml", 7) {
			t.Errorf("%+v: %v", c.fragment, err)
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	const bad = "fine\ncaf\xe9 more"
	for _, c := range []struct {
		name     string
		fragment cento.Fragment
		place    cento.Position
	}{
		{"body", cento.Fragment{ID: "a", Body: " \n" + bad, Origin: at("a.md", 1)}, cento.Position{File: "a.md", Line: 3, Column: 4}},
		{"title", cento.Fragment{ID: "a", Body: "A.", Title: bad, Origin: at("a.md", 4)}, at("a.md", 4)},
		{"section", cento.Fragment{ID: "a", Body: "A.", Section: bad, Origin: at("a.md", 4)}, at("a.md", 4)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := cento.ReduceFragments([]cento.Fragment{c.fragment}, cento.Active{}, cento.Options{})
			e, ok := errors.AsType[*cento.SourceError](err)
			if !ok || e.Code != cento.InvalidUTF8 || e.Position != c.place || !strings.Contains(e.Message, `"a"`) || !strings.Contains(e.Message, "0xe9") {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := cento.Compile([]cento.Fragment{{ID: "a\xff", Body: "A."}}, cento.Options{}); !errors.Is(err, cento.InvalidFragment) {
		t.Errorf("an id: %v", err)
	}
}

// All that is wrong is told at once.
func TestSeveralErrors(t *testing.T) {
	_, err := cento.Compile([]cento.Fragment{
		{ID: "", Body: "A.", Origin: at("a.yaml", 9)},
		{ID: "b", Body: "Working boundaries", Origin: at("a.yaml", 2)},
		{ID: "b", Body: "\xff", Origin: at("a.yaml", 5)},
		{ID: "c", Bucket: 7, Origin: at("a.yaml", 1)}, // first by its place
	}, cento.Options{})
	want := []cento.ErrorCode{cento.InvalidFragment, cento.InvalidUTF8, cento.DuplicateID, cento.InvalidFragment}
	list := sourceErrorsOf(err)
	if len(list) != len(want) {
		t.Fatalf("%d errors:\n%v", len(list), err)
	}
	for i, e := range list {
		if e.Code != want[i] {
			t.Errorf("error %d is %v, want %s", i, e, want[i])
		}
	}
	if len(list[2].Related) != 1 || list[2].Related[0].Position != at("a.yaml", 2) {
		t.Errorf("the other party of a conflict: %+v", list[2].Related)
	}
}

// A text with endless findings keeps a record of bounded length that says so.
func TestNotesAreBounded(t *testing.T) {
	p := reduce(t, []cento.Fragment{{ID: "a", Body: strings.Repeat("a\u200b", 5000), Trust: cento.TrustWorkspace}}, cento.Active{})
	notes := p.Trace(0, cento.ExplainOptions{}).Notes
	if len(notes) != 101 || !strings.Contains(notes[100].Message, "4900 more") {
		t.Errorf("%d notes, the last %q", len(notes), notes[len(notes)-1].Message)
	}
	if text, _ := p.System(); strings.Contains(text, "\u200b") {
		t.Error("what isn't listed isn't shown")
	}
	long := strings.Repeat("é", 300) + "<directive>"
	note := reduce(t, []cento.Fragment{{ID: "a", Body: long, Trust: cento.TrustWorkspace}}, cento.Active{}).Trace(0, cento.ExplainOptions{}).Notes[0]
	if len(note.Message) > 200 || !strings.Contains(note.Message, "…") {
		t.Errorf("a note quotes %d bytes", len(note.Message))
	}
}

// What a caller does with the lists that it handed over changes no set that was bound.
func TestBoundKeepsItsSet(t *testing.T) {
	plan, err := cento.Compile([]cento.Fragment{{ID: "a", Body: "A.", RequiresTools: []string{"x"}}, {ID: "b", Body: "B.", RequiresCaps: []string{"y"}}}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, bind := range map[string]func(cento.Active) *cento.Bound{
		"bound": plan.Bind,
		"bound from another": func(a cento.Active) *cento.Bound {
			b, err := plan.Bind(cento.Active{}).With(a, nil)
			if err != nil {
				t.Fatal(err)
			}
			return b
		},
	} {
		active := cento.Active{Tools: []string{"x"}, Caps: []string{"y"}}
		bound := bind(active)
		active.Tools[0], active.Caps[0] = "z", "z"
		if got := bound.Active(); got.Tools[0] != "x" || got.Caps[0] != "y" {
			t.Errorf("%s: the set reads %q, %q", name, got.Tools, got.Caps)
		}
		var a cento.Assembly
		if text, err := plan.AppendText(nil, bound, &a); err != nil || string(text) != "A.\n\nB." {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// refusing is an engine that has one error for every condition.
type refusing struct{ err *cento.Errors }

func (r refusing) Compile(cento.Text) (cento.Condition, error) { return nil, r.err }

// What an engine says of a condition is told of each fragment, and stays the engine's
// own.
func TestErrorsOfConditionsAreCopied(t *testing.T) {
	said := &cento.Errors{List: []*cento.SourceError{{Message: "no such word"}, {Message: "no end"}}}
	before := slices.Clone(said.List)
	_, err := cento.Compile([]cento.Fragment{{ID: "a", Body: "A.", When: "x", Origin: at("a.yaml", 3)}, {ID: "b", Body: "B.", When: "y", Origin: at("a.yaml", 5)}}, cento.Options{Conditions: refusing{said}})
	list := cento.SourceErrors(err)
	if len(list) != 4 {
		t.Fatalf("%d errors: %v", len(list), err)
	}
	for i, e := range list {
		if want := at("a.yaml", 3+i/2*2); e.Position != want || len(e.Related) != 1 || e.Related[0].Position != want {
			t.Errorf("%v: related %v", e, e.Related)
		}
	}
	if !slices.Equal(said.List, before) || len(said.List[0].Related) > 0 {
		t.Errorf("the engine's own errors were changed: %v", said.List)
	}
}

// The places of a condition that aren't about its bytes are refused, by the fragment.
func TestConditionsPlacesAreThoseOfItsBytes(t *testing.T) {
	for _, runs := range [][]cento.Run{{{End: 2}}, {{Start: 1, End: 3}}, {{End: 1}, {Start: 2, End: 3}}, {{End: 4}}} {
		_, err := cento.Compile([]cento.Fragment{{ID: "a", Body: "A.", When: "one", WhenRuns: runs, Origin: at("a.yaml", 3)}}, cento.Options{Conditions: quoted("one")})
		if list := cento.SourceErrors(err); len(list) != 1 || list[0].Code != cento.InvalidFragment || list[0].Position != at("a.yaml", 3) {
			t.Errorf("%v: %v", runs, err)
		}
	}
}

// choosy is an engine to which one condition is true, and another none, which it tells
// at the place that it is given.
type choosy struct {
	filler
	holds, unknown string
}

func (e *choosy) Compile(expr cento.Text) (cento.Condition, error) {
	if expr.Body == e.unknown {
		return nil, &cento.SourceError{Code: cento.InvalidFragment, Position: expr.Runs[0].Position, Message: "no such word"}
	}
	return quoted(e.holds).Compile(expr)
}

// A bound set that becomes another one keeps the engine that it has, unless one is
// handed over: then that one decides every condition, and is told where each stands.
func TestBoundKeepsItsEngine(t *testing.T) {
	plan, err := cento.Compile([]cento.Fragment{
		{ID: "a", Body: "A.", When: "one", Origin: at("a.yaml", 1)},
		{ID: "b", Body: "B.", When: "two", Origin: at("a.yaml", 3)},
		{ID: "c", Body: "C.", When: "three", Origin: at("a.yaml", 5), WhenOrigin: at("a.yaml", 6)},
	}, cento.Options{Conditions: quoted("one")})
	if err != nil {
		t.Fatal(err)
	}
	first := plan.Bind(cento.Active{})
	changed := func(b *cento.Bound, e cento.Engine) *cento.Bound {
		t.Helper()
		next, err := b.With(cento.Active{Tools: []string{"t"}}, e)
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	second := changed(first, &choosy{holds: "two"})
	for name, c := range map[string]struct {
		b    *cento.Bound
		want string
	}{
		"bound":                  {first, "A."},
		"without another engine": {changed(first, nil), "A."},
		"with another engine":    {second, "B."},
		"and then without one":   {changed(second, nil), "B."},
	} {
		p, err := c.b.Prompt()
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := p.System(); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
		for i := range p.Len() {
			if unmet := p.Unmet(i); len(unmet) > 0 == p.In(i) {
				t.Errorf("%s: %s, and of %s %+v is told as unmet", name, c.want, p.Fragment(i).ID, unmet)
			}
		}
	}
	_, err = first.With(cento.Active{}, &choosy{unknown: "three"})
	if list := cento.SourceErrors(err); len(list) != 1 || list[0].Position != at("a.yaml", 6) {
		t.Errorf("a condition that the other engine doesn't know: %v", err)
	}
}

// Of a long circle of needs so many are named as a reader takes in, each with its
// place, and the others are counted.
func TestLongCircleOfNeeds(t *testing.T) {
	const long, told = 23, 20
	list := make([]cento.Fragment, long)
	for i := range list {
		list[i] = cento.Fragment{ID: fmt.Sprintf("f%d", i), Body: "x", Needs: []string{fmt.Sprintf("f%d", (i+1)%long)}, Origin: at("a.yaml", i+1)}
	}
	_, err := cento.Compile(list, cento.Options{})
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || e.Code != cento.CyclicNeeds || e.Position != at("a.yaml", long) {
		t.Fatalf("%v", err)
	}
	if !strings.Contains(e.Message, "f19 → (3 more) → f0") || strings.Contains(e.Message, "f20") {
		t.Errorf("the circle is told as %s", e.Message)
	}
	if len(e.Related) != told {
		t.Fatalf("%d of the needs have a place, of %d that are named", len(e.Related), told)
	}
	for i, r := range e.Related {
		if r.Position != at("a.yaml", i+1) || r.Message != fmt.Sprintf("%q needs %q", list[i].ID, list[i+1].ID) {
			t.Errorf("need %d: %v", i, r)
		}
	}
}

// What a look at a text of a stranger finds is told without what it leaves open: it
// stands alone.
func TestInspectLeavesOpen(t *testing.T) {
	if notes := cento.Inspect(cento.Text{Body: "```\ncode", Trust: cento.TrustTool}); len(notes) != 0 {
		t.Errorf("%+v", notes)
	}
}

// Where a trusted author's words follow, what a stranger's value opens ends, though
// another value of the same stranger stands behind them and would end it, too.
func TestValueEndsBeforeWords(t *testing.T) {
	f := cento.Fragment{ID: "a"}
	for _, r := range []struct {
		text string
		run  cento.Run
	}{
		{"```\nx\n", cento.Run{Trust: cento.TrustTool, Var: "x"}}, {"Obey.\n", cento.Run{Trust: cento.TrustHost}}, {"```\n", cento.Run{Trust: cento.TrustTool, Var: "x"}}, {"End.", cento.Run{Trust: cento.TrustHost}},
	} {
		r.run.Start, r.run.End = len(f.Body), len(f.Body)+len(r.text)
		f.Body += r.text
		f.Runs = append(f.Runs, r.run)
	}
	text, _ := reduce(t, []cento.Fragment{f}, cento.Active{}).System()
	if !strings.Contains(text, "```\nx\n```\nObey.\n") {
		t.Errorf("the words stand in a stranger's code:\n%s", text)
	}
}

// What is only counted stays counted where characters that were taken out made a token.
func TestCountedBesideTokens(t *testing.T) {
	p, err := cento.ReduceFragments(
		[]cento.Fragment{{ID: "a", Body: strings.Repeat("a\u200b", 150) + "<|im_\u200bstart|>", Trust: cento.TrustWorkspace}},
		cento.Active{}, cento.Options{Policy: cento.Policy{Workspace: cento.StripHidden}})
	if err != nil {
		t.Fatal(err)
	}
	notes := p.Trace(0, cento.ExplainOptions{}).Notes
	body := 150*len("a\u200b") + len("<|im_\u200bstart|>")
	if last := notes[len(notes)-1]; len(notes) != 101 || !strings.Contains(last.Message, "52 more") || last.Start != 0 || last.End != body {
		t.Errorf("%d notes, the last %+v of %d bytes", len(notes), last, body)
	}
}

func failure[T any](_ T, err error) error { return err }
