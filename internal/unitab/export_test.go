package unitab

// Pictographic reports whether r has the property Extended_Pictographic: it is an emoji or is
// kept for one. Skin tones, regional indicators, digits, # and * are not pictographic.
func Pictographic(r rune) bool {
	return inUnicode(r) && classOf(r).traits.has(pictographic)
}

// CombiningClass returns the Canonical_Combining_Class of r, 0 for a starter.
func CombiningClass(r rune) uint8 {
	if !inUnicode(r) {
		return 0
	}
	return classOf(r).combining
}
