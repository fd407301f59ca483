package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// mergeConflicts reports those in the texts of fragments, and in the prompt files that
// these are rendered of.
func mergeConflicts(_ *subject, t *target, report func(Finding)) error {
	for i := range t.prompt.Len() {
		if f := t.prompt.Fragment(i); f.Template == "" {
			reportConflicts(f.ID, cento.Text{Body: f.Body, Runs: f.Runs, Origin: f.Origin}, report)
		}
	}
	sources := t.project.Input.Files.Sources
	for _, file := range slices.Sorted(maps.Keys(sources)) {
		reportConflicts(file, cento.Text{Body: sources[file], Origin: cento.Position{File: file, Line: 1, Column: 1}}, report)
	}
	return nil
}

func reportConflicts(id string, text cento.Text, report func(Finding)) {
	for _, c := range conflicts(text.Body) {
		report(Finding{
			Position: text.Locate(c.first), ID: id, Message: "a merge conflict that isn't settled stands in the text",
			Hint:    "choose a side, and take out the lines of <<<<<<<, ======= and >>>>>>>",
			Related: []cento.Related{{Position: text.Locate(c.last), Message: "it ends here"}},
		})
	}
}

// A conflict is where the first line of a merge conflict begins, and the last.
type conflict struct{ first, last int }

// conflicts finds those of a text that begin outside of blocks of code, which show them. A
// mark without the other two behind it is text.
func conflicts(text string) []conflict {
	if !strings.Contains(text, "<<<<<<<") {
		return nil
	}
	var out []conflict
	const (
		none = iota
		ours
		theirs
	)
	side, first, offset := none, 0, 0
	fence, behindOurs := "", "" // the block of code that is open, and the one that was where ours ended
	for line := range strings.Lines(text) {
		start := offset
		offset += len(line)
		line = strings.TrimRight(line, "\r\n")
		switch {
		case isMark(line, "<<<<<<<"):
			if side = none; fence == "" {
				side, first = ours, start
			}
		case side == ours && line == "=======":
			side, behindOurs = theirs, fence
		case side != none && isMark(line, ">>>>>>>"):
			if side == theirs {
				out = append(out, conflict{first, start})
				fence = behindOurs // each side may open a block that the text behind them ends
			}
			side = none
		default:
			fence = fenceBehind(fence, strings.TrimSpace(line))
		}
	}
	return out
}

// isMark reports whether a line is a mark of a conflict, with or without a name behind it.
func isMark(line, mark string) bool {
	rest, ok := strings.CutPrefix(line, mark)
	return ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}
