package manifest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// changes is a target whose lists may be changes of the manifest's instead.
func (s *schemas) changes(target *jsonschema.Schema, defs map[string]*jsonschema.Schema) *jsonschema.Schema {
	target = target.CloneSchemas()
	// Items that are maps, and changes, have definitions of their own: they stand twice.
	item := func(c *changeable, items *jsonschema.Schema) *jsonschema.Schema {
		if items.Properties == nil && items.AnyOf == nil {
			return items
		}
		defs["target_"+c.what] = items
		return ref("target_" + c.what)
	}
	change := func(c *changeable, items *jsonschema.Schema) *jsonschema.Schema {
		name := "target_change_" + c.what
		if c.path == "profile.caps" { // where none is taken away
			name += "_set"
		}
		defs[name] = s.change(items)
		return ref(name)
	}
	for _, c := range changeables {
		path := strings.Split(c.path, ".")
		at := target.Properties[path[0]]
		for _, step := range path[1:] {
			object := inlined(at, defs)
			if object == nil || object.Properties[step] == nil {
				s.t.Fatalf("a target has no list %s", c.path)
			}
			at = object.Properties[step]
		}
		switch {
		case c.path == toolsPath:
			forms := defs["tools"].CloneSchemas().AnyOf
			list, long := forms[1], forms[2]
			list.Items = item(&c, list.Items)
			about := long.Properties["tools"].Description
			long.Properties["tools"] = &jsonschema.Schema{Description: about, AnyOf: []*jsonschema.Schema{list, change(&c, list.Items)}}
			at.AnyOf = []*jsonschema.Schema{forms[0], list, change(&c, list.Items), long, {Type: "null"}}
		case at.Items != nil:
			list := *at
			list.Description, list.Types, list.Type, list.Items = "", nil, "array", item(&c, at.Items)
			*at = jsonschema.Schema{Description: at.Description, AnyOf: []*jsonschema.Schema{&list, change(&c, list.Items), {Type: "null"}}}
		default: // a host option, which is a list or something else
			at.AnyOf = append(at.AnyOf, change(&c, ref("hostItem")))
		}
	}
	return target
}

// change is the schema of what stands in the place of a list with such items.
func (s *schemas) change(items *jsonschema.Schema) *jsonschema.Schema {
	c := s.of(reflect.TypeFor[changeFile]())
	c.Properties["add"].Types, c.Properties["add"].Items = []string{"null", "array"}, items.CloneSchemas()
	c.Properties["remove"].Types, c.Properties["remove"].Items = []string{"null", "array"}, notBlank()
	c.AnyOf = []*jsonschema.Schema{given("add"), given("remove")}
	return c
}

// inlined is the schema of a map among those that a value may have, in place of the
// definition that it is elsewhere; nil for none.
func inlined(at *jsonschema.Schema, defs map[string]*jsonschema.Schema) *jsonschema.Schema {
	if name, is := strings.CutPrefix(at.Ref, "#/$defs/"); is {
		about := at.Description
		*at = *defs[name].CloneSchemas()
		if about != "" {
			at.Description = about
		}
	}
	if at.Properties != nil {
		return at
	}
	for _, x := range at.AnyOf {
		if object := inlined(x, defs); object != nil {
			return object
		}
	}
	return nil
}

// TestChangeables: every list of a target can be changed but those that items have no
// names in, or that the manifest has none of. The lists are those of the format.
func TestChangeables(t *testing.T) {
	var lists []string
	defs := manifestSchemaOf(t).Defs
	var look func(at *jsonschema.Schema, path []string, above []string)
	look = func(at *jsonschema.Schema, path, above []string) {
		if name, is := strings.CutPrefix(at.Ref, "#/$defs/"); is {
			if slices.Contains(above, name) {
				return
			}
			look(defs[name], path, append(slices.Clone(above), name))
		}
		if at.Type == "array" || slices.Contains(at.Types, "array") {
			if list := strings.Join(path, "."); !slices.Contains(lists, list) {
				lists = append(lists, list)
			}
		}
		for _, x := range at.AnyOf {
			look(x, path, above)
		}
		for name, p := range at.Properties {
			if slices.Contains(changeKeys, name) {
				continue
			}
			look(p, append(slices.Clone(path), name), above)
		}
	}
	look(defs["target"], nil, nil)
	lists = slices.DeleteFunc(lists, func(list string) bool {
		steps := strings.Split(list, ".")
		within := steps[0] == "host" && len(steps) > 2 || steps[0] == "tools" && len(steps) > 1 // of an item, or of servers
		return within || list == "output"
	})
	var want []string
	for _, c := range changeables {
		want = append(want, c.path)
	}
	slices.Sort(lists)
	slices.Sort(want)
	if !slices.Equal(lists, want) {
		t.Errorf("the lists are\n%q\nand those that can be changed\n%q", lists, want)
	}
	var keys []string
	for name := range newSchemas(t).of(reflect.TypeFor[hostPartFile]()).Properties {
		keys = append(keys, name)
	}
	slices.Sort(keys)
	had := slices.Sorted(slices.Values(hostPartKeys))
	if !slices.Equal(keys, had) {
		t.Errorf("a part of a host option has the keys %q, not %q", keys, had)
	}
}
