// Package storeaddress reads where a store is as a person writes it: in a flag, a
// manifest, the user's configuration or a call. All of them mean the same by it. It
// opens nothing, doesn't look whether there is a store, and leaves a path relative.
package storeaddress

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/cento-dev/cento/internal/quote"
)

// Address is where a store is: the path of a file, or the address of a server with
// its scheme in lower case. One of the two is empty.
type Address struct{ Path, Server string }

// Fault is why a text is no address of a store. Its words quote no more of an address
// than the scheme, since the rest may hold a password.
type Fault struct{ Message, Hint string }

// Error is the message alone.
func (f *Fault) Error() string { return f.Message }

// pattern compiles an expression when the first address is read, and not when any
// command starts.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// scheme is what an address begins with. One letter is a drive of Windows.
var scheme = pattern(`^([A-Za-z][A-Za-z0-9+.-]+):`)

const (
	forms = "write a path, sqlite:PATH or postgres://user@host:5432/database; a path with a colon begins with ./"
	lasts = "what is stored is to last: name a file, in a temporary folder if it may go"
)

// Forms of other programs' addresses that would pass for a path, and may hold a
// password: settings of libpq, and a user's name of one letter before an @, which
// begins like a drive.
var (
	settings = pattern(`(?i)(?:^|[\s'])(?:host|hostaddr|port|user|password|passfile|dbname|service|sslmode)\s*=`)
	signedIn = pattern(`^[A-Za-z]:[^/\\@][^@]*@`)
)

// Read reads an address. The error is a [*Fault].
func Read(text string) (Address, error) {
	path := text
	if settings().MatchString(text) || signedIn().MatchString(text) {
		return Address{}, &Fault{"the place of the store has the form of another program's address", forms}
	}
	if m := scheme().FindStringSubmatch(text); m != nil {
		rest := text[len(m[0]):]
		switch name := strings.ToLower(m[1]); {
		case name == "sqlite" && scheme().MatchString(rest):
			return Address{}, &Fault{"the store is a file, and what stands behind sqlite: is no path", lasts}
		case name == "sqlite":
			path = rest
		case (name == "postgres" || name == "postgresql") && strings.HasPrefix(rest, "//"):
			return Address{Server: name + ":" + rest}, nil
		default:
			return Address{}, &Fault{fmt.Sprintf("there is no store for addresses that begin with %q", shortened(name)+":"), forms}
		}
	}
	switch {
	case strings.TrimSpace(path) == "":
		return Address{}, &Fault{"the place of the store is empty", forms}
	case strings.HasPrefix(strings.ToLower(path), ":memory:"):
		return Address{}, &Fault{"a store isn't kept in memory", lasts}
	case strings.Contains(path, "//") && !(path == text && filepath.IsAbs(path)):
		return Address{}, &Fault{"the place of the store is neither a path nor an address", forms}
	}
	return Address{Path: path}, nil
}

// shortened is a name of a length that fits on a line.
func shortened(name string) string { return quote.Clip(name, 40) }
