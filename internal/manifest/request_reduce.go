package manifest

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// ReduceRequest asks for the reduction of fragments that are handed over.
type ReduceRequest struct {
	// Fragments have the trust of the host, unless they say a lower one, and no
	// origin.
	Fragments []cento.Fragment `json:"fragments"`
	// Placed are the same with their places in the request, for errors.
	Placed []cento.Fragment `json:"-"`
	// Active are the tools and capabilities; no tool that isn't named is active.
	Active cento.Active `json:"active"`
	// CapsAt are the places of the capabilities, ModelAt is that of the model.
	CapsAt  []cento.Position `json:"-"`
	ModelAt cento.Position   `json:"-"`
	// Vars are the variables for conditions, a JSON object; nil for none.
	Vars json.RawMessage `json:"vars,omitempty"`
	// Now is the clock for prompt files, its offset the time zone; zero when
	// there is none.
	Now time.Time `json:"now,omitzero"`
	// Tokens says whether to count; nil: to count.
	Tokens *bool `json:"tokens,omitempty"`
	// Budget is how many tokens may be used; nil for any number.
	Budget *Budget `json:"budget,omitempty"`
	// Notes tell what of the request has no effect.
	Notes []cento.Note `json:"notes,omitempty"`
}

type reduceFile struct {
	Fragments []fragmentFile     `json:"fragments" jsonschema:"The fragments, in declaration order."`
	Tools     *toolListFile      `json:"tools,omitempty" jsonschema:"The active tools: names or definitions, which may be mixed."`
	Caps      []text             `json:"caps,omitempty" jsonschema:"The capabilities that are set."`
	Vars      *valuesFile        `json:"vars,omitempty" jsonschema:"Variables for conditions." names:"a variable"`
	Model     *text              `json:"model,omitempty" jsonschema:"Name of the model."`
	Budget    *requestBudgetFile `json:"budget,omitempty" jsonschema:"How many tokens a request may take. Fragments with an importance are shortened and left out, the least important first, until the prompt fits."`
	Now       *text              `json:"now,omitempty" jsonschema:"The clock, as in RFC 3339; its offset is the time zone."`
	Tokens    *bool              `json:"tokens,omitempty" jsonschema:"Whether to count tokens; default true. Counting takes longer than everything else."`
}

// requestBudgetFile is a budget for one prompt.
type requestBudgetFile struct {
	strict.At
	Tokens  tokens             `json:"tokens" jsonschema:"How many tokens the prompt and what is kept free may take."`
	Reserve *tokens            `json:"reserve,omitempty" jsonschema:"How many of them are kept free; default 0."`
	Policy  cento.BudgetPolicy `json:"policy,omitempty" jsonschema:"What is done with room that is left: strict, the default, leaves it, so that a larger budget keeps all that a smaller one keeps; fill takes back what fits, the most important first."`
}

func (f *requestBudgetFile) budget() *Budget {
	if f == nil {
		return nil
	}
	b := &Budget{Tokens: f.Tokens.Value, Policy: f.Policy, Position: f.Position()}
	if f.Reserve != nil {
		b.Reserve = f.Reserve.Value
	}
	return b
}

// toolListFile is a list of tools, but not the path of one: a request reads no
// file.
type toolListFile struct{ Tools }

func (t *toolListFile) DecodeNode(d *strict.Decoder, n *strict.Node) { t.Tools.decode(d, n) }

