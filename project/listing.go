package project

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project/consent"
)

// A Lister gets the listings of servers. The folder is that of the manifest.
type Lister interface {
	// List asks the server: it runs a program or opens a connection. It is called
	// for servers that the user has agreed to, and for no others, and for several
	// at the same time.
	List(ctx context.Context, s consent.Server, dir string) (consent.Listing, error)
	// Kept gives the listing that is kept from before, without asking.
	Kept(s consent.Server, dir string) (consent.Listing, error)
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
func (r *reader) servers(ctx context.Context, g *gathering, servers []consent.Server) error {
	use := r.request.Servers
	if use == NoServers {
		g.note(CodeServerLeftOut, servers[0].Position, "%s left out", countOf(len(servers), "tool server is", "tool servers are"))
		return nil
	}
	if use == AskServers && !r.request.AllowMCP {
		for _, part := range r.manifest.Parts() {
			if part.Name == manifest.ServersPart {
				if err := r.requireApproval(part, "--allow-mcp"); err != nil {
					return err
				}
			}
		}
	}
	lister := r.request.Lister
	if lister == nil {
		return &cento.SourceError{
			Code: ServerNotAsked, Position: servers[0].Position, Message: "the manifest names tool servers, and there is nothing to ask them with",
			Hint: "a program that uses the library sets Request.Lister",
		}
	}
	// All are asked at once, and their answers taken in the order of the manifest.
	listings, errs := make([]consent.Listing, len(servers)), make([]error, len(servers))
	var asked sync.WaitGroup
	for i, s := range servers {
		asked.Go(func() {
			if use == KeptServers {
				listings[i], errs[i] = lister.Kept(s, r.Base)
			} else {
				listings[i], errs[i] = lister.List(ctx, s, r.Base)
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
			e.Hint = "run its command by hand to see why; --mcp off does without tool servers"
			if s.URL != "" {
				e.Hint = "see that the address answers; --mcp off does without tool servers"
			}
			if absent, ok := errors.AsType[*consent.Absent](errs[i]); ok {
				r.placeAbsent(e, s, absent)
			}
			if use == KeptServers {
				e.Code, e.Message, e.Err = ServerNotAsked, fmt.Sprintf("no listing of the server %q is kept", s.Name), nil
				e.Hint = "`cento tools list` asks it, and keeps what it says"
			}
			g.faults = append(g.faults, e)
			continue
		}
		if err := r.addListing(g, s, listings[i]); g.faults.fatal(err) {
			return err
		}
	}
	return nil
}

// placeAbsent tells what a server can't be started for where the manifest names it.
func (r *reader) placeAbsent(e *cento.SourceError, s consent.Server, absent *consent.Absent) {
	switch {
	case absent.Folder != "":
		e.Position, e.Hint = s.CwdPosition, "cwd is a folder of the project, from that of the manifest"
		if near, ok := tree.NearFolder(r.disk, s.Cwd, filepath.Join(r.Base, filepath.FromSlash(s.Cwd))); ok {
			e.Hint = fmt.Sprintf("did you mean %q?", filepath.ToSlash(near))
		}
	case strings.ContainsFunc(absent.Program, unicode.IsSpace):
		e.Hint = "the first word of a command is the program alone, as in command: [npx, -y, some-server]"
	}
}

func (g *gathering) note(code cento.Code, at cento.Position, format string, args ...any) {
	g.noted = append(g.noted, cento.Note{Code: code, Position: at, Message: fmt.Sprintf(format, args...)})
}

func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// addListing adds the tools of one server, and what it says about them.
func (r *reader) addListing(g *gathering, s consent.Server, l consent.Listing) error {
	if l.Kept != "" {
		g.note(CodeServerKept, s.Position, "the server %q gave no listing, so the one of an earlier run is used: %s", s.Name, l.Kept)
	}
	if !r.request.Unlocked {
		if err := r.checkServer(g, s, l); err != nil {
			return err
		}
	}
	tools, instructions, err := manifest.ReadListing(s, l.Text, r.manifest.Limits)
	if err != nil {
		return namedAt(err, s.Position)
	}
	if len(tools.Defined) == 0 {
		g.note(CodeServerEmpty, s.Position, "the server %q has no tools", s.Name)
	}
	g.define(tools.Defined)
	g.Active = append(g.Active, tools.Names()...)
	g.Notes = append(g.Notes, tools.Notes...)
	g.listings = append(g.listings, consent.ServerListing{Server: s, Listing: l})
	if instructions != nil {
		g.saying = append(g.saying, cento.ToolServer{Name: s.Name, Instructions: *instructions})
	}
	return nil
}

// checkServer holds a listing to the lock.
func (r *reader) checkServer(g *gathering, s consent.Server, l consent.Listing) error {
	if g.lock == nil {
		var err error
		if g.lock, err = r.lock(); err != nil {
			return err
		}
	}
	if r.manifest.Tools.LockRequired || r.request.Frozen {
		return g.lock.RequireServer(s, l)
	}
	return g.lock.CheckServer(s, l)
}

// Listings are the listings of the project's servers, in their order.
func (p *Project) Listings() []consent.ServerListing { return slices.Clone(p.listings) }
