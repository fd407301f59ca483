package lint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento"
	mentioned "github.com/cento-dev/cento/internal/mention"
	"github.com/cento-dev/cento/internal/prompttest"
	"github.com/cento-dev/cento/project"
)

// codeOf is the code of the check that an archive is named for.
func codeOf(archive string) cento.Code {
	code, _, _ := strings.Cut(archive, "-")
	return cento.Code(code)
}

// TestFoundAndNotFound holds a check to what it finds, and to what looks like it and is
// right as it stands, where an archive can't show it: these bytes are no text.
func TestFoundAndNotFound(t *testing.T) {
	const head = "system: You help.\nscope: {allow: [{target: ., permission: read}]}\n"
	for text, places := range map[string][]string{"\x00\x01binary\x00": {"AGENTS.md:1:1"}, "Be brief.\n": nil} {
		var got []string
		for _, f := range checkedBelow(t, map[string]string{"cento.yaml": head, ".git/HEAD": "", "AGENTS.md": text})["instructions.failed"] {
			got = append(got, f.Position.String())
		}
		if !slices.Equal(got, places) {
			t.Errorf("%q: found at %q, want %q", text, got, places)
		}
	}
}

// TestChecksAreShown: each check has an archive that shows what it finds, and one that
// shows what looks like it and is right. Their names are the code alone, and with -near.
func TestChecksAreShown(t *testing.T) {
	found, none := map[cento.Code]bool{}, map[cento.Code]bool{}
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		code, kind, _ := strings.Cut(name, "-")
		if !slices.ContainsFunc(Checks(), func(c Check) bool { return string(c.Code) == code }) {
			t.Errorf("%s: there is no check %s", path, code)
		}
		near := strings.HasPrefix(kind, "near")
		if wanted := string(a.Files[len(a.Files)-1].Data); near != (wanted == "none\n") {
			t.Errorf("%s: the name says another thing than what is found:\n%s", path, wanted)
		}
		switch kind {
		case "":
			found[codeOf(name)] = true
		case "near":
			none[codeOf(name)] = true
		}
	}
	for _, c := range Checks() {
		if !found[c.Code] {
			t.Errorf("no archive shows what %s finds: write testdata/%s.txtar", c.Code, c.Code)
		}
		if !none[c.Code] {
			t.Errorf("no archive shows what looks like %s and is right: write testdata/%s-near.txtar", c.Code, c.Code)
		}
	}
}

// checkedBelow is what the checks find by code, asked from the folder sub where there is
// one. The folder of the project reads <root>.
func checkedBelow(t *testing.T, files map[string]string) map[cento.Code][]Finding {
	t.Helper()
	r, site := lintable(t, files)
	root := r.Dir
	if _, err := os.Stat(filepath.Join(r.Dir, "sub")); err == nil {
		r.Dir = filepath.Join(r.Dir, "sub")
		if site, err = project.Locate(r); err != nil {
			t.Fatal(err)
		}
	}
	report, err := Run(t.Context(), site, r, Options{
		Exists: mentioned.New(r.Disk, site.Root.Dir, site.Root.Cwd, site.Base).Has,
		TestNames: func() ([]cento.Note, error) {
			suite, err := prompttest.Load(r)
			if err != nil || suite == nil {
				return nil, err
			}
			return suite.Names(t.Context())
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	out := map[cento.Code][]Finding{}
	for _, f := range report.Findings {
		if !slices.ContainsFunc(Checks(), func(c Check) bool { return c.Code == f.Code }) {
			t.Errorf("%s: %s [%s]: no prompt was looked at", f.Position, f.Message, f.Code)
		}
		f.Message = strings.ReplaceAll(f.Message, root, "<root>")
		out[f.Code] = append(out[f.Code], f)
	}
	return out
}
