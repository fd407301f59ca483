package cache_test

import (
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// told prints of each request how it begins.
func told(steps []cache.Step) error {
	a := cache.New(cache.Options{Reduce: pack.Reduce})
	for _, s := range steps {
		if _, err := a.Add(s); err != nil {
			return err
		}
	}
	report := a.Report()
	for _, s := range report.Steps {
		for _, c := range s.Causes {
			fmt.Println(s.Name, c.Kind, c.Fragment)
		}
	}
	return nil
}

// A text of the prompt is another in the second request.
func ExampleAnalysis() {
	m, _ := model.Default().Lookup("claude-opus-5")
	var steps []cache.Step
	for _, day := range []string{"Monday", "Tuesday"} {
		in := cento.Input{Fragments: []cento.Fragment{
			cento.NewFragment("day", "", cento.Before, "It is "+day+"."),
			cento.NewFragment("rules", "", cento.Before, "Run the tests."),
		}}
		prompt, err := pack.Reduce(in)
		if err != nil {
			fmt.Println(err)
			return
		}
		steps = append(steps, cache.Step{Name: day, Input: &in, Request: wire.Request{Form: wire.Anthropic, Model: &m, Prompt: prompt}})
	}
	if err := told(steps); err != nil {
		fmt.Println(err)
	}
	// Output: Tuesday fragment_changed day
}
