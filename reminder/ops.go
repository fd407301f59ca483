package reminder

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/strict"
)

// OpName is the name of an operation.
type OpName uint8

// The operations, as methods of [Session].
const (
	opInject  OpName = iota // [Session.Inject]
	opClear                 // [Session.Clear]
	opTurn                  // [Session.Built]
	opTurnEnd               // [Session.EndTurn]
	opCompact               // [Session.Compact]
	opFork                  // [Session.Fork]
)

var opNames = enum.Names[OpName]{"inject", "clear", "turn", "turn_end", "compact", "fork"}

// String gives "inject", "clear", "turn", "turn_end", "compact" or "fork".
func (o OpName) String() string { return opNames.Name(o) }

// MarshalText gives the name.
func (o OpName) MarshalText() ([]byte, error) { return opNames.Marshal(o) }

// UnmarshalText accepts a name.
func (o *OpName) UnmarshalText(t []byte) error { return unmarshalName(opNames, t, o) }

// Op is one operation with what it needs.
type Op struct {
	Op       OpName
	Reminder Reminder // of an injection
	Match    Match    // of a clearing
	Child    string   // of a fork
	// Position is where the operation was read.
	Position cento.Position
}

// Apply does the operation. The child is nil but for a fork.
func (o *Op) Apply(s Session) (next Session, child *Session, events []Event, err error) {
	switch o.Op {
	case opInject:
		next, events, err = s.Inject(o.Reminder)
	case opClear:
		next, events, err = s.Clear(o.Match)
	case opTurn:
		next, _, events = s.Built()
	case opTurnEnd:
		next, events = s.EndTurn()
	case opCompact:
		next, events = s.Compact()
	case opFork:
		var c Session
		if c, events, err = s.Fork(o.Child); err == nil {
			next, child = s, &c
		}
	default:
		err = fault{"op", -1, Invalid, o.Op.String() + " is no operation", ""}.err(o.Position)
	}
	return next, child, events, err
}

// Each operation takes its own keys, so that one that means nothing is refused.
type (
	opFile struct {
		strict.At
		Op OpName `json:"op"`
	}
	injectFile struct {
		opFile
		Reminder Reminder `json:"reminder"`
	}
	clearFile struct {
		opFile
		ID        *string `json:"id,omitempty"`
		Tag       *string `json:"tag,omitempty"`
		DedupeKey *string `json:"dedupe_key,omitempty"`
	}
	forkFile struct {
		opFile
		Child *string `json:"child"`
	}
)

// read reads the operation.
func (o *Op) read(d *strict.Decoder, n *strict.Node) {
	*o = Op{Position: n.Position()}
	_, name := n.Member("op")
	if s := ""; name != nil {
		var ok bool
		if s, ok = name.Text(); !ok || o.Op.UnmarshalText([]byte(s)) != nil {
			d.In("op", func() { d.Decode(name, &o.Op) }) // says what is wrong
			return
		}
	}
	switch {
	case name == nil:
		d.Decode(n, &opFile{})
	case o.Op == opInject:
		var f injectFile
		d.Decode(n, &f)
		o.Reminder = f.Reminder
	case o.Op == opClear:
		var f clearFile
		d.Decode(n, &f)
		o.Match.read(d, n, &f)
	case o.Op == opFork:
		var f forkFile
		d.Decode(n, &f)
		if f.Child != nil {
			o.Child = *f.Child
			var fs faults
			fs.newSession("child", o.Child)
			report(d, n, fs)
		}
	default:
		d.Decode(n, &opFile{})
	}
}

// read fills the match; what is given and empty isn't the same as what is
// absent.
func (m *Match) read(d *strict.Decoder, n *strict.Node, f *clearFile) {
	var fs faults
	for _, x := range []struct {
		name string
		from *string
		to   *string
	}{{"id", f.ID, &m.ID}, {"tag", f.Tag, &m.Tag}, {"dedupe_key", f.DedupeKey, &m.DedupeKey}} {
		if x.from != nil {
			*x.to = *x.from
			fs.name(x.name, -1, *x.from)
		}
	}
	if len(fs) == 0 && !d.Failed() {
		fs = m.check()
	}
	report(d, n, fs)
}
