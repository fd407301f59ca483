package profile

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// This file asks the build files of languages that are compiled, or that bring
// their own build tool.

var goModule = lazily(`(?m)^[ \t]*module[ \t]+\S|^[ \t]*module[ \t]*\([ \t]*$`)

func (b *buildFiles) golang() {
	name, ok := b.file("go.mod", "go.work")
	if !ok {
		return
	}
	at := b.at(name)
	if name == "go.mod" {
		if text, ok := b.read(name); ok {
			if at, ok = lineOf(text, at, goModule()); !ok {
				b.broken(name, "a go.mod", at)
			}
		}
	}
	b.finder.language("go", at)
	b.finder.build(tool{"go", "Go modules"}, at)
	if name == "go.mod" { // the folder of a workspace holds no package itself
		b.task(taskTest, "go test ./...", at)
		b.task(taskBuild, "go build ./...", at)
	}
	if config, ok := b.file(".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"); ok {
		b.task(taskLint, "golangci-lint run", b.at(config))
	}
}

func (b *buildFiles) cargo() {
	name, ok := b.file("Cargo.toml")
	if !ok {
		return
	}
	at := b.at(name)
	f, parsed := b.toml(name)
	for _, table := range []string{"package", "workspace"} {
		if place, ok := f.has(table); parsed && ok {
			at = place
			break
		}
	}
	b.finder.language("rust", at)
	b.finder.build(tool{"cargo", "Cargo"}, at)
	if config, ok := b.nested(".config", "nextest.toml"); ok {
		b.task(taskTest, "cargo nextest run", b.at(config))
	}
	b.task(taskTest, "cargo test", at)
	b.task(taskBuild, "cargo build", at)
	if config, ok := b.file("clippy.toml", ".clippy.toml"); ok {
		b.task(taskLint, "cargo clippy", b.at(config))
	}
	for _, lints := range [][]string{{"lints", "clippy"}, {"workspace", "lints", "clippy"}} {
		if place, ok := f.has(lints...); ok {
			b.task(taskLint, "cargo clippy", place)
		}
	}
	if config, ok := b.file("rustfmt.toml", ".rustfmt.toml"); ok {
		b.task(taskFormat, "cargo fmt", b.at(config))
	}
}

var (
	spotless   = lazily(`com\.diffplug\.spotless|spotless-maven-plugin|libs\.plugins\.spotless\b`)
	checkstyle = lazily(`maven-checkstyle-plugin`)
	kotlinJVM  = lazily(`kotlin\s*\(\s*"|org\.jetbrains\.kotlin|kotlin-maven-plugin|libs\.plugins\.kotlin\b`)
	scalaBuild = lazily(`scala-maven-plugin|scala3?-library|\bid\s*\(?['"]scala['"]`)
	javaBuild  = lazily("(?m)\\bid\\s*\\(?['\"](?:java|java-library|application)['\"]|^\\s*`?(?:java|java-library|application)`?\\s*$|maven-compiler-plugin")
	ktlint     = lazily(`org\.jlleitschuh\.gradle\.ktlint|libs\.plugins\.ktlint\b`)
	detekt     = lazily(`io\.gitlab\.arturbosch\.detekt|dev\.detekt|libs\.plugins\.detekt\b`)
)

// jvmLanguages tells the languages that a build file of the JVM names.
func (b *buildFiles) jvmLanguages(text string, at cento.Position) (any bool) {
	for _, l := range []struct {
		id string
		re *regexp.Regexp
	}{{"kotlin", kotlinJVM()}, {"scala", scalaBuild()}, {"java", javaBuild()}} {
		if place, ok := lineOf(text, at, l.re); ok {
			b.finder.language(l.id, place)
			any = true
		}
	}
	return any
}

func (b *buildFiles) maven() {
	name, at, ok := b.tool(tool{"maven", "Maven"}, "pom.xml")
	if !ok {
		return
	}
	mvn := "mvn "
	if _, ok := b.file("mvnw"); ok {
		mvn = "./mvnw "
	}
	b.task(taskTest, mvn+"test", at)
	b.task(taskBuild, mvn+"package", at)
	text, ok := b.read(name)
	if !ok {
		b.finder.language("java", at)
		return
	}
	if place, whole := wholeXML(text, at); !whole {
		b.broken(name, "XML", place)
	}
	if !b.jvmLanguages(text, at) {
		b.finder.language("java", at)
	}
	if place, ok := lineOf(text, at, checkstyle()); ok {
		b.task(taskLint, mvn+"checkstyle:check", place)
	}
	if place, ok := lineOf(text, at, spotless()); ok {
		b.task(taskFormat, mvn+"spotless:apply", place)
	}
}

