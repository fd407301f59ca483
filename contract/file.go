package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/strict"
)

// File is a contract as somebody wrote it, in YAML or JSON, and the place of
// each of its values.
type File struct {
	*Contract
	// Origin is where the contract begins.
	Origin cento.Position
	// Trust is that of the file.
	Trust cento.Trust

	single      [formatPart + 1]strict.At // values that there is one of
	keys        []strict.At               // by group
	ids         []strict.At               // by fact
	contents    []strict.At
	constraints [8]strict.At
}

// ParseFile reads a contract file: JSON when its name ends in .json, else YAML.
// [Schema] describes it. The facts stand under context, either as a map from
// keys to lists or as a list of groups; content may be left out, and so may
// context and constraints when they are empty. Limits that are 0 are the
// defaults; Limits.File bounds the file. Everything that is wrong is returned at
// once, with codes of this package and of package strict.
func ParseFile(name string, data []byte, limits cento.Limits, trust cento.Trust) (*File, error) {
	n, err := strict.Read(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: trust}
	f := new(File)
	d.Decode(n, f)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return f, nil
}

// The shape of a file.
type (
	text = strict.Located[string]

	contractFile struct {
		Role        text        `json:"role"`
		Objective   text        `json:"objective" others:"goal task"`
		Context     contextFile `json:"context,omitempty"`
		Constraints []text      `json:"constraints,omitempty"`
		Output      struct {
			Emit   text  `json:"emit"`
			Key    text  `json:"key"`
			Format *text `json:"format,omitempty"`
		} `json:"output"`
		Keys  []text `json:"keys,omitempty"`
		Roles []text `json:"roles,omitempty"`
	}

	contextFile []groupFile

	groupFile struct {
		Key   text       `json:"key"`
		Facts []factFile `json:"facts"`
	}

	factFile struct {
		ID      text `json:"id"`
		Content text `json:"content,omitempty"`
	}
)

// DecodeNode reads a map of keys or a list of groups.
func (c *contextFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map {
		groups := []groupFile(nil)
		d.Decode(n, &groups)
		*c = groups
		return
	}
	for key, value := range n.Members() {
		var g groupFile
		g.Key.DecodeNode(d, key)
		d.In(g.Key.Value, func() {
			if value.Kind() != strict.Null {
				d.Decode(value, &g.Facts)
			}
		})
		*c = append(*c, g)
	}
}

// How a contract is read that stands in a larger file.
var _ = strict.ReadBy((*File).read)

// read reads the contract from a part of a file. What is wrong is reported to the
// decoder, whose Trust is that of the contract; Contract is nil then.
func (f *File) read(d *strict.Decoder, n *strict.Node) {
	var in contractFile
	before := d.Failures()
	d.Decode(n, &in)
	f.Origin, f.Trust = n.Position(), d.Trust
	c := &Contract{objective: in.Objective.Value}
	f.Contract = c
	f.single[objectivePart] = in.Objective.At
	declared(d, "keys", "key", in.Keys, &c.declared.keys)
	declared(d, "roles", "role", in.Roles, &c.declared.roles)
	d.In("role", func() {
		if role := in.Role.Value; !absent(&in.Role) && !c.declared.hasRole(role) {
			d.Fail(in.Role.Position(), UnknownName, "unknown role %q", clip(role)).Hint =
				unknownHint(role, c.declared.knownRoles()) + "; others are to be declared under roles"
		}
	})
	c.role = Role(in.Role.Value)
	f.single[rolePart] = in.Role.At
	d.In("constraints", func() {
		for i := range in.Constraints {
			var k Constraint
			at := &in.Constraints[i]
			switch ok := named(d, "", "constraint", constraintNames, at, &k); {
			case ok && c.constraints.Has(k):
				e := d.Fail(at.Position(), Duplicate, "constraint %q is given twice", at.Value)
				e.Hint = "keep one of the two"
				e.Related = []cento.Related{{Position: f.constraints[k].Position(), Message: "given here first"}}
			case ok:
				c.constraints |= 1 << k
				f.constraints[k] = at.At
			}
		}
	})
	d.In("output", func() {
		named(d, "emit", "kind of output", emitNames, &in.Output.Emit, &c.output.Emit)
		f.single[emitPart] = in.Output.Emit.At
		d.In("key", func() { f.knownKey(d, &in.Output.Key) })
		c.output.Key = in.Output.Key.Value
		f.single[targetPart] = in.Output.Key.At
		if in.Output.Format != nil {
			named(d, "format", "format", formatNames, in.Output.Format, &c.output.Format)
			f.single[formatPart] = in.Output.Format.At
		}
	})
	d.In("context", func() { f.groups(d, in.Context) })
	if d.Failures() > before {
		f.Contract = nil
		return
	}
	c.measure()
}

// declared reads names that a contract allows besides the built-in ones.
func declared(d *strict.Decoder, key, what string, names []text, to *[]string) {
	for i := range names {
		name := &names[i]
		d.In(key, func() {
			switch {
			case absent(name):
			case !validName(name.Value):
				d.Fail(name.Position(), InvalidKey, "%q can't be a %s", clip(name.Value), what).Hint = nameHint
			case slices.Contains(*to, name.Value):
				d.Fail(name.Position(), Duplicate, "%s %q is declared twice", what, name.Value).Hint = "declare it once"
			default:
				*to = append(*to, name.Value)
			}
		})
	}
}

