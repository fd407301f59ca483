package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/store"
)

// frozen is the prompt of a session, made and stored. It is never changed.
type frozen struct {
	*made
	of address
	// input is that of the made with the session's own clock.
	input cento.Input
	// removals is the store's count when it was known to be stored.
	removals int64
}

// made is what comes of an input. All share it whose inputs are of one origin.
type made struct {
	from   origin
	text   string
	ok     bool   // there is a prompt
	digest string // of it; empty for none
	// prompt is the same with its decisions; nil where this program makes another
	// one of the input than the one that stored it.
	prompt *cento.Prompt
	// input is the one that it was made of first.
	input cento.Input
	// size is about how many bytes of memory it takes.
	size int

	once   sync.Once
	ready  store.Draft // its record, ready to be made again
	failed error
}

// draft is the record of the prompt, once more: nothing of it is looked at again.
func (f *frozen) draft(label string) (store.Draft, error) {
	m := f.made
	m.once.Do(func() { m.ready, m.failed = store.Draft{Prompt: m.prompt, Input: m.input}.Ready() })
	if m.failed != nil {
		return store.Draft{}, m.failed
	}
	d, err := m.ready.At(f.input.Files.Now)
	d.Label = label
	return d, err
}

// options are those that hold for a session's reminders, too.
func (f *frozen) options() cento.Options {
	return cento.Options{Policy: f.input.Policy, Limits: f.input.Limits}
}

// reducer makes the prompt of an input, and tells what that depends on of its clock.
type reducer func(cento.Input) (*cento.Prompt, pack.ClockUse, error)

func reduce(in cento.Input) (*cento.Prompt, pack.ClockUse, error) {
	e, err := pack.NewEngine(in)
	if err != nil {
		return nil, pack.ClockWhole, err
	}
	p, err := cento.ReduceWith(in, e)
	if err != nil {
		return nil, pack.ClockWhole, err
	}
	return p, e.ClockUse(p), nil
}

// mostThawing is how many prompts are made again at the same time, each of which takes up
// to a megabyte: more than there are processors, since the store is waited for, too.
const mostThawing = 32

// thaw gets the prompt of a session that has one. One in memory counts for as long
// as nothing was taken out of the store: else a text that was redacted would be
// recorded again.
func (s *Service) thaw(ctx context.Context, l *loaded) (*frozen, error) {
	id, epoch, of := l.row.ID, l.state.Epoch, l.address()
	removals, err := s.store.Removals(ctx)
	if err != nil {
		return nil, err
	}
	f, known := s.memory.frozen(id, epoch, of, removals)
	if f != nil {
		if !known {
			s.memory.keep(id, l.row.Project, epoch, f)
		}
		return f, nil
	}
	w, err := s.stored(ctx, l, removals)
	if err != nil {
		return nil, err
	}
	select {
	case s.thawing <- struct{}{}:
		defer func() { <-s.thawing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	in, err := s.store.Input(ctx, id, l.state.Prompt.Seq)
	if err != nil {
		return nil, lost(id, err)
	}
	document, err := store.InputDocument(in)
	if err != nil {
		return nil, err
	}
	m := s.remade(in, document, w)
	f = &frozen{made: m, of: address{digestOfText(document), m.digest}, input: in, removals: removals}
	s.memory.keep(id, l.row.Project, epoch, f)
	return f, nil
}

func (l *loaded) address() address { return address{l.state.Prompt.Input, l.state.Prompt.Digest} }

// stored is the text of a session's prompt, of memory where nothing was ever taken out
// of the store, and else of that.
func (s *Service) stored(ctx context.Context, l *loaded, removals int64) (w words, err error) {
	id, digest := l.row.ID, l.state.Prompt.Digest
	if w, held := s.memory.text(digest); held && removals == 0 {
		return w, nil
	}
	s.memory.doubt(id, removals)
	if w.text, w.ok, err = s.store.Text(ctx, id, l.state.Prompt.Seq); err != nil {
		return w, lost(id, err)
	}
	if w.ok {
		w.digest = digestOfText([]byte(w.text))
	}
	return w, nil
}

// remade is what was made of an input that was stored with a text. The text is what
// counts. The decisions are made again of the input, and hold only if they lead to the
// same text.
func (s *Service) remade(in cento.Input, document []byte, w words) *made {
	m := &made{from: origin{clockless: clockless(document, in)}, text: w.text, digest: w.digest, ok: w.ok, input: in, size: sizeOf(len(document), len(w.text))}
	for _, use := range clockUses {
		m.from.clock = use.Of(in.Files.Now)
		if held := s.memory.made(m.from); held != nil && held.digest == m.digest {
			return held
		}
	}
	unlike := origin{clockless: m.from.clockless, clock: pack.ClockWhole.Of(in.Files.Now), unlike: "of " + m.digest}
	if held := s.memory.made(unlike); held != nil {
		return held
	}
	if p, use, err := s.reduce(in); err == nil && p != nil {
		if text, ok := p.System(); ok == w.ok && text == w.text {
			m.prompt, m.from.clock = p, use.Of(in.Files.Now)
			return m
		}
	}
	m.from = unlike
	return m
}

func digestOfText(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// clockless is the digest of an input without the value of its clock.
func clockless(document []byte, in cento.Input) string {
	start, end, ok := store.ClockIn(document, in.Files.Now)
	if !ok {
		return digestOfText(document) // which no input shares that has another clock
	}
	sum := sha256.New()
	sum.Write(document[:start])
	sum.Write(document[end:])
	return hex.EncodeToString(sum.Sum(nil))
}
