package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

const (
	// maxHops is how many imports deep a file may lie below the one that is
	// loaded.
	maxHops = 4
	// maxImports bounds how many mentions one load looks up.
	maxImports = 256
)

// expansion puts the imports of one instruction file in place.
type expansion struct {
	*loader
	part    *part
	place   place
	confine string // the folder, by real path, that imports may not leave

	open  []identity // the file being expanded, and those that import it
	done  []identity // every file that was put in place
	grown int        // bytes of all of them
}

// expand gives the text of an instruction file with its imports in place.
func (x *expansion) expand(f *tree.File) passage {
	at := cento.Position{File: x.part.file.Path, Line: 1, Column: 1}
	if !x.imports {
		return x.whole(f.Text, at)
	}
	// Links are resolved first, so that "relative to the importing file" means
	// the file, and a link isn't a way out.
	real, err := x.place.tree.Real(f.Name)
	if err != nil {
		real = f.Name
	}
	if x.place.trust == cento.TrustUser {
		x.confine = path.Dir(real)
	}
	x.grown = len(f.Text)
	return x.inline(f, real, at)
}

func (x *expansion) whole(text string, at cento.Position) passage {
	if text == "" {
		return passage{}
	}
	return passage{text: text, runs: []cento.Run{{End: len(text), Position: at, Trust: x.place.trust}}}
}

// inline is one step of expand, at most maxHops deep.
func (x *expansion) inline(f *tree.File, real string, at cento.Position) passage {
	found := mentions(f.Text)
	if len(found) == 0 {
		return x.whole(f.Text, at)
	}
	x.open = append(x.open, identity{f.Info, at.File})
	defer func() { x.open = x.open[:len(x.open)-1] }()

	var out passage
	var b strings.Builder
	literal := func(text string, at cento.Position) {
		if text != "" {
			start := b.Len()
			b.WriteString(text)
			out.runs = append(out.runs, cento.Run{Start: start, End: b.Len(), Position: at, Trust: x.place.trust})
		}
	}
	from, fromAt := 0, at // what is written of f.Text, and its place
	seen, seenAt := 0, at // what was counted of f.Text
	for _, m := range found {
		seenAt = advance(seenAt, f.Text[seen:m.start])
		seen = m.start
		record, in := x.resolve(m, real, seenAt)
		if record == nil || record.Status != Loaded {
			continue
		}
		literal(f.Text[from:m.start], fromAt)
		start := b.Len()
		b.WriteString(in.text)
		for _, r := range in.runs {
			r.Start += start
			r.End += start
			out.runs = append(out.runs, r)
		}
		out.imports = append(out.imports, stretch{record, start, b.Len()})
		for _, s := range in.imports {
			out.imports = append(out.imports, stretch{s.file, start + s.start, start + s.end})
		}
		from = m.end
		fromAt = advance(seenAt, f.Text[seen:m.end])
		seen, seenAt = from, fromAt
	}
	if from == 0 {
		return x.whole(f.Text, at)
	}
	literal(f.Text[from:], fromAt)
	out.text = b.String()
	return out
}

// resolve reads the file that a mention names. The record is nil when it is
// no import at all: a name such as `@team` that no file has.
func (x *expansion) resolve(m mention, real string, at cento.Position) (*File, passage) {
	if x.attempts++; x.attempts > maxImports {
		if x.attempts == maxImports+1 {
			x.part.noteAt(InstructionsImport, fmt.Sprintf("more than %d imports: this one and all others are left as they stand", maxImports), at)
		}
		return nil, passage{}
	}
	name := path.Join(path.Dir(real), m.path)
	record := &File{Path: x.place.tree.Show(name), Trust: x.place.trust}
	left := func(status Status, code, reason string) (*File, passage) {
		record.Status, record.Code = status, code
		record.Reason = fmt.Sprintf("import at %s: %s", at, reason)
		x.part.imported = append(x.part.imported, record)
		x.part.noteAt(InstructionsImport, fmt.Sprintf("import %q is left as it stands: %s", "@"+m.path, reason), at)
		return record, passage{}
	}
	t := x.place.tree
	switch {
	case strings.HasPrefix(m.path, "/") || strings.HasPrefix(m.path, "~"):
		record.Path = m.path
		return left(Failed, string(tree.Outside), "the path is not relative to the file")
	case strings.HasSuffix(m.path, "/"):
		return left(Failed, string(tree.NotRegular), "the path is that of a folder")
	}
	target, err := t.Real(name)
	if errors.Is(err, tree.NotFound) && !strings.ContainsAny(m.path, "./") {
		return nil, passage{}
	}
	if err == nil {
		if _, ok := below(x.confine, target); !ok && x.confine != "." {
			return left(Failed, string(tree.Outside), "the file lies outside of the folder of instructions")
		}
		if len(x.open) > maxHops {
			return left(Failed, string(InstructionsImport), fmt.Sprintf("more than %d hops", maxHops))
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
	if slices.ContainsFunc(x.standing, func(s fs.FileInfo) bool { return os.SameFile(s, info) }) {
		return left(Ignored, string(InstructionsDuplicate), "loaded on its own")
	}
	f, err := x.read(t, target)
	if err != nil {
		code, reason, _ := explain(err, record.Path)
		return left(Failed, code, reason)
	}
	if x.grown+len(f.Text) > x.maxFile {
		return left(Failed, string(tree.TooLarge), fmt.Sprintf("the file and its imports are over the limit of %d bytes", x.maxFile))
	}
	x.grown += len(f.Text)
	x.done = append(x.done, identity{f.Info, record.Path})
	record.Status, record.Reason = Loaded, fmt.Sprintf("imported at %s", at)
	x.part.imported = append(x.part.imported, record)
	in := x.inline(f, target, cento.Position{File: record.Path, Line: 1, Column: 1})
	record.Bytes = len(in.text)
	// The line goes on after the mention, as it did before.
	if end := len(strings.TrimRight(in.text, "\n")); end < len(in.text) {
		in.text = in.text[:end]
		in.clip(0, end)
	}
	return record, in
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
func (l *loader) findStanding(places []place) {
	for _, pl := range places {
		if tree.CheckName(pl.dir) != nil {
			continue
		}
		for _, n := range pl.names {
			info, err := pl.tree.Stat(path.Join(pl.dir, n))
			if err == nil && info.Mode().IsRegular() {
				l.standing = append(l.standing, info)
				break
			}
		}
		if l.profile.walk == nearestUp && len(l.standing) > 0 {
			return
		}
	}
}
