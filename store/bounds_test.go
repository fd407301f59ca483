package store

import (
	"errors"
	"strings"
	"testing"
)

// TestBoundsOfTransitions: what a bound names is taken, and one byte more is refused.
func TestBoundsOfTransitions(t *testing.T) {
	name, state := strings.Repeat("n", maxName), []byte(strings.Repeat("s", maxState))
	change := Change{Session: "s", Expect: AnyVersion}
	said := map[string]string{
		"answer": "the answer has 4194305 bytes, and the limit is 4194304", "state": `the state of session "s" has 4194305 bytes, and the limit is 4194304`,
		"session": "the id of a session has 201 bytes, and the limit is 200", "key": `the idempotency key "` + name[:60] + `…" isn't a text of at most 200 bytes`,
	}
	for what, at := range map[string]func(more int) Transition{
		"key": func(more int) Transition {
			return Transition{Key: name + name[:more], Changes: []Change{change}}
		},
		"request digest": func(more int) Transition {
			return Transition{RequestDigest: strings.Repeat("d", MaxRequestDigest+more), Changes: []Change{change}}
		},
		"answer": func(more int) Transition {
			return Transition{Answer: append(state[:maxState:maxState], state[:more]...), Changes: []Change{change}}
		},
		"session": func(more int) Transition {
			return Transition{Changes: []Change{{Session: name + name[:more]}}}
		},
		"parent": func(more int) Transition {
			return Transition{Changes: []Change{{Session: "s", Parent: name + name[:more]}}}
		},
		"state": func(more int) Transition {
			return Transition{Changes: []Change{{Session: "s", State: append(state[:maxState:maxState], state[:more]...)}}}
		},
		"kept text": func(more int) Transition {
			return Transition{Changes: []Change{{Session: "s", Blobs: [][]byte{append(state[:maxState:maxState], state[:more]...)}}}}
		},
		"version": func(more int) Transition {
			return Transition{Changes: []Change{{Session: "s", Expect: AnyVersion - int64(more)}}}
		},
	} {
		if _, err := newOperation(at(0)); err != nil {
			t.Errorf("%s: at the bound: %v", what, err)
		}
		if _, err := newOperation(at(1)); !errors.Is(err, Invalid) {
			t.Errorf("%s: beyond the bound: %v", what, err)
		} else if want := said[what]; want != "" && err.Error() != want {
			t.Errorf("%s: %v, want %s", what, err, want)
		}
	}
}

// TestClippedNames: an error quotes 60 characters of a name at most, and what isn't UTF-8 in
// it as the character that stands for that.
func TestClippedNames(t *testing.T) {
	const line = "the id %q of a session isn't one line of visible text"
	for id, want := range map[string]string{
		"\xff" + strings.Repeat("ä", 59):       "\uFFFD" + strings.Repeat("ä", 59),
		"\n" + strings.Repeat("ä", 60):         "\n" + strings.Repeat("ä", 59) + "…",
		strings.Repeat("ä", 60) + "\xff\x00zz": strings.Repeat("ä", 60) + "…",
	} {
		if err := checkName(id); err == nil || err.Error() != invalid(line, want).Error() {
			t.Errorf("%q: %v, want %v", id, err, invalid(line, want))
		}
	}
}

// TestWordsOfLargeTexts: on a server a text whose words take more than half a megabyte, each
// with eight bytes beside it, is found by none of them; the engine in a file takes any.
func TestWordsOfLargeTexts(t *testing.T) {
	const most = 512 << 10
	var list []string
	for range most / 1024 {
		list = append(list, strings.Repeat("w", 1024-8))
	}
	server, file := &Engine{Postgres: true}, &Engine{}
	if got, ok := server.wordsColumn(list).([]string); !ok || len(got) != len(list) {
		t.Errorf("at the bound there are %d words of %d", len(got), len(list))
	}
	list[7] += "w"
	if got := server.wordsColumn(list); got != nil {
		t.Error("beyond the bound there are words")
	}
	if got, _ := file.wordsColumn(list).(string); strings.Count(got, " ") != len(list)-1 {
		t.Errorf("in a file there are %d words less one, of %d", strings.Count(got, " "), len(list))
	}
}

