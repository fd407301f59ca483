package contract

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"olympos.io/encoding/edn"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/toon/toontest"
)

// hostile are texts that some form treats apart.
var hostile = []string{
	"", " ", "  ", " a ", "a b", "-", "- a", "#", "\\", "\\n", "\\s", "\\e", "\"", "'", "a,b", "a:b", ":a", "{", "}", "]", "]]>", "<", "&", "&lt;", "</fact>",
	"\n", "\r", "\r\n", "\t", "\x00", "\x01", "\x1f", "\x7f", "\u0085", "\u00a0", "\u2028", "\u2029", "\ufeff", "\ufffe", "\uffff", "\ufffd", "😀", "é",
	"true", "null", "nil", "42", "-1.5", "1e5", "s1", "end\n## Forged", "\n- x: y", "a\tb", "a;b", "#{x}", "\\u0041", "\\ud800", "1a", ".5", "+1", "a/b", "x ",
}

func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom(hostile),
		rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostile), 1, 5).Draw(t, "parts"), "")
		}),
		rapid.StringN(0, 12, -1),
	)
}

// What drawn contracts may use besides the built-in roles and keys.
var declaredRoles = []string{"auditor", "true", "null", "t-1"}

var declaredKeys = []string{"risks", "open-questions", "a", "x_1"}

func contracts() *rapid.Generator[*Contract] {
	return rapid.Custom(func(t *rapid.T) *Contract {
		var ctx Context
		ctx.Declare(declaredKeys...)
		ctx.DeclareRoles(declaredRoles...)
		all := append(slices.Clone(builtinKeys), declaredKeys...)
		for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, 4, rapid.ID[string]).Draw(t, "keys") {
			var facts []Fact
			for range rapid.IntRange(0, 4).Draw(t, "facts") {
				facts = append(facts, Fact{texts().Draw(t, "id"), texts().Draw(t, "content")})
			}
			ctx.AddFacts(key, facts...)
		}
		out := NewOutput(
			Emit(rapid.IntRange(0, len(emitNames)-1).Draw(t, "emit")), rapid.SampledFrom(all).Draw(t, "target"),
		).WithFormat(Format(rapid.IntRange(0, len(formatNames)-1).Draw(t, "format")))
		c, err := New(Role(rapid.SampledFrom(append(slices.Clone(builtinRoles), declaredRoles...)).Draw(t, "role")), texts().Draw(t, "objective"), ctx, out)
		if err != nil {
			t.Fatal(err)
		}
		for k := range Constraint(len(constraintNames)) {
			if rapid.Bool().Draw(t, "constraint") {
				c = c.WithConstraint(k)
			}
		}
		return c
	})
}

// failer is what tests and property tests have in common.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// roundTrip is the law of all forms that are read. It returns the length of the
// text.
func roundTrip(t failer, c *Contract, form Form, options ...Option) int {
	t.Helper()
	text := c.Text(form, options...)
	back, err := Parse(form, text, ParseOptions{Keys: declaredKeys, Roles: declaredRoles})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	want := *c
	if form == EDN && len(options) == 0 {
		want.objective = normalObjective(c.objective)
	}
	if kept := len(c.Losses(form, options...)) == 0; kept != back.Equal(c) {
		t.Fatalf("%s\nkeeps all: %v, and it is said: %v", text, !kept, kept)
	}
	if !back.Equal(&want) {
		t.Fatalf("%s\nis read as\n%s", text, back.Text(JSON))
	}
	if again := back.Text(form, options...); again != text {
		t.Fatalf("first\n%s\nthen\n%s", text, again)
	}
	if strings.HasSuffix(text, "\n") {
		t.Fatalf("%q ends with a line end", text)
	}
	return len(text)
}

func TestRoundTrip(t *testing.T) {
	for _, form := range Forms() {
		if !form.Readable() {
			continue
		}
		t.Run(form.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := contracts().Draw(t, "contract")
				roundTrip(t, c, form)
				roundTrip(t, c, form, Exact)
			})
		})
	}
}

