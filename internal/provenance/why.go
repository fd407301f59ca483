// Package provenance tells of a text where each of its bytes comes from and who wrote the
// line, and of one that isn't in a prompt, why not. It changes nothing, and runs nothing
// but git, which is asked by internal/history.
//
// The usual path is [Of] a project and [Texts.ExplainText]. [Texts.Blame] goes the other
// way, from each line of the prompt to its origin. [Find] needs a prompt
// alone, such as that of a session. A text is looked for in the prompt, then in what was
// left out of it, then elsewhere in the project.
package provenance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/wire"
)

// Why answers why a text is in the prompt, or why it isn't.
type Why struct {
	Matches []Match `json:"matches"`
	// More is how many further places there are, when they are very many.
	More int `json:"more,omitempty"`
	// IgnoredCase: the text was found only with letter case set aside.
	IgnoredCase bool `json:"ignored_case,omitempty"`
	// Form is that of the request of a provider, where one was asked for, Request the places
	// in it, RequestMore how many further ones there are, and Losses what it can't carry.
	Form        string      `json:"form,omitempty"`
	Request     []WirePiece `json:"request,omitempty"`
	RequestMore int         `json:"request_more,omitempty"`
	Losses      []wire.Loss `json:"losses,omitempty"`
	// Named is the fragment, or the definition of a tool, whose id the text is.
	Named *Match `json:"named,omitempty"`
	// At is where the lines of a file went, for a text that names one as FILE, FILE:LINE or
	// FILE:LINE:COLUMN.
	At *FileWhy `json:"at,omitempty"`
	// Nearest is the sentence most like the text, when it was found nowhere and one is
	// like it enough; NearestID is the id most like it, for a text that could be one.
	Nearest   *Match `json:"nearest,omitempty"`
	NearestID string `json:"nearest_id,omitempty"`
	// NotSearched says in words what could not be looked through, when the text was found
	// nowhere.
	NotSearched []string `json:"not_searched,omitempty"`
}

// Match is one place where a text was found. A text that runs over several
// fragments gives one match for each.
type Match struct {
	// Start and End are byte offsets in the prompt; null when the text isn't in
	// it.
	Start *int `json:"start"`
	End   *int `json:"end"`
	// Fragment is the fragment's id; empty for a file that gave none.
	Fragment string          `json:"fragment"`
	Source   string          `json:"source"`
	Layer    *string         `json:"layer"`
	Origin   *cento.Position `json:"origin"`
	// Path is the file of Origin from the root of the project, where that names a prompt
	// file of it by its reference; else empty.
	Path string `json:"path,omitempty"`
	// MadeBy is who made the text.
	MadeBy cento.Maker `json:"made_by"`
	Var    string      `json:"var,omitempty"`
	// SetAt is where the text stands in the value of the variable, or where the value
	// begins that it was made of; nil for text that is no value of the project's
	// variables, and for a value that stands in no file, of which History tells why.
	SetAt  *cento.Position `json:"set_at,omitempty"`
	Trust  cento.Trust     `json:"trust"`
	Reason string          `json:"reason"`
	// OutAt is where the layer that took the text out says so, or the text that stands
	// instead of it; nil where nothing did, and where that is in no file.
	OutAt *cento.Position `json:"out_at,omitempty"`
	Code  cento.Code      `json:"code,omitempty"`
	// Text is what was found, as it reads there.
	Text string `json:"text"`
	// Commit wrote the line, that of SetAt for the value of a variable; null with a note
	// when none did or none can be told.
	Commit  *Commit `json:"commit"`
	History string  `json:"history,omitempty"`

	within stretch // whose place Origin is
}

// Found reports whether a match is in the prompt itself, or in the request that was
// asked for, or whether the fragment is in the prompt that was asked for by its id.
func (w *Why) Found() bool {
	if len(w.Request) > 0 || w.Named != nil && w.Named.Start != nil {
		return true
	}
	in := func(m *Match) bool { return m.Start != nil }
	if w.At != nil && slices.ContainsFunc(w.At.Lines, func(l LinesWhy) bool { return in(&l.Match) }) {
		return true
	}
	return slices.ContainsFunc(w.Matches, func(m Match) bool { return in(&m) })
}

