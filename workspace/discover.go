package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

// ground is an open folder that files are read from.
type ground struct {
	disk  disk.Disk
	tree  *tree.Tree
	base  string // its absolute path
	trust cento.Trust
	// confine is the folder in the tree that imports may not leave; empty: that
	// of the file which names them.
	confine string
	home    bool // it is the home folder

	folders map[string]string // real names of folders, see [ground.real]
}

// absolute is the path of a name in the tree.
func (g *ground) absolute(name string) string {
	return strings.TrimSuffix(g.base, "/") + "/" + name
}

// real is [tree.Tree.Real], with what is known of folders kept: on a path of a
// thousand folders each file would ask about all of them anew, and each question
// is a walk of its own.
func (g *ground) real(name string) (string, error) {
	if tree.CheckName(name) != nil || name == "." {
		return g.tree.Real(name)
	}
	dir, base := path.Split(name)
	if dir = strings.TrimSuffix(dir, "/"); dir != "" {
		known, ok := g.folders[dir]
		if !ok {
			var err error
			if known, err = g.real(dir); err != nil {
				return g.tree.Real(name)
			}
			if g.folders == nil {
				g.folders = map[string]string{}
			}
			g.folders[dir] = known
		}
		dir = known
	}
	here := path.Join(dir, base)
	if info, err := g.tree.Lstat(here); err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return g.tree.Real(name)
	}
	return here, nil
}

// candidate is one name that is looked for.
type candidate struct {
	*ground
	name string // in the tree
	// rule: it came out of a folder of rules, whose patterns start from the absolute
	// folder base.
	rule bool
	base string
	// instead is the file of a better rank, because of which this one isn't
	// read; empty for none.
	instead string
	// checkout: it is in the main checkout of the work tree, and isn't read.
	checkout bool
	fallback bool
	// twin is another rule whose name reads the same; empty for none.
	twin string
	// problem is why it isn't even looked at; nil for none.
	problem error
}

// absent reports that nothing stands at the name: one question to the system,
// where the tree asks about every folder on the way. What isn't absent is left
// to the tree.
func (c candidate) absent() bool {
	_, err := c.disk.Lstat(filepath.FromSlash(c.absolute(c.name)))
	return missing(err)
}

// place is one folder to look into, or the user's files as a whole.
type place struct {
	files  []candidate
	pick   pick
	user   bool
	nested bool
	parts  []*part // what was found
	// pattern is the one that the files match, where a settings file has one.
	pattern string
	// ground and dir are the folder; no ground for the user's files.
	ground *ground
	dir    string
}

// discover lists all places in the order of the text.
func (l *loader) discover(cfg *InstructionsConfig, root, cwd, top string) error {
	project, err := tree.OpenOn(l.disk, filepath.FromSlash(root), tree.Options{Limit: l.maxFile})
	if err != nil {
		return err
	}
	l.closers = append(l.closers, project)
	l.project = &ground{disk: l.disk, tree: project, base: root, trust: cento.TrustWorkspace, confine: "."}
	l.applySettings(cfg, cwd, top)
	l.findCheckout(top)
	folders := l.folders(root, cwd, top)
	if l.convention.passes != nil {
		l.passPlaces(cfg, folders)
		return nil
	}
	l.userPlaces(cfg)
	switch l.convention.order {
	case outerFirst:
		slices.Reverse(folders)
	case byPath:
		name := "/" + l.convention.ranks[0][0]
		slices.SortFunc(folders, func(a, b string) int {
			return cmp.Compare(strings.TrimSuffix(a, "/")+name, strings.TrimSuffix(b, "/")+name)
		})
	}
	l.rankedPlaces(folders)
	l.namedPlaces()
	return nil
}

