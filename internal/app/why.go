package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// Why answers why a text is in the prompt, or why it isn't.
type Why struct {
	Matches []Match `json:"matches"`
	// More is how many further places there are, when they are very many.
	More int `json:"more,omitempty"`
	// IgnoredCase: the text was found only with letter case set aside.
	IgnoredCase bool `json:"ignored_case,omitempty"`
	// Request are the places in the request of a provider, where one was asked for, and
	// Losses what that can't carry.
	Request []WirePiece `json:"request,omitempty"`
	Losses  []WireLoss  `json:"losses,omitempty"`
	// Nearest is the sentence most like the text, when it was found nowhere and one is
	// like it enough.
	Nearest *Match `json:"nearest,omitempty"`
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
	Code   cento.Code      `json:"code,omitempty"`
	// Text is what was found, as it reads there.
	Text string `json:"text"`
	// Commit wrote the line, that of SetAt for the value of a variable; null with a note
	// when none did or none can be told.
	Commit  *Commit `json:"commit"`
	History string  `json:"history,omitempty"`

	within stretch // whose place Origin is
}

// FindIn looks for the text in a request as well.
func (w *Why) FindIn(body *WireBody, text string) {
	w.Request, _ = body.Find(text)
	w.Losses = body.Losses
}

// Found reports whether a match is in the prompt itself, or in the request that was
// asked for.
func (w *Why) Found() bool {
	if len(w.Request) > 0 {
		return true
	}
	for _, m := range w.Matches {
		if m.Start != nil {
			return true
		}
	}
	return false
}

// maxMatches is how many places are told one by one. Whoever asks for a letter
// gets an answer, not the prompt over again.
const maxMatches = 200

// NotRendered is the code of a text in a prompt file whose branch was not taken.
const NotRendered cento.Code = "text.not_rendered"

// OtherTarget is the code of a text that the prompt of another target has.
const OtherTarget cento.Code = "target.other"

// SkillInactive is the code of a text of a skill that isn't active.
const SkillInactive cento.Code = "skill.inactive"

// ExplainText looks a text up in the prompt of an input of the project, in the
// texts that are out of it, in the branches of its prompt files that were not
// taken, and in the files that were shadowed or cut. White space is folded. When
// it is found nowhere, letter case is set aside too, and then the nearest line is
// offered.
func (p *Project) ExplainText(ctx context.Context, in cento.Input, text string) (*Why, error) {
	prompt, err := p.Reduce(in)
	if err != nil {
		return nil, err
	}
	out := append(p.leftOut(prompt), p.idleSkills()...)
	active := in.Active
	active.Tools = in.ActiveTools()
	branches, err := p.notRendered(prompt, active)
	if err != nil {
		return nil, err
	}
	w, err := p.explainText(ctx, prompt, append(branches, out...), text)
	if err == nil && len(w.Matches) == 0 {
		if w.Matches, err = p.elsewhere(ctx, in, prompt, text); len(w.Matches) > 0 {
			w.Nearest = nil
		}
	}
	return w, err
}

// elsewhere are the places of a text that nothing of this prompt has or would have: in
// the definitions of tools, in prompt files as they are written, in the prompt of
// another target, and in files that instruct other clients; the first of these that has
// any.
func (p *Project) elsewhere(ctx context.Context, in cento.Input, prompt *cento.Prompt, text string) ([]Match, error) {
	needle := strings.TrimSuffix(fold(text, false).text, " ")
	for _, texts := range []func() []leftText{
		func() []leftText { return toolTexts(in) },
		func() []leftText { return p.written(prompt) },
	} {
		if found, _ := matchesLeft(texts(), needle, false); len(found) > 0 {
			return found, p.addCommits(ctx, found)
		}
	}
	if found, err := p.inOtherTargets(ctx, text); len(found) > 0 || err != nil {
		return found, err
	}
	found, _ := matchesLeft(p.ofOtherClients(), needle, false)
	return append([]Match{}, found...), p.addCommits(ctx, found)
}

// maxSearchedTargets is how many targets of a manifest are searched for a text that
// isn't found where it was asked for.
const maxSearchedTargets = 20

// inOtherTargets are the places of a text in the prompt of the first other target that
// has it; none where no target can be had that does.
func (p *Project) inOtherTargets(ctx context.Context, text string) ([]Match, error) {
	targets := p.Targets()
	needle := strings.TrimSuffix(fold(text, false).text, " ")
	for _, name := range targets[:min(len(targets), maxSearchedTargets)] {
		other, err := p.Target(ctx, name)
		if err != nil {
			continue
		}
		prompt, err := other.Reduce(other.Input)
		if err != nil {
			continue
		}
		found, _ := matches(prompt, nil, needle, false)
		found = slices.DeleteFunc(found, func(m Match) bool { return m.Start == nil })
		for i := range found {
			found[i].Start, found[i].End = nil, nil
			found[i].Reason, found[i].Code = fmt.Sprintf("in the prompt of the target %q", name), OtherTarget
		}
		if len(found) > 0 {
			return found, other.addCommits(ctx, found)
		}
	}
	return nil, nil
}

