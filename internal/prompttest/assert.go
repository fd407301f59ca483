package prompttest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/needle"
)

// assertion is one thing that has to be so of a prompt.
type assertion struct {
	key string
	at  cento.Position
	// holds is asked first, and of very many prompts; explain tells what isn't so.
	holds   func(a *assembled) bool
	explain func(a *assembled) Failure
}

// assertions are those of a case that one prompt answers, cheap ones first.
func (t *tester) assertions(c *testCase) []assertion {
	var out []assertion
	add := func(key string, at cento.Position, holds func(*assembled) bool, explain func(*assembled) Failure) {
		out = append(out, assertion{key, at, holds, explain})
	}
	for _, s := range c.Included {
		want := newPattern(s.Text)
		add("included", s.Position, func(a *assembled) bool { return want.all(a, isIn) }, func(a *assembled) Failure { return t.notIncluded(a, s, want) })
	}
	for _, x := range c.Excluded {
		want := newPattern(x.Text)
		isOut := func(a *assembled, i int) bool { return !a.In(i) && (x.Code == "" || string(a.Code(i)) == x.Code) }
		add("excluded", x.Position, func(a *assembled) bool { return want.all(a, isOut) }, func(a *assembled) Failure { return t.notExcluded(a, x, want) })
	}
	if len(c.Order) > 0 {
		add("order", c.Order[0].Position, func(a *assembled) bool { return inOrder(a, c.Order) < 0 }, func(a *assembled) Failure { return t.outOfOrder(a, c.Order) })
	}
	if m := c.MaxBytes; m != nil {
		add("max_bytes", m.Position, func(a *assembled) bool { return len(a.text) <= m.Count }, func(a *assembled) Failure {
			return Failure{Message: fmt.Sprintf("the prompt has %d bytes, and at most %d are wanted", len(a.text), m.Count)}
		})
	}
	for _, s := range c.Contains {
		text := needle.Exact(s.Text)
		add("contains", s.Position, func(a *assembled) bool { return text.StandsIn(a.text) }, func(a *assembled) Failure { return t.missing(a, s) })
	}
	for _, s := range c.NotContains {
		text := needle.Exact(s.Text)
		add("not_contains", s.Position, func(a *assembled) bool { return !text.StandsIn(a.text) }, func(a *assembled) Failure { return t.unwanted(a, s) })
	}
	for _, s := range c.Matches {
		re := regexp.MustCompile(s.Text)
		add("matches", s.Position, func(a *assembled) bool { return re.MatchString(a.text) }, func(*assembled) Failure {
			return Failure{Message: fmt.Sprintf("nothing in the prompt matches `%s`", s.Text)}
		})
	}
	for _, s := range c.NotMatches {
		re := regexp.MustCompile(s.Text)
		add("not_matches", s.Position, func(a *assembled) bool { return !re.MatchString(a.text) }, func(a *assembled) Failure { return t.unwantedMatch(a, s, re) })
	}
	for _, m := range c.MaxTokensOf {
		want := newPattern(m.Text)
		add("max_tokens_of", m.Position, func(a *assembled) bool { return t.fitOf(a, m, want) }, func(a *assembled) Failure { return t.tooManyOf(a, m, want) })
	}
	if m := c.MaxTokens; m != nil {
		add("max_tokens", m.Position, func(a *assembled) bool { return len(a.text) <= m.Count || t.count(a, a.text) <= m.Count }, func(a *assembled) Failure {
			return Failure{Message: fmt.Sprintf("the prompt has %s tokens, and at most %d are wanted", t.told(a, t.count(a, a.text)), m.Count)}
		})
	}
	return out
}

func isIn(a *assembled, i int) bool { return a.In(i) }

// pattern is an id, or a glob: `*` stands for any characters, `?` for one.
type pattern struct {
	text string
	glob bool
}

func newPattern(s string) pattern { return pattern{s, strings.ContainsAny(s, "*?")} }

