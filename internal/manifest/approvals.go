package manifest

import (
	"strconv"

	"github.com/cento-dev/cento/project/consent"
)

// Parts are the parts of the manifest that need approval. Each target may have
// others.
func (m *Manifest) Parts() []consent.Part {
	var out []consent.Part
	if servers := m.Tools.Servers; len(servers) > 0 {
		asks := make([]consent.Ask, len(servers))
		for i, s := range servers {
			asks[i] = s.Ask()
		}
		out = append(out, consent.NewPart(ServersPart, m.says("tools", "mcp"), asks...))
	}
	if part := m.StoreAsked(); part != nil {
		out = append(out, *part)
	}
	if part := m.ExtraAsked(); part != nil {
		out = append(out, *part)
	}
	return out
}

// ExtraPart is the name of the part that adds members to requests.
const ExtraPart = "wire.extra"

// ExtraAsked is that part, nil where there is none: a provider may be told to reach a
// server, to run a tool or to keep what it is sent.
func (m *Manifest) ExtraAsked() *consent.Part {
	if len(m.Wire.extra) == 0 {
		return nil
	}
	asks := make([]consent.Ask, len(m.Wire.extra)) // whole: a part that isn't shown is agreed to unseen
	for i, x := range m.Wire.extra {
		asks[i] = consent.Ask{Text: "send with each request " + strconv.Quote(x.name) + ": " + string(x.value), Position: x.at}
	}
	part := consent.NewPart(ExtraPart, m.Wire.Extra, asks...)
	return &part
}

// ServersPart is the name of the part that names MCP servers.
const ServersPart = "tools.mcp"

// says is the JSON form of what stands under keys of the manifest.
func (m *Manifest) says(keys ...string) []byte {
	n := m.setting(keys...)
	if n == nil {
		return nil
	}
	text, err := n.AppendJSON(nil)
	if err != nil { // a number that JSON has no form for, which no part takes
		return nil
	}
	return text
}
