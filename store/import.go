package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/quote"
)

// ImportOptions are how an import is done.
type ImportOptions struct {
	// Name is that of the source in errors; empty: `<import>`.
	Name string
	// Progress is told how many lines are done; nil for nobody.
	Progress func(lines int64)
}

// Imported is what was imported.
type Imported struct {
	Sessions int64 `json:"sessions"`
	Records  int64 `json:"records"`
	// Known are records that were there already.
	Known int64 `json:"known"`
}

const (
	maxLine     = 256 << 20 // bytes of one line of an import
	importBatch = 200       // records in one transaction
)

// Import adds what [Store.Export] wrote. Every record is verified on the way in.
// What is there already is passed over, so an import that was cut short is done
// again; a session that went another way here is the error [Conflict]. Errors
// name the line.
func (s *Store) Import(ctx context.Context, from io.Reader, o ImportOptions) (*Imported, error) {
	if s.write == nil {
		return nil, s.failure(ReadOnly, nil)
	}
	if o.Name == "" {
		o.Name = "<import>"
	}
	m := &importer{
		store: s, name: o.Name, texts: map[string]*string{}, inputs: map[string]*exportedInput{}, sessions: map[string]*exportedSession{},
		writer: &writer{store: s},
	}
	m.writer.forget()
	defer m.writer.drop()
	lines := bufio.NewReaderSize(from, 256<<10)
	for {
		line, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			break
		}
		if m.line++; err != nil {
			return nil, m.fail("%v", err)
		}
		if err := m.take(line); err != nil {
			return nil, err
		}
		if len(m.pending) >= importBatch {
			if err := m.flush(ctx); err != nil {
				return nil, err
			}
		}
		if o.Progress != nil && m.line%importBatch == 0 {
			o.Progress(m.line)
		}
	}
	if m.line == 0 {
		m.line = 1
		return nil, m.noExport("this is no export: it is empty")
	}
	m.last = true
	if err := m.flush(ctx); err != nil {
		return nil, err
	}
	return &m.done, nil
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		part, err := r.ReadSlice('\n')
		out = append(out, part...)
		switch {
		case len(out) > maxLine:
			return nil, fmt.Errorf("the line has more than %d bytes", maxLine)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(out) > 0:
			return out, nil
		case err != nil:
			return nil, err
		}
		return bytes.TrimSuffix(out, []byte("\n")), nil
	}
}

type importedRecord struct {
	line     int64
	record   Record
	prepared *prepared
	at       int64
}

type importer struct {
	store    *Store
	writer   *writer
	name     string
	line     int64
	last     bool
	texts    map[string]*string // by digest, as of the last line; nil for one that was taken out
	inputs   map[string]*exportedInput
	sessions map[string]*exportedSession
	order    []string
	pending  []importedRecord
	requests []*exportedRequest
	done     Imported
}

func (m *importer) fail(format string, args ...any) *cento.SourceError {
	return m.failAt(m.line, format, args...)
}

func (m *importer) failAt(line int64, format string, args ...any) *cento.SourceError {
	e := invalid(format, args...)
	e.Position = cento.Position{File: m.name, Line: int(line)}
	return e
}

// noExport is an error on the beginning of a file that may be none of a store.
func (m *importer) noExport(format string, args ...any) *cento.SourceError {
	e := m.fail(format, args...)
	e.Hint = "an export is what a store wrote for another one, a JSON object on each line"
	return e
}