// passPlaces adds the places of a client that takes one list of names after another: of each
// list the user's files, then those of all folders.
func (l *loader) passPlaces(cfg *InstructionsConfig, folders []string) {
	whole := l.convention
	switch whole.order {
	case outerFirst:
		slices.Reverse(folders)
	case rootFirst:
		if last := len(folders) - 1; last > 0 {
			folders = append([]string{folders[last]}, folders[:last]...)
		}
	}
	for _, names := range whole.passes {
		pass := *whole
		pass.ranks, pass.user = [][]string{names}, nil
		for _, list := range whole.user {
			for _, f := range list {
				if slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, f.name) }) {
					pass.user = append(pass.user, []userFile{f})
				}
			}
		}
		l.convention = &pass
		l.userPlaces(cfg)
		l.rankedPlaces(folders)
	}
	l.convention = whole
}

// folders gives the project's folders to look into, nearest first.
func (l *loader) folders(root, cwd, top string) []string {
	up := ancestors(cwd)
	until := func(dir string) []string { return up[:slices.Index(up, dir)+1] }
	switch l.convention.walk {
	case cwdOnly:
		return up[:1]
	case nearestUp, toRoot:
		return until(root)
	case toTop:
		return until(top)
	case toHome:
		if _, ok := below(l.home, cwd); l.home != "" && ok {
			if _, ok := below(top, l.home); !ok {
				return until(top)
			}
			return until(l.home)
		}
		if dir, ok := l.holding(until(top), ".git", ".hg"); ok {
			return until(dir)
		}
		return up[:1]
	}
	if l.convention.walk == toRepositoryOrTop {
		return until(l.repository(until(top)))
	}
	markers := l.convention.markers
	if markers == nil {
		markers = []string{".git"}
	}
	if dir, ok := l.holding(until(top), markers...); ok {
		if l.convention.walk == aboveRepository && dir != top {
			dir = parent(dir)
		}
		return until(dir)
	}
	if l.convention.walk == aboveRepository {
		if l.home != "" {
			if _, ok := below(l.home, cwd); ok && slices.Contains(until(top), parent(l.home)) {
				return until(parent(l.home))
			}
		}
		return until(top)
	}
	if l.convention.imports == importsMarked {
		l.project.confine = "" // without a repository, each file's own folder
	}
	return up[:1]
}

// repository is the first of the folders that git takes for the top of a repository; else
// the last of them. A folder .git that is none is passed over, and a file that is none
// ends the search.
func (l *loader) repository(folders []string) string {
	isFile := func(name string) bool {
		info, err := l.disk.Stat(filepath.FromSlash(name))
		return err == nil && info.Mode().IsRegular()
	}
	isFolder := func(name string) bool {
		info, err := l.disk.Stat(filepath.FromSlash(name))
		return err == nil && info.IsDir()
	}
	text := func(dir, name string) string {
		f, err := tree.ReadWithin(l.disk, filepath.FromSlash(dir), filepath.FromSlash(path.Join(dir, name)), tree.Options{})
		if err != nil {
			return ""
		}
		return strings.TrimRight(f.Text, "\r\n")
	}
	holds := func(git string) bool {
		head := text(git, "HEAD")
		return (strings.HasPrefix(head, "ref: refs/") || len(head) >= 40) &&
			(isFile(git+"/commondir") || isFolder(git+"/objects") && isFolder(git+"/refs"))
	}
	for _, dir := range folders {
		git := path.Join(dir, ".git")
		switch {
		case isFolder(git) && holds(git):
			return dir
		case isFile(git):
			if link, ok := gitLink(dir, text(dir, ".git")); ok && holds(link) {
				return dir
			}
			return folders[len(folders)-1]
		}
	}
	return folders[len(folders)-1]
}

// gitLink is the folder that the text of a file .git leads to.
func gitLink(dir, text string) (string, bool) {
	link, ok := strings.CutPrefix(strings.TrimSpace(text), "gitdir: ")
	if ok && !rooted(link) {
		link = dir + "/" + link
	}
	return textForm(link), ok
}

// holding is the first of the folders in which one of the names stands.
func (l *loader) holding(folders []string, names ...string) (string, bool) {
	for _, dir := range folders {
		for _, n := range names {
			if _, err := l.disk.Stat(filepath.FromSlash(path.Join(dir, n))); err == nil {
				return dir, true
			}
		}
	}
	return "", false
}

