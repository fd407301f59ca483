package project

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// The codes of tool servers.
const (
	// ServerFailed: a server gave no listing, and none is kept from before.
	ServerFailed cento.ErrorCode = "server.failed"
	// ServerNotAsked: servers are not asked in this run, and no listing is kept.
	ServerNotAsked cento.ErrorCode = "server.not_asked"
)

// The codes of notes on tool servers.
const (
	// CodeServerKept: a server gave no listing, and the one that is kept from
	// before is used.
	CodeServerKept cento.Code = "server.kept"
	// CodeServerLeftOut: a server was left out, as the run asked for.
	CodeServerLeftOut cento.Code = "server.left_out"
	// CodeServerEmpty: a server has no tools.
	CodeServerEmpty cento.Code = "server.empty"
)

// MaxListing is the longest listing of one server that is read, in bytes.
const MaxListing = 8 << 20

// A Listing is what a server says about its tools, in a form of our own: JSON
// of `instructions` and `tools`, indented, the tools ordered by name. The same
// answers of a server give the same bytes.
type Listing struct {
	// Server is what the server calls itself, with its version.
	Server string
	Text   string
	// Kept tells why this is a listing from before; empty for a fresh one.
	Kept string
}

// ListedTool is a tool as a server lists it.
type ListedTool struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	// Guidance is what stands beside the name, or in `_meta`.
	Guidance     *string         `json:"guidance,omitempty"`
	InputSchema  json.RawMessage `json:"inputSchema,omitempty"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Annotations  json.RawMessage `json:"annotations,omitempty"`
}

// NewListing puts the answers of a server into the form of a [Listing].
func NewListing(server, instructions string, tools []ListedTool) (Listing, error) {
	tools = slices.Clone(tools)
	slices.SortStableFunc(tools, func(a, b ListedTool) int { return cmp.Compare(a.Name, b.Name) })
	if tools == nil {
		tools = []ListedTool{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(struct {
		Instructions string       `json:"instructions,omitempty"`
		Tools        []ListedTool `json:"tools"`
	}{instructions, tools})
	return Listing{Server: server, Text: b.String()}, err
}

// Digest is the SHA-256 of the listing, in lower-case hex.
func (l Listing) Digest() string { return digestOf([]byte(l.Text)) }

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// A Lister gets the listings of servers. The folder is that of the manifest.
type Lister interface {
	// List asks the server: it runs a program or opens a connection. It is called
	// for servers that the user has agreed to, and for no others, and for several
	// at the same time.
	List(ctx context.Context, s Server, dir string) (Listing, error)
	// Kept gives the listing that is kept from before, without asking.
	Kept(s Server, dir string) (Listing, error)
}

// ServerUse says how the manifest's servers are used.
type ServerUse uint8

const (
	// AskServers asks them. When one gives no listing, the one that is kept from
	// before is used, with a note.
	AskServers ServerUse = iota
	// KeptServers uses the listings that are kept, and runs and opens nothing.
	KeptServers
	// NoServers leaves them out, with a note.
	NoServers
)

// servers adds the tools that the project's servers list. This is the one door
// to them: before anything is started or reached, the user has agreed.
func (p *Project) servers(ctx context.Context, g *gathering, servers []Server) error {
	use := p.request.Servers
	if use == NoServers {
		p.note(CodeServerLeftOut, servers[0].Position, "%s left out", countOf(len(servers), "tool server is", "tool servers are"))
		return nil
	}
	if use == AskServers && !p.request.AllowMCP {
		for _, part := range p.Manifest.Parts() {
			if part.Name == serversPart {
				if err := p.RequireApproval(part, "--allow-mcp"); err != nil {
					return err
				}
			}
		}
	}
	lister := p.request.Lister
	if lister == nil {
		return &cento.SourceError{
			Code: ServerNotAsked, Position: servers[0].Position, Message: "the manifest names tool servers, and there is nothing to ask them with",
			Hint: "a program that uses the library sets Request.Lister",
		}
	}
	// All are asked at once, and their answers taken in the order of the manifest.
	listings, errs := make([]Listing, len(servers)), make([]error, len(servers))
	var asked sync.WaitGroup
	for i, s := range servers {
		asked.Go(func() {
			if use == KeptServers {
				listings[i], errs[i] = lister.Kept(s, p.Base)
			} else {
				listings[i], errs[i] = lister.List(ctx, s, p.Base)
			}
		})
	}
	asked.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, s := range servers {
		if errs[i] != nil {
			e := &cento.SourceError{Code: ServerFailed, Position: s.Position, Message: fmt.Sprintf("the server %q gave no listing of its tools", s.Name), Err: errs[i]}
			if use == KeptServers {
				e.Code, e.Message, e.Err = ServerNotAsked, fmt.Sprintf("no listing of the server %q is kept", s.Name), nil
				e.Hint = "`cento tools list` asks it, and keeps what it says"
			}
			g.errs = append(g.errs, e)
			continue
		}
		if err := g.report(p.addListing(g, s, listings[i])); err != nil {
			return err
		}
	}
	return nil
}

func (p *Project) note(code cento.Code, at cento.Position, format string, args ...any) {
	p.Input.Notes = append(p.Input.Notes, cento.Note{Code: code, Position: at, Message: fmt.Sprintf(format, args...)})
}

func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// addListing adds the tools of one server, and what it says about them.
func (p *Project) addListing(g *gathering, s Server, l Listing) error {
	if l.Kept != "" {
		p.note(CodeServerKept, s.Position, "the server %q gave no listing, so the one of an earlier run is used: %s", s.Name, l.Kept)
	}
	if !p.request.Unlocked {
		if err := p.holdToLock(s, l); err != nil {
			return err
		}
	}
	tools, said, err := readListing(s, l.Text, p.Manifest.Limits)
	if err != nil {
		return namedAt(err, s.Position)
	}
	if len(tools.Defined) == 0 {
		p.note(CodeServerEmpty, s.Position, "the server %q has no tools", s.Name)
	}
	g.define(tools.Defined)
	g.Active = append(g.Active, tools.Names()...)
	g.Notes = append(g.Notes, tools.Notes...)
	p.listings = append(p.listings, ServerListing{Server: s, Listing: l})
	if said != nil {
		p.Input.Servers = append(p.Input.Servers, cento.ToolServer{Name: s.Name, Instructions: *said})
	}
	return nil
}

// ServerListing is the listing that a project uses of a server.
type ServerListing struct {
	Server  Server
	Listing Listing
}

// Listings are the listings of the project's servers, in their order.
func (p *Project) Listings() []ServerListing { return slices.Clone(p.listings) }

// listingFile is a listing as it is read.
type listingFile struct {
	Instructions *text        `json:"instructions,omitempty"`
	Tools        *strict.Node `json:"tools"`
}

// readListing reads a listing as strictly as a file of tools, since a stranger
// wrote it. Its positions are those of the text that `cento tools show` prints.
func readListing(s Server, listing string, limits cento.Limits) (Tools, *cento.Text, error) {
	limits = limits.Or(cento.DefaultLimits())
	limits.File = MaxListing
	n, err := strict.JSON("<mcp:"+s.Name+">", []byte(listing), limits)
	if err != nil {
		return Tools{}, nil, err
	}
	d := strict.Decoder{Trust: cento.TrustTool}
	var f listingFile
	d.Decode(n, &f)
	var t Tools
	if f.Tools != nil {
		if f.Tools.Kind() != strict.List {
			d.Expected(f.Tools, strict.List.String())
		}
		t.list(&d, f.Tools, false)
		t.Listed, t.Active = false, nil // a list without tools is one
	}
	if err := d.Err(); err != nil {
		return Tools{}, nil, err
	}
	for i := range t.Defined {
		t.Defined[i].Name, t.Defined[i].Server = s.Prefix+t.Defined[i].Name, s.Name
	}
	if f.Instructions == nil || strings.TrimSpace(f.Instructions.Value) == "" {
		return t, nil, nil
	}
	return t, textOf(f.Instructions, cento.TrustTool), nil
}
