package store

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
)

// An export is JSON lines. The first says what it is; the others hold one thing
// each, and whatever one needs stands before it: sessions as they are now, then
// for every record, in the order in which they were stored, its texts and its
// input where they are new, and the record; at last the idempotency keys. A text that was
// taken out and came again is written wherever its digest means the other one before.

const (
	exportFormat  = "cento-log"
	exportVersion = 1
)

type exportLine struct {
	Format  string           `json:"format,omitempty"`
	Version int              `json:"version,omitempty"`
	Session *exportedSession `json:"session,omitempty"`
	Text    *exportedText    `json:"text,omitempty"`
	Input   *exportedInput   `json:"input,omitempty"`
	Record  json.RawMessage  `json:"record,omitempty"` // canonical
	Stored  *exportedMeta    `json:"stored,omitempty"`
	Request *exportedRequest `json:"request,omitempty"`
}

type exportedSession struct {
	ID      string    `json:"id"`
	Parent  string    `json:"parent,omitempty"`
	Project string    `json:"project,omitempty"`
	Version int64     `json:"version"`
	State   *string   `json:"state,omitempty"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	Base    Link      `json:"base"`
	Kept    []string  `json:"kept,omitempty"`

	kept []*string // those of Kept that are there, for who reads this
}

// exportedText is a text, or the digest of one that was taken out.
type exportedText struct {
	Text   *string `json:"text,omitempty"`
	Digest string  `json:"digest,omitempty"`
}

// exportedInput is the JSON of an input, parted by the digests of its texts. One
// that ends with a line end stands for the text and a line end.
type exportedInput struct {
	Digest string   `json:"digest"`
	Parts  []string `json:"parts"`
	Texts  []string `json:"texts"`
}

// exportedMeta is what stands beside a record.
type exportedMeta struct {
	Hash  string    `json:"hash"`
	At    time.Time `json:"at"`
	Label string    `json:"label,omitempty"`
	// Project is absent where it is the session's.
	Project *string `json:"project,omitempty"`
	// Joints are the texts before the included fragments and after the last one.
	Joints []string `json:"joints"`
}

type exportedRequest struct {
	Session string          `json:"session"`
	Key     string          `json:"key"`
	Digest  string          `json:"digest,omitempty"`
	Answer  *string         `json:"answer,omitempty"`
	Result  json.RawMessage `json:"result"`
	At      time.Time       `json:"at"`
}

// ExportOptions say what to export.
type ExportOptions struct {
	// Session: this one alone; empty for all. The error is [UnknownSession].
	Session string
	// Projects: sessions that belong to one of these, with all of their records; nil for
	// any.
	Projects []string
	// Progress is told how many of all records are done; nil for nobody.
	Progress func(done, all int64)
}

// Export writes what is stored as JSON lines. The same store gives the same
// lines, and so does the store that they are imported into.
func (s *Store) Export(ctx context.Context, to io.Writer, o ExportOptions) error {
	w := bufio.NewWriterSize(to, 64<<10)
	err := s.view(ctx, func(r *reader) error {
		x := &exporter{reader: r, to: json.NewEncoder(w), texts: map[int64]bool{}, inputs: map[int64]bool{}, twins: map[int64]bool{}, current: map[digest]bool{}, o: o}
		x.to.SetEscapeHTML(false)
		return x.export(ctx)
	})
	return errors.Join(err, w.Flush())
}

type exporter struct {
	*reader
	to     *json.Encoder
	o      ExportOptions
	texts  map[int64]bool
	inputs map[int64]bool
	// twins are texts that were taken out (true) and the same ones that came again. A
	// digest means what its last line says, which current remembers of theirs.
	twins   map[int64]bool
	current map[digest]bool
}

func (x *exporter) export(ctx context.Context) error {
	if err := x.to.Encode(exportLine{Format: exportFormat, Version: exportVersion}); err != nil {
		return err
	}
	sessions, err := x.sessions(ctx)
	if err != nil {
		return err
	}
	var all, done, last int64
	for _, s := range sessions {
		all += s.headSeq - s.baseSeq
	}
	for {
		var part []*recordRow
		query, args := "SELECT "+recordColumns+fromRecord+"WHERE record.id > ?", []any{last}
		if x.o.Session != "" {
			query, args = query+" AND record.session = ?", append(args, sessions[0].id)
		}
		if x.o.Projects != nil {
			term, more := among("session.project", x.o.Projects)
			query, args = query+" AND "+term, append(args, more...)
		}
		err := x.engine.each(ctx, x.q, query+" ORDER BY record.id LIMIT ?", append(args, chunk), func(scan func(...any) error) error {
			row, err := scanRecord(scan)
			part = append(part, row)
			return err
		})
		if err != nil {
			return err
		}
		for _, row := range part {
			if err := x.record(ctx, row); err != nil {
				return err
			}
			last = row.id
			done++
		}
		if x.o.Progress != nil {
			x.o.Progress(done, all)
		}
		if len(part) < chunk {
			break
		}
	}
	for _, s := range sessions {
		if err := x.requests(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) sessions(ctx context.Context) ([]*row, error) {
	var out []*row
	query, args := "SELECT "+sessionColumns+" FROM session ORDER BY name", []any(nil)
	if x.o.Projects != nil {
		term, more := among("project", x.o.Projects)
		query, args = "SELECT "+sessionColumns+" FROM session WHERE "+term+" ORDER BY name", more
	}
	if x.o.Session != "" {
		s, err := x.session(ctx, x.o.Session, Projects{Any: true})
		if x.o.Projects != nil && (errors.Is(err, UnknownSession) || err == nil && !slices.Contains(x.o.Projects, s.project)) {
			err = unknownSession(x.o.Session, nil) // and no name that is like it
		}
		if err != nil {
			return nil, err
		}
		query, args = "SELECT "+sessionColumns+" FROM session WHERE id = ?", []any{s.id}
	}
	if err := x.engine.each(ctx, x.q, query, args, func(scan func(...any) error) error {
		s, err := scanSession(scan)
		out = append(out, s)
		return err
	}); err != nil {
		return nil, err
	}
	for _, s := range out {
		e := &exportedSession{
			ID: s.name, Parent: s.parent, Project: s.project, Version: s.version, State: textOf(s.state), Created: time.UnixMicro(s.created).UTC(),
			Updated: time.UnixMicro(s.updated).UTC(), Base: Link{s.baseSeq, hex.EncodeToString(s.baseHash)},
		}
		if seen, err := x.seen(ctx, s.parent); err != nil {
			return nil, err
		} else if !seen {
			e.Parent = "" // which is nobody's to know who reads this
		}
		if err := x.kept(ctx, s.id, e); err != nil {
			return nil, err
		}
		if err := x.to.Encode(exportLine{Session: e}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// kept writes the texts that a session keeps, in the order of their digests: the numbers
// that they have are another store's.
func (x *exporter) kept(ctx context.Context, session int64, e *exportedSession) error {
	type keptText struct {
		id  int64
		sum string
	}
	var kept []keptText
	if err := x.engine.each(ctx, x.q, "SELECT text FROM kept WHERE session = ? ORDER BY text", []any{session}, func(scan func(...any) error) error {
		var k keptText
		err := scan(&k.id)
		kept = append(kept, k)
		return err
	}); err != nil {
		return err
	}
	for i := range kept {
		d, err := x.digest(ctx, kept[i].id)
		if err != nil {
			return err
		}
		kept[i].sum = d.hex()
	}
	slices.SortStableFunc(kept, func(a, b keptText) int { return strings.Compare(a.sum, b.sum) })
	for _, k := range kept {
		if _, err := x.text(ctx, k.id); err != nil {
			return err
		}
		e.Kept = append(e.Kept, k.sum)
	}
	return nil
}

// seen reports whether a session belongs to one of the projects.
func (x *exporter) seen(ctx context.Context, id string) (bool, error) {
	if x.o.Projects == nil || id == "" {
		return true, nil
	}
	s, err := x.session(ctx, id, Projects{Any: true})
	if errors.Is(err, UnknownSession) {
		return false, nil
	}
	return err == nil && slices.Contains(x.o.Projects, s.project), err
}

func textOf(b []byte) *string {
	if b == nil {
		return nil
	}
	s := string(b)
	return &s
}

// text writes a text that hasn't been written yet, or that isn't what its digest means
// by now, and gives the digest.
func (x *exporter) text(ctx context.Context, id int64) (string, error) {
	d, err := x.digest(ctx, id)
	if err != nil || x.texts[id] && x.isCurrent(id, d) {
		return d.hex(), err
	}
	b, err := x.content(ctx, "text", id)
	t := &exportedText{Text: textOf(b)}
	if _, gone := errors.AsType[*redactedText](err); gone {
		t = &exportedText{Digest: d.hex()}
		err = x.findTwins(ctx, d)
	}
	if err != nil {
		return "", err
	}
	if t.Text == nil && t.Digest == "" {
		empty := ""
		t.Text = &empty
	}
	x.texts[id] = true
	if gone, is := x.twins[id]; is {
		if before, written := x.current[d]; written && before == gone {
			return d.hex(), nil
		}
		x.current[d] = gone
	}
	return d.hex(), x.to.Encode(exportLine{Text: t})
}

func (x *exporter) isCurrent(id int64, d digest) bool {
	gone, is := x.twins[id]
	return !is || x.current[d] == gone
}

// findTwins finds the texts with the digest of one that was taken out.
func (x *exporter) findTwins(ctx context.Context, d digest) error {
	var ids []int64
	err := x.engine.each(ctx, x.q, "SELECT id FROM text WHERE key = ? ORDER BY id", []any{d.key()}, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	if err != nil || len(ids) < 2 {
		return err
	}
	for _, id := range ids {
		sum, err := x.digest(ctx, id)
		if err != nil {
			return err
		}
		if sum != d { // it has the key by chance
			continue
		}
		_, err = x.content(ctx, "text", id)
		_, gone := errors.AsType[*redactedText](err)
		if err := ignoreRedacted(err); err != nil {
			return err
		}
		x.twins[id] = gone
	}
	return nil
}

func (x *exporter) record(ctx context.Context, row *recordRow) error {
	rec, err := x.reader.record(ctx, row)
	if err != nil {
		return err
	}
	l, entries, err := x.list(ctx, row.list)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.text != 0 {
			if _, err := x.text(ctx, e.text); err != nil {
				return err
			}
		}
	}
	meta := &exportedMeta{Hash: rec.Hash, At: rec.At, Label: rec.Label, Joints: []string{}}
	if row.project != row.sessions {
		meta.Project = &rec.Project
	}
	for _, p := range append(l.order, listPlace{before: l.tail}) {
		usual, text := usualOr(p.before)
		if text != 0 {
			b, err := x.content(ctx, "text", text)
			if err != nil {
				return err
			}
			usual = string(b)
		}
		meta.Joints = append(meta.Joints, usual)
	}
	if err := x.input(ctx, row.input); err != nil {
		return err
	}
	return x.to.Encode(exportLine{Record: rec.canonical(), Stored: meta})
}

func (x *exporter) input(ctx context.Context, id int64) error {
	written := x.inputs[id]
	if written && len(x.twins) == 0 {
		return nil
	}
	x.inputs[id] = true
	b, err := x.content(ctx, "input", id)
	if err != nil {
		return err
	}
	parts, texts, err := partsOf(b)
	if err != nil {
		return err
	}
	e := &exportedInput{Parts: make([]string, len(parts)), Texts: make([]string, len(texts))}
	for i, p := range parts {
		e.Parts[i] = string(p)
	}
	for i, t := range texts {
		if e.Texts[i], err = x.text(ctx, t.id); err != nil {
			return err
		}
		if t.line {
			e.Texts[i] += "\n"
		}
	}
	if written { // its texts mean what they did
		return nil
	}
	if e.Digest, err = x.inputDigest(ctx, id); err != nil {
		return err
	}
	return x.to.Encode(exportLine{Input: e})
}

func (x *exporter) requests(ctx context.Context, s *row) error {
	var out []exportLine
	err := x.engine.each(ctx, x.q, "SELECT key, digest, answer, result, at FROM request WHERE session = ? ORDER BY key", []any{s.id}, func(scan func(...any) error) error {
		r := &exportedRequest{Session: s.name}
		var answer []byte
		var result string
		var at int64
		err := scan(&r.Key, &r.Digest, &answer, &result, &at)
		r.Answer, r.Result, r.At = textOf(answer), json.RawMessage(result), time.UnixMicro(at).UTC()
		out = append(out, exportLine{Request: r})
		return err
	})
	if err != nil {
		return err
	}
	for _, line := range out {
		if err := x.to.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
