package project

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace/profile"
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

// profileSource is the source of the profile's fragments.
const profileSource = "profile"

// signalPrefix begins the capability of a signal that a host supplies.
const signalPrefix = "signal."

// profileFile is `auto`, `off`, or a profile.
type profileFile struct {
	strict.At
	given *givenFile
	auto  bool
}

// givenFile is a profile as people and programs write it.
type givenFile struct {
	Caps      []text         `json:"caps,omitempty" jsonschema:"Names of capabilities that are set."`
	Fragments []fragmentFile `json:"fragments,omitempty" jsonschema:"Fragments of the profile, in the order of the prompt."`
	Signals   *varsFile      `json:"signals,omitempty" jsonschema:"Facts by name. One whose name stands in caps tells where that capability is from; any other sets the capability signal.<name>."`
}

func (p *profileFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	said, ok := n.Text()
	switch {
	case n.Kind() == strict.Map:
		p.given = new(givenFile)
		d.Decode(n, p.given)
	case ok && (said == "off" || said == "false"), n.Kind() == strict.Bool && !boolOf(n):
	case ok && said == "auto":
		p.auto = true
	case ok:
		d.Fail(n.Position(), strict.WrongValue, "expected auto, off or a map, got %q", said).Hint = strict.UnknownHint(said, []string{"auto", "off"})
	default:
		d.Expected(n, "auto, off or a map with caps, fragments and signals")
	}
}

func boolOf(n *strict.Node) bool {
	b, _ := n.Bool()
	return b
}

