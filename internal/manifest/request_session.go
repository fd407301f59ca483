package manifest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/reminder"
)

// SessionRequest asks something of a session in a store. What is said of a project is
// where its prompt comes from.
type SessionRequest struct {
	ProjectRequest
	// Op is one of [SessionOps]; ID names the session.
	Op, ID string
	// Store is where the session is; empty: the place of the project, else the user's.
	Store string
	// AnyProject reaches the sessions of every project.
	AnyProject bool
	Key        string
	Expect     int64
	// Layer is the session's own; nil for none. Metadata is the host's.
	Layer    *layer.Layer
	Metadata json.RawMessage
	// The settings are those of the project where they are nil.
	Materialise *Materialise
	Placement   *reminder.Placement
	AppendOnly  *bool
	Providers   []string
	// Moment is what the host knows in a turn. CheckDrift reminds of files that changed.
	Moment     reminder.Moment
	CheckDrift bool
	// Reminder is the one that is injected, Match those that are cleared.
	Reminder reminder.Reminder
	Match    reminder.Match
	Recap    string
	Child    string
	Children bool
	Paths    []string
	// ReasonAt is where the reason stands.
	Reason   string
	ReasonAt cento.Position
	Parent   string
	Cursor   string
	Limit    int
	// Usage is what a provider billed for Request of Turn; of nil it is the first. UsageAt
	// is where it stands.
	Turn    int64
	Request *int64
	Usage   json.RawMessage
	UsageAt cento.Position
}

type sessionFile struct {
	sourceFile
	Op          text                `json:"op" jsonschema:"What is done: start, turn, turn_end, remind, clear, compact, fork, touch, usage, rematerialise, drift, cache, show, scope, list, adopt or delete."`
	ID          *text               `json:"id,omitempty" jsonschema:"Name of the session."`
	Store       *text               `json:"store,omitempty" jsonschema:"Where sessions are: a file, or the address of a PostgreSQL database. Default that of the project, else the user's."`
	AnyProject  bool                `json:"any_project,omitempty" jsonschema:"Reach the sessions of every project, and not those of this one alone; default false."`
	Key         *text               `json:"key,omitempty" jsonschema:"An idempotency key: asked for again with the same one, it is not done again."`
	Expect      *count              `json:"expect,omitempty" jsonschema:"Refuse unless the session has this version."`
	Layer       *layer.Layer        `json:"layer,omitempty" jsonschema:"The session's own layer."`
	Metadata    *strict.Node        `json:"metadata,omitempty" jsonschema:"What the host wants to know of the session: any JSON of at most 64 KiB."`
	Materialise *Materialise        `json:"materialise,omitempty" jsonschema:"How often the prompt is made: once or per_turn; default that of the manifest."`
	Placement   *reminder.Placement `json:"placement,omitempty" jsonschema:"Where reminders go: system, turn or native; default that of the manifest."`
	AppendOnly  *bool               `json:"append_only,omitempty" jsonschema:"Keep every envelope where it was sent first; default that of the manifest."`
	Providers   []string            `json:"providers,omitempty" jsonschema:"Providers that are asked, and -name for those that are not; default those of the manifest." names:"a provider"`
	Moment      *momentFile         `json:"moment,omitempty" jsonschema:"What the host knows in this turn, for the providers."`
	CheckDrift  bool                `json:"check_drift,omitempty" jsonschema:"Read the files, and remind of those that changed; default false."`
	Wire        *formFile           `json:"wire,omitempty" jsonschema:"Asks for the whole request of a provider."`
	Reminder    *strict.Node        `json:"reminder,omitempty" jsonschema:"The reminder that is injected."`
	Match       *matchFile          `json:"match,omitempty" jsonschema:"The reminders that are cleared: by id, tag or dedupe_key, all of which have to match."`
	Recap       string              `json:"recap,omitempty" jsonschema:"What a compaction kept of the conversation."`
	Child       *text               `json:"child,omitempty" jsonschema:"Name of the session that is forked."`
	Children    bool                `json:"children,omitempty" jsonschema:"Delete those that were forked from it, too; default false."`
	Paths       []string            `json:"paths,omitempty" jsonschema:"Files that are worked on, or asked about, from the folder of the run." names:"a file"`
	Reason      string              `json:"reason,omitempty" jsonschema:"Why the prompt is made anew, in a line."`
	Parent      string              `json:"parent,omitempty" jsonschema:"List those that were forked from this session."`
	Cursor      string              `json:"cursor,omitempty" jsonschema:"List those before the place that an answer named."`
	Limit       *count              `json:"limit,omitempty" jsonschema:"List at most so many, the newest; default all."`
	Turn        int64               `json:"turn,omitempty" jsonschema:"The turn that was billed, from 0."`
	Request     *count              `json:"request,omitempty" jsonschema:"Which request of the turn was billed, from 1; default 1."`
	Usage       *strict.Node        `json:"usage,omitempty" jsonschema:"What the provider billed, in its own words: its usage, or the answer that holds it."`
}

