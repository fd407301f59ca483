package app

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/profile"
	"github.com/cento-dev/cento/project"
)

// ProfileReport is the project profile as it stands in the prompt, or as it
// would if the manifest didn't say that it is off.
type ProfileReport struct {
	*project.Profile
	// Off: the manifest says so, and nothing of it stands in the prompt.
	Off bool
	// Notes are what could not be found out, where the report isn't of what is
	// in the prompt, whose notes are told with it.
	Notes []cento.Note
}

// ProfileSignal is one line of a report.
type ProfileSignal struct {
	Capability, Text, Origin string
}

// FindProfile reports on the project profile.
func (p *Project) FindProfile() (*ProfileReport, error) {
	if p.Profile != nil {
		return &ProfileReport{Profile: p.Profile}, nil
	}
	found, notes, err := p.Project.FindProfile()
	return &ProfileReport{Profile: found, Off: true, Notes: notes}, err
}

// Signals are the capabilities with what is said of each and where that is from,
// those with a sentence first, in the order of the prompt.
func (r *ProfileReport) Signals() []ProfileSignal {
	var out []ProfileSignal
	told := map[string]bool{}
	for _, f := range r.Fragments {
		s := ProfileSignal{Capability: strings.Join(f.RequiresCaps, " "), Text: strings.TrimSpace(f.Body), Origin: f.Origin.String()}
		out = append(out, s)
		for _, c := range f.RequiresCaps {
			told[c] = true
		}
	}
	for _, c := range r.Caps {
		if !told[c] {
			out = append(out, ProfileSignal{Capability: c, Origin: r.origin(c)})
		}
	}
	return out
}

// origin is where the signal of a capability is from, as far as it says so.
func (r *ProfileReport) origin(capability string) string {
	record, ok := r.Profile.Signals[capability]
	if !ok {
		if name, host := strings.CutPrefix(capability, "signal."); host && r.Profile.Signals[name] != nil {
			return "a signal of the host"
		}
		return ""
	}
	var said struct {
		Env    string         `json:"env"`
		Origin cento.Position `json:"origin"`
	}
	if json.Unmarshal(record, &said) != nil {
		return ""
	}
	if said.Env != "" {
		return "$" + said.Env
	}
	return said.Origin.String()
}

// CredentialNames are the names of the environment variables that tell of a
// credential and have a value, sorted. The values are not kept.
func CredentialNames() []string {
	var out []string
	for _, names := range profile.CredentialVariables() {
		for _, name := range names {
			if os.Getenv(name) != "" {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out
}
