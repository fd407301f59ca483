package store

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
)

// SearchQuery says what to look for.
type SearchQuery struct {
	// Text is looked for as it is written, but for white space: any run of it
	// counts as one blank. It begins where a word begins, and lies within one
	// fragment.
	Text string
	// IgnoreCase sets letter case aside.
	IgnoreCase bool
	// Excluded finds it in fragments that were left out, too.
	Excluded bool
	RecordQuery
}

// Match is one record that holds a text.
type Match struct {
	Summary
	// Fragments are those that hold it.
	Fragments []Fragment `json:"fragments"`
}

// SearchResult is what a search found.
type SearchResult struct {
	// Matches are records, the newest first.
	Matches []Match `json:"matches"`
	// More: there are further ones beyond the limit.
	More bool `json:"more"`
	// Texts is how many distinct texts of fragments hold it; where only some sessions
	// are looked at, how many of those that are told.
	Texts int `json:"texts"`
}

const (
	defaultLimit = 20
	// fewLists is up to how many lists their records are asked for by list; beyond
	// it the newest records are gone through, which then finds some soon.
	fewLists = 1000
	chunk    = 500
)

// Search finds the records whose prompts hold a text. The index gives the texts
// that have all of its words, and each of those is read.
func (s *Store) Search(ctx context.Context, q SearchQuery) (*SearchResult, error) {
	want := newSentence(q.Text)
	if want.text == "" {
		return nil, invalid("the text to look for is blank")
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	q.Limit = min(q.Limit, math.MaxInt-1) // one more is asked for
	out := &SearchResult{Matches: []Match{}}
	err := s.view(ctx, func(r *reader) error {
		texts, err := r.textsWith(ctx, want, q.IgnoreCase)
		if err != nil || len(texts) == 0 {
			return err
		}
		out.Texts = len(texts)
		x := search{reader: r, query: q, entries: map[int64]bool{}}
		if err := x.entriesOf(ctx, texts); err != nil || len(x.entries) == 0 {
			return err
		}
		if x.where, x.args, err = r.where(ctx, q.RecordQuery); err != nil {
			return err
		}
		rows, err := x.records(ctx)
		if err != nil {
			return err
		}
		if len(rows) > q.Limit {
			rows, out.More = rows[:q.Limit], true
		}
		for _, row := range rows {
			m, err := x.match(ctx, row)
			if err != nil {
				return err
			}
			out.Matches = append(out.Matches, *m)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if q.Projects != nil { // what others hold is nothing to tell
		told := map[string]bool{}
		for _, m := range out.Matches {
			for _, f := range m.Fragments {
				if f.Digest != nil {
					told[*f.Digest] = true
				}
			}
		}
		out.Texts = len(told)
	}
	return out, nil
}

// textsWith are the numbers of the texts of fragments that hold a sentence.
func (r *reader) textsWith(ctx context.Context, want sentence, ignoreCase bool) ([]int64, error) {
	candidates, err := r.candidates(ctx, want)
	if err != nil {
		return nil, err
	}
	text := want.text
	if ignoreCase {
		text = strings.ToLower(text)
	}
	var out []int64
	err = r.eachText(ctx, candidates, func(id int64, content []byte) {
		body := fold(string(content))
		if ignoreCase {
			body = strings.ToLower(body)
		}
		if holds(body, text) {
			out = append(out, id)
		}
	})
	return out, err
}

// holds reports whether a text stands in another one from the beginning of a
// word on.
func holds(body, text string) bool {
	for from := 0; ; {
		k := strings.Index(body[from:], text)
		if k < 0 {
			return false
		}
		if WordBegins(body, from+k) {
			return true
		}
		from += k + 1
	}
}

// candidates are the numbers of the texts that have all words of a sentence.
func (r *reader) candidates(ctx context.Context, want sentence) ([]int64, error) {
	var ids []int64
	collect := func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		ids = append(ids, id)
		return err
	}
	terms := make([]string, 0, len(want.whole)+1)
	for _, w := range want.whole {
		if r.engine.Postgres {
			terms = append(terms, "'"+w+"'")
		} else {
			terms = append(terms, w)
		}
	}
	switch {
	case len(terms) == 0 && len(want.last) == 0:
		// No word at all: every text of a fragment is one.
		return ids, r.engine.each(ctx, r.q, "SELECT DISTINCT text FROM entry WHERE text <> 0 ORDER BY text", nil, collect)
	case r.engine.Postgres:
		if len(want.last) > 0 {
			terms = append(terms, "('"+strings.Join(want.last, "':* | '")+"':*)")
		}
		return ids, r.engine.each(ctx, r.q, "SELECT id FROM word WHERE words @@ CAST(? AS text)::tsquery UNION ALL SELECT id FROM word WHERE words IS NULL", []any{strings.Join(terms, " & ")}, collect)
	}
	if len(want.last) > 0 {
		terms = append(terms, "("+strings.Join(want.last, "* OR ")+"*)")
	}
	err := r.engine.each(ctx, r.q, "SELECT rowid FROM word WHERE word MATCH ?", []any{strings.Join(terms, " AND ")}, collect)
	return ids, err
}

// eachText hands out the contents of texts. Those that were taken out are
// passed over.
func (r *reader) eachText(ctx context.Context, ids []int64, f func(id int64, content []byte)) error {
	for part := range slices.Chunk(ids, chunk) {
		if err := r.preload(ctx, part); err != nil {
			return err
		}
		for _, id := range part {
			b, err := r.content(ctx, "text", id)
			if err := ignoreRedacted(err); err != nil {
				return err
			}
			if err == nil {
				f(id, b)
			}
		}
	}
	return nil
}

// search is one search under way.
type search struct {
	*reader
	query   SearchQuery
	entries map[int64]bool
	where   string
	args    []any
}

func (x *search) entriesOf(ctx context.Context, texts []int64) error {
	in := " AND size IS NOT NULL"
	if x.query.Excluded {
		in = ""
	}
	return x.engine.eachOf(ctx, x.q, "SELECT id FROM entry WHERE text %IN"+in, texts, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		x.entries[id] = true
		return err
	})
}

// records are the newest records that hold one of the entries, one more than is
// asked for where there are more.
func (x *search) records(ctx context.Context) ([]*recordRow, error) {
	lists, err := x.lists(ctx, fewLists+1)
	if err != nil {
		return nil, err
	}
	if len(lists) <= fewLists {
		return x.ofLists(ctx, lists)
	}
	return x.newest(ctx)
}

// lists are the numbers of lists that hold one of the entries.
func (x *search) lists(ctx context.Context, limit int) ([]int64, error) {
	seen := map[int64]bool{}
	var out []int64
	ids := make([]int64, 0, len(x.entries))
	for id := range x.entries {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for part := range slices.Chunk(ids, 100) {
		query, arg := "SELECT rowid FROM listed WHERE listed MATCH ? LIMIT ?", any(nil)
		if x.engine.Postgres {
			query, arg = "SELECT id FROM listed WHERE entries && ?::bigint[] LIMIT ?", part
		} else {
			terms := make([]string, len(part))
			for i, id := range part {
				terms[i] = strconv.FormatInt(id, 36)
			}
			arg = `"` + strings.Join(terms, `" OR "`) + `"`
		}
		err := x.engine.each(ctx, x.q, query, []any{arg, limit}, func(scan func(...any) error) error {
			var id int64
			if err := scan(&id); err != nil {
				return err
			}
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
			return nil
		})
		if err != nil || len(out) >= limit {
			return out, err
		}
	}
	return out, nil
}

func (x *search) ofLists(ctx context.Context, lists []int64) ([]*recordRow, error) {
	where := "WHERE "
	if x.where != "" {
		where = x.where + " AND "
	}
	var out []*recordRow
	for _, id := range lists {
		args := append(slices.Clone(x.args), id, x.query.Limit+1)
		err := x.engine.each(ctx, x.q, "SELECT "+recordColumns+fromRecord+where+"record.list = ? ORDER BY record.id DESC LIMIT ?", args, func(scan func(...any) error) error {
			row, err := scanRecord(scan)
			out = append(out, row)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b *recordRow) int { return int(b.id - a.id) })
	return out[:min(len(out), x.query.Limit+1)], nil
}

// newest goes through records from the newest on.
func (x *search) newest(ctx context.Context) ([]*recordRow, error) {
	where := "WHERE record.id < ?"
	if x.where != "" {
		where = x.where + " AND record.id < ?"
	}
	var out []*recordRow
	last := int64(1) << 62
	for len(out) <= x.query.Limit {
		var part []*recordRow
		args := append(slices.Clone(x.args), last, chunk)
		err := x.engine.each(ctx, x.q, "SELECT "+recordColumns+fromRecord+where+" ORDER BY record.id DESC LIMIT ?", args, func(scan func(...any) error) error {
			row, err := scanRecord(scan)
			part = append(part, row)
			return err
		})
		if err != nil || len(part) == 0 {
			return out, err
		}
		last = part[len(part)-1].id
		for _, row := range part {
			b, err := x.content(ctx, "list", row.list)
			if err != nil {
				return nil, err
			}
			l, err := decodeList(b)
			if err != nil {
				return nil, damaged("list %d can't be read: %v", row.list, err)
			}
			if slices.ContainsFunc(l.entries, func(e int64) bool { return x.entries[e] }) {
				if out = append(out, row); len(out) > x.query.Limit {
					break
				}
			}
		}
	}
	return out, nil
}

// match tells which fragments of a record hold the text.
func (x *search) match(ctx context.Context, row *recordRow) (*Match, error) {
	all, err := x.fragments(ctx, row.list)
	if err != nil {
		return nil, err
	}
	l, _, err := x.list(ctx, row.list)
	if err != nil {
		return nil, err
	}
	m := &Match{Summary: *row.summary(), Fragments: []Fragment{}}
	for i, e := range l.entries {
		if x.entries[e] {
			m.Fragments = append(m.Fragments, all[i])
		}
	}
	return m, nil
}
