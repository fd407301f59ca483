package app

import (
	"context"
	"slices"

	"encoding/json"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/provenance"
	"github.com/cento-dev/cento/internal/starter"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/lint"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/wire"
)

// What a door hands over and gets back is often a type of the package that does
// the work. It has its name here as well: a door knows this package alone, and
// nothing is copied from one struct into another that is the same.

// Which project is read, and how.
type (
	Request     = project.Request
	Disk        = disk.Disk
	Site        = project.Site
	Lister      = project.Lister
	Assignment  = project.Assignment
	LayerChoice = project.LayerChoice
	Profile     = project.Profile
	Layer       = layer.Layer
	PromptUse   = pack.Use
	PromptText  = pack.File
	Budget      = project.Budget
)

// How the tool servers of a manifest are used.
const (
	NoServers   = project.NoServers
	KeptServers = project.KeptServers
)

// NearestName offers the known name that was probably meant; empty when none is
// near.
func NearestName(name string, known []string) string {
	near, _ := nearest.Name(name, known)
	return near
}

// NearestHint is the hint for a name that is none of those known: the nearest one, and
// all where none is near.
func NearestHint(name string, known []string) string {
	return nearest.Hint(name, known, "it is one of "+nearest.List(known))
}

// ManifestName is the name of a project's manifest.
const ManifestName = project.FileName

// UnknownTarget is the code of a target that the manifest doesn't have.
const UnknownTarget = project.UnknownTarget

// ReadProfile reads a project profile, JSON or YAML by the name's end.
func ReadProfile(name string, data []byte) (*Profile, error) {
	return project.ReadProfile(name, data, RequestLimits())
}

// Where texts come from.
type (
	Why       = provenance.Why
	Match     = provenance.Match
	FileWhy   = provenance.FileWhy
	AskedAs   = provenance.AskedAs
	Commit    = provenance.Commit
	BlameLine = provenance.BlameLine
	// BlameStretch is a part of one that is from elsewhere.
	BlameStretch = provenance.BlameStretch
	WirePiece    = provenance.WirePiece
)

// SwitchedOff is the code of a text of the program's own that a setting keeps out.
const SwitchedOff = provenance.SwitchedOff

// How the question of `why` is read.
const (
	AskedID   = provenance.AsID
	AskedAt   = provenance.AsAt
	AskedText = provenance.AsText
)

// The manifest that says what holds without one.
type (
	Starter = starter.Starter
	Import  = starter.Import
)

// What became of a file that instructs other clients.
const (
	ImportLoaded = starter.ImportLoaded
	ImportAdded  = starter.ImportAdded
	ImportLeft   = starter.ImportLeft
)

// NewStarter makes the manifest that `init` writes; see [starter.New]. With imports it
// counts the tokens that they add.
func NewStarter(ctx context.Context, e Environ, imports bool) (*Starter, error) {
	r := project.Request{Dir: e.Dir, Home: e.Home, Config: e.Config, Clients: e.Clients}
	s, err := starter.New(r, imports)
	if err != nil || !slices.ContainsFunc(s.Imports, func(x Import) bool { return x.Status == ImportAdded }) {
		return s, err
	}
	tokens := [2]int{}
	for i := range tokens {
		if i == 1 {
			r.ManifestName, r.ManifestText = ManifestName, []byte(s.Manifest)
		}
		p, err := project.Open(ctx, r)
		if err != nil {
			return nil, err
		}
		in := p.Input
		in.Primary.Instruction = nil // it needs a clock, and is the same in both
		prompt, err := p.Reduce(in)
		if err != nil {
			return nil, err
		}
		text, _ := prompt.System()
		tokens[i] = CounterOf(p.Input).Count(text)
	}
	s.AddedTokens = tokens[1] - tokens[0]
	return s, nil
}

// UndefinedCaps tells of capabilities of which nearly the name is asked for; see
// [project.UndefinedCaps].
func UndefinedCaps(fragments []cento.Fragment, vars json.RawMessage, set []string, at []cento.Position) []cento.Note {
	return project.UndefinedCaps(fragments, vars, set, at)
}

// Locate finds a project; see [project.Locate].
func Locate(r Request) (Site, error) { return project.Locate(r) }

// CheckResult refuses a file for a result that is a manifest, which own says of one of
// another name, its lock or a file of tests. The error has the code [manifest.OutputOwn].
func CheckResult(file string, own bool) error { return manifest.CheckResult(file, own) }

// ManifestSchema is the JSON Schema of a manifest.
func ManifestSchema() []byte { return manifest.Schema() }

// RequestSchemas are the JSON Schemas of requests, by operation.
func RequestSchemas() []byte { return manifest.RequestSchemas() }

// Checks are what a project is asked about.
func Checks() []lint.Check { return lint.Checks() }

