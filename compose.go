package cento

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The ids of the fragments that the program itself places.
const (
	BoundariesID    = "scope:boundaries"
	InstructionsID  = "project:instructions"
	ReplacementID   = "replacement"
	SystemID        = "primary:system"
	MCPAdvisoryID   = "primary:mcp_advisory"
	SkillCatalogID  = "primary:skill_catalog"
	ProgressToolID  = "primary:progress_tool"
	LoopContractID  = "primary:loop_contract"
	ToolContractID  = "primary:tool_contract"
	textToolsCap    = "model.text_tools"
	primarySource   = "primary"
	guidanceSuffix  = ".guidance"
	toolIDPrefix    = "tool:"
	hostIDPrefix    = "host:"
	preambleOption  = "system_preamble"
	prefixOption    = "system_prefix"
	contextOption   = "system_context"
	partsOption     = "system_prompt_parts"
	appendixOption  = "system_appendix"
	suffixOption    = "system_suffix"
	boundarySource  = "scope"
	projectSource   = "project"
	replacementFrom = "host"
)

// CatalogTemplate begins the template of a text that the program words itself:
// the key of the text in the catalog is behind it. No file can name one.
const CatalogTemplate = "$catalog/"

// catalogFiles is where the built-in wording stands, as positions name it.
const catalogFiles = "$builtin/catalog/"

// Compose lists the fragments of an input in declaration order: host parts
// before the primary block, host parts after it, the primary block, profile,
// manifest fragments, tool guidance, reminders, and the protected tail. This is
// the only place that decides that order, and no text is joined here: the
// reducer does that.
//
// The errors are [InvalidHost], [InvalidFragment], [DuplicateTool],
// [InvalidTool], [LimitExceeded] and [BlankReplacement], several at once.
func Compose(in Input) ([]Fragment, []Note, error) {
	c := composer{nesting: in.Limits.Or(DefaultLimits()).Nesting}
	h := &in.Host
	c.host(preambleOption, h.SystemPreamble, Before)
	c.host(prefixOption, h.SystemPrefix, Before)
	c.host(contextOption, h.SystemContext, Before)
	c.host(partsOption, h.SystemPromptParts, Before)
	c.host(appendixOption, h.SystemAppendix, After)
	c.host(suffixOption, h.SystemSuffix, After)
	c.primary(in.Primary, in.Tools, &in.Files)
	c.out = append(c.out, in.Profile...)
	for _, f := range in.Fragments {
		if f.Source == "" {
			f.Source = "manifest"
		}
		c.out = append(c.out, f)
	}
	c.guidance(in.Tools, in.Servers)
	c.out = append(c.out, in.Reminders...)
	c.reserve()
	c.tail(in.Boundaries, BoundariesID, boundarySource)
	c.tail(in.Instructions, InstructionsID, projectSource)
	if in.Replacement != nil {
		c.replace(*in.Replacement)
	}
	if err := Join(c.errs); err != nil {
		return nil, nil, err
	}
	return c.out, c.notes, nil
}

// Fragments is the block as a list: the parts handed over, or the agent's text
// and the built-in parts.
func (p Primary) Fragments() []Fragment {
	var c composer
	c.primary(p, nil, new(Files))
	return c.out
}

// Text is the block as one text: the trimmed bodies of its fragments, gates not
// asked, joined by a blank line. Its errors are those of [ReduceFragments].
func (p Primary) Text() (string, error) {
	parts := p.Fragments()
	for i := range parts {
		parts[i].RequiresTools, parts[i].RequiresAnyTools, parts[i].RequiresCaps = nil, nil, nil
		parts[i].When, parts[i].Needs, parts[i].Bucket = "", nil, Before
	}
	prompt, err := ReduceFragments(parts, Active{}, Options{})
	if err != nil {
		return "", err
	}
	text, _ := prompt.System()
	return text, nil
}

type composer struct {
	nesting int
	out     []Fragment
	notes   []Note
	errs    []*SourceError
}

func (c *composer) fail(code ErrorCode, at Position, format string, args ...any) *SourceError {
	e := &SourceError{Code: code, Position: at, Message: fmt.Sprintf(format, args...)}
	c.errs = append(c.errs, e)
	return e
}

