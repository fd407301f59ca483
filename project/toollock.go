package project

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// The codes of servers beside the lock.
const (
	// ChangedServer: a server says something else than what was agreed to.
	ChangedServer cento.ErrorCode = "server.changed"
	// UnlockedServer: a server isn't in the lock, and has to be.
	UnlockedServer cento.ErrorCode = "server.unlocked"
)

// lockedServer is what the lock has to say of a listing.
func lockedServer(s Server, l Listing) (pack.LockedServer, error) {
	out := pack.LockedServer{Name: s.Name, Digest: l.Digest()}
	parts, err := partsOf(l.Text)
	if err != nil {
		return out, err
	}
	if parts.Instructions != nil {
		out.Instructions = digestOf(parts.Instructions)
	}
	for _, t := range parts.Tools {
		locked := pack.LockedTool{Name: t.name, Digest: digestOf(t.whole), Fields: map[string]string{}}
		for name, text := range t.fields {
			locked.Fields[name] = digestOf(text)
		}
		out.Tools = append(out.Tools, locked)
	}
	return out, nil
}

// listingParts is a listing in the pieces that have digests: JSON without white
// space.
type listingParts struct {
	Instructions []byte
	Tools        []toolParts
}

type toolParts struct {
	name   string
	whole  []byte
	fields map[string][]byte
}

func partsOf(listing string) (listingParts, error) {
	var out listingParts
	var file struct {
		Instructions json.RawMessage
		Tools        []map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(listing), &file); err != nil {
		return out, err
	}
	out.Instructions = file.Instructions
	for _, t := range file.Tools {
		p := toolParts{fields: map[string][]byte{}}
		if err := json.Unmarshal(t["name"], &p.name); err != nil {
			return out, err
		}
		for key, value := range t {
			if slices.Contains(pack.LockedFields, key) {
				p.fields[key] = compact(value)
			}
		}
		whole, err := json.Marshal(t) // sorts its keys
		if err != nil {
			return out, err
		}
		p.whole = whole
		out.Tools = append(out.Tools, p)
	}
	return out, nil
}

func compact(text json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text
	}
	return b.Bytes()
}

// ToolChange is one difference between what was agreed to and what a server
// says.
type ToolChange struct {
	Server string `json:"server"`
	// Tool is empty for the instructions of the server, and for the server itself.
	Tool string `json:"tool,omitempty"`
	// Field is empty for a tool or server as a whole.
	Field string `json:"field,omitempty"`
	// Change is added, removed or changed.
	Change string `json:"change"`
	// From and To are the digests; empty where there is none.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Position is that in the lock.
	Position cento.Position `json:"position,omitzero"`
}

// String tells the difference in a line.
func (c ToolChange) String() string {
	what := fmt.Sprintf("tool %q", c.Tool)
	switch {
	case c.Tool == "" && c.Field == "":
		what = fmt.Sprintf("server %q", c.Server)
	case c.Tool == "":
		what = c.Field
	case c.Field != "":
		what += ": " + c.Field
	}
	switch c.Change {
	case added:
		return what + " added, SHA-256 " + c.To
	case removed:
		return what + " removed, was SHA-256 " + c.From
	}
	return what + " changed, SHA-256 " + c.To + ", locked " + c.From
}

const (
	added   = "added"
	removed = "removed"
	changed = "changed"
)

// changesOf compares what is locked with what is said; locked is nil for a
// server that isn't in the lock.
func changesOf(locked *pack.LockedServer, now pack.LockedServer) []ToolChange {
	if locked == nil {
		return []ToolChange{{Server: now.Name, Change: added, To: now.Digest}}
	}
	if locked.Digest == now.Digest {
		return nil
	}
	var out []ToolChange
	compare := func(c ToolChange) {
		switch {
		case c.From == c.To:
			return
		case c.From == "":
			c.Change = added
		case c.To == "":
			c.Change = removed
		default:
			c.Change = changed
		}
		c.Server = now.Name
		out = append(out, c)
	}
	compare(ToolChange{Field: "instructions", From: locked.Instructions, To: now.Instructions, Position: locked.Position})
	was := map[string]pack.LockedTool{}
	for _, t := range locked.Tools {
		was[t.Name] = t
	}
	for _, t := range now.Tools {
		before, ok := was[t.Name]
		delete(was, t.Name)
		if !ok {
			compare(ToolChange{Tool: t.Name, To: t.Digest})
			continue
		}
		if before.Digest == t.Digest {
			continue
		}
		for _, field := range pack.LockedFields {
			compare(ToolChange{Tool: t.Name, Field: field, From: before.Fields[field], To: t.Fields[field], Position: before.Position})
		}
	}
	for _, t := range locked.Tools {
		if _, gone := was[t.Name]; gone {
			compare(ToolChange{Tool: t.Name, From: t.Digest, Position: t.Position})
		}
	}
	if len(out) == 0 { // the digests of the lock contradict each other
		compare(ToolChange{From: locked.Digest, To: now.Digest, Position: locked.Position})
	}
	return out
}

