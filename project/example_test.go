package project_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
)

// A host that knows more of a project than its files say hands it over: a fact of its
// index as a signal, by which conditions ask; its own agent as the primary block; and
// its own words for a text of the program's.
func ExampleAssemble() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	manifest := `scope: off
skills: off
tools: [{name: shell, guidance: Prefer commands that change nothing.}]
fragments:
  - {id: tests, requires_caps: [signal.tests], body: Run the tests before you finish.}
`
	if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(manifest), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	words, err := pack.ParseWording("host.yaml", "prompt: {tools_heading: What you have}\n", cento.TrustHost, cento.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	prompt, err := project.Assemble(context.Background(), project.Request{
		Dir:     dir,
		Signals: map[string]json.RawMessage{"tests": json.RawMessage(`{"command": "make test"}`)},
		Primary: []cento.Fragment{{ID: "who", Body: "You review changes."}},
		Wording: []*pack.Wording{words},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := prompt.System()
	fmt.Println(text)
	// Output:
	// You review changes.
	//
	// Run the tests before you finish.
	//
	// ## What you have
	//
	// Prefer commands that change nothing.
}
