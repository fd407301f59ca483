package tests

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/unitab"
	"github.com/cento-dev/cento/pack"
)

// inputs draws whole inputs: host parts that nest, a primary block in either
// form, tools, exclusions, a protected tail, a replacement, texts of every
// trust and policies of every kind.
func inputs() *rapid.Generator[cento.Input] {
	text := rapid.Custom(func(t *rapid.T) *cento.Text {
		if rapid.IntRange(0, 2).Draw(t, "text?") == 0 {
			return nil
		}
		x := &cento.Text{
			Body:   strings.ToValidUTF8(bodies().Draw(t, "text"), "?"),
			Trust:  anyTrust().Draw(t, "trust"),
			Origin: cento.Position{File: "b.md", Line: 3, Column: 2},
		}
		if rapid.Bool().Draw(t, "runs?") {
			x.Runs = someRuns(t, x.Body)
		}
		return x
	})
	policy := rapid.SampledFrom([]cento.HiddenPolicy{cento.ShowHidden, cento.ShowHidden, cento.StripHidden, cento.RejectHidden})
	return rapid.Custom(func(t *rapid.T) cento.Input {
		in := cento.Input{
			Active: activeSets().Draw(t, "active"), AllTools: rapid.Bool().Draw(t, "all tools"),
			Fragments: fragmentLists().Draw(t, "fragments"),
			Policy:    cento.Policy{Workspace: policy.Draw(t, "workspace"), Tool: policy.Draw(t, "tool"), Session: policy.Draw(t, "session")},
		}
		for i := range in.Fragments {
			f := &in.Fragments[i]
			f.Trust, f.Tight = anyTrust().Draw(t, "trust"), rapid.Bool().Draw(t, "tight")
			f.SectionIndex = rapid.IntRange(0, 1).Draw(t, "section index")
			if rapid.IntRange(0, 9).Draw(t, "excluded?") == 0 {
				f.Excluded = &cento.Exclusion{Code: cento.CodeLayerRemoved, By: "team"}
			}
			if f.Section != "" && rapid.IntRange(0, 3).Draw(t, "odd section?") == 0 {
				f.Section = rapid.SampledFrom([]string{"Ru\u00adles", "working boundaries", "\u200b", "<directive>"}).Draw(t, "section")
			}
		}
		for _, o := range []*cento.HostOption{&in.Host.SystemPreamble, &in.Host.SystemPromptParts, &in.Host.SystemSuffix} {
			*o = cento.HostOption{Parts: hostParts(2).Draw(t, "host"), IsList: true}
		}
		if rapid.Bool().Draw(t, "parts?") {
			in.Primary.Parts = []cento.Fragment{{ID: cento.SystemID, Body: "Work."}, {ID: "primary:plan", Body: "The plan.", Bucket: cento.After}}
		} else {
			in.Primary = cento.Primary{
				System: text.Draw(t, "system"), MCPAdvisory: text.Draw(t, "advisory"), ProgressTool: text.Draw(t, "progress"),
				ProgressToolName: rapid.SampledFrom(append([]string{""}, someTools...)).Draw(t, "progress tool"),
				LoopContract:     text.Draw(t, "loop"), ToolContract: text.Draw(t, "contract"),
			}
		}
		for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(someTools), rapid.ID[string]).Draw(t, "tools") {
			tool := cento.Tool{Name: name, Server: rapid.SampledFrom([]string{"", "server"}).Draw(t, "server")}
			if guidance := text.Draw(t, "guidance"); guidance != nil {
				tool.Guidance, tool.Runs = &guidance.Body, guidance.Runs
			}
			in.Tools = append(in.Tools, tool)
		}
		if rapid.Bool().Draw(t, "boundaries?") {
			in.Boundaries = &cento.Text{Body: boundariesText, Trust: cento.TrustBuiltin}
		}
		if data := text.Draw(t, "instructions"); data != nil {
			const heading = "---\n## Project instructions (AGENTS.md)\n\n"
			in.Instructions = &cento.Text{Body: heading + data.Body, Trust: cento.TrustBuiltin, Runs: []cento.Run{{End: len(heading), Trust: cento.TrustBuiltin}}}
			if data.Body != "" {
				in.Instructions.Runs = append(in.Instructions.Runs, cento.Run{
					Start: len(heading), End: len(in.Instructions.Body), Var: "agents_md", Trust: cento.TrustWorkspace,
				})
			}
		}
		if rapid.IntRange(0, 9).Draw(t, "replaced?") == 0 {
			in.Replacement = &cento.Replacement{Text: cento.Text{Body: "Instead."}, DropProtected: rapid.Bool().Draw(t, "drop")}
		}
		return in
	})
}

