package session

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/store"
)

// frozenOf is a prompt of a size, of an input and with a text.
func frozenOf(input, text string, size int) *frozen {
	return &frozen{made: &made{from: origin{clockless: input}, text: text, digest: text, ok: true, size: size}, of: address{input, text}}
}

// What was used last stays, by whatever it was found.
func TestMemoryOrder(t *testing.T) {
	prompt := func(i int) *frozen { return frozenOf(fmt.Sprint("in", i), fmt.Sprint(i), 1000) }
	held := func(m *memory) (out string) {
		for i := range 9 {
			if m.prompts[prompt(i).from] != nil {
				out += fmt.Sprint(i)
			}
		}
		return out
	}
	for use, want := range map[string]string{"nothing": "123", "frozen": "023", "made": "023", "keep": "023", "words": "23"} {
		m := memory{most: 3 * (1000 + perSession + 2 + perInput + perText + 1)}
		for i := range 3 {
			m.keep(fmt.Sprint("s", i), "", 1, prompt(i))
		}
		switch use {
		case "frozen":
			if f, known := m.frozen("s0", 1, prompt(0).of, 0); f == nil || !known {
				t.Error("what was kept isn't held")
			}
		case "made":
			m.made(prompt(0).from)
		case "keep":
			m.keep("s0", "", 1, prompt(0))
		case "words": // a text alone is asked for: what else there is of it goes first
			m.words("s0", store.Projects{})
		}
		m.keep("s3", "", 1, prompt(3))
		if got := held(&m); got != want {
			t.Errorf("after %s: %s are held, want %s", use, got, want)
		}
		if w, known := m.words("s0", store.Projects{}); known != (use == "words" || use == "frozen" || use == "keep") || known && w.text != "0" {
			t.Errorf("after %s: the text of the first is %+v, %t", use, w, known)
		}
		if m.held > m.most {
			t.Errorf("after %s: %d bytes of %d", use, m.held, m.most)
		}
	}
}

// An earlier epoch never takes the place of a later one that somebody has seen. What was
// known before something was taken out counts no more, for no session.
func TestMemoryIsCurrent(t *testing.T) {
	m := memory{most: 1 << 20}
	first, second := frozenOf("a", "a", 0), frozenOf("b", "b", 0)
	m.keep("s", "", 2, second)
	m.keep("s", "", 1, first)
	m.read("s", "", 1, first.of, 0, words{"a", "a", true})
	if w, _ := m.words("s", store.Projects{}); w.text != "b" || m.made(first.from) != nil {
		t.Errorf("%+v, and a prompt that nobody has is held", w)
	}
	for _, x := range []struct {
		id       string
		epoch    int64
		of       address
		removals int64
		held     bool
		known    bool
	}{
		{"s", 2, second.of, 0, true, true},
		{"s", 2, address{"", "b"}, 0, true, true}, // stored by a release that didn't say of what
		{"s", 3, second.of, 0, true, false},
		{"other", 1, second.of, 0, true, false},
		{"other", 1, address{"", "b"}, 0, false, false},
		{"s", 2, first.of, 0, false, false},
		{"s", 2, second.of, 1, false, false},
		{"other", 1, second.of, 1, false, false},
	} {
		f, known := m.frozen(x.id, x.epoch, x.of, x.removals)
		if (f != nil) != x.held || known != x.known || f != nil && f.made != second.made {
			t.Errorf("%+v: %+v, known: %t", x, f, known)
		}
	}
	m.keep("other", "", 1, second)
	if m.doubt("s", 0); m.held == 0 {
		t.Error("doubted for nothing")
	}
	m.doubt("s", 1)
	if _, known := m.words("other", store.Projects{}); known {
		t.Error("what was known before a removal is handed out")
	}
	m.deleted("other")
	if m.held != 0 || m.recent.Len() != 0 || len(m.sessions)+len(m.texts)+len(m.inputs)+len(m.prompts) != 0 {
		t.Errorf("%+v", &m)
	}
}

