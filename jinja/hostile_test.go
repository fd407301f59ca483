package jinja

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/pacetest"
)

// Every template here tries to hang, to crash, or to eat memory. Each must give
// a typed error with a place, within a second and 64 MiB.
var hostile = []struct {
	name, text string
	kind       ErrorKind
}{
	{"parentheses", "{{ " + strings.Repeat("(", 200_000) + "1" + strings.Repeat(")", 200_000) + " }}", ErrNesting},
	{"open parentheses", "{{ " + strings.Repeat("(", 200_000), ErrNesting},
	{"brackets", "{{ " + strings.Repeat("[", 200_000), ErrNesting},
	{"braces", "{{ " + strings.Repeat("{1:", 200_000), ErrNesting},
	{"not", "{{ " + strings.Repeat("not ", 200_000) + "1 }}", ErrNesting},
	{"minus", "{{ " + strings.Repeat("-", 200_000) + "1 }}", ErrNesting},
	{"sum", "{{ 1" + strings.Repeat("+1", 200_000) + " }}", ErrNesting},
	{"attributes", "{{ a" + strings.Repeat(".b", 200_000) + " }}", ErrNesting},
	{"filters", "{{ 1" + strings.Repeat("|d", 200_000) + " }}", ErrNesting},
	{"conditions", "{{ 1" + strings.Repeat(" if 1 else 1", 60_000) + " }}", ErrNesting},
	{"calls", "{{ a" + strings.Repeat("()", 200_000) + " }}", ErrNesting},
	{"targets", "{% for " + strings.Repeat("(", 200_000) + "a", ErrNesting},
	{"nested ifs", strings.Repeat("{% if 1 %}", 60_000), ErrNesting},
	{"nested blocks", strings.Repeat("{% for a in b %}{% with %}", 30_000), ErrNesting},
	{"recursive macro", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", ErrNesting},
	{"mutual macros", "{% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ f() }}{% endmacro %}{{ f() }}", ErrNesting},
	{"macro in an argument", "{% macro f(x) %}{{ f(f) }}{% endmacro %}{{ f(1) }}", ErrNesting},
	{"macro default", "{% macro f(x=f()) %}{% endmacro %}{{ f() }}", ErrNesting},
	{"recursive caller", "{% macro f() %}{% call f() %}{{ caller() }}{% endcall %}{{ caller() }}{% endmacro %}{% call f() %}{% endcall %}", ErrNesting},
	{"recursive loop", "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}", ErrNesting},
	{"self block", "{% block a %}{{ self.a() }}{% endblock %}", ErrNesting},
	{"wide recursion", "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}", ErrFuel},
	{"range", "{% for i in range(10**9) %}x{% endfor %}", ErrValueSize},
	{"range of ranges", "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}", ErrValueSize},
	{"nested loops", "{% for i in range(3000) %}{% for j in range(3000) %}{% for k in range(3000) %}{% endfor %}{% endfor %}{% endfor %}", ErrValueSize},
	{"nested loops over one list", "{% set r = range(3000) %}{% for i in r %}{% for j in r %}{% for k in r %}{% endfor %}{% endfor %}{% endfor %}", ErrFuel},
	{"repeated text", "{{ 'A' * 10**9 }}", ErrValueSize},
	{"repeated list", "{{ [1] * 10**9 }}", ErrValueSize},
	{"repeated empty", "{{ ('' * 10**18) ~ ([] * 10**18)|length ~ nope }}", ErrUndefined},
	{"doubling text", "{% set ns = namespace(x='ab') %}{% for i in range(64) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}", ErrFuel},
	{"doubling list", "{% set ns = namespace(x=[1]) %}{% for i in range(64) %}{% set ns.x = ns.x + ns.x %}{% endfor %}", ErrValueSize},
	{"shared value", "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}", ErrFuel},
	{"shared value compared", "{% set ns = namespace(x=[1], y=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}{{ ns.x == ns.y }}", ErrFuel},
	{"shared value as JSON", "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x|tojson }}", ErrFuel},
	{"shared value pretty", "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x|pprint }}", ErrValueSize},
	{"deep value", "{% set ns = namespace(x=[1]) %}{% for i in range(100000) %}{% set ns.x = [ns.x] %}{% endfor %}", ErrNesting},
	{"deep map", "{% set ns = namespace(x=1) %}{% for i in range(100000) %}{% set ns.x = {'a': ns.x} %}{% endfor %}", ErrNesting},
	{"namespace in itself", "{% set ns = namespace() %}{% set ns.x = ns %}{{ ns|tojson }}", ErrNesting},
	{"output", "{% for i in range(100000) %}{{ 'x' * 1000 }}{% endfor %}", ErrOutputSize},
	{"output of data", "{% for i in range(100000) %}{{ big }}{% endfor %}", ErrOutputSize},
	{"captures", "{% macro f(n) %}{% set x %}{{ big }}{{ f(n - 1) if n }}{% endset %}{{ x }}{% endmacro %}{{ f(90) }}", ErrOutputSize},
	{"division", "{{ 1 // 0 }}", ErrArithmetic},
	{"modulo", "{{ 1 % 0 }}", ErrArithmetic},
	{"quotient", "{{ 1 / 0 }}", ErrArithmetic},
	{"quotient of floats", "{{ 1.5 // 0.0 }}", ErrArithmetic},
	{"smallest integer", "{{ (-9223372036854775807 - 1) // -1 }}", ErrArithmetic},
	{"power", "{{ 10 ** 10 ** 10 }}", ErrArithmetic},
	{"padding", "{{ 'a'|center(4000000000) }}", ErrValueSize},
	{"indent", "{{ 'a\nb'|indent(4000000000) }}", ErrValueSize},
	{"format width", "{{ '%4000000000d'|format(1) }}", ErrValueSize},
	{"format method", "{{ '{:>4000000000}'.format(1) }}", ErrValueSize},
	{"format precision", "{{ '%.999999999f'|format(1.5) }}", ErrValueSize},
	{"zfill", "{{ 'a'.zfill(4000000000) }}", ErrValueSize},
	{"batch fill", "{{ [1]|batch(4000000000, 0) }}", ErrFuel},
	{"slices", "{{ [1]|slice(4000000000) }}", ErrFuel},
	{"replace nothing", "{{ big|replace('', big) }}", ErrOutputSize},
	{"join", "{{ big|join(big) }}", ErrOutputSize},
	{"rounds", "{{ 1.5|round(4000000000) }}", ErrArguments},
	{"JSON indent", "{{ [1]|tojson(indent=4000000000) }}", ErrArguments},
	{"sorting", "{% for i in range(1000) %}{{ range(5000)|reverse|sort|first }}{% endfor %}", ErrFuel},
	{"unique of lists", "{{ range(20000)|batch(1)|unique|length }}", ErrFuel},
	{"searching", "{% for i in range(100000) %}{{ 'nope' in big }}{% endfor %}", ErrFuel},
	{"many named arguments", "{{ dict(" + numbered(20_000, "a%d=1,") + "a19999=2)|length }}", ErrArguments},
	{"splats", "{{ range(*range(100000)) }}", ErrArguments},
	{"indexing text", "{% for i in range(50000) %}{{ big[60000] }}{{ big[-1] }}{% endfor %}", ErrFuel},
	{"long keys", "{% set m = {big: 1} %}{% for i in range(100000) %}{{ m[big] }}{{ big in m }}{% endfor %}", ErrFuel},
	{"padding long text", "{% for i in range(100000) %}{{ big.zfill(3)|first }}{% endfor %}", ErrFuel},
	{"reading long numbers", "{% set n = '1' * 100000 %}{% for i in range(100000) %}{{ n|int(0) }}{% endfor %}", ErrFuel},
	{"many parameters", "{% macro f(" + numbered(100_000, "a%d,") + "z) %}{% endmacro %}", ErrSourceSize},
	{"many names", numbered(40_000, "{% set a%d = 1 %}"), ErrSourceSize},
	{"many blocks", numbered(20_000, "{% block a%d %}{% endblock %}"), ErrSourceSize},
	{"many names in reach", "{% with " + numbered(40_000, "a%d=1,") + " z=1 %}" + strings.Repeat("{% include z %}", 20_000), ErrSourceSize},
	{"many captures", "{% with " + numbered(20_000, "a%d=1,") + " z=1 %}{% macro f() %}" + numbered(20_000, "{{ a%d }}"), ErrSourceSize},
	{"open expression", "{{ a", ErrSyntax},
	{"open statement", "{% if a", ErrSyntax},
	{"open comment", "{# a", ErrSyntax},
	{"open string", "{{ 'a }}", ErrSyntax},
	{"open raw", "{% raw %}{% endra %}", ErrSyntax},
	{"open block", "{% block a %}", ErrSyntax},
	{"open bracket", "{{ [1, 2 }}", ErrSyntax},
	{"many open raws", strings.Repeat("{% raw %}", 50_000), ErrSyntax},
	{"not UTF-8", "ok \xff\xfe", ErrEncoding},
	{"NUL", "ok \x00", ErrEncoding},
	{"too large", strings.Repeat("x", 5<<20), ErrSourceSize},
	{"many nodes", strings.Repeat("{{a}}", 200_000), ErrSourceSize},
	{"long name", "{{ " + strings.Repeat("a", 1<<19) + " }}", ErrUndefined},
	{"long filter", "{{ 1|" + strings.Repeat("a", 1<<19) + " }}", ErrUnknownFilter},
	{"long filter in map", "{{ [1]|map(big) }}", ErrUnknownFilter},
	{"long attribute", "{{ {}[big] }}", ErrUndefined},
	{"long template", "{% include big %}", ErrNotFound},
	{"long templates", "{% include [big, big, big] %}", ErrNotFound},
	{"long argument", "{{ dict(**{big: 1}).x }}{{ range(**{big: 1}) }}", ErrUndefined},
	{"long choice", "{{ {}|dictsort(by=big) }}", ErrArguments},
	{"wide wrapping", "{{ big|wordwrap(1, true, big) }}", ErrValueSize},
	{"unknown filter", "{{ 1|uper }}", ErrUnknownFilter},
	{"unknown test", "{{ 1 is defind }}", ErrUnknownTest},
	{"arity", "{{ 'a'|replace(1, 2, 3, 4) }}", ErrArguments},
	{"undefined", "{{ nope }}", ErrUndefined},
	{"integer", "{{ 99999999999999999999 }}", ErrArithmetic},
}

// numbered repeats a form with the numbers below n.
func numbered(n int, form string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, form, i)
	}
	return b.String()
}

