package profile

import (
	"path"
	"slices"
	"strings"
)

// language is a programming language. Languages of markup, style and data are
// none: that a project holds JSON tells nobody how to work on it.
type language struct {
	id, label string
	// extensions and files are what its files are named. A name that means
	// several languages alike is left out: a wrong answer is worse than none.
	extensions, files string
}

// languages are known by the names that Linguist gives them; a test compares
// them with its data.
var languages = []language{
	{"ada", "Ada", ".adb .ads", ""},
	{"assembly", "Assembly", ".asm .nasm", ""},
	{"c", "C", ".c .h", ""},
	{"clojure", "Clojure", ".clj .cljc .cljs", ""},
	{"cobol", "COBOL", ".cob .cbl", ""},
	{"coffeescript", "CoffeeScript", ".coffee", "Cakefile"},
	{"commonlisp", "Common Lisp", ".lisp .asd", ""},
	{"cpp", "C++", ".cc .cpp .cxx .c++ .hpp .hh .hxx .h++", ""},
	{"crystal", "Crystal", ".cr", ""},
	{"csharp", "C#", ".cs .csx", ""},
	{"cuda", "Cuda", ".cu .cuh", ""},
	{"cython", "Cython", ".pyx .pxd", ""},
	{"d", "D", ".d", ""},
	{"dart", "Dart", ".dart", ""},
	{"elixir", "Elixir", ".ex .exs", "mix.lock"},
	{"elm", "Elm", ".elm", ""},
	{"emacslisp", "Emacs Lisp", ".el", ""},
	{"erlang", "Erlang", ".erl .hrl", "rebar.config"},
	{"fortran", "Fortran", ".f90 .f95 .f03 .f08", ""},
	{"fsharp", "F#", ".fs .fsi .fsx", ""},
	{"gdscript", "GDScript", ".gd", ""},
	{"gleam", "Gleam", ".gleam", ""},
	{"go", "Go", ".go", ""},
	{"groovy", "Groovy", ".groovy .gvy", "Jenkinsfile"},
	{"haskell", "Haskell", ".hs .hsc", ""},
	{"haxe", "Haxe", ".hx", ""},
	{"hcl", "HCL", ".hcl .tf", ""},
	{"java", "Java", ".java", ""},
	{"javascript", "JavaScript", ".js .mjs .cjs .jsx", "Jakefile"},
	{"julia", "Julia", ".jl", ""},
	{"kotlin", "Kotlin", ".kt .kts", ""},
	{"lua", "Lua", ".lua", ""},
	{"nim", "Nim", ".nim .nims", ""},
	{"nix", "Nix", ".nix", ""},
	{"objectivecpp", "Objective-C++", ".mm", ""},
	{"ocaml", "OCaml", ".ml .mli", ""},
	{"pascal", "Pascal", ".pas .dpr", ""},
	{"perl", "Perl", ".pm .pl", ""},
	{"php", "PHP", ".php", ""},
	{"powershell", "PowerShell", ".ps1 .psm1 .psd1", ""},
	{"purescript", "PureScript", ".purs", ""},
	{"python", "Python", ".py .pyi .pyw", ""},
	{"r", "R", ".r", ""},
	{"racket", "Racket", ".rkt", ""},
	{"reason", "Reason", ".re .rei", ""},
	{"rescript", "ReScript", ".res .resi", ""},
	{"ruby", "Ruby", ".rb .rake .gemspec", "Rakefile Gemfile"},
	{"rust", "Rust", ".rs", ""},
	{"scala", "Scala", ".scala .sbt", ""},
	{"scheme", "Scheme", ".scm .ss", ""},
	{"shell", "Shell", ".sh .bash .zsh .ksh", ""},
	{"smalltalk", "Smalltalk", ".st", ""},
	{"solidity", "Solidity", ".sol", ""},
	{"standardml", "Standard ML", ".sml", ""},
	{"starlark", "Starlark", ".bzl .star", ""},
	{"swift", "Swift", ".swift", ""},
	{"systemverilog", "SystemVerilog", ".sv .svh", ""},
	{"tcl", "Tcl", ".tcl", ""},
	{"typescript", "TypeScript", ".ts .mts .cts .tsx", ""},
	{"vala", "Vala", ".vala", ""},
	{"vbnet", "Visual Basic .NET", ".vb", ""},
	{"vhdl", "VHDL", ".vhd .vhdl", ""},
	{"vue", "Vue", ".vue", ""},
	{"svelte", "Svelte", ".svelte", ""},
	{"zig", "Zig", ".zig", ""},
}

// labelOf is the name of a language for people.
func labelOf(id string) string {
	for _, l := range languages {
		if l.id == id {
			return l.label
		}
	}
	return id
}

// byName finds the language of a file: its index by extension, or by the whole
// name.
type byName struct{ extensions, files map[string]int }

func newByName() byName {
	b := byName{make(map[string]int, 2*len(languages)), make(map[string]int, 16)}
	for i, l := range languages {
		for ext := range strings.FieldsSeq(l.extensions) {
			b.extensions[ext] = i
		}
		for name := range strings.FieldsSeq(l.files) {
			b.files[name] = i
		}
	}
	return b
}

func (b byName) of(name string) (index int, ok bool) {
	if index, ok = b.files[name]; ok {
		return index, true
	}
	ext := path.Ext(name)
	if len(ext) < 2 || len(ext) == len(name) {
		return 0, false
	}
	if index, ok = b.extensions[ext]; !ok {
		index, ok = b.extensions[strings.ToLower(ext)]
	}
	return index, ok
}

// census counts the source files of each language, and keeps the first of each.
type census struct {
	names   byName
	files   []int
	first   []string
	headers int // .h, which C and C++ share
	header  string
	total   int
}

func newCensus() *census {
	return &census{names: newByName(), files: make([]int, len(languages)), first: make([]string, len(languages))}
}

func (c *census) count(dir, name string) {
	if path.Ext(name) == ".h" {
		if c.headers++; c.header == "" {
			c.header = path.Join(dir, name)
		}
		return
	}
	i, ok := c.names.of(name)
	if !ok {
		return
	}
	if c.files[i]++; c.files[i] == 1 {
		c.first[i] = path.Join(dir, name)
	}
	c.total++
}

// has reports whether there is a source file of a language.
func (c *census) has(id string) bool {
	i := slices.IndexFunc(languages, func(l language) bool { return l.id == id })
	return c.files[i] > 0
}

// share adds the languages that are a good part of the source files. Headers
// belong to the one of C and C++ that has more files.
func (c *census) share(f *finder, show func(string) string) {
	at := map[string]int{}
	for i, l := range languages {
		at[l.id] = i
	}
	if c.headers > 0 {
		to := at["c"]
		if c.files[at["cpp"]] > c.files[to] {
			to = at["cpp"]
		}
		if c.files[to] == 0 {
			c.first[to] = c.header
		}
		c.files[to] += c.headers
		c.total += c.headers
	}
	for i, n := range c.files {
		if n == 0 {
			continue
		}
		percent := (200*n + c.total) / (2 * c.total)
		l := languages[i]
		if s, there := f.signals[prefixes[Language]+l.id]; there {
			s.Percent = percent
			f.signals[s.Capability()] = s
			continue
		}
		if 100*n >= minShare*c.total {
			f.add(Signal{Kind: Language, Name: l.id, Label: l.label, Percent: percent, Origin: fileStart(show(c.first[i]))})
		}
	}
}
