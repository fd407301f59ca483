package store

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	promptfile "github.com/cento-dev/cento/pack"
)

// questions counts what a store asks its database, and lets the nth fail: it has no answer,
// or one of which no number can be read.
type questions struct {
	n, failAt  int
	unreadable bool
	failed     string
}

var errNoAnswer = errors.New("no answer")

func (q *questions) ask(query string) error {
	if q.n++; q.n != q.failAt || q.unreadable {
		return nil
	}
	q.failed = strings.Join(strings.Fields(query), " ")
	return errNoAnswer
}

type askedConnector struct {
	driver.Connector
	questions *questions
}

func (a askedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := a.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return askedConn{c.(contextConn), a.questions}, nil
}

// contextConn is what the driver's connections can do.
type contextConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
}

type askedConn struct {
	contextConn
	questions *questions
}

func (a askedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := a.questions.ask(query); err != nil {
		return nil, err
	}
	rows, err := a.contextConn.QueryContext(ctx, query, args)
	if q := a.questions; err == nil && q.unreadable && q.n == q.failAt {
		rows = unreadableRows{rows, q, query}
	}
	return rows, err
}

// unreadableRows are rows with what can't be read in the place of numbers.
type unreadableRows struct {
	driver.Rows
	questions *questions
	query     string
}

func (r unreadableRows) Next(dest []driver.Value) error {
	err := r.Rows.Next(dest)
	for i, v := range dest {
		if _, number := v.(int64); err == nil && number {
			dest[i], r.questions.failed = []byte("?"), strings.Join(strings.Fields(r.query), " ")
		}
	}
	return err
}

// TestEveryAnswerIsAwaited: a question that the database doesn't answer is an error of
// what asked it, never a smaller answer, and a change that it was asked for isn't made.
func TestEveryAnswerIsAwaited(t *testing.T) {
	lengthtest.NotShort(t, "it fails each query of each operation")
	askEach(t, false)
}

// TestEveryAnswerIsRead: an answer that can't be read is an error of whoever asked, and
// isn't taken for another one.
func TestEveryAnswerIsRead(t *testing.T) {
	lengthtest.OnlyLong(t, "the same is asked as in TestEveryAnswerIsAwaited")
	askEach(t, true)
}

// unreadableNumber reports whether an error says that a number couldn't be read, and not
// what came of it.
func unreadableNumber(err error) bool {
	return err != nil && strings.Contains(err.Error(), "sql: Scan error on column")
}

