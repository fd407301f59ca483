package project

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/workspace"
	"github.com/cento-dev/cento/workspace/skill"
)

// skillFolders are where skills lie, from a folder of the project or from the
// user's home.
var skillFolders = []string{".cento/skills", ".claude/skills", ".agents/skills"}

// skillIDPrefix begins the id of the fragment of an active skill.
const skillIDPrefix, skillSource = "skill:", "skill"

// FoundSkills are the skills of a project, with what becomes of them.
type FoundSkills struct {
	*skill.Set
	// On: skills are used. Catalog: they are listed, with as many descriptions as
	// Budget bytes hold.
	On, Catalog bool
	Budget      int
	// Described is how many lines of the catalogue have their description.
	Described int
	// Notes are those of the set and of the catalogue.
	Notes []cento.Note

	listed   []cento.ListedSkill // the lines of the catalogue; none where it is off
	settings manifest.Skills     // those in force
	active   []*skill.Skill
}

// skillSettings are those of the manifest, else the user's; what the user
// excludes is excluded whatever a manifest says. Skills that the request names
// are active instead of those.
func (r *reader) skillSettings() manifest.Skills {
	own := r.user.Skills
	s := manifest.DefaultSkills()
	if r.manifest.Skills != nil {
		s = *r.manifest.Skills
	} else if own != nil {
		s = *own
	}
	if own != nil && r.manifest.Skills != nil {
		s.Exclude = append(slices.Clone(own.Exclude), s.Exclude...)
	}
	if r.request.Skills != nil {
		s.On, s.Active = true, nil
		for _, name := range r.request.Skills {
			if !slices.ContainsFunc(s.Active, func(a manifest.SkillName) bool { return a.Name == name }) {
				s.Active = append(s.Active, manifest.SkillName{Name: name})
			}
		}
	}
	return s
}

