package cli

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// buildAnswer is a prompt.
type buildAnswer struct {
	// System is the prompt; null when nothing is included.
	System *string `json:"system"`
	// Digest is the SHA-256 of it, in lower-case hex; null when that is null.
	Digest *string `json:"digest"`
	// Bytes is its length.
	Bytes int `json:"bytes"`
}

// blameAnswer is a prompt, line by line.
type blameAnswer struct {
	// Lines are those of the prompt, in order.
	Lines []app.BlameLine `json:"lines"`
}

// promptsAnswer lists prompt files.
type promptsAnswer struct {
	// Prompts are the files that can be named, by reference.
	Prompts []app.PromptFile `json:"prompts"`
}

// packsAnswer lists packs.
type packsAnswer struct {
	// Packs are those that the manifest names, and those that are locked without
	// a name.
	Packs []app.Pack `json:"packs"`
}

// removedPackAnswer tells of a pack that was taken out.
type removedPackAnswer struct {
	// Name is that of the pack.
	Name string `json:"name"`
	// Removed is the folder that went with it; empty when it stays.
	Removed string `json:"removed"`
}

// trustedAnswer lists what the user approved.
type trustedAnswer struct {
	// Projects are those with something that is approved.
	Projects []app.TrustedProject `json:"projects"`
}

// untrustedAnswer tells of approvals that were taken back.
type untrustedAnswer struct {
	// Root is the folder of the project.
	Root string `json:"root"`
	// Removed tells whether anything of it was approved.
	Removed bool `json:"removed"`
}

// recordsAnswer lists records.
type recordsAnswer struct {
	// Records are the newest first.
	Records []store.Summary `json:"records"`
}

// systemAnswer is a recorded prompt.
type systemAnswer struct {
	// System is the prompt; null when there was none.
	System *string `json:"system"`
}

// replayAnswer tells what became of records that were made again.
type replayAnswer struct {
	// Records are those that were asked for.
	Records []*app.Replay `json:"records"`
	// Same tells whether all of them gave the digest that was recorded.
	Same bool `json:"same"`
	// Redacted is how many of all that there are can't be made again.
	Redacted int `json:"redacted"`
}

// versionAnswer is the version of the program.
type versionAnswer struct {
	// Version begins with v; without a release it says which commit it is.
	Version string `json:"version"`
}

// textAnswer is a result that is one text.
type textAnswer struct {
	// Text is the text.
	Text string `json:"text"`
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// answers are the types of the results with --json, by command. Those of one
// command are told apart by its flags. A command without an entry has no such
// result: its output is JSON anyhow, or other programs' own form.
var answers = map[string][]reflect.Type{
	"cento blame":                 {typeOf[blameAnswer]()},
	"cento build":                 {typeOf[buildAnswer]()},
	"cento check":                 {typeOf[app.CheckAnswer]()},
	"cento completion":            {typeOf[textAnswer]()},
	"cento contract check":        {typeOf[contract.Report]()},
	"cento contract read":         {typeOf[contract.Response]()},
	"cento contract tokens":       {typeOf[app.ContractCosts]()},
	"cento contract write":        {typeOf[contract.Response]()},
	"cento demo":                  {typeOf[app.Demo]()},
	"cento demo prompt-guidance":  {typeOf[app.Demo]()},
	"cento diff":                  {typeOf[cento.Difference]()},
	"cento explain":               {typeOf[cento.Explanation](), typeOf[app.SessionExplanation]()},
	"cento init":                  {typeOf[app.Starter]()},
	"cento instructions":          {typeOf[app.InstructionsReport](), typeOf[app.InstructionsComparison](), typeOf[app.InstructionsDiff]()},
	"cento layers":                {typeOf[app.Layers]()},
	"cento log diff":              {typeOf[cento.Difference]()},
	"cento log gc":                {typeOf[store.Collected]()},
	"cento log import":            {typeOf[store.Imported]()},
	"cento log list":              {typeOf[recordsAnswer]()},
	"cento log redact":            {typeOf[store.Redaction]()},
	"cento log replay":            {typeOf[replayAnswer]()},
	"cento log search":            {typeOf[app.RecordSearch]()},
	"cento log show":              {typeOf[store.Record](), typeOf[systemAnswer](), typeOf[cento.Input]()},
	"cento log verify":            {typeOf[store.Verification]()},
	"cento man":                   {typeOf[textAnswer]()},
	"cento pack add":              {typeOf[app.AddedPack]()},
	"cento pack list":             {typeOf[packsAnswer]()},
	"cento pack remove":           {typeOf[removedPackAnswer]()},
	"cento pack verify":           {typeOf[packsAnswer]()},
	"cento profile":               {typeOf[project.Profile]()},
	"cento prompt check":          {typeOf[app.PromptCheck]()},
	"cento prompt graph":          {typeOf[app.PromptGraph]()},
	"cento prompt list":           {typeOf[promptsAnswer]()},
	"cento prompt show":           {typeOf[app.PromptFile]()},
	"cento render":                {typeOf[app.Rendering]()},
	"cento scope check":           {typeOf[app.ScopeAnswer]()},
	"cento session clear":         {typeOf[session.Changed]()},
	"cento session compact":       {typeOf[session.Changed]()},
	"cento session drift":         {typeOf[session.Drift]()},
	"cento session fork":          {typeOf[session.Forked]()},
	"cento session list":          {typeOf[[]app.SessionRow]()},
	"cento session rematerialise": {typeOf[session.Rematerialised]()},
	"cento session remind":        {typeOf[session.Changed]()},
	"cento session show":          {typeOf[session.Shown]()},
	"cento session start":         {typeOf[session.Started]()},
	"cento session turn":          {typeOf[session.Turn](), typeOf[session.Changed]()},
	"cento skills check":          {typeOf[app.SkillsCheck]()},
	"cento skills list":           {typeOf[app.Skills]()},
	"cento skills show":           {typeOf[app.SkillText]()},
	"cento tokens":                {typeOf[app.PromptCount](), typeOf[app.TextCount]()},
	"cento tools diff":            {typeOf[app.ToolLock]()},
	"cento tools list":            {typeOf[app.ToolList]()},
	"cento tools lock":            {typeOf[app.ToolLock]()},
	"cento tools show":            {typeOf[app.ListedServer](), typeOf[app.ListedTool]()},
	"cento trust":                 {typeOf[app.Trust]()},
	"cento trust add":             {typeOf[app.Trust]()},
	"cento trust list":            {typeOf[trustedAnswer]()},
	"cento trust remove":          {typeOf[untrustedAnswer]()},
	"cento version":               {typeOf[versionAnswer]()},
	"cento why":                   {typeOf[app.Why]()},
}

// Answers are the types of the results with --json, by command, for those who
// describe them.
func Answers() map[string][]reflect.Type { return maps.Clone(answers) }

// holdAnswers makes every result with --json that isn't of the types of its
// command a panic. Tests ask for it, so that the table above stays true.
var holdAnswers bool

func (c *console) hold(v any) {
	typ := reflect.TypeOf(v)
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if holdAnswers && !slices.Contains(answers[c.command], typ) {
		panic(fmt.Sprintf("cli: %s answers with a %s, and the table of answers says %s", c.command, typ, answers[c.command]))
	}
}
