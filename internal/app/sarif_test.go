package app

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/cento-dev/cento/project"
)

// A log is what the schema of SARIF 2.1.0 asks for, and a library that reads such logs
// finds every finding in it, with nothing that it doesn't know, whatever the texts of a
// project hold.
func TestSARIF(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cento.yaml": "system: \"Use `run` and \\u202e \\n::error::x\"\nmodel: nobody\ntools: [{name: run, guidance: Run.}, {name: look}]\nvars: {x: 1}\n" +
			"fragments: [{id: a, body: A, requires_tools: [none]}, {id: b, body: \"`run`\"}]\nignore: [{code: var.unused, reason: \"a \\\"caller\\\" reads it\"}]\ntargets: {bad: {instruction: $workspace/nowhere}}\n",
		"AGENTS.md":             "# Ünïcode %20 <b>\n\nkey sk-ant-api03-aB3aB3aB3aB3aB3aB3aB3aB3\n",
		".cento/prompts/a b.md": "{{ nobody }}",
		"ab:c/AGENTS.md":        "# Project instructions (AGENTS.md)\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := project.Request{Dir: filepath.Join(dir, "ab:c")}
	site, err := project.Locate(r)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := Check(t.Context(), site, r, CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(answer.SARIF())
	if err != nil {
		t.Fatal(err)
	}
	log, err := sarif.FromBytes(raw)
	if err != nil {
		t.Fatal(err)
	}
	// The library fills members that aren't there with empty values, which the schema
	// refuses in these.
	log.Runs[0].Language, log.Runs[0].Tool.Driver.Language, log.Runs[0].NewlineSequences = "en-US", "en-US", []string{"\n"}
	if err := log.Validate(); err != nil {
		t.Errorf("%v\n%s", err, raw)
	}
	levels := map[string]int{}
	files, colons := 0, 0
	for i, x := range log.Runs[0].Results {
		f := answer.Findings[i]
		if *x.RuleID != string(f.Code) || !strings.HasPrefix(*x.Message.Text, f.Message) {
			t.Errorf("result %d is %s: %s, and the finding %s: %s", i, *x.RuleID, *x.Message.Text, f.Code, f.Message)
		}
		levels[x.Level]++
		for _, l := range x.Locations {
			uri := *l.PhysicalLocation.ArtifactLocation.URI
			if strings.Contains(uri, dir) || strings.ContainsAny(uri, " <>") {
				t.Errorf("the file of %s is %q", f.Code, uri)
			}
			if u, err := url.Parse(uri); err != nil || u.Scheme != "" {
				t.Errorf("the file of %s reads as an address: %q", f.Code, uri)
			}
			colons += strings.Count(uri, "ab:c/AGENTS.md")
			files++
		}
		if (f.Ignored != "") != (len(x.Suppressions) == 1) {
			t.Errorf("%s is accepted for %q, with %d suppressions", f.Code, f.Ignored, len(x.Suppressions))
		}
	}
	if len(log.Runs[0].Results) != len(answer.Findings) || levels["error"] == 0 || levels["warning"] == 0 || levels["note"] == 0 || files == 0 || colons == 0 {
		t.Errorf("%d of %d findings, %v, %d places", len(log.Runs[0].Results), len(answer.Findings), levels, files)
	}
	// What the library read and writes again is the log, so that it knew all of it.
	var again strings.Builder
	strict, err := sarif.FromBytes(raw, sarif.WithStrictValidation())
	if err != nil {
		t.Fatal(err)
	}
	if err := strict.Write(&again); err != nil {
		t.Fatal(err)
	}
	var was, is any
	if err := json.Unmarshal(raw, &was); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(again.String()), &is); err != nil {
		t.Fatal(err)
	}
	if lost := missing(was, is, "log"); lost != "" {
		t.Errorf("the library doesn't know %s", lost)
	}
}

// missing is the first part of a JSON value that another one lacks.
func missing(want, have any, at string) string {
	switch w := want.(type) {
	case map[string]any:
		h, _ := have.(map[string]any)
		for k, v := range w {
			if lost := missing(v, h[k], at+"."+k); lost != "" {
				return lost
			}
		}
		return ""
	case []any:
		h, _ := have.([]any)
		for i, v := range w {
			if i >= len(h) {
				return fmt.Sprintf("%s[%d]", at, i)
			}
			if lost := missing(v, h[i], fmt.Sprintf("%s[%d]", at, i)); lost != "" {
				return lost
			}
		}
		return ""
	}
	if want != have {
		return at
	}
	return ""
}
