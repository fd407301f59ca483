package history

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// symrefLevels is how many references may point at one another, as in git.
const symrefLevels = 5

// head resolves HEAD to a commit.
func (l layout) head() (string, error) {
	commit, err := l.ref("HEAD")
	if commit == "" && err == nil {
		err = &UnavailableError{Reason: NoCommits, Place: l.root}
	}
	return commit, err
}

// ref resolves a full reference name to an object by reading the reference files as git lays them out: a
// loose file wins over packed-refs, and HEAD and a few other references belong to the work tree, the rest to
// all of them. The empty string says that there is no such reference.
func (l layout) ref(name string) (string, error) {
	if isFolder(filepath.Join(l.common, "reftable")) {
		return "", &UnavailableError{Reason: Reftable, Place: l.root}
	}
	first := name
	for range symrefLevels {
		path := filepath.Join(l.refFolder(name), filepath.FromSlash(name))
		text, err := readRef(path)
		switch {
		case isAbsent(err):
			return l.packedRef(name)
		case err != nil:
			return "", damaged(path, err)
		}
		target, symbolic := bytes.CutPrefix(text, []byte("ref:"))
		if !symbolic {
			text, _, _ = bytes.Cut(text, []byte("\t")) // FETCH_HEAD says more behind it
			commit, ok := parseHash(text)
			if !ok {
				return "", damaged(path, errors.New("neither a commit nor a reference"))
			}
			return commit, nil
		}
		name = string(bytes.TrimSpace(target))
		if !isRefName(name) {
			return "", damaged(path, errors.New("not the name of a reference"))
		}
	}
	return "", damaged(filepath.Join(l.gitDir, filepath.FromSlash(first)), fmt.Errorf("more than %d references point at one another", symrefLevels))
}

// refFolder is the folder that a reference's loose file is in.
func (l layout) refFolder(name string) string {
	for _, own := range []string{"refs/worktree/", "refs/bisect/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return l.gitDir
		}
	}
	if strings.HasPrefix(name, "refs/") {
		return l.common
	}
	return l.gitDir
}

// readRef reads a loose reference. Old versions of git made a symbolic reference as a symbolic link.
func readRef(path string) ([]byte, error) {
	if target, err := os.Readlink(path); err == nil && isRefName(filepath.ToSlash(target)) {
		return []byte("ref: " + filepath.ToSlash(target)), nil
	}
	if isFolder(path) {
		return nil, fs.ErrNotExist // refs/heads/a beside refs/heads/a/b, which may be packed
	}
	text, err := readFile(path, maxPointerFile)
	return bytes.TrimSpace(text), err
}

// packedRef looks name up in packed-refs; the empty string says that it is not there.
func (l layout) packedRef(name string) (string, error) {
	path := filepath.Join(l.common, "packed-refs")
	file, err := openRegular(path, maxPackedRefs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", damaged(path, err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		hash, ref, ok := bytes.Cut(lines.Bytes(), []byte(" "))
		if !ok || string(ref) != name {
			continue
		}
		commit, ok := parseHash(hash)
		if !ok {
			return "", damaged(path, fmt.Errorf("%s is no commit", name))
		}
		return commit, nil
	}
	if err := lines.Err(); err != nil {
		return "", damaged(path, err)
	}
	return "", nil
}

// isAbsent reports that there is no such file: none of its name, or a file where a folder would be.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// isRefName reports whether name is a full reference name that stays below refs. It refuses what would
// leave the folder or mean something else as a path on some system; git refuses more.
func isRefName(name string) bool {
	rest, ok := strings.CutPrefix(name, "refs/")
	if !ok || strings.ContainsAny(rest, "\\:*?\"<>|~^[") || strings.ContainsFunc(rest, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return false
	}
	for part := range strings.SplitSeq(rest, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") || strings.Contains(part, "..") {
			return false
		}
	}
	return true
}

// Lengths of an object name in hexadecimal digits.
const (
	sha1Digits   = 40
	sha256Digits = 64
)

// parseHash reads a full object name of either hash.
func parseHash(text []byte) (string, bool) {
	if len(text) != sha1Digits && len(text) != sha256Digits {
		return "", false
	}
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", false
		}
	}
	return string(text), true
}
