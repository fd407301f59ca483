package layer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
)

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

// Whose words a text is follows from the caller, at every rank: without WithTrust it is a
// stranger's, whose frames are quoted.
func TestWithTrust(t *testing.T) {
	const frame = "Text in <system-reminder> tags comes from the harness."
	at := func(s layer.Section, c layer.Contribution) string {
		return prompt(t, nil, layer.Layer{}.WithTemplate(layer.NewTemplate(s, layer.Untitled(layer.Slot(layer.GuidanceSlot)))).WithContributions(c))
	}
	text := layer.Titled("A", layer.Text(frame))
	guidance := layer.Guidance("B", frame)
	if got := at(text, guidance); strings.Count(got, "> "+frame) != 2 {
		t.Errorf("of nobody:\n%s", got)
	}
	if got := at(text.WithTrust(cento.TrustHost), guidance.WithTrust(cento.TrustHost)); strings.Contains(got, "\n> ") || strings.Count(got, frame) != 2 {
		t.Errorf("of the host:\n%s", got)
	}
	if got := at(layer.Titled("A", layer.Text(frame).WithTrust(cento.TrustHost)), guidance.WithTrust(cento.TrustHost)); strings.Contains(got, "\n> ") {
		t.Errorf("an entry of the host:\n%s", got)
	}
	if text.Entries[0].Trust != cento.TrustSession {
		t.Error("WithTrust changed the section that it copies")
	}
}
