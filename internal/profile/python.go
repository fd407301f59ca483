package profile

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// pythonManagers are the tools that keep a Python project, by what tells of
// them: a lock file, a file of their own, or a table below [tool] with any key but
// those that say how packages are built, which is the backend's matter. The first
// that is there is the project's; run stands before the commands of the tools that
// it installed.
var pythonManagers = []struct {
	tool
	files              string
	table, backendKeys string
	run, build         string
	// scripts is the table of commands that people wrote down.
	scripts []string
}{
	{tool{"uv", "uv"}, "uv.lock", "uv", "build-backend", "uv run ", "uv build", nil},
	{tool{"poetry", "Poetry"}, "poetry.lock poetry.toml", "poetry", "", "poetry run ", "poetry build", nil},
	{tool{"pdm", "PDM"}, "pdm.lock pdm.toml", "pdm", "build version", "pdm run ", "pdm build", []string{"tool", "pdm", "scripts"}},
	{tool{"pixi", "Pixi"}, "pixi.lock pixi.toml", "pixi", "", "pixi run ", "", []string{"tool", "pixi", "tasks"}},
	{tool{"pipenv", "Pipenv"}, "Pipfile.lock Pipfile", "", "", "pipenv run ", "", nil},
	{tool{"hatch", "Hatch"}, "", "hatch", "build version metadata", "hatch run ", "hatch build", []string{"tool", "hatch", "envs", "default", "scripts"}},
}

// pythonTools tell of a task: a file of their own, a table below [tool], or a
// dependency for development. Ruff looks for faults wherever it is there, and
// formats where it is told how.
var pythonTools = []struct {
	files         string
	table, name   string
	task, command string
	bare          bool // not installed in the project's environment
}{
	{"noxfile.py", "", "nox", taskTest, "nox", true},
	{"tox.ini tox.toml", "tox", "tox", taskTest, "tox", true},
	{"pytest.ini .pytest.ini", "pytest", "pytest", taskTest, "pytest", false},
	{"ruff.toml .ruff.toml", "ruff", "ruff", taskLint, "ruff check", false},
	{".flake8", "flake8", "flake8", taskLint, "flake8", false},
	{".pylintrc", "pylint", "pylint", taskLint, "pylint", false},
	{"", "black", "black", taskFormat, "black .", false},
}

