package cento

import (
	"encoding/json"
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
	// Model is what is known of the model that Active names, as it was looked up;
	// nil where nobody looked. Its capabilities are among those of Active.
	Model *Model `json:"model,omitempty"`

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
	// included; nil when there is no scope.
	Boundaries *Text `json:"boundaries,omitempty"`
	// Instructions is the section of project instructions, its heading
	// included; nil when there is no such file. Absent and empty differ.
	Instructions *Text `json:"instructions,omitempty"`
	// Replacement overrides everything but the protected tail.
	Replacement *Replacement `json:"replacement,omitempty"`
	// Without are ids of fragments that are taken out: what the prompt would be without
	// their texts. What they stand instead of stays out. Protected fragments stay in, and
	// an id that no fragment has changes nothing.
	Without []string `json:"without,omitempty"`

	// Headings are the words over groups of fragments that the program puts
	// together.
	Headings Headings `json:"headings,omitzero"`

	// Files is what an engine renders prompt files from.
	Files Files `json:"files,omitzero"`

	// Budget is how many tokens the request may take; nil for any number.
	Budget *Budget `json:"budget,omitempty"`

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
	Trust  Trust    `json:"trust,omitzero"`
	Origin Position `json:"origin,omitzero"`
	// Stability is how often the bytes change, where the text was made of something
	// that changes, such as the day; default [Static].
	Stability Stability `json:"stability,omitempty"`
}

