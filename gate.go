package cento

// Code is the stable name of a decision or a note. The text beside it is for
// people and may be reworded; the code is API.
type Code string

// Codes of decisions. Those that begin with "include." mean in, all others
// mean out.
const (
	CodeBodyEmpty      Code = "body.empty"
	CodeToolMissing    Code = "gate.tool.missing"
	CodeToolNone       Code = "gate.tool.none"
	CodeCapMissing     Code = "gate.cap.missing"
	CodeWhenFalse      Code = "gate.when.false"
	CodeNeedsOut       Code = "needs.out"
	CodeBudgetDropped  Code = "budget.dropped"
	CodeIncludeTools   Code = "include.tools"
	CodeIncludeAny     Code = "include.any_tools"
	CodeIncludeCaps    Code = "include.caps"
	CodeIncludeWhen    Code = "include.when"
	CodeUnconditional  Code = "include.unconditional"
	CodeLayerCleared   Code = "layer.cleared"
	CodeLayerReplaced  Code = "layer.replaced"
	CodeLayerRemoved   Code = "layer.removed"
	CodeSlotUnplaced   Code = "slot.unplaced"
	CodeDuplicate      Code = "duplicate"
	CodeOverridden     Code = "overridden"
	CodeForged         Code = "text.forged"    // note: an imitated heading was quoted
	CodeInvisible      Code = "text.invisible" // note: hidden characters were found
	CodeSystemIgnored  Code = "primary.system_ignored"
	CodeToolUnknown    Code = "tool.unknown"
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
