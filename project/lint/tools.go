package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/amend"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/pack"
)

// unknownTools reports gates, conditions and prompt files that ask for a tool that
// no target defines.
func unknownTools(s *subject, report func(Finding)) {
	known := slices.Sorted(maps.Keys(s.tools))
	if len(known) == 0 {
		return // the tools come from a caller
	}
	for _, f := range s.files {
		for _, use := range f.Asks("tool") {
			a := ask{use.Name, use.Position.File, use.Position}
			if _, there := s.asked[a]; !there {
				s.asks = append(s.asks, a)
				s.asked[a] = slices.Clone(s.seen)
			}
		}
	}
	hints := map[string]string{}
	for _, a := range s.asks {
		if s.tools[a.tool] {
			continue
		}
		hint, there := hints[a.tool]
		if !there && len(hints) < maxListed { // each is held against all that there are
			hint = nearest.Hint(a.tool, known, "the tools are "+some(known))
			hints[a.tool] = hint
		}
		message := "asks for the tool " + quoted(a.tool) + ", which no target defines"
		if v := s.verdicts[a.id]; v != nil && v.missing == a.tool && s.outByUnknownTool(v) {
			message += ", so the fragment " + a.id + " is in the prompt of none"
		}
		report(Finding{
			Position: a.at, ID: a.id, Message: message,
			Hint: hint, Targets: s.asked[a],
		})
	}
}