// Headings are the words over groups of fragments that the program puts
// together, without marks, so that nothing stands under the heading of somebody
// else. Fragments that name a section themselves keep it. A blank heading leaves
// it out: the zero value prints none, as in Harn.
type Headings struct {
	// Skills stands over the active skills and the list of all.
	Skills Text `json:"skills,omitzero"`
	// Profile stands over the fragments of the project profile.
	Profile Text `json:"profile,omitzero"`
	// Tools stands over the guidance of tools, and over what the agent's own block
	// says of them, which stands in front of the guidance then. Where no tool is
	// guided, that stands together in the block, and has the heading where it would
	// stand under another.
	Tools Text `json:"tools,omitzero"`
	// Manifest stands over the manifest's fragments, over what layers contribute
	// to a section without a title, and over the rest of the agent's own block,
	// each where it would stand under another heading.
	Manifest Text `json:"manifest,omitzero"`
	// Reminders stands over those that are placed in the system prompt, where they
	// would stand under another heading.
	Reminders Text `json:"reminders,omitzero"`
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

// HostText is an option that holds one plain text of the program's own.
func HostText(content string) HostOption {
	return HostOption{Parts: []HostPart{{Content: content, Trust: TrustHost}}}
}

// HostList is an option that holds a list of parts.
func HostList(parts ...HostPart) HostOption {
	return HostOption{Parts: parts, IsList: true}
}

// HostPart is one part of a host option: a text, or a list of further parts.
type HostPart struct {
	// ID makes the fragment's id `host:<option>.<id>`; without it the option's
	// name and the indexes do.
	ID    string `json:"id,omitempty"`
	Title string `json:"title,omitempty"`
	// TitleOrigin is where the words of the title begin; zero: as Origin.
	TitleOrigin Position `json:"title_origin,omitzero"`
	Content     string   `json:"content,omitempty"`
	Runs        []Run    `json:"runs,omitempty"`
	// Template names a prompt file that is rendered instead of Content.
	Template string `json:"template,omitempty"`
	// TemplateOrigin is where it is named; zero: as Origin.
	TemplateOrigin Position `json:"template_origin,omitzero"`
	// Position moves the part to a bucket; nil keeps the option's own.
	Position         *Bucket      `json:"position,omitempty"`
	RequiresTools    []string     `json:"requires_tools,omitempty"`
	RequiresAnyTools []string     `json:"requires_any_tools,omitempty"`
	RequiresCaps     []string     `json:"requires_caps,omitempty"`
	GatesOrigin      *GateOrigins `json:"gates_origin,omitempty"` // as in [Fragment]
	When             string       `json:"when,omitempty"`
	WhenOrigin       Position     `json:"when_origin,omitzero"`
	WhenRuns         []Run        `json:"when_runs,omitempty"` // as in [Fragment]
	Importance       Importance   `json:"importance,omitzero"`
	Stability        Stability    `json:"stability,omitempty"`
	// Disabled parts are absent: they leave no trace, but keep their index.
	Disabled bool `json:"disabled,omitempty"`
	// Parts nests a list; a part has either Content or Parts. One with an empty
	// list holds no text.
	Parts  []HostPart `json:"parts,omitzero"`
	Trust  Trust      `json:"trust,omitzero"`
	Origin Position   `json:"origin,omitzero"`
}

// Primary is the agent's own block: one text, or parts that are gated and
// traced each on its own. Both give the same bytes.
type Primary struct {
	// System is the agent's main text; it becomes `primary:system`.
	System *Text `json:"system,omitempty"`
	// Instruction is the same as a prompt file, with the gates that the file
	// asks for. It stands only where System is nil; else it is told of as out.
	Instruction *Fragment `json:"instruction,omitempty"`
	// Sections is what the layers of the prompt compile to: the section plan with
	// the contributions in its slots, then, excluded, what a layer took out, what has
	// no place and what gave way. Where the plan has a place for the agent's main text,
	// it is among them, and System and Instruction are nil.
	Sections []Fragment `json:"sections,omitempty"`
	// Parts is the block as a list handed over by a caller. It stands instead of
	// everything else in this struct, also where it is empty; nil is none. What it
	// stands instead of is told of as out.
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
	// Prefixes are those that the host brought, such as `$insomnia`, each with the
	// trust of its files. Where `$builtin` is among them, its files are the host's.
	Prefixes map[string]Trust `json:"prefixes,omitempty"`
	// Now is the clock and its time zone; zero when there is none.
	Now time.Time `json:"now,omitzero"`
	// Cwd is the working folder.
	Cwd string `json:"cwd,omitempty"`
	// AgentName is whom the agent is told to be; blank for the default.
	AgentName Text `json:"agent_name,omitzero"`
	// Vars are the variables that the manifest declares, with its values: a JSON
	// object, in its order. Their trust is the workspace's.
	Vars json.RawMessage `json:"vars,omitempty"`
	// VarStability is how often the values of variables change; those that aren't
	// in it change with the files that set them.
	VarStability map[string]Stability `json:"var_stability,omitempty"`
	// Given are values that a caller sets over those, a JSON object too. Their
	// trust is the host's.
	Given json.RawMessage `json:"given,omitempty"`
	// Wording are the texts of the catalog that somebody worded anew, by key, as
	// they are written. Those that the engine renders are among them.
	Wording map[string]Text `json:"wording,omitempty"`
	// Skills are what the catalogue of skills lists, in its order.
	Skills []ListedSkill `json:"skills,omitempty"`
}

// ListedSkill is a line of the catalogue of skills. A blank path or description
// isn't printed.
type ListedSkill struct {
	Name Text `json:"name"`
	// Path is the file to read before the skill is used, from the working folder.
	Path        Text `json:"path,omitzero"`
	Description Text `json:"description,omitzero"`
}

// Tool is a tool definition. Its guidance goes into the prompt, gated on the
// tool itself; it is never sent to a provider inside the tool's schema.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	// DescriptionRuns are where the description stands; nil, or such as don't tile it:
	// all of it at Origin.
	DescriptionRuns []Run `json:"description_runs,omitempty"`
	// Native is the definition of a tool that a provider runs itself, in the
	// provider's own terms; it has no parameters then.
	Native json.RawMessage `json:"native,omitempty"`
	// Members are further members of its definition in requests, such as strict, in the
	// order in which they are written.
	Members []ToolMember `json:"members,omitempty"`
	// Guidance is nil when the definition has none; a blank one leaves an
	// excluded fragment in the trace.
	Guidance *string `json:"guidance,omitempty"`
	Runs     []Run   `json:"runs,omitempty"` // of the guidance
	// Server names the MCP server that listed the tool; empty otherwise.
	Server string   `json:"server,omitempty"`
	Trust  Trust    `json:"trust,omitzero"`
	Origin Position `json:"origin,omitzero"`
	// GuidanceOrigin is where the guidance stands; zero: at Origin.
	GuidanceOrigin Position `json:"guidance_origin,omitzero"`
}

