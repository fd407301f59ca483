package pack

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// Own is what stands below a prefix that a host brings: files of its own, and how far
// they are trusted. The trust is the host's to say; the zero value is the least
// trusted.
type Own struct {
	Root  Root
	Trust cento.Trust
}

// wordingFolder holds the wording of the catalog, below `$builtin`. It stays the
// program's where a host replaces the others, since positions name it: who words
// those texts anew hands over [Wording].
const wordingFolder = "catalog/"

// CheckOwn refuses what can't be a prefix of a host: a name that no reference can
// spell, one that means other files already, and one without files. Its error is
// [InvalidPrefix], of the first by name.
func CheckOwn(own map[Prefix]Own) error {
	for _, p := range slices.Sorted(maps.Keys(own)) {
		name, marked := strings.CutPrefix(string(p), "$")
		e := &cento.SourceError{Code: InvalidPrefix, Message: quote(string(p)) + " can't be a prefix of a host"}
		switch {
		case p == User || p == Workspace || p == packs:
			e.Message += ": it names other files already"
			e.Hint = "of the prefixes that are always there a host can replace $builtin alone"
		case !marked || CheckName(name, cento.Position{}) != nil:
			e.Hint = "write it as $name, with lower-case letters, digits, -, _ and ., as in $insomnia"
		case own[p].Root == nil:
			e.Message += ": it has no files"
			e.Hint = "give it a root, as of pack.FS"
		default:
			continue
		}
		return e
	}
	return nil
}

// ownNames are the prefixes of a host, sorted.
func ownNames(own map[Prefix]Own) []Prefix { return slices.Sorted(maps.Keys(own)) }

// ownOf are those of an input.
func ownOf(files cento.Files) []Prefix {
	var out []Prefix
	for _, p := range slices.Sorted(maps.Keys(files.Prefixes)) {
		out = append(out, Prefix(p))
	}
	return out
}

// addOwn gives a loader the prefixes of the host.
func (r Roots) addOwn(l *Loader) error {
	if err := CheckOwn(r.Own); err != nil {
		return err
	}
	l.own = make(map[Prefix]cento.Trust, len(r.Own))
	for p, own := range r.Own {
		l.roots[p], l.own[p] = own.Root, own.Trust
	}
	return nil
}

// ParseRef is the function [ParseRef] with the prefixes of the loader.
func (l *Loader) ParseRef(raw string, current Ref, at cento.Position) (Ref, error) {
	if len(l.own) == 0 {
		return ParseRef(raw, current, at)
	}
	return ParseRef(raw, current, at, slices.Sorted(maps.Keys(l.own))...)
}

// Trust is that of a file: what the host says of its prefix, else what follows from
// the prefix alone.
func (l *Loader) Trust(ref Ref) cento.Trust {
	if trust, ok := l.own[ref.prefix]; ok && !l.ofProgram(ref) {
		return trust
	}
	return ref.prefix.trust()
}

// ofProgram reports whether a file is part of the program.
func (l *Loader) ofProgram(ref Ref) bool {
	_, replaced := l.own[Builtin]
	return ref.prefix == Builtin && (!replaced || strings.HasPrefix(ref.file, wordingFolder))
}

// ofProgram is the same for roots that no loader has yet.
func ofProgram(ref Ref, own map[Prefix]Own) bool {
	_, replaced := own[Builtin]
	return ref.prefix == Builtin && (!replaced || strings.HasPrefix(ref.file, wordingFolder))
}

// proposed are the prefixes in whose files a name without one is looked for, the
// nearest to the project first.
func (l *Loader) proposed() []Prefix {
	out := []Prefix{Workspace, User, Builtin}
	for _, p := range slices.Sorted(maps.Keys(l.own)) {
		if p != Builtin {
			out = append(out, p)
		}
	}
	return out
}

// standard reports whether the prefix is one of those that are always there.
func (p Prefix) standard() bool { return p == Builtin || p == User || p == Workspace }

func (p Prefix) isPack() bool {
	_, ok := p.Pack()
	return ok
}

// unknownPrefixHint proposes the known prefix that is nearest.
func unknownPrefixHint(written string, own []Prefix) string {
	names := []string{string(Builtin), string(User), string(Workspace), string(packs)}
	for _, p := range own {
		if p != Builtin {
			names = append(names, string(p))
		}
	}
	shown := slices.Clone(names)
	shown[3] += "/<name>"
	last := len(shown) - 1
	return didYouMean(written, names, "the prefixes are "+strings.Join(shown[:last], ", ")+" and "+shown[last])
}

// FS is a root of files that a host brings, such as those embedded in it. They are
// held to the same rules as files on disk: regular files, text in UTF-8, within the
// limit. Nothing keeps a link of an [os.DirFS] inside of its folder; [os.Root.FS] does.
func FS(files fs.FS) Root {
	if files == nil {
		return nil
	}
	return fsRoot{files}
}

type fsRoot struct{ files fs.FS }

func (r fsRoot) read(name, show string, limit int) (string, error) {
	refused := func(code cento.ErrorCode, why string) (string, error) {
		return "", &cento.SourceError{Code: code, Message: why, Position: cento.Position{File: show}}
	}
	// Looked at before it is opened: opening a pipe waits for somebody to write.
	info, err := fs.Stat(r.files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", missing(show)
	case err != nil:
		return "", tree.WithoutPath(err)
	case info.IsDir():
		return refused(tree.NotRegular, "a folder, not a file")
	case !info.Mode().IsRegular():
		return refused(tree.NotRegular, "not a regular file")
	}
	f, err := r.files.Open(name)
	if err != nil {
		return "", tree.WithoutPath(err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return "", tree.WithoutPath(err)
	}
	return checked(show, raw, limit)
}

func (r fsRoot) list() ([]string, error) {
	var names []string
	seen := 0
	var walk func(dir string, depth int) error
	walk = func(dir string, depth int) error {
		entries, err := fs.ReadDir(r.files, dir)
		if err != nil {
			return tree.WithoutPath(err)
		}
		if seen += len(entries); seen > maxListed {
			return &cento.SourceError{Code: cento.LimitExceeded, Message: "too many files to list"}
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch info, err := fs.Stat(r.files, name); {
			case e.IsDir() && depth < maxDepth:
				if err := walk(name, depth+1); err != nil {
					return err
				}
			case err == nil && info.Mode().IsRegular(): // also behind a link
				names = append(names, name)
			}
		}
		return nil
	}
	if err := walk(".", 1); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return names, nil
}
