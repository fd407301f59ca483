package session

import (
	"container/list"
	"sync"
	"time"

	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/store"
)

// A service may have very many sessions, and most of them have prompts that differ in
// nothing that a model sees: each was made at its own time. So what is held of a
// session is which prompt it has. Texts are held once for all whose prompts have the
// same one, and so is what is made of an input, for all whose inputs differ in nothing
// but a clock that no text reads. All of it can be had of the store again.

// defaultMemory is how much of prompts a service holds in memory, in bytes.
const defaultMemory = 64 << 20

// About how many bytes it takes to know which prompt a session has, beside its id; with
// which clock an input has what is made of it; a text, and what is made of an input,
// beside their own bytes.
const (
	perSession = 400
	perInput   = 400
	perText    = 300
	perPrompt  = 64 << 10
)

// sizeOf is about how much memory it takes what is made of an input whose document has
// so many bytes: the document's texts, those that were made of them, the decisions on
// them, and its record.
func sizeOf(document, text int) int { return perPrompt + 6*document + text }

// memory holds what was used last of sessions, texts, and what is made of inputs. It is
// bounded by bytes alone: neither how many sessions there are nor how many of them share
// a prompt changes what looking for one costs. What the last session of those that are
// held has no more goes with it, but for one prompt: whoever begins next mostly has that.
// The zero value holds nothing.
type memory struct {
	mu     sync.Mutex
	most   int       // bytes
	held   int       // bytes
	recent list.List // of holding; what was used last in front

	sessions shelf[string, seen]
	texts    shelf[string, words] // by digest
	inputs   shelf[string, timed] // by digest
	prompts  shelf[origin, *made]

	users   map[origin]int // sessions on the shelf, by what their prompts are made of
	readers map[string]int // and by the digests of their texts
	spare   seen           // the last one that left a prompt without any
}

// seen is what a session was seen to have.
type seen struct {
	project string
	epoch   int64
	of      address
	from    origin // zero: only its text was asked for
	// removals is the store's count when the prompt was known to be stored.
	removals int64
}

// words are a system prompt; not ok for none.
type words struct {
	text, digest string
	ok           bool
}

// timed is an input, by its clock and what else it is.
type timed struct {
	now  time.Time
	from origin
}

// address is what a prompt is found by: the digests of what it was made of and of
// what came out, the latter empty for no prompt.
type address struct{ input, prompt string }

// origin is an input as far as what is made of it depends on it.
type origin struct {
	// clockless is the digest of the input without its clock, clock what matters of that.
	clockless, clock string
	// unlike names the text that was stored with the input, where this program makes
	// another one of it; else it is empty.
	unlike string
}

// begin makes the shelves.
func (m *memory) begin() {
	if m.sessions == nil {
		m.sessions, m.texts = shelf[string, seen]{}, shelf[string, words]{}
		m.inputs, m.prompts = shelf[string, timed]{}, shelf[origin, *made]{}
		m.users, m.readers = map[origin]int{}, map[string]int{}
	}
}

// words are the prompt that a session had when it was looked at last; not known where
// they aren't held, or the session belonged to another project.
func (m *memory) words(id string, of store.Projects) (w words, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, known := m.sessions.get(m, id)
	if known = known && of.Has(s.project); known {
		w, known = m.texts.get(m, s.of.prompt)
	}
	return w, known
}

// text is one that is held by its digest.
func (m *memory) text(digest string) (w words, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.texts.get(m, digest)
}

// made is what is held of an origin; nil for nothing.
func (m *memory) made(from origin) *made {
	m.mu.Lock()
	defer m.mu.Unlock()
	out, _ := m.prompts.get(m, from)
	return out
}

// frozen is the prompt of a session that stands at an epoch and an address while the
// store counts so many removals; nil where not all of it is held. Known tells whether
// the session was seen so; else it is the prompt of another one that has the same.
func (m *memory) frozen(id string, epoch int64, of address, removals int64) (f *frozen, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, known := m.sessions.get(m, id)
	// Another session may have had the name in between.
	known = known && s.epoch == epoch && s.removals == removals && s.of.prompt == of.prompt && (of.input == "" || of.input == s.of.input)
	if known {
		of = s.of
	} else if removals > 0 || of.input == "" {
		// Where some text was taken out, each session has to ask whether it was one of
		// its own.
		return nil, false
	}
	in, ok := m.inputs.get(m, of.input)
	if !ok {
		return nil, known
	}
	p, ok := m.prompts.get(m, in.from)
	if !ok || p.digest != of.prompt {
		return nil, known
	}
	m.texts.get(m, p.digest) // it is used
	f = &frozen{made: p, of: of, input: p.input, removals: removals}
	f.input.Files.Now = in.now
	return f, known
}

