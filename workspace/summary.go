package workspace

import (
	"strings"

	"github.com/cento-dev/cento"
)

// ScopeWording is the part of the summary that can be worded otherwise.
type ScopeWording struct {
	// Denied heads what may not even be read, when it is shown. Default
	// `Not accessible:`.
	Denied string
	// Trust is that of the wording; looked at only when Denied is set.
	Trust cento.Trust
	// Place words a canonical path. Nil: it is named as it is.
	Place func(path string) string
}

// summaryVar is the variable by which the summary is put into its section.
const summaryVar = "scope_summary"

// The headings of the blocks that have no other wording.
const (
	readableHeading      = "Readable:"
	writableHeading      = "Writable:"
	readOnlyHeading      = "Read only:"
	notAccessibleHeading = "Not accessible:"
)

// Summary tells the model what it may do, in up to four blocks: every rule that
// allows, in declaration order, under `Readable:`, and those that allow writing
// again under `Writable:`; then, unless they are hidden, what deny rules make of
// allowed paths: `Read only:` where they deny writing, and `Not accessible:`
// where they deny reading. A pattern is absolute, and a denied path with a wildcard in its
// name has a `\` before it. Of the blocks that name a path the last one holds, so
// that the words say of every path what [Scope.Permission] says. Blocks without
// lines are left out; there is no newline at the end.
func (s *Scope) Summary() string { return s.Text().Body }

// Text is the summary with the place of each rule that stands in it.
func (s *Scope) Text() *cento.Text {
	var lines []line
	block := func(heading line, areas []area, denied bool) {
		if len(areas) == 0 {
			return
		}
		lines = append(lines, heading)
		for _, a := range areas {
			if s.wording.Place != nil {
				a.target = s.wording.Place(a.target)
			}
			if denied {
				a = a.asTarget()
			}
			lines = append(lines, line{a.String(), a.at, a.trust, a.madeBy})
		}
	}
	var readable, writable []area
	for i := range s.allow {
		r := &s.allow[i]
		readable = append(readable, r.area())
		if r.Permission == Write {
			writable = append(writable, r.area())
		}
	}
	builtin := func(text string) line { return line{text: text, trust: cento.TrustBuiltin} }
	block(builtin(readableHeading), readable, false)
	block(builtin(writableHeading), writable, false)
	if !s.hideDenied {
		denied := builtin(notAccessibleHeading)
		if w := strings.TrimSpace(s.wording.Denied); w != "" {
			denied = line{text: w, trust: s.wording.Trust}
		}
		readOnly, closed := s.denied()
		block(builtin(readOnlyHeading), readOnly, true)
		block(denied, closed, true)
	}
	return joinLines(lines)
}

// line is one line of the summary.
type line struct {
	text   string
	at     cento.Position
	trust  cento.Trust
	madeBy cento.Maker
}

func joinLines(lines []line) *cento.Text {
	t := &cento.Text{Trust: cento.TrustBuiltin, Runs: make([]cento.Run, len(lines))}
	var b strings.Builder
	for i, l := range lines {
		start := b.Len()
		b.WriteString(l.text)
		if i < len(lines)-1 {
			b.WriteByte('\n')
		}
		t.Runs[i] = cento.Run{
			Start: start, End: b.Len(), Position: l.at, Var: summaryVar, Trust: l.trust, MadeBy: l.madeBy, Fixed: true,
		}
	}
	t.Body = b.String()
	return t
}
