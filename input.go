package cento

import (
	"encoding/json"
	"slices"
	"time"
)

// Input is everything a prompt depends on, as plain data: it was collected
// once, and from here to the prompt nothing else is read. The same Input gives
// the same bytes on every machine, so an Input that is stored as JSON can be
// replayed. What-ifs are copies: see [Input.WithoutTool] and its siblings.
type Input struct {
	// Active is the active set. When AllTools is true the names of all defined
	// tools are active and Active.Tools is not looked at.
	Active   Active `json:"active"`
	AllTools bool   `json:"all_tools,omitempty"`

	Host    Host    `json:"host"`
	Primary Primary `json:"primary"`
	// Profile are the fragments of the project profile.
	Profile []Fragment `json:"profile,omitempty"`
	// Fragments are the fragments of the manifest, in file order.
	Fragments []Fragment `json:"fragments,omitempty"`
	// Tools are the tool definitions, in order.
	Tools []Tool `json:"tools,omitempty"`
	// Servers are the MCP servers that listed tools and have something to say
	// about them.
	Servers []ToolServer `json:"servers,omitempty"`
	// Reminders are the fragments of reminders placed in the system prompt.
	Reminders []Fragment `json:"reminders,omitempty"`
	// Boundaries is the section on what may be read and written, its heading
	// included; nil when no scope is configured.
	Boundaries *Text `json:"boundaries,omitempty"`
	// Instructions is the section of project instructions, its heading
	// included; nil when there is no such file. Absent and empty differ.
	Instructions *Text `json:"instructions,omitempty"`
	// Replacement overrides everything but the protected tail.
	Replacement *Replacement `json:"replacement,omitempty"`

	// Files is what an engine renders prompt files from.
	Files Files `json:"files,omitzero"`

	Limits Limits `json:"limits"`
	Policy Policy `json:"policy"`
	// Notes are what collection has to say: what it found, shadowed and cut.
	Notes []Note `json:"notes,omitempty"`
}

// Text is a text that knows where its bytes came from.
type Text struct {
	Body string `json:"body"`
	// Runs tile the body; empty: all of it stood at Origin.
	Runs   []Run    `json:"runs,omitempty"`
	Trust  Trust    `json:"trust,omitempty"`
	Origin Position `json:"origin,omitzero"`
}

// Replacement is a text that stands instead of all others.
type Replacement struct {
	Text Text `json:"text"`
	// DropProtected takes the protected tail out too. Only a host may set it.
	DropProtected bool `json:"drop_protected,omitempty"`
}

// Host holds the six options by which a host frames an agent's prompt, as Harn
// names them. Each is a list of parts; one part alone is a list of one.
type Host struct {
	SystemPreamble    HostOption `json:"system_preamble,omitzero"`
	SystemPrefix      HostOption `json:"system_prefix,omitzero"`
	SystemContext     HostOption `json:"system_context,omitzero"`
	SystemPromptParts HostOption `json:"system_prompt_parts,omitzero"`
	SystemAppendix    HostOption `json:"system_appendix,omitzero"`
	SystemSuffix      HostOption `json:"system_suffix,omitzero"`
}

// HostOption is the value of one host option. IsList tells a list of one part
// from a part alone: the ids of its fragments carry an index.
type HostOption struct {
	Parts  []HostPart `json:"parts,omitempty"`
	IsList bool       `json:"is_list,omitempty"`
}

// HostText is an option that holds one plain text.
func HostText(content string) HostOption {
	return HostOption{Parts: []HostPart{{Content: content}}}
}

// HostList is an option that holds a list of parts.
func HostList(parts ...HostPart) HostOption {
	return HostOption{Parts: parts, IsList: true}
}

// HostPart is one part of a host option: a text, or a list of further parts.
type HostPart struct {
	// ID makes the fragment's id `host:<option>.<id>`; without it the option's
	// name and the indexes do.
	ID      string `json:"id,omitempty"`
	Title   string `json:"title,omitempty"`
	Content string `json:"content,omitempty"`
	Runs    []Run  `json:"runs,omitempty"`
	// Template names a prompt file that is rendered instead of Content.
	Template string `json:"template,omitempty"`
	// Position moves the part to a bucket; nil keeps the option's own.
	Position         *Bucket    `json:"position,omitempty"`
	RequiresTools    []string   `json:"requires_tools,omitempty"`
	RequiresAnyTools []string   `json:"requires_any_tools,omitempty"`
	RequiresCaps     []string   `json:"requires_caps,omitempty"`
	When             string     `json:"when,omitempty"`
	WhenOrigin       Position   `json:"when_origin,omitzero"`
	Importance       Importance `json:"importance,omitzero"`
	Stability        Stability  `json:"stability,omitempty"`
	// Disabled parts are absent: they leave no trace, but keep their index.
	Disabled bool `json:"disabled,omitempty"`
	// Parts nests a list; a part has either Content or Parts. One with an empty
	// list holds no text.
	Parts  []HostPart `json:"parts,omitzero"`
	Trust  Trust      `json:"trust,omitempty"`
	Origin Position   `json:"origin,omitzero"`
}

