package jinja

import "sync"

// run is the state of one rendering. Inside of it an error is a panic with an
// *Error, caught where the rendering began: evaluation stays free of checks, and
// nothing of a template can catch it on the way.
type run struct {
	env    *Env
	limits Limits

	out   []byte
	spans []span
	trail trail
	// floor is the number of spans that may not be extended: they belong to text
	// outside of the capture under way.
	floor int

	fuel     int
	memory   int
	depth    int // calls of macros, blocks and loops under way
	nested   int // templates under way
	includes int

	files    []*Template
	lastFile *Template
	lastAt   uint16

	ctx   *dict
	noSp  bool
	frame *frame
	// What the frame's template and slots are, at hand.
	t     *Template
	nodes []node
	slots []Value

	stmt    uint32 // the statement under way
	subject Value  // what a filter block filters
	// stored is the highest label of anything that a namespace was given.
	stored  Trust
	escape  bool
	reached reached       // by [Template.Unreached]
	instead map[part]part // with it: what of a block was rendered and didn't ask for this one

	stack   []Value // memory for slots of frames
	argv    []Value // arguments being evaluated
	kwargs  []keyword
	asked   []string // names of arguments that calls with named ones ask for
	calls   []*Call
	ncalls  int
	dynamic map[reference]*Template
}

// frame is a function under way.
type frame struct {
	t        *Template
	fn       *function
	fnIndex  int32
	inst     *instance
	slots    []Value
	captured []Value
	// outer is where names that the function does not bind are looked for: the
	// frame that includes a template or holds a block, from scope outerScope on.
	outer      *frame
	outerScope int32
	// The call, for errors.
	caller     *frame
	base       int // of the slots in the stack
	callNode   uint32
	callerStmt uint32
	what, name string
	// The block under way, for super().
	block *blockChain
	level int
}

// instance is a template under way, or one that was imported.
type instance struct {
	t      *Template
	slots  []Value
	roots  []Value // names found outside of the template, by name
	blocks map[string]*blockChain
	body   Value // the text of an imported template
	// What extends names, where it stands and where the output stood.
	parent    *Template
	extendsAt uint32
	dropFrom  captureMark
}

// blockChain lists the definitions of one block, the most derived first.
type blockChain struct {
	name string
	defs []blockDef
}

type blockDef struct {
	inst *instance
	fn   uint32
}

var runs = sync.Pool{New: func() any { return new(run) }}

// start readies a run. Its memory is reused from one rendering to the next.
func (e *Env) start(ctx Value) *run {
	r := runs.Get().(*run)
	r.env, r.limits, r.noSp = e, e.limits, e.opts.noSpans
	// What an earlier run left must not hold more than this one may.
	r.out = r.out[:0:min(cap(r.out), e.limits.Output)]
	r.spans = r.spans[:0:min(cap(r.spans), e.limits.spans())]
	r.floor = 0
	r.trail.steps = r.trail.steps[:0:min(cap(r.trail.steps), e.limits.steps())]
	r.trail.reset()
	r.fuel, r.memory = e.limits.Fuel, e.limits.Memory
	r.depth, r.nested, r.includes, r.ncalls = 0, 0, 0, 0
	r.files, r.lastFile, r.frame, r.stmt = r.files[:0], nil, nil, 0
	r.escape, r.subject, r.dynamic = false, Value{}, nil
	r.argv, r.kwargs, r.asked = r.argv[:0], r.kwargs[:0], r.asked[:0]
	r.ctx, r.stored = nil, 0
	if ctx.kind == KindMap {
		r.ctx = ctx.ref.(*dict)
	}
	return r
}

// maxKept bounds the memory that a finished run keeps for the next one.
const maxKept = 8 << 20

func (r *run) release() {
	clear(r.stack[:cap(r.stack)])
	r.stack = r.stack[:0]
	clear(r.argv[:cap(r.argv)])
	clear(r.kwargs[:cap(r.kwargs)])
	clear(r.files[:cap(r.files)])
	r.slots, r.frame, r.t, r.nodes, r.ctx, r.lastFile, r.dynamic = nil, nil, nil, nil, nil, nil, nil
	for _, c := range r.calls {
		*c = Call{}
	}
	r.subject = Value{}
	if cap(r.out)+16*cap(r.spans)+24*cap(r.trail.steps)+56*cap(r.stack)+56*cap(r.argv) > maxKept {
		return
	}
	runs.Put(r)
}

