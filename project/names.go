package project

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
)

// KnownNames are the names that a what-if on a project can mean. A what-if that is kept,
// as that of a test, goes on saying the same once its names are wrong: so they are held
// against these.
type KnownNames struct {
	tools, caps, vars nameSet
	// models are the notes on the model that the project was read for.
	models  []cento.Note
	propose proposer
}

// nameSet are names of one kind; open: there may be others, so that nothing can be said.
type nameSet struct {
	is     map[string]bool
	sorted []string
	open   bool
}

func newNameSet(is map[string]bool, open bool) nameSet {
	return nameSet{is, slices.Sorted(maps.Keys(is)), open}
}

// KnownNames are those of the project, as it was read.
func (p *Project) KnownNames() *KnownNames {
	tools, others := p.from.base.EveryTool(p.from.request.Target)
	for i := range p.Input.Tools {
		tools[p.Input.Tools[i].Name] = true
	}
	for _, name := range p.Input.ActiveTools() {
		tools[name] = true
	}
	fragments, _, err := cento.Compose(p.Input)
	conditions := conditionsOf(&p.from.shared.kept, fragments, p.Input.Files.Vars)
	// What is asked for has a meaning while nothing defines it.
	for i := range fragments {
		for name := range fragments[i].GateTools() {
			tools[name] = true
		}
	}
	for _, f := range p.files {
		for _, name := range f.Front().RequiresTools {
			tools[name] = true
		}
		for _, use := range f.Asks("tool") {
			tools[use.Name] = true
		}
	}
	for _, c := range conditions {
		for _, use := range c.Asks("tool") {
			tools[use.Name] = true
		}
	}
	caps, anyCap := askedCaps(&p.from.shared.kept, fragments, p.Input.Files, p.files)
	for _, name := range p.Input.Active.Caps {
		caps[name] = true
	}
	_, read, anyVar := p.from.declared(p.files, conditions)
	vars := map[string]bool{}
	for _, name := range read {
		vars[name] = true
	}
	k := &KnownNames{
		tools: newNameSet(tools, others || err != nil),
		caps:  newNameSet(caps, anyCap || err != nil),
		vars:  newNameSet(vars, anyVar || err != nil),
	}
	for _, n := range p.Input.Notes {
		if n.Code == model.CodeUnknown || n.Code == model.CodeGuessed {
			k.models = append(k.models, n)
		}
	}
	return k
}

// Tool tells of a tool that is made active and that nothing defines or asks for, where
// nearly its name is known: any other may be a caller's.
func (k *KnownNames) Tool(name string) (cento.Note, bool) {
	return k.near(&k.tools, name, ToolUndefined, "the tool %q is made active, and nothing defines it or asks for it")
}

// WithoutTool tells of a tool that is taken away and that there is none of.
func (k *KnownNames) WithoutTool(name string) (cento.Note, bool) {
	return k.idle(&k.tools, name, ToolUndefined, "the tool %q is taken away, and nothing defines it or asks for it")
}

// Cap tells of a capability that is set and that nothing asks for: unlike a tool it can't
// be in the prompt by its name alone.
func (k *KnownNames) Cap(name string) (cento.Note, bool) {
	return k.idle(&k.caps, name, CapUndefined, "the capability %q is set, and nothing asks for it")
}

// WithoutCap tells of a capability that is taken away, and that nothing sets or asks for.
func (k *KnownNames) WithoutCap(name string) (cento.Note, bool) {
	return k.idle(&k.caps, name, CapUndefined, "the capability %q is taken away, and nothing sets it or asks for it")
}

// Var tells of a variable that nothing reads.
func (k *KnownNames) Var(name string) (cento.Note, bool) {
	if k.vars.open || k.vars.is[name] {
		return cento.Note{}, false
	}
	return unreadVar(&k.propose, name, k.vars.sorted), true
}

// Model tells of the model that the project was read for, where nothing is known of it.
func (k *KnownNames) Model() (cento.Note, bool) {
	if len(k.models) == 0 {
		return cento.Note{}, false
	}
	return k.models[0], true
}

// near tells of a name that is none of a set, where one of it was probably meant; idle
// tells of it in any case.
func (k *KnownNames) near(s *nameSet, name string, code cento.Code, format string) (cento.Note, bool) {
	n, near, ok := k.unknown(s, name, code, format)
	return n, ok && near
}

func (k *KnownNames) idle(s *nameSet, name string, code cento.Code, format string) (cento.Note, bool) {
	n, _, ok := k.unknown(s, name, code, format)
	return n, ok
}

func (k *KnownNames) unknown(s *nameSet, name string, code cento.Code, format string) (n cento.Note, near, ok bool) {
	if s.open || s.is[name] || len(s.sorted) == 0 && s != &k.caps { // tools may all be a caller's
		return n, false, false
	}
	n = cento.Note{Code: code, Message: fmt.Sprintf(format, name)}
	meant, near := k.propose.near(name, s.sorted)
	if near {
		n.Message += fmt.Sprintf("; did you mean %q?", meant)
	}
	return n, near, true
}

// unreadVar is the note on a variable that is none of those that are read.
func unreadVar(propose *proposer, name string, read []string) cento.Note {
	n := cento.Note{Code: VarUnread, Message: fmt.Sprintf("the variable %q changes nothing: no prompt file or condition reads it", name)}
	if near, ok := propose.near(name, read); ok {
		n.Message += fmt.Sprintf("; did you mean %q?", near)
	}
	return n
}
