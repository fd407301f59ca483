package app

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/provenance"
	"github.com/cento-dev/cento/wire"
)

// WireBody is a prompt as the request of a provider.
type WireBody struct {
	// Form is whose form it has.
	Form string `json:"form"`
	wire.Result
	cento.Caveats
}

// WireOptions say what a request has beside the prompt.
type WireOptions struct {
	// Form is the name of a form; empty: the manifest's, else the model's. FormAt is
	// where it stands; zero for a flag.
	Form   string
	FormAt cento.Position
	// Messages are a conversation; nil for none.
	Messages []wire.Message
	// Partial leaves the conversation out.
	Partial bool
	// MaxTokens and Extra, an object, go over those of the manifest; 0 and nil for none.
	// Places are where they stand, as [wire.Request] names them.
	MaxTokens int
	Extra     json.RawMessage
	Places    map[string]cento.Position
}

// WireForms are the names of the forms of requests.
func WireForms() []string { return wire.Forms() }

// Wire writes a prompt of the project, made of the input, as a request. The errors are
// those of [wire.Build], of messages that can't be read, and [wire.InvalidForm] where
// no form is chosen.
func (p *Project) Wire(in cento.Input, prompt *cento.Prompt, o WireOptions) (*WireBody, error) {
	r, chosen, err := p.WireRequest(in, prompt)
	if err != nil {
		return nil, err
	}
	if err := o.into(&r, chosen); err != nil {
		return nil, err
	}
	r.Counter = CounterOf(in)
	out, err := wire.Build(r)
	if err != nil {
		return nil, err
	}
	return &WireBody{Form: r.Form.String(), Result: *out, Caveats: prompt.Caveats()}, nil
}

// into sets what the options say; chosen: the form of the request is known.
func (o WireOptions) into(r *wire.Request, chosen bool) error {
	named, err := o.namedInto(r)
	if err != nil || named || chosen {
		return err
	}
	return &cento.SourceError{
		Code: wire.InvalidForm, Message: "the form of the request isn't known: no model is chosen, and the manifest names no form",
		Hint: "name one, of " + strings.Join(wire.Forms(), ", ") + ", or choose a model",
	}
}

// namedInto sets what the options say. The first result is false where they name no
// form.
func (o WireOptions) namedInto(r *wire.Request) (bool, error) {
	if o.Partial && len(o.Messages) > 0 {
		return false, manifest.PartialWithMessages(o.Messages[0].Position)
	}
	r.Partial, r.Messages = o.Partial, o.Messages
	if o.MaxTokens > 0 {
		r.MaxTokens = o.MaxTokens
	}
	r.Extra = manifest.MergeExtra(r.Extra, o.Extra)
	if len(o.Places) > 0 {
		r.Places = maps.Clone(r.Places)
		if r.Places == nil {
			r.Places = make(map[string]cento.Position, len(o.Places))
		}
		maps.Copy(r.Places, o.Places)
	}
	if o.Form == "" {
		return false, nil
	}
	if err := r.Form.UnmarshalText([]byte(o.Form)); err != nil {
		return false, unknownForm(o.Form, o.FormAt)
	}
	return true, nil
}

// unknownForm is the error of a name that no provider format has.
func unknownForm(name string, at cento.Position) error {
	return &cento.SourceError{
		Code: wire.InvalidForm, Position: at, Message: "there is no form " + strconv.Quote(name) + " of requests", Hint: NearestHint(name, wire.Forms()),
	}
}

// ReadMessages reads a conversation, a JSON list; name is what errors show.
func ReadMessages(name string, data []byte) ([]wire.Message, error) {
	return manifest.ParseMessages(name, data, cento.Limits{})
}

// Wire makes a turn a request, and says what that has beside the prompt and the
// reminders: what the manifest says under wire, and the options. Where neither names the
// form, it is that of the model that the session has.
func (s *Sessions) Wire(t *TurnRequest, o WireOptions) error {
	r, _, err := s.site.WireRequest(s.request)
	if err != nil {
		return err
	}
	t.Wire = &r
	_, err = o.namedInto(&r)
	return err
}

// AddTo adds to an answer where the text stands in the body, and what the body can't say.
// Where the text was found as it is, it is looked for as it is. An id has the places of its
// fragment.
func (w *WireBody) AddTo(why *Why, p *Project, text string) {
	why.Losses = w.Losses
	if why.At != nil {
		return // what is asked for is a file
	}
	exact := len(why.Matches) > 0 && !why.IgnoredCase
	var ignored bool
	why.Request, why.RequestMore, ignored = p.InRequest(w.body(), text, exact)
	why.Form, why.IgnoredCase = w.Form, why.IgnoredCase || ignored
	if why.Named != nil {
		why.Request, why.RequestMore = p.NamedInRequest(w.body(), why.Named.Fragment)
	}
	if len(why.Request) > 0 {
		why.Nearest, why.NotSearched = nil, nil
	}
}

// body is the request with its strings.
func (w *WireBody) body() provenance.RequestBody {
	return provenance.RequestBody{Result: &w.Result, Plain: w.Form == wire.Text.String()}
}
