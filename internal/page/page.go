package page

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// Page is what the page says about itself. Every field may be empty.
type Page struct {
	// Title is the headline, usually the agent's name. Default: the project's
	// name, else "System prompt".
	Title string
	// Project is the name of the project.
	Project string
	// Target is the variation of the project that the prompt was assembled for.
	Target string
	// Changes are what else is different from what the project's files say, each
	// in a few words: "without the tool shell".
	Changes []string
	// Values are the places of the values of variables, by their names; one that has
	// none, such as a value of a flag, has the zero place.
	Values map[string]cento.Position
	// Version is the version of Cento that made the page.
	Version string
}

// InvalidExplanation is the code of the error for an explanation that
// contradicts itself: its spans don't tile its text, say. None that the
// assembler made is.
const InvalidExplanation cento.ErrorCode = "page.explanation"

var (
	//go:embed assets/page.html
	layout string
	//go:embed assets/page.css
	style string
	//go:embed assets/page.js
	behaviour string
)

// script is what a page from a disk runs: what every page does, done to the data that
// is in it.
var script = behaviour + `
inspect(JSON.parse(document.querySelector('script[type="application/json"]').textContent));
`

// Write writes the page. It returns an [InvalidExplanation] error before the
// first byte is written, or the first error of w.
func Write(w io.Writer, p Page, e *cento.Explanation) error {
	v, err := newView(p, e)
	if err != nil {
		return err
	}
	out := &writer{bufio.NewWriterSize(w, 64<<10)}
	for i, piece := range pieces() {
		if i%2 == 0 {
			out.WriteString(piece)
			continue
		}
		if err := v.fill(out, piece); err != nil {
			return err
		}
	}
	return out.Flush()
}

// pieces is the layout cut at its marks: text and names of what goes there, in
// turn. Only the layout is cut, so no text of a prompt can be taken for a mark.
var pieces = sync.OnceValue(func() []string {
	return strings.Split(strings.ReplaceAll(layout, "⟧", "⟦"), "⟦")
})

// sheet is the style sheet with the rules that are a matter of counting: the
// length of a bar in hundredths, and the height in lines that a block has for
// as long as it isn't laid out, in the middle of what [tall] can mean.
var sheet = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString(style)
	for n := range 101 {
		fmt.Fprintf(&b, ".w%d{--w:%d%%}\n", n, n)
	}
	for n := range maxTall + 1 {
		fmt.Fprintf(&b, ".t%d{--tall:%d}\n", n, max(1, 3<<n>>2))
	}
	return b.String()
})

// policy lets the page's own script and style run and nothing else happen.
var policy = sync.OnceValue(func() string {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(sheet()) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
})

// fill writes what belongs at one mark of the layout.
func (v *view) fill(out *writer, mark string) error {
	switch mark {
	case "policy":
		out.WriteString(policy())
	case "style":
		out.WriteString(sheet())
	case "script":
		out.WriteString(script)
	case "json":
		// The encoder writes <, > and & as escapes, so no text ends the element.
		return json.NewEncoder(out).Encode(v.data())
	case "generator":
		out.label(strings.TrimSpace("cento " + v.Version))
	case "title":
		out.label(strings.Join(append(slices.Compact([]string{v.headline(), cmp.Or(v.Target, v.headline())}), v.Changes...), " · "))
	case "size":
		if v.long {
			out.WriteString("long")
		}
	case "about":
		v.about(out)
	case "facts":
		v.facts(out)
	case "map":
		v.overview(out)
	case "legend":
		v.legend(out)
	case "notes":
		v.notes(out)
	case "prompt":
		v.prompt(out)
	case "counts":
		v.counts(out)
	case "unit":
		if v.tokens {
			out.WriteString("by-tokens")
		} else {
			out.WriteString("by-bytes")
		}
	case "rows":
		v.rows(out)
	case "removed":
		v.removed(out)
	default:
		panic("page: no such mark in the layout: " + mark)
	}
	return nil
}

// view is an explanation with what is worked out once for the whole page.
type view struct {
	Page
	e *cento.Explanation
	// index is the place of a fragment in the trace, by id.
	index map[string]int
	// extents are the fragments of the prompt in its order, each with all bytes
	// that belong to it: joiner, headings, text.
	extents []extent
	// weights are how much of the prompt each fragment is: tokens where every
	// included fragment has a count, else bytes. heaviest is the most.
	weights  []int
	heaviest int
	tokens   bool
	// spans are those of the explanation, parted so that each tells its place.
	spans []passage
	whose []whose // by fragment
	// long pages lay out only what is near the screen, so many fragments together.
	long     bool
	together int
}

