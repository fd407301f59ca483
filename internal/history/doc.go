// Package history tells which commit wrote a line of a file in the user's git work
// tree, and gives the files that a commit has. It changes nothing in the repository,
// and runs nothing that the repository names.
//
// The usual path is a zero [Repositories]: ask [Repositories.Lines] for each file of one call, then
// [Repositories.Close]. Every line
// asked for is answered, in the order asked, with a [State]; a line whose history cannot be had is
// [Unknown] with a [Reason], words for the user and, where there is one, advice. An error is returned only
// when the caller's context ended or the value was closed.
//
// [OpenCommits] opens a repository for the files of its commits, with a work tree or without: resolve a name with
// [Commits.Resolve], and read with [Commits.Files]. Objects come from git cat-file on the same view. The index is
// read as data, to tell what git tracks; where it can't be, the last commit tells.
//
// # A view without configuration
//
// The repository may be a stranger's, and git runs programs that a repository's configuration names:
// file-system monitors, pagers, clean filters, text converters, credential helpers, transports of
// a partial clone. Switching them off one by one is a race against the next release, so git never gets
// to see that configuration. The git folder is found and HEAD is resolved here, by reading HEAD, the
// references and packed-refs as data. A throw-away git directory in a temporary folder then holds a
// configuration of ours, that one commit as a detached HEAD, the boundary of a shallow clone and a pointer
// to the object folder. The git program is asked about this view only, from an empty work tree, with an
// environment made from nothing, and gets the file's text on standard input. What is taken from the
// repository is therefore objects, references and the shallow boundary; its config, hooks, attributes,
// index, replacement references, grafts, mailmap, commit-graph and multi-pack index have no effect.
//
// The object folder may name further ones in objects/info/alternates, as clones made with --reference or
// --shared do. Those are followed, by git's own rule of five levels, because their objects are only read:
// a hostile entry can at most show the reader a commit out of another object folder of the same reader.
// An entry, .git file or commondir that names a folder on another machine (// or \\) is refused before git
// runs, since opening such a path can send credentials.
//
// # Why the git program
//
// The alternative considered was go-git. Its blame is known to be slow on long histories (go-git issue 14
// reports 35 seconds where git takes less than one), it has no notion of uncommitted text, and it would put
// a second implementation of git's storage, and what that imports, into every build. Running git costs two
// processes of a few milliseconds for each file and nothing at start-up; who has a git work tree has git.
//
// Where git itself is too trusting its answer is not passed on: git blame gives lines to the wrong commit,
// and succeeds, when a parent of that commit does not read. An answer that git complained about is
// [Damaged].
//
// # Limits
//
// Each question to git ends with the caller's context or after 20 seconds, whichever is first; its output,
// its single allocations, and the files read here are bounded. Line ends and a byte order mark do not count
// as changes: git converts line ends by configuration, which is not read, so a line that differs from the
// committed file only in these is taken as the committed one. A clean filter or keyword expansion is not
// applied: lines that it rewrites show as uncommitted. Lists of ignored revisions are not applied. Renames
// of whole files are followed; copies and moved lines are not.
//
// A [Repositories] is safe for use by several goroutines. It sees the HEAD of a repository as it was when that
// was first asked.
package history
