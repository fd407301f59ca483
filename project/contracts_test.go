package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// contractProject makes a project of a manifest and one contract file.
func contractProject(t *testing.T, manifest, contract string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{FileName: manifest, "c.yaml": contract, ".git": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A small manifest can't make much of one contract file: fragments that want the
// same text share it, and all together are as long as a prompt at most.
func TestContractsAreBounded(t *testing.T) {
	const head = "role: proposer\nobjective: x\noutput: {emit: fact, key: seeds}\ncontext: {seeds: [{id: s, content: "
	long := head + strings.Repeat("x", 1<<19) + "}]}\n"
	manifest := func(n int) string {
		var b strings.Builder
		b.WriteString("system: x\nfragments:\n")
		for i := range n {
			fmt.Fprintf(&b, "  - {id: f%d, contract: c.yaml, requires_tools: [t]}\n", i)
		}
		return b.String()
	}
	p, err := Open(context.Background(), Request{Dir: contractProject(t, manifest(20), long)})
	if err != nil {
		t.Fatal(err)
	}
	if f := p.Input.Fragments; len(f) != 20 || &f[0].Runs[0] != &f[19].Runs[0] {
		t.Fatalf("%d fragments, or one has runs of its own", len(f))
	}
	_, err = Open(context.Background(), Request{Dir: contractProject(t, manifest(1000), long)})
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || e.Code != cento.LimitExceeded || e.Position.File != FileName || e.Position.Line != 34 {
		t.Fatalf("got %v", err)
	}
}

// A contract of a target is read for that target alone.
func TestContractsOfTargets(t *testing.T) {
	dir := contractProject(t, "system: x\ntargets:\n  a: {fragments: [{id: f, contract: c.yaml, form: lines}]}\n  b: {fragments: [{id: f, contract: none.yaml}]}\n",
		"role: proposer\nobjective: x\noutput: {emit: fact, key: seeds}\n")
	p, err := Open(context.Background(), Request{Dir: dir})
	if err != nil || len(p.Input.Fragments) != 0 {
		t.Fatal(p, err)
	}
	a, err := p.Target(context.Background(), "a")
	if err != nil || !strings.HasPrefix(a.Input.Fragments[0].Body, "role: proposer\n") || a.Input.Fragments[0].Trust != cento.TrustWorkspace {
		t.Fatal(a, err)
	}
	if _, err = p.Target(context.Background(), "b"); err == nil || !strings.Contains(err.Error(), "none.yaml") {
		t.Fatal(err)
	}
}
