package manifest

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// The types of this file are the manifest as it is written. They are the one
// description of the format: the reader decodes into them, and the JSON Schema
// is made from them, texts included.

// text is a text that knows where its bytes stand.
type text = strict.Located[string]

// manifestFile is a whole cento.yaml.
type manifestFile struct {
	strict.At
	Version *strict.Located[int] `json:"version,omitempty" jsonschema:"Version of this format. The only one is 1."`
	settingsFile
	Targets map[string]*targetFile `json:"targets,omitempty" jsonschema:"Named variations of the manifest. A target may set any key but version, targets, tests and store: maps are merged, anything else is replaced. A list changes by {add: […], remove: […]} in its place. A list of tool names alone says which of the defined tools are active." others:"environments variants" names:"a target"`
	Store   *text                  `json:"store,omitempty" jsonschema:"Where prompts and sessions are recorded: the path of a file, or postgres://…. Anything but a file below the manifest's folder needs cento trust. Default: the user's own store."`
	Tests   []caseFile             `json:"tests,omitempty" jsonschema:"Tests of the prompts, as in files that end in .cento-test.yaml; cento test runs them."`
}

// targetFile is a named variation.
type targetFile struct {
	settingsFile
	Output  *outputsFile `json:"output,omitempty" jsonschema:"Where cento build --all writes the prompt: a file below the folder of the manifest, or a list of files. No target loads it as instructions."`
	Version *notInTarget `json:"version,omitempty"`
	Targets *notInTarget `json:"targets,omitempty"`
	Store   *notInTarget `json:"store,omitempty"`
	Tests   *notInTarget `json:"tests,omitempty"`
}

// settingsFile holds the keys that a target may set too.
type settingsFile struct {
	strict.At
	Agent       *agentFile       `json:"agent,omitempty" jsonschema:"The agent that the prompt is for."`
	System      *text            `json:"system,omitempty" jsonschema:"The agent's main text, taken literally. Excludes instruction." others:"prompt system_prompt text"`
	Instruction *text            `json:"instruction,omitempty" jsonschema:"Reference to the prompt file of the agent's main text, such as $workspace/reviewer. Default $builtin/default; off: there is none. Excludes system."`
	Host        *hostFile        `json:"host,omitempty" jsonschema:"Texts that frame the agent's own: four before it, two after it."`
	Primary     *primaryFile     `json:"primary,omitempty" jsonschema:"Wording of the built-in parts of the agent's own block. A blank text leaves the part out."`
	Fragments   []fragmentFile   `json:"fragments,omitempty" jsonschema:"Fragments of the project, in the order of the prompt."`
	Tools       *toolsFile       `json:"tools,omitempty" holds:"mcp mcpServers=mcp mcp_servers=mcp" jsonschema:"Tool definitions or the names of active tools: a list, a map with the list under tools and MCP servers under mcp, or the path of a JSON or YAML file with tools. A path may stand in the list too."`
	Caps        []text           `json:"caps,omitempty" jsonschema:"Capabilities that are set; -name takes one away." others:"capabilities"`
	Scope       *scopeSetting    `json:"scope,omitempty" jsonschema:"What the agent may read and write. Default: write in the root of the project, or read where nothing marks it, or it is the home folder or the root of the disk. off: the prompt says nothing of boundaries."`
	Project     *projectFile     `json:"project,omitempty" jsonschema:"How project instructions (AGENTS.md and its kin) are found."`
	Profile     *profileFile     `json:"profile,omitempty" jsonschema:"The project profile: auto (the default) finds out languages, build tools, tasks and remotes from the project's files; off says nothing; a map is a profile that was found before, or elsewhere."`
	Skills      *skillsFile      `json:"skills,omitempty" jsonschema:"Agent skills: auto (the default) lists those of the user and of the project, off none; a map says more."`
	Model       *text            `json:"model,omitempty" jsonschema:"Name of the model."`
	Models      []modelEntryFile `json:"models,omitempty" jsonschema:"What is said of models, over what the catalog knows of them."`
	Trust       *trustFile       `json:"trust,omitempty" jsonschema:"How text of strangers is treated."`
	Limits      *limitsFile      `json:"limits,omitempty" jsonschema:"Ceilings. A manifest may only lower them."`
	Replacement *text            `json:"replacement,omitempty" jsonschema:"A text that stands instead of everything but the working boundaries and the project instructions."`
	Layers      []layerFile      `json:"layers,omitempty" jsonschema:"Layers of the project, low to high. Each adds to slots of the section plan, replaces or clears them, or brings another plan."`
	Packs       []packFile       `json:"packs,omitempty" jsonschema:"Installed packs, whose prompt files are $pack/<name>/…. What they hold is what cento.lock says."`
	PromptPack  *text            `json:"prompt_pack,omitempty" jsonschema:"Path of a YAML or TOML file that words the program's own texts anew."`
	Vars        *varsFile        `json:"vars,omitempty" jsonschema:"Variables for prompt files and conditions, with their values; one that changes more often than this file is {default, stability}." others:"variables values" names:"a variable"`
	Ignore      []ignoreFile     `json:"ignore,omitempty" jsonschema:"Findings of cento check that are known and accepted."`
	Reminders   *remindersFile   `json:"reminders,omitempty" jsonschema:"Where the reminders of a session go, and who makes them."`
	Materialise Materialise      `json:"materialise,omitempty" jsonschema:"How often the prompt of a session is made: once, before its first turn, or for every turn. Default once."`
	Budget      *budgetFile      `json:"budget,omitempty" jsonschema:"How many tokens a request may take. Fragments with an importance are shortened and left out, the least important first, until the prompt fits. Without it nothing is."`
	Wire        *wireFile        `json:"wire,omitempty" jsonschema:"How the prompt becomes a request of a provider."`
}

