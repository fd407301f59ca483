package project

import (
	"maps"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// Handed are texts that somebody hands over beside the files of a project.
type Handed struct {
	Host cento.Host
	// Parts is the agent's own block; nil for none.
	Parts []cento.Fragment
	// Fragments stand behind those of the project.
	Fragments []cento.Fragment
}

// Opened opens the prompt files that texts name which are to be laid on the project's
// input. It gives the project with these files in it and in its input, and the texts with
// what the files ask for, such as tools. Notes tell of tools that the texts ask for and
// nothing defines. Where there is neither, both are as they were.
// Its errors are those of [pack.Loader.Open].
func (p *Project) Opened(h Handed) (*Project, Handed, error) {
	in := p.Input
	o := opener{loader: p.loader, variables: in.Files.VarStability}
	if o.loader == nil { // of a recorded input: its files are all there are
		roots, err := pack.RootsOf(in.Files.Sources, in.Files.Prefixes)
		if err != nil {
			return p, h, err
		}
		o.loader = pack.NewLoader(roots, in.Limits)
	}
	for _, list := range []*[]cento.Fragment{&h.Parts, &h.Fragments} {
		if !slices.ContainsFunc(*list, func(f cento.Fragment) bool { return f.Template != "" }) {
			continue
		}
		*list = slices.Clone(*list)
		for i := range *list {
			o.open(&(*list)[i], (*list)[i].Origin)
		}
	}
	o.host(&h.Host)
	if err := cento.Join(o.faults); err != nil {
		return p, h, err
	}
	notes := o.notes
	if p.from != nil {
		notes = append(notes, p.from.nearTools(&in, p.from.gatedTexts(h.Host, h.Parts, h.Fragments), o.files)...)
	}
	if len(o.files) == 0 && len(notes) == 0 {
		return p, h, nil
	}
	in.Files.Sources, in.Files.Prefixes = maps.Clone(in.Files.Sources), maps.Clone(in.Files.Prefixes)
	for _, file := range o.files {
		file.AddTo(&in.Files)
	}
	in.Notes = slices.Concat(in.Notes, notes)
	next := *p
	next.Input, next.files = in, slices.Concat(p.files, o.files)
	var err error
	next.engine, err = p.engine.With(in, o.files...)
	return &next, h, err
}