// matchGlob goes back to the last star where a name doesn't go on as the glob does.
func matchGlob(glob, s string) bool {
	g, i, star, from := 0, 0, -1, 0
	for i < len(s) {
		switch {
		case g < len(glob) && glob[g] == '*':
			star, from = g, i
			g++
		case g < len(glob) && (glob[g] == '?' || glob[g] == s[i]):
			g++
			i++
		case star >= 0:
			from++
			g, i = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(glob[g:], "*") == ""
}

// of are the fragments of a pattern.
func (p pattern) of(a *assembled) []int {
	if !p.glob {
		if i, ok := a.Index(p.text); ok {
			return []int{i}
		}
		return nil
	}
	var out []int
	for i := range a.Len() {
		if matchGlob(p.text, a.Fragment(i).ID) {
			out = append(out, i)
		}
	}
	return out
}

// all reports whether something holds for all fragments of a pattern, of which there
// has to be one: what names nothing says nothing.
func (p pattern) all(a *assembled, holds func(*assembled, int) bool) bool {
	list := p.of(a)
	for _, i := range list {
		if !holds(a, i) {
			return false
		}
	}
	return len(list) > 0
}

// inOrder is the first of the ids that isn't behind the one before it; -1 for none.
func inOrder(a *assembled, ids []manifest.Said) int {
	last := -1
	for k, id := range ids {
		i, ok := a.Index(id.Text)
		if !ok {
			return k
		}
		start, _, ok := a.Extent(i)
		if !ok || start < last {
			return k
		}
		last = start
	}
	return -1
}

func (t *tester) count(a *assembled, text string) int {
	if text == "" {
		return 0
	}
	return t.options.Explain.Counter(a.in).Count(text)
}

// told is a count of a prompt's tokens for people, which shows whether it is exact.
func (t *tester) told(a *assembled, n int) string {
	return cento.FormatTokens(n, t.options.Explain.Counter(a.in).Exact())
}

func (t *tester) tokensOf(a *assembled, want pattern) (sum int, list []int) {
	for _, i := range want.of(a) {
		if a.In(i) {
			sum += t.count(a, a.Text(i))
		}
		list = append(list, i)
	}
	return sum, list
}

func (t *tester) fitOf(a *assembled, m manifest.Most, want pattern) bool {
	sum, list := t.tokensOf(a, want)
	return len(list) > 0 && sum <= m.Count
}

// What isn't so, in words.

// unknown is the failure of a pattern that names no fragment.
func unknown(a *assembled, s string, glob bool) Failure {
	ids := make([]string, a.Len())
	for i := range ids {
		ids[i] = a.Fragment(i).ID
	}
	if glob {
		return Failure{Message: fmt.Sprintf("no fragment has an id like %q", s), Hint: near(s, ids)}
	}
	return Failure{Message: fmt.Sprintf("no fragment has the id %q", s), Hint: near(s, ids)}
}

func (t *tester) notIncluded(a *assembled, s manifest.Said, want pattern) Failure {
	list := want.of(a)
	if len(list) == 0 {
		return unknown(a, s.Text, want.glob)
	}
	var details []string
	for _, i := range list {
		if !a.In(i) {
			details = append(details, verdict(a, i))
		}
	}
	return Failure{Message: fmt.Sprintf("%q is not in the prompt", s.Text), Details: firstLines(details)}
}

func (t *tester) notExcluded(a *assembled, x manifest.Excluded, want pattern) Failure {
	list := want.of(a)
	if len(list) == 0 {
		return unknown(a, x.Text, want.glob)
	}
	var details []string
	in := false
	for _, i := range list {
		if a.In(i) || x.Code != "" && string(a.Code(i)) != x.Code {
			in = in || a.In(i)
			details = append(details, verdict(a, i))
		}
	}
	f := Failure{Message: fmt.Sprintf("%q is in the prompt", x.Text), Details: firstLines(details)}
	if !in {
		f.Message = fmt.Sprintf("%q is out for another reason than %s", x.Text, x.Code)
		if len(list) == 1 {
			f.Hint = fmt.Sprintf("the code of the reason is %s", a.Code(list[0]))
		}
	}
	return f
}

// verdict tells what became of a fragment.
func verdict(a *assembled, i int) string {
	f := a.Fragment(i)
	line := f.ID
	if at := f.Origin.String(); at != "" {
		line += " (" + at + ")"
	}
	if a.In(i) {
		return line + " is in: " + a.Reason(i)
	}
	return fmt.Sprintf("%s is out: %s [%s]", line, a.Reason(i), a.Code(i))
}

func (t *tester) outOfOrder(a *assembled, ids []manifest.Said) Failure {
	k := inOrder(a, ids)
	i, ok := a.Index(ids[k].Text)
	f := Failure{Position: ids[k].Position}
	switch {
	case !ok:
		f = unknown(a, ids[k].Text, false)
		f.Position = ids[k].Position
	case !a.In(i):
		f.Message, f.Details = fmt.Sprintf("%q is not in the prompt", ids[k].Text), []string{verdict(a, i)}
	default:
		f.Message = fmt.Sprintf("%q stands before %q", ids[k].Text, ids[k-1].Text)
	}
	return f
}

func (t *tester) missing(a *assembled, s manifest.Said) Failure {
	f := Failure{Message: fmt.Sprintf("the prompt has no text %q", s.Text)}
	if t.options.Explain != nil {
		f.Details = firstLines(t.options.Explain.Missing(a.plan.reading.project, a.in, s.Text))
	}
	return f
}

func (t *tester) unwanted(a *assembled, s manifest.Said) Failure {
	return Failure{Message: fmt.Sprintf("the prompt has the text %q", s.Text), Details: t.places(a, s.Text)}
}

func (t *tester) unwantedMatch(a *assembled, s manifest.Said, re *regexp.Regexp) Failure {
	found := re.FindString(a.text)
	return Failure{Message: fmt.Sprintf("the prompt matches `%s`: %q", s.Text, clipped(found)), Details: t.places(a, found)}
}

func (t *tester) places(a *assembled, text string) []string {
	p, err := a.whole()
	if err != nil || t.options.Explain == nil || strings.TrimSpace(text) == "" {
		return nil
	}
	return firstLines(t.options.Explain.Places(p, text))
}

func (t *tester) tooManyOf(a *assembled, m manifest.Most, want pattern) Failure {
	sum, list := t.tokensOf(a, want)
	if len(list) == 0 {
		return unknown(a, m.Text, want.glob)
	}
	type weighed struct {
		id string
		n  int
	}
	var largest []weighed
	for _, i := range list {
		if a.In(i) {
			largest = append(largest, weighed{a.Fragment(i).ID, t.count(a, a.Text(i))})
		}
	}
	slices.SortStableFunc(largest, func(x, y weighed) int { return y.n - x.n })
	var details []string
	for _, w := range largest {
		details = append(details, fmt.Sprintf("%s: %s tokens", w.id, t.told(a, w.n)))
	}
	return Failure{Message: fmt.Sprintf("%q has %s tokens, and at most %d are wanted", m.Text, t.told(a, sum), m.Count), Details: firstLines(details)}
}

// mostLines is how many lines of a kind a failure tells.
const mostLines = 10

func firstLines(lines []string) []string {
	if n := len(lines) - mostLines; n > 0 {
		return append(slices.Clip(lines[:mostLines]), fmt.Sprintf("and %d more", n))
	}
	return lines
}
