package amend

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrByHand is the error of a change that can't be made here without harm to what
// stands around it.
var ErrByHand = errors.New("this has to be changed by hand")

// Edit puts a text in the place of a stretch of another.
type Edit struct {
	// Start and End are offsets in bytes of the file as it is stored; with both the
	// same, the text is put in between.
	Start int `json:"start"`
	End   int `json:"end"`
	// Text is what stands there then.
	Text string `json:"text"`
}

// Apply puts edits into a text, in whatever order they are given. Edits that overlap,
// or reach out of the text, are an error, and so are two that put something in at one
// place: which comes first would be left to chance.
func Apply(text string, edits []Edit) (string, error) {
	edits = sorted(edits)
	var b strings.Builder
	at := 0
	for i, e := range edits {
		switch {
		case e.Start < 0 || e.End < e.Start || e.End > len(text):
			return "", fmt.Errorf("an edit of the bytes %d to %d lies outside of a text of %d", e.Start, e.End, len(text))
		case i > 0 && meet(edits[i-1], e):
			return "", fmt.Errorf("two edits change the text at byte %d", e.Start)
		}
		b.WriteString(text[at:e.Start])
		b.WriteString(e.Text)
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String(), nil
}

func sorted(edits []Edit) []Edit {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	return edits
}

// meet reports whether the second of two sorted edits is in the way of the first.
func meet(a, b Edit) bool { return b.Start < a.End || a.Start == b.Start }
