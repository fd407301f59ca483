package store

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestPrefixes: who may see some sessions alone is told of no other one, whichever way it
// asks, and takes none out; who may see none is told of nothing.
func TestPrefixes(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		all := []struct{ id, parent string }{{"a.one", ""}, {"b.one", "a.one"}, {"a.two", "b.one"}, {"a-x", ""}, {"a.three", "a.two"}}
		for _, x := range all {
			if _, err := s.Commit(ctx, Transition{Key: "key of " + x.id, Changes: []Change{{
				Session: x.id, Parent: x.parent, State: []byte(`{}`), Blobs: [][]byte{[]byte("kept of " + x.id)},
				Drafts: []Draft{draft(t, "", "shared: Run the tests.", "own: Words of "+x.id+" alone.")},
			}}}); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			prefixes []string
			want     string
		}{
			{nil, "a.one b.one a.two a-x a.three"}, {[]string{""}, "a.one b.one a.two a-x a.three"}, {[]string{"a."}, "a.one a.two a.three"},
			{[]string{"b.", "a-"}, "b.one a-x"}, {[]string{"c."}, ""}, {[]string{}, ""},
		} {
			var sessions, records, found []string
			list, err := s.Sessions(ctx, SessionQuery{Prefixes: c.prefixes})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range list {
				sessions = append(sessions, x.ID)
			}
			rows, err := s.Records(ctx, RecordQuery{Prefixes: c.prefixes})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range rows {
				records = append(records, x.Session)
			}
			match, err := s.Search(ctx, SearchQuery{Text: "Words of", RecordQuery: RecordQuery{Prefixes: c.prefixes}})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range match.Matches {
				found = append(found, x.Session)
			}
			slices.Reverse(records)
			slices.Reverse(found)
			for way, got := range map[string][]string{"sessions": sessions, "records": records, "search": found} {
				if strings.Join(got, " ") != c.want {
					t.Errorf("%q: %s gives %q, want %q", c.prefixes, way, got, c.want)
				}
			}
			if match.Texts != len(found) {
				t.Errorf("%q: %d texts are told of, of %d", c.prefixes, match.Texts, len(found))
			}
			var told bytes.Buffer
			if err := s.Export(ctx, &told, ExportOptions{Prefixes: c.prefixes}); err != nil {
				t.Fatal(err)
			}
			for _, x := range all {
				if seen := slices.Contains(sessions, x.id); strings.Contains(told.String(), x.id) != seen {
					t.Errorf("%q: the export tells of %s: %t\n%s", c.prefixes, x.id, !seen, told.String())
				}
			}
			to := open(t, sqlitePlace(t), Options{})
			if _, err := to.Import(ctx, bytes.NewReader(told.Bytes()), ImportOptions{}); err != nil {
				t.Errorf("%q: %v", c.prefixes, err)
			}
			if child, err := to.Session(ctx, "a.three"); err == nil && child.Parent != "a.two" {
				t.Errorf("%q: a parent that may be seen is %q", c.prefixes, child.Parent)
			}
		}
		for id, prefix := range map[string]string{"a.one": "a.", "a.two": "b.", "b.one": "c."} {
			if _, err := s.Delete(ctx, id, DeleteOptions{Children: true, Prefixes: []string{prefix}}); !errors.Is(err, HasChildren) {
				t.Errorf("%s goes with children that may not: %v", id, err)
			}
		}
		if n, err := s.Count(ctx); err != nil || n != int64(len(all)) {
			t.Errorf("%d sessions are left, %v", n, err)
		}
		if gone, err := s.Delete(ctx, "b.one", DeleteOptions{Children: true, Prefixes: []string{"a."}}); err != nil || len(gone.Sessions) != 3 {
			t.Errorf("%+v, %v", gone, err)
		}
	})
}
