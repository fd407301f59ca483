package token

// Text is cut into pieces before tokens are looked for: no token crosses from
// one piece into the next. Where to cut is published as a regular expression
// whose alternatives are tried in order, with backtracking. The functions here
// are those expressions written out. Each returns the end of the piece that
// begins at i, looks at no byte more than a fixed number of times over a whole
// text, and allocates nothing. The text is valid UTF-8 and i < len(s).

// cl100kEnd is
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|
//	 ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cl100kEnd(s string, i int) int {
	c, n := classAt(s, i)
	switch {
	case c.isLetter():
		return lettersEnd(s, i+n)
	case c == number:
		return numberEnd(s, i+n)
	case c == line:
		return spaceEnd(s, i)
	case s[i] == '\'':
		if end := contractionEnd(s, i); end > i {
			return end
		}
	}
	next := i + n
	if next == len(s) {
		return next
	}
	d, m := classAt(s, next)
	switch {
	case d.isLetter():
		return lettersEnd(s, next+m)
	case c != space:
		return lineEnd(s, signsEnd(s, next))
	case d.isSign() && s[i] == ' ':
		return lineEnd(s, signsEnd(s, next+m))
	case d.isSpace():
		return spaceEnd(s, i)
	}
	return next
}

// o200kEnd is
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func o200kEnd(s string, i int) int {
	c, n := classAt(s, i)
	switch {
	case c.isLetter() || c == mark:
		// A mark may be the optional character before a word as well, but
		// that gives no other end than the word that begins with it.
		return wordEnd(s, i)
	case c == number:
		return numberEnd(s, i+n)
	case c == line:
		return spaceEnd(s, i)
	}
	next := i + n
	if next == len(s) {
		return next
	}
	d, m := classAt(s, next)
	switch {
	case d.isLetter() || d == mark:
		return wordEnd(s, next)
	case c != space:
		return lineSlashEnd(s, signsEnd(s, next))
	case d.isSign() && s[i] == ' ':
		return lineSlashEnd(s, signsEnd(s, next+m))
	case d.isSpace():
		return spaceEnd(s, i)
	}
	return next
}

// wordEnd is the two first alternatives of o200kEnd without the optional
// character. A letter or a mark stands at i.
//
// The first alternative takes all it can of the upper case set and then needs
// one of the lower case set. Where none follows it gives back what it took,
// down to the last character that is in both. The second matches only where no
// such character is: capitals alone.
func wordEnd(s string, i int) int {
	both := -1 // the end of the last character that is in both sets
	for i < len(s) {
		c, n := classAt(s, i)
		if c == lower {
			return contractionEnd(s, lowerEnd(s, i+n))
		}
		if c != upper && c != letter && c != mark {
			break
		}
		i += n
		if c != upper {
			both = i
		}
	}
	if both >= 0 {
		i = both
	}
	return contractionEnd(s, i)
}

// lowerEnd is [\p{Ll}\p{Lm}\p{Lo}\p{M}]*.
func lowerEnd(s string, i int) int {
	for i < len(s) {
		c, n := classAt(s, i)
		if c != lower && c != letter && c != mark {
			break
		}
		i += n
	}
	return i
}

// lettersEnd is \p{L}*.
func lettersEnd(s string, i int) int {
	for i < len(s) {
		c, n := classAt(s, i)
		if !c.isLetter() {
			break
		}
		i += n
	}
	return i
}

// numberEnd is \p{N}{0,2}, what may follow the first of a number.
func numberEnd(s string, i int) int {
	for range 2 {
		if i == len(s) {
			break
		}
		c, n := classAt(s, i)
		if c != number {
			break
		}
		i += n
	}
	return i
}

// signsEnd is [^\s\p{L}\p{N}]*.
func signsEnd(s string, i int) int {
	for i < len(s) {
		c, n := classAt(s, i)
		if !c.isSign() {
			break
		}
		i += n
	}
	return i
}

// lineEnd is [\r\n]*.
func lineEnd(s string, i int) int {
	for i < len(s) && (s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}

// lineSlashEnd is [\r\n/]*.
func lineSlashEnd(s string, i int) int {
	for i < len(s) && (s[i] == '\n' || s[i] == '\r' || s[i] == '/') {
		i++
	}
	return i
}

// spaceEnd is \s*[\r\n]+|\s+(?!\S)|\s+ where at least one white space stands:
// up to the last line end of the run; in a run without one, all of it at the
// end of the text and otherwise all but the last, which may belong to what
// follows, unless it is the only one.
func spaceEnd(s string, i int) int {
	start, last, lines := i, i, -1
	for i < len(s) {
		c, n := classAt(s, i)
		if !c.isSpace() {
			break
		}
		last = i
		i += n
		if c == line {
			lines = i
		}
	}
	switch {
	case lines >= 0:
		return lines
	case i == len(s) || last == start:
		return i
	}
	return last
}

// contractionEnd is (?i:'s|'t|'re|'ve|'m|'ll|'d)?. Without regard to case the
// long s, U+017F, is an s too.
func contractionEnd(s string, i int) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	first := s[i+1] | 0x20
	switch first {
	case 's', 't', 'm', 'd':
		return i + 2
	}
	if i+2 == len(s) {
		return i
	}
	second := s[i+2] | 0x20
	switch {
	case (first == 'r' || first == 'v') && second == 'e', first == 'l' && second == 'l':
		return i + 3
	case s[i+1:i+3] == "ſ":
		return i + 3
	}
	return i
}
