// Package tree opens files of the user's tree: manifests, prompt files,
// instructions, skills, tool definitions. It is the only package that does, so
// that the rules for hostile trees are written once. It writes nothing, and of what a
// file holds it judges the encoding alone.
//
// The usual path is [Open] on a folder, then [Tree.Read] by a name below it,
// written with `/`. A file that a person named on a command line is read by
// [ReadPath]. Bytes that came from elsewhere, such as standard input, are
// checked by [Decode] in the same way.
//
// What holds for every file that comes out:
//
//   - It lies below the folder. Links are followed, but not out of it, and
//     absolute links not at all.
//   - It is a regular file. A named pipe, device, socket or folder is refused
//     and never waited for.
//   - It is no larger than the limit, measured before it is read and again
//     while it is read.
//   - It is UTF-8 without NUL. A byte order mark is dropped and CRLF is folded
//     to LF; nothing else is changed. [Tree.ReadLossy] keeps CRLF.
//
// Everything that goes wrong is a [*cento.SourceError] with one of the codes
// below, the file's name as people know it, and line and column where a byte is
// to blame. Its cause is kept, so that errors.Is(err, fs.ErrNotExist) works. A
// file that is there and can't be read is never reported as missing.
//
// The package keeps nothing, reads no environment and writes nothing. A [Tree]
// may be used by several goroutines at once.
package tree

import "github.com/cento-dev/cento"

// The codes of errors.
const (
	// NotFound: there is no such file, or a folder on the way isn't one.
	NotFound cento.ErrorCode = "file.not_found"
	// Unreadable: the file is there and can't be opened or read.
	Unreadable cento.ErrorCode = "file.unreadable"
	// NotRegular: the name is that of a folder, named pipe, device or socket.
	NotRegular cento.ErrorCode = "file.not_regular"
	// NotFolder: a folder was asked for and the name is that of something else.
	NotFolder cento.ErrorCode = "file.not_folder"
	// TooLarge: the file passes the limit.
	TooLarge cento.ErrorCode = "file.too_large"
	// TooMany: the folder holds more entries than were allowed for.
	TooMany cento.ErrorCode = "file.too_many"
	// InvalidUTF8: the text isn't valid UTF-8.
	InvalidUTF8 cento.ErrorCode = "file.utf8"
	// HoldsNUL: the text holds a NUL character.
	HoldsNUL cento.ErrorCode = "file.nul"
	// Outside: the name, or a link on the way, leads out of the folder.
	Outside cento.ErrorCode = "file.outside"
	// InvalidName: the name isn't one that works everywhere, see [CheckName].
	InvalidName cento.ErrorCode = "file.name"
	// Twin: the name of a file reads like that of another beside it.
	Twin cento.ErrorCode = "file.twin"
)
