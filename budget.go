package cento

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento/internal/enum"
)

// Budget is how many tokens a request may take, and what is done to keep to it.
// Fragments that aren't [Required] are given up in one fixed order until the
// prompt fits, the least important first; see [Assembly.Sacrifices].
//
// What is left for the prompt is Tokens less Reserve, Framing and what the
// definitions of the active tools take: [BudgetReport].Limit.
type Budget struct {
	// Tokens is what the whole request may take.
	Tokens int `json:"tokens"`
	// Reserve is kept free, for the conversation and the answer.
	Reserve int `json:"reserve,omitempty"`
	// Framing is what else goes into the request beside the prompt, such as reminders.
	// What a provider adds around it comes on top where a Form is named.
	Framing int `json:"framing,omitempty"`
	// Tools is what the definitions of the active tools take; 0: [Reduce] counts those
	// of the input, in the Form, and without one as compact JSON without their guidance.
	Tools int `json:"tools,omitempty"`
	// Form names the form of the request that the prompt is for, such as "anthropic", of
	// those that the engine knows as a [FormSource]: the prompt and the tools are counted as
	// they stand in it. "" is none.
	Form string `json:"form,omitempty"`
	// Sections is how the form parts the sections, such as "xml"; "" is its default.
	Sections string `json:"sections,omitempty"`
	// Hold keeps what the budget took out of the turn before from coming back
	// unless at least so many tokens are left then, so that a section doesn't come
	// and go as a conversation grows.
	Hold int `json:"hold,omitempty"`
	// Before is what the budget took out of the turn before: [Assembly.Sacrificed].
	Before []Sacrificed `json:"before,omitempty"`
	// KeepCached gives what the prompt cache holds of the turn before up last: behind
	// all else, and only then by its importance. Without Cached it changes nothing.
	KeepCached bool `json:"keep_cached,omitempty"`
	// Cached are the ids of the fragments that stood before the last mark of the prompt
	// cache in the turn before.
	Cached []string `json:"cached,omitempty"`
	// Policy is what is done with room that is left; default [StrictBudget].
	Policy BudgetPolicy `json:"policy,omitempty"`
	// Counter counts; nil: what the engine has for the model of the active set, if it
	// is a [CounterSource].
	Counter Counter `json:"-"`
	// Origin is where the budget was set.
	Origin Position `json:"origin,omitzero"`

	model *Model      // whose prices and cache are meant; nil: nobody knows
	form  RequestForm // that of Form; nil: nothing here knows one
	// counted: Tools is what was counted of definitions, and not what the caller said.
	counted bool
	// unframed: what a provider adds around the prompt isn't in Framing, as nobody knows it.
	unframed bool
}

// limit is what is left for the prompt.
func (b *Budget) limit() int { return b.Tokens - b.overhead() }

// overhead is what isn't left for the prompt.
func (b *Budget) overhead() int { return b.Reserve + b.Framing + b.Tools }

// toolsExact reports whether what tools take is what the model is charged for them.
func (b *Budget) toolsExact() bool { return b.Tools == 0 || !b.counted && b.Counter.Exact() }

// exact reports whether what is said of budgets of whole requests is known.
func (b *Budget) exact() bool { return b.Counter.Exact() && b.limitExact() }

// limitExact reports whether what is left for the prompt is known: nothing is taken off that
// only the provider counts, and nothing that it takes off is unknown. What the caller says of
// tools and framing is taken for as good as the counter.
func (b *Budget) limitExact() bool {
	return !b.unframed && b.toolsExact() && (b.Counter.Exact() || b.Framing == 0)
}

// BudgetPolicy says what is done with room that is left over.
type BudgetPolicy uint8

const (
	// StrictBudget leaves it: a larger budget keeps all that a smaller one keeps.
	StrictBudget BudgetPolicy = iota
	// FillBudget takes back what fits, the most important first. Then a larger
	// budget may keep less of something: it can hold a large fragment whose room
	// several small ones had.
	FillBudget
)

var budgetPolicyNames = enum.Names[BudgetPolicy]{"strict", "fill"}

// String gives "strict" or "fill".
func (p BudgetPolicy) String() string { return budgetPolicyNames.Name(p) }

