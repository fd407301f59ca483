package provenance

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/history"
	"github.com/cento-dev/cento/internal/tree"
)

// Commit is the commit that wrote a line.
type Commit struct {
	ID      string `json:"id"`
	Author  string `json:"author"`
	Summary string `json:"summary"`
	Time    string `json:"time"` // RFC 3339; empty when unknown
}

// addCommits tells for each match in which file it is, where the value of its variable is
// set, and which commit wrote its line, asking once per file. A line whose history can't
// be had gets the reason in words.
func (p Texts) addCommits(ctx context.Context, matches []Match) error {
	files := map[string][]int{} // indexes of matches by file
	var order []string
	values := p.setter(p.project.Input)
	for i := range matches {
		if at := matches[i].Origin; at != nil {
			matches[i].Path = p.project.PromptPath(at.File)
		}
		if set := values.of(matches[i].Var, matches[i].Origin); set != nil {
			if matches[i].History = set.none; set.none != "" {
				continue
			}
			matches[i].SetAt = set.place(matches[i].within)
		}
		at := matches[i].written()
		if at == nil || at.Line == 0 {
			continue
		}
		if _, seen := files[at.File]; !seen {
			order = append(order, at.File)
		}
		files[at.File] = append(files[at.File], i)
	}
	if p.forTest {
		return nil
	}
	repositories := history.Repositories{At: p.commit()}
	defer repositories.Close()
	for _, file := range order {
		path, ok := p.project.Path(file)
		if !ok {
			continue // built in, or handed over: no file on this disk
		}
		if slices.Contains(strings.Split(file, "/"), ".git") {
			for _, i := range files[file] {
				matches[i].History = "a file of git's own, which no commit holds"
			}
			continue
		}
		if err := p.addFileCommits(ctx, &repositories, path, matches, files[file]); err != nil {
			return err
		}
	}
	return nil
}

// commit is the one whose files the project was read from; empty for the work tree.
func (p Texts) commit() string {
	dir := p.project.Root.Dir
	if dir == "" {
		return ""
	}
	place, err := p.project.Disk().Locate(dir)
	if err != nil {
		return ""
	}
	if files, ok := place.Files().(*history.Files); ok {
		return files.Commit()
	}
	return ""
}

// written is the line that somebody wrote for the text: the value's for that of a
// variable, since who wrote the template didn't write it.
func (m *Match) written() *cento.Position {
	if m.SetAt != nil {
		return m.SetAt
	}
	return m.Origin
}

func (p Texts) addFileCommits(ctx context.Context, from *history.Repositories, path string, matches []Match, asked []int) error {
	on := p.project.Disk()
	if place, err := on.Locate(path); err == nil && place.Files() != nil && from.At == "" {
		for _, i := range asked { // it came with a request
			matches[i].History = (&history.UnavailableError{Reason: history.NoRepository}).Message()
		}
		return nil
	}
	f, err := tree.ReadWithin(on, p.project.FilesRoot(), path, tree.Options{Limit: p.project.Input.Limits.Or(cento.DefaultLimits()).File})
	if err != nil {
		for _, i := range asked {
			matches[i].History = "the file can't be read any more"
		}
		return nil
	}
	var lines []int
	for _, i := range asked {
		lines = append(lines, matches[i].written().Line)
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	answers, err := from.Lines(ctx, path, f.Raw(), lines)
	if err != nil {
		return err
	}
	byLine := make(map[int]history.Line, len(answers))
	for _, a := range answers {
		byLine[a.Number] = a
	}
	for _, i := range asked {
		a := byLine[matches[i].written().Line]
		if a.State == history.Committed {
			c := &Commit{ID: a.Commit, Author: a.Author, Summary: a.Summary}
			if !a.Time.IsZero() {
				c.Time = a.Time.Format(time.RFC3339)
			}
			matches[i].Commit = c
			continue
		}
		matches[i].History = a.Note
	}
	return nil
}
