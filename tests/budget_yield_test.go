package tests

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/pack"
)

// demanding is an input whose required texts are the list of skills, the project's
// instructions from some files, and the agent's own; all else may go.
func demanding() *rapid.Generator[cento.Input] {
	lines := rapid.SampledFrom([]string{"", "Run the tests.", "- one\n- two", "```", "## Heading", "<!-- open", "<|im_start|>", "日本語", "It is\u200bso.", "words that take some more room than others do", "[cut: x]"})
	return rapid.Custom(func(t *rapid.T) cento.Input {
		in := cento.Input{
			Primary: cento.Primary{Worded: true, System: &cento.Text{Body: "You work.", Trust: cento.TrustHost}},
			Active:  cento.Active{Model: rapid.SampledFrom([]string{"gpt-5.4", "claude-opus-5", "nobody-1"}).Draw(t, "model")},
		}
		for i := range rapid.IntRange(0, 5).Draw(t, "skills") {
			s := cento.ListedSkill{Name: cento.Text{Body: fmt.Sprintf("skill%d", i)}, Path: cento.Text{Body: fmt.Sprintf("s%d/SKILL.md", i)}}
			if rapid.IntRange(0, 3).Draw(t, "described?") > 0 {
				s.Description.Body = fmt.Sprintf("Describes number %d at some length.", i)
			}
			in.Files.Skills = append(in.Files.Skills, s)
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "optional") {
			in.Fragments = append(in.Fragments, cento.Fragment{ID: fmt.Sprintf("o%d", i), Body: rapid.SampledFrom([]string{"x", "Say it.", "Say it at some length, and say it well."}).Draw(t, "body"), Importance: cento.ImportanceOf(i)})
		}
		if rapid.IntRange(0, 5).Draw(t, "instructions?") > 0 {
			text := cento.Text{Trust: cento.TrustWorkspace, Origin: cento.Position{File: "AGENTS.md", Line: 1, Column: 1}}
			add := func(s string, r cento.Run) {
				r.Start = len(text.Body)
				text.Body += s
				r.End = len(text.Body)
				if s != "" {
					text.Runs = append(text.Runs, r)
				}
			}
			add("## Project instructions (AGENTS.md)\n\n", cento.Run{Trust: cento.TrustBuiltin})
			for i := range rapid.IntRange(1, 3).Draw(t, "files") {
				file := rapid.SampledFrom([]string{"AGENTS.md", "a\nb/AGENTS.md", "<|im_start|>.md", "deep/AGENTS.md"}).Draw(t, "file")
				file = fmt.Sprintf("%d/%s", i, file)
				add(fmt.Sprintf("### %d\n\n", i), cento.Run{Trust: cento.TrustBuiltin, Fixed: true, Var: "agents_md"})
				body := strings.Join(rapid.SliceOfN(lines, 1, 12).Draw(t, "lines"), "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
				add(body, cento.Run{Trust: cento.TrustWorkspace, Var: "agents_md", Position: cento.Position{File: file, Line: 1, Column: 1}})
				add("\n\n", cento.Run{Trust: cento.TrustBuiltin, Fixed: true, Var: "agents_md"})
			}
			in.Instructions = &text
		}
		return in
	})
}

// kept is how much of each thing that can give something is there.
type kept struct{ optional, described, bytes int }

func keptOf(t *rapid.T, in cento.Input, p *cento.Prompt) kept {
	text, _ := p.System()
	var k kept
	for _, f := range in.Fragments {
		if i, _ := p.Index(f.ID); p.In(i) {
			k.optional++
		}
	}
	for i, s := range in.Files.Skills {
		if s.Description.Body != "" && strings.Contains(text, fmt.Sprintf("Describes number %d ", i)) {
			k.described++
		}
		if !strings.Contains(text, s.Name.Body) {
			t.Fatalf("the skill %q isn't listed any more", s.Name.Body)
		}
	}
	if in.Instructions != nil {
		for _, r := range in.Instructions.Runs {
			if r.Position.File != "" {
				k.bytes += r.End - r.Start
			}
		}
		for _, n := range p.Notes() {
			if n.Code == cento.CodeBudgetInstructions {
				left, of := 0, 0
				if _, err := fmt.Sscanf(n.Message, "kept %d of %d bytes", &left, &of); err != nil {
					t.Fatal(err)
				}
				k.bytes -= of - left
			}
		}
	}
	return k
}

// TestRequiredTextsYield: where what is required is over a budget, the list of skills
// gives descriptions, and then the instructions lines, and no more than has to be. The
// prompt keeps to the limit, what is lost is told, and a larger budget loses nothing
// that a smaller one keeps.
func TestRequiredTextsYield(t *testing.T) {
	yielded := 0
	rapid.Check(t, func(t *rapid.T) {
		in := demanding().Draw(t, "in")
		whole, err := pack.Reduce(in.WithBudget(1 << 20))
		if err != nil {
			t.Fatal(err)
		}
		report := whole.Budget()
		counter := new(pack.Engine).Counter(in.Active.Model, nil)
		last, first := kept{}, true
		least := 0
		for tokens := rapid.IntRange(0, report.Required+2).Draw(t, "from"); tokens <= report.Full+8; tokens += rapid.IntRange(1, lengthtest.Of(60, 30, 9)).Draw(t, "step") {
			p, err := pack.Reduce(in.WithBudget(tokens))
			if err != nil {
				e, ok := errors.AsType[*cento.SourceError](err)
				if !ok || e.Code != cento.BudgetRequired {
					t.Fatal(err)
				}
				if !first {
					t.Fatalf("%d is not enough, and less was: %v", tokens, err)
				}
				checkShortfall(t, e, cento.Budget{Counter: counter, Tokens: tokens})
				least = e.Short.Enough
				if _, err := pack.Reduce(in.WithBudget(least)); err != nil || least <= tokens {
					t.Fatalf("%d was to be enough, of which %d isn't: %v", least, tokens, err)
				}
				if _, err := pack.Reduce(in.WithBudget(least - 1)); err == nil {
					t.Fatalf("%d was to be the least, and one less is enough", least)
				}
				continue
			}
			text, _ := p.System()
			r := p.Budget()
			if n := counter.Count(text); n > tokens || n != r.Prompt {
				t.Fatalf("%d tokens of %d, reported %+v", n, tokens, r)
			}
			checkTiling(t, p, text)
			now := keptOf(t, in, p)
			if !first && (now.optional < last.optional || now.described < last.described || now.bytes < last.bytes) {
				t.Fatalf("with %d tokens %+v, and with less %+v", tokens, now, last)
			}
			all := keptOf(t, in, whole)
			gives := now.described < all.described || now.bytes < all.bytes
			switch {
			case gives && r.Given != r.Required-r.Prompt || !gives && r.Given != 0:
				t.Fatalf("it gives: %t, and the report is %+v", gives, r)
			case gives && now.optional > 0:
				t.Fatal("what is required gives something, and something optional is in")
			case now.bytes < all.bytes && now.described > 0:
				t.Fatal("the instructions give something, and skills are described")
			}
			for _, x := range p.Traces(cento.ExplainOptions{}) {
				if x.Budget == nil || !x.Budget.Required {
					continue
				}
				yielded++
				if again, err := pack.Reduce(in.WithBudget(x.Budget.StaysFrom)); err != nil {
					t.Fatal(err)
				} else if i, _ := again.Index(x.ID); again.Trace(i, cento.ExplainOptions{}).Budget != nil {
					t.Fatalf("%s was to be whole from %d", x.ID, x.Budget.StaysFrom)
				}
				if again, err := pack.Reduce(in.WithBudget(x.Budget.StaysFrom - 1)); err == nil {
					if i, _ := again.Index(x.ID); again.Trace(i, cento.ExplainOptions{}).Budget == nil {
						t.Fatalf("%s was to be whole from %d, and is so with one less", x.ID, x.Budget.StaysFrom)
					}
				}
			}
			last, first = now, false
		}
	})
	if yielded == 0 {
		t.Error("nothing was ever given")
	}
}