// ToolMember is a member of a tool's definition that only some providers read, such as
// strict or cache_control.
type ToolMember struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
	// Formats are the provider formats that it is for, by name, such as "anthropic": a
	// request in another format goes without it. Empty: no request has it.
	Formats []string `json:"formats,omitempty"`
}

// ToolServer is a server that listed tools, with what it has to say about all
// of them.
type ToolServer struct {
	// Name is the one that [Tool].Server refers to.
	Name string `json:"name"`
	// Instructions become the fragment `server:<name>.instructions`, in front of
	// the guidance of the server's first tool and in while one of its tools is
	// active. Their trust is that of tools, whoever hands them over.
	Instructions Text `json:"instructions"`
}

// Limits are the ceilings of one assembly. They bound what hostile input can
// cost; each is settable by the host, and a manifest may only lower them.
type Limits struct {
	// File is the largest file that is read, in bytes. Default 1 MiB.
	File int `json:"file,omitempty"`
	// Prompt is the longest prompt, in bytes. Default 16 MiB.
	Prompt int `json:"prompt,omitempty"`
	// Fragments is how many fragments one assembly may hold. Default 100,000.
	Fragments int `json:"fragments,omitempty"`
	// Nesting is how deep lists of host parts, YAML and JSON may nest. Default
	// 100.
	Nesting int `json:"nesting,omitempty"`
}

// DefaultLimits returns the ceilings that hold when none are set.
func DefaultLimits() Limits {
	return Limits{File: 1 << 20, Prompt: 16 << 20, Fragments: 100_000, Nesting: 100}
}

// Or returns the limits with every unset one taken from defaults; none can be
// below 1.
func (l Limits) Or(defaults Limits) Limits {
	if l.File <= 0 {
		l.File = defaults.File
	}
	if l.Prompt <= 0 {
		l.Prompt = defaults.Prompt
	}
	if l.Fragments <= 0 {
		l.Fragments = defaults.Fragments
	}
	if l.Nesting <= 0 {
		l.Nesting = defaults.Nesting
	}
	return l
}