// take reads one line.
func (m *importer) take(line []byte) error {
	if !utf8.Valid(line) {
		return m.fail("the line isn't UTF-8")
	}
	var x exportLine
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&x); err != nil {
		if m.line == 1 {
			return m.noExport("the line can't be read: %v", err)
		}
		return m.fail("the line can't be read: %v", err)
	}
	if m.line == 1 {
		switch {
		case x.Format != exportFormat:
			return m.noExport("this is no export: the first line has no format %q", exportFormat)
		case x.Version != exportVersion:
			e := m.fail("version %d of exports is not known, only %d is", x.Version, exportVersion)
			e.Code = Newer
			return e
		}
		return nil
	}
	switch {
	case x.Session != nil:
		if err := x.Session.check(); err != nil {
			return m.fail("%v", err)
		}
		if m.sessions[x.Session.ID] != nil {
			return m.fail("session %q is there twice", x.Session.ID)
		}
		for _, sum := range x.Session.Kept {
			text := m.texts[sum]
			if text == nil {
				continue // it was taken out
			}
			if len(*text) > maxState {
				return m.fail("a text that session %q keeps has more than %d bytes", x.Session.ID, maxState)
			}
			x.Session.kept = append(x.Session.kept, text)
		}
		m.sessions[x.Session.ID] = x.Session
		m.order = append(m.order, x.Session.ID)
	case x.Text != nil && x.Text.Text != nil:
		m.texts[digestOf(*x.Text.Text).hex()] = x.Text.Text
	case x.Text != nil:
		if _, ok := readDigest(x.Text.Digest); !ok {
			return m.fail("%q is no digest", clip(x.Text.Digest))
		}
		m.texts[x.Text.Digest] = nil
	case x.Input != nil:
		if len(x.Input.Parts) != len(x.Input.Texts)+1 {
			return m.fail("the input has %d parts and %d texts", len(x.Input.Parts), len(x.Input.Texts))
		}
		if _, ok := readDigest(x.Input.Digest); !ok {
			return m.fail("%q is no digest", clip(x.Input.Digest))
		}
		m.inputs[x.Input.Digest] = x.Input
	case x.Record != nil && x.Stored != nil:
		return m.record(&x)
	case x.Request != nil:
		if err := x.Request.check(); err != nil {
			return m.fail("%v", err)
		}
		m.requests = append(m.requests, x.Request)
	default:
		return m.fail("the line holds nothing that is known")
	}
	return nil
}

// check says what is wrong with a session that no store could have had.
func (x *exportedSession) check() error {
	c := Change{Session: x.ID, Parent: x.Parent, Projects: Projects{Name: x.Project}}
	if x.State != nil {
		c.State = []byte(*x.State)
	}
	if err := c.check(); err != nil {
		return err
	}
	if x.Version < 1 {
		return invalid("a session can't have version %d", x.Version)
	}
	if _, ok := readDigest(x.Base.Hash); !ok || x.Base.Seq < 0 || (x.Base.Seq == 0) != (x.Base.Hash == zeroHash) {
		return invalid("session %q can't begin after record %d with hash %q", x.ID, x.Base.Seq, clip(x.Base.Hash))
	}
	return nil
}

// check says what is wrong with a request that no store could have had.
func (x *exportedRequest) check() error {
	if x.Key == "" {
		return invalid("a request has no key")
	}
	answer := 0
	if x.Answer != nil {
		answer = len(*x.Answer)
	}
	return checkKey(x.Key, x.Digest, answer)
}

// record verifies a record and makes it ready.
func (m *importer) record(x *exportLine) error {
	var r Record
	if err := json.Unmarshal(x.Record, &r); err != nil {
		return m.fail("the record can't be read: %v", err)
	}
	r.Hash, r.At, r.Label = x.Stored.Hash, x.Stored.At, x.Stored.Label
	project := x.Stored.Project
	if project == nil && m.sessions[r.Session] != nil {
		project = &m.sessions[r.Session].Project
	}
	if project != nil {
		r.Project = *project
	}
	if err := checkProject(r.Project); err != nil {
		return m.fail("%v", err)
	}
	if canonical := r.canonical(); !bytes.Equal(canonical, x.Record) {
		return m.fail("the record isn't in canonical form")
	}
	if got := r.computeHash(); got != r.Hash {
		return m.fail("the record has hash %s, and the line says %s", got, clip(r.Hash))
	}
	if m.sessions[r.Session] == nil {
		return m.fail("session %q isn't in the export", clip(r.Session))
	}
	if len(r.Label) > maxLabel || !plain(r.Label) {
		return m.fail("the label isn't one line of at most %d bytes", maxLabel)
	}
	p, err := m.prepare(&r, x.Stored.Joints)
	if err != nil {
		return err
	}
	m.pending = append(m.pending, importedRecord{m.line, r, p, x.Stored.At.UnixMicro()})
	return nil
}

// known gives a text of the export its number among those of a record.
func (m *importer) known(p *prepared, sum string) (int, error) {
	text, there := m.texts[sum]
	if !there {
		return 0, m.fail("the text with digest %s isn't in the export", clip(sum))
	}
	if text != nil {
		return p.text(*text), nil
	}
	key := "\x00" + sum // no text begins so
	if i, ok := p.byText[key]; ok {
		return i, nil
	}
	d, _ := readDigest(sum) // which it is, or its line wasn't taken
	p.byText[key] = len(p.texts)
	p.texts = append(p.texts, preparedText{digest: d, like: -1, redacted: true})
	return len(p.texts) - 1, nil
}

