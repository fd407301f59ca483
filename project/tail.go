package project

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// boundaries are the scope and the section that tells of it; nil where it
// is off.
func (r *reader) boundaries(catalog *pack.Catalog) (*workspace.Scope, *cento.Text, error) {
	m := r.manifest
	if m.ScopeOff || r.request.Committed && m.Scope == nil {
		return nil, nil, nil
	}
	base, root := r.Base, r.Root
	if !r.portable { // the summary names places then
		base, root.Dir = r.told(base), filepath.ToSlash(r.told(root.Dir))
	}
	rules := manifest.DefaultScope(root)
	if m.Scope != nil {
		rules = *m.Scope
	} else if base == "" {
		return nil, nil, nil // of a folder that nobody can name
	}
	rules.Deny = slices.Concat(rules.Deny, m.Denied)
	denied, err := catalog.DeniedHeading()
	if err != nil {
		return nil, nil, err
	}
	rules.Wording = workspace.ScopeWording{Denied: denied.Body, Trust: denied.Trust}
	if r.portable {
		rules.Wording.Place = r.portableName
	}
	rules.Disk, rules.Home = r.disk, r.home
	rules.Elsewhere = r.copied && !r.portable // the folder of a copy is where its files come from
	scope, err := workspace.ResolveScope(rules, base)
	if err != nil {
		return nil, nil, err
	}
	summary := asData(*scope.Text(), "scope_summary")
	section, err := catalog.WorkingBoundariesSection(summary)
	return scope, of(summary, section), err
}

// instructions are those of the project's people, and the section that they make;
// nil where there are none.
func (r *reader) instructions(catalog *pack.Catalog) (*workspace.Instructions, *cento.Text, error) {
	in, err := r.loadInstructions(catalog, r.manifest.Instructions.Convention, nil, nil)
	if err == nil {
		var below *workspace.Below
		if below, err = r.findBelow(); err == nil {
			if n := in.NoteUnread(below, r.textFiles()...); n != nil {
				in.Notes = append(in.Notes, *n)
			}
		}
	}
	if err != nil || in.Text == nil {
		return in, nil, err
	}
	text := asData(*in.Text, "agents_md")
	section, err := catalog.AgentsMDSection(text, loadedPaths(in))
	return in, of(text, section), err
}

// loadedPaths are the files that the text of instructions is from, each once.
func loadedPaths(in *workspace.Instructions) []string {
	var out []string
	for _, f := range in.Files {
		if (f.Status == workspace.Loaded || f.Status == workspace.Cut && f.From < f.To) && !slices.Contains(out, f.Path) {
			out = append(out, f.Path)
		}
	}
	return out
}

// textFiles are the files of which fragments of the manifest are made, by their paths below
// the root.
func (r *reader) textFiles() []string {
	var out []string
	for _, c := range r.manifest.Contracts {
		if name, ok := below(r.Root.Dir, r.named(filepath.FromSlash(c.Path))); ok && c.Literal {
			out = append(out, filepath.ToSlash(name))
		}
	}
	return out
}

// of gives a section the place and the trust of what stands in it, where that is
// from a file: who asks where the section is from doesn't ask for the program's
// words around it.
func of(text, section cento.Text) *cento.Text {
	i := slices.IndexFunc(text.Runs, func(r cento.Run) bool {
		return r.Position.File != "" && strings.TrimSpace(text.Body[r.Start:r.End]) != ""
	})
	if i < 0 {
		return &section
	}
	from := text.Runs[i]
	blank := len(text.Body[from.Start:from.End]) - len(strings.TrimLeftFunc(text.Body[from.Start:from.End], unicode.IsSpace))
	section.Origin, section.Trust = text.Locate(from.Start+blank), min(section.Trust, text.Trust, from.Trust)
	return &section
}

// reported are the files of instructions, without those that the rules shadow and that a
// fragment puts in.
func (r *reader) reported(in *workspace.Instructions) []workspace.File {
	used := r.textFiles()
	return slices.DeleteFunc(slices.Clone(in.Files), func(f workspace.File) bool {
		return f.Status == workspace.Shadowed && slices.Contains(used, f.Path)
	})
}

// instructionNotes are the remarks on instructions, and one on each file in whose
// place another one stands. Those that are cut or can't be read have theirs.
func (r *reader) instructionNotes(in *workspace.Instructions) []cento.Note {
	notes := slices.Clone(in.Notes)
	for _, f := range r.reported(in) {
		if f.Status == workspace.Shadowed {
			notes = append(notes, cento.Note{
				Code: workspace.InstructionsShadowed, Message: f.Reason, Position: cento.Position{File: f.Path},
			})
		}
	}
	return notes
}

// asData marks a text as the value of a variable, so that no line of it can be
// taken for the wording around it.
func asData(t cento.Text, name string) cento.Text {
	if len(t.Runs) == 0 {
		t.Runs = []cento.Run{{End: len(t.Body), Position: t.Origin, Trust: t.Trust}}
	} else {
		t.Runs = slices.Clone(t.Runs)
	}
	for i := range t.Runs {
		if t.Runs[i].Var == "" {
			t.Runs[i].Var = name
		}
	}
	return t
}
