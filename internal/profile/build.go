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
	b := &buildFiles{d, tasks}
	for _, ask := range []func(*buildFiles){
		(*buildFiles).make, (*buildFiles).just, (*buildFiles).taskfile,
		(*buildFiles).node, (*buildFiles).deno, (*buildFiles).php,
		(*buildFiles).golang, (*buildFiles).cargo, (*buildFiles).python,
		(*buildFiles).maven, (*buildFiles).gradle, (*buildFiles).scala,
		(*buildFiles).dotnet, (*buildFiles).ruby, (*buildFiles).elixir, (*buildFiles).swift,
		(*buildFiles).dart, (*buildFiles).zig,
		(*buildFiles).bazel, (*buildFiles).cmake, (*buildFiles).meson,
		(*buildFiles).hooks,
	} {
		ask(b)
	}
	if whole {
		b.contest()
	}
	return true
}

func noTask(string, string, bool, cento.Position) {}

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
	tell func(name, command string, usual bool, at cento.Position)
}

// task tells what a tool runs by convention.
func (b *buildFiles) task(name, command string, at cento.Position) { b.tell(name, command, true, at) }

// script tells what the project itself names.
func (b *buildFiles) script(name, command string, at cento.Position) {
	b.tell(name, command, false, at)
}

// tool tells of a build tool by the first of its files that the folder has, and
// gives that file.
func (b *buildFiles) tool(t tool, names ...string) (name string, at cento.Position, ok bool) {
	if name, ok = b.file(names...); ok {
		at = b.at(name)
		b.finder.build(t, at)
	}
	return name, at, ok
}

// taskNames are the names that scripts and targets have for each task, the usual
// one first.
type taskNames [4]struct{ task, names string }

// The name check means the tests to those who write a Makefile, by the standards
// of GNU, looking for faults to those who write JavaScript, and both or neither
// to others.
var (
	usualNames = taskNames{{taskTest, "test tests"}, {taskLint, "lint"}, {taskBuild, "build"}, {taskFormat, "format fmt"}}
	makeNames  = taskNames{{taskTest, "test tests check test-unit unit-test"}, {taskLint, "lint"}, {taskBuild, "build"}, {taskFormat, "format fmt"}}
	nodeNames  = taskNames{{taskTest, "test tests test:unit"}, {taskLint, "lint check"}, {taskBuild, "build"}, {taskFormat, "format fmt format:write format:fix fix lint:fix"}}
)

// named adds the tasks of a file whose scripts have these names.
func (b *buildFiles) named(names taskNames, places map[string]cento.Position, command func(name string) string) {
	for _, t := range names {
		for name := range strings.FieldsSeq(t.names) {
			if at, ok := places[name]; ok {
				b.script(t.task, command(name), at)
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
	c := cento.CursorAt(at, text)
	start := m[0]
	for start < m[1] && strings.IndexByte(" \t\n", text[start]) >= 0 {
		start++
	}
	return c.At(start), true
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

var justRecipe = lazily(`^@?([A-Za-z_][A-Za-z0-9_\-]*)(?:\s+[^:]*)?:(?:[^=]|$)`)

func (b *buildFiles) just() {
	name, at, ok := b.tool(tool{"just", "just"}, "justfile", "Justfile", ".justfile")
	if !ok {
		return
	}
	if text, ok := b.read(name); ok {
		b.named(usualNames, targets(text, at, justRecipe()), func(t string) string { return "just " + t })
	}
}

func (b *buildFiles) taskfile() {
	name, _, ok := b.tool(tool{"task", "Task"}, "Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml")
	if !ok {
		return
	}
	if n, ok := b.yaml(name); ok {
		b.named(usualNames, keys(n, "tasks"), func(t string) string { return "task " + t })
	}
}

func (b *buildFiles) bazel() {
	_, at, ok := b.tool(tool{"bazel", "Bazel"}, "MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE")
	if !ok {
		return
	}
	b.task(taskTest, "bazel test //...", at)
	b.task(taskBuild, "bazel build //...", at)
}

// hooks are those of pre-commit: where nothing else is told to look for faults,
// they do.
func (b *buildFiles) hooks() {
	if name, ok := b.file(".pre-commit-config.yaml"); ok {
		b.task(taskLint, "pre-commit run --all-files", b.at(name))
	}
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
	name, at, ok := b.tool(tool{"cmake", "CMake"}, "CMakeLists.txt")
	if !ok {
		return
	}
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
	name, at, ok := b.tool(tool{"meson", "Meson"}, "meson.build")
	if !ok {
		return
	}
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
