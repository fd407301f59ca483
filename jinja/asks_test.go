package jinja

import (
	"fmt"
	"strings"
	"testing"
)

// asksTold tells of asks: a name that is written with its bytes, others by what is known.
func asksTold(file string, asks []Ask) string {
	var out []string
	for _, a := range asks {
		at := file[a.Start:a.End]
		switch {
		case a.How == AskValue:
			out = append(out, "value "+at)
		case a.How == AskMade:
			out = append(out, "made "+at)
		case a.How == AskAll:
			out = append(out, "all "+at)
		case a.Written && at == a.Text:
			out = append(out, at)
		case a.Written:
			out = append(out, fmt.Sprintf("WRONG %q for %q", at, a.Text))
		default:
			out = append(out, a.Text+" by "+at)
		}
	}
	return strings.Join(out, "; ")
}

func TestAsks(t *testing.T) {
	env := New(Options{})
	for expr, want := range map[string]string{
		"tool('todo')":                                 "todo",
		"tool ( \"todo\" )":                            "todo",
		"(tool)('todo')":                               "todo",
		"((tool))(('todo'))":                           "todo",
		"tool(\n'é𝒳')":                                 "é𝒳",
		"tool(name='todo')":                            "todo",
		"'todo' in tools":                              "todo",
		"'todo' not in (tools)":                        "todo",
		"not ('todo') in tools":                        "todo",
		"'todo' is in tools":                           "todo",
		"['todo'] == tools":                            "todo",
		"tools == ['todo', ('web')]":                   "todo; web",
		"('a', 'b') != tools != ['c']":                 "a; b; c",
		"tools is eq ['todo']":                         "todo",
		"tool('a' if vars.x == 'y' else 'b')":          "a; b",
		"tool(vars.x or 'b')":                          "value vars.x; b",
		"tool('to' ~ 'do')":                            "todo by 'to' ~ 'do'",
		"tool('to' 'do')":                              "todo by 'to' 'do'",
		"tool('t\\u006fdo')":                           "todo by 't\\u006fdo'",
		"tool('TODO'|lower)":                           "todo by 'TODO'|lower",
		"tool(['x', 'todo'][1])":                       "todo by ['x', 'todo'][1]",
		"['to' ~ 'do', 'web'] == tools":                "todo by 'to' ~ 'do'; web",
		"tool('to' ~ vars.x)":                          "made 'to' ~ vars.x",
		"tool(vars.x|lower)":                           "made vars.x|lower",
		"tool(vars.x)":                                 "value vars.x",
		"tool(vars['x'])":                              "value vars['x']",
		"vars.x in tools":                              "value vars.x",
		"tools|length > 1":                             "all tools",
		"tools":                                        "all tools",
		"tools|first == 'todo'":                        "all tools",
		"tool and 'todo' in vars.x and cap('todo')":    "all tool",
		"tool('x'*1000000*1000000*1000)":               "made 'x'*1000000*1000000*1000",
		"tool(1)":                                      "",
		"tool('a' + 1)":                                "",
		"tool('a') or tool('a') or 'a' in caps":        "a; a",
		"vars.tools == ['a'] or vars.tool('b')":        "",
		"tool('a', *['b'], **{'c': vars.d})":           "a; b; made {'c': vars.d}",
		"[tools, 'todo'] == 1 and ('a' in tools) in x": "all tools; a",
	} {
		x, err := env.ParseExpr(Source{Text: expr})
		if err != nil {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		if got := asksTold(expr, x.Asks("tool", "tools")); got != want {
			t.Errorf("%s\n got %s\nwant %s", expr, got, want)
		}
	}
	for text, want := range map[string]string{
		"{% if tool('todo') %}{{ 'x' }}{% endif %}":                                        "todo",
		"{%- for t in ['todo'] if tool(t) -%}{% endfor %}":                                 "value t",
		"{% for t in tools if t == 'todo' %}{% endfor %}":                                  "all tools",
		"{% set tool = 1 %}{{ tool('todo') }}":                                             "all tool",
		"{% set tools = ['todo'] %}{{ 'todo' in tools }}":                                  "all tools",
		"{% if x %}{% set tools = [] %}{% endif %}{{ 'todo' in tools }}":                   "all tools",
		"{% set has = tool %}{{ has('todo') }}":                                            "all tool",
		"{% raw %}{{ tool('no') }}{% endraw %}{# tool('no') #} tool('no') {{ tool('a') }}": "a",
		"{% macro m(x='b') %}{{ tool(x) }}{{ tool('a') }}{% endmacro %}":                   "value x; a",
		"{{ x|default('c' if tool('a') else 'd') }}{% include 'p' if tool('b') %}":         "a; b",
	} {
		const front = "---\n---\n"
		x, err := env.Parse(Source{Text: text, Offset: len(front)})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := asksTold(front+text, x.Asks("tool", "tools")); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestMembersAndTexts(t *testing.T) {
	text := `{% set b %}bound{% endset %}{% from "f" import m %}{% include ['i', "j"] ignore missing %}` +
		`{{ vars.one.two + vars['three'] + vars["f" ~ "our"] + other.vars.x + vars . five }}` +
		`{{ 'a' ~ 'b' }}{{ ['c', 'd' ~ b] }}{{ {'k': 'v'}|length }}{% if m('e') %}text{% endif %}`
	x, err := New(Options{}).Parse(Source{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	told := func(list []Literal) string {
		var out []string
		for _, l := range list {
			out = append(out, l.Text)
			if !l.Written {
				out[len(out)-1] += " by " + text[l.Start:l.End]
			} else if text[l.Start:l.End] != l.Text {
				t.Errorf("%q isn't at its place: %q", l.Text, text[l.Start:l.End])
			}
		}
		return strings.Join(out, "; ")
	}
	if got, want := told(x.Members("vars")), "one; three; five"; got != want {
		t.Errorf("members: %s, want %s", got, want)
	}
	if got, want := told(x.Links()), "f; i; j"; got != want {
		t.Errorf("links: %s, want %s", got, want)
	}
	if got, want := told(x.Texts()), "bound; three; four by \"f\" ~ \"our\"; ab by 'a' ~ 'b'; c; d; e"; got != want {
		t.Errorf("texts: %s, want %s", got, want)
	}
}
