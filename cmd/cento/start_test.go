package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// A command starts for every prompt, so what a package does before main is paid
// each time. The clock would say something else on every machine; allocations
// don't.
func TestPackagesDoLittleBeforeMain(t *testing.T) {
	const most = 200
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packages := 0
	for line := range strings.Lines(string(out)) {
		// init PACKAGE @1.2 ms, 0.05 ms clock, 16 bytes, 1 allocs
		words := strings.Fields(line)
		if len(words) != 11 || words[0] != "init" {
			continue
		}
		packages++
		allocs, err := strconv.Atoi(words[9])
		if err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		if strings.HasPrefix(words[1], "github.com/cento-dev/cento/") && allocs > most {
			t.Errorf("package %s makes %d allocations before main, and %d are enough: build it when it is needed", words[1], allocs, most)
		}
	}
	if packages < 20 {
		t.Fatalf("%d packages were traced: the form of the trace has changed\n%s", packages, out)
	}
}
