package project

import (
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
)

// fragments checks fragments as people write them. Ids that only the program
// gives are refused where the texts are a manifest's.
func fragments(d *strict.Decoder, files []fragmentFile, source string, manifest bool) []cento.Fragment {
	if len(files) == 0 {
		return nil
	}
	out := make([]cento.Fragment, len(files))
	first := make(map[string]int, len(files))
	for i := range files {
		d.InItem(i, func() {
			f := &files[i]
			out[i] = f.fragment(d, source)
			id, there := f.ID.Text()
			switch j, repeated := first[id]; {
			case !there:
				// What is missing or of another kind was reported.
			case strings.TrimSpace(id) == "":
				d.Fail(f.ID.Position(), cento.InvalidFragment, "a fragment without an id").Hint = "an id is a name such as team.reviews"
			case manifest && (id == cento.BoundariesID || id == cento.InstructionsID || id == cento.ReplacementID):
				d.Fail(f.ID.Position(), ReservedID, "the id %q is the program's own", id).Hint = "choose another id"
			case repeated:
				e := d.Fail(f.ID.Position(), cento.DuplicateID, "two fragments have the id %q", id)
				e.Related = []cento.Related{{Position: files[j].ID.Position(), Message: "the other one"}}
			default:
				first[id] = i
			}
		})
	}
	return out
}

// fragment is what is written, as the program holds it.
func (f *fragmentFile) fragment(d *strict.Decoder, source string) cento.Fragment {
	out := cento.Fragment{
		ID: f.ID.Value, Source: f.Source, Bucket: f.Bucket,
		RequiresTools: f.RequiresTools, RequiresAnyTools: f.RequiresAnyTools, RequiresCaps: f.RequiresCaps, Needs: f.Needs,
		Section: f.Section, Title: f.Title,
		Importance: f.Importance.Importance, Variants: f.Variants, Group: f.Group, Stability: f.Stability, Protected: f.Protected,
		Trust: d.Trust, Origin: f.Position(),
	}
	out.When, out.WhenOrigin = condition(f.When)
	if out.Source == "" {
		out.Source = source
	}
	f.contractKeys(d)
	switch {
	case f.Body != nil && f.Template != nil:
		conflict(d, "body", f.Body.Position(), "template", f.Template.Position(), "a fragment has one text")
	case f.Body != nil && f.Contract != nil:
		conflict(d, "body", f.Body.Position(), "contract", f.Contract.Position(), "a fragment has one text")
	case f.Template != nil && f.Contract != nil:
		conflict(d, "template", f.Template.Position(), "contract", f.Contract.Position(), "a fragment has one text")
	case f.Body != nil:
		out.Body, out.Runs = f.Body.Value, f.Body.Runs(d.Trust)
	case f.Template != nil:
		out.Template = reference(d, f.Template)
	case f.Contract != nil && f.Contract.inline != nil:
		text := written(f.Contract.inline, f.form(), f.exact())
		out.Body, out.Runs = text.Body, text.Runs
	case f.Contract == nil && !f.Position().IsZero():
		d.Fail(f.Position(), strict.MissingKey, "the key %q is missing", "body").Hint = `a fragment without text is written body: ""`
	}
	return out
}

// condition is a condition with the place where it begins.
func condition(t *text) (string, cento.Position) {
	if t == nil {
		return "", cento.Position{}
	}
	at := t.Position()
	if runs := t.Runs(cento.TrustWorkspace); len(runs) > 0 {
		at = runs[0].Position
	}
	return t.Value, at
}

// reference is a prompt file that is named, in the form that is the same for
// all its names.
func reference(d *strict.Decoder, t *text) string {
	if d.Trust == cento.TrustHost {
		d.Fail(t.Position(), Unsupported, "a request brings no prompt files").Hint = "hand the rendered text over as body"
		return ""
	}
	ref, err := pack.ParseRef(t.Value, pack.Ref{}, t.Position())
	if err != nil {
		d.Report(err)
		return ""
	}
	return ref.String()
}

// ReadFragments reads a list of fragments as a request carries it, JSON or YAML
// by the name's end. Their trust is that of the host, their source is the id
// unless they say another. They come from no file, so they have no origin.
// Limits that are 0 are the defaults.
func ReadFragments(name string, data []byte, limits cento.Limits) ([]cento.Fragment, error) {
	n, err := strict.Read(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	var d strict.Decoder
	var files []fragmentFile
	d.Decode(n, &files)
	out := fragments(&d, files, "", false)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return withoutOrigin(out), nil
}

// withoutOrigin forgets the places in a request, which nobody can open later.
func withoutOrigin(list []cento.Fragment) []cento.Fragment {
	for i := range list {
		list[i].Origin, list[i].WhenOrigin, list[i].Runs = cento.Position{}, cento.Position{}, nil
		if list[i].Source == "" {
			list[i].Source = list[i].ID
		}
	}
	return list
}