func (c *composer) host(option string, o HostOption, bucket Bucket) {
	for i, part := range o.Parts {
		place := option
		if o.IsList {
			place += "[" + strconv.Itoa(i) + "]"
		}
		c.hostPart(option, place, place, part, HostPart{Position: &bucket}, 1)
	}
}

// hostPart adds one part. place is where it stands in the option, which is its
// source and its id unless it names one itself; from is what it inherits: a
// part that holds parts hands its gates and its position on to them.
func (c *composer) hostPart(option, name, place string, p, from HostPart, depth int) {
	if p.Disabled {
		return
	}
	if depth > c.nesting {
		c.fail(LimitExceeded, p.Origin, "%s: host parts nest deeper than %d", place, c.nesting)
		return
	}
	if p.ID != "" {
		name = option + "." + p.ID
	}
	if p.Position == nil {
		p.Position = from.Position
	}
	p.RequiresTools = slices.Concat(from.RequiresTools, p.RequiresTools)
	p.RequiresCaps = slices.Concat(from.RequiresCaps, p.RequiresCaps)
	switch {
	case len(from.RequiresAnyTools) > 0 && len(p.RequiresAnyTools) > 0:
		c.fail(InvalidHost, p.Origin, "%s: requires_any_tools is given here and on the part around it; give it once", place)
		return
	case len(p.RequiresAnyTools) == 0:
		p.RequiresAnyTools = from.RequiresAnyTools
	}
	switch {
	case !isBlank(from.When) && !isBlank(p.When):
		p.When, p.WhenOrigin = "("+from.When+") and ("+p.When+")", Position{}
	case isBlank(p.When):
		p.When, p.WhenOrigin = from.When, from.WhenOrigin
	}
	if p.Parts != nil {
		if p.Content != "" || p.Title != "" || p.Template != "" {
			c.fail(InvalidHost, p.Origin, "%s: a part holds either parts or a text of its own, not both", place)
			return
		}
		for i, q := range p.Parts {
			at := "[" + strconv.Itoa(i) + "]"
			c.hostPart(option, name+at, place+at, q, p, depth+1)
		}
		return
	}
	c.out = append(c.out, Fragment{
		ID: hostIDPrefix + name, Source: hostIDPrefix + place, Bucket: *p.Position,
		RequiresTools: p.RequiresTools, RequiresAnyTools: p.RequiresAnyTools, RequiresCaps: p.RequiresCaps,
		When: p.When, WhenOrigin: p.WhenOrigin,
		Body: p.Content, Runs: p.Runs, Template: p.Template, Title: p.Title, TitleForm: HostHeading,
		Importance: p.Importance, Stability: p.Stability, Trust: p.Trust, Origin: p.Origin,
	})
}

func (c *composer) primary(p Primary, tools []Tool, files *Files) {
	if p.Parts != nil {
		if p.System != nil {
			c.notes = append(c.notes, Note{
				Code: CodeSystemIgnored, Fragment: SystemID, Position: p.System.Origin,
				Message: "the separate system text is ignored: the primary block was handed over as parts",
			})
		}
		for _, f := range p.Parts {
			if f.Source == "" {
				f.Source = primarySource
			}
			c.out = append(c.out, f)
		}
		return
	}
	if p.System == nil && p.Instruction != nil {
		f := *p.Instruction
		f.ID, f.Source = SystemID, primarySource
		c.out = append(c.out, f)
	}
	c.text(p.System, Fragment{ID: SystemID})
	c.out = append(c.out, p.Sections...)
	var served []string
	for _, t := range tools {
		if t.Server != "" {
			served = append(served, t.Name)
		}
	}
	part := func(t *Text, f Fragment) {
		if t == nil && p.Worded {
			c.worded(f, files)
		}
		c.text(t, f)
	}
	if len(served) > 0 {
		part(p.MCPAdvisory, Fragment{ID: MCPAdvisoryID, RequiresAnyTools: served})
	}
	c.out = append(c.out, p.Skills...)
	if p.Worded && len(files.Skills) > 0 {
		c.worded(Fragment{ID: SkillCatalogID}, files)
	}
	if p.ProgressToolName != "" {
		part(p.ProgressTool, Fragment{ID: ProgressToolID, RequiresTools: []string{p.ProgressToolName}})
	}
	part(p.LoopContract, Fragment{ID: LoopContractID})
	if len(tools) > 0 {
		part(p.ToolContract, Fragment{ID: ToolContractID, RequiresCaps: []string{textToolsCap}})
	}
}

