package tree_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

// plant writes files into a new folder: a name that ends in "/" is a folder, a
// content that begins with "-> " a link.
func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			path, content = filepath.Join(path, ".keep"), ""
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(content, "-> "); ok {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, dir string, o tree.Options) *tree.Tree {
	t.Helper()
	tr, err := tree.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	return tr
}

// wantError checks code and place, which are what callers build on.
func wantError(t *testing.T, err error, code cento.ErrorCode, at string) *cento.SourceError {
	t.Helper()
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok {
		t.Fatalf("error is %v, want a *cento.SourceError with code %s", err, code)
	}
	if !errors.Is(err, code) || e.Position.String() != at {
		t.Fatalf("error is %s at %q (%v), want %s at %q", e.Code, e.Position, err, code, at)
	}
	return e
}

func TestReadFolds(t *testing.T) {
	for name, c := range map[string]struct{ raw, text string }{
		"plain":            {"a\nb\n", "a\nb\n"},
		"empty":            {"", ""},
		"bom":              {"\xef\xbb\xbfa\n", "a\n"},
		"bom alone":        {"\xef\xbb\xbf", ""},
		"bom inside stays": {"a\ufeffb", "a\ufeffb"},
		"crlf":             {"a\r\nb\r\n", "a\nb\n"},
		"mixed ends":       {"a\r\nb\nc", "a\nb\nc"},
		"lone cr stays":    {"a\rb\r\r\n", "a\rb\r\n"},
		"no final end":     {"a", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			tr := open(t, plant(t, map[string]string{"d/f.md": c.raw}), tree.Options{})
			f, err := tr.Read("d/f.md")
			if err != nil {
				t.Fatal(err)
			}
			if f.Text != c.text || string(f.Raw()) != c.raw || f.Name != "d/f.md" {
				t.Errorf("text %q, raw %q, name %q; want %q, %q", f.Text, f.Raw(), f.Name, c.text, c.raw)
			}
			raw, err := tr.ReadRaw("d/f.md")
			if err != nil || string(raw) != c.raw {
				t.Errorf("ReadRaw gives %q, %v", raw, err)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	dir := plant(t, map[string]string{
		"latin1.md":   "one\ntwö thr\xe9e\n",
		"nul.md":      "one\nt\x00wo",
		"bom-nul.md":  "\xef\xbb\xbfab\x00",
		"nul-utf8.md": "\x00\xff",
		"utf8-nul.md": "\xff\x00",
		"utf16.md":    "\xff\xfeh\x00i\x00",
		"utf16-be":    "\xfe\xff\x00h\x00i",
		"utf16-bare":  "h\x00i\x00,\x00\n\x00",
		"utf16-beb":   "\x00h\x00i\x00,\x00\n",
		"utf16-late":  "h\x00e\x00l\x00l\x00o\x00 \x00y\x00o\x00\xe5\x65\x2c\x67",
		"utf32":       "\xff\xfe\x00\x00h\x00\x00\x00",
		"one-nul":     "h\x00",
		"some-nul":    "h\x00i\x00, you and me\n",
		"cut.md":      "a\xe2\x82",
		"surrogate":   "a\xed\xa0\x80",
		"big.md":      strings.Repeat("x", 65),
		"folder/":     "",
		"file":        "",
	})
	tr := open(t, dir, tree.Options{Limit: 64, Show: func(n string) string { return "~/" + n }})
	for name, c := range map[string]struct {
		code cento.ErrorCode
		at   string
	}{
		"latin1.md":   {tree.InvalidUTF8, "~/latin1.md:2:8"},
		"nul.md":      {tree.HoldsNUL, "~/nul.md:2:2"},
		"bom-nul.md":  {tree.HoldsNUL, "~/bom-nul.md:1:3"},
		"nul-utf8.md": {tree.HoldsNUL, "~/nul-utf8.md:1:1"},
		"utf8-nul.md": {tree.InvalidUTF8, "~/utf8-nul.md:1:1"},
		"utf16.md":    {tree.InvalidUTF8, "~/utf16.md:1:1"},
		"utf16-be":    {tree.InvalidUTF8, "~/utf16-be:1:1"},
		"utf16-bare":  {tree.HoldsNUL, "~/utf16-bare:1:2"},
		"utf16-beb":   {tree.HoldsNUL, "~/utf16-beb:1:1"},
		"utf16-late":  {tree.HoldsNUL, "~/utf16-late:1:2"},
		"utf32":       {tree.InvalidUTF8, "~/utf32:1:1"},
		"one-nul":     {tree.HoldsNUL, "~/one-nul:1:2"},
		"some-nul":    {tree.HoldsNUL, "~/some-nul:1:2"},
		"cut.md":      {tree.InvalidUTF8, "~/cut.md:1:2"},
		"surrogate":   {tree.InvalidUTF8, "~/surrogate:1:2"},
		"big.md":      {tree.TooLarge, "~/big.md"},
		"folder":      {tree.NotRegular, "~/folder"},
		".":           {tree.NotRegular, "~/."},
		"none.md":     {tree.NotFound, "~/none.md"},
		"none/x.md":   {tree.NotFound, "~/none/x.md"},
		"file/x.md":   {tree.NotFound, "~/file/x.md"},

		"":                  {tree.InvalidName, "~/"},
		"..":                {tree.Outside, "~/.."},
		"../x":              {tree.Outside, "~/../x"},
		"folder/../..":      {tree.Outside, "~/folder/../.."},
		"folder/../../x":    {tree.Outside, "~/folder/../../x"},
		"folder/../file":    {tree.InvalidName, "~/folder/../file"},
		"./file":            {tree.InvalidName, "~/./file"},
		"folder//x":         {tree.InvalidName, "~/folder//x"},
		"file/":             {tree.InvalidName, "~/file/"},
		"/etc/hostname":     {tree.Outside, "~//etc/hostname"},
		`folder\x`:          {tree.InvalidName, `~/folder\x`},
		`\\host\share`:      {tree.InvalidName, `~/\\host\share`},
		"C:":                {tree.Outside, "~/C:"},
		"c:/x":              {tree.Outside, "~/c:/x"},
		"file\x00.md":       {tree.InvalidName, "~/file\x00.md"},
		"bad\xffname":       {tree.InvalidName, "~/bad\xffname"},
		"folder/\x00/../..": {tree.InvalidName, "~/folder/\x00/../.."},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tr.Read(name)
			e := wantError(t, err, c.code, c.at)
			if missing := errors.Is(err, fs.ErrNotExist); missing != (c.code == tree.NotFound) {
				t.Errorf("errors.Is(err, fs.ErrNotExist) is %v with code %s", missing, c.code)
			}
			if e.Message == "" || strings.HasSuffix(e.Message, ".") || strings.Contains(err.Error(), dir) {
				t.Errorf("message %q", err)
			}
			if utf16 := strings.HasPrefix(name, "utf16"); utf16 != (e.Hint == "save it as UTF-8") || utf16 != (e.Message == "the text looks like UTF-16") {
				t.Errorf("%q with the hint %q", e.Message, e.Hint)
			}
		})
	}
}

func TestLimitIsExact(t *testing.T) {
	tr := open(t, plant(t, map[string]string{"at": strings.Repeat("x", 100), "over": strings.Repeat("x", 101)}), tree.Options{Limit: 100})
	if f, err := tr.Read("at"); err != nil || len(f.Text) != 100 {
		t.Errorf("a file of exactly the limit: %v", err)
	}
	_, err := tr.Read("over")
	wantError(t, err, tree.TooLarge, "over")
}

func TestDefaultLimitIsThatOfAssemblies(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), make([]byte, cento.DefaultLimits().File+1), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, dir, tree.Options{}).Read("f")
	wantError(t, err, tree.TooLarge, "f")
}

