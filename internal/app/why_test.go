package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/provenance"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/project/consent"
	"github.com/cento-dev/cento/workspace"
)

// written is the files of a random project, and the sentences that were written into them.
type written struct {
	t         *rapid.T
	files     map[string]string
	sentences []string
	listings  listings
}

// listings are those of MCP servers, by name.
type listings map[string]consent.Listing

func (l listings) List(_ context.Context, s consent.Server, _ string) (consent.Listing, error) {
	return l.Kept(s, "")
}

func (l listings) Kept(s consent.Server, _ string) (consent.Listing, error) { return l[s.Name], nil }

// server lists the tools of an MCP server.
func (x *written) server(name string) {
	guidance := x.sentence()
	list, err := consent.NewListing("test 1", x.sentence(), []consent.ListedTool{{
		Name: name + "_tool", Description: x.sentence(), Guidance: &guidance,
	}})
	if err != nil {
		x.t.Fatal(err)
	}
	x.listings[name] = list
}

// pack writes a pack of the project with a layer and prompt files.
func (x *written) pack(name string) {
	dir := "home/" + name + "/"
	x.files[dir+"pack.yaml"] = "name: " + name + "\nversion: 1.0.0\ndescription: A pack.\nlayer:\n  slots:\n    guidance:\n      contributions:\n" +
		"        - {id: pack, content: " + x.sentence() + "}\n        - {id: gated, gate: {tools: [chart]}, content: " + x.sentence() + "}\n"
	x.files[dir+"prompts/part.md"] = x.sentence() + "\n"
}

// home writes the files of a user.
func (x *written) home() {
	x.files["home/config/prompts/mine.md"] = x.sentence() + "\n"
	x.files["home/config/config.yaml"] = "layers:\n  - name: me\n    layer:\n      slots:\n        guidance:\n          contributions:\n            - {id: a, content: " + x.sentence() + "}\n"
	x.files["home/.claude/CLAUDE.md"] = x.lines(3)
	x.files["home/.codex/AGENTS.md"] = x.lines(3)
	x.files["home/.gemini/GEMINI.md"] = x.lines(3)
	x.files["home/.claude/skills/own/SKILL.md"] = "---\nname: own\ndescription: " + x.sentence() + "\n---\n" + x.lines(2)
}

// subjects make sentences that are unlike each other.
var subjects = []string{"harbours", "tides", "ropes", "lanterns", "gulls", "charts", "anchors", "sails"}

func (x *written) sentence() string {
	n := len(x.sentences)
	s := fmt.Sprintf("Sentence %d speaks of %s and of nothing else.", n, subjects[n%len(subjects)])
	x.sentences = append(x.sentences, s)
	return s
}

// lines are some sentences, each on a line of its own.
func (x *written) lines(most int) string {
	var b strings.Builder
	for range rapid.IntRange(1, most).Draw(x.t, "lines") {
		b.WriteString("- " + x.sentence() + "\n")
	}
	return b.String()
}

func (x *written) sometimes(what string) bool { return rapid.Bool().Draw(x.t, what) }

func (x *written) oneOf(list ...string) string { return rapid.SampledFrom(list).Draw(x.t, "of") }