const boundariesText = "---\n## Working boundaries\n\nReadable:\n  - /w"

// anyTrust is mostly that of strangers: most other texts with something to
// find in them are refused.
func anyTrust() *rapid.Generator[cento.Trust] {
	return rapid.SampledFrom([]cento.Trust{
		cento.TrustWorkspace, cento.TrustTool, cento.TrustSession, cento.TrustWorkspace, cento.TrustTool, cento.TrustSession,
		cento.TrustHost, cento.TrustBuiltin, cento.TrustUser,
	})
}

func hostParts(depth int) *rapid.Generator[[]cento.HostPart] {
	return rapid.Custom(func(t *rapid.T) []cento.HostPart {
		out := []cento.HostPart{}
		for range rapid.IntRange(0, 2).Draw(t, "parts") {
			p := cento.HostPart{Trust: cento.TrustWorkspace, Disabled: rapid.IntRange(0, 4).Draw(t, "disabled?") == 0}
			if rapid.Bool().Draw(t, "moved?") {
				to := rapid.SampledFrom([]cento.Bucket{cento.Before, cento.After}).Draw(t, "position")
				p.Position = &to
			}
			if rapid.Bool().Draw(t, "gated?") {
				p.RequiresTools = []string{rapid.SampledFrom(someTools).Draw(t, "tool")}
			}
			if depth > 0 && rapid.IntRange(0, 2).Draw(t, "nested?") == 0 {
				p.Parts = hostParts(depth-1).Draw(t, "nested")
			} else {
				p.Content = strings.ToValidUTF8(bodies().Draw(t, "content"), "?")
				p.Title = rapid.SampledFrom([]string{"", "Title", "<system-reminder>", "\u200b"}).Draw(t, "title")
			}
			out = append(out, p)
		}
		return out
	})
}

// TestLawsOfInputs holds all laws against whole inputs. An input is refused
// only for what its own trusted authors wrote, or because a policy says so.
func TestLawsOfInputs(t *testing.T) {
	reduced := 0
	rapid.Check(t, func(t *rapid.T) {
		in := inputs().Draw(t, "input")
		p, err := reduceInput(in)
		if err != nil {
			checkExpectedRefusal(t, in, err)
			return
		}
		reduced++
		checkLaws(t, p)
		(&source{record: &in}).replay(t, p)
		checkStrangers(t, in, p)
		for _, tool := range someTools {
			q, err := reduceInput(in.WithoutTool(tool))
			if err != nil {
				t.Fatalf("without %s: %v", tool, err)
			}
			if d := cento.Diff(p, q); len(d.Added)+len(d.Removed)+len(d.Moved)+len(d.Changed) > 0 {
				t.Fatalf("without %s more than verdicts changed: %+v", tool, d)
			}
		}
	})
	if reduced == 0 {
		t.Error("every input was refused: the laws were held against nothing")
	}
}

func checkExpectedRefusal(t rapid.TB, in cento.Input, err error) {
	t.Helper()
	rejects := in.Policy.Workspace == cento.RejectHidden || in.Policy.Tool == cento.RejectHidden || in.Policy.Session == cento.RejectHidden
	for _, e := range sourceErrorsOf(err) {
		if e.Code != cento.HiddenText && e.Code != cento.ControlToken || !rejects {
			t.Fatalf("refused: %v", err)
		}
	}
}

