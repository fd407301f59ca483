package jinja

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/treetest"
)

// oracle is a Python that has Jinja2: its name is in CENTO_JINJA2.
type oracle struct {
	t   testing.TB
	in  *json.Encoder
	out *bufio.Scanner
}

type oracleCase struct {
	Template  string            `json:"template"`
	Templates map[string]string `json:"templates"`
	Context   json.RawMessage   `json:"context"`
	Options   []string          `json:"options"`
}

type oracleAnswer struct {
	Text  *string `json:"text"`
	Error string  `json:"error"`
}

func startOracle(t testing.TB) *oracle {
	t.Helper()
	python := os.Getenv("CENTO_JINJA2")
	if python == "" {
		t.Skip("CENTO_JINJA2 names no Python with Jinja2")
	}
	cmd := exec.Command(python, "testdata/oracle.py")
	in, out := treetest.Start(t, cmd)
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	o := &oracle{t: t, in: json.NewEncoder(in), out: bufio.NewScanner(out)}
	o.out.Buffer(nil, 16<<20)
	return o
}

func (o *oracle) render(c oracleCase) oracleAnswer {
	o.t.Helper()
	if err := o.in.Encode(c); err != nil {
		o.t.Fatal(err)
	}
	if !o.out.Scan() {
		o.t.Fatalf("no answer of Jinja2: %v", o.out.Err())
	}
	var a oracleAnswer
	if err := json.Unmarshal(o.out.Bytes(), &a); err != nil {
		o.t.Fatal(err)
	}
	return a
}

// What the cases of chat templates expect is what Jinja2 prints, and where they
// expect an error it fails too.
func TestJinja2PrintsTheSame(t *testing.T) {
	o := startOracle(t)
	compared := 0
	for _, a := range readArchives(t) {
		if a.name() != "models" && a.name() != "chat" && a.name() != "jinja2" {
			continue
		}
		for _, c := range a.cases {
			got := o.render(oracleCase{c.template, c.templates, json.RawMessage(c.context), strings.Fields(c.options)})
			want, prints := c.want["want"]
			switch {
			case !prints && got.Text != nil:
				t.Errorf("%s/%s: Jinja2 prints %q, an error is expected", a.name(), c.name, *got.Text)
			case prints && got.Text == nil:
				t.Errorf("%s/%s: Jinja2 fails: %s", a.name(), c.name, got.Error)
			case prints && *got.Text+"\n" != want:
				t.Errorf("%s/%s: want -, Jinja2 +\n-%q\n+%q", a.name(), c.name, want, *got.Text+"\n")
			}
			compared++
		}
	}
	if compared < 20 {
		t.Errorf("only %d cases were compared", compared)
	}
}

// templateMaker makes random templates of what both engines have.
type templateMaker struct{ t *rapid.T }

func (m templateMaker) pick(options ...string) string {
	return rapid.SampledFrom(options).Draw(m.t, "")
}

func (m templateMaker) text(depth int) string {
	if depth <= 0 {
		return m.pick("'a'", "'Bc d'", `"it's"`, `'x "y"'`, "'é\\n1'", "s", "user.name", "''", "' pad '")
	}
	d := depth - 1
	switch rapid.IntRange(0, 9).Draw(m.t, "") {
	case 0:
		return "(" + m.text(d) + " ~ " + m.any(d) + ")"
	case 1:
		return "(" + m.text(d) + " + " + m.text(d) + ")"
	case 2:
		return "(" + m.text(d) + ")|" + m.pick("upper", "lower", "trim", "capitalize", "replace('a', 'bb')", "string", "reverse", "center(7)", "truncate(3, true, '', 0)", "first|default('')", "urlencode", "striptags")
	case 3:
		return "(" + m.text(d) + ")[" + m.pick("1:", ":2", "::-1", "-2:", ":0", "1:5:2", ":-1", "5:1:-2") + "]"
	case 4:
		return "(" + m.text(d) + ")" + m.pick(".upper()", ".strip()", ".lstrip('a ')", ".replace('a', 'x', 1)", ".title()", ".rstrip()", ".zfill(4)", ".ljust(4)", ".capitalize()")
	case 5:
		return "(" + m.list(d) + ")|" + m.pick("join", "join(',')", "join('-')|upper", "tojson", "string")
	case 6:
		return "(" + m.dict(d) + ")|" + m.pick("tojson", "string", "tojson(indent=2)", "join('+')", "tojson(sort_keys=true)")
	case 7:
		return "(" + m.text(d) + " if " + m.truth(d) + " else " + m.text(d) + ")"
	case 8:
		return "'%s|%5s|%-3s' % (" + m.any(d) + ", " + m.text(d) + ", " + m.number(d) + ")"
	default:
		return "(" + m.any(d) + ")|string"
	}
}

