package strict

import (
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/cento-dev/cento"
)

// At is embedded in a struct that wants to know where it was read.
type At struct{ node *Node }

// Position is where the value begins; zero when none was read.
func (a At) Position() cento.Position {
	if a.node == nil {
		return cento.Position{}
	}
	return a.node.Position()
}

// Text is the text that was read, and false when it was none.
func (a At) Text() (string, bool) {
	if a.node == nil {
		return "", false
	}
	return a.node.Text()
}

// Has reports whether a map was read and has the key.
func (a At) Has(key string) bool {
	if a.node == nil {
		return false
	}
	k, _ := a.node.Member(key)
	return k != nil
}

// Len is how many keys a map has that was read.
func (a At) Len() int {
	if a.node == nil || a.node.kind != Map {
		return 0
	}
	return len(a.node.nodes) / 2
}

// Keys are the keys of a map that was read, in their order.
func (a At) Keys() []string {
	var out []string
	if a.node == nil || a.node.kind != Map {
		return nil
	}
	for k := range a.node.Members() {
		name, _ := k.Text()
		out = append(out, name)
	}
	return out
}

// KeyPosition is where a key of a map that was read stands; false where it has none
// of that name.
func (a At) KeyPosition(key string) (cento.Position, bool) {
	if a.node == nil {
		return cento.Position{}, false
	}
	k, _ := a.node.Member(key)
	if k == nil {
		return cento.Position{}, false
	}
	return k.Position(), true
}

// Runs tells where the bytes of a located text came from; see [Node.Runs].
func (a At) Runs(trust cento.Trust) []cento.Run {
	if a.node == nil {
		return nil
	}
	return a.node.Runs(trust)
}

// Stands tells where a located text begins, behind quotes and the mark of a block, and
// where its bytes are unless they stand there in one piece; the runs are those of
// [At.Runs]. For an empty text, and for what isn't one, it is where the value begins.
func (a At) Stands(trust cento.Trust) (begin cento.Position, runs []cento.Run) {
	switch runs = a.Runs(trust); {
	case len(runs) == 0:
		return a.Position(), nil
	case len(runs) == 1 && !runs[0].Fixed:
		return runs[0].Position, nil
	}
	return runs[0].Position, runs
}

// Words is where the words of a located text begin: behind quotes, the mark of a block
// and white space. For a blank text, and for what isn't one, it is where the value begins.
func (a At) Words() cento.Position {
	runs := a.Runs(cento.TrustSession)
	if len(runs) == 0 {
		return a.Position()
	}
	text, _ := a.Text()
	words := strings.TrimLeftFunc(text, unicode.IsSpace)
	if words == "" {
		return a.Position()
	}
	c := cento.NewCursor(text, runs)
	return c.At(len(text) - len(words))
}

// Misspelt reports whether an unknown key of the map was reported that was surely meant
// as a key: that this one is missing needn't be told, too.
func (a At) Misspelt(d *Decoder, key string) bool {
	return a.node != nil && slices.Contains(d.misspelt, misspelling{a.node, key})
}

func (a *At) setNode(n *Node) { a.node = n }

// Located is a value that knows where it was read.
type Located[T any] struct {
	At
	Value T
}

// located is what a [Located] of any type is.
type located interface{ valueType() reflect.Type }

func (Located[T]) valueType() reflect.Type { return reflect.TypeFor[T]() }

// DecodeNode decodes the value.
func (l *Located[T]) DecodeNode(d *Decoder, n *Node) {
	l.node = n
	d.Decode(n, &l.Value)
}

// NameList is a list of names that know where they stand.
type NameList []Located[string]

// Values are the names alone.
func (l NameList) Values() []string {
	if l == nil {
		return nil
	}
	out := make([]string, len(l))
	for i := range l {
		out[i] = l[i].Value
	}
	return out
}

// places are where the names stand.
func (l NameList) places() []cento.Position {
	if len(l) == 0 {
		return nil
	}
	out := make([]cento.Position, len(l))
	for i := range l {
		out[i] = l[i].Position()
	}
	return out
}

// GateOrigins is where the names in the gates of a text stand; nil where it has none.
func GateOrigins(tools, anyTools, caps NameList) *cento.GateOrigins {
	if len(tools)+len(anyTools)+len(caps) == 0 {
		return nil
	}
	return &cento.GateOrigins{Tools: tools.places(), AnyTools: anyTools.places(), Caps: caps.places()}
}

// Condition is the condition under a key when, with where it begins and where its bytes
// are; see [At.Stands]. A blank one is refused: whoever wrote it may take it for one that
// never holds.
func Condition(d *Decoder, when *Located[string]) (expr string, at cento.Position, runs []cento.Run) {
	if when == nil {
		return "", cento.Position{}, nil
	}
	if text, ok := when.Text(); ok && strings.TrimSpace(text) == "" {
		d.In("when", func() {
			d.Fail(when.Position(), WrongValue, "a blank condition").Hint = "leave when out, or write a condition such as tool('todo')"
		})
	}
	at, runs = when.Stands(d.Trust)
	return when.Value, at, runs
}

// WithoutBraces begins the hint on a condition in braces; what stands between them follows.
const WithoutBraces = "a condition is written without braces: "

// AnyCondition stands there where what is between them is none.
const AnyCondition = "tool('x')"

// InBraces is what stands between the braces that somebody wrote around a condition, as a
// template has them, or a workflow; false for one without.
func InBraces(condition string) (inner string, ok bool) {
	condition, ok = strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(condition), "$"), "{{")
	if !ok {
		return "", false
	}
	inner, rest, _ := strings.Cut(condition, "}}")
	if op, _, _ := strings.Cut(strings.TrimSpace(rest), " "); op == "and" || op == "or" {
		inner = strings.NewReplacer("${{ ", "", "{{ ", "", "${{", "", "{{", "", " }}", "", "}}", "").Replace(condition)
	}
	if inner = strings.Trim(inner, " -}"); inner == "" || len(inner) > 80 || strings.Contains(inner, "\n") {
		inner = AnyCondition
	}
	return inner, true
}
