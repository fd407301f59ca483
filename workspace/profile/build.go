package profile

import (
	"regexp"
	"strings"

	"github.com/cento-dev/cento"
)

// tool is a build tool: its id, and its name in a sentence.
type tool struct{ id, label string }

// The names of tasks. Other scripts and targets have no name that everybody
// means the same by.
const (
	taskTest   = "test"
	taskLint   = "lint"
	taskBuild  = "build"
	taskFormat = "format"
)

// detect asks every kind of build file, and reports whether there was one. The
// order decides whose command a task gets: what people wrote down as the way to
// do it (a Makefile, a script) comes before what a tool does by convention.
// whole is false below the root, where commands would have to be run elsewhere.
func (d *folder) detect(whole bool) bool {
	if !d.tells() {
		return false
	}
	tasks := d.finder.task
	if !whole {
		tasks = noTask
	}
	b := &buildFiles{folder: d, task: tasks}
	for _, ask := range []func(*buildFiles){
		(*buildFiles).make, (*buildFiles).just, (*buildFiles).taskfile,
		(*buildFiles).node, (*buildFiles).deno, (*buildFiles).php,
		(*buildFiles).golang, (*buildFiles).cargo, (*buildFiles).python,
		(*buildFiles).maven, (*buildFiles).gradle, (*buildFiles).scala,
		(*buildFiles).dotnet, (*buildFiles).ruby, (*buildFiles).elixir, (*buildFiles).swift,
		(*buildFiles).dart, (*buildFiles).zig,
		(*buildFiles).bazel, (*buildFiles).cmake, (*buildFiles).meson,
	} {
		ask(b)
	}
	return true
}

func noTask(string, string, cento.Position) {}

// telling are the files that make a folder below the root worth a closer look.
var telling = map[string]bool{
	"Makefile": true, "makefile": true, "GNUmakefile": true, "justfile": true, "Taskfile.yml": true, "Taskfile.yaml": true,
	"package.json": true, "deno.json": true, "deno.jsonc": true, "composer.json": true,
	"go.mod": true, "go.work": true, "Cargo.toml": true, "pyproject.toml": true, "setup.py": true, "setup.cfg": true, "Pipfile": true, "requirements.txt": true,
	"pom.xml": true, "build.gradle": true, "build.gradle.kts": true, "settings.gradle": true, "settings.gradle.kts": true, "build.sbt": true,
	"Gemfile": true, "Rakefile": true, "mix.exs": true, "Package.swift": true, "pubspec.yaml": true, "build.zig": true,
	"MODULE.bazel": true, "WORKSPACE": true, "WORKSPACE.bazel": true, "CMakeLists.txt": true, "meson.build": true,
}

func (d *folder) tells() bool {
	for _, e := range d.entries {
		if telling[e.Name] || e.Mode.IsRegular() && dotnetFile(e.Name) != "" {
			return true
		}
	}
	return false
}

// buildFiles asks the build files of one folder.
type buildFiles struct {
	*folder
	task func(name, command string, at cento.Position)
}

// tasksByName are the names that scripts and targets have for a task, the usual
// one first.
var tasksByName = []struct {
	task  string
	names []string
}{
	{taskTest, []string{"test", "tests", "check"}},
	{taskLint, []string{"lint"}},
	{taskBuild, []string{"build"}},
	{taskFormat, []string{"format", "fmt"}},
}

// named adds the tasks of a file whose scripts have these names.
func (b *buildFiles) named(places map[string]cento.Position, command func(name string) string) {
	for _, t := range tasksByName {
		for _, name := range t.names {
			if at, ok := places[name]; ok {
				b.task(t.task, command(name), at)
				break
			}
		}
	}
}

// lineOf is the place of the first match of an expression in a text.
func lineOf(text string, at cento.Position, re *regexp.Regexp) (cento.Position, bool) {
	m := re.FindStringIndex(text)
	if m == nil {
		return at, false
	}
	c := lineCounter{text: text, at: at}
	start := m[0]
	for start < m[1] && strings.IndexByte(" \t\n", text[start]) >= 0 {
		start++
	}
	return c.position(start), true
}

// targets are the places of the lines that begin with a name and a mark behind
// it, such as the targets of a Makefile.
func targets(text string, at cento.Position, line *regexp.Regexp) map[string]cento.Position {
	out := map[string]cento.Position{}
	n := 0
	for l := range strings.SplitSeq(text, "\n") {
		n++
		m := line.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		for name := range strings.FieldsSeq(m[1]) {
			if _, there := out[name]; !there {
				out[name] = cento.Position{File: at.File, Line: n, Column: 1}
			}
		}
	}
	return out
}

