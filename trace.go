package cento

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Code is the stable name of a decision or a note. The text beside it is for
// people and may be reworded; the code is API.
type Code string

// Codes of decisions. Those that begin with "include." mean in, all others
// mean out.
const (
	// CodeBodyEmpty: nothing but white space.
	CodeBodyEmpty Code = "body.empty"
	// CodeToolMissing: a tool that it requires isn't active.
	CodeToolMissing Code = "gate.tool.missing"
	// CodeToolNone: none of the tools is active of which it requires any.
	CodeToolNone Code = "gate.tool.none"
	// CodeCapMissing: a capability that it requires isn't set.
	CodeCapMissing Code = "gate.cap.missing"
	// CodeWhenFalse: its condition is false.
	CodeWhenFalse Code = "gate.when.false"
	// CodeNeedsOut: a fragment that it needs is out.
	CodeNeedsOut Code = "needs.out"
	// CodeBudgetDropped: it was dropped to fit the budget.
	CodeBudgetDropped Code = "budget.dropped"
	// CodeIncludeTools: all tools that it requires are active.
	CodeIncludeTools Code = "include.tools"
	// CodeIncludeAny: a tool is active of those of which it requires any.
	CodeIncludeAny Code = "include.any_tools"
	// CodeIncludeCaps: all capabilities that it requires are set.
	CodeIncludeCaps Code = "include.caps"
	// CodeIncludeWhen: its condition is true.
	CodeIncludeWhen Code = "include.when"
	// CodeUnconditional: it has no gate.
	CodeUnconditional Code = "include.unconditional"
	// CodeLayerCleared: a layer cleared the slot that it stood in.
	CodeLayerCleared Code = "layer.cleared"
	// CodeLayerReplaced: a layer put another text in its place.
	CodeLayerReplaced Code = "layer.replaced"
	// CodeLayerRemoved: a layer took it out by its key.
	CodeLayerRemoved Code = "layer.removed"
	// CodeSlotUnplaced: the section plan has no place for its slot.
	CodeSlotUnplaced Code = "slot.unplaced"
	// CodeDuplicate: the same text stands there already.
	CodeDuplicate Code = "duplicate"
	// CodeOverridden: another text stands instead of it.
	CodeOverridden Code = "overridden"
	// CodeTakenOut: somebody asked what the prompt would be without it.
	CodeTakenOut Code = "taken_out"
)

// Codes of notes on texts and on the input.
const (
	// CodeForged: a line that imitates a protected heading was quoted.
	CodeForged Code = "text.forged"
	// CodeControlToken: a control token of a model family was broken.
	CodeControlToken Code = "text.control_token"
	// CodeUnclosed: a code fence, a block of HTML or an element that the text left
	// open was closed at its end.
	CodeUnclosed Code = "text.unclosed"
	// CodeLineEnd: a stranger's value that stands behind words of a trusted line
	// would have gone on in another line; its line end was shown.
	CodeLineEnd Code = "text.line_end"
	// CodeInvisible: hidden characters were found, and treated by the policy.
	CodeInvisible Code = "text.invisible"
	// CodeSystemIgnored: a caller handed the primary block over as parts, so its
	// own text has no effect.
	CodeSystemIgnored Code = "primary.system_ignored"
	// CodeUnrendered: the body of a fragment, its title or the heading of its section
	// has an expression or a tag of prompt files in it. They are sent as they are;
	// template renders.
	CodeUnrendered Code = "body.unrendered"
	// CodeStabilityRaised: a text is declared to change more seldom than what it
	// reads does. What it reads decides.
	CodeStabilityRaised Code = "stability.raised"
	// CodeBudgetNone: fragments say what a budget does with them, and there is none.
	CodeBudgetNone Code = "budget.none"
	// CodeBudgetVariants: fragments have variants that no budget uses, since they are
	// required.
	CodeBudgetVariants Code = "budget.variants"
	// CodeBudgetSkills: the list of skills gave descriptions to a budget that doesn't
	// even hold what is required.
	CodeBudgetSkills Code = "budget.skills"
	// CodeBudgetInstructions: the project's instructions gave lines of a file to such a
	// budget.
	CodeBudgetInstructions Code = "budget.instructions"
	// CodeGuidanceUnused: a request that composes nothing defines guidance.
	CodeGuidanceUnused Code = "tool.guidance_ignored"
)

