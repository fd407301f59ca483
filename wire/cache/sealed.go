package cache

import (
	"slices"

	"github.com/cento-dev/cento/wire"
)

// What a session keeps of a request are its blocks without their texts. The system
// prompt, the tools and the settings are made again of what was recorded; where that
// gives what was sent, the texts are at hand, and else the blocks stand for them.

// bytesOfToken is about how many bytes a token has of what nobody counted.
const bytesOfToken = 4

// asSent are the parts of a request as it was sent, in the order of its blocks. made
// are those that it is made of again.
func (v *view) asSent(s *Step, made []wire.Part) []wire.Part {
	v.sealed = map[string]wire.Block{}
	at := make(map[string]*wire.Part, len(made)) // by pointer
	count := map[wire.PartKind]int{}
	for i := range made {
		at[made[i].Pointer] = &made[i]
		count[made[i].Kind]++
	}
	same := func(b *wire.Block) *wire.Part {
		if p := at[b.Pointer]; p != nil && p.Kind == b.Kind && p.Name == b.Name && wire.DigestOf(p.Text) == b.Digest {
			return p
		}
		return nil
	}
	tools := true // they are those that were sent
	for i := range s.Blocks {
		b := &s.Blocks[i]
		count[b.Kind]--
		tools = tools && (b.Kind != wire.ToolPart || same(b) != nil)
	}
	tools = tools && count[wire.ToolPart] == 0
	system := v.systemAsSent(s, made)
	var out []wire.Part
	told := map[wire.PartKind]bool{}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		again := b.Kind == wire.SystemPart && (s.tried != "" || system == nil) || b.Kind == wire.ToolPart && s.tried == SortTools
		switch p := same(b); {
		case again: // with a change, or as this release makes it
			for j := range made {
				if made[j].Kind == b.Kind && !told[b.Kind] {
					out = append(out, made[j])
				}
			}
			told[b.Kind] = true
		case b.Kind == wire.SystemPart:
			out, system = append(out, system[0]), system[1:]
		case p != nil && (b.Kind != wire.ToolPart || tools):
			x := *p
			if s.tried == "" {
				x.Marked, x.TTL = b.Marked, b.TTL
			}
			out = append(out, x)
		default:
			out = append(out, v.seal(s, b))
		}
	}
	return out
}

// systemAsSent is the system prompt in the parts in which it was sent; nil where it is
// made as another one now. Where marks stand, and so where it is parted, depends on the
// tools and messages too.
func (v *view) systemAsSent(s *Step, made []wire.Part) []wire.Part {
	v.made = map[string]int{}
	text := ""
	for i := range made {
		if p := &made[i]; p.Kind == wire.SystemPart {
			v.made[p.Pointer] = len(text)
			text += p.Text
		}
	}
	out := []wire.Part{}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Kind != wire.SystemPart {
			continue
		}
		if b.Bytes > len(text) || wire.DigestOf(text[:b.Bytes]) != b.Digest {
			return nil
		}
		out = append(out, wire.Part{
			Kind: b.Kind, Pointer: b.Pointer, Name: b.Name, Message: b.Message, Text: text[:b.Bytes], Decoded: true, Marked: b.Marked, TTL: b.TTL,
		})
		text = text[b.Bytes:]
	}
	if text != "" {
		return nil
	}
	return out
}

// digest is that of the text of a part.
func (v *view) digest(p *wire.Part) string {
	if b, sealed := v.sealed[p.Pointer]; sealed {
		return b.Digest
	}
	return wire.DigestOf(p.Text)
}

// digest is that of its text.
func (u *unit) digest() string {
	if u.sealed != nil {
		return u.sealed.Digest
	}
	return wire.DigestOf(u.Text)
}

// tokensOf are those of a part of which there is no text.
func (v *view) tokensOf(b *wire.Block) int {
	if b.Tokens == nil {
		v.exact = false
		return b.Bytes / bytesOfToken
	}
	return *b.Tokens
}

// seal is a part of which there is no text.
func (v *view) seal(s *Step, b *wire.Block) wire.Part {
	p := wire.Part{Kind: b.Kind, Pointer: b.Pointer, Name: b.Name, Message: b.Message, Text: b.Value, Marked: b.Marked, TTL: b.TTL}
	if p.Text == "" { // two of them are equal where what they stand for is
		p.Text = "sha256:" + b.Digest
	}
	if s.tried == LongerTTL && p.Marked {
		p.TTL = s.Request.Cache.SessionTTL
	}
	v.sealed[p.Pointer] = *b
	v.others = v.others || b.Kind == wire.ToolPart
	return p
}

// withEnvelope puts the envelope of the turn behind what the user said last, as [wire.Build]
// does where it has the conversation: in the same message, and in a form whose messages are
// texts in the same text.
func (v *view) withEnvelope(s *Step, parts []wire.Part) []wire.Part {
	e := s.Request.Reminders.Envelope
	if e == nil {
		return parts
	}
	text, ok := e.System()
	if !ok {
		return parts
	}
	at := len(parts)
	for at > 0 && parts[at-1].Kind == wire.SettingPart && parts[at-1].Name != "model" {
		at--
	}
	said := wire.Part{Kind: wire.MessagePart, Name: "user", Text: text, Decoded: true}
	if at > 0 && parts[at-1].Kind == wire.MessagePart {
		last := &parts[at-1]
		switch b, sealed := v.sealed[last.Pointer]; {
		case last.Name != said.Name:
			said.Message = last.Message + 1
		case sealed && (s.Request.Form == wire.Ollama || s.Request.Form == wire.OpenAICompatible || s.Request.Form == wire.JSON):
			text = "\n\n" + text
			b.Digest, b.Bytes = wire.DigestOf(b.Digest+text), b.Bytes+len(text)
			if b.Tokens != nil {
				n := *b.Tokens + s.Request.Counter.Count(text)
				b.Tokens = &n
			}
			v.sealed[last.Pointer], last.Text = b, "sha256:"+b.Digest
			return parts
		default:
			said.Message = last.Message
		}
	}
	said.Pointer = "/envelope"
	return slices.Insert(parts, at, said)
}
