package project

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/profile"
	"github.com/cento-dev/cento/workspace"
)

// taskWords are the words by which commands name a task.
var taskWords = map[string][]string{
	"test": {"test", "tests"}, "lint": {"lint"}, "build": {"build"}, "format": {"format", "fmt"},
}

// codeSpan is a code span of Markdown on one line.
var codeSpan = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`([^`\n]+)`") })

// agreed leaves out the sentences of a profile on commands that tools run by convention,
// where the project's instructions name another command for the task and not this one. The
// notes say which.
func (b *basis) agreed(fragments []cento.Fragment, in *workspace.Instructions) ([]cento.Fragment, []cento.Note) {
	if !b.auto || b.looked == nil || in == nil || in.Text == nil {
		return fragments, nil
	}
	var notes []cento.Note
	for _, s := range b.looked.Signals {
		if s.Kind != profile.Task || !s.Usual {
			continue
		}
		at, other := otherCommand(in.Text.Body, s.Name, s.Command)
		if other == "" {
			continue
		}
		id := manifest.ProfileSource + ":" + s.Capability()
		left := slices.DeleteFunc(slices.Clone(fragments), func(f cento.Fragment) bool { return f.ID == id })
		if len(left) == len(fragments) {
			continue
		}
		fragments = left
		notes = append(notes, cento.Note{
			Code: ProfileContradicted, Position: in.Text.Locate(at),
			Message: fmt.Sprintf("the instructions name %s, so the profile doesn't say that the %s command is %s by convention", strconv.Quote(other), s.Name, strconv.Quote(s.Command)),
		})
	}
	return fragments, notes
}

// otherCommand is the first command that a text names for a task in a code span, and where
// that is; none where the text names the given one.
func otherCommand(text, task, command string) (at int, other string) {
	program := strings.Join(strings.Fields(command)[:min(2, len(strings.Fields(command)))], " ")
	if strings.Contains(text, program) {
		return 0, ""
	}
	for _, m := range codeSpan().FindAllStringSubmatchIndex(text, -1) {
		if span := text[m[2]:m[3]]; runsTask(span, task) {
			return m[2], span
		}
	}
	return 0, ""
}

// runsTask reports whether a code span is a command for a task: a program with the word of
// the task behind it, or a script of that name.
func runsTask(span, task string) bool {
	words := strings.Fields(span)
	for i, w := range words {
		if strings.HasPrefix(w, "-") || strings.ContainsAny(w, "()=<>") {
			return false
		}
		name, _, _ := strings.Cut(w, ":")
		ending := path.Ext(name)
		script := strings.Contains(name, "/") && (slices.Contains([]string{".js", ".mjs", ".ts", ".py", ".rb", ".sh", ".pl"}, ending) || ending == "" && strings.HasPrefix(name, "./"))
		if script {
			name = strings.TrimSuffix(path.Base(name), ending)
		}
		if slices.Contains(taskWords[task], name) && (i > 0 || script) {
			return true
		}
		if i == 3 {
			break
		}
	}
	return false
}
