package cento

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento/internal/imitation"
)

// The ids of the fragments that the program itself places.
const (
	BoundariesID   = "scope:boundaries"
	InstructionsID = "project:instructions"
	ReplacementID  = "replacement"
	SystemID       = "primary:system"
	SkillCatalogID = "primary:skill_catalog"
	mcpAdvisoryID  = "primary:mcp_advisory"
	progressToolID = "primary:progress_tool"
	loopContractID = "primary:loop_contract"
	toolContractID = "primary:tool_contract"
	environmentID  = "primary:environment"
	executionID    = "builtin:execution_instructions"
)

// The parts of which other ids and sources are made, and the options of a host.
const (
	primarySource     = "primary"
	boundarySource    = "scope"
	projectSource     = "project"
	replacementSource = "host"
	toolIDPrefix      = "tool:"
	hostIDPrefix      = "host:"
	guidanceSuffix    = ".guidance"
	preambleOption    = "system_preamble"
	prefixOption      = "system_prefix"
	contextOption     = "system_context"
	partsOption       = "system_prompt_parts"
	appendixOption    = "system_appendix"
	suffixOption      = "system_suffix"
	textToolsCap      = "model.text_tools"
)

// CatalogTemplate begins the template of a text that the program words itself:
// the key of the text in the catalog is behind it. No file can name one.
const CatalogTemplate = "$catalog/"

// catalogFiles is where the built-in wording stands, as positions name it.
const catalogFiles = "$builtin/catalog/"

// Compose lists the fragments of an input in declaration order: host parts
// before the primary block, host parts after it, the primary block, profile,
// manifest fragments, tool guidance, reminders, the folder and the day behind a
// built-in instruction, and the protected tail. This is
// the only place that decides that order, and no text is joined here: the
// reducer does that.
//
// The errors are [InvalidHost], [InvalidFragment], [DuplicateTool],
// [InvalidTool], [LimitExceeded] and [BlankReplacement], several at once.
func Compose(in Input) ([]Fragment, []Note, error) {
	h := &in.Host
	c := composer{nesting: in.Limits.Or(DefaultLimits()).Nesting, headings: &in.Headings}
	// Parts of parts come besides; the rest is what the program has texts of its own for.
	c.out = make([]Fragment, 0, len(h.SystemPreamble.Parts)+len(h.SystemPrefix.Parts)+len(h.SystemContext.Parts)+len(h.SystemPromptParts.Parts)+
		len(h.SystemAppendix.Parts)+len(h.SystemSuffix.Parts)+len(in.Primary.Parts)+len(in.Primary.Sections)+len(in.Tools)+len(in.Profile)+len(in.Fragments)+len(in.Reminders)+16)
	c.host(preambleOption, h.SystemPreamble, Before)
	c.host(prefixOption, h.SystemPrefix, Before)
	c.host(contextOption, h.SystemContext, Before)
	c.host(partsOption, h.SystemPromptParts, Before)
	c.host(appendixOption, h.SystemAppendix, After)
	c.host(suffixOption, h.SystemSuffix, After)
	guidance := c.guidance(in.Tools, in.Servers)
	c.primary(in.Primary, in.Tools, &in.Files, len(guidance) > 0)
	c.group(in.Profile, &in.Headings.Profile)
	for i := range in.Fragments {
		if f := c.add(&in.Fragments[i], &in.Headings.Manifest, FallbackHeading); f.Source == "" {
			f.Source = "manifest"
		}
	}
	c.group(append(c.onTools, guidance...), &in.Headings.Tools)
	for i := range in.Reminders {
		c.add(&in.Reminders[i], &in.Headings.Reminders, SeparateHeading)
	}
	c.environment(in.Primary, &in.Files)
	c.reserve()
	c.tail(in.Boundaries, BoundariesID, boundarySource)
	c.tail(in.Instructions, InstructionsID, projectSource)
	if in.Replacement != nil {
		c.replace(*in.Replacement)
	}
	c.takeOut(in.Without)
	if err := c.errs.err(); err != nil {
		return nil, nil, err
	}
	return c.out, c.notes, nil
}

type composer struct {
	nesting  int
	headings *Headings
	onTools  []Fragment // of the primary block, that stand with the guidance
	out      []Fragment
	notes    []Note
	errs     faults
}

// takeOut takes fragments out by their ids. What is out already keeps its reason.
func (c *composer) takeOut(ids []string) {
	if len(ids) == 0 {
		return
	}
	taken := make(map[string]bool, len(ids))
	for _, id := range ids {
		taken[id] = true
	}
	for i := range c.out {
		if f := &c.out[i]; taken[f.ID] && f.Excluded == nil && !f.Protected && !f.Tail {
			f.Excluded = &Exclusion{Code: CodeTakenOut}
		}
	}
}

