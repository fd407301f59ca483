package store

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestProjects: a caller of some projects finds their sessions and records alone, in every
// query and in an export, and deletes no session of another project.
func TestProjects(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		all := []struct{ id, parent, project string }{{"a.one", "", "a"}, {"b.one", "a.one", "b"}, {"a.two", "b.one", "a"}, {"a-x", "", ""}, {"a.three", "a.two", "a"}}
		for _, x := range all {
			if _, err := s.Commit(ctx, Transition{Key: "key of " + x.id, Changes: []Change{{
				Session: x.id, Parent: x.parent, Projects: Projects{Name: x.project}, State: []byte(`{}`), Blobs: [][]byte{[]byte("kept of " + x.id)},
				Drafts: []Draft{draft(t, "", "shared: Run the tests.", "own: Words of "+x.id+" alone.")},
			}}}); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			projects []string
			want     string
		}{
			{nil, "a.one b.one a.two a-x a.three"}, {[]string{"", "a", "b"}, "a.one b.one a.two a-x a.three"}, {[]string{"a"}, "a.one a.two a.three"},
			{[]string{"b", ""}, "b.one a-x"}, {[]string{"c"}, ""}, {[]string{}, ""},
		} {
			var sessions, records, found []string
			list, err := s.Sessions(ctx, SessionQuery{Projects: c.projects})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range list {
				sessions = append(sessions, x.ID)
			}
			rows, err := s.Records(ctx, RecordQuery{Projects: c.projects})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range rows {
				records = append(records, x.Session)
			}
			match, err := s.Search(ctx, SearchQuery{Text: "Words of", RecordQuery: RecordQuery{Projects: c.projects}})
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
					t.Errorf("%q: %s gives %q, want %q", c.projects, way, got, c.want)
				}
			}
			if match.Texts != len(found) {
				t.Errorf("%q: %d texts are told of, of %d", c.projects, match.Texts, len(found))
			}
			var told bytes.Buffer
			if err := s.Export(ctx, &told, ExportOptions{Projects: c.projects}); err != nil {
				t.Fatal(err)
			}
			for _, x := range all {
				if seen := slices.Contains(sessions, x.id); strings.Contains(told.String(), x.id) != seen {
					t.Errorf("%q: the export tells of %s: %t\n%s", c.projects, x.id, !seen, told.String())
				}
			}
			to := open(t, sqlitePlace(t), Options{})
			if _, err := to.Import(ctx, bytes.NewReader(told.Bytes()), ImportOptions{}); err != nil {
				t.Errorf("%q: %v", c.projects, err)
			}
			if child, err := to.Session(ctx, "a.three", Projects{Any: true}); err == nil && child.Parent != "a.two" {
				t.Errorf("%q: a parent that may be seen is %q", c.projects, child.Parent)
			}
		}
		for id, want := range map[string]error{"a.one": HasChildren, "b.one": OtherProject} {
			if _, err := s.Delete(ctx, id, DeleteOptions{Children: true, Projects: Projects{Name: "a"}}); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", id, err, want)
			}
		}
		if n, err := s.Count(ctx); err != nil || n != int64(len(all)) {
			t.Errorf("%d sessions are left, %v", n, err)
		}
		if gone, err := s.Delete(ctx, "b.one", DeleteOptions{Children: true, Projects: Projects{Name: "b", Also: []string{"a"}}}); err != nil || len(gone.Sessions) != 3 {
			t.Errorf("%+v, %v", gone, err)
		}
	})
}
