package provenance

import (
	"strconv"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace/skill"
)

// SkillInactive is the code of a text of a skill that isn't active.
const SkillInactive cento.Code = "skill.inactive"

// maxIdleText bounds how much of the texts of skills is searched, in bytes.
const maxIdleText = 16 << 20

// idleSkills are the texts of skills that aren't in the prompt, and the descriptions that
// it doesn't list.
func (s *search) idleSkills() []leftText {
	found := s.project.Skills
	if found == nil {
		return nil
	}
	kept := s.keptLines()
	var out []leftText
	room := maxIdleText
	for i := range found.Skills {
		x := &found.Skills[i]
		if d := x.Listed.Description; d.Body != "" && len(d.Runs) > 0 && kept[x.Path][d.Runs[0].Position.Line] == 0 {
			left := located(d)
			left.trust, left.madeBy = x.Trust, cento.BySkill
			left.reason, left.code = unlisted(found, x)
			out = append(out, left)
		}
		if x.Status != skill.Usable && x.Status != skill.Excluded && x.Status != skill.Shadowed {
			continue
		}
		doc, err := found.Load(x)
		if err != nil {
			continue // as it was told
		}
		if room -= len(doc.Body.Body); room < 0 {
			s.passOver("the texts of the skills from " + strconv.Quote(x.Name) + " on: they are over " + strconv.Itoa(maxIdleText) + " bytes together")
			break
		}
		reason, code := skillName(x)+" is not active", SkillInactive
		if x.Status != skill.Usable {
			reason = skillName(x) + ": " + x.Reason
		}
		out = append(out, leftText{at: doc.Body.Origin, text: doc.Body.Body, reason: reason, code: code, trust: x.Trust, madeBy: cento.BySkill})
	}
	return out
}

func skillName(x *skill.Skill) string { return "skill " + strconv.Quote(x.Name) }

// unlisted says why the list of skills doesn't have the description of one.
func unlisted(found *project.FoundSkills, x *skill.Skill) (string, cento.Code) {
	name := skillName(x)
	switch x.Status {
	case skill.Shadowed:
		return name + ": " + x.Reason, skill.NameTaken
	case skill.Excluded:
		return name + ": " + x.Reason, SkillInactive
	}
	switch {
	case !found.Catalog:
		return "the prompt has no list of skills", SkillInactive
	case x.DisableModelInvocation:
		return name + " is not listed, since its front matter has disable-model-invocation", skill.Unlisted
	}
	for _, n := range found.Notes {
		if n.Code == skill.DescriptionCut && n.Position.File == x.Path {
			return n.Message, skill.DescriptionCut
		}
	}
	return name + " is not listed", SkillInactive
}

// skillFiles are the files of skills as they are written, also of those that are invalid,
// and of all where skills are off.
func (s *search) skillFiles() []leftText {
	found, off := s.project.Skills, false
	if found == nil {
		if found, off = s.project.SkillsThere(), true; found == nil {
			return nil
		}
	}
	var out []leftText
	room := maxIdleText
	for i := range found.Skills {
		x := &found.Skills[i]
		text, err := found.Text(x)
		if err != nil {
			s.passOver("the skill at " + x.Path + ": " + err.Error())
			continue
		}
		if room -= len(text); room < 0 {
			s.passOver("the files of the skills from " + strconv.Quote(x.Name) + " on: they are over " + strconv.Itoa(maxIdleText) + " bytes together")
			break
		}
		left := leftText{
			at: cento.Position{File: x.Path, Line: 1, Column: 1}, text: text, code: SkillInactive, trust: x.Trust, madeBy: cento.BySkill,
			reason: "in the file of " + skillName(x) + ", of whose front matter a prompt has the name and the description alone",
		}
		switch {
		case off:
			left.reason = "in the file of " + skillName(x) + ", and skills are off"
		case x.Status == skill.Invalid:
			left.reason, left.code = skillName(x)+" is not used: "+x.Reason, skill.NotUsable
		}
		out = append(out, left)
	}
	return out
}
