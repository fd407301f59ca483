package serve

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/strict"
)

// document is a part of a request that somebody else reads, as it is written.
type document struct {
	text []byte
	at   cento.Position
}

func (p *document) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map && n.Kind() != strict.List {
		d.Expected(n, "a map or a list")
		return
	}
	p.text, p.at = n.Alone(), n.Position()
}

// MarshalJSON is never used: it tells the document that another schema describes it.
func (p *document) MarshalJSON() ([]byte, error) { return p.text, nil }

// orEmpty is the text of a document, a map without keys where there is none.
func (p *document) orEmpty() []byte {
	if p == nil || p.text == nil {
		return []byte("{}")
	}
	return p.text
}

// StartSession begins a session, which is called PROJECT:ID from then on.
type StartSession struct {
	strict.At
	Project string `json:"project"`
	ID      string `json:"id"`
	// With is the what-if of the prompt, and Layer the session's own layer.
	With  *document `json:"with,omitempty"`
	Layer *document `json:"layer,omitempty"`
	// The rest stands instead of what the manifest says.
	Materialise *app.Materialise `json:"materialise,omitempty"`
	Placement   *app.Placement   `json:"placement,omitempty"`
	AppendOnly  *bool            `json:"append_only,omitempty"`
	Providers   []string         `json:"providers,omitempty"`
}

// BeginTurn begins the next turn. Its first four keys are what the providers of
// reminders are told.
type BeginTurn struct {
	strict.At
	// TokensUsed are of Window: never without it; a window alone: none is used.
	TokensUsed int64       `json:"tokens_used,omitempty"`
	Window     int64       `json:"window,omitempty"`
	IdleTurns  int64       `json:"idle_turns,omitempty"`
	Truncated  []CutOutput `json:"truncated,omitempty"`
	Resumed    bool        `json:"resumed,omitempty"`
	// CheckDrift reads the files, and reminds of those that changed.
	CheckDrift bool `json:"check_drift,omitempty"`
	// With is the what-if of the prompt where it has to be made.
	With *document `json:"with,omitempty"`
	// Each of the rest asks for the request of a provider, with the conversation, or
	// without one where it is partial. Without Provider it has the form that the manifest
	// names, else that of the model.
	Provider string    `json:"provider,omitempty"`
	Messages *document `json:"messages,omitempty"`
	Partial  bool      `json:"partial,omitempty"`
}

// CutOutput is an output of a tool that was cut.
type CutOutput struct {
	Tool  string `json:"tool"`
	Kept  int64  `json:"kept"`
	Total int64  `json:"total"`
}

// EndTurn ends a turn, and begins none.
type EndTurn struct{}

// Remind injects a reminder.
type Remind struct {
	Reminder app.Reminder `json:"reminder"`
}

// ClearReminders takes out those that match all that is said.
type ClearReminders struct {
	ID        string `json:"id,omitempty"`
	Tag       string `json:"tag,omitempty"`
	DedupeKey string `json:"dedupe_key,omitempty"`
}

// Compact tells that the conversation was compacted.
type Compact struct {
	Recap string `json:"recap,omitempty"`
}

// Fork begins a child session, in the same project.
type Fork struct {
	strict.At
	Child string `json:"child"`
}

// Rematerialise makes the prompt anew.
type Rematerialise struct {
	strict.At
	Reason string    `json:"reason,omitempty"`
	With   *document `json:"with,omitempty"`
	Layer  *document `json:"layer,omitempty"`
}

// Touch tells which files of the project are worked on.
type Touch struct {
	strict.At
	Files []string `json:"files" names:"a file"`
}

func read[T any](body []byte) (*T, error) {
	return strict.Request[T](call.RequestName, body, app.RequestLimits())
}