// MarshalText gives the name.
func (p BudgetPolicy) MarshalText() ([]byte, error) { return budgetPolicyNames.Marshal(p) }

// UnmarshalText accepts a name.
func (p *BudgetPolicy) UnmarshalText(t []byte) error { return budgetPolicyNames.Unmarshal(t, p) }

// CounterSource is an [Engine] that has counters.
type CounterSource interface {
	// Counter returns what counts for the model of that name, of which m is what is
	// known; nil for nothing. It must count the same for the same arguments.
	Counter(name string, m *Model) Counter
}

// PartCounter is a [Counter] that can say what joined texts take from what their
// parts take, so that a budget needn't count a prompt again for each of its
// steps. Those of package token are.
type PartCounter interface {
	Counter
	// Weigh is Count in units that add up where Splits says so.
	Weigh(text string) int
	// Tokens is the count of a text of so many units.
	Tokens(weight int) int
	// Splits reports that for all texts a and b the weight of a+left+right+b is
	// that of a+left and that of right+b together. It may be false where that holds.
	Splits(left, right string) bool
}

// Sacrificed is what a budget took from one fragment.
type Sacrificed struct {
	Fragment string `json:"fragment"`
	// Variant is the body in use, from 1; 0: the fragment is out.
	Variant int `json:"variant,omitempty"`
}

// Sacrifice is one step of the order in which a budget gives fragments up.
type Sacrifice struct {
	// Fragments are shortened or dropped together: one, or the members of a group
	// or of a circle of groups and needs, in declaration order.
	Fragments []string `json:"fragments"`
	// Variant is the body that the one fragment gets, from 1; 0: all are dropped.
	Variant int `json:"variant"`
	// Importance is that of the unit: of its most important member.
	Importance int `json:"importance"`
	// Tokens is what the prompt takes behind this step, by the larger of the exact
	// count and the sum of the parts.
	Tokens int `json:"tokens"`
	// StaysFrom is the least budget at which the step isn't taken, in tokens of the
	// whole request, by the strict order.
	StaysFrom int `json:"stays_from"`
	// Taken: it was.
	Taken bool `json:"taken"`
	// Cached is what this step and those before it cost in the prompt cache; nil where
	// none of them takes of what is kept there.
	Cached *CachedLoss `json:"cached,omitempty"`
}

// CurvePoint is what a budget keeps from one limit on, up to that of the next
// point.
type CurvePoint struct {
	// Budget is the least one of this point, in tokens of the whole request.
	Budget int `json:"budget"`
	// Tokens is what the prompt takes.
	Tokens int `json:"tokens"`
	// Shortened and Dropped are how many fragments are.
	Shortened int `json:"shortened"`
	Dropped   int `json:"dropped"`
}

// BudgetReport is what became of a budget. All numbers are tokens.
type BudgetReport struct {
	Budget  int `json:"budget"`
	Reserve int `json:"reserve"`
	// Tools is a count of the definitions as they are sent. ToolsExact is whether it is what
	// the model is charged for them: where some are counted it isn't, since a provider makes
	// a text of them that it keeps to itself.
	Tools      int  `json:"tools"`
	ToolsExact bool `json:"tools_exact"`
	// Framing is what is known of it; nil for nothing. FramingKnown is whether that is all:
	// of most providers nobody knows what they add around the prompt.
	Framing      *int `json:"framing"`
	FramingKnown bool `json:"framing_known"`
	// Form is the form of the request that they and the prompt are counted in; "" for none.
	Form string `json:"form,omitempty"`
	// Limit is what they leave for the prompt. LimitExact is whether it is known: neither
	// tools that were counted are taken off, nor is the framing unknown, nor was anything
	// taken off by an estimate.
	Limit      int  `json:"limit"`
	LimitExact bool `json:"limit_exact"`
	// Least is the smallest budget that works, in tokens of the whole request. Below
	// Whole a budget shortens required fragments too: it removes descriptions of skills and
	// lines of the project's instructions. If none of them can be shortened, both are the same.
	Least int `json:"least"`
	Whole int `json:"whole"`
	// Full is what the prompt would take with everything in it, Required what it
	// takes with the whole required fragments alone.
	Full     int `json:"full"`
	Required int `json:"required"`
	// Given is how much shorter those are.
	Given int `json:"given,omitempty"`
	// Prompt is what it takes, and Left what is left of the limit, known where both are.
	Prompt int `json:"prompt"`
	Left   int `json:"left"`
	// Shortened and Dropped are how many fragments are. Cuts are what the shortened ones
	// lost.
	Shortened int          `json:"shortened"`
	Dropped   int          `json:"dropped"`
	Cuts      []Cut        `json:"cuts,omitempty"`
	Policy    BudgetPolicy `json:"policy"`
	Hold      int          `json:"hold,omitempty"`
	// KeepCached: what the prompt cache holds is given up last. Cached is how many
	// fragments that is, of those that no budget is asked about too, and CachedLost
	// what was given up of it.
	KeepCached bool        `json:"keep_cached,omitempty"`
	Cached     int         `json:"cached,omitempty"`
	CachedLost *CachedLoss `json:"cached_lost,omitempty"`
	// Exact is whether the counts of the prompt are the model's own.
	Exact    bool   `json:"exact"`
	Encoding string `json:"encoding"`
}

