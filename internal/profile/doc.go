// Package profile finds out what kind of project a folder holds: its languages, build
// tools, the commands of its tasks, its git remotes, and which credentials are at hand.
// Each such fact is a [Signal] that sets a capability. Nothing of the project is run.
//
//	p, err := profile.Find(profile.Config{Root: dir})
//
// The usual path is [Find] on the root of a project. What is said about a
// project is said by its files: build files are parsed, nothing is run, neither
// git nor a build tool, and no connection is opened. Files are opened by
// internal/tree alone, links are not followed, and the walk is bounded (25,000
// files and folders, 16 levels down); where a bound cut it off a note says so.
//
// What stands in the files is a stranger's. A file that can't be read or
// parsed is a note and the rest still holds. Commands are never copied from a
// file: a signal only tells that a script, target or tool of a known name is
// there. A remote is taken apart and put together again from its host and path,
// and dropped when anything about it is unusual, so that no user name, password,
// token or query of it can get out. Of credentials only the names of environment
// variables are looked at, and the caller hands those over; the package reads no
// environment.
//
// The result depends on the files and the arguments alone: folders are sorted,
// and no clock, locale or order of a map has a part in it.
package profile

import "github.com/cento-dev/cento"

// The bounds of the walk. They are the same everywhere, so that a project has
// one profile on all machines.
const (
	// maxEntries is how many files and folders are looked at in all.
	maxEntries = 25_000
	// maxFolder is how many entries one folder may have; a larger one is left
	// out, since a part of it would be whichever the disk gives first.
	maxFolder = 10_000
	// maxDepth is how many folders below the root are gone down.
	maxDepth = 16
	// maxFile is the largest build file that is read, in bytes.
	maxFile = 512 << 10
	// minShare is the share of a project's source files, in percent, from which
	// on a language is one of the project's.
	minShare = 10
	// buildDepth is how deep below the root build files are looked for.
	buildDepth = 3
	// maxBuildFolders is in how many folders below the root they are looked for.
	maxBuildFolders = 64
	// maxRead is how many bytes of build files are read in all, and how many of
	// .gitignore files.
	maxRead = 1 << 20
	// maxProjectFiles is how many project files of one kind are read in a folder.
	maxProjectFiles = 16
)

// The codes of notes. None of them is about the project's prompt itself: what
// could not be found out has no fragment.
const (
	// Broken: a build file doesn't parse, so only its being there counts.
	Broken cento.Code = "profile.broken"
	// Unreadable: a file or folder can't be read.
	Unreadable cento.Code = "profile.unreadable"
	// CutOff: the project is larger than the walk, so shares are those of the
	// part that was looked at.
	CutOff cento.Code = "profile.cut"
	// UnnamedRemote: the address of a git remote was dropped. The address itself
	// is never told.
	UnnamedRemote cento.Code = "profile.remote"
	// Undecided: files speak for different package managers.
	Undecided cento.Code = "profile.undecided"
	// PassedOver: entries have names that can't be shown, and don't count.
	PassedOver cento.Code = "profile.names"
)
