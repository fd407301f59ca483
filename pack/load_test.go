package pack_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/jinja"
	"github.com/cento-dev/cento/pack"
)

// archives runs a test for every archive of a folder. What the test returns is
// compared with the sections want/…, all of which must be produced.
func archives(t *testing.T, folder string, run func(t *testing.T, files map[string]string) map[string]string) {
	t.Helper()
	results := []string{"want/error", "want/prompt", "want/runs", "want/front", "want/notes"}
	cases := archive.Cases{Folder: filepath.Join("testdata", folder), Results: results, Always: results}
	cases.Run(t, run)
	cases.NoOrphans(t)
}

// roots writes the files of an archive to folders by their first component. A
// prefix without files isn't configured, unless the file `absent` lists it.
func roots(t *testing.T, files map[string]string) pack.Roots {
	t.Helper()
	dir := t.TempDir()
	there := map[string]pack.Root{}
	for name, text := range files {
		prefix, _, ok := strings.Cut(name, "/")
		if rest, isPack := strings.CutPrefix(name, "pack/"); isPack {
			var p string
			p, _, ok = strings.Cut(rest, "/")
			prefix += "/" + p
		}
		if !ok {
			continue
		}
		treetest.File(t, dir, name, text)
		there[prefix] = pack.Dir(filepath.Join(dir, filepath.FromSlash(prefix)))
	}
	for _, prefix := range strings.Fields(files["absent"]) {
		there[prefix] = pack.Dir("testdata/absent")
	}
	r := pack.Roots{User: there["user"], Workspace: there["workspace"], Packs: map[string]pack.Root{}}
	for prefix, root := range there {
		if name, ok := strings.CutPrefix(prefix, "pack/"); ok {
			r.Packs[name] = root
		}
	}
	return r
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

// line is the content of a section of one line.
func line(s string) string { return strings.TrimSuffix(s, "\n") }

func TestLoad(t *testing.T) {
	archives(t, "load", func(t *testing.T, files map[string]string) map[string]string {
		at := cento.Position{File: "cento.yaml", Line: 2, Column: 14}
		var current pack.Ref
		if raw, ok := files["current"]; ok {
			var err error
			if current, err = pack.ParseRef(line(raw), pack.Ref{}, at); err != nil {
				t.Fatal(err)
			}
			at = cento.Position{File: current.Path(), Line: 3, Column: 12}
		}
		raw, ok := files["ref"]
		if !ok {
			t.Fatal("the archive has no section ref")
		}
		fail := func(err error) map[string]string { return map[string]string{"want/error": archive.Error(t, err)} }
		ref, err := pack.ParseRef(line(raw), current, at)
		if err != nil {
			return fail(err)
		}
		limits := cento.Limits{}
		if files["limit"] != "" {
			if err := json.Unmarshal([]byte(files["limit"]), &limits.File); err != nil {
				t.Fatal(err)
			}
		}
		l := pack.NewLoader(roots(t, files), limits)
		if _, err := l.Load(ref, at); err != nil {
			return fail(err)
		}
		f, err := l.Open(ref, at)
		if err != nil {
			return fail(err)
		}
		var vars jinja.MapBuilder
		for _, v := range f.Vars() {
			vars.Set(v.Name, v.Type.Example())
		}
		x, err := f.Render(pack.Variables{Vars: vars.Map()})
		if err != nil {
			return fail(err)
		}
		out := map[string]string{"want/prompt": x.Body + "\n", "want/runs": runLines(t, l, x)}
		if !f.Front().Origin.IsZero() {
			out["want/front"] = toJSON(t, f.Front())
		}
		if n := noteLines(f.Notes()); n != "" {
			out["want/notes"] = n
		}
		return out
	})
}
