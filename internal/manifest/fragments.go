package manifest

import (
	"slices"
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
				e.Related, e.Hint = []cento.Related{{Position: files[j].ID.Position(), Message: "the other one"}}, "give one of the two another id"
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
		RequiresTools: f.RequiresTools.Values(), RequiresAnyTools: f.RequiresAnyTools.Values(), RequiresCaps: f.RequiresCaps.Values(),
		GatesOrigin: strict.GateOrigins(f.RequiresTools, f.RequiresAnyTools, f.RequiresCaps),
		Importance:  f.Importance.Importance, Stability: f.Stability, Protected: f.Protected,
		Trust: d.Trust, Origin: f.Position(),
	}
	if f.Trust != nil {
		out.Trust = f.Trust.Trust
	}
	out.When, out.WhenOrigin, out.WhenRuns = strict.Condition(d, f.When)
	out.Title, out.TitleOrigin = heading(f.Title)
	var section cento.Position
	if out.Section, section = heading(f.Section); !section.IsZero() {
		out.SectionFrom = &cento.Attribution{Position: section, Trust: out.Trust}
	}
	for i := range f.Needs {
		out.Needs, out.NeedsOrigin = append(out.Needs, f.Needs[i].Value), append(out.NeedsOrigin, f.Needs[i].Position())
	}
	d.In("variants", func() { out.Variants = variants(d, f.Variants, out.Trust) })
	if f.Group != nil {
		out.Group = f.Group.Value
		if name, ok := f.Group.Text(); ok && isBlank(name) {
			d.In("group", func() {
				d.Fail(f.Group.Position(), strict.WrongValue, "a blank name").Hint = "leave group out, or name one"
			})
		}
	}
	if out.Source == "" {
		out.Source = source
	}
	f.contractKeys(d)
	switch {
	case f.File != nil && f.Body != nil:
		conflict(d, "file", f.File.Position(), "body", f.Body.Position(), "a fragment has one text")
	case f.File != nil && f.Template != nil:
		conflict(d, "file", f.File.Position(), "template", f.Template.Position(), "a fragment has one text")
	case f.File != nil && f.Contract != nil:
		conflict(d, "file", f.File.Position(), "contract", f.Contract.Position(), "a fragment has one text")
	case f.Body != nil && f.Template != nil:
		conflict(d, "body", f.Body.Position(), "template", f.Template.Position(), "a fragment has one text")
	case f.Body != nil && f.Contract != nil:
		conflict(d, "body", f.Body.Position(), "contract", f.Contract.Position(), "a fragment has one text")
	case f.Template != nil && f.Contract != nil:
		conflict(d, "template", f.Template.Position(), "contract", f.Contract.Position(), "a fragment has one text")
	case f.Body != nil:
		out.Body, out.Runs = f.Body.Value, f.Body.Runs(out.Trust)
	case f.Template != nil && f.Trust != nil:
		d.Fail(f.Template.Position(), Conflict, "trust and template exclude each other").Hint = "the text of a prompt file has the trust of its prefix; keep one of the two"
	case f.Template != nil:
		out.Template, out.TemplateOrigin = reference(d, f.Template), f.Template.Position()
	case f.File != nil && d.Trust == cento.TrustHost:
		d.Fail(f.File.Position(), Unsupported, "a request brings no files of a project").Hint = "write the text itself as body"
	case f.File != nil: // its text is read later
	case f.Contract != nil && f.Contract.inline != nil:
		text := f.Contract.inline.Text(f.form(), contractOptions(f.exact())...)
		out.Body, out.Runs = text.Body, text.Runs
	case f.Contract == nil && slices.ContainsFunc(f.Keys(), func(key string) bool { return slices.Contains(otherTextKeys, key) }):
		// The key that is meant was proposed.
	case f.Contract == nil && !f.Position().IsZero() && !f.Misspelt(d, "body") && !f.Misspelt(d, "template") && !f.Misspelt(d, "contract"):
		d.Fail(f.Position(), strict.MissingKey, "the key %q is missing", "body").Hint = `a fragment without text is written body: ""`
	}
	return out
}

// otherTextKeys are the keys that people write for the text of a fragment, see
// [fragmentFile].
var otherTextKeys = []string{"text", "content", "prompt", "path", "include"}

// heading is the words of a heading with the place where they begin.
func heading(t *text) (string, cento.Position) {
	if t == nil {
		return "", cento.Position{}
	}
	return t.Value, t.Words()
}

// reference is a prompt file that is named, in the form that is the same for
// all its names.
func reference(d *strict.Decoder, t *text) string {
	if d.Trust == cento.TrustHost && !d.PromptFiles {
		d.Fail(t.Position(), Unsupported, "a request brings no prompt files").Hint = "hand the rendered text over as body"
		return ""
	}
	ref, err := parseRef(d, t.Value, t.Position())
	if err != nil {
		d.Report(err)
		return ""
	}
	return ref.String()
}

// parseRef reads a reference with the prefixes that are known where it stands.
func parseRef(d *strict.Decoder, raw string, at cento.Position) (pack.Ref, error) {
	own := make([]pack.Prefix, len(d.Prefixes))
	for i, p := range d.Prefixes {
		own[i] = pack.Prefix(p)
	}
	return pack.ParseRef(raw, pack.Ref{}, at, own...)
}

// withoutOrigin forgets the places in a request, which nobody can open later.
func withoutOrigin(list []cento.Fragment) []cento.Fragment {
	for i := range list {
		list[i].Origin, list[i].NeedsOrigin, list[i].GatesOrigin, list[i].Runs = cento.Position{}, nil, nil, nil
		list[i].WhenOrigin, list[i].WhenRuns = cento.Position{}, nil
		list[i].TitleOrigin, list[i].SectionFrom = cento.Position{}, nil
		list[i].TemplateOrigin = cento.Position{}
		list[i].Variants = slices.Clone(list[i].Variants)
		for k := range list[i].Variants {
			list[i].Variants[k].Origin, list[i].Variants[k].Runs = cento.Position{}, nil
		}
		if list[i].Source == "" {
			list[i].Source = list[i].ID
		}
	}
	return list
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
