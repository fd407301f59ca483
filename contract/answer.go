package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// The codes of findings in an answer.
const (
	// AnswerParse: the answer, or a part of it, isn't in the format.
	AnswerParse cento.Code = "answer.parse"
	// AnswerKind: it emits another kind than was asked for, or says none.
	AnswerKind cento.Code = "answer.kind"
	// AnswerKey: it is for another key, or says none.
	AnswerKey cento.Code = "answer.key"
	// AnswerFactID: a fact without an id; as a warning, one whose id another has.
	AnswerFactID cento.Code = "answer.fact.id"
	// AnswerFactText: a fact without text.
	AnswerFactText cento.Code = "answer.fact.text"
	// AnswerCiteUnknown: a citation of no fact of the contract.
	AnswerCiteUnknown cento.Code = "answer.cite.unknown"
	// AnswerCiteMissing: a fact without citations where they are asked for.
	AnswerCiteMissing cento.Code = "answer.cite.missing"
	// AnswerPlaceholder: a word of the shape that [Contract.AnswerShape] prints stands where
	// the model was to write its own.
	AnswerPlaceholder cento.Code = "answer.placeholder"
	// AnswerSeveral: the text holds several complete answers that differ. None is taken.
	AnswerSeveral cento.Code = "answer.several"
	// AnswerWrapped: the answer stands within other text, such as a code fence.
	AnswerWrapped cento.Code = "answer.wrapped"
)

// Finding is one thing about an answer.
type Finding struct {
	Code cento.Code `json:"code"`
	// Severity is an error for what breaks the contract, else a warning.
	Severity cento.Severity `json:"severity"`
	Message  string         `json:"message"`
	Line     int            `json:"line"`   // from 1
	Column   int            `json:"column"` // in code points, from 1
	Hint     string         `json:"hint,omitempty"`

	at int
}

// Report is what there is to say about an answer.
type Report struct {
	// Holds: nothing in it breaks the contract.
	Holds bool `json:"holds"`
	// Checked is false when the format is plain: such an answer has no parts, and
	// all that was looked at is whether it is empty.
	Checked bool `json:"checked"`
	// Findings are in the order of the answer, at most a hundred.
	Findings []Finding `json:"findings"`
	// Omitted is how many more there were.
	Omitted int `json:"omitted,omitempty"`
	// Answer is what could be read, nil for nothing.
	Answer *Answer `json:"answer,omitempty"`
}

// Answer is what an agent gave back.
type Answer struct {
	// Emit and Key are as written, known or not.
	Emit  string       `json:"emit"`
	Key   string       `json:"key"`
	Facts []AnswerFact `json:"facts"`
}

// AnswerFact is a fact of an answer, and the facts of the contract that it
// cites.
type AnswerFact struct {
	ID      string   `json:"id"`
	Content string   `json:"content"`
	Cites   []string `json:"cites,omitempty"`
}

// maxFindings is how many findings one report lists.
const maxFindings = 100

// CheckAnswer holds an answer against the output that the contract asks for.
// Written in JSON it is
//
//	{"emit": "fact", "key": "competitors", "facts": [{"id": "c1", "content": "…", "cites": ["s1"]}]}
//
// in EDN {:emit :fact :key :competitors :facts [{:id "c1" :c "…" :cites ["s1"]}]},
// and in XML
//
//	<answer emit="fact" key="competitors"><fact id="c1" cites="s1 s2">…</fact></answer>
//
// where an id with spaces is cited by <cite>an id</cite> within the fact. Without
// a format in the contract any of the three is read. CheckAnswer finds an answer within
// prose or a code fence, and warns of it. It skips what stands within reasoning tags such as
// <think>, takes none of several answers that differ, and refuses the placeholders of
// [Contract.AnswerShape]. Limits.Prompt bounds the answer; 0 is the default.
func (c *Contract) CheckAnswer(answer string, limits cento.Limits) *Report {
	k := checker{contract: c, text: answer, report: &Report{Checked: true}}
	limit := limits.Or(cento.DefaultLimits()).Prompt
	bad := -1
	if len(answer) <= limit {
		bad = invalidUTF8(answer)
	}
	switch {
	case len(answer) > limit:
		k.add(AnswerParse, 0, "", "%d bytes are more than the %d an answer may have", len(answer), limit)
	case bad >= 0:
		k.add(AnswerParse, bad, "", "byte 0x%02x isn't UTF-8", answer[bad])
	case strings.TrimSpace(answer) == "":
		k.add(AnswerParse, 0, "", "the answer is empty")
	case c.output.Format == FormatPlain:
		k.report.Checked = false
		if strings.TrimSpace(answer) == c.AnswerShape() {
			k.add(AnswerPlaceholder, firstWord(answer), "", "this is the shape that was asked for, not an answer")
		}
	default:
		k.find()
	}
	k.finish()
	return k.report
}

