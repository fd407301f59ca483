package project

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// ReduceRequest asks for the reduction of fragments that are handed over.
type ReduceRequest struct {
	// Fragments have the trust of the host and no origin.
	Fragments []cento.Fragment `json:"fragments"`
	// Placed are the same with their places in the request, for errors.
	Placed []cento.Fragment `json:"-"`
	// Active are the tools and capabilities; no tool that isn't named is active.
	Active cento.Active `json:"active"`
	// Vars are the variables for conditions, a JSON object; nil for none.
	Vars json.RawMessage `json:"vars,omitempty"`
	// Now is the clock for prompt files, its offset the time zone; zero when
	// there is none.
	Now time.Time `json:"now,omitzero"`
	// Notes tell what of the request has no effect.
	Notes []cento.Note `json:"notes,omitempty"`
}

type reduceFile struct {
	Fragments []fragmentFile `json:"fragments" jsonschema:"The fragments, in declaration order."`
	Tools     *toolListFile  `json:"tools,omitempty" jsonschema:"The active tools: names or definitions, which may be mixed."`
	Caps      []text         `json:"caps,omitempty" jsonschema:"The capabilities that are set."`
	Vars      *varsFile      `json:"vars,omitempty" jsonschema:"Variables for conditions."`
	Model     string         `json:"model,omitempty" jsonschema:"Name of the model."`
	Budget    *unsupported   `json:"budget,omitempty"`
	Now       *text          `json:"now,omitempty" jsonschema:"The clock, as in RFC 3339; its offset is the time zone."`
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
	var d strict.Decoder
	var f reduceFile
	d.Decode(n, &f)
	r := &ReduceRequest{Active: cento.Active{Model: f.Model}}
	d.In("fragments", func() { r.Placed = fragments(&d, f.Fragments, "", false) })
	r.Fragments = withoutOrigin(slices.Clone(r.Placed))
	r.Notes = contractNotes(f.Fragments)
	d.In("caps", func() { r.Active.Caps = caps(&d, f.Caps).Set })
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

type scopeRequestFile struct {
	Scope scopeFile `json:"scope" jsonschema:"The scope to ask."`
	Base  text      `json:"base,omitempty" jsonschema:"Absolute folder of relative targets and paths."`
	Paths []text    `json:"paths" jsonschema:"The paths to ask about."`
}

// ParseScope reads a request about the permissions at some paths. The name is
// the one shown in errors; limits that are 0 are the defaults. Everything that
// is wrong is returned at once.
func ParseScope(name string, data []byte, limits cento.Limits) (*workspace.ScopeRequest, error) {
	n, err := strict.JSON(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	var d strict.Decoder
	var f scopeRequestFile
	d.Decode(n, &f)
	r := &workspace.ScopeRequest{Scope: f.Scope.config(&d), Base: f.Base.Value}
	for _, p := range f.Paths {
		r.Paths, r.PathPositions = append(r.Paths, p.Value), append(r.PathPositions, p.Position())
	}
	d.In("scope", func() { requireAllow(&d, &f.Scope) })
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
	Root  pack.Ref          `json:"-"`
	// Position is where the root is named.
	Position cento.Position `json:"-"`
	// Active are the tools and capabilities.
	Active cento.Active `json:"active"`
	// Vars are the variables, a JSON object; nil for none.
	Vars json.RawMessage `json:"vars,omitempty"`
	// Now is the clock, its offset the time zone; zero when there is none.
	Now time.Time `json:"now,omitzero"`
}

type renderFile struct {
	Files *filesFile    `json:"files" jsonschema:"Texts of prompt files by reference, such as $workspace/review."`
	Root  text          `json:"root" jsonschema:"Reference to the file to render."`
	Vars  *varsFile     `json:"vars,omitempty" jsonschema:"Variables, read as vars.<name>."`
	Tools *toolListFile `json:"tools,omitempty" jsonschema:"The active tools: names or definitions, which may be mixed."`
	Caps  []text        `json:"caps,omitempty" jsonschema:"The capabilities that are set."`
	Model string        `json:"model,omitempty" jsonschema:"Name of the model."`
	Now   *text         `json:"now,omitempty" jsonschema:"The clock, as in RFC 3339; its offset is the time zone."`
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
		ref, err := pack.ParseRef(name, pack.Ref{}, key.Position())
		switch at, twice := first[ref]; {
		case err != nil:
			d.Report(err)
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
	var d strict.Decoder
	var f renderFile
	d.Decode(n, &f)
	r := &RenderRequest{Position: f.Root.Position(), Active: cento.Active{Model: f.Model}}
	if f.Files != nil {
		r.Files = f.Files.texts
	}
	if _, ok := f.Root.Text(); ok {
		r.Root, err = pack.ParseRef(f.Root.Value, pack.Ref{}, f.Root.Position())
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
	if err := d.Err(); err != nil {
		return nil, err
	}
	return r, nil
}
