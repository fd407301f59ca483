package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/quote"
)

const (
	maxName  = 200     // bytes of the id of a session, and of a key
	maxState = 4 << 20 // bytes of a session's document, an answer, a blob
	// maxBatch is how many transitions share one transaction at most.
	maxBatch = 256
)

// operation is a transition on its way.
type operation struct {
	t      Transition
	drafts [][]*prepared // by change
	blobs  [][]int       // by change, in extra
	extra  *prepared     // the texts of blobs
	// taken: the writer has it, and what happens to it isn't for its caller to
	// decide any more.
	taken  atomic.Bool
	done   chan struct{}
	result *Committed
	err    error
}

func (o *operation) finish(r *Committed, err error) {
	o.result, o.err = r, err
	close(o.done)
}

// Commit does a transition: all of it, durably, or nothing. Of concurrent
// transitions those that come while another is being written share the next
// transaction.
//
// The errors are [Invalid], [UnknownSession], [OtherProject], [SessionExists], [Conflict],
// [KeyReused], and those of the database: [Locked], [Full], [ReadOnly],
// [Corrupt], [Unreachable], [Uncertain], [Failed], [Closed].
func (s *Store) Commit(ctx context.Context, t Transition) (*Committed, error) {
	if s.write == nil {
		return nil, s.failure(ReadOnly, nil)
	}
	o, err := newOperation(t)
	if err != nil {
		return nil, err
	}
	select {
	case s.queue <- o:
	case <-s.closing:
		return nil, &cento.SourceError{Code: Closed, Message: "the store was closed"}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case <-o.done:
		return o.result, o.err
	case <-ctx.Done():
		if o.taken.CompareAndSwap(false, true) {
			return nil, ctx.Err() // the writer will pass it over
		}
	}
	// It is being written. That ends soon, unless the server is silent.
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-o.done:
		return o.result, o.err
	case <-late.C:
		return nil, s.failure(Uncertain, ctx.Err())
	}
}

// grace is how long a caller whose time is over waits to learn what became of a
// transition that is being written.
const grace = time.Second

// Append records prompts of a session, which begins with them if it isn't there.
func (s *Store) Append(ctx context.Context, session string, drafts ...Draft) ([]Stored, error) {
	done, err := s.Commit(ctx, Transition{Changes: []Change{{Session: session, Expect: AnyVersion, Drafts: drafts}}})
	if err != nil {
		return nil, err
	}
	return done.Records, nil
}

func newOperation(t Transition) (*operation, error) {
	o := &operation{t: t, done: make(chan struct{}), extra: &prepared{byText: map[string]int{}}}
	if len(t.Changes) == 0 {
		return nil, invalid("a transition changes nothing")
	}
	if err := checkKey(t.Key, t.RequestDigest, len(t.Answer)); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range t.Changes {
		c := &t.Changes[i]
		switch err := c.check(); {
		case err != nil:
			return nil, err
		case seen[c.Session]:
			return nil, invalid("the transition changes session %q twice", c.Session)
		case c.Expect < AnyVersion:
			return nil, invalid("a session can't have version %d", c.Expect)
		}
		seen[c.Session] = true
		var drafts []*prepared
		for j := range c.Drafts {
			p, err := prepare(&c.Drafts[j])
			if err != nil {
				return nil, err
			}
			drafts = append(drafts, p)
		}
		o.drafts = append(o.drafts, drafts)
		var blobs []int
		for _, b := range c.Blobs {
			if len(b) > maxState || !utf8.Valid(b) {
				return nil, invalid("a text to keep with session %q isn't UTF-8 of at most %d bytes", c.Session, maxState)
			}
			blobs = append(blobs, o.extra.text(string(b)))
		}
		o.blobs = append(o.blobs, blobs)
	}
	return o, nil
}

// checkKey says what is wrong with an idempotency key, or with what is kept with it.
// MaxRequestDigest is how long the digest of a request may be, in bytes.
const MaxRequestDigest = 1 << 10