// rankedPlaces adds a place for each folder, with the names of the rank that
// stands for all, and those of the others as hidden by it.
func (l *loader) rankedPlaces(folders []string) {
	grounds := make([]*ground, len(folders))
	names := make([]string, len(folders)) // of the folder in its ground
	for i, dir := range folders {
		if rel, ok := below(l.project.base, dir); ok {
			grounds[i], names[i] = l.project, rel
		} else {
			grounds[i], names[i] = l.groundAbove(dir), "."
		}
	}
	best, instead := 0, ""
	if len(l.convention.ranks) > 1 {
		best, instead = l.bestRank(grounds, names)
	}
	for i, dir := range folders {
		if grounds[i] == nil {
			continue
		}
		pl := &place{pick: l.convention.pick, ground: grounds[i], dir: names[i]}
		for r, rank := range l.convention.ranks {
			for _, n := range rank {
				c := candidate{ground: grounds[i], name: path.Join(names[i], n)}
				c.checkout = n != "CLAUDE.local.md" && l.inMainCheckout(dir)
				switch {
				case strings.HasSuffix(n, "/"):
					pl.files = append(pl.files, l.rules(c, dir)...)
					continue
				case r != best:
					c.instead = instead
				}
				pl.files = append(pl.files, c)
			}
		}
		l.places = append(l.places, pl)
	}
}

// bestRank is the first list of names that any folder has a file of, and the
// nearest such file.
func (l *loader) bestRank(grounds []*ground, names []string) (rank int, file string) {
	for r, list := range l.convention.ranks {
		for i, g := range grounds {
			for _, n := range list {
				if g == nil || strings.HasSuffix(n, "/") {
					continue
				}
				c := candidate{ground: g, name: path.Join(names[i], n)}
				if !c.absent() && there(c.tree, c.name) && !l.excluded(c.absolute(c.name)) && !slices.Contains(l.outputs, c.absolute(c.name)) {
					return r, c.tree.Show(c.name)
				}
			}
		}
	}
	return 0, ""
}

// there reports whether a name stands for anything, a link to nothing aside.
func there(t *tree.Tree, name string) bool {
	_, err := t.Stat(name)
	return err == nil || !errors.Is(err, tree.NotFound) && tree.CheckName(name) == nil
}

// groundAbove opens a folder above the project, if there is something in it to
// be read.
func (l *loader) groundAbove(dir string) *ground {
	found := false
	for _, list := range append(slices.Clip(l.convention.ranks), l.convention.fallback) {
		for _, n := range list {
			if _, err := l.disk.Lstat(filepath.FromSlash(path.Join(dir, n))); err == nil {
				found = true
			}
		}
	}
	if !found {
		return nil
	}
	t, err := tree.OpenOn(l.disk, filepath.FromSlash(dir), tree.Options{Limit: l.maxFile, Show: func(name string) string {
		return l.show(path.Join(dir, name))
	}})
	if err != nil {
		return nil // it was there a moment ago
	}
	l.closers = append(l.closers, t)
	return &ground{disk: l.disk, tree: t, base: dir, trust: cento.TrustWorkspace, confine: "."}
}

// show is the name of a place outside of the project.
func (l *loader) show(abs string) string {
	if l.home != "" {
		if rest, ok := below(l.home, abs); ok && rest != "." {
			return "~/" + rest
		}
	}
	return abs
}

