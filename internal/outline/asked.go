package outline

import (
	"slices"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/jinja"
)

// expression is what the template language tells of a condition or a prompt file.
type expression interface {
	Asks(function, list string) []jinja.Ask
	Members(variable string) []jinja.Literal
	Texts() []jinja.Literal
}

// language reads conditions and prompt files as a prompt does.
var language = sync.OnceValue(func() *jinja.Env {
	return jinja.New(jinja.Options{Limits: jinja.Limits{Source: cento.DefaultLimits().File}})
})

// byFunction are the kinds that expressions ask for, each by a function and a list.
var byFunction = [...]struct {
	kind           Kind
	function, list string
}{{Tool, "tool", "tools"}, {Capability, "cap", "caps"}}

// placed tells where a text of an expression stands in the file, and whether it stands
// there as it is.
type placed func(jinja.Literal) (start, end int, exact bool)

// asIs is the place of a text in a file that the template language reads itself.
func asIs(l jinja.Literal) (start, end int, exact bool) { return l.Start, l.End, l.Written }

// namesIn are the names that an expression asks for.
func namesIn(x expression, at placed) []Name {
	var out []Name
	add := func(kind Kind, l jinja.Literal) {
		n := Name{Kind: kind, Name: l.Text}
		if n.Start, n.End, n.Exact = at(l); n.Name != "" {
			out = append(out, n)
		}
	}
	for _, by := range byFunction {
		for _, ask := range x.Asks(by.function, by.list) {
			if ask.How == jinja.AskConstant {
				add(by.kind, ask.Literal)
			}
		}
	}
	for _, l := range x.Members("vars") {
		add(Variable, l)
	}
	return out
}

// condition is the expression of a value, and the places of its texts; an error for one
// that can't be read.
func (w *walker) condition(n *strict.Node) (expression, placed, error) {
	text := n.Located(cento.TrustWorkspace)
	x, err := language().ParseExpr(jinja.Source{Text: text.Body})
	if err != nil {
		return nil, nil, err
	}
	return x, func(l jinja.Literal) (start, end int, exact bool) {
		places := cento.NewCursor(text.Body, text.Runs)
		start = w.offset(places.At(l.Start))
		run := places.Run()
		if !l.Written || run.Fixed || l.End > run.End || !strings.HasPrefix(w.text[start:], l.Text) {
			return start, start, false
		}
		return start, start + len(l.Text), true
	}, nil
}

// bodies are the templates that a prompt file consists of behind its front matter: the
// file, or each of its tags where the file can't be read as a whole.
func bodies(text string, from int) (templates []*jinja.Template, whole bool) {
	parse := func(before, text, behind string, at int) bool {
		t, err := language().Parse(jinja.Source{Text: before + text + behind, Offset: at - len(before)})
		if err == nil {
			templates = append(templates, t)
		}
		return err == nil
	}
	if parse("", text[from:], "", from) {
		return templates, true
	}
	literal := raw().FindAllStringIndex(text[from:], -1)
	for _, m := range tag().FindAllStringIndex(text[from:], -1) {
		if slices.ContainsFunc(literal, func(r []int) bool { return m[0] >= r[0] && m[1] <= r[1] }) {
			continue
		}
		at, s := from+m[0], text[from+m[0]:from+m[1]]
		if parse("", s, "", at) || parse("{% if 1 %}", s, "{% endif %}", at) {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimLeft(s, "{%-+ \t\r\n"), " ")
		parse("", s, "{% end"+word+" %}", at)
	}
	return templates, false
}

// Doubt is a place that may ask for a tool, or name one, in a way that no [Name] has.
type Doubt struct {
	How How
	// Text is what stands there, or is made there; for what can't be read, all of it.
	Text string
	// Start is its first byte.
	Start int
}

// How says why a place is in doubt.
type How int

// The ways in which a tool may be asked for, or named.
const (
	Unread How = iota // can't be read as it is
	Made              // a name is put together while rendering
	Held              // asks for what a variable holds
	All               // reads all tools
	Beside            // a constant text of an expression or file that reads all tools
	Bound             // a constant text of a prompt file, which a variable may hold
	Value             // the value of a variable
)

