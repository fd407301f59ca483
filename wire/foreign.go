package wire

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// The families of models whose vendors have interfaces of their own.
const (
	claude = "claude"
	gemma  = "gemma"
)

// gptFamilies are those of OpenAI.
var gptFamilies = []string{"gpt", "o"}

// ForeignTo reports whether who serves a model is known to take no request of the form, so
// that only a gateway could translate it. [Text] and [JSON] are nobody's, and
// [OpenAICompatible] is the form of gateways. Who is asked in [OpenAICompatible] or
// [Ollama] is a server that may understand others too: of all but [Gemini] that isn't
// known, as nothing is of a model of no known form.
func (f Form) ForeignTo(m *cento.Model) bool {
	own := FormOf(m)
	if own == 0 || f == own {
		return false
	}
	switch f {
	case Text, JSON, OpenAICompatible:
		return false
	}
	switch own {
	case OpenAICompatible, Ollama:
		return f == Gemini && m.Family != "" && m.Family != gemma // Gemini's own interface has Gemma
	case Text, JSON:
		return false
	case Bedrock: // its servers understand OpenAI's forms too, for others than Claude
		if m.Family != claude && (f == OpenAI || f == OpenAIResponses) {
			return false
		}
	}
	return !slices.Contains(formsOf(m, own), f)
}

// formsOf are the forms by which a model is known to be asked, that of its entry first.
// Claude is on Bedrock too, and by Anthropic's own form there.
func formsOf(m *cento.Model, own Form) []Form {
	out := []Form{own}
	also := func(f Form) {
		if f != own {
			out = append(out, f)
		}
	}
	switch own {
	case Anthropic:
		if m.Family == claude && (m.Provider == "" || m.Provider == Anthropic.String()) {
			also(Bedrock)
		}
	case Bedrock:
		if m.Family == claude {
			also(Anthropic)
		}
	case OpenAI, OpenAIResponses:
		also(OpenAI)
		also(OpenAIResponses)
	}
	return out
}

// sentName is what a request of the form calls a model. The interfaces of vendors know their
// models without the vendor's path before the name; who serves the models of many has it in
// their names, whichever form it is asked in.
func (f Form) sentName(m *cento.Model) string {
	if m.Path == "" {
		return m.Name
	}
	ofMany := m.Wire == OpenAICompatible.String() && f != Gemini && f != Bedrock
	if ofMany || f == OpenAICompatible || f == Ollama {
		return m.Path + "/" + m.Name
	}
	return m.Name
}

// checkForm reports that the model's provider takes no request of the form, or that the
// provider has another name for the model.
func (b *builder) checkForm() {
	var own Form
	if b.model == nil || own.UnmarshalText([]byte(b.model.Wire)) != nil {
		return
	}
	if !b.form.ForeignTo(b.model) {
		b.checkName(own)
		return
	}
	var names []string
	for _, f := range formsOf(b.model, own) {
		names = append(names, f.String())
	}
	hint := strings.Join(names, " or ")
	if own != OpenAICompatible {
		hint += ", or " + OpenAICompatible.String() + " for a gateway"
	}
	of := ""
	if b.model.Provider != "" {
		of = " of " + b.model.Provider
	}
	b.lose(Loss{Code: CodeFormForeign, Message: fmt.Sprintf("%s%s takes no request of the form %s, unless a gateway translates it: choose the form %s", b.asked(), of, b.form, hint)})
}

// Servers that name models in ways of their own, as the catalog names them.
const (
	amazon = "amazon"
	azure  = "azure"
	vertex = "vertex_ai"
)

// nobodys are the forms in which servers are asked that name models as they like.
var nobodys = []Form{OpenAICompatible, Ollama, Text, JSON}

