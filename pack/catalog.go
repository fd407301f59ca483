package pack

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// Key names one of the short texts that the program itself needs: headings of
// the trailing sections, notices, wrappers, builtins. Keys are API: users
// override wording by them.
type Key string

// The keys, each with the variables that its text can use.
const (
	WorkingBoundariesSection   Key = "working_boundaries_section" // scope_summary
	AgentsMDSection            Key = "agents_md_section"          // agents_md
	CompactSystem              Key = "compact_system"
	NotifyWrapper              Key = "notify_wrapper" // message
	InterruptToolResultSummary Key = "interrupt_tool_result_summary"
	InterruptSystemNote        Key = "interrupt_system_note"
	MainAgentIntro             Key = "main_agent_intro" // agent.name
	CoreGuidance               Key = "core_guidance"
	MCPAdvisory                Key = "mcp_advisory"
	ProgressTool               Key = "progress_tool" // name
	LoopContract               Key = "loop_contract"
	ToolContract               Key = "tool_contract"         // tools
	SkillCatalog               Key = "skill_catalog"         // skills
	InstructionsCut            Key = "instructions_cut"      // path, kept, bytes, limit
	InstructionsLeftOut        Key = "instructions_left_out" // path, bytes, limit
	ProfileLanguage            Key = "profile_language"      // name
	ProfileBuild               Key = "profile_build"         // name
	ProfileTask                Key = "profile_task"          // name, command
	ProfileGit                 Key = "profile_git"           // remotes
	DeniedHeading              Key = "denied_heading"
)

// entry is what a key needs: the embedded file of its built-in wording, and for
// a protected section the variable that its text can't leave out.
type entry struct {
	key      Key
	file     string
	required string
}

// catalogue lists every key. A test holds it to the embedded files, both ways.
var catalogue = []entry{
	{WorkingBoundariesSection, "catalog/working_boundaries_section.md", "scope_summary"},
	{AgentsMDSection, "catalog/agents_md_section.md", "agents_md"},
	{CompactSystem, "catalog/compact_system.md", ""},
	{NotifyWrapper, "catalog/notify_wrapper.md", ""},
	{InterruptToolResultSummary, "catalog/interrupt_tool_result_summary.md", ""},
	{InterruptSystemNote, "catalog/interrupt_system_note.md", ""},
	{MainAgentIntro, "catalog/main_agent_intro.md", ""},
	{CoreGuidance, "catalog/core_guidance.md", ""},
	{MCPAdvisory, "catalog/mcp_advisory.md", ""},
	{ProgressTool, "catalog/progress_tool.md", ""},
	{LoopContract, "catalog/loop_contract.md", ""},
	{ToolContract, "catalog/tool_contract.md", ""},
	{SkillCatalog, "catalog/skill_catalog.md", ""},
	{InstructionsCut, "catalog/instructions_cut.md", ""},
	{InstructionsLeftOut, "catalog/instructions_left_out.md", ""},
	{ProfileLanguage, "catalog/profile_language.md", ""},
	{ProfileBuild, "catalog/profile_build.md", ""},
	{ProfileTask, "catalog/profile_task.md", ""},
	{ProfileGit, "catalog/profile_git.md", ""},
	{DeniedHeading, "catalog/denied_heading.md", ""},
}

// guidanceRest are the further fragments of the built-in core guidance, parted
// so that a gate on one of its lines shows in the trace.
var guidanceRest = []struct {
	id, file string
	tools    []string
}{
	{"core_guidance.ask", "catalog/core_guidance.ask.md", []string{"ask"}},
	{"core_guidance.rest", "catalog/core_guidance.rest.md", nil},
}

// Keys returns all keys, sorted.
func Keys() []Key {
	out := make([]Key, len(catalogue))
	for i, e := range catalogue {
		out[i] = e.key
	}
	slices.Sort(out)
	return out
}

// Catalog holds the wording of every key. It is immutable.
//
// A text that it returns is wording with the caller's data in it: every run
// says which of both it is, and data keeps its own places and trust. Errors
// carry the code [CatalogFailed].
type Catalog struct {
	snippets map[Key]*snippet
	// raw are the overrides of texts that the engine renders, as they are
	// written, and what they include.
	raw      map[string]cento.Text
	included []*fileSet
	rest     []*snippet         // parallel to guidanceRest; nil when the wording is another
	base     func() jinja.Value // made when the first text is rendered
}