func (b *buildFiles) python() {
	name, ok := b.file("pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "requirements.txt")
	if !ok {
		return
	}
	at := b.at(name)
	var f tomlFile
	if name == "pyproject.toml" {
		f, _ = b.toml(name)
		if place, ok := f.has("project"); ok {
			at = place
		}
	}
	b.finder.language("python", at)
	run := b.pythonManager(name, at, f)
	b.pythonScripts(f, run+"poe ", "tool", "poe", "tasks")
	b.pythonScripts(f, run+"task ", "tool", "taskipy", "tasks")
	installed := pythonDependencies(f)
	for _, t := range pythonTools {
		place, ok := cento.Position{}, false
		if own, there := b.file(strings.Fields(t.files)...); there {
			place, ok = b.at(own), true
		}
		if t.table != "" && !ok {
			place, ok = f.has("tool", t.table)
		}
		if !ok {
			place, ok = installed[t.name]
		}
		if ok {
			command := t.command
			if !t.bare {
				command = run + command
			}
			b.task(t.task, command, place)
		}
	}
	b.ruffFormats(f, run)
}

// withoutPython takes back what Python's build files told of a project in other
// languages: they are there for a tool that it uses, such as a spelling checker.
func (f *finder) withoutPython() {
	delete(f.signals, prefixes[Language]+"python")
	for _, m := range pythonManagers {
		delete(f.signals, prefixes[Build]+m.id)
	}
	for _, id := range []string{"pip", "setuptools"} {
		delete(f.signals, prefixes[Build]+id)
	}
}

// ruffFormats adds ruff as what formats, where its settings or the hooks of
// pre-commit say so.
func (b *buildFiles) ruffFormats(f tomlFile, run string) {
	place, ok := f.has("tool", "ruff", "format")
	if own, there := b.file("ruff.toml", ".ruff.toml"); there && !ok {
		if settings, parsed := b.toml(own); parsed {
			place, ok = settings.has("format")
		}
	}
	if hooks, there := b.file(".pre-commit-config.yaml"); there && !ok {
		if text, read := b.read(hooks); read {
			place, ok = lineOf(text, b.at(hooks), ruffHook())
		}
	}
	if ok {
		b.task(taskFormat, run+"ruff format", place)
	}
}

var ruffHook = lazily(`(?m)^\s*-\s*id:\s*ruff-format\b`)

// pythonManager adds the build tool, and returns what stands before commands.
func (b *buildFiles) pythonManager(name string, at cento.Position, f tomlFile) (run string) {
	for _, m := range pythonManagers {
		place, ok := cento.Position{}, false
		if own, there := b.file(strings.Fields(m.files)...); there {
			place, ok = b.at(own), true
		} else if m.table != "" {
			place, ok = keepsProject(f, m.table, m.backendKeys)
		}
		if !ok {
			continue
		}
		b.finder.build(m.tool, place)
		if m.scripts != nil {
			b.pythonScripts(f, m.run, m.scripts...)
		}
		if backend, ok := f.has("build-system"); ok && m.build != "" {
			b.task(taskBuild, m.build, backend)
		}
		return m.run
	}
	// Which tool somebody installs the project with isn't said: a build backend is
	// asked by all of them.
	if _, place := f.value("build-system", "build-backend"); !place.IsZero() {
		b.task(taskBuild, "python -m build", place)
		return ""
	}
	switch name {
	case "setup.py", "setup.cfg":
		b.finder.build(tool{"setuptools", "setuptools"}, at)
	case "requirements.txt":
		b.finder.build(tool{"pip", "pip"}, at)
	}
	return ""
}

// keepsProject is the first key of a tool's table that doesn't tell its build
// backend something.
func keepsProject(f tomlFile, table, backendKeys string) (cento.Position, bool) {
	at, ok := f.has("tool", table)
	if !ok {
		return at, false
	}
	entries := f.table("tool", table)
	for _, key := range sortedKeys(entries) {
		if !slices.Contains(strings.Fields(backendKeys), key) {
			return at, true
		}
	}
	return at, false
}

// pythonScripts adds the tasks of a table of commands.
func (b *buildFiles) pythonScripts(f tomlFile, run string, path ...string) {
	places := map[string]cento.Position{}
	for name, e := range f.table(path...) {
		places[name] = e.at
	}
	b.named(usualNames, places, func(name string) string { return run + name })
}

var requirement = lazily(`^[A-Za-z0-9][A-Za-z0-9._-]*`)

// pythonDependencies are the names of what a project installs for its
// developers, each where its list stands.
func pythonDependencies(f tomlFile) map[string]cento.Position {
	out := map[string]cento.Position{}
	add := func(name string, at cento.Position) {
		name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		if _, there := out[name]; !there && name != "" {
			out[name] = at
		}
	}
	list := func(v any, at cento.Position, re *regexp.Regexp) {
		items, _ := v.([]any)
		for _, item := range items {
			if text, ok := item.(string); ok {
				add(re.FindString(strings.TrimSpace(text)), at)
			}
		}
	}
	table := func(path ...string) {
		entries := f.table(path...)
		for _, name := range sortedKeys(entries) {
			add(name, entries[name].at)
		}
	}
	re := requirement()
	for _, path := range [][]string{{"dependency-groups"}, {"project", "optional-dependencies"}, {"tool", "pdm", "dev-dependencies"}} {
		groups := f.table(path...)
		for _, group := range sortedKeys(groups) {
			list(groups[group].value, groups[group].at, re)
		}
	}
	v, at := f.value("project", "dependencies")
	list(v, at, re)
	v, at = f.value("tool", "uv", "dev-dependencies")
	list(v, at, re)
	for _, group := range sortedKeys(f.table("tool", "poetry", "group")) {
		table("tool", "poetry", "group", group, "dependencies")
	}
	table("tool", "poetry", "dev-dependencies")
	table("tool", "poetry", "dependencies")
	return out
}
