package provenance

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/pack"
)

// SwitchedOff is the code of a text of the program's own that a setting switches off,
// blanks or words anew.
const SwitchedOff cento.Code = "builtin.off"

// BuiltInUnused is the code of a text of the program's own that a prompt like this one
// doesn't have.
const BuiltInUnused cento.Code = "builtin.unused"

// asBuiltIn looks for texts in the prompt as it would be if nobody had switched off, blanked
// or worded anew what the program says itself.
func (s *search) asBuiltIn(ctx context.Context) look {
	made := sync.OnceValue(func() *cento.Prompt {
		p, err := s.project.AsBuiltIn(ctx)
		if err == nil && p == nil {
			return nil
		}
		var prompt *cento.Prompt
		if err == nil {
			in := p.Input
			in.Active, in.AllTools, in.Fragments, in.Budget, in.Replacement = s.in.Active, s.in.AllTools, nil, nil, nil
			prompt, err = p.Reduce(in)
		}
		if err != nil {
			s.passOver("what the program would say itself: " + err.Error())
		}
		return prompt
	})
	return func(text needle.Needle) ([]Match, Texts) {
		prompt := made()
		if prompt == nil {
			return nil, s.Texts
		}
		found, _ := matches(prompt, nil, text)
		for i := range found {
			m := &found[i]
			m.Start, m.End, m.Reason, m.Code = nil, nil, s.switchedOff(m), SwitchedOff
		}
		return found, s.Texts
	}
}

// switches are the settings that take texts of the program out, by how the ids of their
// fragments begin.
var switches = []struct {
	id   string
	path []string
}{
	{cento.BoundariesID, []string{"scope"}},
	{cento.InstructionsID, []string{"project", "instructions"}},
	{cento.SystemID, []string{"instruction"}},
	{"primary:environment", []string{"instruction"}},
	{cento.SkillCatalogID, []string{"skills"}},
	{"skill:", []string{"skills"}},
	{"primary:", []string{"primary"}},
	{"profile:", []string{"profile"}},
}

// switchedOff says which setting keeps a text out that the program would say.
func (s *search) switchedOff(m *Match) string {
	for _, x := range switches {
		if !strings.HasPrefix(m.Fragment, x.id) {
			continue
		}
		path := x.path
		if part, ok := strings.CutPrefix(m.Fragment, x.id); ok && x.id == "primary:" {
			path = append(path, part)
		}
		if at := s.project.SettingPosition(path...); !at.IsZero() {
			return fmt.Sprintf("`%s` at %s keeps it out", strings.Join(path, "."), at)
		}
		break
	}
	if m.Origin != nil {
		key, _ := strings.CutPrefix(m.Origin.File, catalogFolder)
		if w, ok := s.in.Files.Wording[strings.TrimSuffix(key, ".md")]; ok {
			return fmt.Sprintf("the wording of the program, and worded anew at %s", w.Locate(0))
		}
	}
	return "a setting keeps it out"
}

// catalogFolder is where the built-in wording stands, as positions name it.
const catalogFolder = string(pack.Builtin) + "/catalog/"

// builtIns are all texts of the program's own, as they are written.
func (s *search) builtIns() []leftText {
	loader := pack.NewLoader(pack.Roots{}, cento.Limits{})
	refs, err := loader.List(pack.Builtin)
	if err != nil {
		s.passOver("the texts of the program: " + err.Error())
	}
	var out []leftText
	for _, ref := range refs {
		src, err := loader.Text(ref)
		if err != nil {
			s.passOver("the text " + ref.Path() + " of the program: " + err.Error())
			continue
		}
		out = append(out, leftText{
			at: cento.Position{File: ref.Path(), Line: 1, Column: 1}, text: src.Text, code: BuiltInUnused, trust: src.Trust,
			reason: "written like this among the texts of the program, and no text of this prompt",
		})
	}
	return out
}