// findSkills looks for the skills of the project, also where they are off, and with
// others for those that lie where other clients look. The error is that of a skill which
// is to be active and can't be.
func (r *reader) findSkills(others bool) (*FoundSkills, error) {
	settings := r.skillSettings()
	f := &FoundSkills{
		Set: skill.Discover(r.skillFolders(others), r.manifest.Limits),
		On:  settings.On, Catalog: settings.Catalog, Budget: settings.Budget, settings: settings,
	}
	f.Notes = slices.Clone(f.Set.Notes)
	excluded := make(map[string]cento.Position, len(f.settings.Exclude))
	for _, x := range f.settings.Exclude {
		excluded[x.Name] = x.Position
	}
	for i := range f.Skills {
		x := &f.Skills[i]
		if at, out := excluded[x.Name]; out {
			x.Status, x.Reason = skill.Excluded, "excluded"
			if !at.IsZero() {
				x.Reason += " in " + at.String()
			}
		}
	}
	if f.On {
		f.Notes = append(f.Notes, f.nearExcluded()...)
	}
	usable, byName := f.Usable(), map[string]*skill.Skill{}
	for _, x := range usable {
		byName[x.Name] = x
	}
	var errs []*cento.SourceError
	for _, named := range f.settings.Active {
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
	if f.settings.Catalog {
		f.list(usable, r.fromCwd)
	}
	return f, cento.Join(errs)
}

// nearExcluded tells of excluded skills that aren't there where one of nearly the name is,
// which stays listed.
func (f *FoundSkills) nearExcluded() []cento.Note {
	names := make([]string, len(f.Skills))
	for i := range f.Skills {
		names[i] = f.Skills[i].Name
	}
	var notes []cento.Note
	var propose proposer
	for _, x := range f.settings.Exclude {
		if slices.Contains(names, x.Name) {
			continue
		}
		if near, ok := propose.near(x.Name, names); ok {
			notes = append(notes, cento.Note{
				Code: SkillUndefined, Position: x.Position,
				Message: fmt.Sprintf("the skill %q is excluded, and there is none; did you mean %q?", x.Name, near),
			})
		}
	}
	return firstOf(notes, SkillUndefined, "skills")
}

// cannotBeActive says why a skill that is named isn't there.
func (f *FoundSkills) cannotBeActive(named manifest.SkillName, usable []*skill.Skill) []*cento.SourceError {
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
func (f *FoundSkills) list(usable []*skill.Skill, named func(path string) string) {
	var listed []*skill.Skill
	for _, x := range usable {
		if x.DisableModelInvocation {
			if x.Status == skill.Usable {
				x.Reason = "not listed: disable-model-invocation"
			}
			continue
		}
		listed = append(listed, x)
		line := x.Listed
		line.Path = cento.Text{
			Body: workspace.Visible(named(f.File(x))), Trust: x.Trust, Origin: cento.Position{File: x.Path, Line: 1, Column: 1},
		}
		line.Path.Runs = []cento.Run{{End: len(line.Path.Body), Position: line.Path.Origin, Trust: x.Trust, Fixed: true}}
		f.listed = append(f.listed, line)
	}
	f.Described = skill.Fit(f.listed, f.settings.Budget)
	for i := f.Described; i < len(f.listed); i++ {
		f.listed[i].Description = cento.Text{}
		f.Notes = append(f.Notes, cento.Note{
			Code: skill.DescriptionCut, Fragment: cento.SkillCatalogID, Position: cento.Position{File: listed[i].Path},
			Message: fmt.Sprintf("the skill %q is listed without its description of %d bytes: the list is over its budget of %d bytes",
				listed[i].Name, len(listed[i].Listed.Description.Body), f.settings.Budget),
		})
	}
	f.noteUnlisted(usable)
}

// noteUnlisted tells in one note of the skills that keep themselves out of the list.
func (f *FoundSkills) noteUnlisted(usable []*skill.Skill) {
	const shown = 5
	var names []string
	var first *skill.Skill
	for _, x := range usable {
		if x.Reason != "" {
			names, first = append(names, strconv.Quote(x.Name)), cmp.Or(first, x)
		}
	}
	if len(names) == 0 {
		return
	}
	said := "the skill " + names[0] + " isn't listed, since its front matter has disable-model-invocation; it can be made active"
	if n := len(names); n > 1 {
		said = strings.Join(names[:min(n, shown)], ", ")
		if n > shown {
			said += fmt.Sprintf(" and %d more", n-shown)
		}
		said = "the skills " + said + " aren't listed, since their front matter has disable-model-invocation; they can be made active"
	}
	f.Notes = append(f.Notes, cento.Note{Code: skill.Unlisted, Fragment: cento.SkillCatalogID, Position: cento.Position{File: first.Path}, Message: said})
}

// fromCwd names a file so that it is found from the folder of the run: that is
// where an agent's tools look.
func (r *reader) fromCwd(file string) string {
	if _, ok := below(r.Root.Dir, file); ok {
		if rel, err := filepath.Rel(filepath.FromSlash(r.Root.Cwd), file); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return r.Show(file)
}

// summary says in a few words how many skills there are.
func (f *FoundSkills) summary() string {
	text := fmt.Sprintf("%d skills listed", len(f.listed))
	if len(f.listed) == 1 {
		text = "1 skill listed"
	}
	if cut := len(f.listed) - f.Described; cut > 0 {
		text += fmt.Sprintf(", %d by name alone", cut)
	}
	if len(f.active) > 0 {
		text += fmt.Sprintf(", %d active", len(f.active))
	}
	return text
}

// activeSkills finds the skills and reads the texts of the active ones; nil where
// skills are off.
func (r *reader) activeSkills() (*FoundSkills, []cento.Fragment, error) {
	if !r.skillSettings().On {
		return nil, nil, nil
	}
	found, err := r.findSkills(false)
	if err != nil {
		return nil, nil, err
	}
	var texts []cento.Fragment
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
		if found.settings.Gate && len(doc.Tools()) > 0 {
			f.RequiresTools, f.GatesOrigin = doc.Tools(), &cento.GateOrigins{Tools: doc.ToolPlaces()}
		}
		texts = append(texts, f)
	}
	return found, texts, cento.Join(errs)
}

// skillFolders are the folders where skills may lie, the user's first, so that
// none of a project takes the place of one of theirs; then those of the project,
// nearest to the folder of the run first. With others, those where only other clients
// look are among them.
func (r *reader) skillFolders(others bool) []skill.Folder {
	show := func(path string) string { return workspace.Visible(r.Show(path)) }
	var out, elsewhere []skill.Folder
	add := func(root, rel string, at skill.At, trust cento.Trust) {
		f := skill.Folder{Disk: r.disk, Root: root, At: at, Trust: trust, Show: show}
		for _, f.Place = range skillFolders {
			f.Name = path.Join(rel, f.Place)
			out = append(out, f)
		}
		if !others {
			return
		}
		f.Other = true
		for _, f.Place = range skill.Places(at == skill.Home) {
			if f.Name = path.Join(rel, f.Place); !slices.Contains(skillFolders, f.Place) {
				elsewhere = append(elsewhere, f)
			}
		}
	}
	if r.config != "" {
		out = append(out, skill.Folder{Disk: r.disk, Root: r.config, Name: "skills", Trust: cento.TrustUser, Show: show})
	}
	if r.home != "" {
		add(r.home, "", skill.Home, cento.TrustUser)
	}
	root, cwd := filepath.FromSlash(r.Root.Dir), filepath.FromSlash(r.Root.Cwd)
	dirs := []string{}
	for dir := cwd; ; dir = filepath.Dir(dir) {
		if _, ok := below(root, dir); !ok {
			break
		}
		dirs = append(dirs, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if !slices.Contains(dirs, r.Base) { // the manifest stands elsewhere
		dirs = append(dirs, r.Base)
	}
	for _, dir := range dirs {
		top, at := root, skill.Up
		rel, ok := below(top, dir)
		switch {
		case !ok:
			top, rel, at = dir, ".", skill.Nowhere
		case dir == cwd:
			at = skill.Here
		}
		add(top, rel, at, cento.TrustWorkspace)
	}
	if others {
		for _, place := range skill.OnDemandPlaces() {
			for _, rel := range workspace.FoldersBelow(r.disk, root, cwd, place) {
				elsewhere = append(elsewhere, skill.Folder{
					Disk: r.disk, Root: root, Name: path.Join(rel, place), Place: place, At: skill.Under, Other: true, Trust: cento.TrustWorkspace, Show: show,
				})
			}
		}
	}
	return append(out, elsewhere...) // behind, so that they take no room from the others
}

// FindSkills looks for the skills of a project without making its prompt. The
// error is one of the manifest or the configuration, or tells that a skill can't
// be active; in the last case the skills are there too.
func (site Site) FindSkills(ctx context.Context, r Request) (*FoundSkills, error) {
	p, err := site.read(r)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return p.findSkills(true)
}
