package reminder

import (
	"errors"
	"strconv"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// OpName is the name of an operation.
type OpName uint8

// The operations, as methods of [Session].
const (
	OpInject  OpName = iota // [Session.Inject]
	OpClear                 // [Session.Clear]
	OpTurn                  // [Session.Built]
	OpTurnEnd               // [Session.EndTurn]
	OpCompact               // [Session.Compact]
	OpFork                  // [Session.Fork]
)

var opNames = names{"inject", "clear", "turn", "turn_end", "compact", "fork"}

// String gives "inject", "clear", "turn", "turn_end", "compact" or "fork".
func (o OpName) String() string { return opNames.name(int(o)) }

// MarshalText gives the name.
func (o OpName) MarshalText() ([]byte, error) { return opNames.marshal(int(o)) }

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
	case OpInject:
		next, events, err = s.Inject(o.Reminder)
	case OpClear:
		next, events, err = s.Clear(o.Match)
	case OpTurn:
		next, _, events = s.Built()
	case OpTurnEnd:
		next, events = s.EndTurn()
	case OpCompact:
		next, events = s.Compact()
	case OpFork:
		var c Session
		if c, events, err = s.Fork(o.Child); err == nil {
			next, child = s, &c
		}
	default:
		err = fault{"op", -1, Invalid, o.Op.String() + " is no operation", ""}.err(o.Position)
	}
	return next, child, events, err
}

// Request asks what operations make of a session.
type Request struct {
	Session Session `json:"session"`
	Ops     []Op    `json:"ops,omitempty"`
	// Placement is where the reminders of a turn go; nil: [DefaultPlacement] of
	// the capabilities.
	Placement *Placement `json:"placement,omitempty"`
	// Caps are the capabilities that are set; those of the model decide the
	// default placement and the native form.
	Caps []string `json:"caps,omitempty"`
}

// Response is the answer to a [Request].
type Response struct {
	// Session is the state after all operations.
	Session Session `json:"session"`
	// Child is what the last fork gave; null for none.
	Child *Session `json:"child"`
	// Events tell what the operations did, in order.
	Events []Event `json:"events"`
	// Fragments are the reminders that a turn would show now.
	Fragments []FragmentText `json:"fragments"`
	// Envelope is the same as one text for the user turn; null without reminders,
	// and unless that is the placement.
	Envelope *string `json:"envelope"`
	// Messages are the same in the native form; absent unless that is the
	// placement.
	Messages []Message    `json:"messages,omitempty"`
	Notes    []cento.Note `json:"notes,omitempty"`
}

// FragmentText is a fragment by its id and its text.
type FragmentText struct {
	ID   string `json:"id"`
	Body string `json:"body"`
}

// ParseRequest reads a request. The name is the one shown in errors; limits that
// are 0 are the defaults, and Limits.File bounds the request. Everything that is
// wrong is returned at once.
func ParseRequest(name string, data []byte, limits cento.Limits) (*Request, error) {
	return strict.Request[Request](name, data, limits)
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

// DecodeNode reads the operation.
func (o *Op) DecodeNode(d *strict.Decoder, n *strict.Node) {
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
	case o.Op == OpInject:
		var f injectFile
		d.Decode(n, &f)
		o.Reminder = f.Reminder
	case o.Op == OpClear:
		var f clearFile
		d.Decode(n, &f)
		o.Match.read(d, n, &f)
	case o.Op == OpFork:
		var f forkFile
		d.Decode(n, &f)
		if f.Child != nil {
			o.Child = *f.Child
			var fs faults
			fs.name("child", -1, o.Child)
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

// Answer does what a request asks for. The error of an operation tells which one
// it is, and its codes are those of the methods of [Session].
func Answer(r *Request, o cento.Options) (*Response, error) {
	out := &Response{Session: r.Session, Events: []Event{}, Fragments: []FragmentText{}}
	if err := out.Session.Check(); err != nil {
		return nil, err
	}
	for i := range r.Ops {
		next, child, events, err := r.Ops[i].Apply(out.Session)
		if err != nil {
			return nil, within("ops["+strconv.Itoa(i)+"]", r.Ops[i].Position, err)
		}
		out.Session = next
		if child != nil {
			out.Child = child
		}
		out.Events = append(out.Events, events...)
	}
	placement := DefaultPlacement(r.Caps)
	if r.Placement != nil {
		placement = *r.Placement
	}
	live := Reduce(out.Session.Reminders)
	for _, f := range Fragments(live) {
		out.Fragments = append(out.Fragments, FragmentText{f.ID, f.Body})
	}
	switch placement {
	case InTurn:
		p, err := Envelope(live, o)
		if err != nil {
			return nil, err
		}
		if text, ok := p.System(); ok {
			out.Envelope = &text
		}
	case InNative:
		var err error
		if out.Messages, err = Native(live, r.Caps, o); err != nil {
			return nil, err
		}
	}
	out.Notes = Shape(out.Session.Reminders)
	return out, nil
}

// within adds the place of an operation to its error.
func within(path string, at cento.Position, err error) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok {
		return err
	}
	moved := *e
	moved.Position, moved.Message = at, path+"."+e.Message
	return &moved
}
