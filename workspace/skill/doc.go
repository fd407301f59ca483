// Package skill finds Agent Skills: folders with a file SKILL.md, whose front matter
// tells what a skill does and whose text tells how, once it is active. Nothing in a
// skill's folder is run.
//
//	set := skill.Discover([]skill.Folder{{Root: dir, Name: "skills", Trust: cento.TrustWorkspace}}, cento.Limits{})
//	for _, s := range set.Usable() {
//		doc, err := set.Load(s)
//	}
//
// The usual path is [Discover] over the folders where skills lie, then
// [Set.Usable] for the catalogue and [Set.Load] for the text of an active one.
// [Parse] reads one SKILL.md that is at hand.
//
// The form and its limits are those of the Agent Skills specification
// (agentskills.io, read in August 2026), and it is read as the specification's guide for
// clients asks: a skill that breaks a rule is used where it can be, with a warning that
// names file, line and rule. A skill without a description is [Invalid], and never
// hides another. Fields that the specification doesn't know are noted and not
// used. Of two skills of one name the user's is used, else the one that is named as its
// folder, else the one from the folder that was given first. The other is [Shadowed],
// with a record: so a project never takes the place of a user's skill in silence.
//
// Discovery reads front matter alone, a bounded head of each file; texts are
// read when they are asked for. Files are opened by package tree. Nothing in a
// skill's folder is run, and no other file of it is read.
//
// Text of a skill has the trust of the place that it was read from.
package skill

import "github.com/cento-dev/cento"

// The limits of the specification, in characters, and those of this package.
const (
	// maxName, MaxDescription and MaxCompatibility bound the fields of that name.
	maxName          = 64
	maxDescription   = 1024
	maxCompatibility = 500
	// maxFrontMatter is how many bytes the front matter of a skill may take.
	maxFrontMatter = 16 << 10
	// maxEffort bounds what parsing all of it may cost: a byte costs 1, and each
	// colon, comma, line end and opening bracket 24 more. Beyond it, the skills
	// that cost most are invalid.
	maxEffort = 12 << 20
	// maxFound is how many entries of all folders together are looked at. A
	// folder that passes it is left out as a whole, with a note.
	maxFound = 12_000
)

// The codes of errors.
const (
	// InvalidFrontMatter: SKILL.md doesn't begin with front matter, or that has
	// no end.
	InvalidFrontMatter cento.ErrorCode = "skill.front_matter"
	// InvalidName: a name breaks the rules of the specification.
	InvalidName cento.ErrorCode = "skill.name"
	// OtherFolder: the name of a skill isn't that of its folder.
	OtherFolder cento.ErrorCode = "skill.folder"
	// InvalidText: a description or another field is blank or too long.
	InvalidText cento.ErrorCode = "skill.text"
	// Misspelt: the file of a skill isn't named SKILL.md in capitals.
	Misspelt cento.ErrorCode = "skill.file"
)

// The codes of notes.
const (
	// NotUsable: a skill is invalid, or a folder of skills can't be read.
	NotUsable cento.Code = "skill.invalid"
	// Deviates: a skill breaks a rule of the Agent Skills specification, and is used.
	Deviates cento.Code = "skill.deviates"
	// NameTaken: a skill is shadowed by another of its name.
	NameTaken cento.Code = "skill.shadowed"
	// UnknownField: the front matter of a skill has a field that isn't used.
	UnknownField cento.Code = "skill.field"
	// Unlisted: skills aren't in the catalogue, because their front matter says so.
	Unlisted cento.Code = "skill.unlisted"
	// DescriptionCut: the description of a skill isn't in the catalogue, because
	// the descriptions together are over the budget.
	DescriptionCut cento.Code = "skill.description_cut"
)