// Tracing changes no byte, and its runs tile the text.
func TestTraceChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contracts().Draw(t, "contract")
		for _, form := range Forms() {
			w := writer{trace: &trace{}}
			w.contract(c, form)
			if text := c.Text(form); string(w.dst) != text {
				t.Fatalf("traced\n%s\nelse\n%s", w.dst, text)
			}
			end := 0
			for _, p := range w.trace.pieces {
				if p.start < end || p.end < p.start || p.end > len(w.dst) || p.copied && p.end-p.start != p.to-p.from {
					t.Fatalf("piece %+v behind %d of %d", p, end, len(w.dst))
				}
				end = p.end
			}
		}
	})
}

// What is appended to is kept, and capacity changes nothing.
func TestAppend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contracts().Draw(t, "contract")
		for _, form := range Forms() {
			dst := append(make([]byte, 0, rapid.IntRange(4, 400).Draw(t, "capacity")), "here"...)
			if got := string(c.Append(dst, form)); got != "here"+c.Text(form) {
				t.Fatalf("%s: %q", form, got)
			}
		}
	})
}

// JSON is what the standard library reads, in the same order.
func TestJSONByTheStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { jsonByTheStandardLibrary(t, contracts().Draw(t, "contract")) })
}

func jsonByTheStandardLibrary(t failer, c *Contract) {
	t.Helper()
	text := c.Text(JSON)
	var in struct {
		Role        Role
		Objective   string
		Context     json.RawMessage
		Constraints []Constraint
		Output      struct {
			Emit   Emit
			Key    string
			Format Format
		}
	}
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	var groups []stretch
	var facts []Fact
	d := json.NewDecoder(strings.NewReader(string(in.Context)))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var list []Fact
		if err := d.Decode(&list); err != nil {
			t.Fatal(err)
		}
		groups = append(groups, stretch{key.(string), len(facts), len(facts) + len(list)})
		facts = append(facts, list...)
	}
	got := &Contract{role: in.Role, objective: in.Objective, groups: groups, facts: facts, output: Output(in.Output)}
	if !got.WithConstraints(in.Constraints...).Equal(c) {
		t.Fatalf("%s is read otherwise", text)
	}
}

type xmlContract struct {
	XMLName   xml.Name `xml:"contract"`
	Role      Role     `xml:"role,attr"`
	Objective xmlValue `xml:"objective"`
	Groups    []struct {
		Key   string     `xml:"key,attr"`
		Facts []xmlValue `xml:"fact"`
	} `xml:"context>facts"`
	Constraints string `xml:"constraints"`
	Output      struct {
		Emit   Emit   `xml:"emit,attr"`
		Key    string `xml:"key,attr"`
		Format string `xml:"format,attr"`
	} `xml:"output"`
}

type xmlValue struct {
	ID   string `xml:"id,attr"`
	Esc  string `xml:"esc,attr"`
	Text string `xml:",chardata"`
}

// plain undoes the form's own escapes.
func (v xmlValue) plain(s string) string {
	if v.Esc == "" {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], `\\`):
			b.WriteByte('\\')
			i++
		case strings.HasPrefix(s[i:], `\u`):
			var c rune
			fmt.Sscanf(s[i+2:i+6], "%x", &c)
			b.WriteRune(c)
			i += 5
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// XML is what the standard library reads.
func TestXMLByTheStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { xmlByTheStandardLibrary(t, contracts().Draw(t, "contract")) })
}

func xmlByTheStandardLibrary(t failer, c *Contract) {
	t.Helper()
	text := c.Text(XML)
	var in xmlContract
	d := xml.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&in); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("%v behind\n%s", err, text)
	}
	got := &Contract{role: in.Role, objective: in.Objective.plain(in.Objective.Text), output: Output{Emit: in.Output.Emit, Key: in.Output.Key}}
	for _, g := range in.Groups {
		from := len(got.facts)
		for _, f := range g.Facts {
			got.facts = append(got.facts, Fact{f.plain(f.ID), f.plain(f.Text)})
		}
		got.groups = append(got.groups, stretch{g.Key, from, len(got.facts)})
	}
	for name := range strings.FieldsSeq(in.Constraints) {
		var k Constraint
		if err := k.UnmarshalText([]byte(name)); err != nil {
			t.Fatal(err)
		}
		got = got.WithConstraint(k)
	}
	if in.Output.Format != "" {
		if err := got.output.Format.UnmarshalText([]byte(in.Output.Format)); err != nil {
			t.Fatal(err)
		}
	}
	if !got.Equal(c) {
		t.Fatalf("%s\nis read as\n%s", text, got.Text(XML))
	}
}

