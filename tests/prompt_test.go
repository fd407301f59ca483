package tests

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// Locate points to the line and column of a byte, not of the span it lies in.
func TestLocate(t *testing.T) {
	p := reduce(t, []cento.Fragment{
		{ID: "a", Body: "\n  First é line.\nSecond.", Origin: at("a.md", 4), Title: "Title", Trust: cento.TrustWorkspace},
		{ID: "b", Body: "From nowhere."},
		{ID: "c", Body: "zero\u200bwidth, then more", Origin: at("c.md", 1), Trust: cento.TrustWorkspace},
	}, cento.Active{})
	text, _ := p.System()
	for _, c := range []struct {
		of   string
		want cento.Position
		ok   bool
	}{
		{"### Title", at("a.md", 4), true},
		{"First", cento.Position{File: "a.md", Line: 5, Column: 3}, true},
		{"line.", cento.Position{File: "a.md", Line: 5, Column: 11}, true},
		{"Second.", cento.Position{File: "a.md", Line: 6, Column: 1}, true},
		{"ond.", cento.Position{File: "a.md", Line: 6, Column: 4}, true},
		{"nowhere", cento.Position{}, false},
		{"200B", cento.Position{File: "c.md", Line: 1, Column: 5}, true},
		{"width", cento.Position{File: "c.md", Line: 1, Column: 6}, true},
		{"more", cento.Position{File: "c.md", Line: 1, Column: 18}, true},
	} {
		got, ok := p.Locate(strings.Index(text, c.of))
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%q stands at %v (%v), want %v", c.of, got, ok, c.want)
		}
	}
	for _, outside := range []int{-1, len(text), len(text) + 1} {
		if _, ok := p.SpanAt(outside); ok {
			t.Errorf("byte %d has a span", outside)
		}
		if _, ok := p.Locate(outside); ok {
			t.Errorf("byte %d has a place", outside)
		}
	}
}

// The text of a fragment that is out has spans as well, counted from itself.
func TestTextSpans(t *testing.T) {
	p := reduce(t, []cento.Fragment{
		{ID: "in", Body: "In."},
		{ID: "out", Body: "  Out\u200b.", Title: "T", Origin: at("a.md", 1), Trust: cento.TrustTool, RequiresTools: []string{"x"}},
	}, cento.Active{})
	at, text := 0, p.Text(1)
	for _, s := range p.TextSpans(1) {
		if s.Start != at || s.End <= s.Start || s.Fragment != "out" {
			t.Fatalf("span %+v follows byte %d", s, at)
		}
		at = s.End
	}
	if at != len(text) || text != "### T\n\nOut<U+200B>." {
		t.Errorf("the spans end at %d of %q", at, text)
	}
	if spans := p.TextSpans(1); spans[0].Kind != cento.HeadingSpan || spans[1].Column != 3 {
		t.Errorf("the spans are %+v", spans)
	}
	p = reduce(t, []cento.Fragment{{ID: "a", Body: "A.", Title: "T", Section: "S"}, {ID: "b", Body: "B.", Title: "T", Section: "S"}}, cento.Active{})
	for enough := range len(p.Spans()) + 1 {
		var got []cento.Span
		for s := range p.AllSpans() {
			if len(got) == enough {
				break // whoever has seen enough may stop
			}
			got = append(got, s)
		}
		if !slices.Equal(got, p.Spans()[:enough]) {
			t.Errorf("%d of the spans are %+v", enough, got)
		}
	}
}

func TestNothing(t *testing.T) {
	p := reduce(t, nil, cento.Active{})
	if text, ok := p.System(); ok || text != "" || p.Digest() != "" || p.Bytes() != 0 || len(p.Spans()) != 0 || p.Len() != 0 {
		t.Errorf("nothing reduces to %q", text)
	}
	e := p.Explain(cento.ExplainOptions{})
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(text, &keys); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"system", "digest", "model"} {
		if v, there := keys[name]; !there || v != nil {
			t.Errorf("%s is %v, want null", name, v)
		}
	}
	for _, name := range []string{"fragments", "spans"} {
		if v, ok := keys[name].([]any); !ok || len(v) != 0 {
			t.Errorf("%s is %v, want an empty list", name, keys[name])
		}
	}
}

