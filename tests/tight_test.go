package tests

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// list is three lines of one list, the second with a gate of its own.
func list() []cento.Fragment {
	return []cento.Fragment{
		{ID: "before", Body: "Before.", Section: "Rules", SectionIndex: 1},
		{ID: "head", Body: "- one", Section: "Rules", SectionIndex: 1},
		{ID: "ask", Body: "- two", Section: "Rules", SectionIndex: 1, Tight: true, RequiresTools: []string{"ask"}},
		{ID: "rest", Body: "- three\n", Section: " Rules", SectionIndex: 1, Tight: true},
	}
}

func TestTight(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func([]cento.Fragment)
		active cento.Active
		want   string
	}{
		{"all in", nil, cento.Active{Tools: []string{"ask"}}, "## Rules\n\nBefore.\n\n- one\n- two\n- three"},
		{"the middle out", nil, cento.Active{}, "## Rules\n\nBefore.\n\n- one\n- three"},
		{"the first out", func(f []cento.Fragment) { f[1].RequiresCaps = []string{"x"} }, cento.Active{Tools: []string{"ask"}}, "## Rules\n\nBefore.\n\n- two\n- three"},
		{"two out", func(f []cento.Fragment) { f[1].Body = " " }, cento.Active{}, "## Rules\n\nBefore.\n\n- three"},
		{"alone", func(f []cento.Fragment) { f[0].Body, f[1].Body = "", "" }, cento.Active{}, "## Rules\n\n- three"},
		{"without sections", func(f []cento.Fragment) {
			for i := range f {
				f[i].Section, f[i].SectionIndex = "", 0
			}
		}, cento.Active{Tools: []string{"ask"}}, "Before.\n\n- one\n- two\n- three"},
		{"another section", func(f []cento.Fragment) { f[3].SectionIndex = 2 }, cento.Active{}, "## Rules\n\nBefore.\n\n- one\n\n## Rules\n\n- three"},
		{"another bucket", func(f []cento.Fragment) { f[2].Bucket = cento.After }, cento.Active{Tools: []string{"ask"}}, "## Rules\n\nBefore.\n\n- one\n- three\n\n## Rules\n\n- two"},
		{"a heading within the chain", func(f []cento.Fragment) {
			f[1].Body = "## Own"
			for i := range f {
				f[i].SectionForm = cento.RepeatedHeading
			}
		}, cento.Active{Tools: []string{"ask"}}, "## Rules\n\nBefore.\n\n## Own\n## Rules\n\n- two\n- three"},
		{"the very first", func(f []cento.Fragment) { f[0].Tight = true }, cento.Active{}, "## Rules\n\nBefore.\n\n- one\n- three"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fragments := list()
			if c.change != nil {
				c.change(fragments)
			}
			p := reduce(t, fragments, c.active)
			if got, _ := p.System(); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
			checkSpans(t, &p.Assembly, c.want)
			plan, err := cento.Compile(fragments, cento.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var asm cento.Assembly
			text, err := plan.AppendText(nil, plan.Bind(c.active), &asm)
			if err != nil {
				t.Fatal(err)
			}
			if string(text) != c.want {
				t.Errorf("the compiled plan gives:\n%s", text)
			}
		})
	}
}

// A tight joiner is a span of one byte, and belongs to the fragment after it.
func TestTightJoinerSpan(t *testing.T) {
	p := reduce(t, list(), cento.Active{})
	text, _ := p.System()
	s, ok := p.SpanAt(strings.Index(text, "\n- three"))
	if !ok || s.Kind != cento.JoinerSpan || s.Fragment != "rest" || s.End-s.Start != 1 {
		t.Errorf("the joiner is %+v", s)
	}
}

// Tightness changes joiners and nothing else: each fragment is decided the same
// and keeps its text, the spans tile, and without the tight joiners the text is
// the one of loose fragments.
func TestTightChangesOnlyJoiners(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loose := fragmentLists().Draw(t, "fragments")
		active := activeSets().Draw(t, "active")
		tight := append([]cento.Fragment(nil), loose...)
		for i := range tight {
			tight[i].Tight = rapid.Bool().Draw(t, "tight")
		}
		a, b := reduce(t, loose, active), reduce(t, tight, active)
		text, _ := b.System()
		var loosened strings.Builder
		at := 0
		for s := range b.AllSpans() {
			if s.Start != at || s.End <= s.Start {
				t.Fatalf("span [%d, %d) follows byte %d", s.Start, s.End, at)
			}
			at = s.End
			if s.Kind == cento.JoinerSpan {
				loosened.WriteString("\n\n")
			} else {
				loosened.WriteString(text[s.Start:s.End])
			}
		}
		if at != len(text) {
			t.Fatalf("the spans end at %d, the text at %d", at, len(text))
		}
		if want, _ := a.System(); loosened.String() != want {
			t.Fatalf("loosened:\n%q\nwant:\n%q", loosened.String(), want)
		}
		for i := range loose {
			if a.Code(i) != b.Code(i) || a.Text(i) != b.Text(i) {
				t.Fatalf("fragment %d is decided or worded otherwise", i)
			}
		}
	})
}
