package project

import (
	"fmt"
	"strings"
	"testing"
)

// undefinedNotes are the notes on names that nothing defines, with their places.
func undefinedNotes(t *testing.T, r Request) []string {
	t.Helper()
	p, err := Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, n := range p.Input.Notes {
		if n.Code == ToolUndefined || n.Code == CapUndefined {
			out = append(out, fmt.Sprintf("%s %s %s", n.Position, n.Code, n.Message))
		}
	}
	return out
}

// The collected input tells of names in a target that nothing defines, so that a
// host that uses the library hears of them as well.
func TestUndefinedNames(t *testing.T) {
	const unknownTool = `names the tool %q, which nothing defines: it is active by its name alone, without guidance`
	const gate = "\nfragments: [{id: a, body: x, requires_caps: [read-only]}]"
	for name, c := range map[string]struct {
		manifest string
		want     []string // parts of the notes
	}{
		"defined":         {"tools: [{name: bash}]\ntargets: {t: {tools: [bash]}}", nil},
		"far":             {"tools: [{name: bash}]\ntargets: {t: {tools: [read]}}", []string{"cento.yaml:2:23 tool.undefined the target \"t\" " + fmt.Sprintf(unknownTool, "read") + "; the tools are bash"}},
		"near":            {"tools: [{name: bash}]\ntargets: {t: {tools: [bahs]}}", []string{`cento.yaml:2:23 tool.undefined the target "t" names the tool "bahs"`}},
		"of a file":       {"tools: tools.json\ntargets: {t: {tools: [from_fiel]}}", []string{`did you mean "from_file"?`}},
		"of a caller":     {"targets: {t: {tools: [read]}}", nil},
		"known by name":   {"tools: [{name: bash}, read]\ntargets: {t: {tools: [read]}}", nil},
		"near a name":     {"tools: [read]\ntargets: {t: {tools: [reda]}}", []string{`did you mean "read"?`}},
		"far from a name": {"tools: [read]\ntargets: {t: {tools: [bash]}}", nil},
		"beside others":   {"tools: [{name: bash}]\ntargets: {t: {tools: [{name: read}, raed]}}", []string{`did you mean "read"?`}},
		"cap near":        {"targets: {t: {caps: [read-onyl]}}" + gate, []string{`cento.yaml:1:22 cap.undefined the capability "read-onyl" is set, and nothing asks for it; did you mean "read-only", which the fragment "a" asks for at cento.yaml:2:46?`}},
		"cap far":         {"targets: {t: {caps: [headless]}}" + gate, nil},
		"cap asked for":   {"targets: {t: {caps: [read-only]}}" + gate, nil},
		"cap taken away":  {"targets: {t: {caps: [-read-onyl]}}" + gate, nil},
		"cap of a file":   {"instruction: $workspace/a\ntargets: {t: {caps: [qiet]}}", []string{`did you mean "quiet", which the prompt file asks for at $workspace/a.md:1:7?`}},
		"cap of any name": {"instruction: $workspace/b\ntargets: {t: {caps: [qiet]}}", nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := inFolder(t, map[string]string{
				FileName: c.manifest, "tools.json": `[{"name": "from_file"}]`,
				".cento/prompts/a.md": "{% if cap('quiet') %}Hush.{% endif %}", ".cento/prompts/b.md": "{% if cap('quiet') or caps | length > 3 %}Hush.{% endif %}",
			})
			r.Target = "t"
			got := undefinedNotes(t, r)
			if len(got) != len(c.want) {
				t.Fatalf("got %q, want %q", got, c.want)
			}
			for i := range got {
				if !strings.Contains(got[i], c.want[i]) {
					t.Errorf("got %q, want %q", got[i], c.want[i])
				}
			}
		})
	}
}

// Very many names are told in a few lines.
func TestManyUndefinedNames(t *testing.T) {
	var defined, named strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&defined, "  - {name: tool_%d}\n", i)
		fmt.Fprintf(&named, "      - tolo_%d\n", i)
	}
	r := inFolder(t, map[string]string{FileName: "tools:\n" + defined.String() + "targets:\n  t:\n    tools:\n" + named.String()})
	r.Target = "t"
	got := undefinedNotes(t, r)
	if len(got) != maxUndefined+1 || !strings.HasSuffix(got[maxUndefined], "and so are 2980 more tools") {
		t.Errorf("%d notes, the last %q", len(got), got[len(got)-1])
	}
	if want := `"tolo_0", which nothing defines: it is active by its name alone, without guidance; did you mean "tool_0"?`; !strings.Contains(got[0], want) {
		t.Errorf("got %q, want %q", got[0], want)
	}
}

// Names that a stranger's test has by the thousand are held against a bounded number of
// others: of those beyond it none is proposed, and nothing is said of a tool that a caller
// may bring.
func TestKnownNamesProposeWithinBounds(t *testing.T) {
	var tools strings.Builder
	const known = 2_000
	for i := range known {
		fmt.Fprintf(&tools, `, {"name": "tool_number_%04d"}`, i)
	}
	p, err := Open(t.Context(), inFolder(t, map[string]string{FileName: "tools: tools.json\n", "tools.json": "[" + tools.String()[2:] + "]"}))
	if err != nil {
		t.Fatal(err)
	}
	k, told := p.KnownNames(), 0
	for i := range known {
		if _, ok := k.Tool(fmt.Sprintf("tool_nummer_%04d", i)); ok {
			told++
		}
	}
	if most := maxCompared / known; told == 0 || told > most {
		t.Errorf("%d names are told, at most %d", told, most)
	}
	if _, ok := k.Tool("tool_number_0001"); ok {
		t.Error("a tool that is there is told")
	}
}
