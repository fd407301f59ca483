package tests

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/cento-dev/cento"
)

func TestRequiringCopies(t *testing.T) {
	names := []string{"todo", "read"}
	plain := cento.NewFragment("a", "manifest", cento.After, "A.")
	gated := plain.RequiringTools(names...)
	names[0] = "changed"
	if plain.RequiresTools != nil {
		t.Errorf("the fragment itself was changed: %+v", plain)
	}
	if got := gated.RequiresTools; !slices.Equal(got, []string{"todo", "read"}) {
		t.Errorf("the copy shares the caller's list: %q", got)
	}
	if gated.ID != "a" || gated.Source != "manifest" || gated.Bucket != cento.After || gated.Body != "A." {
		t.Errorf("the copy lost something: %+v", gated)
	}
}

// Names of enumerations are read back as they are written, and nothing else is
// read.
func TestNames(t *testing.T) {
	checkNames(t, []cento.Bucket{cento.Before, cento.After}, "before", "after")
	checkNames(t, []cento.TitleForm{cento.SubHeading, cento.HostHeading}, "sub", "host")
	checkNames(t, []cento.SectionForm{cento.RunHeading, cento.RepeatedHeading, cento.FallbackHeading, cento.SeparateHeading}, "run", "repeated", "fallback", "separate")
	checkNames(t, []cento.Stability{cento.Static, cento.PerSession, cento.PerTurn}, "static", "session", "turn")
	checkNames(t, []cento.Trust{cento.TrustHost, cento.TrustBuiltin, cento.TrustUser, cento.TrustWorkspace, cento.TrustTool, cento.TrustSession},
		"host", "builtin", "user", "workspace", "tool", "session")
	checkNames(t, []cento.HiddenPolicy{cento.ShowHidden, cento.StripHidden, cento.RejectHidden}, "show", "strip", "reject")
	checkNames(t, []cento.SpanKind{cento.BodySpan, cento.HeadingSpan, cento.JoinerSpan}, "body", "heading", "joiner")
}

func checkNames[T interface {
	~uint8
	fmt.Stringer
}](t *testing.T, values []T, names ...string) {
	t.Helper()
	for i, v := range values {
		text, err := json.Marshal(v)
		if err != nil || string(text) != fmt.Sprintf("%q", names[i]) || v.String() != names[i] {
			t.Errorf("%T %d is written %s (%v) and shown %q, want %q", v, v, text, err, v, names[i])
		}
		var back T
		if err := json.Unmarshal(text, &back); err != nil || back != v {
			t.Errorf("%T %s is read as %d (%v)", v, text, back, err)
		}
	}
	beyond := T(len(values))
	if text, err := json.Marshal(beyond); err == nil {
		t.Errorf("%T %d is written %s", beyond, beyond, text)
	}
	if beyond.String() != fmt.Sprint(len(values)) {
		t.Errorf("%T %d is shown %q", beyond, beyond, beyond.String())
	}
	for _, wrong := range []string{`"Before"`, `""`, `" body"`, `0`, `{}`} {
		var v T
		if err := json.Unmarshal([]byte(wrong), &v); err == nil {
			t.Errorf("%T is read from %s", v, wrong)
		}
	}
}

func TestImportance(t *testing.T) {
	for _, c := range []struct {
		value cento.Importance
		text  string
	}{{cento.Required, `"required"`}, {cento.ImportanceOf(0), "0"}, {cento.ImportanceOf(-3), "-3"}, {cento.ImportanceOf(50), "50"}} {
		text, err := json.Marshal(c.value)
		if err != nil || string(text) != c.text {
			t.Errorf("%v is written %s (%v), want %s", c.value, text, err, c.text)
		}
		var back cento.Importance
		if err := json.Unmarshal([]byte(c.text), &back); err != nil || back != c.value {
			t.Errorf("%s is read as %v (%v)", c.text, back, err)
		}
	}
	if _, droppable := cento.Required.Level(); droppable {
		t.Error("what is required can be dropped")
	}
	if n, droppable := cento.ImportanceOf(0).Level(); n != 0 || !droppable {
		t.Error("importance 0 is taken for required")
	}
	for _, wrong := range []string{`"high"`, "1.5", "[]", "true"} {
		var v cento.Importance
		if err := json.Unmarshal([]byte(wrong), &v); err == nil {
			t.Errorf("an importance is read from %s", wrong)
		}
	}
}

