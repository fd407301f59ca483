package history

import (
	"strconv"
	"strings"
	"time"
)

// attribution reads what git blame --incremental prints, as it comes: groups of a header line (commit, line
// in that commit, line in the file, count), for a commit met for the first time its author and summary, and
// a last line that starts with filename. Only the wanted lines are kept, so memory follows what was asked
// and not what was printed.
type attribution struct {
	wanted  map[int]bool
	writers map[int]*writing // by line number
	commits map[string]*writing
	current *writing
}

// writing is what git says about one commit.
type writing struct {
	commit, author, summary string
	seconds                 int64
	zone                    int // seconds east of UTC
}

const (
	// maxAttribute is how much of one printed line is looked at: names and summaries are cut there.
	maxAttribute = 4 << 10
	// maxShown is how many bytes of an author or a summary are kept.
	maxShown = 512
)

func newAttribution(wanted []int) *attribution {
	a := &attribution{
		wanted:  make(map[int]bool, len(wanted)),
		writers: make(map[int]*writing, len(wanted)),
		commits: make(map[string]*writing),
	}
	for _, number := range wanted {
		a.wanted[number] = true
	}
	return a
}

// writer takes git's output. A line that means nothing here is passed over, and a wanted line that no
// header named is missing from writers.
func (a *attribution) writer() *lineWriter { return &lineWriter{most: maxAttribute, each: a.line} }

func (a *attribution) line(line string) {
	key, value, _ := strings.Cut(line, " ")
	if _, ok := parseHash([]byte(key)); ok {
		a.header(key, value)
		return
	}
	if a.current == nil {
		return
	}
	switch key {
	case "author":
		a.current.author = printable(value, maxShown)
	case "summary":
		a.current.summary = printable(value, maxShown)
	case "author-time":
		a.current.seconds, _ = strconv.ParseInt(value, 10, 64)
	case "author-tz":
		a.current.zone = parseZone(value)
	}
}

func (a *attribution) header(commit, numbers string) {
	a.current = nil
	fields := strings.Fields(numbers)
	if len(fields) != 3 {
		return
	}
	first, err := strconv.Atoi(fields[1])
	if err != nil {
		return
	}
	count, err := strconv.Atoi(fields[2])
	if err != nil || first < 1 || count < 1 {
		return
	}
	known, ok := a.commits[commit]
	if !ok {
		known = &writing{commit: commit}
		a.commits[commit] = known
	}
	a.current = known
	if count > len(a.wanted) {
		for number := range a.wanted {
			if number >= first && number-first < count {
				a.writers[number] = known
			}
		}
		return
	}
	for number := first; number < first+count; number++ {
		if a.wanted[number] {
			a.writers[number] = known
		}
	}
}

// uncommitted reports whether git gave the line to the text on its standard input, which it names by zeros.
func (w *writing) uncommitted() bool { return strings.Trim(w.commit, "0") == "" }

// time returns the author's time in the author's zone, and the zero time for one outside the years that
// are written in four digits, which only a made-up commit has.
func (w *writing) time() time.Time {
	if w.seconds < earliest || w.seconds > latest {
		return time.Time{}
	}
	return time.Unix(w.seconds, 0).In(time.FixedZone("", w.zone))
}

// The years 1 to 9999, less a day at either end for the zone, in seconds since 1970.
const (
	earliest = -62135596800 + 86400
	latest   = 253402300799 - 86400
)

// parseZone reads +hhmm. A zone that no clock can have counts as UTC.
func parseZone(text string) int {
	if len(text) != 5 || (text[0] != '+' && text[0] != '-') {
		return 0
	}
	digits, err := strconv.ParseUint(text[1:], 10, 16)
	if err != nil || digits%100 > 59 || digits/100 > 23 {
		return 0
	}
	seconds := int(digits/100)*3600 + int(digits%100)*60
	if text[0] == '-' {
		return -seconds
	}
	return seconds
}