func (m *importer) prepare(r *Record, joints []string) (*prepared, error) {
	p := &prepared{byText: map[string]int{}, label: r.Label, project: &r.Project, prompt: r.PromptDigest, fragments: appendFragments(nil, r.Fragments)}
	if r.PromptDigest != nil {
		var ok bool
		if p.promptSum, ok = readDigest(*r.PromptDigest); !ok {
			return nil, m.fail("%q is no digest", clip(*r.PromptDigest))
		}
	}
	for i := range r.Fragments {
		f := &r.Fragments[i]
		e := preparedEntry{id: f.ID, text: -1, size: -1}
		if f.Digest != nil {
			var err error
			if e.text, err = m.known(p, *f.Digest); err != nil {
				return nil, err
			}
		}
		if f.Span != nil {
			if e.text < 0 || f.Span[0] < 0 || f.Span[1] < f.Span[0] {
				return nil, m.fail("fragment %q has a broken span", clip(f.ID))
			}
			e.size = f.Span[1] - f.Span[0]
			p.order = append(p.order, placed{entry: i})
		}
		e.form = p.text(string(appendFragment(nil, f, true)))
		p.entries = append(p.entries, e)
	}
	slices.SortStableFunc(p.order, func(a, b placed) int { return r.Fragments[a.entry].Span[0] - r.Fragments[b.entry].Span[0] })
	if len(joints) != len(p.order)+1 {
		return nil, m.fail("the record has %d joints for %d fragments", len(joints), len(p.order))
	}
	at, whole, complete := 0, []byte{}, true
	for k := range p.order {
		e := &p.entries[p.order[k].entry]
		span := r.Fragments[p.order[k].entry].Span
		if at += len(joints[k]); at != span[0] {
			return nil, m.fail("the joints of the record don't fit its spans")
		}
		at = span[1]
		p.order[k].before = p.joint(joints[k])
		whole = append(append(whole, joints[k]...), p.texts[e.text].text...)
		complete = complete && !p.texts[e.text].redacted
	}
	tail := joints[len(joints)-1]
	p.tail = p.joint(tail)
	if d := digestOf(string(whole) + tail); complete && p.prompt != nil && d != p.promptSum {
		return nil, m.fail("the prompt of the record has digest %s, and the record says %s", d.hex(), *p.prompt)
	}
	return p, m.input(p, r.InputDigest)
}

func (m *importer) input(p *prepared, sum string) error {
	in := m.inputs[sum]
	if in == nil {
		return m.fail("the input with digest %s isn't in the export", clip(sum))
	}
	p.inputDigest, _ = readDigest(sum) // as its line was taken
	whole, complete := []byte{}, true
	for i, part := range in.Parts {
		p.inputParts = append(p.inputParts, []byte(part))
		whole = append(whole, part...)
		if i == len(in.Texts) {
			break
		}
		name := in.Texts[i]
		t := inputText{line: len(name) > 0 && name[len(name)-1] == '\n'}
		if t.line {
			name = name[:len(name)-1]
		}
		var err error
		if t.text, err = m.known(p, name); err != nil {
			return err
		}
		p.inputTexts = append(p.inputTexts, t)
		s := p.texts[t.text].text
		if t.line {
			s += "\n"
		}
		complete = complete && !p.texts[t.text].redacted
		whole = quote.JSON.Append(whole, s)
	}
	if d := digestOf(string(whole)); complete && d != p.inputDigest {
		return m.fail("the input has digest %s, and the line says %s", d.hex(), clip(sum))
	}
	return nil
}

// flush writes what is pending in one transaction.
func (m *importer) flush(ctx context.Context) error {
	err := m.store.exclusively(ctx, &m.writer.conn, func(q querier) (func(), error) {
		t, err := m.writer.begin(ctx, q)
		if err != nil {
			return nil, err
		}
		if err := m.write(ctx, t); err != nil {
			return nil, err
		}
		return t.remember, nil
	})
	m.pending = nil
	return err
}