// Sessions that come and go, and those that are made anew for each turn, leave nothing
// of their own behind.
func TestMemoryOfSessionsThatGo(t *testing.T) {
	m := memory{most: 1 << 20}
	begun := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	at := func(i int, clock time.Time) *frozen {
		f := frozenOf("in", "text", 1000)
		f.of.input = fmt.Sprint("in at ", i)
		f.input.Files.Now = clock
		return f
	}
	for i := range 100 {
		id := fmt.Sprint("s", i)
		m.keep(id, "", 1, at(i, begun.Add(time.Duration(i))))
		m.deleted(id)
		m.keep("each turn", "", int64(i+1), at(1000+i, begun.Add(-time.Duration(i))))
	}
	if len(m.inputs) != 1 || len(m.sessions) != 1 || len(m.texts) != 1 || len(m.prompts) != 1 || m.recent.Len() != 4 {
		t.Errorf("%d inputs, %d sessions, %d texts, %d prompts", len(m.inputs), len(m.sessions), len(m.texts), len(m.prompts))
	}
	if f, known := m.frozen("each turn", 100, address{"in at 1099", "text"}, 0); f == nil || !known || !f.input.Files.Now.Equal(begun.Add(-99)) {
		t.Errorf("%+v, %t", f, known)
	}
	// Without a clock all have the same input, whichever of them goes.
	for _, id := range []string{"a", "b"} {
		m.keep(id, "", 1, at(0, time.Time{}))
	}
	m.deleted("a")
	if f, _ := m.frozen("b", 1, address{"in at 0", "text"}, 0); f == nil {
		t.Error("the input of a session is let go of with another one")
	}
	m.deleted("each turn")
	m.keep("a", "", 1, at(0, time.Time{}))
	m.deleted("a")
	if f, _ := m.frozen("b", 1, address{"in at 0", "text"}, 0); f == nil {
		t.Error("the input of the last session is let go of with the last but one")
	}
	m.deleted("b")
	if len(m.inputs) != 0 {
		t.Errorf("%d inputs are held of no session", len(m.inputs))
	}
}

