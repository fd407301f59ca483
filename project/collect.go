package project

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// collection is what the steps of collecting found, in their order.
type collection struct {
	basis         basis
	catalog       *pack.Catalog // as people worded it
	catalogNotes  []cento.Note
	tools         toolset
	fragments     []cento.Fragment // of the manifest
	contractNotes []cento.Note
	plan          sectionPlan
	written       promptTexts
	given         json.RawMessage // the variables of the request
	unread        []cento.Note
	skills        *FoundSkills // nil: off
	skillTexts    []cento.Fragment
	profile       []cento.Fragment
	scope         *workspace.Scope // nil: none
	boundaries    *cento.Text
	instructions  *workspace.Instructions
	section       *cento.Text // of the instructions
	headings      cento.Headings
	budget        *cento.Budget // nil: none
}

// collected is collect, with the settings beside the limits that they set.
func (r *reader) collected(ctx context.Context, looked *foundProfile) (*Project, error) {
	p, err := r.collect(ctx, looked)
	return p, r.pathed(r.manifest.LocateLimit(err), r.path)
}

// collect reads everything that the prompt depends on. A step takes the values
// that it needs and gives what it found; [reader.input] puts that together. What
// is wrong with the files of one step doesn't hide what is wrong with those of
// the next. The project's files are looked at, unless they were before.
func (r *reader) collect(ctx context.Context, looked *foundProfile) (*Project, error) {
	var c collection
	var err error
	if c.basis, err = r.basis(looked); err != nil {
		return nil, err
	}
	if c.catalog, c.catalogNotes, err = r.catalog(c.basis); err != nil {
		return nil, err
	}
	var faults faults
	if c.tools, err = r.tools(ctx); faults.fatal(err) {
		return nil, err
	}
	catalog := c.catalog.With(r.variables(c.basis, c.tools.Names()))
	if c.fragments, c.contractNotes, err = r.contracts(); faults.fatal(err) {
		return nil, err
	}
	if c.plan, err = r.layers(c.basis, catalog); faults.fatal(err) {
		return nil, err
	}
	if c.written, err = r.promptFiles(c.basis.opened, texts{r.framing(), c.plan.primary, c.basis.given(), c.fragments}); faults.fatal(err) {
		return nil, err
	}
	if c.given, c.unread, err = r.assigned(c.written.files, c.written.input(r.manifest.Vars)); faults.fatal(err) {
		return nil, err
	}
	if c.headings, err = headings(catalog); faults.fatal(err) {
		return nil, err
	}
	if c.skills, c.skillTexts, err = r.activeSkills(); faults.fatal(err) {
		return nil, err
	}
	if c.profile, err = c.basis.sentences(catalog, c.written.profile); faults.fatal(err) {
		return nil, err
	}
	if c.scope, c.boundaries, err = r.boundaries(catalog); faults.fatal(err) {
		return nil, err
	}
	if c.instructions, c.section, err = r.instructions(catalog); faults.fatal(err) {
		return nil, err
	}
	var contradicted []cento.Note
	c.profile, contradicted = c.basis.agreed(c.profile, c.instructions)
	c.instructions.Notes = append(c.instructions.Notes, contradicted...)
	if c.budget, err = r.budget(c.basis.model); faults.fatal(err) {
		return nil, err
	}
	if err := cento.Join(faults); err != nil {
		return nil, err
	}
	in, err := r.input(&c)
	if err != nil {
		return nil, err
	}
	engine, err := r.shared.kept.NewEngine(in, slices.Concat(c.written.files, c.written.replaced)...)
	return &Project{
		Site: r.Site, Input: in,
		Scope: c.scope, Instructions: *c.instructions, Skills: c.skills, Profile: c.basis.worded(c.profile),
		from: r, looked: c.basis.looked, catalog: catalog, packs: c.basis.packs, loader: c.basis.loader,
		engine: engine, files: c.written.files, listings: c.tools.listings, plan: c.plan,
	}, err
}

// faults are what is wrong with the files that steps read.
type faults []*cento.SourceError

