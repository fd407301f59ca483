package contract

import (
	"slices"
	"strings"
)

// reasoning is a pair of tags between which a model writes what it thinks.
type reasoning struct{ begin, end string }

// reasonings are the tags of the models that are in use: Qwen, DeepSeek, GLM and MiniMax
// write <think>, prompts ask for the other elements, Mistral writes [THINK], Kimi and Seed
// their own, and the open models of OpenAI write a channel.
var reasonings = func() (all []reasoning) {
	for _, name := range []string{"think", "thinking", "thought", "thoughts", "reasoning", "reason", "reflection", "scratchpad", "analysis", "draft", "seed:think", "mm:think"} {
		all = append(all, reasoning{"<" + name + ">", "</" + name + ">"})
	}
	return append(all,
		reasoning{"[THINK]", "[/THINK]"},
		reasoning{"\u25c1think\u25b7", "\u25c1/think\u25b7"},
		reasoning{"<|begin_of_thought|>", "<|end_of_thought|>"},
		reasoning{"<|channel|>analysis", "<|end|>"},
	)
}()

// opens reports whether the opening tag is at the beginning of a text, in any case and, if it
// is an element, with any attributes.
func (r *reasoning) opens(text string) bool {
	head := r.begin
	element := strings.HasSuffix(head, ">") && head[1] != '|'
	if element {
		head = head[:len(head)-1]
	}
	if len(text) < len(head) || !strings.EqualFold(text[:len(head)], head) {
		return false
	}
	if !element {
		return true
	}
	rest := text[len(head):]
	return rest != "" && (rest[0] == '>' || xmlSpace(rest[0]))
}

// closes reports whether the closing tag is at the beginning of a text, in any case.
func (r *reasoning) closes(text string) bool {
	return len(text) >= len(r.end) && strings.EqualFold(text[:len(r.end)], r.end)
}

// skip returns the place after the closing tag of what opens at a place, or the end of the text.
func (r *reasoning) skip(text string, at int) int {
	depth := 0
	for i := at; i < len(text); i++ {
		switch {
		case !startsTag(text[i]):
		case r.opens(text[i:]):
			depth++
		case r.closes(text[i:]):
			if depth--; depth == 0 {
				return i + len(r.end)
			}
		}
	}
	return len(text)
}

// startsTag reports whether a tag may begin with a byte.
func startsTag(c byte) bool { return c == '<' || c == '[' || c == "\u25c1"[0] }

// nextReasoning is the next tag of reasoning in a text, and its place; nil for none. A closing
// tag counts too, unless it ends more than reasoning.
func nextReasoning(text string, from int) (*reasoning, int) {
	for i := from; i < len(text); i++ {
		if !startsTag(text[i]) {
			continue
		}
		rest := text[i:]
		if n := slices.IndexFunc(reasonings, func(r reasoning) bool {
			return r.opens(rest) || r.end != "<|end|>" && r.closes(rest)
		}); n >= 0 {
			return &reasonings[n], i
		}
	}
	return nil, -1
}
