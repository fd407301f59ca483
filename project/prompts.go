package project

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// wording reads what words the program's own texts anew: the user's file, the
// project's, and the one that the manifest names. Of these only the last must
// exist.
func (p *Project) wording() ([]*pack.Wording, error) {
	type source struct {
		path  string
		trust cento.Trust
		at    cento.Position
	}
	var sources []source
	for _, name := range []string{"prompts.yaml", "prompts.toml"} {
		if p.request.Config != "" {
			sources = append(sources, source{path: filepath.Join(p.request.Config, name), trust: cento.TrustUser})
		}
	}
	for _, name := range []string{"prompts.yaml", "prompts.toml"} {
		sources = append(sources, source{path: filepath.Join(p.Base, ".cento", name), trust: cento.TrustWorkspace})
	}
	if named := p.Manifest.PromptPack; named != nil {
		sources = append(sources, source{p.named(named.Path), cento.TrustWorkspace, named.Position})
	}
	var out []*pack.Wording
	for i, from := range sources {
		if from.trust == cento.TrustWorkspace && p.settings.wording != nil && (i == 0 || sources[i-1].trust == cento.TrustUser) {
			out = append(out, p.settings.wording)
		}
		read := p.readInside
		if from.trust == cento.TrustUser {
			read = p.readFile
		}
		f, err := read(from.path, from.at)
		switch {
		case errors.Is(err, fs.ErrNotExist) && from.at.IsZero():
			continue
		case err != nil:
			return nil, err
		}
		w, err := pack.ParseWording(p.Show(from.path), f.Text, from.trust, p.Manifest.Limits)
		if err != nil {
			return nil, namedAt(err, from.at)
		}
		out = append(out, w)
	}
	return out, nil
}

// prompts opens the prompt files that the input names, with all that they
// include. What a file asks for is added to the gates of its fragment.
func (p *Project) prompts() error {
	var errs []*cento.SourceError
	// Sections of layers stand instead of an instruction that nobody named.
	if ref := p.Manifest.Instruction; ref != nil && !(p.Layered() && ref.Position.IsZero()) {
		p.Input.Primary.Instruction = &cento.Fragment{
			Template: ref.Ref.String(), Trust: ref.Ref.Prefix().Trust(),
			Origin: cento.Position{File: ref.Ref.Path(), Line: 1, Column: 1},
		}
		errs = append(errs, p.prompt(p.Input.Primary.Instruction, ref.Position)...)
	}
	for i := range p.Input.Primary.Sections {
		if f := &p.Input.Primary.Sections[i]; f.Excluded == nil {
			errs = append(errs, p.prompt(f, f.Origin)...)
		}
	}
	p.Input.Fragments = slices.Clone(p.Input.Fragments)
	for i := range p.Input.Fragments {
		f := &p.Input.Fragments[i]
		errs = append(errs, p.prompt(f, f.Origin)...)
	}
	for i := range p.Input.Profile { // of a profile that was given
		f := &p.Input.Profile[i]
		errs = append(errs, p.prompt(f, f.Origin)...)
	}
	for _, o := range []*cento.HostOption{
		&p.Input.Host.SystemPreamble, &p.Input.Host.SystemPrefix, &p.Input.Host.SystemContext,
		&p.Input.Host.SystemPromptParts, &p.Input.Host.SystemAppendix, &p.Input.Host.SystemSuffix,
	} {
		errs = append(errs, p.hostPrompts(&o.Parts)...)
	}
	return cento.Join(errs)
}

// hostPrompts is prompts for the parts of a host option.
func (p *Project) hostPrompts(parts *[]cento.HostPart) []*cento.SourceError {
	var errs []*cento.SourceError
	*parts = slices.Clone(*parts)
	for i := range *parts {
		part := &(*parts)[i]
		errs = append(errs, p.hostPrompts(&part.Parts)...)
		f := cento.Fragment{
			Template: part.Template, RequiresTools: part.RequiresTools, RequiresCaps: part.RequiresCaps,
			Stability: part.Stability, Importance: part.Importance,
		}
		errs = append(errs, p.prompt(&f, part.Origin)...)
		part.RequiresTools, part.RequiresCaps, part.Stability, part.Importance = f.RequiresTools, f.RequiresCaps, f.Stability, f.Importance
	}
	return errs
}

