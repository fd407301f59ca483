package why_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/provenance"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/why"
)

func Example() {
	p, err := cento.ReduceFragments([]cento.Fragment{
		cento.NewFragment("intro", "host", cento.Before, "You are a careful engineer."),
		cento.NewFragment("todo", "tool:todo", cento.Before, "Keep the todo list up to date.").RequiringTools("todo"),
	}, cento.Active{Tools: []string{"read"}}, cento.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"careful engineer", "todo list", "the TODO list", "a carefull engineer"} {
		a := why.Text(p, text)
		fmt.Println(text, a.Found())
		for _, at := range a.Places {
			fmt.Println(" ", at.Fragment, at.Start, at.End, at.Reason)
		}
		if a.Nearest != nil {
			fmt.Println("  near:", a.Nearest.Text)
		}
	}
	// Output:
	// careful engineer true
	//   intro 10 26 unconditional
	// todo list false
	//   todo 0 0 requires tool `todo` (not available)
	// the TODO list false
	//   todo 0 0 requires tool `todo` (not available)
	// a carefull engineer false
	//   near: You are a careful engineer.
}

// TestAnswersAsTheCommand holds the answers to those that the command line prints, in the
// prompt, out of it and elsewhere in the project.
func TestAnswersAsTheCommand(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cento.yaml": "system: Review.\nfragments:\n  - {id: gated, requires_tools: [shell], body: Use the shell.}\n",
		"AGENTS.md":  "Run the tests.\n",
		"GEMINI.md":  "Read by another client.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	p, err := project.Open(ctx, project.Request{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	prompt, err := p.Reduce(p.Input)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"Run the tests", "Use the\nshell", "RUN THE TESTS", "Read by another client", "Run the test.", "nowhere at all", " "} {
		got, err := why.InProject(ctx, p, p.Input, text)
		if err != nil {
			t.Fatal(err)
		}
		want, err := provenance.Of(p).ExplainText(ctx, p.Input, text)
		if err != nil {
			t.Fatal(err)
		}
		alone := why.Text(prompt, text)
		if got.Found() != want.Found() || alone.Found() != want.Found() || len(got.Places) != len(want.Matches) || (got.Nearest == nil) != (want.Nearest == nil) {
			t.Errorf("%q: %+v and %+v, the command has %+v", text, got, alone, want)
		}
		for i, m := range want.Matches {
			g := got.Places[i]
			a, _ := json.Marshal([]any{m.Fragment, m.Source, m.Reason, m.Code, m.Text, m.Trust, m.MadeBy, m.Var, m.History, m.Start != nil})
			b, _ := json.Marshal([]any{g.Fragment, g.Source, g.Reason, g.Code, g.Text, g.Trust, g.MadeBy, g.Var, g.History, g.In})
			if string(a) != string(b) || m.Start != nil && (g.Start != *m.Start || g.End != *m.End) || m.Origin != nil && g.Origin != *m.Origin {
				t.Errorf("%q: %+v, the command has %+v", text, g, m)
			}
		}
	}
	if a := why.Text(nil, "x"); a.Found() || len(a.Places) > 0 {
		t.Errorf("a nil prompt has %+v", a)
	}
}
