package outline

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Kind is what a name is of.
type Kind string

// The kinds of names.
const (
	Tool       Kind = "tool"
	Capability Kind = "capability"
	Fragment   Kind = "fragment"
	Variable   Kind = "variable"
	Target     Kind = "target"
	Reference  Kind = "reference" // of a prompt file
	Model      Kind = "model"
	Condition  Kind = "condition" // no name itself: an expression that has some
)

// Name is a name where it stands.
type Name struct {
	Kind Kind
	Name string
	// Defines says that the name is made here; elsewhere it is asked for.
	Defines bool
	// Start and End are its bytes, without quotes.
	Start, End int
	// Exact says that these bytes are the name. They aren't where it is written with
	// escapes; then they are all that stands there.
	Exact bool
	// Path leads to the value or key.
	Path []string
}

// opaque are keys below which no names of ours stand: data of others.
var opaque = []string{"parameters", "input_schema", "inputSchema", "outputSchema", "contract", "files", "models", "mcp", "profile"}

// KindAt is what the names are of that stand at a path, as keys of a map or as values;
// empty where no names do.
func KindAt(path []string, key bool) Kind {
	path, removed := unchanged(path)
	if isOpaque(path) {
		return ""
	}
	if removed {
		return kindOfList(path)
	}
	keys := slices.DeleteFunc(slices.Clone(path), func(step string) bool { return step == Item })
	if len(keys) == 0 {
		return ""
	}
	last, above := keys[len(keys)-1], keys[:len(keys)-1]
	inVars := slices.Contains(above, "vars")
	if key {
		switch {
		case last == "vars" && !inVars && !slices.Contains(above, "matrix"):
			return Variable
		case last == "targets" && len(above) == 0:
			return Target
		case last == "excluded" || last == "max_tokens_of":
			return Fragment
		}
		return ""
	}
	if inVars {
		return ""
	}
	list := path[len(path)-1] == Item
	switch last {
	case "requires_tools", "requires_any_tools", "without_tools", "progress_tool_name":
		return Tool
	case "tools":
		if list {
			return Tool
		}
	case "name":
		if endsWith(path, "tools", Item, "name") || endsWith(path, "tools", Item, "function", "name") {
			return Tool
		}
	case "requires_caps", "caps", "without_caps":
		return Capability
	case "needs", "included", "order", "through", "excluded":
		return Fragment
	case "id":
		if endsWith(path, "fragments", Item, "id") || endsWith(path, "ignore", Item, "id") {
			return Fragment
		}
	case "template", "instruction":
		return Reference
	case "target":
		if len(above) > 0 && above[0] == "tests" {
			return Target
		}
	case "targets":
		if len(above) > 0 && above[0] == "tests" {
			return Target
		}
	case "model":
		return Model
	case "when":
		return Condition
	}
	return ""
}

// kindOfList is what the names are of by which a target removes items of a list.
func kindOfList(path []string) Kind {
	switch {
	case endsWith(path, "fragments", Item):
		return Fragment
	case endsWith(path, "tools", Item):
		return Tool
	case endsWith(path, "caps", Item):
		return Capability
	}
	return ""
}

// unchanged is the path in a list of a target without the step into what changes it, so
// that what is added reads as in a list, and whether it is a name to remove.
func unchanged(path []string) (plain []string, removed bool) {
	if len(path) < 5 || path[0] != "targets" || path[2] == "vars" || path[2] == "wire" {
		return path, false
	}
	for i := 3; i+1 < len(path) && i <= 4; i++ {
		if (path[i] == "add" || path[i] == "remove") && path[i+1] == Item && path[i-1] != Item {
			return slices.Delete(slices.Clone(path), i, i+1), path[i] == "remove"
		}
	}
	return path, false
}

func isOpaque(path []string) bool {
	return slices.ContainsFunc(path, func(step string) bool { return slices.Contains(opaque, step) })
}

func endsWith(path []string, tail ...string) bool {
	return len(path) >= len(tail) && slices.Equal(path[len(path)-len(tail):], tail)
}

// defines reports whether a name is made where it stands.
func defines(kind Kind, path []string, key bool) bool {
	path, removed := unchanged(path)
	if removed {
		return false
	}
	switch kind {
	case Tool:
		return path[len(path)-1] == "name"
	case Fragment:
		return endsWith(path, "fragments", Item, "id")
	case Capability:
		return endsWith(path, "caps", Item) && !slices.Contains(path, "with") && !slices.Contains(path, "as")
	case Variable, Target:
		return key && !slices.Contains(path, "with") && !slices.Contains(path, "as")
	}
	return false
}

