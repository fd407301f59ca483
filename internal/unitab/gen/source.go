package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// The scripts whose letters join (those with letters of Joining_Type D, R, L or C): there
// ZWJ and ZWNJ choose the shape of a letter.
var cursiveScripts = []string{
	"Adlam", "Arabic", "Chorasmian", "Hanifi_Rohingya", "Mandaic", "Manichaean", "Mongolian",
	"Nko", "Old_Uyghur", "Phags_Pa", "Psalter_Pahlavi", "Sogdian", "Syriac",
}

// The scripts written without spaces (those of Line_Break SA): there ZERO WIDTH SPACE parts words.
var spacelessScripts = []string{
	"Ahom", "Khmer", "Lao", "Myanmar", "New_Tai_Lue", "Tai_Le", "Tai_Tham", "Tai_Viet", "Thai",
}

// Letters that join but are in no list above by script or category: tatweel is of script
// Common, the Mongolian nirugu and Sibe syllable boundary marker are punctuation.
var joiningExtras = []rune{0x0640, 0x1807, 0x180A}

// The canonical combining class of a virama.
const viramaClass = 9

// A sources value answers for single code points what the tables will answer.
type sources struct {
	extras
	pictographic map[rune]bool
	joinerUser   []*unicode.RangeTable // scripts that use ZWJ and ZWNJ
	fold         cases.Caser
}

func newSources(text string) (*sources, error) {
	x, err := parseExtras(text)
	if err != nil {
		return nil, err
	}
	for _, have := range []struct{ name, version string }{
		{"package unicode", unicode.Version},
		{"golang.org/x/text/unicode/norm", norm.Version},
		{"golang.org/x/text/cases", cases.UnicodeVersion},
	} {
		if have.version != x.version {
			return nil, fmt.Errorf("%s has Unicode %s, properties.txt has %s", have.name, have.version, x.version)
		}
	}
	s := &sources{extras: x, pictographic: make(map[rune]bool), fold: cases.Fold()}
	for _, r := range x.pictographic {
		s.pictographic[r] = true
	}
	var viramas []rune
	for r := range allRunes {
		if s.combiningClass(r) == viramaClass {
			viramas = append(viramas, r)
		}
	}
	for name, table := range unicode.Scripts {
		hasVirama := slices.ContainsFunc(viramas, func(r rune) bool { return unicode.Is(table, r) })
		if hasVirama || slices.Contains(cursiveScripts, name) {
			s.joinerUser = append(s.joinerUser, table)
		}
	}
	return s, nil
}

// allRunes yields every code point that UTF-8 can carry.
func allRunes(yield func(rune) bool) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if utf8.ValidRune(r) && !yield(r) {
			return
		}
	}
}

func inScripts(r rune, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return unicode.Is(unicode.Scripts[name], r) })
}

func (s *sources) combiningClass(r rune) uint8 {
	return norm.NFKD.PropertiesString(string(r)).CCC()
}

// defaultIgnorable follows the derivation of Default_Ignorable_Code_Point in
// DerivedCoreProperties.txt.
func defaultIgnorable(r rune) bool {
	if !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Cf, unicode.Variation_Selector) {
		return false
	}
	return !unicode.In(r, unicode.White_Space, unicode.Prepended_Concatenation_Mark) &&
		!(0xFFF9 <= r && r <= 0xFFFB) && // interlinear annotation
		!(0x13430 <= r && r <= 0x13440) // Egyptian hieroglyph format controls
}

// kind names the constant of type Kind for r. The order of the cases decides for a
// character that has several reasons to be hidden.
func kind(r rune) string {
	switch {
	case unicode.Is(unicode.Noncharacter_Code_Point, r):
		return "Noncharacter"
	case unicode.Is(unicode.Join_Control, r):
		return "Joiner"
	case unicode.Is(unicode.Bidi_Control, r):
		return "Bidi"
	case 0xE0000 <= r && r <= 0xE007F:
		return "Tag"
	case unicode.Is(unicode.Variation_Selector, r):
		return "Selector"
	case defaultIgnorable(r):
		return "Ignorable"
	case unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return "Format"
	case 0x80 <= r && r <= 0x9F && !unicode.Is(unicode.White_Space, r):
		return "Control"
	}
	return "Visible"
}

