package manifest

import (
	"fmt"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
)

// varsFile are the variables of a manifest: values, or declarations.
type varsFile struct {
	json      []byte
	stability map[string]cento.Stability // of those that are declared
}

// varFile is a variable with how often its value changes.
type varFile struct {
	strict.At
	Default   *strict.Node    `json:"default"`
	Stability cento.Stability `json:"stability"`
}

func (v *varsFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map {
		d.Expected(n, "a map of names to values").Hint = `as in {customer: Ada}`
		return
	}
	object := []byte{'{'}
	for key, value := range n.Members() {
		name, _ := key.Text()
		if declaresVar(value) {
			var f varFile
			d.In(name, func() { d.Decode(value, &f) })
			if f.Default == nil {
				continue // said already
			}
			if value = f.Default; f.Stability != cento.Static {
				if v.stability == nil {
					v.stability = map[string]cento.Stability{}
				}
				v.stability[name] = f.Stability
			}
		}
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = fmt.Appendf(object, "%s:", strict.Quoted(name))
		var err error
		object, err = value.AppendJSON(object)
		d.Report(err)
	}
	v.json = append(object, '}')
}

// declaresVar tells a declaration from a value that is a map: it says how often
// the value changes, and nothing but the value beside that. A misspelt key is
// better told than taken for a value.
func declaresVar(n *strict.Node) bool {
	if n == nil || n.Kind() != strict.Map {
		return false
	}
	known := []string{"default", "stability"}
	has := map[string]bool{}
	count := 0
	for key := range n.Members() {
		name, _ := key.Text()
		if near, ok := nearest.Name(name, known); ok && !slices.Contains(known, name) {
			name = near
		}
		if !slices.Contains(known, name) {
			return false
		}
		has[name] = true
		count++
	}
	return has["stability"] && count <= 2
}

// Variables are the variables that the manifest declares, each with its place.
func (m *Manifest) Variables() map[string]cento.Position {
	out := map[string]cento.Position{}
	if m.root == nil || m.root.Kind() != strict.Map {
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

// VariablesTogether are the variables that are set in one map, each with its place: those
// of the manifest, and those of each target that sets some. Two of one map aren't meant for
// one another.
func (m *Manifest) VariablesTogether() []map[string]cento.Position {
	out := []map[string]cento.Position{m.Variables()}
	if m.root == nil {
		return out
	}
	if _, targets := m.root.Member("targets"); targets != nil && targets.Kind() == strict.Map {
		for _, target := range targets.Members() {
			own := Manifest{root: target}
			out = append(out, own.Variables())
		}
	}
	return out
}

// Value is the value of a variable, or what stands in it on a path of names and ranks, by
// [strict.Node.Below]; false for a variable that the manifest doesn't set.
func (m *Manifest) Value(name string, path ...string) (cento.Text, bool) {
	if m.root == nil {
		return cento.Text{}, false
	}
	_, vars := m.root.Member("vars")
	if vars == nil || vars.Kind() != strict.Map {
		return cento.Text{}, false
	}
	_, value := vars.Member(name)
	if declaresVar(value) {
		_, value = value.Member("default")
	}
	if value == nil {
		return cento.Text{}, false
	}
	return value.Below(path).Located(cento.TrustWorkspace), true
}

// VariableTypes are the types that follow from the values of the variables, each
// with its place.
func (m *Manifest) VariableTypes() map[string]pack.Var {
	out := map[string]pack.Var{}
	if m.root == nil {
		return out
	}
	if _, vars := m.root.Member("vars"); vars != nil && vars.Kind() == strict.Map {
		for key, value := range vars.Members() {
			name, _ := key.Text()
			if declaresVar(value) {
				_, value = value.Member("default")
			}
			out[name] = pack.Var{Name: name, Type: typeOf(value), Position: key.Position()}
		}
	}
	return out
}

// typeOf is the type of the values that are like one; any for null.
func typeOf(n *strict.Node) pack.VarType {
	switch n.Kind() {
	case strict.Text:
		return pack.StringType
	case strict.Bool:
		return pack.BoolType
	case strict.List:
		return pack.ListType
	case strict.Map:
		return pack.MapType
	case strict.Number:
		if _, ok := n.Int(); ok {
			return pack.IntType
		}
		return pack.FloatType
	}
	return pack.AnyType
}