// NewCatalog returns the catalog of the built-in wording with the overrides
// laid on it key by key, later ones over earlier ones. The loader finds what
// they include. Every override is compiled, used or not; a key that isn't known is
// a note.
//
// Errors: [InvalidWording] for texts that don't compile, [ProtectedWording] for
// those of a protected section that are blank or leave its variable out.
func NewCatalog(l *Loader, overrides ...*Wording) (*Catalog, []cento.Note, error) {
	c := &Catalog{snippets: make(map[Key]*snippet, len(catalogue))}
	set := newFileSet(l)
	for _, e := range catalogue {
		c.snippets[e.key] = set.builtinSnippet(e.file)
	}
	for _, g := range guidanceRest {
		c.rest = append(c.rest, set.builtinSnippet(g.file))
	}
	var notes []cento.Note
	var errs []*cento.SourceError
	for _, w := range overrides {
		for i := range w.texts {
			t := &w.texts[i]
			at := slices.IndexFunc(catalogue, func(e entry) bool { return string(e.key) == t.key })
			if at < 0 {
				notes = append(notes, t.unknown())
				continue
			}
			s, err := l.snippet(t, w.trust, catalogue[at])
			if err != nil {
				errs = append(errs, err)
				continue
			}
			c.snippets[catalogue[at].key] = s
			if slices.Contains(rendered, catalogue[at].key) {
				if c.raw == nil {
					c.raw = map[string]cento.Text{}
				}
				c.raw[t.key] = cento.Text{Body: t.text, Runs: t.runs, Trust: w.trust, Origin: t.at}
				c.included = append(c.included, s.set)
			}
			if catalogue[at].key == CoreGuidance {
				c.rest = nil
			}
		}
	}
	if err := cento.Join(errs); err != nil {
		return nil, nil, err
	}
	return c.With(Variables{}), notes, nil
}

// With returns a catalog whose texts can read these variables, beside those of
// their key.
func (c *Catalog) With(v Variables) *Catalog {
	d := *c
	d.base = sync.OnceValue(func() jinja.Value { return v.context(v.Vars) })
	return &d
}

// builtinSnippet is an embedded text. It is compiled when it is first needed:
// most assemblies need three of them, and a test compiles them all.
func (s *fileSet) builtinSnippet(file string) *snippet {
	ref := Ref{prefix: Builtin, file: file}
	return &snippet{
		origin: cento.Position{File: ref.Path(), Line: 1, Column: 1}, trust: cento.TrustBuiltin,
		template: sync.OnceValues(func() (*jinja.Template, error) {
			p, err := s.read(ref)
			if err != nil {
				return nil, err
			}
			template, err := s.env.LoadSource(p.source())
			if err != nil {
				return nil, s.loadError(err)
			}
			return template, nil
		}),
	}
}

// snippet compiles a text that overrides one.
func (l *Loader) snippet(t *worded, trust cento.Trust, e entry) (*snippet, *cento.SourceError) {
	s := &snippet{origin: t.at, trust: trust, runs: t.runs, text: t.text}
	if len(t.runs) > 0 {
		s.origin = t.runs[0].Position
	} else {
		s.runs = []cento.Run{}
	}
	if e.required != "" && strings.TrimSpace(t.text) == "" {
		return nil, &cento.SourceError{
			Code: ProtectedWording, Position: t.at,
			Message: "the wording of " + t.key + " is blank, and the section is protected",
			Hint:    "print {{ " + e.required + " }}; the wording around it is free",
		}
	}
	set := newFileSet(l)
	template, err := set.env.LoadSource(jinja.Source{Name: t.at.File, Text: t.text, Trust: label(trust)})
	if err != nil {
		if e, ok := errors.AsType[*jinja.Error](err); ok && e.Kind == jinja.ErrNotFound {
			set.explainMissing(e)
		}
		failed, _ := errors.AsType[*cento.SourceError](engineError(InvalidWording, err, s.place))
		failed.Message = "the wording of " + t.key + " does not compile"
		return nil, failed
	}
	if e.required != "" && !slices.Contains(template.Undeclared(), e.required) {
		return nil, s.leavesOut(t.key, e.required)
	}
	s.template, s.set = func() (*jinja.Template, error) { return template, nil }, set
	return s, nil
}