func askEach(t *testing.T, unreadable bool) {
	seed := sqlitePlace(t)
	s := open(t, seed, Options{Clock: clock()})
	some(t, s)
	if _, err := s.Append(t.Context(), "key", draft(t, "", "a: Be careful.", "key: The password is hunter2.\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Redact(t.Context(), RedactOptions{Fragment: "b", Session: "s1", Seq: 2}); err != nil {
		t.Fatal(err)
	}
	rendered := cento.Input{
		Fragments: []cento.Fragment{{ID: "mat", Template: "$workspace/mat"}, {ID: "shed", Body: "It is in the shed."}},
		Files:     cento.Files{Sources: map[string]string{"$workspace/mat.md": "It is under {{ vars.where }}."}, Vars: json.RawMessage(`{"where":"the mat"}`)},
	}
	prompt, err := promptfile.Reduce(rendered)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), "mat", Draft{Prompt: prompt, Input: rendered}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Redact(t.Context(), RedactOptions{Fragment: "shed"}); err != nil {
		t.Fatal(err)
	}
	head, err := s.Session(t.Context(), "s1", Projects{})
	if err != nil {
		t.Fatal(err)
	}
	whole, nothing := export(t, s), export(t, open(t, sqlitePlace(t), Options{}))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(seed)
	if err != nil {
		t.Fatal(err)
	}
	reads := map[string]func(context.Context, *Store) error{
		"text":    func(ctx context.Context, s *Store) error { _, _, err := s.Text(ctx, "s1", 4); return err },
		"input":   func(ctx context.Context, s *Store) error { _, err := s.Input(ctx, "s0", 3); return err },
		"record":  func(ctx context.Context, s *Store) error { _, err := s.Record(ctx, "s1", 3); return err },
		"by hash": func(ctx context.Context, s *Store) error { _, err := s.RecordByHash(ctx, head.Head.Hash); return err },
		"session": func(ctx context.Context, s *Store) error { _, err := s.Session(ctx, "s1", Projects{}); return err },
		"sessions": func(ctx context.Context, s *Store) error {
			_, err := s.Sessions(ctx, SessionQuery{Limit: 2})
			return err
		},
		"removals": func(ctx context.Context, s *Store) error { _, err := s.Removals(ctx); return err },
		"records":  func(ctx context.Context, s *Store) error { _, err := s.Records(ctx, RecordQuery{}); return err },
		"search": func(ctx context.Context, s *Store) error {
			_, err := s.Search(ctx, SearchQuery{Text: "careful with what"})
			return err
		},
		"export": func(ctx context.Context, s *Store) error { return s.Export(ctx, new(bytes.Buffer), ExportOptions{}) },
		"verify": func(ctx context.Context, s *Store) error { _, err := s.Verify(ctx, VerifyOptions{}); return err },
	}
	writes := map[string]func(context.Context, *Store) error{
		"append": func(ctx context.Context, s *Store) error {
			_, err := s.Append(ctx, "s1", draft(t, "turn", "a: Be careful.", "d: Something new.\n", "b: turn 4\n"))
			return err
		},
		"redact": func(ctx context.Context, s *Store) error {
			_, err := s.Redact(ctx, RedactOptions{Fragment: "key", Session: "key"})
			return err
		},
		// What was taken out before is never remembered, and asked for each time.
		"redact rendered": func(ctx context.Context, s *Store) error {
			_, err := s.Redact(ctx, RedactOptions{Fragment: "mat", MadeOf: promptfile.MadeOf})
			return err
		},
		"redact again": func(ctx context.Context, s *Store) error {
			_, err := s.Redact(ctx, RedactOptions{Fragment: "b", Session: "s1", Seq: 2})
			return err
		},
		"delete": func(ctx context.Context, s *Store) error { _, err := s.Delete(ctx, "s2", DeleteOptions{}); return err },
		"again": func(ctx context.Context, s *Store) error {
			_, err := s.Commit(ctx, Transition{Key: "key-0", Answer: []byte("{}"), Changes: []Change{{Session: "s0", Expect: AnyVersion, State: []byte(`{"turn":0}`)}}})
			return err
		},
		"gc": func(ctx context.Context, s *Store) error {
			_, err := s.GC(ctx, GCOptions{Before: time.Date(2026, 1, 2, 3, 4, 9, 0, time.UTC)})
			return err
		},
	}
	each := func(name string, file []byte, do func(context.Context, *Store) error, writes bool) {
		before := whole
		if file == nil {
			before = nothing
		}
		for n := 1; ; n++ {
			place := sqlitePlace(t)
			if file != nil {
				if err := os.WriteFile(place, file, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var q questions
			s := open(t, place, Options{Clock: clock(), wrap: func(c driver.Connector) driver.Connector { return askedConnector{c, &q} }})
			q.n, q.failAt, q.unreadable = 0, n, unreadable
			err := do(t.Context(), s)
			asked := q.n
			q.failAt = 0
			switch {
			case q.failed == "" && err != nil, asked < n && n == 1:
				t.Errorf("%s: %d questions were asked, and all answered: %v", name, asked, err)
			case q.failed == "": // all were answered, or the answer has no number
			case unreadable && !unreadableNumber(err), !unreadable && !errors.Is(err, errNoAnswer):
				t.Errorf("%s: question %d has no answer, and it gave %v:\n%s", name, n, err, q.failed)
			case strings.HasPrefix(q.failed, "PRAGMA wal_checkpoint"): // what was taken out is gone from the tables by then
			case writes && export(t, s) != before:
				t.Errorf("%s: question %d has no answer, and something was changed:\n%s", name, n, q.failed)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if asked < n {
				return
			}
		}
	}
	for name, do := range reads {
		each(name, file, do, false)
	}
	for name, do := range writes {
		each(name, file, do, true)
	}
	each("import", nil, func(ctx context.Context, s *Store) error {
		_, err := s.Import(ctx, strings.NewReader(whole), ImportOptions{})
		return err
	}, true)
}

// deadlines tells by when statements have to be answered.
type deadlines struct {
	driver.Connector
	until map[string]time.Time
}

type deadlinesConn struct {
	contextConn
	until map[string]time.Time
}

func (d deadlines) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := d.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return deadlinesConn{c.(contextConn), d.until}, nil
}

func (d deadlinesConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	d.until[query], _ = ctx.Deadline()
	return d.contextConn.ExecContext(ctx, query, args)
}

// CheckNamedValue takes what the driver takes.
func (d deadlinesConn) CheckNamedValue(v *driver.NamedValue) error {
	if c, ok := d.contextConn.(driver.NamedValueChecker); ok {
		return c.CheckNamedValue(v)
	}
	return driver.ErrSkip
}

// TestTimeOfTransactions: of a server the first statement of a transaction, which waits for
// nobody, has to be answered sooner than the one that waits for others.
func TestTimeOfTransactions(t *testing.T) {
	until := map[string]time.Time{}
	s := open(t, postgresPlace(t), Options{Wait: time.Minute, wrap: func(c driver.Connector) driver.Connector { return deadlines{c, until} }})
	clear(until)
	if _, err := s.Append(t.Context(), "s", draft(t, "", "a: Be careful.")); err != nil {
		t.Fatal(err)
	}
	first, lock := until[s.engine.Begin[0]], until[s.engine.Begin[1]]
	if first.IsZero() || lock.Sub(first) < time.Minute {
		t.Errorf("%s is asked until %v, %s until %v", s.engine.Begin[0], first, s.engine.Begin[1], lock)
	}
}