// add adds a copy of a fragment of one of the program's groups under the heading of
// the group, unless it names a section itself. What it gives is the copy in its place,
// until the next one is added.
func (c *composer) add(from *Fragment, heading *Text, form SectionForm) *Fragment {
	c.out = append(c.out, *from)
	f := &c.out[len(c.out)-1]
	if isBlank(f.Section) && !isBlank(heading.Body) {
		at := heading.Origin
		if len(heading.Runs) > 0 {
			at = heading.Runs[0].Position
		}
		f.Section, f.SectionForm = heading.Body, form
		f.SectionFrom = &Attribution{Position: at, Trust: least(heading.Runs, heading.Trust)}
		f.Stability = max(f.Stability, heading.Stability)
	}
	return f
}

// group adds fragments of a group that has its heading wherever it stands. Those
// that have headings of their own stand behind the others, and those that begin with
// one last: else what follows them would need the group's heading once more.
func (c *composer) group(list []Fragment, heading *Text) {
	if !isBlank(heading.Body) {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b Fragment) int { return cmp.Compare(a.literalHeadings(), b.literalHeadings()) })
	}
	for i := range list {
		c.add(&list[i], heading, RepeatedHeading)
	}
}

// literalHeadings are the headings that the text of a fragment has of its own, as far
// as they are known before anything is rendered.
func (f *Fragment) literalHeadings() imitation.Own {
	if !isBlank(f.Title) {
		return imitation.Has
	}
	return imitation.OwnOf(strings.TrimSpace(f.Body))
}

func (c *composer) fail(code ErrorCode, at Position, format string, args ...any) *SourceError {
	return c.errs.fail(code, at, format, args...)
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
	p.GatesOrigin = from.GatesOrigin.with(p.GatesOrigin, len(from.RequiresTools), len(from.RequiresCaps))
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
		for _, x := range [...]*HostPart{&from, &p} {
			if i, what, hint := brokenIn(x.When); what != "" {
				text := x.whenText()
				at := NewCursor(text.Body, text.Runs)
				c.fail(InvalidHost, cmp.Or(at.At(i), x.Origin), "%s: %s in the condition %q", place, what, x.When).Hint = hint
				return
			}
		}
		p.When, p.WhenRuns = bothHold(&from, &p)
		p.WhenOrigin = Position{}
	case isBlank(p.When):
		p.When, p.WhenOrigin, p.WhenRuns = from.When, from.WhenOrigin, from.WhenRuns
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
	f := Fragment{
		ID: hostIDPrefix + name, Source: hostIDPrefix + place, Bucket: *p.Position,
		RequiresTools: p.RequiresTools, RequiresAnyTools: p.RequiresAnyTools, RequiresCaps: p.RequiresCaps,
		GatesOrigin: p.GatesOrigin, When: p.When, WhenOrigin: p.WhenOrigin, WhenRuns: p.WhenRuns,
		Body: p.Content, Runs: p.Runs, Template: p.Template, TemplateOrigin: p.TemplateOrigin, Title: p.Title, TitleOrigin: p.TitleOrigin, TitleForm: HostHeading,
		Importance: p.Importance, Stability: p.Stability, Trust: p.Trust, Origin: p.Origin,
	}
	if f.Bucket == Before {
		c.out = append(c.out, f)
		return
	}
	c.add(&f, &c.headings.Manifest, FallbackHeading) // behind the program's groups
}

// brokenIn finds what keeps a condition from being one expression between brackets, with
// its place in it: half of a pair of brackets or quotes, or a comma that makes a tuple. An
// engine refuses these where they stand alone; in "(a) and (b)" they would be read with
// what is put around them, and mean something else; pairs of two kinds, such as "[1)", it
// refuses in both. All is well where what is empty.
func brokenIn(expr string) (at int, what, hint string) {
	const closing = "close it in the same condition, or take it out"
	var open []int // places of brackets
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; c {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if len(open) == 0 {
				return i, "a " + string(c) + " that closes nothing", "open it in the same condition, or take it out"
			}
			open = open[:len(open)-1]
		case ',':
			if len(open) == 0 {
				return i, "a comma between two expressions", "write `and` or `or` between them"
			}
		case '"', '\'':
			from := i
			for i++; i < len(expr) && expr[i] != c; i++ {
				if expr[i] == '\\' {
					i++
				}
			}
			if i >= len(expr) {
				return from, "a quote that isn't closed", closing
			}
		}
	}
	if n := len(open) - 1; n >= 0 {
		return open[n], "a " + expr[open[n]:open[n]+1] + " that isn't closed", closing
	}
	return 0, "", ""
}

// whenText is the condition with the places of its bytes, see [Fragment.WhenText].
func (p *HostPart) whenText() Text {
	f := Fragment{When: p.When, WhenOrigin: p.WhenOrigin, WhenRuns: p.WhenRuns, Origin: p.Origin, Trust: p.Trust}
	return f.WhenText()
}