// Code is the decision on a fragment.
func (a *Assembly) Code(i int) Code {
	switch a.verdict(i) {
	case outEmpty:
		return CodeBodyEmpty
	case outExcluded:
		return a.plan.frags[i].Excluded.Code
	case outToolMissing:
		return CodeToolMissing
	case outToolNone:
		return CodeToolNone
	case outCapMissing:
		return CodeCapMissing
	case outWhen:
		return CodeWhenFalse
	case outNeeds:
		return CodeNeedsOut
	case outBudget:
		return CodeBudgetDropped
	case inTools:
		return CodeIncludeTools
	case inAny:
		return CodeIncludeAny
	case inCaps:
		return CodeIncludeCaps
	case inWhen:
		return CodeIncludeWhen
	}
	return CodeUnconditional
}

// Reason is the decision on a fragment in words.
func (a *Assembly) Reason(i int) string {
	f := &a.plan.frags[i]
	switch a.verdict(i) {
	case outEmpty:
		return "empty body"
	case outExcluded:
		return f.Excluded.reason()
	case outToolMissing:
		return toolMissing(f.RequiresTools[a.firstOut(f.RequiresTools, a.activeTool)])
	case outToolNone:
		return toolNone(f.RequiresAnyTools)
	case outCapMissing:
		return capMissing(f.RequiresCaps[a.firstOut(f.RequiresCaps, a.activeCap)])
	case outWhen:
		return "condition `" + foldSpace(f.When) + "` is false"
	case outNeeds:
		return needOut(f.Needs[a.firstOut(f.Needs, a.idIn)])
	case outBudget:
		b := a.traceBudget(i)
		return fmt.Sprintf("over budget: stays from %s tokens (importance %d)", FormatTokens(b.StaysFrom, a.fitted.budget.exact()), b.Importance)
	case inTools:
		return "tool(s) present: " + strings.Join(f.RequiresTools, ", ")
	case inAny:
		present := slices.DeleteFunc(slices.Clone(f.RequiresAnyTools), func(t string) bool { return !a.activeTool(t) })
		return "tool(s) present: " + strings.Join(present, ", ")
	case inCaps:
		return "capabilit(ies) present: " + strings.Join(f.RequiresCaps, ", ")
	case inWhen:
		return "condition `" + foldSpace(f.When) + "` is true"
	}
	return "unconditional"
}

// Unmet is every condition of a fragment that doesn't hold, in the order in
// which they are tested; none for an included fragment.
func (a *Assembly) Unmet(i int) []Unmet {
	f := &a.plan.frags[i]
	var out []Unmet
	switch v := a.verdict(i); {
	case v.in():
		return nil
	case v == outExcluded:
		out = append(out, Unmet{f.Excluded.Code, f.Excluded.reason()})
	}
	if a.verdict(i) == outEmpty || f.Template == "" && isBlank(f.Body) {
		out = append(out, Unmet{CodeBodyEmpty, "empty body"})
	}
	for _, t := range f.RequiresTools {
		if !a.activeTool(t) {
			out = append(out, Unmet{CodeToolMissing, toolMissing(t)})
		}
	}
	if len(f.RequiresAnyTools) > 0 && !slices.ContainsFunc(f.RequiresAnyTools, a.activeTool) {
		out = append(out, Unmet{CodeToolNone, toolNone(f.RequiresAnyTools)})
	}
	for _, c := range f.RequiresCaps {
		if !a.activeCap(c) {
			out = append(out, Unmet{CodeCapMissing, capMissing(c)})
		}
	}
	if !isBlank(f.When) && a.refuses(f.When) {
		out = append(out, Unmet{CodeWhenFalse, "condition `" + foldSpace(f.When) + "` is false"})
	}
	if a.verdict(i) == outBudget { // what it needs may have gone with it, as one unit
		out = append(out, Unmet{CodeBudgetDropped, a.Reason(i)})
	}
	for _, id := range f.Needs {
		if !a.idIn(id) {
			out = append(out, Unmet{CodeNeedsOut, needOut(id)})
		}
	}
	return out
}

