package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"pgregory.net/rapid"
)

func write(t testing.TB, p Page, e *cento.Explanation) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, p, e); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// between returns what stands between two strings, the first of each.
func between(t testing.TB, s, from, to string) string {
	t.Helper()
	_, s, ok := strings.Cut(s, from)
	if !ok {
		t.Fatalf("the page has no %q", from)
	}
	s, _, ok = strings.Cut(s, to)
	if !ok {
		t.Fatalf("the page has no %q after %q", to, from)
	}
	return s
}

var ourMarkup = regexp.MustCompile(`</?(?:div|span)(?: [a-z-]+="[^"<>]*")*>`)

// promptText is the text content of the prompt, read back from the markup. It
// fails on markup that isn't ours, so text that became any is found.
func promptText(t testing.TB, page string) string {
	t.Helper()
	s := between(t, page, `<div class="prompt" translate="no">`, "</section>")
	s = strings.ReplaceAll(s, `data-c="U+0000">`, `data-c="U+0000">`+"\x00") // as the script does
	s = ourMarkup.ReplaceAllString(s, "")
	if i := strings.IndexAny(s, "<>"); i >= 0 {
		t.Fatalf("markup that isn't ours: %q", s[i:min(len(s), i+60)])
	}
	return html.UnescapeString(s)
}

// hostile are texts that try to become something else.
var hostile = []string{
	`</script><img src=x onerror=alert(1)>`,
	`<!--<script>`, `]]>`, `</noscript></style></title></textarea>`,
	`"><svg onload=alert(1)>`, `' onmouseover='alert(1)`, `&lt;b&gt; &amp;amp; &#x3c;`,
	"line\u2028separator\u2029paragraph", "nul\x00bell\x07esc\x1b[31m del\x7f c1\u0085\u009b",
	"cr\r\nlf\rcr", "bidi \u202eevil\u202c \u2066x\u2069", "zero\u200bwidth\ufeff", "tag \U000e0041\U000e0042",
	"\n\n\nlines first", "tabs\t\tand  spaces ", "emoji 👩\u200d💻 ❤\ufe0f", "می\u200cخواهم", "non\ufffe\U0010ffffchars", "⟦json⟧⟦script⟧",
	"javascript:alert(1)", "#top", "a b%20c", "__proto__", "constructor",
}

func hostilePrompt() *cento.Explanation {
	var parts []part
	for i, h := range hostile {
		parts = append(parts, part{
			id: fmt.Sprintf("%d %s", i, h), source: h, reason: h, code: cento.CodeIncludeWhen, layer: h, section: "## " + h, title: h,
			at: in(h, 1, 1), trust: cento.Trust(i % 6), runs: []run{{text: h, name: h}, {text: h}},
			notes: []cento.TextNote{{Code: cento.CodeInvisible, Message: h, Position: &cento.Position{File: h, Line: 1}}},
		}, part{
			id: "out " + h, source: h, reason: h, out: cento.CodeWhenFalse, at: in(h, 2, 1), trust: cento.Trust(i % 6), runs: text(h),
			unmet: []cento.Unmet{{Code: cento.CodeWhenFalse, Reason: h}, {Code: cento.CodeWhenFalse, Reason: h}},
		})
	}
	e := explain(parts)
	for _, h := range hostile {
		e.Notes = append(e.Notes, cento.Note{Code: cento.Code(h), Message: h, Fragment: "out " + h, Position: in(h, 1, 0)})
	}
	for _, h := range hostile {
		at := in(h, 1, 1)
		e.Removed = append(e.Removed, cento.RemovedText{Fragment: "out " + h, Origin: &at, Bytes: len(h), Reason: h, Code: cento.Code(h), Text: h})
	}
	e.Model = &hostile[0]
	return e
}

func hostilePage() Page {
	return Page{Title: hostile[0], Project: hostile[4], Target: hostile[10], Version: hostile[5]}
}

func TestPromptIsExact(t *testing.T) {
	for name, e := range map[string]*cento.Explanation{"sample": sample(), "hostile": hostilePrompt()} {
		if got := promptText(t, write(t, hostilePage(), e)); got != *e.System {
			t.Errorf("%s: the page's text differs from the prompt:\n%q\n%q", name, got, *e.System)
		}
	}
}