// Cut is what a budget removed from a fragment that it shortened.
type Cut struct {
	Fragment string `json:"fragment"`
	// Variant is the shorter body in use, from 1; 0 for a required fragment, which has
	// none.
	Variant int `json:"variant,omitempty"`
	// File is the file in the fragment that lost lines; empty where the sizes are those of
	// the fragment.
	File string `json:"file,omitempty"`
	// Bytes is the size without the budget, Kept the size with it.
	Bytes int `json:"bytes"`
	Kept  int `json:"kept"`
}

// RequestExact reports whether what is said of the budget of a whole request is known, such
// as from which one on a fragment stays: the counts of the prompt are exact, and so is what
// stands beside it.
func (b *BudgetReport) RequestExact() bool { return b.Exact && b.LimitExact }

// TraceBudget is what a budget has to do with one fragment that it shortened or
// dropped.
type TraceBudget struct {
	// Importance is that of the unit that the fragment is given up with; 0 for one that
	// is Required, and gives something for all that is.
	Importance int  `json:"importance"`
	Required   bool `json:"required,omitempty"`
	// Tokens is what giving it up saves of its own text.
	Tokens int `json:"tokens"`
	// StaysFrom is the least budget at which it isn't dropped, or not shortened so
	// far, in tokens of the whole request, by the strict order.
	StaysFrom int `json:"stays_from"`
	// Cached is what it costs in the prompt cache that the order got so far; nil where
	// that is nothing.
	Cached *CachedLoss `json:"cached,omitempty"`
}

// check says what is wrong with a budget.
func (b *Budget) check() error {
	var errs []*SourceError
	for _, x := range [...]struct {
		name string
		n    int
	}{{"tokens", b.Tokens}, {"reserve", b.Reserve}, {"framing", b.Framing}, {"tools", b.Tools}, {"hold", b.Hold}} {
		if x.n < 0 || x.n > maxBudget {
			errs = append(errs, &SourceError{
				Code: InvalidBudget, Position: b.Origin, Message: fmt.Sprintf("budget.%s is %d, and has to be between 0 and %d", x.name, x.n, maxBudget),
				Hint: "it is a number of tokens; 0, or the key left out, is none",
			})
		}
	}
	switch {
	case b.Policy > FillBudget:
		errs = append(errs, &SourceError{Code: InvalidBudget, Position: b.Origin, Message: "the budget has a policy that doesn't exist", Hint: "the policies are strict and fill"})
	case b.Counter == nil:
		errs = append(errs, &SourceError{Code: InvalidBudget, Position: b.Origin, Message: "a budget needs a counter of tokens, and there is none", Hint: "set its Counter"})
	}
	if e := b.uncountedForm(); e != nil {
		errs = append(errs, e)
	}
	return Join(errs)
}

// maxBudget keeps sums of tokens within range.
const maxBudget = 1 << 40

// countedBy gives the budget its counter.
func (b Budget) countedBy(engine Engine, name string, m *Model) *Budget {
	if source, ok := engine.(CounterSource); ok && b.Counter == nil {
		b.Counter = source.Counter(name, m)
	}
	b.model = m
	return &b // without one it is told with what else is wrong
}

