package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/terminal"
)

// TestProgressBar: a bar is drawn on a terminal alone, once something takes
// long, and taken away at the end.
func TestProgressBar(t *testing.T) {
	var errs bytes.Buffer
	c := &console{err: terminal.NewWriter(&errs, terminal.Options{})}
	b := c.progress("verifying")
	b.last = time.Now().Add(-time.Hour)
	b.at(5, 10)
	b.end()
	if errs.Len() > 0 {
		t.Errorf("no terminal, and yet: %q", errs.String())
	}

	b = &progressBar{to: terminal.NewWriter(&errs, terminal.Options{Screen: true}), what: "verifying", last: time.Now().Add(time.Hour)}
	b.at(1, 10)
	b.end()
	if errs.Len() > 0 {
		t.Errorf("it takes a moment, and yet: %q", errs.String())
	}
	long := func() { b.last = time.Now().Add(-time.Hour) }
	for _, x := range []struct {
		done, all int64
		want      string
	}{
		{5, 10, "\rcento: verifying [############            ] 5 of 10"},
		{10, 10, "\rcento: verifying [########################] 10 of 10"},
		{12, 10, "\rcento: verifying [########################] 12 of 10"},
		{7, 0, "\rcento: verifying 7"},
	} {
		long()
		b.at(x.done, x.all)
		if errs.String() != x.want {
			t.Errorf("%d of %d: %q, want %q", x.done, x.all, errs.String(), x.want)
		}
		errs.Reset()
	}
	b.end()
	b.end()
	if errs.String() != "\r\x1b[K" {
		t.Errorf("at the end: %q", errs.String())
	}
}
