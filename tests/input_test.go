package tests

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/cento-dev/cento"
)

// What-ifs are copies: the input itself stays as it is, and so do the lists it
// shares with others.
func TestWhatIfsCopy(t *testing.T) {
	tools, caps := make([]string, 2, 8), make([]string, 2, 8)
	copy(tools, []string{"read", "todo"})
	copy(caps, []string{"interactive", "x"})
	in := cento.Input{
		Active: cento.Active{Tools: tools, Caps: caps, Model: "m"},
		Tools:  []cento.Tool{{Name: "todo"}, {Name: "web"}},
	}
	all := in
	all.AllTools = true
	for _, c := range []struct {
		name        string
		got         cento.Input
		tools, caps []string
		model       string
	}{
		{"with tool", in.WithTool("web"), []string{"read", "todo", "web"}, caps, "m"},
		{"with active tool", in.WithTool("todo"), tools, caps, "m"},
		{"without tool", in.WithoutTool("read"), []string{"todo"}, caps, "m"},
		{"without absent tool", in.WithoutTool("nothing"), tools, caps, "m"},
		{"with tools", in.WithTools("a", "b"), []string{"a", "b"}, caps, "m"},
		{"with no tools", in.WithTools(), nil, caps, "m"},
		{"with cap", in.WithCap("y"), tools, []string{"interactive", "x", "y"}, "m"},
		{"with set cap", in.WithCap("x"), tools, caps, "m"},
		{"without cap", in.WithoutCap("interactive"), tools, []string{"x"}, "m"},
		{"with model", in.WithModel("n", nil), tools, caps, "n"},
		{"all tools", all, []string{"todo", "web"}, caps, "m"},
		{"all tools and one", all.WithTool("read"), []string{"todo", "web", "read"}, caps, "m"},
		{"all tools but one", all.WithoutTool("todo"), []string{"web"}, caps, "m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.got.ActiveTools(); !slices.Equal(got, c.tools) {
				t.Errorf("active are %q, want %q", got, c.tools)
			}
			if !slices.Equal(c.got.Active.Caps, c.caps) || c.got.Active.Model != c.model {
				t.Errorf("set are %q, for %q", c.got.Active.Caps, c.got.Active.Model)
			}
			if !reflect.DeepEqual(c.got.Tools, in.Tools) {
				t.Error("a definition went")
			}
			if !slices.Equal(tools[:8], []string{"read", "todo", "", "", "", "", "", ""}) || !slices.Equal(caps[:8], []string{"interactive", "x", "", "", "", "", "", ""}) {
				t.Fatal("a shared list was written to")
			}
		})
	}
}

// The primary block as one text is what its fragments are in a prompt.
func TestPrimaryText(t *testing.T) {
	p := cento.Primary{
		System: &cento.Text{Body: " Work.\n"}, LoopContract: &cento.Text{Body: "Stop when done."},
		ProgressTool: &cento.Text{Body: "Keep the plan."}, ProgressToolName: "plan",
	}
	text, err := p.Text()
	if err != nil || text != "Work.\n\nKeep the plan.\n\nStop when done." {
		t.Errorf("%q, %v", text, err)
	}
	var ids []string
	for _, f := range p.Fragments() {
		ids = append(ids, f.ID)
	}
	if !slices.Equal(ids, []string{cento.SystemID, "primary:progress_tool", "primary:loop_contract"}) {
		t.Errorf("the fragments are %q", ids)
	}
	block := reduce(t, p.Fragments(), cento.Active{Tools: []string{"plan"}})
	if system, _ := block.System(); system != text {
		t.Errorf("as fragments it is %q", system)
	}
	parts := cento.Primary{Parts: []cento.Fragment{{ID: "x", Body: "X.", Bucket: cento.After, RequiresCaps: []string{"c"}}, {ID: "y", Body: "Y."}}}
	if text, err := parts.Text(); err != nil || text != "X.\n\nY." {
		t.Errorf("parts: %q, %v", text, err)
	}
	if text, err := (cento.Primary{}).Text(); err != nil || text != "" {
		t.Errorf("nothing: %q, %v", text, err)
	}
	if _, err := (cento.Primary{System: &cento.Text{Body: "\xff"}}).Text(); err == nil {
		t.Error("what isn't UTF-8 passes")
	}
}

