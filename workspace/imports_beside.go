package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// The imports of Claude Code: the file follows after the one that names it, each file
// once.

// beside gives the text of a file without what is taken out of it, with the files that it
// imports after it; none of them where nothing is left of the file.
func (x *expansion) beside(f *tree.File, real string, at cento.Position) passage {
	read := readClaudeText(f.Text, x.convention.markedFront && f.Mark)
	if len(read.comments) > 0 && strings.Contains(f.Text, "\r\n") {
		f = &tree.File{Name: f.Name, Text: lineFeeds(f.Text), Info: f.Info, Mark: f.Mark} // whose client writes LF then
		read = readClaudeText(f.Text, x.convention.markedFront && f.Mark)
	}
	c := x.copier(f, at)
	for _, s := range x.takeOut(f, at, read) {
		c.skip(s.start, s.end)
	}
	c.upTo(len(f.Text))
	out := c.finish()
	if strings.TrimFunc(out.text, x.convention.space) == "" {
		return passage{}
	}
	var imported []passage
	x.open = append(x.open, identity{f.Info, at.File})
	place := cento.CursorAt(at, f.Text)
	slices.SortStableFunc(read.mentions, func(a, b mention) int { return a.start - b.start })
	places := make([]cento.Position, len(read.mentions))
	for i, m := range read.mentions {
		places[i] = place.At(m.start)
	}
	for i, m := range read.mentions {
		if in, ok := x.importOne(m, real, places[i]); ok {
			imported = append(imported, in)
		}
	}
	x.open = x.open[:len(x.open)-1]
	if len(imported) == 0 {
		return out
	}
	out.cutSpace(x.convention.space)
	all := &copier{out: passage{imports: out.imports}}
	all.passage(out, nil)
	own := all.b.Len()
	for _, in := range imported {
		all.fixed("\n\n", cento.TrustBuiltin, at)
		all.passage(in, nil)
	}
	out = all.finish()
	out.own = own
	return out
}

// cutSpace drops the white space at the end.
func (p *passage) cutSpace(space func(rune) bool) {
	end := len(strings.TrimRightFunc(p.text, space))
	p.text = p.text[:end]
	p.clip(0, end)
}

// importOne reads the file that a mention names; false where nothing comes of it.
func (x *expansion) importOne(m mention, real string, at cento.Position) (passage, bool) {
	if !x.another(at) {
		return passage{}, false
	}
	record := &File{Path: m.path, Trust: x.ground.trust, OnDemand: x.part.file.OnDemand}
	left := func(status Status, code, reason string) (passage, bool) {
		record.Status, record.Code, record.OnDemand = status, code, false
		record.Reason = fmt.Sprintf("import at %s: %s", at, reason)
		x.part.imported = append(x.part.imported, record)
		x.part.noteAt(InstructionsImport, fmt.Sprintf("import %q is left as it stands: %s", "@"+m.path, reason), at)
		return passage{}, false
	}
	named := x.meant(m.path, real)
	if _, again := x.seen[named]; again {
		return passage{}, false
	}
	unapproved := func() (passage, bool) {
		if x.part.user {
			return left(Failed, string(tree.Outside), "the file is outside of the home folder and of the project")
		}
		return left(Ignored, string(InstructionsImport), "the file is outside of the current folder, and is read only after somebody approved it")
	}
	ground, name := x.groundOf(named)
	if ground == nil {
		return unapproved()
	}
	record.Path, record.Trust = ground.tree.Show(name), ground.trust
	target, err := ground.real(name)
	if err == nil {
		record.Path = ground.tree.Show(target)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = ground.tree.Stat(target)
	}
	switch {
	case errors.Is(err, tree.NotFound):
		short := strings.TrimRight(m.path, ".,;:!?)]}>\"'")
		reason := "there is no such file"
		switch {
		case short != m.path && x.isFile(x.meant(short, real)):
			reason += fmt.Sprintf("; %q is there, and %q is taken for a part of its name", short, m.path[len(short):])
		case path.Ext(short) == "" || !claudeReads(path.Ext(short)):
			return passage{}, false // a name such as @team or @types/node
		}
		return left(Failed, string(tree.NotFound), reason)
	case err != nil:
		code, reason, _ := explain(err, record.Path)
		return left(Failed, code, reason)
	case !info.Mode().IsRegular() && path.Ext(m.path) == "":
		return passage{}, false
	}
	if _, again := x.seen[ground.absolute(target)]; again {
		return passage{}, false
	}
	inside := ground.absolute(target)
	if x.convention.linkImports {
		inside = named
	}
	if _, ok := below(x.cwd, inside); !ok && !x.part.user {
		return unapproved()
	}
	if ext := path.Ext(strings.TrimPrefix(path.Base(named), ".")); !claudeReads(ext) {
		return left(Failed, string(InstructionsImport), fmt.Sprintf("%q is not the extension of a text file", ext))
	}
	if len(x.open) > maxHops {
		return left(Failed, string(InstructionsImport), fmt.Sprintf("more than %d hops", maxHops))
	}
	was := x.ground
	x.ground = ground
	defer func() { x.ground = was }()
	f, err := x.readImport(target)
	if err != nil {
		code, reason, _ := explain(err, record.Path)
		return left(Failed, code, reason)
	}
	x.sees(ground, name, record.Path)
	x.noteTwinOf(target, at)
	x.files = append(x.files, identity{f.Info, record.Path})
	record.Status, record.Imported, record.Reason = Loaded, true, importedAt+at.String()
	x.part.imported = append(x.part.imported, record)
	in := x.beside(f, target, startOf(record.Path))
	record.Bytes = in.end()
	in.trim(x.convention.space)
	if in.text == "" {
		record.Status, record.Code = Ignored, string(InstructionsBlank)
		record.Reason += ", which is blank"
		record.OnDemand = false
		return passage{}, false
	}
	in.imports = append([]stretch{{record, 0, in.end()}}, in.imports...)
	return in, true
}

