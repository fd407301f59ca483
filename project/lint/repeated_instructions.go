package lint

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
)

// sayingTwice reports headings and commands of which two instruction files tell. What
// they tell isn't compared: it may well be the same, or one for each of two folders.
func sayingTwice(_ *subject, t *target, report func(Finding)) error {
	text := t.project.Input.Instructions
	if text == nil {
		return nil
	}
	files := map[string]bool{} // other places are of words that the program puts around them
	for _, f := range t.project.Instructions.Files {
		files[f.Path] = true
	}
	first := map[string]cento.Position{}
	told := map[string]bool{}
	cursor := cento.NewCursor(text.Body, text.Runs)
	tell := func(kind, name string, offset int) {
		at := cursor.At(offset)
		key := kind + " " + strings.ToLower(name)
		before, there := first[key]
		switch {
		case !files[at.File]:
		case !there:
			first[key] = at
		case before.File != at.File && !told[key+"\x00"+at.File]:
			told[key+"\x00"+at.File] = true
			report(Finding{
				Position: at, ID: cento.InstructionsID,
				Message: fmt.Sprintf("the %s %s stands in another instruction file, too, at %s", kind, quoted(name), before),
				Hint:    "see that they agree: the model reads both",
			})
		}
	}
	fence := ""
	shell := false
	for offset, rest := 0, text.Body; rest != ""; {
		line, _, _ := strings.Cut(rest, "\n")
		next := min(len(line)+1, len(rest))
		bare := strings.TrimSpace(line)
		indent := strings.Index(line, bare)
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			} else if word := commandWord(strings.TrimPrefix(bare, "$ ")); shell && word != "" {
				tell("command", word, offset+indent+strings.Index(bare, word))
			}
		case strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~"):
			language := strings.TrimLeft(bare, bare[:1])
			fence = bare[:len(bare)-len(language)]
			shell = isShell(strings.TrimSpace(language))
		case strings.HasPrefix(bare, "#"):
			if name := strings.TrimSpace(strings.Trim(bare, "#")); name != "" && strings.HasPrefix(strings.TrimLeft(bare, "#"), " ") {
				tell("heading", name, offset+indent)
			}
		default:
			for at := 0; ; {
				start, end := codeSpan(line[at:])
				if end < 0 {
					break
				}
				if code := line[at+start : at+end]; strings.Contains(strings.TrimSpace(code), " ") {
					if word := commandWord(strings.TrimSpace(code)); word != "" {
						tell("command", word, offset+at+start)
					}
				}
				at += end + 1
			}
		}
		offset += next
		rest = rest[next:]
	}
	return nil
}

func isShell(language string) bool {
	switch language {
	case "sh", "bash", "shell", "console", "zsh":
		return true
	}
	return false
}

// commandWord is the name of the program that a command line runs; empty for what is
// none.
func commandWord(line string) string {
	word, _, _ := strings.Cut(line, " ")
	for i := range len(word) {
		c := word[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' && i > 0 || c == '_' {
			continue
		}
		return ""
	}
	return word
}