// Lists of a what-if have no room that another what-if writes to, and no memory of the
// caller's.
func TestWhatIfsShareNothing(t *testing.T) {
	names := []string{"read", "todo"}
	chosen := cento.Input{}.WithTools(names...)
	names[0] = "changed"
	if got := chosen.ActiveTools(); !slices.Equal(got, []string{"read", "todo"}) {
		t.Errorf("with tools: %q", got)
	}
	in := cento.Input{Without: append(make([]string, 0, 4), "a")}
	one, other := in.WithoutFragments("b"), in.WithoutFragments("c")
	if !slices.Equal(one.Without, []string{"a", "b"}) || !slices.Equal(other.Without, []string{"a", "c"}) {
		t.Errorf("without fragments: %q and %q", one.Without, other.Without)
	}
	// What gives way is told by ids that nothing else has, however often it does.
	host := cento.Input{Host: cento.Host{SystemPreamble: cento.HostText("First.")}}
	host.Primary.Sections = make([]cento.Fragment, 0, 4)
	second := host.WithHost(cento.Host{SystemPreamble: cento.HostText("Second.")})
	third, apart := second.WithHost(cento.Host{SystemPreamble: cento.HostText("Third.")}), second.WithHost(cento.Host{SystemPreamble: cento.HostText("Apart.")})
	for want, in := range map[string]cento.Input{"Second.": second, "Third.": third, "Apart.": apart} {
		p, err := cento.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := p.System(); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

// A text that is handed over stands in front where a layer took the place of the main
// text out, and what gave way to it is under no heading.
func TestMainTextInTheSectionPlan(t *testing.T) {
	main := cento.Fragment{ID: cento.SystemID, Source: "primary", Body: "Main.", Section: "Work", SectionIndex: 2}
	intro := cento.Fragment{ID: "text:0.0", Source: "template", Body: "Intro.", SectionIndex: 1}
	cleared := main
	cleared.Excluded = &cento.Exclusion{Code: cento.CodeLayerCleared, By: "team"}
	for _, c := range []struct {
		name string
		plan []cento.Fragment
		want string
	}{
		{"placed", []cento.Fragment{intro, main}, "Intro.\n\n## Work\n\nHanded."},
		{"taken out", []cento.Fragment{intro, cleared}, "Handed.\n\nIntro."},
		{"taken out and placed again", []cento.Fragment{cleared, intro, main}, "Intro.\n\n## Work\n\nHanded."},
	} {
		p, err := cento.Reduce(cento.Input{Primary: cento.Primary{Sections: c.plan}.WithSystem(cento.Text{Body: "Handed."})})
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := p.System(); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
		told := 0
		for _, x := range p.Traces(cento.ExplainOptions{ExcludedTexts: true}) {
			if x.Text == "Main." && x.Code == cento.CodeOverridden {
				if told++; x.Section != nil {
					t.Errorf("%s: what gave way is under %q", c.name, *x.Section)
				}
			}
		}
		if told != 1 {
			t.Errorf("%s: what gave way is told of %d times", c.name, told)
		}
	}
}

// The window of a model is what an input may take of it, where that is known.
func TestWindow(t *testing.T) {
	whole, most := 200, 150
	for _, c := range []struct {
		m    *cento.Model
		want int
		ok   bool
	}{
		{nil, 0, false}, {&cento.Model{}, 0, false}, {&cento.Model{Context: &whole}, 200, true},
		{&cento.Model{MaxInput: &most}, 150, true}, {&cento.Model{Context: &whole, MaxInput: &most}, 150, true},
	} {
		if got, ok := c.m.Window(); got != c.want || ok != c.ok {
			t.Errorf("%+v: %d, %v; want %d, %v", c.m, got, ok, c.want, c.ok)
		}
	}
}

// A part of a host asks for what the part around it asks first, and what is wrong with
// a condition that it has from there is told at the place of that one. Two conditions
// that are joined stand nowhere as one.
func TestNestedHostConditions(t *testing.T) {
	outer := cento.HostPart{
		ID: "outer", Origin: at("host.yaml", 1), RequiresTools: []string{"first"}, RequiresCaps: []string{"one"},
		Parts: []cento.HostPart{{ID: "inner", Content: "Inner.", Origin: at("host.yaml", 9), RequiresTools: []string{"second"}, RequiresCaps: []string{"two"}}},
	}
	compose := func(p cento.HostPart) ([]cento.Fragment, []cento.Note, error) {
		return cento.Compose(cento.Input{Host: cento.Host{SystemPromptParts: cento.HostOption{IsList: true, Parts: []cento.HostPart{p}}}})
	}
	list, _, err := compose(outer)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(f cento.Fragment) bool { return f.Body == "Inner." })
	if i < 0 || !slices.Equal(list[i].RequiresTools, []string{"first", "second"}) || !slices.Equal(list[i].RequiresCaps, []string{"one", "two"}) {
		t.Fatalf("%+v", list)
	}
	outer.RequiresAnyTools = []string{"any"}
	outer.GatesOrigin = &cento.GateOrigins{Tools: []cento.Position{at("host.yaml", 2)}, AnyTools: []cento.Position{at("host.yaml", 3)}}
	outer.Parts[0].GatesOrigin = &cento.GateOrigins{Tools: []cento.Position{at("host.yaml", 10)}, Caps: []cento.Position{at("host.yaml", 12)}}
	gates := func(want map[string]int) {
		t.Helper()
		if list, _, err = compose(outer); err != nil {
			t.Fatal(err)
		}
		lines := map[string]int{}
		for name, at := range list[i].GateTools() {
			lines[name] = at.Line
		}
		for name, at := range list[i].GateCaps() {
			lines[name] = at.Line
		}
		if !maps.Equal(lines, want) {
			t.Errorf("the names in the gates are on the lines %v, not %v", lines, want)
		}
	}
	gates(map[string]int{"first": 2, "second": 10, "any": 3, "one": 9, "two": 12})
	outer.RequiresAnyTools, outer.GatesOrigin.AnyTools = nil, nil
	outer.Parts[0].RequiresAnyTools, outer.Parts[0].GatesOrigin.AnyTools = []string{"other"}, []cento.Position{at("host.yaml", 13)}
	gates(map[string]int{"first": 2, "second": 10, "other": 13, "one": 9, "two": 12})
	outer.When, outer.WhenOrigin = "a", at("host.yaml", 3)
	if list, _, err = compose(outer); err != nil || list[i].When != "a" || list[i].WhenOrigin != at("host.yaml", 3) {
		t.Errorf("the condition %q is at %v, %v", list[i].When, list[i].WhenOrigin, err)
	}
	outer.Parts[0].When, outer.Parts[0].WhenOrigin = "b", at("host.yaml", 11)
	if list, _, err = compose(outer); err != nil || list[i].When != "(a) and (b)" || !list[i].WhenOrigin.IsZero() {
		t.Errorf("the condition %q is at %v, %v", list[i].When, list[i].WhenOrigin, err)
	}
	text := list[i].WhenText()
	places := cento.NewCursor(text.Body, text.Runs)
	for offset, want := range []int{3, 3, 3, 11, 11, 11, 11, 11, 11, 11, 11, 11} {
		if got := places.At(offset); got.Line != want {
			t.Errorf("byte %d of %s is at %v, not on line %d", offset, text.Body, got, want)
		}
	}
	outer.WhenOrigin = cento.Position{}
	if list, _, err = compose(outer); err != nil || list[i].WhenRuns != nil {
		t.Errorf("a condition without a place has the runs %v, %v", list[i].WhenRuns, err)
	}
}

// Guidance whose place nobody gave is where its tool is.
func TestGuidanceIsWhereItsToolIs(t *testing.T) {
	text := "Keep the list."
	list, _, err := cento.Compose(cento.Input{Tools: []cento.Tool{{Name: "todo", Guidance: &text, Origin: at("tools.yaml", 4)}}})
	if err != nil || len(list) != 1 || list[0].Origin != at("tools.yaml", 4) {
		t.Errorf("%+v, %v", list, err)
	}
}

// Of tools of one name each is told of, and the first of them as the other one.
func TestToolsOfOneName(t *testing.T) {
	var in cento.Input
	for line := range 4 {
		in.Tools = append(in.Tools, cento.Tool{Name: "read", Origin: at("tools.json", line+1)})
	}
	_, err := cento.Reduce(in)
	list := cento.SourceErrors(err)
	if len(list) != 3 {
		t.Fatalf("%v", err)
	}
	for i, e := range list {
		if e.Code != cento.DuplicateTool || e.Position != at("tools.json", i+2) || len(e.Related) != 1 || e.Related[0].Position != at("tools.json", 1) {
			t.Errorf("%v: %+v", e, e.Related)
		}
	}
}

// A body that looks like a prompt file is told of where its author could have named one:
// not where it is the program's or a session's, rendered, out already, or of the tail.
func TestWhoseBodiesAreUnrendered(t *testing.T) {
	const body = "Use {{ model }}."
	told := func(f cento.Fragment) bool {
		t.Helper()
		f.ID, f.Body = "a", body
		p, err := cento.Reduce(cento.Input{Fragments: []cento.Fragment{f}})
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(p.Notes(), func(n cento.Note) bool { return n.Code == cento.CodeUnrendered && n.Fragment == "a" })
	}
	for trust, want := range map[cento.Trust]bool{
		cento.TrustSession: false, cento.TrustTool: true, cento.TrustWorkspace: true, cento.TrustUser: true, cento.TrustBuiltin: false, cento.TrustHost: true,
	} {
		if got := told(cento.Fragment{Trust: trust}); got != want {
			t.Errorf("%v: %v, want %v", trust, got, want)
		}
	}
	if told(cento.Fragment{Trust: cento.TrustUser, Excluded: &cento.Exclusion{Code: cento.CodeOverridden, By: "b"}}) {
		t.Error("of a fragment that is out already it is told")
	}
	p, err := cento.Reduce(cento.Input{Instructions: &cento.Text{Body: body, Trust: cento.TrustWorkspace}, Boundaries: &cento.Text{Body: body}})
	if err != nil || len(p.Notes()) > 0 {
		t.Errorf("of the tail: %+v, %v", p.Notes(), err)
	}
}

// The notes of an input are the caller's: what is told besides goes into a list of its own.
func TestNotesOfAnInputStay(t *testing.T) {
	notes := make([]cento.Note, 1, 8)
	notes[0] = cento.Note{Code: "caller"}
	in := cento.Input{Notes: notes, Fragments: []cento.Fragment{{ID: "a", Body: "Use {{ model }}.", Trust: cento.TrustHost}}}
	p, err := cento.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Notes()) != 2 || p.Notes()[0].Code != "caller" || p.Notes()[1].Code != cento.CodeUnrendered {
		t.Errorf("the notes are %+v", p.Notes())
	}
	if more := notes[:2][1]; more != (cento.Note{}) {
		t.Errorf("behind the caller's notes stands %+v", more)
	}
}
