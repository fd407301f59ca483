package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

// The tests of this file kill a program that writes, again and again, and look
// at what it left. The program is this test binary, started with the place of a
// store in its environment. It says on stdout what was acknowledged, line by
// line; what it said must be there.
//
//	CENTO_CRASH_KILLS=2000 go test ./store -run TestKill -timeout 60m -v
//
// The seed of a run is in what it prints; CENTO_CRASH_SEED=N repeats its choices,
// though not the moment that the scheduler makes of them.

const (
	crashPlace = "CENTO_CRASH_PLACE" // makes the binary the program that is killed
	crashSeed  = "CENTO_CRASH_SEED"
	crashKills = "CENTO_CRASH_KILLS"

	killsPerStore = 25 // then a new one, so that the making of one is met, too
	writers       = 3  // of each kind
)

func TestMain(m *testing.M) {
	if place := os.Getenv(crashPlace); place != "" {
		os.Exit(victim(place))
	}
	if place := os.Getenv(holdPlace); place != "" {
		os.Exit(hold(place))
	}
	os.Exit(storetest.Main(m))
}

// victim writes until it is killed.
func victim(place string) int {
	ctx := context.Background()
	seed, err := strconv.ParseUint(os.Getenv(crashSeed), 10, 64)
	if err != nil {
		fmt.Println("bad seed:", err)
		return 2
	}
	s, err := engines.Open(ctx, place, store.Options{})
	if err != nil {
		fmt.Println("bad open:", err)
		return 2
	}
	say("open")
	var all sync.WaitGroup
	for k := range writers {
		for i, write := range []func(context.Context, *store.Store, *rand.Rand, int) error{writePairs, liveSession, appendShared} {
			all.Go(func() {
				r := rand.New(rand.NewPCG(seed, uint64(10*k+i)))
				if err := write(ctx, s, r, k); err != nil {
					say("bad writer %d of kind %d: %v", k, i, err)
				}
			})
		}
	}
	all.Wait()
	return 2
}

// say writes one line in one piece, so that a line is there or isn't.
func say(format string, args ...any) {
	if _, err := os.Stdout.WriteString(fmt.Sprintf(format, args...) + "\n"); err != nil {
		os.Exit(3) // nobody listens
	}
}

func pairName(k int) string { return fmt.Sprintf("pair-%d", k) }
func lifeName(k int) string { return fmt.Sprintf("life-%d", k) }

// writePairs changes two sessions together: each transition counts on in both
// and records a prompt in both. It begins by asking again for the last one that
// it finds, which must be known.
func writePairs(ctx context.Context, s *store.Store, _ *rand.Rand, k int) error {
	a, b := pairName(k)+"-a", pairName(k)+"-b"
	commit := func(n int64) (*store.Committed, error) {
		d, err := draftOf(fmt.Sprintf("pair %d, %d", k, n))
		if err != nil {
			return nil, err
		}
		state := fmt.Appendf(nil, `{"n":%d}`, n)
		return s.Commit(ctx, store.Transition{Key: fmt.Sprint("n", n), Answer: state, Changes: []store.Change{
			{Session: a, Expect: n - 1, State: state, Drafts: []store.Draft{d}}, {Session: b, Expect: n - 1, State: state, Drafts: []store.Draft{d}},
		}})
	}
	var n int64
	switch x, err := s.Session(ctx, a, store.Projects{}); {
	case errors.Is(err, store.UnknownSession):
	case err != nil:
		return err
	default:
		n = x.Version
		done, err := commit(n)
		if err != nil || !done.Replayed || string(done.Answer) != fmt.Sprintf(`{"n":%d}`, n) {
			return fmt.Errorf("transition %d was done, and asked again: %+v, %w", n, done, err)
		}
	}
	for {
		n++
		done, err := commit(n)
		if err != nil || done.Replayed {
			return fmt.Errorf("transition %d: %+v, %w", n, done, err)
		}
		say("pair %d %d %s %s", k, n, done.Records[0].Hash, done.Records[1].Hash)
	}
}

// liveSession lives the life of a session.
func liveSession(ctx context.Context, s *store.Store, r *rand.Rand, k int) error {
	w := worldOf(ctx, s)
	w.NewID = func() (string, error) { return fmt.Sprintf("%016x", r.Uint64()), nil }
	id := lifeName(k)
	var begun *session.Started
	switch shown, err := w.Show(ctx, id); {
	case errors.Is(err, store.UnknownSession):
		if begun, err = w.Start(ctx, session.StartRequest{ID: id}, sourceOf("start")); err != nil {
			return err
		}
	case err != nil:
		return err
	case shown.Epoch == 0: // it was killed between the session and its prompt
		if begun, err = w.Materialise(ctx, id, sourceOf("materialise")); err != nil {
			return err
		}
	}
	if begun != nil {
		say("life %d %d %d", k, begun.Version, begun.Epoch)
	}
	for i := 0; ; i++ {
		var m session.Meta
		switch r.IntN(5) {
		case 0:
			out, err := w.Rematerialise(ctx, session.RematerialiseRequest{ID: id}, sourceOf(fmt.Sprintf("epoch of %d, %d", k, r.Uint32())))
			if err != nil {
				return err
			}
			m = out.Meta
		case 1:
			out, err := w.Compact(ctx, session.CompactRequest{ID: id})
			if err != nil {
				return err
			}
			m = out.Meta
		case 2:
			out, err := w.Turn(ctx, session.TurnRequest{ID: id}, sourceOf("turn"))
			if err != nil {
				return err
			}
			m = out.Meta
		default:
			out, err := w.Remind(ctx, remindRequest(id, fmt.Sprintf("r%016x", r.Uint64())))
			if err != nil {
				return err
			}
			m = out.Meta
		}
		say("life %d %d %d", k, m.Version, m.Epoch)
	}
}