// Outline tells a listing in few lines: what the server says, and of each tool
// its name, its parameters, its description and its guidance. What schemas say
// besides is in the listing alone.
func Outline(listing string) []string {
	parts, err := partsOf(listing)
	if err != nil {
		return nil
	}
	said := func(text []byte) string {
		var s string
		_ = json.Unmarshal(text, &s) // what isn't a text has nothing to show here
		return strings.TrimSpace(s)
	}
	var out []string
	add := func(indent, label, text string) {
		for line := range strings.Lines(text) {
			out = append(out, strings.TrimRight(indent+label+strings.TrimRight(line, "\r\n"), " "))
			label = ""
		}
	}
	if text := said(parts.Instructions); text != "" {
		out = append(out, "instructions")
		add("  ", "", text)
	}
	for _, t := range parts.Tools {
		var schema struct{ Properties map[string]json.RawMessage }
		_ = json.Unmarshal(t.fields["inputSchema"], &schema)
		names := sortedKeys(schema.Properties)
		for i := range names {
			names[i] = shownKey(names[i])
		}
		out = append(out, "tool "+shownKey(t.name)+"("+strings.Join(names, ", ")+")")
		add("  ", "", said(t.fields["description"]))
		add("  ", "guidance: ", said(t.fields["guidance"]))
	}
	return out
}

// maxRelated is how many differences one error lists.
const maxRelated = 10

// holdToLock refuses a listing that nobody agreed to: one that differs from the
// lock, and one that isn't in it where it has to be.
func (p *Project) holdToLock(s Server, l Listing) error {
	if p.lock == nil {
		lock, err := p.Lock()
		if err != nil {
			return err
		}
		p.lock = lock
	}
	locked := p.lock.Server(s.Name)
	if locked == nil {
		if !p.Manifest.Tools.LockRequired && !p.request.Frozen {
			return nil
		}
		return &cento.SourceError{
			Code: UnlockedServer, Position: s.Position, Message: fmt.Sprintf("the server %q is not in %s", s.Name, pack.LockFile),
			Hint: "see what it says with `cento tools diff`, then agree to it with `cento tools lock`",
		}
	}
	now, err := lockedServer(s, l)
	if err != nil {
		return err
	}
	changes := changesOf(locked, now)
	if len(changes) == 0 {
		return nil
	}
	e := &cento.SourceError{
		Code: ChangedServer, Position: s.Position,
		Message: fmt.Sprintf("the server %q says something else than what %s holds: %s", s.Name, pack.LockFile, countOf(len(changes), "difference", "differences")),
		Hint:    "see it with `cento tools diff`, then agree to it with `cento tools lock`",
	}
	for i, c := range changes {
		at := c.Position
		if at.IsZero() {
			at = locked.Position
		}
		if i == maxRelated {
			e.Related = append(e.Related, cento.Related{Position: locked.Position, Message: fmt.Sprintf("and %d more", len(changes)-i)})
			break
		}
		e.Related = append(e.Related, cento.Related{Position: at, Message: c.String()})
	}
	return e
}

// ToolLock compares the listings of a project's targets with its lock: the
// differences, and a lock that agrees to what the servers say now. Servers that
// are locked and not named any more are differences too.
func (p *Project) ToolLock(targets ...*Project) ([]ToolChange, *pack.Lock, error) {
	lock, err := p.Lock()
	if err != nil {
		return nil, nil, err
	}
	changes := []ToolChange{}
	var servers []pack.LockedServer
	var errs []*cento.SourceError
	for _, q := range append([]*Project{p}, targets...) {
		for _, x := range q.listings {
			now, err := lockedServer(x.Server, x.Listing)
			if err != nil {
				return nil, nil, err
			}
			if i := slices.IndexFunc(servers, func(s pack.LockedServer) bool { return s.Name == now.Name }); i >= 0 {
				if servers[i].Digest != now.Digest {
					errs = append(errs, &cento.SourceError{
						Code: Conflict, Position: x.Server.Position, Message: fmt.Sprintf("two targets have a server %q, and each of them says something else", now.Name),
						Hint: "give one of them another name: the lock knows servers by their names",
					})
				}
				continue
			}
			changes = append(changes, changesOf(lock.Server(now.Name), now)...)
			servers = append(servers, now)
		}
	}
	for _, s := range lock.Servers {
		if !slices.ContainsFunc(servers, func(now pack.LockedServer) bool { return now.Name == s.Name }) {
			changes = append(changes, ToolChange{Server: s.Name, Change: removed, From: s.Digest, Position: s.Position})
		}
	}
	return changes, lock.WithServers(servers), cento.Join(errs)
}

// Said is a listing that is looked into again and again.
type Said struct {
	text  string
	parts listingParts
	tools map[string]int // where each stands among the parts
}

// NewSaid parses a listing. One that can't be parsed says nothing.
func NewSaid(listing string) *Said {
	s := &Said{text: listing}
	parts, err := partsOf(listing)
	if err != nil {
		return s
	}
	s.parts, s.tools = parts, make(map[string]int, len(parts.Tools))
	for i, t := range parts.Tools {
		s.tools[t.name] = i
	}
	return s
}

// Of is the text of what a change is about: JSON of a value, or the text itself
// where that is a text. It is empty where the listing has none.
func (s *Said) Of(c ToolChange) string {
	value := []byte(s.parts.Instructions)
	if c.Tool != "" {
		i, ok := s.tools[c.Tool]
		if !ok {
			return ""
		}
		if value = s.parts.Tools[i].whole; c.Field != "" {
			value = s.parts.Tools[i].fields[c.Field]
		}
	} else if c.Field == "" {
		return s.text
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if len(value) == 0 || json.Indent(&b, value, "", " ") != nil {
		return string(value)
	}
	return b.String()
}
