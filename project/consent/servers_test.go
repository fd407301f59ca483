package consent

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func listing(t testing.TB, instructions string, tools ...ListedTool) Listing {
	t.Helper()
	l, err := NewListing("test 1", instructions, tools)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The order in which a server lists its tools changes no byte.
func TestListingsAreOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.StringMatching(`[a-z_]{1,8}`), rapid.ID[string]).Draw(t, "names")
		var tools []ListedTool
		for _, name := range names {
			tools = append(tools, ListedTool{Name: name, Description: "About " + name, InputSchema: json.RawMessage(`{"type":"object"}`)})
		}
		first, err := NewListing("s", "Say.", tools)
		if err != nil {
			t.Fatal(err)
		}
		second, err := NewListing("s", "Say.", rapid.Permutation(tools).Draw(t, "order"))
		if err != nil || first != second {
			t.Fatalf("%v\n%s\n%s", err, first.Text, second.Text)
		}
	})
}

// Each thing that a server may change is found, with its field.
func TestChangesOfServers(t *testing.T) {
	guidance := func(s string) *string { return &s }
	base := []ListedTool{
		{Name: "a", Title: "A", Description: "Does a.", Guidance: guidance("Use a."), InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage(`{}`), Annotations: json.RawMessage(`{"readOnlyHint":true}`)},
		{Name: "b", Description: "Does b."},
	}
	s := Server{Name: "s"}
	before, err := lockedServer(s, listing(t, "Say.", base...))
	if err != nil {
		t.Fatal(err)
	}
	if got := changesOf(&before, before); len(got) != 0 {
		t.Errorf("no change: %v", got)
	}
	for name, c := range map[string]struct {
		change func([]ListedTool) []ListedTool
		says   string
		want   string
	}{
		"description": {func(x []ListedTool) []ListedTool { x[0].Description = "Does it."; return x }, "Say.", `tool "a": description changed`},
		"title":       {func(x []ListedTool) []ListedTool { x[0].Title = ""; return x }, "Say.", `tool "a": title removed`},
		"guidance":    {func(x []ListedTool) []ListedTool { x[1].Guidance = guidance(""); return x }, "Say.", `tool "b": guidance added`},
		"inputSchema": {func(x []ListedTool) []ListedTool { x[0].InputSchema = json.RawMessage(`{}`); return x }, "Say.", `tool "a": inputSchema changed`},
		"outputSchema": {func(x []ListedTool) []ListedTool {
			x[0].OutputSchema = json.RawMessage(`{"a":1}`)
			return x
		}, "Say.", `tool "a": outputSchema changed`},
		"annotations":  {func(x []ListedTool) []ListedTool { x[0].Annotations = nil; return x }, "Say.", `tool "a": annotations removed`},
		"added":        {func(x []ListedTool) []ListedTool { return append(x, ListedTool{Name: "c"}) }, "Say.", `tool "c" added`},
		"removed":      {func(x []ListedTool) []ListedTool { return x[:1] }, "Say.", `tool "b" removed`},
		"instructions": {func(x []ListedTool) []ListedTool { return x }, "Shout.", `instructions changed`},
	} {
		now, err := lockedServer(s, listing(t, c.says, c.change(slices.Clone(base))...))
		if err != nil {
			t.Fatal(err)
		}
		got := changesOf(&before, now)
		if len(got) != 1 || !strings.HasPrefix(got[0].String(), c.want+",") {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
	if got := changesOf(nil, before); len(got) != 1 || got[0].Change != added {
		t.Errorf("not locked: %v", got)
	}
}