// The keys of a provenance are those that readers of it know.
func TestProvenance(t *testing.T) {
	p := reduce(t, []cento.Fragment{{ID: "a", Body: "A."}, {ID: "b", Body: "B.", RequiresTools: []string{"x"}}}, cento.Active{})
	text, err := json.Marshal(p.Provenance())
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Fragments          []map[string]any
		Included, Excluded int
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Included != 1 || got.Excluded != 1 || len(got.Fragments) != 2 {
		t.Fatalf("%s", text)
	}
	for _, key := range []string{"id", "source", "bucket", "included", "reason", "bytes", "code", "tokens", "digest", "span", "section", "layer", "origin", "trust", "stability", "protected", "importance", "variant"} {
		for _, f := range got.Fragments {
			if _, there := f[key]; !there {
				t.Errorf("%s lacks the key %q", f["id"], key)
			}
		}
	}
}

// Explanations show the texts of excluded fragments where that is asked for.
func TestExcludedTexts(t *testing.T) {
	p := reduce(t, []cento.Fragment{{ID: "a", Body: " A. "}, {ID: "b", Body: " B. ", RequiresTools: []string{"x"}, RequiresCaps: []string{"y"}}}, cento.Active{})
	plain, full := p.Traces(cento.ExplainOptions{}), p.Traces(cento.ExplainOptions{ExcludedTexts: true, AllReasons: true})
	if plain[0].Text+plain[1].Text != "" || full[0].Text != "" || full[1].Text != "B." {
		t.Errorf("%+v and %+v", plain, full)
	}
	if plain[1].Unmet != nil || len(full[1].Unmet) != 2 || full[0].Unmet != nil {
		t.Errorf("%v and %v", plain[1].Unmet, full[1].Unmet)
	}
}

func TestIndex(t *testing.T) {
	p := reduce(t, []cento.Fragment{{ID: "a", Body: "A.", Bucket: cento.After}, {ID: "b", Body: "B."}}, cento.Active{})
	if i, ok := p.Index("b"); !ok || i != 1 || p.Fragment(i).ID != "b" {
		t.Errorf("b is %d, %v", i, ok)
	}
	if _, ok := p.Index("c"); ok {
		t.Error("c is found")
	}
	if start, end, ok := p.Extent(0); !ok || start != 4 || end != 6 {
		t.Errorf("a stands at [%d, %d), %v", start, end, ok)
	}
	out := reduce(t, []cento.Fragment{{ID: "in", Body: "In."}, {ID: "out", Body: "Out.", RequiresTools: []string{"x"}}, {ID: "next", Body: "Next."}}, cento.Active{})
	if start, end, ok := out.Extent(1); start != 0 || end != 0 || ok {
		t.Errorf("what is out stands at [%d, %d), %v", start, end, ok)
	}
	if !slices.Equal([]cento.Code{p.Code(0), p.Code(1)}, []cento.Code{cento.CodeUnconditional, cento.CodeUnconditional}) {
		t.Error("both are in for no other reason")
	}
}

// A value that isn't a copy of what stands at its place keeps that place, however much
// white space before it is trimmed.
func TestTrimmedValueKeepsItsPlace(t *testing.T) {
	const body = " \n value"
	place := cento.Position{File: "a.md", Line: 3, Column: 5}
	for _, c := range []struct {
		name  string
		fixed bool
		want  cento.Position
	}{
		{"a copy", false, cento.Position{File: "a.md", Line: 4, Column: 2}},
		{"not a copy", true, place},
	} {
		p := reduce(t, []cento.Fragment{{ID: "a", Body: body, Runs: []cento.Run{{End: len(body), Var: "x", Position: place, Fixed: c.fixed}}}}, cento.Active{})
		if got, ok := p.Locate(0); !ok || got != c.want {
			t.Errorf("%s: stands at %v, want %v", c.name, got, c.want)
		}
	}
}

