package pack_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
	"github.com/cento-dev/cento/pack"
)

// FuzzRender holds, for any two files and any value: an error has its place, and
// a text is tiled by runs of which literal ones stand where they say and none
// trusts the value more than it deserves.
func FuzzRender(f *testing.F) {
	for _, s := range [][3]string{
		{"{{ vars.v | upper }} {% include 'b' %}", "{{ vars.v ~ date }}", "x"},
		{"---\nvars: [{name: v}]\n---\n{% set x = vars.v %}{{ x[1:] }}", "", "{{ 1 }}"},
		{"{% extends 'b' %}{% block a %}{{ super() }}{% endblock %}", "{% block a %}{{ vars.v }}{% endblock %}", "\u202e"},
		{"{% for c in vars.v %}{{ c }}{{ loop.index }}{% endfor %}", "{% include 'a' %}", "ab"},
		{"{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m(vars.v)|trim }}{{ [vars.v, cwd]|join(', ') }}", "", "\r\n"},
	} {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, a, b, value string) {
		const secret = "\u2603" // stands in no template, so that data is told from it
		if strings.Contains(a+b, secret) || strings.Contains(a+b, `\`) {
			return
		}
		roots, err := pack.RootsOf(map[string]string{"$workspace/a": a, "$workspace/b": b}, nil)
		if err != nil {
			t.Fatal(err)
		}
		l := pack.NewLoader(roots, cento.Limits{})
		file, err := l.Open(mustRef(t, "$workspace/a"), cento.Position{File: "cento.yaml", Line: 1, Column: 1})
		if err != nil {
			checkError(t, err, pack.ResolveFailed, pack.ParseFailed)
			return
		}
		var vars jinja.MapBuilder
		vars.Set("v", jinja.String(secret+value, 5))
		x, err := file.Render(pack.Variables{Vars: vars.Map(), Cwd: "/w", Now: time.Unix(0, 0).UTC()})
		if err != nil {
			checkError(t, err, pack.RenderFailed)
			return
		}
		runLines(t, l, x)
		for _, r := range x.Runs {
			if strings.Contains(x.Body[r.Start:r.End], secret) && r.Trust != cento.TrustSession {
				t.Errorf("data of a session has trust %s: %+v", r.Trust, r)
			}
		}
	})
}

func checkError(t *testing.T, err error, stages ...cento.ErrorCode) {
	t.Helper()
	var list []*cento.SourceError
	if many, ok := errors.AsType[*cento.Errors](err); ok {
		list = many.List
	} else if one, ok := errors.AsType[*cento.SourceError](err); ok {
		list = append(list, one)
	}
	if len(list) == 0 {
		t.Fatalf("not an error with a place: %v", err)
	}
	for _, e := range list {
		known := false
		for _, s := range stages {
			known = known || e.Code == s
		}
		if !known || e.Position.File == "" {
			t.Fatalf("code %s at %q: %v", e.Code, e.Position, err)
		}
	}
}
