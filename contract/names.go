package contract

import (
	"iter"

	"github.com/cento-dev/cento/internal/enum"
)

// Role is who the asked agent is: one of the constants, or a name that was
// declared.
type Role string

// The roles that need no declaration.
const (
	Proposer    Role = "proposer"
	Validator   Role = "validator"
	Synthesizer Role = "synthesizer"
	Analyzer    Role = "analyzer"
)

// Emit is the kind of thing that an agent is to give back.
type Emit uint8

// The kinds.
const (
	EmitProposedFact Emit = iota
	EmitFact
	EmitAnalysis
	EmitEvaluation
	EmitPlan
	EmitClassification
	EmitDraft
	EmitReasoning
)

// Format is how an agent is to write its answer.
type Format uint8

// The formats. Without one, an answer may come in any that can be told apart.
const (
	NoFormat Format = iota
	FormatEDN
	FormatJSON
	FormatXML
	FormatPlain
)

// Form is a way to write a contract.
type Form uint8

// The forms. The zero Form is the default one: it takes the fewest tokens of those
// that can be read back. Plain and Markdown are for people and can't be.
const (
	Lines Form = iota
	EDN
	Plain
	JSON
	XML
	TOON
	Markdown
)

// Forms returns all forms in the order of their constants.
func Forms() []Form { return []Form{Lines, EDN, Plain, JSON, XML, TOON, Markdown} }

// Readable reports whether [Parse] reads the form.
func (f Form) Readable() bool { return f != Plain && f != Markdown && int(f) < len(formNames) }

// Constraint is a rule for the asked agent.
type Constraint uint8

// The constraints, in the order in which they are written.
const (
	NoInvent Constraint = iota
	NoContradict
	NoHallucinate
	CiteSources
)

// Constraints is a set of constraints.
type Constraints uint8

// Has reports whether a constraint is in the set.
func (s Constraints) Has(c Constraint) bool { return s&(1<<c) != 0 }

// All yields the constraints of the set in their order.
func (s Constraints) All() iter.Seq[Constraint] {
	return func(yield func(Constraint) bool) {
		for c := range Constraint(len(constraintNames)) {
			if s.Has(c) && !yield(c) {
				return
			}
		}
	}
}

var (
	emitNames       = enum.Names[Emit]{"proposed-fact", "fact", "analysis", "evaluation", "plan", "classification", "draft", "reasoning"}
	formatNames     = enum.Names[Format]{"", "edn", "json", "xml", "plain"}
	formNames       = enum.Names[Form]{"lines", "edn", "plain", "json", "xml", "toon", "markdown"}
	constraintNames = enum.Names[Constraint]{"no-invent", "no-contradict", "no-hallucinate", "cite-sources"}
)

// builtinRoles are the roles that need no declaration.
var builtinRoles = []string{string(Proposer), string(Validator), string(Synthesizer), string(Analyzer)}

// builtinKeys are the keys of groups that need no declaration.
var builtinKeys = []string{
	"seeds", "hypotheses", "strategies", "constraints", "signals", "competitors", "evaluations", "proposals", "diagnostic", "votes",
	"disagreements", "consensus_outcomes",
}

// String gives the name of the kind.
func (e Emit) String() string { return emitNames.Name(e) }

// MarshalText gives the name.
func (e Emit) MarshalText() ([]byte, error) { return emitNames.Marshal(e) }

// UnmarshalText accepts a name.
func (e *Emit) UnmarshalText(t []byte) error { return emitNames.Unmarshal(t, e) }

// String gives the name of the format, "" for none.
func (f Format) String() string { return formatNames.Name(f) }

// MarshalText gives the name. [NoFormat] has none.
func (f Format) MarshalText() ([]byte, error) { return formatNames.Marshal(f) }

// UnmarshalText accepts a name.
func (f *Format) UnmarshalText(t []byte) error { return formatNames.Unmarshal(t, f) }

// String gives the name of the form.
func (f Form) String() string { return formNames.Name(f) }

// MarshalText gives the name.
func (f Form) MarshalText() ([]byte, error) { return formNames.Marshal(f) }

// UnmarshalText accepts a name.
func (f *Form) UnmarshalText(t []byte) error { return formNames.Unmarshal(t, f) }

// String gives the name of the constraint.
func (c Constraint) String() string { return constraintNames.Name(c) }

// MarshalText gives the name.
func (c Constraint) MarshalText() ([]byte, error) { return constraintNames.Marshal(c) }

// UnmarshalText accepts a name.
func (c *Constraint) UnmarshalText(t []byte) error { return constraintNames.Unmarshal(t, c) }
