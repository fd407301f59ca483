package jinja

import "testing"

// checkTiling holds the laws that every output keeps: spans tile it, and literal
// spans equal the source bytes at their place.
func checkTiling(tb testing.TB, o *Output) {
	tb.Helper()
	at := 0
	for i, s := range o.Spans() {
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
