package app

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/store"
)

// RecordRef names a record: the id of a session, or `session@number`.
type RecordRef struct {
	Session string
	Seq     int64 // 0: the last one
}

// ParseRecordRef reads the name of a record.
func ParseRecordRef(s string) RecordRef {
	if k := strings.LastIndexByte(s, '@'); k > 0 {
		if n, err := strconv.ParseInt(s[k+1:], 10, 64); err == nil && n > 0 {
			return RecordRef{s[:k], n}
		}
	}
	return RecordRef{Session: s}
}

// String is the reverse of [ParseRecordRef].
func (r RecordRef) String() string {
	if r.Seq == 0 {
		return r.Session
	}
	return r.Session + "@" + strconv.FormatInt(r.Seq, 10)
}

// RecordPrompt records a prompt that was handed out. With a key it happens once,
// however often it is asked for.
func RecordPrompt(ctx context.Context, s *store.Store, session, key string, prompt *cento.Prompt, in cento.Input) (*store.Committed, error) {
	return s.Commit(ctx, store.Transition{
		Key: key, RequestDigest: prompt.Digest(),
		Changes: []store.Change{{Session: session, Expect: store.AnyVersion, Drafts: []store.Draft{{Prompt: prompt, Input: in, Label: "build"}}}},
	})
}

// Replay is a record that was made again of its input.
type Replay struct {
	Session string `json:"session"`
	Seq     int64  `json:"seq"`
	// Same: it has the digest that was recorded.
	Same     bool   `json:"same"`
	Recorded string `json:"recorded"`
	Replayed string `json:"replayed"`
}

// ReplayRecord makes the prompt of a record again, of nothing but its input.
func ReplayRecord(ctx context.Context, s *store.Store, ref RecordRef) (*Replay, *cento.Prompt, error) {
	rec, err := s.Record(ctx, ref.Session, ref.Seq)
	if err != nil {
		return nil, nil, err
	}
	in, err := s.Input(ctx, rec.Session, rec.Seq)
	if err != nil {
		return nil, nil, err
	}
	engine, err := pack.NewEngine(in)
	if err != nil {
		return nil, nil, err
	}
	prompt, err := cento.ReduceWith(in, engine)
	if err != nil {
		return nil, nil, err
	}
	r := &Replay{Session: rec.Session, Seq: rec.Seq, Replayed: prompt.Digest()}
	if rec.PromptDigest != nil {
		r.Recorded = *rec.PromptDigest
	}
	r.Same = r.Recorded == r.Replayed
	return r, prompt, nil
}

// DiffRecords compares two records fragment by fragment.
func DiffRecords(ctx context.Context, s *store.Store, a, b RecordRef) (d *cento.Difference, from, to *cento.Prompt, err error) {
	var sides [2]*cento.Prompt
	for i, ref := range []RecordRef{a, b} {
		r, prompt, err := ReplayRecord(ctx, s, ref)
		if err != nil {
			return nil, nil, nil, err
		}
		if !r.Same {
			return nil, nil, nil, &cento.SourceError{
				Code: store.Corrupt, Message: fmt.Sprintf("record %s replays to another prompt, so it can't be compared", RecordRef{r.Session, r.Seq}),
				Hint: "cento log replay tells the two digests, cento log show --text the prompt as it was",
			}
		}
		sides[i] = prompt
	}
	return cento.Diff(sides[0], sides[1]), sides[0], sides[1], nil
}

// SearchRecords looks for a text in what was recorded; when it is nowhere, with
// letter case set aside.
func SearchRecords(ctx context.Context, s *store.Store, q store.SearchQuery) (*RecordSearch, error) {
	found, err := s.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	out := &RecordSearch{SearchResult: *found}
	if len(found.Matches) == 0 && !q.IgnoreCase {
		q.IgnoreCase = true
		if found, err = s.Search(ctx, q); err != nil {
			return nil, err
		}
		out.SearchResult, out.IgnoredCase = *found, len(found.Matches) > 0
	}
	return out, nil
}

// RecordSearch is what a search in records found.
type RecordSearch struct {
	store.SearchResult
	// IgnoredCase: it was found only with letter case set aside.
	IgnoredCase bool `json:"ignored_case"`
}

// SessionName is the session that builds of a project are recorded in when none
// is named.
func SessionName(p project.Place) string { return p.Name() }