// matchFile says which reminders are meant.
type matchFile struct {
	ID        string `json:"id,omitempty" jsonschema:"The one with this id."`
	Tag       string `json:"tag,omitempty" jsonschema:"Those with this tag."`
	DedupeKey string `json:"dedupe_key,omitempty" jsonschema:"Those with this key."`
}

// momentFile is what a host knows in a turn.
type momentFile struct {
	TokensUsed int64                      `json:"tokens_used,omitempty" jsonschema:"How many tokens are in use, of the window, which has to be there then."`
	Window     int64                      `json:"window,omitempty" jsonschema:"How many tokens the model's window has."`
	IdleTurns  int64                      `json:"idle_turns,omitempty" jsonschema:"How many turns went by without anything being done."`
	Truncated  []reminder.TruncatedOutput `json:"truncated,omitempty" jsonschema:"Outputs of tools that were cut since the last turn."`
	Resumed    bool                       `json:"resumed,omitempty" jsonschema:"The session goes on in another run; default false."`
	Data       *strict.Node               `json:"data,omitempty" jsonschema:"What else the host knows: any JSON of at most 64 KiB."`
}

// sourceKeys say where a prompt comes from.
var sourceKeys = []string{
	"target", "tools", "without_tools", "caps", "without_caps", "skills", "vars", "model", "budget", "now", "system", "primary", "fragments", "profile",
	"system_preamble", "system_prefix", "system_context", "system_prompt_parts", "system_appendix", "system_suffix",
}

// sessionOps are the operations with the keys that each has beside op, store, any_project and those
// that name a project, and whether it makes a prompt.
var sessionOps = []sessionOp{
	{"start", true, []string{"id"}, []string{"key", "layer", "metadata", "materialise", "placement", "append_only", "providers"}},
	{"turn", true, []string{"id"}, []string{"key", "expect", "moment", "check_drift", "wire"}},
	{"turn_end", false, []string{"id"}, []string{"key", "expect"}},
	{"remind", false, []string{"id", "reminder"}, []string{"key", "expect"}},
	{"clear", false, []string{"id", "match"}, []string{"key", "expect"}},
	{"compact", false, []string{"id"}, []string{"key", "expect", "recap"}},
	{"fork", false, []string{"id", "child"}, []string{"key", "layer", "metadata", "tools"}},
	{"touch", false, []string{"id", "paths"}, []string{"key", "expect"}},
	{"usage", false, []string{"id", "turn", "usage"}, []string{"key", "expect", "request"}},
	{"rematerialise", true, []string{"id"}, []string{"key", "expect", "layer", "metadata", "reason"}},
	{"drift", true, []string{"id"}, nil},
	{"cache", false, []string{"id"}, []string{"model"}},
	{"show", false, []string{"id"}, nil},
	{"scope", false, []string{"id", "paths"}, nil},
	{"list", false, nil, []string{"parent", "cursor", "limit"}},
	{"adopt", false, []string{"id"}, []string{"key", "expect"}},
	{"delete", false, []string{"id"}, []string{"expect", "children"}},
}

type sessionOp struct {
	name   string
	makes  bool
	wanted []string
	may    []string
}

// SessionOps are the names of the operations on sessions.
func SessionOps() []string {
	out := make([]string, len(sessionOps))
	for i, op := range sessionOps {
		out[i] = op.name
	}
	return out
}

