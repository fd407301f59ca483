package project

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
)

// Assignment is a variable and its value as words.
type Assignment struct{ Name, Value string }

// VarUnread is the note that a variable was set and nothing reads it.
const VarUnread cento.Code = "var.unread"

// assign gives the assignments their types and adds them to what is given. It
// comes after the prompt files were opened, since they declare types.
func (p *Project) assign() error {
	if len(p.request.Assignments) == 0 {
		return nil
	}
	types, read := p.declared()
	object := []byte{'{'}
	var errs []*cento.SourceError
	last := map[string]int{}
	for i, a := range p.request.Assignments {
		last[a.Name] = i
	}
	for key, value := range membersOf(p.request.Vars) {
		if _, replaced := last[key]; !replaced {
			object = member(object, key, value)
		}
	}
	for i, a := range p.request.Assignments {
		if last[a.Name] != i {
			continue // said again later
		}
		decl := types[a.Name]
		value, err := decl.Type.Parse(a.Value)
		if err != nil {
			e := &cento.SourceError{Code: strict.WrongType, Message: fmt.Sprintf("the variable %q", a.Name), Err: err}
			if !decl.Position.IsZero() {
				e.Related = []cento.Related{{Position: decl.Position, Message: "its type follows from here"}}
			}
			errs = append(errs, e)
			continue
		}
		object = member(object, a.Name, value)
		if !slices.Contains(read, a.Name) {
			n := cento.Note{Code: VarUnread, Message: fmt.Sprintf("the variable %q changes nothing: no prompt file or condition reads it", a.Name)}
			if near, ok := nearest.Name(a.Name, read); ok {
				n.Message += fmt.Sprintf("; did you mean %q?", near)
			}
			p.Input.Notes = append(p.Input.Notes, n)
		}
	}
	p.Input.Files.Given = append(object, '}')
	return cento.Join(errs)
}

// membersOf are the members of a JSON object in their order.
func membersOf(object json.RawMessage) func(func(string, json.RawMessage) bool) {
	return func(yield func(string, json.RawMessage) bool) {
		n, err := strict.JSON("", object, cento.DefaultLimits())
		if len(object) == 0 || err != nil {
			return // the engine says what is wrong with it
		}
		for key, value := range n.Members() {
			name, _ := key.Text()
			raw, err := value.AppendJSON(nil)
			if err != nil || !yield(name, raw) {
				return
			}
		}
	}
}

func member(object []byte, key string, value json.RawMessage) []byte {
	if len(object) > 1 {
		object = append(object, ',')
	}
	object = fmt.Appendf(object, "%s:", mustJSON(key))
	return append(object, value...)
}

func mustJSON(s string) []byte {
	b, err := pack.StringType.Parse(s)
	if err != nil {
		panic("project: a text is JSON: " + err.Error())
	}
	return b
}

// declared are the types of the variables, and the names of those that
// something reads, sorted. What a prompt file says of a type goes before what
// follows from a value in the manifest.
func (p *Project) declared() (map[string]pack.Var, []string) {
	types := map[string]pack.Var{}
	var read []string
	if m := p.Manifest; m.root != nil {
		if _, vars := m.root.Member("vars"); vars != nil && vars.Kind() == strict.Map {
			for key, value := range vars.Members() {
				name, _ := key.Text()
				types[name] = pack.Var{Name: name, Type: pack.TypeOf(value), Position: key.Position()}
			}
		}
	}
	for _, f := range p.files {
		for _, v := range f.Vars() {
			read = append(read, v.Name)
			if v.Type != pack.AnyType || types[v.Name].Name == "" {
				types[v.Name] = v
			}
		}
		for _, u := range f.Reads() {
			if u.Name == "vars" {
				read = append(read, mapKeys(types)...)
			}
			read = append(read, u.Member("vars"))
		}
	}
	for _, c := range p.conditions() {
		read = append(read, c.Reads("vars")...)
	}
	slices.Sort(read)
	return types, slices.Compact(read)
}

func mapKeys(types map[string]pack.Var) []string {
	var out []string
	for name := range types {
		out = append(out, name)
	}
	return out
}

// conditions are those of the input that can be read; the others fail once
// they are compiled.
func (p *Project) conditions() []*pack.Condition {
	fragments, _, err := cento.Compose(p.Input)
	if err != nil {
		return nil
	}
	engine, err := pack.NewEngine(cento.Input{Files: cento.Files{Vars: p.Input.Files.Vars}})
	if err != nil {
		return nil
	}
	var out []*pack.Condition
	for _, f := range fragments {
		if f.When == "" {
			continue
		}
		if c, err := engine.Compile(f.When, f.WhenOrigin); err == nil {
			if c, ok := c.(*pack.Condition); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// ConditionVars are the variables that the conditions of the project read,
// sorted.
func (p *Project) ConditionVars() []string {
	var out []string
	for _, c := range p.conditions() {
		out = append(out, c.Reads("vars")...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Variables are the variables that the manifest declares, each with its place.
func (m *Manifest) Variables() map[string]cento.Position {
	out := map[string]cento.Position{}
	if m.root == nil {
		return out
	}
	if _, vars := m.root.Member("vars"); vars != nil && vars.Kind() == strict.Map {
		for key := range vars.Members() {
			name, _ := key.Text()
			out[name] = key.Position()
		}
	}
	return out
}
