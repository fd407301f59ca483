package store

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

// TestUpdateBesideWriters: a program of the version before goes on writing while the
// tables are brought up to date, nothing that it was acknowledged is lost, and a record
// is found by its hash without looking at the others.
func TestUpdateBesideWriters(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		before := open(t, place, Options{})
		for _, back := range []string{"DROP INDEX record_hash", "DELETE FROM goose_db_version WHERE version_id > 1"} {
			if _, err := before.write.ExecContext(ctx, back); err != nil {
				t.Fatal(err)
			}
		}
		var hashes []string
		write := func() error {
			done, err := before.Append(ctx, "s", draft(t, "", "a: Text."))
			for _, x := range done {
				hashes = append(hashes, x.Hash)
			}
			return err
		}
		if err := write(); err != nil {
			t.Fatal(err)
		}
		updating, end := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() {
			for updating.Err() == nil {
				if err := write(); err != nil {
					ended <- err
					return
				}
			}
			ended <- write() // on the tables as they are now
		}()
		after := open(t, place, Options{})
		end()
		if err := <-ended; err != nil {
			t.Fatalf("the program before failed: %v", err)
		}
		if version, err := after.version(ctx); err != nil || version != after.engine.Version || version < 2 {
			t.Fatalf("version %d, %v", version, err)
		}
		for i, hash := range hashes {
			found, err := after.RecordByHash(ctx, hash)
			if err != nil || found.Seq != int64(i+1) {
				t.Fatalf("record %d: %v, %v", i+1, found, err)
			}
		}
		if _, err := after.RecordByHash(ctx, strings.Repeat("0", 64)); !errors.Is(err, UnknownRecord) {
			t.Errorf("of no record: %v", err)
		}
		if plan := after.planByHash(t, hashes[0]); !strings.Contains(plan, "record_hash") {
			t.Errorf("the index isn't used:\n%s", plan)
		}
	})
}

// planByHash is how the database would look for a record.
func (s *Store) planByHash(t *testing.T, hash string) string {
	raw, err := hex.DecodeString(hash)
	if err != nil {
		t.Fatal(err)
	}
	query, args := s.engine.byHash(raw)
	explain := "EXPLAIN QUERY PLAN "
	conn, err := s.read.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if s.engine.Postgres {
		explain = "EXPLAIN "
		if _, err := conn.ExecContext(t.Context(), "SET enable_seqscan = off"); err != nil { // a few records fit in one page
			t.Fatal(err)
		}
	}
	var lines []string
	err = s.engine.each(t.Context(), conn, explain+query, args, func(scan func(...any) error) error {
		var line string
		if s.engine.Postgres {
			err := scan(&line)
			lines = append(lines, line)
			return err
		}
		var id, parent, unused int64
		err := scan(&id, &parent, &unused, &line)
		lines = append(lines, line)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
