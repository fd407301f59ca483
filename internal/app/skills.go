package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace/skill"
)

// Skills tells which skills a project has, and what becomes of them.
type Skills struct {
	// On: skills are looked for when a prompt is made.
	On bool `json:"on"`
	// Catalog: they are listed in the prompt, with as many descriptions as Budget
	// bytes hold.
	Catalog bool         `json:"catalog"`
	Budget  int          `json:"budget"`
	Skills  []FoundSkill `json:"skills"`
	// Clients are the clients that were measured, and how many of the skills each lists.
	Clients []skill.ClientList `json:"clients"`
	Notes   []cento.Note       `json:"notes"`
}

// FoundSkill is a skill that was found.
type FoundSkill struct {
	skill.Skill
	// Listed: its name is in the list of the prompt, and Described: what it does
	// is, too.
	Listed    bool `json:"listed"`
	Described bool `json:"described"`
	// Clients are what each client does with the skill, as it was measured.
	Clients skill.Readings `json:"clients"`
}

// FindSkills lists the skills of a project. Where one that is to be active can't
// be, it gives the error and the list.
func FindSkills(ctx context.Context, site project.Site, r project.Request) (*Skills, error) {
	found, err := site.FindSkills(ctx, r)
	if found == nil {
		return nil, err
	}
	out := &Skills{On: found.On, Catalog: found.On && found.Catalog, Budget: found.Budget, Skills: []FoundSkill{}, Notes: found.Notes}
	if out.Notes == nil {
		out.Notes = []cento.Note{}
	}
	clients, lists := found.Clients()
	out.Clients = lists
	listed := 0
	for i, x := range found.Skills {
		s := FoundSkill{Skill: x, Clients: clients[i]}
		if out.Catalog && !x.DisableModelInvocation && (x.Status == skill.Usable || x.Status == skill.Active) {
			s.Listed, s.Described = true, listed < found.Described
			listed++
		}
		out.Skills = append(out.Skills, s)
	}
	return out, err
}

// SkillText is a skill with its text.
type SkillText struct {
	skill.Skill
	// Tools are the names of its allowed tools.
	Tools []string `json:"tools"`
	Text  string   `json:"text"`
	// Clients are what each client does with the skill, as it was measured.
	Clients skill.Readings `json:"clients"`
}

// ShowSkill reads one skill: the one that is used, else the first of the name.
func ShowSkill(ctx context.Context, site project.Site, r project.Request, name string) (*SkillText, error) {
	found, err := site.FindSkills(ctx, r)
	if found == nil {
		return nil, err
	}
	chosen, err := named(found.Skills, name)
	if err != nil {
		return nil, err
	}
	doc, err := found.Load(&chosen[0])
	if err != nil {
		return nil, err
	}
	out := &SkillText{Skill: chosen[0], Tools: orNone(doc.Tools()), Text: doc.Body.Body}
	clients, _ := found.Clients()
	for i := range found.Skills {
		if found.Skills[i].Path == out.Path {
			out.Clients = clients[i]
		}
	}
	out.Header = doc.Header
	return out, nil
}

// named are the skills of a name, the one that is used first.
func named(skills []skill.Skill, name string) ([]skill.Skill, error) {
	var out []skill.Skill
	var known []string
	for _, x := range skills {
		if x.Name != name {
			known = append(known, x.Name)
			continue
		}
		if x.Status == skill.Usable || x.Status == skill.Active {
			out = slices.Insert(out, 0, x)
		} else {
			out = append(out, x)
		}
	}
	if out != nil {
		return out, nil
	}
	hint := nearest.Hint(name, known, "`cento skills list` tells which there are")
	if len(known) == 0 {
		hint = "no skill was found; they lie in .cento/skills, .claude/skills or .agents/skills"
	}
	return nil, &cento.SourceError{Code: project.UnknownSkill, Message: fmt.Sprintf("there is no skill %q", name), Hint: hint}
}

// SkillsCheck tells what is wrong with skills.
type SkillsCheck struct {
	OK     bool         `json:"ok"`
	Skills []SkillCheck `json:"skills"`
	// Clients are the clients that were measured, and how many of all skills each lists.
	Clients []skill.ClientList `json:"clients"`
}

// SkillCheck reports how one skill breaks the specification, and advice that breaks no
// rule.
type SkillCheck struct {
	Name string `json:"name"`
	Path string `json:"path"`
	OK   bool   `json:"ok"`
	// Usable: Cento can list the skill, whatever rules it breaks.
	Usable bool `json:"usable"`
	// Clients are what each client does with the skill, as it was measured.
	Clients skill.Readings `json:"clients"`
	Errors  []ErrorObject  `json:"errors"`
	Advice  []cento.Note   `json:"advice"`

	Err error `json:"-"`
}

// adviceLines is how many lines the specification of Agent Skills advises a
// SKILL.md to stay below.
const adviceLines = 500

// LongSkill is the advice that a skill's text is long: all of it is in the
// prompt while the skill is active.
const LongSkill cento.Code = "skill.long"

// CheckSkills reads whole skills and holds them to the rules: those of some
// names, or all.
func CheckSkills(ctx context.Context, site project.Site, r project.Request, names []string) (*SkillsCheck, error) {
	found, err := site.FindSkills(ctx, r)
	if found == nil {
		return nil, err
	}
	readings, lists := found.Clients()
	clients := make(map[string]skill.Readings, len(readings)) // by the path of the skill
	for i := range found.Skills {
		clients[found.Skills[i].Path] = readings[i]
	}
	chosen := slices.DeleteFunc(slices.Clone(found.Skills), func(x skill.Skill) bool { return x.Status == skill.Elsewhere })
	if len(names) > 0 {
		chosen = nil
		for _, name := range names {
			list, err := named(found.Skills, name)
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, list...)
		}
	}
	out := &SkillsCheck{OK: true, Skills: []SkillCheck{}, Clients: lists}
	for i := range chosen {
		x := &chosen[i]
		c := SkillCheck{Name: x.Name, Path: x.Path, Clients: clients[x.Path], Errors: []ErrorObject{}, Advice: []cento.Note{}, Err: x.Err}
		if c.Err == nil {
			var doc *skill.Document
			if doc, c.Err = found.Load(x); c.Err == nil {
				c.Usable, c.Err = true, cento.Join(doc.Deviations)
				c.Advice = append(c.Advice, doc.Notes...)
				if n := doc.Body.Origin.Line + strings.Count(strings.TrimRight(doc.Body.Body, "\n"), "\n"); n > adviceLines {
					c.Advice = append(c.Advice, cento.Note{
						Code: LongSkill, Position: cento.Position{File: x.Path},
						Message: fmt.Sprintf("%d lines are more than the %d that are advised; put details into files that the text names", n, adviceLines),
					})
				}
			}
		}
		for _, e := range cento.SourceErrors(c.Err) {
			c.Errors = append(c.Errors, errorObject(e))
		}
		if c.OK = c.Err == nil; !c.OK {
			out.OK = false
		}
		out.Skills = append(out.Skills, c)
	}
	return out, nil
}
