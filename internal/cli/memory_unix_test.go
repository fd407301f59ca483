//go:build unix

package cli_test

import (
	"os"
	"runtime"
	"syscall"
)

// mostMemory is the most memory that a process had, in megabytes.
func mostMemory(p *os.ProcessState) float64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(usage.Maxrss) / (1 << 20) // in bytes there
	}
	return float64(usage.Maxrss) / (1 << 10)
}
