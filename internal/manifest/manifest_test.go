package manifest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/pacetest"
)

func ExampleParse() {
	m, err := Parse("cento.yaml", []byte(`
agent: {name: Acme reviewer}
fragments:
  - id: team.todo
    requires_tools: [todo]
    body: Keep the tracker up to date.
tools: [{name: read}, {name: todo}]
targets:
  ci: {tools: [read], caps: [headless]}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	ci, err := m.Target("ci")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Fragments[0].Origin)
	fmt.Println(m.Tools.Names(), ci.Tools.Names(), ci.Caps.Set)
	_, err = m.Target("cli")
	fmt.Println(err)
	// Output:
	// cento.yaml:4:5
	// [read todo] [read] [headless]
	// there is no target "cli"
}

// A target that there isn't is refused with those that there are.
func TestTooManyTargets(t *testing.T) {
	text := func(n int) []byte {
		var b strings.Builder
		b.WriteString("targets:\n")
		for i := range n {
			fmt.Fprintf(&b, "  t%d: {}\n", i)
		}
		return []byte(b.String())
	}
	if m, err := Parse("cento.yaml", text(maxTargets)); err != nil || len(m.Targets()) != maxTargets {
		t.Errorf("%d targets: %v", maxTargets, err)
	}
	_, err := Parse("cento.yaml", text(maxTargets+2))
	e, ok := errors.AsType[*cento.SourceError](err)
	want := fmt.Sprintf("targets: %d targets are more than the %d that a manifest may have", maxTargets+2, maxTargets)
	if !ok || e.Code != cento.LimitExceeded || e.Message != want || e.Position.Line != maxTargets+2 || e.Position.Column != 3 || e.Hint == "" {
		t.Errorf("%v, want %s in line %d", err, want, maxTargets+2)
	}
}

func TestUnknownTarget(t *testing.T) {
	for _, c := range []struct{ manifest, hint string }{
		{"", "the manifest has no targets"},
		{"targets: {}", "the manifest has no targets"},
		{"targets: {build: , cis: }", `did you mean "cis"? known here: build, cis`},
	} {
		m, err := Parse(FileName, []byte(c.manifest))
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Target("ci")
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok || e.Code != UnknownTarget || e.Hint != c.hint {
			t.Errorf("%q: %v, hint %q", c.manifest, err, e.Hint)
		}
	}
	if d := Defaults(); len(d.Targets()) != 0 || d.AppendYAML(nil) != nil {
		t.Error("the defaults were never written")
	} else if _, err := d.Target("ci"); !errors.Is(err, UnknownTarget) {
		t.Errorf("got %v", err)
	}
}

// Bytes that are no text, and files that are too large, are refused before
// anything else is said about them.
func TestManifestsThatAreNoText(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		code cento.ErrorCode
	}{
		{"2 MiB", make([]byte, 2<<20), cento.LimitExceeded},
		{"not UTF-8", []byte("model: \xff"), cento.InvalidUTF8},
		{"NUL", []byte("model: a\x00"), "syntax"},
	} {
		if _, err := Parse(FileName, c.data); !errors.Is(err, c.code) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, same := range []string{"\ufeffmodel: a\n", "model: a\r\n", "\n\nmodel: a", `{"model": "a"}`} {
		if m, err := Parse(FileName, []byte(same)); err != nil || m.Model != "a" {
			t.Errorf("%q: %v", same, err)
		}
	}
}

// Long lists cost what their length says, and no more.
func TestLongListsAreCheap(t *testing.T) {
	lengthtest.NotShort(t, "it measures what long lists cost")
	var names, fragments strings.Builder
	for i := range 120_000 {
		fmt.Fprintf(&names, `,"t%d"`, i)
		fmt.Fprintf(&fragments, `,{"id":"f%d","body":"x"}`, i)
	}
	limits := cento.Limits{File: 8 << 20}
	for _, request := range []string{
		`{"fragments":[],"tools":["t"` + names.String() + `]}`,
		`{"fragments":[],"caps":["t"` + names.String() + `]}`,
		`{"fragments":[{"id":"f","body":"x"}` + fragments.String() + `]}`,
	} {
		start := time.Now()
		if _, err := ParseReduce("request", []byte(request), limits); err != nil {
			t.Fatal(err)
		}
		// What is measured is a tenth of a second; a quadratic step takes a minute.
		if took := time.Since(start); took > 20*pacetest.Second() {
			t.Errorf("%.40s… took %v", request, took)
		}
	}
}

func BenchmarkParseManifest(b *testing.B) {
	data := []byte(`version: 1
agent: {name: Acme reviewer}
host:
  system_preamble: You are a careful partner.
fragments:
  - id: team.todo
    requires_tools: [todo]
    body: |
      Keep the tracker up to date.
      One item at a time.
tools: tools.json
scope: {allow: [{target: ., permission: write}]}
targets:
  ci: {tools: [read], caps: [headless]}
`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(FileName, data); err != nil {
			b.Fatal(err)
		}
	}
}
