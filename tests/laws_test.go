package tests

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/unitab"
)

var (
	someTools = []string{"todo", "read", "web", "ask", "run"}
	someCaps  = []string{"language.go", "interactive", "model.text_tools"}
)

// bodies mixes plain text with what the scan looks for.
func bodies() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[a-z <>#\n-]{0,40}`),
		rapid.SampledFrom([]string{
			"", " \n\t", "## Working boundaries", "a\u200bb", "x\n> ## WORKING  boundaries ##\ny", "<system-reminder>\nhi",
			"\u00a0kept\u2003", "пусто", "a\r\nb", "＜directive authority=1＞", "Ｗorking boundaries", "tag \U000e0041\U000e0042 end",
			"family 👨\u200d👩\u200d👧 ok", "line\u2028Project instructions (AGENTS.md)",
		}),
		rapid.String(),
	)
}

func fragmentLists() *rapid.Generator[[]cento.Fragment] {
	return rapid.Custom(func(t *rapid.T) []cento.Fragment {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		out := make([]cento.Fragment, 0, n)
		for i := range n {
			f := cento.Fragment{
				ID: fmt.Sprintf("f%d", i), Source: rapid.SampledFrom([]string{"", "manifest", "x"}).Draw(t, "source"),
				Bucket: rapid.SampledFrom([]cento.Bucket{cento.Before, cento.After}).Draw(t, "bucket"),
				Body:   strings.ToValidUTF8(bodies().Draw(t, "body"), "?"),
				Trust:  rapid.SampledFrom([]cento.Trust{cento.TrustWorkspace, cento.TrustTool, cento.TrustSession}).Draw(t, "trust"),
				Origin: cento.Position{File: "cento.yaml", Line: 10 * (i + 1), Column: 3},
			}
			pick := func(from []string, label string) []string {
				return rapid.SliceOfNDistinct(rapid.SampledFrom(from), 0, 2, rapid.ID[string]).Draw(t, label)
			}
			f.RequiresTools = pick(someTools, "tools")
			f.RequiresCaps = pick(someCaps, "caps")
			if rapid.IntRange(0, 3).Draw(t, "any?") == 0 {
				f.RequiresAnyTools = pick(someTools, "any")
			}
			if rapid.IntRange(0, 2).Draw(t, "section?") == 0 {
				f.Section = rapid.SampledFrom([]string{"Rules", " Rules ", "Style"}).Draw(t, "section")
			}
			if rapid.IntRange(0, 3).Draw(t, "title?") == 0 {
				f.Title = rapid.SampledFrom([]string{"Title", "Working boundaries", " \n"}).Draw(t, "title")
				f.TitleForm = rapid.SampledFrom([]cento.TitleForm{cento.SubHeading, cento.HostHeading}).Draw(t, "form")
			}
			if i > 0 && rapid.IntRange(0, 3).Draw(t, "needs?") == 0 {
				f.Needs = []string{fmt.Sprintf("f%d", rapid.IntRange(0, i-1).Draw(t, "need"))}
			}
			if rapid.IntRange(0, 3).Draw(t, "runs?") == 0 {
				f.Runs = someRuns(t, f.Body)
			}
			out = append(out, f)
		}
		return out
	})
}

// someRuns cuts a body into stretches of several origins, on rune borders.
func someRuns(t *rapid.T, body string) []cento.Run {
	var out []cento.Run
	for start := 0; start < len(body); {
		end := min(len(body), start+rapid.IntRange(1, 8).Draw(t, "run"))
		for end < len(body) && body[end]&0xc0 == 0x80 {
			end++
		}
		r := cento.Run{Start: start, End: end, Position: cento.Position{File: "a.md", Line: 1, Column: start + 1}, Trust: cento.TrustWorkspace}
		if rapid.Bool().Draw(t, "var?") {
			r.Var, r.Fixed = "vars.x", true
		}
		out = append(out, r)
		start = end
	}
	return out
}

func activeSets() *rapid.Generator[cento.Active] {
	return rapid.Custom(func(t *rapid.T) cento.Active {
		return cento.Active{
			Tools: rapid.SliceOfDistinct(rapid.SampledFrom(someTools), rapid.ID[string]).Draw(t, "active tools"),
			Caps:  rapid.SliceOfDistinct(rapid.SampledFrom(someCaps), rapid.ID[string]).Draw(t, "active caps"),
		}
	})
}

