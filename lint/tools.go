package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
)

// defined are the tools of all targets: those that are defined and those that
// are active by their name alone, sorted.
func (s *Subject) defined() []string {
	names := map[string]bool{}
	for _, t := range s.Targets {
		for _, tool := range t.Project.Input.Tools {
			names[tool.Name] = true
		}
		for _, name := range t.Project.Input.ActiveTools() {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// wanted are the tools that gates and prompt files ask for, each with a place
// and what asks.
func (s *Subject) wanted(visit func(tool, id string, at cento.Position, target string)) error {
	for _, t := range s.Targets {
		engine, err := pack.NewEngine(cento.Input{Files: t.Project.Input.Files})
		if err != nil {
			return err
		}
		for i := range t.Prompt.Len() {
			f := t.Prompt.Fragment(i)
			for _, name := range slices.Concat(f.RequiresTools, f.RequiresAnyTools) {
				visit(name, f.ID, f.Origin, t.Name)
			}
			if f.When == "" {
				continue
			}
			c, err := engine.Compile(f.When, f.Origin)
			if err != nil {
				return err
			}
			if c, ok := c.(*pack.Condition); ok {
				for _, name := range c.Names("tool") {
					visit(name, f.ID, f.Origin, t.Name)
				}
			}
		}
	}
	for _, f := range s.Files {
		for _, use := range f.Asks("tool") {
			for _, t := range s.Targets {
				visit(use.Name, use.Position.File, use.Position, t.Name)
			}
		}
	}
	return nil
}

func unknownTools(s *Subject, report func(Finding)) error {
	known := s.defined()
	if len(known) == 0 {
		return nil // the tools come from a caller
	}
	return s.wanted(func(tool, id string, at cento.Position, target string) {
		if slices.Contains(known, tool) {
			return
		}
		report(Finding{
			Position: at, ID: id, Message: "asks for the tool " + quoted(tool) + ", which no target defines",
			Hint: nearestHint(tool, known, "the tools are "+strings.Join(known, ", ")), Targets: []string{target},
		})
	})
}

// deadMentions reports words about tools that aren't active.
func deadMentions(s *Subject, report func(Finding)) error {
	known := map[string]bool{}
	for _, name := range s.defined() {
		known[name] = true
	}
	if len(known) == 0 {
		return nil
	}
	if err := s.wanted(func(tool, _ string, _ cento.Position, _ string) { known[tool] = true }); err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(known))
	for _, t := range s.Targets {
		active := t.Project.Input.ActiveTools()
		for _, m := range mentions(t.Prompt, names) {
			if slices.Contains(active, m.tool) {
				continue
			}
			report(Finding{
				Position: m.at, ID: m.id, Message: fmt.Sprintf("tells of the tool %s, which is not active", quoted(m.tool)),
				Hint: "gate the text on the tool with requires_tools, or with tool('" + m.tool + "') in a prompt file", Targets: []string{t.Name},
			})
		}
	}
	return nil
}

// ungatedMentions takes each active tool away in turn, and reports the words
// about it that stay.
func ungatedMentions(s *Subject, report func(Finding)) error {
	for _, t := range s.Targets {
		for _, tool := range t.Project.Input.ActiveTools() {
			if len(mentions(t.Prompt, []string{tool})) == 0 {
				continue
			}
			without, err := t.Project.Reduce(t.Project.Input.WithoutTool(tool))
			if err != nil {
				return err
			}
			for _, m := range mentions(without, []string{tool}) {
				report(Finding{
					Position: m.at, ID: m.id, Message: fmt.Sprintf("tells of the tool %s, and stays when the tool is gone", quoted(tool)),
					Hint: "gate the text on the tool with requires_tools, or with tool('" + tool + "') in a prompt file", Targets: []string{t.Name},
				})
			}
		}
	}
	return nil
}

type mention struct {
	tool, id string
	at       cento.Position
}

// mentions finds the tools that the literal text of a prompt tells of. Project
// instructions speak for themselves, and what came out of a variable follows the
// active set.
func mentions(p *cento.Prompt, tools []string) []mention {
	text, _ := p.System()
	var out []mention
	for _, span := range p.Spans() {
		if span.Kind != cento.BodySpan || span.Var != "" || span.Fragment == cento.InstructionsID || span.Trust == cento.TrustTool {
			continue
		}
		for _, tool := range tools {
			for at := span.Start; ; {
				i := indexMention(text[at:span.End], tool)
				if i < 0 {
					break
				}
				place, _ := span.Locate(text, at+i)
				out = append(out, mention{tool, span.Fragment, place})
				at += i + len(tool)
			}
		}
	}
	return out
}

// indexMention finds a name where a text tells of a tool: between backticks,
// before the word tool or behind it, or, for a name that is no word of a
// language such as read_file, anywhere as a whole.
func indexMention(text, name string) int {
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return -1
		}
		i += at
		before, after := text[:i], text[i+len(name):]
		whole := !partOfName(lastRune(before)) && !partOfName(firstRune(after))
		quoted := strings.HasSuffix(before, "`") && strings.HasPrefix(after, "`")
		if whole && (quoted || !isWord(name) || toolBeside(before, after)) {
			return i
		}
		at = i + len(name)
	}
	return -1
}

// toolBeside reports whether a text calls the name between its halves a tool.
func toolBeside(before, after string) bool {
	if rest, ok := strings.CutPrefix(after, " tool"); ok && !unicode.IsLetter(firstRune(strings.TrimPrefix(rest, "s"))) {
		return true
	}
	return strings.HasSuffix(before, " tool ") || strings.HasSuffix(before, "tool: ")
}

// isWord reports whether a name may be an ordinary word.
func isWord(name string) bool {
	for _, r := range name {
		if !unicode.IsLower(r) {
			return false
		}
	}
	return true
}

func partOfName(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-", r))
}

func lastRune(s string) rune  { r, _ := utf8.DecodeLastRuneInString(s); return r }
func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

// quoted is a name as messages show it.
func quoted(name string) string { return fmt.Sprintf("%q", name) }
