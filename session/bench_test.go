package session_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
)

// BenchmarkMaterialised: what a turn costs on top of the agent's own work, with
// a prompt of 32 KiB that was made before.
func BenchmarkMaterialised(b *testing.B) {
	f := fresh(b, storetest.SQLite(b))
	f.files.system = strings.Repeat("You are careful, and say so. ", 32<<10/29+1)
	f.start("s", placed(reminder.InTurn))
	ctx := context.Background()
	text, ok, err := f.System(ctx, "s")
	if want := f.files.system; err != nil || !ok || len(text) < 32<<10 || !strings.HasPrefix(text, strings.TrimSpace(want)) || !strings.HasSuffix(text, f.files.instructions) {
		b.Fatalf("%d bytes, %v", len(text), err)
	}
	b.Run("served from memory", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, ok, err := f.System(ctx, "s"); err != nil || !ok {
				b.Fatal(err)
			}
		}
	})
	b.Run("read from the store", func(b *testing.B) {
		for b.Loop() {
			if _, ok, err := f.again().System(ctx, "s"); err != nil || !ok {
				b.Fatal(err)
			}
		}
	})
	b.Run("a whole turn, durable", func(b *testing.B) {
		f.remind("s", reminder.Reminder{Body: "Tests are red.", DedupeKey: "tests"})
		for b.Loop() {
			if _, err := f.Turn(ctx, session.TurnRequest{ID: "s"}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkTurn is the path of an agent's turn, in the store and back, for a session
// among as many: it costs the same however many there are, and however long each is.
func BenchmarkTurn(b *testing.B) {
	ctx := context.Background()
	begin := func(b *testing.B, n int, distinct bool) (*fixture, func(i int)) {
		f := fresh(b, storetest.SQLite(b))
		f.files.system = strings.Repeat("You are careful, and say so. ", 32<<10/29+1)
		var wg sync.WaitGroup
		next := make(chan int)
		for range 64 { // what is committed at the same time shares a transaction
			wg.Go(func() {
				for i := range next {
					from := *f.files
					if distinct {
						from.system = fmt.Sprint(i, " ", f.files.system)
					}
					r := session.StartRequest{ID: fmt.Sprint("s", i), Settings: placed(reminder.InTurn)}
					if _, err := f.Start(ctx, r, from.source); err != nil {
						b.Error(err)
					}
				}
			})
		}
		for i := range n {
			next <- i
		}
		close(next)
		wg.Wait()
		turn := func(i int) {
			if _, err := f.Turn(ctx, session.TurnRequest{ID: fmt.Sprint("s", i%n)}, nil); err != nil {
				b.Fatal(err)
			}
		}
		for i := range min(n, 2000) {
			turn(i)
		}
		return f, turn
	}
	for _, n := range []int{1, 1000, 10_000} {
		b.Run(fmt.Sprintf("sessions=%d", n), func(b *testing.B) {
			_, turn := begin(b, n, false)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				turn(i)
			}
		})
	}
	b.Run("history=5000", func(b *testing.B) {
		_, turn := begin(b, 1, false)
		for range 5000 {
			turn(0)
		}
		b.ReportAllocs()
		for b.Loop() {
			turn(0)
		}
	})
	// Prompts of their own, more than are held: each turn reads its prompt from the store.
	b.Run("missed", func(b *testing.B) {
		f, turn := begin(b, 64, true)
		f.Service.SetMemory(1 << 20)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			turn(i)
		}
	})
}
