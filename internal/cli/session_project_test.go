package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/cli"
	"github.com/cento-dev/cento/internal/manifest"
)

// twoProjects makes the folders a and b with a project each, begins the session s of a, and
// goes to b.
func twoProjects(t *testing.T) (a, b string) {
	t.Helper()
	for _, v := range hermetic(t.TempDir()) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	a, b = filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, project := range []string{a, b} {
		must(t, os.Mkdir(project, 0o755))
		must(t, os.WriteFile(filepath.Join(project, "cento.yaml"), []byte("system: Project "+filepath.Base(project)+".\nprofile: off\nscope: off\n"), 0o600))
	}
	t.Chdir(a)
	answer(t, 0, "", "session", "start", "s", "--json")
	t.Chdir(b)
	return a, b
}

// answer runs the program, which exits with a code, and gives its standard output.
func answer(t *testing.T, code int, stdin string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if got := cli.Main(args, strings.NewReader(stdin), &out, &errs); got != code {
		t.Fatalf("cento %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, code, errs.String(), out.String())
	}
	return out.String()
}

// refusal is an error with its code.
type refusal struct{ Code, Message, Hint string }

// refusedBy runs the program, which refuses, and gives the error.
func refusedBy(t *testing.T, stdin string, args ...string) (r refusal) {
	t.Helper()
	var out, errs bytes.Buffer
	cli.HearCodes(func(code string) { r.Code = code })
	defer cli.HearCodes(func(string) {})
	if code := cli.Main(args, strings.NewReader(stdin), &out, &errs); code != 2 {
		t.Fatalf("cento %s: exit code %d, want 2\n%s%s", strings.Join(args, " "), code, errs.String(), out.String())
	}
	if args[0] == "call" {
		var answer struct{ Error refusal }
		must(t, json.Unmarshal(out.Bytes(), &answer))
		return answer.Error
	}
	r.Message, r.Hint, _ = strings.Cut(errs.String(), "hint: ")
	return r
}

// TestCommandsRefuseOtherProjects runs every command that takes the id of a session, or a
// record, with one of another project. A command without a row here fails the test.
func TestCommandsRefuseOtherProjects(t *testing.T) {
	source, err := filepath.Abs(".")
	must(t, err)
	a, b := twoProjects(t)
	must(t, os.WriteFile("usage.json", []byte(`{"usage":{"input_tokens":1,"output_tokens":1}}`), 0o600))
	rows := map[string]string{
		"session start": "s", "session turn": "s", "session remind": "s x", "session touch": "s cento.yaml", "session clear": "s --id x",
		"session compact": "s", "session fork": "s t", "session usage": "s usage.json --turn 0", "session drift": "s", "session rematerialise": "s",
		"session show": "s", "session list": "--parent s", "session delete": "s",
		"explain": "--session s", "why": "x --session s", "scope check": "x --session s", "cache": "--session s", "build": "--record --session s",
		"budget": "--record s@1", "diff": "s@1", "log redact": "x --session s",
	}
	// These read the records of every project, which their answers name, or move sessions
	// here.
	whole := []string{"log list", "log show", "log search", "log diff", "log replay", "log verify", "log export", "session adopt"}
	takes := regexp.MustCompile(`(?m)^  cento .*\b(SESSION|RECORD|SIDE)\b|^ +--(session|record|parent) `)
	pages, err := filepath.Glob(filepath.Join(source, "testdata/help/cento_*.txt"))
	must(t, err)
	found := 0
	for _, page := range pages {
		name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(page), "cento_"), ".txt"), "_", " ")
		help, err := os.ReadFile(page)
		must(t, err)
		_, usage, _ := strings.Cut(string(help), "Usage:")
		if !takes.MatchString(usage) || slices.Contains(whole, name) {
			continue
		}
		row, ok := rows[name]
		if !ok {
			t.Errorf("cento %s takes a session or a record, and no row tries it", name)
			continue
		}
		found++
		got := refusedBy(t, "", slices.Concat(strings.Fields(name), strings.Fields(row))...)
		if got.Code != "session.project" || !strings.Contains(got.Message, a) || !strings.Contains(got.Message, b) || got.Hint == "" {
			t.Errorf("cento %s: %+v", name, got)
		}
	}
	if found != len(rows) {
		t.Errorf("%d commands were tried, and there are %d rows", found, len(rows))
	}
}