// budget is that of an input, with its counter and what the definitions of the
// active tools take; nil for none.
func (in *Input) budget(engine Engine) (*Budget, error) {
	if in.Budget == nil {
		return nil, nil
	}
	b := in.Budget.countedBy(engine, in.Active.Model, in.Model)
	if b.Form != "" || b.Sections != "" {
		return b, b.inForm(engine, in)
	}
	b.unframed = b.Framing == 0
	if b.Counter == nil || b.Tools > 0 {
		return b, nil
	}
	for _, t := range in.activeDefinitions() {
		t.Guidance = nil
		text, err := t.definition()
		if err != nil {
			return nil, &SourceError{Code: InvalidTool, Position: t.Origin, Message: fmt.Sprintf("the definition of tool %q", t.Name), Err: err}
		}
		b.Tools, b.counted = b.Tools+b.Counter.Count(text), true
	}
	return b, nil
}

// definition is what a provider is told about the tool, as compact JSON.
func (t *Tool) definition() (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	}{t.Name, t.Description, t.Parameters})
	return strings.TrimSuffix(b.String(), "\n"), err
}

// unbudgeted tells that a fragment says what a budget does with it, and there is
// none. One note is enough.
func unbudgeted(fragments []Fragment) []Note {
	for i := range fragments {
		f := &fragments[i]
		if key := f.budgeted(); key != "" {
			return []Note{{
				Code: CodeBudgetNone, Fragment: f.ID, Position: f.Origin,
				Message: fmt.Sprintf("fragment %q has %s: without a budget nothing follows from that, and there is none", f.ID, key),
			}}
		}
	}
	return nil
}

// budgeted names what a fragment says that only matters with a budget; empty for
// nothing.
func (f *Fragment) budgeted() string {
	var keys []string
	if f.Importance != Required {
		keys = append(keys, "importance")
	}
	if len(f.Variants) > 0 {
		keys = append(keys, "variants")
	}
	if f.Group != "" {
		keys = append(keys, "group")
	}
	return strings.Join(keys, ", ")
}

// variantsUnused tells of variants that the budget would never use, since no budget
// gives their fragment up. One note names them all, or the first few.
func (p *Prompt) variantsUnused() []Note {
	const shown = 5
	f := p.fitted
	var n Note
	var names []string
	more := 0
	for i := range p.plan.frags {
		of := &p.plan.frags[i]
		if len(of.Variants) == 0 || !p.verdict(i).in() || !f.required(p.plan.position(i)) {
			continue
		}
		if len(names) == shown {
			more++
			continue
		}
		if names = append(names, strconv.Quote(of.ID)); len(names) == 1 {
			n = Note{Code: CodeBudgetVariants, Fragment: of.ID, Position: of.Origin}
		}
	}
	if len(names) == 0 {
		return nil
	}
	said := strings.Join(names, ", ")
	if more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	n.Message = "variants that no budget uses, of " + said + ": what is required, itself or by its group or by what needs it, is never shortened; give it an importance"
	return []Note{n}
}

// Budget reports what became of the budget; nil when there was none.
func (a *Assembly) Budget() *BudgetReport {
	f := a.fitted
	if f == nil {
		return nil
	}
	b, needs := f.budget, f.needs()
	r := &BudgetReport{
		Budget: b.Tokens, Reserve: b.Reserve, Tools: b.Tools, ToolsExact: b.toolsExact(), FramingKnown: !b.unframed, Form: b.Form, Limit: b.limit(), LimitExact: b.limitExact(),
		Least: f.least + b.overhead(), Whole: f.minima[len(f.steps)] + b.overhead(),
		Full: needs[0].exact, Required: needs[len(f.steps)].exact, Prompt: f.used, Left: b.limit() - f.used,
		Policy: b.Policy, Hold: b.Hold, Exact: b.Counter.Exact(), Encoding: b.Counter.Name(),
	}
	if !b.unframed || b.Framing > 0 {
		r.Framing = ptr(b.Framing)
	}
	if f.whole != nil {
		r.Given = r.Required - r.Prompt
	}
	if b.KeepCached {
		r.KeepCached, r.Cached, r.CachedLost = true, len(f.cachedAt), f.cachedLost()
	}
	r.Shortened, r.Dropped = f.lost()
	r.Cuts = a.cuts()
	return r
}