// userPlaces adds the user's own files.
func (l *loader) userPlaces(cfg *InstructionsConfig) {
	pl := &place{pick: l.convention.userPick, user: true}
	opened := map[string]*userFolder{}
	instead := ""
	for _, list := range l.convention.user {
		first := ""
		for _, f := range list {
			folder, known := opened[f.folder]
			if !known {
				folder = l.openUser(cfg, f.folder)
				opened[f.folder] = folder
				if folder != nil && folder.problem != nil {
					pl.parts = append(pl.parts, folder.problem)
				}
			}
			if folder == nil || folder.ground == nil {
				continue
			}
			c := candidate{ground: folder.ground, name: path.Join(folder.prefix, f.name), instead: instead}
			if strings.HasSuffix(f.name, "/") {
				pl.files = append(pl.files, l.rules(c, l.cwd)...)
				continue
			}
			if first == "" && !c.absent() && there(c.tree, c.name) {
				first = c.tree.Show(c.name)
			}
			pl.files = append(pl.files, c)
		}
		instead = cmp.Or(instead, first)
	}
	if len(pl.files)+len(pl.parts) > 0 {
		l.places = append(l.places, pl)
	}
}

// userFolder is an open folder of the user.
type userFolder struct {
	*ground
	prefix  string // the folder in its ground
	problem *part  // stands for a folder that can't be opened
}

// folderOf is where a folder of the user lies; empty for none.
func folderOf(cfg *InstructionsConfig, name string) string {
	if name == folderCento {
		return cfg.Global
	}
	if dir := cfg.Folders[name]; dir != "" {
		return dir
	}
	if rel := homeFolders[name]; rel != "" && cfg.Home != "" {
		return strings.TrimSuffix(cfg.Home, "/") + "/" + rel
	}
	return ""
}

// openUser opens a folder of the user's own instructions, by way of the home
// folder when it lies below, because such files are often links to elsewhere
// below home. It is nil when there is none.
func (l *loader) openUser(cfg *InstructionsConfig, name string) *userFolder {
	dir := folderOf(cfg, name)
	if dir == "" {
		return nil
	}
	shown := textForm(dir)
	if rest, ok := below(textForm(cfg.Home), shown); ok && cfg.Home != "" {
		shown = strings.TrimSuffix("~/"+rest, "/.")
	}
	fail := func(err error) *userFolder {
		if errors.Is(err, tree.NotFound) {
			return nil
		}
		p := &part{file: File{Path: shown, Trust: cento.TrustUser}}
		l.failed(p, err)
		return &userFolder{problem: p}
	}
	real, err := canonical(l.disk, dir)
	if err != nil {
		return fail(&cento.SourceError{
			Code: tree.Unreadable, Message: "cannot look into the folder",
			Position: cento.Position{File: shown}, Err: cause(err),
		})
	}
	top, prefix := real, "."
	if l.home != "" {
		if rest, ok := below(l.home, real); ok {
			top, prefix = l.home, rest
		}
	}
	t, err := tree.OpenOn(l.disk, filepath.FromSlash(top), tree.Options{Limit: l.maxFile, Show: func(name string) string {
		// Files that links lead to may lie anywhere below home.
		if rest, ok := below(prefix, name); ok || prefix == "." {
			if !ok {
				rest = name
			}
			return shown + "/" + rest
		}
		return "~/" + name
	}})
	if err != nil {
		return fail(err)
	}
	l.closers = append(l.closers, t)
	g := &ground{disk: l.disk, tree: t, base: top, trust: cento.TrustUser, home: top == l.home && l.home != ""}
	if l.convention.imports == importsBeside {
		g.confine = "." // what users wrote themselves needs nobody's leave
	}
	return &userFolder{ground: g, prefix: prefix}
}

// nestedFolders are those between cwd and a file that is worked on, in the order
// in which they are looked into.
func (l *loader) nestedFolders(file string) []string {
	dir := parent(file)
	if _, ok := below(l.cwd, dir); !ok {
		return nil
	}
	var folders []string
	for d := dir; d != l.cwd; d = parent(d) {
		folders = append(folders, d)
	}
	if l.convention.nested != nestedNearestFirst {
		slices.Reverse(folders)
	}
	return folders
}

// otherFolder is the error of a folder that isn't where it has to be.
func otherFolder(dir, base, how string) *cento.SourceError {
	return &cento.SourceError{
		Code: InvalidFolder, Message: fmt.Sprintf("folder %q is not %s %q", dir, how, base),
		Position: cento.Position{File: dir},
	}
}
