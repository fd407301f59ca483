package project

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project/consent"
)

// layered opens a project whose files are those of an archive, with the user's
// folder in home/config. Packs below .cento/packs are locked as they are.
func layered(t *testing.T, archive string) (*Project, error) {
	t.Helper()
	dir := t.TempDir()
	files := txtar.Parse([]byte(archive)).Files
	if len(files) == 0 {
		t.Fatal("an archive without files")
	}
	for _, f := range files {
		treetest.File(t, dir, f.Name, string(f.Data))
	}
	root := filepath.Join(dir, "repo")
	packs, _ := filepath.Glob(filepath.Join(root, ".cento/packs/*"))
	var lock strings.Builder
	lock.WriteString("version: 1\npacks:\n")
	for _, folder := range packs {
		installed, err := consent.OpenInstalled(disk.Disk{}, filepath.Base(folder), folder, nil, cento.Limits{}, cento.Position{})
		if err != nil {
			t.Fatal(err)
		}
		lock.WriteString("  - {name: " + installed.Name + ", version: '" + installed.Version + "', sha256: " + installed.Digest + "}\n")
	}
	if len(packs) > 0 {
		if err := os.WriteFile(filepath.Join(root, consent.LockFile), []byte(lock.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Open(t.Context(), Request{Dir: root, Home: filepath.Join(dir, "home"), Config: filepath.Join(dir, "home/config")})
}

const stack = `
-- home/config/config.yaml --
layers:
  - name: me
    layer: {slots: {guidance: {contributions: [{id: tone, content: Answer in German.}]}}}
prompt:
  main_agent_intro: "You are {{ agent.name }}, and kind."
-- repo/.git/HEAD --
-- repo/.cento/prompts/review.md --
---
requires_tools: [review]
---
Review with care.
-- repo/.cento/packs/acme/pack.yaml --
name: acme
version: 1.0.0
description: Rules.
layer: {slots: {guidance: {contributions: [{title: Acme rules, content: Write tests., protected: false}, {id: gone, template: $pack/acme/missing}]}}}
-- repo/cento.yaml --
agent: {name: Reviewer, execution_prompt: Work in small steps.}
packs: [{name: acme}]
layers:
  - {name: team, layer: {slots: {guidance: {remove: [gone], contributions: [{id: review, template: $workspace/review}]}}}}
tools: [{name: review}]
`

// The layers of all places are in one stack, each with the trust of its place;
// what was removed is traced, and its prompt file isn't looked for.
func TestLayersOfAllPlaces(t *testing.T) {
	p, err := layered(t, stack)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range p.Layers() {
		names = append(names, l.Rank.String()+" "+l.Name)
	}
	if want := []string{"user me", "pack pack:acme", "workspace team"}; !slices.Equal(names, want) {
		t.Errorf("the stack is %q, want %q", names, want)
	}
	prompt, err := p.Reduce(p.Input)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := prompt.System()
	const begins = "You are Reviewer. You carry out the user's software tasks"
	const want = "\n\n## Execution\n\nWork in small steps.\n\n## Guidance\n\nAnswer in German.\n\n### Acme rules\n\nWrite tests.\n\nReview with care.\n\n"
	if !strings.HasPrefix(text, begins) || !strings.Contains(text, want) {
		t.Errorf("the prompt is %q", text)
	}
	for id, want := range map[string]struct {
		layer string
		trust cento.Trust
		why   string
	}{
		"slot:guidance/tone":             {"me", cento.TrustUser, "unconditional"},
		"slot:guidance/acme-rules":       {"pack:acme", cento.TrustWorkspace, "unconditional"},
		"slot:guidance/review":           {"team", cento.TrustWorkspace, "tool(s) present: review"},
		"slot:guidance/gone":             {"pack:acme", cento.TrustWorkspace, "removed by layer `team`"},
		"builtin:execution_instructions": {"builtin", cento.TrustWorkspace, "unconditional"},
		"primary:system":                 {"builtin", cento.TrustTool, "unconditional"}, // it lists the tools
	} {
		i, ok := prompt.Index(id)
		if !ok {
			t.Errorf("there is no %s", id)
			continue
		}
		tr := prompt.Trace(i, cento.ExplainOptions{})
		if tr.Layer == nil || *tr.Layer != want.layer || tr.Trust != want.trust || tr.Reason != want.why {
			t.Errorf("%s: layer %v, trust %s, %q", id, tr.Layer, tr.Trust, tr.Reason)
		}
	}
	for _, id := range []string{"builtin:main_agent_intro", "builtin:core_guidance"} {
		if _, ok := prompt.Index(id); ok {
			t.Errorf("%s stands beside the instruction", id)
		}
	}

	// Stored and read again, it is the same prompt, without a file.
	stored, err := json.Marshal(p.Input)
	if err != nil {
		t.Fatal(err)
	}
	var in cento.Input
	if err := json.Unmarshal(stored, &in); err != nil {
		t.Fatal(err)
	}
	engine, err := pack.NewEngine(in)
	if err != nil {
		t.Fatal(err)
	}
	again, err := cento.ReduceWith(in, engine)
	if err != nil {
		t.Fatal(err)
	}
	if replayed, _ := again.System(); replayed != text {
		t.Errorf("replayed it is %q", replayed)
	}
}

// A choice of layers is what the project would be with those alone.
func TestLayerChoice(t *testing.T) {
	p, err := layered(t, stack)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		choice LayerChoice
		want   string
	}{
		{LayerChoice{}, "me pack:acme team"},
		{LayerChoice{Only: []string{"team", "me"}}, "me team"},
		{LayerChoice{Without: []string{"me"}}, "pack:acme team"},
		{LayerChoice{Only: []string{"builtin"}}, ""},
	} {
		q, err := p.WithLayers(t.Context(), c.choice)
		if err != nil {
			t.Errorf("%+v: %v", c.choice, err)
			continue
		}
		var names []string
		for _, l := range q.Layers() {
			names = append(names, l.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.choice, got, c.want)
		}
		if (q.Input.Primary.Instruction == nil) != q.Layered() || (len(q.Input.Primary.Sections) > 0) != q.Layered() || q.Layered() != (c.want != "") {
			t.Errorf("%+v: layered is %v, the instruction %v", c.choice, q.Layered(), q.Input.Primary.Instruction)
		}
	}
	q, err := p.WithLayers(t.Context(), LayerChoice{Only: []string{"team", "me"}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(q.Input.Notes, func(n cento.Note) bool { return n.Code == layer.CodeRemoveUnknown }) {
		t.Errorf("nothing notes that team removes what isn't there: %+v", q.Input.Notes)
	}
	_, err = p.WithLayers(t.Context(), LayerChoice{Without: []string{"tema"}})
	if e, ok := errors.AsType[*cento.SourceError](err); !ok || e.Code != UnknownLayer || !strings.Contains(e.Hint, `"team"`) {
		t.Errorf("an unknown layer: %v", err)
	}
}

// What is said for a section plan that isn't in the prompt is noted, and a main
// text that somebody named stands before the sections.
func TestLayersAndMainText(t *testing.T) {
	for name, c := range map[string]struct {
		manifest, starts string
		codes            []cento.Code
	}{
		"no layers":        {"system: Main.", "Main.", nil},
		"execution alone":  {"{system: Main., agent: {execution_prompt: Go.}}", "Main.", []cento.Code{ExecutionUnused}},
		"an empty layer":   {"{system: Main., layers: [{name: a, layer: {}}]}", "Main.", nil},
		"a patch alone":    {"{system: Main., layers: [{name: a, layer: {patch: [{op: insert_section, after: Guidance, section: {title: A}}]}}]}", "Main.", []cento.Code{LayersUnused}},
		"system and slots": {"{system: Main., layers: [{name: a, layer: {slots: {intro: {contributions: [{content: Hello.}]}}}}]}", "Main.\n\nHello.", nil},
		"a template":       {"{layers: [{name: a, layer: {template: {sections: [{title: A, entries: [{kind: text, content: Hello.}]}]}}}]}", "## A\n\nHello.", nil},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := layered(t, "-- repo/.git/HEAD --\n-- repo/cento.yaml --\n"+c.manifest+"\n")
			if err != nil {
				t.Fatal(err)
			}
			prompt, err := p.Reduce(p.Input)
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := prompt.System(); !strings.HasPrefix(text, c.starts) {
				t.Errorf("the prompt is %q, want it to begin with %q", text, c.starts)
			}
			var codes []cento.Code
			for _, n := range p.Input.Notes {
				codes = append(codes, n.Code)
			}
			if !slices.Equal(codes, c.codes) {
				t.Errorf("notes %q, want %q", codes, c.codes)
			}
		})
	}
}

// Layers take nothing away that they don't name: without a template the main text
// stays as it is, and a template that has no place for it shows in the trace.
func TestLayersAndTheInstruction(t *testing.T) {
	const (
		slots    = "slots: {guidance: {contributions: [{content: Ask first.}]}}"
		without  = "template: {sections: [{title: A, entries: [{kind: text, content: Hello.}, {kind: slot, slot: guidance}]}]}"
		placing  = "template: {sections: [{title: A, entries: [{kind: slot, slot: guidance}]}, {entries: [{kind: builtin, builtin: instruction}]}]}"
		patching = "patch: [{op: insert_section, before: Guidance, section: {entries: [{kind: builtin, builtin: main_agent_intro}]}}]"
	)
	for name, c := range map[string]struct {
		main, layer string
		is, why     string // what primary:system says of itself
		contains    []string
	}{
		"slots alone":                     {"", slots, "in", "unconditional", []string{"## Conduct\n", "\n\n## Guidance\n\nAsk first."}},
		"slots beside a text":             {"system: Main.\n", slots, "in", "unconditional", []string{"Main.\n\n## Guidance\n\nAsk first."}},
		"a template":                      {"", without, "out", "replaced by layer `a`", []string{"## A\n\nHello."}},
		"a template and slots":            {"", without + ", " + slots, "out", "replaced by layer `a`", []string{"## A\n\nHello.\n\nAsk first."}},
		"a template beside a text":        {"system: Main.\n", without, "in", "unconditional", []string{"Main.\n\n## A\n\nHello."}},
		"a template that places it":       {"", placing + ", " + slots, "in", "unconditional", []string{"## A\n\nAsk first.\n\nYou are an AI coding assistant. You carry out"}},
		"a template that places the text": {"system: Main.\n", placing + ", " + slots, "in", "unconditional", []string{"## A\n\nAsk first.\n\nMain."}},
		"a patch with a builtin":          {"", patching + ", " + slots, "in", "unconditional", []string{"## Conduct\n", "\n\nYou are an AI coding assistant.\n\n## Guidance\n\nAsk first."}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := layered(t, "-- repo/.git/HEAD --\n-- repo/cento.yaml --\n"+c.main+"layers: [{name: a, layer: {"+c.layer+"}}]\n")
			if err != nil {
				t.Fatal(err)
			}
			prompt, err := p.Reduce(p.Input)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := prompt.System()
			for _, want := range c.contains {
				if !strings.Contains(text, want) {
					t.Errorf("the prompt lacks %q: %q", want, text)
				}
			}
			i, ok := prompt.Index(cento.SystemID)
			if !ok {
				t.Fatal("the main text isn't in the trace")
			}
			tr := prompt.Trace(i, cento.ExplainOptions{})
			if tr.Included != (c.is == "in") || tr.Reason != c.why {
				t.Errorf("%s is in: %v, %s; want %s, %s", tr.ID, tr.Included, tr.Reason, c.is, c.why)
			}
			if strings.Contains(text, "## Conduct") != (c.main == "" && tr.Included) {
				t.Errorf("the prompt is %q", text)
			}
			// The folder that the built-in instruction leaves to a section of its own
			// comes and goes with it.
			if i, ok := prompt.Index("primary:environment"); !ok || prompt.In(i) != (c.main == "" && tr.Included) {
				t.Errorf("the environment is in the trace: %v; told: %v", ok, ok && prompt.In(i))
			}
			// The built-in instruction is in the trace where a text stands in its place.
			i, ok = prompt.Index("builtin:instruction")
			if ok != (c.main != "") || ok && prompt.Reason(i) != "overridden by `primary:system`" {
				t.Errorf("the built-in instruction is told of as replaced: %v", ok)
			}
		})
	}
	_, err := layered(t, "-- repo/.git/HEAD --\n-- repo/cento.yaml --\nlayers: [{name: a, layer: {"+slots+", patch: [{op: insert_entry, section: Guidance, before: core_guidance, entry: {kind: text, content: x}}]}}]\n")
	if list := cento.SourceErrors(err); len(list) != 1 || list[0].Code != layer.UnknownAnchor {
		t.Errorf("a patch beside a builtin that isn't in the plan: %v", err)
	}
}

// The builtins can be worded anew, by the user and by the project over them; their
// wording reads the active set.
func TestBuiltinsWordedAnew(t *testing.T) {
	p, err := layered(t, `
-- home/config/config.yaml --
prompt:
  main_agent_intro: Hello from the user.
  core_guidance: "{% if tool('ask') %}Ask when in doubt.{% else %}Guess.{% endif %}"
-- repo/.git/HEAD --
-- repo/.cento/prompts.yaml --
prompt: {main_agent_intro: Hello from the project.}
-- repo/cento.yaml --
tools: [ask]
scope: off
profile: off
layers:
  - name: team
    layer:
      template: {sections: [{entries: [{kind: builtin, builtin: main_agent_intro}, {kind: slot, slot: intro}]}, {title: Guidance, entries: [{kind: builtin, builtin: core_guidance}]}]}
      slots: {intro: {contributions: [{content: Hi.}]}}
`)
	if err != nil {
		t.Fatal(err)
	}
	prompt, err := p.Reduce(p.Input)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := prompt.System(); text != "Hello from the project.\n\nHi.\n\n## Guidance\n\nAsk when in doubt." {
		t.Errorf("the prompt is %q", text)
	}
	i, _ := prompt.Index("builtin:core_guidance")
	if f := prompt.Fragment(i); f.Trust != cento.TrustUser || f.Origin.File != "~/config/config.yaml" {
		t.Errorf("the user's wording has trust %s and comes from %v", f.Trust, f.Origin)
	}
}

// Layers that can't be are errors where they stand.
func TestLayerErrors(t *testing.T) {
	const acme = "-- repo/.git/HEAD --\n-- repo/cento.yaml --\npacks: [{name: acme}]\n-- repo/.cento/packs/acme/pack.yaml --\nname: acme\nversion: 1.0.0\ndescription: Rules.\nlayer: "
	for name, c := range map[string]struct {
		archive, file string
		code          cento.ErrorCode
	}{
		"an unknown slot":                  {"-- repo/cento.yaml --\nlayers: [{name: a, layer: {slots: {guidence: {}}}}]\n", "cento.yaml", layer.UnknownSlot},
		"a pack with protected text":       {acme + "{slots: {guidance: {contributions: [{content: x, protected: true}]}}}\n", ".cento/packs/acme/pack.yaml", layer.ProtectedDenied},
		"a pack with an unknown key":       {acme + "{slot: {}}\n", ".cento/packs/acme/pack.yaml", "key.unknown"},
		"a user with a team's name":        {"-- repo/cento.yaml --\n-- home/config/config.yaml --\nlayers: [{name: workspace, layer: {}}]\n", "~/config/config.yaml", manifest.ReservedLayer},
		"a user's name that a project has": {"-- repo/cento.yaml --\nlayers: [{name: a, layer: {}}]\n-- home/config/config.yaml --\nlayers: [{name: a, layer: {}}]\n", "~/config/config.yaml", manifest.Conflict},
		"a contract file of a user":        {"-- repo/cento.yaml --\n-- home/config/config.yaml --\nfragments: [{id: a, contract: a.json}]\n", "~/config/config.yaml", manifest.Unsupported},
		"an id that a user takes":          {"-- repo/cento.yaml --\nfragments: [{id: a, body: x}]\n-- home/config/config.yaml --\nfragments: [{id: a, body: y}]\n", "cento.yaml", cento.DuplicateID},
		"an unknown key of a user":         {"-- repo/cento.yaml --\n-- home/config/config.yaml --\nlayer: []\n", "~/config/config.yaml", "key.unknown"},
		"a prompt file that is not":        {"-- repo/cento.yaml --\nlayers: [{name: a, layer: {slots: {intro: {contributions: [{template: $workspace/none}]}}}}]\n", "cento.yaml", pack.ResolveFailed},
		"an id that a fragment takes":      {"-- repo/cento.yaml --\nfragments: [{id: 'slot:intro/a', body: x}]\nlayers: [{name: a, layer: {slots: {intro: {contributions: [{id: a, content: y}]}}}}]\n", "cento.yaml", cento.DuplicateID},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := layered(t, c.archive)
			if err == nil {
				_, err = p.Reduce(p.Input)
			}
			list := cento.SourceErrors(err)
			if len(list) != 1 || list[0].Code != c.code || list[0].Position.File != c.file {
				t.Errorf("%v", err)
			}
		})
	}
}
