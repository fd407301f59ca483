package page

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
)

// about writes what the prompt belongs to.
func (v *view) about(out *writer) {
	out.WriteString("<h1>")
	out.label(v.headline())
	out.WriteString("</h1>")
	chip := func(name, value string) {
		if value == "" {
			return
		}
		out.WriteString(`<span class="chip"><span class="quiet">` + name + `</span> `)
		out.label(value)
		out.WriteString("</span>")
	}
	if v.Project != v.headline() {
		chip("project", v.Project)
	}
	chip("target", v.Target)
	for _, c := range v.Changes {
		chip("what if", c)
	}
	if v.e.Model != nil {
		chip("model", *v.e.Model)
	}
}

// facts writes the figures of the whole prompt.
func (v *view) facts(out *writer) {
	e := v.e
	fact := func(name, value, more string) {
		out.WriteString("<div><dt>" + name + "</dt><dd>")
		out.label(value)
		if more != "" {
			out.WriteString(` <span class="quiet">`)
			out.label(more)
			out.WriteString("</span>")
		}
		out.WriteString("</dd></div>")
	}
	if e.Tokens != nil {
		name, more := "Tokens", ""
		if e.Encoding != nil {
			more = *e.Encoding
		}
		value := tokensOf(*e.Tokens, e.TokensExact == nil || *e.TokensExact)
		if e.TokensExact != nil && !*e.TokensExact {
			name = "Tokens, estimated"
		}
		fact(name, value, more)
	}
	if b := e.Budget; b != nil {
		fact("Budget", grouped(b.Budget), fmt.Sprintf("%s for the prompt, %s left; %s dropped, %s shortened", tokensOf(b.Limit, b.LimitExact), tokensOf(b.Left, b.RequestExact()), grouped(b.Dropped), grouped(b.Shortened)))
	}
	fact("Bytes", grouped(e.Bytes), "")
	fact("Fragments", grouped(e.Included)+" in", grouped(e.Excluded)+" out")
	if e.Digest != nil {
		out.WriteString(`<div><dt>SHA-256</dt><dd><details class="digest"><summary><code>`)
		out.label((*e.Digest)[:min(12, len(*e.Digest))])
		out.WriteString(`</code></summary><code class="full">`)
		out.label(*e.Digest)
		out.WriteString(`</code></details></dd></div>`)
	}
}

// tokensOf is a number of tokens, marked where it is estimated.
func tokensOf(n int, exact bool) string {
	if !exact {
		return "~" + grouped(n)
	}
	return grouped(n)
}

// exactBudget reports whether budgets of whole requests are exact.
func (v *view) exactBudget() bool { return v.e.Budget != nil && v.e.Budget.RequestExact() }

// gapWidth is the least width of a mark, in parts of the whole, that can spare
// the gap to its neighbours.
const gapWidth = 300

// markWidth is the least width of a mark of the overview, in parts of its
// whole: below it a mark is too thin to be pointed at on most screens.
const markWidth = 500

// mark is a part of the overview: fragments that share one, by the longest of them.
type mark struct {
	Fragment int `json:"fragment"`
	From     int `json:"from"` // in bytes of the prompt
	To       int `json:"to"`
	// Others is how many fragments share it.
	Others int `json:"others"`
	// Thin: too narrow for a gap to its neighbours.
	Thin bool `json:"thin"`
}

// marks are the prompt as one bar, each fragment as wide as it is long. Fragments too
// short for a mark share one, so that the bar of the largest prompt has fewer marks
// than a screen has pixels.
func (v *view) marks() []mark {
	out := []mark{}
	total := len(v.text())
	for i := 0; total > 0 && i < len(v.extents); {
		from, longest := v.extents[i].start, i
		n := i + 1
		for n < len(v.extents) && (v.extents[n-1].end-from)*markWidth < total {
			if length(v.extents[n]) > length(v.extents[longest]) {
				longest = n
			}
			n++
		}
		to := v.extents[n-1].end
		out = append(out, mark{v.extents[longest].fragment, from, to, n - i - 1, (to-from)*gapWidth < total})
		i = n
	}
	return out
}

// overview writes the marks.
func (v *view) overview(out *writer) {
	if len(v.text()) == 0 {
		return
	}
	out.WriteString(`<svg class="map" viewBox="0 0 ` + strconv.Itoa(len(v.text())) + ` 10" preserveAspectRatio="none" role="group" aria-label="The prompt as a bar, each fragment as wide as it is long">`)
	for _, m := range v.marks() {
		t := &v.e.Fragments[m.Fragment]
		out.WriteString(`<a href="`)
		out.attribute(link(t.ID))
		class := hue(t.Source)
		if m.Thin {
			class += " thin"
		}
		out.WriteString(`" tabindex="-1" data-f="` + strconv.Itoa(m.Fragment) + `"><rect class="` + class +
			`" x="` + strconv.Itoa(m.From) + `" y="0" width="` + strconv.Itoa(m.To-m.From) + `" height="10"><title>`)
		out.label(t.ID)
		if m.Others > 0 {
			out.label(" and " + count(m.Others, "fragment", "fragments") + " around it")
		}
		out.label(", " + count(m.To-m.From, "byte", "bytes"))
		out.WriteString(`</title></rect></a>`)
	}
	out.WriteString("</svg>")
}

