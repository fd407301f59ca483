package strict

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/nearest"
)

// Unmarshaler is a type that decodes itself, such as one that may be written in
// several ways. It reports what is wrong to the decoder.
type Unmarshaler interface {
	DecodeNode(*Decoder, *Node)
}

// structReaders are how the structs are decoded that [ReadBy] knows. They are there
// before anything is decoded, and never change.
var structReaders = make(map[reflect.Type]func(v any, d *Decoder, n *Node))

// ReadBy says how a struct of a public package is decoded. Such a type can't be an
// [Unmarshaler], as its method would show this package to everybody. It is called
// where the package sets up its variables, once for each type.
func ReadBy[T any](read func(*T, *Decoder, *Node)) struct{} {
	t := reflect.TypeFor[T]()
	if _, twice := structReaders[t]; twice || t.Kind() != reflect.Struct {
		panic("strict: " + t.String() + " isn't a struct, or has two readers")
	}
	structReaders[t] = func(v any, d *Decoder, n *Node) { read(v.(*T), d, n) }
	return struct{}{}
}

// Unmarshal reads a value that a program passes as JSON, without a file: it has no
// positions, and the caller has bounded its size. A value that is refused changes
// nothing.
func Unmarshal[T any](data []byte, trust cento.Trust, v *T) error {
	limits := cento.DefaultLimits()
	limits.File = max(limits.File, len(data))
	n, err := JSON("", data, limits)
	if err != nil {
		return err
	}
	d := Decoder{Trust: trust}
	var out T
	d.Decode(n, &out)
	if err := d.Err(); err != nil {
		return err
	}
	*v = out
	return nil
}

// Refused is a type of keys that are known but never read: it reports each one
// that it is asked to decode. They aren't proposed to anybody.
type Refused interface {
	Unmarshaler
	Refused()
}

// Texts is a type of values that a text can stand for, beside values of another kind.
type Texts interface{ TakesText() }

// A Decoder fills Go values from nodes and gathers everything that is wrong.
// Struct fields take the key of their `json` tag and are required unless that
// says omitempty or omitzero; null counts as absent there, and for a pointer in
// a map of free keys. The zero value is ready for use.
type Decoder struct {
	// Trust is that of what is read, for Unmarshalers that need to know.
	Trust cento.Trust
	// PromptFiles: texts of a host may name prompt files, which are at hand.
	PromptFiles bool
	// Prefixes are those that references to prompt files may begin with beside the
	// ones that are always there.
	Prefixes []string

	errs     errorList
	path     []step
	misspelt []misspelling // as many as there are errors with a place
	below    map[string]string
}

// ItemsBelow says that the items of the list in hand stand below a key in its place, which
// errors are to name.
func (d *Decoder) ItemsBelow(key string) {
	if d.below == nil {
		d.below = make(map[string]string)
	}
	d.below[d.way()] = key
}

// misspelling is a key of a map that an unknown one was meant as.
type misspelling struct {
	node *Node
	key  string
}

// step is a key, or an index when the key is empty.
type step struct {
	key   string
	index int
}

// field is a key of a struct.
type field struct {
	name     string
	index    []int
	required bool
	refused  bool
	// typ and about say what belongs there: about in words, where the struct has them.
	typ   reflect.Type
	about string
	// text: the value is a text, or may be one.
	text bool
	// others are names that other formats have for the key, by the tag `others`.
	others []string
	// holds are keys that the value has, by the tag `holds`, and that may stand beside it
	// by mistake, each with its name there.
	holds map[string]string
	// names says, by the tag of that name, what the value names: none of its names may be
	// blank. They are the value itself, the items of a list, or the keys of a map.
	names string
}

// wanted is the advice to whoever left the key out.
func (f *field) wanted() string {
	if f.about != "" {
		return fmt.Sprintf("add %q: %s", f.name, f.about)
	}
	t := f.typ
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if l, ok := reflect.Zero(t).Interface().(located); ok {
		t = l.valueType()
	}
	switch t.Kind() {
	case reflect.String:
		return fmt.Sprintf("add %q, a text", f.name)
	case reflect.Slice:
		return fmt.Sprintf("add %q, a list", f.name)
	case reflect.Uint8:
		if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
			return fmt.Sprintf("add %q: %s", f.name, enum.Or(Names(t)))
		}
	}
	return fmt.Sprintf("add %q", f.name)
}

