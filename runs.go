package cento

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// leadingSpace is how many bytes trimming takes off the front.
func leadingSpace(s string) int { return len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace)) }

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// tiles reports whether runs cover a body without gap or overlap. No runs do:
// they say that all of it has one origin.
func tiles(runs []Run, size int) bool {
	at := 0
	for _, r := range runs {
		if r.Start != at || r.End < at {
			return false
		}
		at = r.End
	}
	return at == size || len(runs) == 0
}

// trimRuns gives the runs of a body after trimming; for a fragment without
// runs, one that covers all of it.
func trimRuns(f *Fragment, lead, size int) []Run {
	if len(f.Runs) == 0 {
		at := f.Origin
		if lead > 0 {
			at = advance(at, f.Body[:lead])
		}
		return []Run{{End: size, Position: at, Trust: f.Trust}}
	}
	out := make([]Run, 0, len(f.Runs))
	for _, r := range f.Runs {
		from := max(r.Start, lead)
		to := min(r.End, lead+size)
		if from >= to {
			continue
		}
		if from > r.Start && !r.Fixed {
			r.Position = advance(r.Position, f.Body[r.Start:from])
		}
		r.Start, r.End = from-lead, to-lead
		out = append(out, r)
	}
	return out
}

// advance is the position after a text that stands at p.
func advance(p Position, s string) Position {
	if p.Line == 0 {
		return p
	}
	if n := strings.Count(s, "\n"); n > 0 {
		p.Line += n
		p.Column = 1
		s = s[strings.LastIndexByte(s, '\n')+1:]
	}
	if p.Column > 0 {
		p.Column += utf8.RuneCountInString(s)
	}
	return p
}

// placeIn is the position of a byte of a text with runs.
func placeIn(s string, runs []Run, k int) Position {
	for _, r := range runs {
		if k < r.End {
			if r.Fixed {
				return r.Position
			}
			return advance(r.Position, s[r.Start:max(k, r.Start)])
		}
	}
	return Position{}
}

func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for k := 0; k < len(s); {
		r, n := utf8.DecodeRuneInString(s[k:])
		if r == utf8.RuneError && n == 1 {
			return k
		}
		k += n
	}
	return -1
}

func known(p Position) *Position {
	if p.IsZero() {
		return nil
	}
	return &p
}

// clip keeps what a message quotes short.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	k := most
	for k > 0 && !utf8.RuneStart(s[k]) {
		k--
	}
	return s[:k] + "…"
}

// Locate is the place in a file of a byte of the text; zero when it came from
// none.
func (t Text) Locate(offset int) Position {
	f := Fragment{Body: t.Body, Runs: t.Runs, Origin: t.Origin}
	return placeIn(t.Body, trimRuns(&f, 0, len(t.Body)), offset)
}
