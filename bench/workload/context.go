package workload

import (
	"fmt"
	"strings"
)

// corpus generates the context of T3: a pseudo-random sequence over a list of
// words, the same on every machine.
type corpus struct{ state uint64 }

var corpusWords = strings.Fields("the agent must read every file before it edits and keep changes small run tests explain results in plain words never guess a path über <tag> a&b \"quoted\" it's")

func (c *corpus) next(n int) int {
	c.state ^= c.state >> 12
	c.state ^= c.state << 25
	c.state ^= c.state >> 27
	return int((c.state * 2685821657736338717 / (1 << 33)) % uint64(n))
}

func (c *corpus) word() string { return corpusWords[c.next(24)] }

// NestedContext is the context of T3, the third workload of the template engines:
// 10,000 files with three symbols each.
func NestedContext() map[string]any {
	c := &corpus{state: 88172645463325252}
	kinds := []string{"func", "type", "const", "var"}
	files := make([]any, 10_000)
	for i := range files {
		path := "pkg/" + c.word() + "/"
		path += fmt.Sprintf("%s_%d.go", c.word(), i)
		symbols := make([]any, 3)
		for j := range symbols {
			kind := kinds[c.next(4)]
			name := fmt.Sprintf("%s%d", c.word(), j)
			symbols[j] = map[string]any{"kind": kind, "name": name, "line": float64(c.next(900) + 1)}
		}
		files[i] = map[string]any{"path": path, "lang": "go", "symbols": symbols}
	}
	return map[string]any{"project": "harbour", "files": files}
}