// checker makes a report.
type checker struct {
	contract *Contract
	text     string
	report   *Report
	broken   bool // by a finding that isn't kept
}

// add notes what breaks the contract.
func (k *checker) add(code cento.Code, at int, hint, format string, args ...any) {
	k.note(cento.SeverityError, code, at, hint, format, args...)
}

func (k *checker) note(s cento.Severity, code cento.Code, at int, hint, format string, args ...any) {
	// Ten times what is shown is kept, so that the first ones are found when they
	// are put in order.
	if len(k.report.Findings) >= 10*maxFindings {
		k.report.Omitted++
		k.broken = k.broken || s == cento.SeverityError
		return
	}
	k.report.Findings = append(k.report.Findings, Finding{Code: code, Severity: s, Message: fmt.Sprintf(format, args...), Hint: hint, at: at})
}

// finish puts the findings in order and finds their places in one pass.
func (k *checker) finish() {
	r := k.report
	r.Holds = !k.broken && !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity == cento.SeverityError })
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(a.at, b.at) })
	if n := len(r.Findings); n > maxFindings {
		r.Omitted += n - maxFindings
		r.Findings = r.Findings[:maxFindings]
	}
	places := cento.CursorAt(cento.Position{Line: 1, Column: 1}, k.text)
	for i := range r.Findings {
		f := &r.Findings[i]
		at := places.At(f.at)
		f.Line, f.Column = at.Line, at.Column
	}
	if r.Findings == nil {
		r.Findings = []Finding{}
	}
}

// check looks at the parts of an answer that was read.
func (k *checker) check(root *tree) {
	answer := &Answer{Facts: []AnswerFact{}}
	k.report.Answer = answer
	out := k.contract.output
	n := root.names
	k.unknown(root, "the answer", n.emit, n.key, n.facts)
	answer.Emit = k.word(root, n.emit, AnswerKind, out.Emit.String())
	answer.Key = k.word(root, n.key, AnswerKey, out.Key)
	_, facts := root.member(n.facts)
	if facts == nil {
		k.add(AnswerParse, root.at, "", "the part %s is missing", n.facts)
		return
	}
	if facts.kind != listTree {
		k.add(AnswerParse, facts.at, "", "%s is %s, expected a list of facts", n.facts, facts.shown())
		return
	}
	given := make(map[string]bool, len(k.contract.facts))
	for i := range k.contract.facts {
		given[k.contract.facts[i].ID] = true
	}
	seen := make(map[string]bool, len(facts.items))
	for i := range facts.items {
		if f, ok := k.fact(&facts.items[i], n, given, seen); ok {
			answer.Facts = append(answer.Facts, f)
		}
	}
}

// unknown warns of parts that nothing reads.
func (k *checker) unknown(t *tree, of string, known ...string) {
	for i := 0; i < len(t.items); i += 2 {
		if name := &t.items[i]; !slices.Contains(known, name.text) {
			k.note(cento.SeverityWarning, AnswerParse, name.at, unknownHint(name.text, known), "unknown part %q of %s", clip(name.text), of)
		}
	}
}

