package cento

import (
	"strings"

	"github.com/cento-dev/cento/internal/enum"
)

// Maker says who made a text, which its trust doesn't: the host says the paths of a
// scope that Cento found, and a skill has the trust of the folder that it lies in. Runs
// that know it say it; of all others [MakerOf] does. It changes nothing in a prompt.
type Maker uint8

// The makers. The zero value is that of a [Run] that leaves it to [MakerOf]; a [Span]
// always has another.
const (
	_ Maker = iota
	// ByProgram: Cento itself: its own words, and what it found out, such as the day.
	ByProgram
	// ByCaller: whoever calls: a library call, a flag, a request.
	ByCaller
	// ByAuthor: the user, or the people of the project, who write their own files.
	ByAuthor
	// ByImport: whoever wrote a file that the project's instructions name.
	ByImport
	// BySkill: whoever wrote a skill.
	BySkill
	// ByPack: whoever wrote a pack.
	ByPack
	// ByTool: a tool, or the server that lists it.
	ByTool
	// BySession: what came up in a session: users, models, events.
	BySession
)

var makerNames = enum.Names[Maker]{"", "program", "caller", "author", "import", "skill", "pack", "tool", "session"}

// String gives the name used in answers.
func (m Maker) String() string { return makerNames.Name(m) }

// MarshalText gives the name.
func (m Maker) MarshalText() ([]byte, error) { return makerNames.Marshal(m) }

// UnmarshalText accepts a name.
func (m *Maker) UnmarshalText(b []byte) error { return makerNames.Unmarshal(b, m) }

// IsZero reports whether the record form leaves it out: nobody said who.
func (m Maker) IsZero() bool { return m == 0 }

// Foreign reports whether it is a party that the reader of a project has to reckon
// with: neither Cento nor the caller, nor the people of the project.
func (m Maker) Foreign() bool { return m > ByAuthor }

// MakerOf is who made a text of which nothing else is known: by the source of its
// fragment, the file that it was read from, empty for none, and its trust.
func MakerOf(source, file string, t Trust) Maker {
	switch t {
	case TrustSession:
		return BySession
	case TrustTool:
		return ByTool
	case TrustBuiltin:
		return ByProgram
	case TrustHost:
		return ByCaller
	}
	switch family, _, _ := strings.Cut(source, ":"); {
	case family == skillSource:
		return BySkill
	case family == packSource, strings.HasPrefix(file, packFiles):
		return ByPack
	}
	return ByAuthor
}

// The sources of skills and packs, and how the files of packs are named.
const (
	skillSource = "skill"
	packSource  = "pack"
	packFiles   = "$pack/"
)

// madeBy is who made a stretch of the fragment, where nobody said.
func (f *Fragment) madeBy(said Maker, file, variable string, t Trust) Maker {
	switch {
	case said != 0:
		return said
	case f.ID == SkillCatalogID && strings.HasPrefix(variable, listedSkills):
		return MakerOf(skillSource, file, t) // what the list says of each is the skill's
	}
	return MakerOf(f.source(), file, t)
}

// listedSkills begins the names of the variables by which skills are listed.
const listedSkills = "skills"
