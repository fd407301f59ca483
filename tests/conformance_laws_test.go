package tests

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// checkLaws holds what is true of every prompt against one.
func checkLaws(t rapid.TB, p *cento.Prompt) {
	t.Helper()
	checkTiles(t, p)
	checkDecided(t, p)
	checkTail(t, p)
	checkNoted(t, p)
}

// checkNoted: the notes on texts that are counted are those that are told one by one.
func checkNoted(t rapid.TB, p *cento.Prompt) {
	t.Helper()
	type of struct {
		fragment string
		code     cento.Code
	}
	notes := map[of]int{}
	for i := range p.Len() {
		if !p.In(i) {
			continue
		}
		for _, n := range p.Trace(i, cento.ExplainOptions{}).Notes {
			notes[of{p.Fragment(i).ID, n.Code}]++
		}
	}
	for _, x := range p.NotedTexts() {
		if notes[of{x.Fragment, x.Code}] != x.Count || x.Count == 0 {
			t.Fatalf("%s has %d notes %s, counted are %d", x.Fragment, notes[of{x.Fragment, x.Code}], x.Code, x.Count)
		}
		delete(notes, of{x.Fragment, x.Code})
	}
	if len(notes) > 0 {
		t.Fatalf("not counted are %v", notes)
	}
}

// checkTiles: every byte belongs to exactly one span.
func checkTiles(t rapid.TB, p *cento.Prompt) {
	t.Helper()
	text, _ := p.System()
	at := 0
	for s := range p.AllSpans() {
		if s.Start != at || s.End <= s.Start || s.End > len(text) {
			t.Fatalf("span [%d, %d) of %d bytes follows byte %d", s.Start, s.End, len(text), at)
		}
		at = s.End
		i, ok := p.Index(s.Fragment)
		if !ok || !p.In(i) {
			t.Fatalf("span [%d, %d) is of %q, which isn't in", s.Start, s.End, s.Fragment)
		}
		if s.Kind == cento.JoinerSpan && strings.Trim(text[s.Start:s.End], "\n") != "" {
			t.Fatalf("joiner %q", text[s.Start:s.End])
		}
		for _, k := range []int{s.Start, s.End - 1} {
			if got, ok := p.SpanAt(k); !ok || got != s {
				t.Fatalf("byte %d: SpanAt gives %+v, want %+v", k, got, s)
			}
		}
	}
	if at != len(text) || at != p.Bytes() {
		t.Fatalf("the spans end at byte %d of %d", at, len(text))
	}
}

// checkDecided: every fragment is decided exactly once, and what is in stands
// where its record says.
func checkDecided(t rapid.TB, p *cento.Prompt) {
	t.Helper()
	e := p.Explain(cento.ExplainOptions{AllReasons: true})
	text, is := p.System()
	in, length := 0, 0
	for i, f := range e.Fragments {
		if f.Included != strings.HasPrefix(string(f.Code), "include.") || f.Included != p.In(i) {
			t.Fatalf("%s: included %v, code %s", f.ID, f.Included, f.Code)
		}
		if !f.Included {
			if f.Bytes != 0 || f.Span != nil || len(f.Unmet) == 0 || f.Unmet[0].Code != f.Code || f.Unmet[0].Reason != f.Reason {
				t.Fatalf("%s is out with %d bytes, span %v, unmet %v, reason %q", f.ID, f.Bytes, f.Span, f.Unmet, f.Reason)
			}
			continue
		}
		in++
		length += f.Bytes
		if got := text[f.Span[0]:f.Span[1]]; got != p.Text(i) || len(got) != f.Bytes || got == "" || f.Unmet != nil {
			t.Fatalf("%s: %q stands in its place, its text is %q", f.ID, got, p.Text(i))
		}
	}
	if in != e.Included || in+e.Excluded != len(e.Fragments) || is != (in > 0) {
		t.Fatalf("%d in, counted %d in and %d out of %d", in, e.Included, e.Excluded, len(e.Fragments))
	}
	for s := range p.AllSpans() {
		if i, _ := p.Index(s.Fragment); s.Kind != cento.JoinerSpan {
			if start, end, _ := p.Extent(i); s.Start < start || s.End > end { // a section's heading
				length += s.End - s.Start
			}
		} else {
			length += s.End - s.Start
		}
	}
	if length != len(text) {
		t.Fatalf("texts, headings and joiners have %d bytes, the prompt has %d", length, len(text))
	}
}

