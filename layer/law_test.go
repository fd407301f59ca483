package layer_test

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
)

// A stack's own slot, `house`, is declared by the lowest layer of every
// generated stack, so that each prefix of it resolves.
var (
	someSlots = []string{layer.IntroSlot, layer.GuidanceSlot, layer.EnvironmentSlot, "house"}
	someTools = []string{"ask", "read"}
)

func titles() *rapid.Generator[*string] {
	return rapid.Custom(func(t *rapid.T) *string {
		s := rapid.SampledFrom([]string{"", "none", " ", "Shell", "shell", "The\n shell", "Git"}).Draw(t, "title")
		if s == "none" {
			return nil
		}
		return &s
	})
}

func contributions(slot string) *rapid.Generator[layer.Contribution] {
	return rapid.Custom(func(t *rapid.T) layer.Contribution {
		c := layer.Contribution{
			Slot: slot, Title: titles().Draw(t, "title"),
			Priority: rapid.SampledFrom([]int32{0, 0, 0, 1, -1, 1<<31 - 1, -1 << 31}).Draw(t, "priority"),
			Content:  rapid.SampledFrom([]string{"", " \n", "One.", "Two.", " Three.\n\nFour. ", "{{ five }}", "## Six"}).Draw(t, "content"),
			ID:       rapid.SampledFrom([]string{"", "", "", "shell", "shell~2", "git@2"}).Draw(t, "id"),
		}
		if rapid.IntRange(0, 3).Draw(t, "gated") == 0 {
			c.RequiresAnyTools = []string{rapid.SampledFrom(someTools).Draw(t, "tool")}
		}
		c.Protected = rapid.IntRange(0, 7).Draw(t, "protected") == 0
		return c
	})
}

func entries() *rapid.Generator[layer.Entry] {
	return rapid.OneOf(
		rapid.Map(rapid.SampledFrom([]string{"", "A text.", " Another.\n"}), layer.Text),
		rapid.Map(rapid.SampledFrom([]string{layer.MainAgentIntro, layer.ExecutionInstructions, layer.CoreGuidance}), layer.Builtin),
		rapid.Map(rapid.SampledFrom(someSlots), layer.Slot),
	)
}

func sections() *rapid.Generator[layer.Section] {
	return rapid.Custom(func(t *rapid.T) layer.Section {
		return layer.Section{Title: titles().Draw(t, "title"), Entries: rapid.SliceOfN(entries(), 0, 4).Draw(t, "entries")}
	})
}

func layers() *rapid.Generator[layer.Layer] {
	return rapid.Custom(func(t *rapid.T) layer.Layer {
		var l layer.Layer
		if rapid.IntRange(0, 4).Draw(t, "template") == 0 {
			l = l.WithTemplate(layer.NewTemplate(rapid.SliceOfN(sections(), 0, 4).Draw(t, "sections")...))
			for i := range l.Template.Sections {
				if title := l.Template.Sections[i].Heading(); rapid.Bool().Draw(t, "patched") {
					l = l.WithPatches(layer.InsertSectionAfter(title, sections().Draw(t, "patch")))
				}
			}
		}
		for _, slot := range rapid.SliceOfNDistinct(rapid.SampledFrom(someSlots), 0, 3, rapid.ID[string]).Draw(t, "slots") {
			s := layer.SlotLayer{
				Reset:         rapid.IntRange(0, 2).Draw(t, "reset") == 0,
				Contributions: rapid.SliceOfN(contributions(slot), 0, 3).Draw(t, "contributions"),
			}
			for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"shell", "shell~2", "git", "layera.0"}), 0, 2).Draw(t, "remove") {
				s.Remove = append(s.Remove, layer.Removal{Key: key})
			}
			if l.Slots == nil {
				l.Slots = map[string]layer.SlotLayer{}
			}
			l.Slots[slot] = s
		}
		return l
	})
}

// stacks generates a stack of layers that can be resolved, and the active set.
func stacks(t *rapid.T) ([]layer.Ranked, []string) {
	base := layer.Layer{}.WithPatches(layer.InsertSectionAfter("Guidance", layer.Titled("House", layer.Slot("house"))))
	list := append([]layer.Layer{base}, rapid.SliceOfN(layers(), 0, 5).Draw(t, "layers")...)
	return stack(list...), rapid.SliceOfDistinct(rapid.SampledFrom(someTools), rapid.ID[string]).Draw(t, "tools")
}

