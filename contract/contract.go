package contract

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
)

// Fact is one thing that the asked agent may rely on.
type Fact struct {
	// ID is what citations name. Any text; it should be unique in a contract.
	ID string `json:"id"`
	// Content is what is known.
	Content string `json:"content"`
}

// Output is what is to come back.
type Output struct {
	Emit Emit `json:"emit"`
	// Key is the group that the facts of the answer belong to.
	Key string `json:"key"`
	// Format is how the answer is to be written; [NoFormat] leaves it open.
	Format Format `json:"format,omitzero"`
}

// NewOutput returns an output of no particular format.
func NewOutput(emit Emit, key string) Output { return Output{Emit: emit, Key: key} }

// WithFormat returns a copy that asks for a format.
func (o Output) WithFormat(f Format) Output {
	o.Format = f
	return o
}

// Context gathers facts, grouped by key in the order in which they are added.
// The zero Context is empty. What is wrong with it is reported by [New].
type Context struct {
	groups   []group
	declared vocabulary
}

// group is a key and its facts.
type group struct {
	key   string
	facts []Fact
}

// Declare allows further keys besides the built-in ones.
func (c *Context) Declare(keys ...string) { c.declared.keys = append(c.declared.keys, keys...) }

// DeclareRoles allows further roles besides the constants.
func (c *Context) DeclareRoles(roles ...string) {
	c.declared.roles = append(c.declared.roles, roles...)
}

// AddFacts adds a group. An empty list is ignored.
func (c *Context) AddFacts(key string, facts ...Fact) {
	if len(facts) > 0 {
		c.groups = append(c.groups, group{key, slices.Clone(facts)})
	}
}

// Store has facts by key.
type Store interface {
	// Facts returns the facts of a key, none when there are none.
	Facts(key string) []Fact
}

// FromContext takes the facts of some keys from a store, in the order of the
// keys. Keys without facts are left out. Keys that aren't built in must be
// declared in the result.
func FromContext(store Store, keys ...string) Context {
	var c Context
	for i, key := range keys {
		// A key named twice is a mistake also when it has no facts, so New is to
		// see it twice.
		twice := slices.Contains(keys[:i], key) || slices.Contains(keys[i+1:], key)
		if facts := store.Facts(key); len(facts) > 0 || twice {
			c.groups = append(c.groups, group{key, slices.Clone(facts)})
		}
	}
	return c
}

// Contract is an agent prompt contract.
type Contract struct {
	role        Role
	objective   string
	facts       []Fact
	marks       []mark    // what each fact needs when it is written
	groups      []stretch // which facts belong to which key
	bytes       int       // of all ids and contents
	constraints Constraints
	output      Output
	declared    vocabulary
}

// stretch is a group as a stretch of all facts.
type stretch struct {
	key      string
	from, to int
}