// notRendered are the texts of branches that the prompt's files didn't take, and
// those of prompt files whose fragments are out: these are never rendered.
func (p *Project) notRendered(prompt *cento.Prompt, active cento.Active) ([]leftText, error) {
	var out []leftText
	told := map[cento.Position]bool{}
	for i := range prompt.Len() {
		f := prompt.Fragment(i)
		if f.Template == "" {
			continue
		}
		if !prompt.In(i) {
			for _, src := range p.Sources(&f) {
				if at := (cento.Position{File: src.Ref.Path(), Line: 1, Column: 1}); !told[at] {
					told[at] = true
					out = append(out, leftText{at: at, text: src.Text, reason: prompt.Reason(i), code: prompt.Code(i), trust: src.Trust, fragment: &f})
				}
			}
			continue
		}
		list, err := p.Unreached(&f, active)
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			if !told[x.Position] {
				told[x.Position] = true
				out = append(out, leftText{at: x.Position, text: x.Text, reason: x.Reason, code: NotRendered, trust: x.Trust, fragment: &f})
			}
		}
	}
	return out, nil
}

// explainText looks a text up in a prompt and in texts that didn't get into it.
func (p *Project) explainText(ctx context.Context, prompt *cento.Prompt, out []leftText, text string) (*Why, error) {
	w := &Why{Matches: []Match{}}
	for _, ignoreCase := range []bool{false, true} {
		needle := strings.TrimSuffix(fold(text, ignoreCase).text, " ")
		if w.Matches, w.More = matches(prompt, out, needle, ignoreCase); len(w.Matches) > 0 {
			w.IgnoredCase = ignoreCase
			break
		}
	}
	found := w.Matches
	if len(found) == 0 {
		w.Matches = []Match{}
		if w.Nearest = nearestMatch(prompt, out, text); w.Nearest == nil {
			return w, nil
		}
		nearest := []Match{*w.Nearest}
		err := p.addCommits(ctx, nearest)
		w.Nearest = &nearest[0]
		return w, err
	}
	return w, p.addCommits(ctx, found)
}

// matches finds a folded needle in the prompt, then in each excluded text, then
// in the other texts that didn't get in; more is how many places it doesn't tell.
func matches(prompt *cento.Prompt, left []leftText, needle string, ignoreCase bool) (out []Match, more int) {
	find := func(text string) [][2]int {
		found, rest := fold(text, ignoreCase).find(needle, max(maxMatches-len(out), 0))
		more += rest
		for k := range found {
			found[k][1] = trimEnd(text, found[k][0], found[k][1])
		}
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
			continue
		}
		if found := find(prompt.Text(i)); len(found) > 0 {
			from := textPlaces(prompt, i)
			for _, at := range found {
				out = append(out, from.match(i, at[0], at[1]))
			}
		}
	}
	found, rest := matchesLeft(left, needle, ignoreCase)
	if room := max(maxMatches-len(out), 0); len(found) > room {
		rest += len(found) - room
		found = found[:room]
	}
	return append(out, found...), more + rest
}

// matchesLeft finds a folded needle in texts that didn't get into the prompt. What is
// wholly in a part that did is told as that.
func matchesLeft(left []leftText, needle string, ignoreCase bool) (out []Match, more int) {
	for _, f := range left {
		found, rest := fold(f.text, ignoreCase).findIn(needle, max(maxMatches-len(out), 0), f.missing)
		more += rest
		at, from := f.at, 0
		for _, stretch := range found {
			stretch[1] = trimEnd(f.text, stretch[0], stretch[1])
			at, from = at.After(f.text[from:stretch[0]]), stretch[0]
			out = append(out, f.match(at, stretch[0], stretch[1]))
		}
	}
	return out, more
}

// OriginAt tells where a byte of a prompt is from and which commit wrote its line, as
// [Project.ExplainText] tells it of a text; nil behind the end.
func (p *Project) OriginAt(ctx context.Context, prompt *cento.Prompt, offset int) (*Match, error) {
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
	for i := range prompt.Len() {
		if !prompt.In(i) {
			texts, excluded = append(texts, prompt.Text(i)), append(excluded, i)
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
