package project

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project/consent"
)

// wording reads the files that word the program's own texts anew: the user's, the
// project's, and the one that the manifest names, of which only the last must exist. The
// user's own wording in their configuration goes over that of their files. There is none
// where the texts are asked for as they are built in.
func (r *reader) wording() ([]*pack.Wording, error) {
	if r.plain {
		return nil, nil
	}
	own := r.user.Wording
	sources := r.wordingFiles()
	var out []*pack.Wording
	for i, from := range sources {
		if from.trust == cento.TrustWorkspace && own != nil && (i == 0 || sources[i-1].trust == cento.TrustUser) {
			out = append(out, own)
		}
		read := r.readInside
		if from.trust == cento.TrustUser {
			read = r.readFile
		}
		f, err := read(from.path, from.at)
		switch {
		case errors.Is(err, fs.ErrNotExist) && from.at.IsZero():
			if err := r.misnamedSettings(from.path, "wording of the program's texts"); err != nil {
				return nil, err
			}
			continue
		case err != nil:
			return nil, err
		}
		w, err := pack.ParseWording(r.Show(from.path), f.Text, from.trust, r.manifest.Limits)
		if err != nil {
			return nil, namedAt(err, from.at)
		}
		out = append(out, w)
	}
	return append(out, r.request.Wording...), nil
}

// wordingFile is a file that may word the program's texts anew; at is where it is named,
// zero for one that need not be there.
type wordingFile struct {
	path  string
	trust cento.Trust
	at    cento.Position
}

// wordingFiles are those of the user, of the project, and the one that the manifest names.
func (r *reader) wordingFiles() []wordingFile {
	var out []wordingFile
	for _, name := range []string{"prompts.yaml", "prompts.toml"} {
		if r.request.Config != "" {
			out = append(out, wordingFile{path: filepath.Join(r.request.Config, name), trust: cento.TrustUser})
		}
	}
	for _, name := range []string{"prompts.yaml", "prompts.toml"} {
		out = append(out, wordingFile{path: filepath.Join(r.Base, ".cento", name), trust: cento.TrustWorkspace})
	}
	if named := r.manifest.PromptPack; named != nil {
		out = append(out, wordingFile{r.named(named.Path), cento.TrustWorkspace, named.Position})
	}
	return out
}

// texts are the fragments that people wrote, by where they stand in an input.
type texts struct {
	host      cento.Host
	primary   cento.Primary
	profile   []cento.Fragment
	fragments []cento.Fragment
}

// promptTexts are texts with what the prompt files that they name add to them.
type promptTexts struct {
	texts
	files []*pack.File
	// replaced are those of texts in whose place others stand: they are read for
	// whoever asks for a sentence of them, and nothing depends on them.
	replaced []*pack.File
	notes    []cento.Note
}

// input is one of the texts alone: it has all conditions of a prompt.
func (t *promptTexts) input(vars json.RawMessage) cento.Input {
	return cento.Input{Host: t.host, Primary: t.primary, Profile: t.profile, Fragments: t.fragments, Files: cento.Files{Vars: vars}}
}

// promptFiles opens the prompt files that texts name, with all that they include.
// What a file asks for is added to the gates of its fragment.
func (r *reader) promptFiles(from *opened, t texts) (promptTexts, error) {
	o := opener{loader: from.loader, variables: r.manifest.VarStability}
	replaced := opener{loader: from.loader}
	instruction := r.manifest.Instruction
	if f := t.primary.Instruction; f != nil {
		f := *f
		o.open(&f, instruction.Position)
		t.primary.Instruction = &f
	}
	t.primary.Parts = slices.Clone(t.primary.Parts)
	for i := range t.primary.Parts { // of a host
		o.open(&t.primary.Parts[i], t.primary.Parts[i].Origin)
	}
	t.primary.Sections = slices.Clone(t.primary.Sections)
	for i := range t.primary.Sections {
		if f := &t.primary.Sections[i]; f.ID == replacedInstructionID {
			replaced.open(f, f.Origin)
			continue
		}
		// The instruction is opened also where a layer took it out: whoever asks for
		// a sentence of it is told so.
		switch f := &t.primary.Sections[i]; {
		case f.Source == layer.InstructionSource && instruction != nil:
			o.open(f, instruction.Position)
		case f.Excluded == nil:
			o.open(f, f.Origin)
		}
	}
	t.fragments = slices.Clone(t.fragments)
	for i := range t.fragments {
		o.open(&t.fragments[i], t.fragments[i].Origin)
	}
	t.profile = slices.Clone(t.profile)
	for i := range t.profile { // of a profile that was given
		o.open(&t.profile[i], t.profile[i].Origin)
	}
	o.host(&t.host)
	return promptTexts{t, o.files, replaced.files, o.notes}, cento.Join(append(o.faults, replaced.faults...))
}

