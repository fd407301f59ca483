package skill_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/workspace/skill"
)

func text(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\nText of " + name + ".\n"
}

// usable are the names of the skills that can be listed, in their order.
func usable(s *skill.Set) []string {
	var out []string
	for _, x := range s.Usable() {
		out = append(out, x.Name)
	}
	return out
}

func find(tb testing.TB, s *skill.Set, entry string) skill.Skill {
	tb.Helper()
	for _, x := range s.Skills {
		if x.Path == ".agents/skills/"+entry+"/SKILL.md" {
			return x
		}
	}
	tb.Fatalf("no skill in the folder %q", entry)
	return skill.Skill{}
}

func discover(root string) *skill.Set {
	return skill.Discover([]skill.Folder{in(root, ".agents/skills", cento.TrustWorkspace)}, cento.Limits{})
}

// What stands in a folder of skills and can't be used is told, and what is used
// stays in use.
func TestHostileFolder(t *testing.T) {
	long := strings.Repeat("x", 70)
	root := t.TempDir()
	outside := t.TempDir()
	treetest.Files(t, outside, map[string]string{"SKILL.md": text("out", "Outside."), "dir/SKILL.md": text("dir", "Outside.")})
	files := map[string]string{}
	for entry, content := range map[string]string{
		"good":         text("good", "Used."),
		"windows":      "\ufeff---\r\nname: windows\r\ndescription: Of another system.\r\n---\r\nText.\r\n",
		"blanks":       "---  \t\nname: blanks\ndescription: White space behind the rulers.\n---   \nText.\n",
		"no-end-line":  "---\nname: no-end-line\ndescription: The file ends with the ruler.\n---",
		"utf8-body":    text("utf8-body", "Only its text is broken.") + strings.Repeat("x\n", 2000) + "\xff",
		"utf8-head":    "---\nname: utf8-head\ndescription: \xff\xfe\n---\n",
		"nul":          "---\nname: nul\ndescription: a\x00b\n---\n",
		"empty":        "",
		"blank":        " \n\n",
		"Upper":        text("Upper", "In capitals."),
		long:           text(long, "Too long."),
		"one--two":     text("one--two", "Two hyphens."),
		"-front":       text("-front", "A hyphen."),
		"other":        text("another", "Of another name."),
		"number":       "---\nname: 12\ndescription: no\n---\n",
		"12":           "---\nname: \"12\"\ndescription: A name of digits.\n---\n",
		"maps":         "---\nname: maps\ndescription: {a: b}\n---\n",
		"twice":        "---\nname: twice\nName: twice\ndescription: Keys that differ in case.\n---\n",
		"alias":        "---\nname: &a alias\ndescription: *a\n---\n",
		"deep":         "---\nname: deep\ndescription: x\nmetadata: " + strings.Repeat("[", 8000) + "\n---\n",
		"documents":    "---\nname: documents\ndescription: x\n...\nname: again\n---\n",
		"node_modules": text("node_modules", "Not looked at."),
		".hidden":      text("hidden", "Not looked at."),
		"no-file":      "",
	} {
		if entry != "no-file" {
			files[".agents/skills/"+entry+"/SKILL.md"] = content
		}
	}
	files[".agents/skills/no-file/README.md"] = "no skill"
	files[".agents/skills/README.md"] = "no skill"
	files[".agents/skills/misspelt/skill.md"] = text("misspelt", "In small letters.")
	files[".agents/skills/ending/skill.MD"] = text("ending", "The ending in capitals.")
	files["elsewhere/inside/SKILL.md"] = text("inside", "By a link.")
	treetest.Files(t, root, files)
	dir := filepath.Join(root, ".agents", "skills")
	for name, target := range map[string]string{
		"dir": filepath.Join(outside, "dir"), "inside": "../../elsewhere/inside", "nowhere": "nothing", "loop": "loop", "readme": "README.md",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	for _, name := range []string{"file-out", "file-folder", "pipe"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(outside, "SKILL.md"), filepath.Join(dir, "file-out", "SKILL.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "file-folder", "SKILL.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	piped := treetest.Pipe(t, filepath.Join(dir, "pipe", "SKILL.md"))
	strange := os.MkdirAll(filepath.Join(dir, "a\xffb"), 0o755) == nil && os.WriteFile(filepath.Join(dir, "a\xffb", "SKILL.md"), []byte(text("ab", "x")), 0o644) == nil

	s := discover(root)
	want := []string{"-front", "12", "Upper", "another", "blanks", "deep", "documents", "good", "inside", "no-end-line", "one--two", "twice", "utf8-body", "windows", long}
	if got := usable(s); !slices.Equal(got, want) {
		t.Errorf("in use are %q\nwant       %q", got, want)
	}
	for _, c := range []struct {
		entry string
		code  cento.ErrorCode
		place string // line and column
	}{
		{"utf8-head", tree.InvalidUTF8, ":3:14"}, {"nul", tree.HoldsNUL, ":3:15"},
		{"empty", skill.InvalidFrontMatter, ":1:1"}, {"blank", skill.InvalidFrontMatter, ":1:1"},
		{"maps", "", ":3:14"}, {"alias", "", ":2:7"},
		{"dir", tree.Outside, ""}, {"nowhere", tree.NotFound, ""}, {"loop", "", ""}, {"file-out", tree.Outside, ""}, {"file-folder", tree.NotRegular, ""},
		{"misspelt", skill.Misspelt, ""}, {"ending", skill.Misspelt, ""}, {"pipe", tree.NotRegular, ""},
	} {
		if c.entry == "pipe" && !piped {
			continue
		}
		x := find(t, s, c.entry)
		if x.Status != skill.Invalid || x.Err == nil || x.Reason == "" {
			t.Errorf("%s is %s: %v", c.entry, x.Status, x.Err)
			continue
		}
		if c.code != "" && !errors.Is(x.Err, c.code) {
			t.Errorf("%s: %v, want the code %s", c.entry, x.Err, c.code)
		}
		note := slices.IndexFunc(s.Notes, func(n cento.Note) bool { return strings.Contains(n.Message, fmt.Sprintf("%q is not used", c.entry)) })
		if note < 0 {
			t.Errorf("no note on %s", c.entry)
		} else if at := s.Notes[note].Position.String(); !strings.HasSuffix(at, c.place) || !strings.Contains(at, c.entry) {
			t.Errorf("the note on %s stands at %s, want %s", c.entry, at, c.place)
		}
	}
	// A broken rule that keeps nobody from using the skill is a warning with its place.
	for entry, place := range map[string]string{
		"Upper": ":2:7", long: ":2:7", "one--two": ":2:7", "-front": ":2:7", "other": ":2:7", "number": ":2:7", "twice": ":3:1", "deep": "", "documents": "",
	} {
		x := find(t, s, entry)
		if x.Warning == "" || x.Status == skill.Invalid || x.Err != nil {
			t.Errorf("%s is %s with the warning %q: %v", entry, x.Status, x.Warning, x.Err)
		}
		if !slices.ContainsFunc(s.Notes, func(n cento.Note) bool {
			return n.Code == skill.Deviates && strings.Contains(n.Message, x.Warning) && n.Position.File == x.Path && strings.HasSuffix(n.Position.String(), place)
		}) {
			t.Errorf("no note at %s on %s", place, entry)
		}
	}
	for _, x := range s.Skills {
		if slices.Contains([]string{"readme", "hidden", ".hidden", "node_modules", "no-file", "README.md"}, x.Name) {
			t.Errorf("%s is no skill", x.Path)
		}
		if strings.ContainsFunc(x.Path, func(r rune) bool { return r < ' ' }) {
			t.Errorf("the path %q is on two lines", x.Path)
		}
	}
	if strange && !slices.ContainsFunc(s.Skills, func(x skill.Skill) bool {
		return x.Status == skill.Invalid && strings.HasPrefix(x.Path, ".agents/skills/a\xffb")
	}) {
		t.Error("the folder whose name is not UTF-8 is not told")
	}
	// A text that breaks behind the front matter is found when it is wanted.
	broken := find(t, s, "utf8-body")
	if _, err := s.Load(&broken); !errors.Is(err, tree.InvalidUTF8) {
		t.Errorf("the broken text loads: %v", err)
	}
	good := find(t, s, "windows")
	doc, err := s.Load(&good)
	if err != nil || doc.Body.Body != "Text.\n" || doc.Body.Origin.Line != 5 {
		t.Errorf("loaded %+v, %v", doc, err)
	}
}

// Of two folders whose names differ in letter case alone, a skill that is named as its
// folder keeps its name.
func TestLetterCase(t *testing.T) {
	root := t.TempDir()
	treetest.Files(t, root, map[string]string{".agents/skills/Deploy/SKILL.md": text("deploy", "In capitals.")})
	if _, err := os.Stat(filepath.Join(root, ".agents", "skills", "deploy")); err == nil {
		t.Skip("letter case doesn't count here")
	}
	treetest.Files(t, root, map[string]string{
		".agents/skills/deploy/SKILL.md": text("deploy", "In small letters."), ".agents/skills/DEPLOY/SKILL.md": text("DEPLOY", "All in capitals."),
		".agents/skills/other/skill.md": text("other", "A file in small letters."), ".agents/skills/other/SKILL.md": text("other", "And one in capitals."),
	})
	s := discover(root)
	if got := usable(s); !slices.Equal(got, []string{"DEPLOY", "deploy", "other"}) || s.Usable()[1].Description != "In small letters." || s.Usable()[2].Description != "And one in capitals." {
		t.Errorf("in use are %q", got)
	}
	if x := find(t, s, "Deploy"); x.Status != skill.Shadowed {
		t.Error(x.Status)
	}
	if len(s.Notes) != 3 {
		t.Error(s.Notes)
	}
}

// Without permission a skill is told, and hides no other.
func TestUnreadable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions of this kind don't exist on windows")
	}
	root := t.TempDir()
	treetest.Files(t, root, map[string]string{".agents/skills/a/SKILL.md": text("a", "A."), ".agents/skills/b/SKILL.md": text("b", "B."), ".claude/skills/c/SKILL.md": text("c", "C.")})
	for _, name := range []string{".agents/skills/a/SKILL.md", ".claude/skills"} {
		if err := os.Chmod(filepath.Join(root, filepath.FromSlash(name)), 0); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(filepath.Join(root, ".claude", "skills"), 0o755)
	treetest.Unprivileged(t, root, func() {
		if f, err := os.Open(filepath.Join(root, ".agents", "skills", "a", "SKILL.md")); err == nil {
			f.Close()
			t.Skip("the permission doesn't bind: the tests run as the superuser")
		}
		s := skill.Discover([]skill.Folder{in(root, ".claude/skills", cento.TrustWorkspace), in(root, ".agents/skills", cento.TrustWorkspace)}, cento.Limits{})
		if got := usable(s); !slices.Equal(got, []string{"b"}) || len(s.Notes) != 2 || s.Notes[0].Code != skill.NotUsable || s.Notes[1].Code != skill.NotUsable {
			t.Errorf("in use are %q; %v", got, s.Notes)
		}
	})
}

// Of one name in several folders that of the first is used, and each other has a
// note that names both. A folder that is given twice is looked at once.
func TestOneName(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	treetest.Files(t, home, map[string]string{".agents/skills/deploy/SKILL.md": text("deploy", "With care.")})
	treetest.Files(t, project, map[string]string{
		".agents/skills/deploy/SKILL.md": text("deploy", "With secrets."),
		".claude/skills/deploy/SKILL.md": text("deploy", "With force."),
		".claude/skills/other/SKILL.md":  text("other", "x"),
	})
	user := in(home, ".agents/skills", cento.TrustUser)
	user.Show = func(path string) string {
		rel, _ := filepath.Rel(home, path)
		return "~/" + filepath.ToSlash(rel)
	}
	s := skill.Discover([]skill.Folder{
		user, in(project, ".agents/skills", cento.TrustWorkspace), in(project, ".claude/skills", cento.TrustWorkspace), in(project, ".agents/skills", cento.TrustWorkspace),
		in(project, "nothing/here", cento.TrustWorkspace),
	}, cento.Limits{})
	if got := usable(s); !slices.Equal(got, []string{"deploy", "other"}) {
		t.Fatal(got)
	}
	if x := s.Usable()[0]; x.Trust != cento.TrustUser || x.Description != "With care." {
		t.Errorf("the project's is used: %+v", x)
	}
	if len(s.Notes) != 2 {
		t.Fatal(s.Notes)
	}
	for i, path := range []string{".agents/skills/deploy/SKILL.md", ".claude/skills/deploy/SKILL.md"} {
		n := s.Notes[i]
		if n.Code != skill.NameTaken || n.Position.File != path || !strings.Contains(n.Message, "~/.agents/skills/deploy/SKILL.md") {
			t.Errorf("%v", n)
		}
	}
}

// TestLinkedSkill: a link to a skill that is there already is the same skill, and nothing
// is told of it twice.
func TestLinkedSkill(t *testing.T) {
	project := t.TempDir()
	treetest.Files(t, project, map[string]string{
		".claude/skills/a/SKILL.md":   text("a", "x"),
		".claude/skills/bad/SKILL.md": "---\nname: bad\n---\n",
		".agents/skills/own/SKILL.md": text("own", "x"),
	})
	for _, name := range []string{"a", "bad"} {
		if err := os.Symlink("../../.claude/skills/"+name, filepath.Join(project, ".agents/skills", name)); err != nil {
			t.Skip(err)
		}
	}
	s := skill.Discover([]skill.Folder{in(project, ".claude/skills", cento.TrustWorkspace), in(project, ".agents/skills", cento.TrustWorkspace)}, cento.Limits{})
	linked := 0
	for _, x := range s.Skills {
		if x.Status == skill.Elsewhere && strings.HasPrefix(x.Reason, "the same file as ") {
			linked++
		}
	}
	if len(s.Skills) != 5 || linked != 2 || len(s.Notes) != 1 {
		t.Errorf("%d skills, %d linked, notes %v", len(s.Skills), linked, s.Notes)
	}
}

// A folder that can't be read, and one that has too many entries, are told, and
// the others are used.
func TestFolderOfNoUse(t *testing.T) {
	root := t.TempDir()
	treetest.Files(t, root, map[string]string{".agents/skills": "a file", ".claude/skills/a/SKILL.md": text("a", "A.")})
	s := skill.Discover([]skill.Folder{
		in(root, ".agents/skills", cento.TrustWorkspace), in(filepath.Join(root, "missing"), ".agents/skills", cento.TrustWorkspace),
		in(root, ".claude/skills", cento.TrustWorkspace),
	}, cento.Limits{})
	if got := usable(s); !slices.Equal(got, []string{"a"}) || len(s.Notes) != 1 || s.Notes[0].Position.File != ".agents/skills" {
		t.Errorf("in use are %q; %v", got, s.Notes)
	}
}

// One bad skill never hides another, whatever it is: with any others beside them,
// the good skills are found as they are without.
func TestBadSkillsHideNone(t *testing.T) {
	bad := rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "---", "---\n---\n", "---\nname: x\n", "no front matter", "\xff\xfe", "---\n\x00\n---\n", "---\n- a\n---\n", "---\na: &a [*a]\n---\n",
			"---\nname: good-1\ndescription: Of another's name.\n---\n", "---\n" + strings.Repeat("[", 16000) + "\n---\n", "---\nz: [" + strings.Repeat("a,", 8000) + "]\n---\n",
			"---\n" + strings.Repeat("a: b\n", 3000) + "---\n", "---\ndescription: >\n" + strings.Repeat("  a\n", 4000) + "---\n",
		}),
		rapid.String(),
		rapid.Map(rapid.String(), func(s string) string { return "---\n" + s + "\n---\n" }),
	)
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "skills")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(root)
		write := func(folder, entry, content string) {
			dir := filepath.Join(root, folder, entry)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, skill.FileName), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		folders := []string{"one", "two"}
		for i := range rapid.IntRange(1, 4).Draw(t, "good") {
			name := fmt.Sprintf("good-%d", i)
			write(rapid.SampledFrom(folders).Draw(t, "folder"), name, text(name, rapid.StringMatching(`[A-Z][a-z]{0,20}( [a-z]{1,9}){0,30}`).Draw(t, "description")))
		}
		look := func() *skill.Set {
			return skill.Discover([]skill.Folder{in(root, "one", cento.TrustUser), in(root, "two", cento.TrustWorkspace)}, cento.Limits{})
		}
		alone := look()
		if len(alone.Notes) != 0 {
			t.Fatal(alone.Notes)
		}
		for range rapid.IntRange(1, 6).Draw(t, "bad") {
			// A file of the same folder name may stand in the other folder.
			entry := rapid.OneOf(rapid.StringMatching(`[a-zA-Z0-9-]{1,8}`), rapid.Just("good-1")).Draw(t, "entry")
			folder := rapid.SampledFrom(folders).Draw(t, "folder")
			if _, err := os.Stat(filepath.Join(root, folder, entry)); err == nil {
				continue
			}
			content := bad.Draw(t, "content")
			if doc, err := skill.Parse("x", entry, content, cento.TrustUser, cento.Limits{}); err == nil && doc.Name != "" {
				continue // it is a good one after all
			}
			write(folder, entry, content)
		}
		both := look()
		var a, b []skill.Skill
		for _, x := range alone.Usable() {
			a = append(a, *x)
		}
		for _, x := range both.Usable() {
			b = append(b, *x)
		}
		same := slices.EqualFunc(a, b, func(x, y skill.Skill) bool {
			return reflect.DeepEqual(x.Header, y.Header) && reflect.DeepEqual(x.Listed, y.Listed) && x.Path == y.Path && x.Trust == y.Trust && x.Status == y.Status
		})
		if !same {
			t.Fatalf("found alone  %+v\nfound beside %+v", a, b)
		}
		for _, x := range both.Skills {
			if x.Status == skill.Invalid && !slices.ContainsFunc(both.Notes, func(n cento.Note) bool { return n.Position.File == x.Path }) {
				t.Fatalf("%s is not used, and nothing says so", x.Path)
			}
		}
	})
}

