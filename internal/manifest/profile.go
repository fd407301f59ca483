package manifest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Profile is the project profile as it stands in a prompt: capabilities, the
// fragments that are gated on them, and the signals that they follow from. What
// is printed of it can be passed back, in a manifest or a request, and is then
// the same again.
type Profile struct {
	// Caps are the names of capabilities, sorted.
	Caps []string
	// Fragments stand behind the agent's own block, in this order.
	Fragments []cento.Fragment
	// Signals are the facts by name, JSON values. One whose name stands in Caps
	// tells where that capability is from; any other is a host's, and sets the
	// capability `signal.<name>`.
	Signals map[string]json.RawMessage
}

// ProfileSetting is what a manifest says about the project profile; the zero
// value is off.
type ProfileSetting struct {
	// Auto: it is found out from the project's files.
	Auto bool
	// Given is a profile that stands in the manifest; nil for none.
	Given *Profile
}

// MarshalJSON gives what a manifest would say.
func (s ProfileSetting) MarshalJSON() ([]byte, error) {
	switch {
	case s.Given != nil:
		return json.Marshal(s.Given)
	case s.Auto:
		return []byte(`"auto"`), nil
	}
	return []byte(`"off"`), nil
}

// IsZero reports whether the profile is off.
func (s ProfileSetting) IsZero() bool { return !s.Auto && s.Given == nil }

// ProfileSource is the source of the profile's fragments.
const ProfileSource = "profile"

// SignalPrefix begins the capability of a signal that a host supplies.
const SignalPrefix = "signal."

// profileFile is `auto`, `off`, or a profile.
type profileFile struct {
	strict.At
	given *givenFile
	auto  bool
}

// givenFile is a profile as people and programs write it.
type givenFile struct {
	strict.At
	Caps      []text         `json:"caps,omitempty" jsonschema:"Names of capabilities that are set."`
	Fragments []fragmentFile `json:"fragments,omitempty" jsonschema:"Fragments of the profile, in the order of the prompt."`
	Signals   *valuesFile    `json:"signals,omitempty" jsonschema:"Facts by name. One whose name stands in caps tells where that capability is from; any other sets the capability signal.<name>." names:"a fact"`
}

func (p *profileFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	said, ok := n.Text()
	switch {
	case n.Kind() == strict.Map:
		p.given = new(givenFile)
		d.Decode(n, p.given)
	case isOff(n):
	case ok && said == "auto":
		p.auto = true
	case ok:
		d.Fail(n.Position(), strict.WrongValue, "expected auto, off or a map, got %q", said).Hint = strict.UnknownHint(said, []string{"auto", "off"})
	default:
		d.Expected(n, "auto, off or a map with caps, fragments and signals")
	}
}

// setting is what is written, as the program holds it.
func (p *profileFile) setting(d *strict.Decoder, manifest bool) ProfileSetting {
	if p == nil {
		return Defaults().Profile
	}
	if p.given == nil {
		return ProfileSetting{Auto: p.auto}
	}
	return ProfileSetting{Given: p.given.profile(d, manifest)}
}

func (g *givenFile) profile(d *strict.Decoder, manifest bool) *Profile {
	out := &Profile{}
	d.In("caps", func() {
		for i := range g.Caps {
			name, ok := g.Caps[i].Text()
			if ok && (strings.TrimSpace(name) == "" || strings.HasPrefix(name, "-")) {
				d.InItem(i, func() {
					d.Fail(g.Caps[i].Position(), strict.WrongValue, "expected the name of a capability, got %q", name).
						Hint = "a profile sets capabilities; caps: [-name] of the manifest takes one away"
				})
			}
			out.Caps = append(out.Caps, name)
		}
	})
	d.In("fragments", func() { out.Fragments = fragments(d, g.Fragments, ProfileSource, manifest) })
	for _, c := range contractFiles(g.Fragments) {
		d.Fail(c.Position, Unsupported, "a profile holds its texts, and no names of contract files").Hint = "write the contract itself in place of its path"
	}
	if g.Signals != nil && len(g.Signals.json) > 0 {
		_ = json.Unmarshal(g.Signals.json, &out.Signals) // it was just written
	}
	out.Complete()
	return out
}

// Complete adds the capabilities of a host's signals, and sorts.
func (p *Profile) Complete() {
	set := make(map[string]bool, len(p.Caps))
	for _, name := range p.Caps {
		set[name] = true
	}
	for name := range p.Signals {
		if !set[name] {
			p.Caps = append(p.Caps, SignalPrefix+name)
		}
	}
	slices.Sort(p.Caps)
	p.Caps = slices.Compact(p.Caps)
}

// writtenFragment is a fragment without what only the program sets, so that it
// can be passed back.
type writtenFragment struct {
	ID               string           `json:"id"`
	Source           string           `json:"source,omitempty"`
	Bucket           cento.Bucket     `json:"bucket,omitempty"`
	RequiresTools    []string         `json:"requires_tools,omitempty"`
	RequiresAnyTools []string         `json:"requires_any_tools,omitempty"`
	RequiresCaps     []string         `json:"requires_caps,omitempty"`
	When             string           `json:"when,omitempty"`
	Needs            []string         `json:"needs,omitempty"`
	Body             *string          `json:"body,omitempty"`
	Template         string           `json:"template,omitempty"`
	Section          string           `json:"section,omitempty"`
	Title            string           `json:"title,omitempty"`
	Importance       cento.Importance `json:"importance,omitzero"`
	Variants         []string         `json:"variants,omitempty"`
	Group            string           `json:"group,omitempty"`
	Stability        cento.Stability  `json:"stability,omitempty"`
	Protected        bool             `json:"protected,omitempty"`
}

// MarshalJSON gives `{caps, fragments, signals}`, as it can be passed back:
// fragments have no trust and no origin, since these follow from the place that
// they are read from.
func (p Profile) MarshalJSON() ([]byte, error) {
	out := struct {
		Caps      []string                   `json:"caps"`
		Fragments []writtenFragment          `json:"fragments"`
		Signals   map[string]json.RawMessage `json:"signals"`
	}{append([]string{}, p.Caps...), make([]writtenFragment, len(p.Fragments)), p.Signals}
	if out.Signals == nil {
		out.Signals = map[string]json.RawMessage{}
	}
	for i, f := range p.Fragments {
		w := writtenFragment{
			ID: f.ID, Source: f.Source, Bucket: f.Bucket, RequiresTools: f.RequiresTools, RequiresAnyTools: f.RequiresAnyTools,
			RequiresCaps: f.RequiresCaps, When: f.When, Needs: f.Needs, Template: f.Template, Section: f.Section, Title: f.Title,
			Importance: f.Importance, Group: f.Group, Stability: f.Stability, Protected: f.Protected,
		}
		if w.Source == ProfileSource {
			w.Source = ""
		}
		for _, v := range f.Variants {
			w.Variants = append(w.Variants, v.Body)
		}
		if w.Template == "" {
			w.Body = &f.Body
		}
		out.Fragments[i] = w
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(out)
	return bytes.TrimSpace(b.Bytes()), err
}

// ReadProfile reads a profile as a request carries it: JSON, or YAML by the
// name's end. Its fragments have the trust of the host and no origin. Limits
// that are 0 are the defaults; everything that is wrong is returned at once.
func ReadProfile(name string, data []byte, limits cento.Limits) (*Profile, error) {
	n, err := strict.Read(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustHost}
	var f givenFile
	d.Decode(n, &f)
	p := f.profile(&d, false)
	if err := d.Err(); err != nil {
		return nil, err
	}
	p.Fragments = withoutOrigin(p.Fragments)
	return p, nil
}
