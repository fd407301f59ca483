package page

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// TestSplit: the pieces of a page say together what the page from a disk says, and what
// is known isn't sent.
func TestSplit(t *testing.T) {
	for name, e := range map[string]*cento.Explanation{"sample": sample(), "hostile": hostilePrompt(), "none": explain(nil)} {
		parts, err := Split(ours, e, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		v, err := newView(ours, e)
		if err != nil {
			t.Fatal(name, err)
		}
		lines := strings.Split(string(parts.EncodedPieces()), "\n")
		var list []*piece
		if err := json.Unmarshal(parts.EncodedPieces(), &list); err != nil || len(list) != len(e.Fragments)+1 || len(lines) != len(list)+1 {
			t.Fatalf("%s: the pieces of %d fragments are %d on %d lines: %v", name, len(e.Fragments), len(list), len(lines), err)
		}
		text, at := "", 0
		for _, f := range parts.Prompt {
			var p piece
			if err := json.Unmarshal([]byte(lines[f+1][1:]), &p); err != nil || p.Trace.ID != e.Fragments[f].ID || parts.Heads[f].ID != p.Trace.ID {
				t.Fatalf("%s: the piece of %s is of %s: %v", name, e.Fragments[f].ID, p.Trace.ID, err)
			}
			h := parts.Heads[f]
			if h.Source != p.Trace.Source || h.Included != p.Trace.Included || h.Hue != hue(p.Trace.Source) || h.Bytes != len(h.Text) {
				t.Errorf("%s: the head of %s is %+v", name, p.Trace.ID, *h)
			}
			text += h.Text
			for _, s := range p.Spans {
				w := v.spans[at]
				if at++; s.Length != w.End-w.Start || s.File != w.File || s.Line != w.Line || s.Column != w.Column || s.LastLine != w.LastLine || s.Var != w.Var || s.Kind != w.Kind.String() || s.Trust != w.Trust.String() || s.Stranger != w.Stranger || (s.File == "" && s.MadeBy != w.MadeBy) || w.Fragment != p.Trace.ID {
					t.Errorf("%s: the span %+v is told as %+v", name, w, s)
				}
			}
		}
		if text != v.text() || at != len(v.spans) || len(parts.Order) != len(e.Fragments) || (parts.Prompt == nil) != (e.System == nil) {
			t.Errorf("%s: the pieces have %d bytes and %d spans, the page %d and %d", name, len(text), at, len(v.text()), len(v.spans))
		}
		known := map[string]bool{}
		for _, n := range parts.Order {
			known[n] = true
		}
		if again, err := Split(ours, e, known); err != nil || len(again.Pieces) != 0 {
			t.Errorf("%s: %d pieces are sent twice (%v)", name, len(again.Pieces), err)
		}
	}
	// Of a change, only what is different is sent.
	e := sample()
	parts, _ := Split(ours, e, nil)
	known := map[string]bool{}
	for _, n := range parts.Order {
		known[n] = true
	}
	e.Fragments[3].Reason = "another"
	after, err := Split(ours, e, known)
	if err != nil || len(after.Pieces) != 1 || !strings.Contains(string(after.Pieces[0]), `"another"`) || after.Heads[2] != nil || after.Heads[3] == nil {
		t.Errorf("%d pieces are sent for one that is different (%v)", len(after.Pieces), err)
	}
}

// TestLinesTellTheirPlaces: whichever line of a prompt is clicked, the page tells the file
// and line that its first byte is from, inside long texts too.
func TestLinesTellTheirPlaces(t *testing.T) {
	var long strings.Builder
	for i := range 3000 {
		long.WriteString(strings.Repeat("word ", i%7) + "end." + strings.Repeat("\n", 1+i%3))
	}
	e := explain([]part{
		{id: "first", source: "host", runs: text("No file has this.\nNor this.")},
		{id: "project:instructions", source: "project", at: in("AGENTS.md", 3, 1), runs: []run{{text: long.String() + "x ", at: in("AGENTS.md", 3, 1)}, {text: "a\nb\nc", at: in("sub/AGENTS.md", 9, 4)}}},
		{id: "last", source: "manifest", at: in("cento.yaml", 7, 5), runs: []run{{text: "one\n\ntwo\n", at: in("cento.yaml", 8, 7)}, {text: "three", at: in("cento.yaml", 40, 2)}}},
	})
	v, err := newView(ours, e)
	if err != nil {
		t.Fatal(err)
	}
	text, lines, raw, cut := v.text(), 0, 0, 0
	for at := range len(text) {
		if at > 0 && text[at-1] != '\n' || text[at] == '\n' {
			continue
		}
		lines++
		for e.Spans[raw].End <= at {
			raw++
		}
		for v.spans[cut].End <= at {
			cut++
		}
		want, ok := e.Spans[raw].Locate(text, at)
		if !ok { // it is from no file
			continue
		}
		p := v.spans[cut]
		got := in(p.File, p.Line, p.Column)
		if p.LastLine != 0 || p.Start < at { // a line that begins inside of a passage
			t.Errorf("byte %d stands in a passage of several lines, %+v", at, p)
		}
		if got != want {
			t.Errorf("byte %d is from %s, and the page tells %s", at, want, got)
		}
	}
	if lines < 3000 {
		t.Errorf("only %d lines were held against their places", lines)
	}
}
