package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/wire"
)

// wired is what a turn is written as a request of.
type wired struct {
	input cento.Input
	aside *cento.Prompt // the envelope
	sent  []reminder.SentEnvelope
	tools []string // the names of those that are offered; nil: not told
}

// write writes the request of a turn: the prompt with the tools and the model that it
// was made with, and the reminders where they belong. It gives what the body is written
// of. A turn doesn't begin with a request that the provider is certain to refuse.
func (t *Turn) write(id string, asked *wire.Request, w wired, begins bool) (*wire.Request, error) {
	if t.Prompt == nil && t.System != nil {
		return nil, &cento.SourceError{
			Code: store.Corrupt, Message: fmt.Sprintf("no request can be made of the prompt of session %q: this release makes another one of the stored input", id),
			Hint: "rematerialise the session; its text itself is kept: cento session show --system",
		}
	}
	r := *asked
	r.Prompt = t.Prompt
	if r.Model == nil {
		r.Model = w.input.Model
	}
	r.Form = cmp.Or(r.Form, wire.FormOf(r.Model))
	if r.Tools == nil {
		r.Tools = w.input.Tools
		if r.Active == nil {
			r.Active = append([]string{}, w.input.ActiveTools()...)
		}
	}
	if w.tools != nil {
		r.Active = w.tools
	}
	if r.Counter == nil {
		r.Counter = new(pack.Engine).Counter(w.input.Active.Model, w.input.Model)
	}
	if r.Cache.Key == "" && r.Form.TakesCacheKey() {
		sum := sha256.Sum256([]byte(id))
		r.Cache.Key = hex.EncodeToString(sum[:])[:32]
	}
	r.Reminders.Envelope = w.aside
	r.Reminders.Sent = nil
	for _, s := range w.sent {
		r.Reminders.Sent = append(r.Reminders.Sent, wire.Sent{Turn: s.Turn, Text: s.Text})
	}
	r.Reminders.Native = nil
	for _, m := range t.Messages {
		r.Reminders.Native = append(r.Reminders.Native, wire.Native{Role: m.Role, Text: m.Prompt, Mark: m.CacheControl})
	}
	body, err := wire.Build(r)
	if err != nil {
		return nil, err
	}
	if begins {
		if err := body.Refused(); err != nil {
			return nil, err
		}
	}
	t.Request = body
	return &r, nil
}

// askedTurn is what tells two requests for a turn apart.
type askedTurn struct {
	TurnRequest
	// FormOfModel: the request names no form.
	FormOfModel bool `json:"form_of_model,omitempty"`
}

// askedOf is what tells two requests for a turn apart: what is asked for, and nothing
// of what a turn finds out by itself.
func askedOf(r TurnRequest) askedTurn {
	if r.Wire == nil {
		return askedTurn{TurnRequest: r}
	}
	w := *r.Wire
	none := w.Form == 0
	if none {
		w.Form = wire.Anthropic // no form has no name
	}
	w.Prompt, w.Counter, w.Reminders = nil, nil, wire.Reminders{System: w.Reminders.System}
	r.Wire = &w
	return askedTurn{r, none}
}

// offeredBy are the names of the tools that a request offers, where it says which: of its
// own, else of those of the prompt.
func offeredBy(r *wire.Request, tools []cento.Tool) []string {
	if r == nil || r.Tools == nil && r.Active == nil {
		return nil
	}
	if r.Tools != nil {
		tools = r.Tools
	}
	names := []string{}
	for i := range tools {
		if name := tools[i].Name; r.Active == nil || slices.Contains(r.Active, name) {
			names = append(names, name)
		}
	}
	return names
}

