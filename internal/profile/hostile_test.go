package profile

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/tree"
)

// hostileFiles are build files as nobody writes them, by their size.
var hostileFiles = map[string]struct {
	file string
	text func(size int) string
}{
	"TOML, tables":                {"pyproject.toml", counted("[%x]\n")},
	"TOML, tables with keys":      {"pyproject.toml", counted("[t%d]\na = 1\n")},
	"TOML, tables in tables":      {"Cargo.toml", counted("[a.b.c.d.t%d]\n")},
	"TOML, deep tables":           {"Cargo.toml", counted("[" + strings.Repeat("a.", 60) + "t%d]\n")},
	"TOML, arrays of tables":      {"pyproject.toml", repeated("", "[[a]]\n", "")},
	"TOML, keys":                  {"pyproject.toml", counted("k%d=1\n")},
	"TOML, dotted keys":           {"pyproject.toml", counted("a.b.k%d=1\n")},
	"TOML, a list":                {"pyproject.toml", repeated("a=[", "1,", "]\n")},
	"TOML, an inline table":       {"pyproject.toml", func(n int) string { return "a = {" + strings.TrimSuffix(counted("k%d=1,")(n), ",") + "}\n" }},
	"TOML, dependencies":          {"pyproject.toml", func(n int) string { return "[tool.poetry.dependencies]\n" + counted("p%d=''\n")(n) }},
	"TOML, groups":                {"pyproject.toml", counted("[tool.poetry.group.g%d.dependencies]\n")},
	"JSON, one key many times":    {"package.json", repeated(`{"scripts":{`, `"a":1,`, `"b":1}}`)},
	"JSON, keys":                  {"package.json", func(n int) string { return `{"scripts":{` + counted(`"k%d":"",`)(n) + `"b":""}}` }},
	"JSON, a list of maps":        {"package.json", repeated(`{"a":[`, `{},`, `1]}`)},
	"YAML, tasks":                 {"Taskfile.yml", func(n int) string { return "tasks:\n" + counted(" k%d: {}\n")(n) }},
	"YAML, a list":                {"Taskfile.yml", repeated("a: [", "a,", "]\n")},
	"XML, elements in elements":   {"pom.xml", repeated("", "<a>", "")},
	"XML, attributes":             {"pom.xml", func(n int) string { return "<a " + counted("k%d='' ")(n) + "/>" }},
	"Make, targets":               {"Makefile", repeated("", "a b c:\n", "")},
	"Make, definitions":           {"Makefile", repeated("", "define a\n", "")},
	"Make, conditions":            {"Makefile", repeated("", "ifdef A\na:\nelse\n", "")},
	"Make, conditions with ends":  {"Makefile", counted("ifdef A\nt%d:\nelse\nt:\nendif\n")},
	"Make, rules for all names":   {"Makefile", func(n int) string { return counted("%%: a%d-%% ;\n")(n/2) + counted("a%d-b:\n")(n/2) }},
	"Make, itself included":       {"Makefile", repeated("", "include Makefile\n", "")},
	"Make, files included":        {"Makefile", repeated("", "include */*.mk *.mk x.mk\n", "")},
	"Make, one line":              {"Makefile", repeated("", "a ", ":\n")},
	"just, lines":                 {"justfile", repeated("", "a b c\n", "")},
	"CMake, open calls":           {"CMakeLists.txt", repeated("", "project(", "")},
	"Meson, open calls":           {"meson.build", repeated("", "project(", "")},
	"Ruby, gems":                  {"Gemfile", repeated("", "gem 'rspec'\n", "")},
	"Ruby, tasks":                 {"Rakefile", repeated("", "task :test\n", "")},
	"Gradle, plug-ins":            {"build.gradle", repeated("", "id 'java'\n", "")},
	"Gradle, what nearly matches": {"build.gradle", repeated("", "kotlin (", "")},
	".NET, what nearly matches":   {"a.csproj", repeated("", "Microsoft.NET.Tes", "")},
	"Go, what nearly matches":     {"go.mod", repeated("", " module (", "")},
	"git, a configuration":        {".git/config", repeated("", "[remote \"a\"]\nurl = https://a/b\n", "")},
}

func counted(form string) func(int) string {
	return func(size int) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
}

func repeated(before, unit, after string) func(int) string {
	return func(size int) string { return before + strings.Repeat(unit, size/len(unit)) + after }
}

