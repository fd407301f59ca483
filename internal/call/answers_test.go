package call

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestAnswers: what depends on the request alone is kept as it was encoded, nothing else
// is, and what is kept has a bound.
func TestAnswers(t *testing.T) {
	var k answers
	ask := func(op, request string) (any, error) { return k.answer(t.Context(), op, []byte(request), Options{}) }
	const one, other = `{"texts": ["a < b & c"]}`, `{"texts": ["a < b & d"]}`
	first, err := ask("tokens", one)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := ask("tokens", one); err != nil || &again.(encoded)[0] != &first.(encoded)[0] {
		t.Errorf("the same question is answered anew: %v", err)
	}
	if a, err := ask("tokens", other); err != nil || string(a.(encoded)) == "" || &a.(encoded)[0] == &first.(encoded)[0] {
		t.Errorf("another question has the same answer: %v", err)
	}
	if _, err := ask("render", one); err == nil {
		t.Error("another operation has the same answer")
	}
	for _, x := range []struct{ op, request string }{
		{"assemble", `{"system": "You are brief."}`}, {"reduce", `{"fragments": [{"id": "a"}]}`}, {"nothing", `{}`}, {"tokens", `[]`},
	} {
		a, err := ask(x.op, x.request)
		if _, kept := a.(encoded); kept || len(k.kept) != 2 {
			t.Errorf("%s of %s is kept: %v, %v", x.op, x.request, a, err)
		}
	}
	reduce := func(i, size int) error {
		_, err := ask("reduce", fmt.Sprintf(`{"fragments": [{"id": "a%d", "body": "%s"}], "tokens": false}`, i, strings.Repeat("a", size)))
		return err
	}
	for i := range 40 {
		if err := reduce(i, mostAnswers/32); err != nil {
			t.Fatal(err)
		}
		size := 0
		for q, a := range k.kept {
			size += len(q.op) + len(q.request) + cap(a)
		}
		if size != k.bytes || size > mostAnswers {
			t.Fatalf("%d bytes are kept, counted as %d, of at most %d", size, k.bytes, mostAnswers)
		}
	}
	before := len(k.kept)
	if err := reduce(0, mostAnswers/4); err != nil || len(k.kept) != before {
		t.Errorf("one answer takes more than a quarter of all: %v", err)
	}
}

// TestAnswersWritten: an answer out of memory is written as any other.
func TestAnswersWritten(t *testing.T) {
	var k answers
	a, err := k.answer(t.Context(), "reduce", []byte(`{"fragments": [{"id": "a", "body": "x < y & é \u2028 \"z\""}]}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := Answer(t.Context(), "reduce", []byte(`{"fragments": [{"id": "a", "body": "x < y & é \u2028 \"z\""}]}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var from, plain strings.Builder
	for to, result := range map[*strings.Builder]any{&from: a, &plain: x} {
		s := stream{to: to, out: json.NewEncoder(to), flush: func() error { return nil }, open: 1}
		s.out.SetEscapeHTML(false)
		s.reply(Reply{ID: json.RawMessage(`"é"`), Result: result})
	}
	if from.String() != plain.String() || from.Len() == 0 {
		t.Errorf("written as\n%s\nand not as\n%s", from.String(), plain.String())
	}
}
