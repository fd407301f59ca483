package manifest

import (
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// TestWrongKindsAreAdvised: where a map is expected, whatever stands there, the error
// says which keys it has or how one is written.
func TestWrongKindsAreAdvised(t *testing.T) {
	maps := 0
	for key := range manifestSchemaOf(t).Properties {
		for _, of := range []string{key + ": 7\n", "targets: {a: {" + key + ": 7}}\n"} {
			_, err := Parse("cento.yaml", []byte("version: 1\n"+of))
			for _, e := range cento.SourceErrors(err) {
				if !strings.Contains(e.Message, "expected a map") {
					continue
				}
				if maps++; e.Hint == "" {
					t.Errorf("%q: %v, without a hint", of, e)
				}
			}
		}
	}
	if maps < 20 {
		t.Errorf("%d keys are maps", maps)
	}
	_, err := ParseExplain("request", []byte(`{"budget": {"tokens": 1}}`), cento.Limits{})
	if list := cento.SourceErrors(err); len(list) != 1 || !strings.Contains(list[0].Hint, "8000") {
		t.Errorf("the size of a budget: %v", list)
	}
}

// TestMissingOrMistyped: a key that has to be there and is mistyped is told once, as what
// stands there. One that isn't there at all is missing still.
func TestMissingOrMistyped(t *testing.T) {
	for text, want := range map[string][]cento.ErrorCode{
		`{"fragmnts": []}`:              {strict.UnknownKey},
		`{"fragmnts": [], "modle": ""}`: {strict.UnknownKey, strict.UnknownKey},
		`{"caps": []}`:                  {strict.MissingKey},
		`{"modle": ""}`:                 {strict.MissingKey, strict.UnknownKey},
	} {
		_, err := ParseReduce("request", []byte(text), cento.Limits{})
		var got []cento.ErrorCode
		for _, e := range cento.SourceErrors(err) {
			got = append(got, e.Code)
		}
		if len(got) != len(want) || got[0] != want[0] || got[len(got)-1] != want[len(want)-1] {
			t.Errorf("%s: %v, wanted %v", text, err, want)
		}
	}
}

// TestNoCases: a file of cases that holds nothing has none, as one with an empty list.
func TestNoCases(t *testing.T) {
	for _, text := range []string{"", "# none yet\n", "tests: []\n"} {
		if list, err := ParseCases("a"+CaseFileSuffix, []byte(text), cento.Limits{}); err != nil || len(list) > 0 {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
	if _, err := ParseCases("a"+CaseFileSuffix, []byte("{}\n"), cento.Limits{}); err == nil {
		t.Error("a map without tests is one with them")
	}
}
