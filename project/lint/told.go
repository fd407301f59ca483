package lint

// Told is a place in a text that tells of a tool.
type Told struct {
	Tool       string
	Start, End int
}

// ToolsTold finds where a text tells of tools, as the checks do: between backticks, beside
// the word tool, or anywhere for a name that is no ordinary word. Of two names that
// begin alike the longer one is meant.
func ToolsTold(text string, tools []string) []Told {
	var out []Told
	newNames(tools).find(text, func(name string, at int) { out = append(out, Told{name, at, at + len(name)}) })
	return out
}
