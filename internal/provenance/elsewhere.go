package provenance

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// ToolDefinition is the code of a text in the definition of a tool, which a request has
// beside the prompt.
const ToolDefinition cento.Code = "tool.definition"

// AsWritten is the code of a text in a prompt file that stands otherwise in the prompt,
// or not at all: it holds what the template's language takes for its own.
const AsWritten cento.Code = "text.as_written"

// OtherTarget is the code of a text that the prompt of another target has, or that of the
// manifest without one.
const OtherTarget cento.Code = "target.other"

// elsewhere are the places of a text that nothing of this prompt has or would have: in
// the definitions of tools, in prompt files as they are written, in the prompt of
// another target, in prompt files that nothing names, in what the program says unless it
// is told otherwise, in the files of skills, in the manifest and its like as they are
// written, and in files that instruct other clients. Of these the first counts that has
// the text as it is, and if none has, the first that has it with letter case set aside.
func (s *search) elsewhere(ctx context.Context, text string) (found []Match, ignoredCase bool, err error) {
	places := s.schemas()
	defer places.close()
	settings := sync.OnceValue(func() []settingFile {
		if s.forTest {
			return nil
		}
		return s.settings()
	})
	var near []Match
	nearOf := s.Texts
	tries := needle.Tries(text)
	for _, look := range []look{
		func(text needle.Needle) ([]Match, Texts) {
			found, _ := matchesLeft(toolTexts(s.in, places, text), text)
			return found, s.Texts
		},
		s.within(s.written),
		s.inOtherTargets(ctx),
		s.within(s.unnamed),
		s.asBuiltIn(ctx),
		s.within(s.skillFiles),
		s.settingValues(settings),
		s.within(func() (out []leftText) {
			for _, f := range settings() {
				out = append(out, f.leftText)
			}
			return out
		}),
		s.within(s.builtIns),
		s.within(s.ofOtherClients),
	} {
		for _, try := range tries {
			if err := ctx.Err(); err != nil {
				return nil, false, err
			}
			found, of := look(try)
			switch {
			case len(found) == 0:
				continue
			case !try.IgnoresCase():
				return found, false, of.addCommits(ctx, found)
			case near == nil:
				near, nearOf = found, of
			}
		}
	}
	if near == nil {
		near = []Match{}
	}
	return near, len(near) > 0, nearOf.addCommits(ctx, near)
}

// look looks for a text somewhere, and gives the places with the project that they are of.
type look func(needle.Needle) ([]Match, Texts)

// within looks for texts in some that are read when the first is looked for.
func (s *search) within(read func() []leftText) look {
	texts := sync.OnceValue(read)
	return func(text needle.Needle) ([]Match, Texts) {
		found, _ := matchesLeft(texts(), text)
		return found, s.Texts
	}
}

// maxSearchedTargets is how many targets of a manifest are searched for a text that
// isn't found where it was asked for.
const maxSearchedTargets = 20

// inOtherTargets looks for texts in the prompts of the other targets, and in that of the
// manifest without one, and gives the places in the first that has one.
func (s *search) inOtherTargets(ctx context.Context) look {
	type side struct {
		Texts
		name   string
		prompt *cento.Prompt
	}
	sides := sync.OnceValue(func() (out []side) {
		targets := s.project.Targets()
		names := targets[:min(len(targets), maxSearchedTargets)]
		if len(names) > 0 {
			names = append([]string{""}, names...)
		}
		for _, name := range names {
			other, err := s.project.Target(ctx, name)
			if err == nil {
				var prompt *cento.Prompt
				if prompt, err = other.Reduce(other.Input); err == nil {
					out = append(out, side{Of(other), name, prompt})
					continue
				}
			}
			s.passOver(fmt.Sprintf("the prompt of %s, which can't be made: %v", targetShown(name), err))
		}
		if more := len(targets) - maxSearchedTargets; more > 0 {
			s.passOver(fmt.Sprintf("the prompts of %d more targets, from %q on", more, targets[maxSearchedTargets]))
		}
		return out
	})
	return func(text needle.Needle) ([]Match, Texts) {
		for _, x := range sides() {
			found, _ := standing(x.prompt, nil, text)
			for i := range found {
				if m := &found[i]; m.Start != nil {
					m.Reason = "in the prompt of " + targetShown(x.name)
				} else {
					m.Reason = fmt.Sprintf("of %s, and not in its prompt: %s", targetShown(x.name), m.Reason)
				}
				found[i].Start, found[i].End, found[i].Code = nil, nil, OtherTarget
			}
			if len(found) > 0 {
				return found, x.Texts
			}
		}
		return nil, s.Texts
	}
}

// targetShown is a target in a reason; the empty name is the manifest without one.
func targetShown(name string) string {
	if name == "" {
		return "the manifest without target"
	}
	return fmt.Sprintf("the target %q", name)
}

