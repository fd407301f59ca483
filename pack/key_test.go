package pack

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// counting is an engine that notes what it renders.
type counting struct {
	*Engine
	rendered *[]string
}

func (c counting) Expand(f *cento.Fragment, a cento.Active) (cento.Text, error) {
	*c.rendered = append(*c.rendered, f.ID)
	return c.Engine.Expand(f, a)
}

// agent is an input of forty fragments, five of which are prompt files.
func agent() cento.Input {
	in := cento.Input{
		Active: cento.Active{Tools: []string{"read", "shell"}, Caps: []string{"git"}, Model: "m"},
		Files: cento.Files{
			Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC), Cwd: "/w",
			Vars: json.RawMessage(`{"mode":"fast","team":"core"}`),
			Sources: map[string]string{
				"$workspace/intro.md": "You are {{ agent.name }}.",
				"$workspace/mode.md":  "Mode: {{ vars.mode }}.\n\n{% include \"part\" %}",
				"$workspace/part.md":  "{% if tool('shell') %}Commands are at hand.{% endif %}",
				"$workspace/team.md":  "{% for t in tools %}{{ t }} {% endfor %}of {{ vars.team }}",
				"$workspace/day.md":   "It is {{ date }} in {{ cwd }}.",
				"$workspace/caps.md":  "{% if cap('git') %}Commit often.{% else %}No git.{% endif %}",
			},
		},
	}
	for _, name := range []string{"intro", "mode", "team", "day", "caps"} {
		in.Fragments = append(in.Fragments, cento.Fragment{ID: name, Template: "$workspace/" + name})
	}
	for i := range 35 {
		f := cento.Fragment{ID: fmt.Sprint("f", i), Body: strings.Repeat(fmt.Sprintf("Rule %d holds. ", i), 10)}
		if i%3 == 0 {
			f.RequiresTools = []string{"shell"}
		}
		if i%7 == 0 {
			f.When = "vars.mode == 'fast'"
		}
		in.Fragments = append(in.Fragments, f)
	}
	return in
}

type assembled struct {
	plan     *cento.Plan
	rendered *[]string
	engine   *Engine
}

func compile(t testing.TB, in cento.Input) assembled {
	t.Helper()
	e, err := NewEngine(in)
	if err != nil {
		t.Fatal(err)
	}
	fragments, _, err := cento.Compose(in)
	if err != nil {
		t.Fatal(err)
	}
	rendered := []string{}
	c := counting{e, &rendered}
	plan, err := cento.Compile(fragments, cento.Options{Conditions: c, Expander: c})
	if err != nil {
		t.Fatal(err)
	}
	return assembled{plan, &rendered, e}
}