// checkTail: the protected sections are last, in their order.
func checkTail(t rapid.TB, p *cento.Prompt) {
	t.Helper()
	var order []string
	for s := range p.AllSpans() {
		if len(order) == 0 || order[len(order)-1] != s.Fragment {
			order = append(order, s.Fragment)
		}
	}
	var want []string
	for _, id := range []string{cento.BoundariesID, cento.InstructionsID} {
		if i, ok := p.Index(id); ok && p.In(i) && p.Fragment(i).Tail {
			want = append(want, id)
		}
	}
	if len(order) < len(want) || !slices.Equal(order[len(order)-len(want):], want) {
		t.Fatalf("the tail is %q, and the order %q", want, order)
	}
}

// replay holds the law that a recorded input gives the recorded prompt, by
// either speed of the reducer.
func (s *source) replay(t rapid.TB, p *cento.Prompt) {
	t.Helper()
	if s.record == nil {
		return
	}
	record, err := json.Marshal(s.record)
	if err != nil {
		t.Fatal(err)
	}
	back := new(cento.Input)
	if err := json.Unmarshal(record, back); err != nil {
		t.Fatal(err)
	}
	q, err := reduceInput(*back)
	if err != nil {
		t.Fatalf("replayed: %v", err)
	}
	if p.Digest() != q.Digest() || !slices.Equal(p.Spans(), q.Spans()) {
		t.Fatalf("recorded %s, replayed %s", p.Digest(), q.Digest())
	}
	if q.Len() != p.Len() {
		t.Fatalf("recorded %d fragments, replayed %d", p.Len(), q.Len())
	}
	for i := range p.Len() {
		if p.Fragment(i).ID != q.Fragment(i).ID || p.Code(i) != q.Code(i) || p.Reason(i) != q.Reason(i) {
			t.Fatalf("recorded %s: %s, replayed %s: %s", p.Fragment(i).ID, p.Reason(i), q.Fragment(i).ID, q.Reason(i))
		}
	}
	assembledAlike(t, *back)
	fragments, _, err := cento.Compose(*back)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := pack.NewEngine(*back)
	if err != nil {
		t.Fatal(err)
	}
	options, err := back.Options(engine)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := cento.Compile(fragments, options)
	if err != nil {
		t.Fatal(err)
	}
	active := back.Active
	active.Tools = back.ActiveTools()
	var a cento.Assembly
	text, err := plan.AppendText([]byte("kept"), plan.Bind(active), &a)
	if err != nil {
		t.Fatal(err)
	}
	if system, _ := p.System(); string(text) != "kept"+system {
		t.Fatalf("compiled: %q, reduced: %q", text, system)
	}
	if !slices.Equal(a.Spans(), p.Spans()) {
		t.Fatal("the compiled plan has other spans")
	}
}

// assembledAlike: what an engine keeps of its input gives for every active set and clock
// what reducing the input anew gives, errors and remarks too, however often it is asked.
func assembledAlike(t rapid.TB, in cento.Input) {
	t.Helper()
	engine, err := pack.NewEngine(in)
	if err != nil {
		t.Fatal(err)
	}
	own := in.Active
	own.Tools = in.ActiveTools()
	sets := []cento.Active{own, {Model: own.Model}}
	for i := range own.Tools {
		less := own
		less.Tools = slices.Delete(slices.Clone(own.Tools), i, i+1)
		sets = append(sets, less)
		if len(sets) == 5 {
			break
		}
	}
	more := own
	more.Caps = append(slices.Clone(own.Caps), "model.text_tools", "ci")
	other := own
	other.Model = "claude-sonnet-4-5"
	sets = append(sets, more, other)
	for range 2 {
		for _, a := range sets {
			for _, now := range []time.Time{in.Files.Now, in.Files.Now.Add(time.Hour), in.Files.Now.AddDate(0, 0, 3), {}} {
				changed := in
				changed.AllTools, changed.Active, changed.Files.Now = false, a, now
				want, wrong := pack.Reduce(changed)
				got, err := engine.Assemble(a, now)
				if told(want, wrong) != told(got, err) {
					t.Fatalf("with %+v at %s:\n%s\nand anew:\n%s", a, now, told(got, err), told(want, wrong))
				}
			}
		}
	}
}

// told is all that a prompt tells, or what is wrong.
func told(p *cento.Prompt, err error) string {
	if err != nil {
		return err.Error()
	}
	text, is := p.System()
	b, err := json.Marshal(struct {
		Text  string
		Is    bool
		Why   *cento.Explanation
		Spans []cento.Span
		Notes []cento.Note
	}{text, is, p.Explain(cento.ExplainOptions{AllReasons: true, ExcludedTexts: true}), p.Spans(), p.Notes()})
	if err != nil {
		return err.Error()
	}
	return string(b)
}
