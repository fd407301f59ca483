package manifest

import (
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
)

// defaultSkillBudget is how many bytes the catalogue of skills takes before
// descriptions are left out: about two thousand tokens.
const defaultSkillBudget = 8000

// Skills say which skills are used, and how.
type Skills struct {
	// On: skills are looked for. Without it the rest has no meaning.
	On bool `json:"on"`
	// Active are the skills whose text is in the prompt, in this order.
	Active []SkillName `json:"active,omitempty"`
	// Exclude are skills that are neither listed nor can be active.
	Exclude []SkillName `json:"exclude,omitempty"`
	// Catalog lists all skills, with as many descriptions as Budget bytes hold.
	Catalog bool `json:"catalog"`
	Budget  int  `json:"budget"`
	// Gate: an active skill is in only when all its allowed tools are active.
	Gate bool `json:"gate,omitempty"`
}

// DefaultSkills are those of a project where nobody says anything of them: they are
// listed, and none is active.
func DefaultSkills() Skills { return Skills{On: true, Catalog: true, Budget: defaultSkillBudget} }

// SkillName names a skill, and knows where.
type SkillName struct {
	Name     string         `json:"name"`
	Position cento.Position `json:"position,omitzero"`
}

// skillsFile is a word, or a map that says more.
type skillsFile struct{ Skills }

// skillsMap is the long form.
type skillsMap struct {
	Active  []text `json:"active,omitempty" jsonschema:"Names of the skills whose text is in the prompt, in this order."`
	Exclude []text `json:"exclude,omitempty" jsonschema:"Names of skills that are neither listed nor active."`
	Catalog *bool  `json:"catalog,omitempty" jsonschema:"False: the prompt doesn't list the skills that there are; default true."`
	Budget  *count `json:"budget,omitempty" jsonschema:"How many bytes the list takes before descriptions are left out, the last by name first; default 8000."`
	Gate    bool   `json:"gate,omitempty" jsonschema:"True: an active skill is in only when every tool of its allowed-tools is active; default false."`
}

func (s *skillsFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	s.Skills = DefaultSkills()
	if n.Kind() != strict.Map {
		switch word, ok := n.Text(); {
		case ok && word == "auto":
		case isOff(n):
			s.Skills = Skills{}
		case ok:
			d.Fail(n.Position(), strict.WrongValue, "expected \"auto\", \"off\" or a map, got %q", word).
				Hint = nearest.Hint(word, []string{"auto", off}, "a skill is made active by skills: {active: [name]}")
		default:
			d.Expected(n, `"auto", "off" or a map`)
		}
		return
	}
	var m skillsMap
	d.Decode(n, &m)
	if m.Catalog != nil {
		s.Catalog = *m.Catalog
	}
	if m.Budget != nil {
		s.Budget = m.Budget.Value
	}
	s.Gate = m.Gate
	d.In("active", func() { s.Active = skillNames(d, m.Active) })
	d.In("exclude", func() { s.Exclude = skillNames(d, m.Exclude) })
	active := make(map[string]cento.Position, len(s.Active))
	for _, a := range s.Active {
		active[a.Name] = a.Position
	}
	for _, x := range s.Exclude {
		if at, both := active[x.Name]; both {
			e := d.Fail(x.Position, Conflict, "the skill %q is both active and excluded", x.Name)
			e.Related = []cento.Related{{Position: at, Message: "active here"}}
			e.Hint = "keep one of the two"
		}
	}
}

// skillNames checks names, each of which may stand once.
func skillNames(d *strict.Decoder, list []text) []SkillName {
	var out []SkillName
	first := make(map[string]cento.Position, len(list))
	for i := range list {
		name, ok := list[i].Text()
		if !ok {
			continue // of another kind, as was reported
		}
		at := list[i].Position()
		d.InItem(i, func() {
			if strings.TrimSpace(name) == "" {
				d.Fail(at, strict.WrongValue, "a blank name").Hint = "a skill has the name of its folder"
				return
			}
			if other, twice := first[name]; twice {
				e := d.Fail(at, Conflict, "the skill %q is named twice", name)
				e.Related = []cento.Related{{Position: other, Message: "the other one"}}
				return
			}
			first[name] = at
			out = append(out, SkillName{Name: name, Position: at})
		})
	}
	return out
}

// settings are what is said, nil for nothing.
func (s *skillsFile) settings() *Skills {
	if s == nil {
		return nil
	}
	return &s.Skills
}