func (m templateMaker) number(depth int) string {
	if depth <= 0 {
		return m.pick("0", "1", "7", "n", "2.5", "0.125", "1e20", "3.0", "100000", "12")
	}
	d := depth - 1
	switch rapid.IntRange(0, 5).Draw(m.t, "") {
	case 0:
		return "(" + m.number(d) + m.pick(" + ", " - ", " * ") + m.number(d) + ")"
	case 1:
		return "(" + m.list(d) + ")" + "|length"
	case 2:
		return "(" + m.number(d) + " / 4)"
	case 3:
		return "(" + m.text(d) + ")" + m.pick("|length", ".count('a')", ".find('c')")
	case 4:
		return "[" + m.number(d) + ", " + m.number(d) + "]|" + m.pick("sum", "max", "min", "first", "last")
	default:
		return "(" + m.number(d) + ")" + m.pick("|abs", "|int", "|float")
	}
}

func (m templateMaker) list(depth int) string {
	if depth <= 0 {
		return m.pick("tags", "[]", "[1, 'b', none]", "range(3)|list", "['z', 'Y', 'x']", "user.langs", "[true, false]")
	}
	d := depth - 1
	switch rapid.IntRange(0, 6).Draw(m.t, "") {
	case 0:
		return "[" + m.any(d) + ", " + m.any(d) + "]"
	case 1:
		return "(" + m.list(d) + " + " + m.list(d) + ")"
	case 2:
		return "(" + m.list(d) + ")[" + m.pick("1:", "::-1", ":2", "::2", "-1:") + "]"
	case 3:
		return "(" + m.list(d) + ")|" + m.pick("map('string')|list", "select|list", "reject('none')|list", "select('string')|list", "reverse|list", "batch(2)|list", "batch(2, 0)|list", "slice(2)|list", "list")
	case 4:
		return "(" + m.text(d) + ")" + m.pick("|list", ".split()", ".split('a')", ".split('b', 1)", ".splitlines()", "|map('upper')|list")
	case 5:
		return "['b', 'A', " + m.text(d) + "]|" + m.pick("sort", "sort(reverse=true)", "unique|list", "sort(case_sensitive=true)", "map('length')|list")
	default:
		return "rows|" + m.pick("map(attribute='k')|list", "selectattr('on')|map(attribute='v')|list", "sort(attribute='v')", "groupby('k')|map('last')|list", "rejectattr('v', 'gt', 1)|list", "sum(attribute='v')|string|list")
	}
}

func (m templateMaker) dict(depth int) string {
	if depth <= 0 {
		return m.pick("user", "{}", "{'a': 1}", "rows[0]")
	}
	return "{'k': " + m.any(depth-1) + ", " + m.text(0) + ": " + m.any(depth-1) + "}"
}

func (m templateMaker) truth(depth int) string {
	if depth <= 0 {
		return m.pick("true", "false", "n == 3", "nope is defined", "tags", "none", "user.name in tags")
	}
	d := depth - 1
	switch rapid.IntRange(0, 5).Draw(m.t, "") {
	case 0:
		return "(" + m.truth(d) + m.pick(" and ", " or ") + m.truth(d) + ")"
	case 1:
		return "(not " + m.truth(d) + ")"
	case 2:
		return "(" + m.number(d) + m.pick(" < ", " == ", " >= ", " != ") + m.number(d) + ")"
	case 3:
		return "(" + m.text(d) + m.pick(" == ", " in ", " < ", " not in ") + m.text(d) + ")"
	case 4:
		return "(" + m.any(d) + " is " + m.pick("string", "number", "none", "mapping", "iterable", "sequence", "boolean", "integer", "float", "defined", "true") + ")"
	default:
		// No tuple is looked for in a list: here () equals [].
		what := []func(int) string{m.number, m.list, m.dict, m.text}
		return "(" + rapid.SampledFrom(what).Draw(m.t, "")(d) + " in " + m.list(d) + ")"
	}
}