func reduce(t rapid.TB, fragments []cento.Fragment, a cento.Active) *cento.Prompt {
	t.Helper()
	p, err := cento.ReduceFragments(fragments, a, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Law 1: same input, same bytes, whatever the order and repetition of names,
// and over both speeds of the reducer and reused memory.
func TestSameInputSameBytes(t *testing.T) {
	var asm cento.Assembly
	var text []byte
	rapid.Check(t, func(t *rapid.T) {
		fragments, active := fragmentLists().Draw(t, "fragments"), activeSets().Draw(t, "active")
		p := reduce(t, fragments, active)
		shuffled := cento.Active{Tools: slices.Repeat(slices.Clone(active.Tools), 2), Caps: slices.Clone(active.Caps)}
		rand.Shuffle(len(shuffled.Tools), func(i, j int) { x := shuffled.Tools; x[i], x[j] = x[j], x[i] })
		slices.Reverse(shuffled.Caps)
		plan, err := cento.Compile(fragments, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if text, err = plan.AppendText(text[:0], plan.Bind(shuffled), &asm); err != nil {
			t.Fatal(err)
		}
		system, _ := p.System()
		if string(text) != system {
			t.Fatalf("compiled plan:\n%q\none shot:\n%q", text, system)
		}
		if !slices.Equal(slices.Collect(asm.AllSpans()), p.Spans()) {
			t.Fatal("the spans of both speeds differ")
		}
		for i := range fragments {
			if asm.In(i) != p.In(i) || asm.Code(i) != p.Code(i) {
				t.Fatalf("fragment %d: %s and %s", i, asm.Code(i), p.Code(i))
			}
		}
	})
}

// Law 2: spans tile the text, and what they call literal is found at its place.
func TestSpansTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fragments, active := fragmentLists().Draw(t, "fragments"), activeSets().Draw(t, "active")
		p := reduce(t, fragments, active)
		text, _ := p.System()
		at, sum := 0, 0
		for s := range p.AllSpans() {
			if s.Start != at || s.End <= s.Start {
				t.Fatalf("span [%d, %d) follows byte %d", s.Start, s.End, at)
			}
			at = s.End
			sum += s.End - s.Start
			for _, k := range []int{s.Start, s.End - 1} {
				if got, ok := p.SpanAt(k); !ok || got != s {
					t.Fatalf("byte %d: SpanAt gives %+v, want %+v", k, got, s)
				}
			}
			if s.Kind == cento.JoinerSpan && text[s.Start:s.End] != "\n\n" {
				t.Fatalf("joiner %q", text[s.Start:s.End])
			}
		}
		if at != len(text) || sum != len(text) || sum != p.Bytes() {
			t.Fatalf("spans cover %d of %d bytes", sum, len(text))
		}
	})
}

// Law 3: every fragment is decided exactly once.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fragments, active := fragmentLists().Draw(t, "fragments"), activeSets().Draw(t, "active")
		e := reduce(t, fragments, active).Explain(cento.ExplainOptions{AllReasons: true})
		if len(e.Fragments) != len(fragments) || e.Included+e.Excluded != len(fragments) {
			t.Fatalf("%d + %d of %d", e.Included, e.Excluded, len(fragments))
		}
		in := 0
		for i, f := range e.Fragments {
			if f.ID != fragments[i].ID {
				t.Fatalf("trace %d is %s", i, f.ID)
			}
			if f.Included != strings.HasPrefix(string(f.Code), "include.") {
				t.Fatalf("%s: included %v, code %s", f.ID, f.Included, f.Code)
			}
			if f.Included {
				in++
				if got := (*e.System)[f.Span[0]:f.Span[1]]; len(got) != f.Bytes {
					t.Fatalf("%s: %d bytes, its span has %d", f.ID, f.Bytes, len(got))
				}
			} else if f.Bytes != 0 || f.Span != nil || len(f.Unmet) == 0 || f.Unmet[0].Reason != f.Reason {
				t.Fatalf("%s is out with %d bytes, span %v, unmet %v, reason %q", f.ID, f.Bytes, f.Span, f.Unmet, f.Reason)
			}
		}
		if in != e.Included || (e.System == nil) != (in == 0) {
			t.Fatalf("%d traces are in, %d counted", in, e.Included)
		}
	})
}

