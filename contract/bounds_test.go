package contract

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
)

// allocated is how many bytes a function takes from memory, freed or not, and
// for how long it runs.
func allocated(f func()) (bytes int, took time.Duration) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	f()
	took = time.Since(begin)
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc), took
}

// What refuses garbage takes memory in proportion to its length: little, but for
// the library that reads YAML, which looks far ahead. A file is a megabyte at most.
func TestGarbageIsCheap(t *testing.T) {
	const many = 100_000
	for _, part := range []string{"[", "{", `{"a":`, "{:c ", "(", "#{", "<a>", "<contract>", "- ", "a:\n  ", `"`, `\`, "&amp;", "\x00"} {
		text := strings.Repeat(part, many)
		check := func(reader string, read func() error) {
			t.Helper()
			var err error
			bytes, took := allocated(func() { err = read() })
			e, ok := errors.AsType[*cento.SourceError](err)
			if !ok || e.Position.Line < 1 || e.Position.Column < 1 {
				t.Errorf("%.20q as %s: %v", part, reader, err)
			}
			most := 8*len(text) + 1<<16
			if strings.HasSuffix(reader, ".yaml") {
				most = 512*len(text) + 1<<16
			}
			if bytes > most {
				t.Errorf("%.20q as %s takes %d bytes of memory, more than %d", part, reader, bytes, most)
			}
			t.Logf("%.20q as %s: %d bytes of memory, %s", part, reader, bytes, took.Round(time.Millisecond))
		}
		for _, form := range Forms() {
			if form.Readable() {
				check(form.String(), func() error { _, err := Parse(form, text, ParseOptions{}); return err })
			}
		}
		for _, file := range []string{"contract.yaml", "contract.json"} {
			check(file, func() error {
				_, err := ParseFile(file, []byte(text), cento.Limits{}, cento.TrustWorkspace)
				return err
			})
		}
	}
}

// A large answer, good or bad, takes time and memory in proportion to its
// length: 2 MiB, or as many bytes as CENTO_ANSWER_BYTES says.
func TestLargeAnswersAreCheap(t *testing.T) {
	lengthtest.NotShort(t, "it measures what large answers cost")
	size := 2 << 20
	if s := os.Getenv("CENTO_ANSWER_BYTES"); s != "" {
		var err error
		if size, err = strconv.Atoi(s); err != nil || size < 1000 {
			t.Fatalf("CENTO_ANSWER_BYTES=%s is no number of bytes", s)
		}
	}
	const head, xmlHead, ednHead = `{"emit":"proposed-fact","key":"competitors","facts":[`, `<answer emit="proposed-fact" key="competitors">`, `{:emit :proposed-fact :key :competitors :facts [`
	for _, a := range []struct {
		name, before, part, after string
		holds                     bool // within the number of values that an answer may have
	}{
		{"a long text", head + `{"id":"a","content":"`, "x", `"}]}`, true},
		{"escapes", head + `{"id":"a","content":"`, `\u0041`, `"}]}`, true},
		{"long facts", head, `{"id":"a","content":"` + strings.Repeat("x", 1000) + `"},`, `{"id":"b","content":"x"}]}`, true},
		{"facts", head, `{"id":"a","content":"x"},`, ``, false},
		{"citations", head + `{"id":"a","content":"b","cites":[`, `"s1",`, ``, false},
		{"braces", "", "{", "", false},
		{"maps", "", `{"a": `, "", false},
		{"texts that aren't closed", "", `{"x":"`, "", false},
		{"quotes", "{", `"`, "", false},
		{"less-than signs", "", "<", "", false},
		{"fences", "", "```\n", "", false},
		{"blanks", "", " ", "", false},
		{"xml facts", xmlHead, `<fact id="a">` + strings.Repeat("x", 1000) + `</fact>`, "</answer>", true},
		{"small xml facts", xmlHead, `<fact id="a">x</fact>`, "", false},
		{"xml elements", "", "<answer ", "", false},
		{"xml comments", xmlHead, "<!-- x -->", "", false},
		{"xml sections", xmlHead + `<fact id="a">`, "<![CDATA[x]]>", "</fact></answer>", true},
		{"edn facts", ednHead, `{:id "a" :c "` + strings.Repeat("x", 1000) + `"} `, "]}", true},
		{"small edn facts", ednHead, `{:id "a" :c "x"} `, "", false},
		{"edn comments", "{", ";\n", "", false},
	} {
		text := a.before + strings.Repeat(a.part, size/len(a.part)) + a.after
		for _, format := range []Format{NoFormat, FormatEDN, FormatJSON, FormatXML} {
			c := *smallContract(t)
			c.output.Format = format
			var report *Report
			bytes, took := allocated(func() { report = c.CheckAnswer(text, cento.Limits{Prompt: len(text)}) })
			own := format == NoFormat || strings.HasPrefix(text, xmlHead) == (format == FormatXML) && strings.HasPrefix(text, ednHead) == (format == FormatEDN)
			if report.Holds != (a.holds && own) || !report.Holds && len(report.Findings) == 0 {
				t.Errorf("%s in %s: holds %v, %d findings", a.name, format, report.Holds, len(report.Findings))
			}
			// A value takes 80 bytes, and a list of them is copied as it grows; at half a
			// million values reading ends.
			if most := 192*len(text) + 1<<20; bytes > most {
				t.Errorf("%s in %s takes %d bytes of memory, more than %d", a.name, format, bytes, most)
			}
			t.Logf("%s in %s: %d bytes of memory for %d, %s", a.name, format, bytes, len(text), took.Round(time.Millisecond))
		}
		// Over the limit nothing is looked at.
		bytes, _ := allocated(func() {
			if report := smallContract(t).CheckAnswer(text, cento.Limits{Prompt: size / 2}); report.Holds || report.Findings[0].Code != AnswerParse {
				t.Errorf("%s over the limit: %+v", a.name, report)
			}
		})
		if bytes > 1<<16 {
			t.Errorf("%s over the limit takes %d bytes of memory", a.name, bytes)
		}
	}
}

// A million facts take memory in proportion to their text, to write and to read.
func TestMillionFacts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second or two")
	}
	const n = 1_000_000
	facts := make([]Fact, n)
	for i := range facts {
		facts[i] = Fact{fmt.Sprint("s", i), "x"}
	}
	var ctx Context
	ctx.AddFacts("signals", facts...)
	var c *Contract
	bytes, took := allocated(func() {
		var err error
		if c, err = New(Proposer, "o", ctx, NewOutput(EmitFact, "seeds")); err != nil {
			t.Fatal(err)
		}
	})
	if bytes > 40*n {
		t.Errorf("building takes %d bytes of memory", bytes)
	}
	t.Logf("built with %d bytes of memory, %s", bytes, took.Round(time.Millisecond))
	for _, form := range Forms() {
		var text string
		bytes, took := allocated(func() { text = c.Text(form) })
		if bytes > 6*len(text) {
			t.Errorf("writing %s takes %d bytes of memory for %d", form, bytes, len(text))
		}
		t.Logf("%s: %d bytes written with %d of memory, %s", form, len(text), bytes, took.Round(time.Millisecond))
		if !form.Readable() {
			continue
		}
		var back *Contract
		bytes, took = allocated(func() {
			var err error
			if back, err = Parse(form, text, ParseOptions{Limits: cento.Limits{Prompt: len(text)}}); err != nil {
				t.Fatal(err)
			}
		})
		if !back.Equal(c) {
			t.Errorf("%s is read otherwise", form)
		}
		if bytes > 240*n {
			t.Errorf("reading %s takes %d bytes of memory", form, bytes)
		}
		t.Logf("%s: read with %d bytes of memory, %s", form, bytes, took.Round(time.Millisecond))
		if _, err := Parse(form, text, ParseOptions{}); len(text) > 16<<20 && !errors.Is(err, cento.LimitExceeded) {
			t.Errorf("%s: %v", form, err)
		}
	}
}
