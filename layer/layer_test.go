package layer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
)

// prompt is what a stack of layers named by their index gives, with the
// execution prompt "Protocol execution.".
func prompt(t testing.TB, tools []string, layers ...layer.Layer) string {
	t.Helper()
	return reduce(t, resolve(t, layers...), tools...)
}

func stack(layers ...layer.Layer) []layer.Ranked {
	out := make([]layer.Ranked, len(layers))
	for i, l := range layers {
		out[i] = layer.Ranked{Name: "layer" + string(rune('a'+i)), Layer: l}
	}
	return out
}

func resolve(t testing.TB, layers ...layer.Layer) *layer.Resolution {
	t.Helper()
	r, err := layer.Resolve(stack(layers...))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func reduce(t testing.TB, r *layer.Resolution, tools ...string) string {
	t.Helper()
	b := builtins()
	b.ExecutionInstructions = cento.Text{Body: "Protocol execution."}
	p, err := cento.ReduceFragments(r.Compile(b), cento.Active{Tools: tools}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := p.System()
	return text
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}

func containsNot(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("%q stands in:\n%s", p, text)
		}
	}
}

func TestDefaultTemplateHasBuiltinSections(t *testing.T) {
	contains(t, prompt(t, []string{"ask"}),
		"You are an AI coding assistant.", "## Execution", "Protocol execution.", "## Guidance", "Ask only when progress is blocked")
}

func TestCoreGuidanceFollowsTheAskTool(t *testing.T) {
	without := prompt(t, nil)
	contains(t, without, "Be concise", "Prefer the simplest correct solution")
	containsNot(t, without, "Ask only when progress is blocked")
	contains(t, prompt(t, []string{"ask"}), "Ask only when progress is blocked")
}

// prioritised is a contribution with a priority.
func prioritised(c layer.Contribution, priority int32) layer.Contribution {
	c.Priority = priority
	return c
}

func TestContributionsStandByPriority(t *testing.T) {
	text := prompt(t, nil, layer.Layer{}.WithContributions(
		prioritised(layer.Guidance("Second Guide", "Second details."), 10), layer.Guidance("First Guide", "First details.")))
	if first, second := strings.Index(text, "### First Guide"), strings.Index(text, "### Second Guide"); first < 0 || second < first {
		t.Errorf("first at %d, second at %d in:\n%s", first, second, text)
	}
}

