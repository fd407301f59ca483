package jinja

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// seeds returns every template of the archives.
func seeds(f *testing.F) []string {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatal("no archives to take seeds from")
	}
	var all []string
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(b).Files {
			if strings.Contains(file.Name, "template") {
				all = append(all, string(file.Data))
			}
		}
	}
	return append(all, "{{ '\\u12' }}", "{%- raw -%} {{ {% endraw +%}", "{{ a.0.1[::-1](*b, **c)|d is not e }}", "{", "{#", "{{ -9223372036854775808 }}")
}

// Law: tokens lie in the source in order, never overlap, and the lexer ends.
func FuzzLex(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s, true, false)
	}
	env := New(Options{})
	f.Fuzz(func(t *testing.T, text string, trim, lstrip bool) {
		tmpl := &Template{env: env, src: Source{Name: "t", Text: text}}
		if checkSource(tmpl) != nil {
			return
		}
		l := lexer{t: tmpl, src: text, trimBlocks: trim, lstripBlocks: lstrip}
		defer func() {
			if e := recover(); e != nil {
				err, ok := e.(*Error)
				if !ok {
					panic(e)
				}
				if err.Line < 1 || err.Column < 1 || err.Start < 0 || err.End > len(text) {
					t.Fatalf("error without a place: %v", err)
				}
			}
		}()
		at := uint32(0)
		for n := 0; ; n++ {
			tok := l.next()
			if tok.pos < at || tok.end < tok.pos || int(tok.end) > len(text) {
				t.Fatalf("token %v behind %d of %d", tok, at, len(text))
			}
			if tok.kind == tokEOF {
				return
			}
			if tok.end == tok.pos || n > 2*len(text)+2 {
				t.Fatalf("token %v is empty, or the lexer does not end", tok)
			}
			at = tok.end
		}
	})
}

// outline lists what a program does, without positions.
func outline(t *Template) string {
	var b strings.Builder
	t.walkAll(func(id uint32, n *node) bool {
		fmt.Fprintf(&b, "%d/%d", n.op, n.flag&^1)
		switch n.op {
		case opText:
			fmt.Fprintf(&b, "%q", t.src.Text[n.a:n.b])
		case opConst:
			fmt.Fprintf(&b, "%s", t.consts[n.a])
		case opLocal, opCaptured, opRoot, opGetAttr, opTargetAttr, opTargetSlot:
			fmt.Fprintf(&b, "%s", t.names[n.c])
		}
		b.WriteByte('\n')
		return true
	})
	return b.String()
}

// Law: parse(print(ast)) = ast, under each setting of white space.
func FuzzParse(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s, true, false, true)
	}
	f.Fuzz(func(t *testing.T, text string, trim, lstrip, keep bool) {
		opts := Options{TrimBlocks: trim, LstripBlocks: lstrip, KeepTrailingNewline: keep, Limits: Limits{Nesting: 60}}
		env := New(opts)
		a, err := env.Parse(Source{Name: "a", Text: text})
		if err != nil {
			checkPlaced(t, err, len(text))
			return
		}
		printed := a.canonical()
		// The brackets of the print nest deeper than what they make plain.
		opts.Limits = Limits{Nesting: 200, Source: 64 << 20}
		b, err := New(opts).Parse(Source{Name: "b", Text: printed})
		if err != nil {
			t.Fatalf("printed template does not parse: %v\n%s", err, printed)
		}
		if again := b.canonical(); again != printed {
			t.Fatalf("prints differ:\n%s\n%s", printed, again)
		}
		if x, y := outline(a), outline(b); x != y {
			t.Fatalf("programs differ for\n%s\n%s\n%s", printed, x, y)
		}
		a.Undeclared()
		a.Calls()
		a.Includes()
	})
}

func checkPlaced(t *testing.T, err error, size int) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Kind == "" || e.Message == "" {
		t.Fatalf("untyped error: %v", err)
	}
	if e.Line < 1 && e.Kind != ErrSourceSize {
		t.Fatalf("error without a place: %v", err)
	}
	if e.Start < 0 || e.Start > size || e.End < e.Start {
		t.Fatalf("error has bytes %d to %d of %d: %v", e.Start, e.End, size, err)
	}
	if !strings.HasSuffix(e.Detail(), "\n") {
		t.Fatal("detail does not end its line")
	}
}

// Law: whatever the template and the values, spans tile the output, the fuel
// spent keeps to the limit and is the same each time, and no character of an
// untrusted value lies in a span that is more trusted.
func FuzzRender(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s, "{{ x }}", int64(7))
	}
	f.Fuzz(func(t *testing.T, text, value string, number int64) {
		// The template's own text is folded away from the characters that mark the
		// untrusted value: they can come from nowhere else.
		text = strings.Map(func(r rune) rune {
			if r >= 0x4e00 && r < 0xa000 || r == '\\' || r == '%' {
				if r == '%' {
					return r
				}
				return '?'
			}
			return r
		}, text)
		env := New(Options{Undefined: Undefined(uint64(number) % 4), Limits: Limits{Fuel: 20_000, Output: 1 << 16, Value: 1 << 16, Memory: 1 << 20}})
		tmpl, err := env.Parse(Source{Name: "t", Text: text})
		if err != nil {
			checkPlaced(t, err, len(text))
			return
		}
		marked := String("秘"+strings.ReplaceAll(value, "秘", "")+"密", 5)
		item := new(MapBuilder).Set("title", marked).Set("n", Int(number)).Set("name", String("plain", 1)).Map()
		b := new(MapBuilder)
		for i, name := range tmpl.Undeclared() {
			switch i % 5 {
			case 0:
				b.Set(name, marked)
			case 1:
				b.Set(name, List(item, item, marked))
			case 2:
				b.Set(name, item)
			case 3:
				b.Set(name, Int(number))
			case 4:
				b.Set(name, List(List(marked, Int(1)), List(String("b", 1), None())))
			}
		}
		ctx := b.Map()
		o, err := tmpl.Render(ctx)
		again, err2 := tmpl.Render(ctx)
		if err != nil {
			checkPlaced(t, err, len(text))
			if err2 == nil || err.Error() != err2.Error() {
				t.Fatalf("two renderings fail differently: %v, %v", err, err2)
			}
			return
		}
		if err2 != nil || o.Text() != again.Text() || o.FuelUsed() != again.FuelUsed() {
			t.Fatalf("two renderings differ: %v", err2)
		}
		if o.FuelUsed() < 0 || o.FuelUsed() > 20_000 {
			t.Fatalf("fuel %d", o.FuelUsed())
		}
		checkTiling(t, o)
		checkTaint(t, o, 5)
	})
}

// checkTaint fails if a character of the marked value is in a span whose label
// is below the value's.
func checkTaint(t failer, o *Output, trust Trust) {
	t.Helper()
	for s := range o.All() {
		if s.Trust < trust && strings.ContainsAny(string(o.text[s.Start:s.End]), "秘密") {
			t.Fatalf("untrusted text in span %+v: %q", s, o.text[s.Start:s.End])
		}
	}
}