// Err is all that was reported: nil, one error, or a sorted list.
func (d *Decoder) Err() error { return d.errs.err() }

// Failed reports whether anything was.
func (d *Decoder) Failed() bool { return len(d.errs.list) > 0 }

// Failures counts what was reported so far.
func (d *Decoder) Failures() int { return len(d.errs.list) + d.errs.further }

// Fail reports an error at a place, its message behind the path of the value in
// hand. What is returned may be given a hint and related places.
func (d *Decoder) Fail(at cento.Position, code cento.ErrorCode, format string, args ...any) *cento.SourceError {
	e := &cento.SourceError{Code: code, Position: at}
	if !d.errs.full() {
		e.Message = fmt.Sprintf(format, args...)
		if p := d.way(); p != "" {
			e.Message = p + ": " + e.Message
		}
	}
	d.errs.add(e)
	return e
}

// Report adds an error that something else has found, or all of a list.
func (d *Decoder) Report(err error) {
	list := cento.SourceErrors(err)
	for _, e := range list {
		d.errs.add(e)
	}
	d.errs.further += cento.OmittedErrors(err)
	if list == nil && err != nil {
		d.errs.add(&cento.SourceError{Code: WrongValue, Message: d.way(), Err: err})
	}
}

// way leads to the value in hand, as in `fragments[2].title`.
func (d *Decoder) way() string {
	var b strings.Builder
	for _, s := range d.path {
		switch {
		case s.key == "":
			if key := d.below[b.String()]; key != "" {
				b.WriteString("." + key)
			}
			fmt.Fprintf(&b, "[%d]", s.index)
		case b.Len() > 0:
			b.WriteString("." + s.key)
		default:
			b.WriteString(s.key)
		}
	}
	return b.String()
}

// In runs decode with a key added to the path.
func (d *Decoder) In(key string, decode func()) {
	if d.errs.stopped() {
		return
	}
	d.path = append(d.path, step{key: key})
	decode()
	d.path = d.path[:len(d.path)-1]
}

// InItem runs decode with an index added to the path.
func (d *Decoder) InItem(index int, decode func()) {
	if d.errs.stopped() {
		return
	}
	d.path = append(d.path, step{index: index})
	decode()
	d.path = d.path[:len(d.path)-1]
}

// Afresh runs decode with an empty path, for a value that people know by its
// own name.
func (d *Decoder) Afresh(decode func()) {
	path := d.path
	d.path = nil
	decode()
	d.path = path
}

