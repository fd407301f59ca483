package tests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/token"
)

// tagged is an engine whose requests have tags in place of the headings of sections.
type tagged struct{ textOf }

func (tagged) RequestForm(string, string) cento.RequestForm { return tagged{} }

func (tagged) Beside([]cento.Tool, *cento.Model, cento.Counter) (definitions int, framing *int, err error) {
	return 0, new(int), nil
}

func (tagged) Tag(heading string) (open, end string) {
	name := strings.ToLower(strings.TrimPrefix(heading, "## "))
	return "<" + name + ">\n", "\n</" + name + ">"
}

func (tagged) Tagged(text, _ string) string { return text }

// quarters is a counter of which four bytes are a token, and what is left is one: joined
// texts take less than their parts.
type quarters struct{ lengths }

func (quarters) Name() string { return "quarters" }

func (quarters) Count(s string) int { return (len(s) + 3) / 4 }

// What a step needs is the larger of two counts, of the text as it stands and of the sum
// of its parts: of those the tags are one where the request has them, else the heading
// with the blank line behind it.
func TestPartsOfASectionAddUp(t *testing.T) {
	low := sized("low", 8, 1)
	low.Section = "Rules"
	list := []cento.Fragment{{ID: "must", Body: "0123456789", Section: "Rules"}, low}
	for _, c := range []struct {
		form    string
		counter cento.Counter
		want    [2]int
	}{
		{"", quarters{}, [2]int{9, 6}},        // 2+1+3, and 1+2 more with the low one
		{"tagged", quarters{}, [2]int{11, 8}}, // 2+3+3, and 1+2 more
		{"", lengths{}, [2]int{30, 20}},       // 8+2+10, and 2+8 more
		{"tagged", lengths{}, [2]int{37, 27}}, // 8+9+10, and 2+8 more
		{"", calls{}, [2]int{30, 20}},
		{"tagged", calls{}, [2]int{37, 27}},
	} {
		p, err := cento.ReduceWith(cento.Input{Fragments: list, Budget: &cento.Budget{Tokens: 100, Counter: c.counter, Form: c.form}}, tagged{})
		if err != nil {
			t.Fatal(err)
		}
		s := p.Sacrifices()[0]
		if got := [2]int{s.StaysFrom, s.Tokens}; got != c.want {
			t.Errorf("form %q, %s: it stays from %d, and behind it the prompt takes %d, want %v", c.form, c.counter.Name(), got[0], got[1], c.want)
		}
	}
}

// weighing is a counter that notes how many bytes it counted.
type weighing struct {
	cento.PartCounter
	bytes int
}

func (c *weighing) Count(s string) int {
	c.bytes += len(s)
	return c.PartCounter.Count(s)
}

func (c *weighing) Weigh(s string) int {
	c.bytes += len(s)
	return c.PartCounter.Weigh(s)
}

// Giving much of a long prompt up costs what its text does a few times over, and not
// once for each step: what a step changes is counted anew, and nothing else.
func TestStepsCostWhatTheyChange(t *testing.T) {
	const n = 300
	for _, c := range []struct {
		name, form string
		sections   int
	}{{"without sections", "", 0}, {"below headings", "", n}, {"between tags", "tagged", n}, {"a few sections", "tagged", 4}} {
		var list []cento.Fragment
		size := 0
		for i := range n {
			f := sized(fmt.Sprintf("f%d", i), 0, i%7)
			f.Body = fmt.Sprintf("Rule %d is one of many, and says something.", i)
			if c.sections > 0 {
				f.Section = fmt.Sprintf("Section %d", i*c.sections/n)
			}
			size += len(f.Body) + len(f.Section)
			list = append(list, f)
		}
		counter := &weighing{PartCounter: token.CounterFor("gpt-5.4").(cento.PartCounter)}
		p, err := cento.ReduceWith(cento.Input{Fragments: list, Budget: &cento.Budget{Tokens: n, Counter: counter, Form: c.form}}, tagged{})
		if err != nil {
			t.Fatal(err)
		}
		if dropped := p.Budget().Dropped; dropped < n*9/10 {
			t.Fatalf("%s: %d of %d are dropped", c.name, dropped, n)
		}
		t.Logf("%s: %d of %d", c.name, counter.bytes, size)
		if counter.bytes > 20*size {
			t.Errorf("%s: %d bytes are counted for a text of %d", c.name, counter.bytes, size)
		}
	}
}
