package provenance

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/otherclient"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/workspace"
)

// ToolDefinition is the code of a text in the definition of a tool, which a request has
// beside the prompt.
const ToolDefinition cento.Code = "tool.definition"

// AsWritten is the code of a text in a prompt file that stands otherwise in the prompt,
// or not at all: it holds what the template's language takes for its own.
const AsWritten cento.Code = "text.as_written"

// OtherClient is the code of a text in a file that instructs other clients.
const OtherClient cento.Code = "instructions.other_client"

// toolTexts are what the definitions of tools say.
func toolTexts(in cento.Input, places *schemas) []leftText {
	active := in.ActiveTools()
	var out []leftText
	for _, t := range in.Tools {
		reason := fmt.Sprintf("in the definition of tool `%s`, which a request has beside the prompt", t.Name)
		if !slices.Contains(active, t.Name) {
			reason = fmt.Sprintf("in the definition of tool `%s`, which is not active", t.Name)
		}
		f := &cento.Fragment{ID: "tool:" + t.Name}
		left := leftText{at: t.Origin, reason: reason, code: ToolDefinition, trust: t.Trust, fragment: f}
		if left.text = t.Description; left.text != "" {
			left.spans = t.AppendDescriptionSpans(nil)
			out = append(out, left)
		}
		for _, text := range []json.RawMessage{t.Parameters, t.Native} {
			for _, w := range wordsOf(text) {
				left.text, left.spans = w.text, nil
				left.place = func() []cento.Span { return places.spans(&t, w) }
				out = append(out, left)
			}
		}
	}
	return out
}

// written are the prompt files of what is in the prompt, as they are written.
func (p Texts) written(prompt *cento.Prompt) []leftText {
	var out []leftText
	told := map[string]bool{}
	for i := range prompt.Len() {
		f := prompt.Fragment(i)
		if f.Template == "" || !prompt.In(i) {
			continue
		}
		for _, src := range p.project.Sources(&f) {
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

// maxOtherClients bounds how much of the files of other clients is searched, in bytes.
const maxOtherClients = 4 << 20

// ofOtherClients are the texts of files that instruct agents by rules other than those
// of the project, or by none of those that are known here.
func (p Texts) ofOtherClients() []leftText {
	own := map[string]bool{}
	for _, f := range p.project.Instructions.Files {
		own[f.Path] = true
	}
	files, by := p.project.InstructionsOfOthers()
	trees := confined{project: p.project, open: map[string]*tree.Tree{}}
	defer trees.close()
	var out []leftText
	room := maxOtherClients
	add := func(name, text, reason string, trust cento.Trust) {
		if own[name] || len(text) > room {
			return
		}
		own[name] = true
		room -= len(text)
		why := "no instructions are loaded, and the file is one of another client"
		if own := p.project.Instructions.Convention; own != workspace.NoInstructions {
			why = "the rules of " + strconv.Quote(own) + " don't look for the file" + reason
		}
		out = append(out, leftText{at: cento.Position{File: name, Line: 1, Column: 1}, text: text, code: OtherClient, trust: trust, reason: why})
	}
	for i, f := range files {
		if own[f.Path] || f.Status == workspace.Failed {
			continue
		}
		if read, err := trees.read(f.Path); err == nil {
			add(f.Path, read.Text, "; those of "+strconv.Quote(by[i])+" do", f.Trust)
		}
	}
	t, err := tree.OpenOn(p.project.Disk(), p.project.Root.Dir, tree.Options{})
	if err != nil {
		return out
	}
	defer t.Close()
	for _, x := range otherclient.Files(t, ".") {
		if x.Failed == "" && (strings.HasPrefix(path.Base(x.Path), ".") || strings.HasPrefix(x.Path, ".cursor/")) {
			add(x.Path, x.Text, "", cento.TrustWorkspace)
		}
	}
	return out
}
