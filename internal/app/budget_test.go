package app_test

import (
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/model"
)

// A budget is read by the command line as requests and manifests have it.
func TestParseBudget(t *testing.T) {
	for text, want := range map[string]app.Budget{
		"8000": {Tokens: 8000}, " 0 ": {}, "20%": {Share: 0.2}, " 12.5 % ": {Share: 0.125}, "100%": {Share: 1},
	} {
		if got, err := app.ParseBudget(text); err != nil || *got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "%", "0%", "-1%", "101%", "NaN%", "+Inf%", "0.2", "-1", "many", "20%%"} {
		if got, err := app.ParseBudget(text); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// What is left for the prompt is known by what was taken from the budget alone.
func TestLimitExact(t *testing.T) {
	for _, test := range []struct {
		name   string
		model  string
		budget *cento.Budget
		want   bool
	}{
		{"estimates, and a framing that nobody knows", "claude-opus-5", &cento.Budget{Tokens: 100, Reserve: 4}, false},
		{"estimates, of tools", "claude-opus-5", &cento.Budget{Tokens: 100, Framing: 7, Tools: 20}, false},
		{"estimates, and no budget", "claude-opus-5", nil, false},
		{"exact counts, and a framing that nobody knows", "gpt-5.4", &cento.Budget{Tokens: 100, Form: "openai"}, false},
		{"exact counts, and what the caller says of the rest", "gpt-5.4", &cento.Budget{Tokens: 100, Framing: 7, Tools: 20}, true},
		{"exact counts, and a framing that is known", "gpt-5", &cento.Budget{Tokens: 100, Form: "openai"}, true},
		{"the same, without a budget", "gpt-5", nil, true},
	} {
		known, _ := model.Default().Lookup(test.model)
		p, err := app.OpenRecorded(cento.Input{
			Primary: cento.Primary{}.WithSystem(cento.Text{Body: "Review."}), Active: cento.Active{Model: test.model}, Model: &known, Budget: test.budget,
		})
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.Budget(t.Context(), p.Input, "")
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if a.LimitExact != test.want {
			t.Errorf("%s: limit_exact is %v of %+v", test.name, a.LimitExact, a.BudgetReport)
		}
	}
}
