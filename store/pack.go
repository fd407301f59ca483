package store

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Texts, lists and inputs are stored packed: a first byte that says how, and
// the data. A form that rests on a base has the depth in the next byte: how many
// bases have to be read for it.
const (
	packedRaw = iota
	packedFlate
	packedDelta
	packedDeltaFlate

	// packedRedacted: the text is gone, and what follows is its digest.
	packedRedacted = 0xff

	maxDepth     = 120     // of lists and inputs, which are read in a row
	maxTextDepth = 12      // of texts, which are read one by one
	maxUnpacked  = 1 << 28 // bytes; nothing larger is ever stored
	worthwhile   = 48      // bytes from which on compression is tried
)

var flaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// deflated compresses; nil when that doesn't pay.
func deflated(b []byte) []byte {
	if len(b) < worthwhile {
		return nil
	}
	var out bytes.Buffer
	w := flaters.Get().(*flate.Writer)
	defer flaters.Put(w)
	w.Reset(&out)
	if _, err := w.Write(b); err != nil {
		return nil // a buffer has no errors
	}
	if err := w.Close(); err != nil || out.Len() >= len(b) {
		return nil
	}
	return out.Bytes()
}

// pack stores a text by itself, or by a base when that is a good deal shorter.
// depth is that of the base, -1 when there is none. It reports whether the base
// is needed.
func pack(text, base []byte, depth, most int) (data []byte, based bool) {
	if depth >= 0 && depth < most {
		d := appendDelta([]byte{packedDelta, byte(depth + 1)}, base, text)
		if len(d) < len(text)/2 || len(d) <= 16 {
			if c := deflated(d[2:]); c != nil {
				return append([]byte{packedDeltaFlate, byte(depth + 1)}, c...), true
			}
			return d, true
		}
	}
	if c := deflated(text); c != nil {
		return append([]byte{packedFlate}, c...), false
	}
	return append([]byte{packedRaw}, text...), false
}

// depthOf is the depth of something packed, -1 where nothing may rest on it.
func depthOf(data []byte) int {
	switch {
	case len(data) == 0 || data[0] == packedRedacted:
		return -1
	case data[0] >= packedDelta && len(data) > 1:
		return int(data[1])
	}
	return 0
}

var errPacked = errors.New("what is stored there can't be read")

// inflater reads what was compressed. One takes 40 kB, more than most of what is read.
type inflater struct {
	io.ReadCloser
	from bytes.Reader
}

var inflaters = sync.Pool{New: func() any {
	i := new(inflater)
	i.ReadCloser = flate.NewReader(&i.from)
	return i
}}

// inflated is the reverse of deflated.
func inflated(b []byte) ([]byte, error) {
	i := inflaters.Get().(*inflater)
	defer inflaters.Put(i)
	i.from.Reset(b)
	defer i.from.Reset(nil)
	if err := i.ReadCloser.(flate.Resetter).Reset(&i.from, nil); err != nil {
		return nil, fmt.Errorf("%w: %w", errPacked, err)
	}
	var out bytes.Buffer
	out.Grow(3 * len(b))
	n, err := out.ReadFrom(io.LimitReader(i, maxUnpacked+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errPacked, err)
	case n > maxUnpacked:
		return nil, errPacked
	}
	return out.Bytes(), nil
}

// unpack is the reverse of pack.
func unpack(data, base []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, errPacked
	}
	body := data[1:]
	form := data[0]
	if form >= packedDelta {
		if form > packedDeltaFlate || len(body) == 0 {
			return nil, errPacked
		}
		body = body[1:]
	}
	if form == packedFlate || form == packedDeltaFlate {
		var err error
		if body, err = inflated(body); err != nil {
			return nil, err
		}
	}
	if form == packedDelta || form == packedDeltaFlate {
		return applyDelta(base, body, maxUnpacked)
	}
	return body, nil
}
