package tests

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/cento-dev/cento"
)

// The outputs of a case. Prompt or prompt.json, and trace.json, come from every
// case that isn't refused; the others only where the archive has them.
const (
	wantPrompt      = "want/prompt.txt"
	wantPromptJSON  = "want/prompt.json"
	wantTrace       = "want/trace.json"
	wantSpans       = "want/spans.json"
	wantDigests     = "want/digests.json"
	wantUnmet       = "want/unmet.json"
	wantChanged     = "want/changed.txt"
	wantChangedJSON = "want/changed.json"
	wantDiff        = "want/diff.json"
	wantError       = "want/error.txt"
)

// replacements make paths of this machine those of every machine.
type replacements [][2]string

func (r replacements) apply(s string) string {
	for _, pair := range r {
		s = strings.ReplaceAll(s, pair[0], pair[1])
	}
	return s
}

func (s *source) shown(text string) string { return s.shownAs.apply(text) }

// view is a prompt as it would be with the folders of every machine: texts are
// replaced, offsets are those in the replaced text.
type view struct {
	p      *cento.Prompt
	source *source
	text   string // of this machine
}

func (s *source) view(p *cento.Prompt) *view {
	text, _ := p.System()
	return &view{p, s, text}
}

// offset is a place in the replaced text. No place lies inside of a path.
func (v *view) offset(k int) int { return len(v.source.shown(v.text[:k])) }

// system is the replaced text, nil when there is no prompt.
func (v *view) system() *string {
	if _, ok := v.p.System(); !ok {
		return nil
	}
	s := v.source.shown(v.text)
	return &s
}

func sum(s string) string {
	d := sha256.Sum256([]byte(s))
	return hex.EncodeToString(d[:])
}

func (c *conformanceCase) outputs(got map[string]string, p *cento.Prompt, s *source) {
	v := s.view(p)
	got[promptName(v, wantPrompt, wantPromptJSON)] = promptFile(v)
	got[wantTrace] = v.trace()
	if _, ok := c.wants[wantSpans]; ok {
		got[wantSpans] = v.spans()
	}
	if _, ok := c.wants[wantDigests]; ok {
		got[wantDigests] = v.digests()
	}
	if _, ok := c.wants[wantUnmet]; ok {
		got[wantUnmet] = v.unmet()
	}
}

// plain reports whether a text file shows all there is in a prompt.
func plain(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		if strings.HasPrefix(line, "-- ") || strings.TrimRight(line, " ") != line {
			return false // taken for the mark of a file, or lost in an editor
		}
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && !shows(r) })
}

// shows reports whether a character can be seen in a text file, and told from
// others by what is seen.
func shows(r rune) bool { return unicode.IsPrint(r) && !unicode.Is(unicode.Variation_Selector, r) }

func promptName(v *view, text, json string) string {
	if s := v.system(); s != nil && plain(*s) {
		return text
	}
	return json
}

func promptFile(v *view) string {
	s := v.system()
	if s != nil && plain(*s) {
		return *s + "\n"
	}
	return spaced(s) + "\n"
}

// traceLine is the record of a fragment. What is as it usually is, is left out.
type traceLine struct {
	ID         string      `json:"id"`
	Source     string      `json:"source,omitempty"`
	Bucket     string      `json:"bucket,omitempty"`
	Included   bool        `json:"included"`
	Code       cento.Code  `json:"code"`
	Reason     string      `json:"reason"`
	Bytes      int         `json:"bytes"`
	Span       *[2]int     `json:"span"`
	Section    *string     `json:"section,omitempty"`
	Layer      *string     `json:"layer,omitempty"`
	Origin     string      `json:"origin,omitempty"`
	Trust      string      `json:"trust,omitempty"`
	Stability  string      `json:"stability,omitempty"`
	Protected  bool        `json:"protected,omitempty"`
	Importance string      `json:"importance,omitempty"`
	Variant    int         `json:"variant,omitempty"`
	Notes      []traceNote `json:"notes,omitempty"`
}

