package session

import "container/list"

// shelf is one kind of what a memory holds, by what it is found by.
type shelf[K comparable, V any] map[K]*list.Element // of *held[K, V]

// held is one thing on a shelf.
type held[K comparable, V any] struct {
	on    shelf[K, V]
	key   K
	value V
	size  int // in bytes, about
}

// holding is a held of any kind.
type holding interface {
	bytes() int
	leave()
}

func (h *held[K, V]) bytes() int { return h.size }
func (h *held[K, V]) leave()     { delete(h.on, h.key) }

// get finds what is held, which is used by that.
func (s shelf[K, V]) get(m *memory, key K) (value V, ok bool) {
	e := s[key]
	if e == nil {
		return value, false
	}
	m.recent.MoveToFront(e)
	return e.Value.(*held[K, V]).value, true
}

// put holds a value, in the place of what is held by its key.
func (s shelf[K, V]) put(m *memory, key K, value V, size int) {
	if e := s[key]; e != nil {
		h := e.Value.(*held[K, V])
		m.held += size - h.size
		h.value, h.size = value, size
		m.recent.MoveToFront(e)
		return
	}
	s[key] = m.recent.PushFront(&held[K, V]{s, key, value, size})
	m.held += size
}

// drop lets go of what is held by a key.
func (s shelf[K, V]) drop(m *memory, key K) {
	if e := s[key]; e != nil {
		m.let(e)
	}
}
