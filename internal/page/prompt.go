package page

import (
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The prompt is a row of blocks, one for each fragment, with an element for
// each span. A block begins on a line of its own by being a block, so the line
// end before its first line would show as one too many: it stands in an element
// that isn't displayed. Reading and copying then agree with the bytes.
//
// A browser skips work on blocks that are out of sight, and only on whole ones.
// So long texts are cut into further blocks of the same fragment, at a line end
// where there is one; a line longer than a block is broken and marked so. And
// of very many fragments, a few stand in one stretch, that is skipped as one.
const (
	blockBytes    = 16 << 10 // a block is cut at the first line end behind this
	lineBytes     = 64 << 10 // and here, when there is none
	stretchBytes  = 32 << 10
	stretchBlocks = 50
	partBlocks    = 20 // where the page makes what is near the screen
	maxTall       = 24 // lines are guessed up to 2^maxTall
	wrapBytes     = 90 // about what fits on one line
)

// prompt writes the blocks.
func (v *view) prompt(out *writer) {
	switch {
	case v.e.System == nil:
		out.WriteString(`<p class="none">No fragment is included, so there is no system prompt.</p>`)
		return
	case *v.e.System == "":
		out.WriteString(`<p class="none">The system prompt is empty: 0 bytes.</p>`)
	}
	out.WriteString(`<div class="prompt" translate="no">`)
	b := blocks{writer: out, view: v, spans: v.spans}
	for rest := v.extents; len(rest) > 0; {
		n := v.stretch(rest)
		if v.long {
			out.WriteString(`<div class="stretch t` + strconv.Itoa(tall(v.text()[rest[0].start:rest[n-1].end])) + `">`)
		}
		for _, x := range rest[:n] {
			b.fragment(x)
		}
		if v.long {
			out.WriteString("</div>")
		}
		rest = rest[n:]
	}
	out.WriteString(`</div>`)
}

// stretch says how many of the next fragments are in one stretch: all of them
// in a prompt that isn't long. One that goes on in the line of the one before
// can't begin a stretch.
func (v *view) stretch(x []extent) int {
	for n := 1; v.long && n < len(x); n++ {
		// So what is out elsewhere moves no border.
		apart := n >= v.together/5 && x[n].fragment/v.together != x[0].fragment/v.together
		if (apart || n >= v.together || x[n].start-x[0].start > stretchBytes) && strings.HasPrefix(v.text()[x[n].start:], "\n") {
			return n
		}
	}
	return len(x)
}

// blocks writes the blocks of one fragment after the other.
type blocks struct {
	*writer
	view  *view
	spans []passage // that are not written yet
	span  int       // number of the first of them in its fragment
	some  bool      // there is one before
	// unnumbered blocks get the number of their fragment from the page.
	unnumbered bool
	room       int // bytes until the block should be cut; below zero when it should have been
}

// fragment writes the next fragment.
func (b *blocks) fragment(x extent) {
	text := b.view.text()[x.start:x.end]
	class := "frag"
	switch {
	case !b.some:
	case strings.HasPrefix(text, "\n\n"):
		class = "frag gap"
	case !strings.HasPrefix(text, "\n"):
		class = "frag run-on" // on the line of the one before
	}
	b.open(x.fragment, class, text)
	first := b.some // the first line end goes without saying
	b.some, b.span = true, 0
	for id := b.spans[0].Fragment; len(b.spans) > 0 && b.spans[0].Fragment == id; b.span++ {
		s := b.spans[0]
		b.text(x.fragment, s, b.view.text()[s.Start:s.End], first)
		first = first && s.Start == s.End
		b.spans = b.spans[1:]
	}
	b.WriteString("</div>")
}

// open begins a block whose text is what is left of the fragment.
func (b *blocks) open(fragment int, class, rest string) {
	t := &b.view.e.Fragments[fragment]
	b.room = blockBytes
	b.WriteString(`<div class="`)
	b.WriteString(class)
	b.WriteByte(' ')
	b.WriteString(hue(t.Source))
	whose := b.view.whose[fragment]
	if whose.stranger != "" {
		b.WriteString(" untrusted")
	}
	if b.view.long {
		b.WriteString(" t")
		b.WriteString(strconv.Itoa(tall(rest[:min(len(rest), blockBytes)])))
	}
	b.WriteString(`" data-f="`)
	if !b.unnumbered {
		b.WriteString(strconv.Itoa(fragment))
	}
	if !strings.Contains(class, "more") {
		b.WriteString(`" id="`)
		b.attribute(t.ID)
		b.WriteString(`" role="group" aria-label="`)
		b.label(t.ID + ", " + whose.label)
	}
	b.WriteString(`"><span class="label" aria-hidden="true" data-id="`)
	b.attribute(labelBreaks.Replace(visible(t.ID)))
	if whose.stranger != "" {
		b.WriteString(`" data-trust="`)
		b.WriteString(whose.label)
	}
	b.WriteString(`"></span>`)
}

// labelBreaks lets a long id break where its parts meet.
var labelBreaks = strings.NewReplacer(":", ":\u200b", "/", "/\u200b", ".", ".\u200b", "_", "_\u200b")

// text writes a span, cutting blocks as it goes.
func (b *blocks) text(fragment int, s passage, text string, first bool) {
	for {
		b.openSpan(fragment, s)
		if first && strings.HasPrefix(text, "\n") {
			b.lineEnd()
			text = text[1:]
		}
		cut := b.cut(text)
		b.writer.text(text[:cut])
		b.WriteString("</span>")
		b.room -= cut
		if text = text[cut:]; text == "" {
			return
		}
		b.WriteString("</div>")
		class := "frag more"
		if text[0] != '\n' {
			class = "frag more broken"
		}
		b.open(fragment, class, text)
		first = true
	}
}

func (b *blocks) openSpan(fragment int, s passage) {
	b.WriteString(`<span class="`)
	b.WriteString(s.Kind.String())
	if s.Var != "" {
		b.WriteString(" var")
	}
	if s.Stranger != "" && b.view.whose[fragment].stranger == "" {
		b.WriteString(" foreign")
	}
	b.WriteString(`" data-s="`)
	b.WriteString(strconv.Itoa(b.span))
	b.WriteString(`">`)
}

// lineEnd writes a line end that the block's own edge shows.
func (b *blocks) lineEnd() { b.WriteString("<span class=\"n\">\n</span>") }

// cut says how much of a text goes into the block: all of it, or up to a line
// end that follows a visible character. A line end behind another would be
// lost on the eye: the last one of a block makes no line.
func (b *blocks) cut(text string) int {
	if len(text) <= b.room {
		return len(text)
	}
	limit := min(len(text), max(b.room+lineBytes, 0))
	for i := max(b.room, 1); i < limit; i++ {
		if text[i] == '\n' && text[i-1] != '\n' {
			return i
		}
	}
	for limit < len(text) && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return limit
}

// tall guesses the height of a text: n stands for 2^(n-1)+1 to 2^n lines.
func tall(text string) int {
	lines := 1 + strings.Count(text, "\n") + len(text)/wrapBytes
	return min(bits.Len(uint(lines-1)), maxTall)
}

// hue is the class that colours a source, by its family: what stands before the
// colon. The families that Cento itself contributes keep their colours from
// page to page, others take one by their name.
func hue(source string) string {
	switch family(source) {
	case "builtin", "template":
		return "h0"
	case "host":
		return "h1"
	case "primary":
		return "h2"
	case "skill":
		return "h3"
	case "reminder":
		return "h4"
	case "tool":
		return "h5"
	case "manifest":
		return "h6"
	case "project":
		return "h7"
	case "scope":
		return "h8"
	case "profile":
		return "h9"
	case "slot":
		return "h10"
	}
	name := family(source)
	n := uint32(2166136261) // FNV-1a
	for i := range len(name) {
		n = (n ^ uint32(name[i])) * 16777619
	}
	return "h" + strconv.Itoa(1+int(n%10))
}

// Hue is the class that colours a source on the page.
func Hue(source string) string { return hue(source) }

func family(source string) string {
	name, _, _ := strings.Cut(source, ":")
	return name
}
