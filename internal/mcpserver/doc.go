// Package mcpserver offers the prompts of projects to clients of the Model Context
// Protocol: each target as a prompt, each text as a resource, and the questions about
// them as tools that only read. It changes no project, runs nothing that one names, and
// knows no rule about prompts.
//
//	s := mcpserver.New([]mcpserver.Project{{Name: "acme", Request: request, Search: search}}, mcpserver.Options{})
//	err := s.Serve(ctx, os.Stdin, out, out.Flush)
//
// A client knows a project by its name alone: no request names a folder, brings files
// or a recorded input. Lists and texts are those of the files as they are: before each
// answer it is looked whether they still are as they were read. A client that stays hears
// when a list or a text that it subscribed to has become another one.
//
// A question that can't be answered is a result that says so, with the code and the
// place, as a model can do something about it; a prompt or resource that there isn't is
// an error of the protocol.
package mcpserver

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/nearest"
)

const (
	// UnknownProject: a client names a project that the server doesn't have.
	UnknownProject cento.ErrorCode = "project.unknown"
	// UnknownArgument: a client gives an argument that a tool or prompt doesn't have.
	UnknownArgument cento.ErrorCode = "argument.unknown"
	// UnknownResource: there is no text at the address that a client reads.
	UnknownResource cento.ErrorCode = "resource.unknown"
)

// A Project is one that clients may ask about.
type Project struct {
	// Name is what clients know it by; see [CheckName].
	Name string
	// Request says how it is read. It is kept then for as long as its files stay as they
	// were read, and clients of [Server.Run] hear when they don't.
	Request func(context.Context) (app.Request, error)
	// Place is the project where somebody else keeps it; nil: Request says how it is read.
	Place func(context.Context) call.Place
	// Search looks for a text in what was handed out of it.
	Search func(context.Context, app.SearchQuery) (*app.RecordSearch, error)
}

var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// CheckName reports whether a project may have a name: it stands in addresses.
func CheckName(name string) bool { return nameForm().MatchString(name) }

// NameOf makes a name that [CheckName] takes of one that people chose.
func NameOf(folder string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '.' || r == '_' || r == '-' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z') {
			return r
		}
		return '-'
	}, folder)
	name = strings.TrimLeft(name, "._-")
	if name = name[:min(len(name), 64)]; name == "" {
		return "project"
	}
	return name
}

// project finds one by its name.
func (s *Server) project(name string) (*Project, error) {
	known := make([]string, len(s.projects))
	for i := range s.projects {
		if s.projects[i].Name == name {
			return &s.projects[i], nil
		}
		known[i] = s.projects[i].Name
	}
	return nil, &cento.SourceError{
		Code: UnknownProject, Message: "there is no project " + quoted(name),
		Hint: nearest.Hint(name, known, "the projects are "+nearest.List(known)),
	}
}