func (m templateMaker) any(depth int) string {
	switch rapid.IntRange(0, 5).Draw(m.t, "") {
	case 0:
		return m.number(depth)
	case 1:
		return m.list(depth)
	case 2:
		return m.dict(depth)
	case 3:
		return m.pick("none", "true", "false", "(1, 'a')", "()")
	default:
		return m.text(depth)
	}
}

func (m templateMaker) template(depth int) string {
	out := ""
	for range rapid.IntRange(1, 3).Draw(m.t, "") {
		if depth <= 0 {
			out += m.pick("text ", "\n", " ", "\n  ") + "{{ " + m.any(2) + " }}"
			continue
		}
		dash, dash2 := m.pick("", "-", "+"), m.pick("", "-")
		inner := m.template(depth - 1)
		switch rapid.IntRange(0, 6).Draw(m.t, "") {
		case 0:
			out += "{%" + dash + " for x in " + m.list(1) + " %}{{ loop.index }}" + inner + "{{ x }}{%" + dash2 + " else %}-{% endfor " + dash2 + "%}"
		case 1:
			out += "{%" + dash + " if " + m.truth(2) + " %}" + inner + "{%" + dash2 + " else %}b {% endif " + dash2 + "%}"
		case 2:
			out += "{%" + dash + " set v = " + m.any(2) + " " + dash2 + "%}{{ v }}" + inner
		case 3:
			out += "{% set w" + m.pick("", "|upper", "|trim") + " %}" + inner + "{% endset %}[{{ w }}]"
		case 4:
			// indent keeps the last line end there and drops it here.
			out += "{% filter " + m.pick("upper", "trim", "indent(2)|trim", "replace('a', 'q')") + " %}" + inner + "{% endfilter %}"
		case 5:
			out += "{% macro f(a, b=" + m.any(1) + ") %}{{ a }}{{ b }}{% endmacro %}{{ f(" + m.any(1) + ") }}" + inner
		default:
			out += "{#" + dash2 + " c " + dash2 + "#}\n" + inner
		}
	}
	return out
}

// Random templates print what Jinja2 prints. Where it fails this engine may print,
// as it orders values of different types; where this engine fails, Jinja2 may print
// as the list of differences says.
func TestRandomTemplatesPrintAsJinja2(t *testing.T) {
	o := startOracle(t)
	const context = `{"n":3,"s":"Ab a","tags":["red","Blue","green"],"user":{"name":"Ida","langs":["no","en"]},"rows":[{"k":"x","v":2,"on":true},{"k":"y","v":1,"on":false},{"k":"x","v":3,"on":true}]}`
	ctx, err := FromJSON([]byte(context), 1)
	if err != nil {
		t.Fatal(err)
	}
	drawn, printed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		drawn++
		trim := rapid.Bool().Draw(t, "trim_blocks")
		options := []string{"lenient"}
		if trim {
			options = append(options, "trim_blocks", "lstrip_blocks")
		}
		text := templateMaker{t}.template(rapid.IntRange(0, 2).Draw(t, "depth"))
		want := o.render(oracleCase{text, nil, json.RawMessage(context), options})
		env := New(Options{Undefined: Lenient, TrimBlocks: trim, LstripBlocks: trim})
		tmpl, err := env.Parse(Source{Name: "t", Text: text})
		var out *Output
		if err == nil {
			out, err = tmpl.Render(ctx)
		}
		if want.Text == nil {
			return
		}
		if errors.Is(err, ErrArithmetic) || errors.Is(err, ErrType) && strings.Contains(err.Error(), "needs a string") {
			return // beyond 64 bits, or a list or map where text is meant
		}
		if err != nil {
			t.Fatalf("%s\nhere   %v\nJinja2 %q", text, err, *want.Text)
		}
		printed++
		if out.Text() != *want.Text {
			t.Fatalf("%s\nhere   %q\nJinja2 %q", text, out.Text(), *want.Text)
		}
	})
	if 2*printed < drawn {
		t.Errorf("only %d of %d templates printed", printed, drawn)
	}
}
