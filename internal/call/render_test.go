package call_test

import (
	"context"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/pacetest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
)

// What strangers may send is refused: with a code, a place, within a second and
// 64 MiB.
func TestHostileRenderings(t *testing.T) {
	files := func(texts ...string) string {
		m := map[string]string{}
		for i := 0; i < len(texts); i += 2 {
			m[texts[i]] = texts[i+1]
		}
		b, err := json.Marshal(map[string]any{"files": m, "root": texts[0], "vars": map[string]any{"text": "x"}})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	one := func(text string) string { return files("$workspace/a", text) }
	for _, x := range []struct {
		name, request string
		code          cento.ErrorCode
		message       string // a part of it
		file          string // of the position; empty: the template
	}{
		{"up", one(`{% include "../b" %}`), pack.ResolveFailed, "path must not contain '.' or '..' segments", ""},
		{"absolute", one(`{% include "/etc/passwd" %}`), pack.ResolveFailed, "prompt file not found: '$workspace/etc/passwd'", ""},
		{"backslash", one(`{% include "a\\b" %}`), pack.ResolveFailed, "backslashes", ""},
		{"NUL", one(`{% include "a\u0000b" %}`), pack.ResolveFailed, "NUL", ""},
		{"NUL in a text", one("a\x00b"), strict.Syntax, "NUL", "<request>.json"},
		{"root outside", files("$workspace/../a", ""), pack.InvalidRef, "segments", "<request>.json"},
		{"root of the program", files("$builtin/default", ""), pack.InvalidRef, "part of the program", "<request>.json"},
		{"root that isn't there", strings.Replace(one("x"), `"root":"$workspace/a"`, `"root":"$workspace/b"`, 1), pack.ResolveFailed, "not found", "<request>.json"},
		{"parentheses", one("{{ " + strings.Repeat("(", 200_000) + "1" + strings.Repeat(")", 200_000) + " }}"), pack.ParseFailed, "nest", ""},
		{"brackets", one("{{ " + strings.Repeat("[", 200_000) + " }}"), pack.ParseFailed, "nest", ""},
		{"statements", one(strings.Repeat("{% if true %}", 50_000)), pack.ParseFailed, "nest", ""},
		{"unary", one("{{ " + strings.Repeat("-", 200_000) + "1 }}"), pack.ParseFailed, "nest", ""},
		{"recursive macro", one("{% macro f(n) %}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}"), pack.RenderFailed, "nest", ""},
		{"self include", one(`{% include "a" %}`), pack.ResolveFailed, "$workspace/a → $workspace/a", ""},
		{"circle", files("$workspace/a", `{% include "b" %}`, "$workspace/b", `{% extends "a" %}`), pack.ResolveFailed, "$workspace/a → $workspace/b → $workspace/a", ""},
		{"dynamic self include", one(`{% set n = "a" %}{% include n %}`), pack.RenderFailed, "deep", ""},
		{"range", one("{{ range(10 ** 9) | length }}"), pack.RenderFailed, "", ""},
		{"loop", one("{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}"), pack.RenderFailed, "", ""},
		{"repetition", one("{{ 'x' * 10 ** 9 }}"), pack.RenderFailed, "", ""},
		{"doubling", one("{% set ns = namespace(s='x') %}{% for i in range(64) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s }}"), pack.RenderFailed, "", ""},
		{"division", one("{{ 1 // 0 }}"), pack.RenderFailed, "", ""},
		{"overflow", one("{{ 9223372036854775807 + 1 }}"), pack.RenderFailed, "", ""},
		{"padding", one("{{ 'x' | center(4000000000) }}"), pack.RenderFailed, "", ""},
		{"format width", one("{{ '%4000000000d' | format(1) }}"), pack.RenderFailed, "", ""},
		{"unclosed expression", one("{{ 1"), pack.ParseFailed, "", ""},
		{"unclosed statement", one("{% if true"), pack.ParseFailed, "", ""},
		{"unclosed block", one("{% for i in [1] %}"), pack.ParseFailed, "", ""},
		{"unclosed comment", one("{# never"), pack.ParseFailed, "", ""},
		{"unclosed raw", one("{% raw %}"), pack.ParseFailed, "", ""},
		{"unclosed text", one("{{ 'never }}"), pack.ParseFailed, "", ""},
		{"arity", one("{{ 'x' | replace('a') }}"), pack.RenderFailed, "", ""},
		{"arity of a function", one("{{ tool() }}"), pack.RenderFailed, "takes one name", ""},
		{"unknown filter", one("{{ 'x' | uper }}"), pack.ParseFailed, "uper", ""},
		{"unknown test", one("{{ 1 is evn }}"), pack.ParseFailed, "evn", ""},
		{"undefined name", one("{{ nowhere }}"), pack.RenderFailed, "nowhere", ""},
		{"undefined attribute", one("{{ vars.txt }}"), pack.RenderFailed, "txt", ""},
		{"undefined in a loop", one("{% for x in nowhere %}{% endfor %}"), pack.RenderFailed, "nowhere", ""},
		{"undefined in a test", one("{% if nowhere %}{% endif %}"), pack.RenderFailed, "nowhere", ""},
		{"no clock", one("{{ date }}"), pack.RenderFailed, "now is not set", ""},
		{"large file", one(strings.Repeat("x", 5<<20)), pack.ResolveFailed, "over the limit", "<request>.json"},
		{"front matter that is broken", one("---\ntitle: [\n---\nx"), pack.ParseFailed, "", ""},
		{"front matter that doubles", one("---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n---\nx"), pack.ParseFailed, "", ""},
		{"front matter that nests", one("---\na: " + strings.Repeat("[", 100_000) + "\n---\nx"), pack.ParseFailed, "", ""},
		{"not UTF-8", "{\"files\": {\"$workspace/a\": \"\xff\"}, \"root\": \"$workspace/a\"}", "", "", "<request>.json"},
		{"key twice", `{"files": {}, "root": "$workspace/a", "root": "$workspace/b"}`, "key.duplicate", "", "<request>.json"},
	} {
		t.Run(x.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, err := call.Answer(context.Background(), "render", []byte(x.request), call.Options{})
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Fatal("it is rendered")
			}
			if !app.Refused(err) {
				t.Errorf("a failure, and no refusal: %v", err)
			}
			e := app.Failure(err).Error
			if x.code != "" && e.Code != x.code {
				t.Errorf("the code is %s, not %s: %s", e.Code, x.code, e.Message)
			}
			if !strings.Contains(e.Message, x.message) {
				t.Errorf("the message lacks %q: %s", x.message, e.Message)
			}
			if len(e.Message) > 2000 {
				t.Errorf("the message has %d bytes", len(e.Message))
			}
			want := x.file
			if want == "" {
				want = "$workspace/"
			}
			if e.Position == nil || !strings.HasPrefix(e.Position.File, want) || e.Position.Line < 1 {
				t.Errorf("the position is %v, and not in %s", e.Position, want)
			}
			for n := 0; took > pacetest.Second() && n < 5; n++ { // others may have had the processor
				start := time.Now()
				_, _ = call.Answer(context.Background(), "render", []byte(x.request), call.Options{})
				took = min(took, time.Since(start))
			}
			if took > pacetest.Second() {
				t.Errorf("it took %s", took)
			}
			// What was allocated in all bounds what was held at once.
			if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
				t.Errorf("it allocated %d bytes", n)
			}
		})
	}
}

