package skill_test

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/workspace/skill"
)

// at is a folder of skills as a client looks for it, below a folder of the root.
func at(root, rel, place string, where skill.At) skill.Folder {
	f := in(root, path.Join(rel, place), cento.TrustWorkspace)
	f.Place, f.At = place, where
	return f
}

// Each archive has a head that clients were run with, and what each did with it in a
// folder where it looks.
func TestClients(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) < 20 {
		t.Fatalf("%d archives: %v", len(archives), err)
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var text, want string
			for _, f := range ar.Files {
				switch f.Name {
				case "SKILL.md":
					text = string(f.Data)
				case "SKILL.json":
					if err := json.Unmarshal(f.Data, &text); err != nil {
						t.Fatal(err)
					}
				case "want.txt":
					want = string(f.Data)
				}
			}
			root, places := t.TempDir(), []string{".claude/skills", ".agents/skills"}
			var folders []skill.Folder
			for _, place := range places {
				treetest.Files(t, root, map[string]string{place + "/tide/SKILL.md": text})
				folders = append(folders, at(root, "", place, skill.Here))
			}
			set := skill.Discover(folders, cento.Limits{})
			readings, _ := set.Clients()
			var got strings.Builder
			for k := range readings[0] {
				// The client looks in one of both at least.
				i := slices.IndexFunc(readings, func(r skill.Readings) bool { return !strings.HasPrefix(r[k].Reason, "it looks in") })
				r := readings[i][k]
				if (r.Listing != skill.Listed) != (r.Reason != "") && !strings.Contains(r.Reason, "description") {
					t.Errorf("%s: the reason is %q", r.Client, r.Reason)
				}
				got.WriteString(strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Client, r.Listing, r.Name)) + "\n")
			}
			if got.String() != want {
				t.Errorf("got\n%swant\n%s", &got, want)
			}
		})
	}
}

// Which folders each client looks in, from a folder between the root and the deepest one.
func TestClientPlaces(t *testing.T) {
	want := map[string]map[string][]skill.At{
		"claude":         {".claude/skills": {skill.Home, skill.Here, skill.Up, skill.Under}},
		"claude@2.1.197": {".claude/skills": {skill.Home, skill.Here, skill.Up}},
		"codex":          {".agents/skills": {skill.Home, skill.Here, skill.Up}, ".codex/skills": {skill.Home, skill.Here, skill.Up}},
		"gemini":         {".agents/skills": {skill.Home, skill.Here}, ".gemini/skills": {skill.Home, skill.Here}},
		"opencode": {
			".claude/skills": {skill.Home, skill.Here, skill.Up}, ".agents/skills": {skill.Home, skill.Here, skill.Up},
			".opencode/skill": {skill.Home, skill.Here, skill.Up}, ".opencode/skills": {skill.Home, skill.Here, skill.Up},
			".config/opencode/skill": {skill.Home}, ".config/opencode/skills": {skill.Home},
		},
		"copilot": {
			".claude/skills": {skill.Here, skill.Up}, ".agents/skills": {skill.Home, skill.Here, skill.Up},
			".github/skills": {skill.Here, skill.Up}, ".copilot/skills": {skill.Home},
		},
		"qwen": {".agents/skills": {skill.Home, skill.Here}, ".qwen/skills": {skill.Home, skill.Here}},
	}
	places := slices.Compact(slices.Sorted(slices.Values(slices.Concat(skill.Places(true), skill.Places(false), []string{".cento/skills"}))))
	for _, where := range []skill.At{skill.Nowhere, skill.Home, skill.Here, skill.Up, skill.Under} {
		for _, place := range places {
			root := t.TempDir()
			treetest.Files(t, root, map[string]string{place + "/tide/SKILL.md": text("tide", "Prints.")})
			set := skill.Discover([]skill.Folder{at(root, "", place, where)}, cento.Limits{})
			readings, lists := set.Clients()
			for k, r := range readings[0] {
				listing := skill.NotListed
				switch looks := slices.Contains(want[r.Client][place], where); {
				case looks && where == skill.Under:
					listing = skill.OnDemand
				case looks:
					listing = skill.Listed
				}
				if r.Listing != listing || (r.Reason == "") != (listing == skill.Listed) {
					t.Errorf("%s at %d in %s: %s, %q", place, where, r.Client, r.Listing, r.Reason)
				}
				if n := map[bool]int{true: 1}[listing == skill.Listed]; lists[k].Listed != n || lists[k].Described != n {
					t.Errorf("%s at %d: %+v", place, where, lists[k])
				}
			}
		}
	}
}

// The list of Claude Code has room for about 8,000 characters. Every skill keeps its name
// there, and a description that is too long gives way to shorter ones behind it.
func TestClientLimit(t *testing.T) {
	for _, c := range []struct {
		skills, length int
		old, new       [2]int // described, at least and at most
	}{
		{120, 310, [2]int{7, 8}, [2]int{2, 2}}, {10, 310, [2]int{10, 10}, [2]int{5, 5}}, {4, 310, [2]int{4, 4}, [2]int{4, 4}},
		{60, 100, [2]int{29, 31}, [2]int{11, 13}}, {400, 310, [2]int{0, 0}, [2]int{0, 0}}, {1, 1800, [2]int{1, 1}, [2]int{1, 1}},
	} {
		root := t.TempDir()
		files := map[string]string{}
		for i := range c.skills {
			name := fmt.Sprintf("zz-%03d", i)
			files[".claude/skills/"+name+"/SKILL.md"] = text(name, strings.Repeat("x", c.length))
		}
		treetest.Files(t, root, files)
		_, lists := skill.Discover([]skill.Folder{at(root, "", ".claude/skills", skill.Here)}, cento.Limits{}).Clients()
		for k, want := range [][2]int{c.new, c.old} {
			if l := lists[k]; l.Listed != c.skills || l.Described < want[0] || l.Described > want[1] {
				t.Errorf("%d skills of %d characters: %+v, want %v", c.skills, c.length, l, want)
			}
		}
		if l := lists[4]; l.Described != c.skills || l.Limit != 0 {
			t.Errorf("%+v", l)
		}
	}
}

// Of two skills in folders of one name Claude Code lists the user's, then the nearest.
func TestClientSameFolder(t *testing.T) {
	root := t.TempDir()
	treetest.Files(t, root, map[string]string{"home/.claude/skills/a/SKILL.md": text("a", "User's."), ".claude/skills/a/SKILL.md": text("a", "Project's.")})
	set := skill.Discover([]skill.Folder{at(root, "home", ".claude/skills", skill.Home), at(root, "", ".claude/skills", skill.Here)}, cento.Limits{})
	readings, lists := set.Clients()
	if lists[0].Listed != 1 || readings[0][0].Listing != skill.Listed || readings[1][0].Listing != skill.NotListed {
		t.Errorf("%+v %+v", lists[0], readings)
	}
}
