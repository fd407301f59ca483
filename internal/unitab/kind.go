package unitab

import "fmt"

// A Kind says why a character may be hidden from a reader.
type Kind uint8

const (
	// Visible characters are never reported. Among them are the format characters that show,
	// such as the Arabic number signs (U+0600 to U+0605, U+06DD, U+070F, U+08E2), white space
	// of every width, private use and unassigned code points, which show as a box, and U+FFFC.
	Visible Kind = iota
	// Ignorable characters show nothing and have Default_Ignorable_Code_Point: soft hyphen,
	// zero width space, word joiner, byte order mark, Hangul fillers, invisible operators,
	// deprecated format characters, code points reserved for such use.
	Ignorable
	// Joiner is U+200C ZERO WIDTH NON-JOINER or U+200D ZERO WIDTH JOINER.
	Joiner
	// Bidi characters change the order in which text is shown: marks, embeddings, overrides
	// and isolates (Bidi_Control).
	Bidi
	// Tag characters, U+E0000 to U+E007F, are an unseen copy of ASCII.
	Tag
	// Selector is a variation selector, of which 256 can spell any byte.
	Selector
	// Format characters are the other invisible ones of category Cf: interlinear annotation
	// and the controls of Egyptian hieroglyphs.
	Format
	// Noncharacter code points are no text at all: U+FDD0 to U+FDEF, U+FFFE, U+FFFF and the
	// last two of each further plane.
	Noncharacter
	// Control is a C1 control, U+0080 to U+009F without U+0085, which is a line end. Some
	// terminals obey them.
	Control
)

var kindNames = [...]string{
	Visible:      "visible",
	Ignorable:    "ignorable",
	Joiner:       "joiner",
	Bidi:         "bidi",
	Tag:          "tag",
	Selector:     "variation selector",
	Format:       "format",
	Noncharacter: "noncharacter",
	Control:      "control",
}

// String returns the name of k as reports show it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}