func length(x extent) int { return x.end - x.start }

// maxFamilies is how many families of sources the legend names. Fragments of a
// library call may each be a family of its own.
const maxFamilies = 16

// legend writes the families of sources in the order in which they come up,
// with their colours and shares; of many, those that weigh most.
func (v *view) legend(out *writer) {
	type share struct {
		name, hue string
		weight    int
		left      bool
	}
	var shares []*share
	byName := map[string]*share{}
	total := 0
	for i := range v.e.Fragments {
		t := &v.e.Fragments[i]
		name := family(t.Source)
		s := byName[name]
		if s == nil {
			s = &share{name: name, hue: hue(t.Source)}
			byName[name] = s
			shares = append(shares, s)
		}
		s.weight += v.weights[i]
		total += v.weights[i]
	}
	others, rest := 0, 0
	if len(shares) > maxFamilies {
		least := slices.SortedStableFunc(slices.Values(shares), func(a, b *share) int { return cmp.Compare(b.weight, a.weight) })
		for _, s := range least[maxFamilies:] {
			s.left = true
			others++
			rest += s.weight
		}
	}
	for _, s := range shares {
		if s.left {
			continue
		}
		out.WriteString(`<li><button type="button" class="` + s.hue + `" aria-pressed="false" data-family="`)
		out.attribute(s.name)
		out.WriteString(`"><span class="swatch"></span>`)
		out.label(s.name)
		out.WriteString(` <span class="quiet">`)
		if s.weight == 0 {
			out.WriteString("out")
		} else {
			out.WriteString(percent(s.weight, total))
		}
		out.WriteString("</span></button></li>")
	}
	if others > 0 {
		out.WriteString(`<li class="others quiet">` + count(others, "other source", "other sources") + " " + percent(rest, max(total, 1)) + "</li>")
	}
}

// percent gives "12%", and "<1%" for what would round to nothing.
func percent(part, whole int) string {
	n := (100*part + whole/2) / whole
	if n == 0 && part > 0 {
		return "&lt;1%"
	}
	return strconv.Itoa(n) + "%"
}

// notes writes the remarks on the assembly as a whole.
func (v *view) notes(out *writer) {
	if len(v.e.Notes) == 0 {
		return
	}
	open := ""
	if len(v.e.Notes) <= 3 {
		open = " open"
	}
	out.WriteString(`<details class="notes"` + open + `><summary>` + count(len(v.e.Notes), "note", "notes") + `</summary><ul>`)
	for _, n := range v.e.Notes {
		out.WriteString(`<li><code>`)
		out.label(string(n.Code))
		out.WriteString(`</code> `)
		out.label(n.Message)
		if at := n.Position.String(); at != "" {
			out.WriteString(` <span class="quiet">`)
			out.label(at)
			out.WriteString(`</span>`)
		}
		v.linkTo(out, n.Fragment)
		out.WriteString("</li>")
	}
	out.WriteString("</ul></details>")
}

// linkTo writes a link to a fragment that has a row.
func (v *view) linkTo(out *writer, fragment string) {
	if _, known := v.index[fragment]; known {
		out.WriteString(` <a href="`)
		out.attribute(link(fragment))
		out.WriteString(`">`)
		out.label(fragment)
		out.WriteString(`</a>`)
	}
}

// counts writes the choice of rows: all, in, out.
func (v *view) counts(out *writer) {
	choice := func(value, name string, n int, checked string) {
		out.WriteString(`<label><input type="radio" name="show" value="` + value + `"` + checked + `><span>` + name +
			` <span class="n-of">` + grouped(n) + `</span></span></label>`)
	}
	choice("all", "All", len(v.e.Fragments), " checked")
	choice("in", "In", v.e.Included, "")
	choice("out", "Out", v.e.Excluded, "")
}

// rows writes every fragment that was considered, in declaration order; of very
// many, a few stand in one list each, that is skipped as one while out of sight.
func (v *view) rows(out *writer) {
	for i := range v.e.Fragments {
		switch {
		case i == 0:
			out.WriteString("<ol>\n")
		case v.long && i%v.together == 0:
			out.WriteString(`</ol><ol start="` + strconv.Itoa(i+1) + "\">\n")
		}
		v.row(out, i, i)
	}
	if len(v.e.Fragments) > 0 {
		out.WriteString("</ol>")
	}
}