// fatal keeps an error about a file, and reports whether it is another one.
func (f *faults) fatal(err error) bool {
	list := cento.SourceErrors(err)
	*f = append(*f, list...)
	return err != nil && list == nil
}

// basis is what needs no file but the manifest, the user's configuration and the
// packs.
type basis struct {
	*opened
	profile *Profile      // nil: off
	looked  *foundProfile // what the files say of the project; nil: nobody looked
	auto    bool          // the profile is what they say
	model   modelInForce
	caps    []string
}

func (r *reader) basis(looked *foundProfile) (b basis, err error) {
	b.profile, b.looked, b.auto = r.signals(looked)
	if b.opened, err = r.opened(); err != nil {
		return b, err
	}
	b.model = r.model()
	b.caps = r.caps(b.profile, b.model.facts)
	return b, nil
}

// namedModel is the name of the model that is asked for.
func (r *reader) namedModel() string {
	if r.request.Model != "" {
		return r.request.Model
	}
	return r.manifest.Model
}

// modelInForce is the model of the prompt.
type modelInForce struct {
	name  string
	at    cento.Position // where it is named; zero for a flag
	facts *cento.Model   // nil: there is no model
	notes []cento.Note
}

// models is the catalog: what the request says of models goes over what the manifest
// says, that over what the user's configuration does, and that over what is built in.
func (r *reader) models() *model.Catalog {
	return model.Default().With(r.user.Models...).With(r.manifest.Models...).With(r.request.Models...)
}

// Models are the models that there are for a project. It reads the manifest and the
// user's configuration alone.
func (site Site) Models(r Request) (*model.Catalog, error) {
	read, err := site.read(r)
	if err != nil {
		return nil, err
	}
	return read.models(), nil
}

// model looks the model up that is asked for.
func (r *reader) model() modelInForce {
	m := modelInForce{name: r.namedModel()}
	if m.name == "" {
		return m
	}
	facts, notes := r.models().Lookup(m.name)
	m.at = r.request.ModelAt
	if r.request.Model == "" {
		m.at = r.manifest.ModelAt
	}
	m.facts, m.notes = &facts, model.At(m.at, notes)
	return m
}

// frame is an input with what stands in the manifest itself: what prompt files and
// conditions read.
func (r *reader) frame(caps []string, of modelInForce, tools toolset) cento.Input {
	m := r.manifest
	in := cento.Input{
		Active: cento.Active{Caps: caps, Model: of.name}, AllTools: !tools.Listed, Model: of.facts,
		Tools: tools.Defined, Servers: tools.saying,
		Files: cento.Files{Now: r.request.Now, Cwd: filepath.ToSlash(r.told(r.Root.Cwd)), Vars: m.Vars, VarStability: m.VarStability, Given: r.request.Vars, Prefixes: r.prefixTrust()},
		Host:  m.Host, Primary: m.Primary, Fragments: m.Fragments, Replacement: m.Replacement,
		Limits: m.Limits, Policy: m.Policy,
	}
	if tools.Listed {
		in.Active.Tools = tools.Names()
	}
	if m.Agent.Name != nil {
		in.Files.AgentName = *m.Agent.Name
	}
	return in
}

// prefixTrust tells how far the files of the host's prefixes are trusted.
func (r *reader) prefixTrust() map[string]cento.Trust {
	if len(r.request.Prefixes) == 0 {
		return nil
	}
	out := make(map[string]cento.Trust, len(r.request.Prefixes))
	for p, own := range r.request.Prefixes {
		out[string(p)] = own.Trust
	}
	return out
}

