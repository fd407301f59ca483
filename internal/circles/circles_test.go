package circles

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestFind holds the circles against what they are: two nodes are in one circle if
// each reaches the other.
func TestFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "nodes")
		edges := make([][]int32, n)
		for v := range edges {
			edges[v] = rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 0, 3).Draw(t, "edges")
		}
		reaches := make([][]bool, n)
		for v := range reaches {
			reaches[v] = reached(edges, int32(v))
		}
		got, any := Find(edges)
		several := false
		for v := range edges {
			least := v
			for w := range edges {
				if reaches[v][w] && reaches[w][v] {
					several = several || v != w
					least = min(least, w)
				}
			}
			if int(got[v]) != least {
				t.Fatalf("node %d of %v is in the circle of %d, and not of %d", v, edges, least, got[v])
			}
		}
		if any != several {
			t.Fatalf("%v: a circle of several nodes is told to be there: %t", edges, any)
		}
	})
}

// reached are the nodes that one leads to, itself among them.
func reached(edges [][]int32, from int32) []bool {
	seen := make([]bool, len(edges))
	seen[from] = true
	for todo := []int32{from}; len(todo) > 0; {
		v := todo[0]
		todo = todo[1:]
		for _, w := range edges[v] {
			if !seen[w] {
				seen[w] = true
				todo = append(todo, w)
			}
		}
	}
	return seen
}

// TestFindNothing: no nodes, no circles.
func TestFindNothing(t *testing.T) {
	if got, any := Find(nil); len(got) != 0 || any {
		t.Errorf("%v, %t", got, any)
	}
}

// TestFindALongChain: depth costs no stack, and a chain that is closed is one circle.
func TestFindALongChain(t *testing.T) {
	const n = 100_000
	edges := make([][]int32, n)
	for v := range edges[:n-1] {
		edges[v] = []int32{int32(v + 1)}
	}
	if got, any := Find(edges); any || got[n-1] != n-1 {
		t.Errorf("a chain: %t, the last is with %d", any, got[n-1])
	}
	edges[n-1] = []int32{0}
	if got, any := Find(edges); !any || slices.Max(got) != 0 {
		t.Errorf("a ring: %t, up to %d", any, slices.Max(got))
	}
}
