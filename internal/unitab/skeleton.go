package unitab

import (
	"slices"
	"unicode/utf8"
)

// The values of the skeleton trie that are no place in skeletonText.
const (
	skeletonSelf  = 0
	skeletonEmpty = 1
)

func skeletonOf(r rune) uint16 {
	block := int(skeletonIndex[r>>skeletonShift]) << skeletonShift
	return skeletonBlocks[block|int(r)&(1<<skeletonShift-1)]
}

// AppendSkeleton appends the skeleton of s to dst: the form in which a line is compared with a
// protected heading. It is compatibility decomposition (NFKD, marks in canonical order), full
// case folding (status C and F) and removal of what shows no mark of its own, carried on until
// none of them changes anything: that is every character that [NextHidden] may report, also
// where its use is legal, and the ASCII controls that are not white space. Line breaks and
// other white space stay.
//
// The law: whatever is done first to either of two texts, be it normalisation (NFC, NFD, NFKC,
// NFKD), full case folding or removal of invisible characters, in any order and any number of
// times, if it makes them equal, then their skeletons are equal. In particular, texts that are
// equal under NFKC, case folding and removal of invisible characters have equal skeletons. The
// skeleton of a skeleton is itself. Skeletons are compared; nobody reads them:
//
//   - Every Greek iota is written as U+0345, the iota below a letter. Case folding makes that
//     mark a letter, so whether it stands before or after the other marks of its letter depends
//     on which step came first; as a mark it has one place. Hence two texts that differ in
//     nothing but where an iota stands among combining marks have one skeleton too.
//   - A byte that is not UTF-8 becomes U+FFFD, lest removals make characters of stray bytes.
//   - Letters of other scripts that look alike stay different: this is not the skeleton of
//     UTS #39.
//
// The skeleton of a text is not the sum of its parts' skeletons when a part begins with a
// combining mark; take it of a whole line, then trim.
func AppendSkeleton(dst []byte, s string) []byte {
	marks := markRun{from: len(dst)}
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if asciiControl(c) { // removed, so it may not part the marks around it
				i++
				continue
			}
			n := asciiPrefix(s[i:])
			dst = appendASCII(marks.end(dst), s[i:i+n])
			marks.from = len(dst)
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if 0xAC00 <= r && r <= 0xD7A3 {
			dst = appendHangul(marks.end(dst), r)
			marks.from = len(dst)
			i += size
			continue
		}
		switch at := int(skeletonOf(r)); at {
		case skeletonSelf:
			dst = marks.add(dst, r)
		case skeletonEmpty:
		default:
			for _, r := range skeletonText[at+1 : at+1+int(skeletonText[at])] {
				dst = marks.add(dst, r)
			}
		}
		i += size
	}
	return marks.end(dst)
}

// appendASCII appends the skeleton of ASCII text: small letters, no controls but white space.
func appendASCII(dst []byte, s string) []byte {
	n := len(dst)
	dst = slices.Grow(dst, len(s))[:n+len(s)]
	for _, c := range []byte(s) {
		if asciiControl(c) {
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst[n] = c
		n++
	}
	return dst[:n]
}

func asciiControl(c byte) bool { return c < ' ' && (c < '\t' || c > '\r') || c == 0x7F }

// appendHangul appends the conjoining letters of the Hangul syllable r, by the arithmetic of
// the Unicode Standard, section 3.12.
func appendHangul(dst []byte, r rune) []byte {
	const vowels, finals = 21, 28
	n := r - 0xAC00
	dst = utf8.AppendRune(dst, 0x1100+n/(vowels*finals))
	dst = utf8.AppendRune(dst, 0x1161+n/finals%vowels)
	if final := n % finals; final != 0 {
		dst = utf8.AppendRune(dst, 0x11A7+final)
	}
	return dst
}

// A markRun follows the combining marks at the end of a text that grows, to bring them into
// canonical order once the run is complete.
type markRun struct {
	from       int   // where the marks begin
	last       uint8 // combining class of the last one, 0 if there is none
	disordered bool
}

func (m *markRun) add(dst []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		dst = append(m.end(dst), byte(r))
		m.from = len(dst)
		return dst
	}
	combining := classOf(r).combining
	if combining == 0 {
		dst = utf8.AppendRune(m.end(dst), r)
		m.from = len(dst)
		return dst
	}
	m.disordered = m.disordered || combining < m.last
	m.last = combining
	return utf8.AppendRune(dst, r)
}

func (m *markRun) end(dst []byte) []byte {
	if m.disordered {
		dst = sortMarks(dst, m.from)
	}
	m.last, m.disordered = 0, false
	return dst
}

// sortMarks sorts the marks from dst[from] to the end by combining class and keeps the order
// within a class. It counts rather than compares, so that a hostile run of a million marks
// costs what a million letters cost.
func sortMarks(dst []byte, from int) []byte {
	var place [256]int
	end := len(dst)
	for i := from; i < end; {
		r, size := utf8.DecodeRune(dst[i:end])
		place[classOf(r).combining] += size
		i += size
	}
	next := from
	for combining, size := range place {
		place[combining] = next
		next += size
	}
	dst = append(dst, dst[from:]...) // the unsorted copy, in room that is then given back
	for i := end; i < len(dst); {
		r, size := utf8.DecodeRune(dst[i:])
		at := &place[classOf(r).combining]
		*at += copy(dst[*at:], dst[i:i+size])
		i += size
	}
	return dst[:end]
}