// differing names the members of two requests that have other digests, as the end of a
// message; empty where these don't say.
func differing(was, is string) string {
	members := map[string]string{}
	all := strings.Fields(was)
	for _, word := range all[min(1, len(all)):] {
		name, digest, _ := strings.Cut(word, ":")
		members[name] = digest
	}
	var names []string
	all = strings.Fields(is)
	for _, word := range all[min(1, len(all)):] {
		name, digest, _ := strings.Cut(word, ":")
		if members[name] != digest {
			names = append(names, name)
		}
		delete(members, name)
	}
	if len(all) < 2 || !strings.Contains(was, " ") {
		return ""
	}
	names = slices.AppendSeq(names, maps.Keys(members))
	slices.Sort(names)
	switch len(names) {
	case 0:
		return ""
	case 1:
		return ": " + names[0] + " differs"
	}
	return ": " + strings.Join(names, ", ") + " differ"
}

func checkKey(key, request string, answer int) error {
	if len(key) > maxName || !utf8.ValidString(key) || strings.ContainsRune(key, 0) {
		return invalid("the idempotency key %q isn't a text of at most %d bytes", clip(key), maxName)
	}
	if len(request) > MaxRequestDigest {
		return invalid("the digest of the request has %d bytes, and the limit is %d", len(request), MaxRequestDigest)
	}
	if answer > maxState {
		return invalid("the answer has %d bytes, and the limit is %d", answer, maxState)
	}
	return nil
}

// check says what is wrong with the names and the state of a session.
func (c *Change) check() error {
	if err := checkName(c.Session); err != nil {
		return err
	}
	if err := checkProject(c.Projects.Name); err != nil {
		return err
	}
	if c.Parent != "" {
		if err := checkName(c.Parent); err != nil {
			return err
		}
	}
	switch {
	case len(c.State) > maxState:
		return invalid("the state of session %q has %d bytes, and the limit is %d", c.Session, len(c.State), maxState)
	case !utf8.Valid(c.State):
		return invalid("the state of session %q isn't UTF-8", c.Session)
	}
	return nil
}

// checkName says what is wrong with the id of a session, if anything is.
func checkName(id string) error {
	switch {
	case strings.TrimSpace(id) == "":
		return invalid("the id of a session is blank")
	case len(id) > maxName:
		return invalid("the id of a session has %d bytes, and the limit is %d", len(id), maxName)
	case !plain(id):
		return invalid("the id %q of a session isn't one line of visible text", clip(id))
	}
	return nil
}

// plain reports whether a text is one line of UTF-8 that shows.
func plain(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }) < 0
}

func clip(s string) string { return quote.ClipRunes(strings.ToValidUTF8(s, "\uFFFD"), 60) }

func (s *Store) failure(code cento.ErrorCode, cause error) *cento.SourceError {
	return &cento.SourceError{Code: code, Message: "the store " + s.engine.Place + " " + phrases[code].said, Hint: phrases[code].hint, Err: cause}
}

// serve writes what comes, one transaction after the other.
func (w *writer) serve() {
	s := w.store
	defer w.drop()
	for {
		select {
		case <-s.closing:
			return
		case <-s.left.told:
			w.leave(s.left.take())
		case first := <-s.queue:
			batch := w.take(nil, first)
		more:
			for len(batch) < maxBatch {
				select {
				case next := <-s.queue:
					batch = w.take(batch, next)
				default:
					break more
				}
			}
			if len(batch) > 0 {
				w.run(batch)
			}
		}
	}
}

func (w *writer) take(batch []*operation, o *operation) []*operation {
	if o.taken.CompareAndSwap(false, true) {
		return append(batch, o)
	}
	return batch
}

// run writes a batch. When that fails each gets a transaction of its own, so
// that none suffers for another.
func (w *writer) run(batch []*operation) {
	err := w.transact(batch)
	if err != nil && len(batch) > 1 && !errors.Is(err, Uncertain) && !errors.Is(err, Locked) && !errors.Is(err, Unreachable) {
		for _, o := range batch {
			w.run([]*operation{o})
		}
		return
	}
	for _, o := range batch {
		switch {
		case err != nil:
			o.finish(nil, err)
		case o.err != nil:
			o.finish(nil, o.err)
		default:
			o.finish(o.result, nil)
		}
	}
}