// setting is what is written, as the program holds it.
func (p *profileFile) setting(d *strict.Decoder, manifest bool) ProfileSetting {
	if p == nil || p.given == nil {
		return ProfileSetting{Auto: p != nil && p.auto}
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
	d.In("fragments", func() { out.Fragments = fragments(d, g.Fragments, profileSource, manifest) })
	for _, c := range contractFiles(g.Fragments) {
		d.Fail(c.Position, Unsupported, "a profile holds its texts, and no names of contract files").Hint = "write the contract itself in place of its path"
	}
	if g.Signals != nil && len(g.Signals.json) > 0 {
		_ = json.Unmarshal(g.Signals.json, &out.Signals) // it was just written
	}
	out.complete()
	return out
}

// complete adds the capabilities of a host's signals, and sorts.
func (p *Profile) complete() {
	set := make(map[string]bool, len(p.Caps))
	for _, name := range p.Caps {
		set[name] = true
	}
	for name := range p.Signals {
		if !set[name] {
			p.Caps = append(p.Caps, signalPrefix+name)
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
func (p *Profile) MarshalJSON() ([]byte, error) {
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
			Importance: f.Importance, Variants: f.Variants, Group: f.Group, Stability: f.Stability, Protected: f.Protected,
		}
		if w.Source == profileSource {
			w.Source = ""
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
	var d strict.Decoder
	var f givenFile
	d.Decode(n, &f)
	p := f.profile(&d, false)
	if err := d.Err(); err != nil {
		return nil, err
	}
	p.Fragments = withoutOrigin(p.Fragments)
	return p, nil
}

// signals finds the profile's capabilities, which conditions and prompt files
// read. What it says is worded later, see [Project.profile].
func (p *Project) signals() {
	given := p.Manifest.Profile
	if p.request.Profile != nil {
		given = ProfileSetting{Given: p.request.Profile}
	}
	switch {
	case given.Given != nil:
		clone := *given.Given
		clone.Caps = slices.Clone(clone.Caps)
		p.Profile = &clone
		p.Input.Profile = slices.Clone(clone.Fragments)
	case given.Auto:
		p.look()
		p.Profile = p.found.asProfile()
		p.Input.Notes = append(p.Input.Notes, p.found.Notes...)
	default:
		return
	}
	p.addSignals(p.Profile)
	p.setCaps()
}

// addSignals adds what the host supplies.
func (p *Project) addSignals(to *Profile) {
	if len(p.request.Signals) > 0 {
		all := make(map[string]json.RawMessage, len(to.Signals)+len(p.request.Signals))
		for name, v := range to.Signals {
			all[name] = v
		}
		for name, v := range p.request.Signals {
			all[name] = v
			to.Caps = append(to.Caps, signalPrefix+name)
		}
		to.Signals = all
	}
	to.complete()
}

// setCaps puts the profile's capabilities before those of the manifest, without
// those that this takes away.
func (p *Project) setCaps() {
	remove := p.Manifest.Caps.Remove
	caps := slices.DeleteFunc(slices.Clone(p.Profile.Caps), func(c string) bool { return slices.Contains(remove, c) })
	for _, c := range p.Input.Active.Caps {
		if !slices.Contains(caps, c) {
			caps = append(caps, c)
		}
	}
	p.Input.Active.Caps = caps
}

// look looks at the project's files, once.
func (p *Project) look() {
	if p.found != nil {
		return
	}
	root := p.Root.Dir
	found, err := profile.Find(profile.Config{
		Root: root, Env: p.request.Env, Shallow: p.Root.Home || p.Root.Disk,
		Show: func(name string) string { return p.Show(filepath.Join(root, filepath.FromSlash(name))) },
	})
	p.found = &foundProfile{}
	if err != nil {
		p.found.Notes = []cento.Note{{Code: profile.Unreadable, Message: "nothing is known of the project: " + err.Error()}}
		return
	}
	p.found.Profile = *found
}

// foundProfile is what the files say, not yet in words.
type foundProfile struct{ profile.Profile }

func (f *foundProfile) asProfile() *Profile {
	out := &Profile{Caps: f.Caps()}
	if len(f.Signals) > 0 {
		out.Signals = make(map[string]json.RawMessage, len(f.Signals))
	}
	for _, s := range f.Signals {
		record, err := json.Marshal(struct {
			Command string         `json:"command,omitempty"`
			Remotes []string       `json:"remotes,omitempty"`
			Percent int            `json:"percent,omitempty"`
			Env     string         `json:"env,omitempty"`
			Origin  cento.Position `json:"origin,omitzero"`
		}{s.Command, s.Remotes, s.Percent, s.Env, s.Origin})
		if err == nil {
			out.Signals[s.Capability()] = record
		}
	}
	return out
}

// profile words the signals that were found: one fragment each, gated on the
// capability that it tells of.
func (p *Project) profile(catalog *pack.Catalog) error {
	p.catalog = catalog
	if p.found == nil || !p.Manifest.Profile.Auto || p.request.Profile != nil {
		return nil
	}
	list, err := p.found.fragments(catalog)
	p.Profile.Fragments, p.Input.Profile = list, list
	return err
}

// FindProfile is the profile that `auto` gives, whatever the manifest says of
// it, with what could not be found out.
func (p *Project) FindProfile() (*Profile, []cento.Note, error) {
	p.look()
	out := p.found.asProfile()
	p.addSignals(out)
	list, err := p.found.fragments(p.catalog)
	out.Fragments = list
	return out, p.found.Notes, err
}

func (f *foundProfile) fragments(catalog *pack.Catalog) ([]cento.Fragment, error) {
	var out []cento.Fragment
	for _, s := range f.Signals {
		data := func(body string) cento.Text {
			return cento.Text{Body: body, Trust: cento.TrustWorkspace, Origin: s.Origin}
		}
		var sentence cento.Text
		var err error
		id := profileSource + ":" + s.Capability()
		switch s.Kind {
		case profile.Language:
			id = profileSource + ":" + s.Name
			sentence, err = catalog.ProfileLanguage(data(s.Label))
		case profile.Build:
			sentence, err = catalog.ProfileBuild(data(s.Label))
		case profile.Task:
			sentence, err = catalog.ProfileTask(data(s.Name), data(s.Command))
		case profile.Git:
			remotes := make([]cento.Text, len(s.Remotes))
			for i, r := range s.Remotes {
				remotes[i] = data(r)
			}
			sentence, err = catalog.ProfileGit(remotes)
		default:
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, cento.Fragment{
			ID: id, Source: profileSource, RequiresCaps: []string{s.Capability()},
			// The wording is the program's, but what the sentence says stands in
			// the project: all of it belongs to the line that says so.
			Body: sentence.Body, Runs: []cento.Run{{End: len(sentence.Body), Position: s.Origin, Trust: cento.TrustWorkspace, Fixed: true}},
			Trust: cento.TrustWorkspace, Origin: s.Origin,
		})
	}
	return out, nil
}