// appendShared appends to one session that all writers share.
func appendShared(ctx context.Context, s *store.Store, r *rand.Rand, k int) error {
	for {
		d, err := draftOf(fmt.Sprintf("shared by %d, %d", k, r.Uint32()))
		if err != nil {
			return err
		}
		done, err := s.Append(ctx, "shared", d)
		if err != nil {
			return err
		}
		say("shared %d %s", done[0].Seq, done[0].Hash)
	}
}

// acknowledged is what a store has promised to hold.
type acknowledged struct {
	pairs  map[int]int64
	lives  map[int]session.Meta
	heads  []store.Stored // every record since the last look
	shared int64
	lines  int
}

func (a *acknowledged) take(line string) error {
	var k int
	var n, epoch int64
	var first, second string
	switch kind, rest, _ := strings.Cut(line, " "); kind {
	case "open":
		return nil
	case "pair":
		if _, err := fmt.Sscan(rest, &k, &n, &first, &second); err != nil {
			return err
		}
		a.pairs[k] = n
		for side, hash := range map[string]string{"-a": first, "-b": second} {
			a.heads = append(a.heads, store.Stored{Session: pairName(k) + side, Link: store.Link{Seq: n, Hash: hash}})
		}
	case "life":
		if _, err := fmt.Sscan(rest, &k, &n, &epoch); err != nil {
			return err
		}
		a.lives[k] = session.Meta{Version: n, Epoch: epoch}
	case "shared":
		if _, err := fmt.Sscan(rest, &n, &first); err != nil {
			return err
		}
		a.heads = append(a.heads, store.Stored{Session: "shared", Link: store.Link{Seq: n, Hash: first}})
		a.shared = max(a.shared, n)
	default:
		return fmt.Errorf("the program says: %s", line)
	}
	a.lines++
	return nil
}

// killed starts the program and kills it, at a moment that is chosen at random:
// a while after its start, a while after the store is open, or after a number of
// acknowledgements. It tells whether the store was open by then.
func (a *acknowledged) killed(place string, seed uint64) (opened bool, err error) {
	r := rand.New(rand.NewPCG(seed, 1))
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashPlace+"="+place, fmt.Sprintf("%s=%d", crashSeed, seed))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	slow := time.Duration(1)
	if store.RaceDetector {
		slow = 5
	}
	afterOpen, afterLines := time.Duration(0), 0
	timer := time.AfterFunc(time.Hour, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	if err := cmd.Start(); err != nil {
		return false, err
	}
	switch r.IntN(5) {
	case 0:
		timer.Reset(slow * time.Duration(r.IntN(60)) * time.Millisecond)
	case 1, 2:
		afterOpen = slow * time.Duration(1+r.IntN(30_000)) * time.Microsecond
	default:
		afterLines = 1 + r.IntN(40)
	}
	before := a.lines
	lines := bufio.NewReader(out)
	for {
		line, readErr := lines.ReadString('\n')
		if readErr != nil {
			if !errors.Is(readErr, io.EOF) {
				err = readErr
			}
			break
		}
		line = strings.TrimSuffix(line, "\n")
		if err = a.take(line); err != nil {
			_ = cmd.Process.Kill()
			break
		}
		if line == "open" && afterOpen > 0 {
			timer.Reset(afterOpen)
		}
		opened = opened || line == "open"
		if afterLines > 0 && a.lines-before == afterLines {
			_ = cmd.Process.Kill()
		}
	}
	waited := cmd.Wait()
	if err == nil && cmd.ProcessState.Exited() {
		err = fmt.Errorf("the program ended by itself: %w", waited)
	}
	return opened, err
}

// crashCount is what many kills showed.
type crashCount struct {
	kills, early, inFlight int
	lines                  int
	records                int64
}

// check opens a store as any program would, and proves what was promised.
func (a *acknowledged) check(t *testing.T, place string, n *crashCount) {
	t.Helper()
	s, err := engines.Open(t.Context(), place, store.Options{})
	if err != nil {
		t.Fatalf("it can't be opened any more: %v", err)
	}
	defer s.Close()
	v := verified(t, s, a.heads...)
	n.records = v.Records
	a.heads = nil
	heads := map[string]int64{}
	for _, h := range v.Heads {
		heads[h.Session] = h.Seq
	}
	if heads["shared"] < a.shared {
		t.Errorf("of the shared session %d records were acknowledged, and %d are there", a.shared, heads["shared"])
	}
	for k := range writers {
		a.checkPair(t, s, k, n)
		a.checkLife(t, s, k)
	}
}