// Primary is the agent's own block: one text, or parts that are gated and
// traced each on its own. Both give the same bytes.
type Primary struct {
	// System is the agent's main text; it becomes `primary:system`.
	System *Text `json:"system,omitempty"`
	// Instruction is the same as a prompt file, with the gates that the file
	// asks for. It stands only where System is nil.
	Instruction *Fragment `json:"instruction,omitempty"`
	// Sections is what the layers of the prompt compile to, behind the agent's
	// main text: the section plan with the contributions in its slots, then,
	// excluded, what a layer took out or has no place.
	Sections []Fragment `json:"sections,omitempty"`
	// Parts is the block as a list handed over by a caller. It stands instead of
	// everything else in this struct, also where it is empty; nil is none.
	Parts []Fragment `json:"parts,omitzero"`

	// Worded: those of the texts below that are nil have the wording of the
	// catalog, which the engine renders for each active set, and the skills of
	// [Files] are listed. Otherwise they aren't there.
	Worded bool `json:"worded,omitempty"`
	// MCPAdvisory stands when a tool came from an MCP server.
	MCPAdvisory *Text `json:"mcp_advisory,omitempty"`
	// Skills are the active skills. The list of all stands behind them.
	Skills []Fragment `json:"skills,omitempty"`
	// ProgressTool is the nudge to use the tool named by ProgressToolName; no
	// name, no nudge.
	ProgressTool     *Text  `json:"progress_tool,omitempty"`
	ProgressToolName string `json:"progress_tool_name,omitempty"`
	LoopContract     *Text  `json:"loop_contract,omitempty"`
	// ToolContract says in text how to call tools, for models without native
	// tool calling. It stands when a tool is defined.
	ToolContract *Text `json:"tool_contract,omitempty"`
}

// Files is what prompt files are rendered from besides the active set.
type Files struct {
	// Sources are the texts of prompt files by whole reference, such as
	// `$workspace/review.md`; those that are built in needn't be among them.
	Sources map[string]string `json:"sources,omitempty"`
	// Now is the clock and its time zone; zero when there is none.
	Now time.Time `json:"now,omitzero"`
	// Cwd is the working folder.
	Cwd string `json:"cwd,omitempty"`
	// AgentName is whom the agent is told to be; blank for the default.
	AgentName Text `json:"agent_name,omitzero"`
	// Vars are the variables that the manifest declares, with its values: a JSON
	// object, in its order. Their trust is the workspace's.
	Vars json.RawMessage `json:"vars,omitempty"`
	// Given are values that a caller sets over those, a JSON object too. Their
	// trust is the host's.
	Given json.RawMessage `json:"given,omitempty"`
	// Wording are the texts of the catalog that somebody worded anew, by key, as
	// they are written. Those that the engine renders are among them.
	Wording map[string]Text `json:"wording,omitempty"`
	// Skills are what the catalogue of skills lists, in its order.
	Skills []ListedSkill `json:"skills,omitempty"`
}

// ListedSkill is a line of the catalogue of skills. A blank description isn't
// printed.
type ListedSkill struct {
	Name        Text `json:"name"`
	Description Text `json:"description,omitzero"`
}

// Tool is a tool definition. Its guidance goes into the prompt, gated on the
// tool itself; it is never sent to a provider inside the tool's schema.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	// Guidance is nil when the definition has none; a blank one leaves an
	// excluded fragment in the trace.
	Guidance *string `json:"guidance,omitempty"`
	Runs     []Run   `json:"runs,omitempty"` // of the guidance
	// Server names the MCP server that listed the tool; empty otherwise.
	Server string   `json:"server,omitempty"`
	Trust  Trust    `json:"trust,omitempty"`
	Origin Position `json:"origin,omitzero"`
	// GuidanceOrigin is where the guidance stands; zero: at Origin.
	GuidanceOrigin Position `json:"guidance_origin,omitzero"`
}

// Note is a recorded remark: something was found, changed or left out, and
// nobody should have to guess.
type Note struct {
	Code     Code     `json:"code"`
	Message  string   `json:"message"`
	Fragment string   `json:"fragment,omitempty"`
	Position Position `json:"position,omitzero"`
}

// ActiveTools returns the names of the active tools: those listed, or all
// defined ones.
func (in Input) ActiveTools() []string {
	if !in.AllTools {
		return in.Active.Tools
	}
	out := make([]string, len(in.Tools))
	for i, t := range in.Tools {
		out[i] = t.Name
	}
	return out
}

// active is the active set with the tool names filled in.
func (in Input) active() Active {
	a := in.Active
	a.Tools = in.ActiveTools()
	return a
}

// WithTool returns a copy in which the tool is active as well.
func (in Input) WithTool(name string) Input {
	tools := slices.Clone(in.ActiveTools())
	if !slices.Contains(tools, name) {
		tools = append(tools, name)
	}
	return in.WithTools(tools...)
}

// WithTools returns a copy in which exactly the named tools are active.
func (in Input) WithTools(names ...string) Input {
	in.AllTools, in.Active.Tools = false, slices.Clone(names)
	return in
}

// WithoutTool returns a copy in which the tool isn't active. Its definition
// stays, so that its guidance is traced with the reason for being out.
func (in Input) WithoutTool(name string) Input {
	tools := slices.DeleteFunc(slices.Clone(in.ActiveTools()), func(t string) bool { return t == name })
	return in.WithTools(tools...)
}

// WithCap returns a copy in which the capability is set.
func (in Input) WithCap(name string) Input {
	if !slices.Contains(in.Active.Caps, name) {
		in.Active.Caps = append(slices.Clone(in.Active.Caps), name)
	}
	return in
}

// WithoutCap returns a copy in which the capability isn't set.
func (in Input) WithoutCap(name string) Input {
	in.Active.Caps = slices.DeleteFunc(slices.Clone(in.Active.Caps), func(c string) bool { return c == name })
	return in
}

// WithModel returns a copy for another model.
func (in Input) WithModel(name string) Input {
	in.Active.Model = name
	return in
}
