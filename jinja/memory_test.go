package jinja

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/pacetest"
)

// What parsing and rendering one template may allocate, beyond a multiple of what
// it is given: docs/SECURITY.md states the bound.
const memoryBound = 64 << 20

// made returns how many bytes f allocates, and how long it takes.
func made(f func()) (bytes uint64, took time.Duration) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	f()
	took = time.Since(start)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, took
}

// dense are texts that filters make more of: many pieces, many escapes.
var dense = []struct{ name, unit string }{
	{"letters", "a"}, {"words", "a "}, {"tags", "<"}, {"control", "\x01"}, {"lines", "\n"}, {"hidden", "\u202e"}, {"mixed", "a<b>'c'\n"}, {"wide", "\U0001f600"},
}

// Every filter and method, over four megabytes of each kind of text and over the
// list of its characters, allocates within the bound, whether it succeeds or fails.
func TestFiltersKeepToTheMemoryBound(t *testing.T) {
	const size = 4<<20 - 64
	var forms []string
	for _, name := range sortedKeys(builtinFilters) {
		for _, args := range []string{"", "('a', 'b')", "('a')", "(1, true, big)", "(1)", "('<', sep)", "(3, big)"} {
			forms = append(forms, "{{ big|"+name+args+" }}")
		}
		forms = append(forms, "{{ big|list|"+name+" }}", "{{ range(100000)|map('string')|"+name+" }}", "{{ range(100000)|"+name+"('a') }}")
	}
	for _, name := range sortedKeys(stringMethods) {
		for _, args := range []string{"()", "('a')", "('a', 'bb')", "(1)", "(big)", "(4000000, 'x')"} {
			forms = append(forms, "{{ big."+name+args+" }}")
		}
	}
	forms = append(forms, "{{ [big] }}", "{{ {big: big} }}", "{{ big ~ big }}", "{{ big + big }}", "{{ big * 2 }}", "{{ big[::-1] }}", "{{ big[::2] }}", "{{ '%r' % big }}", "{{ '{!r}'.format(big) }}",
		"{{ [big]|tojson(ensure_ascii=true) }}", "{{ [[big]]|tojson(indent=8) }}", "{{ big|map('upper')|join }}", "{% for c in big %}{{ c }}{% endfor %}", "{% for c in big|list %}x{{ c }}{% endfor %}",
		"{% filter upper %}{{ big }}{% endfilter %}", "{% set x %}{{ big }}{% endset %}{{ x }}{{ x }}", "{% autoescape true %}{{ big }}{% endautoescape %}", "{% autoescape true %}{{ [big] }}{% endautoescape %}",
		"{{ big|replace('a', 'b')|replace('<', '>') }}", "{{ big|wordwrap(1, true, big) }}", "{{ debug(big) }}", "{{ big is upper }}", "{{ 'zz' in big }}", "{{ big|trim('a\U0001f600<\n\u202e\x01 ') }}")
	long := lengthtest.Wanted() == lengthtest.Long
	env := New(Options{Undefined: Lenient})
	rendered := 0
	for i, text := range dense {
		if !long && i != 6 {
			continue
		}
		big := String(strings.Repeat(text.unit, size/len(text.unit)), 5)
		ctx := new(MapBuilder).Set("big", big).Set("sep", String(strings.Repeat("y", 1<<16), 5)).Map()
		for j, form := range forms {
			// All forms over all texts take minutes; each form over one text finds most.
			if !long && j%len(dense) != i {
				continue
			}
			tmpl := mustParse(t, env, form)
			var err error
			render := func() { _, err = tmpl.Render(ctx) }
			bytes, took := made(render)
			for n := 0; took > pacetest.Second() && n < 4 && !testing.Short(); n++ { // others may have had the processor
				_, again := made(render)
				took = min(took, again)
			}
			if err == nil {
				rendered++
			} else if e := (*Error)(nil); !errors.As(err, &e) {
				t.Errorf("%s over %s: %v", form, text.name, err)
			}
			if bytes > memoryBound || (took > pacetest.Second() && !testing.Short()) {
				t.Errorf("%s over %s made %d MiB in %v: %.100v", form, text.name, bytes>>20, took.Round(time.Millisecond), err)
			}
		}
	}
	if rendered < len(forms)/len(dense)/4 {
		t.Errorf("only %d of the templates rendered", rendered)
	}
}