// invisible reports whether a skeleton leaves r out: whatever has a kind, and the ASCII
// controls that are not white space.
func invisible(r rune) bool {
	return kind(r) != "Visible" || unicode.Is(unicode.Cc, r) && !unicode.Is(unicode.White_Space, r)
}

// traits names the trait constants of r. A character that has a kind has to be judged itself
// and is no witness for another.
func (s *sources) traits(r rune) []string {
	var list []string
	visible := kind(r) == "Visible"
	add := func(name string, holds bool) {
		if holds {
			list = append(list, name)
		}
	}
	add("ignorable", defaultIgnorable(r))
	add("pictographic", s.pictographic[r])
	add("joinerUser", visible && (unicode.In(r, s.joinerUser...) && unicode.In(r, unicode.L, unicode.M, unicode.N) ||
		slices.Contains(joiningExtras, r)))
	add("cursive", inScripts(r, cursiveScripts) && unicode.Is(unicode.L, r) || slices.Contains(joiningExtras, r))
	add("transparent", visible && unicode.Is(unicode.M, r) &&
		(inScripts(r, cursiveScripts) || unicode.Is(unicode.Inherited, r)))
	add("spaceless", visible && inScripts(r, spacelessScripts))
	add("mongolian", unicode.Is(unicode.Mongolian, r) && unicode.Is(unicode.L, r))
	add("hieroglyph", unicode.Is(unicode.Egyptian_Hieroglyphs, r) && unicode.Is(unicode.L, r))
	add("ink", visible && unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S,
		unicode.Prepended_Concatenation_Mark))
	return list
}

// foldRune is the full case folding (status C and F) of one code point.
func (s *sources) foldRune(r rune) string {
	// CaseFolding.txt folds Cherokee to its capitals, which were encoded first;
	// package cases does so for the small letters but folds the capitals to small.
	if 0x13A0 <= r && r <= 0x13F5 {
		return string(r)
	}
	return s.fold.String(string(r))
}

// mapRunes replaces each code point of text by what f gives for it.
func mapRunes(text string, f func(rune) string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteString(f(r))
	}
	return b.String()
}

func decompose(r rune) string { return norm.NFKD.String(string(r)) }

// skeleton is what AppendSkeleton writes for r before it sorts the combining marks: the fixed
// point of compatibility decomposition, full case folding and removal of the invisible, with
// one exception. U+0345 COMBINING GREEK YPOGEGRAMMENI is the only combining mark that folds to
// a letter, iota, and so the only one whose place among other marks would depend on whether it
// is folded before or after they are sorted. Hence every iota is written as U+0345: all
// spellings of one text meet there, whatever was done to them first.
func (s *sources) skeleton(r rune) string {
	text := string(r)
	for {
		next := mapRunes(text, decompose)
		next = mapRunes(next, s.foldRune)
		next = mapRunes(next, func(r rune) string {
			if invisible(r) {
				return ""
			}
			return string(r)
		})
		next = strings.ReplaceAll(next, "\u0345", "\u03b9")
		if next == text {
			return strings.ReplaceAll(text, "\u03b9", "\u0345")
		}
		text = next
	}
}

// proveSkeleton checks, for every code point, the facts from which the law of AppendSkeleton
// follows: the mapping is untouched by decomposing, folding or removing first, and a combining
// mark stays a single one of the same class, so that sorting before or after mapping is one.
func (s *sources) proveSkeleton(mapping func(rune) string) error {
	for r := range allRunes {
		to := mapping(r)
		if again := mapRunes(to, mapping); again != to {
			return fmt.Errorf("%U: skeleton %+q is not stable: %+q", r, to, again)
		}
		if d := mapRunes(decompose(r), mapping); d != to {
			return fmt.Errorf("%U: skeleton %+q, after decomposition %+q", r, to, d)
		}
		if f := mapRunes(s.foldRune(r), mapping); f != to {
			return fmt.Errorf("%U: skeleton %+q, after folding %+q", r, to, f)
		}
		if invisible(r) && to != "" {
			return fmt.Errorf("%U: invisible, but has the skeleton %+q", r, to)
		}
		if class := s.combiningClass(r); class != 0 && decompose(r) == string(r) && to != "" {
			mark, size := utf8.DecodeRuneInString(to)
			if size != len(to) || s.combiningClass(mark) != class {
				return fmt.Errorf("%U: mark of class %d has the skeleton %+q", r, class, to)
			}
		}
	}
	return nil
}
