package manifest

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/wire"
)

// Wire says how the prompt becomes a request.
type Wire struct {
	// Form is nil where none is chosen: the model's.
	Form      *wire.Form      `json:"form,omitempty"`
	Sections  wire.Sectioning `json:"sections,omitempty"`
	Cache     wire.Cache      `json:"cache,omitzero"`
	MaxTokens int             `json:"max_tokens,omitempty"`
	// Extra are further members of the body, a JSON object with sorted keys; nil for
	// none.
	Extra json.RawMessage `json:"extra,omitempty"`
	// Position is where the provider format is named, else where the key is; zero for
	// neither.
	Position cento.Position `json:"-"`
	// extra are the same, one by one, in the order of the file; places are where things
	// are written.
	extra  []extraMember
	places map[string]cento.Position
}

// extraMember is one of them.
type extraMember struct {
	name  string
	value []byte
	at    cento.Position
}

// Places are where what is said of requests is written, as [wire.Request] names them.
func (w *Wire) Places() map[string]cento.Position { return w.places }

type wireFile struct {
	strict.At
	Provider   *strict.Located[wire.Form] `json:"provider,omitempty" jsonschema:"Form of requests; default that of the model."`
	Sectioning wire.Sectioning            `json:"sectioning,omitempty" jsonschema:"How sections are parted in requests: by their Markdown headings, the default, in XML tags, or as the vendor of the model advises (auto)."`
	Cache      *wireCacheFile             `json:"cache,omitempty" jsonschema:"Marks of the prompt cache."`
	MaxTokens  *count                     `json:"max_tokens,omitempty" jsonschema:"Most tokens of an answer."`
	Extra      *extraFile                 `json:"extra,omitempty" jsonschema:"Further top-level members of a request, as the provider documents them. One that the form writes itself is refused, but what stands in generationConfig of Gemini, inferenceConfig of Bedrock and options of Ollama, such as temperature there, comes beside its own. They are sent once cento trust approved them." names:"a member"`
}

// DecodeNode reads what is said of requests, and tells of a form that stands alone how it is
// written there.
func (f *wireFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	type fields wireFile
	if text, ok := n.Text(); ok && n.Kind() == strict.Text {
		e := d.Expected(n, strict.Map.String())
		e.Hint = "the form of requests is written {provider: anthropic}"
		var form wire.Form
		err := form.UnmarshalText([]byte(text))
		if unknown, ok := errors.AsType[*enum.UnknownError](err); ok {
			text, ok = nearest.Name(text, unknown.Known)
			if !ok {
				return
			}
		}
		e.Hint = "write {provider: " + text + "}"
		return
	}
	d.Decode(n, (*fields)(f))
}

// extraFile is further members of a request, as values.
type extraFile struct{ members []extraMember }

func (x *extraFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map {
		d.Expected(n, strict.Map.String())
		return
	}
	for key, value := range n.Members() {
		name, _ := key.Text()
		d.In(name, func() {
			text, err := value.AppendJSON(nil)
			if err != nil {
				d.Report(err)
				return
			}
			x.members = append(x.members, extraMember{name, text, key.Position()})
		})
	}
}

// MergeExtra puts the members of an object over those of another one. Both are nil or valid.
func MergeExtra(under, over json.RawMessage) json.RawMessage {
	switch {
	case len(over) == 0:
		return under
	case len(under) == 0:
		return over
	}
	members := make(map[string]json.RawMessage)
	for _, object := range []json.RawMessage{under, over} {
		if json.Unmarshal(object, &members) != nil {
			return over
		}
	}
	x := extraFile{make([]extraMember, 0, len(members))}
	for name, value := range members {
		x.members = append(x.members, extraMember{name: name, value: value})
	}
	return x.object()
}

// object is all of them, sorted by name.
func (x *extraFile) object() json.RawMessage {
	sorted := slices.SortedFunc(slices.Values(x.members), func(a, b extraMember) int { return strings.Compare(a.name, b.name) })
	out := []byte{'{'}
	for i, m := range sorted {
		if i > 0 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(m.name) // a text has a form in JSON
		out = append(append(append(out, name...), ':'), m.value...)
	}
	return append(out, '}')
}

type wireCacheFile struct {
	Mode         cacheMode    `json:"mode,omitempty" jsonschema:"auto, the default, sets marks where the model's cache takes them; off sets none."`
	TTL          *wireTTLFile `json:"ttl,omitempty" jsonschema:"How long what is marked is to stay; default the shortest that the provider has."`
	Conversation bool         `json:"conversation,omitempty" jsonschema:"Mark the end of the conversation too."`
	Key          string       `json:"key,omitempty" jsonschema:"By what OpenAI finds the cache again."`
}

type wireTTLFile struct {
	Static  *text `json:"static,omitempty" jsonschema:"For texts that change with files alone, such as 1h."`
	Session *text `json:"session,omitempty" jsonschema:"For texts that stay the same for a session, no longer than the static ones."`
}

// cacheMode says whether marks are set.
type cacheMode uint8

var cacheModes = enum.Names[cacheMode]{"auto", "off"}

// MarshalText gives the name.
func (m cacheMode) MarshalText() ([]byte, error) { return cacheModes.Marshal(m) }

// UnmarshalText accepts a name.
func (m *cacheMode) UnmarshalText(t []byte) error { return cacheModes.Unmarshal(t, m) }