func TestTemplateCanLeaveBuiltinsOut(t *testing.T) {
	l := layer.Layer{}.WithTemplate(layer.NewTemplate(layer.Titled("Guidance", layer.Slot(layer.GuidanceSlot)))).
		WithContributions(layer.Guidance("Custom", "More guidance."))
	if got, want := prompt(t, nil, l), "## Guidance\n\n### Custom\n\nMore guidance."; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestTemplateCanPlaceProjectInstructionsApart(t *testing.T) {
	l := layer.Layer{}.WithTemplate(layer.NewTemplate(
		layer.Titled("Rules", layer.Slot(layer.ProjectInstructionsSlot)), layer.Titled("Guidance", layer.Slot(layer.GuidanceSlot)),
	)).WithContributions(layer.ProjectInstructions("Repo rules"), layer.Guidance("Shell", "Use exec_command."))
	want := "## Rules\n\n### Project Instructions\n\nRepo rules\n\n## Guidance\n\n### Shell\n\nUse exec_command."
	if got := prompt(t, nil, l); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestEmptySectionsAreSkipped(t *testing.T) {
	l := layer.Layer{}.WithTemplate(layer.NewTemplate(layer.Titled("Environment", layer.Slot(layer.EnvironmentSlot))))
	if got := prompt(t, nil, l); got != "" {
		t.Errorf("got:\n%s", got)
	}
}

func TestConstructors(t *testing.T) {
	anyTool := layer.Guidance("", "x")
	anyTool.RequiresAnyTools = []string{"a", "b"}
	for _, c := range []struct {
		c    layer.Contribution
		want string
	}{
		{layer.Intro("T", "x"), `{"slot":"intro","title":"T","priority":0,"content":"x"}`},
		{layer.Execution("T", "x"), `{"slot":"execution","title":"T","priority":0,"content":"x"}`},
		{layer.Guidance(" \t", "x"), `{"slot":"guidance","priority":0,"content":"x"}`},
		{prioritised(layer.Environment("T", "x"), -2), `{"slot":"environment","title":"T","priority":-2,"content":"x"}`},
		{layer.ProjectInstructions("x"), `{"slot":"project_instructions","title":"Project Instructions","priority":0,"content":"x"}`},
		{layer.RuntimeContext("x"), `{"slot":"runtime_context","title":"Runtime Context","priority":0,"content":"x"}`},
		{layer.NewContribution("house", "", "x").RequiresTool("a").RequiresTool("b"), `{"slot":"house","priority":0,"content":"x","requires_tools":["a","b"]}`},
		{anyTool, `{"slot":"guidance","priority":0,"gate":{"tools":["a","b"]},"content":"x"}`},
	} {
		if got := canonical(t, c.c); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// Copying methods leave the original as it is, also where memory could be
// shared.
func TestCopiesShareNothing(t *testing.T) {
	base := layer.Layer{}.WithContributions(layer.Guidance("A", "a"), layer.Guidance("B", "b")).
		WithTemplate(layer.DefaultTemplate()).WithRemoved(layer.IntroSlot, "x").
		WithPatches(layer.InsertSectionAfter("Guidance", layer.Titled("T", layer.Text("t"))))
	before := canonical(t, base)
	for name, change := range map[string]func(layer.Layer) layer.Layer{
		"contributions": func(l layer.Layer) layer.Layer { return l.WithContributions(layer.Guidance("C", "c")) },
		"replaced":      func(l layer.Layer) layer.Layer { return l.WithReplacedSlot(layer.GuidanceSlot, layer.Intro("C", "c")) },
		"cleared":       func(l layer.Layer) layer.Layer { return l.WithClearedSlot(layer.GuidanceSlot) },
		"removed":       func(l layer.Layer) layer.Layer { return l.WithRemoved(layer.IntroSlot, "y") },
		"template":      func(l layer.Layer) layer.Layer { return l.WithTemplate(layer.NewTemplate()) },
		"no template":   func(l layer.Layer) layer.Layer { return l.WithClearedTemplate() },
		"patches": func(l layer.Layer) layer.Layer {
			return l.WithPatches(layer.InsertSectionBefore("T", layer.Untitled()))
		},
		"clone": func(l layer.Layer) layer.Layer {
			c := l.Clone()
			c.Slots[layer.GuidanceSlot].Contributions[0].Content = "changed"
			*c.Template.Sections[1].Title = "changed"
			c.Template.Sections[0].Entries[0] = layer.Text("changed")
			*c.Patches[0].NewSection.Title = "changed"
			c.Patches[0].NewSection.Entries[0] = layer.Text("changed")
			return c
		},
	} {
		changed := change(base)
		if canonical(t, changed) == before {
			t.Errorf("%s: nothing changed", name)
		}
		if got := canonical(t, base); got != before {
			t.Errorf("%s: the original became %s", name, got)
		}
		change(changed) // a second copy of a copy
		if got := canonical(t, base); got != before {
			t.Errorf("%s twice: the original became %s", name, got)
		}
	}
}

func TestOperations(t *testing.T) {
	var l layer.Layer
	check := func(want string, empty bool) {
		t.Helper()
		if got := canonical(t, l); got != want || l.IsEmpty() != empty {
			t.Errorf("got %s, empty: %t; want %s", got, l.IsEmpty(), want)
		}
	}
	check(`{}`, true)
	l = l.WithContributions(layer.Intro("", "a"))
	check(`{"slots":{"intro":{"reset":false,"contributions":[{"slot":"intro","priority":0,"content":"a"}]}}}`, false)
	l = l.WithReplacedSlot(layer.IntroSlot, layer.Guidance("", "b"))
	check(`{"slots":{"intro":{"reset":true,"contributions":[{"slot":"intro","priority":0,"content":"b"}]}}}`, false)
	l = l.WithContributions(layer.Intro("", "c")) // leaves the reset
	check(`{"slots":{"intro":{"reset":true,"contributions":[{"slot":"intro","priority":0,"content":"b"},{"slot":"intro","priority":0,"content":"c"}]}}}`, false)
	l = l.WithClearedSlot(layer.IntroSlot)
	check(`{"slots":{"intro":{"reset":true}}}`, false)
	l = l.WithRemoved(layer.GuidanceSlot, "x", "y")
	check(`{"slots":{"guidance":{"reset":false,"remove":["x","y"]},"intro":{"reset":true}}}`, false)
	l = layer.Layer{}
	l = l.WithTemplate(layer.NewTemplate())
	check(`{"template":{"sections":[]}}`, false)
	l = l.WithClearedTemplate()
	check(`{}`, true)
	l = l.WithPatches(layer.InsertEntryBefore("A", "b", layer.Slot("c")), layer.InsertEntryAfter("A", "b", layer.Builtin(layer.CoreGuidance)))
	check(`{"patch":[{"op":"insert_entry","section":"A","before":"b","entry":{"kind":"slot","slot":"c"}},{"op":"insert_entry","section":"A","after":"b","entry":{"kind":"builtin","builtin":"core_guidance"}}]}`, false)
	if l := (layer.Layer{Slots: map[string]layer.SlotLayer{layer.IntroSlot: {}}}); l.IsEmpty() {
		t.Error("a layer with a slot entry counts as empty")
	}
}

// A layer that was made in Go is checked as one that was read.
func TestResolveRefusesWhatCannotBe(t *testing.T) {
	section := func(e layer.Entry) layer.Layer {
		return layer.Layer{}.WithTemplate(layer.NewTemplate(layer.Untitled(e)))
	}
	for _, c := range []struct {
		name  string
		layer layer.Layer
		code  cento.ErrorCode
	}{
		{"kind", section(layer.Entry{Kind: 9}), layer.UnknownKind},
		{"builtin", section(layer.Builtin("x")), layer.UnknownBuiltin},
		{"slot name", section(layer.Slot("a b")), layer.InvalidLayer},
		{"text and template", layer.Layer{}.WithContributions(layer.Contribution{Slot: layer.IntroSlot, Content: "a", Template: "$user/a"}), layer.InvalidLayer},
		{"operation", layer.Layer{}.WithPatches(layer.Patch{Op: 9}), layer.InvalidLayer},
		{"patched builtin", layer.Layer{}.WithPatches(layer.InsertSectionAfter("Guidance", layer.Untitled(layer.Builtin("x")))), layer.UnknownBuiltin},
		{"patched kind", layer.Layer{}.WithPatches(layer.InsertEntryAfter("Guidance", "guidance", layer.Entry{Kind: 7})), layer.UnknownKind},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := layer.Resolve(stack(c.layer)); !isOnly(err, c.code) {
				t.Errorf("got %v, want %s", err, c.code)
			}
		})
	}
	if _, err := layer.Resolve([]layer.Ranked{{Name: "x", Rank: 99}}); !isOnly(err, layer.InvalidLayer) {
		t.Errorf("rank 99: %v", err)
	}
}

func TestPatchLimit(t *testing.T) {
	patches := make([]layer.Patch, 1001)
	for i := range patches {
		patches[i] = layer.InsertSectionAfter("Guidance", layer.Untitled())
	}
	if r, err := layer.Resolve(stack(layer.Layer{Patches: patches[:1000]})); err != nil {
		t.Errorf("at the limit: %v", err)
	} else if n := len(r.Template().Sections) - len(layer.DefaultTemplate().Sections); n != 1000 {
		t.Errorf("at the limit: %d of 1000 are applied", n)
	}
	if _, err := layer.Resolve(stack(layer.Layer{Patches: patches})); !isOnly(err, cento.LimitExceeded) {
		t.Errorf("over the limit: %v", err)
	}
	// Another template begins anew.
	t0 := layer.DefaultTemplate()
	if _, err := layer.Resolve(stack(layer.Layer{Patches: patches[:600]}, layer.Layer{Template: &t0, Patches: patches[:600]})); err != nil {
		t.Errorf("two templates: %v", err)
	}
}

func TestLostTellsWhoAndWhy(t *testing.T) {
	r := resolve(t,
		layer.Layer{}.WithContributions(layer.Environment("Box", "A box."), layer.Guidance("Shell", "Use it.")),
		layer.Layer{}.WithClearedSlot(layer.EnvironmentSlot).WithTemplate(layer.NewTemplate(layer.Untitled(layer.Text("Only this.")))))
	var got strings.Builder
	for _, l := range r.Lost() {
		what := "?"
		switch {
		case l.Contribution != nil:
			what = l.Contribution.Content
		case l.Entry != nil:
			what = l.Entry.Kind.String() + " " + l.Entry.Value
		}
		got.WriteString(l.Layer + ": " + what + " [" + l.Slot + "] " + string(l.Exclusion.Code) + " " + l.Exclusion.By + "\n")
	}
	want := `builtin: builtin main_agent_intro [] layer.replaced layerb
builtin: builtin execution_instructions [] layer.replaced layerb
builtin: builtin core_guidance [] layer.replaced layerb
layera: A box. [environment] layer.cleared layerb
layera: Use it. [guidance] slot.unplaced guidance
`
	if got.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), want)
	}
}

