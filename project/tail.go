package project

import (
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

func (p *Project) boundaries(catalog *pack.Catalog) error {
	cfg := p.Manifest.Scope
	if cfg == nil {
		return nil
	}
	denied, err := catalog.DeniedHeading()
	if err != nil {
		return err
	}
	scope := *cfg
	scope.Wording = workspace.ScopeWording{Denied: denied.Body, Trust: denied.Trust}
	if p.Scope, err = workspace.ResolveScope(scope, p.Base); err != nil {
		return err
	}
	p.Input.Notes = append(p.Input.Notes, p.Scope.Notes()...)
	section, err := catalog.WorkingBoundariesSection(asData(*p.Scope.Text(), "scope_summary"))
	if err != nil {
		return err
	}
	p.Input.Boundaries = &section
	return nil
}

func (p *Project) instructions(catalog *pack.Catalog) error {
	in, err := p.loadInstructions(catalog, p.Manifest.Instructions.Profile, "")
	if err != nil {
		return err
	}
	p.Instructions = *in
	p.Input.Notes = append(p.Input.Notes, in.Notes...)
	for _, f := range in.Files {
		if f.Status == workspace.Shadowed { // cut and failed ones have theirs
			p.Input.Notes = append(p.Input.Notes, cento.Note{
				Code: workspace.InstructionsShadowed, Message: f.Reason, Position: cento.Position{File: f.Path},
			})
		}
	}
	if in.Text == nil {
		return nil
	}
	section, err := catalog.AgentsMDSection(asData(*in.Text, "agents_md"))
	if err != nil {
		return err
	}
	p.Input.Instructions = &section
	return nil
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
