package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

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
	// Turn is a turn that was begun; Request which of its requests it was, from 1; nil: 1.
	Turn    int64  `json:"turn"`
	Request *int64 `json:"request"`
	// Usage is the provider's, in its own words: see [wire.ReadUsage].
	Usage json.RawMessage `json:"usage"`
}

// Billed is what was kept of it.
type Billed struct {
	Meta
	Usage Usage `json:"usage"`
}

// usageName is what lists of usage are called where they are stored.
const usageName = "usage"

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
	request := int64(1)
	if r.Request != nil {
		request = *r.Request
	}
	if r.Request = &request; request < 1 || request > maxRequests {
		return nil, &cento.SourceError{
			Code: WrongSettings, Message: fmt.Sprintf("request %d: requests of a turn count from 1", request),
			Hint: fmt.Sprintf("the first one is 1, the last one that can be told %d", maxRequests),
		}
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
		a.Usage = Usage{r.Turn, request, u}
		return st, st.state.Billed.add(&st, usageName, r.Turn, a.Usage)
	})
}

// Usages are what providers billed in a session, by turn and request.
func (s *Service) Usages(ctx context.Context, id string) ([]Usage, error) {
	l, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	refs, err := s.refs(ctx, &l.state.Billed, usageName)
	if err != nil {
		return nil, reading("what was billed in", id, err)
	}
	type request struct{ turn, request int64 }
	last := map[request]int{}
	out := []Usage{}
	for _, ref := range refs {
		var u Usage
		if err := s.blob(ctx, ref.Text, &u); err != nil {
			return nil, reading("what was billed in", id, err)
		}
		of := request{u.Turn, u.Request}
		if i, again := last[of]; again {
			out[i] = u
			continue
		}
		last[of] = len(out)
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b Usage) int {
		if a.Turn != b.Turn {
			return int(a.Turn - b.Turn)
		}
		return int(a.Request - b.Request)
	})
	return out, nil
}
