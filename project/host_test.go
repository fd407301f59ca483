package project_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
)

// What a host hands over is in the prompt, each where the manifest's own would be, and
// what it has no word on is as it was.
func TestTheHostHandsOverItsOwn(t *testing.T) {
	dir := treetest.Project(t, map[string]string{
		"cento.yaml": `version: 1
scope: off
profile: off
system: You are careful.
host: {system_preamble: From the manifest.}
tools: [{name: shell, guidance: Prefer make.}]
vars: {who: {type: string, default: nobody}}
fragments:
  - {id: git, requires_caps: [git], body: Commit often.}
`,
		".cento/prompts/part.md": "A part for {{ vars.who }}.",
	})
	guidance := "Read first."
	wording, err := pack.ParseWording("host.yaml", "prompt: {loop_contract: Go on until it is done.}\n", cento.TrustHost, cento.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	team := layer.Layer{}.WithContributions(layer.RuntimeContext("The team ships on Fridays."))
	plain, err := project.Assemble(t.Context(), project.Request{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := plain.System()
	for name, c := range map[string]struct {
		request   project.Request
		has, gone []string
	}{
		"a host part": {
			project.Request{Host: cento.Host{SystemPreamble: cento.HostText("From the host."), SystemSuffix: cento.HostText("At the end.")}},
			[]string{"From the manifest.\n\nFrom the host.\n\nYou are careful.", "Prefer make.", "At the end."}, nil,
		},
		"a prompt file": {
			project.Request{Host: cento.Host{SystemSuffix: cento.HostOption{Parts: []cento.HostPart{{Template: "$workspace/part"}}}}, Vars: json.RawMessage(`{"who":"you"}`)},
			[]string{"You are careful.", "A part for you."}, nil,
		},
		"primary parts": {
			project.Request{Primary: []cento.Fragment{{ID: "a", Body: "One."}, {ID: "b", Template: "$workspace/part"}}, Vars: json.RawMessage(`{"who":"all"}`)},
			[]string{"One.\n\nA part for all."}, []string{"You are careful."},
		},
		"no primary block": {project.Request{Primary: []cento.Fragment{}}, []string{"Prefer make."}, []string{"You are careful."}},
		"a capability":     {project.Request{Caps: []string{"git"}}, []string{"Commit often.", "You are careful."}, nil},
		"tools":            {project.Request{Tools: []cento.Tool{{Name: "read", Guidance: &guidance}}}, []string{"Prefer make.", "Read first."}, nil},
		"only its tools":   {project.Request{OnlyTools: true, Tools: []cento.Tool{{Name: "read", Guidance: &guidance}}}, []string{"Read first."}, []string{"Prefer make."}},
		"no tools":         {project.Request{OnlyTools: true}, []string{"You are careful."}, []string{"Prefer make."}},
		"wording":          {project.Request{Wording: []*pack.Wording{wording}}, []string{"You are careful."}, nil},
		"a layer":          {project.Request{Stack: []layer.Ranked{{Name: "team", Rank: layer.HostRank, Layer: team}}}, []string{"You are careful.", "The team ships on Fridays."}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c.request.Dir = dir
			p, err := project.Open(t.Context(), c.request)
			if err != nil {
				t.Fatal(err)
			}
			prompt, err := p.Reduce(p.Input)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := prompt.System()
			for _, want := range c.has {
				if !strings.Contains(got, want) {
					t.Errorf("%q isn't in\n%s", want, got)
				}
			}
			for _, gone := range c.gone {
				if strings.Contains(got, gone) || !strings.Contains(text, gone) {
					t.Errorf("%q is in\n%s", gone, got)
				}
			}
			if again, err := pack.Reduce(p.Input); err != nil || again.Digest() != prompt.Digest() {
				t.Errorf("the input alone gives another prompt: %v", err)
			}
			if name == "wording" && p.Input.Files.Wording["loop_contract"].Body != "Go on until it is done." {
				t.Errorf("the wording is %+v", p.Input.Files.Wording)
			}
		})
	}
}

// What can't be meant is refused with the name of what is wrong.
func TestTheHostIsToldWhatIsWrong(t *testing.T) {
	dir := treetest.Project(t, map[string]string{"cento.yaml": "version: 1\nsystem: Hello.\nscope: off\n"})
	for name, c := range map[string]struct {
		request project.Request
		code    cento.ErrorCode
		said    string
	}{
		"tools twice":         {project.Request{OnlyTools: true, ToolsText: []byte("[]")}, cento.InvalidTool, "its Tools alone"},
		"a layer without":     {project.Request{Stack: []layer.Ranked{{Rank: layer.HostRank}}}, layer.InvalidLayer, "no name"},
		"the built-in rank":   {project.Request{Stack: []layer.Ranked{{Name: "x"}}}, layer.InvalidLayer, `"x"`},
		"a name twice":        {project.Request{Stack: []layer.Ranked{{Name: "x", Rank: layer.HostRank}, {Name: "x", Rank: layer.UserRank}}}, manifest.Conflict, `"x"`},
		"the session's name":  {project.Request{Stack: []layer.Ranked{{Name: "session", Rank: layer.HostRank}}}, manifest.Conflict, `"session"`},
		"two tools of a name": {project.Request{Tools: []cento.Tool{{Name: "a"}, {Name: "a"}}}, cento.DuplicateTool, `"a"`},
		"a missing file":      {project.Request{Primary: []cento.Fragment{{ID: "a", Template: "$workspace/none"}}}, pack.NotFound, "none"},
	} {
		c.request.Dir = dir
		if _, err := project.Assemble(t.Context(), c.request); !errors.Is(err, c.code) || !strings.Contains(err.Error(), c.said) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
