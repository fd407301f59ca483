package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/pacetest"
	"github.com/cento-dev/cento/workspace"
)

var no = false

func resolve(t testing.TB, base string, cfg workspace.ScopeConfig) *workspace.Scope {
	t.Helper()
	s, err := workspace.ResolveScope(cfg, base)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func allow(target string, p workspace.Permission) workspace.ScopeRule {
	return workspace.ScopeRule{Target: target, Permission: p}
}

// flat is a rule for the target and its direct children.
func flat(target string, p workspace.Permission) workspace.ScopeRule {
	return workspace.ScopeRule{Target: target, Permission: p, Recursive: &no}
}

func TestScopeSummary(t *testing.T) {
	const read, write = workspace.Read, workspace.Write
	for name, c := range map[string]struct {
		cfg  workspace.ScopeConfig
		want string
	}{
		"writing is reading": {
			workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/nowhere/a", write)}},
			"Readable:\n  - /nowhere/a\nWritable:\n  - /nowhere/a",
		},
		"no block without rules": {
			workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/nowhere/a", read)}},
			"Readable:\n  - /nowhere/a",
		},
		"declaration order": {
			workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/nowhere/z", read), flat("/nowhere/b", write), allow("/nowhere/a", write), allow("/nowhere/z", read)}},
			"Readable:\n  - /nowhere/z\n  - /nowhere/b [non-recursive]\n  - /nowhere/a\n  - /nowhere/z\nWritable:\n  - /nowhere/b [non-recursive]\n  - /nowhere/a",
		},
		"denies are left out": {
			workspace.ScopeConfig{ShowDenied: &no, Allow: []workspace.ScopeRule{allow("/nowhere/a", write)}, Deny: []workspace.ScopeRule{allow("/nowhere/a", read)}},
			"Readable:\n  - /nowhere/a\nWritable:\n  - /nowhere/a",
		},
		"denies are shown": {
			workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/nowhere/a", write)}, Deny: []workspace.ScopeRule{flat("/nowhere/a/c", read), allow("/nowhere/a/b", write)}},
			"Readable:\n  - /nowhere/a\nWritable:\n  - /nowhere/a\nRead only:\n  - /nowhere/a/b\nNot accessible:\n  - /nowhere/a/c [non-recursive]",
		},
		"what is denied at the allowed path": {
			workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/nowhere/a", write), allow("/nowhere/b", write)}, Deny: []workspace.ScopeRule{allow("/nowhere/a", write), allow("/nowhere/b", read)}},
			"Readable:\n  - /nowhere/a\n  - /nowhere/b\nWritable:\n  - /nowhere/a\n  - /nowhere/b\nRead only:\n  - /nowhere/a\nNot accessible:\n  - /nowhere/b",
		},
		"what is denied above it: nothing else is called readable": {
			workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/nowhere/a/b", write), allow("/nowhere/c", read)}, Deny: []workspace.ScopeRule{allow("/nowhere/a", write), allow("/nowhere/c", read)}},
			"Readable:\n  - /nowhere/a/b\n  - /nowhere/c\nWritable:\n  - /nowhere/a/b\nRead only:\n  - /nowhere/a/b\nNot accessible:\n  - /nowhere/c",
		},
		"denies that change nothing": {
			workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/nowhere/a", write)}, Deny: []workspace.ScopeRule{allow("/nowhere/b", read), allow("/nowhere/ab", write), flat("/", write)}},
			"Readable:\n  - /nowhere/a\nWritable:\n  - /nowhere/a",
		},
		"not readable is not read only": {
			workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/nowhere", write)}, Deny: []workspace.ScopeRule{allow("/nowhere/a/b", write), allow("/nowhere/a", read)}},
			"Readable:\n  - /nowhere\nWritable:\n  - /nowhere\nNot accessible:\n  - /nowhere/a",
		},
		"a part that only one path is": {
			workspace.ScopeConfig{Allow: []workspace.ScopeRule{flat("/nowhere", write)}, Deny: []workspace.ScopeRule{allow("/nowhere/a", write), flat("/nowhere/b", write)}},
			"Readable:\n  - /nowhere [non-recursive]\nWritable:\n  - /nowhere [non-recursive]\nRead only:\n  - /nowhere/a [this path alone]\n  - /nowhere/b [this path alone]",
		},
		"no denies to show": {
			workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/nowhere/a", read)}},
			"Readable:\n  - /nowhere/a",
		},
		"worded otherwise": {
			workspace.ScopeConfig{Wording: workspace.ScopeWording{Denied: "Off limits:\n"}, Allow: []workspace.ScopeRule{allow("/nowhere", read)}, Deny: []workspace.ScopeRule{allow("/nowhere/b", read)}},
			"Readable:\n  - /nowhere\nOff limits:\n  - /nowhere/b",
		},
		"the disk": {
			workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/", read)}},
			"Readable:\n  - /",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				c.want = strings.ReplaceAll(c.want, "- /", "- "+filepath.VolumeName(t.TempDir())+"/")
			}
			if diff := cmp.Diff(c.want, resolve(t, "/", c.cfg).Summary()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestScopeTextKnowsItsRules(t *testing.T) {
	at := func(line int) cento.Position { return cento.Position{File: "cento.yaml", Line: line, Column: 3} }
	s := resolve(t, "/nowhere", workspace.ScopeConfig{
		Allow: []workspace.ScopeRule{
			{Target: "a", Permission: workspace.Read, Position: at(3), Trust: cento.TrustWorkspace},
			{Target: "b", Permission: workspace.Write, Position: at(4), Trust: cento.TrustUser},
		},
		Deny: []workspace.ScopeRule{{Target: "b/c", Permission: workspace.Read, Position: at(6), Trust: cento.TrustSession}},
	})
	text := s.Text()
	if text.Body != s.Summary() {
		t.Errorf("text and summary differ: %q", text.Body)
	}
	type line struct {
		text  string
		at    int
		trust cento.Trust
	}
	want := []line{
		{"Readable:\n", 0, cento.TrustBuiltin}, {"  - /nowhere/a\n", 3, cento.TrustWorkspace}, {"  - /nowhere/b\n", 4, cento.TrustUser},
		{"Writable:\n", 0, cento.TrustBuiltin}, {"  - /nowhere/b\n", 4, cento.TrustUser},
		{"Not accessible:\n", 0, cento.TrustBuiltin}, {"  - /nowhere/b/c", 6, cento.TrustSession},
	}
	var got []line
	end := 0
	for _, r := range text.Runs {
		if r.Start != end || !r.Fixed || r.Var != "scope_summary" {
			t.Errorf("run %+v after %d", r, end)
		}
		end = r.End
		got = append(got, line{strings.ReplaceAll(text.Body[r.Start:r.End], filepath.VolumeName(t.TempDir()), ""), r.Position.Line, r.Trust})
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(line{})); diff != "" || end != len(text.Body) {
		t.Errorf("runs end at %d of %d: %s", end, len(text.Body), diff)
	}
}

func TestScopePermission(t *testing.T) {
	const none, read, write = workspace.None, workspace.Read, workspace.Write
	cfg := workspace.ScopeConfig{
		Allow: []workspace.ScopeRule{
			allow("w", read), allow("w/src", write), flat("w/top", write), flat("flat", read), allow("twice", write), allow("twice", write),
			allow("w/src/secret/inner", write),
		},
		Deny: []workspace.ScopeRule{
			allow("w/src/secret", read), allow("w/src/gen", write), flat("w/src/part", read), allow("w/both", read), allow("w/both", write),
			allow("elsewhere", read),
		},
	}
	s := resolve(t, "/nowhere", cfg)
	for path, c := range map[string]struct {
		want  workspace.Permission
		rules string
	}{
		"w":                      {read, "allow w read"},
		"w/a":                    {read, "allow w read"},
		"w/a/../b/./c//d":        {read, "allow w read"},
		"wide":                   {none, ""}, // no child of w, though it begins like it
		"w/srcs":                 {read, "allow w read"},
		"w/src":                  {write, "allow w/src write"},
		"w/src/x/y.go":           {write, "allow w/src write"},
		"w/src/secret":           {none, "allow w/src write; deny w/src/secret read"},
		"w/src/secret/k":         {none, "allow w/src write; deny w/src/secret read"},
		"w/src/secret/inner/x":   {none, "allow w/src write; allow w/src/secret/inner write; deny w/src/secret read"},
		"w/src/gen/y.go":         {read, "allow w/src write; deny w/src/gen write"},
		"w/src/part":             {none, "allow w/src write; deny w/src/part read flat"},
		"w/src/part/x":           {none, "allow w/src write; deny w/src/part read flat"},
		"w/src/part/x/y":         {write, "allow w/src write"},
		"w/top":                  {write, "allow w/top write flat"},
		"w/top/a":                {write, "allow w/top write flat"},
		"w/top/a/b":              {read, "allow w read"},
		"w/both/x":               {none, "allow w read; deny w/both read"},
		"flat":                   {read, "allow flat read flat"},
		"flat/a":                 {read, "allow flat read flat"},
		"flat/a/b":               {none, ""},
		"twice/x":                {write, "allow twice write; allow twice write"},
		"elsewhere/x":            {none, ""}, // nothing is allowed there, so nothing is taken away
		"..":                     {none, ""},
		".":                      {none, ""},
		"/":                      {none, ""},
		"w/src/../../w/src/gen":  {read, "allow w/src write; deny w/src/gen write"},
		"/nowhere/w/src/gen":     {read, "allow w/src write; deny w/src/gen write"},
		"../nowhere/w/src":       {write, "allow w/src write"},
		"w/src/secret/../public": {write, "allow w/src write"},
	} {
		t.Run(path, func(t *testing.T) {
			got, rules := s.Permission(path)
			var said []string
			for _, r := range rules {
				line := r.Effect.String() + " " + strings.TrimPrefix(r.Target, filepath.VolumeName(t.TempDir())+"/nowhere/") + " " + r.Permission.String()
				if !r.Recursive {
					line += " flat"
				}
				said = append(said, line)
			}
			if got != c.want || strings.Join(said, "; ") != c.rules {
				t.Errorf("%s by %q, want %s by %q", got, said, c.want, c.rules)
			}
		})
	}
}

func TestScopeOfTheDisk(t *testing.T) {
	s := resolve(t, "/", workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/", workspace.Read)}})
	for _, p := range []string{"/", "/nowhere", "/nowhere/a", "../.."} {
		if got, _ := s.Permission(p); got != workspace.Read {
			t.Errorf("%s: %s", p, got)
		}
	}
	s = resolve(t, "/", workspace.ScopeConfig{Allow: []workspace.ScopeRule{flat("/", workspace.Read)}})
	for p, want := range map[string]workspace.Permission{"/": workspace.Read, "/nowhere": workspace.Read, "/nowhere/a": workspace.None} {
		if got, _ := s.Permission(p); got != want {
			t.Errorf("not recursive, %s: %s", p, got)
		}
	}
}

// TestScopeResolvesLinks holds that a place is judged, whatever its name.
func TestScopeResolvesLinks(t *testing.T) {
	dir := project(t, map[string]string{"w/secret/key": "", "w/real/x": "", "other/deep/x": ""})
	for name, target := range map[string]string{
		"w/link": "real", "w/tosecret": "secret", "out": "other/deep", "w/dangling": "../other/none",
		"alias": filepath.Join(dir, "w"), "loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Skip("no links here: ", err)
		}
	}
	slash := filepath.ToSlash(dir)
	s := resolve(t, dir, workspace.ScopeConfig{
		Allow: []workspace.ScopeRule{allow("alias", workspace.Write), allow("w/dangling/sub", workspace.Read), allow("out/..", workspace.Read)},
		Deny:  []workspace.ScopeRule{allow("alias/tosecret", workspace.Read)},
	})
	want := "Readable:\n  - " + slash + "/w\n  - " + slash + "/other/none/sub\n  - " + slash + "/other\nWritable:\n  - " + slash + "/w\nNot accessible:\n  - " + slash + "/w/secret"
	if diff := cmp.Diff(want, s.Summary()); diff != "" {
		t.Error(diff)
	}
	for p, want := range map[string]workspace.Permission{
		"w/real/x": workspace.Write, "w/link/x": workspace.Write, "alias/link/new/file": workspace.Write,
		"w/tosecret/key": workspace.None, "alias/secret/key": workspace.None, "w/link/../secret/key": workspace.None,
		"out/new": workspace.Read, "w/dangling": workspace.Read, "loop": workspace.None, "loop/x": workspace.None,
	} {
		if got, rules := s.Permission(p); got != want {
			t.Errorf("%s: %s by %v, want %s", p, got, rules, want)
		}
	}
	if len(s.Notes()) != 0 {
		t.Errorf("notes %v", s.Notes())
	}
}

func TestScopeNotes(t *testing.T) {
	dir := project(t, nil)
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Skip("no links here: ", err)
	}
	at := cento.Position{File: "cento.yaml", Line: 9, Column: 1}
	s := resolve(t, dir, workspace.ScopeConfig{Allow: []workspace.ScopeRule{
		{Target: "loop/../x", Permission: workspace.Read, Position: at},
		{Target: "~/src", Permission: workspace.Read, Position: at},
	}})
	slash := filepath.ToSlash(dir)
	if want := "Readable:\n  - " + slash + "/x\n  - " + slash + "/~/src"; s.Summary() != want {
		t.Errorf("summary %q, want %q", s.Summary(), want)
	}
	notes := s.Notes()
	if len(notes) != 2 || notes[0].Code != workspace.UnreadableTarget || notes[1].Code != workspace.LiteralTilde || notes[0].Position != at {
		t.Errorf("notes %+v", notes)
	}
}

func TestScopeRefuses(t *testing.T) {
	dir := project(t, nil)
	if runtime.GOOS != "windows" {
		bad := filepath.Join(dir, "a\n## Heading")
		if err := os.Mkdir(bad, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(bad, filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
	}
	at := cento.Position{File: "cento.yaml", Line: 4, Column: 7}
	for name, c := range map[string]struct {
		rule workspace.ScopeRule
		base string
		code cento.ErrorCode
		text string
	}{
		"line end":           {allow("/a\n\n## Heading", workspace.Read), dir, workspace.InvalidTarget, "holds a control character"},
		"carriage return":    {allow("/a\rb", workspace.Read), dir, workspace.InvalidTarget, "holds a control character"},
		"escape":             {allow("/a\x1b[1m", workspace.Read), dir, workspace.InvalidTarget, "holds a control character"},
		"NUL":                {allow("/a\x00", workspace.Read), dir, workspace.InvalidTarget, "holds a control character"},
		"C1":                 {allow("/a\u0085b", workspace.Read), dir, workspace.InvalidTarget, "holds a control character"},
		"line separator":     {allow("/a\u2028b", workspace.Read), dir, workspace.InvalidTarget, "holds a control character"},
		"not UTF-8":          {allow("/a\xff", workspace.Read), dir, workspace.InvalidTarget, "is not valid UTF-8"},
		"blank":              {allow(" ", workspace.Read), dir, workspace.InvalidTarget, "blank target"},
		"empty":              {allow("", workspace.Read), dir, workspace.InvalidTarget, "blank target"},
		"no base":            {allow("a", workspace.Read), "", workspace.InvalidTarget, `base "" is not absolute`},
		"relative base":      {allow("a", workspace.Read), "b", workspace.InvalidTarget, `base "b" is not absolute`},
		"base with line end": {allow("a", workspace.Read), "/b\nc", workspace.InvalidTarget, "holds a control character"},
		"no permission":      {allow("/a", workspace.None), dir, workspace.InvalidPermission, "has permission none"},
		"no such permission": {allow("/a", 7), dir, workspace.InvalidPermission, "has permission 7"},
		"link to line end":   {allow("link", workspace.Read), dir, workspace.InvalidTarget, "holds a control character"},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && name == "link to line end" {
				t.Skip("no such names here")
			}
			c.rule.Position = at
			for _, cfg := range []workspace.ScopeConfig{
				{Allow: []workspace.ScopeRule{c.rule}},
				{Allow: []workspace.ScopeRule{allow("/ok", workspace.Read)}, Deny: []workspace.ScopeRule{c.rule}},
			} {
				_, err := workspace.ResolveScope(cfg, c.base)
				e, ok := errors.AsType[*cento.SourceError](err)
				if !ok || e.Code != c.code || e.Position != at || !strings.Contains(e.Message, c.text) || strings.ContainsAny(err.Error(), "\n\r\x1b\x00") {
					t.Errorf("error is %q, want %s with %q", err, c.code, c.text)
				}
			}
		})
	}
}

// TestPatternsRefused has targets that aren't patterns of a deny rule, and the hint for each.
func TestPatternsRefused(t *testing.T) {
	at := cento.Position{File: "cento.yaml", Line: 4, Column: 7}
	refused := func(target string, cfg workspace.ScopeConfig) *cento.SourceError {
		t.Helper()
		_, err := workspace.ResolveScope(cfg, "/project")
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok || e.Code != workspace.InvalidPattern || e.Position != at {
			t.Fatalf("%s: error is %v", target, err)
		}
		return e
	}
	for target, folder := range map[string]string{
		"src/**": "src", "*.md": ".", "**": ".", "a/b*/c": "a", "./docs/a?": "./docs", "/*": "/", "/srv/*/x": "/srv", "app/[id]": "app", "app/[id": "app", `a\[/b*`: `a\[`, "~/src/*": "~/src",
	} {
		rule := allow(target, workspace.Read)
		rule.Position = at
		if e := refused(target, workspace.ScopeConfig{Allow: []workspace.ScopeRule{rule}}); e.Hint != "write `"+folder+"`" {
			t.Errorf("%s: hint %q", target, e.Hint)
		}
		// The hint works.
		rule.Target = folder
		if _, err := workspace.ResolveScope(workspace.ScopeConfig{Allow: []workspace.ScopeRule{rule}}, "/project"); err != nil {
			t.Errorf("%s: %v", folder, err)
		}
	}
	for _, target := range []string{"app/[id", "[]", "[!]", "[a-", "*[a/b]", `*\`, "a**b", "a*/../b", strings.Repeat("*a", 600)} {
		rule := allow(target, workspace.Read)
		rule.Position = at
		refused(target, workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/", workspace.Read)}, Deny: []workspace.ScopeRule{rule}})
	}
	// The home folder of another machine isn't known.
	_, err := workspace.ResolveScope(workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/", workspace.Read)}, Deny: []workspace.ScopeRule{allow("~/*", workspace.Read)}}, "/project")
	if !errors.Is(err, workspace.InvalidTarget) {
		t.Errorf("error is %v", err)
	}
	// Many patterns with many allow rules would take long.
	many := workspace.ScopeConfig{Elsewhere: true}
	for range 200 {
		many.Allow = append(many.Allow, allow("/a", workspace.Read))
		many.Deny = append(many.Deny, allow("*.pem", workspace.Read))
	}
	if _, err := workspace.ResolveScope(many, "/project"); !errors.Is(err, workspace.InvalidPattern) {
		t.Errorf("error is %v", err)
	}
}

// TestPatternsMatch has one deny pattern per case, and paths that it denies or leaves.
func TestPatternsMatch(t *testing.T) {
	for target, paths := range map[string]map[string]bool{
		"*.pem":           {"a.pem": true, "deep/er/a.pem": true, "a.pem/below": true, "a.pemx": false, "A.PEM": false, ".pem": true, "../a.pem": false},
		"./*.pem":         {"a.pem": true, "deep/a.pem": false},
		"secrets/**":      {"secrets/key": true, "secrets/deep/key": true, "secrets": true, "x/secrets/key": false, "secretsx": false},
		"secrets/*":       {"secrets/key": true, "secrets/deep/key": true, "secrets": false},
		"src/**/*.go":     {"src/a.go": true, "src/b/c/a.go": true, "a.go": false, "src": false},
		"src/**.go":       {"src/a.go": true, "src/b/c/a.go": true, "a.go": false},
		"src/gen**":       {"src/gen": true, "src/general/x": true, "src/a/gen": false},
		"**/gen":          {"gen": true, "a/b/gen/x": true, "generated": false},
		"gen?":            {"gen1": true, "genö": true, "gen": false, "gen12": false, "a/gen1/b": true},
		"v[0-9]/x":        {"v1/x": true, "v1/x/y": true, "va/x": false, "v1": false, "v[0-9]/x": true},
		"[!a-c]x":         {"dx": true, "ax": false, "!x": true, "[!a-c]x": true},
		"[^a]x":           {"bx": true, "ax": false},
		"[]]x":            {"]x": true, "x": false},
		`[\]a]x`:          {"]x": true, "ax": true, "bx": false},
		"app/[id]":        {"app/[id]": true, "app/[id]/page.ts": true, "app/i": true, "app/id": false},
		"app/[id]/*.ts":   {"app/[id]/page.ts": true, "app/d/page.ts": true, "app/x/page.ts": false},
		`app/\[id\]/*.ts`: {"app/[id]/page.ts": true, "app/d/page.ts": false},
		`\*.p?m`:          {"*.pem": true, "a.pem": false},
		"!*.pem":          {"!a.pem": true, "a.pem": false},
		"*.{pem,key}":     {"a.{pem,key}": true, "a.pem": false},
		"/project/a*":     {"a1": true, "b/a1": false},
		"/**/*.pem":       {"a.pem": true, "/other/a.pem": true},
		"~/.aws/**":       {"/home/u/.aws/credentials": true, "~/.aws/credentials": false},
		"../shared/*":     {"../shared/a": true, "shared/a": false},
		`app/\[id\]`:      {"app/[id]/x": true, `app/\[id\]`: false, "app/i": false}, // a path
		`a\b`:             {`a\b`: true, "ab": false},                                // a path
	} {
		s, err := workspace.ResolveScope(workspace.ScopeConfig{
			Allow: []workspace.ScopeRule{allow("/", workspace.Write)}, Deny: []workspace.ScopeRule{allow(target, workspace.Read)}, Elsewhere: true, Home: "/home/u",
		}, "/project")
		if err != nil {
			t.Fatal(err)
		}
		again, err := workspace.ScopeOf(s.Rules()) // as a session keeps them
		if err != nil {
			t.Fatal(err)
		}
		for path, denied := range paths {
			p, by := s.Permission(path)
			if (p == workspace.None) != denied || denied && len(by) != 2 {
				t.Errorf("%s: %s is %s by %v", target, path, p, by)
			}
			if !filepath.IsAbs(path) {
				path = "/project/" + path
			}
			if q, _ := again.Permission(path); q != p {
				t.Errorf("%s: %s is %s by the rules that a session keeps, and %s", target, path, q, p)
			}
		}
	}
}

// TestPatternsAndLinks asks for paths whose own name or real name matches.
func TestPatternsAndLinks(t *testing.T) {
	dir := project(t, map[string]string{"secrets/key": "", "vault/a.txt": "", "open/x": "", "[id]/x": ""})
	for link, to := range map[string]string{"alias": "secrets", "open/secret-link": "../vault", "open/chain": "mid.pem", "open/mid.pem": "../vault/a.txt", "whole": "."} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip("no links here: ", err)
		}
	}
	s := resolve(t, dir, workspace.ScopeConfig{
		Allow: []workspace.ScopeRule{allow(".", workspace.Write)},
		Deny:  []workspace.ScopeRule{allow("secret*/**", workspace.Read), allow("*.pem", workspace.Read), allow("open/secret*", workspace.Read)},
	})
	for path, want := range map[string]workspace.Permission{
		"secrets/key": workspace.None, "alias/key": workspace.None, "whole/secrets/key": workspace.None, "whole/alias/key": workspace.None,
		"open/secret-link/a.txt": workspace.None, "whole/open/secret-link/a.txt": workspace.None, // the written name
		"open/chain": workspace.None, "whole/open/chain": workspace.None, // a name on the way
		"vault/a.txt": workspace.Write, "open/x": workspace.Write,
	} {
		if got, by := s.Permission(path); got != want {
			t.Errorf("%s is %s by %v, want %s", path, got, by, want)
		}
	}
}