// Front matter that costs much to parse is left out when there is too much of
// it, and is told; skills of the usual size are read whatever stands beside them,
// before or behind.
func TestBombs(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{}
	bombs := []string{
		"z: [" + strings.Repeat("a,", 7900) + "]",
		"metadata: {" + strings.Repeat("a: b, ", 2600) + "}",
		"z: " + strings.Repeat("[", 60) + strings.Repeat("a,", 7500) + strings.Repeat("]", 60),
		"license: >\n" + strings.Repeat("  a\n", 3900),
	}
	for i := range 180 {
		name := fmt.Sprintf("bomb-%03d", i)
		files[".agents/skills/"+name+"/SKILL.md"] = "---\nname: " + name + "\ndescription: Goes off.\n" + bombs[i%len(bombs)] + "\n---\n"
	}
	for i := range 50 {
		for _, prefix := range []string{"after", "zz"} {
			name := fmt.Sprintf("%s-%02d", prefix, i)
			files[".agents/skills/"+name+"/SKILL.md"] = text(name, strings.Repeat("Does this and that. ", 50)[:skill.MaxDescription-50])
		}
	}
	treetest.Files(t, root, files)
	s := discover(root)
	good, spent, out := 0, 0, 0
	for _, x := range s.Skills {
		switch {
		case !strings.HasPrefix(x.Name, "bomb") && x.Status == skill.Usable:
			good++
		case !strings.HasPrefix(x.Name, "bomb"):
			t.Errorf("%s is %s: %s", x.Name, x.Status, x.Reason)
		case errors.Is(x.Err, cento.LimitExceeded):
			out++
		default:
			content := files[x.Path]
			spent += len(content)
			for _, mark := range []string{",", ":", "[", "{", "\n"} {
				spent += 24 * strings.Count(content, mark)
			}
		}
	}
	if good != 100 || out == 0 || spent > skill.MaxEffort {
		t.Errorf("%d of 100 are in use; %d bombs were left alone, and the others cost %d of %d", good, out, spent, skill.MaxEffort)
	}
	if len(s.Notes) < out {
		t.Errorf("%d notes on %d skills that are not used", len(s.Notes), out)
	}
}

// Ten thousand skills are all found, whichever of them are bad.
func TestManySkills(t *testing.T) {
	lengthtest.OnlyLong(t, "lays out 10,000 folders")
	root := many(t, 10_000, func(name string) string {
		if strings.HasSuffix(name, "7") {
			return "---\nname: broken\n"
		}
		return text(name, strings.Repeat("What it does and when. ", 44))
	})
	s := discover(root)
	if n := len(s.Usable()); n != 9_000 || len(s.Notes) != 1_000 || len(s.Skills) != 10_000 {
		t.Errorf("%d of %d in use, %d notes", n, len(s.Skills), len(s.Notes))
	}
}