// removed writes the texts that are in no fragment or were cut from one.
func (v *view) removed(out *writer) {
	if len(v.e.Removed) == 0 {
		return
	}
	out.WriteString(`<details class="removed-of"><summary>` + count(len(v.e.Removed), "removed text", "removed texts") + `</summary><ul>`)
	for i := range v.e.Removed {
		x := &v.e.Removed[i]
		out.WriteString(`<li><code>`)
		if x.Origin != nil {
			out.label(x.Origin.String())
		}
		out.WriteString(`</code> <span class="why">`)
		out.label(x.Reason)
		out.WriteString(`</span> <span class="quiet">`)
		out.label(string(x.Code))
		out.WriteString(`</span>`)
		v.linkTo(out, x.Fragment)
		out.WriteString(`<details><summary>Text, ` + count(x.Bytes, "byte", "bytes") + "</summary><pre tabindex=\"0\">\n")
		out.text(x.Text)
		out.WriteString("</pre></details></li>")
	}
	out.WriteString("</ul></details>")
}

// row writes a fragment under a number; below zero, that is left to the page.
func (v *view) row(out *writer, number, i int) {
	t := &v.e.Fragments[i]
	out.WriteString(`<li class="row ` + hue(t.Source))
	if t.Included {
		out.WriteString(" in w" + strconv.Itoa(v.bar(i)))
	} else {
		out.WriteString(" out")
	}
	whose := v.whose[i]
	if whose.stranger != "" {
		out.WriteString(" untrusted")
	}
	out.WriteString(`" data-f="` + numbered(number) + `"`)
	if !t.Included {
		out.WriteString(` id="`)
		out.attribute(t.ID)
		out.WriteString(`"`)
	}
	out.WriteString(`><a href="`)
	out.attribute(link(t.ID))
	out.WriteString(`">`)
	out.label(t.ID)
	out.WriteString(`</a><span class="size">`)
	if t.Included {
		out.WriteString(grouped(v.weights[i]))
	} else {
		out.WriteString("out")
	}
	out.WriteString(`</span><span class="why">`)
	out.label(t.Reason)
	if b := t.Budget; b != nil && t.Included { // what is out says so in its reason
		from := tokensOf(b.StaysFrom, v.exactBudget())
		if b.Required {
			out.label(fmt.Sprintf("; over budget: gave %s tokens for what is required, whole from %s", tokensOf(b.Tokens, v.e.Budget != nil && v.e.Budget.Exact), from))
		} else {
			out.label(fmt.Sprintf("; over budget: variant %d, longer from %s tokens (importance %d)", t.Variant, from, b.Importance))
		}
	}
	if t.Layer != nil {
		out.WriteString(` <span class="layer">`)
		out.label("layer " + *t.Layer)
		out.WriteString(`</span>`)
	}
	out.WriteString(`</span>`)
	if len(t.Unmet) > 1 { // one alone is the reason
		out.WriteString(`<ul class="unmet" aria-label="Conditions that do not hold">`)
		for _, u := range t.Unmet {
			out.WriteString("<li>")
			out.label(u.Reason)
			out.WriteString(" <code>")
			out.label(string(u.Code))
			out.WriteString("</code></li>")
		}
		out.WriteString("</ul>")
	}
	if len(t.Notes) > 0 {
		out.WriteString(`<ul class="found" aria-label="Findings">`)
		for _, n := range t.Notes {
			out.WriteString("<li>")
			out.label(n.Message)
			if n.Position != nil {
				out.WriteString(` <span class="quiet">`)
				out.label(n.Position.String())
				out.WriteString("</span>")
			}
			out.WriteString("</li>")
		}
		out.WriteString("</ul>")
	}
	out.WriteString(`<span class="meta">`)
	out.label(strings.Join(meta(t, whose.label), " · "))
	out.WriteString("</span>")
	if t.Text != "" {
		out.WriteString(`<details><summary>Text, ` + count(len(t.Text), "byte", "bytes") + "</summary><pre tabindex=\"0\">\n")
		out.text(t.Text)
		out.WriteString("</pre></details>")
	}
	out.WriteString("</li>\n")
}

// meta is what else is known of a fragment, for where no script shows it.
func meta(t *cento.Trace, whose string) []string {
	list := []string{whose, string(t.Code), t.Stability.String()}
	if t.Origin != nil && !t.Origin.IsZero() {
		list = append(list, t.Origin.String())
	}
	if t.Section != nil {
		list = append(list, "section "+*t.Section)
	}
	if t.Protected {
		list = append(list, "protected")
	}
	return list
}

// bar is the weight of a fragment in hundredths of the heaviest; what weighs
// anything has a bar that can be seen.
func (v *view) bar(i int) int {
	if v.weights[i] == 0 {
		return 0
	}
	return max(1, 100*v.weights[i]/v.heaviest)
}

// link is the address of a fragment on the page.
func link(id string) string { return (&url.URL{Fragment: id}).String() }

// numbered is the number of a fragment in markup: empty where the page gives it.
func numbered(n int) string {
	if n < 0 {
		return ""
	}
	return strconv.Itoa(n)
}