// Absent and empty differ, what the host hands over wins, and the form tells
// all of it.
func TestSaved(t *testing.T) {
	one := layer.Layer{}.WithContributions(layer.Intro("", "a"))
	empty, full := &layer.Layer{}, &one
	for _, c := range []struct {
		saved layer.Saved
		given *layer.Layer
		want  *layer.Layer
		json  string
	}{
		{layer.Saved{}, nil, nil, `{}`},
		{layer.Saved{Session: empty}, nil, empty, `{"session":{}}`},
		{layer.Saved{Session: full}, nil, full, `{"session":{"slots":{"intro":{"reset":false,"contributions":[{"slot":"intro","priority":0,"content":"a"}]}}}}`},
		{layer.Saved{Session: full}, empty, empty, ``},
		{layer.Saved{Session: empty}, full, full, ``},
		{layer.Saved{}, empty, empty, ``},
	} {
		if got := c.saved.Reopen(c.given); got != c.want {
			t.Errorf("saved %s, given %v: got %v", canonical(t, c.saved), c.given, got)
		}
		if c.json == "" {
			continue
		}
		if got := canonical(t, c.saved); got != c.json {
			t.Errorf("got %s, want %s", got, c.json)
		}
		var again layer.Saved
		if err := again.UnmarshalJSON([]byte(c.json)); err != nil {
			t.Fatal(err)
		}
		if got := canonical(t, again); got != c.json || (again.Session == nil) != (c.saved.Session == nil) {
			t.Errorf("%s reads back as %s", c.json, got)
		}
	}
	var s layer.Saved
	if err := s.UnmarshalJSON([]byte(`{"host":{}}`)); err == nil {
		t.Error("a host layer was read from what was saved")
	}
}

