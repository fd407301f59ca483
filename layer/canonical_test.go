package layer_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
)

func isOnly(err error, code cento.ErrorCode) bool {
	e, ok := errors.AsType[*cento.SourceError](err)
	return ok && e.Code == code
}

// corpus is the layers in canonical form, one a line.
func corpus(t testing.TB) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/canonical.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) < 10 {
		t.Fatalf("%d lines in the corpus", len(lines))
	}
	return lines
}

func TestCanonicalRoundTrip(t *testing.T) {
	for _, line := range corpus(t) {
		l, err := layer.Read("layer.json", []byte(line), cento.TrustHost, cento.Limits{})
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := canonical(t, l); got != line {
			t.Errorf("got  %s\nwant %s", got, line)
		}
		var again layer.Layer
		if err := json.Unmarshal([]byte(line), &again); err != nil {
			t.Error(err)
		} else if got := canonical(t, again); got != line {
			t.Errorf("by encoding/json: got  %s\nwant %s", got, line)
		}
	}
}

// Every control character is escaped in its shortest form and nothing else is.
func TestEscapes(t *testing.T) {
	var all strings.Builder
	want := `{"slot":"intro","priority":0,"content":"`
	for c := range rune(0x80) {
		all.WriteRune(c)
		switch c {
		case '"', '\\':
			want += `\` + string(c)
		case '\b':
			want += `\b`
		case '\f':
			want += `\f`
		case '\n':
			want += `\n`
		case '\r':
			want += `\r`
		case '\t':
			want += `\t`
		default:
			if c < ' ' {
				want += `\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15])
			} else {
				want += string(c)
			}
		}
	}
	for _, r := range "\u0085\u2028\u2029\u00e9\ufeff\U0001f600" {
		all.WriteRune(r)
		want += string(r)
	}
	if got := canonical(t, layer.Intro("", all.String())); got != want+`"}` {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestInvalidUTF8IsRefused(t *testing.T) {
	l := layer.Layer{}.WithContributions(layer.Intro("", "a\xffb"))
	if _, err := l.AppendJSON(nil); !isOnly(err, cento.InvalidUTF8) {
		t.Errorf("got %v", err)
	}
	if out, err := l.AppendJSON([]byte("kept")); err == nil || string(out) != "kept" {
		t.Errorf("got %q, %v", out, err)
	}
}

// What is handed over without a file has no place; a failure leaves the value
// as it was.
func TestUnmarshalJSON(t *testing.T) {
	l := layer.Layer{}.WithContributions(layer.Intro("", "a"))
	before := canonical(t, l)
	if err := json.Unmarshal([]byte(`{"slot":{}}`), &l); !isOnly(err, "key.unknown") || canonical(t, l) != before {
		t.Errorf("got %v, %s", err, canonical(t, l))
	}
	var tmpl layer.Template
	if err := json.Unmarshal([]byte(`{"sections":[{"title":"T"}]}`), &tmpl); err != nil || canonical(t, tmpl) != `{"sections":[{"title":"T"}]}` {
		t.Errorf("got %v, %s", err, canonical(t, tmpl))
	}
}

// A contribution's text is traced to the place where it stands in its file.
func TestRunsOfContributions(t *testing.T) {
	const file = "slots:\n  guidance:\n    contributions:\n      - title: Shell\n        content: |\n          First.\n          Second.\n"
	l, err := layer.Read("team.yaml", []byte(file), cento.TrustWorkspace, cento.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := cento.ReduceFragments(resolve(t, l).Compile(layer.Builtins{}), cento.Active{}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := p.System()
	at, ok := p.Locate(strings.Index(text, "cond"))
	if want := (cento.Position{File: "team.yaml", Line: 7, Column: 13}); !ok || at != want {
		t.Errorf("%q: the second line is at %v", text, at)
	}
	s, _ := p.SpanAt(strings.Index(text, "First"))
	if s.Trust != cento.TrustWorkspace {
		t.Errorf("the text has the trust %s", s.Trust)
	}
}

// TestShapesAlone: each object of a layer has the same shape alone as in a layer, and
// reads back from it.
func TestShapesAlone(t *testing.T) {
	gated := layer.Guidance("Deploy", "Deploy at once.")
	gated.RequiresAnyTools, gated.RequiresCaps = []string{"deploy"}, []string{"x"}
	for _, c := range []struct {
		value, back any
		want        string
	}{
		{layer.Text("x"), new(layer.Entry), `{"kind":"text","content":"x"}`},
		{layer.Builtin(layer.CoreGuidance), new(layer.Entry), `{"kind":"builtin","builtin":"core_guidance"}`},
		{layer.Slot("guidance"), new(layer.Entry), `{"kind":"slot","slot":"guidance"}`},
		{layer.Titled("A", layer.Text("x")), new(layer.Section), `{"title":"A","entries":[{"kind":"text","content":"x"}]}`},
		{layer.Untitled(), new(layer.Section), `{}`},
		{layer.SlotLayer{Reset: true}, new(layer.SlotLayer), `{"reset":true}`},
		{layer.SlotLayer{Contributions: []layer.Contribution{layer.Intro("", "x")}}, new(layer.SlotLayer),
			`{"reset":false,"contributions":[{"slot":"intro","priority":0,"content":"x"}]}`},
		{gated, new(layer.Contribution),
			`{"slot":"guidance","title":"Deploy","priority":0,"gate":{"tools":["deploy"]},"content":"Deploy at once.","requires_caps":["x"]}`},
		{layer.InsertSectionBefore("B", layer.Untitled()), new(layer.Patch), `{"op":"insert_section","before":"B","section":{}}`},
	} {
		text, err := json.Marshal(c.value)
		if err != nil || string(text) != c.want {
			t.Errorf("%T: %s, %v; want %s", c.value, text, err, c.want)
		}
		if err := json.Unmarshal([]byte(c.want), c.back); err != nil {
			t.Errorf("%s: %v", c.want, err)
		} else if again, err := json.Marshal(c.back); err != nil || string(again) != c.want {
			t.Errorf("%s is read as %s, %v", c.want, again, err)
		}
	}
	var c layer.Contribution
	if err := json.Unmarshal([]byte(`{"content":"x"}`), &c); err == nil {
		t.Error("a contribution without a slot is read")
	}
	var s layer.SlotLayer
	if err := json.Unmarshal([]byte(`{"contributions":[{"content":"x"}]}`), &s); err == nil {
		t.Error("what is done to a slot is read with a contribution that has none")
	}
}