// absent: it is missing or no text, as the decoder has reported.
func absent(t *text) bool {
	_, ok := t.Text()
	return !ok
}

// named reads one of the names of an enumeration.
func named[T ~uint8](d *strict.Decoder, key, what string, list enum.Names[T], at *text, to *T) (ok bool) {
	if absent(at) {
		return false
	}
	report := func() {
		if *to, ok = list.Find(at.Value); !ok {
			d.Fail(at.Position(), UnknownName, "unknown %s %q", what, clip(at.Value)).Hint = unknownHint(at.Value, list.Known())
		}
	}
	if key == "" {
		report()
	} else {
		d.In(key, report)
	}
	return ok
}

func (f *File) knownKey(d *strict.Decoder, key *text) {
	if !absent(key) && !f.declared.hasKey(key.Value) {
		d.Fail(key.Position(), UnknownName, "unknown key %q", clip(key.Value)).Hint =
			unknownHint(key.Value, f.declared.knownKeys()) + "; others are to be declared under keys"
	}
}

func (f *File) groups(d *strict.Decoder, groups []groupFile) {
	c := f.Contract
	for i := range groups {
		g := &groups[i]
		f.knownKey(d, &g.Key)
		for k := range groups[:i] {
			if first := &groups[k].Key; first.Value == g.Key.Value && !absent(first) {
				e := d.Fail(g.Key.Position(), Duplicate, "key %q is given twice", clip(g.Key.Value))
				e.Hint = "put all facts of a key into one group"
				e.Related = []cento.Related{{Position: first.Position(), Message: "given here first"}}
				break
			}
		}
		if len(g.Facts) == 0 {
			continue
		}
		from := len(c.facts)
		for k := range g.Facts {
			fact := &g.Facts[k]
			c.facts = append(c.facts, Fact{fact.ID.Value, fact.Content.Value})
			f.ids = append(f.ids, fact.ID.At)
			f.contents = append(f.contents, fact.Content.At)
		}
		c.groups = append(c.groups, stretch{g.Key.Value, from, len(c.facts)})
		f.keys = append(f.keys, g.Key.At)
	}
}

// Notes tells what in the file is allowed and probably not meant: ids that more
// than one fact has.
func (f *File) Notes() []cento.Note {
	first := make(map[string]int, len(f.facts))
	var notes []cento.Note
	for i := range f.facts {
		id := f.facts[i].ID
		k, ok := first[id]
		if !ok {
			first[id] = i
			continue
		}
		notes = append(notes, cento.Note{
			Code: RepeatedID, Position: f.ids[i].Position(),
			Message: fmt.Sprintf("the id %q is given twice, first at %s: a citation of it may mean either", clip(id), f.ids[k].Position()),
		})
	}
	return notes
}

// Losses is [Contract.Losses], with places.
func (f *File) Losses(form Form, options ...Option) []cento.Note {
	notes := f.Contract.Losses(form, options...)
	for i := range notes {
		notes[i].Position = f.single[objectivePart].Position()
	}
	return notes
}

// The shape in responses, which is also that of files.
type (
	contractJSON struct {
		Role        Role         `json:"role"`
		Objective   string       `json:"objective"`
		Context     []groupJSON  `json:"context"`
		Constraints []Constraint `json:"constraints"`
		Output      Output       `json:"output"`
		Keys        []string     `json:"keys,omitempty"`
		Roles       []string     `json:"roles,omitempty"`
	}
	groupJSON struct {
		Key   string `json:"key"`
		Facts []Fact `json:"facts"`
	}
)

// UnmarshalJSON reads the shape of a contract file, as strictly as [ParseFile] does.
func (c *Contract) UnmarshalJSON(data []byte) error {
	var f File
	if err := f.UnmarshalJSON(data); err != nil {
		return err
	}
	*c = *f.Contract
	return nil
}

// UnmarshalJSON reads a contract of the host's own words, without positions.
func (f *File) UnmarshalJSON(data []byte) error {
	return strict.Unmarshal(data, cento.TrustHost, f)
}

// MarshalJSON gives the contract, without positions and trust. A file without a
// contract is an error.
func (f File) MarshalJSON() ([]byte, error) {
	if f.Contract == nil {
		return nil, errors.New("contract: a file without a contract")
	}
	return f.Contract.MarshalJSON()
}

// MarshalJSON gives the shape of a contract file, with the context as a list of
// groups, as the order of an object's members gets lost on the way.
func (c Contract) MarshalJSON() ([]byte, error) {
	out := contractJSON{
		Role: c.role, Objective: c.objective, Context: []groupJSON{}, Constraints: []Constraint{},
		Output: c.output, Keys: c.declared.keys, Roles: c.declared.roles,
	}
	for _, g := range c.groups {
		out.Context = append(out.Context, groupJSON{g.key, c.facts[g.from:g.to]})
	}
	out.Constraints = slices.AppendSeq(out.Constraints, c.constraints.All())
	return json.Marshal(out)
}
