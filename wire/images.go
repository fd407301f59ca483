package wire

import (
	"fmt"
	"slices"
	"strings"
)

// imageTypes are the types of parts that are images, of forms that tell parts by a type.
var imageTypes = map[Form]string{Anthropic: "image", OpenAI: "image_url", OpenAICompatible: "image_url", OpenAIResponses: "input_image"}

// checkImages tells of images in the conversation that the model doesn't see.
func (b *builder) checkImages() {
	if sees := b.model.Vision; sees == nil || *sees || b.form == Text || b.form == JSON {
		return
	}
	first, n := 0, 0
	for i := range b.r.Messages {
		if raw := b.r.Messages[i].Raw; len(raw) > 0 && b.pictures(raw, deepestImage) {
			if n++; n == 1 {
				first = i + 1
			}
		}
	}
	switch {
	case n == 1:
		b.lose(Loss{Code: CodeNoVision, Message: fmt.Sprintf("message %d has an image, and %s takes none: the request is refused, or it doesn't see it", first, b.asked())})
	case n > 1:
		b.lose(Loss{Code: CodeNoVision, Message: fmt.Sprintf("%d messages have images, the first of them message %d, and %s takes none: the request is refused, or it doesn't see them", n, first, b.asked())})
	}
}

// deepestImage is how many lists and objects an image stands in at most, in any form.
const deepestImage = 8

// pictures reports whether a message, or a part of one, has an image: as a part, or in what
// a tool gave back. What a model hands to a tool is none of its images, whatever it looks like.
func (b *builder) pictures(value []byte, deep int) bool {
	if deep == 0 {
		return false
	}
	if parts, ok := elementsOf(value); ok {
		return slices.ContainsFunc(parts, func(s stretch) bool { return b.pictures(value[s.start:s.end], deep-1) })
	}
	members, _ := membersOf(value)
	for _, m := range members {
		inner := value[m.start:m.end]
		switch m.name {
		case "type":
			if want := imageTypes[b.form]; want != "" && inner[0] == '"' && textOf(inner) == want {
				return true
			}
		case "image":
			if b.form == Bedrock && inner[0] == '{' {
				return true
			}
		case "images":
			if list, _ := elementsOf(inner); b.form == Ollama && len(list) > 0 {
				return true
			}
		case "inlineData", "inline_data", "fileData", "file_data":
			if b.form == Gemini && mimeOf(inner, "image/") {
				return true
			}
		case "content", "parts", "output", "toolResult", "functionResponse":
			if (inner[0] == '{' || inner[0] == '[') && b.pictures(inner, deep-1) {
				return true
			}
		}
	}
	return false
}

// mimeOf reports whether data of Gemini's are of a kind, such as "image/".
func mimeOf(data []byte, kind string) bool {
	members, _ := membersOf(data)
	return slices.ContainsFunc(members, func(m stretch) bool {
		value := data[m.start:m.end]
		return (m.name == "mimeType" || m.name == "mime_type") && value[0] == '"' && strings.HasPrefix(textOf(value), kind)
	})
}