type traceNote struct {
	Code     cento.Code `json:"code"`
	Message  string     `json:"message"`
	Start    int        `json:"start"`
	End      int        `json:"end"`
	Position string     `json:"position,omitempty"`
}

type promptNote struct {
	Code     cento.Code `json:"code"`
	Message  string     `json:"message"`
	Fragment string     `json:"fragment,omitempty"`
	Position string     `json:"position,omitempty"`
}

// trace is what was decided, a line for each fragment.
func (v *view) trace() string {
	e := v.p.Explain(cento.ExplainOptions{})
	var b strings.Builder
	bytes, digest := 0, (*string)(nil)
	if s := v.system(); s != nil {
		d := sum(*s)
		bytes, digest = len(*s), &d
	}
	fmt.Fprintf(&b, "{\n  \"digest\": %s, \"bytes\": %d, \"included\": %d, \"excluded\": %d,\n", spaced(digest), bytes, e.Included, e.Excluded)
	var lines []string
	for i, f := range e.Fragments {
		l := traceLine{
			ID: f.ID, Included: f.Included, Code: f.Code, Reason: f.Reason, Section: f.Section, Layer: f.Layer, Protected: f.Protected,
			Source: unless(f.Source, f.ID), Bucket: unless(f.Bucket.String(), "before"), Trust: unless(f.Trust.String(), "host"),
			Stability: unless(f.Stability.String(), "static"), Importance: unless(f.Importance.String(), "required"), Variant: f.Variant,
		}
		if f.Origin != nil {
			l.Origin = f.Origin.String()
		}
		if f.Span != nil {
			l.Span = &[2]int{v.offset(f.Span[0]), v.offset(f.Span[1])}
			l.Bytes = l.Span[1] - l.Span[0]
			if len(v.source.shown(v.p.Text(i))) != l.Bytes {
				panic("the text of " + f.ID + " isn't what stands at its place")
			}
		}
		for _, n := range f.Notes {
			x := traceNote{Code: n.Code, Message: n.Message, Start: n.Start, End: n.End}
			if n.Position != nil {
				x.Position = n.Position.String()
			}
			l.Notes = append(l.Notes, x)
		}
		lines = append(lines, spaced(l))
	}
	fmt.Fprintf(&b, "  \"fragments\": %s", jsonList(lines, "  "))
	var notes []string
	for _, n := range slices.Concat(e.Notes, v.source.notes) {
		x := promptNote{Code: n.Code, Message: n.Message, Fragment: n.Fragment}
		if !n.Position.IsZero() {
			x.Position = n.Position.String()
		}
		notes = append(notes, spaced(x))
	}
	if len(notes) > 0 {
		fmt.Fprintf(&b, ",\n  \"notes\": %s", jsonList(notes, "  "))
	}
	b.WriteString("\n}\n")
	return v.source.shown(b.String())
}

func unless(s, usual string) string {
	if s == usual {
		return ""
	}
	return s
}

type spanLine struct {
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Kind     string `json:"kind"`
	Fragment string `json:"fragment"`
	At       string `json:"at,omitempty"`
	Var      string `json:"var,omitempty"`
	Trust    string `json:"trust,omitempty"`
	Text     string `json:"text"`
}

// spans is where every byte came from.
func (v *view) spans() string {
	var lines []string
	for s := range v.p.AllSpans() {
		lines = append(lines, spaced(spanLine{
			Start: v.offset(s.Start), End: v.offset(s.End), Kind: s.Kind.String(), Fragment: s.Fragment,
			At: cento.Position{File: s.File, Line: s.Line, Column: s.Column}.String(), Var: s.Var,
			Trust: unless(s.Trust.String(), "host"), Text: v.text[s.Start:s.End],
		}))
	}
	return v.source.shown(jsonList(lines, "") + "\n")
}

