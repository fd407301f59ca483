package project

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/skill"
	"github.com/cento-dev/cento/workspace"
)

// DefaultSkillBudget is how many bytes the catalogue of skills takes before
// descriptions are left out: about two thousand tokens.
const DefaultSkillBudget = 8000

// UnknownSkill: a skill that is to be active was not found.
const UnknownSkill cento.ErrorCode = "skill.unknown"

// skillFolders are where skills lie, from a folder of the project or from the
// user's home.
var skillFolders = []string{".cento/skills", ".claude/skills", ".agents/skills"}

// skillIDPrefix begins the id of the fragment of an active skill.
const skillIDPrefix, skillSource = "skill:", "skill"

// Skills say which skills are used, and how.
type Skills struct {
	// On: skills are looked for. Without it the rest has no meaning.
	On bool `json:"on"`
	// Active are the skills whose text is in the prompt, in this order.
	Active []SkillName `json:"active,omitempty"`
	// Exclude are skills that are neither listed nor can be active.
	Exclude []SkillName `json:"exclude,omitempty"`
	// Catalog lists all skills, with as many descriptions as Budget bytes hold.
	Catalog bool `json:"catalog"`
	Budget  int  `json:"budget"`
	// Gate: an active skill is in only when all its allowed tools are active.
	Gate bool `json:"gate,omitempty"`
}

// SkillName names a skill, and knows where.
type SkillName struct {
	Name     string         `json:"name"`
	Position cento.Position `json:"position,omitzero"`
}

// skillsFile is a word, or a map that says more.
type skillsFile struct{ Skills }

// skillsMap is the long form.
type skillsMap struct {
	Active  []text `json:"active,omitempty" jsonschema:"Names of the skills whose text is in the prompt, in this order."`
	Exclude []text `json:"exclude,omitempty" jsonschema:"Names of skills that are neither listed nor active."`
	Catalog *bool  `json:"catalog,omitempty" jsonschema:"False: the prompt doesn't list the skills that there are; default true."`
	Budget  *count `json:"budget,omitempty" jsonschema:"How many bytes the list takes before descriptions are left out, the last by name first; default 8000."`
	Gate    bool   `json:"gate,omitempty" jsonschema:"True: an active skill is in only when every tool of its allowed-tools is active; default false."`
}

func (s *skillsFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	s.Skills = Skills{On: true, Catalog: true, Budget: DefaultSkillBudget}
	if n.Kind() != strict.Map {
		switch word, ok := n.Text(); {
		case ok && word == "auto":
		case ok && (word == "off" || word == "false"):
			s.Skills = Skills{}
		case ok:
			d.Fail(n.Position(), strict.WrongValue, "expected \"auto\", \"off\" or a map, got %q", word).Hint = "a skill is made active by skills: {active: [name]}"
		default:
			d.Expected(n, `"auto", "off" or a map`)
		}
		return
	}
	var m skillsMap
	d.Decode(n, &m)
	if m.Catalog != nil {
		s.Catalog = *m.Catalog
	}
	if m.Budget != nil {
		s.Budget = m.Budget.Value
	}
	s.Gate = m.Gate
	d.In("active", func() { s.Active = skillNames(d, m.Active) })
	d.In("exclude", func() { s.Exclude = skillNames(d, m.Exclude) })
	for _, x := range s.Exclude {
		if i := slices.IndexFunc(s.Active, func(a SkillName) bool { return a.Name == x.Name }); i >= 0 {
			e := d.Fail(x.Position, Conflict, "the skill %q is both active and excluded", x.Name)
			e.Related = []cento.Related{{Position: s.Active[i].Position, Message: "active here"}}
			e.Hint = "keep one of the two"
		}
	}
}

// skillNames checks names, each of which may stand once.
func skillNames(d *strict.Decoder, list []text) []SkillName {
	var out []SkillName
	for i := range list {
		name, ok := list[i].Text()
		if !ok {
			continue // of another kind, as was reported
		}
		at := list[i].Position()
		d.InItem(i, func() {
			if strings.TrimSpace(name) == "" {
				d.Fail(at, strict.WrongValue, "a blank name").Hint = "a skill has the name of its folder"
				return
			}
			if j := slices.IndexFunc(out, func(n SkillName) bool { return n.Name == name }); j >= 0 {
				e := d.Fail(at, Conflict, "the skill %q is named twice", name)
				e.Related = []cento.Related{{Position: out[j].Position, Message: "the other one"}}
				return
			}
			out = append(out, SkillName{Name: name, Position: at})
		})
	}
	return out
}