// New returns a contract without constraints. The error names everything that
// is wrong: a role, kind or format that isn't one, a key that is neither built
// in nor declared or is given twice, a text that isn't UTF-8.
func New(role Role, objective string, context Context, output Output) (*Contract, error) {
	var errs []*cento.SourceError
	fail := func(code cento.ErrorCode, hint, format string, args ...any) {
		errs = append(errs, &cento.SourceError{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"role", context.declared.roles}, {"key", context.declared.keys}} {
		for i, name := range list.names {
			if !validName(name) {
				fail(InvalidKey, nameHint, "%q can't be a %s", clip(name), list.what)
			} else if slices.Contains(list.names[:i], name) {
				fail(Duplicate, "declare it once", "%s %q is declared twice", list.what, name)
			}
		}
	}
	if !context.declared.hasRole(string(role)) {
		fail(UnknownName, unknownHint(string(role), context.declared.knownRoles()), "unknown role %q", clip(string(role)))
	}
	if !emitNames.Has(output.Emit) {
		fail(UnknownName, unknownHint("", emitNames), "%d is no kind of output", output.Emit)
	}
	if !formatNames.Has(output.Format) {
		fail(UnknownName, unknownHint("", formatNames.Known()), "%d is no format", output.Format)
	}
	if !context.declared.hasKey(output.Key) {
		fail(UnknownName, unknownHint(output.Key, context.declared.knownKeys()), "unknown key %q of the output", clip(output.Key))
	}
	if at := invalidUTF8(objective); at >= 0 {
		fail(InvalidUTF8, utf8Hint, "byte %d of the objective, 0x%02x, isn't UTF-8", at, objective[at])
	}
	seen := make(map[string]int, len(context.groups))
	total := 0
	for i, g := range context.groups {
		if first, ok := seen[g.key]; ok {
			fail(Duplicate, "put all facts of a key into one group", "key %q is given twice: groups %d and %d", clip(g.key), first+1, i+1)
			continue
		}
		seen[g.key] = i
		if !context.declared.hasKey(g.key) {
			fail(UnknownName, unknownHint(g.key, context.declared.knownKeys()), "unknown key %q of group %d", clip(g.key), i+1)
		}
		for k, f := range g.facts {
			if at := invalidUTF8(f.ID); at >= 0 {
				fail(InvalidUTF8, utf8Hint, "byte %d of the id of %s[%d], 0x%02x, isn't UTF-8", at, g.key, k, f.ID[at])
			}
			if at := invalidUTF8(f.Content); at >= 0 {
				fail(InvalidUTF8, utf8Hint, "byte %d of the content of %s[%d], 0x%02x, isn't UTF-8", at, g.key, k, f.Content[at])
			}
		}
		total += len(g.facts)
	}
	if err := cento.Join(errs); err != nil {
		return nil, err
	}
	c := &Contract{role: role, objective: objective, output: output, declared: context.declared.clone()}
	c.facts = make([]Fact, 0, total)
	for _, g := range context.groups {
		from := len(c.facts)
		c.facts = append(c.facts, g.facts...)
		c.groups = append(c.groups, stretch{g.key, from, len(c.facts)})
	}
	c.measure()
	return c, nil
}

// measure looks at every fact once, so that no writing has to.
func (c *Contract) measure() {
	c.marks = make([]mark, len(c.facts))
	for i := range c.facts {
		f := &c.facts[i]
		c.bytes += len(f.ID) + len(f.Content)
		c.marks[i] = markID(f.ID) | markText(f.Content)
	}
}

// WithConstraint returns a copy that has the constraint too.
func (c *Contract) WithConstraint(k Constraint) *Contract { return c.WithConstraints(k) }

// WithConstraints returns a copy that has the constraints too. One that isn't
// any of the constants is left out.
func (c *Contract) WithConstraints(list ...Constraint) *Contract {
	d := *c
	for _, k := range list {
		if int(k) < len(constraintNames) {
			d.constraints |= 1 << k
		}
	}
	return &d
}

// Role is who is asked.
func (c *Contract) Role() Role { return c.role }

// Objective is what for.
func (c *Contract) Objective() string { return c.objective }

// Constraints are the rules.
func (c *Contract) Constraints() Constraints { return c.constraints }

// Output is what is to come back.
func (c *Contract) Output() Output { return c.output }

// Declared returns the keys that are allowed besides the built-in ones.
func (c *Contract) Declared() []string { return slices.Clone(c.declared.keys) }

// DeclaredRoles returns the roles that are allowed besides the constants.
func (c *Contract) DeclaredRoles() []string { return slices.Clone(c.declared.roles) }

// Len is the number of facts.
func (c *Contract) Len() int { return len(c.facts) }

// Facts yields all facts with their keys, in order.
func (c *Contract) Facts() iter.Seq2[string, Fact] {
	return func(yield func(string, Fact) bool) {
		for _, g := range c.groups {
			for _, f := range c.facts[g.from:g.to] {
				if !yield(g.key, f) {
					return
				}
			}
		}
	}
}

// repeatedIDs returns the ids that more than one fact has, in the order in
// which they are first repeated.
func (c *Contract) repeatedIDs() []string {
	seen := make(map[string]int, len(c.facts))
	var list []string
	for _, f := range c.facts {
		seen[f.ID]++
		if seen[f.ID] == 2 {
			list = append(list, f.ID)
		}
	}
	return list
}

// Equal reports whether two contracts say the same, in the same order. What is
// declared and not used doesn't count.
func (c *Contract) Equal(d *Contract) bool {
	if c == nil || d == nil {
		return c == d
	}
	return c.role == d.role && c.objective == d.objective && c.constraints == d.constraints && c.output == d.output &&
		slices.Equal(c.groups, d.groups) && slices.Equal(c.facts, d.facts)
}

// Notes tells what is allowed and probably not meant: ids that more than one
// fact has. Those of a [File] know the places.
func (c *Contract) Notes() []cento.Note {
	var notes []cento.Note
	for _, id := range c.repeatedIDs() {
		notes = append(notes, cento.Note{Code: RepeatedID, Message: "the id " + strconv.Quote(clip(id)) + " is given twice: a citation of it may mean either"})
	}
	return notes
}

// Losses tells what of the contract a form doesn't keep although it can be read back:
// the spaces of an objective that [EDN] has as a keyword. Those of a [File] know the
// place. Of a form that can't be read back [Form.Readable] tells.
func (c *Contract) Losses(form Form, options ...Option) []cento.Note {
	if form != EDN || slices.Contains(options, Exact) || isName(c.objective, false) || !isName(c.objective, true) {
		return nil
	}
	return []cento.Note{{
		Code:    ObjectiveChanged,
		Message: "the objective is written :" + clip(strings.ReplaceAll(c.objective, " ", "-")) + " and is read back so; with exact it keeps its spaces",
	}}
}
