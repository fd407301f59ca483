package manifest

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/project/consent"
)

// maxTimeout bounds what a manifest may ask to wait.
const maxTimeout = 600

// defaultServer is the name of a server that stands alone and has none.
const defaultServer = "mcp"

func pattern(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}

// serverFile is a server as it is written.
type serverFile struct {
	strict.At
	Name    *text             `json:"name,omitempty" jsonschema:"Name of the server, in a list of them."`
	Command commandFile       `json:"command,omitempty" holds:"args arguments" jsonschema:"A program and its arguments. It is run only after cento trust."`
	Env     map[string]string `json:"env,omitempty" jsonschema:"Variables of the program's environment." names:"a variable"`
	Inherit []text            `json:"inherit,omitempty" jsonschema:"Variables that the program gets from your environment, such as GITHUB_TOKEN, besides HOME, PATH and the like."`
	Cwd     *text             `json:"cwd,omitempty" jsonschema:"Folder that the program is run in, inside the project and relative to this file; default the folder of this file."`
	URL     *text             `json:"url,omitempty" jsonschema:"Address of a server that speaks MCP over HTTP, instead of a program."`
	Prefix  *text             `json:"prefix,omitempty" jsonschema:"Put before the names of the server's tools, for servers that have the same."`
	Timeout *seconds          `json:"timeout,omitempty" jsonschema:"How many seconds the server has to list its tools; default 60, at most 600."`
}

// seconds is a number of them, above zero.
type seconds struct{ count }

func (s *seconds) DecodeNode(d *strict.Decoder, n *strict.Node) {
	text, _ := n.Text()
	if _, whole := n.Int(); !whole {
		if t, err := time.ParseDuration(strings.ReplaceAll(text, " ", "")); err == nil && t > 0 && t%time.Second == 0 {
			d.Expected(n, "a number of seconds").Hint = fmt.Sprintf("write %d", t/time.Second)
			return
		}
	}
	s.count.DecodeNode(d, n)
}

// commandFile is a program and its arguments.
type commandFile []text

func (c *commandFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.List {
		e := d.Expected(n, strict.List.String())
		if text, ok := n.Text(); ok {
			e.Hint = cmp.Or(commandHint(text), e.Hint)
		}
		return
	}
	d.Decode(n, (*[]text)(c))
}

// commandHint says how a command that was written as one text is written as words. No
// shell reads it, so that what a shell would read more into is left to who wrote it.
func commandHint(text string) string {
	const most = 20
	words := strings.Fields(text)
	if len(words) < 2 {
		return ""
	}
	if len(words) > most || strings.ContainsAny(text, "'\"`$\\|&;<>()*?#{}[]!") || strings.ContainsFunc(text, unicode.IsControl) {
		return "a command is a list of words, which no shell reads, as in [npx, -y, some-server]"
	}
	for i, w := range words {
		if n, err := strict.YAML("", []byte("["+w+"]"), cento.DefaultLimits()); err != nil || !isOnlyItem(n, w) {
			words[i] = strconv.Quote(w)
		}
	}
	return "write [" + strings.Join(words, ", ") + "]"
}

// isOnlyItem reports whether a list has this text and nothing else.
func isOnlyItem(list *strict.Node, text string) bool {
	if len(list.Items()) != 1 {
		return false
	}
	got, ok := list.Items()[0].Text()
	return ok && got == text
}

// serversFile is one server, a list of them, or a map of names to them.
type serversFile struct {
	list  []consent.Server
	first map[string]cento.Position // by name, whatever its case
}

func (f *serversFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	switch {
	case n.Kind() == strict.List:
		for i := range n.Items() {
			d.InItem(i, func() {
				var s serverFile
				d.Decode(&n.Items()[i], &s)
				if s.Name == nil && !s.Position().IsZero() {
					d.Fail(s.Position(), strict.MissingKey, "the key %q is missing", "name").Hint = "servers of a list have names, as in {name: files, command: [...]}"
					return
				}
				f.add(d, s.server(d))
			})
		}
		if len(n.Items()) == 0 {
			d.Fail(n.Position(), strict.WrongValue, "no server is named").Hint = serverHint
		}
	case n.Kind() != strict.Map:
		d.Expected(n, "a server, a list of servers, or a map of names to servers").Hint = serverHint
	case standsAlone(n):
		var s serverFile
		d.Decode(n, &s)
		f.add(d, s.server(d))
	default:
		for key, value := range n.Members() {
			name, _ := key.Text()
			d.In(name, func() {
				var s serverFile
				d.Decode(value, &s)
				if s.Name != nil {
					d.Fail(s.Name.Position(), Conflict, "the server has the name %q already", name).Hint = "take name out"
				}
				out := s.server(d)
				out.Name, out.Position = name, key.Position()
				f.add(d, out)
			})
		}
	}
}

const serverHint = "as in mcp: {files: {command: [program, argument]}} or mcp: {docs: {url: https://example.com/mcp}}"

// standsAlone tells one server from a map of names to servers, whose values are
// all maps.
func standsAlone(n *strict.Node) bool {
	maps := 0
	for _, v := range n.Members() {
		if v.Kind() != strict.Map {
			return true
		}
		maps++
	}
	return maps == 0
}

var serverName = pattern(serverNamePattern)

const serverNamePattern = `^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`

