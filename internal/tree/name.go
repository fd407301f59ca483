package tree

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
)

// BadName says what is wrong with a name.
type BadName struct {
	Code   cento.ErrorCode // [InvalidName] or [Outside]
	Reason string
}

func (e *BadName) at(p cento.Position) *cento.SourceError {
	return &cento.SourceError{Code: e.Code, Message: e.Reason, Position: p}
}

// CheckName reports whether a name can be asked for: parts joined by single
// `/`, none of them `.` or `..`, no slash at the ends, no backslash, NUL or
// drive letter, valid UTF-8; or "." for the folder itself. The operating system
// refuses some of these; the others mean different files on different systems,
// and a trailing slash has led out of a root before. It returns nil for a good
// name.
func CheckName(name string) *BadName {
	invalid := func(reason string) *BadName { return &BadName{InvalidName, reason} }
	switch {
	case name == ".":
		return nil
	case name == "":
		return invalid("the file name is empty")
	case strings.Contains(name, "\x00"):
		return invalid("the file name holds a NUL character")
	case strings.Contains(name, `\`):
		return invalid(`the file name holds a backslash; folders are parted by "/"`)
	case !utf8.ValidString(name):
		return invalid("the file name is not valid UTF-8")
	case strings.HasPrefix(name, "/"):
		return &BadName{Outside, "the file name is absolute"}
	case hasDrive(name):
		return &BadName{Outside, "the file name begins with a drive letter"}
	case strings.HasSuffix(name, "/"):
		return invalid("the file name ends with a slash")
	case leadsUp(name):
		return &BadName{Outside, "the file name leads out of its folder"}
	case !fs.ValidPath(name):
		return invalid(`the file name has an empty part, "." or ".."`)
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return invalid("the file name is reserved by the operating system")
	}
	return nil
}

// leadsUp reports whether the parts of a name lead above where they begin.
func leadsUp(name string) bool {
	clean := path.Clean(name)
	return clean == ".." || strings.HasPrefix(clean, "../")
}

func hasDrive(name string) bool {
	return len(name) >= 2 && name[1] == ':' && ('a' <= name[0]|0x20 && name[0]|0x20 <= 'z')
}

// maxLinks bounds how many links one name may lead through. Opening allows
// fewer; this one only has to end.
const maxLinks = 40

// Real gives the name of the same file with every link on the way resolved, so
// that two names of one file compare equal and a check of where a file lies
// means the file. Errors: [Outside] when a link leads out of the tree or is
// absolute, [NotFound], [Unreadable], [InvalidName].
func (t *Tree) Real(name string) (string, error) {
	at := cento.Position{File: t.show(name)}
	if err := CheckName(name); err != nil {
		return "", err.at(at)
	}
	t.ask(name, disk.Looked)
	rest := strings.Split(name, "/")
	done := make([]string, 0, len(rest))
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if len(done) == 0 {
				return "", outside(at, nil)
			}
			done = done[:len(done)-1]
			continue
		}
		here := strings.Join(append(done, part), "/")
		info, err := t.root.Lstat(here)
		if err != nil {
			return "", t.openError(at, err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done = append(done, part)
			continue
		}
		if links++; links > maxLinks {
			return "", openError(at, errors.New("too many links"))
		}
		target, err := t.root.Readlink(here)
		if err != nil {
			return "", t.openError(at, err)
		}
		if filepath.IsAbs(target) || strings.HasPrefix(target, "/") {
			return "", outside(at, nil)
		}
		rest = append(strings.Split(filepath.ToSlash(target), "/"), rest...)
	}
	if len(done) == 0 {
		return ".", nil
	}
	return strings.Join(done, "/"), nil
}
