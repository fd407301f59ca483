package cento

import (
	"cmp"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/quote"
)

// Position is a place in a file that a person can open. It is attached where a
// text is read and travels unchanged to every error, trace entry and span. The
// zero Position means that the text came from no file: a library call, a flag,
// a request.
type Position struct {
	// File is the name shown to people: relative to the project root with `/`,
	// `~/…` for files under the home folder, `$prefix/…` for prompt files.
	File string `json:"file"`
	// Line counts from 1; 0 means that only the file is known.
	Line int `json:"line"`
	// Column counts code points from 1; 0 means that only the line is known.
	Column int `json:"column"`
}

// IsZero reports whether the position says nothing.
func (p Position) IsZero() bool { return p == Position{} }

// String gives `file:line:column`, leaving out what is not known.
func (p Position) String() string {
	if p.Line <= 0 {
		return p.File
	}
	b := make([]byte, 0, len(p.File)+16)
	b = append(b, p.File...)
	if len(b) > 0 {
		b = append(b, ':')
	}
	b = strconv.AppendInt(b, int64(p.Line), 10)
	if p.Column > 0 {
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(p.Column), 10)
	}
	return string(b)
}

// After is the place behind a text that begins at p. A code point counts where
// it begins, so a text may be cut inside one. What p doesn't know stays unknown:
// without a line there is no place behind it, without a column only lines count.
func (p Position) After(text string) Position {
	if p.Line == 0 {
		return p
	}
	if n := strings.Count(text, "\n"); n > 0 {
		p.Line += n
		p.Column = 1
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	if p.Column > 0 {
		p.Column += runeStarts(text)
	}
	return p
}

// runeStarts counts the bytes that begin a code point: all but those whose upper bits
// are 10, eight of them at a time, since this is asked for every byte that is read.
func runeStarts(s string) int {
	n := len(s)
	for ; len(s) >= 8; s = s[8:] {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		n -= bits.OnesCount64(w &^ (w << 1) & 0x8080808080808080)
	}
	for i := range len(s) {
		if !utf8.RuneStart(s[i]) {
			n--
		}
	}
	return n
}

// A Cursor tells the places of bytes of a text at the cost of the bytes between, so
// that a text full of findings costs no more than its length. Going back begins anew.
type Cursor struct {
	cursor
	text string
	runs []Run
}

// NewCursor is before the first byte of a text. Its runs tell where stretches of it
// stand and tile it; there is at least one, or no byte has a place.
func NewCursor(text string, runs []Run) Cursor { return Cursor{text: text, runs: runs} }

// CursorAt is before the first byte of a text that stands in one piece at a place.
func CursorAt(p Position, text string) Cursor {
	return NewCursor(text, []Run{{End: len(text), Position: p}})
}

// At moves to a byte and returns its place. What is behind the last byte is where the
// last run ends.
func (c *Cursor) At(offset int) Position {
	if len(c.runs) == 0 {
		return Position{}
	}
	if c.inRun && offset < c.offset {
		c.cursor = cursor{}
	}
	for c.run < len(c.runs)-1 && c.runs[c.run].End <= offset {
		c.run++
		c.inRun = false
	}
	r := &c.runs[c.run]
	return c.within(c.text, r, min(offset, r.End))
}

// Run is the run that holds the byte that [Cursor.At] moved to.
func (c *Cursor) Run() Run {
	if len(c.runs) == 0 {
		return Run{}
	}
	return c.runs[c.run]
}

// cursor is the place of a byte of a text. It moves forward alone.
type cursor struct {
	run, offset int
	at          Position
	inRun       bool // offset and at are of this run
}

// within moves to a byte of the run that is reached, which isn't before the last
// one.
func (c *cursor) within(text string, r *Run, offset int) Position {
	if !c.inRun {
		c.offset, c.at, c.inRun = r.Start, r.Position, true
	}
	if !r.Fixed && offset > c.offset {
		c.at = c.at.After(text[c.offset:offset])
		c.offset = offset
	}
	return c.at
}

// Compare orders positions by file name (bytewise), line and column.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// An Attribution is where words were read, and whose they are.
type Attribution struct {
	Position Position `json:"position,omitzero"`
	Trust    Trust    `json:"trust,omitzero"`
}

// heading is where the words of the section's heading are from.
func (f *Fragment) heading() Attribution {
	if f.SectionFrom != nil {
		return *f.SectionFrom
	}
	return f.own()
}

// own is where the fragment is from.
func (f *Fragment) own() Attribution { return Attribution{f.Origin, f.Trust} }

// title is where the words of the title are from.
func (f *Fragment) title() Attribution { return Attribution{cmp.Or(f.TitleOrigin, f.Origin), f.Trust} }

// A Run says where one stretch of a body came from.
type Run struct {
	Start int `json:"start"` // byte offset in the body, inclusive
	End   int `json:"end"`   // byte offset in the body, exclusive
	// Position is the place of the first byte.
	Position Position `json:"position,omitzero"`
	// Var is the variable whose value this is; empty for literal text.
	Var string `json:"var,omitempty"`
	// Trust is that of the data, also inside a more trusted text.
	Trust Trust `json:"trust,omitzero"`
	// MadeBy is who made the text, where what [MakerOf] would say isn't so.
	MadeBy Maker `json:"made_by,omitzero"`
	// Fixed: the bytes aren't a copy of what stands at Position (an escape, a
	// filter's result, a notice), so all of them belong to that one place.
	Fixed bool `json:"fixed,omitempty"`
}

// Trust says whose word a text is. It follows the place that the text was read
// from and is never raised by a field of the text itself. A greater one is trusted
// more, so that of a text of several parties is the smallest.
type Trust uint8

// The levels, the least trusted first: the zero value is [TrustSession], so that a
// trust that somebody forgot raises nothing. Text of the first three is data of
// strangers: it is scanned for hidden characters and imitated headings, and changed so
// that both show. TrustHost is for what the program that calls this library says itself.
const (
	TrustSession Trust = iota
	TrustTool
	TrustWorkspace
	TrustUser
	TrustBuiltin
	TrustHost
)

// Untrusted reports whether text of this level is treated as hostile data.
func (t Trust) Untrusted() bool { return t <= TrustWorkspace }

// belowHost reports whether a program has to reckon with text of this level.
func (t Trust) belowHost() bool { return t <= TrustUser }

// IsZero reports whether the record form leaves the level out, which is that of the
// host: what is recorded says whose word a text is, unless it is the host's.
func (t Trust) IsZero() bool { return t == TrustHost }

// String gives the name used in files and traces.
func (t Trust) String() string { return trustNames.Name(t) }

// MarshalText gives the name.
func (t Trust) MarshalText() ([]byte, error) { return trustNames.Marshal(t) }

// UnmarshalText accepts a name.
func (t *Trust) UnmarshalText(b []byte) error { return trustNames.Unmarshal(b, t) }

// Maker says who made a text, which its trust doesn't: the host says the paths of a
// scope that Cento found, and a skill has the trust of the folder that it lies in. Runs
// that know it say it; of all others [MakerOf] does. It changes nothing in a prompt.
type Maker uint8

// The makers. The zero value is that of a [Run] that leaves it to [MakerOf]; a [Span]
// always has another.
const (
	_ Maker = iota
	// ByProgram: Cento itself: its own words, and what it found out, such as the day.
	ByProgram
	// ByCaller: whoever calls: a library call, a flag, a request.
	ByCaller
	// ByAuthor: the user, or the people of the project, who write their own files.
	ByAuthor
	// ByImport: whoever wrote a file that the project's instructions name.
	ByImport
	// BySkill: whoever wrote a skill.
	BySkill
	// ByPack: whoever wrote a pack.
	ByPack
	// ByTool: a tool, or the server that lists it.
	ByTool
	// BySession: what came up in a session: users, models, events.
	BySession
)

var makerNames = enum.Names[Maker]{"", "program", "caller", "author", "import", "skill", "pack", "tool", "session"}

// String gives the name used in answers.
func (m Maker) String() string { return makerNames.Name(m) }

// MarshalText gives the name.
func (m Maker) MarshalText() ([]byte, error) { return makerNames.Marshal(m) }

// UnmarshalText accepts a name.
func (m *Maker) UnmarshalText(b []byte) error { return makerNames.Unmarshal(b, m) }

// IsZero reports whether the record form leaves it out: nobody said who.
func (m Maker) IsZero() bool { return m == 0 }

// Stranger reports whether a text that it made, which has a trust, is one to look at with
// care: by neither Cento nor the caller, nor the people of the project or the user. What
// the user chose to trust is the user's, whoever made it.
func (m Maker) Stranger(t Trust) bool { return m > ByAuthor && t.Untrusted() }

// MakerOf is who made a text of which nothing else is known: by the source of its
// fragment, the file that it was read from, empty for none, and its trust.
func MakerOf(source, file string, t Trust) Maker {
	switch t {
	case TrustSession:
		return BySession
	case TrustTool:
		return ByTool
	case TrustBuiltin:
		return ByProgram
	case TrustHost:
		return ByCaller
	}
	switch family, _, _ := strings.Cut(source, ":"); {
	case family == skillSource:
		return BySkill
	case family == packSource, strings.HasPrefix(file, packFiles):
		return ByPack
	}
	return ByAuthor
}

// The sources of skills and packs, and how the files of packs are named.
const (
	skillSource = "skill"
	packSource  = "pack"
	packFiles   = "$pack/"
)

// madeBy is who made a stretch of the fragment, where nobody said.
func (f *Fragment) madeBy(said Maker, file, variable string, t Trust) Maker {
	switch {
	case said != 0:
		return said
	case f.ID == SkillCatalogID && strings.HasPrefix(variable, listedSkills):
		return MakerOf(skillSource, file, t) // what the list says of each is the skill's
	}
	return MakerOf(f.source(), file, t)
}

// listedSkills begins the names of the variables by which skills are listed.
const listedSkills = "skills"

// least is the trust of the least trusted of runs; that of a text without any is
// its own.
func least(runs []Run, own Trust) Trust {
	if len(runs) == 0 {
		return own
	}
	t := runs[0].Trust
	for _, r := range runs[1:] {
		t = min(t, r.Trust)
	}
	return t
}

// tiles reports whether runs cover a body without gap or overlap. No runs do:
// they say that all of it has one origin.
func tiles(runs []Run, size int) bool {
	at := 0
	for _, r := range runs {
		if r.Start != at || r.End < at {
			return false
		}
		at = r.End
	}
	return at == size || len(runs) == 0
}

// trimRuns gives the runs of a body after trimming; for a fragment without
// runs, one that covers all of it.
func trimRuns(f *Fragment, lead, size int) []Run {
	if len(f.Runs) == 0 {
		at := f.Origin
		if lead > 0 {
			at = at.After(f.Body[:lead])
		}
		return []Run{{End: size, Position: at, Trust: f.Trust}}
	}
	out := make([]Run, 0, len(f.Runs))
	for _, r := range f.Runs {
		from := max(r.Start, lead)
		to := min(r.End, lead+size)
		if from >= to {
			continue
		}
		if from > r.Start && !r.Fixed {
			r.Position = r.Position.After(f.Body[r.Start:from])
		}
		r.Start, r.End = from-lead, to-lead
		out = append(out, r)
	}
	return out
}

// positionIn is the position of a byte of a text with runs.
func positionIn(s string, runs []Run, k int) Position {
	var c cursor
	return c.position(s, runs, k)
}

// Locate is the place in a file of a byte of the text; zero when it came from
// none.
func (t Text) Locate(offset int) Position {
	f := Fragment{Body: t.Body, Runs: t.Runs, Origin: t.Origin}
	return positionIn(t.Body, trimRuns(&f, 0, len(t.Body)), offset)
}

func known(p Position) *Position {
	if p.IsZero() {
		return nil
	}
	return &p
}

// leadingSpace is how many bytes trimming takes off the front.
func leadingSpace(s string) int { return len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace)) }

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for k := 0; k < len(s); {
		r, n := utf8.DecodeRuneInString(s[k:])
		if r == utf8.RuneError && n == 1 {
			return k
		}
		k += n
	}
	return -1
}

