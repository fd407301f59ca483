package cento

// Limits are the ceilings of one assembly. They bound what hostile input can
// cost; each is settable by the host, and a manifest may only lower them.
type Limits struct {
	// File is the largest file that is read, in bytes. Default 1 MiB.
	File int `json:"file,omitempty"`
	// Prompt is the longest prompt, in bytes. Default 16 MiB.
	Prompt int `json:"prompt,omitempty"`
	// Fragments is how many fragments one assembly may hold. Default 100,000.
	Fragments int `json:"fragments,omitempty"`
	// Nesting is how deep lists of host parts, YAML and JSON may nest. Default
	// 100.
	Nesting int `json:"nesting,omitempty"`
}

// DefaultLimits returns the ceilings that hold when none are set.
func DefaultLimits() Limits {
	return Limits{File: 1 << 20, Prompt: 16 << 20, Fragments: 100_000, Nesting: 100}
}

// Or returns the limits with every unset one taken from defaults; none can be
// below 1.
func (l Limits) Or(defaults Limits) Limits {
	if l.File <= 0 {
		l.File = defaults.File
	}
	if l.Prompt <= 0 {
		l.Prompt = defaults.Prompt
	}
	if l.Fragments <= 0 {
		l.Fragments = defaults.Fragments
	}
	if l.Nesting <= 0 {
		l.Nesting = defaults.Nesting
	}
	return l
}

// HiddenPolicy says what happens to hidden characters in untrusted text.
// Trusted text is kept as it is, with a note.
type HiddenPolicy uint8

const (
	// ShowHidden writes each as a visible `<U+XXXX>`. The default.
	ShowHidden HiddenPolicy = iota
	// StripHidden takes them out; the note keeps their places.
	StripHidden
	// RejectHidden makes them the error [HiddenText].
	RejectHidden
)

var hiddenNames = names{"show", "strip", "reject"}

// String gives "show", "strip" or "reject".
func (p HiddenPolicy) String() string { return hiddenNames.name(int(p)) }

// MarshalText gives the name.
func (p HiddenPolicy) MarshalText() ([]byte, error) { return hiddenNames.marshal(int(p)) }

// UnmarshalText accepts a name.
func (p *HiddenPolicy) UnmarshalText(t []byte) error { return unmarshalName(hiddenNames, t, p) }

// Policy is how untrusted text is treated. The zero value is the default.
type Policy struct {
	Workspace HiddenPolicy `json:"workspace,omitempty"`
	Tool      HiddenPolicy `json:"tool,omitempty"`
	Session   HiddenPolicy `json:"session,omitempty"`
}

// of returns the policy for text of an untrusted level.
func (p Policy) of(t Trust) HiddenPolicy {
	switch t {
	case TrustTool:
		return p.Tool
	case TrustSession:
		return p.Session
	default:
		return p.Workspace
	}
}
