package layer

import (
	"slices"

	"github.com/cento-dev/cento"
)

// A Contribution is what a layer puts in a slot. It becomes one fragment for
// each place of the slot. The With… and Requires… methods return copies.
type Contribution struct {
	// Slot is the slot it was written for. The slot under which it stands in a
	// layer decides; where the two differ, a note says so.
	Slot string
	// Title is a heading of its own, nil when there is none. A blank one counts
	// as none, too. A title alone never stands in a prompt.
	Title *string
	// TitleOrigin is where the words of the title begin; zero: as Origin.
	TitleOrigin cento.Position
	// Priority orders the contributions of a slot, lowest first. Equal ones keep
	// the order of their layers, then that of declaration.
	Priority int32
	// RequiresAnyTools is its gate: in only when one of the tools is active.
	RequiresAnyTools []string
	// Content is the text. It is never parsed as a template.
	Content string
	Runs    []cento.Run // of Content; empty: all of it stood at Origin
	// Template names a prompt file that is rendered instead of Content.
	Template string
	// TemplateOrigin is where it is named; zero: as Origin.
	TemplateOrigin cento.Position
	// ID is its key in the slot; without one the title or the layer gives it.
	ID string
	// RequiresTools: in only when every named tool is active.
	RequiresTools []string
	// RequiresCaps: in only when every named capability is set.
	RequiresCaps []string
	// GatesOrigin is where the names in the gates stand; nil: at Origin.
	GatesOrigin *cento.GateOrigins
	// When is a further condition, an expression; see [cento.Conditions].
	When       string
	WhenOrigin cento.Position // where the condition begins; zero: as Origin
	WhenRuns   []cento.Run    // as in [cento.Fragment]
	Importance cento.Importance
	Stability  cento.Stability
	// Protected contributions survive every reset and removal, and stand in the
	// prompt even when the template has no place for their slot. Layers of packs,
	// plugins, sessions and turns can't bring any.
	Protected bool

	Trust  cento.Trust
	Origin cento.Position // where it was read; zero for a library call
}

// NewContribution returns a contribution with a title; a blank one is none. Its words
// are nobody's to vouch for, as those of all that follow here, unless
// [Contribution.WithTrust] says whose they are.
func NewContribution(slot, title, content string) Contribution {
	c := Contribution{Slot: slot, Content: content}
	if foldSpace(title) != "" {
		c.Title = &title
	}
	return c
}

// Intro contributes to the introduction.
func Intro(title, content string) Contribution { return NewContribution(IntroSlot, title, content) }

// Execution contributes to how a task is carried out.
func Execution(title, content string) Contribution {
	return NewContribution(ExecutionSlot, title, content)
}

// Guidance contributes to the general advice.
func Guidance(title, content string) Contribution {
	return NewContribution(GuidanceSlot, title, content)
}

// Environment contributes to what is known of the surroundings.
func Environment(title, content string) Contribution {
	return NewContribution(EnvironmentSlot, title, content)
}

// ProjectInstructions contributes a host's text on the project.
func ProjectInstructions(content string) Contribution {
	return NewContribution(ProjectInstructionsSlot, "Project Instructions", content)
}

// RuntimeContext contributes what is known of this run.
func RuntimeContext(content string) Contribution {
	return NewContribution(RuntimeContextSlot, "Runtime Context", content)
}

// WithTrust returns a copy whose words are those of somebody: [cento.TrustHost] for the
// program's own.
func (c Contribution) WithTrust(t cento.Trust) Contribution {
	c.Trust = t
	return c
}

// RequiresTool returns a copy that is in only when the tool, too, is active. The other
// gates, and the priority, are fields.
func (c Contribution) RequiresTool(name string) Contribution {
	c.RequiresTools = append(slices.Clip(slices.Clone(c.RequiresTools)), name)
	return c
}