type extent struct{ fragment, start, end int }

// A page beyond either size is long.
const (
	longBytes     = 256 << 10
	longFragments = 300
)

func newView(p Page, e *cento.Explanation) (*view, error) {
	if e == nil {
		return nil, invalid("there is no explanation")
	}
	v := &view{Page: p, e: e, together: stretchBlocks, index: make(map[string]int, len(e.Fragments))}
	v.tokens = e.Included > 0
	for i := range e.Fragments {
		t := &e.Fragments[i]
		if _, twice := v.index[t.ID]; twice {
			return nil, invalid("fragment %q stands twice in the trace", t.ID)
		}
		v.index[t.ID] = i
		if !utf8.ValidString(t.ID) || !utf8.ValidString(t.Text) {
			return nil, invalid("fragment %q isn't valid UTF-8", t.ID)
		}
		v.tokens = v.tokens && (t.Tokens != nil || !t.Included)
	}
	for i := range e.Removed {
		if x := &e.Removed[i]; !utf8.ValidString(x.Text) {
			return nil, invalid("removed text %d isn't valid UTF-8", i)
		}
	}
	if err := v.checkSpans(); err != nil {
		return nil, err
	}
	v.spans = v.passages()
	v.whose = v.owners()
	v.weights = make([]int, len(e.Fragments))
	for i := range e.Fragments {
		t := &e.Fragments[i]
		switch {
		case !t.Included:
		case v.tokens:
			v.weights[i] = *t.Tokens
		default:
			v.weights[i] = t.Bytes
		}
		v.heaviest = max(v.heaviest, v.weights[i])
	}
	v.long = len(v.text()) > longBytes || len(e.Fragments) > longFragments
	return v, nil
}

// data is the explanation as the script reads it: with the passages for spans,
// and whose texts fragments are.
func (v *view) data() any {
	e := *v.e
	e.Removed = nil // the script reads the markup
	d := struct {
		*cento.Explanation
		Spans     []passage `json:"spans"`
		Strangers []string  `json:"strangers"` // by fragment
		Whose     []string  `json:"whose"`     // the same in words
		// Hues are the classes that colour fragments.
		Hues []string `json:"hues"`
		// Values are those of [Page].
		Values map[string]cento.Position `json:"values,omitempty"`
	}{Explanation: &e, Spans: v.spans, Values: v.Values}
	for i, w := range v.whose {
		d.Hues = append(d.Hues, hue(v.e.Fragments[i].Source))
		d.Strangers, d.Whose = append(d.Strangers, w.stranger), append(d.Whose, w.label)
	}
	return d
}

// checkSpans holds the spans against the text: what the page shows as exact has
// to be.
func (v *view) checkSpans() error {
	text := v.text()
	if !utf8.ValidString(text) {
		return invalid("the prompt isn't valid UTF-8")
	}
	at := 0
	for i, s := range v.e.Spans {
		f, known := v.index[s.Fragment]
		switch {
		case !known:
			return invalid("span %d is of fragment %q, which isn't in the trace", i, s.Fragment)
		case s.Start != at || s.End < s.Start || s.End > len(text):
			return invalid("span %d is [%d, %d), but %d of %d bytes are told so far", i, s.Start, s.End, at, len(text))
		case at < len(text) && !utf8.RuneStart(text[at]):
			return invalid("span %d begins inside a character, at byte %d", i, at)
		case s.MadeBy.IsZero():
			return invalid("span %d doesn't say who made its text", i)
		}
		at = s.End
		if last := len(v.extents) - 1; last >= 0 && v.extents[last].fragment == f {
			v.extents[last].end = s.End
		} else {
			v.extents = append(v.extents, extent{f, s.Start, s.End})
		}
	}
	if at != len(text) {
		return invalid("the spans end at byte %d of %d", at, len(text))
	}
	return nil
}

func invalid(format string, args ...any) error {
	return &cento.SourceError{Code: InvalidExplanation, Message: fmt.Sprintf(format, args...)}
}

// text is the prompt, empty when there is none.
func (v *view) text() string {
	if v.e.System == nil {
		return ""
	}
	return *v.e.System
}

func (v *view) headline() string {
	switch {
	case v.Title != "":
		return v.Title
	case v.Project != "":
		return v.Project
	}
	return "System prompt"
}

// count gives "1 byte", "2,048 bytes".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}

// grouped gives a number with a comma before every third digit.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
