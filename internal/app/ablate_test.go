package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// ofFiles opens a project that is nothing but these files.
func ofFiles(t rapid.TB, files map[string]string) (*Project, Request) {
	t.Helper()
	r, err := FilesOf(files)
	if err != nil {
		t.Fatal(err)
	}
	site, err := Locate(r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Open(context.Background(), site, r)
	if err != nil {
		t.Fatalf("%v\n%s", err, files["cento.yaml"])
	}
	return p, r
}

// drawn is a fragment of a manifest that is drawn. Without it, it has a condition that is
// never true.
type drawn map[string]any

func (d drawn) yaml(out bool) string {
	f := map[string]any{}
	for k, v := range d {
		f[k] = v
	}
	if out {
		f["when"] = "false"
	}
	b, err := json.Marshal(f)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func drawFragments(t *rapid.T) []drawn {
	var out []drawn
	for i := range rapid.IntRange(3, 7).Draw(t, "fragments") {
		f := drawn{"id": fmt.Sprintf("f%d", i), "body": rapid.SampledFrom([]string{"Write plainly.", "Ask before you delete {{.", "Say `why`:\n\n- first\n- second", "### Rules\n\nKeep to them.", " "}).Draw(t, "body")}
		if rapid.Bool().Draw(t, "gated?") {
			f["requires_tools"] = []string{rapid.SampledFrom([]string{"read", "todo", "todo", "none"}).Draw(t, "tool")}
		}
		if i > 0 && rapid.Bool().Draw(t, "needs?") {
			f["needs"] = []string{fmt.Sprintf("f%d", rapid.IntRange(0, i-1).Draw(t, "needed"))}
		}
		if rapid.Bool().Draw(t, "sectioned?") {
			f["section"] = rapid.SampledFrom([]string{"Style", "Safety"}).Draw(t, "section")
		}
		if rapid.IntRange(0, 3).Draw(t, "required?") > 0 {
			f["importance"] = rapid.IntRange(1, 3).Draw(t, "importance")
			if g := rapid.SampledFrom([]string{"", "", "g", "h"}).Draw(t, "group"); g != "" {
				f["group"] = g
			}
		}
		out = append(out, f)
	}
	return out
}

// TestAblationIsTheWhatIf: each row is the prompt of a manifest in which that fragment
// can't be in, its figures are those of both explanations, and who is gone and back are
// the verdicts that differ; for every unit that is made of fragments.
func TestAblationIsTheWhatIf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawFragments(t)
		budget := ""
		if rapid.IntRange(0, 3).Draw(t, "unbounded?") > 0 {
			budget = fmt.Sprintf("budget: {tokens: %d}\n", rapid.IntRange(25, 60).Draw(t, "budget"))
		}
		open := func(without ...string) (*cento.Explanation, *Project) {
			var b strings.Builder
			b.WriteString("system: You write code.\nprofile: off\nskills: off\nscope: off\ntools: [{name: read, guidance: Read first.}, {name: todo}]\n" + budget + "fragments:\n")
			for _, f := range list {
				b.WriteString("  - " + f.yaml(slices.Contains(without, f["id"].(string))) + "\n")
			}
			p, _ := ofFiles(t, map[string]string{"cento.yaml": b.String(), "AGENTS.md": "Use tabs.\n"})
			prompt, err := p.Reduce(p.Input)
			if err != nil {
				return nil, nil
			}
			return prompt.Explain(cento.ExplainOptions{Counter: CounterOf(p.Input)}), p
		}
		whole, p := open()
		if whole == nil { // the budget isn't enough for what is required
			return
		}
		unit := rapid.SampledFrom([]AblateUnit{AblateFragments, AblateSections, AblateGroups}).Draw(t, "unit")
		a, err := p.Ablate(context.Background(), AblateOptions{By: unit})
		if err != nil {
			t.Fatal(err)
		}
		if *a.Whole.Digest != *whole.Digest || a.Whole.Tokens != *whole.Tokens || a.Encoding != *whole.Encoding {
			t.Fatalf("the whole prompt isn't the one that is explained: %+v", a.Whole)
		}
		for _, x := range a.Parts {
			if slices.ContainsFunc(x.Without, func(id string) bool { return !strings.HasPrefix(id, "f") }) {
				continue // the manifest has no other way to take it out
			}
			want, _ := open(x.Without...)
			if want == nil || *want.System != *x.Prompt || *want.Digest != *x.Digest {
				t.Fatalf("without %v: %q, want %q", x.Without, *x.Prompt, *want.System)
			}
			if x.Tokens != *want.Tokens || x.Saved != *whole.Tokens-*want.Tokens {
				t.Fatalf("without %v: %d tokens, %d saved, want %d of %d", x.Without, x.Tokens, x.Saved, *want.Tokens, *whole.Tokens)
			}
			var wantGone, wantBack []string
			for i, f := range whole.Fragments {
				switch now := want.Fragments[i]; {
				case f.ID != now.ID:
					t.Fatalf("the fragments are others: %s, %s", f.ID, now.ID)
				case f.Included && !now.Included && !slices.Contains(x.Without, f.ID):
					wantGone = append(wantGone, f.ID)
				case !f.Included && now.Included:
					wantBack = append(wantBack, f.ID)
				}
			}
			if !same(x.Gone, wantGone) || !same(x.Back, wantBack) || len(x.Reworded) > 0 {
				t.Fatalf("without %v: gone %v, back %v, reworded %v, want %v and %v", x.Without, x.Gone, x.Back, x.Reworded, wantGone, wantBack)
			}
		}
	})
}

