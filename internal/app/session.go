package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/provenance"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/workspace"
)

// Sessions are the sessions of a store, and the project that their prompts come
// from. What is done to a session is the business of package session alone, so its
// methods are handed on as they are.
type Sessions struct {
	*session.Service
	store   *store.Store
	site    project.Site
	request project.Request
	close   func() error
	of      Projects
	asked   string // the store, as the caller names it; empty for the default
	// Told are the projects whose sessions notes may name; nil for any.
	Told []string
}

// In sets which sessions are reached: without it, those of the project in the folder.
func (s *Sessions) In(of Projects) *Sessions {
	s.of, s.Service = of, s.Service.In(of)
	return s
}

// At sets the clock of the caller, if it is given: see [session.Service.At].
func (s *Sessions) At(now time.Time) *Sessions {
	if !now.IsZero() {
		s.Service = s.Service.At(now)
	}
	return s
}

// AnyProject reaches the sessions of every project. One that begins is the caller's.
func (s *Sessions) AnyProject() *Sessions { return s.In(Projects{Name: s.of.Name, Any: true}) }

// OpenSessions opens the store of [sessionPlace] for its sessions. The caller
// closes it. One that is only read and that nobody has written to is
// [store.UnknownSession] and [store.Empty].
func OpenSessions(ctx context.Context, site project.Site, r project.Request, asked string, access Access) (*Sessions, error) {
	at, err := sessionPlace(site, r, asked, access)
	if err != nil {
		return nil, err
	}
	s, err := OpenService(ctx, at, access)
	if err != nil {
		return nil, neverWritten(at, err)
	}
	out := s.Sessions(site, r)
	out.asked = asked
	return out, nil
}

// sessionPlace is that of [storePlace], for sessions. A file that isn't there is made
// where a session is to begin; else it is [store.UnknownSession].
func sessionPlace(site project.Site, r project.Request, asked string, access Access) (string, error) {
	at, err := storePlace(site, r, asked)
	if err == nil && access != Begins && noFile(at) {
		return "", &cento.SourceError{Code: store.UnknownSession, Message: "there is no session: nothing is stored at " + filepath.ToSlash(at), Hint: howSessionsBegin}
	}
	return at, err
}

const howSessionsBegin = "`cento session start NAME` begins one; --store names another store"

// neverWritten says of a store without tables what that means for its sessions.
func neverWritten(place string, err error) error {
	if !errors.Is(err, store.Empty) {
		return err
	}
	where := ""
	if filepath.IsAbs(place) { // else an address, which may hold a password
		where = " at " + filepath.ToSlash(place)
	}
	return &cento.SourceError{Code: store.UnknownSession, Message: "there is no session: nothing was ever stored" + where, Hint: howSessionsBegin, Err: store.Empty}
}

// NothingStored reports whether an error of [OpenSessions] means that there are no
// sessions yet: nobody has written to the store, or there is none where it would be. A
// store that was asked for by its name has to be there.
func NothingStored(err error, asked string) bool {
	return errors.Is(err, store.Empty) || asked == "" && noSession(err)
}

// Located adds to an error about a session that isn't there the store, and to one about the
// session of another project how to move it.
func (s *Sessions) Located(err error) error {
	err = hintAdopt(err, s.asked)
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || e.Code != store.UnknownSession {
		return err
	}
	told := *e
	told.Message += " in the store " + s.store.Place()
	if told.Hint == "" {
		told.Hint = "`cento session list` tells which there are, `cento session start NAME` begins one"
	}
	return &told
}

// hintAdopt adds to an error about the session of another project the command that moves the
// session, unless the error has a hint.
func hintAdopt(err error, store string) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	other, also := errors.AsType[*ProjectError](err)
	if !ok || !also || e.Hint != "" {
		return err
	}
	if store != "" {
		store = " --store " + Quoted(store)
	}
	told := *e
	told.Hint = "move it to this project with `cento session adopt " + Quoted(other.Session) + store + "`"
	return &told
}