type agentFile struct {
	Name            *text `json:"name,omitempty" jsonschema:"Who the agent is told to be."`
	ExecutionPrompt *text `json:"execution_prompt,omitempty" jsonschema:"How the agent is to carry tasks out: the text of the builtin execution_instructions, in the prompt where layers are."`
}

// hostFile is a map of the six options, each known by its own name.
type hostFile struct{ hostOptions }

type hostOptions struct {
	SystemPreamble    hostOption `json:"system_preamble,omitzero" jsonschema:"First of all texts."`
	SystemPrefix      hostOption `json:"system_prefix,omitzero" jsonschema:"Behind system_preamble."`
	SystemContext     hostOption `json:"system_context,omitzero" jsonschema:"Behind system_prefix."`
	SystemPromptParts hostOption `json:"system_prompt_parts,omitzero" jsonschema:"Behind system_context, most often a list."`
	SystemAppendix    hostOption `json:"system_appendix,omitzero" jsonschema:"Behind the agent's own block."`
	SystemSuffix      hostOption `json:"system_suffix,omitzero" jsonschema:"Behind system_appendix."`
}

// hostPartFile is a part of a host option in its long form.
type hostPartFile struct {
	strict.At
	ID               string          `json:"id,omitempty" jsonschema:"Makes the fragment's id host:<option>.<id>." names:"the part"`
	Title            *text           `json:"title,omitempty" jsonschema:"Heading of the part, printed with ##."`
	Content          *text           `json:"content,omitempty" jsonschema:"The text, taken literally." others:"text prompt"`
	Body             *text           `json:"body,omitempty" jsonschema:"Another name of content."`
	Template         *text           `json:"template,omitempty" jsonschema:"Reference to a prompt file that is rendered instead of a text." others:"file path"`
	Position         *cento.Bucket   `json:"position,omitempty" jsonschema:"Moves the part before or after the agent's own block."`
	RequiresTools    strict.NameList `json:"requires_tools,omitempty" jsonschema:"In only when every named tool is active." names:"a tool"`
	RequiresAnyTools strict.NameList `json:"requires_any_tools,omitempty" jsonschema:"In only when at least one of the named tools is active." names:"a tool"`
	RequiresCaps     strict.NameList `json:"requires_caps,omitempty" jsonschema:"In only when every named capability is set." names:"a capability"`
	When             *text           `json:"when,omitempty" jsonschema:"A further condition." others:"if condition only_if"`
	Importance       importance      `json:"importance,omitzero" jsonschema:"Who is left out first over a budget: the lowest number; default required, which never is."`
	Stability        cento.Stability `json:"stability,omitempty" jsonschema:"How often the bytes change; default static."`
	Enabled          *bool           `json:"enabled,omitempty" jsonschema:"False takes the part out."`
	Parts            *hostParts      `json:"parts,omitempty" jsonschema:"A list of parts instead of a text."`
}

