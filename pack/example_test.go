package pack_test

import (
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// A prompt file is rendered, and each stretch of its text knows where it is from.
func Example() {
	roots, err := pack.RootsOf(map[string]string{
		"$workspace/review": "Review as {{ vars.reviewer }}.\n{% include 'tone' %}\n",
		"$workspace/tone":   "Be brief.\n",
	}, nil)
	if err != nil {
		panic(err)
	}
	ref, err := pack.ParseRef("$workspace/review", pack.Ref{}, cento.Position{})
	if err != nil {
		panic(err)
	}
	file, err := pack.NewLoader(roots, cento.Limits{}).Open(ref, cento.Position{})
	if err != nil {
		panic(err)
	}
	engine, err := pack.NewEngine(cento.Input{Files: cento.Files{Given: []byte(`{"reviewer": "a security engineer"}`)}}, file)
	if err != nil {
		panic(err)
	}
	text, err := engine.Render(file, cento.Active{})
	if err != nil {
		panic(err)
	}
	for _, run := range text.Runs {
		fmt.Printf("%s %s %q\n", run.Position, run.Var, text.Body[run.Start:run.End])
	}
	// Output:
	// $workspace/review.md:1:1  "Review as "
	// $workspace/review.md:1:14 vars.reviewer "a security engineer"
	// $workspace/review.md:1:30  ".\n"
	// $workspace/tone.md:1:1  "Be brief."
}