// clip keeps what a message quotes short.
func clip(s string) string { return quote.Clip(s, 80) }

// foldSpace trims a text and makes each run of white space one space.
func foldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// SpanKind tells what a stretch of the prompt is.
type SpanKind uint8

const (
	// BodySpan is text of a fragment.
	BodySpan SpanKind = iota
	// HeadingSpan is a section heading, or the title line of a fragment.
	HeadingSpan
	// JoinerSpan is the blank line between two parts.
	JoinerSpan
)

var spanKindNames = enum.Names[SpanKind]{"body", "heading", "joiner"}

// String gives "body", "heading" or "joiner".
func (k SpanKind) String() string { return spanKindNames.Name(k) }

// MarshalText gives the name.
func (k SpanKind) MarshalText() ([]byte, error) { return spanKindNames.Marshal(k) }

// UnmarshalText accepts a name.
func (k *SpanKind) UnmarshalText(t []byte) error { return spanKindNames.Unmarshal(t, k) }

// A Span says where one stretch of the prompt came from. The spans of a prompt
// are ordered and tile it: every byte belongs to exactly one. A joiner belongs
// to the fragment after it, a section heading to the first included fragment of
// its run.
type Span struct {
	Start    int      `json:"start"` // byte offset, inclusive
	End      int      `json:"end"`   // byte offset, exclusive
	Kind     SpanKind `json:"kind"`
	Fragment string   `json:"fragment"` // the fragment's id
	// File, Line and Column are the place of the first byte; an empty File when
	// the text came from none.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Var is the variable whose value this is; empty for literal text.
	Var   string `json:"var"`
	Trust Trust  `json:"trust"`
	// MadeBy is who made the text; a joiner's is that of the fragment it belongs to.
	MadeBy Maker `json:"made_by"`

	fixed bool // every byte belongs to the one place
}

