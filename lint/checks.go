package lint

import (
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// Checks returns all checks of this package, ordered by code.
func Checks() []Check {
	return []Check{
		{"catalog.unknown", Warning, "A text that words the program's own anew has a key that nothing reads.", notes("catalog.unknown")},
		{"fragment.never", Warning, "A fragment is in the prompt of no target: its gates never open.", neverIncluded},
		{"frontmatter.ignored", Warning, "An included file has front matter beside vars, which has no effect there.", fileNotes("frontmatter.ignored")},
		{"gate.unknown_tool", Warning, "A gate, condition or prompt file asks for a tool that no target defines.", unknownTools},
		{"include.unreachable", Warning, "A prompt file of the project is named by no fragment and no other file.", unreachable},
		{"instructions.cut", Warning, "Project instructions are longer than what goes into the prompt.", notes("instructions.cut", "instructions.left_out")},
		{"name.unknown", Warning, "A prompt file reads a name that there is none of; rendering it fails.", unknownNames},
		{"path.dead", Warning, "A text mentions a file or folder of the project that isn't there.", deadPaths},
		{"scope.none", Warning, "No scope is configured, so the prompt says nothing of what may be read and written.", noScope},
		{"section.split", Warning, "The fragments of one section aren't neighbours, so its heading stands twice.", splitSections},
		{"text.forged", Warning, "A text imitates a heading of the program, and was quoted.", textNotes(cento.CodeForged)},
		{"text.invisible", Warning, "A text has characters that nobody can see.", textNotes(cento.CodeInvisible)},
		{"tool.dead_mention", Error, "The prompt tells of a tool that isn't active: the model will call it.", deadMentions},
		{"tool.ungated_mention", Warning, "A text tells of a tool and stays when the tool goes.", ungatedMentions},
		{"var.unknown", Warning, "A prompt file reads a variable that nobody declares.", unknownVars},
		{"var.unused", Warning, "A variable is declared and nothing reads it.", unusedVars},
	}
}

// notes reports what collection said.
func notes(codes ...cento.Code) func(*Subject, func(Finding)) error {
	return func(s *Subject, report func(Finding)) error {
		for _, t := range s.Targets {
			for _, n := range t.Project.Input.Notes {
				if slices.Contains(codes, n.Code) {
					report(Finding{Position: n.Position, ID: n.Fragment, Message: n.Message, Targets: []string{t.Name}})
				}
			}
		}
		return nil
	}
}

// fileNotes reports what loading prompt files said.
func fileNotes(code cento.Code) func(*Subject, func(Finding)) error {
	return func(s *Subject, report func(Finding)) error {
		for _, f := range s.Files {
			for _, n := range f.Notes() {
				if n.Code == code {
					report(Finding{
						Position: n.Position, ID: n.Position.File, Message: n.Message,
						Hint: "move the gates to the fragment, or to the file that includes it",
					})
				}
			}
		}
		return nil
	}
}

// textNotes reports what was found in the texts of fragments.
func textNotes(code cento.Code) func(*Subject, func(Finding)) error {
	return func(s *Subject, report func(Finding)) error {
		for _, t := range s.Targets {
			for i := range t.Prompt.Len() {
				for _, n := range t.Prompt.Trace(i, cento.ExplainOptions{}).Notes {
					if n.Code == code {
						f := Finding{ID: t.Prompt.Fragment(i).ID, Message: n.Message, Targets: []string{t.Name}}
						if n.Position != nil {
							f.Position = *n.Position
						}
						report(f)
					}
				}
			}
		}
		return nil
	}
}

func noScope(s *Subject, report func(Finding)) error {
	for _, t := range s.Targets {
		if t.Project.Scope == nil {
			report(Finding{
				Position: cento.Position{File: t.Project.Show(t.Project.ManifestPath)}, Message: "no scope is configured",
				Hint: "add scope: {allow: [{target: ., permission: read}]}", Targets: []string{t.Name},
			})
		}
	}
	return nil
}

// neverIncluded reports fragments that are out in every target. Parts that the
// program brings along and blank ones are no mistake.
func neverIncluded(s *Subject, report func(Finding)) error {
	type verdict struct {
		fragment cento.Fragment
		reason   string
		in       bool
	}
	var order []string
	all := map[string]*verdict{}
	for _, t := range s.Targets {
		for i := range t.Prompt.Len() {
			f := t.Prompt.Fragment(i)
			switch {
			case f.Trust == cento.TrustBuiltin || t.Prompt.Code(i) == cento.CodeBodyEmpty || t.Prompt.Code(i) == cento.CodeOverridden:
				continue
			case all[f.ID] == nil:
				all[f.ID] = &verdict{fragment: f, reason: t.Prompt.Reason(i)}
				order = append(order, f.ID)
			}
			all[f.ID].in = all[f.ID].in || t.Prompt.In(i)
		}
	}
	for _, id := range order {
		if v := all[id]; !v.in {
			report(Finding{
				Position: v.fragment.Origin, ID: id, Message: "the fragment " + id + " is in the prompt of no target: " + v.reason,
				Hint: "open its gate in a target, or take it out",
			})
		}
	}
	return nil
}

// splitSections reports headings that stand twice in a prompt.
func splitSections(s *Subject, report func(Finding)) error {
	for _, t := range s.Targets {
		seen := map[string]bool{}
		last := ""
		for _, bucket := range []cento.Bucket{cento.Before, cento.After} {
			for i := range t.Prompt.Len() {
				trace := t.Prompt.Trace(i, cento.ExplainOptions{})
				if !trace.Included || trace.Bucket != bucket {
					continue
				}
				section := ""
				if trace.Section != nil {
					section = *trace.Section
				}
				if section != "" && section != last && seen[section] {
					report(Finding{
						Position: t.Prompt.Fragment(i).Origin, ID: trace.ID, Message: "the section " + quoted(section) + " is split: its heading stands again above this fragment",
						Hint: "put the fragments of a section next to each other, in one bucket", Targets: []string{t.Name},
					})
				}
				seen[section] = true
				last = section
			}
			last = ""
		}
	}
	return nil
}

// nearestHint offers a known name.
func nearestHint(name string, known []string, otherwise string) string {
	if near, ok := nearest.Name(name, known); ok {
		return "did you mean " + quoted(near) + "?"
	}
	return otherwise
}
