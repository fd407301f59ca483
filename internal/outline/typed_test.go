package outline

import (
	"strings"
	"testing"
)

// The cursor is at ‸.
func TestAskedAt(t *testing.T) {
	for text, want := range map[string]string{
		"- when: tool('to‸":                                      "tool to",
		"- when: tool ( \"to‸\" ) and x":                         "tool to",
		"- when: (tool)('to‸":                                    "tool to",
		"- when: \"'to‸' in tools\"":                             "tool to",
		"- when: cap('a') and cap('‸":                            "capability ",
		"- when: vars.de‸":                                       "variable de",
		"- when: \"vars.de‸ > 1\"":                               "variable de",
		"- when: |\n    tool('a') and\n    tool('to‸')\n- id: b": "tool to",
		"- {id: a, when: tool('to‸":                              "tool to",
		"- {id: a, when: \"tool('to‸":                            "tool to",
		"- {id: a, when: \"tool('to‸')\", body: x}":              "tool to",
		"- when: 'tool(''to‸'')'":                                "tool to",
		"- when: tool('to‸')\n  body: [":                         "tool to",
		"- when: vars.x == 'to‸'":                                "nothing",
		"- when: tool('a')‸":                                     "nothing",
		"- body: tool('to‸')":                                    "nothing",
	} {
		text = "version: 1\nfragments:\n" + text
		askedAt(t, text, want, false)
	}
	for text, want := range map[string]string{
		"{{ vars.de‸":                                "variable de",
		"{{ vars.de‸ }} x":                           "variable de",
		"{% if tool('to‸":                            "tool to",
		"{% if a %}{% elif tool (\"‸\") %}":          "tool ",
		"{%- for x in vars.l‸":                       "variable l",
		"{% set x = {'a': cap('f‸":                   "capability f",
		"{{ {'a': [vars.de‸":                         "variable de",
		"{% set x = cap('f‸') %}":                    "capability f",
		"{% include '$work‸":                         "reference $work",
		"{% from 'a‸":                                "reference a",
		"{% import \"a‸\" as b %}":                   "reference a",
		"{% extends 'a‸' %}":                         "reference a",
		"{{ x‸ }}":                                   "nothing",
		"tool('‸')":                                  "nothing",
		"---\nrequires_tools: []\n---\n{{ tool('to‸": "tool to",
	} {
		askedAt(t, text, want, true)
	}
}

func askedAt(t *testing.T, text, want string, prompt bool) {
	t.Helper()
	before, behind, _ := strings.Cut(text, "‸")
	got := "nothing"
	c, kind, ok := AskedAt(before+behind, len(before), prompt)
	if ok {
		got = string(kind) + " " + c.Typed
	}
	if got != want {
		t.Errorf("%q: %s, want %s", text, got, want)
	}
}