// Texts are those of a project, in its prompt or out of it.
type Texts struct {
	project *project.Project
	forTest bool // see ForTest
}

// Of returns the texts of a project.
func Of(p *project.Project) Texts { return Texts{project: p} }

// ForTest returns the same texts for a test of a prompt: matches have no commits, and the
// manifest as it is written, which has the words of the test, isn't searched.
func (p Texts) ForTest() Texts {
	p.forTest = true
	return p
}

// maxMatches is how many places are told one by one. Whoever asks for a letter
// gets an answer, not the prompt over again.
const maxMatches = 200

// ExplainText looks a text up in the prompt of an input of the project, in the
// texts that are out of it, in the branches of its prompt files that were not
// taken, and in the files that were shadowed or cut; then in all else that the project
// has, see [search.elsewhere]. White space is folded. When it is found nowhere, letter
// case is set aside too, and then the nearest line is offered.
func (p Texts) ExplainText(ctx context.Context, in cento.Input, text string) (*Why, error) {
	return p.Answer(ctx, in, text, AsText)
}

// Answer reads a text as the id of a fragment, as a place in a file or as a text to look
// for, in this order unless as says otherwise, and answers the question.
func (p Texts) Answer(ctx context.Context, in cento.Input, text string, as AskedAs) (*Why, error) {
	prompt, err := p.project.Reduce(in)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	if as != AsText {
		s := &search{Texts: p, in: in, prompt: prompt}
		named, err := s.named(ctx, text)
		if err != nil {
			return nil, err
		}
		if as == AsID && named == nil {
			e := &cento.SourceError{Code: NoFragment, Message: fmt.Sprintf("no fragment has the id %q", text), Hint: "`cento explain` lists the ids"}
			if near := s.nearestID(text); near != "" {
				e.Hint = fmt.Sprintf("did you mean %q?", near)
			}
			return nil, e
		}
		if as == AsID {
			return &Why{Matches: []Match{}, Named: named}, nil
		}
		if at, lines, ok := s.place(text); ok && (named == nil || as == AsAt) {
			w := &Why{Matches: []Match{}}
			w.At, err = s.explainAt(ctx, at, lines)
			return w, err
		}
		if as == AsAt {
			return nil, &cento.SourceError{Code: NoPlace, Message: fmt.Sprintf("%q names no file", text), Hint: "write FILE, FILE:LINE or FILE:LINE:COLUMN"}
		}
	}
	w, _, err := p.ExplainIn(ctx, in, prompt, nil, text)
	return w, err
}

const (
	// NoPlace: a question about a place names no file.
	NoPlace cento.ErrorCode = "why.place"
	// NoFragment: a question about a fragment names none.
	NoFragment cento.ErrorCode = "why.id"
)

// ExplainIn is [Texts.ExplainText] for a prompt that was made of the input already, and for
// a second one that stands beside it, such as the reminders of a turn; nil for none. What is
// found in that is given apart: its bytes count there.
func (p Texts) ExplainIn(ctx context.Context, in cento.Input, prompt, aside *cento.Prompt, text string) (w *Why, beside []Match, err error) {
	s := &search{Texts: p, in: in, prompt: prompt, aside: aside}
	out, err := s.left()
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, nil, err
	}
	if w, beside, err = s.explain(ctx, out, text); err == nil {
		w.Named, err = s.named(ctx, text)
	}
	if err != nil || len(w.Matches)+len(beside) > 0 || w.Named != nil {
		return w, beside, err
	}
	if w.Matches, w.IgnoredCase, err = s.elsewhere(ctx, text); err != nil || len(w.Matches) > 0 {
		return w, nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	w.NotSearched, w.NearestID = s.passed, s.nearestID(text)
	if w.Nearest = nearestMatch(prompt, out, text); w.Nearest != nil {
		nearest := []Match{*w.Nearest}
		err = p.addCommits(ctx, nearest)
		w.Nearest = &nearest[0]
	}
	return w, nil, err
}

