package history

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
)

// Repositories answers for files of any folder: each file by the repository that it is in, which is opened
// once and kept until Close. The zero value is ready; its methods may be called from several goroutines.
type Repositories struct {
	// At is the commit, by its full name, that the history ends at; empty for the last one.
	At string

	guard  sync.Mutex
	opened map[string]opening // by root of the work tree
	closed bool
}

// opening is a repository, or why there is none.
type opening struct {
	repository *repository
	err        error
}

// Lines answers for lines of a file, by the repository that the file is in. A relative name is relative to the current
// folder. That there is no repository, or none that can be read, is told in the answers.
func (rs *Repositories) Lines(ctx context.Context, file string, contents []byte, lines []int) ([]Line, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(file)
	if err != nil {
		return unknown(lines, &UnavailableError{Reason: Failed, Place: file, Err: err, Detail: err.Error()}), nil
	}
	path = resolve(path)
	repository, err := rs.of(filepath.Dir(path))
	if errors.Is(err, ErrClosed) {
		return nil, err
	}
	if why, ok := errors.AsType[*UnavailableError](err); ok {
		return unknown(lines, why), nil
	}
	return repository.Lines(ctx, path, contents, lines)
}

// of opens the repository of a folder, once for each root. A failure is kept too: it would be the same for
// the next file, and one call shall not say two things about one repository.
func (rs *Repositories) of(dir string) (*repository, error) {
	rs.guard.Lock()
	defer rs.guard.Unlock()
	if rs.closed {
		return nil, ErrClosed
	}
	found, err := locate(dir)
	if err != nil {
		return nil, err
	}
	known, ok := rs.opened[found.root]
	if !ok {
		known.repository, known.err = open(found, found.root, rs.At)
		if rs.opened == nil {
			rs.opened = make(map[string]opening)
		}
		rs.opened[found.root] = known
	}
	return known.repository, known.err
}

// Close removes all temporary folders, after the questions under way. Later questions get [ErrClosed].
func (rs *Repositories) Close() error {
	rs.guard.Lock()
	defer rs.guard.Unlock()
	rs.closed = true
	var errs []error
	for _, known := range rs.opened {
		if known.repository != nil {
			errs = append(errs, known.repository.Close())
		}
	}
	clear(rs.opened)
	return errors.Join(errs...)
}
