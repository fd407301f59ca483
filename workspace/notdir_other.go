//go:build !unix

package workspace

import "errors"

// errNotDir never occurs: here a file on the way is a path that wasn't found.
var errNotDir = errors.New("not a folder")