// Templates that are large themselves, of about n bytes.
var large = []struct {
	name string
	text func(n int) string
}{
	{"concatenation", func(n int) string { return "{{ 1" + strings.Repeat("~1", n/2) + " }}" }},
	{"list", func(n int) string { return "{{ [1" + strings.Repeat(",1", n/2) + "]|length }}" }},
	{"map", func(n int) string { return "{{ {" + numbered(n/6, "%d:1,") + "}|length }}" }},
	{"expressions", func(n int) string { return strings.Repeat("{{1}}", n/5) }},
	{"sum", func(n int) string { return strings.Repeat("{{1+1}}", n/7) }},
	{"tests", func(n int) string { return "{{ 1" + strings.Repeat(" and 1 is even", n/14) + " }}" }},
	{"strings", func(n int) string { return "{{ 'a'" + strings.Repeat("~'a'", n/4) + " }}" }},
	{"string", func(n int) string { return "{{ 'a'" + strings.Repeat("'\\n'", n/4) + " }}" }},
	{"comments", func(n int) string { return strings.Repeat("a{##}", n/5) }},
	{"names", func(n int) string { return numbered(n/12, "{{ a%d }}") }},
	{"bindings", func(n int) string { return numbered(n/20, "{%% set a%d = 1 %%}") }},
	{"conditions", func(n int) string { return strings.Repeat("{%if 1%}{%endif%}", n/18) }},
	{"loops", func(n int) string { return strings.Repeat("{%for a in b%}{%endfor%}", n/25) }},
	{"macros", func(n int) string { return numbered(n/35, "{%% macro m%d(a, b=1) %%}{%% endmacro %%}") }},
	{"blocks", func(n int) string { return numbered(n/32, "{%% block b%d %%}{%% endblock %%}") }},
	{"includes", func(n int) string { return strings.Repeat("{%include 'e' ignore missing%}", n/30) }},
	{"filters", func(n int) string { return strings.Repeat("{{a|d|d|d}}", n/11) }},
	{"calls", func(n int) string { return "{{ dict(" + numbered(n/8, "a%d=1,") + "z=1)|length }}" }},
	{"text", func(n int) string { return strings.Repeat("a\n", n/2) }},
	{"braces", func(n int) string { return strings.Repeat("{", n) }},
	{"raw", func(n int) string { return strings.Repeat("{%raw%}{%endraw%}", n/17) }},
}

// Templates of up to the largest size allocate within the bound, and no more than
// in proportion to their size.
func TestSourcesKeepToTheMemoryBound(t *testing.T) {
	env := New(Options{Undefined: Lenient, Loader: MapLoader{}})
	ctx := new(MapBuilder).Set("b", List()).Map()
	for _, l := range large {
		t.Run(l.name, func(t *testing.T) {
			var perByte [2]float64
			for i, n := range []int{100_000, 1 << 20} {
				text := l.text(n)
				var err error
				run := func() {
					var tmpl *Template
					if tmpl, err = env.LoadSource(Source{Name: "t", Text: text}); err == nil {
						_, err = tmpl.Render(ctx)
					}
				}
				bytes, took := made(run)
				for n := 0; took > pacetest.Second() && n < 4 && !testing.Short(); n++ {
					_, again := made(run)
					took = min(took, again)
				}
				perByte[i] = float64(bytes) / float64(n)
				if bytes > memoryBound || (took > pacetest.Second() && !testing.Short()) {
					t.Errorf("%d bytes made %d MiB in %v: %.100v", n, bytes>>20, took.Round(time.Millisecond), err)
				}
			}
			if perByte[1] > 2*perByte[0]+8 {
				t.Errorf("made %.0f bytes a byte of a small template, %.0f of a large one", perByte[0], perByte[1])
			}
		})
	}
}