// TestBuildFilesCostWhatTheyAreLong: four times the text costs no more than
// proportionately so, with room for chance, in time and in memory.
func TestBuildFilesCostWhatTheyAreLong(t *testing.T) {
	lengthtest.NotShort(t, "it measures what long files cost")
	const small, large = 64 << 10, 256 << 10
	for name, h := range hostileFiles {
		t.Run(name, func(t *testing.T) {
			cost := func(size int) (took time.Duration, memory uint64) {
				dir := t.TempDir()
				write(t, dir, h.file, h.text(size))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				start := time.Now()
				if _, err := Find(Config{Root: dir}); err != nil {
					t.Fatal(err)
				}
				took = time.Since(start)
				runtime.ReadMemStats(&after)
				return took, after.TotalAlloc - before.TotalAlloc
			}
			most, memory := cost(large)
			for try := 0; most > 250*time.Millisecond; try++ { // a machine may be busy
				least, _ := cost(small)
				if most <= 12*least {
					break
				}
				if try == 3 {
					t.Fatalf("%d bytes take %v, and four times as many %v", small, least, most)
				}
				most, _ = cost(large)
			}
			if memory > 64<<20 {
				t.Errorf("%d bytes take %d bytes of memory", large, memory)
			}
		})
	}
}

// TestAllBuildFilesTogether: many large build files cost no more than the bound on
// all of them, and the note says so.
func TestAllBuildFilesTogether(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		for _, name := range []string{"Cargo.toml", "pyproject.toml", "Makefile"} {
			write(t, dir, fmt.Sprintf("p%02d/%s", i, name), strings.Repeat("# much\n", 60<<10/7))
		}
	}
	p, err := Find(Config{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Notes) != 1 || p.Notes[0].Code != CutOff || !strings.Contains(p.Notes[0].Message, "this build file and those after it") {
		t.Errorf("notes: %v", p.Notes)
	}
}

// tomlFileOf reads a text as a file of a project.
func tomlFileOf(t interface{ Fatalf(string, ...any) }, text string) (tomlFile, bool) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "a.toml"), []byte(text), 0o644); err != nil {
		t.Fatalf("%v", err)
	}
	files, err := tree.Open(dir, tree.Options{Limit: maxFile})
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer files.Close()
	w := &walk{tree: files, finder: &finder{signals: map[string]Signal{}}, census: newCensus()}
	return w.root().toml("a.toml")
}

// TestTOMLIsTheLibrarys: what the library takes is taken, with the same texts at
// the same places; what it refuses for a key that stands twice is refused.
func TestTOMLIsTheLibrarys(t *testing.T) {
	line := rapid.Custom(func(t *rapid.T) string {
		key := rapid.SampledFrom([]string{"a", "b", "a.b", "b.a", "a.b.c", `"a"`, `'b'.a`}).Draw(t, "key")
		switch rapid.IntRange(0, 6).Draw(t, "form") {
		case 0:
			return "[" + key + "]"
		case 1:
			return "[[" + key + "]]"
		case 2:
			return key + ` = "text"`
		case 3:
			return key + " = [1, 'x', [], {a = 1, b.c = 'y'}]"
		case 4:
			return key + " = {a = 'z', c = {}}"
		case 5:
			return key + " = 2020-01-01"
		}
		return "# " + key
	})
	taken, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(line, 1, 6).Draw(t, "lines"), "\n")
		var want map[string]any
		err := toml.Unmarshal([]byte(text), &want)
		got, ok := tomlFileOf(t, text)
		if ok != (err == nil) && err == nil {
			t.Fatalf("%q is TOML, and is refused", text)
		}
		if err != nil {
			if refused++; ok && strings.Contains(err.Error(), "already") {
				// A table that dotted keys made may not have a header, nor one with a
				// header be added to by them: that is let pass.
				if !strings.Contains(text, ".") {
					t.Fatalf("%q is taken: %v", text, err)
				}
			}
			return
		}
		taken++
		sameTOML(t, text, want, got.root)
	})
	least := 20
	if testing.Short() { // which draws fewer texts than twice that
		least = 3
	}
	if taken < least || refused < least {
		t.Errorf("%d texts are TOML, and %d are not: one of both was hardly tried", taken, refused)
	}
}

func sameTOML(t *rapid.T, text string, want, got any) {
	switch want := want.(type) {
	case map[string]any:
		table, ok := got.(*tomlTable)
		if !ok || len(table.entries) != len(want) {
			t.Fatalf("%q: %v is %#v", text, want, got)
		}
		for key, v := range want {
			sameTOML(t, text, v, table.entries[key].value)
		}
	case []any:
		if tables, ok := got.(*tomlTables); ok {
			list := make([]any, len(tables.list))
			for i, x := range tables.list {
				list[i] = x
			}
			got = list
		}
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			t.Fatalf("%q: %v is %#v", text, want, got)
		}
		for i := range want {
			sameTOML(t, text, want[i], list[i])
		}
	case string:
		if got != any(want) {
			t.Fatalf("%q: %q is %#v", text, want, got)
		}
	default:
		if got != any(tomlScalar{}) {
			t.Fatalf("%q: %v is %#v", text, want, got)
		}
	}
}
