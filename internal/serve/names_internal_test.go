package serve

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
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

// TestValidNames: a name is of the characters that are told, all of each range and none
// beside them, and as long as is told.
func TestValidNames(t *testing.T) {
	for r := range rune(0x180) {
		first := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
		later := first || r == '.' || r == '-'
		for name, want := range map[string]bool{string(r): first, "x" + string(r): later, string(r) + "x": first, "x" + string(r) + "x": later} {
			if validName(name) != want {
				t.Errorf("%q: %v", name, !want)
			}
		}
	}
	for n, want := range map[int]bool{0: false, 1: true, 63: true, 64: true, 65: false} {
		if validName(strings.Repeat("x", n)) != want {
			t.Errorf("%d characters: %v", n, !want)
		}
	}
}

// TestToldOfFailures: of what fails within the service a client is told the code and what
// to do, and nothing of the cause.
func TestToldOfFailures(t *testing.T) {
	const cause = "/var/secret: connection refused"
	for _, c := range []struct {
		err  error
		code cento.ErrorCode
		hint string
	}{
		{errors.New(cause), Failed, "its log"},
		{fmt.Errorf("%s: %w", cause, context.DeadlineExceeded), TooSlow, "ask for less"},
		{fmt.Errorf("%s: %w", cause, context.Canceled), TooSlow, "ask for less"},
		{fmt.Errorf("%s: %w", cause, &cento.SourceError{Code: "store.locked", Message: cause}), "store.locked", "Idempotency-Key"},
	} {
		got := told(c.err)
		if got.Code != c.code || !strings.Contains(got.Hint, c.hint) || strings.Contains(fmt.Sprintf("%+v", got), "secret") {
			t.Errorf("%v: %+v, want %s with %q", c.err, got, c.code, c.hint)
		}
	}
}

// TestUnknownParameters: who asks with a parameter that isn't known is told the one that was
// meant, or those that there are; and of a secret that stood in an address, that it is known
// by now. A long name is told by its beginning.
func TestUnknownParameters(t *testing.T) {
	const secret = "another"
	long := strings.Repeat("z", 39)
	for _, c := range []struct {
		name  string
		known []string
		told  string // of the name
		hint  string
	}{
		{"limt", []string{"cursor", "limit"}, "limt", `did you mean "limit"?`},
		{"zz", []string{"cursor", "limit"}, "zz", "known here: cursor, limit"},
		{"zz", nil, "zz", "it takes none"},
		{"token", nil, "token", secret}, {"access_token", []string{"cursor"}, "access_token", secret}, {"api_key", nil, "api_key", secret}, {"auth", nil, "auth", secret},
		{"key", []string{"keys"}, "key", secret}, // whatever it is like
		{"tokens", nil, "tokens", "it takes none"},
		{long + "z", nil, long + "z", "it takes none"}, {long + "zz", nil, long + "z…", "it takes none"}, {long + "éé", nil, long + "…", "it takes none"},
	} {
		got := told(unknownParam(c.name, c.known))
		if got.Code != "key.unknown" || !strings.HasSuffix(got.Message, fmt.Sprintf("parameter %q", c.told)) || c.hint == secret && !strings.Contains(got.Hint, "make another") || c.hint != secret && got.Hint != c.hint {
			t.Errorf("%q of %q: %+v, want %q", c.name, c.known, got, c.hint)
		}
	}
}