// InPrompt is [Texts.ExplainText] for a prompt alone: what the project has beside it isn't
// searched, and matches have no commits.
func InPrompt(prompt *cento.Prompt, text string) *Why {
	w := &Why{Matches: []Match{}}
	for _, try := range needle.Tries(text) {
		if w.Matches, w.More = standing(prompt, nil, try); len(w.Matches) > 0 {
			w.IgnoredCase = try.IgnoresCase()
			return w
		}
	}
	w.Nearest = nearestMatch(prompt, nil, text)
	return w
}

// explain looks a text up in the prompt and the one beside it, and in texts that didn't
// get into it.
func (s *search) explain(ctx context.Context, out []leftText, text string) (w *Why, beside []Match, err error) {
	w = &Why{}
	for _, try := range needle.Tries(text) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		w.Matches, w.More = standing(s.prompt, out, try)
		if s.aside != nil {
			more := 0
			beside, more = standing(s.aside, nil, try)
			w.More += more
		}
		if len(w.Matches)+len(beside) > 0 {
			w.IgnoredCase = try.IgnoresCase()
			break
		}
	}
	if w.Matches == nil {
		w.Matches = []Match{}
	}
	return w, beside, s.addCommits(ctx, w.Matches)
}

// search is one for a text that isn't in the prompt of an input.
type search struct {
	Texts
	in     cento.Input
	prompt *cento.Prompt
	aside  *cento.Prompt          // stands beside it; nil for none
	kept   map[string]map[int]int // see keptLines; nil before it is asked for
	passed []string               // what could not be looked through
}

// passOver keeps that something could not be looked through.
func (s *search) passOver(what string) { s.passed = append(s.passed, what) }

// passOverFile is passOver for an instruction file, by the name that people know for it:
// once for each, though several rules may look for it.
func (s *search) passOverFile(shown string, err error) {
	at, message := cento.Position{File: shown}, err.Error()
	if list := cento.SourceErrors(err); len(list) > 0 {
		at.Line, at.Column, message = list[0].Position.Line, list[0].Position.Column, list[0].Message
	}
	if what := "the instruction file " + at.String() + ": " + message; !slices.Contains(s.passed, what) {
		s.passOver(what)
	}
}

// left are the texts that would be in the prompt if something else were so: each says
// what.
func (s *search) left() ([]leftText, error) {
	branches, err := s.notRendered()
	return slices.Concat(branches, s.leftOut(), s.comments(), s.idleSkills(), s.disabledParts(), s.otherBodies()), err
}

// Find finds a text in a prompt, and in the texts of fragments that are out of it; more is
// how many places it doesn't tell.
func Find(prompt *cento.Prompt, text needle.Needle) (found []Match, more int) {
	return matches(prompt, nil, text)
}

// matches finds a text in the prompt, then in each excluded text, then
// in the other texts that didn't get in; more is how many places it doesn't tell.
func matches(prompt *cento.Prompt, left []leftText, text needle.Needle) (out []Match, more int) {
	find := func(in string) [][2]int {
		found, rest := text.In(in, max(maxMatches-len(out), 0))
		more += rest
		return found
	}
	if system, ok := prompt.System(); ok {
		if found := find(system); len(found) > 0 {
			from := promptPlaces(prompt)
			for _, at := range found {
				out = append(out, from.matches(at[0], at[1])...)
			}
		}
	}
	for i := range prompt.Len() {
		if prompt.In(i) {
			if w := prompt.Withheld(i); w != nil {
				found, rest := text.Touching(w.Text, removed(w), max(maxMatches-len(out), 0))
				more += rest
				from := withheldPlaces(prompt, w)
				for _, at := range found {
					out = append(out, from.withheld(i, w, at[0], at[1]))
				}
			}
			continue
		}
		if found := find(prompt.Text(i)); len(found) > 0 {
			from := textPlaces(prompt, i)
			for _, at := range found {
				out = append(out, from.match(i, at[0], at[1]))
			}
		}
	}
	found, rest := matchesLeft(left, text)
	if room := max(maxMatches-len(out), 0); len(found) > room {
		rest += len(found) - room
		found = found[:room]
	}
	return append(out, found...), more + rest
}

