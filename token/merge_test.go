package token

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// slow merges by the published rule as it reads: look up the joined text of
// each two neighbours, merge the lowest, and again.
type slow map[string]int

func newSlow(v *vocabulary) slow {
	ranks := make(slow, v.size())
	for rank := range v.size() {
		ranks[string(v.texts().of(rank))] = rank
	}
	return ranks
}

func (ranks slow) merge(piece string) []int {
	parts := make([]string, len(piece))
	for i := range parts {
		parts[i] = piece[i : i+1]
	}
	for {
		best, lowest := -1, math.MaxInt
		for i := range len(parts) - 1 {
			if r, ok := ranks[parts[i]+parts[i+1]]; ok && r < lowest {
				best, lowest = i, r
			}
		}
		if best < 0 {
			break
		}
		parts = slices.Replace(parts, best, best+2, parts[best]+parts[best+1])
	}
	tokens := make([]int, len(parts))
	for i, p := range parts {
		tokens[i] = ranks[p]
	}
	return tokens
}

// TestVocabulary builds OpenAI's own file of a vocabulary from the embedded
// table and compares its published SHA-256.
func TestVocabulary(t *testing.T) {
	published := map[string]string{
		"cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
		"o200k_base":  "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
	}
	for i := range encodings {
		v := encodings[i].vocabulary()
		sum := sha256.New()
		for rank := range v.size() {
			text := v.texts().of(rank)
			if len(text) > window/2 {
				t.Errorf("token %d has %d bytes, more than half a window", rank, len(text))
			}
			fmt.Fprintf(sum, "%s %d\n", base64.StdEncoding.EncodeToString(text), rank)
		}
		name := encodings[i].name
		if got := hex.EncodeToString(sum.Sum(nil)); got != published[name] {
			t.Errorf("SHA-256 of %s.tiktoken is %s, published is %s", name, got, published[name])
		}
	}
}

// hard are pieces made to be merged in long chains.
func hard(v *vocabulary) []string {
	pieces := []string{
		strings.Repeat("a", 1500), strings.Repeat(" ", 1500), strings.Repeat("=", 1499), strings.Repeat("ab", 700), strings.Repeat("aab", 500),
		strings.Repeat("\n", 1001), strings.Repeat("中", 500), strings.Repeat("😀", 300), strings.Repeat("abcdefghijklmnopqrstuvwxyz", 50),
		strings.Repeat("\x00", 700), strings.Repeat("ACGTTGCA", 150), falling(v),
	}
	return append(pieces, pieces[0]+pieces[1]+pieces[2], strings.Repeat("a"+pieces[11], 5))
}

// falling is the longest text in which the pairs of bytes have falling ranks:
// merging begins at its end, so that each token hangs on all that follows.
func falling(v *vocabulary) string {
	type step struct{ length, next, rank int }
	best := map[[2]int]step{} // by first byte and the number of the pair
	longest := make([]struct{ length, rank int }, 256)
	for rank := 256; rank < v.size(); rank++ {
		text := v.texts().of(rank)
		if len(text) != 2 {
			continue
		}
		from, to := int(text[0]), int(text[1])
		length := longest[to].length + 1
		if length > longest[from].length {
			best[[2]int{from, rank}] = step{length, to, longest[to].rank}
			longest[from].length, longest[from].rank = length, rank
		}
	}
	at := 0
	for b := range longest {
		if longest[b].length > longest[at].length {
			at = b
		}
	}
	text, rank := []byte{byte(at)}, longest[at].rank
	for rank > 0 {
		s := best[[2]int{at, rank}]
		at, rank = s.next, s.rank
		text = append(text, byte(at))
	}
	return string(text)
}