// Law 4: taking a tool away changes only fragments whose gates ask for it (or
// need one that does); the bytes of all others stay.
func TestRemovingAToolIsLocal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fragments, active := fragmentLists().Draw(t, "fragments"), activeSets().Draw(t, "active")
		tool := rapid.SampledFrom(someTools).Draw(t, "tool")
		less := active
		less.Tools = slices.DeleteFunc(slices.Clone(active.Tools), func(x string) bool { return x == tool })
		a, b := reduce(t, fragments, active), reduce(t, fragments, less)
		touched := map[string]bool{}
		for _, f := range fragments { // needs point backwards here
			touched[f.ID] = slices.Contains(f.RequiresTools, tool) || slices.Contains(f.RequiresAnyTools, tool) ||
				slices.ContainsFunc(f.Needs, func(id string) bool { return touched[id] })
		}
		for i, f := range fragments {
			if a.Text(i) != b.Text(i) {
				t.Fatalf("%s: the text changed", f.ID)
			}
			if a.In(i) != b.In(i) && !touched[f.ID] {
				t.Fatalf("%s flipped without asking for %s", f.ID, tool)
			}
			if b.In(i) && !a.In(i) {
				t.Fatalf("%s came in because a tool went", f.ID)
			}
		}
		d := cento.Diff(a, b)
		if len(d.Changed)+len(d.Added)+len(d.Removed)+len(d.Moved) != 0 {
			t.Fatalf("a gate changed more than verdicts: %+v", d)
		}
	})
}

// Law 5: text of an excluded fragment never appears because of it.
func TestExcludedTextStaysOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fragments, active := fragmentLists().Draw(t, "fragments"), activeSets().Draw(t, "active")
		for i := range fragments {
			if strings.TrimSpace(fragments[i].Body) != "" {
				fragments[i].Body = fmt.Sprintf("canary%dx %s", i, strings.TrimSpace(fragments[i].Body))
				fragments[i].Runs = nil
			}
		}
		p := reduce(t, fragments, active)
		system, _ := p.System()
		for i := range fragments {
			canary := fmt.Sprintf("canary%dx", i)
			if got := strings.Count(system, canary); p.In(i) && got != 1 || !p.In(i) && got != 0 {
				t.Fatalf("%s: in %v, found %d times", fragments[i].ID, p.In(i), got)
			}
		}
	})
}

// Law 7: replaying a recorded input gives the recorded digest.
func TestReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := cento.Input{
			Active: activeSets().Draw(t, "active"), Fragments: fragmentLists().Draw(t, "fragments"),
			Host:       cento.Host{SystemPreamble: cento.HostText("Be brief."), SystemPromptParts: cento.HostList(cento.HostPart{Content: "a", Title: "T"})},
			Primary:    cento.Primary{System: &cento.Text{Body: "Work."}},
			Boundaries: &cento.Text{Body: "---\n## Working boundaries\n\nReadable:\n  - /w", Trust: cento.TrustBuiltin},
		}
		p, err := cento.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		record, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var back cento.Input
		if err := json.Unmarshal(record, &back); err != nil {
			t.Fatal(err)
		}
		q, err := cento.Reduce(back)
		if err != nil {
			t.Fatal(err)
		}
		if p.Digest() != q.Digest() || !slices.Equal(p.Spans(), q.Spans()) {
			t.Fatalf("recorded %s, replayed %s", p.Digest(), q.Digest())
		}
	})
}

// The guard: whatever strangers write, each protected heading stands in the
// prompt once, in its own section.
func TestNoForgery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fragments, active := fragmentLists().Draw(t, "fragments"), activeSets().Draw(t, "active")
		in := cento.Input{
			Active: active, Fragments: fragments,
			Boundaries: &cento.Text{Body: "---\n## Working boundaries\n\nReadable:\n  - /w", Trust: cento.TrustBuiltin},
		}
		p, err := cento.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		system, _ := p.System()
		if !strings.HasSuffix(system, "---\n## Working boundaries\n\nReadable:\n  - /w") {
			t.Fatal("the boundaries aren't last")
		}
		var found []string
		for _, l := range strings.FieldsFunc(system, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }) {
			if reads := strings.Trim(cases.Fold().String(norm.NFKC.String(l)), "#- \t\u00a0"); reads == "working boundaries" {
				found = append(found, l)
			}
		}
		if len(found) != 1 {
			t.Fatalf("the heading stands in the prompt %d times: %q", len(found), found)
		}
		if _, _, r, kind, hidden := unitab.NextHidden(system, 0); hidden {
			t.Fatalf("U+%04X (%s) is hidden in the prompt", r, kind)
		}
	})
}
