package watch

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Where the way to a folder is gone once for all places in it, each leads where it leads
// when the way is gone for it alone.
func TestPlacesInOneFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(top, "root")
	for _, dir := range []string{"root/a/b", "out"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"root/f", "root/a/f", "root/a/b/f", "out/f"} {
		if err := os.WriteFile(filepath.Join(top, file), []byte(file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"root/in": "a/b", "root/a/up": "..", "root/a/l": "b/f", "root/a/gone": "nothing", "root/away": "../out", "root/far": filepath.Join(top, "out"),
		"root/a/loop": "loop", "root/a/abs": filepath.Join(top, "out", "f"),
	} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	var places []place
	for _, in := range []string{"", "a", "a/b", "in", "a/up", "a/up/a", "away", "far", "f", "missing", "missing/deeper", "a/b/..", "a/loop", "a/./b"} {
		for _, name := range []string{"f", "g", "l", "gone", "up", "loop", "abs", "..", ".", ""} {
			path := root + "/" + in + "/" + name
			places = append(places, place{"", path}, place{root, path}, place{root, filepath.Clean(path)}, place{"", filepath.Clean(path)})
		}
	}
	places = append(places, place{"", "/"}, place{"", "/f"}, place{root, root}, place{"", root})
	once := &look{roots: map[string]string{}, found: map[string]found{}}
	reached := 0
	for _, p := range places {
		alone := (&look{roots: map[string]string{}}).at(p)
		beside := once.at(p)
		same := alone.real == beside.real && alone.fault == beside.fault && (alone.info == nil) == (beside.info == nil)
		if same && alone.info != nil {
			same = os.SameFile(alone.info, beside.info)
			reached++
		}
		if !same {
			t.Errorf("%+v: %+v alone, %+v beside others", p, alone, beside)
		}
	}
	if len(once.above) == 0 || reached < 50 {
		t.Errorf("%d folders were kept and %d places reached, so little was tried", len(once.above), reached)
	}
}