// TestHostilePatterns bounds the work for patterns that make a matcher try again and again.
func TestHostilePatterns(t *testing.T) {
	long := strings.Repeat("a", 255)
	path := "/project/" + strings.TrimSuffix(strings.Repeat(long+"/", 16), "/")
	start := time.Now()
	for _, target := range []string{
		strings.Repeat("*a", 500) + "b", strings.Repeat("**/", 330) + "*a*a*a*a*b", strings.Repeat("**/*a*a*a*a*b/", 70), strings.Repeat("?", 1000), strings.Repeat("*[!b]", 200) + "b",
		"**/" + strings.Repeat("*a*/", 250) + "b",
	} {
		s, err := workspace.ResolveScope(workspace.ScopeConfig{
			Allow: []workspace.ScopeRule{allow("/", workspace.Write)}, Deny: []workspace.ScopeRule{allow(target, workspace.Read)}, Elsewhere: true,
		}, "/project")
		if err != nil {
			t.Fatal(err)
		}
		if p, by := s.Permission(path); p != workspace.Write {
			t.Errorf("%s: %v", target, by)
		}
		if s.Summary() == "" {
			t.Error("no summary")
		}
	}
	if took := time.Since(start); took > pacetest.Second() {
		t.Errorf("took %v", took)
	}
}

