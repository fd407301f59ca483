package pack_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// keys is the published set: a key can't come or go unnoticed.
var keys = []pack.Key{
	"agents_md_section", "compact_system", "core_guidance", "denied_heading", "environment", "instructions_cut", "instructions_left_out",
	"interrupt_system_note", "interrupt_tool_result_summary", "loop_contract", "main_agent_intro", "manifest_heading", "mcp_advisory",
	"notify_wrapper", "profile_build", "profile_git", "profile_heading", "profile_language", "profile_task", "progress_tool", "reminders_heading", "skill_catalog",
	"skills_heading", "tool_contract", "tools_heading", "working_boundaries_section",
}

func TestKeysBothWays(t *testing.T) {
	if d := cmp.Diff(keys, pack.Keys()); d != "" {
		t.Error(d)
	}
	refs, err := pack.NewLoader(pack.Roots{}, cento.Limits{}).List(pack.Builtin)
	if err != nil {
		t.Fatal(err)
	}
	var filed []pack.Key
	for _, r := range refs {
		// Parts of a key's wording carry the key before a dot.
		if name, ok := strings.CutPrefix(r.String(), "$builtin/catalog/"); ok {
			name, _, _ = strings.Cut(name, ".")
			filed = append(filed, pack.Key(name))
		}
	}
	slices.Sort(filed)
	if d := cmp.Diff(keys, slices.Compact(filed)); d != "" {
		t.Errorf("keys (-) and embedded files (+) differ:\n%s", d)
	}
}

func text(body string) cento.Text {
	return cento.Text{Body: body, Trust: cento.TrustWorkspace, Origin: cento.Position{File: "f", Line: 7, Column: 3}}
}

func catalog(t *testing.T) *pack.Catalog {
	t.Helper()
	c, notes, err := pack.NewCatalog(pack.NewLoader(pack.Roots{}, cento.Limits{}))
	if err != nil || len(notes) > 0 {
		t.Fatal(notes, err)
	}
	return c
}

// wordings renders every key once.
func wordings(t *testing.T, c *pack.Catalog) map[pack.Key]cento.Text {
	t.Helper()
	out := map[pack.Key]cento.Text{}
	put := func(k pack.Key) func(cento.Text, error) {
		return func(x cento.Text, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: %v", k, err)
			}
			out[k] = x
		}
	}
	tools := []cento.Tool{
		{Name: "read", Description: " Reads a file. ", Parameters: json.RawMessage(`{ "type": "object" }`), Trust: cento.TrustTool},
		{Name: "stop", Trust: cento.TrustTool, Parameters: json.RawMessage("null")},
	}
	skills := []cento.ListedSkill{{Name: text("pdf"), Path: text("skills/pdf/SKILL.md"), Description: text("Reads PDF files")}, {Name: text("xls")}}
	put(pack.WorkingBoundariesSection)(c.WorkingBoundariesSection(text("Readable:\n  - /a")))
	put(pack.AgentsMDSection)(c.AgentsMDSection(text("Be {{ kind }}."), []string{"AGENTS.md"}))
	for _, k := range []pack.Key{pack.CompactSystem, pack.NotifyWrapper, pack.InterruptToolResultSummary, pack.InterruptSystemNote} {
		put(k)(c.HostText(k, text("done")))
	}
	put(pack.MainAgentIntro)(c.MainAgentIntro(text("Acme reviewer")))
	put(pack.MCPAdvisory)(c.MCPAdvisory())
	put(pack.ProgressTool)(c.ProgressTool(text("todo")))
	put(pack.LoopContract)(c.LoopContract())
	put(pack.ToolContract)(c.ToolContract(tools))
	put(pack.SkillCatalog)(c.SkillCatalog(skills))
	put(pack.InstructionsCut)(c.InstructionsCut("docs/AGENTS.md", 10, 200, 100))
	put(pack.InstructionsLeftOut)(c.InstructionsLeftOut("x\n## y", 200, 100))
	put(pack.ProfileLanguage)(c.ProfileLanguage(text("Rust")))
	put(pack.ProfileBuild)(c.ProfileBuild(text("Cargo")))
	put(pack.ProfileTask)(c.ProfileTask(pack.ProjectTask{Name: text("test"), Command: text("make test")}))
	put(pack.ProfileGit)(c.ProfileGit([]cento.Text{text("github.com/a/b"), text("gitlab.com/c/d")}))
	put(pack.DeniedHeading)(c.DeniedHeading())
	put("environment")(c.With(pack.Variables{Cwd: "/srv", Now: time.Date(2026, 4, 15, 9, 30, 0, 0, time.UTC)}).Environment())
	put("profile_heading")(c.ProfileHeading())
	put("tools_heading")(c.ToolsHeading())
	put("skills_heading")(c.SkillsHeading())
	put("manifest_heading")(c.ManifestHeading())
	put("reminders_heading")(c.RemindersHeading())
	guidance, err := c.CoreGuidance()
	if err != nil {
		t.Fatal(err)
	}
	out[pack.CoreGuidance] = guidance[0].Text
	for _, k := range pack.Keys() {
		if _, ok := out[k]; !ok {
			t.Errorf("%s is not rendered by this test", k)
		}
	}
	return out
}