// endsWithResults reports whether the newest message of a conversation has results of
// tools, in the words of any form.
func endsWithResults(r *wire.Request) bool {
	if r == nil || len(r.Messages) == 0 {
		return false
	}
	var m struct {
		Role    string          `json:"role"`
		Type    string          `json:"type"`
		Content json.RawMessage `json:"content"`
		Parts   json.RawMessage `json:"parts"`
	}
	if json.Unmarshal(r.Messages[len(r.Messages)-1].Raw, &m) != nil {
		return false
	}
	if m.Role == "tool" || strings.HasSuffix(m.Type, "_call_output") {
		return true
	}
	for _, list := range []json.RawMessage{m.Content, m.Parts} {
		var blocks []struct {
			Type             string          `json:"type"`
			ToolResult       json.RawMessage `json:"toolResult"`
			FunctionResponse json.RawMessage `json:"functionResponse"`
		}
		if json.Unmarshal(list, &blocks) != nil {
			continue
		}
		for i := range blocks {
			if b := &blocks[i]; b.Type == "tool_result" || b.ToolResult != nil || b.FunctionResponse != nil {
				return true
			}
		}
	}
	return false
}

// noteOther notes a body that isn't the one that the turn had first.
func (s *Service) noteOther(ctx context.Context, t *Turn, written *wire.Request) error {
	kept, err := s.Requests(ctx, t.Session)
	if err != nil || !kept.Has(t.Turn) {
		return err
	}
	was, err := kept.Of(ctx, t.Turn)
	if err != nil {
		return err
	}
	if was.Body == "" || was.Body == wire.DigestOf(t.Request.Body) {
		return nil
	}
	is, err := t.Request.Blocks(written.Form, written.Counter)
	if err != nil {
		return err
	}
	at := 0
	for at < min(len(is), len(was.Blocks)) && is[at].Digest == was.Blocks[at].Digest {
		at++
	}
	where := "they say the same in other bytes"
	if at < max(len(is), len(was.Blocks)) {
		where = fmt.Sprintf("they differ from part %d on", at+1)
	}
	t.Notes = append(t.Notes, cento.Note{
		Code: CodeOtherBody, Message: fmt.Sprintf("turn %d had another body when it was asked for first: %s", t.Turn, where),
	})
	return nil
}

// writeAgain writes the request of a turn that was given before: of what was recorded
// then, so with the same bytes.
func (s *Service) writeAgain(ctx context.Context, t *Turn, in cento.Input, r TurnRequest) error {
	w := wired{input: in, tools: r.Tools}
	if t.Aside != 0 {
		aside, err := s.store.Input(ctx, r.ID, t.Aside)
		if err != nil {
			return err
		}
		options := cento.Options{Policy: aside.Policy, Limits: aside.Limits}
		if t.Placement == reminder.InNative {
			err = locate(t.Messages, aside.Reminders, options)
		} else if t.Envelope != nil {
			w.aside, err = cento.ReduceFragments(aside.Reminders, cento.Active{}, options)
		}
		if err != nil {
			return err
		}
	}
	l, err := s.load(ctx, r.ID)
	if err != nil {
		return err
	}
	if l.state.AppendOnly {
		if w.sent, err = s.sent(ctx, &l.state); err != nil {
			return err
		}
		w.sent = slices.DeleteFunc(w.sent, func(e reminder.SentEnvelope) bool { return e.Turn > t.Turn })
	}
	written, err := t.write(r.ID, r.Wire, w, false)
	if err != nil {
		return err
	}
	return s.noteOther(ctx, t, written)
}

// locate puts the prompts into messages that were stored, of the fragments that they
// were made of.
func locate(stored []reminder.Message, parts []cento.Fragment, o cento.Options) error {
	for i := range stored {
		m := &stored[i]
		var own []cento.Fragment
		for _, f := range parts {
			if slices.Contains(m.Reminders, strings.TrimPrefix(f.ID, "reminder:")) {
				own = append(own, f)
			}
		}
		var err error
		if m.Prompt, err = cento.ReduceFragments(own, cento.Active{}, o); err != nil {
			return err
		}
	}
	return nil
}
