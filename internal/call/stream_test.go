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

// A line is read as if none had come before it, also where its request is one that was
// answered and the answer is still known.
func TestStreamOfNearlyTheSame(t *testing.T) {
	const request = `{"texts": ["a"]}`
	known := `{"id": 1, "op": "tokens", "request": ` + request + "}\n"
	answer := streamed(t, known, 1)[0]
	for _, line := range []string{
		`{"id": 2, "op": "tokens", "request": ` + request + `}`, `{"id":"x","op":"tokens","request":` + request + `}`, `{"op": "tokens", "request": ` + request + `, "id": 3}`,
		`{"id": 01, "op": "tokens", "request": ` + request + `}`, `{"id": "\u0041", "op": "tokens", "request": ` + request + `}`, `{"id": 1.0, "op": "tokens", "request": ` + request + `}`,
		`{"id": 4, "op": "tokens", "request": ` + request + `, "id": 5}`, `{"id": 4, "op": "tokens", "request": ` + request + `}}`, `{"id": 4, "op": "tokens", "request": ` + request,
		`{"id": 4, "op": "render", "request": ` + request + `}`, `{"id": 4, "op": "tokens", "request": ` + request + `, "more": 1}`, `{"id": null, "op": "tokens", "request": ` + request + `}`,
	} {
		alone, behind := streamed(t, line, 1)[0], streamed(t, known+known+line, 1)[2]
		a, _ := json.Marshal(alone)
		b, _ := json.Marshal(behind)
		if !bytes.Equal(a, b) {
			t.Errorf("%s is answered with\n%s\nand behind others with\n%s", line, a, b)
		}
		if alone.Error == nil && !bytes.Equal(alone.Result, answer.Result) {
			t.Errorf("%s: %s", line, alone.Result)
		}
	}
}

// patient gives a text, and ends when what was answered is flushed.
type patient struct {
	text    string
	flushed chan struct{}
}

func (p *patient) Read(b []byte) (int, error) {
	if p.text != "" {
		n := copy(b, p.text)
		p.text = p.text[n:]
		return n, nil
	}
	select {
	case <-p.flushed:
		return 0, io.EOF
	case <-time.After(20 * time.Second):
		return 0, errors.New("nothing is flushed")
	}
}

// What came together is flushed together, whatever stands between and behind the lines;
// and it is flushed though more may come.
func TestStreamFlushesTogether(t *testing.T) {
	const line = `{"id": 1, "op": "tokens", "request": {"texts": []}}` + "\n"
	for _, behind := range []string{"", " \n", "\n\n", `{"id": 2, `} {
		for _, jobs := range []int{1, 3} {
			in := &patient{strings.Repeat(line, 100) + behind, make(chan struct{}, 1000)}
			var out bytes.Buffer
			flushes, lines := 0, 0
			err := call.Stream(t.Context(), in, &out, func() error {
				flushes++
				if lines = bytes.Count(out.Bytes(), []byte("\n")); lines >= 100 {
					in.flushed <- struct{}{}
				}
				return nil
			}, jobs, call.Options{})
			if err != nil || lines < 100 || flushes > 3 {
				t.Errorf("%q behind, %d jobs: %d lines, flushed %d times, %v", behind, jobs, lines, flushes, err)
			}
		}
	}
}
