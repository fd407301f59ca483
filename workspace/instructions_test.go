package workspace_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/workspace"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// settings is the config.json of an archive. Folders are relative to the
// archive's own.
type settings struct {
	Convention string   `json:"profile"`
	Root       string   `json:"root"`
	Cwd        string   `json:"cwd"`
	Home       string   `json:"home"`
	Global     string   `json:"global"`
	Top        string   `json:"top"`
	For        []string `json:"for"`
	// Below: what lies below cwd is counted.
	Below   bool `json:"below"`
	Imports bool `json:"imports"`
	// Folders are those of the users of other clients.
	Folders   map[string]string `json:"folders"`
	Limit     int               `json:"limit"`
	FileLimit int               `json:"file_limit"`
	MaxFile   int               `json:"max_file"`
	// LetterCase: the archive is for disks where two names may differ in it alone.
	LetterCase bool `json:"letter_case"`
}

// TestInstructions runs every archive; testdata/README.md says how to read one.
func TestInstructions(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives found: %v", err)
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			runArchive(t, file, ar)
		})
	}
}

func runArchive(t *testing.T, file string, ar *txtar.Archive) {
	if len(bytes.TrimSpace(ar.Comment)) == 0 {
		t.Error("the archive doesn't say which rule it shows")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var set settings
	wants := map[string]string{}
	inputs := 0
	if err := os.MkdirAll(filepath.Join(dir, "tree"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		switch {
		case f.Name == "config.json":
			d := json.NewDecoder(bytes.NewReader(f.Data))
			d.DisallowUnknownFields()
			if err := d.Decode(&set); err != nil {
				t.Fatalf("config.json: %v", err)
			}
			if set.LetterCase && !countsLetterCase(t, dir) {
				t.Skip("letter case doesn't count here")
			}
		case f.Name == "setup":
			inputs++
			setUp(t, dir, string(f.Data))
		case strings.HasPrefix(f.Name, "above/") || strings.HasPrefix(f.Name, "tree/") || strings.HasPrefix(f.Name, "home/") || strings.HasPrefix(f.Name, "other/"):
			inputs++
			writeFile(t, filepath.Join(dir, f.Name), f.Data)
		case strings.HasPrefix(f.Name, "want/"):
			if _, ok := wants[f.Name]; ok {
				t.Fatalf("%s is there twice", f.Name)
			}
			wants[f.Name] = string(f.Data)
		default:
			t.Fatalf("the archive holds %q, which nothing reads", f.Name)
		}
	}
	if inputs == 0 {
		t.Fatal("the archive holds no tree")
	}
	if len(wants) == 0 && !*update {
		t.Fatal("the archive expects nothing")
	}
	at := func(p string) string {
		if p == "" {
			return ""
		}
		return filepath.Join(dir, filepath.FromSlash(p))
	}
	cfg := workspace.InstructionsConfig{
		Convention: set.Convention, Root: at("tree"), Cwd: at(path.Join("tree", set.Cwd)),
		Top: at(set.Top), Folders: map[string]string{},
		Home: at(set.Home), Global: at(set.Global), Imports: set.Imports,
		Limit: set.Limit, FileLimit: set.FileLimit, MaxFile: set.MaxFile,
	}
	for name, folder := range set.Folders {
		cfg.Folders[name] = at(folder)
	}
	if set.Root != "" {
		cfg.Root, cfg.Cwd = at(set.Root), at(path.Join(set.Root, set.Cwd))
	}
	for _, file := range set.For {
		cfg.For = append(cfg.For, at(file))
	}
	if set.Below {
		if cfg.Below, err = workspace.FindBelow(disk.Disk{}, cfg.Root, cfg.Cwd); err != nil {
			t.Fatal(err)
		}
	}
	got, err := workspace.LoadInstructions(cfg)
	if err != nil {
		t.Fatal(err)
	}
	checkLaws(t, cfg.Home, cfg.Root, got)
	compareArchive(t, file, ar, dir, got, wants)
}

func countsLetterCase(t *testing.T, dir string) bool {
	t.Helper()
	writeFile(t, filepath.Join(dir, "probe"), nil)
	_, err := os.Stat(filepath.Join(dir, "PROBE"))
	return err != nil
}

// TestTraps: README.md names the archives of traps, all of them and no other.
func TestTraps(t *testing.T) {
	readme, err := os.ReadFile("testdata/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "\n| trap |")
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([a-z0-9_]+)`").FindAllStringSubmatch(table, -1) {
		named[m[1]] = true
		if _, err := os.Stat("testdata/" + m[1] + ".txtar"); err != nil {
			t.Errorf("README.md names an archive that isn't there: %v", err)
		}
	}
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range archives {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if bytes.HasPrefix(ar.Comment, []byte("Trap:")) && !named[name] {
			t.Errorf("%s shows a trap that README.md doesn't name", file)
		}
	}
}

// compareArchive compares the result with the want/ files of the archive, or
// writes those.
func compareArchive(t *testing.T, file string, ar *txtar.Archive, dir string, got *workspace.Instructions, wants map[string]string) {
	anonymous := func(s string) string { return strings.ReplaceAll(s, filepath.ToSlash(dir), "<dir>") }
	files, runs := slices.Clone(got.Files), []cento.Run(nil)
	if got.Text != nil {
		// Offsets are those of a text in which the folder's name is short.
		body := got.Text.Body
		short := func(offset int) int { return len(anonymous(body[:offset])) }
		for i := range files {
			f := &files[i]
			f.Bytes -= f.To - f.From - (short(f.To) - short(f.From))
			f.From, f.To = short(f.From), short(f.To)
		}
		for _, r := range got.Text.Runs {
			r.Start, r.End = short(r.Start), short(r.End)
			runs = append(runs, r)
		}
	}
	results := []txtar.File{{Name: "want/files.json", Data: []byte(anonymous(filesJSON(t, files)))}}
	if got.Text != nil {
		text := *got.Text
		text.Body, text.Runs = anonymous(text.Body), runs
		results = append(results,
			txtar.File{Name: "want/text.txt", Data: []byte(text.Body + "\n")},
			txtar.File{Name: "want/runs.txt", Data: []byte(anonymous(runsText(&text)))})
	}
	if len(got.OnDemand) > 0 {
		var b strings.Builder
		for _, d := range got.OnDemand {
			fmt.Fprintf(&b, "%s: %s\n%s\n", d.Path, d.Text.Trust, d.Text.Body)
		}
		results = append(results, txtar.File{Name: "want/on_demand.txt", Data: []byte(anonymous(b.String()))})
	}
	if len(got.Notes) > 0 {
		results = append(results, txtar.File{Name: "want/notes.txt", Data: []byte(anonymous(notesText(got.Notes)))})
	}
	if *update {
		ar.Files = slices.DeleteFunc(ar.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
		ar.Files = append(ar.Files, results...)
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, r := range results {
		want, ok := wants[r.Name]
		if !ok {
			t.Errorf("%s isn't expected:\n%s", r.Name, r.Data)
			continue
		}
		delete(wants, r.Name)
		if diff := cmp.Diff(want, string(r.Data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.Name, diff)
		}
	}
	for name := range wants {
		t.Errorf("%s is expected, and there is none", name)
	}
}

func filesJSON(t *testing.T, files []workspace.File) string {
	var b strings.Builder
	b.WriteString("[")
	for i, f := range files {
		line, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  ")
		b.Write(line)
	}
	b.WriteString("\n]\n")
	return b.String()
}

// runsText shows each run by its place and the beginning of its text.
func runsText(t *cento.Text) string {
	var b strings.Builder
	for _, r := range t.Runs {
		text := t.Body[r.Start:r.End]
		if len(text) > 24 {
			text = strings.ToValidUTF8(text[:24], "") + "…"
		}
		place := r.Position.String()
		if r.Fixed {
			place += "(fixed)"
		}
		fmt.Fprintf(&b, "%d-%d %s %s %q\n", r.Start, r.End, place, r.Trust, text)
	}
	if len(t.Runs) == 0 {
		fmt.Fprintf(&b, "origin %s %s\n", t.Origin, t.Trust)
	}
	return b.String()
}

func notesText(notes []cento.Note) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "%s: %s: %s\n", n.Position, n.Code, n.Message)
	}
	return b.String()
}

// checkLaws holds what must be true of every load: runs tile the text, each
// run that isn't fixed is a copy of what stands at its place and lies in a
// stretch of that file, and every file that was found is listed once. The root
// is that of relative paths, and home that of `~`.
func checkLaws(t testing.TB, home, root string, got *workspace.Instructions) {
	t.Helper()
	found := map[string]bool{}
	for _, f := range got.Files {
		if f.From < 0 || f.To < f.From || got.Text == nil && f.To > 0 || got.Text != nil && f.To > len(got.Text.Body) {
			t.Errorf("%s has the stretch [%d, %d)", f.Path, f.From, f.To)
		}
		if (f.Status == workspace.Shadowed || f.Status == workspace.Failed || f.Status == workspace.Ignored || f.Status == workspace.BelowCwd) && (f.To > 0 || f.Reason == "" || f.Code == "" || f.OnDemand) {
			t.Errorf("%+v has a stretch, or no reason", f)
		}
		if strings.HasPrefix(f.Reason, "import") {
			continue // named in a text, as often as it is
		}
		if found[f.Path] {
			t.Errorf("%s is listed twice", f.Path)
		}
		found[f.Path] = true
	}
	if got.Text == nil {
		return
	}
	checkRuns(t, home, root, got.Text, func(r cento.Run) bool {
		return slices.ContainsFunc(got.Files, func(f workspace.File) bool {
			return f.Path == r.Position.File && f.From <= r.Start && r.End <= f.To
		})
	})
	for _, d := range got.OnDemand {
		checkRuns(t, home, root, &d.Text, func(cento.Run) bool { return true })
	}
}

// checkRuns holds that runs tile a text, and that each which isn't fixed is a copy
// of what stands at its place, in a stretch of that file.
func checkRuns(t testing.TB, home, root string, text *cento.Text, inFile func(cento.Run) bool) {
	t.Helper()
	body, end := text.Body, 0
	if !utf8.ValidString(body) {
		t.Error("the text isn't valid UTF-8")
	}
	for _, r := range text.Runs {
		if r.Start != end || r.End <= r.Start {
			t.Fatalf("run [%d, %d) doesn't follow on %d", r.Start, r.End, end)
		}
		end = r.End
		if r.Fixed {
			continue
		}
		source := sourceAt(t, home, root, r.Position)
		if part := body[r.Start:r.End]; !strings.HasPrefix(source, part) && !strings.HasPrefix(strings.ReplaceAll(source, "\r\n", "\n"), part) {
			t.Errorf("%s doesn't begin with the run %q", r.Position, body[r.Start:r.End])
		}
		if !inFile(r) {
			t.Errorf("the run %q at %s lies in no stretch of that file", body[r.Start:r.End], r.Position)
		}
	}
	if end != len(body) {
		t.Errorf("the runs end at %d of %d", end, len(body))
	}
}

// sourceAt gives the text that stands at a place, with broken characters replaced.
func sourceAt(t testing.TB, home, root string, at cento.Position) string {
	t.Helper()
	name := filepath.Join(root, filepath.FromSlash(at.File))
	if rest, ok := strings.CutPrefix(at.File, "~/"); ok {
		name = filepath.Join(home, filepath.FromSlash(rest))
	} else if filepath.IsAbs(filepath.FromSlash(at.File)) {
		name = filepath.FromSlash(at.File)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := tree.DecodeLossy(name, raw)
	if err != nil {
		t.Fatal(err)
	}
	for range at.Line - 1 {
		_, text, _ = strings.Cut(text, "\n")
	}
	for range at.Column - 1 {
		_, n := utf8.DecodeRuneInString(text)
		text = text[n:]
	}
	return text
}

// setUp does what the lines of a setup file say. Arguments in double quotes
// are Go strings.
func setUp(t *testing.T, dir, script string) {
	t.Helper()
	for line := range strings.Lines(script) {
		args := words(t, line)
		if len(args) == 0 {
			continue
		}
		if runtime.GOOS == "windows" && len(args) > 1 && strings.ContainsAny(args[1], "\n<>") {
			t.Skip("no such names here")
		}
		at := func(i int) string { return filepath.Join(dir, filepath.FromSlash(args[i])) }
		if len(args) > 1 {
			if err := os.MkdirAll(filepath.Dir(at(1)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		switch {
		case args[0] == "folder" && len(args) == 2:
			err = os.MkdirAll(at(1), 0o755)
		case args[0] == "link" && len(args) == 3:
			target := strings.ReplaceAll(args[2], "<dir>", filepath.ToSlash(dir))
			if err = os.Symlink(target, at(1)); err != nil {
				t.Skip("no links here: ", err)
			}
		case args[0] == "hardlink" && len(args) == 3:
			err = os.Link(at(2), at(1))
		case args[0] == "pipe" && len(args) == 2:
			if !treetest.Pipe(t, at(1)) {
				t.Skip("named pipes don't stand in folders here")
			}
		case args[0] == "bytes" && len(args) == 3:
			err = os.WriteFile(at(1), []byte(args[2]), 0o644)
		case args[0] == "repeat" && len(args) == 4:
			n, _ := strconv.Atoi(args[2])
			err = os.WriteFile(at(1), []byte(strings.Repeat(args[3], n)), 0o644)
		default:
			t.Fatalf("setup doesn't know %q", line)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func words(t *testing.T, line string) []string {
	t.Helper()
	var out []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] == '"' {
			q, err := strconv.QuotedPrefix(line)
			if err != nil {
				t.Fatalf("setup: %q: %v", line, err)
			}
			w, _ := strconv.Unquote(q)
			out, line = append(out, w), line[len(q):]
			continue
		}
		w, rest, _ := strings.Cut(line, " ")
		out, line = append(out, w), rest
	}
	return out
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
