package project

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
)

// commentTexts tells of texts of the manifest that end before a word with a # in front, as in
// "Close issue #12 first": to YAML that and the rest of the line is a comment, and to its
// writer a part of the text. Behind the # of a comment that is one there is a blank. Lines of
// more than 1,000 bytes are left out.
func (r *reader) commentTexts(fragments []cento.Fragment) []cento.Note {
	const (
		most    = 20
		longest = 1000 // bytes of a line that people read: a file of one line isn't gone through for each text of it
	)
	name, _ := r.manifestText()
	var notes []cento.Note
	var lines []string
	for i := range fragments {
		f := &fragments[i]
		if len(f.Runs) == 0 || f.Excluded != nil {
			continue
		}
		last := f.Runs[len(f.Runs)-1]
		if last.Fixed || last.Position.File != name {
			continue
		}
		if lines == nil {
			lines = strings.Split(r.text, "\n")
		}
		at := last.Position.After(f.Body[last.Start:last.End])
		if at.Line > len(lines) || len(lines[at.Line-1]) > longest {
			continue
		}
		word := commentWord(lines[at.Line-1], at.Column)
		if word == "" {
			continue
		}
		notes = append(notes, cento.Note{
			Code: CodeTextComment, Fragment: f.ID, Position: at,
			Message: fmt.Sprintf("the text ends before %.40q, with which a comment begins: put the text between quotes, or in a block after |, to send all of it", word),
		})
		if len(notes) == most {
			break
		}
	}
	return notes
}

// commentWord is the first word of the comment that begins at a column of a line; empty
// without one, and for one with a blank behind the #.
func commentWord(line string, column int) string {
	rest := []rune(line)
	if column < 1 || column > len(rest) {
		return ""
	}
	behind := string(rest[column-1:])
	word := strings.TrimLeft(behind, " \t")
	if word == behind || !strings.HasPrefix(word, "#") {
		return ""
	}
	if end := strings.IndexAny(word, " \t\r"); end >= 0 {
		word = word[:end]
	}
	if strings.Trim(word, "#") == "" {
		return ""
	}
	return word
}