func TestLinks(t *testing.T) {
	out := plant(t, map[string]string{"secret": "secret"})
	dir := plant(t, map[string]string{
		"real/f.md":       "text",
		"real/deep/g":     "deep",
		"inside":          "-> real/f.md",
		"folder":          "-> real/deep",
		"real/deep/up":    "-> ../f.md",
		"chain":           "-> inside",
		"dot":             "-> ./real/./f.md",
		"self":            "-> .",
		"absolute-inside": "-> DIR/real/f.md",
		"absolute":        "-> " + out + "/secret",
		"up":              "-> ../" + filepath.Base(out) + "/secret",
		"sly":             "-> real/../../" + filepath.Base(out) + "/secret",
		"loop":            "-> loop",
		"dangling":        "-> nothing",
		"slash":           "-> up/",
		"outer":           "-> " + out,
	})
	// A link that names its own root needs the root's path.
	os.Remove(filepath.Join(dir, "absolute-inside"))
	if err := os.Symlink(filepath.Join(dir, "real", "f.md"), filepath.Join(dir, "absolute-inside")); err != nil {
		t.Fatal(err)
	}
	tr := open(t, dir, tree.Options{})
	for name, want := range map[string]struct {
		real, text string
		code       cento.ErrorCode
	}{
		"real/f.md":       {real: "real/f.md", text: "text"},
		"inside":          {real: "real/f.md", text: "text"},
		"folder/g":        {real: "real/deep/g", text: "deep"},
		"folder/up":       {real: "real/f.md", text: "text"},
		"chain":           {real: "real/f.md", text: "text"},
		"dot":             {real: "real/f.md", text: "text"},
		"self/self/chain": {real: "real/f.md", text: "text"},
		"absolute-inside": {code: tree.Outside},
		"absolute":        {code: tree.Outside},
		"up":              {code: tree.Outside},
		"sly":             {code: tree.Outside},
		"slash":           {code: tree.Outside},
		"outer/secret":    {code: tree.Outside},
		"loop":            {code: tree.Unreadable},
		"dangling":        {code: tree.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := tr.Read(name)
			real, rerr := tr.Real(name)
			if want.code != "" {
				wantError(t, err, want.code, name)
				wantError(t, rerr, want.code, name)
				return
			}
			if err != nil || f.Text != want.text {
				t.Errorf("Read: %v, %v", f, err)
			}
			if rerr != nil || real != want.real {
				t.Errorf("Real gives %q, %v; want %q", real, rerr, want.real)
			}
		})
	}
	a, err := tr.Read("inside")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := tr.Read("real/f.md")
	c, _ := tr.Read("folder/g")
	if !same(a, b) || same(a, c) {
		t.Error("a link and its target are one file, two files are not")
	}
	if info, err := tr.Lstat("inside"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("Lstat follows a link: %v, %v", info, err)
	}
	if info, err := tr.Stat("inside"); err != nil || !info.Mode().IsRegular() {
		t.Errorf("Stat doesn't follow a link: %v, %v", info, err)
	}
	if real, err := tr.Real("self"); err != nil || real != "." {
		t.Errorf("Real of a link to the root gives %q, %v", real, err)
	}
}

