package session_test

import (
	"context"
	"strings"
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