type primaryFile struct {
	MCPAdvisory      *text  `json:"mcp_advisory,omitempty" jsonschema:"Stands when a tool comes from an MCP server."`
	ProgressTool     *text  `json:"progress_tool,omitempty" jsonschema:"The nudge to use the tool that keeps the plan."`
	ProgressToolName string `json:"progress_tool_name,omitempty" jsonschema:"Name of the tool that keeps the plan. Without it there is no nudge."`
	LoopContract     *text  `json:"loop_contract,omitempty" jsonschema:"What ends a turn."`
	ToolContract     *text  `json:"tool_contract,omitempty" jsonschema:"How to call tools in text, for models without tool calls of their own."`
}

// fragmentFile is a fragment as people write it.
type fragmentFile struct {
	strict.At
	ID               text                  `json:"id" jsonschema:"Stable identifier, unique in the prompt." others:"name key"`
	Source           string                `json:"source,omitempty" jsonschema:"Who contributed it, for grouping." names:"who contributed the fragment"`
	Bucket           cento.Bucket          `json:"bucket,omitempty" jsonschema:"Region relative to the agent's own block; default before."`
	RequiresTools    strict.NameList       `json:"requires_tools,omitempty" jsonschema:"In only when every named tool is active." others:"tools" names:"a tool"`
	RequiresAnyTools strict.NameList       `json:"requires_any_tools,omitempty" jsonschema:"In only when at least one of the named tools is active." names:"a tool"`
	RequiresCaps     strict.NameList       `json:"requires_caps,omitempty" jsonschema:"In only when every named capability is set." others:"caps capabilities" names:"a capability"`
	When             *text                 `json:"when,omitempty" jsonschema:"A further condition." others:"if condition only_if"`
	Body             *text                 `json:"body,omitempty" jsonschema:"The text, taken literally." others:"text content prompt"`
	Template         *text                 `json:"template,omitempty" jsonschema:"Reference to a prompt file, such as $workspace/review, that is rendered instead of a body." others:"path include"`
	File             *text                 `json:"file,omitempty" jsonschema:"Path of a text file inside the project, relative to this file, whose text is taken literally instead of a body. Front matter at its top is left out."`
	Contract         *contractFile         `json:"contract,omitempty" jsonschema:"A contract that is written instead of a body: the path of a YAML or JSON file inside the project, or the contract itself."`
	Form             *form                 `json:"form,omitempty" jsonschema:"How the contract is written; default lines."`
	Exact            *strict.Located[bool] `json:"exact,omitempty" jsonschema:"In edn, write an objective with spaces as a string, so that it reads back as it was; default false."`
	Section          *text                 `json:"section,omitempty" jsonschema:"Heading that neighbours of the same section share, printed with ##." others:"heading"`
	Title            *text                 `json:"title,omitempty" jsonschema:"Heading of its own, printed with ###."`
	Importance       importance            `json:"importance,omitzero" jsonschema:"Who is left out first over a budget: the lowest number; default required, which never is."`
	Variants         []text                `json:"variants,omitempty" jsonschema:"Shorter bodies, tried before the fragment is left out over a budget, each for the one before it."`
	Group            *text                 `json:"group,omitempty" jsonschema:"Fragments of one group are all in or all out under a budget."`
	Needs            []text                `json:"needs,omitempty" jsonschema:"Ids without which this one is out too." names:"a fragment"`
	Stability        cento.Stability       `json:"stability,omitempty" jsonschema:"How often the bytes change; default static."`
	Protected        bool                  `json:"protected,omitempty" jsonschema:"Cannot be dropped or replaced."`
	Trust            *requestTrust         `json:"trust,omitempty"`
	Origin           *setByProgram         `json:"origin,omitempty"`
	Layer            *setByProgram         `json:"layer,omitempty"`
	Tight            *setByProgram         `json:"tight,omitempty"`
}

