package pacetest

import (
	"testing"
	"time"
)

func TestSecond(t *testing.T) {
	if s := Second(); s < time.Second || s > time.Minute {
		t.Errorf("a second of this machine is %v", s)
	}
	if sink == 0 {
		t.Error("nothing was worked on")
	}
}

func BenchmarkWork(b *testing.B) {
	for b.Loop() {
		work()
	}
}
