package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/nearest"
)

// The addresses of texts: cento://PROJECT/prompt, cento://PROJECT/prompt/TARGET, and
// cento://PROJECT/fragment/ID for a fragment of the project's own prompt.
const (
	scheme       = "cento"
	promptKind   = "prompt"
	fragmentKind = "fragment"
	// markdown is what prompts are written in.
	markdown = "text/markdown"
)

// address is that of a text; name is a target or an id, or empty.
func address(project, kind, name string) string {
	u := scheme + "://" + project + "/" + kind
	if name != "" {
		u += "/" + url.PathEscape(name)
	}
	return u
}

// addTemplates offers the forms of addresses.
func (s *Server) addTemplates() {
	for _, t := range []mcp.ResourceTemplate{
		{URITemplate: scheme + "://{project}/" + promptKind + "/{+target}", Name: "prompt", Title: "Prompt of a target", Description: "The system prompt of a target of a project."},
		{URITemplate: scheme + "://{project}/" + fragmentKind + "/{+id}", Name: "fragment", Title: "Text of a fragment", Description: "The text of a fragment of a project's prompt, also of one that was left out; _meta says why, and where it is from."},
	} {
		t.MIMEType = markdown
		s.mcp.AddResourceTemplate(&t, s.resource)
	}
}

// maxListed is how many fragments of a project are listed. All can be read.
const maxListed = 1000

// offerResources offers the prompts of the projects, and the fragments that are in the
// project's own. A project that can't be read offers its own prompt alone, which tells why
// when somebody asks for it.
func (s *Server) offerResources(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var now []offered
	add := func(r mcp.Resource) {
		r.MIMEType = markdown
		now = append(now, offered{name: r.URI, about: r.Name + "\x00" + r.Description, add: func() { s.mcp.AddResource(&r, s.resource) }})
	}
	for i := range s.projects {
		p := &s.projects[i]
		add(mcp.Resource{URI: address(p.Name, promptKind, ""), Name: p.Name, Description: "The system prompt of the project."})
		open, err := s.open(ctx, p, "", nil)
		if err != nil {
			continue
		}
		for _, target := range open.Targets() {
			add(mcp.Resource{URI: address(p.Name, promptKind, target), Name: p.Name + "/" + target, Description: "The system prompt of a target."})
		}
		prompt, err := open.Reduce(open.Input)
		if err != nil {
			continue
		}
		listed := 0
		for i := range prompt.Len() {
			if !prompt.In(i) {
				continue
			}
			if listed++; listed > maxListed {
				break
			}
			add(mcp.Resource{URI: address(p.Name, fragmentKind, prompt.Fragment(i).ID), Name: prompt.Fragment(i).ID, Description: "A fragment of the system prompt of " + p.Name + "."})
		}
	}
	s.resources = offer(s.resources, now, s.mcp.RemoveResources)
}

// resource reads the text of an address.
func (s *Server) resource(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	contents, err := s.contents(ctx, r.Params.URI)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
}

// contents are the text of an address, with what there is to say about it.
func (s *Server) contents(ctx context.Context, uri string) (*mcp.ResourceContents, error) {
	name, kind, of, ok := splitAddress(uri)
	if !ok {
		return nil, s.noResource(ctx, uri, errNoAddress)
	}
	p, err := s.project(name)
	if err != nil {
		return nil, s.noResource(ctx, uri, err)
	}
	target := ""
	if kind == promptKind {
		target = of
	}
	open, err := s.open(ctx, p, target, nil)
	switch {
	case errors.Is(err, app.UnknownTarget):
		return nil, s.noResource(ctx, uri, err)
	case err != nil:
		return nil, s.told(ctx, err)
	}
	prompt, err := open.Reduce(open.Input)
	if err != nil {
		return nil, s.told(ctx, err)
	}
	contents := &mcp.ResourceContents{URI: uri, MIMEType: markdown}
	if kind == promptKind {
		contents.Text, _ = prompt.System()
	} else {
		at, ok := prompt.Index(of)
		if !ok {
			return nil, s.noResource(ctx, uri, noFragment(p, prompt, of))
		}
		contents.Text = prompt.Text(at)
		contents.Meta = mcp.Meta{"cento/trace": prompt.Trace(at, cento.ExplainOptions{AllReasons: true})}
	}
	return contents, nil
}

// errNoAddress is why there is nothing at what has none of the forms.
var errNoAddress = &cento.SourceError{
	Code: UnknownResource, Message: "this is no address of a text",
	Hint: "write " + address("PROJECT", promptKind, "") + ", " + address("PROJECT", promptKind, "TARGET") + " or " + address("PROJECT", fragmentKind, "ID"),
}

// noFragment is why there is nothing at the address of a fragment.
func noFragment(p *Project, prompt *cento.Prompt, id string) error {
	known := make([]string, prompt.Len())
	for i := range known {
		known[i] = prompt.Fragment(i).ID
	}
	e := &cento.SourceError{Code: UnknownResource, Message: "there is no fragment " + quoted(id), Hint: "the tool explain lists them"}
	if near, ok := nearest.Name(id, known); ok {
		e.Hint = "did you mean " + quoted(address(p.Name, fragmentKind, near)) + "?"
	}
	return e
}

// noResource tells that there is nothing at an address, and why.
func (s *Server) noResource(ctx context.Context, uri string, why error) error {
	e := &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: s.told(ctx, why).Error()}
	data, err := json.Marshal(map[string]string{"uri": uri})
	if err == nil { // else the message alone
		e.Data = data
	}
	return e
}

// notFound reports whether nothing was found at an address.
func notFound(err error) bool {
	e, ok := errors.AsType[*jsonrpc.Error](err)
	return ok && e.Code == jsonrpc.CodeInvalidParams
}

// splitAddress takes an address apart.
func splitAddress(uri string) (project, kind, name string, ok bool) {
	rest, ok := strings.CutPrefix(uri, scheme+"://")
	if !ok {
		return "", "", "", false
	}
	project, rest, _ = strings.Cut(rest, "/")
	kind, escaped, more := strings.Cut(rest, "/")
	name, err := url.PathUnescape(escaped)
	switch {
	case err != nil || more && name == "":
		return "", "", "", false
	case kind == promptKind, kind == fragmentKind && more:
		return project, kind, name, true
	}
	return "", "", "", false
}