// packFile is a pack that the project uses.
type packFile struct {
	strict.At
	Name text  `json:"name" jsonschema:"Name of the pack, as its pack.yaml says it."`
	Path *text `json:"path,omitempty" jsonschema:"Folder of the pack, inside the project and relative to this file; default .cento/packs/<name>."`
}

// ignoreFile is a finding that somebody accepts.
type ignoreFile struct {
	strict.At
	Code   text  `json:"code" jsonschema:"Code of the finding, such as tool.dead_mention."`
	ID     *text `json:"id,omitempty" jsonschema:"The fragment or prompt file that it is about; default any."`
	Reason text  `json:"reason" jsonschema:"Why it is accepted."`
}

// valuesFile is a map of names to values of any kind.
type valuesFile struct {
	json []byte
	at   map[string]cento.Position // of the names
}

func (v *valuesFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map {
		d.Expected(n, "a map of names to values").Hint = "as in {customer: Ada}"
		return
	}
	var err error
	v.json, err = n.AppendJSON(nil)
	d.Report(err)
	v.at = map[string]cento.Position{}
	for key := range n.Members() {
		if name, ok := key.Text(); ok {
			v.at[name] = key.Position()
		}
	}
}

// scopeSetting is a scope, or `off`.
type scopeSetting struct {
	scopeFile
	off bool
}

func (s *scopeSetting) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if s.off = isOff(n); s.off {
		return
	}
	if n.Kind() != strict.Map {
		d.Expected(n, "a map with allow and deny, or off").Hint = "as in {allow: [{target: ., permission: read}]}"
		return
	}
	d.Decode(n, &s.scopeFile)
}

type scopeFile struct {
	strict.At
	Allow      []scopeRuleFile `json:"allow,omitempty" jsonschema:"What is permitted; at least one rule."`
	Deny       []scopeRuleFile `json:"deny,omitempty" jsonschema:"What is not, however much is allowed."`
	ShowDenied *bool           `json:"show_denied,omitempty" jsonschema:"Tell in the prompt what deny rules make read only or not accessible; default true, in a request false."`
}

type scopeRuleFile struct {
	strict.At
	Target     text       `json:"target" jsonschema:"A path, absolute or relative to this file. It need not exist. Under deny, *, ? and [ make it a pattern." others:"path file folder"`
	Permission permission `json:"permission" jsonschema:"What the rule is about; write includes read." others:"access mode"`
	Recursive  *bool      `json:"recursive,omitempty" jsonschema:"False: the target and its direct children alone; default true."`
}

type projectFile struct {
	Instructions *text  `json:"instructions,omitempty" jsonschema:"Name of the loading rules: cento, cwd, nearest, or those of a client, codex, claude, gemini, opencode, copilot, qwen, also of one version, as in claude@2.1.197; off loads nothing; default cento."`
	Markers      []text `json:"markers,omitempty" jsonschema:"Files or folders that mark the root of a project; default .git, .hg, .jj, .svn."`
	Limit        *count `json:"limit,omitempty" jsonschema:"How many bytes of instructions go into the prompt; default 262144 for cento, 32768 for codex, none for cwd and nearest. The rules of the other clients have no limit."`
	Imports      bool   `json:"imports,omitempty" jsonschema:"Put the files in place that instructions name as @path; default false. The rules of other clients have their own."`
}

type trustFile struct {
	Policy  *policyFile  `json:"policy,omitempty" jsonschema:"What happens to invisible characters: one word for all, or one for each level."`
	Secrets *secretsFile `json:"secrets,omitempty" jsonschema:"What happens to credentials in texts. Only warn is supported by this version."`
}

type limitsFile struct {
	File      *count `json:"file,omitempty" jsonschema:"Largest file that is read, in bytes; default 1048576."`
	Prompt    *count `json:"prompt,omitempty" jsonschema:"Longest prompt, in bytes; default 16777216."`
	Fragments *count `json:"fragments,omitempty" jsonschema:"Number of fragments; default 100000."`
	Nesting   *count `json:"nesting,omitempty" jsonschema:"Depth of nested lists and maps; default 100."`
}