// keep remembers the prompt of a session, and lets go of what was used longest ago. What
// somebody else has seen of a later epoch stays.
func (m *memory) keep(id, project string, epoch int64, f *frozen) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begin()
	if s, known := m.sessions.get(m, id); known && s.epoch > epoch {
		return
	}
	if held, ok := m.prompts.get(m, f.from); !ok || held.digest != f.digest {
		m.prompts.put(m, f.from, f.made, f.size)
	}
	m.inputs.put(m, f.of.input, timed{f.input.Files.Now, f.from}, perInput+len(f.from.clock))
	m.saw(id, seen{project, epoch, f.of, f.from, f.removals}, words{f.text, f.digest, f.ok})
}

// read remembers the text of a session.
func (m *memory) read(id, project string, epoch int64, of address, removals int64, w words) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begin()
	if s, known := m.sessions.get(m, id); known && s.epoch > epoch {
		return
	}
	now := seen{project: project, epoch: epoch, of: of, removals: removals}
	if s, known := m.sessions.get(m, id); known && s.of == of {
		now.from = s.from
	}
	m.saw(id, now, w)
}

func (m *memory) saw(id string, now seen, w words) {
	was, known := m.sessions.get(m, id)
	if _, ok := m.texts.get(m, now.of.prompt); !ok {
		m.texts.put(m, now.of.prompt, w, perText+len(w.text))
	}
	m.count(now, 1)
	if known {
		m.count(was, -1)
	}
	m.sessions.put(m, id, now, perSession+len(id))
	if known && was.of.input != now.of.input {
		m.left(was)
	}
	for m.held > m.most && m.recent.Len() > 0 {
		m.let(m.recent.Back())
	}
}

// let lets go of something.
func (m *memory) let(e *list.Element) {
	h := e.Value.(holding)
	m.held -= h.bytes()
	if s, ok := h.(*held[string, seen]); ok {
		m.count(s.value, -1)
	}
	h.leave()
	m.recent.Remove(e)
}

// count counts a session that has come, or gone.
func (m *memory) count(s seen, by int) {
	if m.users[s.from] += by; m.users[s.from] == 0 {
		delete(m.users, s.from)
	}
	if m.readers[s.of.prompt] += by; m.readers[s.of.prompt] == 0 {
		delete(m.readers, s.of.prompt)
	}
}

// deleted lets go of what is known of a session that isn't there any more.
func (m *memory) deleted(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, known := m.sessions.get(m, id); known {
		m.sessions.drop(m, id)
		m.left(s)
	}
}

// left lets go of what a session has no more, and no other that is held.
func (m *memory) left(s seen) {
	if in, ok := m.inputs.get(m, s.of.input); ok && (!in.now.IsZero() || m.users[s.from] == 0) {
		m.inputs.drop(m, s.of.input) // one with a clock is nobody else's
	}
	if m.users[s.from] > 0 && m.readers[s.of.prompt] > 0 {
		return
	}
	was := m.spare
	m.spare = s
	if was.from != s.from && m.users[was.from] == 0 {
		m.prompts.drop(m, was.from)
	}
	if was.of.prompt != s.of.prompt && m.readers[was.of.prompt] == 0 {
		m.texts.drop(m, was.of.prompt)
	}
}

// doubt lets go of what is known of a session since before the store counted so many
// removals, its text included: that may be what was taken out.
func (m *memory) doubt(id string, removals int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, known := m.sessions.get(m, id)
	if !known || s.removals == removals {
		return
	}
	m.sessions.drop(m, id)
	m.texts.drop(m, s.of.prompt)
	if in, ok := m.inputs.get(m, s.of.input); ok {
		m.inputs.drop(m, s.of.input)
		m.prompts.drop(m, in.from)
	}
}

// clockUses are what a prompt may depend on of a clock.
var clockUses = []pack.ClockUse{pack.ClockUnread, pack.ClockDay, pack.ClockWhole}
