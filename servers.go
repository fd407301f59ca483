package cento

// ToolServer is a server that listed tools, with what it has to say about all
// of them.
type ToolServer struct {
	// Name is the one that [Tool].Server refers to.
	Name string `json:"name"`
	// Instructions become the fragment `server:<name>.instructions`, in front of
	// the guidance of the server's first tool and in while one of its tools is
	// active. Their trust is that of tools, whoever hands them over.
	Instructions Text `json:"instructions"`
}

const serverIDPrefix = "server:"

// servers lists what servers say, by the index of the tool that it stands in
// front of. A server that has no tool says nothing.
func (c *composer) servers(servers []ToolServer, tools []Tool) map[int]Fragment {
	if len(servers) == 0 {
		return nil
	}
	first := make(map[string]int, len(servers))
	named := make(map[string][]string, len(servers))
	for i, t := range tools {
		if t.Server == "" {
			continue
		}
		if _, ok := first[t.Server]; !ok {
			first[t.Server] = i
		}
		named[t.Server] = append(named[t.Server], t.Name)
	}
	out := make(map[int]Fragment, len(servers))
	for _, s := range servers {
		at, ok := first[s.Name]
		if !ok {
			continue
		}
		out[at] = Fragment{
			ID: serverIDPrefix + s.Name + ".instructions", Source: serverIDPrefix + s.Name, RequiresAnyTools: named[s.Name],
			Body: s.Instructions.Body, Runs: asToolText(s.Instructions.Runs), Trust: TrustTool, Origin: s.Instructions.Origin,
		}
	}
	return out
}

// Inspect finds what a prompt would have made visible or quoted in a text of a
// stranger: hidden characters, and lines that imitate the built-in protected
// headings or a frame. It is for texts that reach a model on another way than
// in the prompt, such as the strings of a tool's schema, and changes nothing.
func Inspect(t Text) []TextNote {
	g := newGuard(builtinHeadings, Policy{})
	_, d, _ := g.text(&Fragment{Body: t.Body, Runs: t.Runs, Trust: t.Trust, Origin: t.Origin})
	if d == nil {
		return nil
	}
	return d.notes
}
