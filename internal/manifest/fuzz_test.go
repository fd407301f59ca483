package manifest

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// What is read as a manifest, printed and read again, means the same, and so
// does each of its targets. What isn't has a place for each fault.
func FuzzManifest(f *testing.F) {
	seed(f, "cento.yaml")
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(FileName, data)
		if err != nil {
			placed(t, err)
			return
		}
		again, err := Parse(FileName, m.AppendYAML(nil))
		if errors.Is(err, cento.LimitExceeded) {
			return // one line has more brackets than indentation has
		}
		if err != nil {
			t.Fatalf("%s\nis printed as\n%s\nwhich isn't read: %v", data, m.AppendYAML(nil), err)
		}
		same(t, m, again)
		for _, name := range m.Targets() {
			one, errOne := m.Target(name)
			two, errTwo := again.Target(name)
			if (errOne == nil) != (errTwo == nil) {
				t.Fatalf("target %q: %v, and printed %v", name, errOne, errTwo)
			}
			if errOne != nil {
				placed(t, errOne)
				continue
			}
			same(t, one, two)
		}
	})
}

// What a user's configuration says of layers and skills means what it means in a
// manifest, but for the rank and the trust. What isn't read has a place for each
// fault.
func FuzzConfig(f *testing.F) {
	seed(f, "config.yaml", "cento.yaml")
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseConfig(ConfigName, data, cento.DefaultLimits())
		if err != nil {
			placed(t, err)
			return
		}
		for i, l := range c.Layers {
			if l.Name == "" || slices.ContainsFunc(c.Layers[:i], func(o NamedLayer) bool { return o.Name == l.Name }) {
				t.Fatalf("layer %d of %q: %+v", i, data, l)
			}
		}
		root, err := strict.YAML(ConfigName, data, cento.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if root.Kind() == strict.Null {
			return
		}
		// A manifest of the keys that both have.
		text := []byte("{")
		for _, key := range []string{"layers", "skills"} {
			if _, v := root.Member(key); v != nil {
				text = append(text, key+": "...)
				if text, err = v.AppendJSON(text); err != nil {
					t.Fatal(err)
				}
				text = append(text, ", "...)
			}
		}
		m, err := Parse(FileName, append(text, '}'))
		if errors.Is(err, ReservedLayer) || errors.Is(err, cento.LimitExceeded) {
			return // the user's rank is no other's, and brackets nest where indentation doesn't
		}
		if err != nil {
			t.Fatalf("%q is a configuration, and %q no manifest: %v", data, text, err)
		}
		if len(m.Layers) != len(c.Layers) || !reflect.DeepEqual(meaning(t, m.Skills), meaning(t, c.Skills)) {
			t.Fatalf("%q: %d layers and skills %+v; in a manifest %d and %+v", data, len(c.Layers), c.Skills, len(m.Layers), m.Skills)
		}
	})
}

// Tool definitions that are read have names, each its own, and parameters that
// are JSON objects.
func FuzzTools(f *testing.F) {
	seed(f, "tools.json", "tools.yaml")
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"tools.json", "tools.yaml", "-"} {
			tools, err := ReadTools(name, data, cento.Limits{})
			if err != nil {
				placed(t, err)
				continue
			}
			var names []string
			for _, tool := range tools.Defined {
				if tool.Name == "" || slices.Contains(names, tool.Name) {
					t.Fatalf("tools %+v", tools.Defined)
				}
				names = append(names, tool.Name)
				var schema map[string]any
				if tool.Parameters != nil && json.Unmarshal(tool.Parameters, &schema) != nil {
					t.Fatalf("parameters %s", tool.Parameters)
				}
			}
			if !tools.Listed && !slices.Equal(tools.Names(), names) {
				t.Fatalf("%q are active of %q", tools.Names(), names)
			}
		}
	})
}

// Requests are read or refused with a place, and fragments that are read have
// an id.
func FuzzReduceRequest(f *testing.F) {
	seed(f, "reduce.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ParseReduce("request", data, cento.Limits{})
		if err != nil {
			placed(t, err)
			return
		}
		for _, f := range r.Fragments {
			if f.ID == "" || f.Source == "" || f.Trust == cento.TrustBuiltin || !f.Origin.IsZero() || f.GatesOrigin != nil || f.Runs != nil {
				t.Fatalf("fragment %+v", f)
			}
		}
	})
}

func seed(f *testing.F, names ...string) {
	for _, name := range names {
		for _, text := range archives.Texts(f, name) {
			f.Add(text)
		}
	}
}

// placed: every fault of a file has a place in it.
func placed(t *testing.T, err error) {
	for _, e := range cento.SourceErrors(err) {
		if e == nil || e.Position.File == "" || e.Message == "" || e.Code == "" {
			t.Fatalf("an error without place, message or code: %#v", err)
		}
		if e.Position.Line == 0 && e.Code != cento.LimitExceeded {
			t.Fatalf("an error without a line: %v", e)
		}
	}
}

// same: two manifests mean the same, wherever it stands.
func same(t *testing.T, a, b *Manifest) {
	t.Helper()
	if x, y := meaning(t, a), meaning(t, b); !reflect.DeepEqual(x, y) {
		t.Fatalf("%s\nis printed as\n%s\nmeanings:\n%v\n%v", a.AppendYAML(nil), b.AppendYAML(nil), x, y)
	}
}

func meaning(t *testing.T, m any) any {
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return unplaced(v)
}

func unplaced(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "runs")
		delete(v, "description_runs")
		delete(v, "needs_origin")
		delete(v, "gates_origin")
		delete(v, "notes") // which name places in words
		for k, item := range v {
			at, _ := item.(map[string]any)
			if _, ok := at["line"]; ok && len(at) == 3 {
				delete(v, k)
				continue
			}
			v[k] = unplaced(item)
		}
	case []any:
		for i := range v {
			v[i] = unplaced(v[i])
		}
	}
	return v
}
