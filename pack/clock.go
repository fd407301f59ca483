package pack

import (
	"time"

	"github.com/cento-dev/cento"
)

// ClockUse is what a prompt depends on of the clock that its input has. Of two inputs
// that differ in their clocks alone and whose [ClockUse.Of] is the same, the prompts are
// the same in everything: texts, decisions and places.
type ClockUse int

const (
	// ClockUnread: no more than whether there is a clock.
	ClockUnread ClockUse = iota
	// ClockDay: the date.
	ClockDay
	// ClockWhole: everything, or what it is can't be told.
	ClockWhole
)

// Of tells apart what matters of a clock.
func (u ClockUse) Of(now time.Time) string {
	switch {
	case now.IsZero():
		return "no clock"
	case u == ClockUnread:
		return ""
	case u == ClockDay:
		return now.Format(time.DateOnly)
	}
	return now.Format(time.RFC3339Nano)
}

// ClockUse is what a prompt that the engine made depends on of the clock: the most that
// any template may read of it that is rendered for the prompt, or would be for another
// active set.
func (e *Engine) ClockUse(p *cento.Prompt) ClockUse {
	use := ClockUnread
	for i := range p.Len() {
		f := p.Fragment(i)
		use = max(use, e.clock(&f))
	}
	return use
}

// clock is what of the clock a fragment reads.
func (e *Engine) clock(f *cento.Fragment) ClockUse {
	if f.Template == "" || f.Excluded != nil {
		return ClockUnread
	}
	r := e.reading(f)
	switch {
	case r == nil || r.unknown || r.roots["time"] || r.roots["datetime"]:
		return ClockWhole
	case r.roots["date"]:
		return ClockDay
	}
	return ClockUnread
}
