package unitab

// A class is what the code points of one entry of the table classes have in common.
type class struct {
	combining uint8 // Canonical_Combining_Class
	kind      Kind  // why the character may be hidden, before its neighbours are looked at
	traits    traits
}

// A set of traits says what a code point is by itself and what it witnesses for a hidden
// character beside it.
type traits uint16

const (
	ignorable    traits = 1 << iota // Default_Ignorable_Code_Point
	pictographic                    // Extended_Pictographic
	joinerUser                      // of a script that uses ZWJ and ZWNJ: one that joins letters or has a virama
	cursive                         // a letter that may join its neighbours
	transparent                     // a mark that leaves the joining of the letters around it alone
	spaceless                       // of a script written without spaces
	mongolian                       // a Mongolian letter
	hieroglyph                      // an Egyptian hieroglyph
	ink                             // a letter, mark, number, punctuation or symbol that shows
)

func (t traits) has(any traits) bool { return t&any != 0 }

// classOf takes what decoding a string gives: a code point of Unicode, never a negative one.
func classOf(r rune) *class {
	block := int(classIndex[r>>classShift]) << classShift
	return &classes[classBlocks[block|int(r)&(1<<classShift-1)]]
}

func inUnicode(r rune) bool { return 0 <= r && r <= '\U0010FFFF' }

// DefaultIgnorable reports whether r has the property Default_Ignorable_Code_Point: a
// renderer that does not know r shows nothing for it.
func DefaultIgnorable(r rune) bool {
	return inUnicode(r) && classOf(r).traits.has(ignorable)
}
