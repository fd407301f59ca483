package manifest

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// A request to OpenAI or Anthropic names tools of the provider's own in the same
// list: web search, a shell, a computer. They have a type, their settings, and
// often no name or schema. Such a tool is known by its name, else by its type,
// so that fragments can be gated on it; its settings are the provider's business
// and not kept.

// providerTypes is the form of the types of such tools, as OpenAI's Responses
// and Anthropic's Messages name them; what follows is a date or version.
const providerTypes = `^(apply_patch|bash|code_execution|code_interpreter|computer|file_search|image_generation|local_shell|mcp|mcp_toolset|memory|shell|text_editor|tool_search|tool_search_tool|web_fetch|web_search)(_(preview|bm25|regex|use))*(_[0-9][0-9_]*)?$`

// customType is the type of OpenAI's tools that take a text instead of arguments: without a
// schema, and with settings as a provider's own. Chat Completions nest the definition in a
// member of this name.
const customType = "custom"

var providerType = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(providerTypes) })

// providerTool reads the tool of a provider; false for any other.
func providerTool(d *strict.Decoder, n *strict.Node) (cento.Tool, cento.Position, bool) {
	at := n.Position()
	_, typ := n.Member("type")
	if _, nested := n.Member("function"); typ == nil || nested != nil {
		return cento.Tool{}, at, false
	}
	name, ok := typ.Text()
	custom := name == customType
	if !ok || !custom && !providerType().MatchString(name) {
		return cento.Tool{}, at, false
	}
	for _, key := range []string{"parameters", "input_schema", "inputSchema", "description"} {
		if _, v := n.Member(key); v != nil && !(custom && key == "description") {
			return cento.Tool{}, at, false // a tool of one's own that has a type by chance
		}
	}
	definition := n
	if _, nested := n.Member(customType); custom && nested != nil && nested.Kind() == strict.Map {
		definition = nested
	}
	for _, key := range []string{"server_label", "mcp_server_name", "name"} { // of OpenAI's mcp, of Anthropic's, of most
		_, v := definition.Member(key)
		if v == nil || v.Kind() == strict.Null {
			continue
		}
		said, ok := v.Text()
		switch {
		case !ok:
			d.In(key, func() { d.Expected(v, strict.Text.String()) })
		case strings.TrimSpace(said) == "":
			d.Fail(v.Position(), cento.InvalidTool, "a tool without a name")
			return cento.Tool{}, at, true
		default:
			name, at = said, v.Position()
		}
	}
	if custom && at == n.Position() {
		d.Fail(at, cento.InvalidTool, "a tool without a name").Hint = `give the tool a name`
		return cento.Tool{}, at, true
	}
	t := cento.Tool{Name: name, Trust: cento.TrustTool, Origin: n.Position()}
	t.Native = nativeOf(n)
	if _, v := n.Member("guidance"); v != nil && v.Kind() != strict.Null {
		var guidance text
		d.In("guidance", func() { d.Decode(v, &guidance) })
		t.Guidance, t.Runs, t.GuidanceOrigin = &guidance.Value, guidance.Runs(cento.TrustTool), guidance.Position()
	}
	return t, at, true
}

// credentials are the keys of such tools that hold them, at OpenAI and Anthropic.
var credentials = []string{"authorization", "authorization_token", "headers"}

// nativeOf is the definition of a provider's tool as it is sent, without guidance.
// Credentials aren't kept, since an input is recorded and shown: null stands in
// their place, for whoever sends the request to fill in.
func nativeOf(n *strict.Node) []byte {
	out, err := n.Without(append([]string{"guidance"}, credentials...)...).AppendJSON(nil)
	if err != nil || len(out) == 0 {
		return nil // what can't be written was reported
	}
	for _, key := range credentials {
		if _, v := n.Member(key); v != nil && v.Kind() != strict.Null {
			out = fmt.Appendf(out[:len(out)-1], ",%q:null}", key)
		}
	}
	return out
}