func TestRankText(t *testing.T) {
	for name, want := range map[string]layer.Rank{
		"builtin": layer.BuiltinRank, "user": layer.UserRank, "pack": layer.PackRank, "pack:a:b": layer.PackRank, "workspace": layer.WorkspaceRank,
		"host": layer.HostRank, "plugin:x": layer.PluginRank, "session": layer.SessionRank, "turn": layer.TurnRank,
	} {
		var r layer.Rank
		if err := r.UnmarshalText([]byte(name)); err != nil || r != want {
			t.Errorf("%s reads as %s: %v", name, r, err)
		}
	}
	for _, name := range []string{"", "Pack", "pack:", "host:x", "team"} {
		var r layer.Rank
		if err := r.UnmarshalText([]byte(name)); err == nil {
			t.Errorf("%q reads as %s", name, r)
		}
	}
}

// A stack that is wrong in very many places keeps a thousand notes, and counts the rest.
func TestNotesAreBounded(t *testing.T) {
	for _, n := range []int{1000, 1001, 1250} {
		keys := make([]string, n)
		for i := range keys {
			keys[i] = fmt.Sprintf("nothing-%d", i)
		}
		r, err := layer.Resolve([]layer.Ranked{{Name: "user", Rank: layer.UserRank, Layer: layer.Layer{}.WithRemoved(layer.GuidanceSlot, keys...)}})
		if err != nil {
			t.Fatal(err)
		}
		omitted := ""
		for _, note := range r.Notes() {
			if note.Code == layer.CodeNotesOmitted {
				omitted = note.Message
			}
		}
		want := ""
		if n > 1000 {
			want = fmt.Sprintf("%d further notes on removals and slots are left out", n-1000)
		}
		if omitted != want {
			t.Errorf("%d removals of nothing: %q, want %q", n, omitted, want)
		}
	}
}