func (a assembled) text(t testing.TB, b *cento.Bound) string {
	t.Helper()
	var asm cento.Assembly
	text, err := a.plan.AppendText(nil, b, &asm)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// takesOver: from what a bound active set rendered to a changed input, these alone are
// rendered anew, and the prompt is the one that the input has by itself.
func (a assembled) takesOver(t testing.TB, bound *cento.Bound, in cento.Input, anew []string) {
	t.Helper()
	*a.rendered = nil
	e, err := a.engine.For(in)
	if err != nil {
		t.Fatal(err)
	}
	next, err := bound.With(in.Active, counting{e, a.rendered})
	if err != nil {
		t.Fatal(err)
	}
	got := a.text(t, next)
	slices.Sort(*a.rendered)
	if !slices.Equal(*a.rendered, anew) {
		t.Errorf("rendered %q, want %q", *a.rendered, anew)
	}
	want, err := Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := want.System(); got != text {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
}

// What a bound active set rendered is rendered once, and what takes its place renders
// what reads something that changed, and nothing else.
func TestRenderedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*cento.Input)
		want   []string
	}{
		"nothing":          {func(*cento.Input) {}, nil},
		"a variable":       {func(in *cento.Input) { in.Files.Given = json.RawMessage(`{"mode":"slow"}`) }, []string{"mode"}},
		"of the manifest":  {func(in *cento.Input) { in.Files.Vars = json.RawMessage(`{"mode":"fast","team":"web"}`) }, []string{"team"}},
		"who gives it":     {func(in *cento.Input) { in.Files.Given = json.RawMessage(`{"team":"core"}`) }, []string{"team"}},
		"one nobody reads": {func(in *cento.Input) { in.Files.Given = json.RawMessage(`{"other":1}`) }, nil},
		"another tool":     {func(in *cento.Input) { in.Active.Tools = []string{"read", "shell", "grep"} }, []string{"team"}},
		"that tool":        {func(in *cento.Input) { in.Active.Tools = []string{"read"} }, []string{"mode", "team"}},
		"order of tools":   {func(in *cento.Input) { in.Active.Tools = []string{"shell", "read"} }, nil},
		"a capability":     {func(in *cento.Input) { in.Active.Caps = nil }, []string{"caps"}},
		"another":          {func(in *cento.Input) { in.Active.Caps = []string{"git", "x"} }, nil},
		"the hour":         {func(in *cento.Input) { in.Files.Now = in.Files.Now.Add(time.Hour) }, nil},
		"the day":          {func(in *cento.Input) { in.Files.Now = in.Files.Now.Add(24 * time.Hour) }, []string{"day"}},
		"the folder":       {func(in *cento.Input) { in.Files.Cwd = "/x" }, []string{"day"}},
		"the name":         {func(in *cento.Input) { in.Files.AgentName = cento.Text{Body: "Zelda"} }, []string{"intro"}},
		"the model":        {func(in *cento.Input) { in.Active.Model = "n" }, nil},
		"what is included": {func(in *cento.Input) { in.Files.Sources["$workspace/part.md"] = "Else." }, []string{"mode"}},
	} {
		t.Run(name, func(t *testing.T) {
			in := agent()
			a := compile(t, in)
			bound := a.plan.Bind(in.Active)
			first := a.text(t, bound)
			if len(*a.rendered) != 5 {
				t.Fatalf("rendered at first: %q", *a.rendered)
			}
			if again := a.text(t, bound); again != first || len(*a.rendered) != 5 {
				t.Fatalf("rendered again: %q", *a.rendered)
			}
			c.change(&in)
			a.takesOver(t, bound, in, c.want)
			if after := a.text(t, bound); after != first {
				t.Error("the bound active set itself has changed")
			}
		})
	}
}

// However an input changes, step after step, what is taken over is what would be
// rendered.
func TestTakenOver(t *testing.T) {
	lines := []string{
		"Mode {{ vars.mode }}", "{{ vars }}", "{% if tool('shell') %}x{% endif %}", "{{ tools|join(',') }}", "{{ caps|length }}",
		"{% set t = tool %}{{ t(vars.mode) }}", "{{ date }}", "{{ time }}", "{{ cwd }}", "{{ agent.name }}", "{{ model.name }}",
		"{% include 'part' %}", "{% include vars.mode ~ '.md' ignore missing %}", "{% if cap('a') %}y{% endif %}", "{{ debug()|length }}",
		"{% from 'macros' import m %}{{ m(vars.team) }}", "{% if tool(vars.mode) %}z{% endif %}", "{{ vars.deep.er }}",
	}
	rapid.Check(t, func(t *rapid.T) {
		in := cento.Input{Files: cento.Files{
			Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC), Cwd: "/w", Vars: json.RawMessage(`{"mode":"part","team":"core","deep":{"er":1}}`),
			Sources: map[string]string{"$workspace/part.md": "A part of {{ vars.team }}.", "$workspace/macros.md": "{% macro m(x) %}<{{ x }}{{ cwd }}>{% endmacro %}"},
		}}
		for i := range 4 {
			name := fmt.Sprint("$workspace/f", i)
			in.Files.Sources[name+".md"] = strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 1, 3).Draw(t, "lines"), "\n")
			in.Fragments = append(in.Fragments, cento.Fragment{ID: fmt.Sprint(i), Template: name})
		}
		e, err := NewEngine(in)
		if err != nil {
			t.Fatal(err)
		}
		fragments, _, err := cento.Compose(in)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := cento.Compile(fragments, cento.Options{Conditions: e, Expander: e})
		if err != nil {
			t.Fatal(err)
		}
		bound := plan.Bind(in.Active)
		for range rapid.IntRange(1, 5).Draw(t, "steps") {
			switch rapid.IntRange(0, 7).Draw(t, "change") {
			case 0:
				in.Files.Given = json.RawMessage(rapid.SampledFrom([]string{`{"mode":"shell"}`, `{"team":"web"}`, `{"deep":{"er":2}}`, `{}`, `{"mode":"part"}`}).Draw(t, "given"))
			case 1:
				in.Active.Tools = rapid.SliceOf(rapid.SampledFrom([]string{"shell", "part", "read"})).Draw(t, "tools")
			case 2:
				in.Active.Caps = rapid.SliceOf(rapid.SampledFrom([]string{"a", "b"})).Draw(t, "caps")
			case 3:
				in.Files.Now = in.Files.Now.Add(time.Duration(rapid.IntRange(0, 48).Draw(t, "hours")) * time.Hour)
			case 4:
				in.Files.Cwd = rapid.SampledFrom([]string{"/w", "/x"}).Draw(t, "cwd")
			case 5:
				in.Active.Model = rapid.SampledFrom([]string{"", "m", "n"}).Draw(t, "model")
			case 6:
				in.Files.Sources["$workspace/part.md"] = rapid.SampledFrom([]string{"A part.", "{{ vars.mode }}", "A part of {{ vars.team }}."}).Draw(t, "part")
			case 7:
				in.Files.AgentName = cento.Text{Body: rapid.SampledFrom([]string{"", "Zelda"}).Draw(t, "name")}
			}
			if e, err = e.For(in); err != nil {
				t.Fatal(err)
			}
			if bound, err = bound.With(in.Active, e); err != nil {
				t.Fatal(err)
			}
			var asm cento.Assembly
			got, err := plan.AppendText(nil, bound, &asm)
			want, wanted := Reduce(in)
			if (err != nil) != (wanted != nil) {
				t.Fatalf("%v, and %v", err, wanted)
			}
			if err != nil {
				continue
			}
			if text, _ := want.System(); string(got) != text {
				t.Fatalf("got %q, want %q", got, text)
			}
		}
	})
}

