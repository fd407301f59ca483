package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cento-dev/cento/internal/canonical"
)

// chain is a list of texts that are kept beside a session: the last ones are named by
// its document, those before by lists that lead from one to the next. So a turn costs
// what is new in it, however long the list is.
type chain struct {
	sealed string    // the digest of the list of those before recent; empty for none
	recent []sentRef // those that were added last, oldest first
}

func (c *chain) empty() bool { return c.sealed == "" && len(c.recent) == 0 }

// add keeps a value of a turn. name is what its list is called where it is stored.
func (c *chain) add(st *step, name string, turn int64, value any) error {
	sum, err := st.kept(value)
	if err != nil {
		return err
	}
	c.recent = append(slices.Clip(c.recent), sentRef{turn, sum})
	if len(c.recent) > maxRecent {
		if c.sealed, err = st.kept(map[string]any{"before": c.sealed, name: c.recent}); err != nil {
			return err
		}
		c.recent = nil
	}
	return nil
}

// refs are all of a list, oldest first.
func (s *Service) refs(ctx context.Context, c *chain, name string) ([]sentRef, error) {
	lists := [][]sentRef{c.recent}
	for sum := c.sealed; sum != ""; {
		sealed := map[string]json.RawMessage{}
		var list []sentRef
		err := s.blob(ctx, sum, &sealed)
		if err == nil {
			err = json.Unmarshal(sealed[name], &list)
		}
		if err == nil {
			err = json.Unmarshal(sealed["before"], &sum)
		}
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	slices.Reverse(lists)
	return slices.Concat(lists...), nil
}

// blob reads a value that is kept beside a session.
func (s *Service) blob(ctx context.Context, sum string, to any) error {
	text, err := s.store.Blob(ctx, sum)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	return err
}

func (c *chain) write(w *canonical.Writer, member, name string) {
	w.Member(member)
	w.Begin()
	w.Optional("sealed", c.sealed)
	w.Member(name)
	canonical.List(w, c.recent, func(r *sentRef) {
		w.Begin()
		w.IntMember("turn", r.Turn)
		w.TextMember("text", r.Text)
		w.End()
	})
	w.End()
}

// chainOf is a list as a session's document names it.
func chainOf(sealed string, list []sentFile) chain {
	c := chain{sealed: sealed}
	for _, e := range list {
		c.recent = append(c.recent, sentRef{e.Turn, e.Text})
	}
	return c
}

func reading(what, id string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("reading %s session %q: %w", what, id, err)
}