// TestAblationGivesRoom: what needs a fragment goes with it, and what a budget has room
// for then comes back.
func TestAblationGivesRoom(t *testing.T) {
	p, _ := ofFiles(t, map[string]string{"cento.yaml": `system: Work.
profile: off
skills: off
scope: off
budget: {tokens: 14}
fragments:
  - {id: long, importance: 2, body: Write plainly and keep every sentence short.}
  - {id: more, needs: [long], importance: 2, body: Always.}
  - {id: late, importance: 1, body: Ask before you delete anything.}
`})
	a, err := p.Ablate(t.Context(), AblateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Parts) != 3 {
		t.Fatalf("the whole prompt is %q", *a.Whole.Prompt)
	}
	if x := a.Parts[1]; x.Name != "long" || !same(x.Gone, []string{"more"}) || !same(x.Back, []string{"late"}) {
		t.Errorf("without %s: gone %v, back %v: %q", x.Name, x.Gone, x.Back, *x.Prompt)
	}
}

// same reports whether two lists have the same members.
func same(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

const ablatedManifest = `system: You write code.
profile: off
skills: off
tools:
  - {name: read, guidance: Read first.}
  - {name: todo, guidance: "Keep the list: it is all that you have, and all that you will have."}
layers:
  - {name: low, layer: {slots: {guidance: {contributions: [{id: tone, title: Tone, content: Be kind.}]}}}}
  - {name: high, layer: {slots: {guidance: {remove: [tone], contributions: [{id: other, content: Be brief.}]}}}}
fragments:
  - {id: team.list, requires_tools: [todo], body: Note findings in the list.}
  - {id: team.more, needs: [team.list], body: All of them.}
  - {id: team.none, when: not tool('todo'), body: There is no list.}
targets:
  ci: {tools: [read]}
tests:
  - {name: list, contains: [in the list, All of them]}
  - {name: no list, target: ci, contains: no list, not_contains: in the list}
  - {name: read, targets: all, contains: Read first.}
  - {name: order, order: [team.list, team.more]}
  - {name: long, max_tokens: 10}
`

// TestAblationOfToolsAndLayers is what diff --without-tool and --without-layer tell.
func TestAblationOfToolsAndLayers(t *testing.T) {
	p, _ := ofFiles(t, map[string]string{"cento.yaml": ablatedManifest})
	a, err := p.Ablate(t.Context(), AblateOptions{By: AblateTools, On: WhatIfOn(WhatIf{Caps: []string{"x"}})})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range a.Parts {
		in, _ := p.WhatIf(WhatIf{Caps: []string{"x"}, WithoutTools: []string{x.Name}})
		prompt, err := p.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := prompt.System(); text != *x.Prompt {
			t.Errorf("without the tool %s: %q, want %q", x.Name, *x.Prompt, text)
		}
	}
	todo := a.Parts[1]
	if want := []string{"team.list", "team.more", "tool:todo.guidance"}; !same(todo.Without, want) || !same(todo.Back, []string{"team.none"}) || len(todo.Gone) > 0 {
		t.Errorf("without todo: out %v, back %v, gone %v", todo.Without, todo.Back, todo.Gone)
	}
	if *a.Whole.Definitions <= *todo.Definitions || *todo.Definitions <= 0 {
		t.Errorf("definitions take %d tokens, %d without one", *a.Whole.Definitions, *todo.Definitions)
	}

	if a, err = p.Ablate(t.Context(), AblateOptions{By: AblateLayers}); err != nil {
		t.Fatal(err)
	}
	if len(a.Parts) != 2 || a.Parts[1].Name != "high" {
		t.Fatalf("layers %+v", a.Parts)
	}
	high := a.Parts[1]
	if len(high.Without) != 1 || len(high.Back) != 1 || !strings.Contains(*high.Prompt, "Be kind.") || strings.Contains(*high.Prompt, "Be brief.") {
		t.Errorf("without the layer high: out %v, back %v: %q", high.Without, high.Back, *high.Prompt)
	}
	if _, err = p.Ablate(t.Context(), AblateOptions{By: "fragmnet"}); err == nil || cento.SourceErrors(err)[0].Hint != `did you mean "fragment"?` {
		t.Errorf("an unknown unit: %v", err)
	}
}

// TestAblationIsNoticed: the tests that are said to fail without a fragment are those that
// fail when it can't be in and pass otherwise.
func TestAblationIsNoticed(t *testing.T) {
	p, r := ofFiles(t, map[string]string{"cento.yaml": ablatedManifest})
	a, err := p.Ablate(t.Context(), AblateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := AblateTests(t.Context(), r, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	passes := map[string]bool{}
	for _, x := range whole.Results {
		passes[x.Name] = x.Status == TestPassed
	}
	asked := 0
	for _, x := range a.Parts {
		line := "- {id: " + x.Name + ","
		if !strings.Contains(ablatedManifest, line) {
			continue
		}
		asked++
		_, r := ofFiles(t, map[string]string{"cento.yaml": strings.Replace(ablatedManifest, line, line+" requires_caps: [never],", 1)})
		tests, err := Test(t.Context(), r, TestOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{}
		for _, y := range tests.Results {
			if passes[y.Name] && y.Status == TestFailed {
				want = append(want, y.Name)
			}
		}
		if !slices.Equal(*x.Tests, want) {
			t.Errorf("without %s: %q fail, want %q", x.Name, *x.Tests, want)
		}
	}
	if asked != 2 || passes["long"] {
		t.Errorf("%d fragments were asked about; the test that always fails passes: %v", asked, passes["long"])
	}
}

// TestAblationFiles: what is written holds what is told, and what promptfoo would render
// of a conversation is the prompt.
func TestAblationFiles(t *testing.T) {
	p, _ := ofFiles(t, map[string]string{"cento.yaml": "system: file://{{ x }}{% y %}{# z #}{{{ {\nprofile: off\nscope: off\nfragments: [{id: ../a/ü, body: B.}, {id: A, section: \"x: [\", body: \"}}%}\"}]\n"})
	a, err := p.Ablate(t.Context(), AblateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "new", "folder")
	n, err := a.Write(dir, true)
	if err != nil || n != 4 {
		t.Fatalf("%d prompts: %v", n, err)
	}
	var index struct {
		Prompts []struct {
			File, Name, Digest string
			Prompt             *string
			Without            []string
		}
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if err := json.Unmarshal(read("index.json"), &index); err != nil {
		t.Fatal(err)
	}
	config := string(read(promptfooConfig))
	for i, x := range append([]Ablated{a.Whole}, a.Parts...) {
		y := index.Prompts[i]
		if y.Name != x.Name || y.Digest != *x.Digest || y.Prompt != nil || !slices.Equal(y.Without, x.Without) || string(read(y.File)) != *x.Prompt {
			t.Errorf("index.json has %+v, and %s", y, x.Name)
		}
		chat := strings.TrimSuffix(y.File, ".txt") + ".json"
		if !strings.Contains(config, `"file://`+chat+`"`) {
			t.Errorf("the configuration doesn't name %s:\n%s", chat, config)
		}
		var messages []struct{ Role, Content string }
		if err := json.Unmarshal(read(chat), &messages); err != nil {
			t.Fatal(err)
		}
		if got := rendered(t, messages[0].Content); got != *x.Prompt || strings.HasPrefix(messages[0].Content, "file://") {
			t.Errorf("%s renders to %q, want %q", chat, got, *x.Prompt)
		}
	}
	if _, err := a.Write(dir, false); err == nil || cento.SourceErrors(err)[0].Code != FolderTaken {
		t.Errorf("a folder with something in it: %v", err)
	}
}

// TestLiteral: every text is rendered to itself.
func TestLiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"{", "}", "%", "#", "-", `"`, " ", "raw", "endraw", "\n", "é", "file://", "{{", "{%"}), 0, 12).Draw(t, "text"), "")
		if got := rendered(t, literal(text)); got != text {
			t.Fatalf("%q is rendered to %q", literal(text), got)
		}
		if strings.Contains(literal(text), "#}") {
			t.Fatalf("%q ends a comment, which Nunjucks refuses", literal(text))
		}
	})
}

func rendered(t rapid.TB, text string) string {
	t.Helper()
	file, err := jinja.New(jinja.Options{KeepTrailingNewline: true}).Parse(jinja.Source{Name: "a", Text: text})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	out, err := file.Render(new(jinja.MapBuilder).Map())
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return out.Text()
}
