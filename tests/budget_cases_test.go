package tests

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/token"
)

// lengths is a counter of bytes, so that a case can be added up by its reader.
type lengths struct{}

func (lengths) Name() string       { return "bytes" }
func (lengths) Exact() bool        { return true }
func (lengths) Count(s string) int { return len(s) }

// budgeted is the prompt of a list within a budget of bytes.
func budgeted(t *testing.T, b cento.Budget, list ...cento.Fragment) *cento.Prompt {
	t.Helper()
	b.Counter = lengths{}
	p, err := cento.ReduceFragments(list, cento.Active{}, cento.Options{Budget: &b})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// included are the ids of what is in, each with its variant where it is shortened.
func included(p *cento.Prompt) string {
	var out []string
	for _, x := range p.Traces(cento.ExplainOptions{}) {
		switch {
		case x.Included && x.Variant > 0:
			out = append(out, fmt.Sprintf("%s/%d", x.ID, x.Variant))
		case x.Included:
			out = append(out, x.ID)
		}
	}
	return strings.Join(out, " ")
}

// sized is a fragment of so many bytes that may be given up.
func sized(id string, bytes, importance int) cento.Fragment {
	return cento.Fragment{ID: id, Body: strings.Repeat("x", bytes), Importance: cento.ImportanceOf(importance)}
}

// What was out the turn before comes back with exactly the room to spare that is asked
// for, and not with a token less; what goes before it in the order waits for that too.
func TestHoldToTheToken(t *testing.T) {
	list := []cento.Fragment{{ID: "must", Body: strings.Repeat("x", 10)}, sized("low", 2, 1), sized("high", 4, 2)} // 10+2+2+2+4 bytes
	for _, c := range []struct {
		before []string
		hold   int
		tokens int
		want   string
	}{
		{nil, 10, 20, "must low high"},
		{nil, 10, 19, "must high"},
		{[]string{"low"}, 3, 20, "must high"},
		{[]string{"low"}, 3, 22, "must high"},
		{[]string{"low"}, 3, 23, "must low high"},
		{[]string{"high"}, 10, 25, "must"},
		{[]string{"high"}, 10, 26, "must low high"},
		{[]string{"low", "high"}, 3, 18, "must"},
		{[]string{"low", "high"}, 3, 19, "must high"},
		{[]string{"low", "high"}, 3, 22, "must high"},
		{[]string{"low", "high"}, 3, 23, "must low high"},
	} {
		b := cento.Budget{Tokens: c.tokens, Hold: c.hold}
		for _, id := range c.before {
			b.Before = append(b.Before, cento.Sacrificed{Fragment: id})
		}
		p := budgeted(t, b, list...)
		if got := included(p); got != c.want {
			t.Errorf("of %d, holding %d for %v: %s, want %s", c.tokens, c.hold, c.before, got, c.want)
		}
		for _, s := range p.Sacrifices() {
			for _, tokens := range []int{s.StaysFrom, s.StaysFrom - 1} {
				b.Tokens = tokens
				if in := slices.Contains(strings.Fields(included(budgeted(t, b, list...))), s.Fragments[0]); in != (tokens == s.StaysFrom) {
					t.Errorf("holding %d for %v: %s stays from %d, and of %d it is in: %v", c.hold, c.before, s.Fragments[0], s.StaysFrom, tokens, in)
				}
			}
		}
	}
}

// A body that was shortened the turn before doesn't grow again without room to spare,
// whichever of its variants was in use.
func TestHoldOfVariants(t *testing.T) {
	f := sized("a", 12, 1)
	f.Variants = []cento.Text{{Body: strings.Repeat("x", 8)}, {Body: "xxxx"}}
	for _, c := range []struct {
		was    int // the variant of the turn before
		tokens int
		want   string
	}{
		{1, 12, "a/1"}, {1, 16, "a/1"}, {1, 17, "a"}, {1, 8, "a/1"},
		{2, 12, "a/2"}, {2, 13, "a/1"}, {2, 16, "a/1"}, {2, 17, "a"}, {2, 8, "a/2"},
	} {
		b := cento.Budget{Tokens: c.tokens, Hold: 5, Before: []cento.Sacrificed{{Fragment: "a", Variant: c.was}}}
		if got := included(budgeted(t, b, f)); got != c.want {
			t.Errorf("variant %d before, and now %d: %s, want %s", c.was, c.tokens, got, c.want)
		}
	}
}

// The order of sacrifices says which steps were taken: all up to the body in use.
func TestTakenSteps(t *testing.T) {
	f := sized("a", 12, 1)
	f.Variants = []cento.Text{{Body: strings.Repeat("x", 8)}, {Body: "xxxx"}}
	for tokens, want := range map[int][]bool{12: {false, false, false}, 8: {true, false, false}, 4: {true, true, false}, 3: {true, true, true}} {
		var got []bool
		for _, s := range budgeted(t, cento.Budget{Tokens: tokens}, f).Sacrifices() {
			got = append(got, s.Taken)
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %d: %v, want %v", tokens, got, want)
		}
	}
}

// A budget that is filled takes a group back whose members need one another, a body up
// to the largest that fits, and nothing whose need stays out.
func TestFilled(t *testing.T) {
	in := func(group string, f cento.Fragment, needs ...string) cento.Fragment {
		f.Group, f.Needs = group, needs
		return f
	}
	must, large := cento.Fragment{ID: "must", Body: strings.Repeat("x", 10)}, sized("large", 30, 2)
	shortened := sized("a", 12, 1)
	shortened.Variants = []cento.Text{{Body: strings.Repeat("x", 8)}, {Body: "xxxx"}}
	for _, c := range []struct {
		name   string
		tokens int
		list   []cento.Fragment
		want   string
	}{
		{"a group", 20, []cento.Fragment{must, large, in("g", sized("a", 3, 1)), in("g", sized("b", 3, 1), "a")}, "must a b"},
		{"a group that doesn't fit", 19, []cento.Fragment{must, large, in("g", sized("a", 3, 1)), in("g", sized("b", 3, 1), "a")}, "must"},
		{"a need that stays out", 16, []cento.Fragment{must, large, in("", sized("a", 3, 1), "large")}, "must"},
		{"a body", 24, []cento.Fragment{must, large, shortened}, "must a"},
		{"a variant", 23, []cento.Fragment{must, large, shortened}, "must a/1"},
		{"the last variant", 16, []cento.Fragment{must, large, shortened}, "must a/2"},
		{"none", 15, []cento.Fragment{must, large, shortened}, "must"},
	} {
		for _, counter := range []cento.Counter{lengths{}, calls{}} { // they count these texts alike, one of them by parts
			p, err := cento.ReduceFragments(c.list, cento.Active{}, cento.Options{Budget: &cento.Budget{Tokens: c.tokens, Policy: cento.FillBudget, Counter: counter}})
			if err != nil {
				t.Fatal(err)
			}
			if got := included(p); got != c.want || p.Budget().Prompt != p.Bytes() {
				t.Errorf("%s: %s, of which %d of %d are told, want %s", c.name, got, p.Budget().Prompt, p.Bytes(), c.want)
			}
		}
	}
}

// seams is a counter to which a call before a path is more than its parts.
type seams struct{ calls }

func (seams) Name() string         { return "seams" }
func (seams) Count(s string) int   { return len(s) + (len(call)-1)*strings.Count(s, call) }
func (c seams) Weigh(s string) int { return c.Count(s) }

// Where texts that meet take more than apart, a step can be one too few; what is taken back
// of it is counted as it stands then.
func TestFilledWhereTextsMeet(t *testing.T) {
	list := []cento.Fragment{{ID: "call", Body: "A!"}, sized("between", 5, 1), {ID: "path", Body: "/p"}, sized("last", 30, 2)}
	for _, c := range []struct {
		tokens int
		want   string
		took   int
	}{
		{45, "call between path last", 45}, {44, "call path last", 41}, {41, "call path last", 41},
		{40, "call between path", 13}, {38, "call between path", 13}, {13, "call between path", 13}, {12, "call path", 9}, {9, "call path", 9},
	} {
		p, err := cento.ReduceFragments(list, cento.Active{}, cento.Options{Budget: &cento.Budget{Tokens: c.tokens, Policy: cento.FillBudget, Counter: seams{}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := included(p); got != c.want || p.Budget().Prompt != c.took {
			t.Errorf("of %d: %s, which takes %d, want %s, which takes %d", c.tokens, got, p.Budget().Prompt, c.want, c.took)
		}
	}
}

// What a caller counted of the tools stands, whatever the form of the request would
// count, and what the form adds around the prompt comes on top of the caller's framing.
func TestToolsThatAreCounted(t *testing.T) {
	in := cento.Input{
		Primary: cento.Primary{System: &cento.Text{Body: "You work."}}, AllTools: true,
		Tools:  []cento.Tool{{Name: "read", Description: "Reads a file."}},
		Budget: &cento.Budget{Tokens: 10_000, Form: "anthropic", Framing: 11},
		Active: cento.Active{Model: "claude-opus-5"},
	}
	report := func(change func(*cento.Budget)) *cento.BudgetReport {
		t.Helper()
		b := *in.Budget
		change(&b)
		of := in
		of.Budget = &b
		p, err := pack.Reduce(of)
		if err != nil {
			t.Fatal(err)
		}
		return p.Budget()
	}
	counted := report(func(*cento.Budget) {})
	bare := report(func(b *cento.Budget) { b.Framing = 0 })
	given := report(func(b *cento.Budget) { b.Tools = 7 })
	if counted.Tools == 0 || counted.Tools == 7 || given.Tools != 7 {
		t.Errorf("the tools take %d, and where the caller counted them %d, of 7", counted.Tools, given.Tools)
	}
	if bare.Framing != nil || counted.Framing == nil || *counted.Framing != 11 || *given.Framing != 11 {
		t.Errorf("the framing takes %v, of 11 beside %v", counted.Framing, bare.Framing)
	}
	if counted.FramingKnown || bare.FramingKnown || counted.ToolsExact || counted.LimitExact {
		t.Errorf("what nobody knows is told as known: %+v", counted)
	}
	without := report(func(b *cento.Budget) { b.Form, b.Tools = "", 7 })
	if without.Tools != 7 || *without.Framing != 11 || !without.FramingKnown {
		t.Errorf("without a form the tools take %d, and the framing %v", without.Tools, without.Framing)
	}
}

// A required fragment is told of as required by another only where it isn't so itself.
func TestWhyIsItRequired(t *testing.T) {
	const because = " by its group or by what needs it"
	protected, needed := sized("protected", 20, 3), sized("needed", 10, 3)
	protected.Protected = true
	_, err := cento.ReduceFragments([]cento.Fragment{{ID: "own", Body: "xxxxxx", Needs: []string{"needed"}}, protected, needed}, cento.Active{}, cento.Options{Budget: &cento.Budget{Counter: lengths{}}})
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || e.Code != cento.BudgetRequired || len(e.Related) < 3 {
		t.Fatalf("%v", err)
	}
	for i, want := range []string{
		`fragment "protected" takes 20, and is required`, `fragment "needed" takes 10, and is required` + because, `fragment "own" takes 6, and is required`,
	} {
		if e.Related[i].Message != want {
			t.Errorf("%s, want %s", e.Related[i].Message, want)
		}
	}
}

// Of many variants that no budget uses the first few are named, and the others counted.
func TestUnusedVariants(t *testing.T) {
	for n, want := range map[int]string{1: `of "f0": what`, 5: `"f3", "f4": what`, 6: `"f3", "f4" and 1 more: what`, 8: `"f4" and 3 more: what`} {
		in := cento.Input{Budget: &cento.Budget{Tokens: 1000, Counter: lengths{}}, Fragments: []cento.Fragment{{ID: "used", Body: "xx", Importance: cento.ImportanceOf(1), Variants: []cento.Text{{Body: "x"}}}}}
		for i := range n {
			in.Fragments = append(in.Fragments, cento.Fragment{ID: fmt.Sprintf("f%d", i), Body: "xx", Variants: []cento.Text{{Body: "x"}}, Origin: at("a.yaml", i+2)})
		}
		p, err := cento.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		notes := slices.DeleteFunc(slices.Clone(p.Notes()), func(n cento.Note) bool { return n.Code != cento.CodeBudgetVariants })
		if len(notes) != 1 || notes[0].Fragment != "f0" || notes[0].Position != at("a.yaml", 2) || !strings.Contains(notes[0].Message, want) {
			t.Errorf("of %d: %+v, want %s", n, notes, want)
		}
	}
}

// cutFile is a file of the project's instructions.
type cutFile struct {
	cento.Run
	text string
}

// instructionsOf are the project's instructions from these files.
func instructionsOf(files ...cutFile) *cento.Text {
	out := &cento.Text{Trust: cento.TrustWorkspace, Origin: at("AGENTS.md", 1)}
	add := func(s string, r cento.Run) {
		r.Start, r.End = len(out.Body), len(out.Body)+len(s)
		out.Body += s
		out.Runs = append(out.Runs, r)
	}
	program := cento.Run{Trust: cento.TrustBuiltin, Fixed: true, Var: "agents_md"}
	add("## Rules\n\n", cento.Run{Trust: cento.TrustBuiltin})
	for i, f := range files {
		if i > 0 && f.Position.File != files[i-1].Position.File {
			add("\n\n", program)
		}
		f.Var = "agents_md"
		add(f.text, f.Run)
	}
	return out
}

// Where the instructions give lines, what stands instead is the program's word, but the
// path in it is the file's: it is as trusted as its least trusted part, and is checked
// as any text of a stranger is.
func TestWhatCutsSay(t *testing.T) {
	file := func(name string, trust cento.Trust) cutFile {
		return cutFile{cento.Run{Position: at(name, 1), Trust: trust}, strings.Repeat("line of 15 byt\n", 6)}
	}
	unended := file("a.md", cento.TrustWorkspace)
	unended.text = strings.TrimSuffix(unended.text, "\n")
	for _, c := range []struct {
		name   string
		in     *cento.Text
		tokens int
		want   string
		trust  cento.Trust // of the path
		path   string
	}{
		{"one line kept", instructionsOf(file("a.md", cento.TrustWorkspace)), 84, "## Rules\n\nline of 15 byt\n[cut: a.md: kept 15 of 90 bytes, over budget]", cento.TrustWorkspace, "a.md"},
		{"all of it", instructionsOf(file("a.md", cento.TrustWorkspace)), 60, "## Rules\n\n[left out: a.md: 90 bytes, over budget]", cento.TrustWorkspace, "a.md"},
		{"of one file after another", instructionsOf(file("a.md", cento.TrustWorkspace), file("b.md", cento.TrustWorkspace)), 150, "## Rules\n\n[left out: a.md: 90 bytes, over budget]\n\n\n" + strings.Repeat("line of 15 byt\n", 5) + "line of 15 byt", cento.TrustWorkspace, "a.md"},
		{"without a line end", instructionsOf(unended, file("b.md", cento.TrustWorkspace)), 150, "## Rules\n\n[left out: a.md: 89 bytes, over budget]\n\n" + strings.Repeat("line of 15 byt\n", 5) + "line of 15 byt", cento.TrustWorkspace, "a.md"},
		{"of parties that aren't trusted alike", instructionsOf(file("a.md", cento.TrustUser), file("a.md", cento.TrustWorkspace)), 65, "## Rules\n\n[left out: a.md: 180 bytes, over budget]", cento.TrustWorkspace, "a.md"},
		{"a path that commands", instructionsOf(file("<|im_start|>.md", cento.TrustWorkspace)), 80, "## Rules\n\n[left out: <U+003C>|im_start|>.md: 90 bytes, over budget]", cento.TrustWorkspace, "im_start|>.md"},
	} {
		p, err := cento.Reduce(cento.Input{Instructions: c.in, Budget: &cento.Budget{Tokens: c.tokens, Counter: lengths{}}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		text, _ := p.System()
		if text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
			continue
		}
		if s, ok := p.SpanAt(strings.Index(text, c.path)); !ok || s.Trust != c.trust || !strings.HasSuffix(s.File, c.path) {
			t.Errorf("%s: the path is said by %+v, want %v", c.name, s, c.trust)
		}
		if s, ok := p.SpanAt(strings.Index(text, " bytes, over")); !ok || s.Trust != cento.TrustBuiltin {
			t.Errorf("%s: what stands instead is said by %+v", c.name, s)
		}
		whole, err := cento.Reduce(cento.Input{Instructions: c.in})
		if err != nil {
			t.Fatal(err)
		}
		told := cento.TraceBudget{Required: true, Tokens: whole.Bytes() - len(text), StaysFrom: whole.Bytes()}
		if x := p.Trace(0, cento.ExplainOptions{}); x.Variant != 1 || x.Budget == nil || *x.Budget != told {
			t.Errorf("%s: variant %d, %+v, want the first, %+v", c.name, x.Variant, x.Budget, told)
		}
		if took, want := p.Sacrificed(), []cento.Sacrificed{{Fragment: cento.InstructionsID, Variant: 1}}; !slices.Equal(took, want) {
			t.Errorf("%s: %+v was taken, want %+v", c.name, took, want)
		}
	}
}

// Instructions of which nobody says what they are made of are one text, behind their
// heading and without the white space around it; its place names it, if it has one.
func TestCutsOfOneText(t *testing.T) {
	const lines = "line of 15 byt\nline of 15 byt\nline of 15 byt\nline of 15 byt\nline of 15 byt\nline of 15 byt"
	for _, c := range []struct {
		name   string
		in     cento.Text
		tokens int
		want   string
	}{
		{"a line kept", cento.Text{Body: "## Rules\n\n" + lines + "\n \t\n", Origin: at("a.md", 1)}, 84, "## Rules\n\nline of 15 byt\n[cut: a.md: kept 15 of 89 bytes, over budget]"},
		{"none kept", cento.Text{Body: "## Rules\n\n" + lines + "\n \t\n", Origin: at("a.md", 1)}, 60, "## Rules\n\n[left out: a.md: 89 bytes, over budget]"},
		{"from nowhere", cento.Text{Body: "## Rules\n\n" + lines}, 60, "## Rules\n\n[left out: 89 bytes, over budget]"},
		{"without a heading", cento.Text{Body: lines, Origin: at("a.md", 1)}, 59, "[left out: a.md: 89 bytes, over budget]"},
	} {
		p, err := cento.Reduce(cento.Input{Instructions: &c.in, Budget: &cento.Budget{Tokens: c.tokens, Counter: lengths{}}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if text, _ := p.System(); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

// A variant without text is refused by its number, where it stands or else where its
// fragment does.
func TestBlankVariants(t *testing.T) {
	f := cento.Fragment{ID: "a", Body: "Words.", Origin: at("a.yaml", 2), Variants: []cento.Text{{Body: "x"}, {Body: " \n", Origin: at("a.yaml", 5)}, {}}}
	_, err := cento.ReduceFragments([]cento.Fragment{f}, cento.Active{}, cento.Options{})
	list := cento.SourceErrors(err)
	if len(list) != 2 {
		t.Fatalf("%v", err)
	}
	for i, want := range []string{`a.yaml:2:1: variant 3 of fragment "a" is blank`, `a.yaml:5:1: variant 2 of fragment "a" is blank`} {
		if list[i].Code != cento.InvalidFragment || list[i].Error() != want || list[i].Hint == "" {
			t.Errorf("%v (%s), want %s", list[i], list[i].Hint, want)
		}
	}
}

// calls is a counter of bytes that counts a call before a path as one: the parts of a
// text add up but there.
type calls struct{ lengths }

const call = "!\n\n/"

func (calls) Name() string          { return "calls" }
func (calls) Count(s string) int    { return len(s) - (len(call)-1)*strings.Count(s, call) }
func (c calls) Weigh(s string) int  { return c.Count(s) }
func (calls) Tokens(weight int) int { return weight }
func (calls) Splits(left, right string) bool {
	for k := 1; k < len(call); k++ { // the call begins before the seam, and may begin before left
		if (strings.HasSuffix(left, call[:k]) || strings.HasSuffix(call[:k], left)) && (strings.HasPrefix(right, call[k:]) || strings.HasPrefix(call[k:], right)) {
			return false
		}
	}
	return true
}

// Whatever a budget takes out, what it says that the prompt takes is what the counter
// says of the text as it stands, and each point of the curve is the least budget of
// its prompt: between neighbours that count together, below headings that come and go,
// and in chains that lose their head.
func TestCountsAreOfTheText(t *testing.T) {
	low := func(f cento.Fragment, importance int) cento.Fragment {
		f.Importance = cento.ImportanceOf(importance)
		return f
	}
	shorter := low(cento.Fragment{ID: "shorter", Body: "It is so", Variants: []cento.Text{{Body: "So!"}}}, 1)
	for name, list := range map[string][]cento.Fragment{
		"a chain without its head": {
			{ID: "before", Body: "Before."}, low(cento.Fragment{ID: "head", Body: "- one"}, 1), {ID: "rest", Body: "- two", Tight: true},
		},
		"a chain at the beginning": {low(cento.Fragment{ID: "head", Body: "- one"}, 1), {ID: "rest", Body: "- two", Tight: true}},
		"a heading two texts behind": {
			low(cento.Fragment{ID: "top", Body: "# Top"}, 1), {ID: "plain", Body: "Plain."},
			{ID: "last", Body: "Last.", Section: "Rules", SectionForm: cento.SeparateHeading},
		},
		"texts that begin to count together": {
			shorter, {ID: "path", Body: "/etc/hosts"}, low(cento.Fragment{ID: "gone", Body: "Gone for good"}, 2), {ID: "end", Body: "The end"},
		},
		"the first text and the third": {
			{ID: "first", Body: "It is so!"}, low(cento.Fragment{ID: "gone", Body: "Gone for good"}, 1), {ID: "path", Body: "/etc/hosts"}, {ID: "end", Body: "The end"},
		},
		"a heading that counts with its text": {
			low(cento.Fragment{ID: "low", Body: "Low."}, 1), {ID: "path", Body: "/etc/hosts", Section: "Rules!"}, {ID: "end", Body: "The end"},
		},
	} {
		for _, counter := range []cento.Counter{lengths{}, calls{}, token.CounterFor("gpt-5.4"), token.CounterFor("claude-opus-5")} {
			of := func(tokens int) (*cento.Prompt, error) {
				return cento.ReduceFragments(list, cento.Active{}, cento.Options{Budget: &cento.Budget{Tokens: tokens, Counter: counter}})
			}
			whole, err := of(1000)
			if err != nil {
				t.Fatal(err)
			}
			for _, point := range whole.BudgetCurve() {
				p, err := of(point.Budget)
				if err != nil {
					t.Fatalf("%s, %s: a point at %d: %v", name, counter.Name(), point.Budget, err)
				}
				text, _ := p.System()
				if n := counter.Count(text); p.Budget().Prompt != n || point.Tokens != n {
					t.Errorf("%s, %s: of %d %d are told and %d on the curve, and %q takes %d", name, counter.Name(), point.Budget, p.Budget().Prompt, point.Tokens, text, n)
				}
				if q, err := of(point.Budget - 1); err == nil && included(q) == included(p) {
					t.Errorf("%s, %s: %s is there of one less than %d, too", name, counter.Name(), included(p), point.Budget)
				}
			}
		}
	}
}

// A variant that is no shorter is no step, and one that the program puts at the end
// stays whatever it is worth.
func TestWhatIsNoStep(t *testing.T) {
	f := sized("a", 8, 1)
	f.Variants = []cento.Text{{Body: "yyyyyyyy"}, {Body: "yyyy"}, {Body: "zzzz"}}
	tail := sized("tail", 4, 0)
	tail.Tail = true
	var got []string
	for _, s := range budgeted(t, cento.Budget{Tokens: 100}, f, tail).Sacrifices() {
		got = append(got, fmt.Sprintf("%v/%d", s.Fragments, s.Variant))
	}
	if want := []string{"[a]/2", "[a]/0"}; !slices.Equal(got, want) {
		t.Errorf("the steps are %v, want %v", got, want)
	}
}

// A shorter body has the headings of its own, and none of the body that it stands for:
// a heading behind it is there to end what really stands above it.
func TestVariantsHaveTheirOwnHeadings(t *testing.T) {
	const headed, plain = "# Top\n\nWords of some length", "Words alone of some length"
	behind := cento.Fragment{ID: "behind", Body: "Be brief.", Section: "Rules", SectionForm: cento.SeparateHeading}
	for _, c := range []struct{ name, body, variant, want string }{
		{"a heading goes", headed, "Short.", "Short.\n\nBe brief."},
		{"a heading comes", plain, "# T\n\nx", "# T\n\nx\n\n## Rules\n\nBe brief."},
	} {
		f := cento.Fragment{ID: "a", Body: c.body, Importance: cento.ImportanceOf(1), Variants: []cento.Text{{Body: c.variant}}}
		p := budgeted(t, cento.Budget{Tokens: len(c.want)}, f, behind)
		if text, _ := p.System(); text != c.want || p.Budget().Prompt != len(c.want) {
			t.Errorf("%s: %q, of which %d are told, want %q", c.name, text, p.Budget().Prompt, c.want)
		}
	}
}

// Of what is worth the same the last declared goes first, however many there are.
func TestOrderOfManyAlike(t *testing.T) {
	for _, cached := range []bool{false, true} {
		var list []cento.Fragment
		b := cento.Budget{Tokens: 1000, KeepCached: cached}
		for i := range 100 {
			list = append(list, sized(fmt.Sprintf("f%02d", i), 2, i%2))
			b.Cached = append(b.Cached, list[i].ID)
		}
		var got, want []string
		for _, s := range budgeted(t, b, list...).Sacrifices() {
			got = append(got, s.Fragments...)
		}
		for _, importance := range []int{0, 1} {
			for i := 98 + importance; i >= 0; i -= 2 {
				want = append(want, list[i].ID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("cached: %v: they go as %v, want %v", cached, got, want)
		}
	}
}

// A circle of groups and needs goes by the member that was declared last, in whatever
// order it was found.
func TestCircleGoesByItsLast(t *testing.T) {
	bound := func(id, group string, needs ...string) cento.Fragment {
		f := sized(id, 2, 1)
		f.Group, f.Needs = group, needs
		return f
	}
	list := []cento.Fragment{bound("a", "g", "b"), bound("b", "h"), bound("d", "h", "c"), sized("alone", 2, 1), bound("c", "g")}
	if got := included(budgeted(t, cento.Budget{Tokens: 12}, list...)); got != "alone" {
		t.Errorf("%s stays, and a circle with a later member goes first", got)
	}
}

// The greatest budget is one.
func TestGreatestBudget(t *testing.T) {
	for tokens, ok := range map[int]bool{1 << 40: true, 1<<40 + 1: false} {
		_, err := cento.ReduceFragments([]cento.Fragment{sized("a", 1, 1)}, cento.Active{}, cento.Options{Budget: &cento.Budget{Tokens: tokens, Counter: lengths{}}})
		if (err == nil) != ok || !ok && !errors.Is(err, cento.InvalidBudget) {
			t.Errorf("a budget of %d: %v", tokens, err)
		}
	}
}

// Whoever is told that a budget is too small is told what else takes of it; what is left
// is an estimate where something that was estimated is taken from it, and else exact.
func TestWhatABudgetLeaves(t *testing.T) {
	for _, c := range []struct {
		b     cento.Budget
		exact string // by a counter that is exact
		about string // by one that isn't
	}{
		{cento.Budget{Tokens: 9}, "9 leaves 9 for the prompt", "9 leaves 9 for the prompt"},
		{cento.Budget{Tokens: 9, Reserve: 3}, "9 leaves 6 for the prompt (reserve 3)", "9 leaves 6 for the prompt (reserve 3)"},
		{cento.Budget{Tokens: 9, Tools: 2}, "9 leaves 7 for the prompt (tools 2)", "9 leaves ~7 for the prompt (tools ~2)"},
		{cento.Budget{Tokens: 9, Framing: 4}, "9 leaves 5 for the prompt (framing 4)", "9 leaves ~5 for the prompt (framing ~4)"},
		{cento.Budget{Tokens: 9, Reserve: 3, Tools: 2, Framing: 5}, "9 leaves -1 for the prompt (reserve 3, tools 2, framing 5)", "9 leaves ~-1 for the prompt (reserve 3, tools ~2, framing ~5)"},
	} {
		for counter, want := range map[cento.Counter]string{lengths{}: c.exact, odd{}: c.about} {
			c.b.Counter = counter
			_, err := cento.ReduceFragments([]cento.Fragment{{ID: "a", Body: strings.Repeat("x", 100)}}, cento.Active{}, cento.Options{Budget: &c.b})
			if e, ok := errors.AsType[*cento.SourceError](err); !ok || !strings.HasSuffix(e.Message, "the budget of "+want) {
				t.Errorf("%s: %v, want %s", counter.Name(), err, want)
			}
			list := []cento.Fragment{{ID: "a", Body: ""}}
			if p, err := cento.ReduceFragments(list, cento.Active{}, cento.Options{Budget: &c.b}); err == nil {
				if got := p.Budget().LimitExact; got == strings.Contains(want, "leaves ~") {
					t.Errorf("%s: of %+v what is left is exact: %v", counter.Name(), c.b, got)
				}
			}
		}
	}
}