func TestPromptIsExactForAnyText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		piece := rapid.OneOf(rapid.String(), rapid.SampledFrom(hostile), rapid.SampledFrom([]string{"\n", "\n\n", "\r\n", "", "x"}))
		var parts []part
		for i := range rapid.IntRange(1, 8).Draw(rt, "parts") {
			p := part{id: fmt.Sprint(i), source: piece.Draw(rt, "source"), trust: cento.Trust(rapid.IntRange(0, 5).Draw(rt, "trust"))}
			for _, s := range rapid.SliceOfN(piece, 1, 5).Draw(rt, "runs") {
				p.runs = append(p.runs, run{text: strings.Repeat(s, rapid.SampledFrom([]int{1, 1, 1, 3000}).Draw(rt, "times"))})
			}
			parts = append(parts, p)
		}
		e := explain(parts)
		if got := promptText(t, write(t, Page{}, e)); got != *e.System {
			rt.Fatalf("the page's text differs from the prompt:\n%.300q\n%.300q", got, *e.System)
		}
	})
}

func TestEmbeddedJSONIsTheExplanation(t *testing.T) {
	for name, e := range map[string]*cento.Explanation{"sample": sample(), "hostile": hostilePrompt()} {
		page := write(t, hostilePage(), e)
		var got cento.Explanation
		if err := json.Unmarshal([]byte(between(t, page, `<script type="application/json">`, "</script>")), &got); err != nil {
			t.Fatal(err)
		}
		want := *e
		got.Spans, want.Spans = nil, nil // see TestEveryLineTellsItsPlace
		want.Removed = nil               // see TestBrowserFindsRemovedTexts
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the embedded explanation differs:\n%+v\n%+v", name, got, want)
		}
	}
}

