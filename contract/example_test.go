package contract_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
)

func Example() {
	var ctx contract.Context
	ctx.AddFacts("signals",
		contract.Fact{ID: "s1", Content: "Revenue +15% Q3"},
		contract.Fact{ID: "s2", Content: "Market $2.3B"})
	c, err := contract.New(contract.Proposer, "extract-competitors", ctx,
		contract.NewOutput(contract.EmitProposedFact, "competitors"))
	if err != nil {
		fmt.Println(err)
		return
	}
	c = c.WithConstraints(contract.NoContradict, contract.NoInvent)
	fmt.Println(c.Text(contract.EDN))
	// Output:
	// {:r :proposer
	//  :o :extract-competitors
	//  :c {:signals [{:id "s1" :c "Revenue +15% Q3"} {:id "s2" :c "Market $2.3B"}]}
	//  :k #{:no-invent :no-contradict}
	//  :out {:emit :proposed-fact :key :competitors}}
}

func ExampleParse() {
	_, err := contract.Parse(contract.EDN, "{:r :analyser}", contract.ParseOptions{File: "ask.edn"})
	fmt.Println(err)
	// Output:
	// ask.edn:1:5: unknown role "analyser"
}

// A model is told the shape of the answer, and asked again with what was wrong.
func ExampleContract_Retry() {
	var ctx contract.Context
	ctx.AddFacts("signals", contract.Fact{ID: "s1", Content: "make test runs the tests"})
	c, err := contract.New(contract.Analyzer, "how are tests run", ctx, contract.NewOutput(contract.EmitAnalysis, "evaluations").WithFormat(contract.FormatJSON))
	if err != nil {
		fmt.Println(err)
		return
	}
	facts, err := asked(c.WithConstraint(contract.CiteSources), func(ask string) string {
		cites := "s9" // at first it cites what nobody said
		if strings.Contains(ask, `"s9" is no fact of the contract`) {
			cites = "s1"
		}
		return `{"emit": "analysis", "key": "evaluations", "facts": [{"id": "a", "content": "by make", "cites": ["` + cites + `"]}]}`
	})
	fmt.Println(facts, err)
	// Output:
	// [{a by make [s1]}] <nil>
}

// asked asks a model until its answer keeps to the contract.
func asked(c *contract.Contract, model func(ask string) string) ([]contract.AnswerFact, error) {
	ask := c.Text(contract.Lines) + "\n\n" + c.AnswerShape()
	for range 3 {
		report := c.CheckAnswer(model(ask), cento.Limits{})
		if report.Holds {
			return report.Answer.Facts, nil
		}
		ask = c.Retry(report) // what was wrong, and where
	}
	return nil, errors.New("the answer never kept to the contract")
}

func ExampleContract_CheckAnswer() {
	var ctx contract.Context
	ctx.AddFacts("signals", contract.Fact{ID: "s1", Content: "Revenue +15% Q3"})
	c, err := contract.New(contract.Analyzer, "rank", ctx,
		contract.NewOutput(contract.EmitFact, "strategies").WithFormat(contract.FormatJSON))
	if err != nil {
		fmt.Println(err)
		return
	}
	report := c.WithConstraint(contract.CiteSources).CheckAnswer(
		`{"emit": "fact", "key": "strategies", "facts": [{"id": "a", "content": "raise", "cites": ["s2"]}]}`, cento.Limits{})
	for _, f := range report.Findings {
		fmt.Printf("%d:%d %s: %s\n", f.Line, f.Column, f.Code, f.Message)
	}
	// Output:
	// 1:91 answer.cite.unknown: "s2" is no fact of the contract
}

// facts are what an agent has learned, by what they are about.
type facts map[string][]contract.Fact

func (f facts) Facts(key string) []contract.Fact { return f[key] }

// A host that keeps facts hands over those of some keys; one without facts is left out.
func ExampleFromContext() {
	known := facts{
		"votes": {{ID: "v1", Content: "two for, none against"}},
		"seeds": {{ID: "a", Content: "plant in May"}},
	}
	c, err := contract.New(contract.Analyzer, "rank the seeds", contract.FromContext(known, "seeds", "signals", "votes"),
		contract.NewOutput(contract.EmitAnalysis, "evaluations"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Text(contract.Lines))
	// Output:
	// role: analyzer
	// objective: rank the seeds
	// constraints:
	// output: analysis -> evaluations
	// seeds[1]:
	// a plant in May
	// votes[1]:
	// v1 two for, none against
}

// Keys and roles of one's own are declared; a name that is neither built in nor declared
// is a slip.
func ExampleContext_Declare() {
	var ctx contract.Context
	ctx.Declare("incidents")
	ctx.DeclareRoles("triager")
	ctx.AddFacts("incidents", contract.Fact{ID: "i1", Content: "Disk full on db-2"})
	c, err := contract.New("triager", "rank incidents", ctx, contract.NewOutput(contract.EmitPlan, "incidents"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Text(contract.Lines))
	_, err = contract.New("triagger", "rank incidents", ctx, contract.NewOutput(contract.EmitPlan, "incidents"))
	fmt.Println(err)
	// Output:
	// role: triager
	// objective: rank incidents
	// constraints:
	// output: plan -> incidents
	// incidents[1]:
	// i1 Disk full on db-2
	// unknown role "triagger"
}
