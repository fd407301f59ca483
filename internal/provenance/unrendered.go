package provenance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// NotRendered is the code of a text in a prompt file whose branch was not taken.
const NotRendered cento.Code = "text.not_rendered"

// PromptFileUnnamed is the code of a text in a prompt file that nothing of the prompt names.
const PromptFileUnnamed cento.Code = "prompt_file.unnamed"

// notRendered are the texts of branches that the prompt's files didn't take, and
// those of prompt files whose fragments are out: these are never rendered.
func (s *search) notRendered() ([]leftText, error) {
	prompt, active := s.prompt, s.in.Active
	active.Tools = s.in.ActiveTools()
	var out []leftText
	told := map[cento.Position]bool{}
	for i := range prompt.Len() {
		f := prompt.Fragment(i)
		if f.Template == "" {
			continue
		}
		if !prompt.In(i) {
			for _, src := range s.sources(&f) {
				if at := (cento.Position{File: src.Ref.Path(), Line: 1, Column: 1}); !told[at] {
					told[at] = true
					out = append(out, leftText{at: at, text: src.Text, reason: prompt.Reason(i), code: prompt.Code(i), trust: src.Trust, fragment: &f})
				}
			}
			continue
		}
		list, err := s.project.Unreached(&f, active)
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			if !told[x.Position] {
				told[x.Position] = true
				out = append(out, leftText{at: x.Position, text: x.Text, reason: x.Reason, code: NotRendered, trust: x.Trust, fragment: &f, outAt: x.Instead})
			}
		}
	}
	return out, nil
}

// sources are the prompt files of a fragment. Of one that a layer took out none was
// opened, since it need not be there.
func (s *search) sources(f *cento.Fragment) []*pack.Source {
	out := s.project.Sources(f)
	loader := s.project.Loader()
	if out != nil || loader == nil || strings.HasPrefix(f.Template, cento.CatalogTemplate) {
		return out
	}
	ref, err := loader.ParseRef(f.Template, pack.Ref{}, f.Origin)
	if err != nil {
		return nil
	}
	if file, err := loader.Open(ref, f.Origin); err == nil {
		return file.Sources()
	}
	return nil
}

// written are the prompt files of what is in the prompt, as they are written.
func (s *search) written() []leftText {
	var out []leftText
	told := map[string]bool{}
	for i := range s.prompt.Len() {
		f := s.prompt.Fragment(i)
		if f.Template == "" || !s.prompt.In(i) {
			continue
		}
		for _, src := range s.project.Sources(&f) {
			if name := src.Ref.Path(); !told[name] {
				told[name] = true
				out = append(out, leftText{
					at: cento.Position{File: name, Line: 1, Column: 1}, text: src.Text, code: AsWritten, trust: src.Trust, fragment: &f,
					reason: "written like this in the prompt file, and not what it renders to",
				})
			}
		}
	}
	return out
}

// maxUnnamed bounds how much of the prompt files that nothing names is searched, in bytes.
const maxUnnamed = 16 << 20

// unnamed are the prompt files that nothing of the prompt names, be it in a branch that is
// never taken: those of the project, of the user, of packs and of a host.
func (s *search) unnamed() []leftText {
	loader := s.project.Loader()
	if loader == nil {
		return nil
	}
	named := map[pack.Ref]bool{}
	note := func(sources []*pack.Source) {
		for _, src := range sources {
			named[src.Ref] = true
		}
	}
	for i := range s.prompt.Len() {
		if f := s.prompt.Fragment(i); f.Template != "" {
			note(s.sources(&f))
		}
	}
	for _, f := range s.project.Files() {
		note(f.Sources())
	}
	var out []leftText
	room := maxUnnamed
	for _, prefix := range loader.Prefixes() {
		if prefix == pack.Builtin {
			continue
		}
		refs, err := loader.List(prefix)
		if err != nil {
			s.passOver(fmt.Sprintf("the prompt files of %s: %v", prefix, err))
			continue
		}
		for _, ref := range slices.DeleteFunc(refs, func(r pack.Ref) bool { return named[r] }) {
			src, err := loader.Text(ref)
			if err != nil {
				s.passOver(fmt.Sprintf("the prompt file %s: %v", ref.Path(), err))
				continue
			}
			if room -= len(src.Text); room < 0 {
				s.passOver(fmt.Sprintf("the prompt files of %s from %s on: those that nothing names are over %d bytes together", prefix, ref.Path(), maxUnnamed))
				break
			}
			out = append(out, leftText{
				at: cento.Position{File: ref.Path(), Line: 1, Column: 1}, text: src.Text, code: PromptFileUnnamed, trust: src.Trust,
				reason: "in a prompt file that nothing of this prompt names",
			})
		}
	}
	return out
}
