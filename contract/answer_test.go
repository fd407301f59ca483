package contract

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
)

// What an agent writes as it was asked to holds, alone and within prose.
func TestGoodAnswersHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contracts().Draw(t, "contract")
		c.output.Format = FormatJSON
		var ids []string
		for _, f := range c.Facts() {
			ids = append(ids, f.ID)
		}
		want := Answer{Emit: c.output.Emit.String(), Key: c.output.Key, Facts: []AnswerFact{}}
		seen := map[string]bool{}
		if len(ids) > 0 {
			for range rapid.IntRange(0, 3).Draw(t, "facts") {
				f := AnswerFact{
					ID: texts().Draw(t, "id"), Content: texts().Draw(t, "content"),
					Cites: rapid.SliceOfN(rapid.SampledFrom(ids), 1, 3).Draw(t, "cites"),
				}
				if strings.TrimSpace(f.ID) != "" && strings.TrimSpace(f.Content) != "" && !seen[f.ID] {
					seen[f.ID] = true
					want.Facts = append(want.Facts, f)
				}
			}
		}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		for _, around := range [][2]string{{"", ""}, {"Here it is: {x}\n```json\n", "\n```\nDone."}} {
			report := c.CheckAnswer(around[0]+string(data)+around[1], cento.Limits{})
			got, err := json.Marshal(report.Answer)
			if err != nil || !report.Holds || string(got) != string(data) {
				t.Fatalf("%v: %s became %s: %+v", err, data, got, report.Findings)
			}
			if wrapped := len(report.Findings) == 1 && report.Findings[0].Code == AnswerWrapped; wrapped != (around[0] != "") {
				t.Fatalf("%+v", report.Findings)
			}
		}
	})
}

// A report is in order, and each finding has a place within the answer.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"emit":"proposed-fact","key":"competitors","facts":[{"id":"a","content":"b","cites":["s1"]}]}`, uint8(FormatJSON))
	f.Add("```\n{:emit :proposed-fact :key :competitors :facts [{:id \"a\" :c \"b\" :cites #{\"s1\"}}]}\n```", uint8(FormatEDN))
	f.Add(`<answer emit="fact" key="x"><fact id="a" cites="s1">b<![CDATA[c]]><!-- d --><cite>s2</cite></fact></answer>`, uint8(FormatXML))
	f.Add(`{} {"emit": [{`, uint8(NoFormat))
	f.Fuzz(func(t *testing.T, answer string, format uint8) {
		c := smallContract(t).WithConstraint(CiteSources)
		c.output.Format = Format(format % uint8(len(formatNames)))
		report := c.CheckAnswer(answer, cento.Limits{})
		breaks := false
		lines := strings.Split(answer, "\n")
		for i, x := range report.Findings {
			breaks = breaks || x.Severity == cento.SeverityError
			if x.Line < 1 || x.Line > len(lines) || x.Column < 1 || x.Column > len(lines[x.Line-1])+1 {
				t.Fatalf("%+v", x)
			}
			if i > 0 && x.at < report.Findings[i-1].at {
				t.Fatalf("%+v before %+v", report.Findings[i-1], x)
			}
		}
		if report.Holds == breaks && report.Omitted == 0 {
			t.Fatalf("%+v", report)
		}
		if report.Holds && report.Checked && (report.Answer == nil || report.Answer.Emit != c.output.Emit.String()) {
			t.Fatalf("%+v", report)
		}
	})
}

// TestSeveralAnswers: whatever the kind and format, Cento takes no draft within reasoning tags,
// and none of two answers that differ; the same answer twice is one.
func TestSeveralAnswers(t *testing.T) {
	for emit := range Emit(len(emitNames)) {
		for _, format := range []Format{NoFormat, FormatEDN, FormatJSON, FormatXML} {
			c := smallContract(t)
			c.output.Emit, c.output.Format = emit, format
			for _, written := range []Format{FormatEDN, FormatJSON, FormatXML} {
				if format != NoFormat && format != written {
					continue
				}
				answer := func(text string) string {
					return strings.NewReplacer(placeID, "c1", placeText, text).Replace(c.exampleAnswer(written))
				}
				draft, final := answer("Draft."), answer("Final.")
				check := func(text, content string) {
					t.Helper()
					r := c.CheckAnswer(text, cento.Limits{})
					if content == "" && (r.Holds || r.Answer != nil) || content != "" && (!r.Holds || r.Answer.Facts[0].Content != content) {
						t.Errorf("%s in %s: %+v\n%s", emit, written, r, text)
					}
				}
				check(draft+"\n"+final, "")
				check(strings.Repeat("{x} ", 100)+draft+strings.Repeat("{x: ", 100)+final, "")
				check(final+"\n```\n"+final+"\n```", "Final.")
				for i := range reasonings {
					tags := &reasonings[i]
					check(tags.begin+draft+tags.end+"\n"+final, "Final.")
					check(final+"\n"+tags.begin+draft+tags.end, "Final.")
					check(tags.begin+draft+tags.end, "")
					check(tags.begin+draft, "")
					check(strings.ToUpper(tags.begin)+draft+strings.ToUpper(tags.end)+final, "Final.")
					if tags.end != "<|end|>" {
						check(draft+tags.end+final, "Final.")
					}
				}
			}
		}
	}
}