func TestHostile(t *testing.T) {
	ctx := new(MapBuilder).Set("big", String(strings.Repeat("abcdefgh", 16<<10), 5)).Map()
	env := New(Options{})
	bound := pacetest.Second()
	if underRace {
		bound *= 10
	}
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			run := func() (time.Duration, error) {
				start := time.Now()
				tmpl, err := env.Parse(Source{Name: "hostile.md", Text: h.text})
				if err == nil {
					_, err = tmpl.Render(ctx)
				}
				return time.Since(start), err
			}
			took, err := run()
			runtime.ReadMemStats(&after)
			for n := 0; took > bound && n < 5; n++ { // others may have had the processor
				again, _ := run()
				took = min(took, again)
			}
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, h.kind) {
				t.Fatalf("got %v, want the kind %q", err, h.kind)
			}
			if e.Line < 1 && h.kind != ErrSourceSize {
				t.Errorf("error has no place: %v", e)
			}
			if len(e.Detail()) > 4000 {
				t.Errorf("detail has %d bytes", len(e.Detail()))
			}
			if took > bound {
				t.Errorf("took %v", took)
			}
			if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 64<<20 {
				t.Errorf("heap grew by %d bytes", grown)
			}
			if made := after.TotalAlloc - before.TotalAlloc; made > memoryBound {
				t.Errorf("made %d bytes in all", made)
			}
		})
	}
}