func TestUnreadableIsNotMissing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions of this kind don't exist on windows")
	}
	dir := plant(t, map[string]string{"locked": "text"})
	if err := os.Chmod(filepath.Join(dir, "locked"), 0); err != nil {
		t.Fatal(err)
	}
	tr := open(t, dir, tree.Options{})
	_, err := tr.Read("locked")
	if err == nil && os.Geteuid() == 0 {
		t.Skip("the superuser reads every file, so the permission doesn't bind")
	}
	wantError(t, err, tree.Unreadable, "locked")
	if !errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the cause is lost: %v", err)
	}
}

func TestReadDir(t *testing.T) {
	tr := open(t, plant(t, map[string]string{"d/b": "", "d/a/": "", "d/B": "", "d/c": "-> b", "f": ""}), tree.Options{})
	list, err := tr.ReadDir("d", 4)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name+" "+e.Mode.String())
	}
	if s := strings.Join(got, "|"); s != "B ----------|a d---------|b ----------|c L---------" {
		t.Errorf("list is %q", s)
	}
	_, err = tr.ReadDir("d", 3)
	wantError(t, err, tree.TooMany, "d")
	_, err = tr.ReadDir("f", 3)
	wantError(t, err, tree.NotFolder, "f")
	_, err = tr.ReadDir("none", 3)
	wantError(t, err, tree.NotFound, "none")
	_, err = tr.ReadDir("..", 3)
	wantError(t, err, tree.Outside, "..")
	if list, err := tr.ReadDir(".", 3); err != nil || len(list) != 2 {
		t.Errorf("the root lists as %v, %v", list, err)
	}
}

