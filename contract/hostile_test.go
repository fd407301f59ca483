package contract

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// Garbage of any kind is refused with a place, in any form, at once.
func TestGarbage(t *testing.T) {
	const many = 100_000
	garbage := map[string]string{
		"brackets":    strings.Repeat("[", many),
		"braces":      strings.Repeat("{", many),
		"maps":        strings.Repeat(`{"context":`, many),
		"edn maps":    strings.Repeat(`{:c `, many),
		"parens":      strings.Repeat("(", many),
		"sets":        strings.Repeat("#{", many),
		"elements":    strings.Repeat("<contract>", many),
		"attributes":  "<contract" + strings.Repeat(` a="b"`, many),
		"one element": `<contract role="analyzer">` + strings.Repeat("<context>", many),
		"references":  `<contract role="analyzer"><objective>` + strings.Repeat("&amp;", many),
		"quotes":      strings.Repeat(`"`, many),
		"backslashes": `{"role":"` + strings.Repeat(`\`, many),
		"hyphens":     strings.Repeat("- ", many),
		"semicolons":  strings.Repeat(";\n", many),
		"commas":      strings.Repeat(",", many),
		"spaces":      strings.Repeat(" ", many),
		"lines":       strings.Repeat("\n", many),
		"groups":      "role: analyzer\nobjective:\nconstraints:\noutput: fact -> seeds\nseeds[99999999]:\n",
		"NUL":         strings.Repeat("\x00", many),
		"bytes":       strings.Repeat("\xff", many),
		"long name":   "<" + strings.Repeat("a", 10*many) + ">",
		"long key":    "{:" + strings.Repeat("a", 10*many) + "}",
	}
	for name, text := range garbage {
		for _, form := range Forms() {
			_, err := Parse(form, text, ParseOptions{File: "g"})
			e, ok := errors.AsType[*cento.SourceError](err)
			if !ok || e.Position.Line == 0 || e.Position.Column == 0 || len(e.Error()) > 400 {
				t.Errorf("%s as %s: %T %.200v", name, form, err, err)
			}
		}
		for _, format := range []Format{NoFormat, FormatEDN, FormatJSON, FormatXML} {
			c := *smallContract(t)
			c.output.Format = format
			report := c.CheckAnswer(text, cento.Limits{})
			if report.Holds || len(report.Findings) == 0 || report.Findings[0].Line == 0 {
				t.Errorf("%s as an answer in %s: %+v", name, format, report)
			}
		}
		for _, file := range []string{"c.yaml", "c.json"} {
			if _, err := ParseFile(file, []byte(text), cento.Limits{}, cento.TrustWorkspace); err == nil {
				t.Errorf("%s as %s is read", name, file)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	c := smallContract(t)
	for _, form := range Forms() {
		if !form.Readable() {
			continue
		}
		text := c.Text(form)
		if _, err := Parse(form, text, ParseOptions{Limits: cento.Limits{Prompt: len(text)}}); err != nil {
			t.Errorf("%s: %v", form, err)
		}
		if _, err := Parse(form, text, ParseOptions{Limits: cento.Limits{Prompt: len(text) - 1}}); !errors.Is(err, cento.LimitExceeded) {
			t.Errorf("%s: %v", form, err)
		}
	}
	for _, form := range []Form{Plain, Markdown} {
		if _, err := Parse(form, "x", ParseOptions{}); !errors.Is(err, Unreadable) {
			t.Errorf("%s: %v", form, err)
		}
	}
	if _, err := Parse(Form(99), "x", ParseOptions{}); !errors.Is(err, UnknownName) {
		t.Error(err)
	}
	if _, err := Parse(EDN, c.Text(EDN), ParseOptions{Keys: []string{"No"}}); !errors.Is(err, InvalidKey) {
		t.Error(err)
	}
}

func TestLargeAnswer(t *testing.T) {
	c := smallContract(t)
	c.output.Format = FormatJSON
	answer := `{"emit":"proposed-fact","key":"competitors","facts":[{"id":"a","content":"` + strings.Repeat("x", 50<<20) + `"}]}`
	report := c.CheckAnswer(answer, cento.Limits{})
	if report.Holds || len(report.Findings) != 1 || report.Findings[0].Code != AnswerParse {
		t.Errorf("%+v", report.Findings)
	}
	if report = c.CheckAnswer(answer, cento.Limits{Prompt: len(answer)}); !report.Holds || len(report.Answer.Facts) != 1 {
		t.Errorf("%+v", report.Findings)
	}
	// Many values, and many findings.
	answer = `{"emit":"proposed-fact","key":"competitors","facts":[` + strings.Repeat("1,", 400_000) + `2]}`
	if report = c.CheckAnswer(answer, cento.Limits{}); report.Holds || len(report.Findings) != maxFindings || report.Omitted != 400_001-maxFindings {
		t.Errorf("%d findings, %d omitted", len(report.Findings), report.Omitted)
	}
	answer = `{"emit":"proposed-fact","key":"competitors","facts":[` + strings.Repeat("1,", maxValues) + `2]}`
	if report = c.CheckAnswer(answer, cento.Limits{}); report.Holds || len(report.Findings) != 1 {
		t.Errorf("%d findings", len(report.Findings))
	}
	// Prose of braces costs a bounded number of tries.
	if report = c.CheckAnswer(strings.Repeat(`{"a": `, 1<<20), cento.Limits{}); report.Holds {
		t.Error("it holds")
	}
}

func TestNew(t *testing.T) {
	var good Context
	good.AddFacts("signals", Fact{"s1", "x"})
	out := NewOutput(EmitFact, "seeds")
	with := func(build func(*Context)) Context {
		var c Context
		build(&c)
		return c
	}
	for name, c := range map[string]struct {
		role      Role
		objective string
		context   Context
		output    Output
		code      cento.ErrorCode
	}{
		"role":      {Role("propser"), "x", good, out, UnknownName},
		"emit":      {Proposer, "x", good, NewOutput(Emit(99), "seeds"), UnknownName},
		"format":    {Proposer, "x", good, out.WithFormat(Format(9)), UnknownName},
		"target":    {Proposer, "x", good, NewOutput(EmitFact, "sedes"), UnknownName},
		"objective": {Proposer, "\xff", good, out, InvalidUTF8},
		"id":        {Proposer, "x", with(func(c *Context) { c.AddFacts("seeds", Fact{"\xc3", "x"}) }), out, InvalidUTF8},
		"content":   {Proposer, "x", with(func(c *Context) { c.AddFacts("seeds", Fact{"x", "\xed\xa0\x80"}) }), out, InvalidUTF8},
		"key":       {Proposer, "x", with(func(c *Context) { c.AddFacts("risks", Fact{"x", "x"}) }), out, UnknownName},
		"twice": {Proposer, "x", with(func(c *Context) {
			c.AddFacts("seeds", Fact{"x", "x"})
			c.AddFacts("seeds", Fact{"y", "y"})
		}), out, Duplicate},
		"declared":       {Proposer, "x", with(func(c *Context) { c.Declare("A b") }), out, InvalidKey},
		"declared twice": {Proposer, "x", with(func(c *Context) { c.Declare("a", "a") }), out, Duplicate},
		"long key":       {Proposer, "x", with(func(c *Context) { c.Declare(strings.Repeat("a", 65)) }), out, InvalidKey},
	} {
		if got, err := New(c.role, c.objective, c.context, c.output); !errors.Is(err, c.code) || got != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := New(Proposer, "x", with(func(c *Context) {
		c.Declare(strings.Repeat("a", 64))
		c.AddFacts(strings.Repeat("a", 64), Fact{"x", "x"})
	}), out); err != nil {
		t.Error(err)
	}
}

type mapStore map[string][]Fact

func (m mapStore) Facts(key string) []Fact { return m[key] }

func TestFromContext(t *testing.T) {
	store := mapStore{"signals": {{"s1", "a"}}, "seeds": {{"a", "b"}, {"c", "d"}}}
	c, err := New(Proposer, "x", FromContext(store, "seeds", "votes", "signals"), NewOutput(EmitFact, "seeds"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for key, f := range c.Facts() {
		got = append(got, key+"/"+f.ID)
	}
	if s := strings.Join(got, " "); s != "seeds/a seeds/c signals/s1" {
		t.Error(s)
	}
	for _, keys := range [][]string{{"seeds", "signals", "seeds"}, {"votes", "votes"}} {
		if _, err := New(Proposer, "x", FromContext(store, keys...), NewOutput(EmitFact, "seeds")); !errors.Is(err, Duplicate) {
			t.Errorf("%v: %v", keys, err)
		}
	}
	// What was handed over may change afterwards.
	store["seeds"][0].ID = "changed"
	for _, f := range c.Facts() {
		if f.ID == "changed" {
			t.Error("the contract has changed")
		}
	}
}

func TestCopies(t *testing.T) {
	c := smallContract(t)
	d := c.WithConstraints(CiteSources, Constraint(77))
	if c.Constraints().Has(CiteSources) || !d.Constraints().Has(CiteSources) || d.Constraints() == 0xff {
		t.Error(c.Constraints(), d.Constraints())
	}
	if c.Equal(d) || !c.Equal(smallContract(t)) || c.Equal(nil) {
		t.Error("equality")
	}
}

// What counts as a number of JSON in an answer is what the standard library takes
// for one.
func TestJSONNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("0019-+.eE")), 0, 8, -1).Draw(t, "number")
		if got, want := isJSONNumber(s), s != "" && json.Valid([]byte(s)); got != want {
			t.Fatalf("%q: %v, want %v", s, got, want)
		}
	})
}