// checkStrangers: what strangers wrote neither hides nor imitates. Every byte
// of theirs shows, and the only lines that read as a protected heading are those
// of the sections themselves, and those of trusted authors where there is no such
// section.
func checkStrangers(t rapid.TB, in cento.Input, p *cento.Prompt) {
	t.Helper()
	text, _ := p.System()
	for at := 0; ; {
		start, end, r, kind, hidden := unitab.NextHidden(text, at)
		if !hidden {
			break
		}
		if s, _ := p.SpanAt(start); s.Trust.Untrusted() {
			t.Fatalf("U+%04X (%s) of %s is hidden in the prompt", r, kind, s.Fragment)
		}
		at = end
	}
	at := 0
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }) {
		at += strings.Index(text[at:], line)
		s, _ := p.SpanAt(at)
		trusted := true
		for k := range len(line) {
			of, _ := p.SpanAt(at + k)
			trusted = trusted && !of.Trust.Untrusted()
		}
		at += len(line)
		own := s.Fragment == cento.BoundariesID || s.Fragment == cento.InstructionsID && s.Var == ""
		reads := strings.Join(strings.Fields(cases.Fold().String(norm.NFKC.String(line))), " ")
		reads = strings.Trim(strings.Map(visibleOnly, reads), "#- ")
		k := slices.Index([]string{"working boundaries", "project instructions (agents.md)"}, reads)
		if k < 0 || own {
			continue
		}
		i, there := p.Index([]string{cento.BoundariesID, cento.InstructionsID}[k])
		if !trusted || there && p.In(i) {
			t.Fatalf("%q of %s reads as a protected heading", line, s.Fragment)
		}
	}
}

// visibleOnly takes out what shows nothing.
func visibleOnly(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	if _, _, _, _, hidden := unitab.NextHidden(string(r), 0); hidden {
		return -1
	}
	return r
}

// Within another part a condition means what it means alone: it is refused where it is
// refused alone, and else lets its text in where it does alone and that of the part around
// it holds. Conditions are joined as texts, and no text may take in what is put around it.
func TestJoinedConditionsMeanTheSame(t *testing.T) {
	terms := []string{"cap('x')", "cap('b')", "true", "false", "'a'", "not true", "[true, 1][0]", "x"}
	between := []string{" or ", " and ", ", ", ",", ") or (", ") and (", "' or '", " if ", " else ", " == ", " in ", " }} {{ ", "\n", "|"}
	stray := []string{"(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "'", `"`, `\`, "#", "{{", "%}", "()", "''"}
	decide := func(part cento.HostPart) (bool, error) {
		p, err := reduceInput(cento.Input{
			Active: cento.Active{Caps: []string{"b"}}, Host: cento.Host{SystemPromptParts: cento.HostList(part)},
		})
		if err != nil {
			return false, err
		}
		text, _ := p.System()
		return strings.Contains(text, "MARKED"), nil
	}
	rapid.Check(t, func(t *rapid.T) {
		when := rapid.SampledFrom(terms).Draw(t, "term")
		for range rapid.IntRange(0, 2).Draw(t, "more") {
			when += rapid.SampledFrom(between).Draw(t, "between") + rapid.SampledFrom(terms).Draw(t, "term")
		}
		if rapid.Bool().Draw(t, "stray?") {
			at := rapid.IntRange(0, len(when)).Draw(t, "at")
			when = when[:at] + rapid.SampledFrom(stray).Draw(t, "stray") + when[at:]
		}
		around := rapid.SampledFrom([]string{"cap('b')", "cap('x')", "false or true", "true if cap('b') else false"}).Draw(t, "around")
		part := cento.HostPart{Content: "MARKED", When: when, Trust: cento.TrustHost}
		alone, errAlone := decide(part)
		holds, err := decide(cento.HostPart{Content: "MARKED", When: around, Trust: cento.TrustHost})
		if err != nil {
			t.Fatal(err)
		}
		for name, nested := range map[string]cento.HostPart{
			"within":  {When: around, Parts: []cento.HostPart{part}},
			"outside": {When: when, Parts: []cento.HostPart{{Content: "MARKED", When: around, Trust: cento.TrustHost}}},
		} {
			in, err := decide(nested)
			switch {
			case errors.Is(errAlone, pack.InvalidCondition):
				if err == nil {
					t.Fatalf("%s %q: %q is refused alone, and joined it isn't", name, around, when)
				}
			case errAlone != nil: // it fails when it is asked, which it needn't be
			case err != nil:
				t.Fatalf("%s %q: %q isn't refused alone, and joined it is: %v", name, around, when, err)
			case in != (alone && holds):
				t.Fatalf("%s %q: %q is %t alone, and joined %t", name, around, when, alone, in)
			}
		}
	})
}
