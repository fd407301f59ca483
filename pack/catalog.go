package pack

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// Key names one of the short texts that the program itself needs: headings of
// the trailing sections, notices, wrappers, builtins. Keys are API: users
// override wording by them.
type Key string

// The keys of what a host says itself: see [Catalog.HostText].
const (
	// CompactSystem is the system prompt of a conversation's compaction.
	CompactSystem Key = "compact_system"
	// NotifyWrapper wraps a message that reaches the model between turns and that
	// no person wrote. It reads message.
	NotifyWrapper Key = "notify_wrapper"
	// InterruptToolResultSummary stands for the result of an interrupted call.
	InterruptToolResultSummary Key = "interrupt_tool_result_summary"
	// InterruptSystemNote tells the model that it was interrupted.
	InterruptSystemNote Key = "interrupt_system_note"
)

// The keys of what the program says itself, each with the variables that its
// text can use.
const (
	workingBoundariesKey   Key = "working_boundaries_section" // scope_summary
	agentsMDKey            Key = "agents_md_section"          // agents_md, files
	mainAgentIntroKey      Key = "main_agent_intro"           // agent.name
	coreGuidanceKey        Key = "core_guidance"
	mcpAdvisoryKey         Key = "mcp_advisory"
	progressToolKey        Key = "progress_tool" // name
	loopContractKey        Key = "loop_contract"
	toolContractKey        Key = "tool_contract"         // tools
	skillCatalogKey        Key = "skill_catalog"         // skills
	instructionsCutKey     Key = "instructions_cut"      // path, kept, bytes, limit
	instructionsLeftOutKey Key = "instructions_left_out" // path, bytes, limit
	profileLanguageKey     Key = "profile_language"      // name
	profileBuildKey        Key = "profile_build"         // name
	profileTaskKey         Key = "profile_task"          // name, command, usual, others
	profileGitKey          Key = "profile_git"           // remotes
	deniedHeadingKey       Key = "denied_heading"
	environmentKey         Key = "environment"
	profileHeadingKey      Key = "profile_heading"
	toolsHeadingKey        Key = "tools_heading"
	skillsHeadingKey       Key = "skills_heading"
	manifestHeadingKey     Key = "manifest_heading"
	remindersHeadingKey    Key = "reminders_heading"
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
	{workingBoundariesKey, "catalog/working_boundaries_section.md", "scope_summary"},
	{agentsMDKey, "catalog/agents_md_section.md", "agents_md"},
	{CompactSystem, "catalog/compact_system.md", ""},
	{NotifyWrapper, "catalog/notify_wrapper.md", ""},
	{InterruptToolResultSummary, "catalog/interrupt_tool_result_summary.md", ""},
	{InterruptSystemNote, "catalog/interrupt_system_note.md", ""},
	{mainAgentIntroKey, "catalog/main_agent_intro.md", ""},
	{coreGuidanceKey, "catalog/core_guidance.md", ""},
	{mcpAdvisoryKey, "catalog/mcp_advisory.md", ""},
	{progressToolKey, "catalog/progress_tool.md", ""},
	{loopContractKey, "catalog/loop_contract.md", ""},
	{toolContractKey, "catalog/tool_contract.md", ""},
	{skillCatalogKey, "catalog/skill_catalog.md", ""},
	{instructionsCutKey, "catalog/instructions_cut.md", ""},
	{instructionsLeftOutKey, "catalog/instructions_left_out.md", ""},
	{profileLanguageKey, "catalog/profile_language.md", ""},
	{profileBuildKey, "catalog/profile_build.md", ""},
	{profileTaskKey, "catalog/profile_task.md", ""},
	{profileGitKey, "catalog/profile_git.md", ""},
	{deniedHeadingKey, "catalog/denied_heading.md", ""},
	{environmentKey, "catalog/environment.md", ""},
	{profileHeadingKey, "catalog/profile_heading.md", ""},
	{toolsHeadingKey, "catalog/tools_heading.md", ""},
	{skillsHeadingKey, "catalog/skills_heading.md", ""},
	{manifestHeadingKey, "catalog/manifest_heading.md", ""},
	{remindersHeadingKey, "catalog/reminders_heading.md", ""},
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

// keys returns all keys, sorted.
func keys() []Key {
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
			if catalogue[at].key == coreGuidanceKey {
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
	if d.base = v.shared; d.base == nil {
		d.base = v.once().shared
	}
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
	switch {
	case len(t.runs) > 0:
		s.origin = t.runs[0].Position
	case t.text != "": // all of it stands where the key does
		s.runs = []cento.Run{{End: len(t.text), Position: t.at, Trust: trust}}
	default:
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
	place := func(line, column int) cento.Position { return s.place(t.at.File, line, column) }
	wrong := textUses(template.TextUses(), template.Binds, func(u jinja.TextUse) cento.Position { return place(u.Line, u.Column) })
	if wrong = append(idleTests(template, place), wrong...); len(wrong) > 0 {
		wrong[0].Code = InvalidWording
		return nil, wrong[0]
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
