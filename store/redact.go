package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// RedactOptions say what to take out.
type RedactOptions struct {
	// Fragment is the id of the fragment whose texts go.
	Fragment string
	// Session: only texts that a record of this one has; empty for all. Another
	// session that has the same text loses it too: it is stored once.
	Session string
	// Seq: only those of this record; 0 for all.
	Seq int64
	// DryRun tells what would go.
	DryRun bool
	// Progress is told how much was looked through; nil for nobody.
	Progress func(done, all int64)
}

// Redaction is what was taken out.
type Redaction struct {
	Fragment string `json:"fragment"`
	// Digests are those of the texts that are gone, those in the prompts first,
	// then those of inputs.
	Digests []string `json:"digests"`
	// Records is how many records have lost their text.
	Records int64 `json:"records"`
	DryRun  bool  `json:"dry_run"`
}

// Redact takes the texts of a fragment out for good, in the prompts and in the
// inputs that they were made of. What is left is their digest, so the chains
// stay valid; the records can't be read back or made again. The error is
// [UnknownRecord] when no record has such a fragment.
func (s *Store) Redact(ctx context.Context, o RedactOptions) (*Redaction, error) {
	if o.Fragment == "" {
		return nil, invalid("the id of the fragment is empty")
	}
	if o.Seq != 0 && o.Session == "" {
		return nil, invalid("a record is named without its session")
	}
	out := &Redaction{Fragment: o.Fragment, Digests: []string{}, DryRun: o.DryRun}
	err := s.maintain(ctx, o.DryRun, func(t *txn) error {
		if !t.reader.engine.Postgres {
			// What is freed is overwritten.
			if _, err := t.q.ExecContext(ctx, "PRAGMA secure_delete = ON"); err != nil {
				return err
			}
		}
		return t.redact(ctx, o, out)
	})
	if err != nil {
		return nil, err
	}
	if !s.engine.Postgres && !o.DryRun {
		// The log that is written ahead has them still.
		var busy, written, moved int
		if err := s.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &written, &moved); err != nil {
			return nil, s.engine.failure(err)
		}
		if busy != 0 {
			return nil, &cento.SourceError{
				Code: Locked, Message: "the texts are out of the records; the file " + s.engine.Place + "-wal has them still, since somebody reads the store",
				Hint: "redact once more when the other program is done",
			}
		}
	}
	return out, nil
}

func (t *txn) redact(ctx context.Context, o RedactOptions, out *Redaction) error {
	where, args, err := "", []any(nil), error(nil)
	if o.Session != "" {
		where, args, err = t.reader.where(ctx, RecordQuery{Session: o.Session})
	}
	if err != nil {
		return err
	}
	if o.Seq != 0 {
		where, args = where+" AND record.seq = ?", append(args, o.Seq)
	}
	texts, inputs := []int64{}, map[int64]map[int64]bool{} // texts by input
	type pair struct{ list, input, records int64 }
	var pairs []pair
	err = t.reader.engine.each(ctx, t.q, "SELECT record.list, record.input, count(*) FROM record "+where+" GROUP BY record.list, record.input ORDER BY 1, 2", args, func(scan func(...any) error) error {
		var p pair
		err := scan(&p.list, &p.input, &p.records)
		pairs = append(pairs, p)
		return err
	})
	if err != nil {
		return err
	}
	seen := false
	for i, p := range pairs {
		tell(o.Progress, i, int64(len(pairs)))
		_, entries, err := t.reader.list(ctx, p.list)
		if err != nil {
			return err
		}
		hit := false
		for _, e := range entries {
			f, err := t.reader.form(ctx, e.form)
			if err != nil {
				return err
			}
			if f.ID != o.Fragment {
				continue
			}
			seen = true
			if e.text == 0 {
				continue
			}
			if inputs[p.input] == nil {
				inputs[p.input] = map[int64]bool{}
			}
			inputs[p.input][e.text] = true
			if !slices.Contains(texts, e.text) {
				texts = append(texts, e.text)
			}
			hit = true
		}
		if hit {
			out.Records += p.records
		}
	}
	if !seen {
		return &cento.SourceError{Code: UnknownRecord, Message: fmt.Sprintf("no record has a fragment %q", clip(o.Fragment))}
	}
	inPrompts := len(texts)
	for input, of := range inputs {
		if texts, err = t.inputTexts(ctx, input, o.Fragment, of, texts); err != nil {
			return err
		}
	}
	slices.Sort(texts[inPrompts:])
	return t.takeOut(ctx, texts, out)
}

