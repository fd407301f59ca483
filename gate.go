package cento

import "slices"

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
	// CodeOverridden: a replacement stands instead of it.
	CodeOverridden Code = "overridden"
)

// Codes of notes on texts and on the input.
const (
	// CodeForged: a line that imitates a protected heading was quoted.
	CodeForged Code = "text.forged"
	// CodeInvisible: hidden characters were found, and treated by the policy.
	CodeInvisible Code = "text.invisible"
	// CodeSystemIgnored: a caller handed the primary block over as parts, so its
	// own text has no effect.
	CodeSystemIgnored Code = "primary.system_ignored"
	// CodeGuidanceUnused: a request that composes nothing defines guidance.
	CodeGuidanceUnused Code = "tool.guidance_ignored"
)

// Active is what an assembly is for: the tools and capabilities that are on.
// It is input; the reducer looks nothing up. Order and repetition of names
// change no byte of the prompt.
type Active struct {
	// Tools are the names of the active tools, compared exactly.
	Tools []string `json:"tools"`
	// Caps are the capabilities that are set.
	Caps []string `json:"caps"`
	// Model is the name of the model; empty when none is chosen.
	Model string `json:"model,omitempty"`
}

func (a Active) clone() Active {
	a.Tools, a.Caps = slices.Clone(a.Tools), slices.Clone(a.Caps)
	return a
}

// Conditions is where an expression engine plugs in: it turns the text of a
// fragment's `when` into something that can be asked. Without one, a fragment
// with a condition is refused with [UnsupportedWhen].
type Conditions interface {
	// Compile checks the expression once. Its error is reported as it is, so it
	// should be a [*SourceError] that begins at the given place.
	Compile(expr string, at Position) (Condition, error)
}

// Condition is a compiled expression. Eval must depend on its argument alone
// and be safe for concurrent use.
type Condition interface {
	Eval(Active) (bool, error)
}
