package contract

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/quote"
)

// TestAnswerShapeHolds: an answer that is written as the shape says is one that
// holds, whatever the ids of the facts are. The shape itself isn't an answer.
func TestAnswerShapeHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contracts().Draw(t, "contract")
		if c.output.Format == FormatPlain {
			if got := c.AnswerShape(); got != "Answer in plain text." {
				t.Fatal(got)
			}
			if r := c.CheckAnswer(c.AnswerShape(), cento.Limits{}); r.Holds {
				t.Fatal("the shape itself holds")
			}
			return
		}
		cited, found := "", c.constraints.Has(CiteSources)
		for _, f := range c.Facts() {
			if !beyondXML(f.ID) && strings.TrimSpace(f.ID) == f.ID && f.ID != "" && !strings.Contains(f.ID, "\r") {
				cited = f.ID
			}
		}
		if found && cited == "" {
			return // nothing that could be cited
		}
		_, rest, _ := strings.Cut(c.AnswerShape(), "\n\n")
		answer, _, _ := strings.Cut(rest, "\n\n")
		switch c.output.Format {
		case FormatXML:
			cited = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(cited)
		case FormatEDN:
			s := string(ednEscapes.Append(nil, cited))
			cited = s[1 : len(s)-1]
		default:
			s := string(quote.JSON.Append(nil, cited))
			cited = s[1 : len(s)-1]
		}
		if r := c.CheckAnswer(answer, cento.Limits{}); r.Holds || !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Code == AnswerPlaceholder }) {
			t.Fatalf("the shape itself holds: %+v\n%s", r.Findings, answer)
		}
		r := c.CheckAnswer(strings.NewReplacer("CITED", cited, "ID", "c1", "TEXT", "A price.").Replace(answer), cento.Limits{})
		if !r.Holds || len(r.Findings) > 0 {
			t.Fatalf("%+v\n%s", r.Findings, answer)
		}
		if c.Retry(r) != "" {
			t.Fatal("an answer that holds is asked for again")
		}
	})
}

// TestRetryIsOneLineForEachFault, also where the answer is made to look like more.
func TestRetryIsOneLineForEachFault(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contracts().Draw(t, "contract")
		hostile := rapid.SliceOfN(rapid.SampledFrom([]string{"\n", "\r", "\u2028", "\u0085", "- x", "# Note", `"`, "{", "}", ":emit", `"facts": [`, "<answer", " "}), 0, 12)
		word := func(name string) string { return strings.Join(hostile.Draw(t, name), "") }
		answer := rapid.OneOf(
			rapid.Just(word("text")),
			rapid.Custom(func(*rapid.T) string {
				return `{"emit": ` + string(quote.JSON.Append(nil, word("emit"))) + `, "key": ` + string(quote.JSON.Append(nil, word("key"))) +
					`, ` + string(quote.JSON.Append(nil, word("part"))) + `: 1, "facts": [{"id": ` + string(quote.JSON.Append(nil, word("id"))) + `, "content": "", "cites": [` +
					string(quote.JSON.Append(nil, word("cite"))) + `]}]}`
			}),
		).Draw(t, "answer")
		r := c.CheckAnswer(answer, cento.Limits{})
		message := c.Retry(r)
		if r.Holds != (message == "") {
			t.Fatalf("holds: %v, message %q", r.Holds, message)
		}
		if r.Holds {
			return
		}
		faults := 0
		for _, f := range r.Findings {
			if f.Severity == cento.SeverityError {
				faults++
			}
		}
		head, rest, _ := strings.Cut(message, ":\n\n")
		list, ok := strings.CutSuffix(rest, "\n\n"+c.AnswerShape())
		if !ok || strings.Contains(head, "\n") {
			t.Fatal(message)
		}
		if lines := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }); len(lines) != faults {
			t.Fatalf("%d faults, %d lines:\n%s", faults, len(lines), list)
		}
	})
}

func TestRetryIsBounded(t *testing.T) {
	var ctx Context
	ctx.AddFacts("seeds", Fact{"a", "x"})
	c, err := New(Proposer, "x", ctx, NewOutput(EmitFact, "seeds"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{maxRetried, maxRetried + 1, 3 * maxFindings} {
		answer := `{"emit": "fact", "key": "seeds", "facts": [` + strings.TrimSuffix(strings.Repeat("1, ", n), ", ") + "]}"
		message := c.Retry(c.CheckAnswer(answer, cento.Limits{}))
		if got := strings.Count(message, "\n- line "); got != maxRetried {
			t.Errorf("%d faults: %d are listed", n, got)
		}
		want := map[int]string{maxRetried: "", maxRetried + 1: "\n- and 1 more\n", 3 * maxFindings: "\n- and at least 80 more\n"}[n]
		if n > maxRetried && !strings.Contains(message, want) || n == maxRetried && strings.Contains(message, " more\n") {
			t.Errorf("%d faults:\n%s", n, message)
		}
	}
}
