// Package contract writes and reads agent prompt contracts: what one agent hands to
// another instead of prose. A contract says for one call who is asked (role), for what
// (objective), from which facts (context), under which constraints, and what is to come
// back (output). It asks no model: what is sent, and to whom, is the host's affair.
//
// The usual path is a [Context] of facts, [New], and [Contract.Text]:
//
//	var ctx contract.Context
//	ctx.AddFacts("signals", contract.Fact{ID: "s1", Content: "Revenue +15% Q3"})
//	c, err := contract.New(contract.Proposer, "extract competitors", ctx,
//		contract.NewOutput(contract.EmitProposedFact, "competitors"))
//	text := c.WithConstraint(contract.NoInvent).Text(contract.Lines)
//
// [Parse] reads a text back, in every form but the two that are for people,
// [Plain] and [Markdown]. [ParseFile] reads the YAML or JSON that people write,
// and [File.Text] gives its text with the place of every byte in that file.
// [Contract.AnswerShape] tells a model how to answer, [Contract.CheckAnswer] looks at
// what it answered, and [Contract.Retry] asks it again.
//
// Which form is cheapest depends on the facts and on the model, so [Costs] counts
// with any counter. For facts that are English sentences it is [Lines], which is
// therefore the default, then [TOON]; EDN has fewer bytes than compact JSON and more
// tokens.
//
// Guarantees: Parse(form, c.Text(form)) is c again, with the order of its
// groups and facts. Only the objective in [EDN] is a keyword where it can be
// one, so that its spaces become hyphens; with [Exact] it comes back as it was.
// The same contract gives the same bytes. No text of a contract can end the
// part it stands in: not a quote, a line end, a heading or a tag. What is read
// is bounded in length and nesting, and every error has line and column.
//
// A contract is immutable and may be shared by goroutines; a Context belongs to
// one.
//
// It will not do: ask a model, count tokens itself, or open files.
package contract