// Request reads a JSON text into a value. Limits that are 0 are the defaults, and
// everything that is wrong is returned at once.
func Request[T any](name string, data []byte, limits cento.Limits) (*T, error) {
	n, err := JSON(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	d := Decoder{Trust: cento.TrustHost}
	v := new(T)
	d.Decode(n, v)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return v, nil
}

// Decode fills the value that v points to. What can't be read is reported and
// left as it was.
func (d *Decoder) Decode(n *Node, v any) { d.value(n, reflect.ValueOf(v).Elem()) }

func (d *Decoder) value(n *Node, v reflect.Value) {
	if d.errs.stopped() {
		return
	}
	if v.CanAddr() {
		switch u := v.Addr().Interface().(type) {
		case Unmarshaler:
			u.DecodeNode(d, n)
			return
		case encoding.TextUnmarshaler:
			d.name(n, v, u)
			return
		case **Node:
			*u = n
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		d.value(n, p.Elem())
		v.Set(p)
	case reflect.String:
		if s, ok := n.Text(); ok {
			v.SetString(s)
		} else {
			e := d.Expected(n, Text.String())
			if n.kind == Number || n.kind == Bool {
				e.Hint = "put it between quotes"
			}
		}
	case reflect.Bool:
		if b, ok := n.Bool(); ok {
			v.SetBool(b)
		} else {
			d.Expected(n, Bool.String())
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, ok := n.Int()
		switch {
		case ok && !v.OverflowInt(i):
			v.SetInt(i)
		case ok || n.kind == Number && strings.Trim(n.text, "+-0123456789") == "":
			d.Fail(n.Position(), WrongValue, "%s is out of range", clip(n.text, 40))
		default:
			e := d.Expected(n, "a whole number")
			if n.kind == Text && n.style != plain && n.text != "" && isNumber(n.text) {
				e.Hint = "a number has no quotes"
			} else if e.Hint == "" && n.kind == Text {
				e.Hint = digitsHint(n.text)
			}
		}
	case reflect.Slice:
		d.list(n, v)
	case reflect.Map:
		d.table(n, v)
	case reflect.Struct:
		if read, ok := structReaders[v.Type()]; ok {
			read(v.Addr().Interface(), d, n)
			return
		}
		d.object(n, v)
	default:
		panic("strict: no way to decode a " + v.Type().String())
	}
}

// name decodes one of the names of an enumeration.
func (d *Decoder) name(n *Node, v reflect.Value, u encoding.TextUnmarshaler) {
	s, ok := n.Text()
	if ok && u.UnmarshalText([]byte(s)) == nil {
		return
	}
	names := Names(v.Type())
	code := WrongValue
	if !ok {
		code = WrongType
	}
	d.Fail(n.Position(), code, "expected %s, got %s", enum.Or(names), n.describe()).Hint = nearest.Hint(s, names, "")
}

// Names lists the names of an enumeration in the order of its constants: a type
// of small numbers from 0 or 1 up that marshals as a name, and fails beyond the last.
func Names(t reflect.Type) []string {
	var names []string
	v := reflect.New(t).Elem()
	for i := uint64(0); ; i++ {
		v.SetUint(i)
		name, err := v.Interface().(encoding.TextMarshaler).MarshalText()
		switch {
		case err != nil && i == 0: // the zero value has no name
		case err != nil || slices.Contains(names, string(name)):
			return names
		default:
			names = append(names, string(name))
		}
	}
}

func (d *Decoder) list(n *Node, v reflect.Value) {
	if n.kind != List {
		e := d.Expected(n, List.String())
		of := v.Type().Elem()
		if _, own := reflect.New(of).Interface().(Unmarshaler); of.Kind() == reflect.Struct && !own && n.kind == Text {
			e.Hint = `each item is a map, with "- " before its first key`
		}
		return
	}
	// A list that is wrong from the beginning takes no room for the rest of it.
	const first = 2 * maxFaults
	items := reflect.MakeSlice(v.Type(), min(len(n.nodes), first), min(len(n.nodes), first))
	d.path = append(d.path, step{})
	for i := range n.nodes {
		if d.errs.stopped() {
			break
		}
		if i == items.Len() {
			all := reflect.MakeSlice(v.Type(), len(n.nodes), len(n.nodes))
			reflect.Copy(all, items)
			items = all
		}
		d.path[len(d.path)-1].index = i
		d.value(&n.nodes[i], items.Index(i))
	}
	d.path = d.path[:len(d.path)-1]
	v.Set(items)
}

// table decodes a map whose keys are free.
func (d *Decoder) table(n *Node, v reflect.Value) {
	if n.kind != Map {
		d.Expected(n, Map.String()).Hint = "its keys are names of your own, as in {name: …}"
		return
	}
	m := reflect.MakeMapWithSize(v.Type(), min(len(n.nodes)/2, 2*maxFaults))
	for key, value := range n.Members() {
		if d.errs.stopped() {
			break
		}
		d.In(key.text, func() {
			item := reflect.New(v.Type().Elem()).Elem()
			if value.kind != Null || item.Kind() != reflect.Pointer {
				d.value(value, item)
			}
			m.SetMapIndex(reflect.ValueOf(key.text), item)
		})
	}
	v.Set(m)
}

// object decodes a map whose keys are the fields of a struct.
func (d *Decoder) object(n *Node, v reflect.Value) {
	fields := fields(v.Type())
	if n.kind != Map {
		if e := d.Expected(n, Map.String()); !d.errs.full() {
			e.Hint = "its keys are " + nearest.List(known(fields))
		}
		return
	}
	var there uint64
	var stray *cento.SourceError // of the first key that is near to none
	d.path = append(d.path, step{})
	for key, value := range n.Members() {
		if d.errs.stopped() {
			break
		}
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key.text })
		if i < 0 {
			d.path = d.path[:len(d.path)-1]
			near, e := d.unknown(n, key, fields)
			if near >= 0 {
				there |= 1 << near // told once
			} else if stray == nil {
				stray = e
			}
			d.path = append(d.path, step{})
			continue
		}
		if value.kind == Null && !fields[i].required {
			if fields[i].text && value.unwritten() {
				d.path = d.path[:len(d.path)-1]
				d.unwritten(n, key)
				d.path = append(d.path, step{})
			}
			continue
		}
		there |= 1 << i
		d.path[len(d.path)-1].key = key.text
		d.value(value, v.FieldByIndex(fields[i].index))
		if fields[i].names != "" {
			d.blankNames(value, fields[i].names)
		}
	}
	d.path = d.path[:len(d.path)-1]
	for i, f := range fields {
		switch {
		case !f.required || there&(1<<i) != 0:
		case stray != nil && there == 0: // a map of another kind: one error says what it is to have
			stray.Hint += "; " + f.wanted()
		default:
			d.Fail(n.Position(), MissingKey, "the key %q is missing", f.name).Hint = f.wanted()
		}
	}
	if at, ok := v.Addr().Interface().(interface{ setNode(*Node) }); ok {
		at.setNode(n)
	}
}

const hintUnwritten = `a text that begins with # stands between quotes, or in a block after |: else it is a comment; an empty text is written ""`

// unwritten refuses a key of a text behind which nothing is written: most often a text was,
// and reads as a comment. Who means none leaves the key out, or writes null.
func (d *Decoder) unwritten(n, key *Node) {
	e := d.Fail(key.Position(), MissingKey, "the key %q has no value", key.text)
	e.Hint = hintUnwritten
	d.misspelt = append(d.misspelt, misspelling{n, key.text})
}

// blankNames refuses names that say nothing in a value of names. What is of another kind
// was reported.
func (d *Decoder) blankNames(n *Node, what string) {
	refuse := func(name *Node, or string) {
		if s, ok := name.Text(); ok && strings.TrimSpace(s) == "" {
			d.Fail(name.Position(), WrongValue, "a blank name").Hint = "write the name of " + what + ", or " + or
		}
	}
	switch n.kind {
	case Text:
		refuse(n, "leave it out")
	case List:
		for i := range n.nodes {
			d.InItem(i, func() { refuse(&n.nodes[i], "take the item out") })
		}
	case Map:
		for key := range n.Members() {
			refuse(key, "take the entry out")
		}
	}
}

// structs are the keys of the structs that were decoded into so far, by type.
var structs sync.Map

// fields lists the keys of a struct, in the order of its fields.
func fields(t reflect.Type) []field {
	if known, ok := structs.Load(t); ok {
		return known.([]field)
	}
	list := appendFields(make([]field, 0, t.NumField()), t, nil)
	if len(list) > 64 {
		panic("strict: more than 64 keys in " + t.String())
	}
	for i, f := range list {
		if slices.ContainsFunc(list[:i], func(g field) bool { return g.name == f.name }) {
			panic("strict: the key " + f.name + " stands twice in " + t.String())
		}
	}
	structs.Store(t, list)
	return list
}

// takesText reports whether a value of a type is a text, or may be one.
func takesText(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[Texts]()) {
		return true
	}
	if l, ok := reflect.Zero(t).Interface().(located); ok {
		t = l.valueType()
	}
	return t.Kind() == reflect.String
}