func TestScopeNeedsAnAllowRule(t *testing.T) {
	at := cento.Position{File: "cento.yaml", Line: 2, Column: 1}
	for _, deny := range [][]workspace.ScopeRule{nil, {{Target: "/a", Permission: workspace.Read, Position: at}}} {
		_, err := workspace.ResolveScope(workspace.ScopeConfig{Deny: deny}, "/")
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok || e.Code != workspace.NoAllow || e.Hint == "" || e.Position.Line != 2*len(deny) {
			t.Errorf("error is %v", err)
		}
	}
	// Everything that is wrong is said at once.
	_, err := workspace.ResolveScope(workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("", workspace.Read), allow("/a", workspace.None)}}, "/")
	if !errors.Is(err, workspace.InvalidTarget) || !errors.Is(err, workspace.InvalidPermission) || errors.Is(err, workspace.NoAllow) {
		t.Errorf("error is %v", err)
	}
}

func TestPermissionNames(t *testing.T) {
	var p workspace.Permission
	var e workspace.Effect
	for i, name := range []string{"none", "read", "write"} {
		if err := p.UnmarshalText([]byte(name)); err != nil || int(p) != i || p.String() != name {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	if err := p.UnmarshalText([]byte("Read")); err == nil {
		t.Error("names are exact")
	}
	if err := e.UnmarshalText([]byte("deny")); err != nil || e != workspace.Deny {
		t.Errorf("deny: %v, %v", e, err)
	}
	if err := e.UnmarshalText([]byte("")); err == nil {
		t.Error("an effect has a name")
	}
	if _, err := workspace.Permission(9).MarshalText(); err == nil {
		t.Error("9 is no permission")
	}
	if _, err := workspace.Effect(9).MarshalText(); err == nil {
		t.Error("9 is no effect")
	}
	if workspace.Effect(9).String() == "" {
		t.Error("even that prints")
	}
}

// TestNearTargets holds what is said of rules for places where nothing is; beside what is
// there, in another folder or on another machine, nothing is said.
func TestNearTargets(t *testing.T) {
	dir := project(t, map[string]string{"src/gen/x": "", "~x": "", "notes.md": "", ".git/HEAD": "", "other/sub/x": ""})
	if err := os.Symlink("srcc", filepath.Join(dir, "link")); err != nil {
		t.Skip("no links here: ", err)
	}
	slash := filepath.ToSlash(dir)
	for target, want := range map[string]string{
		".gti": ".git", "srcc": "src", "srcc/": "src", "./srcc": "./src", "src/egn": "src/gen", "srcc/gen": "src/gen", "note.md": "notes.md", "./other/../srcc": "./other/../src",
		slash + "/srcc": slash + "/src", "../" + filepath.Base(dir) + "/srcc": "../" + filepath.Base(dir) + "/src",
		".": "", "src": "", "src/gen/new": "", "srcc/new": "", "sub": "", "note.txt": "", "~/srcc": "", "link": "", "none/../srcc": "none/../src", "notes.md/x": "",
		slash + "/none/src": "",
	} {
		for _, elsewhere := range []bool{false, true} {
			s := resolve(t, dir, workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow(target, workspace.Read)}, Elsewhere: elsewhere})
			got := ""
			for _, n := range s.NearTargets() {
				got = n.Near
				if n.Target != target {
					t.Errorf("%s is told as %s", target, n.Target)
				}
			}
			if elsewhere && got != "" || !elsewhere && got != want {
				t.Errorf("%s: %q, want %q; elsewhere: %v", target, got, want, elsewhere)
			}
		}
	}
	s := resolve(t, dir, workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("srcc", workspace.Read), allow("src", workspace.Read)}})
	if got := s.NearTargets(); got != nil {
		t.Errorf("what another rule names is near: %+v", got)
	}
}

