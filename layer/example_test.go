package layer_test

import (
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
)

func Example() {
	plan := layer.NewTemplate(layer.Untitled(layer.Text("You review changes.")), layer.Titled("Rules", layer.Slot(layer.GuidanceSlot)))
	user := layer.Layer{}.WithTemplate(plan).WithContributions(
		layer.Guidance("Tone", "Be brief."), layer.Guidance("Shell", "Use the shell sparingly.").RequiresTool("shell"))
	team := layer.Layer{}.WithRemoved(layer.GuidanceSlot, "tone").WithContributions(layer.Guidance("Reviews", "Two of them."))

	r, err := layer.Resolve([]layer.Ranked{
		{Name: "user", Rank: layer.UserRank, Layer: user},
		{Name: "team", Rank: layer.WorkspaceRank, Layer: team},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := cento.ReduceFragments(r.Compile(layer.Builtins{}), cento.Active{}, cento.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := p.System()
	fmt.Println(text)
	fmt.Println("---")
	for i := range p.Len() {
		if !p.In(i) {
			fmt.Printf("%s: %s\n", p.Fragment(i).ID, p.Reason(i))
		}
	}
	// Output:
	// You review changes.
	//
	// ## Rules
	//
	// ### Reviews
	//
	// Two of them.
	// ---
	// slot:guidance/shell: requires tool `shell` (not available)
	// slot:guidance/tone: removed by layer `team`
}

// A host that lets people edit the layer of a session keeps one that they emptied: it is
// a decision, and there again when the session is. What the host hands over on reopening
// wins.
func ExampleSaved_Reopen() {
	edited := layer.Layer{}.WithTemplate(layer.NewTemplate(layer.Untitled(layer.Slot(layer.GuidanceSlot))))
	edited = edited.WithClearedTemplate()
	fmt.Println("changes nothing:", edited.IsEmpty())

	kept, err := layer.Saved{Session: &edited}.AppendJSON(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var saved layer.Saved
	if err := saved.UnmarshalJSON(kept); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("kept: %s, reopened with a layer: %t\n", kept, saved.Reopen(nil) != nil)
	given := layer.Layer{}.WithContributions(layer.Guidance("Tone", "Be brief."))
	fmt.Println("the host's wins:", saved.Reopen(&given) == &given)
	fmt.Println("without any there is none:", layer.Saved{}.Reopen(nil) == nil)
	// Output:
	// changes nothing: true
	// kept: {"session":{}}, reopened with a layer: true
	// the host's wins: true
	// without any there is none: true
}

// A host resolves what lasts once, and puts what a turn changes on top of it: each turn
// starts from the same resolution.
func ExampleResolution_With() {
	house := layer.Layer{}.
		WithPatches(
			layer.InsertSectionAfter("Guidance", layer.Titled("House rules", layer.Slot("house"))),
			layer.InsertEntryBefore("House rules", "house", layer.Text("These come before all else."))).
		WithContributions(
			layer.NewContribution("house", "", "Ask before you deploy."),
			layer.RuntimeContext("The branch is main."))
	lasting, err := layer.Resolve([]layer.Ranked{{Name: "house", Rank: layer.HostRank, Layer: house}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for name, turn := range []layer.Layer{
		layer.Layer{}.WithReplacedSlot(layer.RuntimeContextSlot, layer.RuntimeContext("The branch is fix.")),
		layer.Layer{}.WithClearedSlot("house"),
	} {
		r, err := lasting.With(layer.Ranked{Name: fmt.Sprintf("turn %d", name+1), Rank: layer.TurnRank, Layer: turn})
		if err != nil {
			fmt.Println(err)
			return
		}
		p, err := cento.ReduceFragments(r.Compile(layer.Builtins{}), cento.Active{}, cento.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		text, _ := p.System()
		fmt.Printf("%s\n----\n", text)
	}
	// Output:
	// ## House rules
	//
	// These come before all else.
	//
	// Ask before you deploy.
	//
	// ## Environment
	//
	// ### Runtime Context
	//
	// The branch is fix.
	// ----
	// ## House rules
	//
	// These come before all else.
	//
	// ## Environment
	//
	// ### Runtime Context
	//
	// The branch is main.
	// ----
}