// hintFree adds to an error about a new session whose id is another project's an id that is
// free.
func hintFree(ctx context.Context, s *store.Store, err error) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	other, also := errors.AsType[*ProjectError](err)
	if !ok || !also {
		return err
	}
	told := *e
	if id := freeID(ctx, s, other.Session); id != "" {
		told.Hint = "choose another id: `" + id + "` is free"
	}
	return &told
}

// mostFree is how many ids are tried.
const mostFree = 1000

// freeID is an id like another one that no session has; empty where none is found.
func freeID(ctx context.Context, s *store.Store, id string) string {
	for n := 2; n < mostFree; n++ {
		try := numbered(id, n)
		if _, err := s.Session(ctx, try, Projects{Any: true}); noSession(err) {
			return try
		} else if err != nil {
			break
		}
	}
	return ""
}

// numbered is an id with a number after it.
func numbered(id string, n int) string {
	if n == 1 {
		return id
	}
	const most = 190 // bytes, so that the number has room
	for len(id) > most {
		_, size := utf8.DecodeLastRuneInString(id)
		id = id[:len(id)-size]
	}
	return id + "-" + strconv.Itoa(n)
}

// noSession reports whether an error says that a session isn't there.
func noSession(err error) bool { return errors.Is(err, store.UnknownSession) }

// Close closes the store, or lets go of one that [Stores] keep open.
func (s *Sessions) Close() error { return s.close() }

// SessionAsk is what the start of a session asks for instead of what the manifest
// says; what is nil is not asked for.
type SessionAsk struct {
	Materialise *Materialise
	Placement   *Placement
	AppendOnly  *bool
	// Providers replace those of the manifest, none among them.
	Providers []string
}

// sessionSettings are those that a session of the project begins with.
func (p *Project) sessionSettings(ask SessionAsk) session.Settings {
	s := session.Settings(p.Project.SessionSettings())
	if ask.Materialise != nil {
		s.PerTurn = *ask.Materialise == EveryTurn
	}
	if ask.Placement != nil {
		s.Placement = ask.Placement
	}
	if ask.AppendOnly != nil {
		s.AppendOnly = *ask.AppendOnly
	}
	if ask.Providers != nil {
		s.Providers = ask.Providers
	}
	return s
}

// NoPaths: something is asked about files, and none is named.
const NoPaths cento.ErrorCode = "session.paths"

// namedPaths refuses paths that name nothing: none at all, or a blank one, which would be
// taken for the folder that it is counted from.
func namedPaths(names []string) error {
	for i, name := range names {
		if strings.TrimSpace(name) == "" {
			return &cento.SourceError{Code: NoPaths, Message: fmt.Sprintf("the path %d of %d is blank", i+1, len(names)), Hint: "name a file, or leave it out"}
		}
	}
	if len(names) == 0 {
		return &cento.SourceError{Code: NoPaths, Message: "no path is named", Hint: "name one or more files"}
	}
	return nil
}

// Touch tells a session of the instructions that hold for files that are worked on and that
// its prompt doesn't have. Relative paths are counted from a folder. The error is [NoPaths]
// where none is named.
func (s *Sessions) Touch(ctx context.Context, id string, o session.Options, from string, names []string) (*session.Changed, error) {
	if err := namedPaths(names); err != nil {
		return nil, err
	}
	files := slices.Clone(names)
	for i, name := range files {
		if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
			name = filepath.Join(from, name)
		}
		files[i] = name
	}
	loaded, err := s.site.LoadInstructions(ctx, s.request, project.InstructionsChoice{For: files})
	if err != nil {
		return nil, err
	}
	request := session.TouchRequest{ID: id, Options: o, Files: []session.Touched{}}
	var unusable, nothing []cento.Note
	for _, in := range loaded.List {
		for _, n := range in.Notes {
			switch n.Code {
			case workspace.InstructionsFailed:
				unusable = append(unusable, n)
			case workspace.InstructionsBlank, workspace.InstructionsDuplicate:
				nothing = append(nothing, n)
			}
		}
		for _, f := range in.OnDemand {
			request.Files = append(request.Files, session.Touched{Path: f.Path, Text: f.Text.Body})
		}
	}
	out, err := s.Service.Touch(ctx, request)
	if err == nil {
		if len(request.Files) > 0 {
			nothing = nil
		}
		out.Notes = slices.Concat(unusable, nothing, out.Notes)
	}
	return out, err
}