func (b *buildFiles) gradle() {
	name, at, ok := b.tool(tool{"gradle", "Gradle"}, "build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle")
	if !ok {
		return
	}
	gradle := "gradle "
	if _, ok := b.file("gradlew"); ok {
		gradle = "./gradlew "
	}
	b.task(taskTest, gradle+"test", at)
	b.task(taskBuild, gradle+"build", at)
	text, ok := b.read(name)
	if !ok {
		return
	}
	b.jvmLanguages(text, at)
	for _, t := range []struct {
		re            *regexp.Regexp
		task, command string
	}{{ktlint(), taskLint, "ktlintCheck"}, {detekt(), taskLint, "detekt"}, {checkstyleGradle(), taskLint, "checkstyleMain"}, {spotless(), taskFormat, "spotlessApply"}, {ktlint(), taskFormat, "ktlintFormat"}} {
		if place, ok := lineOf(text, at, t.re); ok {
			b.task(t.task, gradle+t.command, place)
		}
	}
}

var checkstyleGradle = lazily("(?m)\\bid\\s*\\(?['\"]checkstyle['\"]|^\\s*`?checkstyle`?\\s*$")

func (b *buildFiles) scala() {
	_, at, ok := b.tool(tool{"sbt", "sbt"}, "build.sbt")
	if !ok {
		return
	}
	b.finder.language("scala", at)
	b.task(taskTest, "sbt test", at)
	b.task(taskBuild, "sbt compile", at)
	if config, ok := b.file(".scalafmt.conf"); ok {
		b.task(taskFormat, "sbt scalafmtAll", b.at(config))
	}
}

// dotnetFile is the language of a project file of .NET, "sln" for a solution;
// empty for other files.
func dotnetFile(name string) string {
	switch path.Ext(name) {
	case ".csproj":
		return "csharp"
	case ".fsproj":
		return "fsharp"
	case ".vbproj":
		return "vbnet"
	case ".sln", ".slnx":
		return "sln"
	}
	return ""
}

var testSDK = lazily(`Microsoft\.NET\.Test\.Sdk|MSTest\.Sdk|Microsoft\.Testing\.Platform`)

// dotnet asks project files. They lie below the root more often than in it, so
// that a solution's tests are found there too.
func (b *buildFiles) dotnet() {
	read := 0
	for _, e := range b.entries {
		id := dotnetFile(e.Name)
		if id == "" || !e.Mode.IsRegular() {
			continue
		}
		at := b.at(e.Name)
		b.finder.build(tool{"dotnet", "the .NET SDK"}, at)
		b.task(taskBuild, "dotnet build", at)
		if id == "sln" {
			b.dotnetRoot = b.dir == "."
			continue
		}
		b.finder.language(id, at)
		if read++; read > maxProjectFiles {
			return
		}
		if text, ok := b.read(e.Name); ok {
			if place, ok := lineOf(text, at, testSDK()); ok {
				if b.dotnetRoot {
					b.finder.task(taskTest, "dotnet test", true, place)
				} else {
					b.task(taskTest, "dotnet test", place)
				}
			}
		}
	}
}

var (
	gem      = lazily(`(?m)^\s*gem\s*\(?\s*['"](rails|rspec|rspec-rails|rubocop|rubocop-rails-omakase|standard)['"]`)
	rakeTask = lazily(`(?m)^\s*task\s*\(?\s*[:'"]?(test|spec|lint|build)\b|^\s*(?:Rake::TestTask|RSpec::Core::RakeTask)\.new`)
)