// Sorting leaves the caller's list as it is.
func TestSortCopies(t *testing.T) {
	list := []layer.Ranked{{Name: "session", Rank: layer.SessionRank}, {Name: "user", Rank: layer.UserRank}}
	if sorted := layer.Sort(list); sorted[0].Name != "user" || list[0].Name != "session" {
		t.Errorf("sorted %v, of %v", sorted, list)
	}
}

// Compiling changes nothing of a resolution: what a later layer clears is what it would
// have cleared before.
func TestCompilingChangesNothing(t *testing.T) {
	rule, note := prioritised(layer.Guidance("", "Protected rule."), 10), layer.Guidance("", "Passing note.")
	rule.Protected = true
	r := resolve(t, layer.Layer{}.WithContributions(rule), layer.Layer{}.WithReplacedSlot(layer.GuidanceSlot, note))
	before := reduce(t, r)
	cleared, err := r.With(layer.Ranked{Name: "top", Layer: layer.Layer{}.WithClearedSlot(layer.GuidanceSlot)})
	if err != nil {
		t.Fatal(err)
	}
	text := reduce(t, cleared)
	contains(t, text, "Protected rule.")
	containsNot(t, text, "Passing note.")
	if again := reduce(t, r); again != before {
		t.Errorf("compiled again:\n%s\nwant:\n%s", again, before)
	}
}

