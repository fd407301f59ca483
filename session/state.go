package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/canonical"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/workspace"
)

// storedFormat is the version of the document that a session is stored as.
const storedFormat = 4

// Documents that have nothing of what came later are of an older format, so that older
// releases read them.
const (
	unsentFormat   = 3 // no request was written
	unbilledFormat = 2 // nor was usage told
)

// The codes of errors and notes of this package, beside those of the store and
// of reminders.
const (
	// Unreadable: what is stored for a session is no state of one.
	Unreadable cento.ErrorCode = "session.unreadable"
	// Newer: a session was stored by a newer release of the program.
	Newer cento.ErrorCode = "session.newer"
	// NotMaterialised: a session has no prompt yet.
	NotMaterialised cento.ErrorCode = "session.not_materialised"
	// WrongSettings: what a session is to do contradicts itself.
	WrongSettings cento.ErrorCode = "session.settings"
	// WrongReason: why a prompt is made anew isn't a line that its record can keep.
	WrongReason cento.ErrorCode = "session.reason"
	// NotRecorded: the input of a prompt, read back as it would be stored, gives
	// another prompt. What is stored then couldn't tell what was handed out.
	NotRecorded cento.ErrorCode = "session.not_recorded"
)

// Settings say how the prompt of a session is made and where its reminders go.
type Settings struct {
	// PerTurn makes the prompt anew for each turn; else it is made once.
	PerTurn bool
	// Placement is where reminders go; nil: the turn for append-only envelopes and
	// for a model with a prompt cache, else the system prompt.
	Placement *reminder.Placement
	// AppendOnly keeps every envelope where it was sent first.
	AppendOnly bool
	// Providers names those that are asked, as [reminder.Choose] reads it.
	Providers []string
}

// placement is where reminders go with the capabilities of a prompt.
func (s *Settings) placement(caps []string) reminder.Placement {
	switch {
	case s.Placement != nil:
		return *s.Placement
	case s.AppendOnly:
		return reminder.InTurn
	}
	return reminder.DefaultPlacement(caps)
}

func (s *Settings) check(own []reminder.Provider) error {
	if s.Placement != nil {
		if _, err := s.Placement.MarshalText(); err != nil {
			return &cento.SourceError{Code: WrongSettings, Message: "placement: " + err.Error()}
		}
	}
	if s.AppendOnly && s.Placement != nil && *s.Placement != reminder.InTurn {
		return &cento.SourceError{
			Code: WrongSettings, Message: fmt.Sprintf("append_only and the placement %q exclude each other", *s.Placement),
			Hint: "only envelopes in the turn stay where they were sent",
		}
	}
	// Where reminders go may depend on the prompt; most are asked for in the turn.
	_, err := reminder.Choose(s.Providers, reminder.InTurn, own...)
	return err
}

// Own is what belongs to one session, whatever its sources say.
type Own struct {
	// Metadata is what the host wants to know of the session when a prompt is made
	// for it: a JSON value of at most 64 KiB; absent for none.
	Metadata json.RawMessage `json:"metadata,omitempty"`
	// Tools are the names of the tools that are active; absent where the source
	// says. An empty list isn't absent: no tool is active then.
	Tools []string `json:"tools,omitzero"`
	// Caps are the capabilities that are set; absent where the source says.
	Caps []string `json:"caps,omitzero"`
	// Scope are the rules on what may be read and written, as [workspace.Scope.Rules]
	// gives them, to be answered by [Service.Permission]; absent where there are none.
	// In a [RematerialiseRequest] an empty list takes those away that the session had.
	Scope []workspace.Rule `json:"scope,omitzero"`
	// Layer is the session's own layer; null for none. An empty one isn't none.
	Layer *layer.Layer `json:"layer"`
}

// maxMetadata is how long the metadata of a session may be, in bytes.
const maxMetadata = 64 << 10

func (o *Own) check() error {
	wrong := ""
	switch {
	case o.Metadata == nil:
	case len(o.Metadata) > maxMetadata:
		wrong = fmt.Sprintf("%d bytes, and the limit is %d", len(o.Metadata), maxMetadata)
	case !json.Valid(o.Metadata) || !utf8.Valid(o.Metadata):
		wrong = "isn't JSON"
	}
	if wrong != "" {
		return &cento.SourceError{Code: WrongSettings, Message: "metadata: " + wrong}
	}
	if o.Scope != nil {
		if _, err := workspace.ScopeOf(o.Scope); err != nil {
			return &cento.SourceError{Code: WrongSettings, Message: "scope: " + err.Error(), Err: err}
		}
	}
	for i, name := range o.Tools {
		if !cento.IsToolName(name) {
			return &cento.SourceError{Code: cento.InvalidTool, Message: fmt.Sprintf("tools[%d]: a tool can't have the name %+.80q", i, name), Hint: cento.ToolNameHint}
		}
	}
	for i, name := range o.Caps {
		if strings.TrimSpace(name) == "" || !utf8.ValidString(name) || len(name) > reminder.MaxName {
			return &cento.SourceError{Code: WrongSettings, Message: fmt.Sprintf("caps[%d]: %.40q is no name", i, name)}
		}
	}
	return nil
}