// TestSessionOpsRefuseOtherProjects is the same for the operations of `cento call session`,
// with `any_project` and without.
func TestSessionOpsRefuseOtherProjects(t *testing.T) {
	twoProjects(t)
	rows := map[string]string{
		"start": "", "turn": "", "turn_end": "", "remind": `, "reminder": {"body": "x"}`, "clear": `, "match": {"id": "x"}`, "compact": "", "fork": `, "child": "t"`,
		"touch": `, "paths": ["cento.yaml"]`, "usage": `, "turn": 0, "usage": {"usage": {"input_tokens": 1, "output_tokens": 1}}`, "rematerialise": "", "drift": "", "cache": "", "show": "",
		"scope": `, "paths": ["/x"]`, "list": "", "delete": "",
	}
	for _, op := range manifest.SessionOps() {
		row, ok := rows[op]
		id := `"id": "s"`
		switch {
		case op == "adopt":
			continue
		case op == "list":
			id = `"parent": "s"`
		case !ok:
			t.Errorf("no row tries the operation %s", op)
			continue
		}
		request := fmt.Sprintf(`{"op": %q, %s%s}`, op, id, row)
		if got := refusedBy(t, request, "call", "session"); got.Code != "session.project" || got.Hint == "" {
			t.Errorf("%s: %+v", request, got)
		}
	}
	for _, op := range manifest.SessionOps() { // in their order, so the session is deleted last
		row := rows[op]
		id := `"id": "s"`
		if op == "list" {
			id = `"parent": "s"`
		}
		request := fmt.Sprintf(`{"op": %q, %s%s, "any_project": true}`, op, id, row)
		if op == "start" { // it is there
			if got := refusedBy(t, request, "call", "session"); got.Code != "session.exists" {
				t.Errorf("%s: %+v", request, got)
			}
			continue
		}
		if op == "delete" {
			request = strings.TrimSuffix(request, "}") + `, "children": true}`
		}
		var out, errs bytes.Buffer
		if cli.Main([]string{"call", "session"}, strings.NewReader(request), &out, &errs); strings.Contains(out.String(), "session.project") {
			t.Errorf("%s: %s", request, out.String())
		}
	}
}

// TestFreeID follows the hint of a session that begins under the id of another project.
func TestFreeID(t *testing.T) {
	twoProjects(t)
	answer(t, 0, "", "session", "start", "s-2")
	got := refusedBy(t, "", "session", "start", "s")
	id := regexp.MustCompile("`([^`]+)`").FindStringSubmatch(got.Hint)
	if id == nil || id[1] != "s-3" {
		t.Fatalf("%+v", got)
	}
	if got := refusedBy(t, `{"op": "fork", "id": "s-2", "child": "s"}`, "call", "session"); got.Code != "session.project" || !strings.Contains(got.Hint, "`s-3`") {
		t.Errorf("%+v", got)
	}
	answer(t, 0, "", "session", "start", id[1])
}

// TestAdopt moves a session: its records keep their project, and a comparison of records of
// two projects has a note.
func TestAdopt(t *testing.T) {
	a, b := twoProjects(t)
	adopt := regexp.MustCompile("`cento ([^`]+)`").FindStringSubmatch(refusedBy(t, "", "session", "turn", "s").Hint)
	if adopt == nil {
		t.Fatal("the hint has no command")
	}
	answer(t, 0, "", strings.Fields(adopt[1])...)
	answer(t, 0, "", "session", "rematerialise", "s")
	list := answer(t, 0, "", "log", "list")
	for _, want := range []string{"s@1 .* " + a + " ", "s@2 .* " + b + " "} {
		if !regexp.MustCompile(want).MatchString(list) {
			t.Errorf("no %s in\n%s", want, list)
		}
	}
	for _, args := range [][]string{{"diff", "s@1", "s@2"}, {"log", "diff", "s@1", "s@2"}} {
		if out := answer(t, 1, "", append(args, "--json")...); !strings.Contains(out, "diff.projects") {
			t.Errorf("%v has no note: %s", args, out)
		}
	}
	t.Chdir(a)
	if got := refusedBy(t, "", "session", "show", "s"); got.Code != "session.project" {
		t.Errorf("%+v", got)
	}
}

// TestRecordsOfRoots: two folders of one name have a chain of records each.
func TestRecordsOfRoots(t *testing.T) {
	twoProjects(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for range 2 {
		for _, name := range []string{"x", "y"} {
			project := filepath.Join(dir, name, "api")
			must(t, os.MkdirAll(project, 0o755))
			must(t, os.WriteFile(filepath.Join(project, "cento.yaml"), []byte("system: Project "+name+".\n"), 0o600))
			t.Chdir(project)
			answer(t, 0, "", "build", "--record")
		}
	}
	list := answer(t, 0, "", "log", "list", "--json")
	var got struct {
		Records []struct {
			Session, Project string
			Seq              int
		}
	}
	must(t, json.Unmarshal([]byte(list), &got))
	var names []string
	for _, r := range got.Records[:4] {
		names = append(names, fmt.Sprintf("%s@%d %s", r.Session, r.Seq, filepath.Base(filepath.Dir(r.Project))))
	}
	if want := []string{"api-2@2 y", "api@2 x", "api-2@1 y", "api@1 x"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if got := refusedBy(t, "", "diff", "api@1", "api@2"); got.Code != "session.project" {
		t.Errorf("%+v", got)
	}
}
