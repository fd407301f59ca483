package app

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento/project"
)

// Of the paths in instruction files those are told that are dead, and no
// credentials where there are none. The false rate is logged: documents say it.
func TestInstructionFiles(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/instructions.txtar")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]map[string]string{}
	for _, f := range archive.Files {
		name, part := path.Split(f.Name)
		if cases[name] == nil {
			cases[name] = map[string]string{}
		}
		cases[name][part] = string(f.Data)
	}
	if len(cases) < 35 {
		t.Fatalf("%d cases", len(cases))
	}
	told := regexp.MustCompile(`(?:tells of|links to) "([^"]+)"`)
	reported, wrong, missed, secrets := 0, 0, 0, 0
	for name, c := range cases {
		dir := t.TempDir()
		write := func(file, text string) {
			full := filepath.Join(dir, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write("AGENTS.md", c["AGENTS.md"])
		write(".git/HEAD", "ref: refs/heads/main\n")
		texts := map[string]string{} // of files with lines of their own, `file:line`
		for _, file := range strings.Fields(c["tree"]) {
			file, line, ok := strings.Cut(file, ":")
			if !ok {
				line = "x"
			}
			texts[file] += line + "\n"
			write(file, texts[file])
		}
		r := project.Request{Dir: dir}
		site, err := project.Locate(r)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := Check(t.Context(), site, r, CheckOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range answer.Findings {
			switch f.Code {
			case "path.dead":
				got = append(got, told.FindStringSubmatch(f.Message)[1])
			case project.CodeSecret:
				secrets++
				t.Errorf("%s: %s: %s", name, f.Position, f.Message)
			}
		}
		want := strings.Fields(c["dead"])
		for _, p := range got {
			reported++
			if !slices.Contains(want, p) {
				wrong++
				t.Errorf("%s: %s isn't dead", name, p)
			}
		}
		for _, p := range want {
			if !slices.Contains(got, p) {
				missed++
				t.Errorf("%s: %s is dead", name, p)
			}
		}
	}
	t.Logf("%d files: %d paths reported, %d of them wrongly, %d missed; %d credentials reported wrongly", len(cases), reported, wrong, missed, secrets)
}
