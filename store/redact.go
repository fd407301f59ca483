package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
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
	// MadeOf names what the text of a fragment of an input is rendered of: the prompt
	// files, by their names in the input, and the variables that they read, those of the
	// manifest and of callers as `vars.name`, or `vars` for all. It is pack.MadeOf. Nil:
	// nobody can tell, and of a fragment that was rendered the rest is among what is left.
	MadeOf func(in cento.Input, f *cento.Fragment) (files, variables []string, err error)
}

// Remainder is where something of the texts may be still, or is.
type Remainder struct {
	// What it is: `variable`, `template`, `state` or `kept`, see [LeftVariable].
	What string `json:"what"`
	// Name is that of the variable or of the prompt file; empty for others.
	Name string `json:"name"`
	// Session and Seq name the first record whose input has it, or the session; Seq is 0
	// there.
	Session string `json:"session"`
	Seq     int64  `json:"seq"`
	// Records is how many records have such an input; 0 for a session.
	Records int64 `json:"records"`
}

// What may be left.
const (
	// LeftVariable: a value that the program has from elsewhere, such as the working
	// folder, which the prompt file of the fragment reads.
	LeftVariable = "variable"
	// LeftTemplate: what else was rendered by a prompt file can't be told, such as its
	// variables.
	LeftTemplate = "template"
	// LeftState: the state of a session has one of the texts.
	LeftState = "state"
	// LeftKept: one of the texts stands in what is kept beside the state of a session.
	LeftKept = "kept"
)

// Redaction is what was taken out.
type Redaction struct {
	Fragment string `json:"fragment"`
	// Digests are those of the texts that are gone, those in the prompts first,
	// then those of inputs.
	Digests []string `json:"digests"`
	// Records is how many records have lost their text.
	Records int64 `json:"records"`
	// Answers is how many answers that were kept with idempotency keys are gone, since
	// they had one of the texts. Whoever repeats such a request is told so.
	Answers int64 `json:"answers"`
	DryRun  bool  `json:"dry_run"`
	// Left is what was found and isn't taken out, in order.
	Left []Remainder `json:"left"`
}

// Redact takes the texts of a fragment out for good: in the prompts, in the inputs that
// they were made of, with the prompt files and the values of variables that they were
// rendered of, and in the answers that are kept with idempotency keys. What is left is
// their digest, so the chains stay valid; the records can't be read back or made again.
// What has them still is told. The error is [UnknownRecord] when no record has such a
// fragment.
func (s *Store) Redact(ctx context.Context, o RedactOptions) (*Redaction, error) {
	if o.Fragment == "" {
		return nil, invalid("the id of the fragment is empty")
	}
	if o.Seq != 0 && o.Session == "" {
		return nil, invalid("a record is named without its session")
	}
	out := &Redaction{Fragment: o.Fragment, Digests: []string{}, DryRun: o.DryRun, Left: []Remainder{}}
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

// maxOthers is how many ids are held against one that no record has.
const maxOthers = 10_000

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
	seen, others := false, map[string]bool{}
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
				if len(others) < maxOthers {
					others[f.ID] = true
				}
				continue
			}
			seen = true
			if inputs[p.input] == nil {
				inputs[p.input] = map[int64]bool{}
			}
			if e.text == 0 { // it wasn't rendered, and the input has what it would have been of
				continue
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
		return &cento.SourceError{Code: UnknownRecord, Message: fmt.Sprintf("no record has a fragment %q", clip(o.Fragment)), Hint: nearest.Hint(o.Fragment, slices.Collect(maps.Keys(others)), "")}
	}
	inPrompts := len(texts)
	g := &gathered{o: &o, texts: texts, records: map[int64]int64{}, cuts: map[int64][]cut{}, left: map[Remainder][]int64{}}
	for _, p := range pairs {
		g.records[p.input] += p.records
	}
	for _, input := range slices.Sorted(maps.Keys(inputs)) {
		if err := t.ofInput(ctx, input, inputs[input], g); err != nil {
			return err
		}
	}
	slices.Sort(g.texts[inPrompts:])
	held, err := t.heldTexts(ctx, g.texts[:inPrompts])
	if err != nil {
		return err
	}
	if err := t.elsewhere(ctx, append(held, g.own...), out); err != nil {
		return err
	}
	if err := t.leftOf(ctx, g, out); err != nil {
		return err
	}
	// Where something is to be cut out is counted in texts that are there still.
	values, err := t.cutOut(ctx, g.cuts)
	if err != nil {
		return err
	}
	if err := t.takeOut(ctx, g.texts, out); err != nil {
		return err
	}
	for _, sum := range values {
		if !slices.Contains(out.Digests, sum.hex()) {
			out.Digests = append(out.Digests, sum.hex())
		}
	}
	return nil
}

// gathered is what is found in inputs.
type gathered struct {
	o       *RedactOptions
	texts   []int64
	records map[int64]int64       // by input
	cuts    map[int64][]cut       // by input
	left    map[Remainder][]int64 // by what and name: inputs
	// own is what stands in a fragment between words of the program's, such as the text
	// of a reminder, as it is and without its escapes.
	own []string
}

func (g *gathered) add(text int64) {
	if !slices.Contains(g.texts, text) {
		g.texts = append(g.texts, text)
	}
}

func (g *gathered) addOwn(f *cento.Fragment) {
	for i := 0; i < len(f.Runs); i++ {
		if f.Runs[i].Trust == cento.TrustBuiltin {
			continue
		}
		from := f.Runs[i].Start
		for i+1 < len(f.Runs) && f.Runs[i+1].Trust != cento.TrustBuiltin {
			i++
		}
		to := min(f.Runs[i].End, len(f.Body))
		if from < 0 || from > to || to-from == len(f.Body) {
			continue // the whole of it is among the texts
		}
		text := strings.TrimSpace(f.Body[from:to])
		for _, own := range []string{text, html.UnescapeString(text)} {
			if own != "" && !slices.Contains(g.own, own) {
				g.own = append(g.own, own)
			}
		}
	}
}

