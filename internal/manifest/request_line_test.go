package manifest_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
)

func parseLine(line string) (*manifest.Line, error) {
	return manifest.ParseLine("line.json", []byte(line), cento.Limits{})
}

// What is cut out of a line is what reading it gives, once the request is known to be
// one: whatever stands around it, a line that can't be read is never taken for one that
// can.
func TestCutLineIsParseLine(t *testing.T) {
	cut, read := 0, 0
	each := func(rt *rapid.T) {
		blank := func() string { return rapid.SampledFrom([]string{"", "", " ", "\t ", "\r"}).Draw(rt, "blank") }
		one := func(usual string, others ...string) string {
			if rapid.IntRange(0, 11).Draw(rt, "spoiled") > 0 {
				return usual
			}
			return rapid.SampledFrom(others).Draw(rt, "piece")
		}
		ascii := string(rapid.SliceOfN(rapid.ByteRange(0, 0x7f), 0, 3).Draw(rt, "bytes"))
		id := rapid.SampledFrom([]string{
			"0", "1", "999999999999999", "1234567890123456", "01", "-1", "1.0", "1e2", "null", "true", `""`, `"a"`, `"<&>~ "`, `"\u0041"`, `"é"`, `"`, "", `"` + ascii + `"`, ascii,
		}).Draw(rt, "id")
		op := one(`"reduce"`, `""`, `"a\n"`, "1", "", `"`+ascii+`"`)
		request := one(`{"a": [1, "x}"]}`, "{}", "[1]", "1", `"s"`, "{}}", `{}, "more": 1`, `{}, "id": 2`, "{", "", `{"a": 1, "a": 2}`, ascii)
		line := one("", "\ufeff", " ", "\x00") + "{" + blank() + one(`"id"`, `"ID"`, `"op"`) + blank() + one(":", "") + blank() + id + blank() + one(",", "") +
			blank() + one(`"op"`, `"id"`) + blank() + ":" + blank() + op + blank() + "," + blank() + one(`"request"`, `"reque"`) + blank() + ":" + blank() + request + blank() +
			one("}", "", "}}") + blank() + one("\n", "\r\n", "")
		l, ok := manifest.CutLine([]byte(line))
		if !ok {
			return
		}
		cut++
		known, err := parseLine(`{"id": 1, "op": "x", "request": ` + string(l.Request) + `}`)
		if err != nil || !bytes.Equal(known.Request, l.Request) {
			return // it was never taken for a request
		}
		read++
		want, err := parseLine(line)
		if err != nil {
			rt.Fatalf("%q is cut, and can't be read: %v", line, err)
		}
		if string(want.ID) != string(l.ID) || want.Op != l.Op || !bytes.Equal(want.Request, l.Request) {
			rt.Fatalf("%q is read as %s %q %s, and cut as %s %q %s", line, want.ID, want.Op, want.Request, l.ID, l.Op, l.Request)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		for range 50 {
			each(rt)
		}
	})
	if cut == read || read == 0 {
		t.Errorf("%d lines are cut, and %d of them can be read", cut, read)
	}
}

// The lines of the clients that come with the program are cut, and each byte that an id
// may have is the one that an answer has.
func TestCutLineOfClients(t *testing.T) {
	for _, line := range []string{
		`{"id":7,"op":"reduce","request":{"fragments": []}}`, `{"id": 7, "op": "reduce", "request": {"fragments": []}}`, "\t{ \"id\" : \"a b\" , \"op\" : \"reduce\" , \"request\" : {} } \r\n",
	} {
		if l, ok := manifest.CutLine([]byte(line)); !ok || l.Op != "reduce" || !strings.HasPrefix(string(l.Request), "{") {
			t.Errorf("%q is cut into %+v, %t", line, l, ok)
		}
	}
	for c := byte(0); c < 0x80; c++ {
		line := fmt.Sprintf(`{"id": "%c", "op": "x", "request": {}}`, c)
		l, ok := manifest.CutLine([]byte(line))
		want, err := parseLine(line)
		if ok && (err != nil || string(l.ID) != string(want.ID)) {
			t.Errorf("%q: %s, and is read as %+v, %v", line, l.ID, want, err)
		}
		if !ok && c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			t.Errorf("%q isn't cut", line)
		}
	}
}