// settingsOf is what is said, nil for nothing.
func (s *skillsFile) settings() *Skills {
	if s == nil {
		return nil
	}
	return &s.Skills
}

// FoundSkills are the skills of a project, with what becomes of them.
type FoundSkills struct {
	*skill.Set
	// Settings are those in force.
	Settings Skills
	// Listed are the lines of the catalogue, and Described how many of them have
	// their description. Nothing is listed where the catalogue is off.
	Listed    []cento.ListedSkill
	Described int
	// Notes are those of the set and of the catalogue.
	Notes []cento.Note

	active []*skill.Skill
}

// skillSettings are those of the manifest, else the user's; what the user
// excludes is excluded whatever a manifest says. Skills that the request names
// are active instead of those.
func (p *Project) skillSettings() Skills {
	var s Skills
	own := p.settings.skills
	if p.Manifest.Skills != nil {
		s = *p.Manifest.Skills
	} else if own != nil {
		s = *own
	}
	if own != nil && p.Manifest.Skills != nil {
		s.Exclude = append(slices.Clone(own.Exclude), s.Exclude...)
	}
	if p.request.Skills != nil {
		s.On, s.Active = true, nil
		for _, name := range p.request.Skills {
			if !slices.ContainsFunc(s.Active, func(a SkillName) bool { return a.Name == name }) {
				s.Active = append(s.Active, SkillName{Name: name})
			}
		}
	}
	return s
}

// FindSkills looks for the skills of the project, also where they are off. The
// error is that of a skill which is to be active and can't be.
func (p *Project) FindSkills() (*FoundSkills, error) {
	f := &FoundSkills{Settings: p.skillSettings(), Set: skill.Discover(p.skillFolders(), p.Manifest.Limits)}
	f.Notes = slices.Clone(f.Set.Notes)
	excluded := make(map[string]cento.Position, len(f.Settings.Exclude))
	for _, x := range f.Settings.Exclude {
		excluded[x.Name] = x.Position
	}
	byName := map[string]*skill.Skill{}
	var usable []*skill.Skill
	for i := range f.Skills {
		x := &f.Skills[i]
		if at, out := excluded[x.Name]; out {
			x.Status, x.Reason = skill.Excluded, "excluded"
			if !at.IsZero() {
				x.Reason += " in " + at.String()
			}
		}
		if x.Status == skill.Usable {
			usable = append(usable, x)
			byName[x.Name] = x
		}
	}
	var errs []*cento.SourceError
	for _, named := range f.Settings.Active {
		if at, out := excluded[named.Name]; out {
			f.Notes = append(f.Notes, cento.Note{
				Code: skill.NotUsable, Position: named.Position,
				Message: fmt.Sprintf("the skill %q is not active: %s excludes it", named.Name, at),
			})
			continue
		}
		x := byName[named.Name]
		if x == nil {
			errs = append(errs, f.cannotBeActive(named, usable)...)
			continue
		}
		x.Status = skill.Active
		f.active = append(f.active, x)
	}
	if f.Settings.Catalog {
		f.list(usable)
	}
	return f, cento.Join(errs)
}

// cannotBeActive says why a skill that is named isn't there.
func (f *FoundSkills) cannotBeActive(named SkillName, usable []*skill.Skill) []*cento.SourceError {
	for i := range f.Skills {
		x := &f.Skills[i]
		if x.Name == named.Name && x.Status == skill.Invalid {
			list := sourceErrorsOf(x.Err, cento.Position{File: x.Path})
			for _, e := range list {
				e.Related = append(e.Related, cento.Related{Position: named.Position, Message: fmt.Sprintf("the skill %q is made active here", named.Name)})
			}
			return list
		}
	}
	known := make([]string, len(usable))
	for i, x := range usable {
		known[i] = x.Name
	}
	e := &cento.SourceError{Code: UnknownSkill, Position: named.Position, Message: fmt.Sprintf("there is no skill %q", named.Name)}
	if e.Hint = strict.UnknownHint(named.Name, known); len(known) == 0 {
		e.Hint = "no skill was found; they lie in .cento/skills, .claude/skills or .agents/skills"
	}
	return []*cento.SourceError{e}
}