func toolMissing(name string) string { return "requires tool `" + name + "` (not available)" }

func toolNone(names []string) string {
	return "requires any tool of `" + strings.Join(names, "`, `") + "` (none available)"
}

func capMissing(name string) string { return "requires capability `" + name + "` (not set)" }

func needOut(id string) string { return "needs `" + id + "` (not included)" }

// reason is the exclusion in words.
func (x *Exclusion) reason() string {
	by := "`" + x.By + "`"
	switch x.Code {
	case CodeLayerCleared:
		return "cleared by layer " + by
	case CodeLayerReplaced:
		return "replaced by layer " + by
	case CodeLayerRemoved:
		return "removed by layer " + by
	case CodeSlotUnplaced:
		if x.Layer != "" {
			return "slot " + by + " is not in the template: layer `" + x.Layer + "` replaced the one that has it"
		}
		return "slot " + by + " is not in the template"
	case CodeDuplicate:
		return "duplicate of " + by
	case CodeTakenOut:
		return "taken out, to see the prompt without it"
	}
	return "overridden by " + by
}

// firstOut is the index of the first name that doesn't hold.
func (a *Assembly) firstOut(names []string, holds func(string) bool) int {
	return slices.IndexFunc(names, func(n string) bool { return !holds(n) })
}

func (a *Assembly) activeTool(name string) bool {
	if i := a.plan.gates.tools.Lookup(name); i >= 0 {
		return a.bound.tools[i] != 0
	}
	return slices.Contains(a.bound.active.Tools, name) // named by a fragment without text
}

func (a *Assembly) activeCap(name string) bool {
	if i := a.plan.gates.caps.Lookup(name); i >= 0 {
		return a.bound.caps[i] != 0
	}
	return slices.Contains(a.bound.active.Caps, name)
}

func (a *Assembly) idIn(id string) bool {
	i := a.plan.ids.lookup(a.plan.frags, id)
	return i >= 0 && a.In(int(i))
}

// refuses asks a condition again; that it can be answered is known. One that
// only fragments have that were out before was never compiled, and refuses
// nothing.
func (a *Assembly) refuses(expr string) bool {
	i := a.plan.gates.whens.Lookup(strings.TrimSpace(expr))
	if i < 0 {
		return false
	}
	ok, err := a.bound.conds[i].cond.Eval(a.bound.active) // by the engine that decided it
	return err != nil || !ok
}

