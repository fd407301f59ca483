package pack_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/pack"
)

// What an fs.FS holds is under the rules of files on disk: no folder, no device, no
// text that isn't one, nothing over the limit, and no pipe that nobody writes to.
func TestFSRefusesWhatADiskWould(t *testing.T) {
	files := fstest.MapFS{
		"in.md": {Data: []byte("\ufeffin\r\n")}, "latin1.md": {Data: []byte("caf\xe9")}, "nul.md": {Data: []byte("a\x00")},
		"folder.md/x.md": {Data: []byte("x")}, "large.md": {Data: []byte(strings.Repeat("x", 101))},
		"device.md": {Mode: fs.ModeDevice}, "pipe.md": {Mode: fs.ModeNamedPipe}, "no.pdf": {Data: []byte("x")},
		"back\\slash.md": {Data: []byte("x")},
	}
	l := pack.NewLoader(pack.Roots{Own: map[pack.Prefix]pack.Own{"$lab": {Root: pack.FS(files)}}}, cento.Limits{File: 100})
	at := cento.Position{File: "cento.yaml", Line: 4, Column: 2}
	for name, want := range map[string]cento.ErrorCode{
		"folder": pack.Unreadable, "latin1": pack.NotUTF8, "nul": pack.Unreadable, "large": pack.TooLarge,
		"device": pack.Unreadable, "pipe": pack.Unreadable, "nothing": pack.NotFound,
	} {
		ref, err := l.ParseRef("$lab/"+name, pack.Ref{}, at)
		if err != nil {
			t.Fatal(err)
		}
		_, err = l.Load(ref, at)
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok || e.Code != want || e.Position != at || !strings.Contains(e.Message, "'$lab/"+name+"'") {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	ref, _ := l.ParseRef("$lab/in", pack.Ref{}, at)
	if f, err := l.Load(ref, at); err != nil || f.Text != "in\n" || f.Trust != cento.TrustSession {
		t.Errorf("%+v, %v: without a word of the host a file has the least trust", f, err)
	}
	refs, err := l.List("$lab")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range refs {
		names = append(names, r.String())
	}
	if d := cmp.Diff([]string{"$lab/folder.md/x", "$lab/in", "$lab/large", "$lab/latin1", "$lab/nul"}, names); d != "" {
		t.Error(d)
	}
	if pack.FS(nil) != nil {
		t.Error("no files are a root")
	}
}

// A real folder as an fs.FS: what can't be read isn't missing, no path of this machine is
// told, and a root keeps links in.
func TestFSOfAFolder(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	treetest.File(t, outside, "secret.md", "SECRET")
	treetest.File(t, dir, "in.md", "in")
	treetest.Link(t, dir, "out.md", filepath.Join(outside, "secret.md"))
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	l := pack.NewLoader(pack.Roots{Own: map[pack.Prefix]pack.Own{"$lab": {Root: pack.FS(root.FS()), Trust: cento.TrustHost}}}, cento.Limits{})
	ref, _ := l.ParseRef("$lab/out", pack.Ref{}, cento.Position{})
	_, err = l.Load(ref, cento.Position{})
	if !errors.Is(err, pack.Unreadable) || strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
	if refs, err := l.List("$lab"); err != nil || len(refs) != 1 || refs[0].String() != "$lab/in" {
		t.Errorf("%v, %v", refs, err)
	}
	gone := pack.NewLoader(pack.Roots{Own: map[pack.Prefix]pack.Own{"$lab": {Root: pack.FS(os.DirFS(filepath.Join(dir, "none")))}}}, cento.Limits{})
	if refs, err := gone.List("$lab"); err != nil || len(refs) != 0 {
		t.Errorf("a folder that doesn't exist holds %v, %v", refs, err)
	}
}

// Whatever prefixes a host brings, a reference to a file of each means that file, is
// printed as it is read, and keeps the trust of its prefix; one letter less is another
// prefix, which there is none of.
func TestOwnPrefixesNameTheirFiles(t *testing.T) {
	names := rapid.StringMatching(`\$[a-z0-9][a-z0-9_.-]{0,8}`)
	levels := rapid.SampledFrom([]cento.Trust{cento.TrustSession, cento.TrustTool, cento.TrustWorkspace, cento.TrustUser, cento.TrustBuiltin, cento.TrustHost})
	rapid.Check(t, func(t *rapid.T) {
		own := map[pack.Prefix]pack.Own{}
		for _, name := range rapid.SliceOfNDistinct(names, 1, 5, rapid.ID).Draw(t, "names") {
			if p := pack.Prefix(name); p != pack.User && p != pack.Workspace && p != "$pack" {
				own[p] = pack.Own{Root: pack.Texts(map[string]string{"a.md": "of " + name}), Trust: levels.Draw(t, "trust")}
			}
		}
		l := pack.NewLoader(pack.Roots{Own: own}, cento.Limits{})
		for p, want := range own {
			ref, err := l.ParseRef(string(p)+"/a", pack.Ref{}, cento.Position{})
			if err != nil {
				t.Fatal(err)
			}
			if again, err := l.ParseRef(ref.Path(), ref, cento.Position{}); err != nil || again != ref || ref.Prefix() != p {
				t.Fatalf("%s reads as %v, %v", ref.Path(), again, err)
			}
			f, err := l.Open(ref, cento.Position{})
			if err != nil || f.Sources()[0].Text != "of "+string(p) || f.Trust() != want.Trust || f.Sources()[0].Trust != want.Trust {
				t.Fatalf("%s is %+v, %v", p, f, err)
			}
			shorter := p[:len(p)-1]
			if _, known := own[shorter]; !known && !slices.Contains([]pack.Prefix{"$", pack.Builtin, pack.User, pack.Workspace, "$pack"}, shorter) {
				if _, err := l.ParseRef(string(shorter)+"/a", pack.Ref{}, cento.Position{}); !errors.Is(err, pack.UnknownPrefix) {
					t.Fatalf("%s/a: %v", shorter, err)
				}
			}
		}
		if len(l.Prefixes()) < len(own) {
			t.Fatalf("%v of %v", l.Prefixes(), own)
		}
	})
}

// TestWrongPrefixesOfHosts: whoever brings files below a prefix that can't be theirs is told
// which one, why, and what to do.
func TestWrongPrefixesOfHosts(t *testing.T) {
	files := pack.Own{Root: pack.Texts(map[string]string{"a.md": "A"})}
	const taken, form = "of the prefixes that are always there a host can replace $builtin alone", "write it as $name, with lower-case letters, digits, -, _ and ., as in $insomnia"
	for prefix, want := range map[pack.Prefix]struct {
		own           pack.Own
		message, hint string
	}{
		"$user":      {files, `'$user' can't be a prefix of a host: it names other files already`, taken},
		"$workspace": {files, `'$workspace' can't be a prefix of a host: it names other files already`, taken},
		"$pack":      {files, `'$pack' can't be a prefix of a host: it names other files already`, taken},
		"lab":        {files, `'lab' can't be a prefix of a host`, form},
		"$Lab":       {files, `'$Lab' can't be a prefix of a host`, form},
		"$":          {files, `'$' can't be a prefix of a host`, form},
		"$lab":       {pack.Own{}, `'$lab' can't be a prefix of a host: it has no files`, "give it a root, as of pack.FS"},
	} {
		err := pack.CheckOwn(map[pack.Prefix]pack.Own{prefix: want.own, "$fine": files})
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok || e.Code != pack.InvalidPrefix || e.Message != want.message || e.Hint != want.hint {
			t.Errorf("%s: %+v, want %+v", prefix, err, want)
		}
	}
	if err := pack.CheckOwn(map[pack.Prefix]pack.Own{pack.Builtin: files, "$lab": files}); err != nil {
		t.Error(err)
	}
}

// shutFolder is a folder of which one below can't be read.
type shutFolder struct{ fs.FS }

func (s shutFolder) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "shut" {
		return nil, &fs.PathError{Op: "open", Path: "/machine/shut", Err: fs.ErrPermission}
	}
	return fs.ReadDir(s.FS, name)
}

// TestListOfAShutFolder: a folder below that can't be read is an error of the list, which would
// miss its files, and one that isn't there any more holds none.
func TestListOfAShutFolder(t *testing.T) {
	files := fstest.MapFS{"a.md": {Data: []byte("a")}, "open/b.md": {Data: []byte("b")}, "shut/c.md": {Data: []byte("c")}}
	l := pack.NewLoader(pack.Roots{Own: map[pack.Prefix]pack.Own{"$lab": {Root: pack.FS(shutFolder{files})}}}, cento.Limits{})
	if refs, err := l.List("$lab"); err == nil || len(refs) != 0 || strings.Contains(err.Error(), "/machine") {
		t.Errorf("%v, %v", refs, err)
	}
}

// shutFiles are files in which nothing of the folder shut can be read.
type shutFiles struct{ fstest.MapFS }

func (s shutFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	return shutFolder{s.MapFS}.ReadDir(name)
}

// A folder's list is of all its prompt files or an error: when a folder below can't be
// read, and when there are more names than are looked at, wherever they stand.
func TestListOfAFolderIsWhole(t *testing.T) {
	const most = 10_000
	many := func(n int) fstest.MapFS {
		files := fstest.MapFS{}
		for i := range n - 1 { // the folder below counts too
			files[fmt.Sprintf("below/%d.md", i)] = &fstest.MapFile{}
		}
		return files
	}
	for name, c := range map[string]struct {
		files disk.Files
		want  int // -1: an error
	}{
		"shut":     {shutFiles{fstest.MapFS{"a.md": {}, "shut/c.md": {}}}, -1},
		"deeper":   {shutFiles{fstest.MapFS{"a.md": {}, "b/c.md": {}}}, 2},
		"all":      {many(most), most - 1},
		"too many": {many(most + 1), -1},
	} {
		l := pack.NewLoader(pack.Roots{Workspace: pack.DirOn(disk.Over("/lab", c.files), "/lab")}, cento.Limits{})
		refs, err := l.List(pack.Workspace)
		if (err != nil) != (c.want < 0) || len(refs) != max(c.want, 0) {
			t.Errorf("%s: %d files, %v", name, len(refs), err)
		}
	}
}

// A file of the host's own prefix is proposed where its name is written without one; the
// nearest to the project comes first.
func TestOwnFilesAreProposed(t *testing.T) {
	lab := pack.Own{Root: pack.FS(fstest.MapFS{"review.md": {Data: []byte("R.")}, "style.md": {Data: []byte("S.")}})}
	l := pack.NewLoader(pack.Roots{
		Workspace: pack.FS(fstest.MapFS{"style.md": {Data: []byte("W.")}}),
		Own:       map[pack.Prefix]pack.Own{"$lab": lab, "$builtin": lab},
	}, cento.Limits{})
	none := func(string) bool { return false }
	for name, want := range map[string]string{"review": "write $builtin/review", "style": "write $workspace/style", "reviw": "write $builtin/review"} {
		if got := l.Qualify(name, none); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	l = pack.NewLoader(pack.Roots{Own: map[pack.Prefix]pack.Own{"$lab": lab, "$den": lab}}, cento.Limits{})
	if got := l.Qualify("review", none); got != "write $den/review" {
		t.Errorf("of two prefixes of the host: %q", got)
	}
}