func (s *snippet) leavesOut(key, variable string) *cento.SourceError {
	return &cento.SourceError{
		Code: ProtectedWording, Position: s.origin,
		Message: "the wording of " + key + " leaves out " + variable + ", and the section is protected",
		Hint:    "print {{ " + variable + " }}; the wording around it is free",
	}
}

// WorkingBoundariesSection is the protected section on what may be read and
// written, its heading included.
func (c *Catalog) WorkingBoundariesSection(summary cento.Text) (cento.Text, error) {
	return c.render(WorkingBoundariesSection, data("scope_summary", summary))
}

// AgentsMDSection is the protected section of project instructions, its heading
// included.
func (c *Catalog) AgentsMDSection(agentsMD cento.Text) (cento.Text, error) {
	return c.render(AgentsMDSection, data("agents_md", agentsMD))
}

// CompactSystem is the system prompt of a conversation's compaction.
func (c *Catalog) CompactSystem() (cento.Text, error) { return c.render(CompactSystem) }

// NotifyWrapper wraps a message that reaches the model between turns and that
// no person wrote.
func (c *Catalog) NotifyWrapper(message cento.Text) (cento.Text, error) {
	return c.render(NotifyWrapper, data("message", message))
}

// InterruptToolResultSummary stands for the result of an interrupted call.
func (c *Catalog) InterruptToolResultSummary() (cento.Text, error) {
	return c.render(InterruptToolResultSummary)
}

// InterruptSystemNote tells the model that it was interrupted.
func (c *Catalog) InterruptSystemNote() (cento.Text, error) { return c.render(InterruptSystemNote) }

// DefaultAgentName is whom the agent is told to be when nobody named it.
const DefaultAgentName = "an AI coding assistant"

// MainAgentIntro says who the agent is; a blank name means [DefaultAgentName].
func (c *Catalog) MainAgentIntro(name cento.Text) (cento.Text, error) {
	name = agentName(name)
	return c.render(MainAgentIntro, value{"agent", agentValue(name), map[string]cento.Text{"agent.name": name}})
}

func agentName(name cento.Text) cento.Text {
	if strings.TrimSpace(name.Body) == "" {
		return cento.Text{Body: DefaultAgentName, Trust: cento.TrustBuiltin}
	}
	return name
}

// Guidance is one fragment of the core guidance. Those after the first are
// joined to the one before by a single newline.
type Guidance struct {
	ID            string // core_guidance, core_guidance.ask, core_guidance.rest
	Text          cento.Text
	RequiresTools []string
}

// CoreGuidance is the general advice to an agent: three fragments of one list
// in the built-in wording, so that the trace shows why the second line is in,
// and one fragment in any other.
func (c *Catalog) CoreGuidance() ([]Guidance, error) {
	text, err := c.render(CoreGuidance)
	if err != nil {
		return nil, err
	}
	out := []Guidance{{ID: string(CoreGuidance), Text: text}}
	for i, rest := range c.rest {
		g := guidanceRest[i]
		text, err := rest.render(c.base(), nil)
		if err != nil {
			return nil, err
		}
		out = append(out, Guidance{ID: g.id, Text: text, RequiresTools: slices.Clone(g.tools)})
	}
	return out, nil
}

// MCPAdvisory is said when tools come from MCP servers.
func (c *Catalog) MCPAdvisory() (cento.Text, error) { return c.render(MCPAdvisory) }

// ProgressTool is the nudge to use the tool that keeps the plan.
func (c *Catalog) ProgressTool(name cento.Text) (cento.Text, error) {
	return c.render(ProgressTool, data("name", name))
}

// LoopContract says what ends a turn; blank in the built-in wording.
func (c *Catalog) LoopContract() (cento.Text, error) { return c.render(LoopContract) }

// ToolContract says how to call tools in text, for models that have no other
// way to. Tools stand in the order given.
func (c *Catalog) ToolContract(tools []cento.Tool) (cento.Text, error) {
	list := collection{name: "tools"}
	for _, t := range tools {
		schema, err := compactJSON(t.Parameters)
		if err != nil {
			return cento.Text{}, &cento.SourceError{
				Code: cento.InvalidTool, Position: t.Origin, Err: err,
				Message: "the parameters of tool " + quote(t.Name) + " are not JSON",
			}
		}
		of := func(s string) cento.Text { return cento.Text{Body: s, Trust: t.Trust} }
		list.add(
			field{"name", of(t.Name)},
			field{"description", of(strings.TrimSpace(t.Description))},
			field{"parameters", of(schema)},
		)
	}
	return c.render(ToolContract, list.value())
}