// Trace says why one fragment is in the prompt or out of it. There is one for
// every fragment that was considered, in declaration order.
type Trace struct {
	ID       string `json:"id"`
	Source   string `json:"source"`
	Bucket   Bucket `json:"bucket"`
	Included bool   `json:"included"`
	// Reason is the decision in words, Code the same for programs.
	Reason string `json:"reason"`
	Code   Code   `json:"code"`
	// Bytes is the length of the fragment's text in the prompt, its own title
	// line included; 0 when excluded.
	Bytes int `json:"bytes"`
	// Tokens is the same in tokens, of this text alone; null where nothing counts
	// them.
	Tokens *int `json:"tokens"`
	// Digest is the SHA-256 of the text in lower-case hex, for excluded
	// fragments too.
	Digest *string `json:"digest"`
	// Span is [start, end) in the prompt; null when excluded.
	Span *[2]int `json:"span"`
	// Section and Layer are null for fragments of none.
	Section *string   `json:"section"`
	Layer   *string   `json:"layer"`
	Origin  *Position `json:"origin"`
	// OutAt is where the layer that took the fragment out says so, or the text that
	// stands instead of it; nil where nothing did, and where that is in no file.
	OutAt *Position `json:"out_at,omitempty"`
	// Trust is that of the least trusted stretch of the text, so it is what the
	// spans of the text say; of a text that isn't there or isn't known, the trust
	// of the place that it would be from.
	Trust Trust `json:"trust"`

	Stability  Stability  `json:"stability"`
	Protected  bool       `json:"protected"`
	Importance Importance `json:"importance"`
	// Variant is the body in use: 0 is the fragment's own.
	Variant int `json:"variant"`
	// Budget is what a budget that shortened or dropped the fragment has to say;
	// nil for all others.
	Budget *TraceBudget `json:"budget,omitempty"`
	// Text is the text of an excluded fragment, so that a search finds what is
	// not in the prompt; empty for included ones, whose text is in it.
	Text string `json:"text,omitempty"`
	// Notes tell what was found in the text and what was changed.
	Notes []TextNote `json:"notes,omitempty"`
	// Unmet is every condition of an excluded fragment that doesn't hold, when
	// all reasons were asked for.
	Unmet []Unmet `json:"unmet,omitempty"`
}

// Unmet is one condition that doesn't hold.
type Unmet struct {
	Code   Code   `json:"code"`
	Reason string `json:"reason"`
}

// TextNote is a finding in a fragment's text.
type TextNote struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	// Start and End are byte offsets in the body as it was handed over, trimmed;
	// both are 0 for a finding in the title or the section.
	Start    int       `json:"start"`
	End      int       `json:"end"`
	Position *Position `json:"position"`
	// Path is that of [Note].
	Path string `json:"path,omitempty"`

	heading string // the field that it is in; empty for the body
}

// Caveats are what the bytes of a prompt don't tell of themselves: those who send them
// have to know it.
type Caveats struct {
	// Sacrificed is what the budget left out of the prompt or shortened; without a
	// variant it is out; absent when nothing.
	Sacrificed []Sacrificed `json:"sacrificed,omitempty"`
	// NotedTexts is what was found in the texts that are in, or changed in them, such as
	// hidden characters that were made visible; its trace has each note; absent when
	// nothing.
	NotedTexts []NotedText `json:"noted_texts,omitempty"`
}

// Caveats gives what the budget took and what was found in texts.
func (a *Assembly) Caveats() Caveats {
	return Caveats{Sacrificed: a.Sacrificed(), NotedTexts: a.NotedTexts()}
}

// NotedText is what was found in the text of one fragment, or changed in it, by its code.
type NotedText struct {
	Fragment string `json:"fragment"`
	Code     Code   `json:"code"`
	// Count is how many notes of the code the fragment has in its [Trace].
	Count int `json:"count"`
}

// NotedTexts counts the notes on the texts that are in, such as that of hidden characters
// that were made visible, by fragment in declaration order and by code. Where it is empty
// every text stands as it was handed over.
func (a *Assembly) NotedTexts() []NotedText {
	var out []NotedText
	for i := range a.Len() {
		d := a.detail(i)
		if d == nil || len(d.notes) == 0 || !a.In(i) {
			continue
		}
		first := len(out)
		for _, n := range d.notes {
			at := slices.IndexFunc(out[first:], func(x NotedText) bool { return x.Code == n.Code })
			if at < 0 {
				at = len(out) - first
				out = append(out, NotedText{Fragment: a.plan.frags[i].ID, Code: n.Code})
			}
			out[first+at].Count++
		}
		slices.SortFunc(out[first:], func(x, y NotedText) int { return strings.Compare(string(x.Code), string(y.Code)) })
	}
	return out
}

// Heading is "title" or "section" for a finding in the words of these, and empty for one
// in the body, and for one that was read from a record.
func (n *TextNote) Heading() string { return n.heading }