func (f *wireFile) wire() Wire {
	if f == nil {
		return Wire{}
	}
	w := Wire{Sections: f.Sectioning, Position: f.Position(), places: map[string]cento.Position{}}
	if p := f.Provider; p != nil {
		w.Form, w.Position = &p.Value, p.Position()
	}
	if x := f.Extra; x != nil && len(x.members) > 0 {
		w.Extra, w.extra = x.object(), x.members
		for _, m := range x.members {
			w.places[wire.ExtraPlace(m.name)] = m.at
		}
	}
	if f.MaxTokens != nil {
		w.places[wire.MaxTokensPlace] = f.MaxTokens.Position()
		w.MaxTokens = f.MaxTokens.Value
	}
	if c := f.Cache; c != nil {
		w.Cache = wire.Cache{Off: c.Mode != 0, Conversation: c.Conversation, Key: c.Key}
		if c.TTL != nil {
			if t := c.TTL.Static; t != nil {
				w.Cache.StaticTTL, w.places[wire.StaticTTLPlace] = t.Value, t.Position()
			}
			if t := c.TTL.Session; t != nil {
				w.Cache.SessionTTL, w.places[wire.SessionTTLPlace] = t.Value, t.Position()
			}
		}
	}
	return w
}

// messageFile is a message as it is written.
type messageFile struct {
	strict.At
	Role *text                `json:"role,omitempty" jsonschema:"user or assistant, with text."`
	Text *text                `json:"text,omitempty" jsonschema:"What was said."`
	Raw  *strict.Node         `json:"raw,omitempty" jsonschema:"The message in the form's own terms instead of a text, sent byte for byte."`
	Turn *strict.Located[int] `json:"turn,omitempty" jsonschema:"The turn of the session that it is of."`
}

// ofProviders are keys that messages have in the forms of providers.
var ofProviders = []string{"content", "parts", "tool_calls", "tool_call_id", "function_call", "call_id", "reasoning_content", "type"}

// DecodeNode reads a message, and tells one in a provider's form how it is written here.
func (m *messageFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	type fields messageFile
	_, text := n.Member("text")
	_, raw := n.Member("raw")
	if text != nil || raw != nil {
		d.Decode(n, (*fields)(m))
		return
	}
	var found []*strict.Node
	for _, name := range ofProviders {
		if key, _ := n.Member(name); key != nil {
			found = append(found, key)
		}
	}
	if found == nil {
		d.Decode(n, (*fields)(m))
		return
	}
	// The other keys are of that form, too: it is told once.
	hint := `put the message as it is under raw: {"raw": {…}}`
	if _, content := n.Member("content"); content != nil && len(found) == 1 {
		_, said := content.Text()
		role := ""
		if _, by := n.Member("role"); by != nil {
			role, _ = by.Text()
		}
		if said && (role == "user" || role == "assistant") {
			hint = `write "text" for "content", or ` + hint
		}
	}
	d.Unknown(found[0], []string{"role", "text", "raw", "turn"}).Hint = hint
}

// ParseMessages reads the messages of a conversation: a JSON list, oldest first. What
// is raw keeps its bytes. The name is the one shown in errors. Everything that is
// wrong is returned at once.
func ParseMessages(name string, data []byte, limits cento.Limits) ([]wire.Message, error) {
	n, err := strict.JSON(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustHost}
	if n.Kind() != strict.List && n.Kind() != strict.Null {
		messagesExpected(&d, n)
		return nil, d.Err()
	}
	var list []messageFile
	d.Decode(n, &list)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return messages(&d, list), d.Err()
}

// messagesExpected refuses what is no list of messages, with how one is written.
func messagesExpected(d *strict.Decoder, n *strict.Node) {
	e := d.Expected(n, "a list of messages")
	e.Hint = `as in [{"role": "user", "text": "Hello"}]`
	_, list := n.Member("messages")
	switch role, _ := n.Member("role"); {
	case list != nil && list.Kind() == strict.List:
		e.Hint = `hand the list under "messages" over alone, ` + e.Hint
	case role != nil:
		e.Hint = "put the message into a list, " + e.Hint
	}
}

// messages are those of a list that was read from JSON.
func messages(d *strict.Decoder, list []messageFile) []wire.Message {
	out := make([]wire.Message, len(list))
	for i := range list {
		f := &list[i]
		m := wire.Message{Position: f.Position()}
		if m.Position.IsZero() {
			continue // not read, and told
		}
		d.InItem(i, func() {
			switch {
			case f.Raw != nil && (f.Role != nil || f.Text != nil):
				d.Fail(f.Position(), Conflict, "a message has either a text, with its role, or a raw object").Hint = "keep one of the two"
			case f.Raw != nil && f.Raw.Kind() != strict.Map:
				d.Expected(f.Raw, "an object in the form's own terms").Hint = `as the provider writes it, such as {"role": "user", "content": "…"}`
			case f.Raw != nil:
				m.Raw = f.Raw.Source()
			case f.Role == nil || f.Text == nil:
				d.Fail(f.Position(), strict.WrongValue, "a message has a role and a text, or a raw object").
					Hint = `as in {"role": "user", "text": "…"}`
			default:
				m.Role, m.Text = f.Role.Value, f.Text.Value
				if m.Role != "user" && m.Role != "assistant" {
					d.Fail(f.Role.Position(), strict.WrongValue, `expected "user" or "assistant", got %q`, m.Role).
						Hint = nearest.Hint(m.Role, []string{"user", "assistant"}, "a message of another role is written as raw, in the form's own terms")
				}
				if strings.TrimSpace(m.Text) == "" {
					d.Fail(f.Text.Position(), strict.WrongValue, "a message without words").Hint = "leave it out: providers refuse it"
				}
			}
			if f.Turn != nil {
				turn := int64(f.Turn.Value)
				if m.Turn = &turn; turn < 0 {
					d.Fail(f.Turn.Position(), strict.WrongValue, "turns count from 0, and this is %d", turn)
				}
			}
		})
		out[i] = m
	}
	return out
}
