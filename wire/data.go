package wire

import (
	"slices"
	"strings"
)

// What is in a conversation and is no text: of it the provider alone knows what it counts.
const (
	imageData     = "image"
	audioData     = "audio"
	videoData     = "video"
	fileData      = "file"
	encryptedData = "encrypted" // reasoning, what was found, or the signature of it
)

// dataTypes are the types of parts that are data, of forms that tell parts by a type.
var dataTypes = map[Form]map[string]string{
	Anthropic:        {"image": imageData, "document": fileData, "container_upload": fileData, "redacted_thinking": encryptedData},
	OpenAI:           {"image_url": imageData, "input_audio": audioData, "file": fileData},
	OpenAICompatible: {"image_url": imageData, "input_audio": audioData, "audio_url": audioData, "video_url": videoData, "file": fileData},
	OpenAIResponses:  {"input_image": imageData, "computer_screenshot": imageData, "image_generation_call": imageData, "input_audio": audioData, "input_file": fileData},
}

// dataMembers are the members that are data, of forms that tell parts by their members.
var dataMembers = map[Form]map[string]string{
	Bedrock: {"image": imageData, "audio": audioData, "video": videoData, "document": fileData, "redactedContent": encryptedData, "signature": encryptedData},
	Gemini: {
		"inlineData": fileData, "inline_data": fileData, "fileData": fileData, "file_data": fileData,
		"thoughtSignature": encryptedData, "thought_signature": encryptedData,
	},
	Ollama:          {"images": imageData},
	Anthropic:       {"signature": encryptedData, "encrypted_content": encryptedData},
	OpenAIResponses: {"encrypted_content": encryptedData},
}

// deepMembers are those in which parts stand. What a model hands to a tool is none of them,
// whatever it looks like.
var deepMembers = []string{"content", "parts", "output", "toolResult", "functionResponse", "reasoningContent", "reasoningText"}

// deepestData is how many lists and objects data stands in at most, in any form.
const deepestData = 8

// Counted is the text of a part so far as it counts as text, and the kinds of what in it is no
// text, such as "image": sorted, nil for none. What data counts as is known to the provider alone.
func (f Form) Counted(p *Part) (text string, data []string) {
	if p.Decoded || p.Kind != MessagePart && p.Kind != SystemPart || p.Text == "" {
		return p.Text, nil
	}
	whole, bare := p.Text, p.Text[0] != '{' // the members of a message beside its content
	if bare {
		whole = "{" + strings.TrimSuffix(whole, ",") + "}"
	}
	if !validJSON([]byte(whole)) {
		return p.Text, nil // nothing but a digest is at hand
	}
	c := cutter{form: f}
	rest := c.cut([]byte(whole), deepestData)
	if len(c.kinds) == 0 {
		return p.Text, nil
	}
	slices.Sort(c.kinds)
	return string(rest), slices.Compact(c.kinds)
}

// cutter takes what is no text out of a part.
type cutter struct {
	form  Form
	kinds []string
}

// cut is a value without the data in it; empty where all of it is data.
func (c *cutter) cut(value []byte, deep int) []byte {
	if deep == 0 {
		return value
	}
	if elements, ok := elementsOf(value); ok {
		return c.joined('[', ']', len(elements), func(i int) []byte {
			return c.cut(value[elements[i].start:elements[i].end], deep-1)
		})
	}
	members, ok := membersOf(value)
	if !ok {
		return value
	}
	if kind := c.typed(members, value); kind != "" {
		c.kinds = append(c.kinds, kind)
		return nil
	}
	return c.joined('{', '}', len(members), func(i int) []byte {
		inner := value[members[i].start:members[i].end]
		if kind := c.named(members[i].name, inner); kind != "" {
			c.kinds = append(c.kinds, kind)
			return nil
		}
		if slices.Contains(deepMembers, members[i].name) {
			if inner = c.cut(inner, deep-1); len(inner) == 0 {
				return nil
			}
		}
		return append(append(appendQuoted(nil, members[i].name), ':'), inner...)
	})
}

// joined are the elements that something is left of; nothing where nothing is.
func (c *cutter) joined(opening, closing byte, n int, element func(i int) []byte) []byte {
	out := []byte{opening}
	for i := range n {
		rest := element(i)
		if len(rest) > 0 && len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, rest...)
	}
	if len(out) == 1 && n > 0 {
		return nil
	}
	return append(out, closing)
}

// typed is what a part is of, by its type; empty for text.
func (c *cutter) typed(members []stretch, value []byte) string {
	kinds := dataTypes[c.form]
	if kinds == nil {
		return ""
	}
	kind := ""
	for _, m := range members {
		inner := value[m.start:m.end]
		switch {
		case m.name == "type" && inner[0] == '"':
			kind = kinds[textOf(inner)]
		case m.name == "source" && c.form == Anthropic && saysText(inner):
			return "" // a document that is written out
		}
	}
	return kind
}

// saysText reports whether the source of a document of Anthropic is its text.
func saysText(source []byte) bool {
	members, _ := membersIf(source)
	return slices.ContainsFunc(members, func(m stretch) bool {
		value := source[m.start:m.end]
		return m.name == "type" && (string(value) == `"text"` || string(value) == `"content"`)
	})
}

// named is what a member is of; empty for text.
func (c *cutter) named(name string, value []byte) string {
	kind := dataMembers[c.form][name]
	empty := string(value) == "null" || string(value) == `""` || string(value) == "[]"
	if kind == "" || empty {
		return ""
	}
	if c.form == Gemini && kind == fileData {
		for _, of := range []string{imageData, audioData, videoData} {
			if mimeOf(value, of+"/") {
				return of
			}
		}
	}
	return kind
}

// mimeOf reports whether data of Gemini's are of a kind, such as "image/".
func mimeOf(data []byte, kind string) bool {
	members, _ := membersOf(data)
	return slices.ContainsFunc(members, func(m stretch) bool {
		value := data[m.start:m.end]
		return (m.name == "mimeType" || m.name == "mime_type") && value[0] == '"' && strings.HasPrefix(textOf(value), kind)
	})
}
