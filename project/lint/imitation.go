package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/confusable"
	"github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/internal/unitab"
)

// confusableNames reports names of tools, variables and skills that read like
// another of their kind, and those that are written in several scripts.
func confusableNames(s *subject, t *target, report func(Finding)) error {
	tools := map[string]cento.Position{}
	for _, tool := range t.project.Input.Tools {
		tools[tool.Name] = tool.Origin
	}
	for _, name := range t.project.Input.ActiveTools() {
		if _, there := tools[name]; !there {
			tools[name] = cento.Position{File: t.project.Show(t.project.ManifestPath)}
		}
	}
	skills := map[string]cento.Position{}
	for _, skill := range t.project.Input.Files.Skills {
		skills[skill.Name.Body] = skill.Name.Locate(0)
	}
	for _, kind := range []struct {
		what  string
		names map[string]cento.Position
	}{{"tool", tools}, {"variable", s.variables}, {"skill", skills}} {
		first := map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(kind.names)) {
			at := kind.names[name]
			if scripts := confusable.Scripts(name); len(scripts) > 1 {
				report(Finding{
					Position: at, Message: fmt.Sprintf("the name of the %s %s is written in %s", kind.what, shown(name), strings.Join(scripts, " and ")),
					Hint: "take letters of one script: those of another look the same and are not",
				})
			}
			skeleton := confusable.Skeleton(name)
			other, there := first[skeleton]
			if !there {
				first[skeleton] = name
				continue
			}
			message := fmt.Sprintf("the %s %s reads like the %s %s", kind.what, shown(name), kind.what, shown(other))
			if where := kind.names[other]; !where.IsZero() {
				message += ", at " + where.String()
			}
			report(Finding{Position: at, Message: message, Hint: "rename one of them, unless it is there to be taken for the other: then take it out"})
		}
	}
	return nil
}

// shown is a name as people can tell it from another: with the code points of what
// isn't ASCII.
func shown(name string) string {
	return quoted(unitab.SpellOut(name, func(r rune) bool { return r >= utf8.RuneSelf }))
}

// instructions are how the words of a tool address the model beside saying what
// the tool does: frames and orders, as attacks on clients of MCP were published.
var instructions = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, s := range []string{
		// <IMPORTANT>, <system>, [INSTRUCTIONS] …
		`(?i)<\s*/?\s*(?:important|system|instructions?|critical|urgent|secret|hidden|admin|assistant|developer|sidenote|directives?)\b[^<>\n]{0,80}>`,
		`(?i)\[\s*/?\s*(?:important|system|instructions?|critical|urgent|hidden|admin)\s*\]`,
		`(?i)\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+)?(?:previous|prior|above|earlier|other|existing)\s+(?:instructions?|prompts?|rules|guidelines|messages)\b`,
		`(?i)\b(?:do\s+not|don['’]?t|never)\s+(?:ever\s+)?(?:tell|mention|inform|reveal|show|notify|disclose|alert)\b[^.\n]{0,80}\buser\b`,
		`(?i)\bbefore\s+(?:using|calling|invoking)\s+(?:this|any|other|another|the)\b[^.\n]{0,60}\b(?:read|call|send|include|pass|fetch)\b`,
		`(?i)\b(?:you\s+are\s+now|new\s+instructions?\s*:|your\s+(?:real|true)\s+(?:task|instructions?))`,
		`(?i)(?:\bid_rsa\b|~/\.ssh\b|/etc/(?:passwd|shadow)\b|\.aws/credentials\b|\.cursor/mcp\.json\b)`,
	} {
		out = append(out, regexp.MustCompile(s))
	}
	return out
})

// instructingTools reports tools whose words address the model.
func instructingTools(_ *subject, t *target, report func(Finding)) error {
	tools := t.project.Input.Tools
	for i := range tools {
		tool := &tools[i]
		for k, part := range append([]toolWords{{"description", tool.Description}}, schemaWords(tool.Parameters)...) {
			for _, re := range instructions() {
				if at := re.FindStringIndex(part.text); at != nil {
					place := tool.Origin
					if k == 0 {
						place = descriptionPlace(tool, at[0])
					}
					report(Finding{
						Position: place, ID: "tool:" + tool.Name,
						Message: fmt.Sprintf("the %s of the tool %s speaks to the model: %s", part.what, quoted(tool.Name), quoted(clipped(part.text[at[0]:at[1]]))),
						Hint:    "read what the tool says of itself; leave it out unless you trust who wrote it",
					})
					break
				}
			}
		}
	}
	return nil
}

// descriptionPlace is where a byte of the description of a tool stands.
func descriptionPlace(t *cento.Tool, offset int) cento.Position {
	for _, span := range t.AppendDescriptionSpans(nil) {
		if at, ok := span.Locate(t.Description, offset); ok && offset < span.End {
			return at
		}
	}
	return t.Origin
}

// toolWords is one text of a tool's definition.
type toolWords struct{ what, text string }

// schemaWords are the texts in a schema: a model reads its names and descriptions
// as it does the description of the tool.
func schemaWords(schema json.RawMessage) []toolWords {
	var out []toolWords
	d := json.NewDecoder(bytes.NewReader(schema))
	for {
		token, err := d.Token()
		if err != nil {
			return out
		}
		if text, ok := token.(string); ok && len(text) > len("<system>")-1 {
			out = append(out, toolWords{"schema", text})
		}
	}
}

func clipped(s string) string { return quote.ClipRunes(s, 60) }