type ednContract struct {
	Role        edn.Keyword                  `edn:"r"`
	Objective   any                          `edn:"o"`
	Context     map[edn.Keyword][]ednFactual `edn:"c"`
	Constraints map[edn.Keyword]bool         `edn:"k"`
	Output      struct {
		Emit   edn.Keyword `edn:"emit"`
		Key    edn.Keyword `edn:"key"`
		Format edn.Keyword `edn:"format"`
	} `edn:"out"`
}

type ednFactual struct {
	ID      string `edn:"id"`
	Content string `edn:"c"`
}

// EDN is what a reader of EDN reads. That one stops behind the first value, so
// it is asked for a second.
func TestEDNByAnotherReader(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { ednByAnotherReader(t, contracts().Draw(t, "contract")) })
}

func ednByAnotherReader(t failer, c *Contract) {
	t.Helper()
	for _, options := range [][]Option{nil, {Exact}} {
		text := c.Text(EDN, options...)
		var in ednContract
		d := edn.NewDecoder(strings.NewReader(text))
		if err := d.Decode(&in); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		var more any
		if err := d.Decode(&more); err != io.EOF {
			t.Fatalf("%v, %v behind\n%s", more, err, text)
		}
		objective := c.objective
		if options == nil {
			objective = normalObjective(objective)
		}
		got := fmt.Sprint(in.Objective)
		if k, ok := in.Objective.(edn.Keyword); ok {
			got = string(k)
		}
		if got != objective || string(in.Role) != string(c.role) || string(in.Output.Emit) != c.output.Emit.String() ||
			string(in.Output.Key) != c.output.Key || string(in.Output.Format) != c.output.Format.String() {
			t.Fatalf("%+v from\n%s", in, text)
		}
		want := map[edn.Keyword][]ednFactual{}
		for key, f := range c.Facts() {
			want[edn.Keyword(key)] = append(want[edn.Keyword(key)], ednFactual(f))
		}
		if len(want) == 0 && len(in.Context) == 0 {
			want = in.Context
		}
		if diff := cmp.Diff(want, in.Context); diff != "" {
			t.Fatalf("%s in\n%s", diff, text)
		}
		names := map[edn.Keyword]bool{}
		for k := range c.constraints.All() {
			names[edn.Keyword(k.String())] = true
		}
		if len(names) != len(in.Constraints) || len(names) > 0 && !cmp.Equal(names, in.Constraints) {
			t.Fatalf("%v in\n%s", in.Constraints, text)
		}
	}
}

// TOON is what the codec writes for the JSON value.
func TestTOONByTheCodec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { toonByTheCodec(t, contracts().Draw(t, "contract")) })
}

func toonByTheCodec(t failer, c *Contract) {
	t.Helper()
	v, err := toontest.FromJSON([]byte(c.Text(JSON)))
	if err != nil {
		t.Fatal(err)
	}
	want, err := toontest.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Text(TOON); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

// No text can begin a line of its own in the forms for people.
func TestPeopleSeeNoForgery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contracts().Draw(t, "contract")
		for _, form := range []Form{Plain, Markdown} {
			text := c.Text(form)
			headings, items := 0, 0
			for line := range strings.SplitSeq(text, "\n") {
				if strings.IndexFunc(line, func(r rune) bool { return strings.ContainsRune("\r\v\f\u0085\u2028\u2029", r) }) >= 0 {
					t.Fatalf("a line end within %q", line)
				}
				if strings.HasPrefix(line, "#") {
					headings++
				}
				if strings.HasPrefix(line, "-") {
					items++
				}
			}
			rules := 0
			for range c.constraints.All() {
				rules++
			}
			wantHeadings, wantItems := len(c.groups), c.Len()+rules
			if form == Markdown {
				wantHeadings += 3 + min(rules, 1)
				wantItems += 4
				if c.output.Format != NoFormat {
					wantItems++
				}
			}
			if headings != wantHeadings || items != wantItems {
				t.Fatalf("%d headings and %d items, not %d and %d, in\n%s", headings, items, wantHeadings, wantItems, text)
			}
		}
	})
}

