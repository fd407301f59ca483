package workspace

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

// Files whose names people take for those of files that are read: in other letter
// case, or of the same characters in other bytes.

const (
	// maxListed bounds how many names of all folders together are looked through,
	// maxListedFolder those of one folder.
	maxListed       = 50_000
	maxListedFolder = 10_000
	// maxOtherCase is how many files are recorded for one name.
	maxOtherCase = 8
)

// listing is what a folder holds, by how the names read. Links to folders aside,
// folders are not in it.
type listing struct {
	lower  map[string][]string // in lower case
	normal map[string][]string // in NFC
}

// listing lists a folder once, however many names are looked for in it. It is nil
// where that can't be done, for the size of the folder or for permission.
func (l *loader) listing(dir string) *listing {
	if known, ok := l.listings[dir]; ok {
		return known
	}
	l.listings[dir] = nil
	entries, err := tree.ListPath(l.disk, filepath.FromSlash(dir), min(l.listable, maxListedFolder))
	if err != nil {
		return nil
	}
	l.listable -= len(entries)
	out := &listing{lower: map[string][]string{}, normal: map[string][]string{}}
	for _, e := range entries {
		if e.Mode&fs.ModeType&^fs.ModeSymlink != 0 || tree.CheckName(e.Name) != nil {
			continue
		}
		lower, normal := strings.ToLower(e.Name), norm.NFC.String(e.Name)
		out.lower[lower] = append(out.lower[lower], e.Name)
		out.normal[normal] = append(out.normal[normal], e.Name)
	}
	l.listings[dir] = out
	return out
}

// alike are the names of other files in the folder of name which read like it, by
// the table that pick gives, sorted; other names of the same file aside.
func (l *loader) alike(g *ground, name string, pick func(*listing, string) []string) []string {
	dir, base := path.Split(g.absolute(name))
	list := l.listing(path.Clean(dir))
	if list == nil {
		return nil
	}
	names := pick(list, base)
	if len(names) == 0 || len(names) == 1 && names[0] == base {
		return nil
	}
	// A folder on the way may be a link out of the tree, of which nothing is told.
	if _, err := g.tree.Stat(path.Dir(name)); err != nil {
		return nil
	}
	own, ownErr := l.disk.Lstat(filepath.FromSlash(g.absolute(name)))
	var out []string
	for _, n := range names {
		info, err := l.disk.Lstat(filepath.FromSlash(path.Join(dir, n)))
		if n == base || err != nil || ownErr == nil && disk.SameFile(own, info) {
			continue
		}
		out = append(out, path.Join(path.Dir(name), n))
	}
	return out
}

const agentsFile = "AGENTS.md"

// agentsMisnamed are other names that people give to it, in lower case.
var agentsMisnamed = []string{"agent.md", "agents.markdown", "agents.txt"}

// noteOtherCase records files that people may take for an instruction file. They
// are worth a note where the right name would be read.
func (l *loader) noteOtherCase(pl *place, c candidate, open bool) {
	if c.rule || path.Base(c.name) == "agents.md" { // AGENTS.md has the notes
		return
	}
	others := l.alike(c.ground, c.name, func(list *listing, base string) []string {
		out := slices.Clone(list.lower[strings.ToLower(base)])
		if base == agentsFile && open && !slices.Contains(out, base) {
			for _, name := range agentsMisnamed {
				out = append(out, list.lower[name]...)
			}
			slices.Sort(out)
		}
		return out
	})
	for i, other := range others {
		if i == maxOtherCase {
			break
		}
		if slices.ContainsFunc(pl.files, func(c candidate) bool { return c.name == other }) {
			continue // these rules read it by its own name
		}
		p := &part{file: File{Path: c.tree.Show(other), Trust: c.trust}, user: pl.user}
		page := path.Base(other) == strings.ToLower(path.Base(c.name)) && path.Base(c.name) != agentsFile && c.tree.Show(path.Dir(other)) != "."
		switch {
		case page:
			p.ignore(InstructionsCase, "a page, or named in other letter case than %q", path.Base(c.name))
		case strings.EqualFold(path.Base(other), path.Base(c.name)):
			p.ignore(InstructionsCase, "the name is %q, and letter case counts", path.Base(c.name))
		default:
			p.ignore(InstructionsCase, "the name is %q", path.Base(c.name))
		}
		if i == maxOtherCase-1 && len(others) > maxOtherCase {
			p.file.Reason += fmt.Sprintf("; %d more files are named so", len(others)-maxOtherCase)
		}
		if open && c.instead == "" && !page {
			p.note(InstructionsCase, "not used: "+p.file.Reason)
		}
		pl.parts = append(pl.parts, p)
	}
}

// noteTwin tells of a file that is read beside another whose name reads the same.
func (p *part) noteTwin(twin string) {
	if twin != "" {
		p.note(InstructionsTwin, fmt.Sprintf("the name reads like that of %q, which is another file: the bytes differ (%+q, %+q)", twin, path.Base(p.file.Path), path.Base(twin)))
	}
}

// noteTwinOf tells of a file that is imported although another one has a name that
// reads the same: nobody sees which of the two a text names.
func (x *expansion) noteTwinOf(name string, at cento.Position) {
	others := x.alike(x.ground, name, func(list *listing, base string) []string { return list.normal[norm.NFC.String(base)] })
	if len(others) > 0 {
		x.part.noteAt(InstructionsTwin, fmt.Sprintf("the name of the import reads like that of another file: the bytes differ (%+q, %+q)", path.Base(name), path.Base(others[0])), at)
	}
}
