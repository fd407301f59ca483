package call_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/lengthtest"
)

// spent is a context whose time is over once it was looked at so often.
type spent struct {
	context.Context
	after, looks atomic.Int64
}

func (s *spent) Err() error {
	if s.looks.Add(1) > s.after.Load() {
		return context.DeadlineExceeded
	}
	return nil
}

// asking answers a request with a context that is over after so many looks, and tells how
// many there were.
func asking(t *testing.T, op, request string, after int64) (looks int64, err error) {
	ctx := &spent{Context: t.Context()}
	ctx.after.Store(after)
	_, err = call.Answer(ctx, op, []byte(request), call.Options{Sealed: true})
	return ctx.looks.Load(), err
}

// items are so many texts with commas between them, in which %d is the number.
func items(n int, item string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.ReplaceAll(item, "%d", fmt.Sprint(i))
	}
	return strings.Join(list, ",")
}

// TestDeadlines: each operation looks at the time it has after each stage of its work, and
// for each item of what grows with the product of two lists. Whenever the time is over, that
// is the answer. An operation without a row fails.
func TestDeadlines(t *testing.T) {
	const n = 12
	fragments := `"fragments": [` + items(n, `{"id": "a%d", "body": "Word %d.", "requires_caps": ["c"]}`) + `]`
	for op, row := range map[string]struct {
		request string
		least   int64
	}{
		"ablate":       {`{"caps": ["c"], ` + fragments + `}`, n},
		"assemble":     {`{` + fragments + `}`, 3},
		"budget":       {`{"budget": 9000, ` + fragments + `}`, 3},
		"cache":        {`{"model": "claude-opus-5", "to": {"caps": ["c"]}, ` + fragments + `}`, 5},
		"check":        {`{"manifest": {"system": "x", "targets": {` + items(n, `"t%d": {"caps": ["c"]}`) + `}}}`, n},
		"contract":     {`{"contract": {"role": "validator", "objective": "x", "output": {"emit": "plan", "key": "seeds"}}}`, 1},
		"diff":         {`{"to": {"caps": ["c"]}, ` + fragments + `}`, 6},
		"explain":      {`{` + fragments + `}`, 3},
		"instructions": {`{"files": {"AGENTS.md": "Be brief."}, "for": [` + items(n, `"d%d/x"`) + `]}`, 2},
		"layers":       {`{"layers": [{"name": "a", "layer": {"slots": {"guidance": {"contributions": [{"content": "x"}]}}}}]}`, 3},
		"models":       {`{"query": "claude"}`, 1},
		"reduce":       {`{` + fragments + `}`, 2},
		"reminders":    {`{"session": {"id": "s"}, "ops": [` + items(n, `{"op": "turn_end"}`) + `]}`, n},
		"render":       {`{"root": "$workspace/a", "files": {"$workspace/a": "b"}}`, 3},
		"scope":        {`{"scope": {"allow": [{"target": "/a", "permission": "read"}]}, "paths": [` + items(n, `"/a/%d"`) + `]}`, n},
		"session":      {}, // it asks a store, and isn't answered over a network
		"tokens":       {`{"texts": [` + items(n, `"a%d"`) + `]}`, n},
		"why":          {`{"text": "Nowhere to be found.", ` + fragments + `}`, 10},
		"wire":         {`{"provider": "anthropic", "partial": true, ` + fragments + `}`, 3},
	} {
		if row.request == "" {
			continue
		}
		looks, err := asking(t, op, row.request, 1<<40)
		if err != nil || looks < row.least {
			t.Errorf("%s: it looks at its time %d times, want %d: %v", op, looks, row.least, err)
			continue
		}
		for after := int64(0); after < looks; after += 1 + looks/int64(lengthtest.Of(8, 16, 1000)) {
			if _, err := asking(t, op, row.request, after); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: the time is over after look %d of %d, and the answer is %v", op, after, looks, err)
			}
		}
	}
	for _, name := range call.Names() {
		if _, err := asking(t, name, "{}", 0); name != "session" && err == nil {
			t.Errorf("%s: it never looks at its time", name)
		}
	}
}

// TestScopeOfManyRules: a path is told with all rules that decide it, so an answer would grow
// with the product of both lists: it is refused before it is made.
func TestScopeOfManyRules(t *testing.T) {
	request := `{"scope": {"allow": [` + items(3000, `{"target": "/a", "permission": "read"}`) + `]}, "paths": [` + items(3000, `"/a/%d"`) + `]}`
	_, err := call.Answer(t.Context(), "scope", []byte(request), call.Options{Sealed: true})
	if !errors.Is(err, call.AnswerTooLong) {
		t.Errorf("%.200v", err)
	}
}

// TestStreamedAnswersHaveABound: a line whose answer would be longer than answers may be is
// answered by an error that says so, and the next lines as ever.
func TestStreamedAnswersHaveABound(t *testing.T) {
	long := items(100, `{"id":"a%d","body":"A word."}`)
	const most = 8 << 10
	var in, out bytes.Buffer
	for i, op := range []string{"reduce", "explain", "tokens"} {
		request := `{"fragments":[` + long + `]}`
		if op == "tokens" {
			request = `{"texts":["a"]}`
		}
		fmt.Fprintf(&in, `{"id":%d,"op":%q,"request":%s}`+"\n", i, op, request)
	}
	if err := call.Stream(t.Context(), &in, &out, func() error { return nil }, 1, call.Options{Sealed: true}.WithMost(most)); err != nil {
		t.Fatal(err)
	}
	var codes []string
	for line := range bytes.Lines(out.Bytes()) {
		var r struct{ Error struct{ Code, Hint string } }
		if err := json.Unmarshal(line, &r); err != nil || len(line) > most {
			t.Errorf("%d bytes: %v", len(line), err)
		}
		if codes = append(codes, r.Error.Code); r.Error.Code != "" && r.Error.Hint == "" {
			t.Errorf("nobody says how to ask for less: %s", line)
		}
	}
	if got, want := strings.Join(codes, ","), "answer.too_long,answer.too_long,"; got != want {
		t.Errorf("the lines are answered %q, want %q", got, want)
	}
}