// with is what belongs to a session after a change: what is nil in it stays.
func (o Own) with(change Own) Own {
	if change.Metadata != nil {
		o.Metadata = change.Metadata
	}
	if change.Tools != nil {
		o.Tools = change.Tools
	}
	if change.Caps != nil {
		o.Caps = change.Caps
	}
	if change.Scope != nil {
		if o.Scope = change.Scope; len(o.Scope) == 0 {
			o.Scope = nil
		}
	}
	if change.Layer != nil {
		o.Layer = change.Layer
	}
	return o
}

// over puts what belongs to the session over what its source says.
func (o *Own) over(in cento.Input) cento.Input {
	if o.Tools != nil {
		in = in.WithTools(o.Tools...)
	}
	if o.Caps != nil {
		in.Active.Caps = slices.Clone(o.Caps)
	}
	return in
}

// storedState is a session as it is stored.
type storedState struct {
	Settings
	// Own is what belongs to this session. Its layer is kept from run to run.
	Own
	// Epoch counts the prompts that were made; 0: none yet.
	Epoch int64
	// Prompt is the record of the prompt of this epoch.
	Prompt Recorded
	// Day is the one that a turn told last, since the prompt names another; empty for none.
	Day string
	// Sent says which envelopes the conversation holds, Early those that a release
	// stored that kept them all in this document.
	Sent  conversation
	Early []reminder.SentEnvelope
	// Billed says what providers billed, Requests what was sent to them.
	Billed, Requests chain
	// Reminders are those of the session, and the turn that it is in.
	Reminders reminder.Session
}

// Recorded names a prompt of the store.
type Recorded struct {
	Seq int64
	// Digest is that of the prompt; empty for none.
	Digest string
	// Input is the digest of what it was made of; empty where a release stored it
	// that didn't say so.
	Input string
}

// appendJSON appends the state in canonical form. The error is
// [cento.InvalidUTF8].
func (s *storedState) appendJSON(dst []byte) ([]byte, error) {
	saved, err := layer.Saved{Session: s.Layer}.AppendJSON(nil)
	if err != nil {
		return dst, err
	}
	reminders, err := s.Reminders.AppendJSON(nil)
	if err != nil {
		return dst, err
	}
	var scope []byte
	if s.Scope != nil {
		if scope, err = json.Marshal(s.Scope); err != nil {
			return dst, err
		}
	}
	return canonical.Append(dst, func(w *canonical.Writer) {
		w.Begin()
		format := int64(unbilledFormat)
		if !s.Billed.empty() {
			format = unsentFormat
		}
		if !s.Requests.empty() {
			format = storedFormat
		}
		w.IntMember("format", format)
		w.TextMember("materialise", materialiseName(s.PerTurn))
		if s.Placement != nil {
			w.TextMember("placement", s.Placement.String())
		}
		w.BoolMember("append_only", s.AppendOnly)
		w.Texts("providers", s.Providers)
		w.IntMember("epoch", s.Epoch)
		if s.Epoch > 0 {
			w.Member("prompt")
			w.Begin()
			w.IntMember("seq", s.Prompt.Seq)
			w.Optional("digest", s.Prompt.Digest)
			w.Optional("input", s.Prompt.Input)
			w.End()
		}
		w.Optional("day", s.Day)
		w.Optional("metadata", string(s.Metadata))
		if s.Tools != nil {
			w.Texts("tools", s.Tools)
		}
		if s.Caps != nil {
			w.Texts("caps", s.Caps)
		}
		w.Optional("scope", string(scope))
		w.Member("layers")
		w.Raw(saved)
		if len(s.Early) > 0 {
			w.Member("sent")
			canonical.List(w, s.Early, func(e *reminder.SentEnvelope) {
				w.Begin()
				w.IntMember("turn", e.Turn)
				w.TextMember("text", e.Text)
				w.End()
			})
		}
		if s.Sent.round != "" {
			s.Sent.write(w)
		}
		if !s.Billed.empty() {
			s.Billed.write(w, "billed", usageName)
		}
		if !s.Requests.empty() {
			s.Requests.write(w, requestsName, requestsName)
		}
		w.Member("session")
		w.Raw(reminders)
		w.End()
	})
}

// maxState is how large a session may become as it is stored, in bytes. Most of
// it are reminders.
const maxState = 4 << 20

// document is the state as it is stored. The errors are [cento.InvalidUTF8] and
// [cento.LimitExceeded].
func (s *storedState) document() ([]byte, error) {
	doc, err := s.appendJSON(nil)
	if err == nil && len(doc) > maxState {
		return nil, &cento.SourceError{
			Code: cento.LimitExceeded, Message: fmt.Sprintf("session %q would take %d bytes, and the limit is %d", s.Reminders.ID, len(doc), maxState),
			Hint: "clear reminders, or compact the conversation",
		}
	}
	return doc, err
}

func materialiseName(perTurn bool) string {
	if perTurn {
		return "per_turn"
	}
	return "once"
}

