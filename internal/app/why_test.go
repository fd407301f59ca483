package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/treetest"
)

// written is the files of a random project, and the sentences that were written into them.
type written struct {
	t         *rapid.T
	files     map[string]string
	sentences []string
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
}

// TestWhyFindsEverySentence: each sentence of a source file is in the prompt, or `why`
// reports what removed it.
func TestWhyFindsEverySentence(t *testing.T) {
	budgeted := 0
	rapid.Check(t, func(rt *rapid.T) {
		x := &written{t: rt}
		x.draw()
		dir := treetest.Project(t, x.files)
		defer os.RemoveAll(dir)
		r := Request{Dir: filepath.Join(dir, rapid.SampledFrom([]string{"", "sub"}).Draw(rt, "dir")), Now: time.Unix(0, 0).UTC()}
		_ = os.Mkdir(r.Dir, 0o777)
		site, err := Locate(r)
		if err != nil {
			rt.Fatal(err)
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
