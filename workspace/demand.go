package workspace

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/cento-dev/cento/internal/tree"
)

// conditional is a rule that is read with the files that its patterns match.
type conditional struct {
	place    *place
	part     *part
	file     candidate // its base is what the patterns start from
	patterns []string
	reason   string
	from     string // the folder that Copilot's patterns start from; else empty
}

// condition keeps a rule until a file that it is about is worked on.
func (l *loader) condition(pl *place, p *part, c candidate, f *tree.File, patterns, written []string) *conditional {
	p.file.Bytes = len(f.Text)
	reason := "read with files that match " + quotedList(written)
	p.ignore(InstructionsCondition, "%s", reason)
	rule := &conditional{place: pl, part: p, file: c, patterns: patterns, reason: reason}
	l.conditional = append(l.conditional, rule)
	return rule
}

// workedOn loads what is read because of files that are worked on, in the order in which
// it comes: of each file the fallbacks first. Nothing comes with a file outside of the
// current folder.
func (l *loader) workedOn(files []string) {
	done := map[string]bool{}
	if l.convention.again {
		clear(l.seen)
	}
	for _, file := range files {
		if _, ok := below(l.cwd, file); !ok {
			continue
		}
		from := len(l.later)
		l.promote(file, func(c *conditional) bool { return c.place.user })
		for _, dir := range l.nestedFolders(file) {
			if done[dir] {
				l.promote(file, func(c *conditional) bool { return c.place.nested && c.file.base == dir })
				continue
			}
			done[dir] = true
			l.loadNested(dir, file)
		}
		l.promote(file, func(c *conditional) bool { return true })
		slices.SortStableFunc(l.later[from:], func(a, b *part) int { return trueFirst(a.fallback, b.fallback) })
	}
}

// trueFirst compares for an order in which what is true comes first.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// loadNested loads the files of a folder below the current one.
func (l *loader) loadNested(dir, file string) {
	from := len(l.places)
	if l.convention.nestedNames != nil {
		set := *l.convention
		set.ranks = [][]string{set.nestedNames}
		defer func(c *convention) { l.convention = c }(l.convention)
		l.convention = &set
	}
	l.rankedPlaces([]string{dir}) // each folder decides for itself which names it has
	for _, pl := range l.places[from:] {
		pl.nested = true
		rules := slices.DeleteFunc(slices.Clone(pl.files), func(c candidate) bool { return !c.rule })
		pl.files = slices.DeleteFunc(pl.files, func(c candidate) bool { return c.rule })
		l.load(pl)
		l.fallBack(pl, cmp.Or(l.instead, firstLoaded(pl.parts)))
		pl.files = rules
		l.load(pl)
		for _, p := range pl.parts {
			if p.file.OnDemand {
				l.later = append(l.later, p)
			}
		}
		l.promote(file, func(c *conditional) bool { return c.place == pl })
	}
}

// promote loads the rules that are about a file, of those that pick picks.
func (l *loader) promote(file string, pick func(*conditional) bool) {
	for _, c := range l.conditional {
		if c.part.file.OnDemand || !pick(c) || !c.matches(file) {
			continue
		}
		f, err := l.read(c.file.tree, c.file.name)
		if err != nil {
			continue // it was read a moment ago
		}
		p := c.part
		p.file = File{Path: p.file.Path, Trust: p.file.Trust, OnDemand: true}
		l.use(c.place, p, c.file, f)
		if p.file.Status == Loaded {
			p.file.Reason = c.reason
		}
		l.later = append(l.later, p)
	}
}

// firstLoaded is the path of the first file that the client loads, also where Cento is
// more careful; empty for none.
func firstLoaded(parts []*part) string {
	for _, p := range parts {
		if !p.rule && (p.file.Status == Loaded || p.file.Status == Failed && careful(p.file.Code)) {
			return p.file.Path
		}
	}
	return ""
}

// careful reports whether a file fails for a reason that is Cento's alone.
func careful(code string) bool { return code == string(tree.Outside) || code == string(tree.HoldsNUL) }

