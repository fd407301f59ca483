package layer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
)

func TestOperations(t *testing.T) {
	var l layer.Layer
	check := func(want string, empty bool) {
		t.Helper()
		if got := canonical(t, l); got != want || l.IsEmpty() != empty {
			t.Errorf("got %s, empty: %t; want %s", got, l.IsEmpty(), want)
		}
	}
	check(`{}`, true)
	l = l.WithContributions(layer.Intro("", "a"))
	check(`{"slots":{"intro":{"reset":false,"contributions":[{"slot":"intro","priority":0,"content":"a"}]}}}`, false)
	l = l.WithReplacedSlot(layer.IntroSlot, layer.Guidance("", "b"))
	check(`{"slots":{"intro":{"reset":true,"contributions":[{"slot":"intro","priority":0,"content":"b"}]}}}`, false)
	l = l.WithContributions(layer.Intro("", "c")) // leaves the reset
	check(`{"slots":{"intro":{"reset":true,"contributions":[{"slot":"intro","priority":0,"content":"b"},{"slot":"intro","priority":0,"content":"c"}]}}}`, false)
	l = l.WithClearedSlot(layer.IntroSlot)
	check(`{"slots":{"intro":{"reset":true}}}`, false)
	l = l.WithRemoved(layer.GuidanceSlot, "x", "y")
	check(`{"slots":{"guidance":{"reset":false,"remove":["x","y"]},"intro":{"reset":true}}}`, false)
	l = layer.Layer{}
	l = l.WithTemplate(layer.NewTemplate())
	check(`{"template":{"sections":[]}}`, false)
	l = l.WithClearedTemplate()
	check(`{}`, true)
	l = l.WithPatches(layer.InsertEntryBefore("A", "b", layer.Slot("c")), layer.InsertEntryAfter("A", "b", layer.Builtin(layer.CoreGuidance)))
	check(`{"patch":[{"op":"insert_entry","section":"A","before":"b","entry":{"kind":"slot","slot":"c"}},{"op":"insert_entry","section":"A","after":"b","entry":{"kind":"builtin","builtin":"core_guidance"}}]}`, false)
	if l := (layer.Layer{Slots: map[string]layer.SlotLayer{layer.IntroSlot: {}}}); l.IsEmpty() {
		t.Error("a layer with a slot entry counts as empty")
	}
}

func TestPatchLimit(t *testing.T) {
	patches := make([]layer.Patch, 1001)
	for i := range patches {
		patches[i] = layer.InsertSectionAfter("Guidance", layer.Untitled())
	}
	if r, err := layer.Resolve(stack(layer.Layer{Patches: patches[:1000]})); err != nil {
		t.Errorf("at the limit: %v", err)
	} else if n := len(r.Template().Sections) - len(layer.DefaultTemplate().Sections); n != 1000 {
		t.Errorf("at the limit: %d of 1000 are applied", n)
	}
	if _, err := layer.Resolve(stack(layer.Layer{Patches: patches})); !isOnly(err, cento.LimitExceeded) {
		t.Errorf("over the limit: %v", err)
	}
	// Another template begins anew.
	t0 := layer.DefaultTemplate()
	if _, err := layer.Resolve(stack(layer.Layer{Patches: patches[:600]}, layer.Layer{Template: &t0, Patches: patches[:600]})); err != nil {
		t.Errorf("two templates: %v", err)
	}
}

func TestLostTellsWhoAndWhy(t *testing.T) {
	r := resolve(t,
		layer.Layer{}.WithContributions(layer.Environment("Box", "A box."), layer.Guidance("Shell", "Use it.")),
		layer.Layer{}.WithClearedSlot(layer.EnvironmentSlot).WithTemplate(layer.NewTemplate(layer.Untitled(layer.Text("Only this.")))))
	var got strings.Builder
	for _, l := range r.Lost() {
		what := "?"
		switch {
		case l.Contribution != nil:
			what = l.Contribution.Content
		case l.Entry != nil:
			what = l.Entry.Kind.String() + " " + l.Entry.Value
		}
		got.WriteString(l.Layer + ": " + what + " [" + l.Slot + "] " + string(l.Exclusion.Code) + " " + l.Exclusion.By + "\n")
	}
	want := `builtin: builtin main_agent_intro [] layer.replaced layerb
builtin: builtin execution_instructions [] layer.replaced layerb
builtin: builtin core_guidance [] layer.replaced layerb
layera: A box. [environment] layer.cleared layerb
layera: Use it. [guidance] slot.unplaced guidance
`
	if got.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), want)
	}
}

