//go:build !unix

package tree

import "errors"

// nonblock is nothing where named pipes don't stand in folders.
const nonblock = 0

// errNotDir is an error that never occurs: here a file on the way is reported
// as a path that wasn't found.
var errNotDir = errors.New("not a folder")
