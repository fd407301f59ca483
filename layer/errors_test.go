package layer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
)

// A layer that was made in Go is checked as one that was read.
func TestResolveRefusesWhatCannotBe(t *testing.T) {
	section := func(e layer.Entry) layer.Layer {
		return layer.Layer{}.WithTemplate(layer.NewTemplate(layer.Untitled(e)))
	}
	for _, c := range []struct {
		name  string
		layer layer.Layer
		code  cento.ErrorCode
	}{
		{"kind", section(layer.Entry{Kind: 9}), layer.UnknownKind},
		{"builtin", section(layer.Builtin("x")), layer.UnknownBuiltin},
		{"slot name", section(layer.Slot("a b")), layer.InvalidLayer},
		{"text and template", layer.Layer{}.WithContributions(layer.Contribution{Slot: layer.IntroSlot, Content: "a", Template: "$user/a"}), layer.InvalidLayer},
		{"operation", layer.Layer{}.WithPatches(layer.Patch{Op: 9}), layer.InvalidLayer},
		{"patched builtin", layer.Layer{}.WithPatches(layer.InsertSectionAfter("Guidance", layer.Untitled(layer.Builtin("x")))), layer.UnknownBuiltin},
		{"patched kind", layer.Layer{}.WithPatches(layer.InsertEntryAfter("Guidance", "guidance", layer.Entry{Kind: 7})), layer.UnknownKind},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := layer.Resolve(stack(c.layer)); !isOnly(err, c.code) {
				t.Errorf("got %v, want %s", err, c.code)
			}
		})
	}
	if _, err := layer.Resolve([]layer.Ranked{{Name: "x", Rank: 99}}); !isOnly(err, layer.InvalidLayer) {
		t.Errorf("rank 99: %v", err)
	}
}

// What is said of a patch whose place isn't there: the nearest name where one is near, and
// the names that there are, each once, in their order, no texts, and of very many the
// first twenty; of none it is said that there are none.
func TestAnchorHints(t *testing.T) {
	numbered := func(n int, first ...string) []string {
		for i := range n {
			first = append(first, fmt.Sprintf("part-%02d", i))
		}
		return first
	}
	listed := func(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }
	for name, c := range map[string]struct {
		names []string
		want  string // behind what they are
	}{
		"none":        {nil, "none"},
		"one":         {[]string{"other"}, `"other"`},
		"again":       {[]string{"other", "one", "other", "one"}, `"other", "one"`},
		"twenty":      {numbered(20), listed(numbered(20))},
		"one more":    {numbered(21), listed(numbered(20)) + ", … and 1 more"},
		"five more":   {numbered(25), listed(numbered(20)) + ", … and 5 more"},
		"very many":   {numbered(1200), listed(numbered(20)) + ", … and 1180 more"},
		"again, many": {numbered(20, numbered(20)...), listed(numbered(20))},
	} {
		for _, near := range []string{"", "placee"} {
			names := c.names
			hint := func(what string) string { return what + ": " + c.want }
			if near != "" {
				if len(names) != 1 && len(names) != 2 {
					continue
				}
				names = append(slices.Clone(names), near)
				hint = func(what string) string { return `did you mean "placee"? ` + what + ": " + c.want + `, "placee"` }
			}
			var entries []layer.Entry
			var sections []layer.Section
			for _, n := range names {
				entries = append(entries, layer.Text("Words."), layer.Slot(n))
				sections = append(sections, layer.Titled(n, layer.Text("Words.")))
			}
			for _, at := range []struct {
				plan layer.Template
				p    layer.Patch
				want string
			}{
				{layer.NewTemplate(layer.Titled("Here", entries...)), layer.InsertEntryAfter("Here", "place", layer.Text("x")), hint("its slots and builtins")},
				{layer.NewTemplate(sections...), layer.InsertSectionAfter("place", layer.Titled("New", layer.Text("x"))), hint("sections")},
				{layer.NewTemplate(sections...), layer.InsertEntryBefore("place", "intro", layer.Text("x")), hint("sections")},
			} {
				_, err := layer.Resolve(stack(layer.Layer{}.WithTemplate(at.plan), layer.Layer{}.WithPatches(at.p)))
				list := cento.SourceErrors(err)
				if len(list) != 1 || list[0].Code != layer.UnknownAnchor || list[0].Hint != at.want {
					t.Errorf("%s: %v\nwant the hint %s", name, err, at.want)
				}
			}
		}
	}
}

// TestWrongLayersAreNamed: what a host builds that can't be a layer is told with the layer, the
// slot and the word that is wrong, each in its place.
func TestWrongLayersAreNamed(t *testing.T) {
	in := func(c layer.Contribution) layer.Layer {
		c.Slot = layer.GuidanceSlot
		return layer.Layer{}.WithContributions(c)
	}
	plan := func(e layer.Entry) layer.Layer {
		return layer.Layer{}.WithTemplate(layer.NewTemplate(layer.Titled("Guidance", e)))
	}
	for want, c := range map[string]layer.Ranked{
		`layer "mine", slot "guidance": a contribution has either content or a template, not both`: {Name: "mine", Layer: in(layer.Contribution{Content: "Ask.", Template: "$user/ask"})},
		`layer "mine", slot "guidance": a layer of rank plugin can't bring protected text`:         {Name: "mine", Rank: layer.PluginRank, Layer: in(layer.Contribution{Content: "Ask.", Protected: true})},
		`layer 1 has the name "a\nb"`:                                    {Name: "a\nb"},
		`layer "mine" has a rank that doesn't exist`:                     {Name: "mine", Rank: 77},
		`layer "mine" places a slot with the name "a b"`:                 {Name: "mine", Layer: plan(layer.Slot("a b"))},
		`layer "mine" places the builtin "nothing", which doesn't exist`: {Name: "mine", Layer: plan(layer.Builtin("nothing"))},
		// It exists, in another stack.
		`layer "mine" places the builtin "instruction", and only a project has one`: {Name: "mine", Layer: plan(layer.Builtin(layer.Instruction))},
	} {
		_, err := layer.Resolve([]layer.Ranked{c})
		if list := cento.SourceErrors(err); len(list) != 1 || list[0].Message != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestUnknownSlots: of many slots that no template has, those that are told first have
// the hints: by place, where there is one, else by name. Layers keep slots in maps, which
// have no order.
func TestUnknownSlots(t *testing.T) {
	for _, placed := range []bool{true, false} {
		slots := map[string]layer.SlotLayer{}
		for i := range 40 {
			l := layer.SlotLayer{Reset: true}
			if placed {
				l.Origin = cento.Position{File: "l.yaml", Line: 50 - i, Column: 1}
			}
			slots[fmt.Sprintf("intro%02d", i)] = l
		}
		_, err := layer.Resolve([]layer.Ranked{{Name: "mine", Layer: layer.Layer{Slots: slots}}})
		list := cento.SourceErrors(err)
		hinted := 0
		for i, e := range list {
			if e.Hint != "" {
				if hinted++; hinted != i+1 {
					t.Errorf("placed %t: %s has a hint, and one before it has none", placed, e.Message)
				}
			}
		}
		if hinted == 0 || hinted >= len(list) || len(list) < 20 {
			t.Errorf("placed %t: %d of %d have hints", placed, hinted, len(list))
		}
	}
}
