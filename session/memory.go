package session

import (
	"container/list"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/store"
)

// frozen is a prompt that was made and stored. It is never changed, and sessions
// whose prompts are the same share one.
type frozen struct {
	of    address
	text  string
	ok    bool // there is a prompt
	input cento.Input
	// removals is the store's count when it was known to be stored.
	removals int64
	// prompt is the same with its decisions; nil where this program makes another
	// one of the input than the one that stored it.
	prompt *cento.Prompt
	// size is about how many bytes of memory it takes.
	size int

	once   sync.Once
	ready  store.Draft // its record, ready to be made again
	failed error
}

// draft is the record of the prompt, once more: nothing of it is looked at again.
func (f *frozen) draft(label string) (store.Draft, error) {
	f.once.Do(func() { f.ready, f.failed = store.Draft{Prompt: f.prompt, Input: f.input}.Ready() })
	d := f.ready
	d.Label = label
	return d, f.failed
}

// address is what a prompt is found by: the digests of what it was made of and of
// what came out, the latter empty for no prompt.
type address struct{ input, prompt string }

// options are those that hold for a session's reminders, too.
func (f *frozen) options() cento.Options {
	return cento.Options{Policy: f.input.Policy, Limits: f.input.Limits}
}

// defaultMemory is how much of prompts a service holds in memory, in bytes.
const defaultMemory = 64 << 20

// perSession is about how many bytes it takes to know which prompt a session has,
// beside its id, perPrompt what a prompt takes beside its texts.
const (
	perSession = 200
	perPrompt  = 8 << 10
)

// sizeOf is about how much memory a prompt takes whose input is a document of so
// many bytes: the document's texts, those that were made of them, the decisions on
// them, and its record.
func sizeOf(document, text int) int { return perPrompt + 3*document + 2*text }

// memory holds the prompts that were used last, and which session has which. What
// it holds is bounded by bytes alone: neither how many sessions there are nor how
// many of them share a prompt changes what looking for one costs. The zero value
// holds nothing.
type memory struct {
	mu       sync.Mutex
	most     int // bytes
	held     int // bytes
	sessions map[string]seen
	prompts  map[address]*list.Element // of *holding
	recent   list.List                 // the one that was used last in front
}

// seen is the prompt that a session had when it was looked at.
type seen struct {
	epoch  int64
	prompt *list.Element
}

type holding struct {
	prompt   *frozen
	sessions map[string]bool
}

// of is the prompt that a session had last, and its epoch; nil where it isn't
// known.
func (m *memory) of(id string) (*frozen, int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.sessions[id]
	if !ok {
		return nil, 0
	}
	m.recent.MoveToFront(s.prompt)
	return s.prompt.Value.(*holding).prompt, s.epoch
}

// at is the prompt of an address; nil where it isn't held.
func (m *memory) at(of address) *frozen {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.prompts[of]
	if e == nil {
		return nil
	}
	m.recent.MoveToFront(e)
	return e.Value.(*holding).prompt
}

// keep remembers the prompt of a session, and lets go of those that were used
// longest ago. It gives the prompt that is held for the address. What somebody
// else has seen of a later epoch stays.
func (m *memory) keep(id string, epoch int64, f *frozen) *frozen {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sessions == nil {
		m.sessions, m.prompts = map[string]seen{}, map[address]*list.Element{}
	}
	if m.sessions[id].epoch > epoch {
		return f
	}
	e := m.prompts[f.of]
	switch {
	case e == nil:
		e = m.recent.PushFront(&holding{prompt: f, sessions: map[string]bool{}})
		m.prompts[f.of] = e
		m.held += f.size
	case e.Value.(*holding).prompt.removals < f.removals:
		e.Value.(*holding).prompt = f // read again since something was taken out
		m.recent.MoveToFront(e)
	default:
		m.recent.MoveToFront(e)
	}
	if was, ok := m.sessions[id]; !ok || was.prompt != e {
		m.forget(id)
		e.Value.(*holding).sessions[id] = true
		m.held += perSession + len(id)
	}
	m.sessions[id] = seen{epoch, e}
	for m.held > m.most && m.recent.Len() > 0 {
		m.let(m.recent.Back())
	}
	return f
}

// forget lets go of what is known of a session.
func (m *memory) forget(id string) {
	was, ok := m.sessions[id]
	if !ok {
		return
	}
	delete(m.sessions, id)
	delete(was.prompt.Value.(*holding).sessions, id)
	m.held -= perSession + len(id)
}

// let lets go of a prompt, and of what is known of its sessions.
func (m *memory) let(e *list.Element) {
	h := e.Value.(*holding)
	for id := range h.sessions {
		m.forget(id)
	}
	m.held -= h.prompt.size
	delete(m.prompts, h.prompt.of)
	m.recent.Remove(e)
}

// deleted lets go of what is known of a session that isn't there any more.
func (m *memory) deleted(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(id)
}

// drop lets go of what is known of a session, and of the prompt that it has.
func (m *memory) drop(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.sessions[id]; ok {
		m.let(s.prompt)
	}
}
