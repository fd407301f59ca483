package pack

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
)

// anew is what reducing an engine's input gives for another active set and clock.
func anew(t *testing.T, e *Engine, a cento.Active, now time.Time) string {
	t.Helper()
	in := e.input
	in.AllTools, in.Active, in.Files.Now = false, a, now
	p, err := Reduce(in)
	return told(t, p, err)
}

// told is all that a prompt tells, or what is wrong.
func told(t *testing.T, p *cento.Prompt, err error) string {
	t.Helper()
	if err != nil {
		return err.Error()
	}
	text, _ := p.System()
	why, err := json.Marshal(p.Explain(cento.ExplainOptions{AllReasons: true, ExcludedTexts: true}))
	if err != nil {
		t.Fatal(err)
	}
	return text + "\n" + string(why)
}

// warm is an engine that is past the first question, which is answered without keeping.
func warm(t *testing.T, in cento.Input) *Engine {
	t.Helper()
	e, err := NewEngine(in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Assemble(in.Active, in.Files.Now); err != nil {
		t.Fatal(err)
	}
	return e
}

// assemble asks twice. It holds both answers to what is made anew, and reports whether
// the second one is the prompt of the first.
func assemble(t *testing.T, e *Engine, a cento.Active, now time.Time) (p *cento.Prompt, kept bool) {
	t.Helper()
	want := anew(t, e, a, now)
	p, err := e.Assemble(a, now)
	if got := told(t, p, err); got != want {
		t.Fatalf("with %+v at %s:\n%s\nand anew:\n%s", a, now, got, want)
	}
	again, err := e.Assemble(a, now)
	if got := told(t, again, err); got != want {
		t.Fatalf("again with %+v at %s:\n%s\nand anew:\n%s", a, now, got, want)
	}
	return p, p != nil && p == again
}

// Who asks for the same has the same prompt, and no two active sets are taken for one
// another: not by the order of their names, by what is a tool and what a capability, nor
// by names that look like the end of one and the begin of the next.
func TestAssembledByWhatIsAsked(t *testing.T) {
	e := warm(t, cento.Input{
		Active: cento.Active{Tools: []string{"read"}, Model: "m"},
		Fragments: []cento.Fragment{
			{ID: "names", Template: "$workspace/names"}, {ID: "gated", Body: "A is there.", RequiresTools: []string{"a"}}, {ID: "fixed", Body: "Always."},
		},
		Files: cento.Files{Sources: map[string]string{
			"$workspace/names.md": "{% for t in tools %}<{{ t }}>{% endfor %} {% for c in caps %}[{{ c }}]{% endfor %}",
		}},
	})
	lists := [][]string{nil, {"a"}, {"a", "b"}, {"b", "a"}, {"a b"}, {"a 1:b"}, {"a\n0"}}
	made := map[*cento.Prompt]string{}
	for _, tools := range [][]string{nil, {"a"}, {"a", "b"}, {"b", "a"}, {"a:b"}, {"a1:b"}, {"a0"}} {
		for _, caps := range lists {
			a := cento.Active{Tools: tools, Caps: caps, Model: "m"}
			p, kept := assemble(t, e, a, time.Time{})
			if !kept {
				t.Errorf("%+v: made twice", a)
			}
			if made[p] != "" {
				t.Errorf("%+v has the prompt of %s", a, made[p])
			}
			made[p] = fmt.Sprintf("%+v", a)
		}
	}
}

// The prompt of one question stays what it is when the caller uses its slices again.
func TestAssembledOfSlicesThatAreUsedAgain(t *testing.T) {
	in := agent()
	e := warm(t, in)
	tools, caps := []string{"read", "shell"}, []string{"git"}
	for _, step := range [][2]string{{"shell", "git"}, {"grep", "git"}, {"grep", "x"}, {"shell", "git"}} {
		tools[1], caps[0] = step[0], step[1]
		assemble(t, e, cento.Active{Tools: tools, Caps: caps, Model: "m"}, in.Files.Now)
	}
}

// A prompt is kept for as long as what it reads of the clock stays: for good, for the
// day, or not at all.
func TestAssembledByTheClock(t *testing.T) {
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	for template, until := range map[string]time.Duration{
		"Work.": 365 * 24 * time.Hour, "{{ date }}": 14 * time.Hour, "{% if tool('x') %}{{ date }}{% endif %}Work.": 14 * time.Hour, "{{ time }}": 0,
	} {
		in := cento.Input{
			Fragments: []cento.Fragment{{ID: "a", Template: "$workspace/a"}},
			Files:     cento.Files{Now: now, Sources: map[string]string{"$workspace/a.md": template}},
		}
		e := warm(t, in)
		first, kept := assemble(t, e, cento.Active{}, now)
		if kept != (until > 0) {
			t.Errorf("%q: kept is %v", template, kept)
		}
		for _, later := range []time.Duration{time.Nanosecond, time.Hour, 14 * time.Hour, 15 * time.Hour, 48 * time.Hour} {
			p, _ := assemble(t, e, cento.Active{}, now.Add(later))
			if same := p == first; same != (later <= until) {
				t.Errorf("%q: after %s the same prompt is %v", template, later, same)
			}
		}
		assemble(t, e, cento.Active{}, time.Time{}) // without a clock
	}
}

// What is not a matter of the active set and the clock alone is reduced anew: under a
// budget, which holds the tools that are active, and with another model.
func TestAssembledAnew(t *testing.T) {
	in := agent()
	in.Fragments = append(in.Fragments, cento.Fragment{ID: "model", Body: "For m.", When: "model.name == 'm'"})
	e := warm(t, in)
	for range 2 {
		for _, model := range []string{"m", "n", ""} {
			a := in.Active
			a.Model = model
			if _, kept := assemble(t, e, a, in.Files.Now); kept != (model == "m") {
				t.Errorf("model %q: kept is %v", model, kept)
			}
		}
	}
	in = agent()
	in.AllTools, in.Active.Tools = true, nil
	in.Tools = []cento.Tool{{Name: "shell"}, {Name: "read", Description: strings.Repeat("It reads a file. ", 100)}}
	for i := range in.Fragments {
		in.Fragments[i].Importance = cento.ImportanceOf(i)
	}
	all := warm(t, in)
	in.Budget = &cento.Budget{Tokens: 1000}
	tight := warm(t, in)
	length := map[string]int{}
	for _, tools := range [][]string{{"shell", "read"}, {"shell"}, nil, {"read"}} {
		a := cento.Active{Tools: tools, Caps: in.Active.Caps, Model: "m"}
		if _, kept := assemble(t, all, a, in.Files.Now); !kept {
			t.Errorf("%q: made twice", tools)
		}
		p, kept := assemble(t, tight, a, in.Files.Now)
		if p == nil || kept {
			t.Fatalf("%q under a budget: %v, kept is %v", tools, p, kept)
		}
		length[strings.Join(tools, " ")] = p.Bytes()
	}
	if length["shell read"] >= length["shell"] {
		t.Errorf("the tools take nothing of the budget: %v", length)
	}
}

// An active set whose prompt can't be made is told as wrong each time it is asked for, and
// the others are answered before and after.
func TestAssembledErrors(t *testing.T) {
	in := agent()
	in.Fragments = append(in.Fragments, cento.Fragment{ID: "wrong", Template: "$workspace/wrong", RequiresTools: []string{"ask"}})
	in.Files.Sources["$workspace/wrong.md"] = "{{ vars.mode + 1 }}"
	e := warm(t, in)
	for range 2 {
		if p, kept := assemble(t, e, in.Active, in.Files.Now); p == nil || !kept {
			t.Error("the input's own active set isn't kept")
		}
		if p, _ := assemble(t, e, cento.Active{Tools: []string{"ask"}, Model: "m"}, in.Files.Now); p != nil {
			t.Error("the file doesn't fail")
		}
	}
}

// taken is what the prompts that an engine keeps take, counted one by one.
func taken(p *planned) int {
	sum := 0
	for key, prompt := range p.made {
		sum += len(key) + 2*prompt.Bytes() + 64*prompt.Len()
	}
	return sum
}

// What is kept never takes more than the bound, however many active sets are asked for:
// all are let go before one would not fit, and the one that was asked for last is there.
func TestKeptPromptsAreBounded(t *testing.T) {
	in := cento.Input{Fragments: []cento.Fragment{
		{ID: "long", Body: strings.Repeat("Words. ", mostMade/80)}, {ID: "a", Body: "A.", RequiresTools: []string{"a"}},
		{ID: "longer", Body: strings.Repeat("Other. ", mostMade/70), RequiresTools: []string{"more"}},
	}}
	e := warm(t, in)
	p, err := e.planned()
	if err != nil {
		t.Fatal(err)
	}
	let, most := 0, 0
	for i := range 20 {
		before := len(p.made)
		a := cento.Active{Tools: []string{"a", fmt.Sprint("t", i)}}
		first, err := e.Assemble(a, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := e.Assemble(a, time.Time{})
		if err != nil || again != first {
			t.Fatalf("%d: asked for again it is another, %v", i, err)
		}
		if sum := taken(p); p.bytes != sum || sum > mostMade {
			t.Fatalf("%d: %d prompts take %d bytes, counted as %d, and %d is the most", i, len(p.made), sum, p.bytes, mostMade)
		}
		if len(p.made) <= before {
			let++
			if before != most && most > 0 || len(p.made) != 1 {
				t.Errorf("of %d prompts %d are left", before, len(p.made))
			}
			most = before
		}
	}
	if let < 2 || most < 3 {
		t.Errorf("let go %d times, of %d prompts", let, most)
	}
	before := len(p.made)
	if _, kept := assemble(t, e, cento.Active{Tools: []string{"more"}}, time.Time{}); kept || len(p.made) != before {
		t.Error("a prompt that takes a quarter of the memory is kept")
	}
}

// Two who make the same prompt at once keep it once.
func TestKeptOnce(t *testing.T) {
	in := agent()
	e := warm(t, in)
	p, err := e.planned()
	if err != nil {
		t.Fatal(err)
	}
	prompt, _ := assemble(t, e, in.Active, in.Files.Now)
	before := p.bytes
	for key := range p.made {
		p.keep(key, prompt)
	}
	if p.bytes != before || before != taken(p) || len(p.made) != 1 {
		t.Errorf("%d prompts take %d bytes, counted as %d", len(p.made), taken(p), p.bytes)
	}
}

// An engine of another clock is the engine in all else, and the one that it was made of
// keeps its own.
func TestEngineOfAnotherClock(t *testing.T) {
	in := agent()
	in.Files.Prefixes = map[string]cento.Trust{"$team": cento.TrustUser}
	e, err := NewEngine(in)
	if err != nil {
		t.Fatal(err)
	}
	later := in.Files.Now.AddDate(0, 0, 1)
	next := e.at(later)
	if !slices.Equal(next.own, e.own) || !next.input.Files.Now.Equal(later) || !e.input.Files.Now.Equal(in.Files.Now) {
		t.Errorf("made of %v at %s: %v at %s", e.own, e.input.Files.Now, next.own, next.input.Files.Now)
	}
	for _, of := range []*Engine{e, next, e} {
		p, err := cento.ReduceWith(of.input, of)
		if got := told(t, p, err); got != anew(t, e, in.Active, of.input.Files.Now) {
			t.Errorf("at %s: %s", of.input.Files.Now, got)
		}
	}
}