// inputTexts adds the texts of an input that the texts of a fragment were made
// of: its bodies, the prompt file that it was rendered from, and whatever holds
// one of the texts as it is.
func (t *txn) inputTexts(ctx context.Context, input int64, fragment string, of map[int64]bool, texts []int64) ([]int64, error) {
	stored, err := t.reader.content(ctx, "input", input)
	if err != nil {
		return nil, err
	}
	_, used, err := partsOf(stored)
	if err != nil {
		return nil, err
	}
	made := map[string]bool{}
	if b, err := t.reader.input(ctx, input); err == nil {
		var in cento.Input
		if err := json.Unmarshal(b, &in); err != nil {
			return nil, damaged("input %d can't be read: %v", input, err)
		}
		list, _, err := cento.Compose(in)
		if err != nil {
			return nil, damaged("input %d can't be composed: %v", input, err)
		}
		for _, f := range list {
			if f.ID == fragment {
				bodies := []string{f.Body, in.Files.Sources[f.Template]}
				for _, v := range f.Variants {
					bodies = append(bodies, v.Body)
				}
				for _, body := range bodies {
					made[strings.TrimSpace(body)] = body != ""
				}
			}
		}
	} else if !errors.Is(err, Redacted) {
		return nil, err
	}
	var held []string
	for id := range of {
		b, err := t.reader.content(ctx, "text", id)
		if err := ignoreRedacted(err); err != nil {
			return nil, err
		}
		if text := strings.TrimSpace(string(b)); text != "" {
			held = append(held, text)
		}
	}
	for _, x := range used {
		b, err := t.reader.content(ctx, "text", x.id)
		if err := ignoreRedacted(err); err != nil {
			return nil, err
		}
		text := string(b)
		hit := made[strings.TrimSpace(text)]
		for _, h := range held {
			hit = hit || strings.Contains(text, h)
		}
		if hit && !slices.Contains(texts, x.id) {
			texts = append(texts, x.id)
		}
	}
	return texts, nil
}

// takeOut replaces texts by their digests.
func (t *txn) takeOut(ctx context.Context, texts []int64, out *Redaction) error {
	e := t.reader.engine
	// What rests on them is stored by itself from now on.
	var resting []int64
	err := e.eachOf(ctx, t.q, "SELECT id FROM text WHERE base %IN ORDER BY id", texts, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		resting = append(resting, id)
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range resting {
		if slices.Contains(texts, id) {
			continue
		}
		if err := t.standAlone(ctx, "text", id); err != nil {
			return err
		}
	}
	type gone struct {
		id  int64
		sum digest
	}
	var all []gone
	for _, id := range texts {
		b, err := t.reader.content(ctx, "text", id)
		if _, before := errors.AsType[*redactedText](err); before {
			continue
		}
		if err != nil {
			return err
		}
		// An input's text may be a fragment's, too.
		var n int64
		if err := e.each(ctx, t.q, "SELECT count(*) FROM entry WHERE text = ?", []any{id}, func(scan func(...any) error) error { return scan(&n) }); err != nil {
			return err
		}
		if n > 0 {
			if err := t.unindex(ctx, id); err != nil {
				return err
			}
		}
		all = append(all, gone{id, digestOf(string(b))})
	}
	for _, x := range all {
		if _, err := t.q.ExecContext(ctx, e.statement("UPDATE text SET base = NULL, data = ? WHERE id = ?"), append([]byte{packedRedacted}, x.sum[:]...), x.id); err != nil {
			return err
		}
		out.Digests = append(out.Digests, x.sum.hex())
	}
	if !e.Postgres && len(all) > 0 {
		// The index forgets words for good only when it is written anew.
		if _, err := t.q.ExecContext(ctx, "INSERT INTO word (word) VALUES ('optimize')"); err != nil {
			return err
		}
	}
	return nil
}
