package cli_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// TestServeIdleConnections: ten thousand connections that say nothing, or begin a request
// and stop, keep nobody else from an answer and take little memory. Where a process may
// not open so many files it is as many as it may.
func TestServeIdleConnections(t *testing.T) {
	lengthtest.OnlyLong(t, "it opens thousands of connections")
	var limit syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	most := 10_000
	if most > int(limit.Cur)-1000 { // what both ends have open besides
		most = int(limit.Cur) - 1000
	}
	if most < 100 {
		t.Skipf("%d files may be open", limit.Cur)
	}
	s := serveProcess(t)
	before := s.resident(t)
	address := strings.TrimPrefix(s.base, "http://")
	for i := range most {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		must(t, err)
		defer c.Close()
		if i%2 == 1 {
			_, err = fmt.Fprintf(c, "GET /v1/projects HTTP/1.1\r\nHost: %s\r\nX-", address)
			must(t, err)
		}
	}
	for range 20 {
		s.want(http.StatusOK, http.MethodPost, "/v1/tokens", `{"texts": ["a"]}`)
		s.want(http.StatusOK, http.MethodGet, "/readyz", "")
	}
	after := s.resident(t)
	t.Logf("%d connections (%d files may be open): %.0f MB, and %.0f MB before", most, limit.Cur, float64(after)/1e6, float64(before)/1e6)
	if each := (after - before) / int64(most); each > 40<<10 {
		t.Errorf("a connection takes %d bytes", each)
	}
}

// resident is the memory that the process has.
func (s *service) resident(t *testing.T) int64 {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.cmd.Process.Pid))
	must(t, err)
	pages, err := strconv.ParseInt(strings.Fields(string(b))[1], 10, 64)
	must(t, err)
	return pages * int64(os.Getpagesize())
}