// A Model is what is known of a language model: what a prompt may depend on, and
// what decides the form of a request. What isn't known is nil or empty, written as
// null, and never guessed. An [Input] holds the entry as it was resolved, so that a
// replay needs no catalog.
type Model struct {
	// ID is the name of the model in the catalog.
	ID string `json:"id"`
	// Name is what requests to its vendor call it: the name that was asked for, without a
	// path of who serves it.
	Name string `json:"name"`
	// Path is the vendor before the name that was asked for, as Qwen in Qwen/Qwen3-8B: who
	// serves the models of many has it in their names. Empty where there was none.
	Path string `json:"path,omitempty"`
	// Provider serves it; empty when unknown.
	Provider string `json:"provider"`
	// Family is the vendor's line, such as "claude" or "gpt"; Series the finer one,
	// such as "claude-opus".
	Family string `json:"family"`
	Series string `json:"series"`
	// Aliases are other names of the same model.
	Aliases []string `json:"aliases,omitempty"`
	// Context is the window in tokens, MaxInput the most of it that an input may
	// take where that is less, MaxOutput the longest answer.
	Context   *int       `json:"context"`
	MaxInput  *int       `json:"max_input"`
	MaxOutput *int       `json:"max_output"`
	Price     ModelPrice `json:"price"`
	// Tokenizer is the public encoding whose counts are the model's own; nil when
	// there is none.
	Tokenizer *string `json:"tokenizer"`
	// Counting is what counts its tokens here.
	Counting ModelCounting `json:"counting"`
	Cache    ModelCache    `json:"cache"`
	// System is where the system prompt goes.
	System SystemPlace `json:"system"`
	// OneSystemMessage: it takes one system message, and that first.
	OneSystemMessage *bool `json:"one_system_message"`
	// MidConversationSystem: it takes system messages between the turns.
	MidConversationSystem *bool `json:"mid_conversation_system"`
	// Prefill: it takes a last message of its own to continue.
	Prefill *bool `json:"prefill"`
	// Sampling: it takes a temperature, top_p and top_k other than its own.
	Sampling *bool `json:"sampling"`
	// SamplingAtNone: a model without Sampling takes a temperature and a top_p of the caller
	// in requests whose reasoning effort is "none".
	SamplingAtNone *bool `json:"sampling_at_none"`
	// SamplingPair: it takes a temperature and a top_p in one request.
	SamplingPair *bool `json:"sampling_pair"`
	// Efforts are the reasoning efforts that it takes in at least one provider format, the
	// least first, such as "low" and "high"; nil when unknown. DefaultEffort is the effort
	// of a request that names none; empty when unknown.
	Efforts       []string `json:"efforts"`
	DefaultEffort string   `json:"default_effort"`
	// ThinkingBudget: it takes a bound of the tokens that it reasons with (budget_tokens).
	ThinkingBudget *bool `json:"thinking_budget"`
	// AdaptiveThinking: it takes the thinking type "adaptive".
	AdaptiveThinking *bool `json:"adaptive_thinking"`
	// ChatMaxTokens: it takes max_tokens in OpenAI's Chat Completions; one that doesn't takes
	// max_completion_tokens alone.
	ChatMaxTokens *bool `json:"chat_max_tokens"`
	// Sections are the forms in which the vendor advises to part a prompt, of
	// "markdown" and "xml", the first one first; nil where nothing is documented.
	Sections []string `json:"sections"`
	// Wire is the form of the requests to it, as package wire names them.
	Wire  string `json:"wire"`
	Tools *bool  `json:"tools"`
	// ChatTools: it takes them in OpenAI's Chat Completions; one that doesn't may in the
	// Responses.
	ChatTools *bool `json:"chat_tools"`
	Vision    *bool `json:"vision"`
	Reasoning *bool `json:"reasoning"`
	// Status is "active", "legacy" or a word of the vendor's; empty when unknown.
	Status string `json:"status"`
	// AsOf is the day or month of the newest source, Source what the facts rest on. Checked is
	// the day on which somebody last compared the entry with its sources.
	AsOf    string `json:"as_of"`
	Checked string `json:"checked"`
	Source  string `json:"source"`
}

// ModelCounting says what counts the tokens of a model.
type ModelCounting struct {
	// Counter is the name of an encoding or estimate, as package token names them.
	Counter string `json:"counter"`
	// Exact: the counts are the model's own.
	Exact bool `json:"exact"`
	// Declared: an entry of the catalog names the tokenizer, so that the counts are
	// exact whatever the model's name says.
	Declared bool `json:"declared,omitempty"`
	// Basis says what an estimate rests on; empty for exact counts.
	Basis string `json:"basis,omitempty"`
}

// ModelPrice is in US dollars for a million tokens.
type ModelPrice struct {
	Input  *float64 `json:"input"`
	Output *float64 `json:"output"`
	// CacheRead is the price of input that is read from the prompt cache.
	CacheRead *float64 `json:"cache_read"`
	// CacheWrite is the price of input that is written to it, by how long it is to
	// stay, such as "5m"; "" where the provider has one time alone.
	CacheWrite map[string]float64 `json:"cache_write"`
	// Above are the rates of a whole request whose input is longer; nil for none.
	Above *PriceAbove `json:"above"`
	// Until is the last day for which the vendor announced a promotional price, as 2026-12-31;
	// empty where no source has one. Cento knows no later price.
	Until string `json:"until,omitempty"`
}

