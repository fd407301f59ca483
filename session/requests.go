package session

import (
	"context"
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/wire"
)

// Of a request that a turn was written as, the session keeps what tells later how far
// the next one begins alike: what is said in it stays with the host. Its blocks are
// kept in lists of a fixed length from the first block on, each by its digest, so that
// a conversation that goes on keeps the lists that it has.

// SentRequest is what is kept of the request of a turn.
type SentRequest struct {
	Turn     int64           `json:"turn"`
	Form     wire.Form       `json:"form"`
	Cache    wire.Cache      `json:"cache"`
	Sections wire.Sectioning `json:"sections,omitempty"`
	// Body is the SHA-256 of the body in lower-case hex; empty where a release kept the
	// request that didn't have it.
	Body string `json:"body,omitempty"`
	// Blocks are the settings, tools, blocks of the system prompt and parts of messages
	// in the order in which the provider's cache reads them.
	Blocks []wire.Block `json:"blocks"`
	// Marked are the fragments that stood before the last mark of the prompt cache.
	Marked []string `json:"marked"`
}

// UnknownRequest: no request is kept of that turn.
const UnknownRequest cento.ErrorCode = "session.request_unknown"

// storedRequest is a request as it is stored: its blocks without marks, which move
// along as a conversation goes on, in lists by their digests.
type storedRequest struct {
	SentRequest
	Blocks []string     `json:"blocks"`
	Marks  []storedMark `json:"marks"`
}

type storedMark struct {
	Block int    `json:"block"`
	TTL   string `json:"ttl,omitempty"`
}

// blocksOfList is how many blocks one list has.
const blocksOfList = 64

// requestsName is what lists of requests are called where they are stored.
const requestsName = "requests"

// sentAs keeps what the request of a turn was.
func (st *step) sentAs(turn int64, r *wire.Request, body *wire.Result) error {
	blocks, err := body.Blocks(r.Form, r.Counter)
	if err != nil {
		return err
	}
	kept := storedRequest{
		SentRequest: SentRequest{Turn: turn, Form: r.Form, Cache: r.Cache, Sections: r.Sections.For(r.Model), Body: wire.DigestOf(body.Body), Marked: body.Marked()},
		Blocks:      []string{}, Marks: []storedMark{},
	}
	for i := range blocks {
		if b := &blocks[i]; b.Marked {
			kept.Marks = append(kept.Marks, storedMark{i, b.TTL})
			b.Marked, b.TTL = false, ""
		}
	}
	for from := 0; from < len(blocks); from += blocksOfList {
		sum, err := st.kept(blocks[from:min(from+blocksOfList, len(blocks))])
		if err != nil {
			return err
		}
		kept.Blocks = append(kept.Blocks, sum)
	}
	return st.state.Requests.add(st, requestsName, turn, kept)
}

// SentRequests are the requests that a session keeps. Use it from one goroutine.
type SentRequests struct {
	service *Service
	id      string
	byTurn  map[int64]string
	// lists are those of the request that was read last: the next one has most of them.
	lists map[string][]wire.Block
}

// Requests are the requests that the turns of a session were written as. The errors are
// those of the store.
func (s *Service) Requests(ctx context.Context, id string) (*SentRequests, error) {
	l, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	refs, err := s.refs(ctx, &l.state.Requests, requestsName)
	if err != nil {
		return nil, reading("the requests of", id, err)
	}
	out := &SentRequests{service: s, id: id, byTurn: make(map[int64]string, len(refs))}
	for _, r := range refs {
		out.byTurn[r.Turn] = r.Text
	}
	return out, nil
}

// Has reports whether a request of a turn is kept.
func (r *SentRequests) Has(turn int64) bool { return r.byTurn[turn] != "" }

// Of is the request of a turn. The errors are [UnknownRequest] and those of the store.
func (r *SentRequests) Of(ctx context.Context, turn int64) (*SentRequest, error) {
	if !r.Has(turn) {
		return nil, &cento.SourceError{
			Code: UnknownRequest, Message: fmt.Sprintf("no request is kept of turn %d of session %q", turn, r.id),
			Hint: "one is kept of each turn that asks for it: cento session turn --wire",
		}
	}
	var kept storedRequest
	if err := r.service.blob(ctx, r.byTurn[turn], &kept); err != nil {
		return nil, reading("the requests of", r.id, err)
	}
	out := kept.SentRequest
	lists := make(map[string][]wire.Block, len(kept.Blocks))
	for _, sum := range kept.Blocks {
		list, read := r.lists[sum]
		if !read {
			if err := r.service.blob(ctx, sum, &list); err != nil {
				return nil, reading("the requests of", r.id, err)
			}
		}
		lists[sum] = list
		out.Blocks = append(out.Blocks, list...)
	}
	r.lists = lists
	for _, m := range kept.Marks {
		if m.Block < 0 || m.Block >= len(out.Blocks) {
			return nil, &cento.SourceError{Code: store.Corrupt, Message: fmt.Sprintf("the request of turn %d of session %q has a mark behind block %d of %d", turn, r.id, m.Block, len(out.Blocks))}
		}
		out.Blocks[m.Block].Marked, out.Blocks[m.Block].TTL = true, m.TTL
	}
	return &out, nil
}

// marked are the fragments that stood before the last mark of the request of the turn
// that was begun last; nil where that was written as none.
func (s *Service) marked(ctx context.Context, l *loaded) ([]string, error) {
	c := &l.state.Requests
	if c.empty() {
		return nil, nil
	}
	refs := c.recent
	if len(refs) == 0 {
		var err error
		if refs, err = s.refs(ctx, c, requestsName); err != nil {
			return nil, reading("the requests of", l.row.ID, err)
		}
	}
	last := refs[len(refs)-1]
	begun := l.state.Reminders.Turn
	if !l.state.Reminders.TurnBuilt {
		begun--
	}
	if last.Turn != begun {
		return nil, nil
	}
	var kept storedRequest
	if err := s.blob(ctx, last.Text, &kept); err != nil {
		return nil, reading("the requests of", l.row.ID, err)
	}
	return kept.Marked, nil
}
