package skill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// A front matter of a few kilobytes can be written so that reading it costs a
// hundred times as much as reading a usual one: as a list of thousands of
// letters, say. So what all of them may cost together is bounded. Skills that
// take no more than their share are read first, whatever the others are, and of
// the others the cheapest: so no skill hides one that costs less.

const (
	// markEffort is what a mark of structure costs, in bytes of plain text:
	// behind each the parser may begin a value.
	markEffort = 24
	// fairEffort is the share of one skill when there are as many as can be.
	fairEffort = maxEffort / maxFound
)

// effort is what parsing a front matter costs at most, in bytes of plain text.
func effort(text string) int {
	block, _, _ := cut(text)
	cost := len(block)
	for i := range len(block) {
		switch block[i] {
		case ',', ':', '[', '{', '\n':
			cost += markEffort
		}
	}
	return cost
}

// costly is a skill that waits for the others to be read.
type costly struct{ index, cost int }

// readCostly parses the skills that were put off, the cheapest first, as far as
// [maxEffort] goes. Their heads are read again: kept, they could be many
// megabytes.
func (s *Set) readCostly(list []costly, trees []*tree.Tree) {
	slices.SortStableFunc(list, func(a, b costly) int { return cmp.Compare(a.cost, b.cost) })
	for _, c := range list {
		x := &s.Skills[c.index]
		if s.effort+c.cost > maxEffort {
			s.invalid(x, tooCostly(x.Path, c.cost))
			continue
		}
		head, err := readHead(trees[x.folder], strings.Join([]string{s.folders[x.folder].Name, x.entry, fileName}, "/"))
		if err == nil {
			x.info = head.Info
			if cost := effort(head.Text); cost > c.cost { // it was changed just now
				err = tooCostly(x.Path, cost)
			} else {
				err = s.parse(x, head.Text)
			}
		}
		if err != nil {
			s.invalid(x, err)
		}
	}
}

func tooCostly(path string, cost int) error {
	return &cento.SourceError{
		Code: cento.LimitExceeded, Position: cento.Position{File: path},
		Message: fmt.Sprintf("reading its front matter costs %d of the %d for all skills, and those that cost less have taken them", cost, maxEffort),
		Hint:    "keep name and description in the front matter; lists belong behind it",
	}
}
