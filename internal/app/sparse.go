package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/history"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/pack"
)

// CodeSparse is the code of a note: a sparse checkout leaves files out that a prompt would
// be made of.
const CodeSparse cento.Code = "diff.sparse"

// lookedFor listens to where a project is looked for. A sparse work tree is a part of what
// the last commit has, and a prompt without the rest differs for no reason of its own.
type lookedFor struct {
	mu    sync.Mutex
	asked map[string]bool
}

// on is a disk that tells what it is asked, whoever else listens.
func (m *lookedFor) on(d disk.Disk) disk.Disk {
	m.asked = map[string]bool{}
	return d.Asked(func(q disk.Question) {
		d.Ask(q)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.asked[filepath.Clean(q.Path)] = true
	})
}

// leftOut are the names that were asked for, from the root of the repository, and that
// its work tree leaves out; sorted. Of a folder and what lies in it that is the latter.
func (m *lookedFor) leftOut(c *history.Commits) []string {
	if m.asked == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for path := range m.asked {
		dir := path
		if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			dir = filepath.Join(real, filepath.Base(path))
		}
		if rel, err := filepath.Rel(c.Root(), dir); err == nil && filepath.IsLocal(rel) && rel != "." {
			names = append(names, filepath.ToSlash(rel))
		}
	}
	slices.Sort(names)
	out := slices.Compact(c.LeftOut(names))
	return slices.DeleteFunc(slices.Clone(out), func(name string) bool {
		return slices.ContainsFunc(out, func(below string) bool { return strings.HasPrefix(below, name+"/") })
	})
}

// sparse tells what is left out.
func sparse(left []string) cento.Note {
	names := slices.Clone(left)
	if more := len(names) - mostFromDisk; more > 0 {
		names = append(names[:mostFromDisk], fmt.Sprintf("and %d more", more))
	}
	return cento.Note{Code: CodeSparse, Message: "the work tree is sparse, and its prompt is made without what it leaves out: " + strings.Join(names, ", ")}
}

// hintSparse says in errors about files that aren't there where these may be, unless
// another name is proposed.
func hintSparse(err error, left []string) {
	for _, e := range cento.SourceErrors(err) {
		if (errors.Is(e, tree.NotFound) || errors.Is(e, pack.NotFound)) && !strings.HasPrefix(e.Hint, "did you mean") {
			e.Hint = fmt.Sprintf("the work tree is sparse, and leaves %s out: compare two revisions, or take it in with git sparse-checkout add", left[0])
			if len(left) > 1 {
				e.Hint = fmt.Sprintf("the work tree is sparse, and leaves %s and %d more out: compare two revisions, or take them in with git sparse-checkout add", left[0], len(left)-1)
			}
		}
	}
}
