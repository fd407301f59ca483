package pack

import (
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// Kept is what the engines of several inputs keep for one another: the conditions that
// they read, and what was found in texts. The targets of a project mostly have the same.
// It holds at most 4 MiB of each and starts over beyond that. The zero value is empty. It
// is safe for concurrent use.
type Kept struct {
	texts cento.Texts

	mu    sync.Mutex
	read  map[string]*expression
	bytes int
}

// maxKeptConditions is how many bytes of conditions are kept.
const maxKeptConditions = 4 << 20

// expression is a condition that was read, whatever its place, or why it can't be.
type expression struct {
	*jinja.Expr
	err    error
	refs   func() []jinja.Ref
	calls  func() []jinja.CallSite
	uses   func() []jinja.TextUse
	listed map[string]func() []jinja.NameSite
}

// parse reads a condition.
func (k *Kept) parse(text string) *expression {
	if k == nil {
		return parseExpression(text)
	}
	k.mu.Lock()
	x := k.read[text]
	k.mu.Unlock()
	if x != nil {
		return x
	}
	x = parseExpression(text)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bytes += len(text); k.read == nil || k.bytes > maxKeptConditions {
		k.read, k.bytes = map[string]*expression{}, len(text)
	}
	k.read[text] = x
	return x
}

func parseExpression(text string) *expression {
	x := &expression{}
	if x.Expr, x.err = conditionEnv().ParseExpr(jinja.Source{Text: text}); x.err == nil {
		x.refs, x.uses = sync.OnceValue(x.Expr.Refs), sync.OnceValue(x.Expr.TextUses)
		x.calls = sync.OnceValue(func() []jinja.CallSite { return x.Expr.Calls() })
		x.listed = map[string]func() []jinja.NameSite{}
		for _, function := range []string{"tool", "cap"} {
			x.listed[function] = sync.OnceValue(func() []jinja.NameSite { return x.Listed(function + "s") })
		}
	}
	return x
}

// conditionEnv is that of all conditions; it is made when there is one.
var conditionEnv = sync.OnceValue(func() *jinja.Env { return jinja.New(jinja.Options{}) })

// Refs are those of the expression, once for all who ask; don't change them.
func (x *expression) Refs() []jinja.Ref { return x.refs() }

// callsOf are the calls of a function.
func (x *expression) callsOf(function string) (out []jinja.CallSite) {
	for _, call := range x.calls() {
		if call.Name == function {
			out = append(out, call)
		}
	}
	return out
}