// Explanation is a prompt with everything known about it, in the shape that
// the command line, the service and the page share.
type Explanation struct {
	// System is null when no fragment is included, which isn't the same as an
	// empty text.
	System    *string `json:"system"`
	Fragments []Trace `json:"fragments"`
	Included  int     `json:"included"`
	Excluded  int     `json:"excluded"`
	Spans     []Span  `json:"spans"`
	// Digest is the SHA-256 of System in lower-case hex; null when that is null.
	Digest *string `json:"digest"`
	Bytes  int     `json:"bytes"`
	// Tokens, TokensExact and Encoding are null where nothing counts tokens. Tokens are
	// those of the whole as it stands, with what joins the fragments, so that the sum
	// of theirs is another.
	Tokens      *int    `json:"tokens"`
	TokensExact *bool   `json:"tokens_exact"`
	Encoding    *string `json:"encoding"`
	Model       *string `json:"model"`
	// Budget is what became of the budget; absent without one.
	Budget *BudgetReport `json:"budget,omitempty"`
	Notes  []Note        `json:"notes,omitempty"`
	// Removed are texts that are in no fragment, and parts of fragments that a budget
	// removed. [Prompt.Explain] knows only those of the budget; a project adds the rest.
	Removed []RemovedText `json:"removed,omitempty"`
}

// RemovedText is a text that is not in the prompt, with the reason. The text of an
// excluded fragment is in its [Trace] instead.
type RemovedText struct {
	// Fragment is the fragment that would have the text; empty for a text of none.
	Fragment string    `json:"fragment"`
	Origin   *Position `json:"origin"` // of its first byte; null for a text of no file
	Bytes    int       `json:"bytes"`
	Reason   string    `json:"reason"`
	Code     Code      `json:"code"`
	// Text is empty unless [ExplainOptions] ask for the texts of what is excluded.
	Text string `json:"text,omitempty"`
}

// Provenance is the part of an [Explanation] that Harn's prompt_explain gives:
// one record per fragment and how many are in and out.
type Provenance struct {
	Fragments []Trace `json:"fragments"`
	Included  int     `json:"included"`
	Excluded  int     `json:"excluded"`
}

// ExplainOptions choose what an explanation holds besides the usual.
type ExplainOptions struct {
	// AllReasons adds every unmet condition of an excluded fragment.
	AllReasons bool
	// ExcludedTexts adds the texts of excluded fragments, and those of Removed.
	ExcludedTexts bool
	// Counter counts tokens; nil leaves them null.
	Counter Counter
}

// Counter counts the tokens of texts for one family of models. Implementations
// are safe for concurrent use and give the same count for the same text. Package
// token has them for what models there are.
type Counter interface {
	// Name is the encoding, or the family of an estimate: two with the same name
	// count alike.
	Name() string
	// Exact says whether Count is what the model is charged, or an estimate.
	Exact() bool
	// Count returns the number of tokens of a text, 0 for "" alone.
	Count(text string) int
}

// FormatTokens writes a number of tokens for people: where it isn't exact, it begins
// with "~".
func FormatTokens(n int, exact bool) string {
	if exact {
		return strconv.Itoa(n)
	}
	return "~" + strconv.Itoa(n)
}

// Explain gives everything known about the prompt as plain data.
func (p *Prompt) Explain(o ExplainOptions) *Explanation {
	e := &Explanation{
		Fragments: p.Traces(o), Included: p.Included(), Excluded: p.Len() - p.Included(),
		Spans: p.Spans(), Bytes: p.Bytes(), Budget: p.Budget(), Notes: p.notes,
	}
	if text, ok := p.System(); ok {
		sum := p.Digest()
		e.System, e.Digest = &text, &sum
	}
	if o.Counter != nil {
		// The whole is counted as it stands: parts that meet share tokens.
		e.Tokens, e.TokensExact, e.Encoding = ptr(o.Counter.Count(p.text)), ptr(o.Counter.Exact()), ptr(o.Counter.Name())
	}
	if m := p.bound.active.Model; m != "" {
		e.Model = &m
	}
	for i := range p.Len() {
		if w := p.Withheld(i); w != nil {
			for _, part := range w.Removed {
				e.Removed = append(e.Removed, w.removed(part, p.plan.frags[i].ID, o))
			}
		}
	}
	return e
}

