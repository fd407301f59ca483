package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// repository is a git repository with a project, for the files of CI.
type repository struct {
	t    *testing.T
	root string
	env  []string
}

func newRepository(t *testing.T, files map[string]string) *repository {
	t.Helper()
	if testing.Short() {
		t.Skip("each command is a process")
	}
	needsUnix(t, "the scripts of services run in a shell")
	dir := t.TempDir()
	r := &repository{t: t, root: filepath.Join(dir, "repo"), env: append(os.Environ(), hermetic(dir)...)}
	if err := os.MkdirAll(r.root, 0o755); err != nil {
		t.Fatal(err)
	}
	r.must("git init -q -b main .")
	r.commit(files)
	return r
}

func (r *repository) write(files map[string]string) {
	r.t.Helper()
	for name, text := range files {
		path := filepath.Join(r.root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r *repository) commit(files map[string]string) {
	r.t.Helper()
	r.write(files)
	r.must("git add -A; git commit -q -m x")
}

// run runs a script as runners do.
func (r *repository) run(script string, env ...string) (string, error) {
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = r.root, append(append([]string{}, r.env...), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r *repository) must(script string, env ...string) string {
	r.t.Helper()
	out, err := r.run(script, env...)
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return out
}

// read parses a file that was written.
func (r *repository) read(name string, into any) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.root, name))
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
	return string(text)
}

// goodProject passes everything; badProjects fail one thing each.
var (
	goodProject = map[string]string{"cento.yaml": `system: You write code.
profile: off
tools: [{name: shell, guidance: Run the tests.}]
targets: {agents: {tools: [shell], output: PROMPT.md, scope: off}}
tests: [{name: run, contains: Run the tests.}]
`, "PROMPT.md": "You write code.\n\n## Tools\n\nRun the tests.\n"}
	badProjects = map[string]string{
		"check": strings.Replace(goodProject["cento.yaml"], "targets: {", "fragments: [{id: a, when: not tool('shell'), body: Use the `shell`.}]\ntargets: {none: {tools: []}, ", 1),
		"test":  strings.Replace(goodProject["cento.yaml"], "contains: Run", "contains: Never run", 1),
		"build": strings.Replace(goodProject["cento.yaml"], "You write code.", "You write good code.", 1),
	}
)

type githubStep struct {
	Name, Uses, Run, If string
	With                map[string]any
	Env                 map[string]string
}

type githubWorkflow struct {
	On          map[string]any
	Permissions map[string]string
	Jobs        map[string]struct {
		If          string
		Permissions map[string]string
		Steps       []githubStep
	}
}

var installs = regexp.MustCompile(`^go install github\.com/cento-dev/cento/cmd/cento@(latest|v[0-9.]+)$`)