var makeTarget = lazily(`^([A-Za-z0-9_.\-/ ]+?)\s*::?(?:[^=:]|$)`)

func (b *buildFiles) make() {
	name, ok := b.file("GNUmakefile", "makefile", "Makefile")
	if !ok {
		return
	}
	b.finder.build(tool{"make", "Make"}, b.at(name))
	if text, ok := b.read(name); ok {
		b.named(targets(text, b.at(name), makeTarget()), func(t string) string { return "make " + t })
	}
}

var justRecipe = lazily(`^@?([A-Za-z_][A-Za-z0-9_\-]*)(?:\s+[^:]*)?:(?:[^=]|$)`)

func (b *buildFiles) just() {
	name, ok := b.file("justfile", "Justfile", ".justfile")
	if !ok {
		return
	}
	b.finder.build(tool{"just", "just"}, b.at(name))
	if text, ok := b.read(name); ok {
		b.named(targets(text, b.at(name), justRecipe()), func(t string) string { return "just " + t })
	}
}

func (b *buildFiles) taskfile() {
	name, ok := b.file("Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml")
	if !ok {
		return
	}
	b.finder.build(tool{"task", "Task"}, b.at(name))
	if n, ok := b.yaml(name); ok {
		b.named(keys(n, "tasks"), func(t string) string { return "task " + t })
	}
}

func (b *buildFiles) bazel() {
	name, ok := b.file("MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE")
	if !ok {
		return
	}
	at := b.at(name)
	b.finder.build(tool{"bazel", "Bazel"}, at)
	b.task(taskTest, "bazel test //...", at)
	b.task(taskBuild, "bazel build //...", at)
}

var (
	cmakeTests    = lazily(`(?im)^[ \t]*(?:enable_testing|include[ \t]*\([ \t]*CTest)\b`)
	cmakeProject  = lazily(`(?is)\bproject[ \t\n]*\(([^)]*)\)`)
	mesonProject  = lazily(`(?s)\bproject\s*\(([^)]*)\)`)
	mesonTest     = lazily(`(?m)^\s*test\s*\(`)
	quotedLiteral = lazily(`'([a-z]+)'`)
)

// cmakeLanguages are the languages that a project() names.
var cmakeLanguages = map[string]string{"C": "c", "CXX": "cpp", "CUDA": "cuda", "OBJCXX": "objectivecpp", "Fortran": "fortran", "CSharp": "csharp", "Swift": "swift"}

func (b *buildFiles) cmake() {
	name, ok := b.file("CMakeLists.txt")
	if !ok {
		return
	}
	at := b.at(name)
	b.finder.build(tool{"cmake", "CMake"}, at)
	b.task(taskBuild, "cmake -S . -B build && cmake --build build", at)
	text, ok := b.read(name)
	if !ok {
		return
	}
	if test, ok := lineOf(text, at, cmakeTests()); ok {
		b.task(taskTest, "ctest --test-dir build", test)
	}
	if m := cmakeProject().FindStringSubmatch(text); m != nil {
		words := strings.Fields(strings.ReplaceAll(m[1], `"`, " "))
		place, _ := lineOf(text, at, cmakeProject())
		for i, w := range words {
			if id, ok := cmakeLanguages[w]; ok && i > 0 {
				b.finder.language(id, place)
			}
		}
	}
}

func (b *buildFiles) meson() {
	name, ok := b.file("meson.build")
	if !ok {
		return
	}
	at := b.at(name)
	b.finder.build(tool{"meson", "Meson"}, at)
	b.task(taskBuild, "meson setup build && meson compile -C build", at)
	text, ok := b.read(name)
	if !ok {
		return
	}
	if test, ok := lineOf(text, at, mesonTest()); ok {
		b.task(taskTest, "meson test -C build", test)
	}
	m := mesonProject().FindStringSubmatch(text)
	if m == nil {
		return
	}
	place, _ := lineOf(text, at, mesonProject())
	for i, q := range quotedLiteral().FindAllStringSubmatch(m[1], 8) {
		if l := q[1]; i > 0 && (l == "c" || l == "cpp" || l == "rust" || l == "java" || l == "vala" || l == "fortran" || l == "d") {
			b.finder.language(l, place)
		}
	}
}
