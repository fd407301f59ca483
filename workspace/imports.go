package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

const (
	// maxHops is how many imports deep a file may lie below the one that is
	// loaded.
	maxHops = 4
	// maxInlineHops is the same for Copilot.
	maxInlineHops = 8
	// maxImports bounds how many mentions one load looks up.
	maxImports = 256
)

// importedAt begins the reason of a file that another one names.
const importedAt = "imported at "

// expansion puts the imports of one instruction file in place.
type expansion struct {
	*loader
	part    *part
	ground  *ground
	confine string // the folder, by real path, that imports may not leave

	open  []identity // the file being expanded, and those that import it
	done  []identity // every file that was put in place
	grown int        // bytes of all of them
}

// expand gives the text of an instruction file with its imports in place.
func (x *expansion) expand(f *tree.File) passage {
	at := startOf(x.part.file.Path)
	rule := x.convention.imports
	if rule == importsNone || rule == importsAsked && !x.imports || rule == importsInline && path.Base(f.Name) == "GEMINI.md" {
		return whole(f, at, x.ground.trust)
	}
	// Links are resolved first, so that "relative to the importing file" means
	// the file, and a link isn't a way out.
	real, err := x.ground.real(f.Name)
	if err != nil {
		real = f.Name
	}
	if x.confine == "" {
		x.confine = path.Dir(real)
	}
	if rule == importsInline {
		x.confine = "."
	}
	x.grown = len(f.Text)
	switch rule {
	case importsMarked:
		return x.marked(f, f.Name, at)
	case importsBeside:
		return x.beside(f, real, at)
	}
	return x.inline(f, real, at)
}

func startOf(file string) cento.Position { return cento.Position{File: file, Line: 1, Column: 1} }

// whole is the text of a file as it is.
func whole(f *tree.File, at cento.Position, trust cento.Trust) passage {
	c := newCopier(f, at, trust)
	c.upTo(len(f.Text))
	return c.finish()
}

// copier copies a file that is loaded, or one that others name.
func (x *expansion) copier(f *tree.File, at cento.Position) *copier {
	c := newCopier(f, at, x.ground.trust)
	if len(x.open) > 0 {
		c.madeBy = cento.ByImport
	}
	return c
}

// inline is one step of expand, at most maxHops deep.
func (x *expansion) inline(f *tree.File, real string, at cento.Position) passage {
	opening := ""
	if x.convention.imports == importsInline {
		opening = `("`
	}
	c := x.copier(f, at)
	x.open = append(x.open, identity{f.Info, at.File})
	defer func() { x.open = x.open[:len(x.open)-1] }()
	for _, m := range mentionsAfter(f.Text, opening) {
		if record, in := x.resolve(m, real, c.position(m.start)); record != nil && record.Status == Loaded {
			if x.convention.imports == importsInline {
				c.upTo(m.end)
			}
			c.skip(m.start, m.end)
			c.passage(in, nil)
		}
	}
	c.upTo(len(f.Text))
	return c.finish()
}