// TestVoidRules holds which rules give what they allow nowhere: those that one deny rule has
// all of.
func TestVoidRules(t *testing.T) {
	flat := func(r workspace.ScopeRule) workspace.ScopeRule { no := false; r.Recursive = &no; return r }
	for name, c := range map[string]struct {
		allow, deny workspace.ScopeRule
		void        bool
	}{
		"the same":            {allow("/a", workspace.Write), allow("/a", workspace.Write), true},
		"above":               {allow("/a/b", workspace.Write), allow("/", workspace.Read), true},
		"below":               {allow("/a", workspace.Write), allow("/a/b", workspace.Read), false},
		"less":                {allow("/a", workspace.Read), allow("/a", workspace.Write), false},
		"beside":              {allow("/ab", workspace.Read), allow("/a", workspace.Read), false},
		"children of all":     {flat(allow("/a", workspace.Read)), allow("/a", workspace.Read), true},
		"all, denied flat":    {allow("/a", workspace.Read), flat(allow("/a", workspace.Read)), false},
		"flat, denied flat":   {flat(allow("/a", workspace.Read)), flat(allow("/a", workspace.Read)), true},
		"flat in a flat deny": {flat(allow("/a/b", workspace.Read)), flat(allow("/a", workspace.Read)), false},
	} {
		s := resolve(t, "/", workspace.ScopeConfig{Allow: []workspace.ScopeRule{c.allow}, Deny: []workspace.ScopeRule{c.deny}, Elsewhere: true})
		if got := s.VoidRules(); (len(got) == 1) != c.void {
			t.Errorf("%s: %+v", name, got)
		}
	}
	s := resolve(t, "/", workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/a", workspace.Write)}, Deny: []workspace.ScopeRule{allow("/", workspace.Write), allow("/a", workspace.Read)}, Elsewhere: true})
	if got := s.VoidRules(); len(got) != 1 || got[0].Deny.Target != "/a" {
		t.Errorf("not by the rule that takes the most: %+v", got)
	}
	users := allow("/", workspace.Read)
	users.Position.File = "config.yaml"
	s = resolve(t, "/", workspace.ScopeConfig{Allow: []workspace.ScopeRule{allow("/a", workspace.Write)}, Deny: []workspace.ScopeRule{users}, Elsewhere: true})
	if got := s.VoidRules(); got != nil {
		t.Errorf("by a rule of another file: %+v", got)
	}
}
