package outline

import (
	"slices"
	"strings"
	"testing"
)

// The cursor is at ‸.
func TestAt(t *testing.T) {
	for text, want := range map[string]string{
		"‸":                                     "key of / or value Typed= Has=",
		"sys‸":                                  "key of / or value Typed=sys Has=",
		"version: 1\nsys‸\nmodel: x\n":          "key of / Typed=sys Has=version,model",
		"sys‸: x\n":                             "key of / Typed=sys Has= colon",
		"fragments:\n  - id: a\n    req‸":       "key of /fragments/[] Typed=req Has=id",
		"fragments:\n  - id: a\n    \n  - ‸":    "key of /fragments/[] or value Typed= Has=",
		"fragments:\n  - {id: a, req‸}":         "key of /fragments/[] Typed=req Has=id",
		"fragments:\n  - {id: a, req‸":          "key of /fragments/[] Typed=req Has=id",
		"fragments:\n  - {id: a, needs: [b, ‸":  "key of /fragments/[]/needs/[] or value Typed= Has=",
		"fragments:\n  - {id: a, needs: [‸]}\n": "key of /fragments/[]/needs/[] or value Typed= Has=",
		"tools: [{name: \"a\\\"[\", tit‸":       "key of /tools/[] Typed=tit Has=name",
		"tools: [{name: 'a\\', tit‸":            "key of /tools/[] Typed=tit Has=name",
		"instruction: $work‸\n":                 "value of /instruction Typed=$work",
		"instruction: \"$work‸\n":               "value of /instruction Typed=$work",
		"instruction: '$work‸'\n":               "value of /instruction Typed=$work",
		"instruction: ‸":                        "value of /instruction Typed=",
		"scope:\n  ‸":                           "key of /scope or value Typed= Has=",
		"scope:\n  al‸\n\nbroken: [\n":          "key of /scope or value Typed=al Has=",
		"# a comm‸ent":                          "nothing",
		"system: |\n  text ‸\n  more":           "nothing",
		"system: \"text ‸ more\"":               "nothing",
	} {
		before, behind, _ := strings.Cut(text, "‸")
		c, ok := At(before+behind, len(before))
		got := "nothing"
		if ok {
			got = map[bool]string{true: "key", false: "value"}[c.Key] + " of /" + strings.Join(c.Path, "/")
			if c.Key && c.Value {
				got += " or value"
			}
			got += " Typed=" + c.Typed
			if c.Key {
				got += " Has=" + strings.Join(c.Has, ",")
			}
			if c.Colon {
				got += " colon"
			}
		}
		if got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestSchema(t *testing.T) {
	s, err := ReadSchema([]byte(`{
  "properties": {
    "a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}], "description": "About a."},
    "no": {"enum": [null]},
    "list": {"type": ["null", "array"], "items": {"$ref": "#/$defs/a"}},
    "mode": {"enum": ["x", "y", null]}
  },
  "$defs": {"a": {"type": "object", "properties": {"b": {"type": "boolean", "description": "About b."}}, "additionalProperties": {"$ref": "#/$defs/a"}}}
}`))
	if err != nil {
		t.Fatal(err)
	}
	names := func(list []Choice) string {
		var out []string
		for _, c := range list {
			out = append(out, c.Name)
		}
		return strings.Join(out, " ")
	}
	for path, want := range map[string]string{"": "a list mode", "a": "b", "a/other/other": "b", "list/[]": "b", "mode": "", "gone": ""} {
		if got := names(s.Keys(strings.FieldsFunc(path, func(r rune) bool { return r == '/' }))); got != want {
			t.Errorf("keys of %q: %q, want %q", path, got, want)
		}
	}
	for path, want := range map[string]string{"mode": "x y", "a/b": "false true", "a": ""} {
		if got := names(s.Values(strings.Split(path, "/"))); got != want {
			t.Errorf("values of %q: %q, want %q", path, got, want)
		}
	}
	if got := s.About([]string{"a", "b"}); got != "About b." {
		t.Errorf("about a/b: %q", got)
	}
	if i := slices.IndexFunc(s.Keys(nil), func(c Choice) bool { return c.Name == "a" && c.Map }); i < 0 {
		t.Error("a holds a map")
	}
}