// list makes the lines of the catalogue.
func (f *FoundSkills) list(usable []*skill.Skill) {
	for _, x := range usable {
		f.Listed = append(f.Listed, x.Listed)
	}
	f.Described = skill.Fit(f.Listed, f.Settings.Budget)
	for i := f.Described; i < len(f.Listed); i++ {
		f.Listed[i].Description = cento.Text{}
		f.Notes = append(f.Notes, cento.Note{
			Code: skill.DescriptionCut, Fragment: cento.SkillCatalogID, Position: cento.Position{File: usable[i].Path},
			Message: fmt.Sprintf("the skill %q is listed without its description of %d bytes: the list is over its budget of %d bytes",
				usable[i].Name, len(usable[i].Listed.Description.Body), f.Settings.Budget),
		})
	}
}

// summary says in a few words how many skills there are.
func (f *FoundSkills) summary() string {
	said := fmt.Sprintf("%d skills listed", len(f.Listed))
	if len(f.Listed) == 1 {
		said = "1 skill listed"
	}
	if cut := len(f.Listed) - f.Described; cut > 0 {
		said += fmt.Sprintf(", %d by name alone", cut)
	}
	if len(f.active) > 0 {
		said += fmt.Sprintf(", %d active", len(f.active))
	}
	return said
}

// skills puts the active skills and the list of all into the input.
func (p *Project) skills() error {
	if !p.skillSettings().On {
		return nil
	}
	found, err := p.FindSkills()
	if err != nil {
		return err
	}
	p.Skills = found
	p.Input.Notes = append(p.Input.Notes, found.Notes...)
	p.Input.Files.Skills = found.Listed
	var errs []*cento.SourceError
	for _, x := range found.active {
		doc, err := found.Load(x)
		if err != nil {
			errs = append(errs, sourceErrorsOf(err, cento.Position{File: x.Path})...)
			continue
		}
		f := cento.Fragment{
			ID: skillIDPrefix + x.Name, Source: skillSource,
			Body: doc.Body.Body, Trust: doc.Body.Trust, Origin: doc.Body.Origin,
		}
		if found.Settings.Gate {
			f.RequiresTools = doc.Tools()
		}
		p.Input.Primary.Skills = append(p.Input.Primary.Skills, f)
	}
	return cento.Join(errs)
}

// skillFolders are the folders where skills may lie, the user's first, so that
// none of a project takes the place of one of theirs; then those of the project,
// nearest to the folder of the run first.
func (p *Project) skillFolders() []skill.Folder {
	show := func(path string) string { return workspace.Visible(p.Show(path)) }
	var out []skill.Folder
	if p.config != "" {
		out = append(out, skill.Folder{Root: p.config, Name: "skills", Trust: cento.TrustUser, Show: show})
	}
	if p.home != "" {
		for _, name := range skillFolders {
			out = append(out, skill.Folder{Root: p.home, Name: name, Trust: cento.TrustUser, Show: show})
		}
	}
	root := filepath.FromSlash(p.Root.Dir)
	dirs := []string{}
	for dir := filepath.FromSlash(p.Root.Cwd); ; dir = filepath.Dir(dir) {
		if _, ok := below(root, dir); !ok {
			break
		}
		dirs = append(dirs, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if !slices.Contains(dirs, p.Base) { // the manifest stands elsewhere
		dirs = append(dirs, p.Base)
	}
	for _, dir := range dirs {
		top := root
		rel, ok := below(top, dir)
		if !ok {
			top, rel = dir, "."
		}
		for _, name := range skillFolders {
			if rel != "." {
				name = rel + "/" + name
			}
			out = append(out, skill.Folder{Root: top, Name: name, Trust: cento.TrustWorkspace, Show: show})
		}
	}
	return out
}

// FindSkills looks for the skills of a project without making its prompt. The
// error is one of the manifest or the configuration, or tells that a skill can't
// be active; in the last case the skills are there too.
func (place Place) FindSkills(ctx context.Context, r Request) (*FoundSkills, error) {
	p, err := place.open(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := p.readConfig(); err != nil {
		return nil, err
	}
	return p.FindSkills()
}
