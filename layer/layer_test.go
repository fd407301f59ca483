package layer_test

import (
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
)

// prompt is what a stack of layers named by their index gives, with the
// execution prompt "Protocol execution.".
func prompt(t testing.TB, tools []string, layers ...layer.Layer) string {
	t.Helper()
	return reduce(t, resolve(t, layers...), tools...)
}

func stack(layers ...layer.Layer) []layer.Ranked {
	out := make([]layer.Ranked, len(layers))
	for i, l := range layers {
		out[i] = layer.Ranked{Name: "layer" + string(rune('a'+i)), Layer: l}
	}
	return out
}

func resolve(t testing.TB, layers ...layer.Layer) *layer.Resolution {
	t.Helper()
	r, err := layer.Resolve(stack(layers...))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func reduce(t testing.TB, r *layer.Resolution, tools ...string) string {
	t.Helper()
	b := builtins()
	b.ExecutionInstructions = cento.Text{Body: "Protocol execution."}
	p, err := cento.ReduceFragments(r.Compile(b), cento.Active{Tools: tools}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := p.System()
	return text
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}

func containsNot(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("%q stands in:\n%s", p, text)
		}
	}
}

func TestConstructors(t *testing.T) {
	anyTool := layer.Guidance("", "x")
	anyTool.RequiresAnyTools = []string{"a", "b"}
	for _, c := range []struct {
		c    layer.Contribution
		want string
	}{
		{layer.Intro("T", "x"), `{"slot":"intro","title":"T","priority":0,"content":"x"}`},
		{layer.Execution("T", "x"), `{"slot":"execution","title":"T","priority":0,"content":"x"}`},
		{layer.Guidance(" \t", "x"), `{"slot":"guidance","priority":0,"content":"x"}`},
		{prioritised(layer.Environment("T", "x"), -2), `{"slot":"environment","title":"T","priority":-2,"content":"x"}`},
		{layer.ProjectInstructions("x"), `{"slot":"project_instructions","title":"Project Instructions","priority":0,"content":"x"}`},
		{layer.RuntimeContext("x"), `{"slot":"runtime_context","title":"Runtime Context","priority":0,"content":"x"}`},
		{layer.NewContribution("house", "", "x").RequiresTool("a").RequiresTool("b"), `{"slot":"house","priority":0,"content":"x","requires_tools":["a","b"]}`},
		{anyTool, `{"slot":"guidance","priority":0,"gate":{"tools":["a","b"]},"content":"x"}`},
	} {
		if got := canonical(t, c.c); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// Copying methods leave the original as it is, also where memory could be
// shared.
func TestCopiesShareNothing(t *testing.T) {
	base := layer.Layer{}.WithContributions(layer.Guidance("A", "a"), layer.Guidance("B", "b")).
		WithTemplate(layer.DefaultTemplate()).WithRemoved(layer.IntroSlot, "x").
		WithPatches(layer.InsertSectionAfter("Guidance", layer.Titled("T", layer.Text("t"))))
	before := canonical(t, base)
	for name, change := range map[string]func(layer.Layer) layer.Layer{
		"contributions": func(l layer.Layer) layer.Layer { return l.WithContributions(layer.Guidance("C", "c")) },
		"replaced":      func(l layer.Layer) layer.Layer { return l.WithReplacedSlot(layer.GuidanceSlot, layer.Intro("C", "c")) },
		"cleared":       func(l layer.Layer) layer.Layer { return l.WithClearedSlot(layer.GuidanceSlot) },
		"removed":       func(l layer.Layer) layer.Layer { return l.WithRemoved(layer.IntroSlot, "y") },
		"template":      func(l layer.Layer) layer.Layer { return l.WithTemplate(layer.NewTemplate()) },
		"no template":   func(l layer.Layer) layer.Layer { return l.WithClearedTemplate() },
		"patches": func(l layer.Layer) layer.Layer {
			return l.WithPatches(layer.InsertSectionBefore("T", layer.Untitled()))
		},
		"clone": func(l layer.Layer) layer.Layer {
			c := l.Clone()
			c.Slots[layer.GuidanceSlot].Contributions[0].Content = "changed"
			*c.Template.Sections[1].Title = "changed"
			c.Template.Sections[0].Entries[0] = layer.Text("changed")
			*c.Patches[0].NewSection.Title = "changed"
			c.Patches[0].NewSection.Entries[0] = layer.Text("changed")
			return c
		},
	} {
		changed := change(base)
		if canonical(t, changed) == before {
			t.Errorf("%s: nothing changed", name)
		}
		if got := canonical(t, base); got != before {
			t.Errorf("%s: the original became %s", name, got)
		}
		change(changed) // a second copy of a copy
		if got := canonical(t, base); got != before {
			t.Errorf("%s twice: the original became %s", name, got)
		}
	}
}

// Absent and empty differ, what the host hands over wins, and the form tells
// all of it.
func TestSaved(t *testing.T) {
	one := layer.Layer{}.WithContributions(layer.Intro("", "a"))
	empty, full := &layer.Layer{}, &one
	for _, c := range []struct {
		saved layer.Saved
		given *layer.Layer
		want  *layer.Layer
		json  string
	}{
		{layer.Saved{}, nil, nil, `{}`},
		{layer.Saved{Session: empty}, nil, empty, `{"session":{}}`},
		{layer.Saved{Session: full}, nil, full, `{"session":{"slots":{"intro":{"reset":false,"contributions":[{"slot":"intro","priority":0,"content":"a"}]}}}}`},
		{layer.Saved{Session: full}, empty, empty, ``},
		{layer.Saved{Session: empty}, full, full, ``},
		{layer.Saved{}, empty, empty, ``},
	} {
		if got := c.saved.Reopen(c.given); got != c.want {
			t.Errorf("saved %s, given %v: got %v", canonical(t, c.saved), c.given, got)
		}
		if c.json == "" {
			continue
		}
		if got := canonical(t, c.saved); got != c.json {
			t.Errorf("got %s, want %s", got, c.json)
		}
		var again layer.Saved
		if err := again.UnmarshalJSON([]byte(c.json)); err != nil {
			t.Fatal(err)
		}
		if got := canonical(t, again); got != c.json || (again.Session == nil) != (c.saved.Session == nil) {
			t.Errorf("%s reads back as %s", c.json, got)
		}
	}
	var s layer.Saved
	if err := s.UnmarshalJSON([]byte(`{"host":{}}`)); err == nil {
		t.Error("a host layer was read from what was saved")
	}
}

func TestRankText(t *testing.T) {
	for name, want := range map[string]layer.Rank{
		"builtin": layer.BuiltinRank, "user": layer.UserRank, "pack": layer.PackRank, "pack:a:b": layer.PackRank, "workspace": layer.WorkspaceRank,
		"host": layer.HostRank, "plugin:x": layer.PluginRank, "session": layer.SessionRank, "turn": layer.TurnRank,
	} {
		var r layer.Rank
		if err := r.UnmarshalText([]byte(name)); err != nil || r != want {
			t.Errorf("%s reads as %s: %v", name, r, err)
		}
	}
	for _, name := range []string{"", "Pack", "pack:", "host:x", "team"} {
		var r layer.Rank
		if err := r.UnmarshalText([]byte(name)); err == nil {
			t.Errorf("%q reads as %s", name, r)
		}
	}
}

// Sorting leaves the caller's list as it is.
func TestSortCopies(t *testing.T) {
	list := []layer.Ranked{{Name: "session", Rank: layer.SessionRank}, {Name: "user", Rank: layer.UserRank}}
	if sorted := layer.Sort(list); sorted[0].Name != "user" || list[0].Name != "session" {
		t.Errorf("sorted %v, of %v", sorted, list)
	}
}

// Compiling changes nothing of a resolution: what a later layer clears is what it would
// have cleared before.
func TestCompilingChangesNothing(t *testing.T) {
	rule, note := prioritised(layer.Guidance("", "Protected rule."), 10), layer.Guidance("", "Passing note.")
	rule.Protected = true
	r := resolve(t, layer.Layer{}.WithContributions(rule), layer.Layer{}.WithReplacedSlot(layer.GuidanceSlot, note))
	before := reduce(t, r)
	cleared, err := r.With(layer.Ranked{Name: "top", Layer: layer.Layer{}.WithClearedSlot(layer.GuidanceSlot)})
	if err != nil {
		t.Fatal(err)
	}
	text := reduce(t, cleared)
	contains(t, text, "Protected rule.")
	containsNot(t, text, "Passing note.")
	if again := reduce(t, r); again != before {
		t.Errorf("compiled again:\n%s\nwant:\n%s", again, before)
	}
}
