package nearest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestName(t *testing.T) {
	keys := []string{"requires_tools", "requires_any_tools", "requires_caps", "body", "title", "id", "source", "section"}
	for _, c := range []struct {
		got, want string
		known     []string
	}{
		{"reqires_tools", "requires_tools", keys},
		{"requires_tool", "requires_tools", keys},
		{"Requires_Tools", "requires_tools", keys},
		{"tiltle", "title", keys},
		{"ttile", "title", keys},
		{"bdoy", "body", keys},
		{"dob", "", keys},
		{"text", "", keys},
		{"i", "id", keys},
		{"if", "", keys},
		{"di", "id", keys},
		{"bodies", "body", keys},
		{"modes", "models", []string{"model", "models"}},
		{"tile", "title", []string{"file", "title"}},
		{"x", "", []string{"y"}},
		{"xy", "", []string{"ab"}},
		{"", "", keys},
		{"body", "body", keys},
		{"cat", "bat", []string{"rat", "hat", "bat"}},
		{"TODO", "Todo", []string{"todo", "Todo"}},
		{"größte", "größe", []string{"größe", "maße"}},
		{strings.Repeat("a", 1<<20), "", keys},
		{"a", "", []string{strings.Repeat("a", 1<<20)}},
		{"a", "", nil},
	} {
		got, ok := Name(c.got, c.known)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("Name(%.20q) = %q, %v, want %q", c.got, got, ok, c.want)
		}
	}
}

// The distance is a metric as far as the alignment allows, and bounded.
func TestDistance(t *testing.T) {
	word := rapid.StringMatching(`[a-d]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := []rune(word.Draw(t, "a")), []rune(word.Draw(t, "b"))
		var rows [3][longest + 1]int
		d := distance(a, b, &rows)
		if back := distance(b, a, &rows); back != d {
			t.Fatalf("%q to %q is %d, back %d", string(a), string(b), d, back)
		}
		if (d == 0) != slices.Equal(a, b) {
			t.Fatalf("%q to %q is %d", string(a), string(b), d)
		}
		if d < abs(len(a)-len(b)) || d > max(len(a), len(b)) {
			t.Fatalf("%q to %q is %d", string(a), string(b), d)
		}
	})
}

// The order in which the names are known doesn't matter.
func TestNameIgnoresOrder(t *testing.T) {
	word := rapid.StringMatching(`[a-cA-C]{1,5}`)
	rapid.Check(t, func(t *rapid.T) {
		got := word.Draw(t, "got")
		known := rapid.SliceOf(word).Draw(t, "known")
		want, ok := Name(got, known)
		shuffled := slices.Clone(known)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if again, okAgain := Name(got, shuffled); again != want || okAgain != ok {
			t.Fatalf("%q among %q is %q, among %q it is %q", got, known, want, shuffled, again)
		}
		if ok && !slices.Contains(known, want) {
			t.Fatalf("%q isn't known", want)
		}
	})
}

func TestHint(t *testing.T) {
	for got, want := range map[string]string{"tiltle": `did you mean "title"?`, "other": "the keys are title"} {
		if hint := Hint(got, []string{"title"}, "the keys are title"); hint != want {
			t.Errorf("%s: %q, want %q", got, hint, want)
		}
	}
}
