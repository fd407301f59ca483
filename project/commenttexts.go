package project

import (
	"fmt"
	"strings"

	"github.com/cento-dev/cento"
)

// commentTexts tells of texts of the manifest that end before a word with a # in front, as in
// "Close issue #12 first": to YAML that and the rest of the line is a comment, and to its
// writer a part of the text. Behind the # of a comment that is one there is a blank.
func (r *reader) commentTexts(fragments []cento.Fragment) []cento.Note {
	const most = 20
	name, _ := r.manifestText()
	var notes []cento.Note
	var lines []string
	characters := map[int][]rune{} // of lines, since all texts may stand on one
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
		if at.Line > len(lines) {
			continue
		}
		line, ok := characters[at.Line]
		if !ok {
			if text := lines[at.Line-1]; strings.Contains(text, "#") {
				line = []rune(text)
			}
			characters[at.Line] = line
		}
		word := commentWord(line, at.Column)
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
func commentWord(line []rune, column int) string {
	begin := column - 1
	for begin >= 0 && begin < len(line) && (line[begin] == ' ' || line[begin] == '\t') {
		begin++
	}
	if begin < column || begin >= len(line) || line[begin] != '#' {
		return ""
	}
	end := begin
	for end < len(line) && !strings.ContainsRune(" \t\r", line[end]) {
		end++
	}
	word := string(line[begin:end])
	if strings.Trim(word, "#") == "" {
		return ""
	}
	return word
}
