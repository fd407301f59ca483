package docs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
)

// The code of the documents is made of lines of these examples.

func Example_reduce() {
	if err := reduce(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// You are a careful engineer.
	// requires tool `todo` (not available)
}

func reduce() error {
	p, err := cento.ReduceFragments([]cento.Fragment{
		cento.NewFragment("intro", "host", cento.Before, "You are a careful engineer."),
		cento.NewFragment("todo", "tool:todo", cento.Before, "Keep the todo list up to date.").RequiringTools("todo"),
	}, cento.Active{Tools: []string{"read"}}, cento.Options{})
	if err != nil {
		return err
	}
	text, _ := p.System()
	fmt.Println(text)        // You are a careful engineer.
	fmt.Println(p.Reason(1)) // requires tool `todo` (not available)
	return nil
}

func Example_loop() {
	turns := []turn{{tools: []string{"todo"}}, {}, {tools: []string{"todo", "read"}}}
	err := loop(turns, func(_ turn, system []byte) { fmt.Printf("%d bytes\n", len(system)) })
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 59 bytes
	// turn 1: todo is out: requires tool `todo` (not available)
	// 27 bytes
	// 59 bytes
}

type turn struct{ tools []string }

func loop(turns []turn, send func(turn, []byte)) error {
	fragments := []cento.Fragment{
		cento.NewFragment("intro", "host", cento.Before, "You are a careful engineer."),
		cento.NewFragment("todo", "tool:todo", cento.Before, "Keep the todo list up to date.").RequiringTools("todo"),
	}
	// Once: everything that doesn't depend on the active set.
	plan, err := cento.Compile(fragments, cento.Options{})
	if err != nil {
		return err
	}
	var text []byte        // reused by every turn
	var asm cento.Assembly // the decisions and places of the latest one
	for i, t := range turns {
		// When the active set changes; otherwise keep the bound plan too.
		bound := plan.Bind(cento.Active{Tools: t.tools})
		if text, err = plan.AppendText(text[:0], bound, &asm); err != nil {
			return err
		}
		for k := range asm.Len() {
			if !asm.In(k) {
				fmt.Printf("turn %d: %s is out: %s\n", i, asm.Fragment(k).ID, asm.Reason(k))
			}
		}
		send(t, text)
	}
	return nil
}

func Example_replay() {
	dir, err := os.MkdirTemp("", "cento")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	manifest := "system: You are a careful engineer.\ntools: [{name: todo, guidance: Keep the todo list up to date.}]\n"
	if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(manifest), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	recorded, digest, err := record(context.Background(), dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := replay(recorded, digest); err != nil {
		fmt.Println(err)
	}
	// Output:
	// the digest is the same: true
	// without the tool: 27 bytes instead of 59
}

// record reads a project once and gives its input as JSON, with the digest of
// its prompt.
func record(ctx context.Context, dir string) (input []byte, digest string, err error) {
	p, err := project.Open(ctx, project.Request{Dir: dir, Now: time.Now().UTC()})
	if err != nil {
		return nil, "", err
	}
	prompt, err := p.Reduce(p.Input)
	if err != nil {
		return nil, "", err
	}
	input, err = json.Marshal(p.Input)
	return input, prompt.Digest(), err
}

// replay makes the same prompt from the record alone, on any machine, and asks
// what it would have been without a tool.
func replay(recorded []byte, digest string) error {
	var in cento.Input
	if err := json.Unmarshal(recorded, &in); err != nil {
		return err
	}
	engine, err := pack.NewEngine(in)
	if err != nil {
		return err
	}
	prompt, err := cento.ReduceWith(in, engine)
	if err != nil {
		return err
	}
	fmt.Println("the digest is the same:", prompt.Digest() == digest)

	without, err := cento.ReduceWith(in.WithoutTool("todo"), engine)
	if err != nil {
		return err
	}
	fmt.Printf("without the tool: %d bytes instead of %d\n", without.Bytes(), prompt.Bytes())
	return nil
}
