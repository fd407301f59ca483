package jinja

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// failer is a test of testing or of rapid.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkTiling holds the laws that every output keeps: spans tile it, and literal
// spans equal the source bytes at their place.
func checkTiling(tb failer, o *Output) {
	tb.Helper()
	at, i := 0, -1
	for s := range o.All() {
		i++
		if s.Start != at || s.End <= s.Start {
			tb.Fatalf("span %d is %d to %d behind %d", i, s.Start, s.End, at)
		}
		at = s.End
		if s.Kind != Text {
			continue
		}
		src := o.files[o.spans[i].file].src
		off := s.Offset - src.Offset
		if n := s.End - s.Start; off < 0 || off+n > len(src.Text) || src.Text[off:off+n] != string(o.text[s.Start:s.End]) {
			tb.Fatalf("span %d %q is not the source at %s:%d:%d", i, o.text[s.Start:s.End], s.File, s.Line, s.Column)
		}
	}
	if at != len(o.text) {
		tb.Fatalf("spans end at %d of %d", at, len(o.text))
	}
}

// taintEnv renders with values that hold marked characters.
func taintContext() Value {
	marked := String("密 a<b>秘\n{{ 秘 }}", 5)
	entry := new(MapBuilder).Set("title", marked).Set("n", Int(2)).Map()
	return new(MapBuilder).Set("s", marked).Set("l", List(marked, String("plain", 1), marked)).
		Set("m", entry).Set("ms", List(entry, entry)).Set("n", Int(3).WithTrust(5)).Map()
}

// Whatever a filter, method or operator does to untrusted text, no character of
// it comes out in a span that is more trusted.
func TestTaintIsNeverLost(t *testing.T) {
	args := []string{"", "(s)", "(1)", "(2, s)", "('a', s)", "(s, 'b')", "('title')", "(attribute='title')", "(s, 1, 'x')", "('upper')", "(20)"}
	var exprs []string
	for _, name := range sortedKeys(builtinFilters) {
		for _, a := range args {
			for _, subject := range []string{"s", "l", "m", "ms", "n", "'%s lit'", "('x' ~ s)"} {
				exprs = append(exprs, subject+"|"+name+a)
			}
		}
	}
	for subject, methods := range map[string][]string{"s": sortedKeys(stringMethods), "'lit {}'": sortedKeys(stringMethods), "('x' ~ s)": sortedKeys(stringMethods), "l": sortedKeys(listMethods), "m": sortedKeys(mapMethods)} {
		for _, name := range methods {
			for _, a := range append(args[1:], "()") {
				exprs = append(exprs, subject+"."+name+a)
			}
		}
	}
	exprs = append(exprs, "s ~ 1", "'a' ~ s", "s + 'b'", "s * 3", "[s] * 2", "[s] + l", "s[1:3]", "s[::-1]", "s[0]", "l[0]", "l[0][0]", "m.title", "{'k': s}",
		"{s: 1}", "(s, 1)", "s if s else 'x'", "nope|default(s)", "dict(m)", "dict(a=s)", "namespace(a=s)", "namespace(a=s).a", "debug()", "debug(s)", "cycler(s, 'a').next()",
		"joiner(s)", "ms|map(attribute='title')|join(s)|upper|trim", "l|tojson|safe", "'%s'|format(s)|indent(2)|replace('a', s)", "'{0[title]}'.format(m)", "host(s)", "host2(l)")
	opts := Options{Undefined: Lenient, Functions: map[string]Func{
		"host":  func(c *Call) (Value, error) { x, _ := c.Args()[0].Str(); return String("["+x+"]", 0), nil },
		"host2": func(c *Call) (Value, error) { return From([]any{c.Args()[0].Index(0).String(), 1}, 0) },
	}}
	env := New(opts)
	ctx := taintContext()
	rendered := 0
	for _, x := range exprs {
		for _, form := range []string{"{{ %s }}", "{%% set v = %s %%}{{ v }}{{ v|upper }}", "{%% filter title %%}t{{ %s }}{%% endfilter %%}",
			"{%% macro f(a) %%}<{{ a }}{{ caller() }}>{%% endmacro %%}{%% call f(%s) %%}{{ s }}{%% endcall %%}",
			"{%% for i in [%s] %%}{{ i }}{{ loop.previtem }}{%% endfor %%}", "{%% autoescape true %%}{{ %s }}{%% endautoescape %%}"} {
			text := fmt.Sprintf(form, x)
			tmpl, err := env.Parse(Source{Name: "t", Text: text})
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			o, err := tmpl.Render(ctx)
			if err != nil {
				continue
			}
			rendered++
			checkTiling(t, o)
			checkTaint(t, o, 5)
			if t.Failed() {
				t.Fatalf("in %s", text)
			}
		}
	}
	if rendered < 2000 {
		t.Fatalf("only %d expressions rendered", rendered)
	}
}

