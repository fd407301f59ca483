package session_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// countedStore counts what is read of prompts.
type countedStore struct {
	session.Store
	texts, inputs, rows int
}

func (c *countedStore) Session(ctx context.Context, id string, of store.Projects) (*store.Session, error) {
	c.rows++
	return c.Store.Session(ctx, id, of)
}

func (c *countedStore) Text(ctx context.Context, id string, seq int64) (string, bool, error) {
	c.texts++
	return c.Store.Text(ctx, id, seq)
}

func (c *countedStore) Input(ctx context.Context, id string, seq int64) (cento.Input, error) {
	c.inputs++
	return c.Store.Input(ctx, id, seq)
}

// A prompt that many sessions share is in memory once, and what is in memory is
// read once: however many sessions there are, looking for the prompt of one costs
// the same.
func TestPromptsAreShared(t *testing.T) {
	ctx := context.Background()
	f := fresh(t, storetest.SQLite(t))
	const sessions = 600
	for i := range sessions {
		f.start(fmt.Sprint("s", i), session.Settings{})
	}
	if held := f.Held(); held.Prompts != 1 || held.Texts != 1 || held.Inputs != 1 || held.Sessions != sessions || held.Bytes > 1<<20 {
		t.Errorf("%+v", held)
	}
	counted := &countedStore{Store: f.store}
	s := session.New(counted)
	for range 2 {
		for i := range sessions {
			text, ok, err := s.System(ctx, fmt.Sprint("s", i))
			if err != nil || !ok || !strings.Contains(text, "You are careful.") {
				t.Fatalf("%q, %v", text, err)
			}
		}
	}
	if counted.texts != 1 || counted.inputs != 0 || counted.rows != sessions {
		t.Errorf("%d texts, %d inputs and %d sessions were read", counted.texts, counted.inputs, counted.rows)
	}
	for i := range sessions {
		if _, err := s.Turn(ctx, session.TurnRequest{ID: fmt.Sprint("s", i)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if counted.texts != 1 || counted.inputs != 1 {
		t.Errorf("for a turn of each, %d texts and %d inputs were read", counted.texts, counted.inputs)
	}
}

// Memory is bounded by bytes alone, and the bound is kept whatever comes; what was
// used longest ago goes first, and what isn't held is read again.
func TestMemoryIsBounded(t *testing.T) {
	ctx := context.Background()
	f := fresh(t, storetest.SQLite(t))
	const sessions = 40
	for i := range sessions {
		f.files.system = fmt.Sprintf("You are number %d. %s", i, strings.Repeat("word ", 2000))
		f.start(fmt.Sprint("s", i), session.Settings{})
	}
	if held := f.Held(); held.Prompts != sessions || held.Bytes < sessions*30_000 {
		t.Fatalf("%+v for %d prompts of 10,000 bytes", held, sessions)
	}
	const most = 10
	const bound = most*11_000 + 5500 // texts alone are asked for
	counted := &countedStore{Store: f.store}
	s := session.New(counted)
	s.SetMemory(bound)
	ask := func(i int) {
		t.Helper()
		text, ok, err := s.System(ctx, fmt.Sprint("s", i))
		if err != nil || !ok || !strings.HasPrefix(text, fmt.Sprintf("You are number %d. ", i)) {
			t.Fatalf("%d: %q, %v", i, text, err)
		}
		if held := s.Held(); held.Bytes > bound || held.Texts > most || held.Prompts > 0 {
			t.Fatalf("%+v", held)
		}
	}
	for i := range sessions {
		ask(i)
		ask(sessions / 2 % (i + 1)) // used all the time, so it stays
	}
	read := counted.texts
	for i := sessions - most + 1; i < sessions; i++ {
		ask(i)
	}
	if counted.texts != read {
		t.Errorf("%d of those used last were read again", counted.texts-read)
	}
	if ask(0); counted.texts != read+1 {
		t.Errorf("what was used long ago was read %d times", counted.texts-read)
	}
	// One that fits nowhere is served all the same, and holds nothing.
	none := session.New(f.store)
	none.SetMemory(0)
	for range 2 {
		if text, ok, err := none.System(ctx, "s3"); err != nil || !ok || !strings.HasPrefix(text, "You are number 3.") {
			t.Errorf("%q, %v", text, err)
		}
	}
	if _, err := none.Turn(ctx, session.TurnRequest{ID: "s3"}, nil); err != nil {
		t.Error(err)
	}
	if held := none.Held(); held != (session.Holding{}) {
		t.Errorf("%+v", held)
	}
}

// A prompt counts the same in memory whichever way it came there, and so does what isn't in
// its text: what is left out of it takes as much.
func TestPromptsCountTheSame(t *testing.T) {
	counts := func(shown, hidden int) int {
		t.Helper()
		f := fresh(t, storetest.SQLite(t))
		source := func(context.Context, session.Reading) (cento.Input, error) {
			return cento.Input{Fragments: []cento.Fragment{
				{ID: "shown", Body: "In " + strings.Repeat("w", shown)}, {ID: "hidden", Body: "Out " + strings.Repeat("w", hidden), RequiresTools: []string{"none"}},
			}}, nil
		}
		if _, err := f.Start(t.Context(), session.StartRequest{ID: "s"}, source); err != nil {
			t.Fatal(err)
		}
		made, other := f.Held().Bytes, f.again()
		other.turn("s")
		if thawed := other.Held().Bytes; thawed != made {
			t.Errorf("of %d bytes and %d that are left out: made it counts %d, and made again %d", shown, hidden, made, thawed)
		}
		return made
	}
	const n = 10_000
	none, in, out := counts(0, 0), counts(n, 0), counts(0, n)
	if out-none < 5*n || in-out < n || in-out > 3*n { // the text is held once more, beside what it was made of
		t.Errorf("%d bytes that are shown count %d, and that are left out %d", n, in-none, out-none)
	}
}

// crowdedStore holds back who reads inputs until so many do.
type crowdedStore struct {
	session.Store
	mu       sync.Mutex
	now, top int
	crowd    chan struct{} // closed when there are enough
	enough   sync.Once
}

func (c *crowdedStore) Input(ctx context.Context, id string, seq int64) (cento.Input, error) {
	c.mu.Lock()
	c.now++
	if c.top = max(c.top, c.now); c.now == session.MostThawing {
		c.enough.Do(func() { close(c.crowd) })
	}
	c.mu.Unlock()
	<-c.crowd
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.now--
	}()
	return c.Store.Input(ctx, id, seq)
}

// However many ask for prompts that aren't held, so many are made again at a time and no
// more; all get theirs.
func TestThawingIsBounded(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	const sessions = 2 * session.MostThawing
	for i := range sessions {
		f.files.system = fmt.Sprintf("You are number %d.", i)
		f.start(fmt.Sprint("s", i), session.Settings{})
	}
	crowded := &crowdedStore{Store: f.store, crowd: make(chan struct{})}
	s := session.New(crowded)
	var wg sync.WaitGroup
	for i := range sessions {
		wg.Go(func() {
			turn, err := s.Turn(t.Context(), session.TurnRequest{ID: fmt.Sprint("s", i)}, nil)
			if err != nil || !strings.HasPrefix(*turn.System, fmt.Sprintf("You are number %d.", i)) {
				t.Errorf("%d: %+v, %v", i, turn, err)
			}
		})
	}
	wg.Wait()
	if crowded.top != session.MostThawing {
		t.Errorf("%d were made again at a time, want %d", crowded.top, session.MostThawing)
	}
}

// A text that is taken out of the store isn't handed out of memory any more, nor
// recorded again: neither for the session whose prompt it was, nor for one that
// shares the prompt.
func TestRedactedIsForgotten(t *testing.T) {
	ctx := context.Background()
	f := begin(t, storetest.SQLite(t), placed(reminder.InTurn))
	f.start("twin", placed(reminder.InTurn))
	f.turn("s")
	if _, err := f.store.Redact(ctx, store.RedactOptions{Fragment: "project:instructions"}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"s", "twin"} {
		head := f.head(id)
		if turn, err := f.Turn(ctx, session.TurnRequest{ID: id}, f.files.source); !errors.Is(err, store.Redacted) || f.head(id) != head {
			t.Errorf("%s: %+v, %v", id, turn, err)
		}
	}
	// Made anew, the prompt holds the text again, on purpose and on record.
	if _, err := f.Rematerialise(ctx, session.RematerialiseRequest{ID: "s"}, f.files.source); err != nil {
		t.Fatal(err)
	}
	if turn := f.turn("s"); !strings.Contains(text(turn.System), "Run the tests.") {
		t.Errorf("%+v", turn)
	}
	if _, err := f.Turn(ctx, session.TurnRequest{ID: "twin"}, nil); !errors.Is(err, store.Redacted) {
		t.Errorf("%v", err)
	}
}

// What a service says that it holds is about what it does hold.
func TestMemoryIsTold(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	const sessions = 100
	text := strings.Repeat("word ", 4000)
	measure := func() int {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	for i := range sessions {
		f.files.system = fmt.Sprintf("You are number %d. %s", i, text)
		f.start(fmt.Sprint("s", i), session.Settings{})
	}
	for what, ask := range map[string]func(*session.Service, string) error{
		"texts": func(s *session.Service, id string) error { return third(s.System(t.Context(), id)) },
		"turns": func(s *session.Service, id string) error {
			return second(s.Turn(t.Context(), session.TurnRequest{ID: id}, nil))
		},
	} {
		for i := range sessions { // so that the store holds what it will
			if _, err := f.Turn(t.Context(), session.TurnRequest{ID: fmt.Sprint("s", i)}, nil); err != nil {
				t.Fatal(err)
			}
		}
		s := session.New(f.store)
		before := measure()
		for i := range sessions {
			if err := ask(s, fmt.Sprint("s", i)); err != nil {
				t.Fatal(err)
			}
		}
		took := measure() - before
		if held := s.Held(); held.Sessions != sessions || took > 2*held.Bytes || held.Bytes > 8*took {
			t.Errorf("%s take %d bytes, and told are %+v", what, took, held)
		} else {
			t.Logf("%s take %d bytes, and told are %+v", what, took, held)
		}
		runtime.KeepAlive(s)
	}
}

// Sessions whose prompts were made at different times share all that doesn't depend on
// the time, in the service that made them and in one that finds them in the store: each
// that reads the date those of its day, each that reads the time nothing but its text.
// What is recorded of each has its own clock all the same.
func TestClocksAreShared(t *testing.T) { storetest.OnBoth(t, testClocksAreShared) }

func testClocksAreShared(t *testing.T, place string) {
	const sessions = 12 // on three days
	begin := time.Date(2026, 5, 1, 0, 0, 0, 5, time.FixedZone("", 2*60*60))
	for template, want := range map[string]session.Holding{
		"You are careful.":                           {Texts: 1, Prompts: 1, Inputs: sessions, Sessions: sessions},
		"It is {{ date }}.":                          {Texts: 3, Prompts: 3, Inputs: sessions, Sessions: sessions},
		"It is {{ time }}.":                          {Texts: 4, Prompts: sessions, Inputs: sessions, Sessions: sessions},
		"{% if date < '2000' %}Old{% endif %} Work.": {Texts: 1, Prompts: 3, Inputs: sessions, Sessions: sessions},
	} {
		f := fresh(t, place)
		name := fmt.Sprintf("%x-", template)
		now := func(i int) time.Time { return begin.Add(time.Duration(i) * 6 * time.Hour) }
		texts := map[string]string{}
		for i := range sessions {
			source := func(context.Context, session.Reading) (cento.Input, error) {
				return cento.Input{
					Fragments: []cento.Fragment{{ID: "clock", Template: "$workspace/clock"}},
					Files:     cento.Files{Now: now(i), Sources: map[string]string{"$workspace/clock.md": template}},
				}, nil
			}
			id := name + fmt.Sprint(i)
			if _, err := f.Start(t.Context(), session.StartRequest{ID: id, Settings: placed(reminder.InTurn)}, source); err != nil {
				t.Fatal(err)
			}
			in, _ := source(t.Context(), session.Reading{})
			p, err := pack.Reduce(in)
			if err != nil {
				t.Fatal(err)
			}
			texts[id], _ = p.System()
		}
		later := f.again()
		for what, s := range map[string]*fixture{"made": f, "found": later} {
			for range 2 {
				for id, text := range texts {
					turn := s.turn(id)
					if *turn.System != text {
						t.Errorf("%s, %q: a turn of %s has %q, want %q", what, template, id, *turn.System, text)
					}
					if got, _, err := s.System(t.Context(), id); err != nil || got != text {
						t.Errorf("%s, %q: %s has %q, want %q, %v", what, template, id, got, text, err)
					}
					var i int
					if _, err := fmt.Sscanf(id, name+"%d", &i); err != nil {
						t.Fatal(err)
					}
					in, err := f.store.Input(t.Context(), id, turn.Record)
					if err != nil || !in.Files.Now.Equal(now(i)) {
						t.Errorf("%s, %q: a turn of %s is recorded with the clock %s, want %s, %v", what, template, id, in.Files.Now, now(i), err)
					}
					if view, err := s.View(t.Context(), id); err != nil || !view.Input.Files.Now.Equal(now(i)) {
						t.Errorf("%s, %q: the view of %s has the clock %s, want %s, %v", what, template, id, view.Input.Files.Now, now(i), err)
					}
				}
			}
			got := s.Held()
			got.Bytes = 0
			if got != want {
				t.Errorf("%s, %q: held are %+v, want %+v", what, template, got, want)
			}
		}
		if v, err := f.store.Verify(t.Context(), store.VerifyOptions{}); err != nil || len(v.Faults) > 0 {
			t.Errorf("%q: %+v, %v", template, v, err)
		}
	}
}

// The order in which sessions are used, made anew and begun changes nothing of
// what each of them gives, however little is held.
func TestMemoryLaws(t *testing.T) {
	f := fresh(t, storetest.SQLite(t))
	ctx := context.Background()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		s := session.New(f.store)
		s.SetMemory(rapid.SampledFrom([]int{0, 30_000, 60_000, 1 << 20}).Draw(t, "memory"))
		want := map[string]string{}
		source := func(words string) session.Source {
			return func(context.Context, session.Reading) (cento.Input, error) {
				return cento.Input{Primary: cento.Primary{System: &cento.Text{Body: words}}}, nil
			}
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			id := fmt.Sprintf("s%d-%d", n, rapid.IntRange(0, 3).Draw(t, "session"))
			words := "You are " + rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "words") + "."
			if _, begun := want[id]; !begun {
				if _, err := s.Start(ctx, session.StartRequest{ID: id}, source(words)); err != nil {
					t.Fatal(err)
				}
				want[id] = words
			} else if rapid.Bool().Draw(t, "anew") {
				if _, err := s.Rematerialise(ctx, session.RematerialiseRequest{ID: id}, source(words)); err != nil {
					t.Fatal(err)
				}
				want[id] = words
			}
			for id, words := range want {
				if text, _, err := s.System(ctx, id); err != nil || text != words {
					t.Fatalf("%s gives %q, and %q was made, %v", id, text, words, err)
				}
				if turn, err := s.Turn(ctx, session.TurnRequest{ID: id}, nil); err != nil || *turn.System != words {
					t.Fatalf("a turn of %s: %+v, %v; %q was made", id, turn, err, words)
				}
			}
		}
	})
}