// opener opens prompt files one after the other.
type opener struct {
	loader *pack.Loader
	// variables are those of the manifest that change more often than it does.
	variables map[string]cento.Stability
	files     []*pack.File
	notes     []cento.Note
	faults    faults
}

// host opens those of all options.
func (o *opener) host(h *cento.Host) {
	for _, option := range []*cento.HostOption{
		&h.SystemPreamble, &h.SystemPrefix, &h.SystemContext, &h.SystemPromptParts, &h.SystemAppendix, &h.SystemSuffix,
	} {
		option.Parts = o.parts(option.Parts)
	}
}

// parts opens those of host parts, and gives the parts with what these add.
func (o *opener) parts(list []cento.HostPart) []cento.HostPart {
	if !namesPromptFiles(list) {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		part := &list[i]
		part.Parts = o.parts(part.Parts)
		f := cento.Fragment{
			Template: part.Template, TemplateOrigin: part.TemplateOrigin,
			RequiresTools: part.RequiresTools, RequiresCaps: part.RequiresCaps, GatesOrigin: part.GatesOrigin,
			Stability: part.Stability, Importance: part.Importance,
		}
		o.open(&f, part.Origin)
		part.RequiresTools, part.RequiresCaps, part.GatesOrigin = f.RequiresTools, f.RequiresCaps, f.GatesOrigin
		part.Stability, part.Importance = f.Stability, f.Importance
	}
	return list
}

// namesPromptFiles reports whether a part, or one in it, is a prompt file.
func namesPromptFiles(list []cento.HostPart) bool {
	return slices.ContainsFunc(list, func(p cento.HostPart) bool { return p.Template != "" || namesPromptFiles(p.Parts) })
}

// open opens the prompt file of a fragment, if it has one, and adds what it asks
// for.
func (o *opener) open(f *cento.Fragment, at cento.Position) {
	if f.Template == "" {
		return
	}
	at = cmp.Or(f.TemplateOrigin, at)
	ref, err := o.loader.ParseRef(f.Template, pack.Ref{}, at)
	if err != nil {
		o.faults = append(o.faults, sourceErrorsOf(err, at)...)
		return
	}
	file, err := o.loader.Open(ref, at)
	if err != nil {
		o.faults = append(o.faults, sourceErrorsOf(err, at)...)
		return
	}
	o.files = append(o.files, file)
	o.notes = append(o.notes, file.Notes()...)
	front := file.Front()
	*f = f.RequiringAlso(front.RequiresTools, front.RequiresCaps, front.GatesOrigin)
	if front.Stability != nil && f.Stability == cento.Static {
		f.Stability = *front.Stability
	}
	if reads, by := file.Stability(o.variables); reads > f.Stability {
		if front.Stability != nil || f.Stability > cento.Static {
			o.notes = append(o.notes, cento.Raised(f, reads, by.Name, by.Position))
		}
		f.Stability = reads
	}
	if front.Importance != nil && f.Importance == cento.Required {
		f.Importance = *front.Importance
	}
}

// sourceErrorsOf makes any error one of the input at a place.
func sourceErrorsOf(err error, at cento.Position) []*cento.SourceError {
	if list := cento.SourceErrors(err); list != nil {
		return list
	}
	return []*cento.SourceError{{Code: pack.ResolveFailed, Position: at, Message: "opening a prompt file", Err: err}}
}

// roots are where prompt files are.
func (r *reader) roots(packs []*consent.Installed) pack.Roots {
	roots := pack.Roots{
		Workspace: pack.DirOn(r.disk, filepath.Join(r.Base, filepath.FromSlash(promptFolder))),
		Packs:     make(map[string]pack.Root, len(packs)),
		Own:       r.request.Prefixes,
	}
	if r.copied {
		roots.Workspace = pack.CopyDir(r.disk, filepath.Join(r.Base, filepath.FromSlash(promptFolder)))
	}
	if r.request.Config != "" {
		roots.User = pack.DirOn(r.disk, filepath.Join(r.request.Config, userPrompts))
	}
	for _, installed := range packs {
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
	given, notes, err := p.from.assigned([]*pack.File{f}, p.Input)
	if err != nil {
		return cento.Text{}, nil, err
	}
	files := p.Input.Files
	files.Given = given
	engine, err := pack.NewEngine(cento.Input{Files: files}, f)
	if err != nil {
		return cento.Text{}, nil, err
	}
	text, err := engine.Render(f, a)
	return text, slices.Concat(f.Notes(), notes), err
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
		folder := filepath.Join(p.Base, filepath.FromSlash(p.from.manifest.Packs[i].Path), filepath.FromSlash(installed.Folder))
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
func (r *reader) variables(b basis, tools []string) pack.Variables {
	in := r.frame(b.caps, b.model, toolset{})
	return pack.Variables{
		Now: in.Files.Now, Cwd: in.Files.Cwd, AgentName: in.Files.AgentName,
		Tools: tools, Caps: b.caps, Model: pack.Model{Name: in.Active.Model, Facts: in.Model},
	}
}
