package pack_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/pack"
)

func TestDirRefusesWhatLeavesIt(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	treetest.File(t, outside, "secret.md", "SECRET")
	treetest.File(t, dir, "in.md", "in")
	treetest.File(t, dir, "latin1.md", "caf\xe9")
	treetest.File(t, dir, "utf16.md", "\xff\xfea\x00")
	treetest.File(t, dir, "nul.md", "a\x00")
	treetest.File(t, dir, "folder.md/x.md", "x")
	treetest.Link(t, dir, "out.md", filepath.Join(outside, "secret.md"))
	treetest.Link(t, dir, "outside", outside)
	treetest.Link(t, dir, "loop.md", "loop.md")
	treetest.Link(t, dir, "inside.md", "in.md")
	l := pack.NewLoader(pack.Roots{Workspace: pack.Dir(dir)}, cento.Limits{})
	at := cento.Position{File: "cento.yaml", Line: 4, Column: 2}
	for name, want := range map[string]struct {
		code  cento.ErrorCode
		cause string
		hint  string
	}{
		"out":            {pack.Unreadable, "outside", "links may lead"},
		"outside/secret": {pack.Unreadable, "outside", ""},
		"loop":           {pack.Unreadable, "", ""},
		"folder":         {pack.Unreadable, "a folder", ""},
		"latin1":         {pack.NotUTF8, "0xe9", ""},
		"utf16":          {pack.NotUTF8, "UTF-16", "save it as UTF-8"},
		"nul":            {pack.Unreadable, "NUL", ""},
		"nothing":        {pack.NotFound, "", "there are: $workspace/"},
	} {
		_, err := l.Load(mustRef(t, "$workspace/"+name), at)
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok || e.Code != want.code || e.Position != at || !strings.Contains(err.Error(), want.cause) {
			t.Errorf("%s: %v (%v), want %s with %q", name, err, e, want.code, want.cause)
			continue
		}
		if !strings.Contains(e.Hint, want.hint) {
			t.Errorf("%s: hint %q, want %q", name, e.Hint, want.hint)
		}
		if !strings.Contains(e.Message, "'$workspace/"+name+"'") || strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: message %q", name, err)
		}
		if name == "latin1" && (len(e.Related) != 1 || e.Related[0].Position.String() != "$workspace/latin1.md:1:4") {
			t.Errorf("%s: related %v", name, e.Related)
		}
	}
	if f, err := l.Load(mustRef(t, "$workspace/inside"), at); err != nil || f.Text != "in" {
		t.Errorf("a link that stays inside: %v, %v", f, err)
	}
}

func TestUnreadableIsNotMissing(t *testing.T) {
	dir := t.TempDir()
	treetest.File(t, dir, "locked.md", "x")
	if err := os.Chmod(filepath.Join(dir, "locked.md"), 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(filepath.Join(dir, "locked.md")); err == nil {
		f.Close()
		t.Skip("this user reads every file")
	}
	_, err := pack.NewLoader(pack.Roots{User: pack.Dir(dir)}, cento.Limits{}).Load(mustRef(t, "$user/locked"), cento.Position{})
	if !errors.Is(err, pack.Unreadable) || !errors.Is(err, os.ErrPermission) || !strings.HasPrefix(err.Error(), "failed to read prompt file '$user/locked': ") {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.md", "a.txt", "d/c.md", "d/e/f.jinja", "d.md", "no.pdf", "none", "B.md", "back\\slash.md"} {
		treetest.File(t, dir, name, "x")
	}
	treetest.Link(t, dir, "up", ".")
	treetest.Link(t, dir, "l.md", "b.md")
	treetest.Link(t, dir, "dangling.md", "nothing.md")
	treetest.File(t, dir, "pipe/x.md", "x")
	l := pack.NewLoader(pack.Roots{Workspace: pack.Dir(dir), User: pack.Dir(filepath.Join(dir, "none here"))}, cento.Limits{})
	refs, err := l.List(pack.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range refs {
		got = append(got, r.String())
		if _, err := l.Load(r, cento.Position{}); err != nil {
			t.Errorf("what is listed can't be loaded: %v", err)
		}
	}
	want := []string{
		"$workspace/B", "$workspace/a.txt", "$workspace/b", "$workspace/d", "$workspace/d/c", "$workspace/d/e/f.jinja", "$workspace/l", "$workspace/pipe/x",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if refs, err := l.List(pack.User); err != nil || len(refs) != 0 {
		t.Errorf("a folder that doesn't exist holds %v, %v", refs, err)
	}
	if _, err := l.List(pack.PackPrefix("x")); !errors.Is(err, pack.NotConfigured) {
		t.Errorf("a pack that isn't installed: %v", err)
	}
	if d := cmp.Diff([]pack.Prefix{pack.Builtin, pack.User, pack.Workspace}, l.Prefixes()); d != "" {
		t.Error(d)
	}
}

func TestRootsOf(t *testing.T) {
	roots, err := pack.RootsOf(map[string]string{"$workspace/a": "A\r\n", "$pack/x/b.txt": "B", "$user/c.md": "\ufeffC"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := pack.NewLoader(roots, cento.Limits{File: 3})
	for name, want := range map[string]string{"$workspace/a.md": "A\n", "$pack/x/b.txt": "B"} {
		if f, err := l.Load(mustRef(t, name), cento.Position{}); err != nil || f.Text != want {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	if _, err := l.Load(mustRef(t, "$user/c"), cento.Position{}); !errors.Is(err, pack.TooLarge) {
		t.Errorf("the ceiling holds for texts as well: %v", err)
	}
	if _, err := l.Load(mustRef(t, "$workspace/b"), cento.Position{}); !errors.Is(err, pack.NotFound) {
		t.Error(err)
	}
	for _, files := range []map[string]string{
		{"$workspace/a": "", "$workspace/a.md": ""},
		{"$builtin/default": ""},
		{"$workspace/../a": ""},
	} {
		if _, err := pack.RootsOf(files, nil); !errors.Is(err, pack.InvalidRef) {
			t.Errorf("%v: %v", files, err)
		}
	}
	if _, err := pack.RootsOf(map[string]string{"a": ""}, nil); !errors.Is(err, pack.UnqualifiedRef) {
		t.Error(err)
	}
	if _, err := pack.RootsOf(nil, nil); err != nil {
		t.Error(err)
	}
}

func TestBuiltinFiles(t *testing.T) {
	l := pack.NewLoader(pack.Roots{}, cento.Limits{})
	refs, err := l.List(pack.Builtin)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range refs {
		names = append(names, r.String())
		f, err := l.Load(r, cento.Position{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Trust != cento.TrustBuiltin {
			t.Errorf("%s has trust %s", r, f.Trust)
		}
		if r.File() != "catalog/agents_md_section.md" {
			for _, reserved := range []string{"agents.md", "project instructions"} {
				if strings.Contains(strings.ToLower(f.Text), reserved) {
					t.Errorf("%s says %q", r, reserved)
				}
			}
		}
		for n, text := range strings.Split(f.Text, "\n") {
			if text != strings.TrimRight(text, " \t\r") {
				t.Errorf("%s:%d ends in white space", r.Path(), n+1)
			}
		}
	}
	for _, want := range []string{"default", "common/workspace", "common/tool-usage", "internal/compact", "role/coder", "role/reviewer", "role/planner"} {
		if !slices.Contains(names, "$builtin/"+want) {
			t.Errorf("there is no $builtin/%s", want)
		}
	}
}
