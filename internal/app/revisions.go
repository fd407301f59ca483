package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/history"
	"github.com/cento-dev/cento/internal/prompttest"
)

// Repository is the one that a comparison reads revisions from; the zero value is ready.
type Repository struct{ commits *history.Commits }

// Close lets go of it.
func (r *Repository) Close() error {
	if r.commits == nil {
		return nil
	}
	return r.commits.Close()
}

// open opens the repository that holds a folder, once.
func (r *Repository) open(ctx context.Context, dir string) (*history.Commits, error) {
	if r.commits == nil {
		var err error
		if r.commits, err = history.OpenCommits(ctx, dir); err != nil {
			return nil, revisionError(err)
		}
	}
	return r.commits, nil
}

// HasCommits reports whether a folder lies in a repository that has a commit to compare
// with.
func HasCommits(ctx context.Context, dir string) bool {
	var r Repository
	commits, err := r.open(ctx, filepath.FromSlash(dir))
	if err == nil {
		_, err = commits.Resolve("HEAD")
	}
	return errors.Join(err, r.Close()) == nil
}

// revisionError is an error about a repository as one about what was asked for.
func revisionError(err error) error {
	why, ok := errors.AsType[*history.UnavailableError](err)
	if !ok {
		return err
	}
	e := &cento.SourceError{Code: UnknownSide, Message: why.Message(), Hint: why.Hint()}
	if why.Reason == history.NoRevision || why.Reason == history.BadRevision || why.Reason == history.NoMergeBase {
		e.Message = fmt.Sprintf("%q: %s", why.Place, why.Message())
	} else if why.Place != "" {
		e.Position = cento.Position{File: filepath.ToSlash(why.Place)}
	}
	return e
}

func (s *sides) revision(name string) (Side, error) {
	commits, err := s.r.Repository.open(s.ctx, s.r.Request.Dir)
	if err != nil {
		return Side{}, err
	}
	commit, err := commits.Resolve(name)
	if err != nil {
		return Side{}, revisionError(err)
	}
	return Side{Kind: RevisionSide, Name: name, Commit: commit, Target: s.r.Request.Target}, nil
}

// lost is the error of a revision of which something couldn't be read: a prompt without
// it isn't the one that the revision had.
func (m *made) lost() error {
	if m.files == nil || m.files.Lost() == nil {
		return nil
	}
	err := revisionError(m.files.Lost())
	for _, e := range cento.SourceErrors(err) {
		if why, ok := errors.AsType[*history.UnavailableError](m.files.Lost()); ok && why.Reason == history.Partial {
			e.Hint = fmt.Sprintf("nothing is fetched; `git archive -o FILE %s` fetches all that the revision has", m.Commit[:12])
		}
	}
	return err
}

// revise makes a request one for the files of a revision.
func (s *sides) revise(m *made, r *Request) error {
	commits := s.r.Repository.commits
	files, err := commits.Files(m.Commit)
	if err != nil {
		return revisionError(err)
	}
	m.files = files
	r.Disk = disk.Over(commits.Root(), files)
	if l, ok := r.Lister.(prompttest.LockedListings); ok {
		l.Disk = r.Disk
		r.Lister = l
	}
	// A folder that the commit doesn't have yet has the prompt of the one above.
	dir, err := filepath.EvalSymlinks(r.Dir)
	if err != nil {
		dir = r.Dir
	}
	r.Dir = dir
	for r.Dir != commits.Root() {
		info, err := r.Disk.Stat(r.Dir)
		if err == nil && info.IsDir() {
			break
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return revisionError(cause(err))
		}
		r.Dir = filepath.Dir(r.Dir)
	}
	if r.Dir != dir {
		rel, _ := filepath.Rel(commits.Root(), dir)
		m.notes = append(m.notes, cento.Note{Code: CodeFolderMissing, Message: fmt.Sprintf("%s has no folder %s: its prompt is that of the folder above", m.Side, filepath.ToSlash(rel))})
	}
	return nil
}

