package project

// SkillsThere are the skills of the project, also where they are off; nil where they can't
// be looked for.
func (p *Project) SkillsThere() *FoundSkills {
	if p.Skills != nil || p.catalog == nil {
		return p.Skills
	}
	found, _ := p.from.findSkills() // that an active one is missing was told
	return found
}