// meant is the absolute path of an import.
func (x *expansion) meant(p, real string) string {
	switch {
	case strings.HasPrefix(p, "~/") && x.home != "":
		return path.Join(x.home, p[2:])
	case strings.HasPrefix(p, "/"):
		return path.Clean(p)
	}
	return path.Join(path.Dir(x.ground.absolute(real)), p)
}

// groundOf is the open folder that a path is in, and its name there; nil for none.
func (x *expansion) groundOf(abs string) (*ground, string) {
	for _, g := range []*ground{x.ground, x.project} {
		if name, ok := below(g.base, abs); ok {
			return g, name
		}
	}
	return nil, ""
}

func (x *expansion) isFile(abs string) bool {
	g, name := x.groundOf(abs)
	if g == nil {
		return false
	}
	info, err := g.tree.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// sees keeps in mind that a file was read, by its name and by that of the file that a
// link leads to.
func (l *loader) sees(g *ground, name, shown string) {
	l.seen[g.absolute(name)] = shown
	if real, err := g.real(name); err == nil {
		l.seen[g.absolute(real)] = shown
	}
}

// takeOut gives the front matter and the comments of a text, and records them.
func (x *expansion) takeOut(f *tree.File, at cento.Position, read claudeText) []span {
	x.noteTaken(f, at, read.comments, InstructionsComment)
	if read.front.end > 0 {
		x.noteTaken(f, at, []span{read.front}, InstructionsFrontMatter)
		if _, ok := frontKeys(lineFeeds(f.Text[read.head.start:read.head.end])); !ok {
			x.part.noteAt(InstructionsFrontMatter, "the text between the first two `---` is taken for front matter, and is not put in", at)
		}
	}
	return read.takenOut()
}

// claudeReads reports whether Claude Code imports files of an extension.
func claudeReads(ext string) bool {
	return ext == "" || ext != "." && strings.Contains(claudeExtensions, strings.ToLower(ext)+" ")
}

// claudeExtensions are those of 220 that were tried.
const claudeExtensions = ".md .txt .text .json .yaml .yml .toml .xml .csv .html .htm .css .scss .sass .less .js .ts .tsx " +
	".jsx .mjs .cjs .mts .cts .py .pyi .pyw .rb .erb .rake .go .rs .java .kt .kts .scala .c .cpp .cc " +
	".cxx .h .hpp .hxx .cs .swift .sh .bash .zsh .fish .ps1 .bat .cmd .env .ini .cfg .conf .config " +
	".properties .sql .graphql .gql .proto .vue .svelte .astro .ejs .hbs .pug .jade .php .pl .pm " +
	".lua .r .dart .ex .exs .erl .hrl .clj .cljs .cljc .edn .hs .lhs .elm .ml .mli .f .f90 .f95 .for " +
	".cmake .make .makefile .gradle .sbt .rst .adoc .asciidoc .org .tex .latex .lock .log .diff " +
	".patch "
