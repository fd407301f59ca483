package consent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// LockedServer is what a tool server said when somebody last agreed to it.
type LockedServer struct {
	Name string
	// Digest is the SHA-256 of the whole listing, in lower-case hex, as are all
	// digests here.
	Digest string
	// Instructions is the digest of what the server says about its tools; empty
	// when it says nothing.
	instructions string
	// Tools are ordered by name.
	tools    []lockedTool
	position cento.Position
}

// lockedTool is one tool of a server.
type lockedTool struct {
	Name   string
	Digest string
	// Fields are the digests of what stands under the keys of the listing, in the
	// order of lockedFields.
	Fields   map[string]string
	Position cento.Position
}

// lockedFields are the keys of a listed tool that have a digest of their own.
var lockedFields = []string{"title", "description", "guidance", "inputSchema", "outputSchema", "annotations"}

// lockedServerFile is a server as the lock has it.
type lockedServerFile struct {
	strict.At
	Name         string                 `json:"name"`
	SHA256       strict.Located[string] `json:"sha256"`
	Instructions strict.Located[string] `json:"instructions,omitempty"`
	Tools        []struct {
		strict.At
		Name   string                            `json:"name"`
		SHA256 strict.Located[string]            `json:"sha256"`
		Fields map[string]strict.Located[string] `json:"fields,omitempty"`
	} `json:"tools"`
}

// servers reads the servers of a lock.
func (l *Lock) servers(d *strict.Decoder, files []lockedServerFile) {
	digest := func(s strict.Located[string]) string {
		// Of an absent key the decoder told.
		if !s.Position().IsZero() && (len(s.Value) != 64 || strings.Trim(s.Value, "0123456789abcdef") != "") {
			d.Fail(s.Position(), strict.WrongValue, "a SHA-256 has 64 digits of lower-case hex")
		}
		return s.Value
	}
	first := make(map[string]cento.Position, len(files))
	for _, f := range files {
		if at, twice := first[f.Name]; twice {
			e := d.Fail(f.Position(), strict.DuplicateKey, "the server %q is locked twice", f.Name)
			e.Related = []cento.Related{{Position: at, Message: "locked here first"}}
			continue
		}
		first[f.Name] = f.Position()
		tools := make(map[string]bool, len(f.Tools))
		s := LockedServer{Name: f.Name, Digest: digest(f.SHA256), position: f.Position()}
		if f.Instructions.Value != "" {
			s.instructions = digest(f.Instructions)
		}
		for _, t := range f.Tools {
			locked := lockedTool{Name: t.Name, Digest: digest(t.SHA256), Fields: map[string]string{}, Position: t.Position()}
			for name, field := range t.Fields {
				if !slices.Contains(lockedFields, name) {
					d.Fail(field.Position(), strict.UnknownKey, "unknown field %q", name).Hint = strict.UnknownHint(name, lockedFields)
				}
				locked.Fields[name] = digest(field)
			}
			if tools[t.Name] {
				d.Fail(t.Position(), strict.DuplicateKey, "the tool %q is locked twice", t.Name)
				continue
			}
			tools[t.Name] = true
			s.tools = append(s.tools, locked)
		}
		slices.SortFunc(s.tools, func(a, b lockedTool) int { return strings.Compare(a.Name, b.Name) })
		l.Servers = append(l.Servers, s)
	}
	slices.SortFunc(l.Servers, func(a, b LockedServer) int { return strings.Compare(a.Name, b.Name) })
}

// Server is a server of the lock; nil when it has none of that name.
func (l *Lock) Server(name string) *LockedServer {
	if i := slices.IndexFunc(l.Servers, func(s LockedServer) bool { return s.Name == name }); i >= 0 {
		return &l.Servers[i]
	}
	return nil
}

// withServers returns a lock that agrees to the servers as they are, and to no
// others.
func (l *Lock) withServers(servers []LockedServer) *Lock {
	out := &Lock{file: l.file, Packs: l.Packs, Servers: slices.Clone(servers)}
	slices.SortFunc(out.Servers, func(a, b LockedServer) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// writeServers writes the servers of a lock. Whatever a server calls its tools
// stands between quotes that JSON and YAML read alike.
func (l *Lock) writeServers(b *strings.Builder) {
	if len(l.Servers) == 0 {
		return
	}
	b.WriteString("servers:\n")
	for _, s := range l.Servers {
		fmt.Fprintf(b, "  - name: %s\n    sha256: %s\n", strict.Quoted(s.Name), s.Digest)
		if s.instructions != "" {
			fmt.Fprintf(b, "    instructions: %s\n", s.instructions)
		}
		if len(s.tools) == 0 {
			b.WriteString("    tools: []\n")
			continue
		}
		b.WriteString("    tools:\n")
		for _, t := range s.tools {
			fmt.Fprintf(b, "      - name: %s\n        sha256: %s\n", strict.Quoted(t.Name), t.Digest)
			if len(t.Fields) == 0 {
				continue
			}
			b.WriteString("        fields:\n")
			for _, name := range lockedFields {
				if digest, ok := t.Fields[name]; ok {
					fmt.Fprintf(b, "          %s: %s\n", name, digest)
				}
			}
		}
	}
}
