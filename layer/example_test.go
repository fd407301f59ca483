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