// toolDefinitions are the names of tools, each with what becomes of its definition.
func toolDefinitions(in cento.Input) []leftText {
	active := map[string]bool{}
	for _, name := range in.ActiveTools() {
		active[name] = true
	}
	out := make([]leftText, len(in.Tools))
	for i, t := range in.Tools {
		reason := fmt.Sprintf("in the definition of tool `%s`, which a request has beside the prompt", t.Name)
		if !active[t.Name] {
			reason = fmt.Sprintf("in the definition of tool `%s`, which is not active", t.Name)
		}
		f := &cento.Fragment{ID: toolID + t.Name}
		out[i] = leftText{at: t.Origin, text: t.Name, reason: reason, code: ToolDefinition, trust: t.Trust, fragment: f}
	}
	return out
}

// toolTexts are what the definitions of tools say that may have a text.
func toolTexts(in cento.Input, places *schemas, asked needle.Needle) []leftText {
	var out []leftText
	for i, left := range toolDefinitions(in) {
		t := in.Tools[i]
		left.locate = func(offset int) cento.Position { return places.nameAt(&t, offset) }
		if t.Native == nil { // the definition has it among the others
			out = append(out, left)
		}
		if left.text = t.Description; left.text != "" {
			left.locate = inSpans(t.Description, t.AppendDescriptionSpans(nil), t.Origin)
			out = append(out, left)
		}
		members := slices.DeleteFunc(slices.Clone(t.Members), func(m cento.ToolMember) bool { return len(m.Formats) == 0 })
		for _, x := range append([]cento.ToolMember{{Value: t.Parameters}, {Value: t.Native}}, members...) {
			if !mayHold(string(x.Value), asked) {
				continue
			}
			for _, w := range wordsOf(x.Value) {
				if w.literal {
					continue
				}
				left.text = w.text
				left.locate = func(offset int) cento.Position { return inSpans(w.text, places.spans(&t, x.Name, w), t.Origin)(offset) }
				out = append(out, left)
			}
		}
	}
	return out
}

// maxOtherClients bounds how much of the files of other clients is searched, in bytes.
const maxOtherClients = 4 << 20

// ofOtherClients are the texts of files that instruct agents by rules other than those
// of the project, or by none of those that are known here.
func (s *search) ofOtherClients() []leftText {
	p := s.Texts
	if p.project.Root.Dir == "" {
		return nil // recorded: it has no files
	}
	own := map[string]bool{}
	for _, f := range p.project.Instructions.Files {
		own[f.Path] = true
	}
	trees := confined{project: p.project, open: map[string]*tree.Tree{}}
	defer trees.close()
	var out []leftText
	room := maxOtherClients
	add := func(name, text string, others project.OthersInstructions, trust cento.Trust) {
		if own[name] {
			return
		}
		if len(text) > room {
			s.passOver("the file " + name + " of other clients, which is too long to be looked through")
			return
		}
		own[name] = true
		room -= len(text)
		none := p.project.Instructions.Convention == workspace.NoInstructions
		why := "the rules of " + strconv.Quote(p.project.Instructions.Convention) + " don't look for the file"
		switch {
		case none && len(others.Loading) > 0:
			why = "no instructions are loaded; the rules of " + quotedNames(others.Loading) + " load the file"
		case none && len(others.Looking) > 0:
			why = "no instructions are loaded; the rules of " + quotedNames(others.Looking) + " look for the file"
		case none:
			why = "no instructions are loaded"
		case len(others.Loading) > 0:
			why += "; those of " + quotedNames(others.Loading) + " load it"
		case len(others.Looking) > 0:
			why += "; those of " + quotedNames(others.Looking) + " do"
		}
		out = append(out, leftText{at: cento.Position{File: name, Line: 1, Column: 1}, text: text, code: workspace.InstructionsOtherClient, trust: trust, reason: why})
	}
	for _, x := range p.project.InstructionsOfOthers() {
		if own[x.File.Path] || x.File.Status == workspace.Failed {
			continue
		}
		read, err := trees.read(x.File.Path)
		if err != nil {
			s.passOverFile(x.File.Path, err)
			continue
		}
		add(x.File.Path, read.Text, x, x.File.Trust)
	}
	for _, x := range p.project.KnownInstructions() {
		if own[x.Path] {
			continue
		}
		read, err := trees.read(x.Path)
		if err != nil {
			s.passOverFile(x.Path, err)
			continue
		}
		add(x.Path, read.Text, project.OthersInstructions{}, cento.TrustWorkspace)
		if n := len(out) - 1; n >= 0 && out[n].at.File == x.Path {
			out[n].reason += "; " + x.Client + " reads it"
		}
	}
	return out
}

// quotedNames is a list of names in a sentence.
func quotedNames(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	if last := len(quoted) - 1; last > 0 {
		return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
	}
	return strings.Join(quoted, "")
}
