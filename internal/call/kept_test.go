package call_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/treetest"
)

// atHome are the options of a door whose projects stand in folders, with a clock that
// stands still.
func atHome(t testing.TB, kept *call.Kept) call.Options {
	t.Helper()
	home := t.TempDir()
	return call.Options{Kept: kept, Project: func(folder string) (app.Request, error) {
		return app.Request{Dir: folder, Home: home, Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}, nil
	}}
}

// answered is what a stream of one line answers.
func answered(t testing.TB, o call.Options, op, request string) reply {
	t.Helper()
	var out bytes.Buffer
	line := fmt.Sprintf(`{"id": 1, "op": %q, "request": %s}`+"\n", op, request)
	if err := call.Stream(t.Context(), strings.NewReader(line), &out, func() error { return nil }, 1, o); err != nil {
		t.Fatal(err)
	}
	var r reply
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%s: %v", out.Bytes(), err)
	}
	return r
}

func house(t testing.TB) string {
	t.Helper()
	dir := treetest.Project(t, map[string]string{
		"cento.yaml": "instruction: $workspace/a\ntools: [read, shell]\nprofile: off\n", ".cento/prompts/a.md": "Be brief.{% if 'shell' in tools %} Use the shell.{% endif %}\n",
		"AGENTS.md": "Run make.\n", ".git/HEAD": "ref: refs/heads/main\n",
	})
	settle(t, dir)
	return dir
}

// settle makes files older than the steps of the disk's clock: one that was written just
// before it was read is read once more.
func settle(t testing.TB, dir string) {
	t.Helper()
	at := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, at, at)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestKeptProjectIsReadOnce: what is changed in memory costs no reading, and a change
// of a file is in the next answer.
func TestKeptProjectIsReadOnce(t *testing.T) {
	dir := house(t)
	kept := &call.Kept{Now: func() time.Time { return time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC) }}
	o := atHome(t, kept)
	ask := func(op, more string, want int) reply {
		t.Helper()
		r := answered(t, o, op, fmt.Sprintf(`{"project": %q%s}`, dir, more))
		if r.Error != nil {
			t.Fatalf("%s: %+v", op, r.Error)
		}
		if r.AsOf == nil || !r.AsOf.Equal(time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)) {
			t.Errorf("%s is as of %v", op, r.AsOf)
		}
		if kept.Collected() != want {
			t.Errorf("%s%s: read %d times, want %d", op, more, kept.Collected(), want)
		}
		return r
	}
	whole := ask("assemble", "", 1)
	without := ask("assemble", `, "without_tools": ["shell"]`, 1)
	if !strings.Contains(string(whole.Result), "Use the shell.") || strings.Contains(string(without.Result), "Use the shell.") {
		t.Errorf("%s\n%s", whole.Result, without.Result)
	}
	ask("explain", "", 1)
	ask("why", `, "text": "Run make."`, 1)
	ask("assemble", `, "system": "You are another."`, 1)
	if again := ask("assemble", "", 1); !bytes.Equal(again.Result, whole.Result) {
		t.Errorf("what was asked in between stayed: %s, and before %s", again.Result, whole.Result)
	}
	ask("assemble", `, "model": "gpt-5.4"`, 2) // a model is another reading
	ask("assemble", "", 2)
	treetest.File(t, dir, "AGENTS.md", "Run ninja.\n")
	settle(t, dir)
	if r := ask("assemble", "", 3); !strings.Contains(string(r.Result), "Run ninja.") {
		t.Errorf("%s", r.Result)
	}
	if r := answered(t, o, "tokens", `{"texts": ["x"]}`); r.AsOf != nil {
		t.Errorf("of no project, and as of %v", r.AsOf)
	}
	if r := answered(t, o, "assemble", `{"manifest": {"system": "x"}}`); r.AsOf != nil || kept.Collected() != 3 {
		t.Errorf("what came with the request was kept: %+v", r)
	}
}