// A note on what is protected names the first who tried to take it out.
func TestFirstWhoRemoves(t *testing.T) {
	rule := layer.Guidance("Rule", "Protected rule.")
	rule.Protected = true
	remove, clear := layer.Layer{}.WithRemoved(layer.GuidanceSlot, "rule"), layer.Layer{}.WithClearedSlot(layer.GuidanceSlot)
	for _, c := range []struct {
		name   string
		layers []layer.Layer
		want   string
	}{
		{"one", []layer.Layer{{}, remove}, "its removal by layer \"layerc\""},
		{"two", []layer.Layer{remove, {}, remove}, "2 removals, the first by layer \"layerb\""},
		{"cleared first", []layer.Layer{clear, remove, remove}, "3 removals, the first by layer \"layerb\""},
		{"cleared last", []layer.Layer{{}, remove, clear}, "2 removals, the first by layer \"layerc\""},
	} {
		var got string
		for _, n := range resolve(t, append([]layer.Layer{layer.Layer{}.WithContributions(rule)}, c.layers...)...).Notes() {
			if n.Code == layer.CodeProtectedKept {
				got = n.Message
			}
		}
		if want := "slot:guidance/rule is protected and survives " + c.want; got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

// A slot that everybody knows may be filled where the section plan hasn't it, and what
// is contributed is told of; a blank text of a plan that was replaced isn't missed.
func TestStandardSlotsAreKnown(t *testing.T) {
	r, err := layer.ResolveOver(layer.NewTemplate(layer.Untitled(layer.Text(" \n"), layer.Text("Bottom."))), stack(
		layer.Layer{}.WithContributions(layer.Guidance("Shell", "Use it.")).WithTemplate(layer.NewTemplate(layer.Untitled(layer.Text("Only this.")))),
	))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Compile(builtins()) {
		if f.Excluded != nil {
			got = append(got, string(f.Excluded.Code)+" "+f.Body)
		}
	}
	if want := "layer.replaced Bottom., slot.unplaced Use it."; strings.Join(got, ", ") != want {
		t.Errorf("out: %q, want %s", got, want)
	}
}

// The section plan of a project is the default one with the agent's own text first, once,
// and without the builtins that it stands instead of. Those that are named stay where they
// were, slots and headings too, and the default plan itself isn't changed.
func TestProjectTemplate(t *testing.T) {
	lines := func(plan layer.Template) (out []string) {
		for _, s := range plan.Sections {
			if s.Trust != cento.TrustBuiltin {
				t.Errorf("the section %q is of trust %s", s.Heading(), s.Trust)
			}
			for _, e := range s.Entries {
				out = append(out, s.Heading()+": "+e.Kind.String()+" "+e.Value)
			}
		}
		return out
	}
	usual := lines(layer.DefaultTemplate())
	all := []string{layer.MainAgentIntro, layer.ExecutionInstructions, layer.CoreGuidance}
	for bits := range 1 << len(all) {
		var keep []string
		want := []string{": builtin " + layer.Instruction}
		for i, name := range all {
			if bits&(1<<i) != 0 {
				keep = append(keep, name)
			}
		}
		for _, line := range usual {
			if _, builtin, is := strings.Cut(line, ": builtin "); !is || slices.Contains(keep, builtin) {
				want = append(want, line)
			}
		}
		plan := layer.ProjectTemplate(keep...)
		if got := lines(plan); !slices.Equal(got, want) {
			t.Errorf("with %q:\n%s\nwant:\n%s", keep, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		for _, name := range append(all, layer.Instruction) {
			if plan.Places(name) != (name == layer.Instruction || slices.Contains(keep, name)) {
				t.Errorf("with %q: places %s is %v", keep, name, plan.Places(name))
			}
		}
	}
	if got := lines(layer.DefaultTemplate()); !slices.Equal(got, usual) {
		t.Errorf("the default plan is now %q", got)
	}
}

// A builtin that is placed is a fragment wherever it is, also where it has no words: then
// the trace tells that it is empty, and nothing that is placed is gone without a word.
func TestBuiltinsWithoutWords(t *testing.T) {
	plan := layer.ProjectTemplate(layer.MainAgentIntro, layer.ExecutionInstructions, layer.CoreGuidance)
	plan.Sections = append(plan.Sections, layer.Titled("Again", layer.Builtin(layer.CoreGuidance), layer.Builtin(layer.ExecutionInstructions)))
	r, err := layer.ResolveOver(plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	words := builtins()
	words.ExecutionInstructions = cento.Text{Body: "Do it."}
	words.Instruction = &cento.Fragment{Body: "Work."}
	guidance := words
	guidance.CoreGuidance = nil
	for name, c := range map[string]struct {
		b    layer.Builtins
		want string
	}{
		"none":                 {layer.Builtins{}, "builtin:main_agent_intro=body.empty builtin:execution_instructions=body.empty builtin:core_guidance=body.empty builtin:core_guidance@2=body.empty builtin:execution_instructions@2=body.empty"},
		"all but the guidance": {guidance, "primary:system builtin:main_agent_intro builtin:execution_instructions builtin:core_guidance=body.empty builtin:core_guidance@2=body.empty builtin:execution_instructions@2"},
	} {
		p, err := cento.ReduceFragments(r.Compile(c.b), cento.Active{}, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range p.Len() {
			id := p.Fragment(i).ID
			if d := p.Trace(i, cento.ExplainOptions{}); !d.Included {
				id += "=" + string(d.Code)
			}
			got = append(got, id)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, " "), c.want)
		}
	}
}

// What is said of a patch whose place isn't there: the nearest name where one is near, and
// the names that there are, each once, in their order, no texts, and of very many the
// first twenty; of none it is said that there are none.
func TestAnchorHints(t *testing.T) {
	numbered := func(n int, first ...string) []string {
		for i := range n {
			first = append(first, fmt.Sprintf("part-%02d", i))
		}
		return first
	}
	listed := func(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }
	for name, c := range map[string]struct {
		names []string
		want  string // behind what they are
	}{
		"none":        {nil, "none"},
		"one":         {[]string{"other"}, `"other"`},
		"again":       {[]string{"other", "one", "other", "one"}, `"other", "one"`},
		"twenty":      {numbered(20), listed(numbered(20))},
		"one more":    {numbered(21), listed(numbered(20)) + ", … and 1 more"},
		"five more":   {numbered(25), listed(numbered(20)) + ", … and 5 more"},
		"very many":   {numbered(1200), listed(numbered(20)) + ", … and 1180 more"},
		"again, many": {numbered(20, numbered(20)...), listed(numbered(20))},
	} {
		for _, near := range []string{"", "placee"} {
			names := c.names
			hint := func(what string) string { return what + ": " + c.want }
			if near != "" {
				if len(names) != 1 && len(names) != 2 {
					continue
				}
				names = append(slices.Clone(names), near)
				hint = func(what string) string { return `did you mean "placee"? ` + what + ": " + c.want + `, "placee"` }
			}
			var entries []layer.Entry
			var sections []layer.Section
			for _, n := range names {
				entries = append(entries, layer.Text("Words."), layer.Slot(n))
				sections = append(sections, layer.Titled(n, layer.Text("Words.")))
			}
			for _, at := range []struct {
				plan layer.Template
				p    layer.Patch
				want string
			}{
				{layer.NewTemplate(layer.Titled("Here", entries...)), layer.InsertEntryAfter("Here", "place", layer.Text("x")), hint("its slots and builtins")},
				{layer.NewTemplate(sections...), layer.InsertSectionAfter("place", layer.Titled("New", layer.Text("x"))), hint("sections")},
				{layer.NewTemplate(sections...), layer.InsertEntryBefore("place", "intro", layer.Text("x")), hint("sections")},
			} {
				_, err := layer.Resolve(stack(layer.Layer{}.WithTemplate(at.plan), layer.Layer{}.WithPatches(at.p)))
				list := cento.SourceErrors(err)
				if len(list) != 1 || list[0].Code != layer.UnknownAnchor || list[0].Hint != at.want {
					t.Errorf("%s: %v\nwant the hint %s", name, err, at.want)
				}
			}
		}
	}
}

// Of equal texts a merge keeps what is protected, and a key of a duplicate is nobody's:
// who removes it then is told so, and the duplicate stays one.
func TestMergedDuplicates(t *testing.T) {
	one, two, kept := layer.Guidance("", "Same."), layer.Guidance("", "Same."), layer.Guidance("", "Same.")
	one.ID, two.ID, kept.ID, kept.Protected = "one", "two", "kept", true
	m := resolve(t, layer.Layer{}.WithContributions(one, two, kept)).Merged()
	next, err := m.With(layer.Ranked{Name: "top", Layer: layer.Layer{}.WithRemoved(layer.GuidanceSlot, "two")})
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*layer.Resolution{"merged": m, "and one removed": next} {
		var keys []string
		for _, c := range r.Contributions() {
			keys = append(keys, c.Key)
		}
		if got := strings.Join(keys, " "); got != "one kept" {
			t.Errorf("%s: in force are %s", name, got)
		}
		for _, f := range r.Compile(builtins()) {
			if f.Excluded != nil && f.Excluded.Code != cento.CodeDuplicate {
				t.Errorf("%s: %s is out as %v", name, f.ID, *f.Excluded)
			}
		}
	}
	if notes := next.Notes(); len(notes) != 1 || notes[0].Code != layer.CodeRemoveUnknown {
		t.Errorf("notes: %+v", notes)
	}
}

// TestWrongLayersAreNamed: what a host builds that can't be a layer is told with the layer, the
// slot and the word that is wrong, each in its place.
func TestWrongLayersAreNamed(t *testing.T) {
	in := func(c layer.Contribution) layer.Layer {
		c.Slot = layer.GuidanceSlot
		return layer.Layer{}.WithContributions(c)
	}
	plan := func(e layer.Entry) layer.Layer {
		return layer.Layer{}.WithTemplate(layer.NewTemplate(layer.Titled("Guidance", e)))
	}
	for want, c := range map[string]layer.Ranked{
		`layer "mine", slot "guidance": a contribution has either content or a template, not both`: {Name: "mine", Layer: in(layer.Contribution{Content: "Ask.", Template: "$user/ask"})},
		`layer "mine", slot "guidance": a layer of rank plugin can't bring protected text`:         {Name: "mine", Rank: layer.PluginRank, Layer: in(layer.Contribution{Content: "Ask.", Protected: true})},
		`layer 1 has the name "a\nb"`:                                    {Name: "a\nb"},
		`layer "mine" has a rank that doesn't exist`:                     {Name: "mine", Rank: 77},
		`layer "mine" places a slot with the name "a b"`:                 {Name: "mine", Layer: plan(layer.Slot("a b"))},
		`layer "mine" places the builtin "nothing", which doesn't exist`: {Name: "mine", Layer: plan(layer.Builtin("nothing"))},
		// It exists, in another stack.
		`layer "mine" places the builtin "instruction", and only a project has one`: {Name: "mine", Layer: plan(layer.Builtin(layer.Instruction))},
	} {
		_, err := layer.Resolve([]layer.Ranked{c})
		if list := cento.SourceErrors(err); len(list) != 1 || list[0].Message != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestUnknownSlots: of many slots that no template has, those that are told first have
// the hints: by place, where there is one, else by name. Layers keep slots in maps, which
// have no order.
func TestUnknownSlots(t *testing.T) {
	for _, placed := range []bool{true, false} {
		slots := map[string]layer.SlotLayer{}
		for i := range 40 {
			l := layer.SlotLayer{Reset: true}
			if placed {
				l.Origin = cento.Position{File: "l.yaml", Line: 50 - i, Column: 1}
			}
			slots[fmt.Sprintf("intro%02d", i)] = l
		}
		_, err := layer.Resolve([]layer.Ranked{{Name: "mine", Layer: layer.Layer{Slots: slots}}})
		list := cento.SourceErrors(err)
		hinted := 0
		for i, e := range list {
			if e.Hint != "" {
				if hinted++; hinted != i+1 {
					t.Errorf("placed %t: %s has a hint, and one before it has none", placed, e.Message)
				}
			}
		}
		if hinted == 0 || hinted >= len(list) || len(list) < 20 {
			t.Errorf("placed %t: %d of %d have hints", placed, hinted, len(list))
		}
	}
}
