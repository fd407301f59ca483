package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestProgressIsTold: now and then, of all that there is, and in the end of no more than that.
func TestProgressIsTold(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{Clock: clock()})
	const n = chunk + 20
	var drafts []Draft
	for i := range n {
		drafts = append(drafts, draft(t, "", fmt.Sprint("a: Turn ", i)))
	}
	if _, err := s.Append(t.Context(), "s", drafts...); err != nil {
		t.Fatal(err)
	}
	var told []string
	tell := func(done, all int64) { told = append(told, fmt.Sprintf("%d/%d", done, all)) }
	var exported strings.Builder
	for _, c := range []struct {
		name string
		do   func() error
		want []string
	}{
		{"an export", func() error { return s.Export(t.Context(), &exported, ExportOptions{Progress: tell}) }, []string{"500/520", "520/520"}},
		{"a check", func() error { _, err := s.Verify(t.Context(), VerifyOptions{Progress: tell}); return err }, []string{"500/520", "520/520"}},
		// The lists of prompts, then their inputs.
		{"a sweep", func() error {
			_, err := s.GC(t.Context(), GCOptions{Before: time.Unix(0, 0), DryRun: true, Progress: tell})
			return err
		}, []string{"0/1040", "500/1040", "1000/1040"}},
		{"a redaction", func() error {
			_, err := s.Redact(t.Context(), RedactOptions{Fragment: "a", DryRun: true, Progress: tell})
			return err
		}, []string{"0/520", "500/520"}},
		{"an import", func() error {
			to := open(t, sqlitePlace(t), Options{})
			_, err := to.Import(t.Context(), strings.NewReader(exported.String()), ImportOptions{Progress: func(lines int64) { tell(lines, 0) }})
			return err
		}, nil},
	} {
		told = nil
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		if c.want == nil {
			for lines := int64(importBatch); lines <= int64(strings.Count(exported.String(), "\n")); lines += importBatch {
				c.want = append(c.want, fmt.Sprintf("%d/0", lines))
			}
		}
		if !slices.Equal(told, c.want) {
			t.Errorf("%s: %q, want %q", c.name, told, c.want)
		}
	}
}