// TestKeptAnswersAreThoseOfReadingAnew: after any changes of files, whatever was asked
// before, a kept project answers as one that is read for the request.
func TestKeptAnswersAreThoseOfReadingAnew(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := house(t)
		kept, fresh := atHome(t, &call.Kept{}), call.Options{}
		fresh.Project = kept.Project
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			switch rapid.IntRange(0, 5).Draw(rt, "change") {
			case 0:
				treetest.File(t, dir, "AGENTS.md", rapid.StringMatching(`[a-c]{0,3}`).Draw(rt, "text"))
			case 1:
				treetest.File(t, dir, ".cento/prompts/a.md", rapid.SampledFrom([]string{"One.", "{{ vars.x }}", "{% broken", "{% include '$workspace/b' %}"}).Draw(rt, "prompt"))
			case 2:
				treetest.File(t, dir, ".cento/prompts/b.md", rapid.StringMatching(`[a-c]{1,3}`).Draw(rt, "b"))
			case 3:
				os.Remove(filepath.Join(dir, rapid.SampledFrom([]string{"AGENTS.md", ".cento/prompts/b.md"}).Draw(rt, "gone")))
			case 4:
				treetest.File(t, dir, "cento.yaml", rapid.SampledFrom([]string{
					"instruction: $workspace/a\n", "system: x\nprofile: off\n", "tools: [read]\nsystem: x\n", "nothing: 1\n",
				}).Draw(rt, "manifest"))
			}
			request := fmt.Sprintf(`{"project": %q%s}`, dir, rapid.SampledFrom([]string{"", `, "caps": ["c"]`, `, "vars": {"x": "y"}`, `, "now": "2026-01-01T00:00:00Z"`}).Draw(rt, "asked"))
			got, want := answered(t, kept, "assemble", request), answered(t, fresh, "assemble", request)
			if !bytes.Equal(got.Result, want.Result) || fmt.Sprint(got.Error) != fmt.Sprint(want.Error) {
				rt.Fatalf("%s: kept\n%s %+v\nread\n%s %+v", request, got.Result, got.Error, want.Result, want.Error)
			}
		}
	})
}

// TestKeptManifestGone: a project whose manifest is gone isn't one that never had any; one
// that has it anew, or a nearer one, is as good as before.
func TestKeptManifestGone(t *testing.T) {
	dir := house(t)
	inner := filepath.Join(dir, "inner")
	if err := os.Mkdir(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	kept := &call.Kept{}
	o := atHome(t, kept)
	ask := func(dir, more, want string) {
		t.Helper()
		code := ""
		if r := answered(t, o, "assemble", fmt.Sprintf(`{"project": %q%s}`, dir, more)); r.Error != nil {
			code = string(r.Error.Code)
		}
		if code != want {
			t.Errorf("%s%s: %q, want %q", dir, more, code, want)
		}
		if _, _, err := kept.Place(app.Request{Dir: dir}).Located(); (err != nil) != (want != "") {
			t.Errorf("%s is located: %v", dir, err)
		}
	}
	bare := t.TempDir()
	ask(bare, "", "") // it never had one
	ask(dir, "", "")
	ask(inner, "", "")
	treetest.File(t, inner, "cento.yaml", "system: x\n")
	ask(inner, "", "")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Remove(filepath.Join(inner, "cento.yaml")))
	ask(inner, "", "manifest.gone") // though there is one above
	must(os.Rename(filepath.Join(dir, "cento.yaml"), filepath.Join(dir, "away")))
	ask(dir, "", "manifest.gone")
	ask(dir, `, "model": "gpt-5.4"`, "manifest.gone")
	ask(bare, "", "")
	must(os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, "cento.yaml")))
	ask(dir, "", "")
	treetest.File(t, inner, "cento.yaml", "system: y\n")
	ask(inner, "", "")
}

// TestKeptByMany: several jobs share one reading.
func TestKeptByMany(t *testing.T) {
	dir := house(t)
	kept := &call.Kept{}
	o := atHome(t, kept)
	var lines strings.Builder
	for i := range 64 {
		fmt.Fprintf(&lines, `{"id": %d, "op": "assemble", "request": {"project": %q, "without_tools": [%q]}}`+"\n", i, dir, []string{"read", "shell"}[i%2])
	}
	var out bytes.Buffer
	if err := call.Stream(t.Context(), strings.NewReader(lines.String()), &out, func() error { return nil }, 8, o); err != nil {
		t.Fatal(err)
	}
	texts := map[string]int{}
	for d := json.NewDecoder(&out); d.More(); {
		var r reply
		if err := d.Decode(&r); err != nil || r.Error != nil {
			t.Fatal(err, r.Error)
		}
		texts[string(r.Result)]++
	}
	if len(texts) != 2 || kept.Collected() != 1 {
		t.Errorf("%d answers, read %d times", len(texts), kept.Collected())
	}
}

// BenchmarkKept answers what-ifs about a project with 200 fragments, read for each
// request or kept.
func BenchmarkKept(b *testing.B) {
	manifest := "profile: off\ntools: [read, shell]\nfragments:\n"
	for i := range 200 {
		manifest += fmt.Sprintf("- {id: f%d, body: 'Rule %d of the house.', requires_tools: [%s]}\n", i, i, []string{"read", "shell"}[i%2])
	}
	dir := treetest.Project(b, map[string]string{"cento.yaml": manifest, "AGENTS.md": "Run make.\n", ".git/HEAD": "ref: refs/heads/main\n"})
	settle(b, dir)
	requests := [2]string{fmt.Sprintf(`{"project": %q, "without_tools": ["read"]}`, dir), fmt.Sprintf(`{"project": %q}`, dir)}
	for name, kept := range map[string]*call.Kept{"read": nil, "kept": {}} {
		b.Run(name, func(b *testing.B) {
			o := atHome(b, kept)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if r := answered(b, o, "assemble", requests[i%2]); r.Error != nil {
					b.Fatal(r.Error)
				}
			}
		})
	}
}
