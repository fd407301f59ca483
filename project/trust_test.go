package project

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project/consent"
)

// Approvals are kept where whoever wrote the project could not have written them.
func TestWhereApprovalsAre(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo, home := filepath.Join(top, "home", "repo"), filepath.Join(top, "home")
	for _, dir := range []string{filepath.Join(repo, ".git"), filepath.Join(repo, "own"), filepath.Join(home, "own")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		dir, config string
		ok          bool
	}{
		{repo, filepath.Join(home, "own"), true},
		{repo, filepath.Join(repo, "own"), false},
		{repo, "", false},
		{home, filepath.Join(home, "own"), true}, // the project is the user's own home
	} {
		site, err := Locate(Request{Dir: c.dir, Home: home, Config: c.config})
		if err != nil {
			t.Fatal(err)
		}
		path, err := site.ApprovalsPath()
		switch {
		case c.ok && (err != nil || path != filepath.Join(c.config, consent.ApprovalsName)):
			t.Errorf("%+v: %q, %v", c, path, err)
		case !c.ok && !errors.Is(err, consent.TrustRequired):
			t.Errorf("%+v: %q, %v", c, path, err)
		}
	}
}

// A listing is held to the lock unless the run is one that locks anew; a run may
// ask for the lock where the manifest doesn't.
func TestListingsAreHeldToTheLock(t *testing.T) {
	r := inFolder(t, map[string]string{FileName: "tools: {mcp: {s: {command: [x]}}}\n"})
	r.AllowMCP = true
	was := listing(t, "", consent.ListedTool{Name: "a"})
	r.Lister = &said{listings: map[string]consent.Listing{"s": was}}
	p, err := Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	frozen := r
	if frozen.Frozen = true; !opens(t, r) || opens(t, frozen) {
		t.Error("a run that asks for the lock uses a server that isn't in it")
	}
	lock, err := p.Lock()
	if err != nil {
		t.Fatal(err)
	}
	_, next, err := lock.CompareServers(p.Listings())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.LockPath(), []byte(next.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if !opens(t, frozen) {
		t.Error("a server as it was locked is refused")
	}
	r.Lister = &said{listings: map[string]consent.Listing{"s": listing(t, "", consent.ListedTool{Name: "b"})}}
	unlocked := r
	if unlocked.Unlocked = true; opens(t, r) || !opens(t, unlocked) {
		t.Error("a changed listing is used, or can't be locked anew")
	}
}

func opens(t *testing.T, r Request) bool {
	t.Helper()
	_, err := Open(t.Context(), r)
	return err == nil
}

// Every text keeps the trust of the folder that it lies in.
func TestTrustOfTexts(t *testing.T) {
	p, err := layered(t, `
-- home/config/config.yaml --
skills: {exclude: [mine]}
-- home/config/skills/mine/SKILL.md --
---
name: mine
description: Not wanted.
---
-- home/config/skills/own/SKILL.md --
---
name: own
description: The user's.
---
Own text.
-- repo/.git/HEAD --
-- repo/go.mod --
module example.com/a
-- repo/.agents/skills/theirs/SKILL.md --
---
name: theirs
description: The project's.
---
Their text.
-- repo/contract.json --
{"role": "analyzer", "objective": "find", "output": {"emit": "fact", "key": "votes"}}
-- repo/.cento/prompts/a.md --
---
requires_caps: [sea]
requires_tools: [net]
---
It is {{ time }}.
-- repo/cento.yaml --
skills: {active: [own, theirs]}
fragments: [{id: c, contract: contract.json}, {id: a, template: $workspace/a}]
`)
	if err != nil {
		t.Fatal(err)
	}
	trust := map[string]cento.Trust{}
	for _, f := range slices.Concat(p.Input.Primary.Skills, p.Input.Profile, p.Input.Fragments) {
		trust[f.ID] = f.Trust
		for _, run := range f.Runs {
			if run.Trust != f.Trust {
				t.Errorf("%s: a run of %s in a text of %s", f.ID, run.Trust, f.Trust)
			}
		}
		if f.ID != "a" {
			continue
		}
		if f.Stability != cento.PerTurn || !slices.Equal(f.RequiresCaps, []string{"sea"}) || !slices.Equal(f.RequiresTools, []string{"net"}) {
			t.Errorf("a prompt file that reads the time: %s, requires %q and %q", f.Stability, f.RequiresCaps, f.RequiresTools)
		}
	}
	for id, want := range map[string]cento.Trust{
		"skill:own": cento.TrustUser, "skill:theirs": cento.TrustWorkspace, "profile:go": cento.TrustWorkspace, "c": cento.TrustWorkspace,
	} {
		if trust[id] != want {
			t.Errorf("%s has the trust %s, not %s", id, trust[id], want)
		}
	}
	for _, s := range p.Skills.listed {
		if s.Name.Body == "mine" {
			t.Error("a skill that the user excludes is listed")
		}
	}
}

// Where nothing marks a root, or it is the home folder, it may only be read.
func TestDefaultScope(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		marked bool
		home   string
		want   string
	}{
		{"unmarked", false, "", "read"}, {"marked", true, "", "write"}, {"home", true, "home", "read"},
	} {
		dir := filepath.Join(top, c.name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if c.marked {
			if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		r := Request{Dir: dir}
		if c.home != "" {
			r.Home = filepath.Join(top, c.home)
		}
		p, err := Open(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := p.Scope.Permission(filepath.Join(dir, "file")); got.String() != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// What a tool hides is refused where the policy says so; two sources can't define
// one name; a name that is active twice is one.
func TestToolsOfSeveralSources(t *testing.T) {
	hidden := "tools: [{name: a, description: \"x\\u200by\"}]\n"
	if r := inFolder(t, map[string]string{FileName: hidden + "trust: {policy: {tool: reject}}\n"}); opens(t, r) {
		t.Error("hidden characters of a tool are used, though the policy rejects them")
	}
	twice := inFolder(t, map[string]string{FileName: "tools: [{name: a}, more.json]\n", "more.json": `[{"name": "a"}]`})
	if _, err := Open(t.Context(), twice); !errors.Is(err, cento.DuplicateTool) {
		t.Errorf("one name in two sources: %v", err)
	}
	p, err := Open(t.Context(), inFolder(t, map[string]string{FileName: "tools: [a, more.json]\n", "more.json": `["a", "b"]`}))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Input.ActiveTools(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("active are %q", got)
	}
}

// Words go over values of the same name, and leave the others.
func TestAssignmentsGoOverValues(t *testing.T) {
	r := inFolder(t, map[string]string{FileName: "vars: {a: 1, b: 2}\n"})
	r.Vars, r.Assignments = json.RawMessage(`{"a": 3, "b": 4}`), []Assignment{{"a", "5"}}
	p, err := Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]int
	if err := json.Unmarshal(p.Input.Files.Given, &got); err != nil || len(got) != 2 || got["a"] != 5 || got["b"] != 4 {
		t.Errorf("%s: %v", p.Input.Files.Given, err)
	}
	if string(p.Input.Files.Given) != `{"b":4,"a":5}` {
		t.Errorf("given are %s", p.Input.Files.Given)
	}
}

// A pack that nobody agreed to is not used.
func TestPacksAreHeldToTheLock(t *testing.T) {
	r := inFolder(t, map[string]string{
		FileName:                       "packs: [{name: house}]\n",
		".cento/packs/house/pack.yaml": "name: house\nversion: 1.0.0\ndescription: Words of the house.\n",
	})
	if _, err := Open(t.Context(), r); err == nil || cento.SourceErrors(err)[0].Code != "pack.unlocked" {
		t.Errorf("a pack that isn't in the lock: %v", err)
	}
}

// A pack whose folder isn't there is told where the folder is named.
func TestPackFolderPlace(t *testing.T) {
	for manifest, want := range map[string]string{
		"packs:\n  - name: house\n    path: huose\n":                      `cento.yaml:3:11 did you mean "house"?`,
		"packs:\n  - name: house\n    path: empty\n":                      `cento.yaml:3:11 a pack has a file pack.yaml with name, version and description`,
		"packs:\n  - path: other\n    name: huose\n":                      `cento.yaml:2:11 packs lie inside the project; cento pack add installs one`,
		"packs:\n  - name: huose\n":                                       `cento.yaml:2:11 packs lie inside the project; cento pack add installs one`,
		"packs:\n  - name: hause # which calls itself\n    path: house\n": `house/pack.yaml:1:7 give it one name in both places`,
	} {
		r := inFolder(t, map[string]string{FileName: manifest, "house/pack.yaml": "name: house\nversion: 1.0\ndescription: d\n", "empty/a.md": "a"})
		_, err := Open(t.Context(), r)
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok || e.Code != pack.InvalidPack || e.Position.String()+" "+e.Hint != want {
			t.Errorf("%s: %v, hint %q; want %s", manifest, err, e.Hint, want)
		}
	}
}