func (a *acknowledged) checkPair(t *testing.T, s *store.Store, k int, n *crashCount) {
	t.Helper()
	one, err := s.Session(t.Context(), pairName(k)+"-a", store.Projects{})
	two, err2 := s.Session(t.Context(), pairName(k)+"-b", store.Projects{})
	if errors.Is(err, store.UnknownSession) && errors.Is(err2, store.UnknownSession) && a.pairs[k] == 0 {
		return
	}
	if err := errors.Join(err, err2); err != nil {
		t.Errorf("pair %d: %v", k, err)
		return
	}
	if string(one.State) != string(two.State) || one.Version != two.Version || one.Head.Seq != one.Version || two.Head.Seq != two.Version || string(one.State) != fmt.Sprintf(`{"n":%d}`, one.Version) {
		t.Errorf("pair %d is between two states: %s at %d with record %d, %s at %d with record %d", k, one.State, one.Version, one.Head.Seq, two.State, two.Version, two.Head.Seq)
	}
	switch one.Version - a.pairs[k] {
	case 0:
	case 1: // it was under way
		n.inFlight++
	default:
		t.Errorf("pair %d: %d was acknowledged last, and %d is there", k, a.pairs[k], one.Version)
	}
	a.pairs[k] = one.Version
}

func (a *acknowledged) checkLife(t *testing.T, s *store.Store, k int) {
	t.Helper()
	w := worldOf(t.Context(), s)
	id := lifeName(k)
	shown, err := w.Show(t.Context(), id)
	if errors.Is(err, store.UnknownSession) && a.lives[k].Version == 0 {
		return
	}
	if err != nil {
		t.Errorf("life %d: %v", k, err)
		return
	}
	if was := a.lives[k]; shown.Version < was.Version || was.Version > 0 && shown.Version > was.Version+1 || shown.Epoch < was.Epoch {
		t.Errorf("life %d: version %d, epoch %d were acknowledged last, and %d, %d are there", k, was.Version, was.Epoch, shown.Version, shown.Epoch)
	}
	list, err := s.Records(t.Context(), store.RecordQuery{Session: id})
	if err != nil {
		t.Error(err)
	}
	var epochs int64
	for _, r := range list {
		if strings.Contains(r.Label, "materialise") {
			epochs++
		}
	}
	if epochs != shown.Epoch {
		t.Errorf("life %d: epoch %d, and %d prompts", k, shown.Epoch, epochs)
	}
	if shown.Epoch > 0 {
		rec, err := s.Record(t.Context(), id, shown.Record)
		if err != nil || shown.Digest == nil || rec.PromptDigest == nil || *rec.PromptDigest != *shown.Digest {
			t.Errorf("life %d: its prompt is record %d with digest %v, which is %+v, %v", k, shown.Record, shown.Digest, rec, err)
		}
	}
	a.lives[k] = shown.Meta
}

// TestKill kills a program that writes, and proves each time that nothing that
// was acknowledged is lost, no chain forked, and no transition is done by half.
func TestKill(t *testing.T) {
	kills := lengthtest.Of(3, 4, 200)
	if store.RaceDetector {
		kills = min(kills, 20)
	}
	if n := os.Getenv(crashKills); n != "" {
		var err error
		if kills, err = strconv.Atoi(n); err != nil {
			t.Fatal(err)
		}
	}
	seed := rand.Uint64() >> 1
	if n := os.Getenv(crashSeed); n != "" {
		var err error
		if seed, err = strconv.ParseUint(n, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	store.OnBoth(t, func(t *testing.T, first string) {
		var n crashCount
		total := int64(0)
		place, a := first, newAcknowledged()
		for n.kills < kills && !t.Failed() {
			if n.kills > 0 && n.kills%killsPerStore == 0 {
				total += n.records
				n.lines += a.lines
				place, a = another(t, place), newAcknowledged()
			}
			step := seed + uint64(n.kills)
			opened, err := a.killed(place, step)
			if err != nil {
				t.Errorf("%v", err)
			}
			if n.kills++; !opened {
				n.early++
			}
			if a.check(t, place, &n); t.Failed() {
				t.Logf("kill %d; CENTO_CRASH_SEED=%d makes it the first", n.kills, step)
			}
		}
		t.Logf("seed %d: %d kills, %d of them before the store was open; %d transitions acknowledged, %d records, none lost; %d times a transition under way turned out to be done",
			seed, n.kills, n.early, n.lines+a.lines, total+n.records, n.inFlight)
	})
}

func newAcknowledged() *acknowledged {
	return &acknowledged{pairs: map[int]int64{}, lives: map[int]session.Meta{}}
}

// another is a new place on the same engine.
func another(t *testing.T, place string) string {
	if strings.HasPrefix(place, "postgres") {
		return store.PostgresPlace(t)
	}
	return store.SQLitePlace(t)
}
