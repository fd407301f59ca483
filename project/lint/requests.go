package lint

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/wire"
)

// requests remembers what the providers of the project's prompts say to their requests, so
// that prompts with the same model, tools and settings are looked at once.
type requests struct {
	built map[requestKey][]builtRequest
	// last is the newest key with a prompt, which only the checks of that prompt look for.
	last requestKey
}

// requestKey is what requests have to share before their tools and settings are compared.
type requestKey struct {
	form           wire.Form
	model, active  string
	tools, maximum int
	prompt         *cento.Prompt // nil where the request doesn't depend on its text
}

type builtRequest struct {
	of     wire.Request
	losses []wire.Loss
	err    error
}

// build makes a request, or finds an equal one. The text of the prompt matters only where
// its sections become tags: what its length costs is for other checks.
func (r *requests) build(of wire.Request) ([]wire.Loss, error) {
	if of.Sections = of.Sections.For(of.Model); of.Sections == wire.Markdown {
		of.Prompt = nil
	}
	key := requestKey{of.Form, "", strings.Join(of.Active, "\x00"), len(of.Tools), of.MaxTokens, of.Prompt}
	if of.Model != nil {
		key.model = of.Model.Name
	}
	for _, b := range r.built[key] {
		if b.of.Cache == of.Cache && reflect.DeepEqual(b.of.Model, of.Model) && bytes.Equal(b.of.Extra, of.Extra) && slices.EqualFunc(b.of.Tools, of.Tools, sameDefinition) {
			return b.losses, b.err
		}
	}
	b := builtRequest{of: of}
	if result, err := wire.Build(of); err != nil {
		b.err = err
	} else {
		nameless := of.Model == nil || of.Model.Name == ""
		b.losses = slices.DeleteFunc(result.Losses, func(l wire.Loss) bool {
			return elsewhere[l.Code] || nameless && l.Code == wire.CodeNoMarks // it depends on the model
		})
	}
	if r.built == nil {
		r.built = map[requestKey][]builtRequest{}
	}
	if of.Prompt != nil {
		if key != r.last {
			delete(r.built, r.last)
		}
		r.last = key
	}
	r.built[key] = append(r.built[key], b)
	return b.losses, b.err
}

// sameDefinition reports whether a provider is sent the same of two tools.
func sameDefinition(a, b cento.Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && a.Origin == b.Origin &&
		bytes.Equal(a.Parameters, b.Parameters) && bytes.Equal(a.Native, b.Native) && reflect.DeepEqual(a.Members, b.Members)
}

// elsewhere are the losses that say nothing of what somebody set in the project: they
// depend on the conversation, on the length of the prompt or on a caller's model, another
// check finds them, or they are what the format is chosen for.
var elsewhere = map[cento.Code]bool{
	wire.CodePlaceholder:   true, // of a conversation, as the next ones
	wire.CodeNoVision:      true,
	wire.CodePrefill:       true,
	wire.CodeTurns:         true,
	wire.CodeRole:          true,
	wire.CodeNoModel:       true, // a caller may choose one
	wire.CodeBoundGuessed:  true,
	wire.CodeToolUndefined: true, // tool.undefined
	wire.CodeCredential:    true, // no file may hold it
	wire.CodeTextAlone:     true, // the format is chosen for that
	wire.CodeOverWindow:    true, // model.window
	wire.CodeWindowUnknown: true,
	wire.CodeOverBudget:    true, // counted when the request is made, as the next ones
	wire.CodeBelowMinimum:  true,
	wire.CodeUncounted:     true,
	wire.CodeNoObject:      true,
}

// refusedRequests reports what makes requests of the prompt impossible.
func refusedRequests(s *subject, t *target, report func(Finding)) error {
	for _, planned := range t.project.PlannedRequests(t.prompt) {
		_, err := s.requests.build(planned.Request)
		list := cento.SourceErrors(err)
		if err != nil && list == nil {
			return err
		}
		for _, e := range list {
			f, _ := failed(e)
			if f.Position.IsZero() {
				f.Position = planned.Position
			}
			for _, tool := range planned.Tools {
				if !tool.Origin.IsZero() && tool.Origin == e.Position {
					f.ID = "tool:" + tool.Name
				}
			}
			f.Message = inOutput(&planned, f.Message)
			report(f)
		}
	}
	return nil
}

// lostInRequests reports what requests of the prompt can't say.
func lostInRequests(s *subject, t *target, report func(Finding)) error {
	for _, planned := range t.project.PlannedRequests(t.prompt) {
		losses, err := s.requests.build(planned.Request)
		if err != nil {
			continue // reported as refused
		}
		for _, l := range losses {
			if strings.HasSuffix(l.Pointer, "/$ref") && slices.ContainsFunc(t.prompt.Notes(), func(n cento.Note) bool { return n.Code == toolReference && n.Fragment == l.Fragment }) {
				continue // reported with its position
			}
			report(Finding{Position: lossPosition(t, &planned, &l), ID: l.Fragment, Message: inOutput(&planned, l.Message)})
		}
	}
	return nil
}

// toolReference is the note on a $ref that leads to nothing.
const toolReference cento.Code = "tool.reference"

// inOutput is a message about a request, with the file that holds it.
func inOutput(planned *project.PlannedRequest, message string) string {
	if planned.Output == "" {
		return message
	}
	return "in " + planned.Output + ": " + message
}

// lossPosition is where somebody set what a request can't say.
func lossPosition(t *target, planned *project.PlannedRequest, l *wire.Loss) cento.Position {
	if name, tool := strings.CutPrefix(l.Fragment, "tool:"); tool {
		for i := range planned.Tools {
			if planned.Tools[i].Name == name {
				return cmp.Or(planned.Tools[i].Origin, planned.Position)
			}
		}
	} else if l.Fragment != "" {
		for i := range t.prompt.Len() {
			if f := t.prompt.Fragment(i); f.ID == l.Fragment {
				return cmp.Or(f.Origin, planned.Position)
			}
		}
	}
	switch l.Code {
	case wire.CodeUnbounded, wire.CodeOverOutput:
		return cmp.Or(planned.Places[wire.MaxTokensPlace], planned.Position)
	case wire.CodeNoMarks:
		return cmp.Or(planned.Places[wire.StaticTTLPlace], planned.Places[wire.SessionTTLPlace], planned.Position)
	case wire.CodeModelName, wire.CodeFormForeign, wire.CodeChatTools:
		return cmp.Or(planned.Position, t.project.ModelPosition())
	}
	member, _, _ := strings.Cut(strings.TrimPrefix(l.Pointer, "/"), "/")
	return cmp.Or(planned.Places[wire.ExtraPlace(member)], planned.Position)
}
