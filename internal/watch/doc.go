// Package watch tells when something that was read isn't any more as it was read. It
// reads no file, and doesn't say what the change means.
//
// A [Reading] listens to a disk and keeps, for each path that was asked about, what
// stood there: of files that were read, of folders that were listed, and of places where
// nothing was found. What changed is decided by comparing that with what stands there
// now, and by nothing else. So a change between reading and watching is seen, and a file
// that is as before is no change, however it came to be so.
//
// A [Watcher] says when to compare. It listens to the system for the folders that
// readings lead through, waits until a change has settled, and looks by itself every
// second where the system can't tell. Events of the system are hints: one too many costs
// a comparison, and for one that never comes, as from the disk of another machine, it
// looks every few seconds anyhow.
//
// Nothing is watched but the folders of what was read, and those in which a path of it
// would begin: a link that leads out of a root isn't followed, since what is collected
// doesn't follow it either.
package watch
