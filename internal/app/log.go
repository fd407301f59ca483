package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/session"
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

// Log is what was recorded, as a store has it.
type Log struct {
	store    *store.Store
	projects Projects
	asked    string // the store, as the caller names it
}

// OfAll reads the records of every project.
func (l *Log) OfAll() *Log {
	l.projects.Any = true
	return l
}

// Reaches returns an error for a session that the caller doesn't reach.
func (l *Log) Reaches(ctx context.Context, session string) error {
	if l.projects.Any {
		return nil
	}
	_, err := l.store.Session(ctx, session, l.projects)
	return hintAdopt(err, l.asked)
}

// OpenLog opens the store of [storePlace] for what was recorded of a project. The caller
// closes it. A
// store that isn't there and isn't made is an error with the word on how one begins.
func OpenLog(ctx context.Context, site project.Site, r project.Request, asked string, access Access) (*Log, error) {
	s, err := openStore(ctx, site, r, asked, access)
	if e, ok := errors.AsType[*cento.SourceError](err); ok && (notThere(err) || e.Code == store.Empty) {
		e.Hint = HowRecorded
	}
	if err != nil {
		return nil, err
	}
	return &Log{s, Projects{Name: site.Project()}, asked}, nil
}

// HowRecorded tells whoever finds no record how one comes to be.
const HowRecorded = "prompts are recorded by `cento build --record` and `cento session start NAME`"

// NothingRecorded reports whether an error of [OpenLog] means that there are no records
// yet: nobody has written to the store, or there is none where it would be. A store that
// was asked for by its name has to be there.
func NothingRecorded(err error, asked string) bool {
	return errors.Is(err, store.Empty) || asked == "" && notThere(err)
}

// notThere reports whether an error says that the file of a store isn't there.
func notThere(err error) bool {
	return errors.Is(err, store.Unreachable) && errors.Is(err, fs.ErrNotExist)
}

// Close closes the store.
func (l *Log) Close() error { return l.store.Close() }

// RecordPrompt records a prompt of a project that was handed out, with the input that it was
// made of, in a session; without one, in the session of the project that is named like its
// root, with a number where the session of that name is another project's. With a key it happens once,
// however often it is asked for.
func RecordPrompt(ctx context.Context, site project.Site, r project.Request, asked, session, key string, m MadePrompt) (done *Committed, err error) {
	s, err := openStore(ctx, site, r, asked, Begins)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closed := s.Close(); err == nil {
			err = closed
		}
	}()
	change := store.Change{
		Session: session, Projects: Projects{Name: site.Project()}, Expect: store.AnyVersion,
		Drafts: []store.Draft{{Prompt: m.Prompt, Input: m.Input, Label: "build"}},
	}
	for n := 1; ; n++ {
		if session == "" {
			change.Session = numbered(site.Name(), n)
		}
		done, err = s.Commit(ctx, store.Transition{Key: key, RequestDigest: m.Prompt.Digest(), Changes: []store.Change{change}})
		if session != "" || !errors.Is(err, store.OtherProject) {
			return done, hintFree(ctx, s, err)
		}
	}
}

// scoped limits a query to the sessions that the caller reaches.
func (l *Log) scoped(ctx context.Context, q RecordQuery) (RecordQuery, error) {
	if l.projects.Any {
		return q, nil
	}
	q.Projects = append([]string{l.projects.Name}, l.projects.Also...)
	if q.Session == "" {
		return q, nil
	}
	return q, l.Reaches(ctx, q.Session)
}

// Records lists recorded prompts, the newest first.
func (l *Log) Records(ctx context.Context, q RecordQuery) ([]Summary, error) {
	q, err := l.scoped(ctx, q)
	if err != nil {
		return nil, err
	}
	return l.store.Records(ctx, q)
}

// Text is the prompt of a record; false when there was none.
func (l *Log) Text(ctx context.Context, ref RecordRef) (text string, ok bool, err error) {
	if err := l.Reaches(ctx, ref.Session); err != nil {
		return "", false, err
	}
	return l.store.Text(ctx, ref.Session, ref.Seq)
}

// Input is what the prompt of a record was made of.
func (l *Log) Input(ctx context.Context, ref RecordRef) (cento.Input, error) {
	if err := l.Reaches(ctx, ref.Session); err != nil {
		return cento.Input{}, err
	}
	return l.store.Input(ctx, ref.Session, ref.Seq)
}

// ShownRecord is a record with what there is to say of it.
type ShownRecord struct {
	Record
	// LastPrompt is the last record with a system prompt, for one that has the reminders
	// of a turn beside it.
	LastPrompt string `json:"last_prompt,omitempty"`
	// Notes are the findings of credentials in what it was made of; none for one that can't
	// be read back.
	Notes []cento.Note `json:"notes,omitempty"`
}

// Record is a record, with the findings of credentials.
func (l *Log) Record(ctx context.Context, ref RecordRef) (*ShownRecord, error) {
	if err := l.Reaches(ctx, ref.Session); err != nil {
		return nil, err
	}
	rec, err := l.store.Record(ctx, ref.Session, ref.Seq)
	if err != nil {
		return nil, err
	}
	out := &ShownRecord{Record: *rec}
	if session.BesidePrompt(rec.Label) {
		of, err := l.lastPrompt(ctx, RecordRef{rec.Session, rec.Seq})
		if err != nil {
			return nil, err
		}
		out.LastPrompt = of.String()
	}
	if in, err := l.store.Input(ctx, rec.Session, rec.Seq); err == nil {
		out.Notes = slices.DeleteFunc(slices.Clone(in.Notes), func(n cento.Note) bool { return n.Code != project.CodeSecret })
	}
	return out, nil
}

