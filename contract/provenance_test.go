package contract

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// checkRuns holds the laws of runs: they tile the text, and one that isn't fixed
// equals the bytes at its place in the file.
func checkRuns(t interface {
	Helper()
	Fatalf(string, ...any)
}, got cento.Text, file string) {
	t.Helper()
	end := 0
	for _, r := range got.Runs {
		if r.Start != end || r.End <= r.Start || r.End > len(got.Body) {
			t.Fatalf("run %+v behind %d of %d", r, end, len(got.Body))
		}
		end = r.End
		if r.Position.Line == 0 || r.Trust != got.Trust {
			t.Fatalf("run %+v", r)
		}
		rest := file
		for range r.Position.Line - 1 {
			_, rest, _ = strings.Cut(rest, "\n")
		}
		for range r.Position.Column - 1 {
			_, size := utf8.DecodeRuneInString(rest)
			rest = rest[size:]
		}
		if text := got.Body[r.Start:r.End]; !r.Fixed && !strings.HasPrefix(rest, text) {
			t.Fatalf("run %+v is %q, at its place is %.40q", r, text, rest)
		}
	}
	if end != len(got.Body) {
		t.Fatalf("runs end at %d of %d", end, len(got.Body))
	}
}

// Every byte of a contract from a file is traced into the file, in every form.
func TestTextOfFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contracts().Draw(t, "contract")
		data, err := c.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), `\u0000`) {
			t.Skip("files hold no NUL")
		}
		f, err := ParseFile("c.json", data, cento.Limits{}, cento.TrustTool)
		if err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if !f.Equal(c) {
			t.Fatalf("%s is read otherwise", data)
		}
		for _, form := range Forms() {
			got := f.Text(form)
			if got.Body != c.Text(form) || got.Trust != cento.TrustTool {
				t.Fatalf("%s: %q", form, got.Body)
			}
			checkRuns(t, got, string(data))
		}
	})
}

// A text of escapes alone doesn't cost more than its share.
func TestRunsAreBounded(t *testing.T) {
	data := `{"role":"analyzer","objective":"` + strings.Repeat("a<", 200_000) + `","output":{"emit":"fact","key":"seeds"}}`
	f, err := ParseFile("c.json", []byte(data), cento.Limits{}, cento.TrustTool)
	if err != nil {
		t.Fatal(err)
	}
	got := f.Text(XML)
	if len(got.Runs) > 2*maxPieces {
		t.Errorf("%d runs", len(got.Runs))
	}
	end := 0
	for _, r := range got.Runs {
		if r.Start != end {
			t.Fatalf("run %+v behind %d", r, end)
		}
		end = r.End
	}
	if end != len(got.Body) {
		t.Error(end)
	}
}
