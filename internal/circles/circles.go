// Package circles finds the circles of a graph: the nodes that reach one another.
// It reads edges by number and nothing else, and its depth is on the heap, so that a
// long chain costs memory in proportion and never the stack.
package circles

import "slices"

// Find gives for each node the least number among those of its circle, which is its
// own where it is in none, and whether there is a circle of more than one node.
// edges[v] are the nodes that v leads to. It takes time and memory in proportion to
// nodes and edges (Tarjan's strongly connected components, without recursion).
func Find(edges [][]int32) (circle []int32, any bool) {
	n := len(edges)
	index, low, onPath := make([]int32, n), make([]int32, n), make([]bool, n)
	circle = make([]int32, n)
	type visit struct{ node, next int32 }
	var path []visit
	var open []int32
	found := int32(0)
	for root := range n {
		if index[root] != 0 {
			continue
		}
		path = append(path, visit{node: int32(root)})
		for len(path) > 0 {
			top := &path[len(path)-1]
			v := top.node
			if top.next == 0 {
				found++
				index[v], low[v], onPath[v] = found, found, true
				open = append(open, v)
			}
			if int(top.next) < len(edges[v]) {
				to := edges[v][top.next]
				top.next++
				switch {
				case index[to] == 0:
					path = append(path, visit{node: to})
				case onPath[to]:
					low[v] = min(low[v], index[to])
				}
				continue
			}
			if path = path[:len(path)-1]; len(path) > 0 {
				low[path[len(path)-1].node] = min(low[path[len(path)-1].node], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			from := len(open) - 1
			for open[from] != v {
				from--
			}
			least := slices.Min(open[from:])
			for _, w := range open[from:] {
				onPath[w], circle[w] = false, least
			}
			any = any || len(open)-from > 1
			open = open[:from]
		}
	}
	return circle, any
}