// matchesLeft finds a text in texts that didn't get into the prompt. What is
// wholly in a part that did is told as that.
func matchesLeft(left []leftText, text needle.Needle) (out []Match, more int) {
	for _, f := range left {
		found, rest := text.Touching(f.text, f.missing, max(maxMatches-len(out), 0))
		more += rest
		at, from := f.at, 0
		for _, stretch := range found {
			at, from = at.After(f.text[from:stretch[0]]), stretch[0]
			out = append(out, f.match(at, stretch[0], stretch[1]))
		}
	}
	return out, more
}

// OriginAt tells where a byte of a prompt is from and which commit wrote its line, as
// [Texts.ExplainText] tells it of a text; nil behind the end.
func (p Texts) OriginAt(ctx context.Context, prompt *cento.Prompt, offset int) (*Match, error) {
	if offset < 0 {
		return nil, nil
	}
	from := promptPlaces(prompt)
	s, ok := from.at(offset)
	if !ok {
		return nil, nil
	}
	i, ok := prompt.Index(s.Fragment)
	if !ok {
		return nil, nil
	}
	m := []Match{fragmentMatch(prompt, i, s)}
	m[0].within = from.within(s)
	return &m[0], p.addCommits(ctx, m)
}

func fragmentMatch(prompt *cento.Prompt, i int, s cento.Span) Match {
	// Its trace would hash the text, once for every match in it.
	f := prompt.Fragment(i)
	m := Match{
		Fragment: f.ID, Source: cmp.Or(f.Source, f.ID), MadeBy: s.MadeBy, Var: s.Var, Trust: s.Trust,
		Reason: prompt.Reason(i), Code: prompt.Code(i),
	}
	if f.Layer != "" {
		m.Layer = &f.Layer
	}
	if x := f.Excluded; x != nil && !x.Origin.IsZero() {
		m.OutAt = &x.Origin
	}
	if s.File != "" {
		m.Origin = &cento.Position{File: s.File, Line: s.Line, Column: s.Column}
	}
	return m
}

// nearestMatch is the sentence of the prompt, or of a text that isn't in it, that is most
// like a text; nil when none is like it enough.
func nearestMatch(prompt *cento.Prompt, left []leftText, text string) *Match {
	system, _ := prompt.System()
	texts := []string{system}
	excluded := []int{-1}
	parts := map[int]int{} // of a shortened text, by its index in texts
	for i := range prompt.Len() {
		if !prompt.In(i) {
			texts, excluded = append(texts, prompt.Text(i)), append(excluded, i)
		} else if w := prompt.Withheld(i); w != nil {
			for k, part := range w.Removed {
				parts[len(texts)] = k
				texts, excluded = append(texts, w.Text[part.Start:part.End]), append(excluded, i)
			}
		}
	}
	type piece struct {
		of   *leftText
		from int
	}
	var pieces []piece
	for i := range left {
		for _, part := range left[i].parts() {
			texts, pieces = append(texts, left[i].text[part[0]:part[1]]), append(pieces, piece{&left[i], part[0]})
		}
	}
	which, from, to, ok := nearest.Sentence(text, texts)
	switch n := len(excluded); {
	case !ok:
		return nil
	case which == 0:
		return &promptPlaces(prompt).matches(from, to)[0]
	case which < n && prompt.In(excluded[which]):
		i := excluded[which]
		w := prompt.Withheld(i)
		part := w.Removed[parts[which]]
		m := withheldPlaces(prompt, w).withheld(i, w, part.Start+from, part.Start+to)
		return &m
	case which < n:
		m := textPlaces(prompt, excluded[which]).match(excluded[which], from, to)
		return &m
	default:
		found := pieces[which-n]
		from, to = from+found.from, to+found.from
		m := found.of.match(found.of.at.After(found.of.text[:from]), from, to)
		return &m
	}
}

func lineEnd(s string) int {
	if k := strings.IndexByte(s, '\n'); k >= 0 {
		return k
	}
	return len(s)
}
