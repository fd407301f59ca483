package pack

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
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

// entry is what a key needs: the embedded file of its built-in wording and the
// variables that are set when it is rendered.
type entry struct {
	key  Key
	file string
	vars []string
}

// catalogue lists every key. A test holds it to the embedded files, both ways.
var catalogue = []entry{
	{WorkingBoundariesSection, "catalog/working_boundaries_section.md", []string{"scope_summary"}},
	{AgentsMDSection, "catalog/agents_md_section.md", []string{"agents_md"}},
	{CompactSystem, "internal/compact.md", nil},
	{NotifyWrapper, "catalog/notify_wrapper.md", []string{"message"}},
	{InterruptToolResultSummary, "catalog/interrupt_tool_result_summary.md", nil},
	{InterruptSystemNote, "catalog/interrupt_system_note.md", nil},
	{MainAgentIntro, "catalog/main_agent_intro.md", []string{"agent.name"}},
	{CoreGuidance, "catalog/core_guidance.md", nil},
	{MCPAdvisory, "catalog/mcp_advisory.md", nil},
	{ProgressTool, "catalog/progress_tool.md", []string{"name"}},
	{LoopContract, "catalog/loop_contract.md", nil},
	{ToolContract, "catalog/tool_contract.md", []string{"tools"}},
	{SkillCatalog, "catalog/skill_catalog.md", []string{"skills"}},
	{InstructionsCut, "catalog/instructions_cut.md", []string{"path", "kept", "bytes", "limit"}},
	{InstructionsLeftOut, "catalog/instructions_left_out.md", []string{"path", "bytes", "limit"}},
	{ProfileLanguage, "catalog/profile_language.md", []string{"name"}},
	{ProfileBuild, "catalog/profile_build.md", []string{"name"}},
	{ProfileTask, "catalog/profile_task.md", []string{"name", "command"}},
	{ProfileGit, "catalog/profile_git.md", []string{"remotes"}},
	{DeniedHeading, "catalog/denied_heading.md", nil},
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
// A text that it returns is builtin wording with the caller's data in it: every
// run says which of both it is, and data keeps its own places and trust. Texts
// end without a newline.
type Catalog struct {
	snippets map[Key]*snippet
	rest     []*snippet // parallel to guidanceRest
}

// NewCatalog returns the catalog of the built-in wording.
func NewCatalog() (*Catalog, error) {
	l := NewLoader(Roots{}, cento.Limits{})
	c := &Catalog{snippets: make(map[Key]*snippet, len(catalogue))}
	for _, e := range catalogue {
		s, err := l.snippet(e.file, e.vars)
		if err != nil {
			return nil, err
		}
		c.snippets[e.key] = s
	}
	for _, g := range guidanceRest {
		s, err := l.snippet(g.file, nil)
		if err != nil {
			return nil, err
		}
		c.rest = append(c.rest, s)
	}
	return c, nil
}

// WorkingBoundariesSection is the protected section on what may be read and
// written, its heading included.
func (c *Catalog) WorkingBoundariesSection(summary cento.Text) (cento.Text, error) {
	return c.render(WorkingBoundariesSection, summary)
}

// AgentsMDSection is the protected section of project instructions, its heading
// included.
func (c *Catalog) AgentsMDSection(agentsMD cento.Text) (cento.Text, error) {
	return c.render(AgentsMDSection, agentsMD)
}

// CompactSystem is the system prompt of a conversation's compaction.
func (c *Catalog) CompactSystem() (cento.Text, error) { return c.render(CompactSystem) }

// NotifyWrapper wraps a message that reaches the model between turns and that
// no person wrote.
func (c *Catalog) NotifyWrapper(message cento.Text) (cento.Text, error) {
	return c.render(NotifyWrapper, message)
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
	return c.render(MainAgentIntro, agentName(name))
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
// in the built-in wording, so that the trace shows why the second line is in.
func (c *Catalog) CoreGuidance() ([]Guidance, error) {
	text, err := c.render(CoreGuidance)
	if err != nil {
		return nil, err
	}
	out := []Guidance{{ID: string(CoreGuidance), Text: text}}
	for i, g := range guidanceRest {
		text, err := c.rest[i].render(nil)
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
	return c.render(ProgressTool, name)
}

// LoopContract says what ends a turn; blank in the built-in wording.
func (c *Catalog) LoopContract() (cento.Text, error) { return c.render(LoopContract) }

// ToolContract says how to call tools in text, for models that have no other
// way to. Tools stand in the order given.
func (c *Catalog) ToolContract(tools []cento.Tool) (cento.Text, error) {
	var list builder
	for i, t := range tools {
		if i > 0 {
			list.literal("\n")
		}
		list.literal("- `")
		list.data("tools", cento.Text{Body: t.Name, Trust: t.Trust, Origin: t.Origin})
		list.literal("`")
		if description := strings.TrimSpace(t.Description); description != "" {
			list.literal(": ")
			list.data("tools", cento.Text{Body: description, Trust: t.Trust, Origin: t.Origin})
		}
		if schema, err := compactJSON(t.Parameters); err != nil {
			return cento.Text{}, &cento.SourceError{
				Code: cento.InvalidTool, Position: t.Origin, Err: err,
				Message: "the parameters of tool " + quote(t.Name) + " are not JSON",
			}
		} else if schema != "" {
			list.literal("\n  Arguments: ")
			list.data("tools", cento.Text{Body: schema, Trust: t.Trust, Origin: t.Origin})
		}
	}
	return c.render(ToolContract, list.text)
}

// Skill is a line of the skill catalog. A blank description is left out.
type Skill struct {
	Name        cento.Text
	Description cento.Text
}

// SkillCatalog lists skills by name, in the order given.
func (c *Catalog) SkillCatalog(skills []Skill) (cento.Text, error) {
	var list builder
	for i, s := range skills {
		if i > 0 {
			list.literal("\n")
		}
		list.literal("- ")
		list.data("skills", s.Name)
		if strings.TrimSpace(s.Description.Body) != "" {
			list.literal(": ")
			list.data("skills", s.Description)
		}
	}
	return c.render(SkillCatalog, list.text)
}

// InstructionsCut is the notice at the place where an instruction file was cut.
// All sizes are bytes; the path is the one shown to people.
func (c *Catalog) InstructionsCut(path string, kept, bytes, limit int) (cento.Text, error) {
	return c.render(InstructionsCut, pathText(path), number(kept), number(bytes), number(limit))
}

// InstructionsLeftOut is the notice in place of an instruction file.
func (c *Catalog) InstructionsLeftOut(path string, bytes, limit int) (cento.Text, error) {
	return c.render(InstructionsLeftOut, pathText(path), number(bytes), number(limit))
}

// pathText keeps a path on one line, since a notice is one: a file's name may
// hold anything.
func pathText(path string) cento.Text {
	return cento.Text{Body: printable(path), Trust: cento.TrustWorkspace}
}

func number(n int) cento.Text {
	return cento.Text{Body: strconv.Itoa(n), Trust: cento.TrustBuiltin}
}

// ProfileLanguage says that the project uses a language.
func (c *Catalog) ProfileLanguage(name cento.Text) (cento.Text, error) {
	return c.render(ProfileLanguage, name)
}

// ProfileBuild names a build tool of the project.
func (c *Catalog) ProfileBuild(name cento.Text) (cento.Text, error) {
	return c.render(ProfileBuild, name)
}

// ProfileTask tells the command of a task, such as test or lint.
func (c *Catalog) ProfileTask(name, command cento.Text) (cento.Text, error) {
	return c.render(ProfileTask, name, command)
}

// ProfileGit lists the project's remotes, which must be free of credentials.
func (c *Catalog) ProfileGit(remotes []cento.Text) (cento.Text, error) {
	var list builder
	for i, r := range remotes {
		if i > 0 {
			list.literal(", ")
		}
		list.data("remotes", r)
	}
	return c.render(ProfileGit, list.text)
}

// DeniedHeading heads the list of places that are not accessible.
func (c *Catalog) DeniedHeading() (cento.Text, error) { return c.render(DeniedHeading) }

// render prints the wording of a key with its variables, in the order that the
// catalogue lists them.
func (c *Catalog) render(key Key, values ...cento.Text) (cento.Text, error) {
	return c.snippets[key].render(values)
}

// compactJSON is a schema on one line; empty for none.
func compactJSON(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var b bytes.Buffer
	err := json.Compact(&b, raw)
	return b.String(), err
}