func (f *serversFile) add(d *strict.Decoder, s consent.Server) {
	if s.Position.IsZero() {
		return // not read, as was reported
	}
	if !serverName().MatchString(s.Name) {
		d.Fail(s.Position, strict.WrongValue, "a server can't have the name %q", s.Name).Hint = "write up to 64 letters, digits, _, . and -, a letter or digit first"
		return
	}
	key := strings.ToLower(s.Name) // the name is ASCII
	if other, twice := f.first[key]; twice {
		e := d.Fail(s.Position, Conflict, "the server %q is named twice", s.Name)
		e.Related = []cento.Related{{Position: other, Message: "the other one"}}
		return
	}
	if f.first == nil {
		f.first = map[string]cento.Position{}
	}
	f.first[key] = s.Position
	f.list = append(f.list, s)
}

// server checks what is written.
func (f *serverFile) server(d *strict.Decoder) consent.Server {
	s := consent.Server{Name: defaultServer, Env: f.Env, Timeout: consent.DefaultTimeout, Position: f.Position()}
	if f.Name != nil {
		s.Name, s.Position = f.Name.Value, f.Name.Position()
	}
	if f.Position().IsZero() {
		return consent.Server{}
	}
	switch {
	case f.URL != nil && f.Has("command"):
		conflict(d, "url", f.URL.Position(), "command", f.Position(), "a server is a program or an address")
	case f.URL != nil:
		s.URL = address(d, f.URL)
		for _, key := range []string{"env", "inherit", "cwd"} {
			if f.Has(key) {
				d.Fail(f.Position(), Conflict, "%s belongs to a program, and this server is an address", key).Hint = "take " + key + " out"
			}
		}
	case len(f.Command) == 0 && !(f.Has("command") && d.Failed()) && !f.Misspelt(d, "command") && !f.Misspelt(d, "url"):
		d.Fail(f.Position(), strict.MissingKey, "the server has neither command nor url").Hint = serverHint
	}
	for i := range f.Command {
		word := &f.Command[i]
		if _, ok := word.Text(); ok && (i == 0 && strings.TrimSpace(word.Value) == "" || strings.ContainsRune(word.Value, 0)) {
			d.In("command", func() {
				d.InItem(i, func() {
					d.Fail(word.Position(), strict.WrongValue, "a program without a name").Hint = "as in command: [npx, -y, some-server]"
				})
			})
		}
		s.Command = append(s.Command, word.Value)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Env)) {
		if isBlank(name) {
			continue // as was reported
		}
		if !variableName().MatchString(name) || strings.ContainsRune(f.Env[name], 0) {
			d.In("env", func() { d.Fail(f.Position(), strict.WrongValue, "%q can't be a variable", name).Hint = variableHint })
		}
	}
	for i := range f.Inherit {
		name := &f.Inherit[i]
		if _, ok := name.Text(); ok && !variableName().MatchString(name.Value) {
			d.In("inherit", func() {
				d.InItem(i, func() {
					d.Fail(name.Position(), strict.WrongValue, "expected the name of a variable, got %q", name.Value).Hint = variableHint
				})
			})
		}
		s.Inherit = append(s.Inherit, name.Value)
	}
	if f.Cwd != nil {
		if _, ok := f.Cwd.Text(); ok {
			if why := outside(f.Cwd.Value); why != "" {
				d.In("cwd", func() {
					d.Fail(f.Cwd.Position(), strict.WrongValue, "%s", why).Hint = "a server is run in a folder of the project"
				})
			}
		}
		s.CwdPosition = f.Cwd.Position()
		if s.Cwd = path.Clean(f.Cwd.Value); s.Cwd == "." {
			s.Cwd = ""
		}
	}
	if f.Prefix != nil {
		if _, ok := f.Prefix.Text(); ok && !prefixForm().MatchString(f.Prefix.Value) {
			d.In("prefix", func() {
				d.Fail(f.Prefix.Position(), strict.WrongValue, "%q can't stand before the name of a tool", f.Prefix.Value).Hint = "write up to 64 letters, digits, _, . and -"
			})
		}
		s.Prefix = f.Prefix.Value
	}
	if f.Timeout != nil {
		if s.Timeout = f.Timeout.Value; s.Timeout > maxTimeout {
			d.In("timeout", func() {
				d.Fail(f.Timeout.Position(), strict.WrongValue, "%d is more than %d seconds", s.Timeout, maxTimeout)
			})
		}
	}
	return s
}

var (
	variableName = pattern(variablePattern)
	prefixForm   = pattern(prefixPattern)
)

const variableHint = "a name has letters, digits and _, and begins with no digit; no value has a zero byte"

const (
	variablePattern = `^[A-Za-z_][A-Za-z0-9_]*$`
	prefixPattern   = `^[A-Za-z0-9_.-]{1,64}$`
)

// address checks a URL. What is wrong with one is told without its text, which
// may hold a credential.
func address(d *strict.Decoder, t *text) string {
	if _, ok := t.Text(); !ok {
		return ""
	}
	u, err := url.Parse(t.Value)
	wrong := ""
	switch {
	case err != nil:
		wrong = "the URL can't be read"
	case u.Scheme != "https" && u.Scheme != "http":
		wrong = "expected a URL that begins with https:// or http://"
	case u.Hostname() == "":
		wrong = "the URL has no host"
	case u.User != nil:
		wrong = "a URL with a user name or a password"
	case u.Fragment != "":
		wrong = "a URL with a fragment"
	default:
		return t.Value
	}
	d.In("url", func() {
		d.Fail(t.Position(), strict.WrongValue, "%s", wrong).Hint = "as in url: https://example.com/mcp"
	})
	return ""
}
