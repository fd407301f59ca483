package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// Texts of fragments stand elsewhere too: in what a program was answered, in the states of
// sessions and in what is kept beside those. Answers are taken out. A session couldn't go
// on without its state, so that is told.

// keptAnswer is what is stored of a request beside its answer.
type keptAnswer struct {
	Committed
	// Redacted: the answer had a text that was taken out.
	Redacted bool `json:"redacted,omitempty"`
}

// says reports whether one of the texts stands in b, or in a text of it where it is JSON.
func says(b []byte, texts []string) bool {
	if slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(b, []byte(text)) }) {
		return true
	}
	if first := bytes.TrimLeft(b, " \t\r\n"); len(first) == 0 || !strings.ContainsRune(`{["`, rune(first[0])) || !json.Valid(b) {
		return false
	}
	for i := bytes.IndexByte(b, '"'); i >= 0; {
		s, n, err := unquote(b[i:])
		if err != nil || says([]byte(s), texts) {
			return err == nil
		}
		i += n
		next := bytes.IndexByte(b[i:], '"')
		if next < 0 {
			return false
		}
		i += next
	}
	return false
}

// elsewhere takes the answers out that have one of the texts, and tells what else has.
func (t *txn) elsewhere(ctx context.Context, texts []string, out *Redaction) error {
	if len(texts) == 0 {
		return nil
	}
	e := t.reader.engine
	type answer struct {
		session     int64
		key, result string
	}
	var answers []answer
	err := e.each(ctx, t.q, "SELECT session, key, answer, result FROM request ORDER BY session, key", nil, func(scan func(...any) error) error {
		var a answer
		var b []byte
		err := scan(&a.session, &a.key, &b, &a.result)
		if err == nil && says(b, texts) {
			answers = append(answers, a)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, a := range answers {
		var was keptAnswer
		if err := json.Unmarshal([]byte(a.result), &was); err != nil {
			return damaged("the answer to request %q can't be read: %v", a.key, err)
		}
		was.Redacted = true
		result, err := json.Marshal(was)
		if err != nil {
			return err
		}
		if _, err := t.q.ExecContext(ctx, e.statement("UPDATE request SET answer = NULL, result = ? WHERE session = ? AND key = ?"), string(result), a.session, a.key); err != nil {
			return err
		}
	}
	out.Answers = int64(len(answers))
	if err := e.each(ctx, t.q, "SELECT name, state FROM session ORDER BY name", nil, func(scan func(...any) error) error {
		var name string
		var state []byte
		err := scan(&name, &state)
		if err == nil && says(state, texts) {
			out.Left = append(out.Left, Remainder{What: LeftState, Session: name})
		}
		return err
	}); err != nil {
		return err
	}
	return t.keptElsewhere(ctx, texts, out)
}

// keptElsewhere tells of sessions beside whose state one of the texts is kept.
func (t *txn) keptElsewhere(ctx context.Context, texts []string, out *Redaction) error {
	e := t.reader.engine
	of := map[int64][]string{}
	if err := e.each(ctx, t.q, "SELECT kept.text, session.name FROM kept JOIN session ON session.id = kept.session ORDER BY kept.text", nil, func(scan func(...any) error) error {
		var id int64
		var name string
		err := scan(&id, &name)
		of[id] = append(of[id], name)
		return err
	}); err != nil {
		return err
	}
	found := map[string]bool{}
	for id, names := range of {
		b, err := t.reader.content(ctx, "text", id)
		if err := ignoreRedacted(err); err != nil {
			return err
		}
		if !says(b, texts) {
			continue
		}
		for _, name := range names {
			if !found[name] {
				found[name] = true
				out.Left = append(out.Left, Remainder{What: LeftKept, Session: name})
			}
		}
	}
	return nil
}

// leftOf tells what inputs have still, each with the first record of all that have it.
func (t *txn) leftOf(ctx context.Context, g *gathered, out *Redaction) error {
	for x, inputs := range g.left {
		for _, input := range inputs {
			x.Records += g.records[input]
		}
		err := t.reader.engine.each(ctx, t.q, "SELECT session.name, record.seq FROM record JOIN session ON session.id = record.session WHERE record.id = (SELECT min(id) FROM record WHERE input = ?)", []any{slices.Min(inputs)}, func(scan func(...any) error) error {
			return scan(&x.Session, &x.Seq)
		})
		if err != nil {
			return err
		}
		out.Left = append(out.Left, x)
	}
	slices.SortFunc(out.Left, func(a, b Remainder) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Session, b.Session))
	})
	return nil
}