// transact writes a batch in one transaction. An error that concerns one
// operation alone is left in it; what is returned concerns all.
func (w *writer) transact(batch []*operation) error {
	s := w.store
	ctx, cancel := context.WithTimeout(context.Background(), s.wait+10*s.wait)
	defer cancel()
	for _, o := range batch {
		o.result, o.err = nil, nil
	}
	err := s.exclusively(ctx, &w.conn, func(q querier) (func(), error) {
		t, err := w.begin(ctx, q)
		if err != nil {
			return nil, err
		}
		if err := t.write(ctx, batch); err != nil {
			return nil, err
		}
		return t.remember, nil
	})
	if err != nil {
		w.forget()
	}
	return err
}

// exclusively runs a function in a transaction that writes, the only one at a
// time. What the function returns is called once the transaction is durable.
// conn is kept for the next time; nil on an error that may have hurt it.
func (s *Store) exclusively(ctx context.Context, conn **sql.Conn, do func(querier) (func(), error)) error {
	if *conn == nil {
		c, err := s.write.Conn(ctx)
		if err != nil {
			return s.engine.failure(err)
		}
		*conn = c
	}
	c := *conn
	giveUp := func(err error) error {
		// The connection must not go on with half a transaction.
		undo, cancel := context.WithTimeout(context.Background(), s.wait)
		defer cancel()
		if _, undone := c.ExecContext(undo, "ROLLBACK"); undone != nil {
			discard(c)
			*conn = nil
		}
		return s.engine.failure(err)
	}
	for i, statement := range s.engine.Begin {
		if err := s.begin(ctx, c, statement, i == 0); err != nil {
			if lostConnection(err) {
				discard(c)
				*conn = nil
				return s.engine.failure(err)
			}
			return giveUp(err)
		}
	}
	then, err := do(c)
	if err != nil {
		return giveUp(err)
	}
	if _, err := c.ExecContext(ctx, "COMMIT"); err != nil {
		if s.engine.Postgres && lostConnection(err) {
			err = s.failure(Uncertain, err)
		}
		return giveUp(err)
	}
	if then != nil {
		then()
	}
	return nil
}

// begin asks one of the statements that begin a transaction. The first of those of a
// server waits for nobody, so a server that takes long to answer it isn't there.
func (s *Store) begin(ctx context.Context, c *sql.Conn, statement string, first bool) error {
	if first && s.engine.Postgres {
		soon, cancel := context.WithTimeout(ctx, s.wait)
		defer cancel()
		ctx = soon
	}
	_, err := c.ExecContext(ctx, statement)
	return err
}

// discard closes a connection for good, rather than giving it back.
func discard(c *sql.Conn) {
	// The function's error is what makes database/sql close the connection.
	_ = c.Raw(func(any) error { return driver.ErrBadConn })
	_ = c.Close()
}

// drop lets the connection of the writer go.
func (w *writer) drop() {
	if w.conn != nil {
		_ = w.conn.Close() // nothing is open on it
	}
}

// lostConnection reports whether an error means that nobody answers any more.
func lostConnection(err error) bool {
	if e, ok := errors.AsType[interface {
		error
		SQLState() string // as errors of servers have it
	}](err); ok {
		return strings.HasPrefix(e.SQLState(), "57P") || strings.HasPrefix(e.SQLState(), "08")
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, sql.ErrConnDone) || strings.Contains(err.Error(), "conn closed")
}

func conflict(id string, expected, actual int64) *cento.SourceError {
	return &cento.SourceError{
		Code:    Conflict,
		Message: fmt.Sprintf("session %q is at version %d, not %d: somebody else changed it in between", id, actual, expected),
		Hint:    "read the session again, and repeat what was asked for",
	}
}
