package layer

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// keyOf is the key that a contribution would like to have in its slot.
func keyOf(c *Contribution, layer string, index int32) string {
	if c.ID != "" {
		return c.ID
	}
	if c.Title != nil {
		if s := slug(*c.Title); s != "" {
			return s
		}
	}
	return layer + "." + strconv.Itoa(int(index))
}

// slug is a title in lower case with a hyphen for each run of anything but
// letters and digits that can be seen: a filler of a script is a letter to Unicode,
// and no id may hold one.
func slug(title string) string {
	var b strings.Builder
	b.Grow(len(title))
	gap := false
	for _, r := range title {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// keyRing holds the keys in use in a slot. A key that is taken gets ~2, ~3 and
// so on; a number is not given a second time while the slot holds anything, so
// that a removal further up never hits another contribution than it names. The
// zero value is empty.
type keyRing struct {
	held map[string]int32 // the item by key
	next map[string]int   // the number to try next, by wished key
}

func (k *keyRing) clone() keyRing { return keyRing{maps.Clone(k.held), maps.Clone(k.next)} }

// take gives an item its key.
func (k *keyRing) take(wish string, item int32) string {
	if k.held == nil {
		k.held = make(map[string]int32)
	}
	key := wish
	if _, taken := k.held[wish]; taken {
		key = numbered(wish, &k.next, func(s string) bool {
			_, taken := k.held[s]
			return taken
		})
	}
	k.held[key] = item
	return key
}

// numbered is the first free name of wish~2, wish~3, … from the one noted on.
func numbered(wish string, next *map[string]int, taken func(string) bool) string {
	if *next == nil {
		*next = make(map[string]int)
	}
	for n := max(2, (*next)[wish]); ; n++ {
		if s := wish + "~" + strconv.Itoa(n); !taken(s) {
			(*next)[wish] = n + 1
			return s
		}
	}
}

func (k *keyRing) free(key string) { delete(k.held, key) }

func (k *keyRing) find(key string) (int32, bool) {
	n, ok := k.held[key]
	return n, ok
}

// sampled is how many keys are searched for a near one.
const sampled = 1000

// sample lists keys in use, sorted; of very many, the first.
func (k *keyRing) sample() []string {
	keys := slices.Sorted(maps.Keys(k.held))
	return keys[:min(len(keys), sampled)]
}