// A prompt that no session has any more goes with the last one, but for the one that was
// left last; whatever happens, what is known of a session is what was seen of it last by
// its epoch, and it is known how many of those that are held have a prompt.
func TestMemoryOfPromptsThatGo(t *testing.T) {
	m := memory{most: 1 << 20}
	own := func(i int) *frozen { return frozenOf(fmt.Sprint("in", i), fmt.Sprint("text", i), 1000) }
	for i := range 20 {
		m.keep(fmt.Sprint("s", i), "", 1, own(i))
		m.deleted(fmt.Sprint("s", i))
		m.keep("anew", "", int64(i+1), own(100+i))
	}
	if len(m.prompts) != 2 || len(m.texts) != 2 || len(m.sessions) != 1 || m.made(own(119).from) == nil {
		t.Errorf("%d prompts and %d texts are held of one session, and one that was left", len(m.prompts), len(m.texts))
	}
	m.keep("other", "", 1, own(119))
	m.deleted("anew")
	m.keep("next", "", 1, own(7))
	m.deleted("next")
	if m.made(own(119).from) == nil {
		t.Error("the prompt of a session goes with another one that had it, too")
	}
	// One whose text alone was asked for since has its prompt still.
	m.keep("reader", "", 1, own(8))
	m.read("reader", "", 1, own(8).of, 0, words{"text8", "text8", true})
	for i, id := range []string{"a", "b"} {
		m.keep(id, "", 1, own(8-i))
		m.deleted(id)
	}
	if m.made(own(8).from) == nil {
		t.Error("the prompt of a session whose text was read goes with another one")
	}
	rapid.Check(t, func(rt *rapid.T) {
		m := memory{most: rapid.IntRange(1, 20_000).Draw(rt, "most")}
		last := map[string]seen{}
		for range rapid.IntRange(0, 60).Draw(rt, "steps") {
			id := fmt.Sprint("s", rapid.IntRange(0, 5).Draw(rt, "session"))
			f := own(rapid.IntRange(0, 4).Draw(rt, "prompt"))
			if rapid.Bool().Draw(rt, "another release") { // makes another prompt of the same input
				f = frozenOf(f.of.input, "longer "+f.text, 1500)
			}
			epoch := int64(rapid.IntRange(1, 3).Draw(rt, "epoch"))
			f.removals = int64(rapid.IntRange(0, 1).Draw(rt, "removals"))
			if m.sessions[id] == nil {
				delete(last, id) // it was let go
			}
			switch now := (seen{"", epoch, f.of, f.from, f.removals}); rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0:
				m.deleted(id)
				delete(last, id)
			case 1:
				if m.doubt(id, f.removals); last[id].removals != f.removals {
					delete(last, id)
				}
			case 2: // what its text was made of is known where it is the one from before
				if last[id].of != now.of {
					now.from = origin{}
				} else {
					now.from = last[id].from
				}
				if m.read(id, "", epoch, f.of, f.removals, words{f.text, f.digest, f.ok}); epoch >= last[id].epoch {
					last[id] = now
				}
			default:
				if m.keep(id, "", epoch, f); epoch >= last[id].epoch {
					last[id] = now
				}
			}
			for id, e := range m.sessions {
				if s := e.Value.(*held[string, seen]).value; s != last[id] {
					rt.Fatalf("of %s is known %+v, and seen was %+v", id, s, last[id])
				}
			}
			bytes := 0
			for e := m.recent.Front(); e != nil; e = e.Next() {
				bytes += e.Value.(holding).bytes()
			}
			if bytes != m.held || m.held > m.most {
				rt.Fatalf("%d bytes are held, counted as %d, of at most %d", bytes, m.held, m.most)
			}
			users, readers := map[origin]int{}, map[string]int{}
			for _, e := range m.sessions {
				s := e.Value.(*held[string, seen]).value
				users[s.from]++
				readers[s.of.prompt]++
			}
			if !maps.Equal(users, m.users) && len(users)+len(m.users) > 0 || !maps.Equal(readers, m.readers) && len(readers)+len(m.readers) > 0 {
				rt.Fatalf("%v and %v, counted as %v and %v", users, readers, m.users, m.readers)
			}
		}
		for i := range 6 {
			m.deleted(fmt.Sprint("s", i))
		}
		if len(m.sessions)+len(m.users)+len(m.readers) > 0 {
			rt.Fatalf("of no session is held %+v", &m)
		}
	})
}

// What a session has alone goes with it, also where others have the same text of another
// input, or another text of the same one.
func TestMemoryOfWhatIsSharedInPart(t *testing.T) {
	for name, of := range map[string]func(i int) *frozen{
		"the text":  func(i int) *frozen { return frozenOf(fmt.Sprint("in", i), "text", 1000) },
		"the input": func(i int) *frozen { return frozenOf("in", fmt.Sprint("text", i), 1000) },
	} {
		m := memory{most: 1 << 20}
		m.keep("stays", "", 1, of(0))
		for i := range 20 {
			id := fmt.Sprint("s", i)
			m.keep(id, "", 1, of(i+1))
			m.deleted(id)
		}
		if len(m.sessions) != 1 || len(m.prompts) > 2 || len(m.texts) > 2 {
			t.Errorf("of one session, and one that was left and shared %s, are held %d prompts and %d texts", name, len(m.prompts), len(m.texts))
		}
	}
}

// Of what a session keeps in a list its state has so many at most, however many come: the
// others are sealed, each once.
func TestListsOfAStateAreBounded(t *testing.T) {
	var c chain
	sealed := 0
	const n = 5 * (maxRecent + 1)
	for i := range n {
		var st step
		if err := c.add(&st, "list", int64(i), i); err != nil {
			t.Fatal(err)
		}
		if len(c.recent) > maxRecent {
			t.Fatalf("after %d the state has %d", i+1, len(c.recent))
		}
		sealed += len(st.blobs) - 1 // one is the value itself
	}
	if sealed != 5 || len(c.recent) != 0 || c.empty() {
		t.Errorf("%d values are sealed in %d lists, and the state has %d", n, sealed, len(c.recent))
	}
}