// removed is a part that a budget removed, of the fragment with an id.
func (w *Withheld) removed(part RemovedPart, id string, o ExplainOptions) RemovedText {
	out := RemovedText{Fragment: id, Bytes: part.End - part.Start, Reason: part.Reason, Code: part.Code}
	for _, s := range w.Spans {
		if s.Start <= part.Start && part.Start < s.End {
			if at, ok := s.Locate(w.Text, part.Start); ok {
				out.Origin = &at
			}
		}
	}
	if o.ExcludedTexts {
		out.Text = w.Text[part.Start:part.End]
	}
	return out
}

// trust is that of the least trusted stretch of a fragment's text, its own title
// included; without a text, that of the fragment.
func (a *Assembly) trust(i int) Trust {
	f, d := &a.plan.frags[i], a.detail(i)
	if d == nil {
		return f.Trust
	}
	t := least(d.runs, f.Trust)
	if d.title > 0 {
		t = min(t, f.Trust)
	}
	return t
}

// underHeading reports whether the fragment stands under the heading of its
// section, or would if it were in: that of a fallback is only known of what is in.
func (a *Assembly) underHeading(i int) bool {
	if a.plan.frags[i].SectionForm < FallbackHeading {
		return true
	}
	return a.In(i) && !isBlank(a.plan.frags[i].Section) && !a.bare[a.plan.position(i)]
}

// Provenance gives one record for each fragment and their counts, under the
// keys of Harn's prompt_explain.
func (p *Prompt) Provenance() Provenance {
	return Provenance{Fragments: p.Traces(ExplainOptions{}), Included: p.Included(), Excluded: p.Len() - p.Included()}
}

// Traces is the record of every fragment, in declaration order.
func (a *Assembly) Traces(o ExplainOptions) []Trace {
	out := make([]Trace, a.Len())
	for i := range out {
		out[i] = a.Trace(i, o)
	}
	return out
}

// Trace is the record of one fragment.
func (a *Assembly) Trace(i int, o ExplainOptions) Trace {
	f := &a.plan.frags[i]
	text := a.Text(i)
	t := Trace{
		ID: f.ID, Source: f.source(), Bucket: f.Bucket, Included: a.In(i),
		Reason: a.Reason(i), Code: a.Code(i), Trust: a.trust(i),
		Stability: f.Stability, Protected: f.Protected, Importance: f.Importance,
	}
	if t.Budget = a.traceBudget(i); t.Budget != nil {
		t.Variant = variantOf(a.levelAt(a.plan.position(i)))
	}
	if a.hasText(i) {
		sum := digest(text)
		t.Digest = &sum
	}
	if f.Protected {
		t.Importance = Required
	}
	if s := foldSpace(f.Section); s != "" && a.underHeading(i) {
		t.Section = &s
	}
	if f.Layer != "" {
		t.Layer = &f.Layer
	}
	if !f.Origin.IsZero() {
		t.Origin = &f.Origin
	}
	if x := f.Excluded; x != nil && !x.Origin.IsZero() {
		t.OutAt = &x.Origin
	}
	if d := a.detail(i); d != nil {
		t.Notes = d.notes
	}
	if start, end, ok := a.Extent(i); ok {
		t.Bytes, t.Span = end-start, &[2]int{start, end}
		if o.Counter != nil {
			t.Tokens = ptr(o.Counter.Count(text))
		}
		return t
	}
	if o.Counter != nil {
		t.Tokens = ptr(0)
	}
	if o.AllReasons {
		t.Unmet = a.Unmet(i)
	}
	if o.ExcludedTexts {
		t.Text = text
	}
	return t
}