func (m *importer) write(ctx context.Context, t *txn) error {
	batch := make([]*operation, 0, len(m.pending)+1)
	all := &operation{extra: &prepared{byText: map[string]int{}}}
	for _, id := range m.order {
		all.t.Changes = append(all.t.Changes, Change{Session: id})
	}
	batch = append(batch, all)
	for _, r := range m.pending {
		batch = append(batch, &operation{extra: r.prepared})
	}
	if err := t.loadSessions(ctx, batch[:1]); err != nil {
		return err
	}
	goesOn := map[string]bool{}
	for _, r := range m.pending {
		goesOn[r.record.Session] = true
	}
	for _, id := range m.order {
		if x, s := m.sessions[id], t.sessions[id]; s.id == 0 || goesOn[id] && x.Version > s.version {
			for _, text := range x.kept {
				all.extra.text(*text)
			}
		}
	}
	if err := t.loadTexts(ctx, batch); err != nil {
		return err
	}
	if m.done.Sessions == 0 {
		for _, id := range m.order {
			if err := m.begin(ctx, t, m.sessions[id]); err != nil {
				return err
			}
		}
		m.done.Sessions = int64(len(m.order))
	}
	for _, r := range m.pending {
		if err := m.add(ctx, t, r); err != nil {
			return err
		}
	}
	if m.last {
		for _, r := range m.requests {
			s := t.sessions[r.Session]
			if s == nil || s.id == 0 {
				return m.fail("request %q is one of a session that isn't in the export", clip(r.Key))
			}
			var answer []byte
			if r.Answer != nil {
				answer = []byte(*r.Answer)
			}
			t.rowsRequest = append(t.rowsRequest, []any{s.id, r.Key, r.Digest, answer, string(r.Result), r.At.UnixMicro()})
		}
	}
	return t.flush(ctx)
}

// begin makes a session that isn't there, as it was when it was exported.
func (m *importer) begin(ctx context.Context, t *txn, x *exportedSession) error {
	s := t.sessions[x.ID]
	if s.id != 0 {
		return nil // records tell whether it went the same way
	}
	hash, err := hex.DecodeString(x.Base.Hash)
	if err != nil {
		return err
	}
	t.nextSession++
	s.id, s.parent, s.project, s.version, s.created, s.updated = t.nextSession, x.Parent, x.Project, x.Version, x.Created.UnixMicro(), x.Updated.UnixMicro()
	if x.State != nil {
		s.state = []byte(*x.State)
	}
	s.baseSeq, s.baseHash, s.headSeq, s.headHash = x.Base.Seq, hash, x.Base.Seq, hash
	s.listed = true
	t.changed = append(t.changed, s)
	return m.keep(ctx, t, s, x)
}

// keep keeps the texts that the state of a session leads to.
func (m *importer) keep(ctx context.Context, t *txn, s *row, x *exportedSession) error {
	for _, text := range x.kept {
		p := preparedText{text: *text, digest: digestOf(*text), like: -1}
		id, err := t.text(ctx, &p, 0)
		if err != nil {
			return err
		}
		t.rowsKept = append(t.rowsKept, []any{s.id, id})
	}
	return nil
}

// add puts a record at the end of its chain, or finds that it is there.
func (m *importer) add(ctx context.Context, t *txn, r importedRecord) error {
	s := t.sessions[r.record.Session]
	if r.record.Seq <= s.headSeq {
		same := r.record.Seq <= s.baseSeq // it was let go here
		err := t.reader.engine.each(ctx, t.q, "SELECT hash FROM record WHERE session = ? AND seq = ?", []any{s.id, r.record.Seq}, func(scan func(...any) error) error {
			var hash []byte
			err := scan(&hash)
			same = hex.EncodeToString(hash) == r.record.Hash
			return err
		})
		if err == nil && !same {
			e := m.failAt(r.line, "record %d of session %q is another one here", r.record.Seq, r.record.Session)
			e.Code = Conflict
			err = e
		}
		m.done.Known++
		return err
	}
	if r.record.Seq != s.headSeq+1 || r.record.Prev != hex.EncodeToString(s.headHash) {
		e := m.failAt(r.line, "record %d of session %q doesn't follow on record %d", r.record.Seq, r.record.Session, s.headSeq)
		e.Code = Conflict
		return e
	}
	if !s.listed {
		s.listed = true
		t.changed = append(t.changed, s)
	}
	if x := m.sessions[r.record.Session]; x.Version > s.version {
		s.version = x.Version
		if x.State != nil {
			s.state = []byte(*x.State)
		}
		if err := m.keep(ctx, t, s, x); err != nil {
			return err
		}
	}
	updated := s.updated
	s.updated = r.at
	if _, err := t.record(ctx, s, r.prepared); err != nil {
		return err
	}
	s.updated = max(updated, r.at)
	m.done.Records++
	return nil
}

// ImportFile is [Store.Import] from a file, in which errors name it.
func (s *Store) ImportFile(ctx context.Context, name string, o ImportOptions) (*Imported, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, invalid("cannot read %s: %v", o.Name, errors.Unwrap(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return nil, invalid("%s is no file", o.Name)
	}
	return s.Import(ctx, f, o)
}
