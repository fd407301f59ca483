package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/nearest"
)

// tool is a question that clients may ask.
type tool struct {
	tool   *mcp.Tool
	answer mcp.ToolHandler
}

// question is an operation that is a tool: what it is for, and which keys of its
// request are arguments beside those that ask for another prompt.
type question struct {
	name, title, about string
	whatIf             bool
	arguments          []string
}

// questions leave out the keys that bring files or name a folder.
func questions() []question {
	return []question{
		{"assemble", "Assemble a prompt", "Make the system prompt of a project, also as it would be with other tools, capabilities, variables or another target, model or budget.", true, []string{"tokens"}},
		{"check", "Check prompts", "Find what is doubtful about the prompts of a project: dead paths, texts that never come, tools that nobody defines, credentials, and the like.", false, []string{"target", "strict"}},
		{"diff", "Compare two prompts", "Tell what would be different in the prompt with the changes in to: fragments that come, go or change, and bytes.", true, []string{"to"}},
		{"explain", "Explain a prompt", "Tell every fragment that was considered for the prompt: whether it is in, why, its size, and the file and line of each part.", true, []string{"tokens", "all_reasons"}},
		{"instructions", "List instruction files", "Tell which instruction files (AGENTS.md, CLAUDE.md and the like) are loaded by the rules of a client, and what is cut or left out.", false, []string{"target", "profile", "cwd", "for", "model"}},
		{"why", "Find where a sentence is from", "Find a text in the prompt and tell the file and line that it is from and why it is there; or why it isn't there.", true, []string{"text"}},
	}
}

// tools are all questions, and the search in what was handed out.
func (s *Server) tools() []tool {
	answers := map[string]reflect.Type{}
	for _, o := range call.Operations() {
		answers[o.Name] = o.Answers[0]
	}
	published := requests()
	var out []tool
	for _, q := range questions() {
		arguments, required := published.arguments(&q)
		out = append(out, s.tool(q.name, q.title, q.about, arguments, required, answers[q.name], func(ctx context.Context, request []byte) (any, error) {
			return call.Answer(ctx, q.name, request, s.options(ctx))
		}))
	}
	return append(out, s.searchTool())
}

// tool is one question. Its arguments are held to its schema here as far as their
// names go, and by the operation's own reader beyond.
func (s *Server) tool(name, title, about string, arguments map[string]*jsonschema.Schema, required []string, answers reflect.Type, ask func(context.Context, []byte) (any, error)) tool {
	arguments["project"] = &jsonschema.Schema{Type: "string", Description: "Name of the project.", Enum: anyOf(s.names())}
	if len(s.projects) > 1 {
		required = append(slices.Clip(required), "project")
	}
	no := false
	return tool{
		&mcp.Tool{
			Name: name, Title: title, Description: about,
			Annotations:  &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no, Title: title},
			InputSchema:  written(&jsonschema.Schema{Type: "object", Properties: arguments, Required: required, AdditionalProperties: nothingElse()}),
			OutputSchema: written(answerSchema(answers)),
		},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			request := []byte(r.Params.Arguments)
			if len(request) == 0 || string(request) == "null" {
				request = []byte("{}")
			}
			if err := checkArguments(request, arguments, required); err != nil {
				return s.failed(ctx, err), nil
			}
			answer, err := ask(ctx, request)
			if err != nil {
				return s.failed(ctx, err), nil
			}
			out, err := s.answered(name, answer)
			if err != nil {
				return s.failed(ctx, err), nil
			}
			return out, nil
		},
	}
}

// written is a schema as JSON: a list of tools is asked for far more often than made.
func written(schema *jsonschema.Schema) json.RawMessage {
	text, err := json.Marshal(schema)
	if err != nil {
		panic(err) // it is made of types of this program
	}
	return text
}

func (s *Server) names() []string {
	out := make([]string, len(s.projects))
	for i := range s.projects {
		out[i] = s.projects[i].Name
	}
	return out
}

// checkArguments refuses what a tool doesn't have: the operation behind it has more
// keys, some of which name folders.
func checkArguments(request []byte, arguments map[string]*jsonschema.Schema, required []string) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(request, &given); err != nil {
		return nil // the reader tells what is wrong, and where
	}
	known := slices.Sorted(maps.Keys(arguments))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if arguments[name] != nil {
			continue
		}
		return &cento.SourceError{
			Code: UnknownArgument, Message: "there is no argument " + quoted(name),
			Hint: nearest.Hint(name, known, "the arguments are "+nearest.List(known)),
		}
	}
	for _, name := range required {
		if _, ok := given[name]; !ok && name == "project" {
			e := &cento.SourceError{Code: UnknownProject, Message: "there are several projects, and none is named"}
			if p := arguments["project"]; p != nil {
				e.Hint = "the projects are " + strings.Join(namesIn(p.Enum), ", ")
			}
			return e
		}
	}
	return nil
}

func namesIn(values []any) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i], _ = v.(string)
	}
	return out
}

// answered is the answer of a tool as values, and as text for clients that read no values.
func (s *Server) answered(name string, answer any) (*mcp.CallToolResult, error) {
	data, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	if len(data) > s.most {
		hint := call.Less(name)
		if name == searchName {
			hint = "ask for fewer at once, as in limit 1"
		}
		return nil, call.TooLong(s.most, hint)
	}
	return &mcp.CallToolResult{StructuredContent: json.RawMessage(data), Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}}, nil
}

// failed is the answer that something went wrong. It is text alone: clients hold
// structured values of a failure, too, to the schema of answers.
func (s *Server) failed(ctx context.Context, err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: s.told(ctx, err).Error()}}}
}

// told words an error for a client: each one's code, place, message and hint.
func (s *Server) told(ctx context.Context, err error) error {
	if s.tell != nil {
		err = s.tell(ctx, err)
	}
	list := cento.SourceErrors(err)
	if len(list) == 0 {
		return err
	}
	var b strings.Builder
	for i, e := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(string(e.Code) + ": " + e.Error())
		for _, r := range e.Related {
			b.WriteString("\n  " + strings.TrimPrefix(r.Position.String()+": ", ": ") + r.Message)
		}
		if e.Hint != "" {
			b.WriteString("\n  hint: " + e.Hint)
		}
	}
	if more := cento.MoreErrors(err); more != "" {
		b.WriteString("\n… " + more)
	}
	return errors.New(b.String())
}