// Names are those of a text, in the order in which they stand; nil where it can't be
// read, and not for one that has none. The file's name tells JSON from YAML. What the text holds as a whole is at a
// path of a manifest: at none for a manifest itself, at tools for a file of tools.
func Names(file, text string, at ...string) []Name {
	root, err := read(file, text)
	if err != nil {
		return nil
	}
	w := walker{text: text, starts: lineStarts(text), names: []Name{}}
	w.walk(root, at)
	slices.SortStableFunc(w.names, func(a, b Name) int { return a.Start - b.Start })
	return w.names
}

// errTooLong: a text is longer than any file of a project that is read.
var errTooLong = errors.New("the text is too long")

// read reads a text as far as files are read, so that nobody who types in a longer one
// waits.
func read(file, text string) (*strict.Node, error) {
	limits := cento.DefaultLimits()
	if len(text) > limits.File {
		return nil, errTooLong
	}
	return strict.Read(file, []byte(text), limits)
}

// walker gathers names.
type walker struct {
	text   string
	starts []int
	names  []Name
}

func (w *walker) walk(n *strict.Node, path []string) {
	if name, is := n.Text(); is {
		w.value(n, name, path)
	}
	for i := range n.Items() {
		w.walk(&n.Items()[i], append(path, Item))
	}
	for k, v := range n.Members() {
		name, _ := k.Text()
		if kind := KindAt(path, true); kind != "" {
			w.add(k, kind, name, path, defines(kind, path, true))
		}
		w.walk(v, append(path, name))
	}
}

func (w *walker) value(n *strict.Node, name string, path []string) {
	kind := KindAt(path, false)
	switch kind {
	case "":
	case Condition:
		x, at, err := w.condition(n)
		if err != nil {
			return
		}
		for _, x := range namesIn(x, at) {
			x.Path = slices.Clone(path)
			w.names = append(w.names, x)
		}
	default:
		if kind == Capability {
			if rest, minus := strings.CutPrefix(name, "-"); minus {
				before := len(w.names)
				w.add(n, kind, name, path, defines(kind, path, false))
				for i := range w.names[before:] {
					x := &w.names[before+i]
					if x.Name = rest; x.Exact {
						x.Start++
					}
				}
				return
			}
		}
		w.add(n, kind, name, path, defines(kind, path, false))
	}
}

// add keeps a name with its place.
func (w *walker) add(n *strict.Node, kind Kind, name string, path []string, defines bool) {
	if name == "" {
		return
	}
	at := w.offset(n.Position())
	x := Name{Kind: kind, Name: name, Defines: defines, Start: at, End: at, Path: slices.Clone(path)}
	rest := w.text[at:]
	switch {
	case strings.HasPrefix(rest, name):
		x.End, x.Exact = at+len(name), true
	case len(rest) > len(name)+1 && (rest[0] == '"' || rest[0] == '\'') && rest[1:len(name)+1] == name && rest[len(name)+1] == rest[0]:
		x.Start, x.End, x.Exact = at+1, at+1+len(name), true
	}
	w.names = append(w.names, x)
	// The id of what a tool brings has the name of the tool in it.
	if rest, of := strings.CutPrefix(name, "tool:"); of && rest != "" && kind == Fragment {
		x.Kind, x.Name, x.Defines = Tool, strings.TrimSuffix(rest, ".guidance"), false
		if x.Exact {
			x.Start += len("tool:")
			x.End = x.Start + len(x.Name)
		}
		w.names = append(w.names, x)
	}
}

// offset is where a position of ours is in the text.
func (w *walker) offset(p cento.Position) int {
	if p.Line < 1 || p.Line > len(w.starts) {
		return len(w.text)
	}
	at := w.starts[p.Line-1]
	if p.Line == 1 && strings.HasPrefix(w.text, "\ufeff") {
		at += len("\ufeff")
	}
	for n := p.Column - 1; n > 0 && at < len(w.text); n-- {
		_, size := utf8.DecodeRuneInString(w.text[at:])
		at += size
	}
	return at
}

