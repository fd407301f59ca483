package pack_test

import (
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

func mustRef(t testing.TB, raw string) pack.Ref {
	t.Helper()
	r, err := pack.ParseRef(raw, pack.Ref{}, cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRefNamesOneFile(t *testing.T) {
	for _, c := range []struct{ raw, path, short string }{
		{"$builtin/default", "$builtin/default.md", "$builtin/default"},
		{"$user/a.md", "$user/a.md", "$user/a"},
		{"$user/a.txt", "$user/a.txt", "$user/a.txt"},
		{"$user/a.j2", "$user/a.j2", "$user/a.j2"},
		{"$user/a.jinja", "$user/a.jinja", "$user/a.jinja"},
		{"$user/a.html", "$user/a.html.md", "$user/a.html"},
		{"$user/a.MD", "$user/a.MD.md", "$user/a.MD"},
		// Without its extension, the short form would mean another file.
		{"$user/a.txt.md", "$user/a.txt.md", "$user/a.txt.md"},
		{"$user/a.md.md", "$user/a.md.md", "$user/a.md.md"},
		{"$user/.md", "$user/.md", "$user/.md"},
		{"$user/d/.md", "$user/d/.md", "$user/d/.md"},
		{"$user/a .md", "$user/a .md", "$user/a .md"},
		{"$user/...", "$user/....md", "$user/..."},
		{"$user/ d / a ", "$user/d / a.md", "$user/d / a"},
		{"$pack/acme/d/a", "$pack/acme/d/a.md", "$pack/acme/d/a"},
		{"$pack//acme/a/", "$pack/acme/a.md", "$pack/acme/a"},
		{"$workspace/ünïcode", "$workspace/ünïcode.md", "$workspace/ünïcode"},
		{"\u00a0$workspace/a\u2003", "$workspace/a.md", "$workspace/a"},
	} {
		r := mustRef(t, c.raw)
		if r.Path() != c.path || r.String() != c.short {
			t.Errorf("%q is %q, short %q; want %q, %q", c.raw, r.Path(), r, c.path, c.short)
		}
		if s := mustRef(t, r.Path()); s != r {
			t.Errorf("%q and %q are two files", c.raw, r.Path())
		}
		if s := mustRef(t, r.String()); s != r {
			t.Errorf("%q and %q are two files", c.raw, r)
		}
		if got := string(r.Prefix()) + "/" + r.File(); got != c.path {
			t.Errorf("%q has prefix and file %q", c.raw, got)
		}
	}
	var none pack.Ref
	if !none.IsZero() || none.String() != "" || none.Path() != "" {
		t.Errorf("the zero reference is %q", none)
	}
}

func TestTrustFollowsThePrefix(t *testing.T) {
	for p, want := range map[pack.Prefix]cento.Trust{
		pack.Builtin: cento.TrustBuiltin, pack.User: cento.TrustUser, pack.Workspace: cento.TrustWorkspace,
		pack.PackPrefix("x"): cento.TrustWorkspace, "": cento.TrustWorkspace, "$builtin/x": cento.TrustWorkspace,
	} {
		if got := p.DefaultTrust(); got != want {
			t.Errorf("%q is %s, want %s", p, got, want)
		}
	}
}

func TestErrorsStayShort(t *testing.T) {
	_, err := pack.ParseRef("$user/"+strings.Repeat("a/../", 100_000), pack.Ref{}, cento.Position{})
	if !errors.Is(err, pack.InvalidRef) || len(err.Error()) > 1000 {
		t.Errorf("%.200s… of %d bytes", err, len(err.Error()))
	}
}

// FuzzRef holds that no reference names anything but one file below its prefix,
// and that what is printed means the same file.
func FuzzRef(f *testing.F) {
	for _, s := range []string{
		"$user/a", "a", "../a", "$user/../a", "$pack/x/a.md", "$pack/x", "/etc/passwd", `a\b`, "a//b", "$user/a/.. /b",
		"$workspace/ a /", "$x/a", "$", "$/", "", " ", "a.txt.md", ".md", "$user/./a", "$user/a\x00", "$user/\xff", "c:/a",
	} {
		f.Add(s, "$user/common/header")
		f.Add(s, "")
	}
	f.Fuzz(func(t *testing.T, raw, around string) {
		current, err := pack.ParseRef(around, pack.Ref{}, cento.Position{})
		if err != nil {
			current = pack.Ref{}
		}
		r, err := pack.ParseRef(raw, current, cento.Position{})
		if err != nil {
			e, ok := errors.AsType[*cento.SourceError](err)
			if !ok || !slices.Contains([]cento.ErrorCode{pack.InvalidRef, pack.UnknownPrefix, pack.UnqualifiedRef}, e.Code) {
				t.Fatalf("%q: %v", raw, err)
			}
			if strings.ContainsAny(e.Message+e.Hint, "\n\r\x1b\x00") {
				t.Fatalf("%q commands the terminal: %q", raw, e.Message)
			}
			if !r.IsZero() {
				t.Fatalf("%q is refused and %v", raw, r)
			}
			return
		}
		name := r.File()
		if name == "" || path.Clean("/"+name) != "/"+name || strings.ContainsAny(name, "\\\x00") {
			t.Fatalf("%q means %q", raw, name)
		}
		switch p := r.Prefix(); p {
		case pack.Builtin, pack.User, pack.Workspace:
		default:
			if n, ok := p.Pack(); !ok || n == "" || n == ".." || n == "." || strings.Contains(n, "/") {
				t.Fatalf("%q has prefix %q", raw, p)
			}
		}
		for _, printed := range []string{r.String(), r.Path()} {
			if s, err := pack.ParseRef(printed, current, cento.Position{}); err != nil || s != r {
				t.Fatalf("%q is %q, which reads as %v, %v", raw, printed, s, err)
			}
		}
		if strings.TrimSpace(raw)[0] != '$' && r.Prefix() != current.Prefix() {
			t.Fatalf("%q left %s for %s", raw, current.Prefix(), r.Prefix())
		}
	})
}

// What may be a prompt file by its name is what a reference can spell out.
func TestIsPromptName(t *testing.T) {
	for name, want := range map[string]bool{
		"a.md": true, "a.txt": true, "a.j2": true, "b/a.jinja": true, "a.md.j2": true, "a": false, "a.MD": false, "a.yaml": false, "md": false, "": false,
	} {
		ref, err := pack.ParseRef("$user/"+name, pack.Ref{}, cento.Position{})
		spelt := err == nil && ref.File() == name
		if got := pack.IsPromptName(name); got != want || got != spelt {
			t.Errorf("%q: %t, and a reference spells it out: %t", name, got, spelt)
		}
	}
}