// bothHold is the condition of a part and that of the part around it as one. What is put
// between them stands where the nearer of them begins or ends; without a place of either
// there are no runs.
func bothHold(around, part *HostPart) (expr string, runs []Run) {
	var b strings.Builder
	known := true
	for i, p := range [...]*HostPart{around, part} {
		text := p.whenText()
		known = known && len(text.Runs) > 0
		at := NewCursor(text.Body, text.Runs)
		glue := func(s string, near Position) {
			runs = append(runs, Run{Start: b.Len(), End: b.Len() + len(s), Position: near, Trust: p.Trust, Fixed: true})
			b.WriteString(s)
		}
		glue([...]string{"(", " and ("}[i], at.At(0))
		for _, r := range text.Runs {
			r.Start, r.End = r.Start+b.Len(), r.End+b.Len()
			runs = append(runs, r)
		}
		b.WriteString(p.When)
		glue(")", at.At(len(p.When)))
	}
	if !known {
		runs = nil
	}
	return b.String(), runs
}

// guidanceID is the id of what a tool says.
func guidanceID(tool string) string { return toolIDPrefix + tool + guidanceSuffix }

// instructionsID is the id of what a server says.
func instructionsID(server string) string { return serverIDPrefix + server + ".instructions" }

// guidance lists what tools and their servers say.
func (c *composer) guidance(tools []Tool, servers []ToolServer) []Fragment {
	first := c.servers(servers, tools)
	var list []Fragment
	seen := make(map[string]*Tool, len(tools))
	for i := range tools {
		t := &tools[i]
		if f, ok := first[i]; ok {
			list = append(list, f)
		}
		if t.Name == "" {
			c.fail(InvalidTool, t.Origin, "tool %d has no name", i+1)
			continue
		}
		if !IsToolName(t.Name) {
			c.fail(InvalidTool, t.Origin, "a tool can't have the name %+.80q", t.Name).Hint = ToolNameHint
			continue
		}
		if first := seen[t.Name]; first != nil {
			e := c.fail(DuplicateTool, t.Origin, "two tools have the name %q", t.Name)
			e.Related, e.Hint = []Related{{Position: first.Origin, Message: "the other one"}}, "give one of the two another name"
			continue
		}
		seen[t.Name] = t
		if t.Guidance == nil {
			continue
		}
		f := Fragment{
			ID: guidanceID(t.Name), Source: toolIDPrefix + t.Name,
			RequiresTools: []string{t.Name}, Body: *t.Guidance, Runs: asToolText(t.Runs),
			// Whoever handed the definition over, its words are the tool's.
			Trust: TrustTool, Origin: t.GuidanceOrigin,
		}
		if f.Origin.IsZero() {
			f.Origin = t.Origin
		}
		list = append(list, f)
	}
	return list
}

const serverIDPrefix = "server:"

// servers lists what servers say, by the index of the tool that it stands in
// front of. A server that has no tool says nothing.
func (c *composer) servers(servers []ToolServer, tools []Tool) map[int]Fragment {
	if len(servers) == 0 {
		return nil
	}
	first := make(map[string]int, len(servers))
	named := make(map[string][]string, len(servers))
	for i, t := range tools {
		if t.Server == "" {
			continue
		}
		if _, ok := first[t.Server]; !ok {
			first[t.Server] = i
		}
		named[t.Server] = append(named[t.Server], t.Name)
	}
	out := make(map[int]Fragment, len(servers))
	for _, s := range servers {
		at, ok := first[s.Name]
		if !ok {
			continue
		}
		out[at] = Fragment{
			ID: instructionsID(s.Name), Source: serverIDPrefix + s.Name, RequiresAnyTools: named[s.Name],
			Body: s.Instructions.Body, Runs: asToolText(s.Instructions.Runs), Trust: TrustTool, Origin: s.Instructions.Origin,
		}
	}
	return out
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

// reserve refuses the ids of the protected tail, and its place, to everything
// else.
func (c *composer) reserve() {
	for i := range c.out {
		switch f := &c.out[i]; {
		case f.ID == BoundariesID, f.ID == InstructionsID:
			c.fail(InvalidFragment, f.Origin, "the id %q is the program's own", f.ID).Hint = "choose another id"
		case f.Tail:
			c.fail(InvalidFragment, f.Origin, "fragment %q is marked as a part of the protected tail", f.ID).Hint = "take tail out: the program sets it"
		}
	}
}

func (c *composer) tail(t *Text, id, source string) {
	if t == nil {
		return
	}
	c.out = append(c.out, Fragment{
		ID: id, Source: source, Bucket: After, Protected: true, Tail: true,
		Body: t.Body, Runs: t.Runs, Trust: t.Trust, Origin: t.Origin, Stability: t.Stability,
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
		if f.Tail && !r.DropProtected {
			continue
		}
		if f.Excluded == nil { // what was out before stays out for its own reason
			f.Excluded = &Exclusion{Code: CodeOverridden, By: ReplacementID}
		}
	}
	c.out = slices.Insert(c.out, 0, Fragment{
		ID: ReplacementID, Source: replacementSource, Body: r.Text.Body, Runs: r.Text.Runs,
		Trust: r.Text.Trust, Origin: r.Text.Origin,
	})
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
