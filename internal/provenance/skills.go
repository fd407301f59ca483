package provenance

import (
	"strconv"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/workspace/skill"
)

// SkillInactive is the code of a text of a skill that isn't active.
const SkillInactive cento.Code = "skill.inactive"

// maxIdleText bounds how much of the texts of skills is searched, in bytes.
const maxIdleText = 16 << 20

// idleSkills are the texts of skills that aren't in the prompt.
func (s *search) idleSkills() []leftText {
	found := s.project.Skills
	if found == nil {
		return nil
	}
	var out []leftText
	room := maxIdleText
	for i := range found.Skills {
		x := &found.Skills[i]
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
