package session_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/session"
)

// TestUsages: whatever was told of a session is kept, by turn and request, however much
// it is; the last word counts, another process reads the same, and a child begins with
// nothing.
func TestUsages(t *testing.T) {
	storetest.OnBoth(t, func(t *testing.T, place string) {
		f := begin(t, place, session.Settings{})
		f.turn("s")
		f.turn("s")
		tell := func(turn, request int64, input int) {
			t.Helper()
			out, err := f.Usage(t.Context(), session.UsageRequest{ID: "s", Turn: turn, Request: &request, Usage: fmt.Appendf(nil, `{"prompt_tokens":%d}`, input)})
			if err != nil || out.Usage.Input != input || out.Usage.Request != request {
				t.Fatalf("%+v, %v", out, err)
			}
		}
		n := 2*session.MaxRecent + 5
		for i := range n {
			tell(1, int64(n-i), i)
		}
		if out, err := f.Usage(t.Context(), session.UsageRequest{ID: "s", Usage: []byte(`{"prompt_tokens":7}`)}); err != nil || out.Usage.Request != 1 {
			t.Fatalf("%+v, %v", out, err)
		}
		if _, err := f.Usage(t.Context(), session.UsageRequest{ID: "s", Request: new(int64), Usage: []byte(`{"prompt_tokens":8}`)}); !errors.Is(err, session.WrongSettings) {
			t.Errorf("request 0: %v", err)
		}
		tell(1, int64(n-1), 999) // told before, long ago: in a list that is sealed
		for _, service := range []*fixture{f, f.again()} {
			list, err := service.Usages(t.Context(), "s")
			if err != nil || len(list) != n+1 {
				t.Fatalf("%d, %v", len(list), err)
			}
			if u := list[0]; u.Turn != 0 || u.Request != 1 || u.Input != 7 || u.Paid != nil {
				t.Errorf("%+v", u)
			}
			for i, u := range list[1:] {
				want := n - i - 1
				if i == n-2 {
					want = 999
				}
				if u.Turn != 1 || u.Request != int64(i+1) || u.Input != want {
					t.Errorf("%d: %+v, want %d", i, u, want)
				}
			}
		}
		if _, err := f.Fork(t.Context(), session.ForkRequest{ID: "s", Child: "c"}); err != nil {
			t.Fatal(err)
		}
		if list, err := f.Usages(t.Context(), "c"); err != nil || len(list) != 0 {
			t.Errorf("the child has %v, %v", list, err)
		}
		if f.show("s").Turn != 1 {
			t.Error("telling what was billed changed the turn")
		}
	})
}