// text adds a part of the primary block whose words stand in t.
func (c *composer) text(t *Text, f Fragment) {
	if t == nil {
		return
	}
	f.Source = primarySource
	f.Body, f.Runs, f.Trust, f.Origin = t.Body, t.Runs, t.Trust, t.Origin
	c.out = append(c.out, f)
}

// worded adds a part of the primary block that the engine words: the wording may
// read the active set, which isn't known yet.
func (c *composer) worded(f Fragment, files *Files) {
	key := strings.TrimPrefix(f.ID, primarySource+":")
	f.Source, f.Template = primarySource, CatalogTemplate+key
	f.Trust, f.Origin = TrustBuiltin, Position{File: catalogFiles + key + ".md", Line: 1, Column: 1}
	if w, ok := files.Wording[key]; ok {
		f.Trust, f.Origin = w.Trust, w.Origin
		if len(w.Runs) > 0 {
			f.Origin = w.Runs[0].Position
		}
	}
	c.out = append(c.out, f)
}

func (c *composer) guidance(tools []Tool, servers []ToolServer) {
	said := c.servers(servers, tools)
	seen := make(map[string]*Tool, len(tools))
	for i := range tools {
		t := &tools[i]
		if f, ok := said[i]; ok {
			c.out = append(c.out, f)
		}
		if t.Name == "" {
			c.fail(InvalidTool, t.Origin, "tool %d has no name", i+1)
			continue
		}
		if first := seen[t.Name]; first != nil {
			c.fail(DuplicateTool, t.Origin, "two tools have the name %q", t.Name).
				Related = []Related{{Position: first.Origin, Message: "the other one"}}
			continue
		}
		seen[t.Name] = t
		if t.Guidance == nil {
			continue
		}
		f := Fragment{
			ID: toolIDPrefix + t.Name + guidanceSuffix, Source: toolIDPrefix + t.Name,
			RequiresTools: []string{t.Name}, Body: *t.Guidance, Runs: asToolText(t.Runs),
			// Whoever handed the definition over, its words are the tool's.
			Trust: TrustTool, Origin: t.GuidanceOrigin,
		}
		if f.Origin.IsZero() {
			f.Origin = t.Origin
		}
		c.out = append(c.out, f)
	}
}

// asToolText gives runs the trust of tools.
func asToolText(runs []Run) []Run {
	if !slices.ContainsFunc(runs, func(r Run) bool { return r.Trust != TrustTool }) {
		return runs
	}
	runs = slices.Clone(runs)
	for j := range runs {
		runs[j].Trust = TrustTool
	}
	return runs
}

// reserve refuses the ids of the protected tail to everything else: whoever has
// one is taken for the section itself, its heading included.
func (c *composer) reserve() {
	for i := range c.out {
		if f := &c.out[i]; isTail(f.ID) {
			c.fail(InvalidFragment, f.Origin, "the id %q is the program's own", f.ID).Hint = "choose another id"
		}
	}
}

func (c *composer) tail(t *Text, id, source string) {
	if t == nil {
		return
	}
	c.out = append(c.out, Fragment{
		ID: id, Source: source, Bucket: After, Protected: true,
		Body: t.Body, Runs: t.Runs, Trust: t.Trust, Origin: t.Origin,
	})
}

// replace puts the replacement first and takes all others out. They keep their
// place in the trace: what was overridden can still be seen.
func (c *composer) replace(r Replacement) {
	if isBlank(r.Text.Body) {
		c.fail(BlankReplacement, r.Text.Origin, "the replacement is blank").
			Hint = "leave replacement out, or write the text that should stand instead"
		return
	}
	for i := range c.out {
		f := &c.out[i]
		if isTail(f.ID) && !r.DropProtected {
			continue
		}
		if f.Excluded == nil { // what was out before stays out for its own reason
			f.Excluded = &Exclusion{Code: CodeOverridden, By: ReplacementID}
		}
	}
	c.out = slices.Insert(c.out, 0, Fragment{
		ID: ReplacementID, Source: replacementFrom, Body: r.Text.Body, Runs: r.Text.Runs,
		Trust: r.Text.Trust, Origin: r.Text.Origin,
	})
}

// isTail reports whether the id is one of the two sections that are last
// whatever anyone declares.
func isTail(id string) bool { return id == BoundariesID || id == InstructionsID }
