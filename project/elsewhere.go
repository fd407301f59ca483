package project

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/workspace"
)

// AsBuiltIn is the same project as if nobody had switched texts of the program's own off,
// blanked them or worded them anew, for whoever asks for a sentence of them; nil where
// nobody did. Tool servers aren't asked again, and are left out.
func (p *Project) AsBuiltIn(ctx context.Context) (*Project, error) {
	if p.catalog == nil {
		return nil, nil // recorded: what was off isn't known
	}
	r, m, d := *p.from, *p.from.manifest, manifest.Defaults()
	changed := len(p.Input.Files.Wording) > 0
	if m.ScopeOff {
		m.ScopeOff, changed = false, true
	}
	if m.Profile.IsZero() && r.request.Profile == nil {
		m.Profile, changed = d.Profile, true
	}
	if m.Instructions.Convention == workspace.NoInstructions {
		m.Instructions.Convention, changed = d.Instructions.Convention, true
	}
	if m.Instruction == nil && m.Primary.System == nil {
		m.Instruction, changed = d.Instruction, true
	}
	if s := r.skillSettings(); !s.On || !s.Catalog {
		own := manifest.DefaultSkills()
		own.Exclude, own.Active = s.Exclude, s.Active
		m.Skills, changed = &own, true
	}
	for _, text := range []**cento.Text{&m.Primary.MCPAdvisory, &m.Primary.ProgressTool, &m.Primary.LoopContract, &m.Primary.ToolContract} {
		if *text != nil {
			*text, changed = nil, true
		}
	}
	if !changed {
		return nil, nil
	}
	m.Tools.Servers = nil
	r.manifest, r.plain, r.shared = &m, true, &shared{}
	return r.collected(ctx, p.looked)
}

// SkillsThere are the skills of the project, also where they are off; nil where they can't
// be looked for.
func (p *Project) SkillsThere() *FoundSkills {
	if p.Skills != nil || p.catalog == nil {
		return p.Skills
	}
	found, _ := p.from.findSkills(false) // that an active one is missing was told
	return found
}

// ManifestText is the manifest as it is written, and the name that people know for it;
// both empty where there is none.
func (p *Project) ManifestText() (name, text string) { return p.from.manifestText() }

func (r *reader) manifestText() (name, text string) {
	switch {
	case r.request.ManifestText != nil:
		return r.request.ManifestName, r.text
	case r.text != "":
		return r.Show(r.ManifestPath), r.text
	}
	return "", ""
}

// SettingFiles are the files of keys and values that a project is read from beside its
// manifest, by the names that people know, each once: those of tools and contracts, of the
// wording of the program's texts, and the user's configuration. They need not be there.
func (p *Project) SettingFiles() []string {
	if p.catalog == nil {
		return nil // recorded: it has no files
	}
	r := p.from
	paths := []string{}
	if r.request.ToolsName != "" && r.request.ToolsText == nil {
		paths = append(paths, r.inDir(r.request.ToolsName))
	}
	paths = append(paths, p.ToolFiles()...)
	for _, c := range r.manifest.Contracts {
		paths = append(paths, r.named(c.Path))
	}
	for _, f := range r.wordingFiles() {
		paths = append(paths, f.path)
	}
	if r.request.Config != "" {
		paths = append(paths, filepath.Join(r.request.Config, manifest.ConfigName))
	}
	var out []string
	for _, path := range paths {
		if name := p.Show(path); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// SettingPosition is where the manifest, with its target laid on it, says what a key is,
// such as project and instructions; zero where it doesn't say it.
func (p *Project) SettingPosition(path ...string) cento.Position {
	return p.from.manifest.SettingPosition(path...)
}

// SettingNamePosition is where it names the key; zero where it doesn't.
func (p *Project) SettingNamePosition(path ...string) cento.Position {
	return p.from.manifest.SettingNamePosition(path...)
}

// ModelPosition is where the model is named; zero where the caller names it, or nobody.
func (p *Project) ModelPosition() cento.Position {
	if p.from.request.Model != "" {
		return p.from.request.ModelAt
	}
	return p.from.manifest.ModelAt
}
