package cache

import (
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// Report is what became of the requests.
type Report struct {
	// Model is the model of the first request; "" for none.
	Model string `json:"model"`
	// Cache is the kind of its prompt cache; null where that isn't known: then nothing
	// is predicted.
	Cache cento.CacheKind `json:"cache"`
	// Order is in which order the provider reads a request: "tools", "system",
	// "messages".
	Order []string `json:"order"`
	// Encoding counts the tokens; Exact is whether its counts are the model's own of
	// these texts, so never where tools are among them, or parts of messages that aren't
	// a text alone. What a provider adds around them is in no count.
	Encoding string `json:"encoding"`
	Exact    bool   `json:"exact"`
	// Uncounted is what stands in messages and in no count, sorted, since the provider alone
	// knows what it counts: `image`, `audio`, `video`, `file` and,
	// such as reasoning, `encrypted`.
	Uncounted []string `json:"uncounted,omitempty"`
	// Steps are the requests, in the order in which they were sent.
	Steps []StepReport `json:"steps"`
	Sum   Sum          `json:"sum"`
	// Unpriced are the prices that aren't known and that steps would need, sorted: why
	// they have no cost. They are named as in a catalog of models: `input`, `cache_read`
	// and, with its time, `cache_write 1h`.
	Unpriced []string `json:"unpriced,omitempty"`
}

// Sum is that of all steps.
type Sum struct {
	Tokens int `json:"tokens"`
	// Prediction is nil where that of a step is.
	Prediction *Prediction `json:"predicted"`
	Lost       int         `json:"lost"`
	// Billed is what providers billed of those steps of which it was told.
	Billed *Billed `json:"billed"`
	// Cost is nil where a price isn't known.
	Cost *Cost `json:"cost"`
}

// StepReport is what became of one request.
type StepReport struct {
	Name string `json:"name"`
	// At is when it was sent; nil where that isn't known, and then everything that was
	// kept counts as still there.
	At *time.Time `json:"at"`
	// Bytes and Tokens are those of the request that the cache compares: tools, system
	// prompt and messages.
	Bytes  int `json:"bytes"`
	Tokens int `json:"tokens"`
	// SharedBytes and SharedTokens are how far its beginning is that of the step before.
	SharedBytes  int `json:"shared_bytes"`
	SharedTokens int `json:"shared_tokens"`
	// Prediction is nil where the cache of the model isn't known.
	Prediction *Prediction `json:"predicted"`
	// Billed is what the provider billed; nil where nobody told. Deviation is there where
	// that is something else than what was predicted.
	Billed    *wire.Usage `json:"billed"`
	Deviation *Deviation  `json:"deviation,omitempty"`
	Marks     []Mark      `json:"marks"`
	// Lost is how many tokens the step before left in the cache that this one could
	// not read.
	Lost int `json:"lost"`
	// Difference is the first byte that isn't that of the step before; nil where this
	// request has all of that one at its beginning.
	Difference *Difference `json:"difference"`
	// Causes are what changed, in the order in which the provider reads it: the first
	// is that of the difference.
	Causes []Cause `json:"causes"`
	// Hint would have kept more; nil where nothing that was tried did. It is told at
	// the first step with the cause: later ones name that step, from 1.
	Hint   *Hint `json:"hint"`
	HintOf int   `json:"hint_of,omitempty"`
	// Cost is nil where a price isn't known, which Report.Unpriced names, or the cache.
	Cost *Cost `json:"cost"`
	// Losses are those of [wire.Result], and why nothing is predicted, or nothing of the
	// request is kept; absent for none. Those of the result are absent for a request whose body
	// was given.
	Losses []wire.Loss `json:"losses,omitempty"`
}

// Prediction is what becomes of the tokens of a request.
type Prediction struct {
	// Read are found in the cache, Written are kept in it for the first time, Paid are
	// neither.
	Read    int `json:"read"`
	Written int `json:"written"`
	Paid    int `json:"paid"`
	// ByTTL are the written ones by how long they are to stay; "" where the provider
	// doesn't say.
	ByTTL map[string]int `json:"written_by_ttl"`
}

// Mark is a mark of the prompt cache, and whether it is found again.
type Mark struct {
	// Pointer is the JSON pointer of what it stands behind.
	Pointer string `json:"pointer"`
	// Tokens are those before it, TTL how long it stays.
	Tokens int    `json:"tokens"`
	TTL    string `json:"ttl"`
	// Hit: everything before it is read. Else Why says why not, and Read how many
	// tokens before it are.
	Hit  bool `json:"hit"`
	Why  Why  `json:"why,omitempty"`
	Read int  `json:"read"`
}

// Why says why a mark isn't found.
type Why string

// The reasons.
const (
	// WhyFirst: no request was sent before.
	WhyFirst Why = "first"
	// WhyShort: fewer tokens stand before it than the provider keeps.
	WhyShort Why = "below_minimum"
	// WhyDiffers: what stands before it was never sent before as a whole, as that of a
	// conversation that grew; Mark.Read tells how much of it was found.
	WhyDiffers Why = "prefix_differs"
	// WhyUnwritten: what stands before it was sent before, without a mark there.
	WhyUnwritten Why = "not_written"
	// WhyExpired: it was kept, for a shorter time than went by.
	WhyExpired Why = "expired"
	// WhyFar: what was kept stands more blocks before it than the provider looks back.
	WhyFar Why = "lookback"
)

// Difference is the first byte in which two requests differ.
type Difference struct {
	// Pointer is the JSON pointer of the string or object; that of the step before
	// where this one has no more there. Offset is the byte in it; 0 where a digest is
	// all that was kept of it.
	Pointer string `json:"pointer"`
	Offset  int    `json:"offset"`
	// Fragment is whose text it is, in this step or else in the one before: a
	// fragment, or `tool:<name>`; "" where nobody knows.
	Fragment string `json:"fragment"`
	// Position is where that text stands; nil for none.
	Position *cento.Position `json:"position"`
	// Behind is how many tokens of this request stand behind it.
	Behind int `json:"behind"`
}

// Kind is what broke a prefix.
type Kind string

// The kinds of causes.
const (
	ToolsChanged    Kind = "tools_changed"
	FragmentChanged Kind = "fragment_changed"
	FragmentAdded   Kind = "fragment_added"
	FragmentRemoved Kind = "fragment_removed"
	FragmentMoved   Kind = "fragment_moved"
	GateFlipped     Kind = "gate_flipped"
	VariableChanged Kind = "variable_changed"
	Clock           Kind = "clock"
	BudgetChanged   Kind = "budget"
	ModelChanged    Kind = "model_changed"
	SettingsChanged Kind = "settings_changed"
	LayerChanged    Kind = "layer_changed"
	Reminder        Kind = "reminder"
	MessagesChanged Kind = "messages_changed"
	TTLExpired      Kind = "ttl_expired"
)

// Cause is one thing that changed.
type Cause struct {
	// Kind is what changed.
	Kind Kind `json:"kind"`
	// Provider is what the provider's own diagnosis calls it; "" where it has none.
	Provider string `json:"provider,omitempty"`
	// Fragment is the fragment that it shows in; "" for none.
	Fragment string `json:"fragment,omitempty"`
	// Witnesses are what shows it, at least one.
	Witnesses []Witness `json:"witnesses"`
}

// Witness is what shows the cause.
type Witness struct {
	// What is "tool", "capability", "variable", "model", "setting", "layer", "fragment",
	// "file", "clock", "budget", "message" or "ttl", Name which one.
	What string `json:"what"`
	Name string `json:"name"`
	// Change is what happened to it, such as "added", "removed", "reordered",
	// "description" or "schema"; of a message of which no text was kept "reworded", or
	// "replaced" by one in another place; "" where From and To say it.
	Change string `json:"change,omitempty"`
	// From and To are what it was and is, cut where long; "" for nothing.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Server is the MCP server of a tool; Position where the thing stands now, or else
	// where it stood.
	Server   string          `json:"server,omitempty"`
	Position *cento.Position `json:"position,omitempty"`
}

// Change is what a hint proposes.
type Change string

// The changes.
const (
	// MoveBehind puts a fragment behind another, and declares the stability session of
	// one that is static.
	MoveBehind Change = "move_behind"
	// MarkSession declares the stability session of a fragment.
	MarkSession Change = "mark_session"
	// PlaceInTurn puts the reminders into the turn.
	PlaceInTurn Change = "placement_turn"
	// SortTools orders the definitions of the tools by their names.
	SortTools Change = "sort_tools"
	// LongerTTL asks for a longer time.
	LongerTTL Change = "longer_ttl"
)

// Hint is a change that keeps more of the prefix.
type Hint struct {
	// Change is what is to be done.
	Change Change `json:"change"`
	// Fragment is the one to change, Behind the one to put it behind, TTL the time to
	// ask for.
	Fragment string `json:"fragment,omitempty"`
	Behind   string `json:"behind,omitempty"`
	TTL      string `json:"ttl,omitempty"`
	// Stability is the one to declare of the fragment; [cento.Static] for none.
	Stability cento.Stability `json:"stability,omitempty"`
	// Keeps is how many tokens more were read with the change than without, of these
	// two requests alone.
	Keeps int `json:"keeps"`
}

// Cost is in US dollars, for the input alone.
type Cost struct {
	// Predicted is with the cache as it is.
	Predicted float64 `json:"predicted"`
	// Uncached is without a prompt cache.
	Uncached float64 `json:"uncached"`
	// BestOrder is with the same fragments ordered by how often they change, InTurn
	// with the reminders at the end of the conversation; nil where nobody knows which
	// fragment is where.
	BestOrder *float64 `json:"best_order"`
	InTurn    *float64 `json:"placement_turn"`
}