func TestListPath(t *testing.T) {
	dir := filepath.ToSlash(plant(t, map[string]string{"d/b": "", "d/a/": "", "d/c": "-> b", "f": "", "link": "-> d"}))
	tr := open(t, dir, tree.Options{})
	want, err := tr.ReadDir("d", 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"/d", "/link"} {
		if got, err := tree.ListPath(disk.Disk{}, dir+name, 3); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s lists as %v, %v; want %v", name, got, err, want)
		}
	}
	for name, code := range map[string]cento.ErrorCode{"/f": tree.NotFolder, "/none": tree.NotFound, "/d": tree.TooMany} {
		_, err := tree.ListPath(disk.Disk{}, dir+name, 2)
		wantError(t, err, code, dir+name)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := filepath.ToSlash(plant(t, map[string]string{"f": ""}))
	_, err := tree.Open(dir+"/none", tree.Options{})
	wantError(t, err, tree.NotFound, dir+"/none")
	_, err = tree.Open(dir+"/f", tree.Options{})
	wantError(t, err, tree.NotFolder, dir+"/f")
}

func TestReadPath(t *testing.T) {
	out := plant(t, map[string]string{"f": "far"})
	dir := plant(t, map[string]string{"f": "a\r\n", "far": "-> " + filepath.Join(out, "f"), "d/": "", "bad": "\xff"})
	show := func(p string) string { return "shown/" + filepath.Base(p) }
	f, err := tree.ReadPath(filepath.Join(dir, "f"), tree.Options{})
	if err != nil || f.Text != "a\n" || string(f.Raw()) != "a\r\n" || f.Name != filepath.Join(dir, "f") {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err = tree.ReadPath(filepath.Join(dir, "far"), tree.Options{}); err != nil || f.Text != "far" {
		t.Errorf("a link that was named is followed: %v, %v", f, err)
	}
	_, err = tree.ReadPath(filepath.Join(dir, "none"), tree.Options{Show: show})
	wantError(t, err, tree.NotFound, "shown/none")
	_, err = tree.ReadPath(filepath.Join(dir, "d"), tree.Options{Show: show})
	wantError(t, err, tree.NotRegular, "shown/d")
	_, err = tree.ReadPath(filepath.Join(dir, "bad"), tree.Options{Show: show})
	wantError(t, err, tree.InvalidUTF8, "shown/bad:1:1")
	_, err = tree.ReadPath(filepath.VolumeName(dir)+string(filepath.Separator), tree.Options{Show: show})
	if !errors.Is(err, tree.NotRegular) {
		t.Errorf("the root of the disk: %v", err)
	}
	t.Chdir(dir)
	if f, err = tree.ReadPath("f", tree.Options{}); err != nil || f.Text != "a\n" {
		t.Errorf("a relative path: %v, %v", f, err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "a\r\nb", "\xef\xbb\xbfa", "\xff", "a\x00", "\r\r\n\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, err := tree.Decode("f", raw)
		if err != nil {
			e, ok := errors.AsType[*cento.SourceError](err)
			if !ok || e.Position.Line < 1 || e.Position.Column < 1 || text != "" {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		if strings.ContainsRune(text, 0) || strings.ToValidUTF8(text, "?") != text || len(text) > len(raw) {
			t.Fatalf("%q decodes to %q", raw, text)
		}
		// Lines are never moved, so that positions are those of an editor.
		if strings.Count(text, "\n") != strings.Count(string(raw), "\n") {
			t.Fatalf("%q has other lines than %q", text, raw)
		}
	})
}

func FuzzNameStaysInside(f *testing.F) {
	for _, s := range []string{"in", "../out", "a/../../out", "/etc/passwd", `..\out`, "c:out", "link/", "link", "a/link/../out", "."} {
		f.Add(s)
	}
	base := f.TempDir()
	for _, d := range []string{"root/a", "beside"} {
		if err := os.MkdirAll(filepath.Join(base, d), 0o755); err != nil {
			f.Fatal(err)
		}
	}
	for name, text := range map[string]string{"root/in": "in", "root/a/in": "in", "out": "OUT", "beside/out": "OUT"} {
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	for name, target := range map[string]string{"root/link": "../beside", "root/a/link": "../../out", "root/l": "a"} {
		if err := os.Symlink(target, filepath.Join(base, name)); err != nil {
			f.Skip("no links here:", err)
		}
	}
	tr, err := tree.Open(filepath.Join(base, "root"), tree.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if file, err := tr.Read(name); err == nil && file.Text != "in" {
			t.Fatalf("%q reads %q", name, file.Text)
		}
		if real, err := tr.Real(name); err == nil && tree.CheckName(real) != nil {
			t.Fatalf("%q is really %q", name, real)
		}
	})
}

// same reports whether two files are one on disk, by a link say.
func same(a, b *tree.File) bool { return disk.SameFile(a.Info, b.Info) }