// clause is a description of a schema as part of a sentence.
func clause(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); unicode.IsLower(next) || next == ' ' {
		s = string(unicode.ToLower(first)) + s[size:]
	}
	return strings.TrimSuffix(s, ".")
}

// heldKeys are the keys of the tag holds, each with its name there: one of another name is
// written KEY=NAME.
func heldKeys(tag string) map[string]string {
	if tag == "" {
		return nil
	}
	out := map[string]string{}
	for _, word := range strings.Fields(tag) {
		key, name, renamed := strings.Cut(word, "=")
		if out[key] = key; renamed {
			out[key] = name
		}
	}
	return out
}

// appendFields appends the keys of a struct that is found at an index of another,
// those of embedded structs at their place.
func appendFields(list []field, t reflect.Type, at []int) []field {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clip(at), i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			list = appendFields(list, f.Type, index)
		case name != "" && name != "-" && f.IsExported():
			list = append(list, field{
				name: name, index: index, required: options != "omitempty" && options != "omitzero",
				refused: f.Type.Implements(reflect.TypeFor[Refused]()), typ: f.Type, about: clause(f.Tag.Get("jsonschema")), text: takesText(f.Type),
				others: strings.Fields(f.Tag.Get("others")), holds: heldKeys(f.Tag.Get("holds")), names: f.Tag.Get("names"),
			})
		}
	}
	return list
}
