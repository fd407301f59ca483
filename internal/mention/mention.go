// Package mention tells whether a path that a text mentions is one of a project. It
// doesn't say which words of a text are paths.
//
// [New] takes the folders that a path may be meant from, and [Index.Has] is asked for each.
// The answer is no only where that is sure: what is built, ignored, in a submodule that
// isn't checked out or beyond the bounds of the look may be there. Which words of a text
// are paths is for its caller to say.
package mention

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/ignore"
	"github.com/cento-dev/cento/internal/profile"
	"github.com/cento-dev/cento/internal/tree"
)

// Index knows the paths of a project. A text may name a file from the folder that it is
// about, such as `src/index.ts` of one package of several, and tell of what comes to be
// when the project is built. The names are read when the first is needed.
type Index struct {
	disk    disk.Disk
	root    string
	folders []string // from which a path may be meant

	walked bool
	whole  bool                     // every entry was seen
	byName map[string][]string      // entries by the last part of their path
	absent []string                 // folders of submodules that aren't checked out
	ignore map[string]*ignore.Rules // by the folder that was looked at
	effort ignore.Effort
}

// New is the index of the project at root. Paths are looked for in the folders of the run
// and of the manifest too, which are cwd and base.
func New(on disk.Disk, root, cwd, base string) *Index {
	return &Index{disk: on, root: root, folders: []string{root, cwd, base}, byName: map[string][]string{}, ignore: map[string]*ignore.Rules{}, effort: ignore.Effort{Left: ignore.MaxEffort}}
}

// built reports whether a folder may hold what comes to be when the project is built
// or run, whether or not the project says so.
func built(name string) bool {
	switch name {
	case "dist", "build", "_build", "out", "bin", "obj", "deps", "tmp", "temp", "logs", ".git", ".idea", ".vscode":
		return true
	}
	return ignore.Made(name)
}

// written reports whether people write what lies in a hidden folder of this name. In
// other hidden folders tools keep what they need, and make them when they run.
func written(name string) bool {
	switch name {
	case ".github", ".gitlab", ".gitea", ".forgejo", ".circleci", ".buildkite", ".azure", ".husky", ".changeset", ".devcontainer", ".mvn", ".cargo", ".config", ".storybook",
		".vitepress", ".docs", ".cento", ".agents", ".agent", ".claude", ".codex", ".cursor", ".gemini", ".kiro", ".opencode", ".roo", ".windsurf", ".clinerules":
		return true
	}
	return false
}

// madeByTools reports whether a path of several components, or a folder, stands in a
// hidden folder that a tool makes and that isn't there at all yet.
func (p *Index) madeByTools(mentioned string, parts []string) bool {
	first := parts[0]
	if len(first) < 2 || first[0] != '.' || len(parts) == 1 && !strings.HasSuffix(mentioned, "/") || written(first) {
		return false
	}
	return len(p.byName[first]) == 0
}

// inSubmodule reports whether a path is that of a submodule which isn't checked out, or
// stands in one.
func (p *Index) inSubmodule(clean string) bool {
	for _, folder := range p.absent {
		if clean == folder || strings.HasPrefix(clean, folder+"/") {
			return true
		}
	}
	return false
}

// Has reports whether the path is there, or may be once the project is checked out
// whole, built or run. The names of files alone are asked for; nothing is opened but
// .gitignore and .gitmodules.
func (p *Index) Has(mentioned string) bool {
	for _, f := range p.folders {
		if _, err := p.disk.Lstat(filepath.Join(f, filepath.FromSlash(mentioned))); err == nil {
			return true
		}
	}
	clean := strings.TrimPrefix(path.Clean(mentioned), "./")
	parts := strings.Split(clean, "/")
	for _, part := range parts {
		if built(part) {
			return true
		}
	}
	p.walk()
	if !p.whole {
		return true // it may be further down
	}
	if p.inSubmodule(clean) || p.madeByTools(mentioned, parts) {
		return true
	}
	rules := p.ignore["."]
	for i := range parts {
		dir := path.Join(parts[:i]...)
		if dir == "" {
			dir = "."
		}
		if own, ok := p.ignore[dir]; ok {
			rules = own
		}
		if rules.Ignored(dir, parts[i], i < len(parts)-1 || strings.HasSuffix(mentioned, "/"), &p.effort) || p.effort.Left < 0 {
			return true
		}
	}
	for _, full := range p.named(clean) {
		if full == clean || strings.HasSuffix(full, "/"+clean) {
			return true
		}
	}
	return false
}

// named are the entries that may be meant: those of the name, and the sources of
// a module that is named by what it is compiled to.
func (p *Index) named(clean string) []string {
	name := path.Base(clean)
	out := p.byName[name]
	if stem, ok := strings.CutSuffix(clean, ".js"); ok {
		for _, ext := range []string{".ts", ".tsx", ".jsx"} {
			for _, full := range p.byName[path.Base(stem)+ext] {
				out = append(out[:len(out):len(out)], strings.TrimSuffix(full, ext)+".js")
			}
		}
	}
	return out
}

const (
	// maxWalked is how many entries of a project are looked at.
	maxWalked = 50_000
	// maxWalkDepth is how deep.
	maxWalkDepth = 16
)

// walk looks at the names of a project once, outside of ignored folders.
func (p *Index) walk() {
	if p.walked {
		return
	}
	p.walked, p.whole = true, true
	t, err := tree.OpenOn(p.disk, p.root, tree.Options{})
	if err != nil {
		p.whole = false
		return
	}
	defer t.Close()
	left := maxWalked
	var in func(dir string, rules *ignore.Rules, depth int)
	in = func(dir string, rules *ignore.Rules, depth int) {
		if f, err := t.Read(path.Join(dir, ".gitignore")); err == nil {
			rules = ignore.Parse(dir, f.Text, rules)
		}
		p.ignore[dir] = rules
		entries, err := t.ReadDir(dir, left)
		if err != nil || depth > maxWalkDepth {
			p.whole = false
			return
		}
		left -= len(entries)
		for _, e := range entries {
			full := path.Join(dir, e.Name)
			p.byName[e.Name] = append(p.byName[e.Name], full)
			if e.Mode.IsDir() && !built(e.Name) && !rules.Ignored(dir, e.Name, true, &p.effort) {
				in(full, rules, depth+1)
			}
		}
	}
	in(".", nil, 0)
	if f, err := t.Read(".gitmodules"); err == nil {
		for _, folder := range profile.Submodules(f.Text) {
			if entries, err := t.ReadDir(folder, maxWalked); err != nil || len(entries) == 0 {
				p.absent = append(p.absent, folder)
			}
		}
	}
	if p.effort.Left < 0 {
		p.whole = false
	}
}
