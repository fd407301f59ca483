package consent

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
)

// Server is an MCP server whose tools a project uses: a program that is run and
// spoken to over its standard streams, or the address of one that runs
// elsewhere.
type Server struct {
	// Name is how the project calls it.
	Name string `json:"name"`
	// Command is the program and its arguments; empty for an address. A program
	// with a slash in its name starts from the folder that it is run in.
	Command []string `json:"command,omitempty"`
	// Env are variables of the program's environment, Inherit the names of those
	// that it gets from the user's besides the few that every program needs.
	Env     map[string]string `json:"env,omitempty"`
	Inherit []string          `json:"inherit,omitempty"`
	// Cwd is the folder that the program is run in, from that of the manifest.
	Cwd string `json:"cwd,omitempty"`
	// CwdPosition is where Cwd is named.
	CwdPosition cento.Position `json:"-"`
	// URL is the address of a server; empty for a program.
	URL string `json:"url,omitempty"`
	// Prefix is put before the names of the server's tools.
	Prefix string `json:"prefix,omitempty"`
	// Timeout is how many seconds the server has to list its tools.
	Timeout  int            `json:"timeout,omitempty"`
	Position cento.Position `json:"position,omitzero"`
}

// Absent is the error of a server whose program, or the folder that it is run in, isn't
// there. One of the two is set.
type Absent struct{ Program, Folder string }

// Error says which of the two isn't there.
func (e *Absent) Error() string {
	if e.Folder != "" {
		return fmt.Sprintf("there is no folder %q", e.Folder)
	}
	return fmt.Sprintf("there is no program %q in PATH", e.Program)
}

// DefaultTimeout is how many seconds a server has, unless the manifest says
// otherwise: as long as a package manager may take to fetch one.
const DefaultTimeout = 60

// String tells what is run or reached, without what may be secret in an
// address.
func (s Server) String() string {
	if s.URL != "" {
		return "connect to " + s.address()
	}
	words := make([]string, len(s.Command))
	for i, w := range s.Command {
		words[i] = shellWord(w)
	}
	return "run `" + strings.Join(words, " ") + "`"
}

// address is the URL without its query.
func (s Server) address() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return "a URL that can't be read"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// Ask is what somebody has to agree to before the server is asked.
func (s Server) Ask() Ask {
	text := s.String()
	if s.Cwd != "" {
		text += " in " + s.Cwd
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		text += ", with " + name + "=" + shellWord(s.Env[name])
	}
	if len(s.Inherit) > 0 {
		text += ", handing over your " + strings.Join(s.Inherit, ", ")
	}
	if u, err := url.Parse(s.URL); err == nil && u.Scheme == "http" && !isLoopback(u.Hostname()) {
		text += ", which is not encrypted"
	}
	return Ask{Text: fmt.Sprintf("server %q: %s", s.Name, text), Position: s.Position}
}

// plainWord is compiled when the first server is shown: most runs have none.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./:=@,+%^-]+$`) })

// shellWord quotes an argument that a shell would take for something else.
func shellWord(s string) string {
	if plainWord().MatchString(s) {
		return s
	}
	return strconv.Quote(s)
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}
