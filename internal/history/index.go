package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

// maxIndex bounds the index that is read. One of a million files is some hundred MiB.
const maxIndex = 512 << 20

// index is which files of the work tree git tracks, by name and sorted. A name that ends in `/` is that of
// a folder which a sparse index has as a whole.
type index []string

var errSplitIndex = errors.New("the index is split over files")

// readIndex reads the index of the work tree, and which of it a sparse checkout leaves out. Where there is none
// nothing is tracked.
func (l layout) readIndex(hash int) (all, left index, err error) {
	text, err := readFile(filepath.Join(l.gitDir, "index"), maxIndex)
	if isAbsent(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return parseIndex(text, hash)
}

const (
	indexHeader = 12
	indexStat   = 40 // what the system says of a file, before its object
	maxMode     = 0o040000
)

var errBadIndex = errors.New("the index does not read")

// parseIndex reads the names of an index of version 2, 3 or 4, and those of them that are left out of the work
// tree; hash is the length of an object name in bytes.
func parseIndex(text []byte, hash int) (all, left index, err error) {
	if len(text) < indexHeader+hash || string(text[:4]) != "DIRC" {
		return nil, nil, errBadIndex
	}
	version, count := binary.BigEndian.Uint32(text[4:]), int(binary.BigEndian.Uint32(text[8:]))
	if version < 2 || version > 4 {
		return nil, nil, errBadIndex
	}
	body := text[:len(text)-hash]
	at := indexHeader
	all = make(index, 0, min(count, len(text)/(indexStat+hash)))
	last := ""
	for range count {
		begin := at
		at += indexStat + hash + 2
		if at > len(body) {
			return nil, nil, errBadIndex
		}
		folder := binary.BigEndian.Uint32(body[begin+24:]) == maxMode
		skipped := folder
		if flags := binary.BigEndian.Uint16(body[at-2:]); version >= 3 && flags&0x4000 != 0 {
			if at += 2; at > len(body) {
				return nil, nil, errBadIndex
			}
			skipped = skipped || binary.BigEndian.Uint16(body[at-2:])&0x4000 != 0
		}
		keep := 0
		if version == 4 {
			strip, n := indexNumber(body[min(at, len(body)):])
			if n == 0 || strip > len(last) {
				return nil, nil, errBadIndex
			}
			at, keep = at+n, len(last)-strip
		}
		if at > len(body) {
			return nil, nil, errBadIndex
		}
		end := bytes.IndexByte(body[at:], 0)
		if end < 0 {
			return nil, nil, errBadIndex
		}
		last = last[:keep] + string(body[at:at+end])
		if at += end + 1; version < 4 {
			at = begin + (at-1-begin+8)&^7
		}
		if folder && !strings.HasSuffix(last, "/") {
			last += "/"
		}
		all = append(all, last)
		if skipped {
			left = append(left, last)
		}
	}
	// Extensions: the name, the length, and as much.
	for at+8 <= len(body) {
		name, size := string(body[at:at+4]), int(binary.BigEndian.Uint32(body[at+4:]))
		if name == "link" {
			return nil, nil, errSplitIndex
		}
		if size < 0 || size > len(body)-at-8 {
			return nil, nil, errBadIndex
		}
		at += 8 + size
	}
	for _, names := range []index{all, left} {
		if !slices.IsSorted(names) {
			slices.Sort(names)
		}
	}
	return all, left, nil
}

// indexNumber reads a number as git's packs write offsets; n is how many bytes it takes, 0 for none.
func indexNumber(text []byte) (value, n int) {
	for i, c := range text {
		if i == 4 { // longer than any name
			return 0, 0
		}
		if i > 0 {
			value++
		}
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}

// has reports whether a name is that of a tracked file, or lies in a folder that is tracked as a whole.
func (x index) has(name string) bool {
	if _, ok := slices.BinarySearch(x, name); ok {
		return true
	}
	for i := range len(name) {
		if name[i] == '/' {
			if _, ok := slices.BinarySearch(x, name[:i+1]); ok {
				return true
			}
		}
	}
	return false
}

// below reports whether a tracked file lies in a folder.
func (x index) below(name string) bool {
	i, _ := slices.BinarySearch(x, name+"/")
	return i < len(x) && strings.HasPrefix(x[i], name+"/")
}

// under reports whether a name lies below one that is tracked as a file or a link.
func (x index) under(name string) bool {
	for i := range len(name) {
		if name[i] == '/' {
			if _, ok := slices.BinarySearch(x, name[:i]); ok {
				return true
			}
		}
	}
	return false
}
