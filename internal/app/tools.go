package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/prompttest"
	"github.com/cento-dev/cento/internal/textdiff"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/consent"
	"github.com/cento-dev/cento/project/toolserver"
)

// ToolList is the tools of a project and where they come from.
type ToolList struct {
	Tools   []ListedTool   `json:"tools"`
	Servers []ListedServer `json:"servers"`
	Notes   []cento.Note   `json:"notes"`
}

// ListedTool is one tool. One that is active by its name alone has no position.
type ListedTool struct {
	Name        string          `json:"name"`
	Active      bool            `json:"active"`
	Server      string          `json:"server,omitempty"`
	Description string          `json:"description,omitempty"`
	Guidance    *string         `json:"guidance,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Position    *cento.Position `json:"position"`
}

// ListedServer is a tool server that gave a listing.
type ListedServer struct {
	Name string `json:"name"`
	// Server is what it calls itself.
	Server string `json:"server"`
	SHA256 string `json:"sha256"`
	// Lock is locked or unlocked: one that says something else than the lock is
	// an error.
	Lock string `json:"lock"`
	// Kept tells why the listing is one from before; empty for a fresh one.
	Kept     string         `json:"kept,omitempty"`
	Listing  string         `json:"listing"`
	Position cento.Position `json:"position"`
}

// Tools lists the tools of a project.
func Tools(ctx context.Context, site project.Site, r project.Request) (*ToolList, error) {
	p, err := site.OpenPrompts(ctx, r)
	if err != nil {
		return nil, err
	}
	lock, err := p.Lock()
	if err != nil {
		return nil, err
	}
	out := &ToolList{Tools: []ListedTool{}, Servers: []ListedServer{}, Notes: p.Input.Notes}
	if out.Notes == nil {
		out.Notes = []cento.Note{}
	}
	active := p.Input.ActiveTools()
	isActive := make(map[string]bool, len(active))
	for _, name := range active {
		isActive[name] = true
	}
	defined := make(map[string]bool, len(p.Input.Tools))
	for _, t := range p.Input.Tools {
		defined[t.Name] = true
		out.Tools = append(out.Tools, ListedTool{
			Name: t.Name, Active: isActive[t.Name], Server: t.Server, Description: t.Description,
			Guidance: t.Guidance, Parameters: t.Parameters, Position: &t.Origin,
		})
	}
	for _, name := range active {
		if !defined[name] {
			out.Tools = append(out.Tools, ListedTool{Name: name, Active: true})
		}
	}
	for _, x := range p.Listings() {
		s := ListedServer{
			Name: x.Server.Name, Server: x.Listing.Server, SHA256: x.Listing.Digest(), Lock: "unlocked", Kept: x.Listing.Kept,
			Listing: x.Listing.Text, Position: x.Server.Position,
		}
		if lock.Server(s.Name) != nil {
			s.Lock = "locked"
		}
		out.Servers = append(out.Servers, s)
	}
	return out, nil
}

// UnknownTool: no tool and no tool server has the name.
const UnknownTool cento.ErrorCode = "tool.unknown"

// Named is the tool server of a name, or else the tool.
func (l *ToolList) Named(name string) (*ListedServer, *ListedTool, error) {
	for i := range l.Servers {
		if l.Servers[i].Name == name {
			return &l.Servers[i], nil, nil
		}
	}
	for i := range l.Tools {
		if l.Tools[i].Name == name {
			return nil, &l.Tools[i], nil
		}
	}
	var known []string
	for i := range l.Servers {
		known = append(known, l.Servers[i].Name)
	}
	for i := range l.Tools {
		known = append(known, l.Tools[i].Name)
	}
	e := &cento.SourceError{Code: UnknownTool, Message: fmt.Sprintf("there is no tool and no tool server %q", name), Hint: nearest.Hint(name, known, "`cento tools list` lists them")}
	if len(known) == 0 {
		e.Hint = "the project has neither"
	}
	return nil, nil, e
}

// ToolDifference is a difference between the lock and what servers say, with
// both texts.
type ToolDifference struct {
	consent.ToolChange
	// Lines compare what was agreed to with what is said, of a whole server its
	// outline; nil where the text that was agreed to isn't kept on this machine.
	Lines []ToolLine `json:"lines"`
}

// ToolLine is a line of a comparison: Op is "-", "+" or " ".
type ToolLine struct {
	Op   string `json:"op"`
	Text string `json:"text"`
}

// ToolLock is the lock of the tool servers beside what they say.
type ToolLock struct {
	Changes []ToolDifference `json:"changes"`
	// Servers are the names of the servers that were asked.
	Servers []string `json:"servers"`
	// Written: the lock agrees now.
	Written bool `json:"written"`
	// Notes are what there is to say about the listings that were compared.
	Notes []cento.Note `json:"notes"`

	site  project.Site
	text  string
	limit int // of the text, to be read again
	// failed are the servers that gave no listing, so that the one of an earlier
	// run was compared.
	failed []*cento.SourceError
	// listings are what the servers say, by their names.
	listings map[string]consent.Listing
}

// CompareTools asks the servers of all targets and compares what they say with
// the lock.
func CompareTools(ctx context.Context, site project.Site, r project.Request, e Environ) (*ToolLock, error) {
	if r.Servers == project.NoServers {
		return nil, &cento.SourceError{Code: project.ServerNotAsked, Message: "servers that are left out can't be compared", Hint: "leave `--mcp off` out, or compare what is kept, with `--mcp kept`"}
	}
	r.Unlocked, r.Target = true, ""
	p, err := site.OpenPrompts(ctx, r)
	if err != nil {
		return nil, err
	}
	var targets []*project.Project
	for _, name := range p.Targets() {
		r.Target = name
		q, err := site.OpenPrompts(ctx, r)
		if err != nil {
			return nil, err
		}
		targets = append(targets, q)
	}
	lock, err := p.Lock()
	if err != nil {
		return nil, err
	}
	listings := p.Listings()
	for _, q := range targets {
		listings = append(listings, q.Listings()...)
	}
	changes, next, err := lock.CompareServers(listings)
	if err != nil {
		return nil, err
	}
	out := &ToolLock{Changes: []ToolDifference{}, Servers: []string{}, Notes: []cento.Note{}, site: site, text: next.String(), limit: p.LockLimit()}
	says, agreed := map[string]*consent.Contents{}, map[string]*consent.Contents{}
	for _, q := range append([]*project.Project{p}, targets...) {
		for _, x := range q.Listings() {
			says[x.Server.Name] = consent.ParseContents(x.Listing.Text)
		}
		for _, n := range q.Input.Notes {
			if !slices.Contains(out.Notes, n) { // targets have most of them in common
				out.Notes = append(out.Notes, n)
			}
		}
		out.failed = append(out.failed, failedServers(q)...)
		for _, x := range q.Listings() {
			if out.listings == nil {
				out.listings = map[string]consent.Listing{}
			}
			out.listings[x.Server.Name] = x.Listing
		}
	}
	for _, s := range next.Servers {
		out.Servers = append(out.Servers, s.Name)
	}
	kept := lister(e)
	for _, c := range changes {
		d := ToolDifference{ToolChange: c}
		var before, now string
		known := c.From == ""
		if said := says[c.Server]; said != nil {
			now = said.Value(c)
		}
		if !known {
			before, known = agreedTo(c, lock, kept, agreed)
		}
		if known {
			if c.Tool == "" && c.Field == "" && (before == "" || now == "") { // a server that comes or goes
				before, now = outline(before), outline(now)
			}
			d.Lines = toolLines(before, now)
		}
		out.Changes = append(out.Changes, d)
	}
	return out, nil
}

// agreedTo is the text that a change is about as it was agreed to; false when that
// isn't kept on this machine. What was looked up once is in known.
func agreedTo(c consent.ToolChange, lock *consent.Lock, kept *toolserver.Lister, known map[string]*consent.Contents) (string, bool) {
	said, looked := known[c.Server]
	if !looked {
		if s := lock.Server(c.Server); s != nil {
			if text, err := kept.KeptListing(s.Digest); err == nil {
				said = consent.ParseContents(text)
			}
		}
		known[c.Server] = said
	}
	if said == nil {
		return "", false
	}
	return said.Value(c), true
}

func outline(listing string) string { return strings.Join(consent.Outline(listing), "\n") }

// failedServers are the servers of a project that gave no listing in this run.
func failedServers(p *project.Project) []*cento.SourceError {
	var out []*cento.SourceError
	for _, x := range p.Listings() {
		if x.Listing.Kept != "" {
			out = append(out, &cento.SourceError{
				Code: project.ServerFailed, Position: x.Server.Position, Message: fmt.Sprintf("the server %q gave no listing, so there is nothing to agree to: %s", x.Server.Name, x.Listing.Kept),
				Hint: "`--mcp kept` agrees to what it said last",
			})
		}
	}
	return out
}

func toolLines(before, now string) []ToolLine {
	out := []ToolLine{}
	for _, l := range textdiff.Lines(strings.TrimSuffix(before, "\n"), strings.TrimSuffix(now, "\n")) {
		if l.Text != "" || before != "" && now != "" { // a text that isn't there has no line
			out = append(out, ToolLine{string(rune(l.Op)), l.Text})
		}
	}
	return out
}

// Write writes the lock that agrees to what the servers say, and beside it their
// listings, which tests of prompts read. A server that said nothing in this run can't
// be agreed to.
func (l *ToolLock) Write() error {
	if err := cento.Join(l.failed); err != nil {
		return err
	}
	if len(l.Changes) == 0 {
		return l.writeListings()
	}
	// What is written has to be read by every run from then on.
	shown := l.site.Show(l.site.LockPath())
	if _, err := consent.ParseLock(shown, l.text, cento.Limits{File: l.limit}); err != nil {
		message := err.Error()
		if e, ok := errors.AsType[*cento.SourceError](err); ok {
			message = e.Message // its place is one in a file that isn't there
		}
		return &cento.SourceError{
			Code: cento.LimitExceeded, Message: shown + " is not written, since it couldn't be read again: " + message,
			Hint: "leave servers with so many tools out",
		}
	}
	if err := replaceFile(l.site.LockPath(), l.text, 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", shown, err)
	}
	l.Written = true
	return l.writeListings()
}

// writeListings writes the listings that aren't there yet as they are.
func (l *ToolLock) writeListings() error {
	if len(l.listings) == 0 {
		return nil
	}
	t, err := tree.Open(l.site.Base, tree.Options{Limit: consent.MaxListing})
	if err != nil {
		return err
	}
	defer t.Close()
	for _, name := range slices.Sorted(maps.Keys(l.listings)) {
		file, text := path.Join(prompttest.ListingsFolder, name+".json"), l.listings[name].Text
		if f, err := t.Read(file); err == nil && f.Text == text {
			continue
		}
		if err := t.Replace(file, []byte(text)); err != nil {
			return fmt.Errorf("writing %s: %w", file, tree.WithoutPath(err))
		}
	}
	return nil
}

// ChangedServers are the names of the servers that a lock doesn't agree to.
func (l *ToolLock) ChangedServers() []string {
	var out []string
	for _, c := range l.Changes {
		out = append(out, c.Server)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
