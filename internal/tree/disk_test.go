package tree_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

// laidOver is a disk on which the files of one folder stand instead of those of another.
func laidOver(t *testing.T, instead, files string) disk.Disk {
	t.Helper()
	root, err := os.OpenRoot(files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return disk.Over(instead, root.FS().(disk.Files))
}

// TestOverlayIsRead: a reader can't tell files that stand instead of a folder's from
// files that lie there.
func TestOverlayIsRead(t *testing.T) {
	out := plant(t, map[string]string{"secret": "secret"})
	files := map[string]string{
		"real/f.md": "text\r\n", "real/deep/g": "deep", "inside": "-> real/f.md", "folder": "-> real/deep", "real/deep/up": "-> ../f.md",
		"chain": "-> inside", "self": "-> .", "absolute": "-> " + out + "/secret", "up": "-> ../x", "sly": "-> real/../../x", "loop": "-> loop",
		"dangling": "-> nothing", "big": strings.Repeat("x", 200), "bad": "a\xff", "real/below/h": "h",
	}
	dir := plant(t, files)
	instead := plant(t, map[string]string{"other": "of the machine"})
	disk := laidOver(t, instead, dir)
	machine, err := tree.Open(dir, tree.Options{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer machine.Close()
	over, err := tree.OpenOn(disk, instead, tree.Options{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer over.Close()
	said := func(err error) string {
		if err == nil {
			return "nil"
		}
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok {
			return err.Error()
		}
		return string(e.Code) + " " + e.Position.String() + " " + e.Message
	}
	names := []string{"other", "real", "real/nothing", "real/f.md/x", ".", "self/self/chain", "folder/g", "folder/up", "folder/../inside", "real/below", "self/real"}
	for name := range files {
		names = append(names, name)
	}
	for _, name := range names {
		type answers struct{ read, real, stat, lstat, list string }
		of := func(x *tree.Tree) (a answers) {
			f, err := x.Read(name)
			if a.read = said(err); err == nil {
				a.read = fmt.Sprintf("%q %q", f.Text, f.Raw())
			}
			real, err := x.Real(name)
			a.real = real + said(err)
			info, err := x.Stat(name)
			if a.stat = said(err); err == nil {
				a.stat = info.Mode().Type().String()
			}
			info, err = x.Lstat(name)
			if a.lstat = said(err); err == nil {
				a.lstat = info.Mode().Type().String()
			}
			list, err := x.ReadDir(name, 20)
			a.list = fmt.Sprint(list, said(err))
			return a
		}
		if want, got := of(machine), of(over); got != want {
			t.Errorf("%s:\nmachine %+v\noverlay %+v", name, want, got)
		}
	}
	a, _ := over.Read("inside")
	b, _ := over.Read("real/f.md")
	c, _ := over.Read("folder/g")
	if !same(a, b) || same(a, c) {
		t.Error("a link and its target are one file, two files are not")
	}
	if err := over.Replace("real/f.md", []byte("x")); err == nil {
		t.Error("what stands instead of a folder was written")
	}
}

// TestOverlayPaths: paths lead to the files that stand instead of a folder's, by links of
// the machine too, and everywhere else they lead where they lead.
func TestOverlayPaths(t *testing.T) {
	dir := plant(t, map[string]string{"a/f.md": "over", "new/g.md": "new", "out": "-> ../beside", "abs": "-> TOP/a"})
	top := plant(t, map[string]string{"repo/a/f.md": "machine", "beside/h.md": "beside", "link": "-> repo"})
	top, err := filepath.EvalSymlinks(top)
	if err != nil {
		t.Fatal(err)
	}
	repo := filepath.Join(top, "repo")
	if err := errors.Join(os.Remove(filepath.Join(dir, "abs")), os.Symlink(filepath.Join(repo, "a"), filepath.Join(dir, "abs"))); err != nil {
		t.Fatal(err)
	}
	disk := laidOver(t, repo, dir)
	for name, want := range map[string]string{
		"repo/a/f.md": "over", "repo/new/g.md": "new", "link/new/g.md": "new", "repo/out/h.md": "beside", "repo/abs/f.md": "over",
		"beside/h.md": "beside", "repo/a/none": "file.not_found",
	} {
		f, err := tree.ReadPathOn(disk, filepath.Join(top, filepath.FromSlash(name)), tree.Options{})
		got := ""
		if e, ok := errors.AsType[*cento.SourceError](err); ok {
			got = string(e.Code)
		} else if err == nil {
			got = f.Text
		}
		if got != want {
			t.Errorf("%s reads as %q (%v), want %q", name, got, err, want)
		}
	}
	if _, err := disk.Lstat(filepath.Join(repo, "new")); err != nil {
		t.Error(err)
	}
	if to, err := disk.Readlink(filepath.Join(repo, "out")); err != nil || to != "../beside" {
		t.Error(to, err)
	}
	if list, err := tree.ListPath(disk, filepath.Join(repo, "out"), 9); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
}
