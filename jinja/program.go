package jinja

// A parsed template is a flat table of nodes. A node names its children by their
// index in the table, or by a range in the table of kids; index 0 is no node.
// This keeps parsing to a few allocations, makes a node's index a name for its
// place that fits into a span, and lets evaluation walk memory in order.
//
// Names are resolved while parsing: a node reads a slot of its function's frame
// where the scopes of the template say so, and asks the surroundings (an
// including template, the context, the globals) otherwise.

type op uint8

const (
	opNone op = iota

	// Statements. Operands a, b and c in order; "body" is a range of kids.
	opText       // literal text from a to b
	opEmit       // expression
	opIf         // range of triples: condition or 0, body offset, body length; c: where its else stands, or 0
	opFor        // offset of a loopRecord in kids; b: where its else stands, or 0
	opSet        // target, expression
	opSetBlock   // target, offset of {body offset, body length, expression over opSubject or 0}
	opWith       // range of pairs: target, expression; c: offset of {body offset, body length, first slot, end slot}
	opFilterBody // body; c: expression over opSubject
	opMacro      // function, target
	opCallBody   // call, function
	opBlock      // function, name, scope
	opInclude    // expression, scope; flag: ignore missing
	opImport     // expression, target
	opFrom       // expression, range of pairs: name, target
	opExtends    // expression
	opDo         // expression
	opBreak
	opContinue
	opAutoescape // expression, body

	// Targets of assignments.
	opTargetSlot  // slot, name
	opTargetTuple // range of targets
	opTargetAttr  // expression, name

	// Expressions.
	opConst    // constant
	opLocal    // slot, what to read when it is empty or 0, name
	opCaptured // captured value, what to read when it is empty, name
	opRoot     // name, not bound in the function
	opSelf
	opSuper
	opSubject // what a filter block or a set block filters
	opGetAttr // expression, name
	opGetItem // expression, expression
	opSlice   // expression, offset of {start, stop, step}, each may be 0
	opCall    // callee, range of arguments
	opMethod  // object, offset of the name and then arguments, number of arguments
	opFilter  // subject, offset of the function and then arguments, number of arguments
	opTest    // as opFilter; flag: negated
	opNot
	opNeg
	opPos
	opBinary  // operands; flag: the operator's token
	opConcat  // range
	opAnd     // range
	opOr      // range
	opCompare // range of the first operand and pairs of comparison and operand
	opCond    // value, condition, other value or 0
	opList    // range
	opTuple   // range
	opDict    // range of pairs
)

// Comparisons of opCompare.
const (
	cmpEq = iota
	cmpNe
	cmpLt
	cmpLe
	cmpGt
	cmpGe
	cmpIn
	cmpNotIn
)

// Kinds of an argument. A range of arguments holds pairs of a kind and a node;
// a keyword argument has argNamed plus the name.
const (
	argPlain = iota
	argSplat
	argSplatMap
	argNamed
)

type node struct {
	op       op
	flag     uint8
	height   uint8 // of the expression tree below
	pos, end uint32
	a, b, c  uint32
}

// loopRecord is what an opFor node points at in kids.
type loopRecord struct {
	iter, target, cond uint32
	body, bodyLen      uint32
	els, elsLen        uint32
	loopSlot           uint32 // noSlot if nothing reads loop
	slotLo, slotHi     uint32 // the slots of the loop's scope
}

const (
	loopRecordLen = 10
	noSlot        = ^uint32(0)
)

// function is a body with a frame of its own: the template, a macro, a block,
// the body of a call.
type function struct {
	kind     op // opNone for the template, opMacro, opBlock or opCallBody
	name     string
	node     uint32
	slots    int
	params   []param
	body     uint32
	bodyLen  uint32
	captures []capture
	scope    int32
	callable uint32 // slot of caller, or noSlot if the body does not use it
	required bool
}

type param struct {
	target uint32 // an opTargetSlot
	name   string
	def    uint32 // default, or 0
}

// capture is a variable of the enclosing function that a macro or call body
// keeps: read by node when the macro is made.
type capture struct {
	name uint32
	node uint32
}

// scope is where names are bound. Scope 0 is the template's own.
type scope struct {
	parent int32
	fn     int32
	decls  []decl
}

type decl struct {
	name uint32
	slot uint32
	// certain is set if the slot is filled whenever the scope is live, so that no
	// outer name can shine through.
	certain bool
	used    bool
}

func (s *scope) find(name uint32) *decl {
	for i := range s.decls {
		if s.decls[i].name == name {
			return &s.decls[i]
		}
	}
	return nil
}

// program is the result of parsing.
type program struct {
	nodes   []node
	kids    []uint32
	consts  []Value
	names   []string
	fns     []function
	scopes  []scope
	filters []*callable
	// strangers are the filters and tests that don't exist, by their first place.
	strangers []stranger
	blocks    []uint32 // functions of the blocks, in order
	// top maps a name to its slot in the template's scope, or noSlot.
	top []uint32
	// macros is set if a frame of the template may be referred to after it ran.
	macros bool
	root   uint32 // the expression, if the source is one
	nameID map[string]uint32
}

// callable is a filter, test or function by name.
type callable struct {
	name    string
	builtin func(*Call) Value
	host    Func
	fast    fastFilter
}