func lineStarts(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// pattern is a regular expression that is compiled when it is first needed.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// tag is a part of a prompt file that isn't literal text.
var tag = pattern(`(?s)\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}`)

// raw is text between tags that is literal, whatever it looks like.
var raw = pattern(`(?s)\{%[-+]?\s*raw\s*[-+]?%\}.*?\{%[-+]?\s*endraw\s*[-+]?%\}`)

// InPrompt are the names in a prompt file: those of its front matter, those that its
// tags and expressions ask for, and the files that it includes. Where the file can't be
// read as a whole they are those of each tag.
func InPrompt(text string) []Name {
	var out []Name
	begin, end, body := front(text)
	if end > begin {
		for _, x := range Names("front.yaml", text[begin:end]) {
			x.Start, x.End = x.Start+begin, x.End+begin
			out = append(out, x)
		}
	}
	templates, _ := bodies(text, body)
	for _, t := range templates {
		out = append(out, namesIn(t, asIs)...)
		for _, l := range t.Links() {
			out = append(out, Name{Kind: Reference, Name: l.Text, Start: l.Start, End: l.End, Exact: l.Written})
		}
	}
	slices.SortStableFunc(out, func(a, b Name) int { return a.Start - b.Start })
	return out
}

// front is where the front matter of a prompt file begins and ends, without its rulers,
// and where the text begins behind it: 0 where it has none. Front matter that can't be
// read, as while it is typed, is some.
func front(text string) (begin, end, body int) {
	limits := cento.DefaultLimits()
	if len(text) > limits.File {
		return 0, 0, 0
	}
	f, _ := strict.FrontMatter("front.yaml", text, limits)
	return f.From, f.To, f.Body
}

// inTag reports what kind of tag a byte of a prompt file is in, and gives what stands
// before the byte in it; false in literal text.
func inTag(text string, off int) (string, bool) {
	_, _, body := front(text)
	if off < body {
		return "", false
	}
	open := max(strings.LastIndex(text[body:off], "{{"), strings.LastIndex(text[body:off], "{%"))
	if open < 0 {
		return "", false
	}
	before := text[body+open : off]
	if strings.Contains(before, "}}") || strings.Contains(before, "%}") {
		return "", false
	}
	return before, true
}

// prose are keys whose values are read by the model.
var prose = []string{"body", "content", "system", "guidance", "title", "description", "variants", "replacement", "execution_prompt", "section"}

// Prose is where the texts of a manifest stand that a model reads, in bytes: what is
// written of each, quotes and escapes included.
func Prose(file, text string) [][2]int {
	root, err := read(file, text)
	if err != nil {
		return nil
	}
	w := walker{text: text, starts: lineStarts(text)}
	var all []int // where keys and values begin
	var begin []int
	var look func(n *strict.Node, key string)
	look = func(n *strict.Node, key string) {
		at := w.offset(n.Position())
		all = append(all, at)
		if _, is := n.Text(); is && slices.Contains(prose, key) {
			begin = append(begin, at)
		}
		for i := range n.Items() {
			look(&n.Items()[i], key)
		}
		for k, v := range n.Members() {
			name, _ := k.Text()
			all = append(all, w.offset(k.Position()))
			if !slices.Contains(opaque, name) {
				look(v, name)
			}
		}
	}
	look(root, "")
	slices.Sort(all)
	var out [][2]int
	for _, at := range begin {
		end := len(text)
		if i, _ := slices.BinarySearch(all, at+1); i < len(all) {
			end = all[i]
		}
		out = append(out, [2]int{at, end})
	}
	return out
}

// ProseInPrompt is the literal text of a prompt file.
func ProseInPrompt(text string) [][2]int {
	var out [][2]int
	_, _, body := front(text)
	at := body
	for _, m := range tag().FindAllStringIndex(text[body:], -1) {
		if body+m[0] > at {
			out = append(out, [2]int{at, body + m[0]})
		}
		at = body + m[1]
	}
	if at < len(text) {
		out = append(out, [2]int{at, len(text)})
	}
	return out
}

// PathAt is the path of the key or value that a byte of a text is in, and whether it is
// a key; false where none is, or the text can't be read.
func PathAt(file, text string, off int) (path []string, key, ok bool) {
	root, err := read(file, text)
	if err != nil {
		return nil, false, false
	}
	w := walker{text: text, starts: lineStarts(text)}
	last := -1
	near := func(n *strict.Node, at []string, isKey bool) {
		if o := w.offset(n.Position()); o <= off && o >= last {
			last, path, key, ok = o, slices.Clone(at), isKey, true
		}
	}
	var look func(n *strict.Node, at []string)
	look = func(n *strict.Node, at []string) {
		near(n, at, false)
		for i := range n.Items() {
			look(&n.Items()[i], append(at, Item))
		}
		for k, v := range n.Members() {
			name, _ := k.Text()
			near(k, append(at, name), true)
			look(v, append(at, name))
		}
	}
	look(root, nil)
	return path, key, ok
}