func must(t *rapid.T, s []layer.Ranked) *layer.Resolution {
	r, err := layer.Resolve(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// same fails unless two resolutions are the same in everything that shows.
func same(t *rapid.T, what string, a, b *layer.Resolution) {
	for _, x := range []struct {
		name string
		a, b any
	}{
		{"template", a.Template(), b.Template()},
		{"contributions", a.Contributions(), b.Contributions()},
		{"losses", a.Lost(), b.Lost()},
		{"notes", a.Notes(), b.Notes()},
		{"fragments", a.Compile(builtins()), b.Compile(builtins())},
	} {
		if !reflect.DeepEqual(x.a, x.b) {
			t.Fatalf("%s: other %s:\n%+v\n%+v", what, x.name, x.a, x.b)
		}
	}
}

// plain is the text of a resolution as the documentation of the package tells
// it, without fragments: sections of parts, joined by blank lines.
func plain(r *layer.Resolution, tools []string) string {
	open := func(c layer.Resolved) bool {
		return len(c.RequiresAnyTools) == 0 || slices.ContainsFunc(c.RequiresAnyTools, func(t string) bool { return slices.Contains(tools, t) })
	}
	bySlot := map[string][]layer.Resolved{}
	placed := map[string]bool{}
	for _, c := range r.Contributions() {
		bySlot[c.Slot] = append(bySlot[c.Slot], c)
	}
	for _, list := range bySlot {
		slices.SortStableFunc(list, func(a, b layer.Resolved) int {
			switch {
			case a.Priority < b.Priority:
				return -1
			case a.Priority > b.Priority:
				return 1
			}
			return 0
		})
	}
	render := func(c layer.Resolved) []string {
		body := strings.TrimSpace(c.Content)
		if body == "" || !open(c) {
			return nil
		}
		if c.Title != nil && strings.TrimSpace(*c.Title) != "" {
			return []string{"### " + strings.Join(strings.Fields(*c.Title), " ") + "\n\n" + body}
		}
		return []string{body}
	}
	var all []string
	for _, s := range r.Template().Sections {
		var parts []string
		for _, e := range s.Entries {
			switch e.Kind {
			case layer.TextEntry:
				if text := strings.TrimSpace(e.Value); text != "" {
					parts = append(parts, text)
				}
			case layer.BuiltinEntry:
				var lines []string
				switch e.Value {
				case layer.MainAgentIntro:
					lines = []string{builtins().MainAgentIntro.Body}
				case layer.CoreGuidance:
					for _, p := range builtins().CoreGuidance {
						if len(p.RequiresTools) == 0 || slices.Contains(tools, p.RequiresTools[0]) {
							lines = append(lines, p.Text.Body)
						}
					}
				}
				if len(lines) > 0 {
					parts = append(parts, strings.Join(lines, "\n"))
				}
			case layer.SlotEntry:
				placed[e.Value] = true
				for _, c := range bySlot[e.Value] {
					parts = append(parts, render(c)...)
				}
			}
		}
		if len(parts) == 0 {
			continue
		}
		if s.Title != nil && strings.TrimSpace(*s.Title) != "" {
			parts = slices.Insert(parts, 0, "## "+strings.Join(strings.Fields(*s.Title), " "))
		}
		all = append(all, strings.Join(parts, "\n\n"))
	}
	for _, slot := range slices.Sorted(maps.Keys(bySlot)) {
		for _, c := range bySlot[slot] {
			if c.Protected && !placed[slot] {
				all = append(all, render(c)...)
			}
		}
	}
	return strings.Join(all, "\n\n")
}

// The text of a stack is the core's reduction of its fragments.
func TestStackIsTheReductionOfItsFragments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, tools := stacks(t)
		r := must(t, s)
		for _, r := range []*layer.Resolution{r, r.Merged()} {
			p, err := cento.ReduceFragments(r.Compile(builtins()), cento.Active{Tools: tools}, cento.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := p.System(); got != plain(r, tools) {
				t.Fatalf("the core gives:\n%s\nin plain:\n%s", got, plain(r, tools))
			}
		}
	})
}

// Every contribution is in force or lost, exactly once.
func TestNothingVanishes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := stacks(t)
		given := 0
		for _, x := range s {
			for _, slot := range x.Layer.Slots {
				given += len(slot.Contributions)
			}
		}
		for _, r := range []*layer.Resolution{must(t, s), must(t, s).Merged()} {
			lost := 0
			for _, l := range r.Lost() {
				if l.Contribution != nil && l.Exclusion.Code != cento.CodeSlotUnplaced {
					lost++
				}
			}
			if inForce := len(r.Contributions()); inForce+lost != given {
				t.Fatalf("%d given, %d in force, %d lost", given, inForce, lost)
			}
			ids := map[string]bool{}
			for _, f := range r.Compile(builtins()) {
				if ids[f.ID] {
					t.Fatalf("the id %s stands twice", f.ID)
				}
				ids[f.ID] = true
			}
		}
	})
}

