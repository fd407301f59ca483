package canonical_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/canonical"
)

func text(t rapid.TB, s string) string {
	t.Helper()
	b, err := canonical.Append(nil, func(w *canonical.Writer) { w.Text(s) })
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestObject(t *testing.T) {
	got, err := canonical.Append([]byte("x"), func(w *canonical.Writer) {
		w.Begin()
		w.TextMember("a", "\b\f\n\r\t\x00\x1f\x7f\u2028<&>\"\\é")
		w.Optional("b", "")
		w.IntMember("c", -7)
		w.BoolMember("d", true)
		w.Texts("e", []string{"x", "y"})
		w.Member("f")
		w.Begin()
		w.End()
		w.End()
	})
	want := "x" + `{"a":"\b\f\n\r\t\u0000\u001f` + "\x7f\u2028<&>" + `\"\\é","c":-7,"d":true,"e":["x","y"],"f":{}}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s (%v)\nwant %s", got, err, want)
	}
}

func TestInvalidUTF8(t *testing.T) {
	got, err := canonical.Append([]byte("x"), func(w *canonical.Writer) { w.Text("a\xff") })
	if !errors.Is(err, cento.InvalidUTF8) || string(got) != "x" {
		t.Errorf("got %q, %v", got, err)
	}
}

// What is written is read back by the standard library as the same text, and
// nothing is escaped that needn't be.
func TestTextIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		got := text(t, s)
		var back string
		if err := json.Unmarshal([]byte(got), &back); err != nil || back != s {
			t.Fatalf("%q became %s, which reads %q (%v)", s, got, back, err)
		}
		if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) && len(got) != len(s)+2 {
			t.Fatalf("%q became %s", s, got)
		}
	})
}
