package app

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// drawBudgeted is a project with fragments that a budget can drop or shorten, or none.
func drawBudgeted(t *rapid.T) *Project {
	var b strings.Builder
	b.WriteString("profile: off\nscope: off\nsystem: You write code.\n")
	fmt.Fprintf(&b, "model: %s\n", rapid.SampledFrom([]string{"gpt-5.4", "claude-opus-5", "nobody-1"}).Draw(t, "model"))
	if rapid.Bool().Draw(t, "tools?") {
		b.WriteString("tools: [{name: read, description: Reads a file., guidance: Read first.}]\n")
	}
	b.WriteString("fragments:\n")
	for i := range rapid.IntRange(0, 4).Draw(t, "fragments") {
		f := drawn{"id": fmt.Sprintf("f%d", i), "body": strings.Repeat("Write it down. ", rapid.IntRange(1, 5).Draw(t, "length"))}
		if rapid.IntRange(0, 2).Draw(t, "optional?") > 0 {
			f["importance"] = i
			if rapid.Bool().Draw(t, "variant?") {
				f["variants"] = []string{"Write."}
			}
		}
		b.WriteString("  - " + f.yaml(false) + "\n")
	}
	files := map[string]string{"cento.yaml": strings.TrimSuffix(b.String(), "fragments:\n")}
	if n := rapid.IntRange(0, 6).Draw(t, "lines"); n > 0 {
		files["AGENTS.md"] = strings.Repeat("- Run the tests of what you touched.\n", n)
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "skills") {
		files[fmt.Sprintf(".cento/skills/s%d/SKILL.md", i)] = fmt.Sprintf("---\nname: s%d\ndescription: Describes the number %d at some length.\n---\nBody.\n", i, i)
	}
	p, _ := ofFiles(t, files)
	return p
}

var sentence = regexp.MustCompile(`^A budget below ~?(\d+) tokens? (fails|shortens required fragments too)$`)

// TestBudgetSentencesAreTrue tries out what each sentence about budgets says, and compares
// the numbers of the report with the prompt.
func TestBudgetSentencesAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawBudgeted(t)
		input := p.allRoom(p.Input).WithBudget(rapid.IntRange(1, 150).Draw(t, "budget"))
		input.Budget.Reserve = rapid.SampledFrom([]int{0, 7}).Draw(t, "reserve")
		at := func(tokens int) (*BudgetAnswer, error) { return p.Budget(t.Context(), input.WithBudget(tokens), "") }
		a, err := p.Budget(t.Context(), input, "")
		if e, ok := errors.AsType[*cento.SourceError](err); ok && e.Code == cento.BudgetRequired {
			m := regexp.MustCompile(`^set a budget of at least ~?(\d+) tokens$`).FindStringSubmatch(e.Hint)
			if m == nil {
				t.Fatalf("hint %q", e.Hint)
			}
			n, _ := strconv.Atoi(m[1])
			if a, err = at(n); err != nil {
				t.Fatalf("%q doesn't work: %v", e.Hint, err)
			}
			if a.Least != n {
				t.Fatalf("the hint says %d, the report %d", n, a.Least)
			}
			input = input.WithBudget(n)
		} else if err != nil {
			t.Fatal(err)
		}
		checkCuts(t, p, input, a)

		fails, shortens := 0, a.Least // what the sentences say
		dropsNone, shortensNone := false, false
		for s := range strings.SplitSeq(strings.TrimSuffix(a.Summary, "."), ". ") {
			switch m := sentence.FindStringSubmatch(s); {
			case m != nil && m[2] == "fails":
				fails, _ = strconv.Atoi(m[1])
			case m != nil:
				shortens, _ = strconv.Atoi(m[1])
			case s == "Every fragment is required: a budget drops none":
				dropsNone = true
			case s == "Every fragment is required, and a budget can't shorten any":
				dropsNone, shortensNone = true, true
			default:
				t.Fatalf("%q is not among the sentences", s)
			}
		}
		for _, n := range []int{fails - 1, fails, fails + 1, shortens - 1, shortens, shortens + 9, input.Budget.Tokens} {
			if n < 0 {
				continue
			}
			x, err := at(n)
			if (err != nil) != (n < fails) {
				t.Fatalf("%q, and %d tokens give %v", a.Summary, n, err)
			}
			if err != nil {
				continue
			}
			required := false
			for _, c := range x.Cuts {
				required = required || c.Variant == 0
			}
			if required != (n < shortens) || dropsNone && x.Dropped > 0 || shortensNone && len(x.Cuts) > 0 || dropsNone != (len(x.Sequence) == 0) {
				t.Fatalf("%q, and %d tokens give %+v", a.Summary, n, x.BudgetReport)
			}
			if x.Summary != a.Summary {
				t.Fatalf("%q with one budget, %q with another", a.Summary, x.Summary)
			}
		}
	})
}

// checkCuts compares the list of shortened fragments with the prompts with and without the
// budget.
func checkCuts(t *rapid.T, p *Project, in cento.Input, a *BudgetAnswer) {
	whole, err := p.Reduce(p.allRoom(in))
	if err != nil {
		t.Fatal(err)
	}
	prompt, err := p.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	cut := map[string]bool{}
	for _, c := range a.Cuts {
		cut[c.Fragment] = true
		i, _ := prompt.Index(c.Fragment)
		if c.File == "" && (c.Bytes != len(whole.Text(i)) || c.Kept != len(prompt.Text(i))) {
			t.Fatalf("%+v, of %q and %q", c, whole.Text(i), prompt.Text(i))
		}
		if c.File != "" && c.Kept > 0 && !strings.Contains(prompt.Text(i), fmt.Sprintf("[cut: %s: kept %d of %d bytes, over budget]", c.File, c.Kept, c.Bytes)) {
			t.Fatalf("%+v, of %q", c, prompt.Text(i))
		}
	}
	if len(cut) != a.Shortened {
		t.Fatalf("%d fragments are shortened, and listed are %+v", a.Shortened, a.Cuts)
	}
	for i := range prompt.Len() {
		if id := prompt.Fragment(i).ID; prompt.In(i) && cut[id] == (prompt.Text(i) == whole.Text(i)) {
			t.Fatalf("%s is listed: %t", id, cut[id])
		}
	}
}
