package profile

import (
	"regexp"
	"strings"

	"github.com/cento-dev/cento"
)

// pythonManagers are the tools that keep a Python project, by what tells of
// them. The first that is there is the project's; run stands before the commands
// of the tools that it installed.
var pythonManagers = []struct {
	tool
	lock, table string
	run, build  string
}{
	{tool{"uv", "uv"}, "uv.lock", "uv", "uv run ", "uv build"},
	{tool{"poetry", "Poetry"}, "poetry.lock", "poetry", "poetry run ", "poetry build"},
	{tool{"pdm", "PDM"}, "pdm.lock", "pdm", "pdm run ", "pdm build"},
	{tool{"pixi", "Pixi"}, "pixi.lock", "pixi", "pixi run ", ""},
	{tool{"pipenv", "Pipenv"}, "Pipfile.lock", "", "pipenv run ", ""},
	{tool{"hatch", "Hatch"}, "hatch.toml", "hatch", "hatch run ", "hatch build"},
}

// pythonBackends are the build backends of projects that none of those keeps.
var pythonBackends = []struct{ prefix, id, label string }{
	{"setuptools", "setuptools", "setuptools"}, {"hatchling", "hatch", "Hatch"}, {"flit", "flit", "Flit"},
	{"poetry", "poetry", "Poetry"}, {"pdm", "pdm", "PDM"}, {"uv_build", "uv", "uv"},
	{"maturin", "maturin", "Maturin"}, {"scikit_build_core", "scikitbuild", "scikit-build-core"}, {"mesonpy", "mesonpython", "meson-python"},
}

// pythonTools tell of a task: a file of their own, a table below [tool], or a
// dependency for development.
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
	{"ruff.toml .ruff.toml", "ruff", "ruff", taskFormat, "ruff format", false},
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
}

// pythonManager adds the build tool, and returns what stands before commands.
func (b *buildFiles) pythonManager(name string, at cento.Position, f tomlFile) (run string) {
	for _, m := range pythonManagers {
		place, ok := cento.Position{}, false
		if _, ok = b.file(m.lock); ok {
			place = b.at(m.lock)
		} else if m.table != "" {
			place, ok = f.has("tool", m.table)
		}
		if !ok && m.id == "pipenv" {
			if _, ok = b.file("Pipfile"); ok {
				place = b.at("Pipfile")
			}
		}
		if ok {
			b.finder.build(m.tool, place)
			if m.build != "" {
				if backend, ok := f.has("build-system"); ok {
					b.task(taskBuild, m.build, backend)
				}
			}
			return m.run
		}
	}
	backend, place := f.value("build-system", "build-backend")
	if said, ok := backend.(string); ok {
		for _, k := range pythonBackends {
			if strings.HasPrefix(said, k.prefix) {
				b.finder.build(tool{k.id, k.label}, place)
			}
		}
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
		v, _ := f.value(path...)
		m, _ := v.(map[string]any)
		for name := range m {
			_, at := f.value(append(path, name)...)
			add(name, at)
		}
	}
	re := requirement()
	for _, path := range [][]string{{"dependency-groups"}, {"project", "optional-dependencies"}} {
		v, _ := f.value(path...)
		m, _ := v.(map[string]any)
		for _, group := range sortedKeys(m) {
			_, at := f.value(append(path, group)...)
			list(m[group], at, re)
		}
	}
	v, at := f.value("project", "dependencies")
	list(v, at, re)
	v, at = f.value("tool", "uv", "dev-dependencies")
	list(v, at, re)
	groups, _ := f.value("tool", "poetry", "group")
	m, _ := groups.(map[string]any)
	for _, group := range sortedKeys(m) {
		table("tool", "poetry", "group", group, "dependencies")
	}
	table("tool", "poetry", "dev-dependencies")
	table("tool", "poetry", "dependencies")
	return out
}