// Diff compares two records.
func (l *Log) Diff(ctx context.Context, a, b RecordRef) (*Differing, error) {
	of := &sides{ctx: ctx, r: &DiffRequest{}}
	var list [2]*made
	for i, ref := range []RecordRef{a, b} {
		list[i] = &made{Side: Side{Kind: RecordSide}}
		if err := of.replay(list[i], l, ref); err != nil {
			return nil, err
		}
	}
	return of.compare(list[0], list[1])
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

// Replays tells what became of records that were made again.
type Replays struct {
	// Records are those that were asked for.
	Records []*Replay `json:"records"`
	// Same tells whether all of them gave the digest that was recorded.
	Same bool `json:"same"`
	// Redacted is how many of all that there are can't be made again.
	Redacted int `json:"redacted"`
}

// Replay makes the prompts of records again, of nothing but their inputs. Those
// that are named must be possible to make; an error is one of the record at which
// it stops, which failed tells. Of all that there are, when none is named, those
// with a text that was redacted are counted.
func (l *Log) Replay(ctx context.Context, named []RecordRef, session string, progress Progress) (out *Replays, failed RecordRef, err error) {
	refs := named
	if len(named) == 0 {
		list, err := l.store.Records(ctx, store.RecordQuery{Session: session})
		if err != nil {
			return nil, failed, err
		}
		for _, x := range list {
			refs = append(refs, RecordRef{Session: x.Session, Seq: x.Seq})
		}
	}
	out = &Replays{Records: []*Replay{}, Same: true}
	for i, ref := range refs {
		r, err := replayRecord(ctx, l.store, ref)
		switch {
		case len(named) == 0 && errors.Is(err, store.Redacted):
			out.Redacted++
		case err != nil:
			return nil, ref, err
		default:
			out.Records, out.Same = append(out.Records, r.Replay), out.Same && r.Same
		}
		progress(int64(i+1), int64(len(refs)))
	}
	return out, failed, nil
}

// remade is the prompt of a record, made again, with what it was made of.
type remade struct {
	*Replay
	record *Record
	input  cento.Input
	prompt *cento.Prompt
}

func (r *remade) ref() RecordRef { return RecordRef{r.Session, r.Seq} }

// replayRecord makes the prompt of a record again, of nothing but its input.
func replayRecord(ctx context.Context, s *store.Store, ref RecordRef) (*remade, error) {
	rec, err := s.Record(ctx, ref.Session, ref.Seq)
	if err != nil {
		return nil, err
	}
	in, err := s.Input(ctx, rec.Session, rec.Seq)
	if err != nil {
		return nil, err
	}
	prompt, err := pack.Reduce(in)
	if err != nil {
		return nil, err
	}
	return &remade{replayOf(RecordRef{rec.Session, rec.Seq}, rec.PromptDigest, prompt), rec, in, prompt}, nil
}

// replayOf sets the prompt that a record gives beside the digest of the one that was
// recorded, which is nil where there was none.
func replayOf(ref RecordRef, recorded *string, prompt *cento.Prompt) *Replay {
	r := &Replay{Session: ref.Session, Seq: ref.Seq, Replayed: prompt.Digest()}
	if recorded != nil {
		r.Recorded = *recorded
	}
	r.Same = r.Recorded == r.Replayed
	return r
}

// replayed is [replayRecord] where what isn't the prompt that was recorded is an error:
// whatever is told of it wouldn't be so of that one.
func (l *Log) replayed(ctx context.Context, ref RecordRef) (*remade, error) {
	if err := l.Reaches(ctx, ref.Session); err != nil {
		return nil, err
	}
	r, err := replayRecord(ctx, l.store, ref)
	if err == nil {
		err = replaysElse(r.Replay)
	}
	return r, err
}

// replaysElse is the error of a record that doesn't give what was recorded; nil for others.
func replaysElse(r *Replay) error {
	if r.Same {
		return nil
	}
	ref := RecordRef{r.Session, r.Seq}.String()
	return &cento.SourceError{
		Code: store.Corrupt, Message: fmt.Sprintf("record %s replays to another prompt, so it can't be compared", ref),
		Hint: "`cento log replay " + Quoted(ref) + "` tells the two digests, `cento log show " + Quoted(ref) + " --text` the prompt as it was",
	}
}

// ReplayOne makes the prompt of a record again.
func (l *Log) ReplayOne(ctx context.Context, ref RecordRef) (*Replay, error) {
	r, err := replayRecord(ctx, l.store, ref)
	if err != nil {
		return nil, err
	}
	return r.Replay, nil
}

// ByHash names the record that has a hash.
func (l *Log) ByHash(ctx context.Context, hash string) (RecordRef, error) {
	found, err := l.store.RecordByHash(ctx, hash)
	if err != nil {
		return RecordRef{}, err
	}
	return RecordRef{found.Session, found.Seq}, nil
}

// fewestHex is how many hex digits are taken for a digest, and not for a session.
const fewestHex = 8

// Named is the record that a person names: by its session, with a number or without, by
// its hash, or by the first digits of the digest of its prompt, of which it is the newest.
// A session that has the name comes first.
func (l *Log) Named(ctx context.Context, name string) (RecordRef, error) {
	ref := ParseRecordRef(name)
	if ref.Seq > 0 || len(name) < fewestHex || strings.Trim(name, "0123456789abcdef") != "" {
		return ref, nil
	}
	if list, err := l.Records(ctx, RecordQuery{Session: name, Limit: 1}); err == nil && len(list) > 0 {
		return ref, nil
	}
	if found, err := l.ByHash(ctx, name); err == nil {
		return found, nil
	}
	list, err := l.Records(ctx, RecordQuery{Prompt: name, Limit: 1})
	if err != nil || len(list) == 0 {
		return ref, err // there is no such session, as is told
	}
	return l.recordOf(ctx, name)
}
