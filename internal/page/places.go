package page

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// passage is a span, or a part of one, that the page tells the place of.
type passage struct {
	cento.Span
	// LastLine is the last line that it holds, when that isn't the first.
	LastLine int `json:"last_line,omitempty"`
	// Stranger says whose text it is when it isn't the reader's own or the
	// program's; see [stranger].
	Stranger string `json:"stranger,omitempty"`
}

// maxPassages bounds what the page is made of. Up to it every line of a file has
// a passage of its own, and beyond it some lines have one together.
const maxPassages = 50_000

// passages parts the spans at line ends, so that each line tells its own place.
func (v *view) passages() []passage {
	text := v.text()
	each := 1 + strings.Count(text, "\n")/maxPassages
	out := make([]passage, 0, len(v.e.Spans))
	for _, s := range v.e.Spans {
		out = append(out, v.parted(s, text, each)...)
	}
	return out
}

// parted gives the passages of a span with so many lines each. One whose every
// byte belongs to the same place, as the value of an expression, stays whole.
func (v *view) parted(s cento.Span, text string, each int) []passage {
	whole := passage{Span: s, Stranger: stranger(s.MadeBy, s.Trust)}
	first, ok := s.Locate(text, s.Start)
	last, _ := s.Locate(text, s.End)
	if !ok || last.Line == first.Line {
		return []passage{whole}
	}
	var out []passage
	for start := s.Start; start < s.End; {
		end, lines := start, 0
		for ; lines < each && end < s.End; lines++ {
			k := strings.IndexByte(text[end:s.End], '\n')
			if k < 0 {
				end = s.End
				continue
			}
			// The line ends behind a line are shown with it.
			for end += k + 1; end < s.End && text[end] == '\n'; end++ {
			}
		}
		part := whole
		at, _ := s.Locate(text, start)
		part.Start, part.End, part.Line, part.Column = start, end, at.Line, at.Column
		if behind, _ := s.Locate(text, strings.LastIndexFunc(text[start:end], notLineEnd)+1+start); behind.Line > at.Line {
			part.LastLine = behind.Line
		}
		out = append(out, part)
		start = end
	}
	return out
}

func notLineEnd(r rune) bool { return r != '\n' }

// stranger names who made a text of a stranger, and is empty for all else.
func stranger(by cento.Maker, t cento.Trust) string {
	if !by.Stranger(t) {
		return ""
	}
	return by.String()
}

// whose says whose text a fragment is.
type whose struct {
	// stranger is [stranger] where all of the text is strangers'.
	stranger string
	// label says it in words: the least trusted first, as in the trace, then what
	// else is in the text.
	label string
}

// owners tell of each fragment whose text it is. Its trust is that of the trace,
// the least of its words; the passages say which words are strangers', since a
// name that a tool brings doesn't make the built-in prompt a stranger's.
func (v *view) owners() []whose {
	type parts struct {
		own       [cento.TrustHost + 1]bool // what isn't strangers', by trust
		strangers []passage                 // one for each stranger
	}
	all := make([]parts, len(v.e.Fragments))
	text := v.text()
	for _, s := range v.spans {
		p, span := &all[v.index[s.Fragment]], v.e.Fragments[v.index[s.Fragment]].Span
		switch {
		case span == nil || s.Start < span[0] || strings.TrimSpace(text[s.Start:s.End]) == "":
		case s.Stranger == "":
			p.own[s.Trust] = true
		case !slices.ContainsFunc(p.strangers, func(o passage) bool { return o.Stranger == s.Stranger }):
			p.strangers = append(p.strangers, s)
		}
	}
	out := make([]whose, len(all))
	for i, p := range all {
		t := &v.e.Fragments[i]
		slices.SortStableFunc(p.strangers, func(a, b passage) int { return cmp.Compare(a.Trust, b.Trust) })
		var names, others []string
		for _, s := range p.strangers {
			names = append(names, s.Stranger)
		}
		for trust, own := range p.own {
			if trust := cento.Trust(trust); own && (len(names) > 0 || trust != t.Trust) {
				others = append(others, trust.String())
			}
		}
		all := strings.Join(names, ", ")
		if all == "" && len(others) == 0 && !p.own[t.Trust] { // none of it is in the prompt
			all = stranger(cento.MakerOf(t.Source, originOf(t), t.Trust), t.Trust)
		}
		out[i].label = trustLabel(t.Trust, all)
		switch {
		case len(others) == 0:
			out[i].stranger = all
		case all != "":
			out[i].label = "partly " + out[i].label
			fallthrough
		default:
			out[i].label += ", with " + strings.Join(others, ", ")
		}
	}
	return out
}

func originOf(t *cento.Trace) string {
	if t.Origin == nil {
		return ""
	}
	return t.Origin.File
}

// trustLabel names whose text something is.
func trustLabel(t cento.Trust, stranger string) string {
	switch {
	case stranger != "":
		return "untrusted: " + stranger
	case t == cento.TrustWorkspace:
		return "this project's: " + t.String()
	case t == cento.TrustUser:
		return "yours: " + t.String()
	}
	return "trusted: " + t.String()
}
