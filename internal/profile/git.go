package profile

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// The remotes of a repository stand in its configuration, which is read as a
// file. Git itself is never asked: what a repository configures can be a program
// to run.
//
// The folder that a .git file leads to lies outside of the project, in the main
// work tree or in that of the repository above, and a stranger's .git file could
// lead anywhere. So it is believed only if the folder says the same: it has to
// name this work tree in turn, as git writes it there.

// git finds the repository of the project, and its remotes.
func (w *walk) git(root string, top *folder) {
	f := w.finder
	if isBare(top) {
		f.add(Signal{Kind: Git, Origin: top.at("config")})
		w.remotes(w.tree, "config")
		return
	}
	e, ok := top.entry(".git")
	switch {
	case !ok:
		return
	case e.Mode.IsDir() || w.linksToFolder(".git"):
		at := cento.Position{File: w.tree.Show(".git")}
		if info, err := w.tree.Lstat(".git/config"); err == nil && info.Mode().IsRegular() {
			at = fileStart(w.tree.Show(".git/config"))
		}
		f.add(Signal{Kind: Git, Origin: at})
		w.remotes(w.tree, ".git/config")
	case e.Mode.IsRegular():
		f.add(Signal{Kind: Git, Origin: top.at(".git")})
		text, ok := top.read(".git")
		if !ok || w.noRemotes {
			return
		}
		if err := w.linked(root, text); err != nil {
			f.note(UnnamedRemote, top.at(".git"), "the remotes of the repository aren't known: "+err.Error())
		}
	default:
		f.add(Signal{Kind: Git, Origin: top.at(".git")})
		f.note(UnnamedRemote, top.at(".git"), "the remotes of the repository aren't known: .git is a link that leads out of the project")
	}
}

// linksToFolder reports whether a link leads to a folder inside the project.
func (w *walk) linksToFolder(name string) bool {
	info, err := w.tree.Stat(name)
	return err == nil && info.IsDir()
}

// isBare reports whether a folder is a repository without a work tree.
func isBare(d *folder) bool {
	for _, name := range []string{"objects", "refs"} {
		if e, ok := d.entry(name); !ok || !e.Mode.IsDir() {
			return false
		}
	}
	for _, name := range []string{"HEAD", "config"} {
		if e, ok := d.entry(name); !ok || !e.Mode.IsRegular() {
			return false
		}
	}
	return true
}

