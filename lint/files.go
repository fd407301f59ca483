package lint

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// contextNames are what a prompt file can read without declaring it.
var contextNames = []string{"agent", "cap", "caps", "cwd", "date", "datetime", "model", "time", "tool", "tools", "vars"}

// included are the files that others include, by name in positions, and whether
// some file includes what is known only when rendering.
func (s *Subject) included() (files map[string]bool, dynamic bool) {
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

// allFiles are the prompt files that can be named and those that fragments do.
func (s *Subject) allFiles() []*pack.File {
	all := slices.Clone(s.Files)
	for _, t := range s.Targets {
		all = append(all, t.Project.Files()...)
	}
	return all
}

// unreachable reports files of the project that nothing leads to.
func unreachable(s *Subject, report func(Finding)) error {
	reached, dynamic := s.included()
	if dynamic || len(s.Targets) == 0 {
		return nil // any of them may be meant
	}
	for _, t := range s.Targets {
		for _, f := range t.Project.Files() {
			reached[f.Ref().Path()] = true
		}
	}
	for _, f := range s.Files {
		if file := f.Ref().Path(); f.Ref().Prefix() == pack.Workspace && !reached[file] {
			report(Finding{
				Position: cento.Position{File: file, Line: 1, Column: 1}, ID: file, Message: "nothing names " + f.Ref().String() + ": no fragment, and no other prompt file",
				Hint: "name it in the manifest or include it, or take it out",
			})
		}
	}
	return nil
}

// unknownNames reports names that can't have a value. A file that others include
// may read what they set, so it is left out.
func unknownNames(s *Subject, report func(Finding)) error {
	included, _ := s.included()
	for _, f := range s.Files {
		file := f.Ref().Path()
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
				Hint: nearestHint(root, contextNames, "a prompt file reads "+strings.Join(contextNames, ", ")+" and what it sets itself"),
			})
		}
	}
	return nil
}

// declared are the variables of the manifest and all its targets, with a place.
func (s *Subject) declared() map[string]cento.Position {
	vars := s.Project.Manifest.Variables()
	for _, t := range s.Targets {
		for name, at := range t.Project.Manifest.Variables() {
			if _, there := vars[name]; !there {
				vars[name] = at
			}
		}
	}
	return vars
}

// unknownVars reports variables that are declared neither in the manifest nor in
// the files that are read together.
func unknownVars(s *Subject, report func(Finding)) error {
	for _, f := range s.allFiles() {
		known := s.declared()
		for _, v := range f.Vars() {
			known[v.Name] = v.Position
		}
		names := slices.Sorted(maps.Keys(known))
		for _, use := range f.Reads() {
			name := use.Member("vars")
			if _, there := known[name]; name == "" || there {
				continue
			}
			report(Finding{
				Position: use.Position, ID: use.Position.File, Message: "reads vars." + name + ", which nobody declares",
				Hint: nearestHint(name, names, "declare it under vars in the manifest, or in the front matter of the file"),
			})
		}
	}
	return nil
}

// unusedVars reports declarations that nothing reads.
func unusedVars(s *Subject, report func(Finding)) error {
	read := map[string]bool{}
	for _, f := range s.allFiles() {
		for _, use := range f.Reads() {
			if use.Name == "vars" {
				return nil // as a whole: any of them may be meant
			}
			read[use.Member("vars")] = true
		}
	}
	for _, t := range s.Targets {
		for _, name := range t.Project.ConditionVars() {
			read[name] = true
		}
	}
	unused := func(name, id string, at cento.Position) {
		if !read[name] {
			report(Finding{Position: at, ID: id, Message: "the variable " + quoted(name) + " is declared and nothing reads it", Hint: "take it out, or read it as vars." + name})
		}
	}
	for name, at := range s.declared() {
		unused(name, "", at)
	}
	for _, f := range s.Files {
		for _, v := range f.Vars() {
			unused(v.Name, v.Position.File, v.Position)
		}
	}
	return nil
}

// deadPaths reports paths between backticks in texts of the project that lead to
// nothing.
func deadPaths(s *Subject, report func(Finding)) error {
	if s.Exists == nil {
		return nil
	}
	known := map[string]bool{}
	for _, t := range s.Targets {
		text, _ := t.Prompt.System()
		for _, span := range t.Prompt.Spans() {
			if span.Kind != cento.BodySpan || span.Trust != cento.TrustWorkspace || span.Var != "" && span.Fragment != cento.InstructionsID {
				continue
			}
			for at := span.Start; ; {
				start, end := codeSpan(text[at:span.End])
				if end < 0 {
					break
				}
				name := text[at+start : at+end]
				if looksLikePath(name) {
					there, asked := known[name]
					if !asked {
						there = s.Exists(name)
						known[name] = there
					}
					if !there {
						place, _ := span.Locate(text, at+start)
						report(Finding{
							Position: place, ID: span.Fragment, Message: "tells of " + quoted(name) + ", and there is no such file or folder",
							Hint: "correct the path, or the text", Targets: []string{t.Name},
						})
					}
				}
				at += end + 1
			}
		}
	}
	return nil
}

// codeSpan finds what stands between the next two backticks of a line.
func codeSpan(text string) (start, end int) {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '`')
		if i < 0 {
			return -1, -1
		}
		start = at + i + 1
		j := strings.IndexAny(text[start:], "`\n")
		switch {
		case j < 0:
			return -1, -1
		case j > 0 && text[start+j] == '`':
			return start, start + j
		}
		at = start + j
		if text[at] == '\n' {
			at++
		}
	}
}

// looksLikePath reports whether a text can only be meant as a path of the
// project: several components, of which the last has an extension or ends in a
// slash, and none is a pattern, a URL or a placeholder.
func looksLikePath(name string) bool {
	for _, r := range name {
		if (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-+@", r) {
			return false
		}
	}
	trimmed := strings.TrimPrefix(name, "./")
	if strings.HasPrefix(trimmed, "/") || strings.Contains(trimmed, "//") || strings.Contains(trimmed, "..") {
		return false
	}
	if folder, ok := strings.CutSuffix(trimmed, "/"); ok {
		return folder != ""
	}
	first, _, several := strings.Cut(trimmed, "/")
	// example.com/x.html and @scope/pkg.x are names of other things.
	return several && path.Ext(trimmed) != "" && !strings.Contains(strings.TrimPrefix(first, "."), ".") && !strings.Contains(trimmed, "@")
}