// A program made of random parts keeps the laws as well.
func TestRandomTemplates(t *testing.T) {
	parts := []string{
		"text ", "{{ s }}", "{{ m.title|upper }}", "{{ l|join(s) }}", "{{ ('a' ~ s)[1:4] }}", "{{ n + 1 }}", "{{ ms[1].title }}",
		"{% for x in l %}", "{% for x in ms if x.n %}", "{% endfor %}", "{% if s %}", "{% else %}", "{% endif %}",
		"{% set v %}", "{% endset %}", "{{ v|default('-') }}", "{% filter indent(1, true) %}", "{% endfilter %}",
		"{% macro f(a='d') %}", "{% endmacro %}", "{{ f(s) if f is defined }}", "{{ x|default(s) }}", "{% with w = s ~ 1 %}", "{% endwith %}",
		"\n  ", "{#- c -#}", "{%- if n -%}", "{{- w|default(n) -}}", "{% autoescape true %}", "{% endautoescape %}",
	}
	ctx := taintContext()
	rendered := 0
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(parts)-1), 1, 24).Draw(t, "parts") {
			b.WriteString(parts[i])
		}
		env := New(Options{TrimBlocks: rapid.Bool().Draw(t, "trim"), LstripBlocks: rapid.Bool().Draw(t, "lstrip"), Undefined: Lenient})
		tmpl, err := env.Parse(Source{Name: "t", Text: balance(b.String())})
		if err != nil {
			return
		}
		o, err := tmpl.Render(ctx)
		if err != nil {
			return
		}
		rendered++
		checkTiling(t, o)
		checkTaint(t, o, 5)
		again, err := tmpl.Render(ctx)
		if err != nil || again.FuelUsed() != o.FuelUsed() || again.Text() != o.Text() {
			t.Fatalf("a second rendering differs: %v", err)
		}
		reused := new(Output)
		for range 2 {
			if err := tmpl.RenderInto(reused, ctx); err != nil || describeSpans(reused) != describeSpans(o) {
				t.Fatalf("a rendering into reused memory differs: %v", err)
			}
		}
		plain, err := New(Options{TrimBlocks: env.opts.TrimBlocks, LstripBlocks: env.opts.LstripBlocks, Undefined: Lenient, noSpans: true}).Parse(tmpl.src)
		if err != nil {
			t.Fatal(err)
		}
		bare, err := plain.Render(ctx)
		if err != nil || bare.Text() != o.Text() {
			t.Fatalf("without spans the text is %q, %v", bare.Text(), err)
		}
	})
	if rendered == 0 {
		t.Fatal("nothing rendered")
	}
}

// balance drops closing tags that close nothing and closes what is open.
func balance(s string) string {
	var out strings.Builder
	var open []string
	for s != "" {
		i := strings.Index(s, "{%")
		if i < 0 {
			break
		}
		end := strings.Index(s[i:], "%}") + i + 2
		word := strings.Fields(strings.Trim(s[i+2:end-2], "-+ "))[0]
		out.WriteString(s[:i])
		tag := s[i:end]
		s = s[end:]
		switch {
		case strings.HasPrefix(word, "end"):
			if len(open) == 0 || open[len(open)-1] != word[3:] {
				continue
			}
			open = open[:len(open)-1]
		case word == "else":
			if len(open) == 0 || open[len(open)-1] != "if" {
				continue
			}
			open[len(open)-1] = "if "
			open = append(open[:len(open)-1], "if")
			if strings.HasSuffix(out.String(), "{% else %}") {
				continue
			}
		case word == "set" && strings.Contains(tag, "="):
		default:
			open = append(open, word)
		}
		out.WriteString(tag)
	}
	out.WriteString(s)
	for i := len(open) - 1; i >= 0; i-- {
		out.WriteString("{% end" + open[i] + " %}")
	}
	return out.String()
}
