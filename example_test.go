package cento_test

import (
	"fmt"

	"github.com/cento-dev/cento"
)

func Example() {
	fragments := []cento.Fragment{
		cento.NewFragment("intro", "host", cento.Before, "You are a careful engineer."),
		cento.NewFragment("todo", "tool:todo", cento.Before, "Keep the todo list up to date.").RequiringTools("todo"),
	}
	p, err := cento.ReduceFragments(fragments, cento.Active{Tools: []string{"read"}}, cento.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := p.System()
	fmt.Println(text)
	for i := range p.Len() {
		fmt.Printf("%s: %s\n", p.Fragment(i).ID, p.Reason(i))
	}
	// Output:
	// You are a careful engineer.
	// intro: unconditional
	// todo: requires tool `todo` (not available)
}

func ExampleReduce() {
	guidance := "Keep the todo list up to date."
	in := cento.Input{
		AllTools: true,
		Host:     cento.Host{SystemPreamble: cento.HostText("You are a careful engineer.")},
		Tools:    []cento.Tool{{Name: "todo", Guidance: &guidance}},
	}
	with, _ := cento.Reduce(in)
	without, _ := cento.Reduce(in.WithoutTool("todo"))
	for _, x := range cento.Diff(with, without).Verdicts {
		fmt.Printf("%s: %s; now %s\n", x.ID, *x.From, *x.To)
	}
	// Output:
	// tool:todo.guidance: tool(s) present: todo; now requires tool `todo` (not available)
}

func ExamplePlan_AppendText() {
	plan, err := cento.Compile([]cento.Fragment{
		cento.NewFragment("a", "", cento.Before, "Always here."),
		cento.NewFragment("b", "", cento.After, "Only with web.").RequiringTools("web"),
	}, cento.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var text []byte
	var asm cento.Assembly
	for _, tools := range [][]string{{"web"}, nil} {
		bound := plan.Bind(cento.Active{Tools: tools})
		if text, err = plan.AppendText(text[:0], bound, &asm); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%q, %d in\n", text, asm.Included())
	}
	// Output:
	// "Always here.\n\nOnly with web.", 2 in
	// "Always here.", 1 in
}

func ExamplePrompt_Locate() {
	f := cento.NewFragment("rules", "project", cento.Before, "First rule.\nSecond rule.")
	f.Origin = cento.Position{File: "RULES.md", Line: 1, Column: 1}
	p, err := cento.ReduceFragments([]cento.Fragment{f}, cento.Active{}, cento.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, _ := p.Locate(12)
	fmt.Println(at)
	// Output:
	// RULES.md:2:1
}

// What became of every fragment, as the record that a host keeps beside a request.
func ExamplePrompt_Provenance() {
	p, err := cento.ReduceFragments([]cento.Fragment{
		cento.NewFragment("rules", "project", cento.Before, "Be brief."),
		cento.NewFragment("shell", "tools", cento.After, "Prefer commands that change nothing.").RequiringTools("shell"),
	}, cento.Active{}, cento.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	record := p.Provenance()
	fmt.Println(record.Included, "in,", record.Excluded, "out")
	for _, t := range record.Fragments {
		fmt.Printf("%s: %s\n", t.ID, t.Reason)
	}
	// Output:
	// 1 in, 1 out
	// rules: unconditional
	// shell: requires tool `shell` (not available)
}