// SkillCatalog lists skills, in the order given.
func (c *Catalog) SkillCatalog(skills []cento.ListedSkill) (cento.Text, error) {
	list := collection{name: "skills"}
	for _, s := range skills {
		list.add(field{"name", s.Name}, field{"description", s.Description})
	}
	return c.render(SkillCatalog, list.value())
}

// InstructionsCut is the notice at the place where an instruction file was cut.
// All sizes are bytes; the path is the one shown to people.
func (c *Catalog) InstructionsCut(path string, kept, bytes, limit int) (cento.Text, error) {
	return c.render(InstructionsCut, pathText(path), number("kept", kept), number("bytes", bytes), number("limit", limit))
}

// InstructionsLeftOut is the notice in place of an instruction file.
func (c *Catalog) InstructionsLeftOut(path string, bytes, limit int) (cento.Text, error) {
	return c.render(InstructionsLeftOut, pathText(path), number("bytes", bytes), number("limit", limit))
}

// pathText keeps a path on one line, since a notice is one: a file's name may
// hold anything.
func pathText(path string) value {
	return data("path", cento.Text{Body: printable(path), Trust: cento.TrustWorkspace})
}

// ProfileLanguage says that the project uses a language.
func (c *Catalog) ProfileLanguage(name cento.Text) (cento.Text, error) {
	return c.render(ProfileLanguage, data("name", name))
}

// ProfileBuild names a build tool of the project.
func (c *Catalog) ProfileBuild(name cento.Text) (cento.Text, error) {
	return c.render(ProfileBuild, data("name", name))
}

// ProfileTask tells the command of a task, such as test or lint.
func (c *Catalog) ProfileTask(name, command cento.Text) (cento.Text, error) {
	return c.render(ProfileTask, data("name", name), data("command", command))
}

// ProfileGit lists the project's remotes, which must be free of credentials.
func (c *Catalog) ProfileGit(remotes []cento.Text) (cento.Text, error) {
	list := collection{name: "remotes"}
	for _, r := range remotes {
		list.addText(r)
	}
	return c.render(ProfileGit, list.value())
}

// DeniedHeading heads the list of places that are not accessible.
func (c *Catalog) DeniedHeading() (cento.Text, error) { return c.render(DeniedHeading) }

// render prints the wording of a key with its variables. A protected section
// is checked once more: what it is about stands in it, unchanged.
func (c *Catalog) render(key Key, values ...value) (cento.Text, error) {
	s := c.snippets[key]
	text, err := s.render(c.base(), values)
	if err != nil {
		return cento.Text{}, err
	}
	for _, v := range values {
		if key != WorkingBoundariesSection && key != AgentsMDSection {
			break
		}
		if !strings.Contains(text.Body, strings.TrimSpace(v.texts[v.name].Body)) || strings.TrimSpace(text.Body) == "" {
			return cento.Text{}, atStage(CatalogFailed, s.leavesOut(string(key), v.name))
		}
	}
	return text, nil
}

// collection is a variable that holds a list whose texts know their places.
type collection struct {
	name  string
	items []jinja.Value
	texts map[string]cento.Text
}

// field is a member of a map in a list.
type field struct {
	name string
	text cento.Text
}

func (c *collection) add(fields ...field) {
	var b jinja.MapBuilder
	for _, f := range fields {
		b.Set(f.name, c.text("."+f.name, f.text))
	}
	c.items = append(c.items, b.Map())
}

func (c *collection) addText(t cento.Text) { c.items = append(c.items, c.text("", t)) }

func (c *collection) text(path string, t cento.Text) jinja.Value {
	if c.texts == nil {
		c.texts = map[string]cento.Text{}
	}
	c.texts[c.name+"["+strconv.Itoa(len(c.items))+"]"+path] = t
	return jinja.String(t.Body, leastTrusted(t))
}

func (c *collection) value() value { return value{c.name, jinja.List(c.items...), c.texts} }

// compactJSON is a schema on one line; empty for none.
func compactJSON(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var b bytes.Buffer
	err := json.Compact(&b, raw)
	return b.String(), err
}