// toolFile is a tool definition in any of the dialects: the native one, and
// those in which OpenAI, Anthropic and MCP servers list tools. Keys of those
// that say nothing about the prompt are known, and kept for requests.
type toolFile struct {
	strict.At
	Name        *text         `json:"name,omitempty" jsonschema:"Name of the tool, compared exactly."`
	Description *text         `json:"description,omitempty" jsonschema:"What the tool does, for the model."`
	Parameters  *strict.Node  `json:"parameters,omitempty" jsonschema:"JSON Schema of the arguments."`
	Guidance    *text         `json:"guidance,omitempty" jsonschema:"When and how to use the tool. It goes into the prompt while the tool is active, and never to a provider."`
	Type        *text         `json:"type,omitempty" jsonschema:"OpenAI, Anthropic: kind of tool."`
	Function    *functionFile `json:"function,omitempty" jsonschema:"OpenAI: the definition itself."`
	// InputSchema is Anthropic's name of the parameters, MCPSchema that of MCP.
	InputSchema *strict.Node `json:"input_schema,omitempty" jsonschema:"Anthropic: JSON Schema of the arguments."`
	MCPSchema   *strict.Node `json:"inputSchema,omitempty" jsonschema:"MCP: JSON Schema of the arguments."`

	Strict              *strict.Node `json:"strict,omitempty" jsonschema:"OpenAI, Anthropic, Bedrock: hold calls to the schema."`
	CacheControl        *strict.Node `json:"cache_control,omitempty" jsonschema:"Anthropic: breakpoint of the prompt cache after the tool."`
	DeferLoading        *strict.Node `json:"defer_loading,omitempty" jsonschema:"OpenAI, Anthropic: leave the tool to the search for tools."`
	AllowedCallers      *strict.Node `json:"allowed_callers,omitempty" jsonschema:"OpenAI, Anthropic: who may call the tool, in the terms of one of them."`
	InputExamples       *strict.Node `json:"input_examples,omitempty" jsonschema:"Anthropic: examples of arguments."`
	EagerInputStreaming *strict.Node `json:"eager_input_streaming,omitempty" jsonschema:"Anthropic: stream arguments unchecked."`
	OpenAIOutput        *strict.Node `json:"output_schema,omitempty" jsonschema:"OpenAI: JSON Schema of results."`
	Behavior            *strict.Node `json:"behavior,omitempty" jsonschema:"Gemini: whether the model waits for results."`
	Response            *strict.Node `json:"response,omitempty" jsonschema:"Gemini: schema of results."`
	Title               *strict.Node `json:"title,omitempty" jsonschema:"MCP; for clients, in no request."`
	OutputSchema        *strict.Node `json:"outputSchema,omitempty" jsonschema:"MCP; for clients, in no request."`
	Annotations         *strict.Node `json:"annotations,omitempty" jsonschema:"MCP; for clients, in no request."`
	Icons               *strict.Node `json:"icons,omitempty" jsonschema:"MCP; for clients, in no request."`
	Execution           *strict.Node `json:"execution,omitempty" jsonschema:"MCP; for clients, in no request."`
	Meta                *strict.Node `json:"_meta,omitempty" jsonschema:"MCP: a text under guidance is the guidance; the rest is in no request."`
}

// functionFile is what OpenAI nests in a tool.
type functionFile struct {
	strict.At
	Name        *text        `json:"name,omitempty" jsonschema:"Name of the tool, compared exactly."`
	Description *text        `json:"description,omitempty" jsonschema:"What the tool does, for the model."`
	Parameters  *strict.Node `json:"parameters,omitempty" jsonschema:"JSON Schema of the arguments."`
	Strict      *strict.Node `json:"strict,omitempty" jsonschema:"Hold calls to the schema."`
	Guidance    *text        `json:"guidance,omitempty" jsonschema:"When and how to use the tool; here or beside function."`
}
