package project

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// prepare fills what needs no file but the manifest and the packs.
func (p *Project) prepare() error {
	m := p.Manifest
	p.Input = cento.Input{
		Host: m.Host, Primary: m.Primary, Fragments: m.Fragments, Replacement: m.Replacement,
		Limits: m.Limits, Policy: m.Policy, Notes: slices.Concat(p.Root.Notes, m.Notes),
		Files: cento.Files{Now: p.request.Now, Cwd: filepath.ToSlash(p.Root.Cwd), Vars: m.Vars, Given: p.request.Vars},
	}
	if m.Agent.Name != nil {
		p.Input.Files.AgentName = *m.Agent.Name
	}
	p.Input.Active.Caps = slices.DeleteFunc(slices.Clone(m.Caps.Set), func(c string) bool { return slices.Contains(m.Caps.Remove, c) })
	p.Input.Active.Model = m.Model
	if p.request.Model != "" {
		p.Input.Active.Model = p.request.Model
	}
	p.signals()
	if err := p.readConfig(); err != nil {
		return err
	}
	if err := p.openPacks(); err != nil {
		return err
	}
	p.loader = pack.NewLoader(p.roots(), m.Limits)
	return nil
}

func (p *Project) collect(ctx context.Context) error {
	if err := p.prepare(); err != nil {
		return err
	}
	wording, err := p.wording()
	if err != nil {
		return err
	}
	catalog, notes, err := pack.NewCatalog(p.loader, wording...)
	if err != nil {
		return err
	}
	p.Input.Notes = append(p.Input.Notes, notes...)
	// What the manifest doesn't word itself has the wording of the catalog.
	p.Input.Primary.Worded = true
	catalog.AddTo(&p.Input.Files)
	var errs []*cento.SourceError
	for _, step := range []func() error{
		func() error { return p.tools(ctx) },
		p.contracts,
		func() error { return p.layers(catalog) },
		p.prompts,
		p.assign,
		func() error { catalog = catalog.With(p.variables()); return nil },
		p.skills,
		func() error { return p.profile(catalog) },
		func() error { return p.boundaries(catalog) },
		func() error { return p.instructions(catalog) },
	} {
		if err := step(); err != nil {
			list := asSourceErrors(err)
			if list == nil {
				return err
			}
			errs = append(errs, list...)
		}
	}
	if err := cento.Join(errs); err != nil {
		return err
	}
	if err := noteSecrets(&p.Input); err != nil {
		return err
	}
	p.engine, err = pack.NewEngine(p.Input, p.files...)
	return err
}
