package serve

import (
	"net/netip"
	"testing"
)

// TestNames: a service goes by its address with its port and by what was allowed, and by
// localhost only where it listens on this machine alone.
func TestNames(t *testing.T) {
	loopback := names{[]string{"prompts.example.com"}, netip.MustParseAddr("127.0.0.1"), 7420, true}
	outside := names{nil, netip.MustParseAddr("192.0.2.7"), 7420, false}
	everywhere := names{nil, netip.IPv4Unspecified(), 7420, false}
	for _, c := range []struct {
		of   *names
		host string
		want bool
	}{
		{&loopback, "localhost", true}, {&loopback, "LOCALHOST.:7420", true}, {&loopback, "localhost:7421", false}, {&loopback, "127.0.0.1:7420", true}, {&loopback, "[::1]:7420", true},
		{&loopback, "127.0.0.2", true}, {&loopback, "192.0.2.7", false}, {&loopback, "prompts.example.com:443", true}, {&loopback, "example.com", false}, {&loopback, "", false},
		{&outside, "localhost", false}, {&outside, "localhost:7420", false}, {&outside, "127.0.0.1:7420", false}, {&outside, "192.0.2.7:7420", true}, {&outside, "192.0.2.7:80", false}, {&outside, "192.0.2.8:7420", false},
		{&everywhere, "localhost", false}, {&everywhere, "198.51.100.3:7420", true}, {&everywhere, "198.51.100.3:80", false}, {&everywhere, "rebound.example.com:7420", false},
	} {
		if got := c.of.has(c.host); got != c.want {
			t.Errorf("%q, listening on %s: %v", c.host, c.of.listens, got)
		}
	}
}
