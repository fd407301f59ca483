package project

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
)

// Assignment is a variable and its value as words.
type Assignment struct{ Name, Value string }

// assigned are the variables of the request: those that are given as values, and
// those given as words with the types that prompt files and the manifest declare.
// Those that neither a file nor a condition of the input reads are noted.
func (r *reader) assigned(files []*pack.File, in cento.Input) (json.RawMessage, []cento.Note, error) {
	if len(r.request.Assignments) == 0 && len(r.request.Vars) == 0 {
		return nil, nil, nil
	}
	types, read, all := r.declared(files, conditionsIn(&r.shared.kept, in))
	object := []byte{'{'}
	var notes []cento.Note
	var errs []*cento.SourceError
	var propose proposer
	last := map[string]int{}
	for i, a := range r.request.Assignments {
		last[a.Name] = i
	}
	unread := func(name string) {
		if all || slices.Contains(read, name) {
			return
		}
		notes = append(notes, unreadVar(&propose, name, read))
	}
	for key, value := range membersOf(r.request.Vars) {
		if _, replaced := last[key]; !replaced {
			object = member(object, key, value)
			unread(key)
		}
	}
	if len(r.request.Assignments) == 0 {
		return r.request.Vars, notes, nil
	}
	for i, a := range r.request.Assignments {
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
		unread(a.Name)
	}
	return append(object, '}'), notes, cento.Join(errs)
}

// misnamedVars tells of variables that the manifest sets and nothing reads, where nearly
// the name is read: any other may be for another target. What the manifest sets beside it
// isn't meant.
func (r *reader) misnamedVars(in *cento.Input, files []*pack.File) []cento.Note {
	set := r.manifest.Variables()
	for _, a := range r.request.Assignments {
		delete(set, a.Name) // told already
	}
	for name := range membersOf(r.request.Vars) {
		delete(set, name)
	}
	_, read, all := r.declared(files, nil)
	idle := func(name string, _ cento.Position) bool { return slices.Contains(read, name) }
	if maps.DeleteFunc(set, idle); all || len(set) == 0 {
		return nil
	}
	_, read, _ = r.declared(files, conditionsIn(&r.shared.kept, *in))
	maps.DeleteFunc(set, idle)
	own, together := r.manifest.Variables(), r.base.VariablesTogether()
	var notes []cento.Note
	var propose proposer
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if propose.compared > maxCompared {
			break // no more are proposed
		}
		beside := own
		for _, of := range together[1:] {
			if of[name] == set[name] {
				beside = of
			}
		}
		meant := slices.DeleteFunc(slices.Clone(read), func(other string) bool { _, there := beside[other]; return there })
		if near, ok := propose.near(name, meant); ok {
			n := unreadVar(&propose, name, []string{near})
			n.Position = set[name]
			notes = append(notes, n)
		}
	}
	slices.SortStableFunc(notes, func(a, b cento.Note) int { return a.Position.Compare(b.Position) })
	return firstOf(notes, VarUnread, "variables")
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
	object = fmt.Appendf(object, "%s:", strict.Quoted(key))
	return append(object, value...)
}

// declared are the types of the variables, and the names of those that
// something reads, sorted; all where something reads them whatever their names are.
// What a prompt file says of a type goes before what follows from a value in the
// manifest.
func (r *reader) declared(files []*pack.File, conditions []*pack.Condition) (types map[string]pack.Var, read []string, all bool) {
	types = r.manifest.VariableTypes()
	for _, f := range files {
		for _, v := range f.Vars() {
			read = append(read, v.Name)
			if v.Type != pack.AnyType || types[v.Name].Name == "" {
				types[v.Name] = v
			}
		}
		for _, u := range f.Reads() {
			all = all || u.Name == "vars"
			read = append(read, u.Variable())
		}
	}
	for _, c := range conditions {
		read = append(read, c.Variables()...)
	}
	slices.Sort(read)
	return types, slices.Compact(read), all
}

// conditionsIn are the conditions of an input that can be read.
func conditionsIn(kept *pack.Kept, in cento.Input) []*pack.Condition {
	fragments, _, err := cento.Compose(in)
	if err != nil {
		return nil
	}
	return conditionsOf(kept, fragments, in.Files.Vars)
}

// conditionsOf are the conditions of fragments that can be read, over variables as a
// JSON object; the others fail once they are compiled.
func conditionsOf(kept *pack.Kept, fragments []cento.Fragment, vars json.RawMessage) []*pack.Condition {
	engine, err := kept.NewEngine(cento.Input{Files: cento.Files{Vars: vars}})
	if err != nil {
		return nil
	}
	var out []*pack.Condition
	for _, f := range fragments {
		if f.When == "" {
			continue
		}
		if c, err := engine.Compile(f.WhenText()); err == nil {
			if c, ok := c.(*pack.Condition); ok {
				out = append(out, c)
			}
		}
	}
	return out
}