// ruby asks the Rakefile for tasks, then the Gemfile for the tools that are
// there.
func (b *buildFiles) ruby() {
	gems, bundled := b.file("Gemfile", "gems.rb")
	if name, ok := b.file("Rakefile", "rakefile", "Rakefile.rb"); ok {
		run := "rake "
		if bundled {
			run = "bundle exec rake "
		}
		b.rake(name, run)
	}
	if !bundled {
		return
	}
	at := b.at(gems)
	b.finder.build(tool{"bundler", "Bundler"}, at)
	b.finder.language("ruby", at)
	text, ok := b.read(gems)
	if !ok {
		return
	}
	found := map[string]cento.Position{}
	c := cento.CursorAt(at, text)
	for _, m := range gem().FindAllStringSubmatchIndex(text, -1) {
		if gem := text[m[2]:m[3]]; found[gem].IsZero() {
			found[gem] = c.At(m[2])
		}
	}
	for _, t := range []struct{ gems, task, command string }{
		{"rspec rspec-rails", taskTest, "bundle exec rspec"},
		{"rubocop rubocop-rails-omakase", taskLint, "bundle exec rubocop"},
		{"standard", taskLint, "bundle exec standardrb"},
	} {
		if place, ok := firstPlace(found, strings.Fields(t.gems)...); ok {
			b.task(t.task, t.command, place)
		}
	}
	if place, ok := found["rails"]; ok && b.isFolder("test") && b.isFolder("bin") {
		b.task(taskTest, "bin/rails test", place)
	}
}

func (b *buildFiles) rake(name, run string) {
	at := b.at(name)
	b.finder.build(tool{"rake", "Rake"}, at)
	b.finder.language("ruby", at)
	text, ok := b.read(name)
	if !ok {
		return
	}
	found := map[string]cento.Position{}
	c := cento.CursorAt(at, text)
	for _, m := range rakeTask().FindAllStringSubmatchIndex(text, -1) {
		line := text[m[0]:m[1]]
		task := "test"
		switch {
		case m[2] >= 0:
			task = text[m[2]:m[3]]
		case strings.Contains(line, "RSpec"):
			task = "spec"
		}
		if found[task].IsZero() {
			found[task] = c.At(m[1] - len(strings.TrimLeft(line, " \t\n")))
		}
	}
	for _, t := range []struct{ task, name string }{{taskTest, "test"}, {taskTest, "spec"}, {taskLint, "lint"}, {taskBuild, "build"}} {
		if place, ok := found[t.name]; ok {
			b.script(t.task, run+t.name, place)
		}
	}
}

var credo = lazily(`\{\s*:credo\b`)

func (b *buildFiles) elixir() {
	name, at, ok := b.tool(tool{"mix", "Mix"}, "mix.exs")
	if !ok {
		return
	}
	b.finder.language("elixir", at)
	b.task(taskTest, "mix test", at)
	b.task(taskBuild, "mix compile", at)
	if text, ok := b.read(name); ok {
		if place, ok := lineOf(text, at, credo()); ok {
			b.task(taskLint, "mix credo", place)
		}
	}
	if config, ok := b.file(".formatter.exs"); ok {
		b.task(taskFormat, "mix format", b.at(config))
	}
}

var swiftTests = lazily(`\.testTarget\s*\(`)

func (b *buildFiles) swift() {
	name, at, ok := b.tool(tool{"swiftpm", "the Swift Package Manager"}, "Package.swift")
	if !ok {
		return
	}
	b.finder.language("swift", at)
	b.task(taskBuild, "swift build", at)
	if text, ok := b.read(name); ok {
		if place, ok := lineOf(text, at, swiftTests()); ok {
			b.task(taskTest, "swift test", place)
		}
	}
	if config, ok := b.file(".swiftlint.yml"); ok {
		b.task(taskLint, "swiftlint", b.at(config))
	}
}

func (b *buildFiles) dart() {
	name, at, ok := b.tool(tool{"pub", "pub"}, "pubspec.yaml")
	if !ok {
		return
	}
	b.finder.language("dart", at)
	dart := "dart "
	if n, ok := b.yaml(name); ok {
		if place, ok := keys(n, "dependencies")["flutter"]; ok {
			dart, at = "flutter ", place
		}
		if _, ok := firstPlace(keys(n, "dev_dependencies"), "test", "flutter_test"); ok {
			b.task(taskTest, dart+"test", at)
		}
	}
	if config, ok := b.file("analysis_options.yaml"); ok {
		b.task(taskLint, dart+"analyze", b.at(config))
	}
}

func (b *buildFiles) zig() {
	_, at, ok := b.tool(tool{"zig", "Zig"}, "build.zig")
	if !ok {
		return
	}
	b.finder.language("zig", at)
	b.task(taskBuild, "zig build", at)
	if text, ok := b.read("build.zig"); ok {
		if place, ok := lineOf(text, at, zigTests()); ok {
			b.task(taskTest, "zig build test", place)
		}
	}
}

var zigTests = lazily(`\.step\(\s*"test"`)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