// cuts are what the shortened fragments lost, in declaration order.
func (a *Assembly) cuts() []Cut {
	var out []Cut
	for i := range a.Len() {
		pos := a.plan.position(i)
		level := a.levelAt(pos)
		if level <= 0 {
			continue
		}
		c := Cut{Fragment: a.plan.frags[i].ID, Bytes: len(a.bodyAt(pos, 0)), Kept: len(a.textAt(pos))}
		switch {
		case level != yielded:
			c.Variant = int(level)
		case c.Fragment == InstructionsID:
			out = append(out, a.fitted.cuts...)
			continue
		}
		out = append(out, c)
	}
	return out
}

// Sacrificed lists what the budget took, in declaration order: what the next
// turn's [Budget].Before is.
func (a *Assembly) Sacrificed() []Sacrificed {
	var out []Sacrificed
	for i := range a.Len() {
		switch level := a.levelAt(a.plan.position(i)); {
		case level == dropped:
			out = append(out, Sacrificed{Fragment: a.plan.frags[i].ID})
		case level > 0:
			out = append(out, Sacrificed{Fragment: a.plan.frags[i].ID, Variant: variantOf(level)})
		}
	}
	return out
}

// variantOf is the body in use, as it is told: a required fragment that gave something
// has a first variant.
func variantOf(level int32) int {
	if level == yielded {
		return 1
	}
	return int(max(level, 0))
}

// Sacrifices is the order in which the budget gives up what is not required,
// with what was: first the steps that are taken first. Nil when there was no
// budget.
func (a *Assembly) Sacrifices() []Sacrifice {
	f := a.fitted
	if f == nil {
		return nil
	}
	needs, lost := f.needs(), f.cachedLosses()
	out := make([]Sacrifice, len(f.steps))
	for s, step := range f.steps {
		x := Sacrifice{
			Variant: int(max(step.level, 0)), Importance: f.units[step.unit].importance,
			Tokens: needs[s+1].most(), StaysFrom: f.staysFrom(s), Taken: f.taken(s), Cached: f.lossAt(lost, s),
		}
		for _, pos := range f.positions(step) {
			x.Fragments = append(x.Fragments, a.plan.frags[a.plan.index(int(pos))].ID)
		}
		out[s] = x
	}
	return out
}

// BudgetCurve is what each budget keeps, from the least that is enough to the one
// that keeps everything, by the strict order. Nil when there was no budget.
func (a *Assembly) BudgetCurve() []CurvePoint {
	f := a.fitted
	if f == nil {
		return nil
	}
	var out []CurvePoint
	least := 0
	gone := make(map[int32]int32, len(f.steps)) // level by position
	shortened := 0
	add := func(k int) {
		n := f.needs()[k]
		if need := n.most(); k == 0 || need < least {
			least = need
			out = append(out, CurvePoint{Budget: need + f.budget.overhead(), Tokens: n.exact, Shortened: shortened, Dropped: len(gone) - shortened})
		}
	}
	add(0)
	for s, step := range f.steps {
		for _, pos := range f.positions(step) {
			was := gone[pos]
			gone[pos] = step.level
			switch {
			case was <= 0 && step.level > 0:
				shortened++
			case was > 0 && step.level == dropped:
				shortened--
			}
		}
		add(s + 1)
	}
	slices.Reverse(out)
	return out
}

// traceBudget is what the budget has to do with a fragment; nil for nothing.
func (a *Assembly) traceBudget(i int) *TraceBudget {
	pos := a.plan.position(i)
	level := a.levelAt(pos)
	if level == 0 {
		return nil
	}
	f := a.fitted
	if level == yielded {
		return &TraceBudget{Required: true, Tokens: f.texts.count(pos, 0) - f.texts.count(pos, yielded), StaysFrom: f.whole[pos] + f.budget.overhead()}
	}
	saved := f.texts.count(pos, 0)
	if level > 0 {
		saved -= f.texts.count(pos, level)
	}
	s := f.stepTo(int32(pos), level)
	return &TraceBudget{
		Importance: f.units[f.unitOf[pos]].importance, Tokens: saved, StaysFrom: f.staysFrom(s), Cached: f.lossAt(f.cachedLosses(), s),
	}
}