// prompt opens the prompt file of a fragment, if it has one.
func (p *Project) prompt(f *cento.Fragment, at cento.Position) []*cento.SourceError {
	if f.Template == "" {
		return nil
	}
	ref, err := pack.ParseRef(f.Template, pack.Ref{}, at)
	if err != nil {
		return sourceErrorsOf(err, at)
	}
	file, err := p.loader.Open(ref, at)
	if err != nil {
		return sourceErrorsOf(err, at)
	}
	p.files = append(p.files, file)
	p.Input.Notes = append(p.Input.Notes, file.Notes()...)
	front := file.Front()
	f.RequiresTools = slices.Concat(f.RequiresTools, front.RequiresTools)
	f.RequiresCaps = slices.Concat(f.RequiresCaps, front.RequiresCaps)
	if front.Stability != nil && f.Stability == cento.Static {
		f.Stability = *front.Stability
	}
	if front.Importance != nil && f.Importance == cento.Required {
		f.Importance = *front.Importance
	}
	file.AddTo(&p.Input.Files)
	return nil
}

// sourceErrorsOf makes any error one of the input at a place.
func sourceErrorsOf(err error, at cento.Position) []*cento.SourceError {
	if list := asSourceErrors(err); list != nil {
		return list
	}
	return []*cento.SourceError{{Code: pack.ResolveFailed, Position: at, Message: "opening a prompt file", Err: err}}
}

// roots are where prompt files are.
func (p *Project) roots() pack.Roots {
	roots := pack.Roots{
		Workspace: pack.Dir(filepath.Join(p.Base, filepath.FromSlash(promptFolder))),
		Packs:     make(map[string]pack.Root, len(p.packs)),
	}
	if p.request.Config != "" {
		roots.User = pack.Dir(filepath.Join(p.request.Config, userPrompts))
	}
	for _, installed := range p.packs {
		roots.Packs[installed.Name] = installed.Prompts
	}
	return roots
}

// Loader finds the prompt files of the project.
func (p *Project) Loader() *pack.Loader { return p.loader }

// Files are the prompt files that the project's fragments name, as they were
// read, with all that they include.
func (p *Project) Files() []*pack.File { return slices.Clone(p.files) }

// Render gives the text of a prompt file for an active set, with the variables
// of the project. Its errors are those of [pack.File.Render], and what is wrong
// with the variables.
func (p *Project) Render(f *pack.File, a cento.Active) (cento.Text, []cento.Note, error) {
	q := *p
	q.files, q.Input.Notes = []*pack.File{f}, f.Notes()
	if err := q.assign(); err != nil {
		return cento.Text{}, nil, err
	}
	engine, err := pack.NewEngine(cento.Input{Files: q.Input.Files}, f)
	if err != nil {
		return cento.Text{}, nil, err
	}
	text, err := engine.Render(f, a)
	return text, q.Input.Notes, err
}

// Reference names the prompt file at a path, relative to the folder of the run,
// if it lies where prompt files do.
func (p *Project) Reference(name string) (pack.Ref, bool) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(p.Root.Cwd, name)
	}
	try := func(prefix pack.Prefix, folder string) (pack.Ref, bool) {
		rel, ok := below(folder, name)
		if !ok {
			return pack.Ref{}, false
		}
		ref, err := pack.ParseRef(string(prefix)+"/"+rel, pack.Ref{}, cento.Position{})
		return ref, err == nil && ref.File() == rel
	}
	if ref, ok := try(pack.Workspace, filepath.Join(p.Base, filepath.FromSlash(promptFolder))); ok {
		return ref, true
	}
	for i, installed := range p.packs {
		folder := filepath.Join(p.Base, filepath.FromSlash(p.Manifest.Packs[i].Path), filepath.FromSlash(installed.Folder))
		if ref, ok := try(pack.PackPrefix(installed.Name), folder); ok {
			return ref, true
		}
	}
	if p.config != "" {
		return try(pack.User, filepath.Join(p.config, userPrompts))
	}
	return pack.Ref{}, false
}

// variables are what the wording of sections and notices can read beside the
// variables of its key: the active set as the project has it. A what-if that
// changes the input later doesn't word these texts again, other than the parts
// of the primary block.
func (p *Project) variables() pack.Variables {
	return pack.Variables{
		Now: p.Input.Files.Now, Cwd: p.Input.Files.Cwd, AgentName: p.Input.Files.AgentName,
		Tools: p.Input.ActiveTools(), Caps: p.Input.Active.Caps, Model: pack.Model{Name: p.Input.Active.Model},
	}
}