// TellUsage keeps what a provider billed. What can't be read of it is told at the place
// that it has.
func (s *Sessions) TellUsage(ctx context.Context, at cento.Position, data []byte, r UsageRequest) (*Billed, error) {
	r.Usage = data
	out, err := s.Usage(ctx, r)
	return out, withPlace(err, wire.InvalidUsage, at)
}

// ReasonAt tells of a reason that can't be kept at the place that it has.
func ReasonAt(err error, at cento.Position) error {
	return withPlace(err, session.WrongReason, at)
}

// PathsAt tells of paths that name nothing at the place that they have.
func PathsAt(err error, at cento.Position) error { return withPlace(err, NoPaths, at) }

// withPlace is an error at a place where it is of a code.
func withPlace(err error, code cento.ErrorCode, at cento.Position) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok || e.Code != code {
		return err
	}
	told := *e
	told.Position = at
	return &told
}

// ReadSessionLayer reads the layer of a session from a file that the user names.
func ReadSessionLayer(path string) (*layer.Layer, error) {
	f, err := tree.ReadPath(path, tree.Options{Limit: cento.DefaultLimits().File})
	if err != nil {
		return nil, err
	}
	l, err := layer.Read(path, []byte(f.Text), cento.TrustHost, cento.Limits{})
	if err != nil {
		return nil, err
	}
	return &l, nil
}

// ParseSessionLayer reads the layer of a session, JSON by the name's end.
func ParseSessionLayer(name string, text []byte) (*layer.Layer, error) {
	l, err := layer.Read(name, text, cento.TrustHost, RequestLimits())
	if err != nil {
		return nil, err
	}
	return &l, nil
}

// SessionExplanation is the prompt that a session has, with its live reminders.
type SessionExplanation struct {
	cento.Explanation
	Session   string             `json:"session"`
	Epoch     int64              `json:"epoch"`
	Turn      int64              `json:"turn"`
	Placement reminder.Placement `json:"placement"`
	// Reminders are those that a turn would show now and that don't stand in the
	// system prompt; the others are among the fragments.
	Reminders []cento.Trace `json:"reminders"`
}

// Explain tells what is in the prompt of a session, and why. Reminders that are
// placed in the system prompt are among its fragments.
func (s *Sessions) Explain(ctx context.Context, id string, o cento.ExplainOptions) (*SessionExplanation, error) {
	v, err := s.View(ctx, id)
	if err != nil {
		return nil, err
	}
	o.Counter = CounterOf(v.Input)
	kept, err := project.Recorded(v.Input)
	if err != nil {
		return nil, err
	}
	e, err := provenance.Of(kept).Explanation(v.Input, v.Prompt, o)
	if err != nil {
		return nil, err
	}
	out := &SessionExplanation{
		Explanation: *e, Session: id, Epoch: v.Epoch, Turn: v.Turn, Placement: v.Placement, Reminders: []cento.Trace{},
	}
	if v.Aside != nil {
		for i := range v.Aside.Len() {
			if t := v.Aside.Trace(i, o); t.Trust.Untrusted() {
				out.Reminders = append(out.Reminders, t)
			}
		}
	}
	return out, nil
}

// DriftSummary is a drift in one line.
func DriftSummary(d *session.Drift) string {
	what := "the prompt that it has"
	if d.Drifted {
		what = "another prompt than the one that it has"
	}
	clock := ""
	if d.Clock != nil {
		clock = fmt.Sprintf("; the prompt names the day %s, and today is %s", d.Clock.From, d.Clock.To)
	}
	return fmt.Sprintf("the sources of session %q give %s%s", d.Session, what, clock)
}