// Render renders the template with the entries of the map ctx as its variables;
// any other kind of value means no variables. The error is an *Error.
func (t *Template) Render(ctx Value) (*Output, error) {
	o := new(Output)
	if err := t.RenderInto(o, ctx); err != nil {
		return nil, err
	}
	return o, nil
}

// RenderInto is Render into an Output whose memory is used again. After an error
// o is empty.
func (t *Template) RenderInto(o *Output, ctx Value) error {
	r := t.env.start(ctx)
	err := r.protect(func() { r.template(t, visit{}) })
	o.reset()
	if err == nil {
		o.take(r)
	}
	r.release()
	return err
}

func (o *Output) reset() {
	clear(o.files)
	clear(o.trail.keys)
	o.text, o.spans, o.files = o.text[:0], o.spans[:0], o.files[:0]
	o.trail.steps, o.trail.keys, o.fuel = o.trail.steps[:0], o.trail.keys[:0], 0
}

func (o *Output) take(r *run) {
	o.text, r.out = handOver(o.text, r.out)
	o.fuel = r.limits.Fuel - r.fuel
	if r.noSp {
		return
	}
	o.spans, r.spans = handOver(o.spans, r.spans)
	o.trail.steps, r.trail.steps = handOver(o.trail.steps, r.trail.steps)
	o.trail.keys, r.trail.keys = handOver(o.trail.keys, r.trail.keys)
	o.files = append(o.files, r.files...)
}

// handOver moves what a run made to an output. If the output has memory for it
// from a rendering before, the two are exchanged and nothing is copied; neither is
// what is large, which the run then starts without.
func handOver[T any](to, from []T) (kept, spare []T) {
	const large = 1 << 15
	if cap(to) >= len(from) && cap(to) > 0 || len(from) >= large {
		return from, to[:0]
	}
	return append(to[:0], from...), from
}

// protect runs f and returns the *Error that it panicked with.
func (r *run) protect(f func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *Error:
			err = p
		default:
			panic(p)
		}
	}()
	f()
	return nil
}

// --- bounds

// burn takes n steps of fuel.
func (r *run) burn(n int, at uint32) {
	r.fuel -= n
	if r.fuel < 0 {
		r.fail(ErrFuel, at, "rendering takes more than the limit of "+itoa(r.limits.Fuel)+" steps")
	}
}

// bytes pays for n bytes that are made or read.
func (r *run) bytes(n int, at uint32) { r.burn(n>>6, at) }

// alloc pays for n bytes of a new value before they are made.
func (r *run) alloc(n int, at uint32) {
	if n > r.limits.Value {
		r.fail(ErrValueSize, at, "value of "+itoa(n)+" bytes is larger than the limit of "+itoa(r.limits.Value))
	}
	r.memoryFor(n, at)
	r.bytes(n, at)
}

// What a value, a span and a step of an access path take, in bytes.
const (
	valueSize = 56
	spanSize  = 20
	stepSize  = 24
)

// items pays for a new list of n items.
func (r *run) items(n int, at uint32) {
	r.burn(n, at)
	if n > r.limits.Memory/valueSize {
		n = r.limits.Memory
	}
	r.memoryFor(n*valueSize, at)
}

// add appends to a list that is being made. It pays for an item when it is added,
// and grows the list by doubling.
func (r *run) add(list []Value, v Value, at uint32) []Value {
	r.items(1, at)
	if n := len(list); n == cap(list) {
		grown := make([]Value, n, max(8, 2*n))
		copy(grown, list)
		list = grown
	}
	return append(list, v)
}

// memoryFor pays for n bytes that values take.
func (r *run) memoryFor(n int, at uint32) {
	r.memory -= n
	if r.memory < 0 {
		r.fail(ErrValueSize, at, "values take more than the limit of "+itoa(r.limits.Memory)+" bytes")
	}
}