// PriceAbove holds the rates of requests with more than Tokens of input, cache writes
// included. A rate that is nil is unknown: the rate below the threshold does not replace it.
type PriceAbove struct {
	Tokens     int                `json:"tokens"`
	Input      *float64           `json:"input"`
	Output     *float64           `json:"output"`
	CacheRead  *float64           `json:"cache_read"`
	CacheWrite map[string]float64 `json:"cache_write"`
}

// ModelCache are the rules of a model's prompt cache.
type ModelCache struct {
	Kind CacheKind `json:"kind"`
	// MinTokens is the shortest prefix that is kept.
	MinTokens *int `json:"min_tokens"`
	// MaxBreakpoints is how many marks one request may have.
	MaxBreakpoints *int `json:"max_breakpoints"`
	// TTL are the times that a request may ask for, the shortest first.
	TTL []string `json:"ttl"`
	// Automatic: prefixes are kept without marks too, or on one word for all.
	Automatic *bool `json:"automatic"`
	// Lookback is how many blocks before a mark are compared with what was kept.
	Lookback *int `json:"lookback"`
}

// CacheKind is how a prompt cache is told what to keep.
type CacheKind string

// The kinds of prompt caches; "" is not known, and written as null.
const (
	// CacheExplicit keeps what is marked.
	CacheExplicit CacheKind = "explicit"
	// CacheImplicit keeps prefixes by itself.
	CacheImplicit CacheKind = "implicit"
	// CacheBoth does either.
	CacheBoth CacheKind = "both"
	// CacheObject keeps prefixes by itself, and what is stored under a name.
	CacheObject CacheKind = "object"
	// CacheNone keeps nothing.
	CacheNone CacheKind = "none"
)

// MarshalJSON gives null for what isn't known.
func (k CacheKind) MarshalJSON() ([]byte, error) {
	if k == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(k))
}

// SystemPlace is where the system prompt of a request stands.
type SystemPlace string

// The places of system prompts. An empty one is a system message.
const (
	SystemField       SystemPlace = "system_field"
	SystemMessage     SystemPlace = "system_message"
	DeveloperMessage  SystemPlace = "developer_message"
	SystemInstruction SystemPlace = "system_instruction"
)

// Window is the most tokens that the input of a request may have: MaxInput or Context,
// whichever is less; false when neither is known.
func (m *Model) Window() (int, bool) {
	switch {
	case m == nil:
	case m.MaxInput != nil && m.Context != nil:
		return min(*m.MaxInput, *m.Context), true
	case m.MaxInput != nil:
		return *m.MaxInput, true
	case m.Context != nil:
		return *m.Context, true
	}
	return 0, false
}

// Caps are the capabilities that a model brings along, all below `model.`; none
// for what isn't known.
func (m *Model) Caps() []string {
	if m == nil {
		return nil
	}
	var out []string
	set := func(name string, holds bool) {
		if holds {
			out = append(out, "model."+name)
		}
	}
	is := func(fact *bool, want bool) bool { return fact != nil && *fact == want }
	set("family."+m.Family, m.Family != "")
	set("prompt_cache", m.Cache.Kind != "" && m.Cache.Kind != CacheNone)
	set("cache_breakpoints", m.Cache.MaxBreakpoints != nil && *m.Cache.MaxBreakpoints > 0)
	set("developer_role", m.System == DeveloperMessage)
	set("system_field", m.System == SystemField)
	set("native_tools", is(m.Tools, true))
	set("text_tools", is(m.Tools, false))
	for _, s := range m.Sections {
		set("sections_"+s, true)
	}
	set("vision", is(m.Vision, true))
	set("reasoning", is(m.Reasoning, true))
	return out
}