// checkName reports a name that the provider doesn't know: the catalog finds models by other
// names too, and the request has the name as it was given. The deployments of Azure have
// names of their own.
func (b *builder) checkName(own Form) {
	m, lost := b.model, Loss{Code: CodeModelName}
	known := !strings.HasSuffix(m.ID, m.Name) // of the name of a model that isn't, nothing is known
	switch {
	case m.Provider == azure || slices.Contains(nobodys, own) || slices.Contains(nobodys, b.form):
		return
	case own == Anthropic && b.form == Bedrock, own == Bedrock && b.form == Anthropic:
		lost.Message = fmt.Sprintf("%s is named as for the form %s, and who takes the form %s has names of its own: name it as it is named there", b.asked(), own, b.form)
		if known && b.form == Anthropic {
			lost.Hint = fmt.Sprintf("write %q", m.ID)
		}
	case m.Provider == Bedrock.String() || m.Provider == amazon:
		if namedOnBedrock(m.Name, m.ID) || !known && strings.ContainsAny(m.Name, ".:") {
			return
		}
		lost.Message = fmt.Sprintf("Bedrock doesn't know %s by that name", b.asked())
		name := strings.ToLower(m.Name)
		if i := strings.Index(name, m.Family); i >= 0 {
			if name = name[:i] + strings.ReplaceAll(name[i:], ".", "-"); namedOnBedrock(name, m.ID) {
				lost.Hint = fmt.Sprintf("write %q", name)
			}
		}
	case !known:
		return
	default:
		if slices.ContainsFunc(append([]string{m.ID}, m.Aliases...), func(id string) bool {
			rest, ok := strings.CutPrefix(m.Name, id)
			return ok && (rest == "" || isState(rest, b.form, m.Provider))
		}) {
			return
		}
		lost.Message = fmt.Sprintf("%s doesn't know %s by that name", cmp.Or(m.Provider, b.rules.vendor), b.asked())
		lost.Hint = fmt.Sprintf("write %q", m.ID)
		if m.Provider == vertex {
			lost.Hint = fmt.Sprintf("write %q", vertex+"/"+m.ID)
		}
	}
	b.lose(lost)
}

// namedOnBedrock reports whether a name has an id behind the name of its vendor, as in
// us.anthropic.claude-opus-5-v1:0 and at the end of an ARN.
func namedOnBedrock(name, id string) bool {
	before, after, ok := strings.Cut(name, id)
	ofVendor := strings.HasSuffix(before, ".") || strings.Contains(id, ".") && (before == "" || strings.HasSuffix(before, "/"))
	return ok && ofVendor && (after == "" || after[0] == '-' || after[0] == ':')
}

// isState reports whether a provider ends a name like this for one state of a model.
func isState(end string, form Form, provider string) bool {
	day := "-0000-00-00"
	switch {
	case provider == vertex:
		return end[0] == '@'
	case form == Gemini:
		return false
	case form == Anthropic:
		day = "-00000000"
	}
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return '0'
		}
		return r
	}, end) == day
}

// checkChatTools tells that the model refuses tools in this form, which is one of its own. Of
// what a gateway makes of them nothing is known.
func (b *builder) checkChatTools() {
	if takes := b.model.ChatTools; b.form != OpenAI || takes == nil || *takes || len(b.tools) == 0 || b.form.ForeignTo(b.model) {
		return
	}
	b.lose(Loss{Code: CodeChatTools, Severity: certain, Pointer: "/tools", Message: fmt.Sprintf("%s takes no tools in Chat Completions, so that the request is refused: choose the form %s, or make no tool active", b.asked(), OpenAIResponses)})
}

// takesMarks reports whether the cache of a model reads the marks of this form. Those of
// Anthropic and Bedrock are for Claude and others, not for OpenAI's models, and the other
// way round, whatever form a gateway takes.
func (b *builder) takesMarks() bool {
	most := b.model.Cache.MaxBreakpoints
	if b.rules.marked == "" || most == nil || *most <= 0 || b.form.ForeignTo(b.model) {
		return false
	}
	switch b.form {
	case OpenAI, OpenAIResponses:
		return b.model.Family != claude
	case Anthropic, Bedrock:
		return !slices.Contains(gptFamilies, b.model.Family)
	}
	return true
}
