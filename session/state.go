package session

import (
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/canonical"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/reminder"
)

// Format is the version of the document that a session is stored as.
const Format = 1

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
	_, err := reminder.Choose(s.Providers, own...)
	return err
}

// State is a session as it is stored.
type State struct {
	Settings
	// Epoch counts the prompts that were made; 0: none yet.
	Epoch int64
	// Prompt is the record of the prompt of this epoch.
	Prompt Recorded
	// Layer is the session's own layer, kept from run to run.
	Layer layer.Saved
	// Sent are the envelopes that the conversation holds.
	Sent reminder.Sent
	// Reminders are those of the session, and the turn that it is in.
	Reminders reminder.Session
}

// Recorded names a prompt of the store.
type Recorded struct {
	Seq int64
	// Digest is that of the prompt; empty for none.
	Digest string
}

// AppendJSON appends the state in canonical form. The error is
// [cento.InvalidUTF8].
func (s *State) AppendJSON(dst []byte) ([]byte, error) {
	saved, err := s.Layer.AppendJSON(nil)
	if err != nil {
		return dst, err
	}
	reminders, err := s.Reminders.AppendJSON(nil)
	if err != nil {
		return dst, err
	}
	return canonical.Append(dst, func(w *canonical.Writer) {
		w.Begin()
		w.IntMember("format", Format)
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
			w.End()
		}
		w.Member("layers")
		w.Raw(saved)
		w.Member("sent")
		canonical.List(w, s.Sent, func(e *reminder.SentEnvelope) {
			w.Begin()
			w.IntMember("turn", e.Turn)
			w.TextMember("text", e.Text)
			w.End()
		})
		w.Member("session")
		w.Raw(reminders)
		w.End()
	})
}

// MaxState is how large a session may become as it is stored, in bytes. Most of
// it are reminders, and the envelopes of an append-only conversation.
const MaxState = 4 << 20

// document is the state as it is stored. The errors are [cento.InvalidUTF8] and
// [cento.LimitExceeded].
func (s *State) document() ([]byte, error) {
	doc, err := s.AppendJSON(nil)
	if err == nil && len(doc) > MaxState {
		return nil, &cento.SourceError{
			Code: cento.LimitExceeded, Message: fmt.Sprintf("session %q would take %d bytes, and the limit is %d", s.Reminders.ID, len(doc), MaxState),
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
	Format      int64               `json:"format"`
	Materialise string              `json:"materialise"`
	Placement   *reminder.Placement `json:"placement,omitempty"`
	AppendOnly  bool                `json:"append_only"`
	Providers   []string            `json:"providers"`
	Epoch       int64               `json:"epoch"`
	Prompt      *recordedFile       `json:"prompt,omitempty"`
	Layers      *layersFile         `json:"layers"`
	Sent        []sentFile          `json:"sent"`
	Session     reminder.Session    `json:"session"`
}

type recordedFile struct {
	strict.At
	Seq    int64  `json:"seq"`
	Digest string `json:"digest,omitempty"`
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

// ReadState reads a stored state strictly. The errors are [Newer] for a format
// that isn't known yet, and [Unreadable].
func ReadState(data []byte) (*State, error) {
	limits := cento.DefaultLimits()
	limits.File = max(limits.File, len(data))
	n, err := strict.JSON("<session>.json", data, limits)
	if err != nil {
		return nil, unreadable(err)
	}
	if _, format := n.Member("format"); format != nil {
		if v, ok := format.Int(); ok && v > Format {
			return nil, &cento.SourceError{
				Code: Newer, Message: fmt.Sprintf("the session was stored in format %d, and this program knows %d", v, Format),
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
	s := &State{
		Settings:  Settings{PerTurn: f.Materialise == materialiseName(true), Placement: f.Placement, AppendOnly: f.AppendOnly, Providers: f.Providers},
		Epoch:     f.Epoch,
		Layer:     layer.Saved{Session: f.Layers.Session},
		Reminders: f.Session,
	}
	for _, e := range f.Sent {
		s.Sent = append(s.Sent, reminder.SentEnvelope{Turn: e.Turn, Text: e.Text})
	}
	switch {
	case f.Format != Format, f.Epoch < 0, f.Materialise != materialiseName(s.PerTurn), (f.Prompt == nil) != (f.Epoch == 0):
		return nil, unreadable(fmt.Errorf("format %d, epoch %d and what is beside them don't fit", f.Format, f.Epoch))
	case f.Prompt != nil:
		s.Prompt = Recorded{Seq: f.Prompt.Seq, Digest: f.Prompt.Digest}
	}
	return s, nil
}

func unreadable(err error) error {
	return &cento.SourceError{Code: Unreadable, Message: "the stored state of the session can't be read", Err: err}
}
