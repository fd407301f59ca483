package pack_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// The parts of the primary block are worded for the active set: by the built-in
// wording, and by what stands instead of it, with what that includes.
func TestPartsAreWorded(t *testing.T) {
	server := "srv"
	in := cento.Input{
		Active: cento.Active{Tools: []string{"todo", "read"}, Caps: []string{"model.text_tools"}},
		Tools: []cento.Tool{
			{Name: "todo", Description: "Plans.", Trust: cento.TrustTool, Parameters: json.RawMessage(`{"a": 1}`)},
			{Name: "read", Description: "Reads.", Trust: cento.TrustTool, Server: server},
			{Name: "off", Description: "Not active.", Trust: cento.TrustTool},
		},
		Primary: cento.Primary{
			Worded: true, ProgressToolName: "todo",
			Instruction: &cento.Fragment{Template: "$builtin/role/coder", Trust: cento.TrustBuiltin},
		},
		Files: cento.Files{
			Now: time.Date(2026, 4, 15, 9, 30, 0, 0, time.UTC), Cwd: "/srv",
			Skills: []cento.ListedSkill{{Name: cento.Text{Body: "pdf", Trust: cento.TrustWorkspace}, Description: cento.Text{Body: "Reads PDF.", Trust: cento.TrustWorkspace}}},
		},
	}
	wording, err := pack.ParseWording("prompts.yaml", "prompt: {loop_contract: 'Stop. {% include \"$user/more\" %}', core_guidance: unused here}\n", cento.TrustUser, cento.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	loader := pack.NewLoader(mustRoots(t, map[string]string{"$user/more": "Really."}), cento.Limits{})
	c, _, err := pack.NewCatalog(loader, wording)
	if err != nil {
		t.Fatal(err)
	}
	c.AddTo(&in.Files)
	if got := in.Files.Sources; len(got) != 1 || got["$user/more.md"] != "Really." {
		t.Errorf("the input carries %q", got)
	}
	if w := in.Files.Wording["loop_contract"]; len(in.Files.Wording) != 1 || w.Trust != cento.TrustUser || w.Origin.Line != 1 {
		t.Errorf("the input carries the wording %+v", in.Files.Wording)
	}
	p, text := reduce(t, in)
	for _, want := range []string{
		"Some of your tools come from MCP servers", "with `todo`: write the steps", "\n- pdf: Reads PDF.", "Stop. Really.",
		"- `todo`: Plans.\n  Arguments: {\"a\":1}", "- `read`: Reads.", "## Environment\n\nYou operate in `/srv`; relative paths start there. Today is 2026-04-15.",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q stands %d times in\n%s", want, strings.Count(text, want), text)
		}
	}
	if strings.Contains(text, "Not active.") {
		t.Error("a tool that isn't active is listed")
	}
	codes := map[string]cento.Trust{}
	for i := range p.Len() {
		codes[p.Fragment(i).ID] = p.Fragment(i).Trust
	}
	if codes["primary:loop_contract"] != cento.TrustUser || codes["primary:environment"] != cento.TrustBuiltin {
		t.Errorf("trust %v", codes)
	}
	in.Active.Tools = []string{"read"}
	if _, text := reduce(t, in); strings.Contains(text, "`todo`") {
		t.Errorf("without todo:\n%s", text)
	}
}

// A text that the catalog doesn't have is told with the place that names it.
func TestUnknownPart(t *testing.T) {
	at := cento.Position{File: "f", Line: 3, Column: 1}
	in := cento.Input{Fragments: []cento.Fragment{{ID: "a", Template: cento.CatalogTemplate + "none", Origin: at}}}
	e, err := pack.NewEngine(in)
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Expand(&in.Fragments[0], cento.Active{})
	if err == nil || !strings.HasPrefix(err.Error(), "f:3:1: no text of the catalog is worded as '$catalog/none'") {
		t.Error(err)
	}
}
