package mcpserver

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/nearest"
)

// offerPrompts offers each project's prompt as PROJECT, and that of each target as
// PROJECT/TARGET. A project that can't be read offers its own alone, which tells why
// when somebody asks for it.
func (s *Server) offerPrompts(ctx context.Context, projects []Project) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range projects {
		p := &projects[i]
		var vars, targets []string
		if open, err := s.open(ctx, p, "", nil); err == nil {
			vars, targets = slices.Sorted(maps.Keys(open.Variables())), open.Targets()
		}
		now := []offered{s.prompt(p, "", vars)}
		for _, target := range targets {
			now = append(now, s.prompt(p, target, vars))
		}
		s.prompts[p.Name] = offer(s.prompts[p.Name], now, s.mcp.RemovePrompts)
	}
}

// freshPrompt reads the project whose prompt is asked for, and tells which part of the
// name it doesn't know.
func (s *Server) freshPrompt(ctx context.Context, r mcp.Request) error {
	params, ok := r.GetParams().(*mcp.GetPromptParams)
	if !ok {
		return nil
	}
	name, target, _ := strings.Cut(params.Name, "/")
	p, err := s.project(name)
	if err == nil {
		s.offerPrompts(ctx, []Project{*p})
		if !s.offersPrompt(p, params.Name) {
			_, err = s.open(ctx, p, target, nil)
		}
	}
	if err == nil {
		return nil
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: s.told(ctx, err).Error()}
}

func (s *Server) offersPrompt(p *Project, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.prompts[p.Name][name]
	return ok
}

func (s *Server) prompt(p *Project, target string, vars []string) offered {
	x := &mcp.Prompt{Name: p.Name, Title: "System prompt of " + p.Name, Description: "The system prompt that cento build makes of the project."}
	if target != "" {
		x.Name += "/" + target
		x.Title += ", target " + target
		x.Description = "The system prompt of the target " + target + "."
	}
	for _, name := range vars {
		x.Arguments = append(x.Arguments, &mcp.PromptArgument{Name: name, Description: "A variable of the project; its own value where nothing is given."})
	}
	return offered{name: x.Name, about: target + "\x00" + strings.Join(vars, "\x00"), add: func() {
		s.mcp.AddPrompt(x, func(ctx context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return s.made(ctx, p, target, vars, r.Params.Arguments)
		})
	}}
}

// made is the prompt of a target. The protocol knows messages of users and
// assistants alone, so it is the text of a user's.
func (s *Server) made(ctx context.Context, p *Project, target string, vars []string, arguments map[string]string) (*mcp.GetPromptResult, error) {
	var set []app.Assignment
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		if !slices.Contains(vars, name) {
			return nil, s.told(ctx, &cento.SourceError{
				Code: UnknownArgument, Message: "the prompt has no argument " + quoted(name),
				Hint: nearest.Hint(name, vars, "a variable is declared by the manifest, in vars"),
			})
		}
		set = append(set, app.Assignment{Name: name, Value: arguments[name]})
	}
	open, err := s.open(ctx, p, target, set)
	if err != nil {
		return nil, s.told(ctx, err)
	}
	prompt, err := open.Reduce(open.Input)
	if err != nil {
		return nil, s.told(ctx, err)
	}
	text, _ := prompt.System()
	description, meta := about(open, prompt)
	return &mcp.GetPromptResult{
		Meta: meta, Description: description,
		Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
	}, nil
}

// about is what there is to say of a prompt: in words, and as data what those who use it
// have to know, where there is any.
func about(p *app.Project, prompt *cento.Prompt) (string, mcp.Meta) {
	said := fmt.Sprintf("%d fragments, %d bytes, SHA-256 %s", prompt.Included(), prompt.Bytes(), prompt.Digest())
	meta := mcp.Meta{}
	caveats := prompt.Caveats()
	if given := caveats.Sacrificed; len(given) > 0 {
		said += fmt.Sprintf("; the budget left out or shortened %d", len(given))
		meta["sacrificed"] = given
	}
	if noted := caveats.NotedTexts; len(noted) > 0 {
		said += "; notes on texts"
		meta["noted_texts"] = noted
	}
	if notes := app.JoinNotes(p.Notes(p.Input.Notes), p.Notes(prompt.Notes())); len(notes) > 0 {
		said += fmt.Sprintf("; %d notes", len(notes))
		meta["notes"] = notes
	}
	if len(meta) == 0 {
		return said, nil
	}
	return said, meta
}