// A stack can be resolved in two parts.
func TestResolutionIsAssociative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := stacks(t)
		at := rapid.IntRange(0, len(s)).Draw(t, "at")
		below := must(t, s[:max(at, 1)])
		before := len(below.Compile(builtins()))
		parts, err := below.With(s[max(at, 1):]...)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "in two parts", must(t, s), parts)
		if after := len(below.Compile(builtins())); after != before {
			t.Fatalf("the lower part had %d fragments and has %d", before, after)
		}
	})
}

// shown is everything that a resolution shows.
func shown(r *layer.Resolution) []any {
	return []any{r.Template(), r.Contributions(), r.Lost(), r.Notes(), r.Compile(builtins())}
}

// What is laid on a resolution never shows in it, nor in what else is laid on it:
// two that go on from the same one share no memory that either writes to.
func TestResolutionsShareNothing(t *testing.T) {
	check := func(t *rapid.T, s, one, other []layer.Ranked) {
		below := must(t, s)
		want := shown(below)
		first, err := below.With(one...)
		if err != nil {
			t.Fatal(err)
		}
		before := shown(first)
		second, err := below.With(other...)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "after another", must(t, append(slices.Clip(s), other...)), second)
		if _, err := first.With(other...); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(shown(first), before) {
			t.Fatalf("what was made first changed:\n%+v\n%+v", before, shown(first))
		}
		if !reflect.DeepEqual(shown(below), want) {
			t.Fatalf("the one below changed:\n%+v\n%+v", want, shown(below))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, _ := stacks(t)
		named := func(prefix string) []layer.Ranked {
			list := rapid.SliceOfN(layers(), 1, 3).Draw(t, prefix)
			out := make([]layer.Ranked, len(list))
			for i, l := range list {
				out[i] = layer.Ranked{Name: prefix + strconv.Itoa(i), Layer: l}
			}
			return out
		}
		check(t, s, named("one"), named("other"))
	})
	// Lists that grew have room at their end, which is where the next one writes.
	room := func(name string, clears bool) layer.Ranked {
		section := layer.Titled("Section "+name, layer.Text("A text of "+name), layer.Slot("house"))
		l := layer.Layer{}.WithRemoved(layer.IntroSlot, "none of "+name).
			WithContributions(layer.Intro("Rule", "Of "+name), layer.Guidance(name, "Of "+name)).
			WithPatches(layer.InsertSectionAfter("Guidance", section), layer.InsertEntryAfter("Guidance", layer.GuidanceSlot, layer.Text("An entry of "+name)))
		if clears {
			l = l.WithClearedSlot(layer.EnvironmentSlot)
		}
		if name == "plan" {
			l = l.WithTemplate(layer.NewTemplate(
				layer.Titled("Guidance", layer.Slot(layer.GuidanceSlot), layer.Text("A plan of "+name)), layer.Titled("House", layer.Slot(layer.IntroSlot))))
		}
		c := layer.Environment(name, "Kept for "+name)
		c.Protected = true
		return layer.Ranked{Name: name, Rank: layer.HostRank, Layer: l.WithContributions(c)}
	}
	rapid.Check(t, func(t *rapid.T) {
		var s []layer.Ranked
		for i := range rapid.IntRange(1, 9).Draw(t, "layers") {
			s = append(s, room(strings.Repeat("x", i+1), rapid.Bool().Draw(t, "clears")))
		}
		one := []layer.Ranked{room("one", false), room("once", true)}
		other := []layer.Ranked{room("other", true), room("others", false), room("another", true)}
		if rapid.Bool().Draw(t, "plan") {
			other = append(other, room("plan", false))
		}
		check(t, s, one, other)
	})
	// A slot that one declares is unknown to the other.
	below, err := layer.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := below.With(layer.Ranked{Name: "one", Layer: layer.Layer{}.WithPatches(layer.InsertSectionAfter("Guidance", layer.Untitled(layer.Slot("own"))))}); err != nil {
		t.Fatal(err)
	}
	if _, err := below.With(layer.Ranked{Name: "other", Layer: layer.Layer{}.WithClearedSlot("own")}); !errors.Is(err, layer.UnknownSlot) {
		t.Errorf("the slot of another resolution: %v", err)
	}
}

// An empty layer changes nothing, wherever it stands.
func TestEmptyLayerChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := stacks(t)
		at := rapid.IntRange(0, len(s)).Draw(t, "at")
		with := slices.Insert(slices.Clone(s), at, layer.Ranked{Name: "empty"})
		same(t, "with an empty layer", must(t, s), must(t, with))
	})
}