// draw writes the files.
func (x *written) draw() {
	x.files = map[string]string{}
	for _, name := range []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursorrules", ".github/copilot-instructions.md", "sub/AGENTS.md", "sub/deep/CLAUDE.md"} {
		if x.sometimes(name) {
			text := "# Rules\n" + x.lines(6)
			if x.sometimes("comment") {
				text += "<!-- " + x.sentence() + " -->\n"
			}
			if x.sometimes("import") {
				text += "See @docs/style.md\n"
			}
			x.files[name] = text + x.lines(2)
		}
	}
	x.files["docs/style.md"] = "Text that only an import makes a source.\n"
	for _, name := range []string{".cursor/rules/go.mdc", ".claude/rules/db.md"} {
		if x.sometimes(name) {
			x.files[name] = x.oneOf("", "---\npaths: [\"db/**\"]\n---\n") + x.lines(2)
		}
	}
	for n := range rapid.IntRange(1, 3).Draw(x.t, "skills") {
		name := fmt.Sprintf("skill%d", n)
		x.files[".claude/skills/"+name+"/SKILL.md"] = "---\nname: " + name + "\ndescription: " + x.sentence() +
			x.oneOf("\n", "\ndisable-model-invocation: true\n") + "---\n" + x.lines(3)
	}
	for _, name := range []string{"used", "unused"} {
		x.files[".cento/prompts/"+name+".md"] = x.sentence() + "\n{% if tool('shell') %}\n" + x.sentence() + "\n{% else %}\n" + x.sentence() + "\n{% endif %}\n"
	}
	var m strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&m, format+"\n", args...) }
	if x.sometimes("system") {
		line("system: %s", x.sentence())
	}
	if x.sometimes("replacement") {
		line("replacement: %s", x.sentence())
	}
	line("project: {instructions: %s, limit: %s}", x.oneOf("cento", "cwd", "nearest", "codex", "claude", "gemini", "off"), x.oneOf("100000", "400", "150", "20"))
	line("skills: %s", x.oneOf("auto", "off", "{budget: 60}", "{active: [skill0]}", "{exclude: [skill0]}"))
	line("scope: off\nvars: {crew: %s}", x.sentence())
	line("tools:")
	for _, tool := range []string{"shell", "chart"} {
		line("  - name: %s\n    description: %s\n    guidance: %s", tool, x.sentence(), x.sentence())
	}
	line("host:\n  system_prefix: {content: %s, enabled: %t}", x.sentence(), x.sometimes("host"))
	mcp, pack := x.sometimes("mcp"), x.sometimes("pack")
	if x.sometimes("home") {
		x.home()
	}
	if mcp {
		x.server("files")
	}
	if pack {
		x.pack("house")
	}
	line("fragments:")
	line("  - {id: used, template: $workspace/used%s}", x.oneOf("", ", requires_tools: [chart]", ", requires_caps: [none]"))
	for n := range rapid.IntRange(1, 5).Draw(x.t, "fragments") {
		line("  - id: f%d\n    body: %s", n, x.sentence())
		if gate := x.oneOf("", "importance: 1", "requires_tools: [shell]", "requires_caps: [none]", "importance: 2\n    variants: ["); gate != "" {
			if strings.HasSuffix(gate, "[") {
				gate += x.sentence() + "]"
			}
			line("    %s", gate)
		}
	}
	contribution := func(id string) {
		line("            - {id: %s, content: %s}", id, x.sentence())
	}
	line("layers:\n  - name: low\n    layer:\n      slots:\n        guidance:\n          contributions:")
	contribution("a")
	contribution("b")
	line("  - name: high\n    layer:\n      slots:\n        guidance:\n          %s", x.oneOf("reset: true", "remove: [a]", "contributions:"))
	if strings.HasSuffix(m.String(), "contributions:\n") {
		contribution("a")
	}
	if x.sometimes("target") {
		line("targets:\n  ci:\n    fragments: [{id: only, body: %s}]", x.sentence())
	}
	x.files["cento.yaml"] = m.String()
	if mcp {
		tools := strings.Replace(m.String(), "tools:\n", "tools:\n  mcp: {files: {command: [x]}}\n  tools:\n", 1)
		x.files["cento.yaml"] = tools
	}
}