// word is a part that must be one word.
func (k *checker) word(root *tree, name string, code cento.Code, want string) string {
	_, value := root.member(name)
	switch {
	case value == nil:
		k.add(code, root.at, fmt.Sprintf("expected %q", want), "the part %s is missing", name)
	case value.kind != textTree:
		k.add(code, value.at, "", "%s is %s, expected %q", name, value.shown(), want)
	case value.text != want:
		k.add(code, value.at, "", "%s is %q, expected %q", name, clip(value.text), want)
		return value.text
	default:
		return want
	}
	return ""
}

func (k *checker) fact(t *tree, n *treeNames, given, seen map[string]bool) (f AnswerFact, ok bool) {
	if t.kind != mapTree {
		k.add(AnswerParse, t.at, "", "expected a fact, got %s", t.shown())
		return f, false
	}
	k.unknown(t, "a fact", n.id, n.content, n.cites)
	f.ID = k.factText(t, n.id, AnswerFactID, placeID)
	f.Content = k.factText(t, n.content, AnswerFactText, placeText)
	if f.ID != "" && seen[f.ID] {
		_, at := t.member(n.id)
		k.note(cento.SeverityWarning, AnswerFactID, at.at, "", "the id %q is given twice", clip(f.ID))
	}
	seen[f.ID] = true
	_, cites := t.member(n.cites)
	asked := k.contract.constraints.Has(CiteSources)
	switch {
	case cites != nil && cites.kind != listTree:
		k.add(AnswerParse, cites.at, "", "%s is %s, expected a list of ids", n.cites, cites.shown())
		return f, true
	case asked && (cites == nil || len(cites.items) == 0):
		k.add(AnswerCiteMissing, t.at, "name the facts that it follows from under "+n.cites, "the fact %q cites nothing", clip(f.ID))
	}
	if cites == nil {
		return f, true
	}
	for i := range cites.items {
		cite := &cites.items[i]
		switch {
		case cite.kind != textTree:
			k.add(AnswerParse, cite.at, "", "a citation is %s, expected the id of a fact", cite.shown())
			continue
		case !given[cite.text] && asked && strings.TrimSpace(cite.text) == placeCited:
			k.placeholder(cite, n.cites)
		case !given[cite.text]:
			// Where nobody asked for citations, a wrong one breaks nothing.
			severity := cento.SeverityWarning
			if asked {
				severity = cento.SeverityError
			}
			k.note(severity, AnswerCiteUnknown, cite.at, k.nearestID(cite.text), "%q is no fact of the contract", clip(cite.text))
		}
		f.Cites = append(f.Cites, cite.text)
	}
	return f, true
}

// factText is a part of a fact that must be there and say something.
func (k *checker) factText(t *tree, name string, code cento.Code, place string) string {
	_, value := t.member(name)
	switch {
	case value == nil:
		k.add(code, t.at, "", "the part %s of a fact is missing", name)
	case value.kind != textTree:
		hint := ""
		if value.kind == otherTree {
			hint = "put it between quotes"
		}
		k.add(code, value.at, hint, "%s is %s, expected a text", name, value.shown())
	case strings.TrimSpace(value.text) == "":
		k.add(code, value.at, "", "%s is empty", name)
	case strings.TrimSpace(value.text) == place:
		k.placeholder(value, name)
	default:
		return value.text
	}
	return ""
}

// placeholder refuses a value that repeats the shape.
func (k *checker) placeholder(value *tree, name string) {
	k.add(AnswerPlaceholder, value.at, "", "%s is %q, a placeholder of the shape that was asked for", name, strings.TrimSpace(value.text))
}

// nearestID proposes an id of the contract, if there are few enough to be
// looked at.
func (k *checker) nearestID(id string) string {
	facts := k.contract.facts
	if len(facts) > 200 {
		return ""
	}
	ids := make([]string, len(facts))
	for i := range facts {
		ids[i] = facts[i].ID
	}
	return nearest.Hint(id, ids, "")
}
