package project

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/profile"
	"github.com/cento-dev/cento/pack"
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

// MarshalJSON gives `{caps, fragments, signals}`, as it can be passed back:
// fragments have no trust and no origin, since these follow from the place that
// they are read from.
func (p Profile) MarshalJSON() ([]byte, error) { return (*manifest.Profile)(&p).MarshalJSON() }

// UnmarshalJSON reads a profile as [ReadProfile] does.
func (p *Profile) UnmarshalJSON(data []byte) error {
	limits := cento.DefaultLimits()
	limits.File = max(limits.File, len(data))
	out, err := ReadProfile(".json", data, limits)
	if err != nil {
		return err
	}
	*p = *out
	return nil
}

// ReadProfile reads a profile as a request carries it: JSON, or YAML by the
// name's end. Its fragments have the trust of the host and no origin. Limits
// that are 0 are the defaults; everything that is wrong is returned at once.
func ReadProfile(name string, data []byte, limits cento.Limits) (*Profile, error) {
	p, err := manifest.ReadProfile(name, data, limits)
	return (*Profile)(p), err
}

// signals finds the profile's capabilities, which conditions and prompt files
// read; nil where the profile is off. What it says is worded later, see
// [basis.sentences]. Files are looked at once: what was seen before holds.
func (r *reader) signals(looked *foundProfile) (p *Profile, _ *foundProfile, auto bool) {
	asked := r.manifest.Profile
	if r.request.Profile != nil {
		asked = manifest.ProfileSetting{Given: (*manifest.Profile)(r.request.Profile)}
	}
	switch {
	case asked.Given != nil:
		p = &Profile{Caps: slices.Clone(asked.Given.Caps), Fragments: asked.Given.Fragments, Signals: asked.Given.Signals}
	case asked.Auto:
		if auto = true; looked == nil {
			looked = r.detect()
		}
		p = looked.asProfile()
	default:
		return nil, looked, false
	}
	r.addSignals(p)
	return p, looked, auto
}

// addSignals adds what the host supplies.
func (r *reader) addSignals(to *Profile) {
	if len(r.request.Signals) > 0 {
		all := make(map[string]json.RawMessage, len(to.Signals)+len(r.request.Signals))
		for name, v := range to.Signals {
			all[name] = v
		}
		for name, v := range r.request.Signals {
			all[name] = v
			to.Caps = append(to.Caps, manifest.SignalPrefix+name)
		}
		to.Signals = all
	}
	(*manifest.Profile)(to).Complete()
}

// caps are the profile's capabilities before those of the manifest and the model's,
// without those that the manifest takes away.
func (r *reader) caps(p *Profile, m *cento.Model) []string {
	own := slices.Concat(without(slices.Concat(r.manifest.Caps.Set, m.Caps()), r.manifest.Caps.Remove), r.request.Caps)
	var caps []string
	if p != nil {
		caps = without(p.Caps, r.manifest.Caps.Remove)
	}
	there := make(map[string]bool, len(caps))
	for _, c := range caps {
		there[c] = true
	}
	for _, c := range own {
		if !there[c] {
			there[c] = true
			caps = append(caps, c)
		}
	}
	return caps
}

// detect looks at the project's files.
func (r *reader) detect() *foundProfile {
	root := r.Root.Dir
	found, err := profile.Find(profile.Config{
		Root: root, Disk: r.disk, Env: r.request.Env, Shallow: r.Root.Home || r.Root.Disk, NoRemotes: r.portable,
		Show: func(name string) string { return r.Show(filepath.Join(root, filepath.FromSlash(name))) },
	})
	if err != nil {
		out := new(foundProfile)
		out.Notes = []cento.Note{{Code: profile.Unreadable, Message: "nothing is known of the project: " + err.Error()}}
		return out
	}
	return &foundProfile{*found}
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
			Usual   bool           `json:"usual,omitempty"`
			Remotes []string       `json:"remotes,omitempty"`
			Percent int            `json:"percent,omitempty"`
			Env     string         `json:"env,omitempty"`
			Origin  cento.Position `json:"origin,omitzero"`
		}{s.Command, s.Usual, s.Remotes, s.Percent, s.Env, s.Origin})
		if err == nil {
			out.Signals[s.Capability()] = record
		}
	}
	return out
}

// given are the fragments of a profile that somebody handed over.
func (b *basis) given() []cento.Fragment {
	if b.profile == nil || b.auto {
		return nil
	}
	return b.profile.Fragments
}

// sentences are the fragments of the profile: of one that was found a sentence for
// each signal, gated on the capability that it tells of; else those handed over,
// as their prompt files have them.
func (b *basis) sentences(catalog *pack.Catalog, given []cento.Fragment) ([]cento.Fragment, error) {
	if !b.auto {
		return given, nil
	}
	return b.looked.fragments(catalog)
}

// worded is the profile with what stands in the prompt, where that was found; nil
// where the profile is off.
func (b *basis) worded(fragments []cento.Fragment) *Profile {
	if b.profile == nil || !b.auto {
		return b.profile
	}
	return &Profile{b.profile.Caps, fragments, b.profile.Signals}
}

// remarks are those on what was found of the project.
func (b *basis) remarks() []cento.Note {
	if !b.auto {
		return nil
	}
	return b.looked.Notes
}

// FindProfile is the profile that `auto` gives, whatever the manifest says of
// it, with what could not be found out.
func (p *Project) FindProfile() (*Profile, []cento.Note, error) {
	found := p.looked
	if found == nil {
		found = p.from.detect()
	}
	out := found.asProfile()
	p.from.addSignals(out)
	list, err := found.fragments(p.catalog)
	out.Fragments = list
	return out, found.Notes, err
}

func (f *foundProfile) fragments(catalog *pack.Catalog) ([]cento.Fragment, error) {
	var out []cento.Fragment
	for _, s := range f.Signals {
		data := func(body string) cento.Text {
			return cento.Text{Body: body, Trust: cento.TrustWorkspace, Origin: s.Origin}
		}
		var sentence cento.Text
		var err error
		id := manifest.ProfileSource + ":" + s.Capability()
		switch s.Kind {
		case profile.Language:
			id = manifest.ProfileSource + ":" + s.Name
			sentence, err = catalog.ProfileLanguage(data(s.Label))
		case profile.Build:
			sentence, err = catalog.ProfileBuild(data(s.Label))
		case profile.Task:
			sentence, err = catalog.ProfileTask(pack.ProjectTask{Name: data(s.Name), Command: data(s.Command), Usual: s.Usual, Others: s.Others})
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
			ID: id, Source: manifest.ProfileSource, RequiresCaps: []string{s.Capability()},
			// The wording is the program's, but what the sentence says stands in
			// the project: all of it belongs to the line that says so.
			Body: sentence.Body, Runs: []cento.Run{{End: len(sentence.Body), Position: s.Origin, Trust: cento.TrustWorkspace, Fixed: true}},
			Trust: cento.TrustWorkspace, Origin: s.Origin, Stability: sentence.Stability,
		})
	}
	return out, nil
}
