package tests

import (
	"reflect"
	"slices"
	"testing"

	"github.com/cento-dev/cento"
)

// What-ifs are copies: the input itself stays as it is, and so do the lists it
// shares with others.
func TestWhatIfsCopy(t *testing.T) {
	tools, caps := make([]string, 2, 8), make([]string, 2, 8)
	copy(tools, []string{"read", "todo"})
	copy(caps, []string{"interactive", "x"})
	in := cento.Input{
		Active: cento.Active{Tools: tools, Caps: caps, Model: "m"},
		Tools:  []cento.Tool{{Name: "todo"}, {Name: "web"}},
	}
	all := in
	all.AllTools = true
	for _, c := range []struct {
		name        string
		got         cento.Input
		tools, caps []string
		model       string
	}{
		{"with tool", in.WithTool("web"), []string{"read", "todo", "web"}, caps, "m"},
		{"with active tool", in.WithTool("todo"), tools, caps, "m"},
		{"without tool", in.WithoutTool("read"), []string{"todo"}, caps, "m"},
		{"without absent tool", in.WithoutTool("nothing"), tools, caps, "m"},
		{"with tools", in.WithTools("a", "b"), []string{"a", "b"}, caps, "m"},
		{"with no tools", in.WithTools(), nil, caps, "m"},
		{"with cap", in.WithCap("y"), tools, []string{"interactive", "x", "y"}, "m"},
		{"with set cap", in.WithCap("x"), tools, caps, "m"},
		{"without cap", in.WithoutCap("interactive"), tools, []string{"x"}, "m"},
		{"with model", in.WithModel("n", nil), tools, caps, "n"},
		{"all tools", all, []string{"todo", "web"}, caps, "m"},
		{"all tools and one", all.WithTool("read"), []string{"todo", "web", "read"}, caps, "m"},
		{"all tools but one", all.WithoutTool("todo"), []string{"web"}, caps, "m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.got.ActiveTools(); !slices.Equal(got, c.tools) {
				t.Errorf("active are %q, want %q", got, c.tools)
			}
			if !slices.Equal(c.got.Active.Caps, c.caps) || c.got.Active.Model != c.model {
				t.Errorf("set are %q, for %q", c.got.Active.Caps, c.got.Active.Model)
			}
			if !reflect.DeepEqual(c.got.Tools, in.Tools) {
				t.Error("a definition went")
			}
			if !slices.Equal(tools[:8], []string{"read", "todo", "", "", "", "", "", ""}) || !slices.Equal(caps[:8], []string{"interactive", "x", "", "", "", "", "", ""}) {
				t.Fatal("a shared list was written to")
			}
		})
	}
}

// The primary block as one text is what its fragments are in a prompt.
func TestPrimaryText(t *testing.T) {
	p := cento.Primary{
		System: &cento.Text{Body: " Work.\n"}, LoopContract: &cento.Text{Body: "Stop when done."},
		ProgressTool: &cento.Text{Body: "Keep the plan."}, ProgressToolName: "plan",
	}
	text, err := p.Text()
	if err != nil || text != "Work.\n\nKeep the plan.\n\nStop when done." {
		t.Errorf("%q, %v", text, err)
	}
	var ids []string
	for _, f := range p.Fragments() {
		ids = append(ids, f.ID)
	}
	if !slices.Equal(ids, []string{cento.SystemID, "primary:progress_tool", "primary:loop_contract"}) {
		t.Errorf("the fragments are %q", ids)
	}
	block := reduce(t, p.Fragments(), cento.Active{Tools: []string{"plan"}})
	if system, _ := block.System(); system != text {
		t.Errorf("as fragments it is %q", system)
	}
	parts := cento.Primary{Parts: []cento.Fragment{{ID: "x", Body: "X.", Bucket: cento.After, RequiresCaps: []string{"c"}}, {ID: "y", Body: "Y."}}}
	if text, err := parts.Text(); err != nil || text != "X.\n\nY." {
		t.Errorf("parts: %q, %v", text, err)
	}
	if text, err := (cento.Primary{}).Text(); err != nil || text != "" {
		t.Errorf("nothing: %q, %v", text, err)
	}
	if _, err := (cento.Primary{System: &cento.Text{Body: "\xff"}}).Text(); err == nil {
		t.Error("what isn't UTF-8 passes")
	}
}