// digests is the SHA-256 of every fragment's text, those that are out included.
func (v *view) digests() string {
	var lines []string
	for i, f := range v.p.Traces(cento.ExplainOptions{}) {
		digest := f.Digest
		if digest != nil {
			if v.p.Text(i) != v.source.shown(v.p.Text(i)) {
				digest = new(sum(v.source.shown(v.p.Text(i))))
			} else if *digest != sum(v.p.Text(i)) {
				panic("the digest of " + f.ID + " isn't that of its text")
			}
		}
		lines = append(lines, spaced(struct {
			ID     string  `json:"id"`
			Digest *string `json:"digest"`
		}{f.ID, digest}))
	}
	return jsonList(lines, "") + "\n"
}

// unmet is every condition that keeps a fragment out.
func (v *view) unmet() string {
	var lines []string
	for _, f := range v.p.Traces(cento.ExplainOptions{AllReasons: true}) {
		if !f.Included {
			lines = append(lines, spaced(struct {
				ID    string        `json:"id"`
				Unmet []cento.Unmet `json:"unmet"`
			}{f.ID, f.Unmet}))
		}
	}
	return jsonList(lines, "") + "\n"
}

func diffFile(t testing.TB, d *cento.Difference) string {
	t.Helper()
	var b strings.Builder
	for i, part := range []struct {
		name    string
		changes []cento.Change
	}{{"added", d.Added}, {"removed", d.Removed}, {"moved", d.Moved}, {"changed", d.Changed}, {"verdicts", d.Verdicts}} {
		b.WriteString([]string{"{\n", ",\n"}[min(i, 1)])
		var lines []string
		for _, c := range part.changes {
			lines = append(lines, spaced(c))
		}
		fmt.Fprintf(&b, "  %q: %s", part.name, jsonList(lines, "  "))
	}
	b.WriteString("\n}\n")
	return b.String()
}

// jsonList is a JSON list with an item on each line.
func jsonList(items []string, indent string) string {
	if len(items) == 0 {
		return "[]"
	}
	return "[\n" + indent + "  " + strings.Join(items, ",\n"+indent+"  ") + "\n" + indent + "]"
}

// spaced is JSON on one line for people: a space behind each colon and comma,
// and every character that can't be seen in a text file is written as an
// escape.
func spaced(v any) string {
	var raw bytes.Buffer
	e := json.NewEncoder(&raw)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	var b strings.Builder
	quoted, escaped := false, false
	for _, r := range strings.TrimSpace(raw.String()) {
		if !shows(r) {
			if r >= 0x10000 {
				r -= 0x10000
				fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
			continue
		}
		b.WriteRune(r)
		switch {
		case escaped:
			escaped = false
		case quoted && r == '\\':
			escaped = true
		case r == '"':
			quoted = !quoted
		case !quoted && (r == ',' || r == ':'):
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// errorText gives all errors as a reader sees them: place and message, code,
// related places, hint.
func errorText(t testing.TB, err error) string {
	t.Helper()
	all, omitted := sourceErrorsOf(err), 0
	if many, ok := errors.AsType[*cento.Errors](err); ok {
		omitted = many.Omitted
	}
	if len(all) == 0 {
		t.Fatalf("an error without a place: %v", err)
	}
	var b strings.Builder
	for _, e := range all {
		b.WriteString(visible(e.Error()) + "\n  code: " + string(e.Code) + "\n")
		for _, r := range e.Related {
			at := r.Position.String()
			if at != "" {
				at += ": "
			}
			b.WriteString("  related: " + visible(at+r.Message) + "\n")
		}
		if e.Hint != "" {
			b.WriteString("  hint: " + visible(e.Hint) + "\n")
		}
	}
	if omitted > 0 {
		b.WriteString("and " + strconv.Itoa(omitted) + " more\n")
	}
	return b.String()
}

// visible writes what can't be seen as an escape.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if shows(r) || r == '\n' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}
