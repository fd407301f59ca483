package lengthtest_test

import (
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
)

func TestWanted(t *testing.T) {
	t.Setenv("CENTO_LONG", "")
	want := lengthtest.Usual
	if testing.Short() {
		want = lengthtest.Short
	}
	if got := lengthtest.Wanted(); got != want {
		t.Errorf("length %d, want %d", got, want)
	}
	if got := lengthtest.Of("short", "usual", "long"); got != [...]string{"short", "usual"}[want] {
		t.Errorf("the value is %q", got)
	}
	if t.Run("only long", func(t *testing.T) {
		lengthtest.OnlyLong(t, "")
		t.Error("it runs")
	}); t.Failed() {
		return
	}
	t.Setenv("CENTO_LONG", "1")
	ran := false
	t.Run("long", func(t *testing.T) {
		lengthtest.NotShort(t, "")
		lengthtest.OnlyLong(t, "")
		ran = true
	})
	if !ran || lengthtest.Wanted() != lengthtest.Long || lengthtest.Of(1, 2, 3) != 3 {
		t.Error("CENTO_LONG leaves something out")
	}
}