// The spans of a tool's description are those of its runs; runs that don't tile it say
// nothing, and all of it stands where the tool does.
func TestDescriptionSpans(t *testing.T) {
	first, second := at("a.yaml", 4), at("b.yaml", 2)
	tool := cento.Tool{Name: "t", Description: "Reads files.", Trust: cento.TrustTool, Origin: at("tools.json", 9)}
	for _, c := range []struct {
		name string
		runs []cento.Run
		want []cento.Position // of each span
		last cento.Position   // of the last byte
	}{
		{"none", nil, []cento.Position{tool.Origin}, tool.Origin},
		{"two", []cento.Run{{End: 6, Position: first}, {Start: 6, End: 12, Position: second}}, []cento.Position{first, second}, cento.Position{File: "b.yaml", Line: 2, Column: 6}},
		{"a gap", []cento.Run{{End: 5, Position: first}, {Start: 6, End: 12, Position: second}}, []cento.Position{tool.Origin}, tool.Origin},
		{"too short", []cento.Run{{End: 6, Position: first}}, []cento.Position{tool.Origin}, tool.Origin},
		{"too long", []cento.Run{{End: 13, Position: first}}, []cento.Position{tool.Origin}, tool.Origin},
	} {
		tool.DescriptionRuns = c.runs
		spans := tool.AppendDescriptionSpans(nil)
		end := 0
		var got []cento.Position
		for _, s := range spans {
			if s.Start != end || s.End <= s.Start || s.Fragment != "tool:t" || s.Trust != cento.TrustTool || s.MadeBy != cento.ByTool {
				t.Errorf("%s: %+v follows byte %d", c.name, s, end)
			}
			end = s.End
			got = append(got, cento.Position{File: s.File, Line: s.Line, Column: s.Column})
		}
		if end != len(tool.Description) || !slices.Equal(got, c.want) {
			t.Errorf("%s: the spans end at %d, and stand at %v, want %v", c.name, end, got, c.want)
		}
		if last, ok := spans[len(spans)-1].Locate(tool.Description, len(tool.Description)-1); !ok || last != c.last {
			t.Errorf("%s: the last byte stands at %v, want %v", c.name, last, c.last)
		}
	}
	tool.Description, tool.DescriptionRuns = "", nil
	if spans := tool.AppendDescriptionSpans(nil); len(spans) != 0 {
		t.Errorf("without a description: %+v", spans)
	}
}

// What is out takes no tokens, whatever its text would.
func TestTokensOfWhatIsOut(t *testing.T) {
	p := reduce(t, []cento.Fragment{{ID: "in", Body: "four"}, {ID: "out", Body: "seven..", RequiresTools: []string{"x"}}}, cento.Active{})
	for i, want := range []int{4, 0} {
		if got := p.Trace(i, cento.ExplainOptions{Counter: lengths{}}).Tokens; got == nil || *got != want {
			t.Errorf("fragment %d: %v, want %d", i, got, want)
		}
	}
}

// The trust of a trace is that of the least trusted words of the text, those of its own
// title among them, and of nothing else.
func TestTraceTrustOfTitles(t *testing.T) {
	for _, c := range []struct {
		title string
		of    cento.Trust
		body  cento.Trust
		want  cento.Trust
	}{
		{"", cento.TrustWorkspace, cento.TrustUser, cento.TrustUser},
		{"Title", cento.TrustWorkspace, cento.TrustUser, cento.TrustWorkspace},
		{"Title", cento.TrustUser, cento.TrustWorkspace, cento.TrustWorkspace},
		{"", cento.TrustUser, cento.TrustWorkspace, cento.TrustWorkspace},
	} {
		p := reduce(t, []cento.Fragment{{ID: "a", Title: c.title, Body: "Body.", Trust: c.of, Runs: []cento.Run{{End: 5, Trust: c.body}}}}, cento.Active{})
		if got := p.Trace(0, cento.ExplainOptions{}).Trust; got != c.want {
			t.Errorf("title %q of %v over %v: %v, want %v", c.title, c.of, c.body, got, c.want)
		}
	}
}

// Characters that are shown stand each at its own place, next to one another too.
func TestNeighboursThatAreShown(t *testing.T) {
	p := reduce(t, []cento.Fragment{{ID: "a", Body: "ab\x01\x02\u200b\u200bcd", Origin: cento.Position{File: "a.md", Line: 3, Column: 1}, Trust: cento.TrustWorkspace}}, cento.Active{})
	text, _ := p.System()
	if want := "ab<U+0001><U+0002><U+200B><U+200B>cd"; text != want {
		t.Fatalf("%q, want %q", text, want)
	}
	for k, column := range map[int]int{1: 2, 2: 3, 9: 3, 10: 4, 18: 5, 26: 6, 33: 6, 34: 7, 35: 8} {
		if at, _ := p.Locate(k); at.Line != 3 || at.Column != column {
			t.Errorf("byte %d stands at %v, want column %d", k, at, column)
		}
	}
}