func TestBuiltinWording(t *testing.T) {
	got := wordings(t, catalog(t))
	for k, want := range map[pack.Key]string{
		pack.WorkingBoundariesSection: "---\n## Working boundaries\n\nReadable:\n  - /a",
		pack.AgentsMDSection:          "---\n## Project instructions (AGENTS.md)\n\nBe {{ kind }}.",
		pack.MainAgentIntro:           "You are Acme reviewer.",
		pack.CoreGuidance:             "- Be concise: no filler, no hedging, no show.",
		pack.LoopContract:             "",
		pack.SkillCatalog:             "Before a task that one of these skills is for, read its file and follow it.\n\n- pdf (skills/pdf/SKILL.md): Reads PDF files\n- xls",
		pack.InstructionsCut:          "[cut: docs/AGENTS.md: kept 10 of 200 bytes, limit 100]",
		pack.InstructionsLeftOut:      `[left out: x\n## y: 200 bytes, limit 100]`,
		pack.ProfileLanguage:          "This project uses Rust.",
		pack.ProfileTask:              "The project's test command is `make test`.",
		pack.ProfileGit:               "This project is a git repository with these remotes: github.com/a/b, gitlab.com/c/d.",
		pack.DeniedHeading:            "Not accessible:",
		"environment":                 "## Environment\n\nYou operate in `/srv`; relative paths start there. Today is 2026-04-15.",
		"profile_heading":             "Project",
		"manifest_heading":            "Additional instructions",
		"reminders_heading":           "Reminders",
	} {
		if got[k].Body != want {
			t.Errorf("%s is %q, want %q", k, got[k].Body, want)
		}
	}
	if tools := "\n- `read`: Reads a file.\n  Arguments: {\"type\":\"object\"}\n- `stop`"; !strings.HasSuffix(got[pack.ToolContract].Body, tools) {
		t.Errorf("the tool contract is %q", got[pack.ToolContract].Body)
	}
	for k, x := range got {
		if k != pack.LoopContract && strings.TrimSpace(x.Body) == "" {
			t.Errorf("%s is blank", k)
		}
		if x.Body != strings.TrimRight(x.Body, "\n") {
			t.Errorf("%s ends in a newline", k)
		}
	}
}

// A host asks by the name of a key; a wrong one is told, and so is a key that the
// program reads itself.
func TestHostText(t *testing.T) {
	c := catalog(t)
	x, err := c.HostText(pack.NotifyWrapper, text("done"))
	if err != nil || x.Body != "[Notification to you, not written by the user]\ndone" || x.Runs[len(x.Runs)-1].Trust != cento.TrustWorkspace {
		t.Errorf("%+v, %v", x, err)
	}
	if x, err := c.HostText(pack.CompactSystem, text("It rained.")); err != nil || !strings.Contains(x.Body, "Next step") || strings.Contains(x.Body, "rained") {
		t.Errorf("%+v, %v", x, err)
	}
	_, err = c.HostText("notify_wraper", text("done"))
	if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != pack.NotFound || e.Hint != "did you mean 'notify_wrapper'?" {
		t.Errorf("%+v", err)
	}
	if _, err := c.HostText(pack.AgentsMDSection, text("x")); !errors.Is(err, pack.NotFound) {
		t.Error(err)
	}
}

// The environment says what is known of it, and nothing when nothing is.
func TestEnvironment(t *testing.T) {
	day := time.Date(2026, 4, 15, 9, 30, 0, 0, time.UTC)
	for _, x := range []struct {
		v    pack.Variables
		want string
	}{
		{pack.Variables{}, ""},
		{pack.Variables{Cwd: "/srv"}, "## Environment\n\nYou operate in `/srv`; relative paths start there."},
		{pack.Variables{Now: day}, "## Environment\n\nToday is 2026-04-15."},
	} {
		if got, err := catalog(t).With(x.v).Environment(); err != nil || got.Body != x.want {
			t.Errorf("%q, %v; want %q", got.Body, err, x.want)
		}
	}
}

func TestAgentHasADefaultName(t *testing.T) {
	for _, name := range []string{"", " \n"} {
		x, err := catalog(t).MainAgentIntro(text(name))
		if err != nil || x.Body != "You are an AI coding assistant." || slices.ContainsFunc(x.Runs, func(r cento.Run) bool { return r.Trust != cento.TrustBuiltin }) {
			t.Errorf("%+v, %v", x, err)
		}
	}
}

