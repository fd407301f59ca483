package app

import "github.com/cento-dev/cento"

// Demo is one prompt with a tool and without it.
type Demo struct {
	Tool    string   `json:"tool"`
	With    DemoSide `json:"with"`
	Without DemoSide `json:"without"`
}

// DemoSide is one of the two prompts.
type DemoSide struct {
	Title       string             `json:"title"`
	Explanation *cento.Explanation `json:"explanation"`
}

// GuidanceDemo assembles the prompt of a small agent twice. Only the active
// tools differ; the words for the tool ride with its definition.
func GuidanceDemo() (*Demo, error) {
	guidance := "Keep the todo list up to date: add the steps of a task before you begin, and tick each off as soon as it is done."
	in := cento.Input{
		AllTools: true,
		Host:     cento.Host{SystemPreamble: cento.HostText("You are a careful software engineer working in the user's repository.")},
		Primary:  cento.Primary{System: &cento.Text{Body: "Make the smallest change that solves the problem, and show that it works.", Trust: cento.TrustHost}},
		Tools: []cento.Tool{
			{Name: "read", Description: "Read a file.", Trust: cento.TrustHost},
			{Name: "todo", Description: "Keep a list of the steps of a task.", Guidance: &guidance, Trust: cento.TrustHost},
		},
	}
	counter := counterFor("")
	d := &Demo{Tool: "todo"}
	for _, side := range []struct {
		to    *DemoSide
		title string
		in    cento.Input
	}{
		{&d.With, "with the tool todo", in},
		{&d.Without, "without the tool todo", in.WithoutTool("todo")},
	} {
		p, err := cento.Reduce(side.in)
		if err != nil {
			return nil, err
		}
		*side.to = DemoSide{side.title, p.Explain(cento.ExplainOptions{Counter: counter})}
	}
	return d, nil
}
