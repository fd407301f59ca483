package cli_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/cli"
)

// peakFile names the variable of the environment that makes this test program run as
// cento and write the most memory that it had into a file. What the system says to
// whoever waits for a process won't do: on Linux it is at least the memory of that
// one, whose pages the process had until it became another program.
const peakFile = "CENTO_TEST_PEAK"

// runForPeak runs cento if it is asked to.
func runForPeak() (code int, asked bool) {
	file := os.Getenv(peakFile)
	if file == "" {
		return 0, false
	}
	code = cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		err = os.WriteFile(file, status, 0o600)
	}
	if err != nil {
		panic(err)
	}
	return code, true
}

// readPeak returns the bytes that runForPeak told of.
func readPeak(t *testing.T, file string) float64 {
	t.Helper()
	status, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	line, _, _ := strings.Cut(rest, " kB")
	kilobytes, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
	if err != nil || kilobytes < 1024 {
		t.Fatalf("the most memory is %q: %v", line, err)
	}
	return kilobytes * 1024
}
