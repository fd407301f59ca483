package workspace

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

// The codes of errors of this package. Those of files are in the notes.
const (
	// InvalidMarker: a root marker isn't the name of one file or folder.
	InvalidMarker cento.ErrorCode = "project.marker"
	// InvalidFolder: a folder that was handed over isn't one, or not absolute.
	InvalidFolder cento.ErrorCode = "project.folder"
	// UnknownConvention: no loading rules have that name.
	UnknownConvention cento.ErrorCode = "instructions.profile"
	// InvalidLimit: a limit is negative.
	InvalidLimit cento.ErrorCode = "instructions.limit"
	// NoAllow: a scope has no allow rule.
	NoAllow cento.ErrorCode = "scope.no_allow"
	// InvalidTarget: a target can't be shown safely, or has no base.
	InvalidTarget cento.ErrorCode = "scope.target"
	// InvalidPattern: a pattern is malformed, or an allow rule has one.
	InvalidPattern cento.ErrorCode = "scope.pattern"
	// InvalidPermission: a rule is neither about reading nor about writing.
	InvalidPermission cento.ErrorCode = "scope.permission"
)

// UnreadableFolder is the code of a note: a folder on the way up couldn't be
// looked into, so a marker in it would have been missed.
const UnreadableFolder cento.Code = "project.unreadable"

// VCSMarkers returns the names that mark the root of a repository: folders,
// or files, as in a linked work tree.
func VCSMarkers() []string { return []string{".git", ".hg", ".jj", ".svn"} }

// Root is where a project begins.
type Root struct {
	// Dir is the canonical path of the root.
	Dir string `json:"dir"`
	// Cwd is the canonical path of the folder the search began in, at or below
	// Dir.
	Cwd string `json:"cwd"`
	// Marker is the name that marks it; empty when none was found and the root
	// is Cwd.
	Marker string `json:"marker"`
	// VCS: the marker is that of a repository.
	VCS bool `json:"vcs"`
	// Home: the root is the home folder.
	Home bool `json:"home"`
	// Disk: the root is that of the disk.
	Disk bool `json:"disk"`
	// Project is the nearest folder at or above Cwd that has a cento.yaml or a
	// .cento folder; empty when none has. It can lie below Dir, as a part of a
	// larger repository, and above it.
	Project string       `json:"project"`
	Notes   []cento.Note `json:"notes,omitempty"`
}

// FindRoot looks for the root of the project at and above cwd on a disk: the nearest
// folder with one of the markers (nil: [VCSMarkers]), else the nearest with
// cento.yaml or .cento, else cwd itself. home is compared with the root and may
// be empty. Errors: [InvalidFolder], [InvalidMarker].
func FindRoot(disk disk.Disk, cwd, home string, markers []string) (Root, error) {
	if markers == nil {
		markers = VCSMarkers()
	}
	for _, m := range markers {
		if e := tree.CheckName(m); e != nil || m == "." || strings.Contains(m, "/") {
			return Root{}, &cento.SourceError{
				Code: InvalidMarker, Message: fmt.Sprintf("root marker %q is not the name of a file or folder", m),
				Hint: "markers are single names such as .git",
			}
		}
	}
	dir, err := folder(disk, cwd)
	if err != nil {
		return Root{}, err
	}
	r := Root{Dir: dir, Cwd: dir}
	s := search{disk: disk, notes: &r.Notes}
	up := ancestors(dir)
	var project string
	for _, d := range up {
		if !r.VCS {
			if m := s.first(d, markers, anyKind); m != "" {
				r.Dir, r.Marker, r.VCS = d, m, true
			}
		}
		if r.Project == "" {
			// A manifest of another kind, or a link to nothing, is one that can't
			// be read, and not none: whoever opens it tells.
			if project = "cento.yaml"; !exists(disk, d, project) {
				project = s.first(d, []string{".cento"}, fs.FileMode.IsDir)
			}
			if project != "" {
				r.Project = d
				if !r.VCS {
					r.Dir, r.Marker = d, project
				}
			}
		}
	}
	r.Disk = r.Dir == up[len(up)-1]
	if home != "" && rooted(home) {
		h, _ := canonical(disk, home)
		r.Home = r.Dir == h
	}
	return r, nil
}

// folder checks that a folder was handed over, and gives its canonical path.
func folder(disk disk.Disk, dir string) (string, error) {
	at := cento.Position{File: filepath.ToSlash(dir)}
	if !filepath.IsAbs(dir) {
		return "", &cento.SourceError{Code: InvalidFolder, Message: fmt.Sprintf("folder %q is not absolute", dir), Position: at, Hint: "write the whole path of the folder"}
	}
	real, err := canonical(disk, dir)
	if err == nil {
		var info fs.FileInfo
		if info, err = disk.Stat(filepath.FromSlash(real)); err == nil && !info.IsDir() {
			return "", &cento.SourceError{Code: InvalidFolder, Message: fmt.Sprintf("%q is not a folder", dir), Position: at, Hint: "name the folder that it lies in"}
		}
	}
	if err != nil {
		return "", &cento.SourceError{Code: InvalidFolder, Message: fmt.Sprintf("cannot look into folder %q", dir), Position: at, Err: err, Hint: "name a folder that is there and that you may read"}
	}
	return real, nil
}

// search looks for names in folders, and notes where it couldn't.
type search struct {
	disk  disk.Disk
	notes *[]cento.Note
	last  string // the folder noted last: one note for each is enough
}

// exists reports whether a folder has an entry of that name, of whatever kind.
func exists(disk disk.Disk, dir, name string) bool {
	_, err := disk.Lstat(filepath.FromSlash(path.Join(dir, name)))
	return err == nil
}

func anyKind(m fs.FileMode) bool { return m.IsDir() || m.IsRegular() }

func (s *search) first(dir string, names []string, kind func(fs.FileMode) bool) string {
	for _, name := range names {
		p := path.Join(dir, name)
		info, err := s.disk.Stat(filepath.FromSlash(p))
		switch {
		case err == nil && kind(info.Mode()):
			return name
		case err != nil && !missing(err) && s.last != dir:
			s.last = dir
			*s.notes = append(*s.notes, cento.Note{
				Code:     UnreadableFolder,
				Message:  fmt.Sprintf("cannot look for root markers in %q: %v", dir, cause(err)),
				Position: cento.Position{File: p},
			})
		}
	}
	return ""
}
