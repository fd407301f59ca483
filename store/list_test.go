package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func anyList(r *rapid.T) *list {
	l := &list{entries: rapid.SliceOfN(rapid.Int64Range(1, 1<<40), 0, 20).Draw(r, "entries")}
	if len(l.entries) > 0 {
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(l.entries)-1), 0, len(l.entries), rapid.ID).Draw(r, "order") {
			l.order = append(l.order, listPlace{entry: i, before: rapid.Int64Range(0, 300).Draw(r, "joint")})
		}
	}
	l.tail = rapid.Int64Range(0, 300).Draw(r, "tail")
	return l
}

// TestListsAreReadBack: a list is read as it was written, and neither a part of it nor one
// with more behind it is taken for a list.
func TestListsAreReadBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		was := anyList(r)
		b := was.encode()
		got, err := decodeList(b)
		if err != nil || !slices.Equal(got.entries, was.entries) || !slices.Equal(got.order, was.order) || got.tail != was.tail {
			r.Fatalf("%+v, %v; want %+v", got, err, was)
		}
		for n := range b {
			if x, err := decodeList(b[:n]); !errors.Is(err, errPacked) {
				r.Fatalf("%d of %d bytes are read as %+v, %v", n, len(b), x, err)
			}
		}
		if x, err := decodeList(append(bytes.Clone(b), 0)); !errors.Is(err, errPacked) {
			r.Fatalf("one byte more is read as %+v, %v", x, err)
		}
	})
}

// TestBrokenLists: what no list is made of is refused, whatever stands around it.
func TestBrokenLists(t *testing.T) {
	long := bytes.Repeat([]byte{0xff}, binary.MaxVarintLen64+1) // a number of no end
	negative := binary.AppendUvarint(nil, math.MaxUint64)       // read as -1
	plain := func(numbers ...byte) []byte { return numbers }
	for name, parts := range map[string][][]byte{
		"nothing":                          {},
		"more entries than bytes":          {plain(9, 1, 0, 0)},
		"very many entries":                {negative, plain(1, 0, 0)},
		"more places than bytes":           {plain(1, 7, 9, 0, 0)},
		"a count of no end":                {long, plain(0, 0)},
		"an entry of no end":               {plain(1), long, plain(0, 0)},
		"a step of no end":                 {plain(1, 7, 1), long, plain(0, 0)},
		"a joint of no end":                {plain(1, 7, 1, 0), long, plain(0)},
		"a tail of no end":                 {plain(1, 7, 0), long},
		"a place behind the last entry":    {plain(1, 7, 1, 2, 0, 0)}, // a step of 1
		"a place before the first entry":   {plain(1, 7, 1, 1, 0, 0)}, // a step of -1
		"an entry below the first one":     {plain(1), negative, plain(0, 0)},
		"a joint below the first one":      {plain(1, 7, 1, 0), negative, plain(0)},
		"a tail below the first joint":     {plain(1, 7, 0), negative},
		"a list with something behind it":  {plain(0, 0, 0, 0)},
		"a list with another one after it": {plain(1, 7, 0, 0), plain(1, 7, 0, 0)},
	} {
		if l, err := decodeList(slices.Concat(parts...)); !errors.Is(err, errPacked) {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
	if l, err := decodeList(plain(1, 7, 1, 0, 2, 1)); err != nil || l.entries[0] != 7 || l.order[0] != (listPlace{0, 2}) || l.tail != 1 {
		t.Errorf("what is one: %+v, %v", l, err)
	}
}