func TestMerge(t *testing.T) {
	lengthtest.NotShort(t, "a slow reference merges what is hard")
	if underRace {
		t.Skip("one goroutine and a slow reference: run without the race detector")
	}
	for i := range encodings {
		v := encodings[i].vocabulary()
		reference := newSlow(v)
		for n, piece := range hard(v) {
			want := reference.merge(piece)
			for _, size := range []int{8, 64, window, 1024, len(piece)} {
				got, count := v.long(nil, piece, size, true)
				if !slices.Equal(got, want) || count != len(want) {
					t.Errorf("%s: in windows of %d, piece %d of %d bytes, %.20q…, gives %d tokens, want %d", encodings[i].name, size, n, len(piece), piece, count, len(want))
				}
			}
		}
	}
}

// TestWindowsGrow holds that what TestMerge checks includes pieces whose
// windows do not fit together at first.
func TestWindowsGrow(t *testing.T) {
	for i := range encodings {
		v := encodings[i].vocabulary()
		if _, _, ok := v.windows(new(merger), nil, strings.Repeat(" ", 1500), 64, false); ok {
			t.Errorf("%s: windows of 64 fit together on a run of blanks", encodings[i].name)
		}
		failed := 0
		for _, piece := range hard(v) {
			if _, _, ok := v.windows(new(merger), nil, piece, 8, false); !ok {
				failed++
			}
		}
		if failed < 5 {
			t.Errorf("%s: windows of 8 fail on %d pieces only", encodings[i].name, failed)
		}
	}
}

func TestMergeProperty(t *testing.T) {
	for i := range encodings {
		v := encodings[i].vocabulary()
		reference := newSlow(v)
		t.Run(encodings[i].name, rapid.MakeCheck(func(t *rapid.T) {
			piece := pieces(v).Draw(t, "piece")
			size := rapid.IntRange(4, 300).Draw(t, "size")
			want := reference.merge(piece)
			if got, n := v.long(nil, piece, size, true); !slices.Equal(got, want) || n != len(want) {
				t.Fatalf("windows of %d give %v, want %v", size, got, want)
			}
			if len(piece) > scanned {
				return
			}
			var ranks [scanned]uint32
			var got []int
			for _, rank := range v.scan(&ranks, piece) {
				got = append(got, int(rank))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("scan gives %v, want %v", got, want)
			}
		}))
	}
}

// pieces are bytes that merge a lot: tokens in a row, parts of tokens, runs.
func pieces(v *vocabulary) *rapid.Generator[string] {
	part := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string { return string(v.texts().of(rapid.IntRange(0, v.size()-1).Draw(t, "token"))) }),
		rapid.Custom(func(t *rapid.T) string {
			text := v.texts().of(rapid.IntRange(0, v.size()-1).Draw(t, "token"))
			return string(text[:rapid.IntRange(1, len(text)).Draw(t, "length")])
		}),
		rapid.Custom(func(t *rapid.T) string {
			return strings.Repeat(rapid.SampledFrom(run).Draw(t, "run"), rapid.IntRange(1, 40).Draw(t, "times"))
		}),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 1, 12).Draw(t, "parts"), "")
	})
}

// TestMergeWork holds that ten times the text is about ten times the work,
// counted in operations of the heap, and that a window bounds the memory.
func TestMergeWork(t *testing.T) {
	for i := range encodings {
		v := encodings[i].vocabulary()
		chain := falling(v)
		for _, unit := range append(slices.Clone(run), chain, "the quick brown fox") {
			work := func(length int) int {
				piece := strings.Repeat(unit, length/len(unit)+1)[:length]
				m := new(merger)
				size := window
				for {
					if _, _, ok := v.windows(m, nil, piece, size, false); ok {
						break
					}
					size *= growth
				}
				if cap(m.rank) > 2*window*growth {
					t.Errorf("%s: %d × %.20q is merged in windows of %d bytes", encodings[i].name, length, unit, cap(m.rank))
				}
				return m.work
			}
			short, long := work(5_000), work(50_000)
			if long > 11*short {
				t.Errorf("%s: %.20q…: 5,000 bytes are %d operations, 50,000 are %d", encodings[i].name, unit, short, long)
			}
			if long > 20*50_000 {
				t.Errorf("%s: %.20q…: 50,000 bytes are %d operations, more than 20 for each", encodings[i].name, unit, long)
			}
		}
	}
}