// fallBack loads the files of a folder that stand in for others, unless one of those has
// content, which is instead then.
func (l *loader) fallBack(pl *place, instead string) {
	if pl.user {
		return
	}
	pl.files = nil
	for _, n := range l.convention.fallback {
		pl.files = append(pl.files, candidate{ground: pl.ground, name: path.Join(pl.dir, n), instead: instead, fallback: true, checkout: l.inMainCheckout(pl.ground.absolute(pl.dir))})
	}
	l.load(pl)
}

// findCheckout looks whether the current folder is in a work tree that is in the main
// checkout of its repository.
func (l *loader) findCheckout(top string) {
	if len(l.convention.fallback) == 0 && !l.convention.linkImports { // of Claude Code alone
		return
	}
	dir, ok := l.holding(slices.DeleteFunc(ancestors(l.cwd), func(d string) bool { _, in := below(top, d); return !in }), ".git")
	if !ok {
		return
	}
	t, err := tree.OpenOn(l.disk, dir, tree.Options{})
	if err != nil {
		return
	}
	defer t.Close()
	f, err := t.Read(".git")
	if err != nil {
		return
	}
	link, ok := gitLink(dir, f.Text)
	if !ok {
		return
	}
	worktrees := path.Dir(link)
	main := path.Dir(path.Dir(worktrees))
	if worktrees != path.Join(main, ".git/worktrees") || main == dir {
		return
	}
	if _, ok := below(main, dir); !ok {
		return
	}
	if _, err := l.disk.Stat(path.Join(link, "commondir")); err == nil {
		l.checkout, l.workTree = main, dir
	}
}

// inMainCheckout reports whether a folder is in the main checkout of the work tree.
func (l *loader) inMainCheckout(dir string) bool {
	if l.checkout == "" {
		return false
	}
	_, main := below(l.checkout, dir)
	_, own := below(l.workTree, dir)
	return main && !own
}

// settle gives each file one row: of several, one that says that it is in the text, else
// the first. Of a link to a file that is in the text it says so.
func (l *loader) settle(parts []*part) {
	rows := map[string]bool{}
	best := map[string]bool{} // paths that are in the text
	for _, p := range parts {
		for _, f := range append([]*File{&p.file}, p.imported...) {
			if f.Status == Loaded || f.Status == Cut {
				best[f.Path] = true
			}
		}
	}
	for _, p := range parts {
		if p.file.Status == Shadowed && !best[p.file.Path] && p.info != nil {
			for _, s := range l.files {
				if s.same(p.info) && best[s.path] {
					p.ignore(InstructionsDuplicate, "is the same file as %q", s.path)
					break
				}
			}
		}
		gone := func(f *File) bool {
			loaded := f.Status == Loaded || f.Status == Cut
			again := rows[f.Path] && !loaded || best[f.Path] && !loaded
			rows[f.Path] = true
			return again
		}
		p.gone = gone(&p.file)
		p.imported = slices.DeleteFunc(p.imported, gone)
	}
}

// noteOrder tells of folders of several rules that are in the text.
func noteOrder(parts []*part) {
	type folder struct {
		base           string
		user, onDemand bool
	}
	of := func(p *part) folder { return folder{p.base, p.user, p.file.OnDemand} }
	count := map[folder]int{}
	for _, p := range parts {
		if p.rule && p.file.Status == Loaded {
			count[of(p)]++
		}
	}
	for _, p := range parts {
		if n := count[of(p)]; p.rule && p.file.Status == Loaded && n > 1 {
			delete(count, of(p))
			p.note(InstructionsOrder, fmt.Sprintf("the %d rules of this folder are sorted by path here; their order isn't fixed: the client reads them in that of the disk", n))
		}
	}
}

// notePatterns tells of patterns of settings files by which several files are in the text.
func (l *loader) notePatterns() {
	for _, pl := range l.named {
		var in []*part
		for _, p := range pl.parts {
			if p.file.Status == Loaded {
				in = append(in, p)
			}
		}
		if pl.pattern != "" && len(in) > 1 {
			in[0].note(InstructionsOrder, fmt.Sprintf("the %d files that %q matches are sorted by path here; their order isn't fixed: the client reads them in that of the disk", len(in), pl.pattern))
		}
	}
}
