package consent_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project/consent"
)

const acme = "name: acme\nversion: 1.2.0\ndescription: Rules of the house\n"

func installAcme(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	treetest.File(t, dir, "pack.yaml", acme+"prompts: prompts\nlayer: {slots: {}}\n")
	treetest.File(t, dir, "prompts/review.md", "Review {% include \"common/tone\" %}")
	treetest.File(t, dir, "prompts/common/tone.md", "calmly.")
	treetest.File(t, dir, "logo.png", "\x89PNG\x00\xff")
	treetest.File(t, dir, "notes.md", "not a prompt file")
	return dir
}

var packAt = cento.Position{File: "cento.yaml", Line: 3, Column: 5}

func open(t *testing.T, dir string) *consent.Installed {
	t.Helper()
	p, err := consent.OpenInstalled(disk.Disk{}, "acme", dir, nil, cento.Limits{}, packAt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestOpenInstalled(t *testing.T) {
	dir := installAcme(t)
	p := open(t, dir)
	if p.Name != "acme" || p.Version != "1.2.0" || p.Description != "Rules of the house" || !p.HasLayer {
		t.Errorf("%+v", p)
	}
	files := []string{"logo.png", "notes.md", "pack.yaml", "prompts/common/tone.md", "prompts/review.md"}
	if d := cmp.Diff(files, p.Files); d != "" {
		t.Error(d)
	}
	var list strings.Builder
	for _, name := range files {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(raw), name)
	}
	if want := fmt.Sprintf("%x", sha256.Sum256([]byte(list.String()))); p.Digest != want {
		t.Errorf("digest %s, want %s", p.Digest, want)
	}

	// What was checked is what is used, also when the folder changes afterwards.
	treetest.File(t, dir, "prompts/common/tone.md", "evil.")
	l := pack.NewLoader(pack.Roots{Packs: map[string]pack.Root{"acme": p.Prompts}}, cento.Limits{})
	ref, err := pack.ParseRef("$pack/acme/review", pack.Ref{}, cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := l.Open(ref, cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	if x, err := f.Render(pack.Variables{}); err != nil || x.Body != "Review calmly." || x.Trust != cento.TrustWorkspace {
		t.Errorf("%+v, %v", x, err)
	}
	refs, err := l.List(pack.PackPrefix("acme"))
	if err != nil || len(refs) != 2 || refs[0].String() != "$pack/acme/common/tone" {
		t.Errorf("%v, %v", refs, err)
	}
}

func TestDigestFollowsEveryFile(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(dir string){
		"nothing":  func(string) {},
		"content":  func(dir string) { treetest.File(t, dir, "logo.png", "x") },
		"new file": func(dir string) { treetest.File(t, dir, "z", "") },
		"moved":    func(dir string) { os.Rename(filepath.Join(dir, "notes.md"), filepath.Join(dir, "notes2.md")) },
		"link":     func(dir string) { treetest.Link(t, dir, "there", "prompts") },
		"link2":    func(dir string) { treetest.Link(t, dir, "there", "prompts/common") },
	} {
		dir := installAcme(t)
		change(dir)
		p := open(t, dir)
		if q := open(t, dir); q.Digest != p.Digest {
			t.Errorf("%s: the digest changes from reading to reading", name)
		}
		if other, twice := seen[p.Digest]; twice {
			t.Errorf("%s and %s have one digest", name, other)
		}
		seen[p.Digest] = name
	}
}

func TestOpenInstalledRefuses(t *testing.T) {
	outside := t.TempDir()
	treetest.File(t, outside, "secret", "SECRET")
	for name, c := range map[string]struct {
		pack    string
		files   map[string]string
		links   map[string]string
		folders []string
		code    cento.ErrorCode
		text    string
	}{
		"no manifest":      {files: map[string]string{"a.md": ""}, code: pack.InvalidPack, text: "cento.yaml:3:5: the pack 'acme' has no pack.yaml"},
		"other name":       {files: map[string]string{"pack.yaml": strings.Replace(acme, "acme", "zeta", 1)}, code: pack.InvalidPack, text: "$pack/acme/pack.yaml:1:7: the pack calls itself 'zeta' and is installed as 'acme'; give it one name in both places; cento.yaml:3:5: installed here"},
		"missing field":    {files: map[string]string{"pack.yaml": "name: acme\n"}, code: "key.missing", text: `the key "version" is missing`},
		"unknown field":    {files: map[string]string{"pack.yaml": acme + "trust: builtin\n"}, code: "key.unknown", text: "$pack/acme/pack.yaml:4:1"},
		"prompts outside":  {files: map[string]string{"pack.yaml": acme + "prompts: ../x\n"}, code: pack.InvalidPack, text: "$pack/acme/pack.yaml:4:10"},
		"blank texts":      {files: map[string]string{"pack.yaml": "name: acme\nversion: ''\ndescription: ' '\nprompts: ''\n"}, code: "value.invalid", text: "$pack/acme/pack.yaml:4:10: prompts: a blank text"},
		"blank version":    {files: map[string]string{"pack.yaml": "name: acme\nversion: ''\ndescription: d\n"}, code: "value.invalid", text: "$pack/acme/pack.yaml:2:10: version: a blank text; say which version"},
		"prompts missing":  {files: map[string]string{"pack.yaml": acme + "prompts: prmpts\n", "prompts/a.md": ""}, code: pack.InvalidPack, text: `$pack/acme/pack.yaml:4:10: prompts: there is no folder 'prmpts' in the pack; did you mean "prompts"?`},
		"prompts far off":  {files: map[string]string{"pack.yaml": acme + "prompts: texts/\n", "a.md": ""}, code: pack.InvalidPack, text: "prompts: there is no folder 'texts' in the pack; name a folder of the pack, or leave prompts out"},
		"prompts deeper":   {files: map[string]string{"pack.yaml": acme + "prompts: a/prompt\n", "a/prompts/x/b.md": ""}, code: pack.InvalidPack, text: `did you mean "a/prompts"?`},
		"prompts a file":   {files: map[string]string{"pack.yaml": acme + "prompts: a.md\n", "a.md": ""}, code: pack.InvalidPack, text: "$pack/acme/pack.yaml:4:10: prompts: 'a.md' is a file"},
		"prompts a link":   {files: map[string]string{"pack.yaml": acme + "prompts: l/b\n", "a/b/x.md": ""}, links: map[string]string{"l": "a"}, code: pack.InvalidPack, text: "prompts: 'l/b' is a link to a folder, which isn't entered"},
		"prompts empty":    {files: map[string]string{"pack.yaml": acme + "prompts: a\n"}, folders: []string{"a/b"}, code: pack.InvalidPack, text: "prompts: there is no file in the folder 'a'"},
		"link outside":     {files: map[string]string{"pack.yaml": acme}, links: map[string]string{"x": filepath.Join(outside, "secret")}, code: "file.outside", text: "$pack/acme/x"},
		"dangling link":    {files: map[string]string{"pack.yaml": acme}, links: map[string]string{"x": "nothing"}, code: "file.not_found", text: "$pack/acme/x"},
		"too large":        {files: map[string]string{"pack.yaml": acme, "big": strings.Repeat("x", cento.DefaultLimits().File+1)}, code: "file.too_large", text: "$pack/acme/big"},
		"control in name":  {files: map[string]string{"pack.yaml": acme, "a\nb": ""}, code: pack.InvalidPack, text: `a\nb`},
		"upper-case name":  {pack: "Acme", files: map[string]string{"pack.yaml": acme}, code: pack.InvalidPack, text: "'Acme' can't be the name"},
		"name with slash":  {pack: "a/b", code: pack.InvalidPack, text: "'a/b'"},
		"name of dots":     {pack: "..", code: pack.InvalidPack, text: "'..'"},
		"manifest is none": {files: map[string]string{"pack.yaml": "- x\n"}, code: "value.type", text: "$pack/acme/pack.yaml:1:1"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for f, text := range c.files {
				treetest.File(t, dir, f, text)
			}
			for f, target := range c.links {
				treetest.Link(t, dir, f, target)
			}
			for _, f := range c.folders {
				if err := os.MkdirAll(filepath.Join(dir, f), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if c.pack == "" {
				c.pack = "acme"
			}
			_, err := consent.OpenInstalled(disk.Disk{}, c.pack, dir, nil, cento.Limits{}, packAt)
			said := fmt.Sprint(err)
			for _, e := range cento.SourceErrors(err) {
				said += "; " + e.Hint
				for _, r := range e.Related {
					said += "; " + r.Position.String() + ": " + r.Message
				}
			}
			if !errors.Is(err, c.code) || !strings.Contains(said, c.text) || strings.Contains(said, dir) {
				t.Errorf("%s, want %s with %q", said, c.code, c.text)
			}
		})
	}
	_, err := consent.OpenInstalled(disk.Disk{}, "acme", filepath.Join(outside, "none"), nil, cento.Limits{}, packAt)
	if !errors.Is(err, pack.InvalidPack) || !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), outside) {
		t.Errorf("a folder that isn't there: %v", err)
	}
}

// TestNotOpened holds the error of a pack that isn't there to the folder that was looked
// in, and to the packs that really lie beside it.
func TestNotOpened(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"house/pack.yaml", "hous/README.md", "HUOSE!/pack.yaml", "team/pack.yaml"} {
		treetest.File(t, dir, "packs/"+f, "name: x\n")
	}
	treetest.File(t, dir, "packs/file", "no folder")
	const general = "packs lie inside the project; cento pack add installs one"
	for _, c := range []struct{ name, folder, hint string }{
		{"huose", "huose", `did you mean "house"?`},
		{"house", "huose", `did you mean "packs/house"?`}, // the path is what is wrong
		{"hous", "none", general},
		{"far", "far", general},
		{"houses", "file", general}, // something else is wrong
		{"team", "team/team", general},
	} {
		show := func(file string) string { return "packs/" + c.folder + "/" + file }
		for _, on := range []disk.Disk{{}, disk.Over(dir, os.DirFS(dir).(disk.Files))} {
			_, err := consent.OpenInstalled(on, c.name, filepath.Join(dir, "packs", c.folder), show, cento.Limits{}, packAt)
			e, ok := errors.AsType[*cento.SourceError](err)
			if !ok || e.Code != pack.InvalidPack || e.Position != packAt || e.Hint != c.hint ||
				!strings.HasPrefix(e.Message, "the pack '"+c.name+"' cannot be opened in 'packs/"+c.folder+"'") {
				t.Errorf("%s in %s: %v, hint %q; want hint %q", c.name, c.folder, err, e.Hint, c.hint)
			}
		}
	}
}

func TestLock(t *testing.T) {
	dir := installAcme(t)
	p := open(t, dir)
	empty, err := consent.ParseLock(consent.LockFile, (&consent.Lock{}).String(), cento.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := empty.Check(p, "packs/house", packAt); !errors.Is(err, consent.UnlockedPack) {
		t.Errorf("a pack that isn't locked: %v", err)
	}
	text := empty.With(&consent.Installed{Name: "zeta", Version: "\"0\n", Digest: strings.Repeat("0", 64)}).With(p).With(p).String()
	lock, err := consent.ParseLock(consent.LockFile, text, cento.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if lock.String() != text || len(lock.Packs) != 2 || lock.Packs[1].Version != "\"0\n" {
		t.Errorf("%q reads back as %q", text, lock)
	}
	if err := lock.Check(p, "packs/house", packAt); err != nil {
		t.Error(err)
	}
	treetest.File(t, dir, "prompts/review.md", "Review nothing.")
	err = lock.Check(open(t, dir), "packs/house", packAt)
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || e.Code != consent.ChangedPack || e.Position != packAt || len(e.Related) != 1 || e.Related[0].Position.String() != "cento.lock:4:5" {
		t.Errorf("%v, related %v", err, e)
	}
	if got := lock.Without("acme").Without("nothing"); len(got.Packs) != 1 || len(lock.Packs) != 2 {
		t.Errorf("%v of %v", got, lock)
	}
	for name, c := range map[string]struct {
		text string
		code cento.ErrorCode
	}{
		"version": {"version: 2\npacks: []\n", "value.invalid"},
		"twice":   {strings.Replace(text, "zeta", "acme", 1), "key.duplicate"},
		"digest":  {"version: 1\npacks: [{name: a, version: '1', sha256: xyz}]\n", "value.invalid"},
		"key":     {"version: 1\npack: []\n", "key.unknown"},
		"empty":   {"", "value.type"},
	} {
		if _, err := consent.ParseLock(consent.LockFile, c.text, cento.Limits{}); !errors.Is(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A layer's reference without a prefix means a file of its pack.
func TestLayerOfPackQualifies(t *testing.T) {
	for _, c := range []struct{ prompts, template, hint string }{
		{"prompts", "style", "write $pack/acme/style"},
		{"prompts", "./prompts/style.md", "write $pack/acme/style"},
		{".", "prompts/style", "write $pack/acme/prompts/style"},
		{"prompts", "stile", "write $pack/acme/style"},
		{"prompts", "something/else", "a file of the pack is written $pack/acme/ with its path; there are: $pack/acme/style"},
		{"other", "something", "the pack has no prompt files"},
		{"prompts", "Be kind to all.", "this reads as a text and not as a name: the text of a contribution stands in content"},
	} {
		dir := t.TempDir()
		treetest.File(t, dir, "pack.yaml", acme+"prompts: "+c.prompts+"\nlayer: {slots: {guidance: {contributions: [{id: a, template: "+c.template+"}]}}}\n")
		treetest.File(t, dir, "prompts/style.md", "Be brief.")
		treetest.File(t, dir, "other/logo.png", "")
		_, err := open(t, dir).Layer()
		list := cento.SourceErrors(err)
		if len(list) != 1 || list[0].Code != pack.UnqualifiedRef || list[0].Hint != c.hint || list[0].Position.Line != 5 {
			t.Errorf("prompts: %s, template: %s: %v, want the hint %q", c.prompts, c.template, err, c.hint)
		}
	}
}