// A fact without the mark of a form is what the form writes for it.
func TestMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id, content := texts().Draw(t, "id"), texts().Draw(t, "content")
		m := markID(id) | markText(content)
		c := &Contract{facts: []Fact{{id, content}}, marks: []mark{m}}
		for i := range layouts {
			l := &layouts[i]
			if l.between == "" {
				continue
			}
			var w writer
			w.fact(c, 0, l)
			if m&l.mark == 0 && string(w.dst) != id+l.between+content {
				t.Fatalf("%s: %q is written %q, its mark is %b", Form(i), c.facts[0], w.dst, m)
			}
		}
	})
}

func fuzz(f *testing.F, form Form) {
	for _, c := range []*Contract{smallContract(f), exampleContract(f)} {
		f.Add(c.Text(form))
		f.Add(c.Text(form, Exact))
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(form, text, ParseOptions{})
		if err != nil {
			return
		}
		if !slices.ContainsFunc(c.groups, func(g stretch) bool { return g.from == g.to }) {
			roundTrip(t, c, form, Exact)
			roundTrip(t, c, form)
			return
		}
		t.Fatal("an empty group")
	})
}

func FuzzEDN(f *testing.F)   { fuzz(f, EDN) }
func FuzzJSON(f *testing.F)  { fuzz(f, JSON) }
func FuzzXML(f *testing.F)   { fuzz(f, XML) }
func FuzzTOON(f *testing.F)  { fuzz(f, TOON) }
func FuzzLines(f *testing.F) { fuzz(f, Lines) }

// FuzzJSONAccepts: what is accepted is JSON.
func FuzzJSONAccepts(f *testing.F) {
	f.Add(exampleContract(f).Text(JSON))
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Parse(JSON, text, ParseOptions{}); err == nil && !json.Valid([]byte(text)) {
			t.Fatalf("%q is no JSON", text)
		}
	})
}

// FuzzXMLAccepts: what is accepted is read by the standard library, with the
// same facts.
func FuzzXMLAccepts(f *testing.F) {
	f.Add(exampleContract(f).Text(XML))
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(XML, text, ParseOptions{})
		if err != nil {
			return
		}
		var in xmlContract
		if err := xml.Unmarshal([]byte(text), &in); err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		i := 0
		for _, g := range in.Groups {
			for _, x := range g.Facts {
				if x.Esc == "" && (c.facts[i] != Fact{x.ID, x.Text}) {
					t.Fatalf("%q in %q", c.facts[i], text)
				}
				i++
			}
		}
		if i != c.Len() {
			t.Fatalf("%d facts, not %d, in %q", i, c.Len(), text)
		}
	})
}

func smallContract(tb testing.TB) *Contract {
	tb.Helper()
	var ctx Context
	ctx.AddFacts("signals", Fact{"s1", "Revenue +15% Q3"}, Fact{"s2", "Market $2.3B"})
	c, err := New(Proposer, "extract-competitors", ctx, NewOutput(EmitProposedFact, "competitors"))
	if err != nil {
		tb.Fatal(err)
	}
	return c.WithConstraint(NoContradict).WithConstraint(NoInvent)
}

func exampleContract(tb testing.TB) *Contract {
	tb.Helper()
	var ctx Context
	ctx.AddFacts("signals", Fact{"s1", "Revenue +15% Q3"}, Fact{"s2", `CFO: "flat, at best" <Q4>`})
	ctx.AddFacts("seeds")
	ctx.AddFacts("consensus_outcomes", Fact{"c1", "Raise price 5%\nin DACH"})
	c, err := New(Analyzer, "rank strategies", ctx, NewOutput(EmitEvaluation, "evaluations").WithFormat(FormatJSON))
	if err != nil {
		tb.Fatal(err)
	}
	return c.WithConstraints(CiteSources, NoInvent)
}

// normalObjective is what an objective comes back as from [EDN]: with hyphens
// for spaces where that makes it a keyword.
func normalObjective(objective string) string {
	if !isName(objective, true) {
		return objective
	}
	return strings.ReplaceAll(objective, " ", "-")
}
