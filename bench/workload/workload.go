// Package workload makes the inputs of the reducer's benchmarks: the same fragments,
// byte for byte, for every language that is measured beside it. It measures nothing
// itself.
//
//	W1  24 fragments of about 300 bytes, 8 tools: a typical agent
//	W2  1,000 fragments of about 500 bytes, 200 tools
//	W3  50,000 fragments of about 200 bytes, 2,000 tools
//
// In all of them every second fragment requires a tool, every tenth another one
// that is never there, every seventh a capability, half of which are set, and
// every fifth stands in the after bucket.
package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// Fragment is a fragment in the terms of every peer.
type Fragment struct {
	// The fields are in the order of their names, so that the JSON form is
	// canonical.
	Body          string   `json:"body"`
	Bucket        string   `json:"bucket"`
	ID            string   `json:"id"`
	RequiresCaps  []string `json:"requires_caps"`
	RequiresTools []string `json:"requires_tools"`
	Source        string   `json:"source"`
}

// Workload is one input.
type Workload struct {
	Fragments []Fragment `json:"fragments"`
	Tools     []string   `json:"tools"`
	Caps      []string   `json:"caps"`
}

// Names lists the workloads.
func Names() []string { return []string{"W1", "W2", "W3"} }

var words = strings.Fields("the agent must read every file before it edits and keep changes small run tests explain results in plain words never guess a path")

// source is xorshift64*.
type source uint64

func (s *source) next() uint64 {
	x := uint64(*s)
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*s = source(x)
	return (x * 2685821657736338717) >> 33
}

func (s *source) text(size int) string {
	var b strings.Builder
	for n := 0; n < size; {
		w := words[s.next()%uint64(len(words))]
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		n += len(w) + 1
	}
	return b.String()
}

// Make returns the workload of a name.
func Make(name string) (*Workload, error) {
	var n, size, tools int
	switch name {
	case "W1":
		n, size, tools = 24, 300, 8
	case "W2":
		n, size, tools = 1000, 500, 200
	case "W3":
		n, size, tools = 50000, 200, 2000
	default:
		return nil, fmt.Errorf("no workload %q: there are W1, W2 and W3", name)
	}
	w := &Workload{Fragments: make([]Fragment, n), Caps: []string{"cap.a", "cap.b"}}
	rnd := source(88172645463325252)
	for i := range w.Fragments {
		f := Fragment{
			ID: fmt.Sprintf("frag.%d", i), Source: fmt.Sprintf("src%d", i%17), Bucket: "before",
			RequiresTools: []string{}, RequiresCaps: []string{},
		}
		f.Body = rnd.text(size)
		if i%5 == 4 {
			f.Bucket = "after"
		}
		if i%2 == 0 {
			f.RequiresTools = append(f.RequiresTools, fmt.Sprintf("tool%d", rnd.next()%uint64(tools)))
		}
		if i%10 == 0 {
			f.RequiresTools = append(f.RequiresTools, "absent_tool")
		}
		if i%7 == 0 {
			c := "cap.absent"
			if rnd.next()%2 == 1 {
				c = "cap.a"
			}
			f.RequiresCaps = append(f.RequiresCaps, c)
		}
		w.Fragments[i] = f
	}
	for i := range tools {
		w.Tools = append(w.Tools, fmt.Sprintf("tool%d", i))
	}
	return w, nil
}

// Digest is the first 16 hex digits of the SHA-256 of the fragments as JSON
// with sorted keys and no white space.
func (w *Workload) Digest() string {
	b, err := json.Marshal(w.Fragments)
	if err != nil {
		panic(err) // strings always encode
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}