func (g *gathered) leave(what, name string, input int64) {
	key := Remainder{What: what, Name: name}
	g.left[key] = append(g.left[key], input)
}

// heldTexts are texts of fragments as they are looked for.
func (t *txn) heldTexts(ctx context.Context, ids []int64) ([]string, error) {
	var held []string
	for _, id := range ids {
		b, err := t.reader.content(ctx, "text", id)
		if err := ignoreRedacted(err); err != nil {
			return nil, err
		}
		if text := strings.TrimSpace(string(b)); text != "" {
			held = append(held, text)
		}
	}
	return held, nil
}

// ofInput adds the texts of an input that the texts of a fragment were made of: its
// bodies, the prompt files and the values that it was rendered of, and whatever holds
// one of the texts as it is.
func (t *txn) ofInput(ctx context.Context, input int64, of map[int64]bool, g *gathered) error {
	b, whole, err := t.reader.rest(ctx, input)
	if err != nil {
		return err
	}
	var in cento.Input
	if err := json.Unmarshal(b, &in); err != nil {
		return damaged("input %d can't be read: %v", input, err)
	}
	list, _, err := cento.Compose(in)
	switch {
	case err != nil && whole:
		return damaged("input %d can't be composed: %v", input, err)
	case err != nil: // for want of what is gone
		list = in.Fragments
	}
	made := map[string]bool{}
	var variables []string
	for i := range list {
		f := &list[i]
		if f.ID != g.o.Fragment {
			continue
		}
		g.addOwn(f)
		bodies, read, told := g.bodies(in, f, whole)
		if !told {
			g.leave(LeftTemplate, f.Template, input)
		}
		if f.Template != "" {
			variables = read
		}
		for _, body := range bodies {
			if body = strings.TrimSpace(body); body != "" {
				made[body] = true
			}
		}
	}
	held, err := t.heldTexts(ctx, slices.Sorted(maps.Keys(of)))
	if err != nil {
		return err
	}
	doc, err := t.reader.pieces(ctx, input)
	if err != nil {
		return err
	}
	for _, x := range doc.texts {
		text := x.text
		hit := made[strings.TrimSpace(text)]
		for _, h := range held {
			hit = hit || strings.Contains(text, h)
		}
		if hit && x.id != 0 {
			g.add(x.id)
		}
	}
	if len(of) == 0 {
		return nil
	}
	return g.cutVariables(input, doc, variables)
}

// bodies are the texts that a fragment of an input was made of, and the variables that
// its prompt file reads. told is false where a prompt file can't be told whole: nobody
// knows what it reads, or a text of it was taken out before.
func (g *gathered) bodies(in cento.Input, f *cento.Fragment, whole bool) (bodies, variables []string, told bool) {
	bodies, told = []string{f.Body}, true
	for _, v := range f.Variants {
		bodies = append(bodies, v.Body)
	}
	if f.Template != "" {
		// A reference may leave `.md` out, which the name of the file has.
		files := []string{f.Template, f.Template + ".md"}
		more, read, err := []string(nil), []string(nil), errNobodyTells
		if g.o.MadeOf != nil {
			more, read, err = g.o.MadeOf(in, f)
		}
		variables, told = read, err == nil
		for _, file := range append(files, more...) {
			source, there := in.Files.Sources[file]
			bodies = append(bodies, source)
			told = told && (!there || whole || source != "") // else it was taken out before
		}
		if key, ok := strings.CutPrefix(f.Template, cento.CatalogTemplate); ok {
			bodies = append(bodies, in.Files.Wording[key].Body)
		}
	}
	if f.ID == cento.SkillCatalogID {
		for _, skill := range in.Files.Skills {
			bodies = append(bodies, skill.Name.Body, skill.Path.Body, skill.Description.Body)
		}
	}
	return bodies, variables, told
}

// cutVariables adds the values of variables that a prompt file read, where they stand in
// the document of an input. Of what isn't a variable of the project it says that it stays.
func (g *gathered) cutVariables(input int64, doc *document, variables []string) error {
	for _, name := range variables {
		root, member, _ := strings.Cut(name, ".")
		if root != "vars" {
			g.leave(LeftVariable, name, input)
			continue
		}
		for _, key := range []string{"vars", "given"} {
			cuts, texts, err := doc.values(key, member)
			if err != nil {
				return damaged("input %d can't be read: %v", input, err)
			}
			if len(cuts) > 0 {
				g.cuts[input] = append(g.cuts[input], cuts...)
			}
			for _, id := range texts {
				g.add(id)
			}
		}
	}
	return nil
}

// errNobodyTells: a program asks without [RedactOptions.MadeOf].
var errNobodyTells = errors.New("nobody tells what it is rendered of")

// release stores what rests on texts or inputs that are about to change by itself, those
// among them too.
func (t *txn) release(ctx context.Context, table string, ids []int64) error {
	var resting []int64
	err := t.reader.engine.eachOf(ctx, t.q, "SELECT id FROM "+table+" WHERE base %IN ORDER BY id", ids, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		resting = append(resting, id)
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range resting {
		if err := t.standAlone(ctx, table, id); err != nil {
			return err
		}
	}
	return nil
}

// takeOut replaces texts by their digests.
func (t *txn) takeOut(ctx context.Context, texts []int64, out *Redaction) error {
	e := t.reader.engine
	if err := t.release(ctx, "text", texts); err != nil {
		return err
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
