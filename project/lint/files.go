package lint

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/amend"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/pack"
)

// contextNames are what a prompt file can read without declaring it.
var contextNames = []string{"agent", "cap", "caps", "cwd", "date", "datetime", "model", "time", "tool", "tools", "vars"}

// included are the files that others include, by name in positions, and whether
// some file includes what is known only when rendering.
func (s *subject) included() (files map[string]bool, dynamic bool) {
	files = map[string]bool{}
	for _, f := range s.allFiles() {
		for _, l := range f.Links() {
			dynamic = dynamic || l.Dynamic
			for _, to := range l.To {
				files[to.Path()] = true
			}
		}
	}
	return files, dynamic
}

// unreachable reports files of the project that nothing leads to.
func unreachable(s *subject, report func(Finding)) {
	reached, dynamic := s.included()
	if dynamic || len(s.seen) == 0 {
		return // any of them may be meant
	}
	for _, f := range s.files {
		if file := f.Ref().Path(); f.Ref().Prefix() == pack.Workspace && !reached[file] && s.opened[file] == nil {
			report(Finding{
				Position: cento.Position{File: file, Line: 1, Column: 1}, ID: file, Message: "nothing names " + f.Ref().String() + ": no fragment, and no other prompt file",
				Hint: "name it in the manifest or include it, or take it out",
			})
		}
	}
}

// unknownNames reports filters and tests that don't exist, where a condition keeps them from
// being an error of loading, and names that can't have a value. A file that others include
// may read what they set, so its names are left out.
func unknownNames(s *subject, report func(Finding)) {
	included, _ := s.included()
	for _, f := range s.files {
		file := f.Ref().Path()
		for _, e := range f.Unknown() {
			if e.Position.File == file {
				report(Finding{Position: e.Position, ID: file, Message: e.Message + "; a rendering that comes here fails", Hint: e.Hint})
			}
		}
		if included[file] {
			continue
		}
		for _, use := range f.Reads() {
			root := use.Name
			if i := strings.IndexAny(root, ".["); i >= 0 {
				root = root[:i]
			}
			if use.Position.File != file || slices.Contains(contextNames, root) {
				continue
			}
			report(Finding{
				Position: use.Position, ID: file, Message: "reads " + quoted(root) + ", which there is none of",
				Hint: s.nameHint(f, root),
			})
		}
	}
}

// nameHint says what to write for a name that a prompt file reads and there is none of.
func (s *subject) nameHint(f *pack.File, name string) string {
	_, declared := s.variables[name]
	if declared || slices.ContainsFunc(f.Vars(), func(v pack.Var) bool { return v.Name == name }) {
		return pack.VariableHint(name)
	}
	general := "a prompt file reads what it sets itself, and " + nearest.List(contextNames)
	return cmp.Or(pack.NothingHint(name), nearest.Hint(name, contextNames, general))
}

// unknownVars reports variables that are declared neither in the manifest nor in
// the files that are read together.
func unknownVars(s *subject, report func(Finding)) {
	for _, f := range s.allFiles() {
		own := map[string]bool{}
		for _, v := range f.Vars() {
			own[v.Name] = true
		}
		for _, use := range f.Reads() {
			name := use.Variable()
			if _, there := s.variables[name]; name == "" || there || own[name] {
				continue
			}
			report(Finding{
				Position: use.Position, ID: use.Position.File, Message: "reads vars." + name + ", which nobody declares",
				Hint: nearest.Hint(name, slices.Sorted(maps.Keys(own)), nearest.Hint(name, slices.Sorted(maps.Keys(s.variables)), pack.UndeclaredHint)),
			})
		}
	}
}

// unusedNames reports a name of the agent that no prompt has and no prompt file reads. Those
// of the program say it wherever they stand in a prompt.
func unusedNames(s *subject, report func(Finding)) {
	for _, f := range s.allFiles() {
		for _, use := range f.Reads() {
			if root, _, _ := strings.Cut(use.Name, "."); root == "agent" && !strings.HasPrefix(f.Ref().Path(), string(pack.Builtin)) {
				return
			}
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(s.agents), cento.Position.Compare) {
		if !s.agents[at] {
			report(Finding{Position: at, Message: "the agent has a name, and nothing reads it", Hint: "take it out, or read it in a prompt file as agent.name"})
		}
	}
}

// unusedVars reports declarations that nothing reads. One that is nearly the name of what is
// read may be meant for it, which is for people to decide.
func unusedVars(s *subject, report func(Finding)) {
	read := maps.Clone(s.condVars)
	for _, f := range s.allFiles() {
		for _, use := range f.Reads() {
			if use.Name == "vars" {
				return // as a whole: any of them may be meant
			}
			read[use.Variable()] = true
		}
	}
	known := maps.Clone(read) // what a variable of the manifest may be meant for
	for _, f := range s.files {
		for _, v := range f.Vars() {
			known[v.Name] = true
		}
	}
	sets := s.project.VariablesTogether()
	searched := 0
	unused := func(name, id string, at cento.Position, known map[string]bool) {
		if read[name] {
			return
		}
		f := Finding{Position: at, ID: id, Message: "the variable " + quoted(name) + " is declared and nothing reads it", Hint: "take it out, or read it as vars." + name}
		if searched++; searched > maxListed { // each is held against all that there are
			report(f)
			return
		}
		beside := map[string]cento.Position{}
		for _, set := range sets {
			if set[name] == at {
				beside = set
			}
		}
		near, misspelt := nearest.Name(name, slices.DeleteFunc(slices.Sorted(maps.Keys(known)), func(other string) bool {
			_, there := beside[other]
			return there || other == name
		}))
		if misspelt {
			f.Hint = "did you mean " + quoted(near) + "?"
		} else {
			f.proposal = &proposal{file: at.File, everywhere: true, changes: []amend.Change{{Kind: amend.TakeOut, At: at, Name: name}}}
		}
		report(f)
	}
	for _, name := range slices.Sorted(maps.Keys(s.variables)) {
		unused(name, "", s.variables[name], known)
	}
	for _, f := range s.files {
		for _, v := range f.Vars() {
			unused(v.Name, v.Position.File, v.Position, read)
		}
	}
}
