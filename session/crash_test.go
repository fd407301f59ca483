package session_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

// A child process works on a session and is killed while it does, with the signal
// that nobody can handle, again and again. Each operation has the key of its
// number, and the next child goes on with the first one that wasn't acknowledged:
// it may have been done or not, and is done once either way.
//
//	CENTO_CRASH_KILLS=1000 go test ./session -run TestKilled -timeout 60m -v
//
// The seed of a run is in what it prints; CENTO_CRASH_SEED=N repeats its choices,
// though not the moments at which the signals arrive.

// crashPlace makes the binary the child: it is where the store is.
const crashPlace = "CENTO_CRASH_PLACE"

// TestMain lets the test binary be the child.
func TestMain(m *testing.M) {
	if place := os.Getenv(crashPlace); place != "" {
		if err := work(place, os.Getenv("CENTO_CRASH_FROM"), os.Getenv("CENTO_CRASH_SYSTEM")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(storetest.Main(m))
}

// acknowledged is what the child says of an operation that was answered.
type acknowledged struct {
	Op      int    `json:"op"`
	Version int64  `json:"version"`
	Epoch   int64  `json:"epoch"`
	Turn    int64  `json:"turn"`
	Record  int64  `json:"record"`
	Digest  string `json:"digest"`
	// Prompt is the digest of the prompt that a turn was asked with.
	Prompt string `json:"prompt"`
}

// The operations, by their number.
const (
	opTurn = iota
	opRemind
	opCompact
	opRematerialise
)

func kindOf(op int) int {
	switch {
	case op%11 == 10:
		return opCompact
	case op%29 == 28:
		return opRematerialise
	case op%3 == 1:
		return opRemind
	}
	return opTurn
}

func reminderOf(op int) reminder.Reminder {
	return reminder.Reminder{
		ID: fmt.Sprint("r", op), Body: fmt.Sprintf("Step %d failed.", op), TTLTurns: int64(op % 4),
		DedupeKey: []string{"", "k"}[op%2], PreserveOnCompact: op%5 == 0,
	}
}

// work is the child: it does one operation after the other, and says so.
func work(place, from, system string) error {
	ctx := context.Background()
	s, err := engines.Open(ctx, place, store.Options{})
	if err != nil {
		return err
	}
	op, err := strconv.Atoi(from)
	if err != nil {
		return err
	}
	f := project()
	f.system = system // each process would make another prompt
	p := reminder.InTurn
	service := session.New(s)
	if op == 0 {
		_, err := service.Start(ctx, session.StartRequest{ID: "s", Key: "start", Settings: session.Settings{Placement: &p, Providers: []string{"-post_compact_recap"}}}, f.source)
		if err != nil {
			return err
		}
	}
	out := json.NewEncoder(os.Stdout)
	for ; ; op++ {
		options := session.Options{Key: fmt.Sprint("op", op)}
		a := acknowledged{Op: op}
		var meta session.Meta
		switch kindOf(op) {
		case opTurn:
			t, err := service.Turn(ctx, session.TurnRequest{ID: "s", Options: options}, f.source)
			if err != nil {
				return err
			}
			meta, a.Record, a.Digest, a.Prompt = t.Meta, t.Record, *t.Digest, fmt.Sprintf("%x", sha256.Sum256([]byte(*t.System)))
		case opRemind:
			c, err := service.Remind(ctx, session.RemindRequest{ID: "s", Options: options, Reminder: reminderOf(op)})
			if err != nil {
				return err
			}
			meta = c.Meta
		case opCompact:
			c, err := service.Compact(ctx, session.CompactRequest{ID: "s", Options: options})
			if err != nil {
				return err
			}
			meta = c.Meta
		case opRematerialise:
			r, err := service.Rematerialise(ctx, session.RematerialiseRequest{ID: "s", Options: options}, f.source)
			if err != nil {
				return err
			}
			meta, a.Record, a.Digest = r.Meta, r.Record, *r.Digest
		}
		a.Version, a.Epoch, a.Turn = meta.Version, meta.Epoch, meta.Turn
		if err := out.Encode(a); err != nil {
			return err
		}
	}
}

func TestKilled(t *testing.T) { storetest.OnBoth(t, testKilled) }

func testKilled(t *testing.T, place string) {
	kills := int(number(t, "CENTO_CRASH_KILLS", 12))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	seed := number(t, "CENTO_CRASH_SEED", time.Now().UnixNano())
	random := rand.New(rand.NewSource(seed))
	var all []acknowledged
	for kill := range kills {
		child := exec.Command(self)
		child.Env = append(os.Environ(), crashPlace+"="+place, fmt.Sprint("CENTO_CRASH_FROM=", len(all)), fmt.Sprintf("CENTO_CRASH_SYSTEM=You are process %d.", kill))
		var said strings.Builder
		child.Stderr = &said
		pipe, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		// Some are killed while they open the store, the others while they work.
		lines := bufio.NewScanner(pipe)
		wait := time.Duration(random.Int63n(int64(60 * time.Millisecond)))
		if kill%4 > 0 || kill == kills-1 {
			next := func() bool {
				if !lines.Scan() {
					return false
				}
				all = append(all, read(t, lines.Bytes(), len(all)))
				return true
			}
			if !next() {
				t.Fatalf("the child ended by itself: %s", said.String())
			}
		}
		timer := time.AfterFunc(wait, func() { _ = child.Process.Kill() })
		for lines.Scan() {
			all = append(all, read(t, lines.Bytes(), len(all)))
		}
		timer.Stop()
		if err := child.Wait(); err == nil || said.Len() > 0 {
			t.Fatalf("the child wasn't killed: %v, %s", err, said.String())
		}
	}
	t.Logf("%d kills, %d operations acknowledged, seed %d", kills, len(all), seed)
	held(t, place, all)
}

// number is that of an environment variable.
func number(t *testing.T, name string, otherwise int64) int64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// read takes what the child says: operations are acknowledged in order.
func read(t *testing.T, line []byte, next int) acknowledged {
	t.Helper()
	var a acknowledged
	if err := json.Unmarshal(line, &a); err != nil || a.Op != next {
		t.Fatalf("expected operation %d, got %s (%v)", next, line, err)
	}
	return a
}

// held holds the store to what was acknowledged.
func held(t *testing.T, place string, all []acknowledged) {
	t.Helper()
	ctx := context.Background()
	s := open(t, place)
	if v, err := s.Verify(ctx, store.VerifyOptions{}); err != nil || !v.OK {
		t.Fatalf("%+v, %v", v, err)
	}
	row, err := s.Session(ctx, "s", store.Projects{})
	if err != nil {
		t.Fatal(err)
	}
	// What was answered last was done, and at most one operation more.
	base := row.Version - int64(len(all))
	if base != 2 && base != 3 {
		t.Errorf("version %d after %d operations", row.Version, len(all))
	}
	prompts := map[int64]string{} // by epoch
	model := reminder.Session{ID: "s"}
	epochs := int64(1)
	do := func(op int) {
		switch kindOf(op) {
		case opTurn:
			if model.TurnBuilt {
				model, _ = model.EndTurn()
			}
			model, _, _ = model.Built()
		case opRemind:
			model, _, _ = model.Inject(reminderOf(op))
		case opCompact:
			model, _ = model.Compact()
		case opRematerialise:
			epochs++
		}
	}
	for i, a := range all {
		do(i)
		if a.Version != int64(i)+3 || a.Turn != model.Turn || a.Epoch != epochs {
			t.Fatalf("operation %d was acknowledged as %+v, want version %d, turn %d, epoch %d", i, a, i+3, model.Turn, epochs)
		}
		if a.Digest == "" {
			continue
		}
		if before, ok := prompts[a.Epoch]; ok && before != a.Digest {
			t.Fatalf("operation %d has another prompt in epoch %d", i, a.Epoch)
		}
		prompts[a.Epoch] = a.Digest
		if kindOf(i) == opTurn && a.Prompt != a.Digest {
			t.Fatalf("operation %d was handed another text than its digest says", i)
		}
		rec, err := s.Record(ctx, "s", a.Record)
		if err != nil || rec.PromptDigest == nil || *rec.PromptDigest != a.Digest {
			t.Fatalf("the record of operation %d: %+v, %v", i, rec, err)
		}
	}
	if base == 3 {
		do(len(all))
	}
	if got, want := reminders(t, s, "s"), canonical(t, model); got != want {
		t.Errorf("the state is\n%s\nand all operations, once each, give\n%s", got, want)
	}
	made := int64(0)
	records, err := s.Records(ctx, store.RecordQuery{Session: "s"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if r.Label == "materialise" || r.Label == "rematerialise" {
			made++
		}
	}
	if made != epochs {
		t.Errorf("%d prompts were made in %d epochs", made, epochs)
	}
}