// The next turn of an agent in which nothing has changed asks for no memory but that of
// a text and decisions that are to outlive the next one.
func TestNextTurnAsksForNoMemory(t *testing.T) {
	in := agent()
	a := compile(t, in)
	bound := a.plan.Bind(in.Active)
	var asm cento.Assembly
	text, err := a.plan.AppendText(nil, bound, &asm)
	if err != nil {
		t.Fatal(err)
	}
	for most, turn := range map[float64]func() error{
		0: func() (err error) {
			text, err = a.plan.AppendText(text[:0], bound, &asm)
			return err
		},
		4: func() error {
			_, err := a.plan.AppendText(nil, bound, new(cento.Assembly))
			return err
		},
	} {
		if n := testing.AllocsPerRun(50, func() {
			if err := turn(); err != nil {
				t.Error(err)
			}
		}); n > most {
			t.Errorf("%.0f allocations, at most %.0f are promised", n, most)
		}
	}
	if len(*a.rendered) != 5 {
		t.Errorf("rendered again: %q", *a.rendered)
	}
}

// BenchmarkReassemble is an agent's next turn: nothing has changed, or one variable.
func BenchmarkReassemble(b *testing.B) {
	in := agent()
	a := compile(b, in)
	bound := a.plan.Bind(in.Active)
	var asm cento.Assembly
	text, err := a.plan.AppendText(nil, bound, &asm)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("same", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if text, err = a.plan.AppendText(text[:0], bound, &asm); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("prompt", func(b *testing.B) { // a value that outlives the next one
		b.ReportAllocs()
		for b.Loop() {
			if _, err := a.plan.AppendText(nil, bound, new(cento.Assembly)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("variable", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			in.Files.Given = json.RawMessage(fmt.Sprintf(`{"mode":"m%d"}`, i))
			e, err := a.engine.For(in)
			if err != nil {
				b.Fatal(err)
			}
			if bound, err = bound.With(in.Active, e); err != nil {
				b.Fatal(err)
			}
			if text, err = a.plan.AppendText(text[:0], bound, &asm); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("once", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Reduce(in); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A condition that the new engine doesn't know of is told with the fragment.
func TestWithRefusesAnUnknownVariable(t *testing.T) {
	in := agent()
	a := compile(t, in)
	bound := a.plan.Bind(in.Active)
	in.Files.Vars = json.RawMessage(`{"team":"core"}`)
	in.Fragments = nil
	e, err := a.engine.For(in)
	if err != nil {
		t.Fatal(err)
	}
	_, err = bound.With(in.Active, e)
	if !errors.Is(err, InvalidCondition) || !strings.Contains(err.Error(), "'vars.mode'") {
		t.Errorf("%v", err)
	}
	if list := cento.SourceErrors(err); len(list) != 1 || !strings.Contains(list[0].Related[0].Message, `fragment "f0"`) {
		t.Errorf("%+v", list)
	}
}

// What the program words is taken over for as long as nothing in it has changed: the
// wording, what that reads and lists.
func TestWordedPartsAreTakenOver(t *testing.T) {
	worded := func() cento.Input {
		return cento.Input{
			Active: cento.Active{Tools: []string{"todo"}, Caps: []string{"model.text_tools"}},
			Tools:  []cento.Tool{{Name: "todo", Description: "Plans.", Parameters: json.RawMessage(`{}`)}, {Name: "read", Description: "Reads."}},
			Primary: cento.Primary{
				Worded: true, ProgressToolName: "todo", Instruction: &cento.Fragment{Template: "$builtin/role/coder"},
			},
			Files: cento.Files{
				Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC), Cwd: "/w",
				Skills:  []cento.ListedSkill{{Name: cento.Text{Body: "pdf"}, Description: cento.Text{Body: "Reads PDF."}}},
				Wording: map[string]cento.Text{"loop_contract": {Body: "Stop when done."}},
			},
		}
	}
	for name, c := range map[string]struct {
		change func(*cento.Input)
		want   []string // what is rendered anew
	}{
		"nothing":     {func(*cento.Input) {}, nil},
		"the wording": {func(in *cento.Input) { in.Files.Wording["loop_contract"] = cento.Text{Body: "Stop at once."} }, []string{"primary:loop_contract"}},
		"a skill":     {func(in *cento.Input) { in.Files.Skills[0].Name.Body = "xls" }, []string{"primary:skill_catalog"}},
		"an argument": {func(in *cento.Input) { in.Tools[0].Parameters = json.RawMessage(`{"a":1}`) }, []string{"primary:tool_contract"}},
		"a tool":      {func(in *cento.Input) { in.Active.Tools = []string{"todo", "read"} }, []string{"primary:system", "primary:tool_contract"}},
		"progress": {func(in *cento.Input) {
			in.Primary.ProgressToolName = "read"
			in.Active.Tools = []string{"todo", "read"}
		}, []string{"primary:progress_tool", "primary:system", "primary:tool_contract"}},
		"the next hour": {func(in *cento.Input) { in.Files.Now = in.Files.Now.Add(time.Hour) }, nil},
		"the next day":  {func(in *cento.Input) { in.Files.Now = in.Files.Now.Add(24 * time.Hour) }, []string{"primary:environment"}},
	} {
		t.Run(name, func(t *testing.T) {
			in := worded()
			a := compile(t, in)
			bound := a.plan.Bind(in.Active)
			a.text(t, bound)
			if k := a.engine.Key(&cento.Fragment{Template: cento.CatalogTemplate + "nothing"}, in.Active); k != "" {
				t.Errorf("the key of no wording is %q", k)
			}
			in = worded()
			c.change(&in)
			a.takesOver(t, bound, in, c.want)
		})
	}
}

// A file that reads all variables has another key for each value, declared or not.
func TestKeysOfWhatIsReadWhole(t *testing.T) {
	key := func(template, given string) string {
		t.Helper()
		in := cento.Input{Files: cento.Files{
			Vars: json.RawMessage(`{"other":1,"mode":"a"}`), Given: json.RawMessage(given),
			Sources: map[string]string{"$workspace/all.md": "---\nvars:\n  mode: {default: a}\n---\n{{ vars|tojson }}"},
		}}
		in.Fragments = []cento.Fragment{{ID: "all", Template: "$workspace/all"}}
		e, err := NewEngine(in)
		if err != nil {
			t.Fatal(err)
		}
		return e.Key(&cento.Fragment{ID: "x", Template: template}, cento.Active{})
	}
	if a, b := key("$workspace/all", `{}`), key("$workspace/all", `{"other":2}`); a == "" || a == b {
		t.Errorf("the keys are %q and %q", a, b)
	}
}

// Names of variables are those that a template can write.
func TestNamesOfVariables(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "Z": true, "_": true, "a9": true, "a0_z": true, "A_": true, "z": true,
		"": false, "9a": false, "a-b": false, "a b": false, "ä": false, "a.b": false, "[": false, "{": false, "@": false, "a:": false, "a/": false,
	} {
		if isName(name) != want {
			t.Errorf("isName(%q) = %v", name, !want)
		}
	}
}
