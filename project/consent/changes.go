package consent

import (
	"fmt"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// The codes of servers beside the lock.
const (
	// ChangedServer: a server says something else than what was agreed to.
	ChangedServer cento.ErrorCode = "server.changed"
	// UnlockedServer: a server isn't in the lock, and has to be.
	UnlockedServer cento.ErrorCode = "server.unlocked"
)

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

// lockedServer is what the lock has to say of a listing.
func lockedServer(s Server, l Listing) (LockedServer, error) {
	out := LockedServer{Name: s.Name, Digest: l.Digest()}
	parts, err := partsOf(l.Text)
	if err != nil {
		return out, err
	}
	if parts.Instructions != nil {
		out.instructions = digestOf(parts.Instructions)
	}
	for _, t := range parts.Tools {
		locked := lockedTool{Name: t.name, Digest: digestOf(t.whole), Fields: map[string]string{}}
		for name, text := range t.fields {
			locked.Fields[name] = digestOf(text)
		}
		out.tools = append(out.tools, locked)
	}
	return out, nil
}

// changesOf compares what is locked with what is said; locked is nil for a
// server that isn't in the lock.
func changesOf(locked *LockedServer, now LockedServer) []ToolChange {
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
	compare(ToolChange{Field: "instructions", From: locked.instructions, To: now.instructions, Position: locked.position})
	was := map[string]lockedTool{}
	for _, t := range locked.tools {
		was[t.Name] = t
	}
	for _, t := range now.tools {
		before, ok := was[t.Name]
		delete(was, t.Name)
		if !ok {
			compare(ToolChange{Tool: t.Name, To: t.Digest})
			continue
		}
		if before.Digest == t.Digest {
			continue
		}
		for _, field := range lockedFields {
			compare(ToolChange{Tool: t.Name, Field: field, From: before.Fields[field], To: t.Fields[field], Position: before.Position})
		}
	}
	for _, t := range locked.tools {
		if _, gone := was[t.Name]; gone {
			compare(ToolChange{Tool: t.Name, From: t.Digest, Position: t.Position})
		}
	}
	if len(out) == 0 { // the digests of the lock contradict each other
		compare(ToolChange{From: locked.Digest, To: now.Digest, Position: locked.position})
	}
	return out
}

// maxRelated is how many differences one error lists.
const maxRelated = 10

// RequireServer is [Lock.CheckServer] where every server has to be in the lock. Its
// errors are [UnlockedServer] for one that isn't, and [ChangedServer].
func (l *Lock) RequireServer(s Server, listing Listing) error {
	if l.Server(s.Name) == nil {
		return &cento.SourceError{
			Code: UnlockedServer, Position: s.Position, Message: fmt.Sprintf("the server %q is not in %s", s.Name, LockFile),
			Hint: "see what it says with `cento tools diff`, then agree to it with `cento tools lock`",
		}
	}
	return l.CheckServer(s, listing)
}

// CheckServer refuses a listing that nobody agreed to: one that differs from the lock.
// A server that isn't in the lock passes. Its error is [ChangedServer].
func (l *Lock) CheckServer(s Server, listing Listing) error {
	locked := l.Server(s.Name)
	if locked == nil {
		return nil
	}
	now, err := lockedServer(s, listing)
	if err != nil {
		return err
	}
	changes := changesOf(locked, now)
	if len(changes) == 0 {
		return nil
	}
	differences := "1 difference"
	if len(changes) > 1 {
		differences = fmt.Sprintf("%d differences", len(changes))
	}
	e := &cento.SourceError{
		Code: ChangedServer, Position: s.Position,
		Message: fmt.Sprintf("the server %q says something else than what %s holds: %s", s.Name, LockFile, differences),
		Hint:    "see it with `cento tools diff`, then agree to it with `cento tools lock`",
	}
	for i, c := range changes {
		at := c.Position
		if at.IsZero() {
			at = locked.position
		}
		if i == maxRelated {
			e.Related = append(e.Related, cento.Related{Position: locked.position, Message: fmt.Sprintf("and %d more", len(changes)-i)})
			break
		}
		e.Related = append(e.Related, cento.Related{Position: at, Message: c.String()})
	}
	return e
}

// CompareServers compares what servers say now with the lock. It returns the
// differences, and a lock that agrees to what they say. Servers that are locked
// and not among these are differences too. A server may be listed several times,
// once for each target that names it; two of one name that say different things
// are an error.
func (l *Lock) CompareServers(listings []ServerListing) ([]ToolChange, *Lock, error) {
	changes := []ToolChange{}
	var servers []LockedServer
	var errs []*cento.SourceError
	for _, x := range listings {
		now, err := lockedServer(x.Server, x.Listing)
		if err != nil {
			return nil, nil, err
		}
		if i := slices.IndexFunc(servers, func(s LockedServer) bool { return s.Name == now.Name }); i >= 0 {
			if servers[i].Digest != now.Digest {
				errs = append(errs, &cento.SourceError{
					Code: strict.Conflict, Position: x.Server.Position, Message: fmt.Sprintf("two targets have a server %q, and each of them says something else", now.Name),
					Hint: "give one of them another name: the lock knows servers by their names",
				})
			}
			continue
		}
		changes = append(changes, changesOf(l.Server(now.Name), now)...)
		servers = append(servers, now)
	}
	for _, s := range l.Servers {
		if !slices.ContainsFunc(servers, func(now LockedServer) bool { return now.Name == s.Name }) {
			changes = append(changes, ToolChange{Server: s.Name, Change: removed, From: s.Digest, Position: s.position})
		}
	}
	return changes, l.withServers(servers), cento.Join(errs)
}