// The names in gates keep their places where further ones come behind them, whether or not
// all have one, and lose them where others stand instead of them.
func TestGatePlaces(t *testing.T) {
	places := func(list ...int) (out []cento.Position) {
		for _, line := range list {
			if line == 0 {
				out = append(out, cento.Position{})
			} else {
				out = append(out, at("a.yaml", line))
			}
		}
		return out
	}
	f := cento.Fragment{
		ID: "a", RequiresTools: []string{"t", "u"}, RequiresAnyTools: []string{"v", "w"}, RequiresCaps: []string{"c"},
		GatesOrigin: &cento.GateOrigins{Tools: places(2, 3), AnyTools: places(4), Caps: places(0)}, Origin: at("a.yaml", 1),
	}
	bare := cento.Fragment{ID: "a", RequiresTools: []string{"t"}, RequiresAnyTools: []string{"v"}, Origin: at("a.yaml", 1)}
	further := &cento.GateOrigins{Tools: places(5, 6), Caps: places(7)}
	for name, c := range map[string]struct {
		f           cento.Fragment
		tools, caps string
	}{
		"as they are":             {f, "t2 u3 v4 w1 ", "c1 "},
		"without a place":         {bare, "t1 v1 ", ""},
		"with further ones":       {f.RequiringAlso([]string{"x", "y"}, []string{"d"}, further), "t2 u3 x5 y6 v4 w1 ", "c1 d7 "},
		"with some of no place":   {f.RequiringAlso([]string{"x", "y"}, []string{"d"}, nil), "t2 u3 x1 y1 v4 w1 ", "c1 d1 "},
		"with none but further":   {bare.RequiringAlso([]string{"x", "y"}, []string{"d"}, further), "t1 x5 y6 v1 ", "d7 "},
		"with others in the list": {f.RequiringTools("z"), "z1 v4 w1 ", "c1 "},
		"with others, unplaced":   {bare.RequiringTools("z"), "z1 v1 ", ""},
		"with others, and further": {
			f.RequiringTools("z").RequiringAlso([]string{"x", "y"}, nil, further), "z1 x5 y6 v4 w1 ", "c1 ",
		},
	} {
		var tools, caps string
		for name, at := range c.f.GateTools() {
			tools += fmt.Sprint(name, at.Line, " ")
		}
		for name, at := range c.f.GateCaps() {
			caps += fmt.Sprint(name, at.Line, " ")
		}
		if tools != c.tools || caps != c.caps {
			t.Errorf("%s: tools %q, capabilities %q; want %q and %q", name, tools, caps, c.tools, c.caps)
		}
	}
	for range f.GateTools() {
		break // whoever has seen enough is asked no more
	}
}

// A record of a fragment says all there is about it.
func TestFragmentRecord(t *testing.T) {
	f := cento.Fragment{
		ID: "a", Source: "s", Bucket: cento.After, RequiresTools: []string{"t"}, RequiresAnyTools: []string{"u"}, RequiresCaps: []string{"c"},
		GatesOrigin: &cento.GateOrigins{Tools: []cento.Position{at("a.yaml", 7)}, AnyTools: []cento.Position{at("a.yaml", 8)}, Caps: []cento.Position{at("a.yaml", 9)}},
		When:        "true", WhenOrigin: at("a.yaml", 3), WhenRuns: []cento.Run{{End: 4, Position: at("a.yaml", 3)}}, Needs: []string{"b"}, NeedsOrigin: []cento.Position{at("a.yaml", 5)}, Body: "A.", Template: "$user/a", TemplateOrigin: at("a.yaml", 6),
		Runs:    []cento.Run{{End: 2, Position: at("a.yaml", 4), Var: "x", Trust: cento.TrustTool, Fixed: true}},
		Section: "S", SectionFrom: &cento.Attribution{Position: at("l.yaml", 2), Trust: cento.TrustUser}, SectionIndex: 2, SectionForm: cento.FallbackHeading, Tight: true, Title: "T", TitleOrigin: at("a.yaml", 2), TitleForm: cento.HostHeading, Importance: cento.ImportanceOf(3),
		Variants: []cento.Text{{Body: "v"}}, Group: "g", Stability: cento.PerTurn, Protected: true, Tail: true, Trust: cento.TrustWorkspace, Origin: at("a.yaml", 1),
		Layer: "l", Excluded: &cento.Exclusion{Code: cento.CodeDuplicate, By: "b"},
	}
	for v, i := reflect.ValueOf(f), 0; i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Fatalf("field %s isn't tested", v.Type().Field(i).Name)
		}
	}
	record, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var back cento.Fragment
	if err := json.Unmarshal(record, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(f, back) {
		t.Errorf("recorded %+v, read %+v", f, back)
	}
}