// TestMembersOfObjects: an object alone has members, each with the place of its value, and
// what can't be read to its end is an error.
func TestMembersOfObjects(t *testing.T) {
	for document, want := range map[string]string{
		`{"a": 1,"b" : "x y" , "c":{"a":2}}`: `a=1 b="x y" c={"a":2} `, `{}`: "", `null`: "", `[1, {"a": 1}]`: "", `"a"`: "", `7`: "",
	} {
		text := "before " + document + " behind"
		var got strings.Builder
		err := eachMember([]byte(text), len("before "), len("before "+document), func(key string, from, to int) { got.WriteString(key + "=" + text[from:to] + " ") })
		if err != nil || got.String() != want {
			t.Errorf("%s: %s, %v; want %s", document, got.String(), err, want)
		}
	}
	for _, broken := range []string{``, `{"a"`, `{"a":`, `{"a":1,`, `{"a":1 "b"`, `{"a":tru`, `{a:1}`} {
		if from, to, err := valueAt([]byte(broken), 0, len(broken), "b"); err == nil {
			t.Errorf("%s: b is from %d to %d", broken, from, to)
		}
	}
	if from, to, err := valueAt([]byte(`{"a":1,"b":22}`), 0, 14, "b"); err != nil || from != 11 || to != 13 {
		t.Errorf("b is from %d to %d, %v", from, to, err)
	}
}

// TestMemoryOfWriters: a writer remembers as many numbers of each kind as it says, and as many
// bytes of records, and when it forgets none of them is left.
func TestMemoryOfWriters(t *testing.T) {
	w := new(writer)
	w.forget()
	r := &recent{}
	fill := func() {
		w.texts.put(textKey{}, 1)
		w.entries.put(preparedKey{}, 1)
		w.lists.put(digest{}, 1)
		w.inputs.put(digest{}, 1)
		w.sessions.putSized(1, r, r.bytes())
		w.made.putSized(madeOf{}, r, r.bytes())
		w.last, w.epoch = r, 1
	}
	held := func() [6]int {
		return [...]int{w.texts.held, w.entries.held, w.lists.held, w.inputs.held, w.sessions.held, w.made.held}
	}
	fill()
	if got, want := held(), [...]int{1, 1, 1, 1, r.bytes(), r.bytes()}; got != want {
		t.Errorf("it holds %v, want %v", got, want)
	}
	w.forget()
	if got := held(); got != [6]int{} || w.last != nil || w.epoch != -1 {
		t.Errorf("it forgot, and holds %v, the last %v, of epoch %d", got, w.last, w.epoch)
	}
	most := [...]int{w.texts.most, w.entries.most, w.lists.most, w.inputs.most, w.sessions.most, w.made.most}
	if want := [...]int{32768, 32768, 8192, 8192, 4194304, 4194304}; most != want {
		t.Errorf("it holds at most %v, want %v", most, want)
	}
}

// TestWeightOfWhatIsRemembered: what a record is made of weighs no less than its contents, its
// names and its numbers take.
func TestWeightOfWhatIsRemembered(t *testing.T) {
	empty := new(recent).bytes()
	for what, c := range map[string]struct {
		r    recent
		more int
	}{
		"list":  {recent{list: packed{content: make([]byte, 1000)}}, 1000},
		"input": {recent{input: packed{content: make([]byte, 1000)}}, 1000},
		"texts": {recent{inputTexts: make([]storedText, 100)}, 1600},
		"names": {recent{texts: map[string]int64{strings.Repeat("n", 1000): 1, strings.Repeat("m", 500): 2}}, 1500 + 2*16},
	} {
		if got := c.r.bytes() - empty; got < c.more || empty <= 0 {
			t.Errorf("%s: %d bytes more than %d, want at least %d", what, got, empty, c.more)
		}
	}
}
