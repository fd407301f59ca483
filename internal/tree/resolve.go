package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
)

// Resolve returns a path of the machine without links. It follows a link to nothing too,
// and keeps names that don't exist: whoever makes a file makes it where links lead.
func Resolve(name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	const separator = string(filepath.Separator)
	split := func(path string) (top string, parts []string) {
		top = filepath.VolumeName(path)
		return top + separator, strings.Split(path[len(top):], separator)
	}
	done, todo := split(full)
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		if part == "" || part == "." {
			continue
		}
		if part == ".." {
			done = filepath.Dir(done)
			continue
		}
		here := filepath.Join(done, part)
		info, err := os.Lstat(here)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			done = here
			continue
		}
		if links++; links > maxLinks {
			return "", errTooManyLinks
		}
		target, err := os.Readlink(here)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(target) {
			var parts []string
			done, parts = split(filepath.Clean(target))
			todo = append(parts, todo...)
		} else {
			todo = append(strings.Split(filepath.FromSlash(target), separator), todo...)
		}
	}
	return done, nil
}

// Within returns where a path leads, without links. A path below a folder that leads out
// of it is the error [Outside]; any other path is one that a person chose.
func Within(dir, name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	real, err := Resolve(full)
	if err != nil || dir == "" {
		return real, err
	}
	top, err := Resolve(dir)
	if err != nil {
		return "", err
	}
	if (local(dir, full) || local(top, full)) && !local(top, real) {
		return "", &cento.SourceError{
			Code: Outside, Position: cento.Position{File: filepath.ToSlash(name)}, Message: "a link leads out of the project",
			Hint: "name the file that it leads to: " + filepath.ToSlash(real),
		}
	}
	return real, nil
}

// OpenRoot opens a folder to write below it: no link leads out.
func OpenRoot(dir string) (*os.Root, error) { return os.OpenRoot(dir) }

// local reports whether a path is below a folder, by their names.
func local(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// ReadWithin is [ReadPathOn] for a path that may be of a project: one below its folder is
// read as [Tree.Read] does, so that no link leads out.
func ReadWithin(d disk.Disk, dir, name string, o Options) (*File, error) {
	if dir == "" || !local(dir, name) {
		return ReadPathOn(d, name, o)
	}
	shown := name
	if o.Show != nil {
		shown = o.Show(name)
	}
	t, err := OpenOn(d, dir, Options{Limit: o.Limit, Show: func(string) string { return shown }})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	rel, err := filepath.Rel(dir, name)
	if err != nil {
		return nil, err
	}
	f, err := t.Read(filepath.ToSlash(rel))
	if err != nil {
		return nil, err
	}
	f.Name = name
	return f, nil
}
