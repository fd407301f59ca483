package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/sqlite"
)

// A prompt is recorded, found by its words, and given back as it was handed out.
func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "agent")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	s, err := sqlite.Open(ctx, filepath.Join(folder, "agent.db"), store.Options{})
	if err != nil {
		panic(err)
	}
	defer s.Close()

	in := cento.Input{Fragments: []cento.Fragment{cento.NewFragment("rules", "agent", cento.Before, "Work in small steps.")}}
	prompt, err := cento.Reduce(in)
	if err != nil {
		panic(err)
	}
	if _, err := s.Append(ctx, "s1", store.Draft{Prompt: prompt, Input: in, Label: "turn 1"}); err != nil {
		panic(err)
	}

	found, err := s.Search(ctx, store.SearchQuery{Text: "small steps"})
	if err != nil {
		panic(err)
	}
	for _, m := range found.Matches {
		text, _, err := s.Text(ctx, m.Session, m.Seq)
		if err != nil {
			panic(err)
		}
		fmt.Println(m.Session, m.Seq, text)
	}
	// Output:
	// s1 1 Work in small steps.
}