// linked reads the remotes that a .git file leads to.
func (w *walk) linked(root, text string) error {
	target, ok := strings.CutPrefix(text, "gitdir:")
	target = strings.TrimSpace(target)
	if !ok || target == "" || !showable(strings.NewReplacer("/", "", `\`, "").Replace(target)) {
		return errors.New("the .git file doesn't name a folder")
	}
	dir, err := pointed(root, target)
	if err != nil {
		return err
	}
	t, err := tree.OpenOn(w.machine, dir, tree.Options{Limit: maxFile})
	if err != nil {
		return errors.New("the folder that the .git file names can't be read")
	}
	defer t.Close()
	// A linked work tree has a folder of its own, and its configuration is that
	// of the repository.
	if back, err := t.Read("gitdir"); err == nil {
		if !w.samePlace(dir, strings.TrimSpace(back.Text), filepath.Join(root, ".git")) {
			return errors.New("the folder that the .git file names belongs to another work tree")
		}
		common, err := t.Read("commondir")
		if err != nil {
			return errors.New("the folder that the .git file names doesn't say whose work tree it is")
		}
		shared, err := pointed(dir, strings.TrimSpace(common.Text))
		if err != nil {
			return err
		}
		if !within(shared, dir) {
			return errors.New("the folder that the .git file names belongs to no repository above it")
		}
		c, err := tree.OpenOn(w.machine, shared, tree.Options{Limit: maxFile})
		if err != nil {
			return errors.New("the repository of the work tree can't be read")
		}
		defer c.Close()
		w.remotesOf(c, "config", w.tree.Show(".git"))
		return nil
	}
	// A submodule's configuration names its work tree.
	config, err := t.Read("config")
	if err != nil {
		return errors.New("the folder that the .git file names has no configuration")
	}
	worktree := ""
	for _, e := range parseGitConfig(config.Text) {
		if e.section == "core" && e.key == "worktree" {
			worktree = e.value
		}
	}
	if worktree == "" || !w.samePlace(dir, worktree, root) {
		return errors.New("the folder that the .git file names belongs to another work tree")
	}
	w.remotesOf(t, "config", w.tree.Show(".git"))
	return nil
}

// pointed is the folder that a pointer file names.
func pointed(base, target string) (string, error) {
	if len(target) > 1 && strings.ContainsRune(`/\`, rune(target[0])) && strings.ContainsRune(`/\`, rune(target[1])) {
		return "", errors.New("the .git file leads to another machine")
	}
	target = filepath.FromSlash(target)
	if !filepath.IsAbs(target) {
		target = filepath.Join(base, target)
	}
	return filepath.Clean(target), nil
}

// samePlace reports whether a path, which may be relative to base, is that of
// want, links aside.
func (w *walk) samePlace(base, name, want string) bool {
	got, err := pointed(base, name)
	if err != nil {
		return false
	}
	if got == filepath.Clean(want) {
		return true
	}
	a, errA := w.machine.Real(got)
	b, errB := w.machine.Real(want)
	return errA == nil && errB == nil && a == b
}

func within(top, dir string) bool {
	rel, err := filepath.Rel(top, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (w *walk) remotes(t *tree.Tree, name string) { w.remotesOf(t, name, "") }

// remotesOf adds what a configuration says of remotes. shown is the file that
// people know instead, for one that isn't the project's.
func (w *walk) remotesOf(t *tree.Tree, name, shown string) {
	if w.noRemotes {
		return
	}
	file, err := t.Read(name)
	if err != nil {
		if !errors.Is(err, tree.NotFound) {
			w.unreadable(path.Dir(name), err)
		}
		return
	}
	place := func(line int) cento.Position {
		if shown != "" {
			return fileStart(shown)
		}
		return cento.Position{File: t.Show(name), Line: line, Column: 1}
	}
	git := w.finder.signals[prefixes[Git]]
	seen := map[string]bool{}
	dropped := 0
	var first cento.Position
	entries := parseGitConfig(file.Text)
	slices.SortStableFunc(entries, func(a, b gitEntry) int { return strings.Compare(a.subsection, b.subsection) })
	for _, e := range entries {
		if e.section != "remote" || e.key != "url" {
			continue
		}
		if len(git.Remotes) == maxRemotes {
			dropped++
			continue
		}
		remote, host, ok := parseRemote(e.value)
		switch {
		case !ok && dropped == 0:
			first = place(e.line)
			dropped++
		case !ok:
			dropped++
		case !seen[remote]:
			seen[remote] = true
			if len(git.Remotes) == 0 {
				git.Origin = place(e.line)
			}
			git.Remotes = append(git.Remotes, remote)
			w.finder.add(Signal{Kind: GitHost, Name: forge(host), Origin: place(e.line)})
		}
	}
	w.finder.signals[prefixes[Git]] = git
	if dropped > 0 {
		if first.IsZero() {
			first = place(1)
		}
		w.finder.note(UnnamedRemote, first, fmt.Sprintf("left out of the project's profile: %d of the remotes, whose addresses are local or aren't plainly a host and a path", dropped))
	}
}

// maxRemotes is how many remotes are named.
const maxRemotes = 16

// gitEntry is one variable of a configuration of git.
type gitEntry struct {
	section, subsection, key, value string
	line                            int
}

// parseGitConfig reads the variables of a configuration, and nothing that it
// includes. What it doesn't understand it passes over: of a file that git would
// refuse, the rest still tells.
func parseGitConfig(text string) []gitEntry {
	var out []gitEntry
	section, subsection := "", ""
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines) && len(out) < maxGitEntries; i++ {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, "[") {
			var ok bool
			if section, subsection, line, ok = gitSection(line); !ok {
				section, subsection = "", ""
				continue
			}
			line = strings.TrimSpace(line)
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		at := i + 1
		parsed, more := gitValue(value)
		for more && i+1 < len(lines) {
			i++
			var next string
			if next, more = gitValue(lines[i]); len(parsed) <= maxRemote {
				parsed += next
			}
		}
		out = append(out, gitEntry{section, subsection, strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(parsed), at})
	}
	return out
}

// maxGitEntries bounds the variables of a configuration.
const maxGitEntries = 10_000

// gitSection reads `[section "subsection"]` and gives what stands behind it.
func gitSection(line string) (section, subsection, rest string, ok bool) {
	name, after, found := strings.Cut(line[1:], `"`)
	end := strings.IndexByte(line, ']')
	if !found || end >= 0 && end <= len(name) {
		if end < 0 {
			return "", "", "", false
		}
		section, subsection, _ = strings.Cut(line[1:end], ".")
		return strings.ToLower(strings.TrimSpace(section)), strings.ToLower(subsection), line[end+1:], true
	}
	var b strings.Builder
	for i := 0; i < len(after); i++ {
		switch c := after[i]; {
		case c == '\\' && i+1 < len(after):
			i++
			b.WriteByte(after[i])
		case c == '"':
			rest = strings.TrimSpace(after[i+1:])
			if !strings.HasPrefix(rest, "]") {
				return "", "", "", false
			}
			return strings.ToLower(strings.TrimSpace(name)), b.String(), rest[1:], true
		default:
			b.WriteByte(c)
		}
	}
	return "", "", "", false
}

// gitValue reads a value: quotes, escapes, comments. more says that it goes on
// in the next line.
func gitValue(s string) (value string, more bool) {
	var b strings.Builder
	quoted := false
	s = strings.TrimLeft(s, " \t")
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 == len(s):
			return b.String(), true
		case c == '\\':
			i++
			switch s[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'b':
				b.WriteByte('\b')
			default:
				b.WriteByte(s[i])
			}
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimRight(b.String(), " \t"), false
		default:
			b.WriteByte(c)
		}
	}
	if !quoted {
		return strings.TrimRight(b.String(), " \t"), false
	}
	return b.String(), false
}