// doubtsIn are those of an expression. Of a template a variable may hold any text.
func doubtsIn(x expression, at placed, template bool) []Doubt {
	var out []Doubt
	add := func(how How, l jinja.Literal) {
		start, _, _ := at(l)
		out = append(out, Doubt{how, l.Text, start})
	}
	named := map[int]bool{}
	all := false
	for _, ask := range x.Asks("tool", "tools") {
		switch ask.How {
		case jinja.AskConstant:
			named[ask.Start] = true
		case jinja.AskMade:
			add(Made, ask.Literal)
		case jinja.AskValue:
			add(Held, ask.Literal)
		case jinja.AskAll:
			all = true
			add(All, ask.Literal)
		}
	}
	if !template && !all {
		return out
	}
	for _, l := range x.Texts() {
		switch {
		case named[l.Start]:
		case all:
			add(Beside, l)
		default:
			add(Bound, l)
		}
	}
	return out
}

// Doubts are those of a text that [Names] reads.
func Doubts(file, text string, at ...string) []Doubt {
	root, err := read(file, text)
	if err != nil {
		return []Doubt{{How: Unread, Text: text}}
	}
	var out []Doubt
	w := walker{text: text, starts: lineStarts(text)}
	var look func(n *strict.Node, path []string)
	look = func(n *strict.Node, path []string) {
		if s, is := n.Text(); is {
			switch {
			case KindAt(path, false) == Condition:
				x, at, err := w.condition(n)
				if err != nil {
					out = append(out, Doubt{Unread, s, w.offset(n.Position())})
					break
				}
				out = append(out, doubtsIn(x, at, false)...)
			case slices.Contains(path, "vars") && !isOpaque(path):
				out = append(out, Doubt{Value, s, w.offset(n.Position())})
			}
		}
		for i := range n.Items() {
			look(&n.Items()[i], append(path, Item))
		}
		for k, v := range n.Members() {
			name, _ := k.Text()
			look(v, append(path, name))
		}
	}
	look(root, at)
	return out
}

// DoubtsInPrompt are those of a prompt file.
func DoubtsInPrompt(text string) []Doubt {
	var out []Doubt
	begin, end, body := front(text)
	if end > begin {
		for _, d := range Doubts("front.yaml", text[begin:end]) {
			d.Start += begin
			out = append(out, d)
		}
	}
	templates, whole := bodies(text, body)
	if !whole {
		return append(out, Doubt{Unread, text[body:], body})
	}
	for _, t := range templates {
		out = append(out, doubtsIn(t, asIs, true)...)
	}
	return out
}

// Doubtful finds what keeps a tool from another name: the first place that may ask for
// it, or name it, with the number of its text. The texts are all of a project's.
func Doubtful(tool string, texts [][]Doubt) (text int, d Doubt, found bool) {
	has := func(hows ...How) bool {
		return slices.ContainsFunc(texts, func(list []Doubt) bool {
			return slices.ContainsFunc(list, func(d Doubt) bool { return slices.Contains(hows, d.How) })
		})
	}
	held := has(Held)
	read := held || has(All)
	for i, list := range texts {
		for _, d := range list {
			hinders := false
			switch d.How {
			case Unread, Beside:
				hinders = hasWord(d.Text, tool)
			case Made:
				hinders = true
			case Bound:
				hinders = held && d.Text == tool
			case Value:
				hinders = read && d.Text == tool
			}
			if hinders {
				return i, d, true
			}
		}
	}
	return 0, Doubt{}, false
}

// hasWord reports whether a name stands in a text that is no part of a longer one.
func hasWord(text, name string) bool {
	part := func(b byte) bool {
		return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-'
	}
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(name)
		if (i == 0 || !part(text[i-1])) && (end == len(text) || !part(text[end])) {
			return true
		}
		at = end
	}
}
