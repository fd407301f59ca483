package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/canonical"
	"github.com/cento-dev/cento/wire"
)

// What providers billed is kept beside a session as its envelopes are: the texts in the
// store, each by its digest, the last ones named by the session's document and those
// before in lists that lead from one to the next.

// Usage is what a provider billed for a request of a turn.
type Usage struct {
	// Turn is the turn, Request which of its requests it was, from 1.
	Turn    int64 `json:"turn"`
	Request int64 `json:"request"`
	wire.Usage
}

// UsageRequest tells what a provider billed.
type UsageRequest struct {
	ID string `json:"id"`
	Options
	// Turn is a turn that was begun; Request which of its requests it was, from 1; 0: 1.
	Turn    int64 `json:"turn"`
	Request int64 `json:"request"`
	// Usage is the provider's, in its own words: see [wire.ReadUsage].
	Usage json.RawMessage `json:"usage"`
}

// Billed is what was kept of it.
type Billed struct {
	Meta
	Usage Usage `json:"usage"`
}

// billed says what providers billed.
type billed struct {
	sealed string    // the digest of the list of those before recent; empty for none
	recent []sentRef // those that were told last, oldest first
}

type billedList struct {
	Before string    `json:"before"`
	Usage  []sentRef `json:"usage"`
}

// maxRequests is how many requests a turn may have.
const maxRequests = 1 << 20

// Usage keeps what a provider billed for a request of a turn. Told again for the same
// request, the last word counts. The errors are [wire.InvalidUsage], [WrongSettings] for
// a turn that wasn't begun, and those of the store.
func (s *Service) Usage(ctx context.Context, r UsageRequest) (*Billed, error) {
	u, err := wire.ReadUsage(r.Usage)
	if err != nil {
		return nil, err
	}
	if r.Request == 0 {
		r.Request = 1
	}
	if r.Request < 1 || r.Request > maxRequests {
		return nil, &cento.SourceError{Code: WrongSettings, Message: fmt.Sprintf("request %d: requests of a turn count from 1", r.Request)}
	}
	return apply[Billed](ctx, s, r.ID, r.Options, []any{"usage", r}, func(l *loaded, a *Billed) (step, error) {
		st := step{state: l.state}
		begun := l.state.Reminders.Turn // how many have ended
		if l.state.Reminders.TurnBuilt {
			begun++
		}
		if r.Turn < 0 || r.Turn >= begun {
			e := &cento.SourceError{Code: WrongSettings, Message: fmt.Sprintf("turn %d of session %q wasn't begun", r.Turn, r.ID), Hint: "no turn was begun yet"}
			if begun > 0 {
				e.Hint = fmt.Sprintf("the last one is turn %d", begun-1)
			}
			return st, e
		}
		a.Usage = Usage{r.Turn, r.Request, u}
		sum, err := st.kept(a.Usage)
		if err != nil {
			return st, err
		}
		b := &st.state.Billed
		b.recent = append(slices.Clip(b.recent), sentRef{r.Turn, sum})
		if len(b.recent) > maxRecent {
			if b.sealed, err = st.kept(billedList{b.sealed, b.recent}); err != nil {
				return st, err
			}
			b.recent = nil
		}
		return st, nil
	})
}

// Usages are what providers billed in a session, by turn and request.
func (s *Service) Usages(ctx context.Context, id string) ([]Usage, error) {
	l, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	read := func(sum string, to any) error {
		text, err := s.store.Blob(ctx, sum)
		if err == nil {
			err = json.Unmarshal(text, to)
		}
		if err != nil {
			return fmt.Errorf("reading what was billed in session %q: %w", id, err)
		}
		return nil
	}
	lists := [][]sentRef{l.state.Billed.recent}
	for sum := l.state.Billed.sealed; sum != ""; {
		var sealed billedList
		if err := read(sum, &sealed); err != nil {
			return nil, err
		}
		lists, sum = append(lists, sealed.Usage), sealed.Before
	}
	type request struct{ turn, request int64 }
	last := map[request]int{}
	out := []Usage{}
	for _, list := range slices.Backward(lists) {
		for _, ref := range list {
			var u Usage
			if err := read(ref.Text, &u); err != nil {
				return nil, err
			}
			of := request{u.Turn, u.Request}
			if i, again := last[of]; again {
				out[i] = u
				continue
			}
			last[of] = len(out)
			out = append(out, u)
		}
	}
	slices.SortFunc(out, func(a, b Usage) int {
		if a.Turn != b.Turn {
			return int(a.Turn - b.Turn)
		}
		return int(a.Request - b.Request)
	})
	return out, nil
}

func (b *billed) write(w *canonical.Writer) {
	w.Member("billed")
	w.Begin()
	w.Optional("sealed", b.sealed)
	w.Member("usage")
	canonical.List(w, b.recent, func(r *sentRef) {
		w.Begin()
		w.IntMember("turn", r.Turn)
		w.TextMember("text", r.Text)
		w.End()
	})
	w.End()
}