// some lists names, the first few of many.
func some(names []string) string {
	const shown = 20
	if rest := len(names) - shown; rest > 0 {
		return strings.Join(names[:shown], ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(names, ", ")
}

// known are the tools that targets define or that gates and files ask for.
func (s *subject) known() names {
	if s.mentionable == nil {
		all := maps.Clone(s.tools)
		if len(all) > 0 {
			for _, a := range s.asks {
				all[a.tool] = true
			}
			for _, f := range s.files {
				for _, use := range f.Asks("tool") {
					all[use.Name] = true
				}
			}
		}
		s.mentionable = newNames(slices.Sorted(maps.Keys(all)))
	}
	return s.mentionable
}

// deadMentions reports words about tools that aren't active.
func deadMentions(s *subject, t *target, report func(Finding)) error {
	active := map[string]bool{}
	for _, name := range t.project.Input.ActiveTools() {
		active[name] = true
	}
	for _, m := range t.mentions(s.known()) {
		if active[m.tool] {
			continue
		}
		report(Finding{
			Position: m.at, ID: m.id, Message: fmt.Sprintf("tells of the tool %s, which is not active", quoted(m.tool)),
			Hint: "gate the text on the tool with requires_tools, or with tool('" + m.tool + "') in a prompt file",
		})
	}
	return nil
}

// ungatedMentions reports the words about an active tool that stay when it is
// taken away. A gate that names the tool takes its fragment away; where a
// condition or a prompt file asks for tools, the fragment is made without it.
func ungatedMentions(s *subject, t *target, report func(Finding)) error {
	active := map[string]bool{}
	for _, name := range t.project.Input.ActiveTools() {
		active[name] = true
	}
	manifest := map[cento.Position]bool{}
	for _, f := range t.project.Input.Fragments {
		manifest[f.Origin] = f.Template == ""
	}
	tell := func(m mention, f *cento.Fragment) {
		found := Finding{
			Position: m.at, ID: m.id, Message: fmt.Sprintf("tells of the tool %s, and stays when the tool is gone", quoted(m.tool)),
			Hint: "gate the text on the tool with requires_tools, or with tool('" + m.tool + "') in a prompt file",
		}
		if at := f.Origin; manifest[at] {
			found.proposal = &proposal{
				file: at.File, alone: at,
				changes: []amend.Change{{Kind: amend.PutIn, At: at, Name: "requires_tools", To: m.tool}},
			}
		}
		report(found)
	}
	trial := without{target: t, left: tried}
	for _, m := range t.mentions(s.known()) {
		i, _ := t.prompt.Index(m.id)
		f := t.prompt.Fragment(i)
		if s.told[f.Origin] == nil {
			s.told[f.Origin] = map[string]bool{}
		}
		s.told[f.Origin][m.tool] = true
		switch {
		case !active[m.tool], slices.Contains(f.RequiresTools, m.tool), len(f.RequiresAnyTools) == 1 && f.RequiresAnyTools[0] == m.tool:
		case t.asksFor(f, m.tool):
			trial.add(i, m)
		default:
			tell(m, &f)
		}
	}
	for _, name := range trial.tools {
		stay, err := trial.stay(name)
		if err != nil {
			return err
		}
		for _, m := range stay {
			i, _ := t.prompt.Index(m.id)
			f := t.prompt.Fragment(i)
			tell(m, &f)
		}
	}
	if trial.untried > 0 {
		report(Finding{Message: fmt.Sprintf("%d tools weren't looked at: making so long a prompt without each of them takes too long", trial.untried)})
	}
	return nil
}

// asksFor reports whether what a fragment says, or whether it is there, may
// depend on a tool in another way than by a gate that names it.
func (t *target) asksFor(f cento.Fragment, tool string) bool {
	if len(f.RequiresAnyTools) > 0 || strings.Contains(f.When, "tool") || len(f.Needs) > 0 {
		return true
	}
	if f.Template == "" {
		return false
	}
	if strings.HasPrefix(f.Template, cento.CatalogTemplate) {
		return true
	}
	if t.asks == nil {
		t.asks = map[string]map[string]bool{}
		for _, file := range t.project.Files() {
			asks := map[string]bool{}
			for _, use := range file.Asks("tool") {
				asks[use.Name] = true
			}
			if file.AsksAny("tool") {
				asks[""] = true
			}
			t.asks[file.Ref().String()] = asks
		}
	}
	ref, err := t.project.Loader().ParseRef(f.Template, pack.Ref{}, f.Origin)
	if err != nil {
		return true
	}
	asks, there := t.asks[ref.String()]
	return !there || asks[""] || asks[tool]
}

type mention struct {
	tool, id string
	at       cento.Position
}

// mentions are the tools that the prompt tells of; they are looked for once.
func (t *target) mentions(known names) []mention {
	if t.told == nil {
		t.told = mentions(t.prompt, known)
		if t.told == nil {
			t.told = []mention{}
		}
	}
	return t.told
}

// mentions finds the tools that the literal text of a prompt tells of.
func mentions(p *cento.Prompt, known names) []mention {
	if len(known) == 0 {
		return nil
	}
	text, _ := p.System()
	var out []mention
	for span := range p.AllSpans() {
		out = mentionsIn(out, span, text, known)
	}
	return out
}

// mentionsIn are those of one span of a text. Project instructions speak for
// themselves, and what came out of a variable follows the active set.
func mentionsIn(out []mention, span cento.Span, text string, known names) []mention {
	if span.Kind != cento.BodySpan || span.Var != "" || span.Fragment == cento.InstructionsID || span.Trust == cento.TrustTool {
		return out
	}
	var from *cento.Cursor // made for the first one: most spans have none
	known.find(text[span.Start:span.End], func(name string, offset int) {
		if from == nil {
			c := places(span, text)
			from = &c
		}
		out = append(out, mention{name, span.Fragment, from.At(span.Start + offset)})
	})
	return out
}

// places begins before the bytes of a span.
func places(span cento.Span, text string) cento.Cursor {
	at, _ := span.Locate(text, span.Start)
	next, _ := span.Locate(text, min(span.Start+1, span.End))
	return cento.NewCursor(text, []cento.Run{{Start: span.Start, End: span.End, Position: at, Fixed: next == at}})
}

// names are looked for in a text in one pass: by the first word of each, which is
// all of it for most.
type names map[string][]string

func newNames(list []string) names {
	n := names{}
	for _, name := range list {
		if first := name[:wordEnd(name, 0)]; name != "" {
			n[first] = append(n[first], name)
		}
	}
	for _, l := range n { // the longest that is there is meant
		slices.SortFunc(l, func(a, b string) int { return len(b) - len(a) })
	}
	return n
}

// find visits the places where a text tells of a tool: between backticks, before
// the word tool or behind it, or, for a name that is no word of a language such as
// read_file, anywhere as a whole.
func (n names) find(text string, visit func(name string, at int)) {
	for at := 0; at < len(text); {
		end := wordEnd(text, at)
		first := text[at:end]
		found := ""
		for _, name := range n[first] {
			if strings.HasPrefix(text[at:], name) && tellsOf(text, name, at) {
				found = name
				break
			}
		}
		switch {
		case found != "":
			visit(found, at)
			at += len(found)
		case end > at:
			at = end
		default:
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
		}
	}
}

// wordEnd is where the word ends that begins at a place, or that place.
func wordEnd(s string, at int) int {
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if !partOfName(r) {
			break
		}
		at += size
	}
	return at
}

func tellsOf(text, name string, at int) bool {
	before, after := text[:at], text[at+len(name):]
	whole := !partOfName(lastRune(before)) && !partOfName(firstRune(after))
	inTicks := strings.HasSuffix(before, "`") && strings.HasPrefix(after, "`")
	return whole && (inTicks || !isWord(name) || toolBeside(before, after))
}

// toolBeside reports whether a text calls the name between its halves a tool.
func toolBeside(before, after string) bool {
	if rest, ok := strings.CutPrefix(after, " tool"); ok && !unicode.IsLetter(firstRune(strings.TrimPrefix(rest, "s"))) {
		return true
	}
	return strings.HasSuffix(before, " tool ") || strings.HasSuffix(before, "tool: ")
}

// isWord reports whether a name may be an ordinary word.
func isWord(name string) bool {
	for _, r := range name {
		if !unicode.IsLower(r) {
			return false
		}
	}
	return true
}

func partOfName(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-", r))
}

func lastRune(s string) rune  { r, _ := utf8.DecodeLastRuneInString(s); return r }
func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

// quoted is a name as messages show it.
func quoted(name string) string { return fmt.Sprintf("%q", name) }
