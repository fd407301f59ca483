package enum_test

import (
	"errors"
	"testing"

	"github.com/cento-dev/cento/internal/enum"
)

type colour uint8

var colours = enum.Names[colour]{"", "red", "green", "blue"}

func TestNames(t *testing.T) {
	for v := range colour(len(colours)) {
		text, err := colours.Marshal(v)
		if v == 0 {
			if err == nil {
				t.Errorf("the constant without a name is %q", text)
			}
			continue
		}
		if err != nil || string(text) != colours.Name(v) {
			t.Errorf("%d: %q, %v", v, text, err)
		}
		var back colour
		if err := colours.Unmarshal(text, &back); err != nil || back != v {
			t.Errorf("%q is read as %d, %v", text, back, err)
		}
	}
	if _, err := colours.Marshal(9); err == nil || err.Error() != `9 is none of ["red" "green" "blue"]` || colours.Name(9) != "9" || colours.Has(4) {
		t.Errorf("a number beyond the last constant: %v", err)
	}
}

func TestUnknownName(t *testing.T) {
	for _, c := range []struct{ got, message, hint string }{
		{"gren", `expected "red", "green" or "blue", got "gren"`, `did you mean "green"?`},
		{"", `expected "red", "green" or "blue", got ""`, ""},
		{"violet", `expected "red", "green" or "blue", got "violet"`, ""},
	} {
		v := colour(2)
		err := colours.Unmarshal([]byte(c.got), &v)
		unknown, ok := errors.AsType[*enum.UnknownError](err)
		if !ok || v != 2 || err.Error() != c.message || unknown.Hint() != c.hint {
			t.Errorf("%q: %v, hint %q, constant %d", c.got, err, unknown.Hint(), v)
		}
	}
}
