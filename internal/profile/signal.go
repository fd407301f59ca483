package profile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// Kind is what a signal is about. Kinds stand in the order of the prompt.
type Kind uint8

// The kinds.
const (
	Language Kind = iota
	Build
	Task
	Git
	GitHost
	Credential
)

var prefixes = [...]string{LanguagePrefix, "build.", "task.", "git", "git.host.", "credential."}

// Signal is one fact about a project.
type Signal struct {
	Kind Kind
	// Name is the fact within its kind: "go", "npm", "test", "github". It is
	// empty for [Git].
	Name string
	// Label is how a language or build tool is called in a sentence.
	Label string
	// Command is how a task is run from the root of the project.
	Command string
	// Usual: the command is what the tool runs by convention. No script or target of
	// the project is behind it.
	Usual bool
	// Others: the project has other build tools, and one of these may have a command of
	// its own for the task.
	Others bool
	// Remotes are the addresses of a repository, host and path alone.
	Remotes []string
	// Percent is a language's share of the source files; 0 when a build file
	// alone says that it is used.
	Percent int
	// Env is the environment variable, or the alias, that a credential is known
	// by.
	Env string
	// Origin is the file, and in it the line, that says so; zero for credentials.
	Origin cento.Position
}

// Capability is the name of the capability that the signal sets.
func (s Signal) Capability() string { return prefixes[s.Kind] + s.Name }

// LanguagePrefix is what the capabilities of languages begin with.
const LanguagePrefix = "language."

// LanguageCaps are the capabilities of all languages that there are signals of.
func LanguageCaps() []string {
	out := make([]string, len(languages))
	for i := range languages {
		out[i] = LanguagePrefix + languages[i].id
	}
	return out
}

// IsCap reports whether a capability is called as those of signals are.
func IsCap(name string) bool {
	return slices.ContainsFunc(prefixes[:], func(p string) bool { return name == p || strings.HasSuffix(p, ".") && strings.HasPrefix(name, p) })
}

// Profile is what was found out about a project.
type Profile struct {
	// Signals stand by kind, and within it by name.
	Signals []Signal
	// Notes are what could not be found out, and why.
	Notes []cento.Note
}

// Caps are the names of the capabilities that the signals set, sorted.
func (p *Profile) Caps() []string {
	out := make([]string, len(p.Signals))
	for i, s := range p.Signals {
		out[i] = s.Capability()
	}
	slices.Sort(out)
	return out
}

// finder gathers what is found. The first signal of a name counts: the files of
// the root are asked first, and of those the ones that say most.
type finder struct {
	signals map[string]Signal
	notes   []cento.Note
}

func (f *finder) add(s Signal) {
	if _, there := f.signals[s.Capability()]; !there {
		f.signals[s.Capability()] = s
	}
}

func (f *finder) has(kind Kind, name string) bool {
	_, there := f.signals[prefixes[kind]+name]
	return there
}

func (f *finder) language(id string, at cento.Position) {
	f.add(Signal{Kind: Language, Name: id, Label: labelOf(id), Origin: at})
}

func (f *finder) build(t tool, at cento.Position) {
	f.add(Signal{Kind: Build, Name: t.id, Label: t.label, Origin: at})
}

// task tells the command of a task: usual, if a tool runs it by convention, and
// otherwise that of a script or target which the project has.
func (f *finder) task(name, command string, usual bool, at cento.Position) {
	f.add(Signal{Kind: Task, Name: name, Command: command, Usual: usual, Origin: at})
}

func (f *finder) note(code cento.Code, at cento.Position, message string) {
	f.notes = append(f.notes, cento.Note{Code: code, Message: message, Position: at})
}

// runsOthers are the tools whose targets run those of other tools: what one of them
// names is the way to do it in the whole project.
var runsOthers = map[string]bool{"make": true, "just": true, "task": true, "rake": true}

func (f *finder) profile() *Profile {
	p := &Profile{Notes: f.notes}
	slices.SortStableFunc(p.Notes, func(a, b cento.Note) int { return a.Position.Compare(b.Position) })
	tools := 0
	for _, s := range f.signals {
		if s.Kind == Build && !runsOthers[s.Name] {
			tools++
		}
	}
	for _, s := range f.signals {
		program, _, _ := strings.Cut(s.Command, " ")
		s.Others = s.Others || s.Kind == Task && tools > 1 && !runsOthers[program]
		p.Signals = append(p.Signals, s)
	}
	slices.SortFunc(p.Signals, func(a, b Signal) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
	return p
}