// Clearing a slot and adding again in the layer above gives the prompt that
// replacing gives: the same contributions under the same ids.
func TestResetThenAddIsReplace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, tools := stacks(t)
		slot := rapid.SampledFrom(someSlots).Draw(t, "slot")
		list := rapid.SliceOfN(contributions(slot), 1, 3).Draw(t, "new")
		top := func(name string, l layer.Layer) layer.Ranked { return layer.Ranked{Name: name, Layer: l} }
		replaced := must(t, append(slices.Clip(s), top("top", layer.Layer{}.WithReplacedSlot(slot, list...))))
		added := must(t, append(slices.Clip(s), top("below", layer.Layer{}.WithClearedSlot(slot)), top("top", layer.Layer{}.WithContributions(list...))))
		if a, b := replaced.Contributions(), added.Contributions(); !reflect.DeepEqual(a, b) {
			t.Fatalf("replaced:\n%+v\ncleared and added:\n%+v", a, b)
		}
		if got, want := plain(added, tools), plain(replaced, tools); got != want {
			t.Fatalf("cleared and added:\n%s\nreplaced:\n%s", got, want)
		}
		included := func(r *layer.Resolution) (out []string) {
			for _, f := range r.Compile(builtins()) {
				if f.Excluded == nil {
					out = append(out, f.ID)
				}
			}
			return out
		}
		if a, b := included(replaced), included(added); !slices.Equal(a, b) {
			t.Fatalf("replaced: %q, cleared and added: %q", a, b)
		}
	})
}

// The order in which keys were put into a map never matters.
func TestMapOrderNeverMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := stacks(t)
		want := must(t, s)
		again := slices.Clone(s)
		for i := range again {
			keys := slices.Sorted(maps.Keys(s[i].Layer.Slots))
			slices.Reverse(keys)
			if len(keys) == 0 {
				continue
			}
			again[i].Layer.Slots = make(map[string]layer.SlotLayer, 64)
			for _, k := range keys {
				again[i].Layer.Slots[k] = s[i].Layer.Slots[k]
			}
			if canonical(t, again[i].Layer) != canonical(t, s[i].Layer) {
				t.Fatal("other canonical form")
			}
		}
		for range 3 {
			same(t, "with other maps", want, must(t, again))
		}
	})
}

// Adding to one slot leaves ids, texts and decisions of all else alone.
func TestAddingToASlotIsLocal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, tools := stacks(t)
		slot := rapid.SampledFrom(someSlots).Draw(t, "slot")
		top := layer.Layer{}.WithContributions(contributions(slot).Draw(t, "new"))
		texts := func(s []layer.Ranked) map[string]string {
			p, err := cento.ReduceFragments(must(t, s).Compile(builtins()), cento.Active{Tools: tools}, cento.Options{})
			if err != nil {
				t.Fatal(err)
			}
			out := map[string]string{}
			for i := range p.Len() {
				if f := p.Fragment(i); f.Source != "slot:"+slot {
					out[f.ID] = p.Reason(i) + ": " + p.Text(i)
				}
			}
			return out
		}
		before, after := texts(s), texts(append(slices.Clip(s), layer.Ranked{Name: "top", Layer: top}))
		if !maps.Equal(before, after) {
			t.Fatalf("before: %q\nafter: %q", before, after)
		}
	})
}

// A merge reorders and drops repetitions and nothing else; doing it again, or
// with the layers in another order where titles and texts decide, changes
// nothing.
func TestMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := stacks(t)
		r := must(t, s)
		m := r.Merged()
		same(t, "merged again", m, m.Merged())
		kept := map[string]bool{}
		key := func(c layer.Resolved) string {
			title := ""
			if c.Title != nil && strings.TrimSpace(*c.Title) != "" {
				title = *c.Title
			}
			return strings.Join([]string{c.Slot, strconv.Itoa(int(c.Priority)), title, c.Content}, "\x00")
		}
		for _, c := range m.Contributions() {
			if kept[key(c)] && !c.Protected {
				t.Fatalf("%s stands twice", canonical(t, c))
			}
			kept[key(c)] = true
		}
		for _, c := range r.Contributions() {
			if !kept[key(c)] {
				t.Fatalf("%s is gone", canonical(t, c))
			}
		}
		// Layers can be laid on a merged resolution as on any other.
		var clear layer.Layer
		for _, slot := range someSlots {
			clear = clear.WithClearedSlot(slot)
		}
		top := layer.Ranked{Name: "top", Layer: clear}
		cleared, err := m.With(top)
		if err != nil {
			t.Fatal(err)
		}
		want, err := layer.Resolve(append(slices.Clip(s), top))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := cleared.Contributions(), want.Merged().Contributions(); !reflect.DeepEqual(a, b) {
			t.Fatalf("merged, then cleared:\n%+v\ncleared, then merged:\n%+v", a, b)
		}
	})
}

// What is generated and written reads back as the same layer.
func TestWrittenReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := layers().Draw(t, "layer")
		first := canonical(t, l)
		again, err := layer.Read("layer.json", []byte(first), cento.TrustHost, cento.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if second := canonical(t, again); second != first {
			t.Fatalf("%s reads back as %s", first, second)
		}
	})
}