// CodeFolderMissing is the code of a note: a revision doesn't have the folder of the run.
const CodeFolderMissing cento.Code = "diff.folder"

// cause is the reason that a repository gave for a file that couldn't be read.
func cause(err error) error {
	if why, ok := errors.AsType[*history.UnavailableError](err); ok {
		return why
	}
	return err
}

// at names the revision in the places of errors.
func (m *made) at(err error) error {
	if m.Kind != RevisionSide {
		return err
	}
	for _, e := range cento.SourceErrors(err) {
		e.Position = m.ofRevision(e.Position)
		for i := range e.Related {
			e.Related[i].Position = m.ofRevision(e.Related[i].Position)
		}
	}
	return err
}

// ofRevision writes a place as git does: the revision, a colon, the file. What lies in
// .git is of no revision, nor is what was read as it is now.
func (m *made) ofRevision(at cento.Position) cento.Position {
	if m.Kind != RevisionSide {
		return at
	}
	if at.File == "" || strings.HasPrefix(at.File, "$builtin/") || strings.HasPrefix(at.File, "~/") || strings.HasPrefix(at.File, ".git/") || filepath.IsAbs(at.File) || m.ofNow(at.File) {
		return at
	}
	at.File = m.Commit[:12] + ":" + at.File
	return at
}

// ofNow reports whether a file of a revision was read as it is now: git doesn't track it,
// or a submodule does.
func (m *made) ofNow(shown string) bool {
	path, ok := m.site.Path(shown)
	if !ok || m.files == nil {
		return false
	}
	rel, err := filepath.Rel(m.files.Root(), path)
	if err != nil {
		return false
	}
	name := filepath.ToSlash(rel)
	return slices.Contains(m.files.FromDisk(), name) || slices.ContainsFunc(m.files.Submodules(), func(dir string) bool { return strings.HasPrefix(name, dir+"/") })
}

// OpenRevision opens a project as a commit has it, which stands for as long as the
// repository is open; an empty name is the files as they are, read to be set beside a
// commit: tool servers speak by the listings that were locked.
//
// The notes are those on the revision; the summary of the project and its remarks come with it.
func OpenRevision(ctx context.Context, from *Repository, site Site, r Request, revision string) (p *Project, summary string, notes []cento.Note, err error) {
	s := &sides{ctx: ctx, r: &DiffRequest{Site: site, Request: r, Repository: from}}
	side := Side{Kind: TargetSide, Target: r.Target}
	if revision != "" {
		if side, err = s.revision(revision); err != nil {
			return nil, "", nil, err
		}
	}
	m, err := s.open(side, true)
	return m.project, m.summary, append(m.notes, asOfNow(m)...), err
}

// CodeOfNow is the code of a note: some of what a revision was read with is as it is now.
const CodeOfNow cento.Code = "diff.now"

// mostFromDisk is how many files that git doesn't track are named.
const mostFromDisk = 5

// asOfNow says what of two sides is not of a revision.
func asOfNow(list ...*made) []cento.Note {
	read, revision := map[string]bool{}, false
	for _, m := range list {
		if m.files == nil {
			continue
		}
		revision = true
		for _, name := range m.files.FromDisk() {
			read[name] = true
		}
		for _, name := range m.files.Submodules() {
			read["the submodule "+name] = true
		}
	}
	if !revision {
		return nil
	}
	n := cento.Note{Code: CodeOfNow, Message: "the user's files, remotes and what git doesn't track are those of now"}
	names := slices.Sorted(maps.Keys(read))
	if more := len(names) - mostFromDisk; more > 0 {
		names = append(names[:mostFromDisk], fmt.Sprintf("and %d more", more))
	}
	if len(names) > 0 {
		n.Message += ": " + strings.Join(names, ", ")
	}
	return []cento.Note{n}
}
