package tree

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/cento-dev/cento"
)

// ReadOwn is [Tree.ReadRaw] for a file that [Tree.Replace] may write: not for one that
// is a link or lies behind one.
func (t *Tree) ReadOwn(name string) ([]byte, error) {
	at := cento.Position{File: t.show(name)}
	if err := CheckName(name); err != nil {
		return nil, err.at(at)
	}
	if _, err := t.own(name, at); err != nil {
		return nil, err
	}
	return t.ReadRaw(name)
}

// own gives the permissions of a file, or those that a new one has. A file that is a
// link, or lies behind one, is the error [Outside].
func (t *Tree) own(name string, at cento.Position) (fs.FileMode, error) {
	mode := fs.FileMode(0o644)
	for part := name; part != "."; part = path.Dir(part) {
		info, err := t.root.Lstat(part)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return 0, t.openError(at, err)
		case part == name && info.Mode().IsRegular():
			mode = info.Mode().Perm()
		case part == name && info.Mode()&fs.ModeSymlink == 0, part != name && !info.IsDir() && info.Mode()&fs.ModeSymlink == 0:
			return 0, notRegular(at, info.Mode())
		case part == name || !info.IsDir():
			return 0, outside(at, nil)
		}
	}
	return mode, nil
}

// Replace writes a file of the tree as a whole, and makes the folders that it lies in.
// Nothing outside of the tree is written, whatever links lie in it: a file that is a
// link, or lies behind one, is the error [Outside]. What ends it halfway leaves what
// was there. A file that is there keeps its permissions; a new one has 0644.
func (t *Tree) Replace(name string, data []byte) error {
	at := cento.Position{File: t.show(name)}
	if err := CheckName(name); err != nil {
		return err.at(at)
	}
	root, ok := t.root.(machine)
	if !ok {
		return &cento.SourceError{Code: Unreadable, Message: "the files of a revision are not written", Position: at}
	}
	mode, err := t.own(name, at)
	if err != nil {
		return err
	}
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	// Beside the file, so that it is moved within one disk.
	beside := path.Join(path.Dir(name), "."+path.Base(name)+"."+rand.Text())
	f, err := root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(beside, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(beside))
	}
	return nil
}
