package tests

import (
	"errors"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
)

// FuzzReduce states two laws on whatever a caller may send, with the trust of
// any level: spans tile the text, and every fragment is decided exactly once.
// Beside them a recorded input gives the recorded prompt. What is refused is
// refused with a code.
func FuzzReduce(f *testing.F) {
	seeds := 0
	for _, c := range conformanceCases(f) {
		if request := c.inputs["request.json"]; request != nil {
			f.Add(request, uint8(cento.TrustHost))
			f.Add(request, uint8(cento.TrustWorkspace))
			seeds++
		}
	}
	if seeds == 0 {
		f.Fatal("no case has a request to begin with")
	}
	f.Fuzz(func(t *testing.T, request []byte, trust uint8) {
		r, err := manifest.ParseReduce("request.json", request, cento.Limits{})
		if err != nil {
			checkRefusal(t, err)
			return
		}
		for i := range r.Fragments {
			r.Fragments[i].Trust = cento.Trust(trust) % (cento.TrustHost + 1)
		}
		in := cento.Input{Active: r.Active, Fragments: r.Fragments, Files: cento.Files{Now: r.Now, Vars: r.Vars}}
		p, err := reduceInput(in)
		if err != nil {
			checkRefusal(t, err)
			return
		}
		if p.Len() != len(r.Fragments) {
			t.Fatalf("%d fragments were considered of %d", p.Len(), len(r.Fragments))
		}
		checkLaws(t, p)
		(&source{record: &in}).replay(t, p)
	})
}

// checkRefusal: an error says what is wrong by a code and in words.
func checkRefusal(t testing.TB, err error) {
	t.Helper()
	all := sourceErrorsOf(err)
	if len(all) == 0 {
		t.Fatalf("an error without a place: %v", err)
	}
	for _, e := range all {
		if e.Code == "" || e.Message == "" || !errors.Is(err, e.Code) {
			t.Fatalf("an error without a code or words: %#v", e)
		}
	}
}

// sourceErrorsOf lists the errors of an input that an error holds.
func sourceErrorsOf(err error) []*cento.SourceError {
	if many, ok := errors.AsType[*cento.Errors](err); ok {
		return many.List
	}
	if one, ok := errors.AsType[*cento.SourceError](err); ok {
		return []*cento.SourceError{one}
	}
	return nil
}