// A session that nobody asks for takes little memory beside what is stored of it: of
// those that share a prompt, a name and where the prompt is. Nor does a turn of one that
// was idle ask for more than one of a session that had the turn before.
func TestIdleSessionsAreSmall(t *testing.T) {
	lengthtest.NotShort(t, "it measures the memory of a thousand sessions")
	ctx := context.Background()
	f := fresh(t, storetest.SQLite(t))
	f.files.system = strings.Repeat("You are careful. ", 2000)
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	begin := func(from, to int) {
		var wg sync.WaitGroup
		next := make(chan int)
		for range 32 {
			wg.Go(func() {
				for i := range next {
					from := *f.files
					id := fmt.Sprint("s", i)
					if _, err := f.Start(ctx, session.StartRequest{ID: id}, from.source); err != nil {
						t.Error(err)
					} else if _, err := f.Turn(ctx, session.TurnRequest{ID: id}, nil); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for i := from; i < to; i++ {
			next <- i
		}
		close(next)
		wg.Wait()
	}
	const warm, more, most = 600, 1000, 4 << 10
	begin(0, warm) // what the store holds of those that were written last is bounded, too
	before := heap()
	begin(warm, warm+more)
	if each := (heap() - before) / more; each > most {
		t.Errorf("an idle session takes %d bytes, and %d are promised", each, most)
	} else {
		t.Logf("%d bytes for each idle session", each)
	}
	turns := func(of int) float64 {
		i := 0
		return testing.AllocsPerRun(100, func() {
			if _, err := f.Turn(ctx, session.TurnRequest{ID: fmt.Sprint("s", i%of)}, nil); err != nil {
				t.Error(err)
			}
			i++
		})
	}
	if among, alone := turns(warm+more), turns(1); among > 1.3*alone {
		t.Errorf("a turn of one session among many asks for memory %.0f times, and of one that goes on %.0f times", among, alone)
	} else {
		t.Logf("a turn among many sessions: %.0f allocations; of one: %.0f", among, alone)
	}
	runtime.KeepAlive(f)
}