// AppendDescriptionSpans appends where the description of the tool is from, in order and
// tiling it; nothing for a tool without one. Their trust is that of the tool, and offsets
// count in the description: it is no part of the prompt.
func (t *Tool) AppendDescriptionSpans(dst []Span) []Span {
	if t.Description == "" {
		return dst
	}
	runs := t.DescriptionRuns
	if len(runs) == 0 || !tiles(runs, len(t.Description)) {
		runs = []Run{{End: len(t.Description), Position: t.Origin, Fixed: true}}
	}
	id := toolIDPrefix + t.Name
	for _, r := range runs {
		dst = append(dst, Span{
			Start: r.Start, End: r.End, Fragment: id, File: r.Position.File, Line: r.Position.Line, Column: r.Position.Column,
			Trust: t.Trust, MadeBy: MakerOf(id, r.Position.File, t.Trust), fixed: r.Fixed,
		})
	}
	return dst
}

// Locate is the place in a source file of a byte of a span, given the text that
// the span is part of. False when it came from no file.
func (s Span) Locate(text string, offset int) (Position, bool) {
	at := Position{File: s.File, Line: s.Line, Column: s.Column}
	if s.File == "" {
		return at, false
	}
	if !s.fixed {
		at = at.After(text[s.Start:offset])
	}
	return at, true
}