// Values that are made without a large input keep to the bound as well.
func TestValuesKeepToTheMemoryBound(t *testing.T) {
	wide := "{% macro m(" + numbered(4000, "a%d,") + "z) %}{{ m() }}{% endmacro %}{{ m() }}"
	closures := "{% with " + numbered(2000, "a%d=1,") + " z=1 %}{% for i in range(100000) %}{% set f %}{% endset %}{% macro f() %}" + numbered(2000, "{{ a%d }}") + "{% endmacro %}{% set ns.l = [ns.l, f] %}{% endfor %}{% endwith %}"
	for name, text := range map[string]string{
		"frames": wide, "closures": "{% set ns = namespace(l=1) %}" + closures,
		"paths":         "{% for i in range(10) %}{% for x in range(100000) %}{% for y in m.items() %}{{ y[0] }}{% endfor %}{% endfor %}{% endfor %}",
		"long list":     "{% for i in range(10) %}{% set l = range(100000)|list %}{% endfor %}",
		"groups":        "{{ range(100000)|groupby('x')|length }}",
		"unique":        "{{ range(100000)|map('string')|unique|length }}",
		"sorted":        "{{ range(100000)|sort(attribute='a,b,c,d')|length }}",
		"batches":       "{{ range(100000)|batch(1)|length }}",
		"slices":        "{{ range(100000)|slice(100000)|length }}",
		"selected":      "{{ range(100000)|select|reject|select|length }}",
		"maps":          "{% for i in range(100000) %}{% set m = {'a': i, 'b': i} %}{% set ns.l = [ns.l, m] %}{% endfor %}",
		"kept text":     "{% for i in range(100000) %}{% set x = i ~ 'a' ~ i %}{{ x }}{% endfor %}",
		"many parts":    "{% set x %}{% for i in range(100000) %}{{ i }},{% endfor %}{% endset %}{{ x }}{{ x|upper }}{{ x|replace(',', '.') }}",
		"namespace":     "{% for i in range(3000) %}{% set n = namespace(a=i, b=i, c=i) %}{% endfor %}",
		"cyclers":       "{% for i in range(100000) %}{% set c = cycler(1, 2, 3) %}{{ c.next() }}{% endfor %}",
		"zip":           "{{ range(100000)|zip(range(100000), range(100000))|length }}",
		"format":        "{{ '%4000000d' % 1 }}{{ '{:4000000}'.format(1) }}",
		"indented json": "{% set ns = namespace(l=[1]) %}{% for i in range(90) %}{% set ns.l = [ns.l, 1] %}{% endfor %}{{ ns.l|tojson(indent=64) }}",
	} {
		t.Run(name, func(t *testing.T) {
			env := New(Options{Undefined: Lenient})
			ctx := new(MapBuilder).Set("m", new(MapBuilder).Set("k", Int(1)).Map()).Map()
			var err error
			run := func() {
				var tmpl *Template
				if tmpl, err = env.Parse(Source{Name: "t", Text: text}); err == nil {
					_, err = tmpl.Render(ctx)
				}
			}
			bytes, took := made(run)
			for n := 0; took > pacetest.Second() && n < 4 && !testing.Short(); n++ {
				_, again := made(run)
				took = min(took, again)
			}
			if bytes > memoryBound || (took > pacetest.Second() && !testing.Short()) {
				t.Errorf("made %d MiB in %v: %.200s", bytes>>20, took.Round(time.Millisecond), fmt.Sprint(err))
			}
		})
	}
}

// JSON of a megabyte becomes values within the bound, or is refused.
func TestJSONKeepsToTheMemoryBound(t *testing.T) {
	texts := map[string]string{"members": "{" + numbered(70_000, `"k%d":1,`) + `"z":1}`, "one shape": "[" + numbered(15_000, `{"a":1,"b":2,"c":%d},`) + "0]", "shapes": "[" + numbered(60_000, `{"a%d":1},`) + "0]"}
	for _, unit := range []string{"{}", "[]", "1", `"a"`, `{"a":1}`, "[[1]]", "null", "1e9", `{"a":[]}`} {
		texts[unit] = "[" + strings.Repeat(unit+",", (1<<20)/(len(unit)+1)-1) + unit + "]"
	}
	read := 0
	for name, text := range texts {
		var err error
		var v Value
		parse := func() { v, err = FromJSON([]byte(text), 1) }
		bytes, took := made(parse)
		for n := 0; took > pacetest.Second() && n < 4 && !testing.Short(); n++ {
			_, again := made(parse)
			took = min(took, again)
		}
		if err == nil {
			read++
			if v.Len() < 10_000 {
				t.Errorf("%s: %d items", name, v.Len())
			}
		} else if !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "more than 200000 values") {
			t.Errorf("%s: %v", name, err)
		}
		if bytes > memoryBound || (took > pacetest.Second() && !testing.Short()) {
			t.Errorf("%s made %d MiB in %v: %v", name, bytes>>20, took, err)
		}
	}
	if read < 3 {
		t.Errorf("only %d texts were read", read)
	}
}

// A text that is worked on a chunk at a time comes out as if it were done at once.
func TestChunksAreWholeCharacters(t *testing.T) {
	env := New(Options{})
	for _, front := range []string{"", "a", "ab", "abc"} {
		long := front + strings.Repeat("é\U0001f600", chunk)
		ctx := new(MapBuilder).Set("x", String(long, 5)).Map()
		for text, want := range map[string]string{
			"{{ [x] }}": "['" + long + "']", "{{ x|lower }}": long, "{{ x|upper }}": strings.ToUpper(long), "{{ x|escape }}": long, "{{ (x ~ '!')|lower }}": long + "!",
		} {
			o, err := mustParse(t, env, text).Render(ctx)
			if err != nil || o.Text() != want {
				t.Errorf("%s behind %q: %d bytes, want %d, %v", text, front, len(o.Bytes()), len(want), err)
				continue
			}
			checkTiling(t, o)
		}
	}
}
