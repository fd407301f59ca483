package store

import (
	"encoding/binary"
	"errors"
)

// A delta is a text told by another one: runs of bytes copied out of the base,
// and bytes in between. What is recorded changes little from one prompt to the
// next, so most of what is new is a few bytes.
//
// Its form: the length of the text, then operations. An operation is a number
// whose lowest bit tells a copy from an insertion and whose other bits are how
// many bytes; a copy is followed by its place, as the distance from the end of
// the copy before it, an insertion by its bytes.

const window = 4 // bytes that have to agree before a copy is considered

var errDelta = errors.New("the difference doesn't fit its base")

// appendDelta appends what makes text of base.
func appendDelta(dst, base, text []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	prefix := 0
	for prefix < len(base) && prefix < len(text) && base[prefix] == text[prefix] {
		prefix++
	}
	suffix := 0
	for suffix < len(base)-prefix && suffix < len(text)-prefix && base[len(base)-1-suffix] == text[len(text)-1-suffix] {
		suffix++
	}
	d := deltaWriter{dst: dst}
	d.copy(0, prefix)
	d.middle(base, text[prefix:len(text)-suffix])
	d.copy(len(base)-suffix, suffix)
	return d.dst
}

type deltaWriter struct {
	dst []byte
	at  int // where the last copy ended in the base
}

func (d *deltaWriter) copy(from, n int) {
	if n == 0 {
		return
	}
	d.dst = binary.AppendUvarint(d.dst, uint64(n)<<1|1)
	d.dst = binary.AppendVarint(d.dst, int64(from-d.at))
	d.at = from + n
}

func (d *deltaWriter) insert(b []byte) {
	if len(b) == 0 {
		return
	}
	d.dst = binary.AppendUvarint(d.dst, uint64(len(b))<<1)
	d.dst = append(d.dst, b...)
}

// middle finds the copies in what is neither common beginning nor end: greedily,
// by a table of the places of all windows of the base.
func (d *deltaWriter) middle(base, text []byte) {
	if len(text) < 2*window || len(base) < window {
		d.insert(text)
		return
	}
	bits := 8
	for 1<<bits < len(base) && bits < 16 {
		bits++
	}
	table := make([]int32, 1<<bits) // place plus one
	slot := func(b []byte) uint32 { return binary.LittleEndian.Uint32(b) * 2654435761 >> (32 - bits) }
	for i := len(base) - window; i >= 0; i-- {
		table[slot(base[i:])] = int32(i + 1)
	}
	pending := 0
	for i := 0; i+window <= len(text); {
		from := int(table[slot(text[i:])]) - 1
		// Where the last copy ended is the likeliest place of all.
		if near := d.at + i - pending; pending < i && near+window <= len(base) && near >= 0 && string(base[near:near+window]) == string(text[i:i+window]) {
			from = near
		}
		n := 0
		if from >= 0 {
			for i+n < len(text) && from+n < len(base) && base[from+n] == text[i+n] {
				n++
			}
		}
		if n < window {
			i++
			continue
		}
		d.insert(text[pending:i])
		d.copy(from, n)
		i += n
		pending = i
	}
	d.insert(text[pending:])
}

// applyDelta makes the text of its base.
func applyDelta(base, delta []byte, limit int) ([]byte, error) {
	size, k := binary.Uvarint(delta)
	if k <= 0 || size > uint64(limit) {
		return nil, errDelta
	}
	delta = delta[k:]
	out := make([]byte, 0, min(int(size), len(base)+len(delta)+1024))
	at := 0
	for len(delta) > 0 {
		op, k := binary.Uvarint(delta)
		if k <= 0 || op>>1 > size-uint64(len(out)) {
			return nil, errDelta
		}
		delta = delta[k:]
		n := int(op >> 1)
		if op&1 == 0 {
			if n > len(delta) {
				return nil, errDelta
			}
			out = append(out, delta[:n]...)
			delta = delta[n:]
			continue
		}
		step, k := binary.Varint(delta)
		if k <= 0 {
			return nil, errDelta
		}
		delta = delta[k:]
		from := at + int(step)
		if from < 0 || from > len(base) || n > len(base)-from {
			return nil, errDelta
		}
		out = append(out, base[from:from+n]...)
		at = from + n
	}
	if uint64(len(out)) != size {
		return nil, errDelta
	}
	return out, nil
}