// resolve reads the file that a mention names. The record is nil when it is
// no import at all: a name such as `@team` that no file has.
func (x *expansion) resolve(m mention, real string, at cento.Position) (*File, passage) {
	if !x.another(at) {
		return nil, passage{}
	}
	name, outside := x.locate(m.path, real)
	record := &File{Path: x.ground.tree.Show(name), Trust: x.ground.trust, OnDemand: x.part.file.OnDemand}
	left := func(status Status, code, reason string) (*File, passage) {
		record.Status, record.Code, record.OnDemand = status, code, false
		record.Reason = fmt.Sprintf("import at %s: %s", at, reason)
		x.part.imported = append(x.part.imported, record)
		x.part.noteAt(InstructionsImport, fmt.Sprintf("import %q is left as it stands: %s", "@"+m.path, reason), at)
		return record, passage{}
	}
	t := x.ground.tree
	switch {
	case outside != "":
		record.Path = m.path
		return left(Failed, string(tree.Outside), outside)
	case strings.HasSuffix(m.path, "/"):
		return left(Failed, string(tree.NotRegular), "the path is that of a folder")
	}
	target, err := x.ground.real(name)
	if errors.Is(err, tree.NotFound) && !strings.ContainsAny(m.path, "./") {
		return nil, passage{}
	}
	if err == nil {
		if _, ok := below(x.confine, target); !ok && x.confine != "." {
			return left(Failed, string(tree.Outside), "the file lies outside of the folder of instructions")
		}
		if len(x.open) > x.hops() {
			return left(Failed, string(InstructionsImport), fmt.Sprintf("more than %d hops", x.hops()))
		}
	}
	var info fs.FileInfo
	if err == nil {
		record.Path = t.Show(target)
		info, err = t.Stat(target)
	}
	if err != nil {
		code, reason, _ := explain(err, record.Path)
		return left(Failed, code, reason)
	}
	if i := slices.IndexFunc(x.open, func(o identity) bool { return o.same(info) }); i >= 0 {
		return left(Failed, string(InstructionsImport), "it imports itself: "+chain(x.open[i:], record.Path))
	}
	if slices.ContainsFunc(x.done, func(d identity) bool { return d.same(info) }) {
		return left(Ignored, string(InstructionsDuplicate), "imported already")
	}
	if slices.ContainsFunc(x.standing, func(s fs.FileInfo) bool { return disk.SameFile(s, info) }) {
		return left(Ignored, string(InstructionsDuplicate), "loaded on its own")
	}
	f, err := x.readImport(target)
	if err != nil {
		code, reason, _ := explain(err, record.Path)
		return left(Failed, code, reason)
	}
	x.noteTwinOf(target, at)
	x.done = append(x.done, identity{f.Info, record.Path})
	record.Status, record.Imported, record.Reason = Loaded, true, importedAt+at.String()
	x.part.imported = append(x.part.imported, record)
	in := x.inline(f, target, startOf(record.Path))
	record.Bytes = in.end()
	// The line goes on after the mention, as it did before.
	if end := len(strings.TrimRight(in.text, "\r\n")); end < len(in.text) {
		in.text = in.text[:end]
		in.clip(0, end)
	}
	framed := &copier{}
	for i, words := range x.importedWords() {
		if i == 1 {
			framed.passage(in, record)
		}
		framed.fixed(strings.ReplaceAll(words, "%s", Visible(x.nameOf(x.ground.absolute(target)))), cento.TrustBuiltin, at)
	}
	return record, framed.finish()
}

// importedWords are what the client writes around an imported file.
func (x *expansion) importedWords() [2]string {
	if x.convention.frame == nil {
		return [2]string{}
	}
	return x.convention.frame.imported
}

// hops is how many imports deep a file may be below the one that is loaded.
func (x *expansion) hops() int {
	if x.convention.imports == importsInline {
		return maxInlineHops
	}
	return maxHops
}

// another counts one more mention that is looked up, and tells when there are
// too many.
func (x *expansion) another(at cento.Position) bool {
	if x.attempts++; x.attempts > maxImports {
		if x.attempts == maxImports+1 {
			x.part.noteAt(InstructionsImport, fmt.Sprintf("more than %d imports: this one and all others are left as they stand", maxImports), at)
		}
		return false
	}
	return true
}

// locate gives the name in the tree that a path means in a file, or why there
// is none.
func (x *expansion) locate(p, real string) (name, outside string) {
	if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") {
		return "", "the path is not relative to the file"
	}
	return path.Join(path.Dir(real), p), ""
}

// readImport reads an imported file, as long as what imports it doesn't grow
// too large.
func (x *expansion) readImport(name string) (*tree.File, error) {
	f, err := x.read(x.ground.tree, name)
	if err != nil {
		return nil, err
	}
	if x.grown+len(f.Text) > x.maxFile {
		return nil, &cento.SourceError{
			Code: tree.TooLarge, Position: cento.Position{File: x.ground.tree.Show(name)},
			Message: fmt.Sprintf("the file and its imports are over the limit of %d bytes", x.maxFile),
		}
	}
	x.grown += len(f.Text)
	return f, nil
}

func chain(open []identity, last string) string {
	var b strings.Builder
	for _, s := range open {
		b.WriteString(s.path)
		b.WriteString(" → ")
	}
	b.WriteString(last)
	return b.String()
}

// findStanding lists the files that are loaded on their own, as far as can be
// told without reading them: an import of one would put it in twice.
func (l *loader) findStanding(places []*place) {
	for _, pl := range places {
		for _, c := range pl.files {
			if c.instead != "" || c.rule || pl.nested || tree.CheckName(c.name) != nil || c.absent() {
				continue
			}
			info, err := c.tree.Stat(c.name)
			if err == nil && info.Mode().IsRegular() {
				l.standing = append(l.standing, info)
				if pl.pick != every {
					break
				}
			}
		}
		if l.convention.walk == nearestUp && len(l.standing) > 0 {
			return
		}
	}
}
