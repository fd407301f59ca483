package profile

import (
	"slices"
	"testing"
)

func TestSubmodules(t *testing.T) {
	text := "[submodule \"engine\"]\n\tpath = third_party/engine/\n\turl = ../engine.git\n" +
		"[submodule \"data\"]\n\tpath = \"data set\"\n[submodule \"out\"]\n\tpath = ../out\n[submodule \"top\"]\n\tpath = /top\n" +
		"[core]\n\tpath = core\n[submodule \"again\"]\n\tpath = ./third_party/engine\n[submodule \"here\"]\n\tpath = .\n"
	if got, want := Submodules(text), []string{"data set", "third_party/engine"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
