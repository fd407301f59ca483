package bitset

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestNeighbours: whatever was added and removed, the neighbours of each number are those
// that a sorted list has.
func TestNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.SampledFrom([]int{1, 63, 64, 65, 4095, 4096, 4097, 9000}).Draw(t, "bound")
		set, members := New(bound), map[int]bool{}
		numbers := rapid.SliceOfN(rapid.IntRange(0, bound-1), 0, 40).Draw(t, "numbers")
		for _, n := range numbers {
			if rapid.IntRange(0, 3).Draw(t, "step") == 0 {
				set.Remove(n)
				delete(members, n)
			} else {
				set.Add(n)
				members[n] = true
			}
		}
		var list []int
		for n := range bound {
			if members[n] {
				list = append(list, n)
			}
		}
		var got []int
		for n := set.Next(-1); n >= 0 && len(got) <= bound; n = set.Next(n) {
			got = append(got, n)
		}
		if !slices.Equal(got, list) {
			t.Fatalf("forward %v, want %v", got, list)
		}
		got = nil
		for n := set.Previous(bound); n >= 0 && len(got) <= bound; n = set.Previous(n) {
			got = append([]int{n}, got...)
		}
		if !slices.Equal(got, list) {
			t.Fatalf("backward %v, want %v", got, list)
		}
		asked := rapid.IntRange(0, bound-1).Draw(t, "asked")
		i, in := slices.BinarySearch(list, asked)
		next, previous := -1, -1
		if in && i+1 < len(list) {
			next = list[i+1]
		} else if !in && i < len(list) {
			next = list[i]
		}
		if i > 0 {
			previous = list[i-1]
		}
		if a, b := set.Next(asked), set.Previous(asked); a != next || b != previous {
			t.Fatalf("the neighbours of %d in %v are %d and %d", asked, list, b, a)
		}
	})
}
