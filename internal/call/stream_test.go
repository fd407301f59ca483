package call_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
)

// reply is a line of a stream, as a program in another language reads it.
type reply struct {
	ID     json.RawMessage  `json:"id"`
	Result json.RawMessage  `json:"result"`
	Error  *app.ErrorObject `json:"error"`
	AsOf   *time.Time       `json:"as_of"`
}

func streamed(t testing.TB, lines string, jobs int) []reply {
	t.Helper()
	var out bytes.Buffer
	if err := call.Stream(t.Context(), strings.NewReader(lines), &out, func() error { return nil }, jobs, call.Options{}); err != nil {
		t.Fatal(err)
	}
	var list []reply
	for line := range strings.Lines(out.String()) {
		var r reply
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		list = append(list, r)
	}
	return list
}

// Every line has one answer, which is that of the single request, whatever its
// neighbours are and however many are answered at once.
func TestStreamAnswersAsSingleRequests(t *testing.T) {
	kinds := []struct{ op, request string }{
		{"tokens", `{"texts": ["Run the tests."]}`},
		{"assemble", `{"system": "You are brief.", "tools": ["a", "b"]}`},
		{"reduce", `{"fragments": [{"id": "a", "body": "x < y & \u00e9"}]}`},
		{"reduce", `{"fragments": [{"id": "a"}]}`},
		{"nothing", `{}`},
		{"why", `[1]`},
	}
	rapid.Check(t, func(rt *rapid.T) {
		picks := rapid.SliceOfN(rapid.IntRange(0, len(kinds)-1), 0, 12).Draw(rt, "kinds")
		var lines strings.Builder
		for i, k := range picks {
			fmt.Fprintf(&lines, `{"id": %d, "op": %q, "request": %s}`+"\n", i, kinds[k].op, kinds[k].request)
			if rapid.Bool().Draw(rt, "blank") {
				lines.WriteString(" \n")
			}
		}
		jobs := rapid.IntRange(1, 4).Draw(rt, "jobs")
		got := streamed(t, lines.String(), jobs)
		if len(got) != len(picks) {
			rt.Fatalf("%d lines, %d answers", len(picks), len(got))
		}
		order := make([]string, len(got))
		for i, r := range got {
			order[i] = string(r.ID)
			var n int
			if err := json.Unmarshal(r.ID, &n); err != nil || n >= len(picks) {
				rt.Fatalf("the id %s: %v", r.ID, err)
			}
			want, err := call.Answer(t.Context(), kinds[picks[n]].op, []byte(kinds[picks[n]].request), call.Options{})
			var alone []byte
			var told any = r.Result
			if err != nil {
				want, told = app.Failure(err).Error, r.Error
			}
			alone, _ = json.Marshal(want)
			if same, _ := json.Marshal(told); !bytes.Equal(same, alone) {
				rt.Fatalf("%s says\n%s\nand alone\n%s", r.ID, same, alone)
			}
		}
		if jobs == 1 && !slices.IsSortedFunc(got, func(a, b reply) int { return len(a.ID) - len(b.ID) }) {
			rt.Fatalf("one at a time, and answered in the order %q", order)
		}
	})
}

// A line that can't be read is answered too, and the next one as if it weren't there.
func TestStreamOfFaults(t *testing.T) {
	for line, code := range map[string]string{
		`{`:    "syntax",
		`[]`:   "value.type",
		`null`: "value.type",
		`{"id": null, "op": "tokens", "request": {}}`:         "value.type",
		`{"id": [1], "op": "tokens", "request": {}}`:          "value.type",
		`{"id": 1, "op": "tokens"}`:                           "key.missing",
		`{"id": 1, "id": 2, "op": "tokens", "request": {}}`:   "key.duplicate",
		`{"id": 1, "op": "tokens", "request": {}, "more": 1}`: "key.unknown",
		"\xff": "utf8.invalid",
	} {
		got := streamed(t, line+"\n"+`{"id": "next", "op": "tokens", "request": {"texts": []}}`, 1)
		if len(got) != 2 || string(got[0].ID) != "null" || got[0].Error == nil || string(got[1].ID) != `"next"` || got[1].Error != nil {
			t.Errorf("%q: %+v", line, got)
			continue
		}
		if string(got[0].Error.Code) != code && code != "utf8.invalid" {
			t.Errorf("%q is %s, want %s", line, got[0].Error.Code, code)
		}
	}
	if got := streamed(t, "", 2); len(got) != 0 {
		t.Errorf("nothing is answered with %+v", got)
	}
}

// Whoever waits for an answer before the next line gets it.
func TestStreamAnswersAtOnce(t *testing.T) {
	in, lines := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- call.Stream(t.Context(), in, out, func() error { return nil }, 1, call.Options{})
		out.Close()
	}()
	d := json.NewDecoder(answers)
	for i := range 3 {
		fmt.Fprintf(lines, `{"id": %d, "op": "tokens", "request": {"texts": []}}`+"\n", i)
		var r reply
		if err := d.Decode(&r); err != nil || string(r.ID) != fmt.Sprint(i) {
			t.Fatal(r, err)
		}
	}
	lines.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

type noWriter struct{}

var errFull = errors.New("no room")

func (noWriter) Write([]byte) (int, error) { return 0, errFull }

// A failing output ends the stream with its error.
func TestStreamWithoutRoom(t *testing.T) {
	lines := strings.Repeat(`{"id": 1, "op": "tokens", "request": {"texts": []}}`+"\n", 100)
	err := call.Stream(t.Context(), strings.NewReader(lines), noWriter{}, func() error { return nil }, 3, call.Options{})
	if !errors.Is(err, errFull) {
		t.Fatal(err)
	}
}
