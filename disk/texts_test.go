package disk_test

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/disk"
)

// Texts are what any file system of Go has to be, and hold the texts that they were
// made of and no others.
func TestTextsAreFiles(t *testing.T) {
	names := []string{"a", "a/b", "a-b/c", "a/b/c", ".hidden", "b/a", "../up", "/abs", "x/../y", "", ".", "ä/ö", "b/a/", "a//b"}
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.MapOf(rapid.SampledFrom(names), rapid.StringN(0, 20, -1)).Draw(t, "texts")
		files := disk.Texts(texts)
		want := map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if !fs.ValidPath(name) || name == "." {
				continue
			}
			free := true
			for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
				_, taken := want[dir]
				free = free && !taken
			}
			if free {
				want[name] = texts[name]
			}
		}
		got := map[string]string{}
		err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := fs.ReadFile(files, name)
			got[name] = string(text)
			return err
		})
		if err != nil || !maps.Equal(got, want) {
			t.Fatalf("%q gives %q, want %q: %v", texts, got, want, err)
		}
		if err := fstest.TestFS(files, slices.Collect(maps.Keys(want))...); err != nil {
			t.Fatal(err)
		}
	})
}

// A path on such a disk is real where something stands, and nowhere else, whatever the
// machine has there.
func TestReal(t *testing.T) {
	top := strings.TrimSuffix(t.TempDir(), "/")
	d := disk.Over(top, disk.Texts(map[string]string{"a/b": "x"}))
	for name, there := range map[string]bool{"": true, "/a": true, "/a/b": true, "/a/./b": true, "/c": false, "/a/b/c": false} {
		got, err := d.Real(top + name)
		if there != (err == nil) || there && got != path.Clean(top+name) {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
}