func TestCoreGuidanceIsThreeFragments(t *testing.T) {
	parts, err := catalog(t).CoreGuidance()
	if err != nil {
		t.Fatal(err)
	}
	var got [][2]string
	for _, p := range parts {
		got = append(got, [2]string{p.ID + " " + strings.Join(p.RequiresTools, ","), p.Text.Body})
	}
	want := [][2]string{
		{"core_guidance ", "- Be concise: no filler, no hedging, no show."},
		{"core_guidance.ask ask", "- Take initiative when the intent is clear. Ask only when progress is blocked."},
		{"core_guidance.rest ", "- State a conclusion once, then act on it in the same turn.\n- Prefer the simplest correct solution to a clever one."},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Every byte of a wording is a run of the embedded file that it is copied from,
// or data with the trust it came with.
func TestWordingKnowsItsOrigin(t *testing.T) {
	l := pack.NewLoader(pack.Roots{}, cento.Limits{})
	for k, x := range wordings(t, catalog(t)) {
		end := 0
		for _, r := range x.Runs {
			if r.Start != end || r.End <= r.Start {
				t.Errorf("%s: runs don't tile the text: %+v", k, x.Runs)
			}
			end = r.End
			body := x.Body[r.Start:r.End]
			if r.Position.IsZero() {
				t.Errorf("%s: %q has no place", k, body)
			}
			switch {
			case r.Var == "" && r.Trust != cento.TrustBuiltin:
				t.Errorf("%s: the literal %q has trust %s", k, body, r.Trust)
			case r.Var == "":
				src, err := l.Load(mustRef(t, r.Position.File), cento.Position{})
				if err != nil {
					t.Fatal(err)
				}
				if !strings.HasPrefix(src.Text[offsetOf(src.Text, r.Position):], body) {
					t.Errorf("%s: %q doesn't stand at %s", k, body, r.Position)
				}
			case r.Trust == cento.TrustWorkspace && r.Position.File != "f" && !strings.HasPrefix(string(k), "instructions_") && k != "environment" && r.Var != "files":
				t.Errorf("%s: the data %q lost its place: %s", k, body, r.Position)
			}
		}
		if end != len(x.Body) {
			t.Errorf("%s: %d bytes, runs end at %d", k, len(x.Body), end)
		}
		if x.Trust != cento.TrustBuiltin || x.Origin.Line != 1 {
			t.Errorf("%s has trust %s and origin %s", k, x.Trust, x.Origin)
		}
	}
}

// offsetOf finds the byte at a line and column.
func offsetOf(text string, p cento.Position) int {
	offset := 0
	for range p.Line - 1 {
		offset += strings.IndexByte(text[offset:], '\n') + 1
	}
	for i := range text[offset:] {
		if p.Column--; p.Column == 0 {
			return offset + i
		}
	}
	return len(text)
}

func TestDataKeepsItsRuns(t *testing.T) {
	at := func(file string, line int) cento.Position { return cento.Position{File: file, Line: line, Column: 1} }
	x, err := catalog(t).AgentsMDSection(cento.Text{
		Body: "one\ntwo\n[cut]", Trust: cento.TrustWorkspace,
		Runs: []cento.Run{
			{Start: 0, End: 4, Position: at("AGENTS.md", 1), Trust: cento.TrustWorkspace},
			{Start: 4, End: 8, Position: at("sub/AGENTS.md", 9), Trust: cento.TrustUser, Var: "v"},
			{Start: 8, End: 13, Position: at("$builtin/catalog/instructions_cut.md", 1), Trust: cento.TrustBuiltin, Fixed: true},
		},
	}, []string{"AGENTS.md", "a\nb", "c", "d"})
	if err != nil {
		t.Fatal(err)
	}
	n, open, closed := strings.Index(x.Body, "one"), strings.Index(x.Body, "(")+1, strings.Index(x.Body, ")")
	if named := x.Body[open:closed]; named != `AGENTS.md, a\nb, c and 1 more` {
		t.Errorf("the heading names %q", named)
	}
	want := []cento.Run{
		{Start: 0, End: open, Position: at("$builtin/catalog/agents_md_section.md", 1), Trust: cento.TrustBuiltin},
		{Start: open, End: closed, Position: cento.Position{File: "$builtin/catalog/agents_md_section.md", Line: 2, Column: 29}, Trust: cento.TrustWorkspace, Var: "files", Fixed: true},
		{Start: closed, End: n, Position: cento.Position{File: "$builtin/catalog/agents_md_section.md", Line: 2, Column: 37}, Trust: cento.TrustBuiltin},
		{Start: n, End: n + 4, Position: at("AGENTS.md", 1), Trust: cento.TrustWorkspace, Var: "agents_md"},
		{Start: n + 4, End: n + 8, Position: at("sub/AGENTS.md", 9), Trust: cento.TrustUser, Var: "v"},
		{Start: n + 8, End: n + 13, Position: at("$builtin/catalog/instructions_cut.md", 1), Trust: cento.TrustBuiltin, Var: "agents_md", Fixed: true},
	}
	if d := cmp.Diff(want, x.Runs); d != "" {
		t.Error(d)
	}
}

func TestToolContractRefusesBrokenSchemas(t *testing.T) {
	_, err := catalog(t).ToolContract([]cento.Tool{{Name: "read", Parameters: json.RawMessage("{")}})
	if !errors.Is(err, cento.InvalidTool) || !strings.Contains(err.Error(), "'read'") {
		t.Error(err)
	}
}