// A stack that is wrong in very many places keeps a thousand notes, and counts the rest.
func TestNotesAreBounded(t *testing.T) {
	for _, n := range []int{1000, 1001, 1250} {
		keys := make([]string, n)
		for i := range keys {
			keys[i] = fmt.Sprintf("nothing-%d", i)
		}
		r, err := layer.Resolve([]layer.Ranked{{Name: "user", Rank: layer.UserRank, Layer: layer.Layer{}.WithRemoved(layer.GuidanceSlot, keys...)}})
		if err != nil {
			t.Fatal(err)
		}
		omitted := ""
		for _, note := range r.Notes() {
			if note.Code == layer.CodeNotesOmitted {
				omitted = note.Message
			}
		}
		want := ""
		if n > 1000 {
			want = fmt.Sprintf("%d further notes on removals and slots are left out", n-1000)
		}
		if omitted != want {
			t.Errorf("%d removals of nothing: %q, want %q", n, omitted, want)
		}
	}
}

// A note on what is protected names the first who tried to take it out.
func TestFirstWhoRemoves(t *testing.T) {
	rule := layer.Guidance("Rule", "Protected rule.")
	rule.Protected = true
	remove, clear := layer.Layer{}.WithRemoved(layer.GuidanceSlot, "rule"), layer.Layer{}.WithClearedSlot(layer.GuidanceSlot)
	for _, c := range []struct {
		name   string
		layers []layer.Layer
		want   string
	}{
		{"one", []layer.Layer{{}, remove}, "its removal by layer \"layerc\""},
		{"two", []layer.Layer{remove, {}, remove}, "2 removals, the first by layer \"layerb\""},
		{"cleared first", []layer.Layer{clear, remove, remove}, "3 removals, the first by layer \"layerb\""},
		{"cleared last", []layer.Layer{{}, remove, clear}, "2 removals, the first by layer \"layerc\""},
	} {
		var got string
		for _, n := range resolve(t, append([]layer.Layer{layer.Layer{}.WithContributions(rule)}, c.layers...)...).Notes() {
			if n.Code == layer.CodeProtectedKept {
				got = n.Message
			}
		}
		if want := "slot:guidance/rule is protected and survives " + c.want; got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

// Of equal texts a merge keeps what is protected, and a key of a duplicate is nobody's:
// who removes it then is told so, and the duplicate stays one.
func TestMergedDuplicates(t *testing.T) {
	one, two, kept := layer.Guidance("", "Same."), layer.Guidance("", "Same."), layer.Guidance("", "Same.")
	one.ID, two.ID, kept.ID, kept.Protected = "one", "two", "kept", true
	m := resolve(t, layer.Layer{}.WithContributions(one, two, kept)).Merged()
	next, err := m.With(layer.Ranked{Name: "top", Layer: layer.Layer{}.WithRemoved(layer.GuidanceSlot, "two")})
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*layer.Resolution{"merged": m, "and one removed": next} {
		var keys []string
		for _, c := range r.Contributions() {
			keys = append(keys, c.Key)
		}
		if got := strings.Join(keys, " "); got != "one kept" {
			t.Errorf("%s: in force are %s", name, got)
		}
		for _, f := range r.Compile(builtins()) {
			if f.Excluded != nil && f.Excluded.Code != cento.CodeDuplicate {
				t.Errorf("%s: %s is out as %v", name, f.ID, *f.Excluded)
			}
		}
	}
	if notes := next.Notes(); len(notes) != 1 || notes[0].Code != layer.CodeRemoveUnknown {
		t.Errorf("notes: %+v", notes)
	}
}