// A value that looks like a template stays data, with its variable and trust.
func TestRenderedValuesAreData(t *testing.T) {
	const value = "{{ tools }}{% include 'b' %}{# x #}"
	request, err := json.Marshal(map[string]any{
		"files": map[string]string{"$workspace/a": "<{{ vars.text | trim }}> {% set s %}{{ vars.text }}{% endset %}{{ s }}", "$workspace/b": "B"},
		"root":  "$workspace/a", "vars": map[string]string{"text": value},
	})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := call.Answer(context.Background(), "render", request, call.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := answer.(*app.Rendering)
	if want := "<" + value + "> " + value; r.Text != want {
		t.Errorf("rendered %q, not %q", r.Text, want)
	}
	end, found := 0, 0
	for _, s := range r.Spans {
		if s.Start != end || s.End <= s.Start {
			t.Errorf("span %+v doesn't follow %d", s, end)
		}
		end = s.End
		if r.Text[s.Start:s.End] == value {
			found++
			if s.Var != "vars.text" || s.Trust == cento.TrustBuiltin {
				t.Errorf("the value's span is %+v", s)
			}
		}
	}
	if end != len(r.Text) || found != 2 {
		t.Errorf("spans end at %d of %d, %d of them are the value", end, len(r.Text), found)
	}
}