// TestWhyFindsEverySentence: each sentence of a source file is in the prompt, or `why`
// reports what removed it.
func TestWhyFindsEverySentence(t *testing.T) {
	budgeted := 0
	rapid.Check(t, func(rt *rapid.T) {
		x := &written{t: rt, listings: listings{}}
		x.draw()
		files, home := map[string]string{".git/HEAD": "x"}, map[string]string{}
		for name, text := range x.files {
			if below, is := strings.CutPrefix(name, "home/"); is {
				home[below] = text
			} else {
				files[name] = text
			}
		}
		dir, user := treetest.Project(t, files), treetest.Project(t, home)
		defer os.RemoveAll(dir)
		defer os.RemoveAll(user)
		r := Request{
			Dir: filepath.Join(dir, rapid.SampledFrom([]string{"", "sub"}).Draw(rt, "dir")), Now: time.Unix(0, 0).UTC(),
			Home: user, Config: filepath.Join(user, "config"), Lister: x.listings, AllowMCP: true,
		}
		_ = os.Mkdir(r.Dir, 0o777)
		site, err := Locate(r)
		if err != nil {
			rt.Fatal(err)
		}
		if x.files["home/house/pack.yaml"] != "" {
			if _, err := AddPack(t.Context(), site, r, filepath.Join(user, "house")); err != nil {
				rt.Fatal(err)
			}
			if site, err = Locate(r); err != nil {
				rt.Fatal(err)
			}
		}
		p, err := Open(t.Context(), site, r)
		if err != nil {
			rt.Fatalf("%v\n%s", err, x.files["cento.yaml"])
		}
		in, _ := p.WhatIf(WhatIf{WithoutTools: rapid.SampledFrom([][]string{nil, {"shell"}, {"chart"}}).Draw(rt, "without")})
		if rapid.Bool().Draw(rt, "budget") {
			least, full, err := p.BudgetRange(in)
			if err != nil {
				rt.Fatal(err)
			}
			tokens := rapid.IntRange(least/2, full+1).Draw(rt, "tokens")
			if _, err := p.Reduce(in.WithBudget(tokens)); err != nil {
				e, ok := errors.AsType[*cento.SourceError](err)
				if !ok || e.Short == nil {
					rt.Fatal(err)
				}
				tokens = e.Short.Enough
			}
			in = in.WithBudget(tokens)
			budgeted++
		}
		prompt, err := p.Reduce(in)
		if err != nil {
			rt.Fatal(err)
		}
		system, _ := prompt.System()
		explained, err := p.Explanation(in, prompt, cento.ExplainOptions{ExcludedTexts: true})
		if err != nil {
			rt.Fatal(err)
		}
		for _, sentence := range x.sentences {
			why, err := p.ExplainText(t.Context(), in, sentence)
			if err != nil {
				rt.Fatal(err)
			}
			if in := strings.Contains(system, sentence); in != why.Found() {
				rt.Fatalf("%q: in the prompt: %t, found there: %t", sentence, in, why.Found())
			}
			if len(why.Matches) == 0 {
				rt.Fatalf("%q is found nowhere; %q\n%v", sentence, why.NotSearched, x.files)
			}
			for _, m := range why.Matches {
				if !why.Found() && outOfPrompt[m.Code] == "" && !strings.HasSuffix(m.Reason, "and skills are off") && !explains(explained, m, sentence) {
					rt.Fatalf("%q: why answers %q [%s], and the explanation doesn't have the text\n%v", sentence, m.Reason, m.Code, x.files)
				}
				if m.Reason == "" || m.Code == "" || m.Origin == nil {
					rt.Fatalf("%q: no reason, code or origin: %+v", sentence, m)
				}
			}
		}
	})
	if budgeted == 0 {
		t.Error("no project had a budget")
	}
}

// outOfPrompt are the codes of texts that nothing removed from the prompt, since it would
// not have them as they are.
var outOfPrompt = map[cento.Code]string{
	provenance.ToolDefinition:         "in a request",
	provenance.OtherTarget:            "of another target",
	provenance.PromptFileUnnamed:      "nothing names the file",
	provenance.Setting:                "a value that nothing prints",
	provenance.SwitchedOff:            "of a part that the settings switch off",
	workspace.InstructionsOtherClient: "of other clients",
}

// explains reports whether an explanation has a sentence with the reason of a match.
func explains(e *cento.Explanation, m Match, sentence string) bool {
	for _, x := range e.Removed {
		if strings.Contains(x.Text, sentence) && x.Reason == m.Reason && x.Code == m.Code {
			return true
		}
	}
	for i := range e.Fragments {
		if t := &e.Fragments[i]; t.ID == m.Fragment && strings.Contains(t.Text, sentence) && t.Reason == m.Reason {
			return true
		}
	}
	return false
}
