package store

import (
	"encoding/binary"
	"math"
)

// A list is what one prompt is made of, as numbers: its entries in the order of
// declaration, then the included ones as they follow each other in the prompt,
// each with the text before it. Prompts that are made of the same share a list.
type list struct {
	entries []int64
	order   []listPlace
	tail    int64 // joint behind the last one
}

// listPlace is an included entry by its index, and the joint before it: the
// number of a usual one, or that of a text plus how many usual ones there are.
type listPlace struct {
	entry  int
	before int64
}

func (l *list) encode() []byte {
	b := binary.AppendUvarint(make([]byte, 0, 4*len(l.entries)+8), uint64(len(l.entries)))
	for _, e := range l.entries {
		b = binary.AppendUvarint(b, uint64(e))
	}
	b = binary.AppendUvarint(b, uint64(len(l.order)))
	at := -1
	for _, p := range l.order {
		b = binary.AppendVarint(b, int64(p.entry-at-1))
		b = binary.AppendUvarint(b, uint64(p.before))
		at = p.entry
	}
	return binary.AppendUvarint(b, uint64(l.tail))
}

func decodeList(b []byte) (*list, error) {
	failed := false
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			failed = true
			return 0
		}
		b = b[n:]
		return v
	}
	number := func() int64 { // of a row, or of a joint
		n := next()
		failed = failed || n > math.MaxInt64
		return int64(n)
	}
	count := func() int {
		if n := next(); n <= uint64(len(b)) {
			return int(n)
		}
		failed = true
		return 0
	}
	l := &list{entries: make([]int64, count())}
	for i := range l.entries {
		l.entries[i] = number()
	}
	l.order = make([]listPlace, count())
	at := -1
	for i := range l.order {
		step, n := binary.Varint(b)
		if n <= 0 {
			return nil, errPacked
		}
		b = b[n:]
		at += int(step) + 1
		if at < 0 || at >= len(l.entries) {
			return nil, errPacked
		}
		l.order[i] = listPlace{entry: at, before: number()}
	}
	l.tail = number()
	if failed || len(b) > 0 {
		return nil, errPacked
	}
	return l, nil
}

// usualOr splits a joint into a usual one, or the number of a text.
func usualOr(joint int64) (usual string, text int64) {
	if joint < int64(len(usualJoints)) {
		return usualJoints[joint], 0
	}
	return "", joint - int64(len(usualJoints))
}