// input puts together what was found. This is the one place that knows where each
// thing goes, and in which order the remarks stand.
func (r *reader) input(c *collection) (cento.Input, error) {
	in := r.frame(c.basis.caps, c.basis.model, c.tools)
	in.Host, in.Primary = c.written.host, c.written.primary
	in.Primary.Skills = c.skillTexts
	in.Profile, in.Fragments = c.profile, c.written.fragments
	in.Boundaries, in.Instructions, in.Headings = c.boundaries, c.section, c.headings
	in.Budget = c.budget
	in.Files.Given = c.given
	c.catalog.AddTo(&in.Files)
	for _, file := range c.written.files {
		file.AddTo(&in.Files)
	}
	if c.skills != nil {
		in.Files.Skills = c.skills.listed
	}
	in.Notes = slices.Concat(
		r.replaced(), r.Root.Notes, r.manifest.Notes, c.basis.model.notes, c.basis.remarks(), c.catalogNotes, c.tools.remarks(), c.contractNotes, c.plan.notes,
		c.written.notes, c.unread,
	)
	if c.skills != nil {
		in.Notes = append(in.Notes, c.skills.Notes...)
	}
	if c.scope != nil {
		in.Notes = append(in.Notes, c.scope.Notes()...)
	}
	in.Notes = append(in.Notes, r.instructionNotes(c.instructions)...)
	in.Notes = append(in.Notes, r.undefined(&in, c.basis.profile, c.written.files)...)
	fragments, _, err := cento.Compose(in)
	if err != nil {
		return in, err
	}
	in.Notes = append(in.Notes, r.pathTexts(fragments)...)
	in.Notes = append(in.Notes, r.commentTexts(fragments)...)
	in.Notes = append(in.Notes, r.shared.secretNotes(&in, fragments)...)
	return in, nil
}

// replaced notes the skills and the profile of the manifest that the request has others
// for. [toolset] has the notes on tools, and the trace what Primary replaces.
func (r *reader) replaced() []cento.Note {
	var notes []cento.Note
	if s := r.manifest.Skills; s != nil && r.request.Skills != nil {
		var at cento.Position
		var names []string
		for _, x := range s.Active {
			if !slices.Contains(r.request.Skills, x.Name) {
				at, names = cmp.Or(at, x.Position), append(names, x.Name)
			}
		}
		if len(names) > 0 {
			notes = append(notes, cento.Note{Code: CodeReplaced, Position: at, Message: "Cento uses the caller's active skills instead of those of the manifest: " + named("the skill", "the skills", names)})
		}
	}
	if r.request.Profile != nil && r.manifest.Profile.Given != nil {
		notes = append(notes, cento.Note{Code: CodeReplaced, Position: cento.Position{File: r.Show(r.ManifestPath)}, Message: "Cento uses the caller's project profile instead of the one of the manifest"})
	}
	return notes
}

// framing are the host's parts of the manifest, and behind those of each option what
// the request has for it.
func (r *reader) framing() cento.Host {
	h := r.manifest.Host
	for _, x := range []struct {
		option *cento.HostOption
		more   cento.HostOption
	}{
		{&h.SystemPreamble, r.request.Host.SystemPreamble}, {&h.SystemPrefix, r.request.Host.SystemPrefix},
		{&h.SystemContext, r.request.Host.SystemContext}, {&h.SystemPromptParts, r.request.Host.SystemPromptParts},
		{&h.SystemAppendix, r.request.Host.SystemAppendix}, {&h.SystemSuffix, r.request.Host.SystemSuffix},
	} {
		switch {
		case len(x.more.Parts) == 0:
		case len(x.option.Parts) == 0:
			*x.option = x.more
		default:
			*x.option = cento.HostOption{Parts: slices.Concat(x.option.Parts, x.more.Parts), IsList: true}
		}
	}
	return h
}

// headings words what stands over the groups that the program puts together.
func headings(catalog *pack.Catalog) (h cento.Headings, err error) {
	for _, x := range []struct {
		text  *cento.Text
		words func() (cento.Text, error)
	}{
		{&h.Skills, catalog.SkillsHeading}, {&h.Profile, catalog.ProfileHeading}, {&h.Tools, catalog.ToolsHeading},
		{&h.Manifest, catalog.ManifestHeading}, {&h.Reminders, catalog.RemindersHeading},
	} {
		if *x.text, err = x.words(); err != nil {
			return h, err
		}
	}
	return h, nil
}

// without is a list of names less those that are taken away.
func without(names, taken []string) []string {
	gone := make(map[string]bool, len(taken))
	for _, name := range taken {
		gone[name] = true
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return gone[name] })
}
