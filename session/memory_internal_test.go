package session

import (
	"fmt"
	"testing"
)

// What was used last stays, whether it was found by its session or by what it is
// made of.
func TestMemoryOrder(t *testing.T) {
	prompt := func(i int) *frozen {
		return &frozen{of: address{fmt.Sprint("in", i), "p"}, text: fmt.Sprint(i), size: 1000}
	}
	held := func(m *memory) (out string) {
		for i := range 9 {
			if m.prompts[prompt(i).of] != nil {
				out += fmt.Sprint(i)
			}
		}
		return out
	}
	for use, want := range map[string]string{"nothing": "123", "of": "023", "at": "023", "keep": "023"} {
		m := memory{most: 3 * (1000 + perSession + 2)}
		for i := range 3 {
			m.keep(fmt.Sprint("s", i), 1, prompt(i))
		}
		switch use {
		case "of":
			m.of("s0")
		case "at":
			m.at(prompt(0).of)
		case "keep":
			m.keep("s0", 1, prompt(0))
		}
		m.keep("s3", 1, prompt(3))
		if got := held(&m); got != want {
			t.Errorf("after %s: %s are held, want %s", use, got, want)
		}
	}
}

// An earlier epoch never takes the place of a later one that somebody has seen; a
// prompt that was read again since something was taken out does.
func TestMemoryIsCurrent(t *testing.T) {
	m := memory{most: 1 << 20}
	first, second := &frozen{of: address{"a", "a"}}, &frozen{of: address{"b", "b"}}
	m.keep("s", 2, second)
	if m.keep("s", 1, first); m.at(first.of) != nil {
		t.Error("a prompt that nobody has is held")
	}
	if got, epoch := m.of("s"); got != second || epoch != 2 {
		t.Errorf("%+v of epoch %d", got, epoch)
	}
	again := &frozen{of: address{"b", "b"}, removals: 1}
	m.keep("s", 2, again)
	if got, _ := m.of("s"); got != again {
		t.Error("what was known before a removal is held")
	}
	m.keep("other", 1, second)
	if got, _ := m.of("other"); got != again {
		t.Error("what was known before a removal is back")
	}
	m.drop("s")
	if got, _ := m.of("other"); got != nil || m.held != 0 || len(m.sessions) != 0 || len(m.prompts) != 0 {
		t.Errorf("%+v", &m)
	}
}