// What is recorded.
type (
	RecordQuery      = store.RecordQuery
	SearchQuery      = store.SearchQuery
	Record           = store.Record
	Summary          = store.Summary
	RecordedFragment = store.Fragment
	Committed        = store.Committed
	Stored           = store.Stored
	RecordLink       = store.Link
	Verification     = store.Verification
	Imported         = store.Imported
	Collected        = store.Collected
	Redaction        = store.Redaction
	Remainder        = store.Remainder
)

// What a redaction may leave.
const (
	LeftVariable = store.LeftVariable
	LeftTemplate = store.LeftTemplate
	LeftState    = store.LeftState
	LeftKept     = store.LeftKept
)

// The codes of a store that a door answers in a way of its own.
const (
	UnknownSession     = store.UnknownSession
	UnknownRecord      = store.UnknownRecord
	OtherProject       = store.OtherProject
	SessionExists      = store.SessionExists
	SessionHasChildren = store.HasChildren
	StoreConflict      = store.Conflict
	KeyReused          = store.KeyReused
	StoreLocked        = store.Locked
	StoreUnreachable   = store.Unreachable
	StoreUncertain     = store.Uncertain
	StoreFull          = store.Full
	StoreReadOnly      = store.ReadOnly
	StoreClosed        = store.Closed
)

// StoreFailed reports whether a code is about the store itself.
func StoreFailed(code cento.ErrorCode) bool { return store.IsFailure(code) }

// WireLoss is something that a form of requests can't say.
type WireLoss = wire.Loss

// What is done to a session, and what comes of it.
type (
	SessionOptions       = session.Options
	TurnRequest          = session.TurnRequest
	RemindRequest        = session.RemindRequest
	ClearRequest         = session.ClearRequest
	CompactRequest       = session.CompactRequest
	ForkRequest          = session.ForkRequest
	EndRequest           = session.EndRequest
	RematerialiseRequest = session.RematerialiseRequest
	SessionOwn           = session.Own
	Projects             = store.Projects
	ProjectError         = store.ProjectError
	AdoptRequest         = session.AdoptRequest
	Adopted              = session.Adopted
	SessionListRequest   = session.ListRequest
	SessionRow           = session.Listed
	SessionDeleteRequest = session.DeleteRequest
	SessionDeleted       = store.Deleted
	PromptSource         = session.Source
	SessionReading       = session.Reading
	SessionMeta          = session.Meta
	Started              = session.Started
	Turn                 = session.Turn
	Changed              = session.Changed
	Billed               = session.Billed
	UsageRequest         = session.UsageRequest
	Forked               = session.Forked
	Shown                = session.Shown
	Drift                = session.Drift
	SetChange            = session.SetChange
	Rematerialised       = session.Rematerialised
)

// How a turn takes it that the files give another prompt by now.
const (
	DriftTold     = session.DriftTold
	DriftReminded = session.DriftReminded
)

// How often a session's prompt is made.
type Materialise = manifest.Materialise

// The words for it.
const (
	Once      = manifest.Once
	EveryTurn = manifest.EveryTurn
)

// Reminders, and what is told of them.
type (
	Reminder        = reminder.Reminder
	ReminderMatch   = reminder.Match
	ReminderEvent   = reminder.Event
	Moment          = reminder.Moment
	TruncatedOutput = reminder.TruncatedOutput
	Placement       = reminder.Placement
)

// The words of reminders.
const (
	InSystem = reminder.InSystem
	InTurn   = reminder.InTurn
	InNative = reminder.InNative

	OnResume = reminder.OnResume

	ToChildren = reminder.ToChildren
	ToAll      = reminder.ToAll
	ToNone     = reminder.ToNone

	Contractual = reminder.Contract
	Corrective  = reminder.Corrective
	Advisory    = reminder.Advisory

	SystemRole     = reminder.SystemRole
	DeveloperRole  = reminder.DeveloperRole
	UserBlock      = reminder.UserBlock
	EphemeralCache = reminder.EphemeralCache

	FromPipeline  = reminder.InPipeline
	FromProvider  = reminder.StdlibProvider
	FromHook      = reminder.Hook
	FromBridge    = reminder.Bridge
	FromParent    = reminder.Inherited
	ProviderAsked = reminder.EventProviderEvaluated
)

// CheckTTL holds a number of turns to the bounds of [reminder.CheckTTL].
func CheckTTL(turns int64) error { return reminder.CheckTTL(turns) }

// Contracts, and what checking an answer against one finds.
type (
	ContractFile   = contract.File
	ContractFormat = contract.Form
	ContractReport = contract.Report
)

// ContractSchema is the JSON Schema of a contract file.
func ContractSchema() []byte { return contract.Schema() }
