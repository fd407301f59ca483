package tests

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// outputsVariable names the file that a child of TestSameBytesElsewhere writes
// its outputs to.
const outputsVariable = "CENTO_TEST_OUTPUTS"

// TestSameBytesElsewhere: another process, with another number of threads, time
// zone, locale and seed of its hashes, gives the same outputs for every case.
func TestSameBytesElsewhere(t *testing.T) {
	lengthtest.NotShort(t, "runs every case of conformance in two processes")
	got := map[string]map[string]string{}
	for _, c := range conformanceCases(t) {
		got[c.name] = c.run(t)
	}
	if file := os.Getenv(outputsVariable); file != "" {
		data, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	others := [][]string{
		{"GOMAXPROCS=1", "TZ=UTC", "LC_ALL=C"},
		{"GOMAXPROCS=7", "TZ=Asia/Kathmandu", "LC_ALL=tr_TR.UTF-8", "LANGUAGE=tr"},
		{"GOMAXPROCS=2", "TZ=America/St_Johns", "LC_ALL=de_DE.ISO-8859-1", "GOGC=1"},
	}
	for _, env := range others[lengthtest.Of(1, 1, 0):lengthtest.Of(2, 2, len(others))] {
		t.Run(env[0]+" "+env[1], func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "outputs.json")
			child := exec.Command(program, "-test.run=^TestSameBytesElsewhere$", "-test.count=1")
			child.Env = append(append(os.Environ(), outputsVariable+"="+file), env...)
			if out, err := child.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var there map[string]map[string]string
			if err := json.Unmarshal(data, &there); err != nil {
				t.Fatal(err)
			}
			if len(there) != len(got) {
				t.Fatalf("%d cases there, %d here", len(there), len(got))
			}
			for _, name := range slices.Sorted(maps.Keys(got)) {
				if !maps.Equal(got[name], there[name]) {
					t.Errorf("%s differs:\nhere:  %q\nthere: %q", name, got[name], there[name])
				}
			}
		})
	}
}