// ParseSession reads a request about a session; see [ParseReduce] for its arguments and
// errors. A key that says nothing to the operation is refused.
func ParseSession(name string, data []byte, limits cento.Limits) (*SessionRequest, error) {
	r := new(SessionRequest)
	p, err := parseProject(name, data, limits, func(d *strict.Decoder, f *sessionFile, p *ProjectRequest) {
		f.request(d, p)
		f.session(d, r, p)
	})
	if err != nil {
		return nil, err
	}
	r.ProjectRequest = *p
	return r, nil
}

// session is what the keys say that this request has alone.
func (f *sessionFile) session(d *strict.Decoder, r *SessionRequest, p *ProjectRequest) {
	f.keys(d)
	r.Op, r.ID, r.Store = strings.TrimSpace(f.Op.Value), notBlankText(d, "id", f.ID), notBlankText(d, "store", f.Store)
	r.AnyProject = f.AnyProject
	r.Key, r.Child = notBlankText(d, "key", f.Key), notBlankText(d, "child", f.Child)
	r.Layer, r.Materialise, r.Placement, r.AppendOnly, r.Providers = f.Layer, f.Materialise, f.Placement, f.AppendOnly, f.Providers
	r.CheckDrift, r.Recap, r.Children, r.Paths, r.Reason = f.CheckDrift, f.Recap, f.Children, f.Paths, f.Reason
	r.ReasonAt, _ = f.KeyPosition("reason")
	r.Parent, r.Cursor = f.Parent, f.Cursor
	if f.Expect != nil {
		r.Expect = int64(f.Expect.Value)
	}
	if f.Limit != nil {
		r.Limit = f.Limit.Value
	}
	r.Turn = f.Turn
	if f.Request != nil {
		r.Request = new(int64(f.Request.Value))
	}
	if f.Usage != nil {
		r.Usage, r.UsageAt = f.plain(d, "usage", f.Usage), f.Usage.Position()
	}
	r.Metadata = f.plain(d, "metadata", f.Metadata)
	if m := f.Moment; m != nil {
		r.Moment = reminder.Moment{TokensUsed: m.TokensUsed, Window: m.Window, IdleTurns: m.IdleTurns, Truncated: m.Truncated, Data: f.plain(d, "data", m.Data)}
		if m.Resumed {
			r.Moment.Kind = reminder.OnResume
		}
	}
	if w := f.Wire; w != nil {
		d.In("wire", func() { w.wire(d, p) })
		p.Wired = true // also by a map without keys
	}
	if f.Reminder != nil {
		d.In("reminder", func() { d.Decode(f.Reminder, &r.Reminder) })
	}
	if r.Op == "fork" && p.Changes.ToolsText != nil {
		at, _ := f.KeyPosition("tools")
		d.Fail(at, strict.WrongValue, "tools of fork are names, and here are definitions").Hint = "define the tools in the project, and name them here"
	}
	if f.Match != nil {
		r.Match = reminder.Match(*f.Match)
	}
}

// plain is any value as JSON; nil for none.
func (f *sessionFile) plain(d *strict.Decoder, key string, n *strict.Node) json.RawMessage {
	if n == nil {
		return nil
	}
	raw, err := n.AppendJSON(nil)
	d.In(key, func() { d.Report(err) })
	return raw
}

// keys holds the keys of a request to those of its operation.
func (f *sessionFile) keys(d *strict.Decoder) {
	name, ok := f.Op.Text()
	if !ok {
		return // missing or of another kind, as was reported
	}
	i := slices.IndexFunc(sessionOps, func(op sessionOp) bool { return op.name == strings.TrimSpace(name) })
	if i < 0 {
		d.In("op", func() {
			d.Fail(f.Op.Position(), strict.WrongValue, "there is no operation %q", name).Hint = strict.UnknownHint(name, SessionOps())
		})
		return
	}
	op := sessionOps[i]
	known := slices.Concat([]string{"op", "store", "any_project", "project", "manifest", "files", "root", "prefixes"}, op.wanted, op.may)
	if op.makes {
		known = append(known, sourceKeys...)
	}
	for _, key := range f.Keys() {
		if !slices.Contains(known, key) {
			at, _ := f.KeyPosition(key)
			d.Fail(at, Conflict, "%q says nothing to %s", key, op.name).Hint = "it takes " + nearest.List(known[1:])
		}
	}
	for _, key := range op.wanted {
		if !f.Has(key) {
			d.Fail(f.Position(), strict.MissingKey, "the key %q is missing", key).Hint = op.name + " needs it"
		}
	}
}
