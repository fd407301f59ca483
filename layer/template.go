package layer

import (
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
)

// A Template is a section plan. It is unrelated to prompt files with template
// syntax: no text in it is ever interpolated.
type Template struct {
	Sections []Section
	Origin   cento.Position // where it was read; zero for a library call
}

// A Section is a heading with an ordered list of entries. It stands in the
// prompt only when one of its parts does.
type Section struct {
	// Title is nil when there is none. A blank one counts as none, too, but is
	// kept and written.
	Title *string
	// TitleOrigin is where the words of the title begin; zero: as Origin.
	TitleOrigin cento.Position
	Entries     []Entry
	// Trust is whose words the title is.
	Trust  cento.Trust
	Origin cento.Position
}

// An Entry is one place of a section: a text, a builtin or a slot.
type Entry struct {
	Kind EntryKind
	// Value is the text, or the name of the builtin or slot.
	Value  string
	Runs   []cento.Run // of a text; empty: all of it stood at Origin
	Trust  cento.Trust
	Origin cento.Position
}

// EntryKind says what an entry is.
type EntryKind uint8

// The kinds of entries.
const (
	TextEntry EntryKind = iota
	BuiltinEntry
	SlotEntry
)

var entryKinds = enum.Names[EntryKind]{"text", "builtin", "slot"}

// String gives "text", "builtin" or "slot".
func (k EntryKind) String() string { return entryKinds.Name(k) }

// The builtins: texts that the program brings and a template places.
const (
	// MainAgentIntro says who the agent is.
	MainAgentIntro = "main_agent_intro"
	// ExecutionInstructions is the caller's own text on how to carry out a task.
	ExecutionInstructions = "execution_instructions"
	// CoreGuidance is general advice, a list some lines of which have gates.
	CoreGuidance = "core_guidance"
	// Instruction is the agent's own main text. It is known where the plan at the
	// bottom places it, as [ProjectTemplate] does.
	Instruction = "instruction"
)

var (
	builtinNames = []string{MainAgentIntro, ExecutionInstructions, CoreGuidance}
	anyBuiltin   = []string{MainAgentIntro, ExecutionInstructions, CoreGuidance, Instruction}
)

// The slots that are known in every stack. Others are known when a template of
// the stack has them.
const (
	IntroSlot               = "intro"
	ExecutionSlot           = "execution"
	GuidanceSlot            = "guidance"
	ProjectInstructionsSlot = "project_instructions" // host text; instruction files have a section of their own
	RuntimeContextSlot      = "runtime_context"
	EnvironmentSlot         = "environment"
)

var standardSlots = []string{IntroSlot, ExecutionSlot, GuidanceSlot, ProjectInstructionsSlot, RuntimeContextSlot, EnvironmentSlot}

// NewTemplate returns a section plan.
func NewTemplate(sections ...Section) Template { return Template{Sections: sections} }

// Titled returns a section with a heading.
func Titled(title string, entries ...Entry) Section {
	return Section{Title: &title, Entries: entries}
}

// WithTrust returns a copy whose title and entries are trusted as somebody's: see
// [Entry.WithTrust].
func (s Section) WithTrust(t cento.Trust) Section {
	s = s.clone()
	s.Trust = t
	for i := range s.Entries {
		s.Entries[i].Trust = t
	}
	return s
}

// Untitled returns a section without a heading.
func Untitled(entries ...Entry) Section { return Section{Entries: entries} }

// Text is an entry that stands as it is.
func Text(content string) Entry { return Entry{Kind: TextEntry, Value: content} }

// WithTrust returns a copy whose text is trusted as somebody's: [cento.TrustHost] for the
// program's own. Without it the text counts as a stranger's, at every rank.
func (e Entry) WithTrust(t cento.Trust) Entry {
	e.Trust = t
	return e
}

// Builtin is the place of a text that the program brings.
func Builtin(name string) Entry { return Entry{Kind: BuiltinEntry, Value: name} }

// Slot is a place that layers contribute to.
func Slot(name string) Entry { return Entry{Kind: SlotEntry, Value: name} }

// DefaultTemplate returns the section plan that holds until a layer brings
// another.
func DefaultTemplate() Template {
	t := NewTemplate(
		Untitled(Builtin(MainAgentIntro), Slot(IntroSlot)),
		Titled("Execution", Builtin(ExecutionInstructions), Slot(ExecutionSlot)),
		Titled("Guidance", Builtin(CoreGuidance), Slot(ProjectInstructionsSlot), Slot(GuidanceSlot)),
		Titled("Environment", Slot(RuntimeContextSlot), Slot(EnvironmentSlot)),
	)
	for i := range t.Sections {
		t.Sections[i].Trust = cento.TrustBuiltin
	}
	return t
}

// ProjectTemplate returns the section plan of a project that holds until a layer
// brings another: the default one, whose builtins would bring a second identity
// and a second conduct beside the instruction, with the instruction in their
// place. Of the builtins those that are named stay, such as [ExecutionInstructions],
// which is the caller's own text.
func ProjectTemplate(keep ...string) Template {
	t := DefaultTemplate()
	for i := range t.Sections {
		s := &t.Sections[i]
		s.Entries = slices.DeleteFunc(s.Entries, func(e Entry) bool {
			return e.Kind == BuiltinEntry && !slices.Contains(keep, e.Value)
		})
	}
	t.Sections[0].Entries = slices.Insert(t.Sections[0].Entries, 0, Builtin(Instruction))
	return t
}

// builtins are those that entries may name over a plan at the bottom.
func (t *Template) builtins() []string {
	if t.Places(Instruction) {
		return anyBuiltin
	}
	return builtinNames
}

// Places reports whether the plan has a place for a builtin.
func (t *Template) Places(builtin string) bool {
	return slices.ContainsFunc(t.Sections, func(s Section) bool {
		return slices.ContainsFunc(s.Entries, func(e Entry) bool { return e.Kind == BuiltinEntry && e.Value == builtin })
	})
}

// clone returns a copy that shares nothing that can be changed.
func (t Template) clone() Template {
	t.Sections = slices.Clone(t.Sections)
	for i := range t.Sections {
		t.Sections[i] = t.Sections[i].clone()
	}
	return t
}

func (s Section) clone() Section {
	if s.Title != nil {
		title := *s.Title
		s.Title = &title
	}
	s.Entries = slices.Clone(s.Entries)
	return s
}

// Heading is the title as it is printed, trimmed and on one line; empty for a
// section without one.
func (s Section) Heading() string { return heading(s.Title) }

func heading(title *string) string {
	if title == nil {
		return ""
	}
	return foldSpace(*title)
}
