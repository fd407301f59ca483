package tests

import (
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/bench/workload"
)

// load gives a workload as fragments, with two active sets: all tools, and
// every second one without capabilities.
func load(tb testing.TB, name string) ([]cento.Fragment, [2]cento.Active) {
	tb.Helper()
	w, err := workload.Make(name)
	if err != nil {
		tb.Fatal(err)
	}
	out := make([]cento.Fragment, len(w.Fragments))
	for i, f := range w.Fragments {
		bucket := cento.Before
		if f.Bucket == "after" {
			bucket = cento.After
		}
		out[i] = cento.NewFragment(f.ID, f.Source, bucket, f.Body).RequiringTools(f.RequiresTools...)
		out[i].RequiresCaps = f.RequiresCaps
	}
	all := cento.Active{Tools: w.Tools, Caps: w.Caps}
	var half cento.Active
	for i := 0; i < len(w.Tools); i += 2 {
		half.Tools = append(half.Tools, w.Tools[i])
	}
	return out, [2]cento.Active{all, half}
}

// naive is the reduction as it reads in the documentation, the check of every
// benchmark's output.
func naive(fragments []cento.Fragment, a cento.Active) string {
	tools, caps := map[string]bool{}, map[string]bool{}
	for _, t := range a.Tools {
		tools[t] = true
	}
	for _, c := range a.Caps {
		caps[c] = true
	}
	var parts []string
	for _, bucket := range []cento.Bucket{cento.Before, cento.After} {
	next:
		for _, f := range fragments {
			body := strings.TrimSpace(f.Body)
			if f.Bucket != bucket || body == "" {
				continue
			}
			for _, t := range f.RequiresTools {
				if !tools[t] {
					continue next
				}
			}
			for _, c := range f.RequiresCaps {
				if !caps[c] {
					continue next
				}
			}
			parts = append(parts, body)
		}
	}
	return strings.Join(parts, "\n\n")
}

// BenchmarkAssemble compiles and assembles: one shot.
func BenchmarkAssemble(b *testing.B) {
	for _, name := range workload.Names() {
		b.Run(name, func(b *testing.B) {
			fragments, active := load(b, name)
			p, err := cento.ReduceFragments(fragments, active[0], cento.Options{})
			if err != nil {
				b.Fatal(err)
			}
			if text, _ := p.System(); text != naive(fragments, active[0]) {
				b.Fatal("the prompt differs from the plain reduction")
			}
			b.SetBytes(int64(p.Bytes()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := cento.ReduceFragments(fragments, active[0], cento.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReassemble assembles a compiled plan into reused memory, with all
// places. What was decided for an active set is kept with it. It goes to and fro
// between two, as agents do that share a plan.
func BenchmarkReassemble(b *testing.B) {
	for _, name := range workload.Names() {
		b.Run(name, func(b *testing.B) {
			fragments, active := load(b, name)
			plan, err := cento.Compile(fragments, cento.Options{})
			if err != nil {
				b.Fatal(err)
			}
			bound := [2]*cento.Bound{plan.Bind(active[0]), plan.Bind(active[1])}
			var asm cento.Assembly
			var text []byte
			for i := range bound {
				if text, err = plan.AppendText(text[:0], bound[i], &asm); err != nil {
					b.Fatal(err)
				}
				if string(text) != naive(fragments, active[i]) {
					b.Fatal("the prompt differs from the plain reduction")
				}
				checkSpans(b, &asm, string(text))
			}
			if text, err = plan.AppendText(text[:0], bound[0], &asm); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if text, err = plan.AppendText(text[:0], bound[i&1], &asm); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRebind is BenchmarkReassemble with the names of the active set
// looked up each time as well.
func BenchmarkRebind(b *testing.B) {
	for _, name := range workload.Names() {
		b.Run(name, func(b *testing.B) {
			fragments, active := load(b, name)
			plan, err := cento.Compile(fragments, cento.Options{})
			if err != nil {
				b.Fatal(err)
			}
			var asm cento.Assembly
			var text []byte
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if text, err = plan.AppendText(text[:0], plan.Bind(active[i&1]), &asm); err != nil {
					b.Fatal(err)
				}
			}
			if string(text) != naive(fragments, active[0]) && string(text) != naive(fragments, active[1]) {
				b.Fatal("the prompt differs from the plain reduction")
			}
		})
	}
}

// BenchmarkCopy is the floor: a plain copy of the two outputs in turn.
func BenchmarkCopy(b *testing.B) {
	for _, name := range workload.Names() {
		b.Run(name, func(b *testing.B) {
			fragments, active := load(b, name)
			outputs := [2][]byte{[]byte(naive(fragments, active[0])), []byte(naive(fragments, active[1]))}
			dst := make([]byte, 0, len(outputs[0]))
			b.SetBytes(int64(len(outputs[0])))
			for i := 0; b.Loop(); i++ {
				dst = append(dst[:0], outputs[i&1]...)
			}
			if len(dst) == 0 {
				b.Fatal("nothing was copied")
			}
		})
	}
}

// checkSpans fails unless the spans tile the text.
func checkSpans(tb testing.TB, a *cento.Assembly, text string) {
	tb.Helper()
	at := 0
	for s := range a.AllSpans() {
		if s.Start != at || s.End <= s.Start {
			tb.Fatalf("span [%d, %d) follows byte %d", s.Start, s.End, at)
		}
		if at = s.End; at > len(text) {
			break
		}
		if said := text[s.Start:s.End]; s.Kind == cento.JoinerSpan && strings.Trim(said, "\n") != "" || s.Kind == cento.HeadingSpan && said[0] != '#' {
			tb.Fatalf("a span of kind %v holds %q", s.Kind, said)
		}
	}
	if at != len(text) || at != a.Bytes() {
		tb.Fatalf("the spans end at %d, the text at %d", at, len(text))
	}
}
