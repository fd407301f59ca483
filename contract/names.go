package contract

import (
	"fmt"
	"iter"
	"slices"
)

// Role is who the asked agent is.
type Role uint8

// The roles.
const (
	Proposer Role = iota
	Validator
	Synthesizer
	Analyzer
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

// The forms. The zero Form is the default one. Plain and Markdown are for
// people and can't be read back.
const (
	EDN Form = iota
	Plain
	JSON
	XML
	TOON
	Markdown
	Lines
)

// Forms returns all forms in the order of their constants.
func Forms() []Form { return []Form{EDN, Plain, JSON, XML, TOON, Markdown, Lines} }

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

// names is the closed list of an enumeration, in the order of its constants.
type names []string

var (
	roleNames       = names{"proposer", "validator", "synthesizer", "analyzer"}
	emitNames       = names{"proposed-fact", "fact", "analysis", "evaluation", "plan", "classification", "draft", "reasoning"}
	formatNames     = names{"", "edn", "json", "xml", "plain"}
	formNames       = names{"edn", "plain", "json", "xml", "toon", "markdown", "lines"}
	constraintNames = names{"no-invent", "no-contradict", "no-hallucinate", "cite-sources"}
)

// builtinKeys are the keys of groups that need no declaration.
var builtinKeys = names{
	"seeds", "hypotheses", "strategies", "constraints", "signals", "competitors", "evaluations", "proposals", "diagnostic", "votes",
	"disagreements", "consensus_outcomes",
}

// Keys returns the keys that groups of facts may have without a declaration.
func Keys() []string { return slices.Clone(builtinKeys) }

func (n names) name(i uint8) string {
	if int(i) < len(n) {
		return n[i]
	}
	return fmt.Sprint(i)
}

func (n names) marshal(i uint8) ([]byte, error) {
	if int(i) >= len(n) || n[i] == "" {
		return nil, fmt.Errorf("%d is none of %q", i, n.known())
	}
	return []byte(n[i]), nil
}

// known is the list without the name that stands for nothing.
func (n names) known() []string {
	return slices.DeleteFunc(slices.Clone(n), func(s string) bool { return s == "" })
}

// find returns the number of a name.
func (n names) find(name string) (uint8, bool) {
	i := slices.Index(n, name)
	return uint8(i), i >= 0 && name != ""
}

func unmarshal[T ~uint8](n names, text []byte, to *T) error {
	i, ok := n.find(string(text))
	if !ok {
		return fmt.Errorf("%q is none of %q", text, n.known())
	}
	*to = T(i)
	return nil
}

// String gives the name of the role.
func (r Role) String() string { return roleNames.name(uint8(r)) }

// MarshalText gives the name.
func (r Role) MarshalText() ([]byte, error) { return roleNames.marshal(uint8(r)) }

// UnmarshalText accepts a name.
func (r *Role) UnmarshalText(t []byte) error { return unmarshal(roleNames, t, r) }

// String gives the name of the kind.
func (e Emit) String() string { return emitNames.name(uint8(e)) }

// MarshalText gives the name.
func (e Emit) MarshalText() ([]byte, error) { return emitNames.marshal(uint8(e)) }

// UnmarshalText accepts a name.
func (e *Emit) UnmarshalText(t []byte) error { return unmarshal(emitNames, t, e) }

// String gives the name of the format, "" for none.
func (f Format) String() string { return formatNames.name(uint8(f)) }

// MarshalText gives the name. [NoFormat] has none.
func (f Format) MarshalText() ([]byte, error) { return formatNames.marshal(uint8(f)) }

// UnmarshalText accepts a name.
func (f *Format) UnmarshalText(t []byte) error { return unmarshal(formatNames, t, f) }

// String gives the name of the form.
func (f Form) String() string { return formNames.name(uint8(f)) }

// MarshalText gives the name.
func (f Form) MarshalText() ([]byte, error) { return formNames.marshal(uint8(f)) }

// UnmarshalText accepts a name.
func (f *Form) UnmarshalText(t []byte) error { return unmarshal(formNames, t, f) }

// String gives the name of the constraint.
func (c Constraint) String() string { return constraintNames.name(uint8(c)) }

// MarshalText gives the name.
func (c Constraint) MarshalText() ([]byte, error) { return constraintNames.marshal(uint8(c)) }

// UnmarshalText accepts a name.
func (c *Constraint) UnmarshalText(t []byte) error { return unmarshal(constraintNames, t, c) }