// TestGitHubWorkflow runs what the workflow runs, in a repository: it passes for a good
// project, each of its steps fails for a bad one, and it comments once.
func TestGitHubWorkflow(t *testing.T) {
	r := newRepository(t, goodProject)
	r.must("cento init --ci=github")
	var w githubWorkflow
	r.read(".github/workflows/cento.yml", &w)
	if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" || len(w.Jobs["check"].Permissions) > 0 || len(w.Jobs["compare"].Permissions) != 2 || w.Jobs["compare"].Permissions["contents"] != "read" {
		t.Errorf("the permissions are others: %+v", w)
	}
	if _, ok := w.On["pull_request"]; !ok || w.On["pull_request_target"] != nil {
		t.Errorf("it runs on %v", w.On)
	}
	pinned := regexp.MustCompile(`^actions/(checkout|setup-go)@v[0-9]+$`)
	for name, job := range w.Jobs {
		for _, s := range job.Steps {
			if strings.Contains(s.Run, "${{") {
				t.Errorf("%s, %s: a script is made of what others say: %s", name, s.Name, s.Run)
			}
			if s.Uses != "" && !pinned.MatchString(s.Uses) {
				t.Errorf("%s uses %s", name, s.Uses)
			}
			if strings.HasPrefix(s.Uses, "actions/checkout") && s.With["persist-credentials"] != false {
				t.Errorf("%s leaves its token to git", name)
			}
		}
	}
	job := func(name string, env ...string) (failed []string, out string) {
		for _, s := range w.Jobs[name].Steps {
			if s.Run == "" || installs.MatchString(s.Run) {
				continue
			}
			said, err := r.run(s.Run, env...)
			if out += said; err != nil {
				failed = append(failed, s.Run)
			}
		}
		return failed, out
	}
	if failed, out := job("check"); failed != nil {
		t.Errorf("a good project fails %q: %s", failed, out)
	}
	for step, text := range badProjects {
		r.write(map[string]string{"cento.yaml": text})
		failed, out := job("check")
		if !strings.Contains(strings.Join(failed, "\n"), "cento "+step) {
			t.Errorf("the project that is bad for %s fails %q: %s", step, failed, out)
		}
	}
	r.write(goodProject)
	r.write(map[string]string{"cento.yaml": "system: You write code.\nprofile: off\n"})
	if failed, out := job("check"); failed != nil {
		t.Errorf("a project without tests and outputs fails %q: %s", failed, out)
	}
	r.write(goodProject)

	// A merge, as it is checked out for a pull request.
	r.commit(nil)
	r.must("git checkout -q -b change")
	r.commit(map[string]string{"cento.yaml": badProjects["build"]})
	r.must("git checkout -q main; git merge -q --no-ff -m merge change")
	tmp := t.TempDir()
	comments := filepath.Join(tmp, "comments.json")
	gh := `#!/bin/sh
# Stands for gh: keeps one list of comments, and filters it as gh does.
echo "$@" >> ` + tmp + `/asked
for a; do case $a in body=@*) body=${a#body=@};; esac; done
case "$*" in
*--jq*) while [ "$1" != --jq ]; do shift; done; jq -r "$2" ` + comments + `;;
*PATCH*issues/comments/7*|*POST*issues/12/comments*) jq -n --rawfile b "$body" '[{id: 7, user: {login: "github-actions[bot]"}, body: $b}]' > ` + comments + `;;
*) echo "unexpected: $*" >&2; exit 1;;
esac
`
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skipf("skipped: how it is told: %v", err)
	}
	for name, text := range map[string]string{"gh": gh, "comments.json": `[{"id": 1, "user": {"login": "mallory"}, "body": "<!-- cento: how the prompts change -->"}]`} {
		if err := os.WriteFile(filepath.Join(tmp, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tell := func() string {
		env := []string{"PATH=" + tmp + ":" + os.Getenv("PATH"), "RUNNER_TEMP=" + tmp, "GITHUB_STEP_SUMMARY=" + tmp + "/summary", "GITHUB_ENV=" + tmp + "/env", "GITHUB_REPOSITORY=acme/shop", "NUMBER=12"}
		for _, s := range w.Jobs["compare"].Steps {
			if s.Run != "" && !installs.MatchString(s.Run) {
				r.must(s.Run, env...)
				if set, err := os.ReadFile(tmp + "/env"); err == nil {
					env = append(env, strings.Fields(string(set))...)
				}
			}
		}
		text, err := os.ReadFile(comments)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for range 2 {
		if text := tell(); !strings.Contains(text, "You write") || !strings.Contains(text, `"id": 7`) {
			t.Errorf("the comment is %s", text)
		}
	}
	r.must("git reset -q --hard HEAD^1; git commit -q --allow-empty -m same")
	if text := tell(); strings.Contains(text, "good code") || !strings.Contains(text, `"id": 7`) {
		t.Errorf("the comment of a change that was taken back is %s", text)
	}
	asked, _ := os.ReadFile(filepath.Join(tmp, "asked"))
	if n := strings.Count(string(asked), "POST"); n != 1 || strings.Count(string(asked), "PATCH") != 2 {
		t.Errorf("there are %d comments: %s", n, asked)
	}
}

// TestGitLabJobs does the same with the jobs of GitLab, whose notes are kept by a server
// on this machine.
func TestGitLabJobs(t *testing.T) {
	lengthtest.OnlyLong(t, "TestGitHubWorkflow runs the same steps")
	r := newRepository(t, goodProject)
	r.must("cento init --ci=gitlab")
	var entry struct{ Include []map[string]string }
	r.read(".gitlab-ci.yml", &entry)
	if len(entry.Include) != 1 || entry.Include[0]["local"] != ".gitlab/cento.yml" {
		t.Errorf("it includes %v", entry.Include)
	}
	var jobs map[string]struct {
		Extends      string
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		Rules        []map[string]string
	}
	r.read(".gitlab/cento.yml", &jobs)
	if before := jobs[".cento"].BeforeScript; len(before) != 2 || !installs.MatchString(before[0]) || jobs["cento"].Extends != ".cento" {
		t.Errorf("it begins with %q", before)
	}
	check := strings.Join(jobs["cento"].Script, "\n")
	r.must(check)
	if _, err := os.Stat(filepath.Join(r.root, "cento-tests.xml")); err != nil {
		t.Error(err)
	}
	r.write(map[string]string{"cento.yaml": badProjects["test"]})
	if out, err := r.run(check); err == nil {
		t.Errorf("a bad project passes: %s", out)
	}
	r.write(goodProject)
	r.commit(nil)
	base := strings.TrimSpace(r.must("git rev-parse HEAD"))
	r.commit(map[string]string{"cento.yaml": badProjects["build"]})

	compare := strings.Join(jobs["cento compare"].Script, "\n")
	env := []string{"CI_MERGE_REQUEST_DIFF_BASE_SHA=" + base, "CI_PROJECT_ID=5", "CI_MERGE_REQUEST_IID=12"}
	out := r.must(compare, append(env, "CENTO_GITLAB_TOKEN=")...)
	if !strings.Contains(out, "You write") || !strings.Contains(out, "CENTO_GITLAB_TOKEN isn't set here: no comment is written") {
		t.Errorf("without a token it says %s", out)
	}
	for _, tool := range []string{"jq", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: how it is told: %v", err)
		}
	}
	server, notes := notesServer(t)
	env = append(env, "CENTO_GITLAB_TOKEN=secret", "CI_API_V4_URL="+server+"/api/v4")
	for range 2 {
		r.must(compare, env...)
		if n := len(*notes); n != 102 || !strings.Contains((*notes)[101].Body, "You write") {
			t.Fatalf("there are %d notes: %+v", n, (*notes)[n-1])
		}
	}
	r.must("git reset -q --hard HEAD^")
	r.must(compare, env...)
	if n := len(*notes); n != 102 || strings.Contains((*notes)[101].Body, "good code") {
		t.Errorf("there are %d notes: %+v", n, (*notes)[n-1])
	}
	if out, err := r.run(compare, append(env, "CENTO_GITLAB_TOKEN=wrong")...); err == nil {
		t.Errorf("a token that is refused passes: %s", out)
	}
}

type note struct {
	ID     int    `json:"id"`
	Body   string `json:"body"`
	Author struct {
		ID int `json:"id"`
	} `json:"author"`
}

// notesServer keeps the notes of a merge request: a page of those of others, one of which
// begins as that of the job does.
func notesServer(t *testing.T) (string, *[]note) {
	notes := make([]note, 101)
	for i := range notes {
		notes[i].ID, notes[i].Author.ID = i+1, 1
	}
	notes[3].Body = "<!-- cento: how the prompts change -->"
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v4/user", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"id": 9}`) })
	const at = "/api/v4/projects/5/merge_requests/12/notes"
	mux.HandleFunc("GET "+at, func(w http.ResponseWriter, q *http.Request) {
		page := 1
		fmt.Sscan(q.URL.Query().Get("page"), &page)
		json.NewEncoder(w).Encode(notes[min((page-1)*100, len(notes)):min(page*100, len(notes))])
	})
	put := func(n *note, q *http.Request) {
		if err := json.NewDecoder(q.Body).Decode(n); err != nil {
			t.Error(err)
		}
	}
	mux.HandleFunc("POST "+at, func(_ http.ResponseWriter, q *http.Request) {
		n := note{ID: 900}
		n.Author.ID = 9
		put(&n, q)
		notes = append(notes, n)
	})
	mux.HandleFunc("PUT "+at+"/900", func(_ http.ResponseWriter, q *http.Request) { put(&notes[101], q) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get("PRIVATE-TOKEN") != "secret" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, q)
	}))
	t.Cleanup(server.Close)
	return server.URL, &notes
}

// TestPreCommitHook: git runs the hook, which lets a good project pass and no bad one.
func TestPreCommitHook(t *testing.T) {
	r := newRepository(t, goodProject)
	r.must("cento init --ci=hook; git config core.hooksPath .githooks")
	r.commit(nil)
	r.write(map[string]string{"cento.yaml": badProjects["build"]})
	if out, err := r.run("git add -A; git commit -q -m bad"); err == nil {
		t.Errorf("a bad project is committed: %s", out)
	}
	without := t.TempDir()
	for _, tool := range []string{"git", "sh"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(without, tool)); err != nil {
			t.Fatal(err)
		}
	}
	if out := r.must("git commit -q -m unseen", "PATH="+without); !strings.Contains(out, "cento isn't installed here") {
		t.Errorf("without the program it says %s", out)
	}
}