type stateFile struct {
	strict.At
	Format       int64               `json:"format"`
	Materialise  string              `json:"materialise"`
	Placement    *reminder.Placement `json:"placement,omitempty"`
	AppendOnly   bool                `json:"append_only"`
	Providers    []string            `json:"providers"`
	Epoch        int64               `json:"epoch"`
	Prompt       *recordedFile       `json:"prompt,omitempty"`
	Day          string              `json:"day,omitempty"`
	Metadata     *string             `json:"metadata,omitempty"`
	Tools        *[]string           `json:"tools,omitempty"`
	Caps         *[]string           `json:"caps,omitempty"`
	Scope        *string             `json:"scope,omitempty"`
	Layers       *layersFile         `json:"layers"`
	Sent         []sentFile          `json:"sent,omitempty"`
	Conversation *conversationFile   `json:"conversation,omitempty"`
	Billed       *billedFile         `json:"billed,omitempty"`
	Requests     *requestsFile       `json:"requests,omitempty"`
	Session      reminder.Session    `json:"session"`
}

type recordedFile struct {
	strict.At
	Seq    int64  `json:"seq"`
	Digest string `json:"digest,omitempty"`
	Input  string `json:"input,omitempty"`
}

type conversationFile struct {
	strict.At
	Round  string     `json:"round"`
	Sealed string     `json:"sealed,omitempty"`
	Sent   []sentFile `json:"sent"`
}

type billedFile struct {
	strict.At
	Sealed string     `json:"sealed,omitempty"`
	Usage  []sentFile `json:"usage"`
}

type requestsFile struct {
	strict.At
	Sealed   string     `json:"sealed,omitempty"`
	Requests []sentFile `json:"requests"`
}

type layersFile struct {
	strict.At
	Session *layer.Layer `json:"session,omitempty"`
}

type sentFile struct {
	strict.At
	Turn int64  `json:"turn"`
	Text string `json:"text"`
}

// readState reads a stored state strictly. The errors are [Newer] for a format
// that isn't known yet, and [Unreadable].
func readState(data []byte) (*storedState, error) {
	limits := cento.DefaultLimits()
	limits.File = max(limits.File, len(data))
	n, err := strict.JSON("<session>.json", data, limits)
	if err != nil {
		return nil, unreadable(err)
	}
	if _, format := n.Member("format"); format != nil {
		if v, ok := format.Int(); ok && v > storedFormat {
			return nil, &cento.SourceError{
				Code: Newer, Message: fmt.Sprintf("the session was stored in format %d, and this program knows %d", v, storedFormat),
				Hint: "use a newer release of the program",
			}
		}
	}
	d := strict.Decoder{Trust: cento.TrustHost}
	var f stateFile
	d.Decode(n, &f)
	if err := d.Err(); err != nil {
		return nil, unreadable(err)
	}
	s := &storedState{
		Settings:  Settings{PerTurn: f.Materialise == materialiseName(true), Placement: f.Placement, AppendOnly: f.AppendOnly, Providers: f.Providers},
		Epoch:     f.Epoch,
		Day:       f.Day,
		Own:       Own{Layer: f.Layers.Session},
		Reminders: f.Session,
	}
	if f.Metadata != nil {
		s.Metadata = json.RawMessage(*f.Metadata)
	}
	if f.Scope != nil {
		if err := json.Unmarshal([]byte(*f.Scope), &s.Scope); err != nil {
			return nil, unreadable(err)
		}
	}
	if f.Tools != nil {
		s.Tools = append([]string{}, *f.Tools...)
	}
	if f.Caps != nil {
		s.Caps = append([]string{}, *f.Caps...)
	}
	for _, e := range f.Sent {
		s.Early = append(s.Early, reminder.SentEnvelope{Turn: e.Turn, Text: e.Text})
	}
	if c := f.Conversation; c != nil {
		s.Sent.round, s.Sent.sealed = c.Round, c.Sealed
		for _, e := range c.Sent {
			s.Sent.recent = append(s.Sent.recent, sentRef{e.Turn, e.Text})
		}
		if c.Round == "" {
			return nil, unreadable(errors.New("the conversation has no name"))
		}
	}
	if b := f.Billed; b != nil {
		s.Billed = chainOf(b.Sealed, b.Usage)
	}
	if r := f.Requests; r != nil {
		s.Requests = chainOf(r.Sealed, r.Requests)
	}
	if err := s.Own.check(); err != nil {
		return nil, unreadable(err)
	}
	switch {
	case f.Format < 1, f.Format > storedFormat, f.Epoch < 0, f.Materialise != materialiseName(s.PerTurn), (f.Prompt == nil) != (f.Epoch == 0):
		return nil, unreadable(fmt.Errorf("format %d, epoch %d and what is beside them don't fit", f.Format, f.Epoch))
	case f.Prompt != nil:
		s.Prompt = Recorded{Seq: f.Prompt.Seq, Digest: f.Prompt.Digest, Input: f.Prompt.Input}
	}
	return s, nil
}

func unreadable(err error) error {
	return &cento.SourceError{Code: Unreadable, Message: "the stored state of the session can't be read", Err: err}
}
