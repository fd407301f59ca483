package contract

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
)

// The words of the shape in whose place a model writes its own. [Contract.CheckAnswer] refuses
// them.
const (
	placeID    = "ID"
	placeText  = "TEXT"
	placeCited = "CITED"
)

// AnswerShape is the text that tells a model how its answer is to be written: an
// example in the format that the contract asks for, with the kind and key that it
// asks for, and what is to stand in place of its capital letters. It is the same for
// every contract with the same output and the same rule on citations, and holds no
// text of a fact. Without a format the example is in JSON.
func (c *Contract) AnswerShape() string {
	format := c.output.Format
	if format == FormatPlain {
		return "Answer in plain text."
	}
	if format == NoFormat {
		format = FormatJSON
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Answer in %s, and with nothing else, in this shape:\n\n%s\n\n", strings.ToUpper(format.String()), c.exampleAnswer(format))
	b.WriteString("Write one fact after the other, as many as there are: " + placeID + " is a short name of its own for each, " + placeText + " is what it says.")
	if c.constraints.Has(CiteSources) {
		b.WriteString(" " + placeCited + " is the id of a fact that you were given and that it follows from: each fact cites at least one.")
	}
	return b.String()
}

// exampleAnswer is an answer with one fact. An id in an attribute of XML couldn't
// hold spaces, so citations stand in elements.
func (c *Contract) exampleAnswer(format Format) string {
	emit, key, cites := c.output.Emit, c.output.Key, c.constraints.Has(CiteSources)
	cite := func(text string) string {
		if cites {
			return text
		}
		return ""
	}
	switch format {
	case FormatEDN:
		return fmt.Sprintf(`{:emit :%s :key :%s :facts [{:id %q :c %q%s}]}`, emit, key, placeID, placeText, cite(` :cites ["`+placeCited+`"]`))
	case FormatXML:
		return fmt.Sprintf(`<answer emit="%s" key="%s"><fact id=%q>%s%s</fact></answer>`, emit, key, placeID, placeText, cite("<cite>"+placeCited+"</cite>"))
	default:
		return fmt.Sprintf(`{"emit": "%s", "key": "%s", "facts": [{"id": %q, "content": %q%s}]}`, emit, key, placeID, placeText, cite(`, "cites": ["`+placeCited+`"]`))
	}
}

// maxRetried is how many findings a request for a second try lists.
const maxRetried = 20

// Retry is the message that asks for a second try: what breaks the contract in an
// answer, a line for each finding with its place in the answer, and the shape that
// is wanted. It is empty for an answer that holds. What it quotes of the answer is
// short, between quotes and on the line of its finding.
func (c *Contract) Retry(r *Report) string {
	if r.Holds {
		return ""
	}
	var b strings.Builder
	b.WriteString("Your answer can't be used. Write all of it again without these faults:\n\n")
	listed, more := 0, 0
	for i := range r.Findings {
		f := &r.Findings[i]
		switch {
		case f.Severity != cento.SeverityError:
		case listed == maxRetried:
			more++
		default:
			listed++
			fmt.Fprintf(&b, "- line %d, column %d: %s", f.Line, f.Column, f.Message)
			if f.Hint != "" {
				b.WriteString("; " + f.Hint)
			}
			b.WriteByte('\n')
		}
	}
	switch {
	case r.Omitted > 0 && more > 0: // what the report left out may be warnings
		fmt.Fprintf(&b, "- and at least %d more\n", more)
	case r.Omitted > 0:
		b.WriteString("- and perhaps more\n")
	case more > 0:
		fmt.Fprintf(&b, "- and %d more\n", more)
	}
	b.WriteString("\n" + c.AnswerShape())
	return b.String()
}