// ParseReduce reads a request to reduce fragments. The name is the one shown in
// errors; limits that are 0 are the defaults, and Limits.File bounds the
// request. Everything that is wrong is returned at once.
func ParseReduce(name string, data []byte, limits cento.Limits) (*ReduceRequest, error) {
	n, err := strict.JSON(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustHost}
	var f reduceFile
	d.Decode(n, &f)
	r := &ReduceRequest{Tokens: f.Tokens}
	if f.Model != nil {
		r.Active.Model, r.ModelAt = f.Model.Value, f.Model.Position()
	}
	d.In("fragments", func() { r.Placed = fragments(&d, f.Fragments, "", false) })
	r.Fragments = withoutOrigin(slices.Clone(r.Placed))
	r.Notes = contractNotes(f.Fragments)
	d.In("caps", func() {
		set := caps(&d, f.Caps)
		r.Active.Caps, r.CapsAt = set.Set, set.SetAt
	})
	d.In("budget", func() { r.Budget = f.Budget.budget() })
	if f.Tools != nil {
		r.Active.Tools = f.Tools.Names()
		for _, t := range f.Tools.Defined {
			if t.Guidance != nil {
				r.Notes = append(r.Notes, cento.Note{
					Code: cento.CodeGuidanceUnused, Position: t.GuidanceOrigin,
					Message: "guidance of tool " + t.Name + " is ignored: this request composes no fragments",
				})
			}
		}
	}
	if f.Vars != nil {
		r.Vars = f.Vars.json
	}
	r.Now = clock(&d, f.Now)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// ScopeRequest asks what a scope permits at some paths.
type ScopeRequest struct {
	// Scope has the rules. Where it doesn't say whether to tell of denied paths,
	// the summary doesn't.
	Scope workspace.ScopeConfig `json:"scope"`
	// Base is the absolute folder of relative targets and paths.
	Base  string   `json:"base"`
	Paths []string `json:"paths"`
	// PathPositions say where the paths are written, for errors; empty when that
	// isn't known.
	PathPositions []cento.Position `json:"-"`
}

type scopeRequestFile struct {
	Scope scopeFile `json:"scope" jsonschema:"The scope to ask."`
	Base  text      `json:"base,omitempty" jsonschema:"Absolute folder of relative targets and paths."`
	Paths []text    `json:"paths" jsonschema:"The paths to ask about."`
}

// ParseScope reads a request about the permissions at some paths. The name is
// the one shown in errors; limits that are 0 are the defaults. Everything that
// is wrong is returned at once.
func ParseScope(name string, data []byte, limits cento.Limits) (*ScopeRequest, error) {
	n, err := strict.JSON(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustHost}
	var f scopeRequestFile
	d.Decode(n, &f)
	r := &ScopeRequest{Scope: f.Scope.config(&d), Base: f.Base.Value}
	for _, p := range f.Paths {
		r.Paths, r.PathPositions = append(r.Paths, p.Value), append(r.PathPositions, p.Position())
	}
	d.In("scope", func() { f.Scope.requireAllow(&d) })
	if err := d.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// clock reads the time of a request; the zero time for none.
func clock(d *strict.Decoder, at *text) time.Time {
	if at == nil {
		return time.Time{}
	}
	now, err := time.Parse(time.RFC3339, at.Value)
	if _, ok := at.Text(); ok && err != nil {
		d.In("now", func() {
			d.Fail(at.Position(), strict.WrongValue, "expected a time, got %q", at.Value).Hint = "RFC 3339, as in 2000-01-01T00:00:00Z"
		})
	}
	return now
}

// RenderRequest asks for the text of one prompt file that is handed over with
// all that it includes.
type RenderRequest struct {
	// Files are the texts by reference; Root is one of them.
	Files map[string]string `json:"files"`
	// Prefixes are those of the caller's own files.
	Prefixes map[pack.Prefix]pack.Own `json:"-"`
	Root     pack.Ref                 `json:"-"`
	// Position is where the root is named.
	Position cento.Position `json:"-"`
	// Active are the tools and capabilities, ModelAt is the place of the model.
	Active  cento.Active   `json:"active"`
	ModelAt cento.Position `json:"-"`
	// Vars are the variables, a JSON object; nil for none.
	Vars json.RawMessage `json:"vars,omitempty"`
	// Now is the clock, its offset the time zone; zero when there is none.
	Now time.Time `json:"now,omitzero"`
	// Cwd is the working folder; empty: reading it is an error.
	Cwd string `json:"cwd,omitempty"`
	// AgentName is who the agent is told to be; empty: the default.
	AgentName string `json:"agent,omitempty"`
}

type renderFile struct {
	Files    *filesFile    `json:"files,omitempty" jsonschema:"Texts of prompt files by reference, such as $workspace/review."`
	Prefixes *prefixesFile `json:"prefixes,omitempty" jsonschema:"Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in."`
	Root     text          `json:"root" jsonschema:"Reference to the file to render."`
	Vars     *valuesFile   `json:"vars,omitempty" jsonschema:"Variables, read as vars.<name>." names:"a variable"`
	Tools    *toolListFile `json:"tools,omitempty" jsonschema:"The active tools: names or definitions, which may be mixed."`
	Caps     []text        `json:"caps,omitempty" jsonschema:"The capabilities that are set."`
	Model    *text         `json:"model,omitempty" jsonschema:"Name of the model. Without it, reading it is an error."`
	Now      *text         `json:"now,omitempty" jsonschema:"The clock, as in RFC 3339; its offset is the time zone."`
	Cwd      *text         `json:"cwd,omitempty" jsonschema:"The working folder, read as cwd. Without it, reading it is an error."`
	Agent    *text         `json:"agent,omitempty" jsonschema:"Who the agent is told to be, read as agent.name; default an AI coding assistant."`
}

// filesFile are texts of prompt files by reference.
type filesFile struct{ texts map[string]string }

func (f *filesFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map {
		d.Expected(n, "a map of references to texts")
		return
	}
	f.texts = map[string]string{}
	first := map[pack.Ref]cento.Position{}
	for key, value := range n.Members() {
		name, _ := key.Text()
		body, ok := value.Text()
		if !ok {
			d.In(name, func() { d.Expected(value, strict.Text.String()) })
			continue
		}
		ref, err := parseRef(d, name, key.Position())
		switch at, twice := first[ref]; {
		case err != nil:
			d.Report(err)
		case slices.Contains(d.Prefixes, string(ref.Prefix())):
			d.Fail(key.Position(), pack.InvalidRef, "%q is a file of a prefix of your own", name).
				Hint = "hand it over under prefixes, beside how far it is trusted"
		case ref.Prefix() == pack.Builtin:
			d.Fail(key.Position(), pack.InvalidRef, "%q can't be handed over: $builtin is part of the program", name).
				Hint = "give it a name below $workspace or $user"
		case twice:
			d.Fail(key.Position(), pack.InvalidRef, "%q means a file that is there already", name).
				Related = []cento.Related{{Position: at, Message: "the other one"}}
		default:
			first[ref] = key.Position()
			f.texts[ref.Path()] = body
		}
	}
}

// ParseRender reads a request to render a prompt file. The name is the one
// shown in errors; limits that are 0 are the defaults. Everything that is wrong
// with the request itself is returned at once.
func ParseRender(name string, data []byte, limits cento.Limits) (*RenderRequest, error) {
	n, err := strict.JSON(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustHost, Prefixes: prefixesOf(n)}
	var f renderFile
	d.Decode(n, &f)
	r := &RenderRequest{Position: f.Root.Position()}
	if f.Model != nil {
		r.Active.Model, r.ModelAt = f.Model.Value, f.Model.Position()
	}
	if f.Files != nil {
		r.Files = f.Files.texts
	}
	if f.Prefixes != nil {
		r.Prefixes = f.Prefixes.own
	}
	if _, ok := f.Root.Text(); ok {
		r.Root, err = parseRef(&d, f.Root.Value, f.Root.Position())
		d.Report(err)
	}
	d.In("caps", func() { r.Active.Caps = caps(&d, f.Caps).Set })
	if f.Tools != nil {
		r.Active.Tools = f.Tools.Names()
	}
	if f.Vars != nil {
		r.Vars = f.Vars.json
	}
	r.Now = clock(&d, f.Now)
	r.Cwd, r.AgentName = notBlankText(&d, "cwd", f.Cwd), notBlankText(&d, "agent", f.Agent)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// notBlankText is a text that says something where it is given at all.
func notBlankText(d *strict.Decoder, key string, t *text) string {
	if t == nil {
		return ""
	}
	if s, ok := t.Text(); ok && strings.TrimSpace(s) == "" {
		d.In(key, func() {
			d.Fail(t.Position(), strict.WrongValue, "a blank text").Hint = "leave " + key + " out, or say what it is"
		})
	}
	return t.Value
}