// TestEveryLineTellsItsPlace: what the page says of the place of a byte is so, to
// the line, for a text of many lines, one of runs, the value of a variable, and a
// text of more lines than have a passage of their own.
func TestEveryLineTellsItsPlace(t *testing.T) {
	many := strings.Repeat("x\n", 3*maxPassages)
	fragments := []cento.Fragment{
		{ID: "one", Body: "first\nsecond\n\n\nfifth", Trust: cento.TrustWorkspace, Origin: in("AGENTS.md", 131, 1)},
		{ID: "titled", Title: "A title", Body: "a\nb", Origin: in("b.md", 7, 1)},
		{ID: "runs", Body: "lit\neral value\nof a variable\nlast", Runs: []cento.Run{
			{Start: 0, End: 8, Position: in("c.md", 3, 5)},
			{Start: 8, End: 29, Position: in("c.md", 4, 5), Var: "vars.x", Fixed: true},
			{Start: 29, End: 33, Position: in("c.md", 4, 20)},
		}},
	}
	for name, all := range map[string][]cento.Fragment{
		"few": fragments, "very many": append(slices.Clone(fragments), cento.Fragment{ID: "many", Body: many, Origin: in("many.md", 1, 1)}),
	} {
		prompt, err := cento.ReduceFragments(all, cento.Active{}, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var data struct{ Spans []passage }
		page := write(t, Page{}, prompt.Explain(cento.ExplainOptions{}))
		if err := json.Unmarshal([]byte(between(t, page, `<script type="application/json">`, "</script>")), &data); err != nil {
			t.Fatal(err)
		}
		text, _ := prompt.System()
		at, lines := 0, 0
		for _, s := range data.Spans {
			if s.Start != at || s.End <= s.Start {
				t.Fatalf("%s: a span is [%d, %d) behind byte %d", name, s.Start, s.End, at)
			}
			at = s.End
			if s.File == "" || s.Kind == cento.JoinerSpan {
				continue
			}
			for i := s.Start; i < s.End; i += 1 + (s.End-s.Start)/50 {
				if text[i] == '\n' {
					continue
				}
				lines++
				place, ok := prompt.Locate(i)
				if last := max(s.LastLine, s.Line); !ok || place.File != s.File || place.Line < s.Line || place.Line > last {
					t.Fatalf("%s: byte %d is at %v, and the page says %s:%d to %d", name, i, place, s.File, s.Line, last)
				}
			}
			if name == "few" && s.LastLine != 0 {
				t.Errorf("%s: %q tells several lines", name, text[s.Start:s.End])
			}
		}
		if at != len(text) || lines == 0 {
			t.Errorf("%s: the spans end at %d of %d", name, at, len(text))
		}
		if name == "few" && !strings.Contains(page, `"file":"AGENTS.md","line":135,`) {
			t.Error("the last line of AGENTS.md isn't told")
		}
		if len(data.Spans) > 2*maxPassages {
			t.Errorf("%s: %d spans", name, len(data.Spans))
		}
	}
}

// TestStrangers: the reader's own texts and the program's carry no warning; those
// of tools, skills, packs, imported files and sessions do.
func TestStrangers(t *testing.T) {
	own, other, program := cento.TrustWorkspace, cento.TrustTool, cento.TrustBuiltin
	e := explain([]part{
		{id: "mine", source: "project", trust: own, runs: text("mine")}, {id: "manifest", source: "manifest", trust: own, runs: text("m")},
		{id: "user", source: "user", trust: cento.TrustUser, runs: text("u")}, {id: "tool:x", source: "tool:x", trust: other, runs: text("t")},
		{id: "skill:x", source: "skill:x", trust: own, runs: text("s")}, {id: "turn", source: "reminder", trust: cento.TrustSession, runs: text("r")},
		{id: "pack", source: "manifest", trust: own, runs: []run{{text: "p", at: in("$pack/acme/a.md", 1, 1)}}},
		{id: "import", source: "project", trust: own, runs: []run{{text: "i", at: in("docs/rules.md", 1, 1), by: cento.ByImport}}},
		{id: "primary:system", source: "primary", trust: other, runs: []run{
			{text: "Built in, for ", at: in("$builtin/default", 1, 1), trust: &program}, {text: "x", name: "agent.name", at: in("cento.yaml", 1, 1), trust: &own},
			{text: "read", name: "tools", at: in("$builtin/default", 2, 1), trust: &other},
		}},
		{id: "primary:skill_catalog", source: "primary", trust: own, runs: []run{
			{text: "Skills: ", at: in("$builtin/catalog/skill_catalog.md", 1, 1), trust: &program}, {text: "zip", name: "skills[0].name", at: in("a/SKILL.md", 2, 7), trust: &own, by: cento.BySkill},
		}},
		{id: "project:instructions", source: "project", trust: own, runs: []run{
			{text: "---\n## Project instructions (AGENTS.md)\n\n", at: in("$builtin/catalog/agents_md_section.md", 1, 1), trust: &program},
			{text: "Be kind.", name: "agents_md", at: in("AGENTS.md", 3, 1), trust: &own},
		}},
	})
	page := write(t, Page{}, e)
	var data struct {
		Strangers []string
		Whose     []string
		Spans     []passage
	}
	if err := json.Unmarshal([]byte(between(t, page, `<script type="application/json">`, "</script>")), &data); err != nil {
		t.Fatal(err)
	}
	if want := []string{"", "", "", "tool", "skill", "session", "pack", "import", "", "", ""}; !slices.Equal(data.Strangers, want) {
		t.Errorf("fragments are of %q, want %q", data.Strangers, want)
	}
	mixed := []string{"partly untrusted: tool, with workspace, builtin", "partly untrusted: skill, with builtin", "this project's: workspace, with builtin"}
	if !slices.Equal(data.Whose[8:], mixed) {
		t.Errorf("texts of several are of %q, want %q", data.Whose[8:], mixed)
	}
	found := map[string]string{}
	for _, s := range data.Spans {
		if s.Kind == cento.BodySpan {
			found[s.Fragment] = s.Stranger
		}
	}
	for id, want := range map[string]string{"mine": "", "manifest": "", "user": "", "tool:x": "tool", "skill:x": "skill", "turn": "session", "pack": "pack", "import": "import"} {
		if found[id] != want {
			t.Errorf("%s is of %q, want %q", id, found[id], want)
		}
	}
	for _, want := range []string{"this project&#39;s: workspace", "yours: user", "untrusted: tool", "untrusted: skill", "untrusted: session"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "untrusted: workspace") {
		t.Error("the reader's own text is called untrusted")
	}
}

// The assembler's own explanations, its headings, joiners and notes, make a page.
func TestPageOfAnAssembledPrompt(t *testing.T) {
	fragments := []cento.Fragment{
		{ID: "a", Source: "host:x", Body: "first", Trust: cento.TrustHost, Title: "Title", TitleForm: cento.HostHeading},
		{ID: "b", Source: "manifest", Body: "second\u202e line\n## Rules", Section: "Style", Trust: cento.TrustWorkspace, Origin: in("cento.yaml", 3, 1)},
		{ID: "c", Source: "tool:read", Body: "third", Trust: cento.TrustHost, Section: "Style", Title: "Reading", RequiresTools: []string{"read"}},
		{ID: "d", Source: "tool:todo", Body: "fourth", Trust: cento.TrustHost, RequiresTools: []string{"todo"}, RequiresCaps: []string{"interactive"}},
		{ID: "e", Source: "host:y", Body: "zero\u200bwidth", Trust: cento.TrustHost, Bucket: cento.After},
		{ID: "f", Source: "project", Body: "the tail", Trust: cento.TrustHost, Section: "Rules", Protected: true, Bucket: cento.After},
	}
	p, err := cento.ReduceFragments(fragments, cento.Active{Tools: []string{"read"}}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := p.Explain(cento.ExplainOptions{AllReasons: true, ExcludedTexts: true})
	page := write(t, Page{}, e)
	if got := promptText(t, page); got != *e.System || e.Included != 5 {
		t.Errorf("%d are in, and the page's text is %q, not %q", e.Included, got, *e.System)
	}
	for _, want := range []string{"requires tool `todo` (not available)", "requires capability `interactive` (not set)", "fourth", `data-c="U+200B"`, "U+202E"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// What a stranger wrote becomes no markup: the page of hostile texts has the
// elements of a page of harmless ones, no more and no others.
func TestTextBecomesNoMarkup(t *testing.T) {
	page := write(t, hostilePage(), hostilePrompt())
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`<([a-zA-Z!][^\s>/]*)`).FindAllStringSubmatch(write(t, Page{Title: "x", Project: "y"}, sample()), -1) {
		known[m[1]] = true
	}
	body, scripts, _ := strings.Cut(page, `<script type="application/json">`)
	if strings.Count(scripts, "<script type=\"module\">") != 1 || strings.Count(scripts, "</script>") != 2 {
		t.Error("a text ends or begins a script element")
	}
	for _, m := range regexp.MustCompile(`<([a-zA-Z!][^\s>/]*)([^>]*)`).FindAllStringSubmatch(body, -1) {
		if !known[m[1]] {
			t.Errorf("a text became the element %q", m[1])
		}
		if regexp.MustCompile(`(^|["'])\s+on[a-z]+\s*=`).MatchString(m[2]) {
			t.Errorf("a text became an attribute: %q", m[0])
		}
	}
	for _, r := range []string{"\u202e", "\u200b", "\x1b"} {
		for _, m := range regexp.MustCompile(`<(li|span class="why"|a)[^>]*>[^<]*`+r).FindAllString(body, 3) {
			t.Errorf("%U is unseen in %q", []rune(r)[0], m)
		}
	}
}

func TestPageIsDeterministic(t *testing.T) {
	first := write(t, hostilePage(), hostilePrompt())
	for range 3 {
		if write(t, hostilePage(), hostilePrompt()) != first {
			t.Fatal("the same explanation gave another page")
		}
	}
}

func TestPolicyNamesTheScriptAndTheStyle(t *testing.T) {
	page := write(t, Page{}, sample())
	p := between(t, page, `http-equiv="Content-Security-Policy" content="`, `"`)
	if strings.Contains(p, "unsafe") || !strings.HasPrefix(p, "default-src 'none'") || strings.Count(p, "'sha256-") != 2 {
		t.Errorf("the policy is too wide: %s", p)
	}
	if regexp.MustCompile(`(?i)<[^>]*\sstyle=|https?://[^w]|url\(`).MatchString(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", "")) {
		t.Error("the page holds a style attribute or an address")
	}
	if strings.Contains(page, "⟦") {
		t.Error("a mark of the layout was left")
	}
}

func TestContentOfThePage(t *testing.T) {
	page := write(t, Page{Title: "Acme reviewer", Project: "ledger", Target: "ci", Changes: []string{"without the tool <todo>"}, Version: "1.2.3"}, sample())
	for _, want := range []string{
		"<title>Acme reviewer · ci · without the tool &lt;todo&gt;</title>", "ledger", `</span> without the tool &lt;todo&gt;</span>`,
		`<span class="layer">layer user</span>`, "cento 1.2.3", "3,094", "o200k_base", "14 in", "6 out",
		"requires tool `todo` (not available)", "todo: keep the list of findings in the todo tool",
		"requires tool `cargo` (not available)", "over budget: needs 61 tokens, 18 left (importance 10)",
		"replaced by layer `team`", "empty body", "untrusted: session", "~/.config/cento/config.yaml:6:48",
		`data-c="U+200B"`, "CLAUDE.md is not read beside AGENTS.md", *sample().Digest,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestBudgetOnThePage: the page says what a budget is spent on, and of what it took from
// what budget on it stays.
func TestBudgetOnThePage(t *testing.T) {
	for _, exact := range []bool{true, false} {
		var counter cento.Counter = letters{exact}
		p, err := cento.ReduceFragments([]cento.Fragment{
			{ID: "style", Body: strings.Repeat("a", 3000), Importance: cento.ImportanceOf(5), Variants: []cento.Text{{Body: "bbb"}}},
			{ID: "aside", Body: "cc", Importance: cento.ImportanceOf(1)},
			{ID: "rest", Body: "d"},
		}, cento.Active{}, cento.Options{Budget: &cento.Budget{Tokens: 1010, Reserve: 1000, Counter: counter}})
		if err != nil {
			t.Fatal(err)
		}
		page := write(t, Page{}, p.Explain(cento.ExplainOptions{Counter: counter}))
		about := ""
		if !exact {
			about = "~"
		}
		for _, want := range []string{
			"<dt>Budget</dt><dd>1,010 ", "<dd>1,010 <span class=\"quiet\">10 for the prompt, " + about + "4 left; 1 dropped, 1 shortened",
			"; over budget: variant 1, longer from " + about + "4,003 tokens (importance 5)", "over budget: stays from",
		} {
			if !strings.Contains(page, want) {
				t.Errorf("exact %t: the page lacks %q", exact, want)
			}
		}
		if strings.Contains(write(t, Page{}, sample()), "<dt>Budget") {
			t.Error("a page without a budget tells of one")
		}
	}
}

// letters counts each letter as a token, and says whether that is exact.
type letters struct{ exact bool }

func (letters) Name() string       { return "letters" }
func (l letters) Exact() bool      { return l.exact }
func (letters) Count(s string) int { return len(s) }

func TestNoPromptAndEmptyPrompt(t *testing.T) {
	e := explain([]part{{id: "a", out: cento.CodeBodyEmpty, reason: "empty body"}})
	if page := write(t, Page{}, e); !strings.Contains(page, "there is no system prompt") || strings.Contains(page, `<div class="prompt"`) {
		t.Error("a page without a prompt doesn't say so")
	}
	e.System = new(string)
	if page := write(t, Page{}, e); !strings.Contains(page, "is empty: 0 bytes") || promptText(t, page) != "" {
		t.Error("a page of an empty prompt doesn't say so")
	}
	write(t, Page{}, &cento.Explanation{})
}

func TestLongTextIsCutIntoBlocks(t *testing.T) {
	var b strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 { // of all lengths, so that cuts fall on every kind of place
		b.WriteString("a line of some length"[:1+random.IntN(21)] + strings.Repeat("\n", 1+random.IntN(3)))
	}
	lines := b.String() + "end"
	flat := strings.Repeat("word ", 100_000) + "end"
	e := explain([]part{{id: "lines", runs: text(lines)}, {id: "flat", runs: text(flat)}, {id: "last", runs: text("x")}})
	page := write(t, Page{}, e)
	if promptText(t, page) != *e.System {
		t.Fatal("the page's text differs from the prompt")
	}
	blocks := strings.Split(between(t, page, `<div class="prompt"`, "</section>"), `<div class="frag`)[1:]
	if len(blocks) < len(*e.System)/(2*lineBytes) {
		t.Errorf("%d blocks for %d bytes", len(blocks), len(*e.System))
	}
	for i, b := range blocks {
		if len(b) > blockBytes+lineBytes+1000 {
			t.Errorf("block %d has %d bytes", i, len(b))
		}
		if plain := ourMarkup.ReplaceAllString(b, ""); strings.HasSuffix(plain, "\n") {
			t.Errorf("block %d ends in a line end, which shows as none: %q", i, plain[len(plain)-20:])
		}
	}
	if !strings.Contains(page, `<body class="long">`) {
		t.Error("the page doesn't know that it is long")
	}
}

func TestInvalidExplanations(t *testing.T) {
	s := "héllo"
	one := func(change func(*cento.Explanation)) *cento.Explanation {
		e := explain([]part{{id: "a", runs: []run{{text: "héll"}, {text: "o"}}}})
		change(e)
		return e
	}
	tests := map[string]*cento.Explanation{
		"nothing":           nil,
		"gap":               one(func(e *cento.Explanation) { e.Spans[1].Start++ }),
		"beyond the end":    one(func(e *cento.Explanation) { e.Spans[1].End++ }),
		"short of the end":  one(func(e *cento.Explanation) { e.Spans = e.Spans[:1] }),
		"inside characters": one(func(e *cento.Explanation) { e.Spans[0].End, e.Spans[1].Start = 2, 2 }),
		"unknown fragment":  one(func(e *cento.Explanation) { e.Spans[0].Fragment = "b" }),
		"twice":             one(func(e *cento.Explanation) { e.Fragments = append(e.Fragments, e.Fragments[0]) }),
		"not UTF-8":         one(func(e *cento.Explanation) { s := "h\xffllo!"; e.System = &s }),
		"text without span": {System: &s},
	}
	for name, e := range tests {
		var b bytes.Buffer
		err := Write(&b, Page{}, e)
		if !errors.Is(err, InvalidExplanation) {
			t.Errorf("%s: the error is %v", name, err)
		}
		if b.Len() > 0 {
			t.Errorf("%s: %d bytes were written before the error", name, b.Len())
		}
	}
}

type failing struct{ left int }

var errFull = errors.New("the disk is full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestErrorsOfTheWriterAreReturned(t *testing.T) {
	size := len(write(t, Page{}, sample()))
	for left := 0; left < size; left += size / 7 {
		if err := Write(&failing{left}, Page{}, sample()); !errors.Is(err, errFull) {
			t.Errorf("with room for %d bytes the error is %v", left, err)
		}
	}
	if err := Write(&failing{size}, Page{}, sample()); err != nil {
		t.Error(err)
	}
}

func BenchmarkWrite(b *testing.B) {
	e := sample()
	for b.Loop() {
		if err := Write(discard{}, Page{Title: "Acme reviewer"}, e); err != nil {
			b.Fatal(err)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func FuzzText(f *testing.F) {
	for _, h := range hostile {
		f.Add(h)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := &cento.Explanation{System: &s, Spans: []cento.Span{{End: len(s), Fragment: s, MadeBy: cento.BySession}}, Fragments: []cento.Trace{{ID: s}}}
		var b bytes.Buffer
		if err := Write(&b, Page{}, e); err != nil {
			if !errors.Is(err, InvalidExplanation) {
				t.Fatal(err)
			}
			return
		}
		if got := promptText(t, b.String()); got != s {
			t.Fatalf("the page's text differs from the prompt:\n%q\n%q", got, s)
		}
	})
}

func TestLegendNamesTheHeaviest(t *testing.T) {
	var parts []part
	for i := range 40 {
		parts = append(parts, part{id: fmt.Sprint(i), source: fmt.Sprintf("source%d:x", i), runs: text(strings.Repeat("x", 10+i%20*50))})
	}
	legend := between(t, write(t, Page{}, explain(parts)), `<ul class="legend"`, "</ul>")
	if n := strings.Count(legend, "<button"); n != maxFamilies {
		t.Errorf("the legend names %d families", n)
	}
	for _, want := range []string{">source19 <", ">source39 <", "24 other sources 35%"} {
		if !strings.Contains(strings.ReplaceAll(legend, "</span>source", ">source"), want) {
			t.Errorf("the legend lacks %q: %s", want, legend)
		}
	}
	if strings.Contains(legend, "source20") {
		t.Error("the legend names one of the lightest")
	}
}
