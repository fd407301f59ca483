package pack

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
)

// FrontMatter is what a prompt file says about itself, in a YAML mapping
// between two lines `---` at its very top. All of it is optional. Nothing here
// can raise the trust of the file.
type FrontMatter struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	// Vars are the variables that the file reads as vars.<name>.
	Vars []Var `json:"vars,omitempty"`
	// RequiresTools and RequiresCaps gate the whole file; they add to the gates
	// of the fragment that renders it.
	RequiresTools []string `json:"requires_tools,omitempty"`
	RequiresCaps  []string `json:"requires_caps,omitempty"`
	// GatesOrigin is where these names stand; nil where there are none.
	GatesOrigin *cento.GateOrigins `json:"gates_origin,omitempty"`
	// Stability and Importance hold where the fragment says nothing; nil when
	// the file doesn't either.
	Stability  *cento.Stability  `json:"stability,omitempty"`
	Importance *cento.Importance `json:"importance,omitempty"`
	// Origin is the line of the first `---`; zero when there is no front matter.
	Origin cento.Position `json:"origin,omitzero"`
}

// Var is a variable that a prompt file declares.
type Var struct {
	Name        string  `json:"name"`
	Type        VarType `json:"type,omitempty"`
	Description string  `json:"description,omitempty"`
	// Stability is how often its value changes; default [cento.Static].
	Stability cento.Stability `json:"stability,omitempty"`
	Position  cento.Position  `json:"position,omitzero"`

	def *strict.Node // nil: required
}

// Default is what the variable is where nobody sets it, or what stands in that on a path
// of names and ranks from 0, as far as that leads: where it begins, and of a text its
// runs. False for a variable without a default.
func (v Var) Default(path ...string) (cento.Text, bool) {
	if v.def == nil {
		return cento.Text{}, false
	}
	return v.def.Below(path).Located(cento.TrustWorkspace), true
}

// Required reports whether a value must be given, since there is no default.
func (v Var) Required() bool { return v.def == nil }

// VarType is the type of a declared variable.
type VarType uint8

// The types; a float may be given as a whole number.
const (
	AnyType VarType = iota
	StringType
	IntType
	FloatType
	BoolType
	ListType
	MapType
)

var varTypes = enum.Names[VarType]{"any", "string", "int", "float", "bool", "list", "map"}

// frontMatter parts a file into its front matter and the text after it, of which it tells
// how many lines stand above it.
func frontMatter(src *Source, limits cento.Limits) (front FrontMatter, body string, above int, err error) {
	found, err := strict.FrontMatter(src.Ref.Path(), src.Text, limits)
	if found.Body == 0 {
		return FrontMatter{}, src.Text, 0, nil
	}
	above = strings.Count(src.Text[:found.To], "\n") + 1
	if err != nil {
		return FrontMatter{}, "", 0, frontMatterError(err, cento.Position{File: src.Ref.Path(), Line: above, Column: 1})
	}
	front.Origin = cento.Position{File: src.Ref.Path(), Line: 1, Column: 1}
	if found.Root.Kind() == strict.Map {
		var d strict.Decoder
		d.Decode(found.Root, (*frontFields)(&front))
		if err := d.Err(); err != nil {
			return FrontMatter{}, "", 0, strangeKeys(found.Root, err)
		}
	}
	return front, src.Text[found.Body:], above, nil
}

// frontMatterError adds how to say that the block isn't front matter, and how far it was
// taken to go: where its end is missing, that is a ruler in the text.
func frontMatterError(err error, end cento.Position) error {
	e, ok := errors.AsType[*cento.SourceError](err)
	if !ok {
		return err
	}
	atEnd := e.Position.Line == end.Line
	e.Related = slices.DeleteFunc(e.Related, func(r cento.Related) bool {
		// What was begun stands before the error, and how far it was read behind it.
		open := r.Position.Compare(e.Position) > 0 && r.Position.Line >= end.Line-1
		atEnd = atEnd || open
		return open
	})
	switch {
	case e.Hint == "":
		e.Hint = meantAsText
	case atEnd:
		e.Hint += "; " + meantAsText
	}
	if atEnd {
		e.Related = append(e.Related, cento.Related{Position: end, Message: "the front matter ends at this line ---"})
	}
	return err
}

// meantAsText is the hint for what only looks like front matter.
const meantAsText = "begin the file with an empty line if the part between the lines --- is text"

// strangeKeys gives that hint where no key is one of front matter, nor near to one:
// prose between two rulers can be a map, too.
func strangeKeys(root *strict.Node, err error) error {
	for key := range root.Members() {
		name, _ := key.Text()
		if _, near := nearest.Name(name, frontKeys()); near {
			return err
		}
	}
	for _, e := range cento.SourceErrors(err) {
		if e.Code == strict.UnknownKey {
			e.Hint = meantAsText + "; keys of front matter are " + nearest.List(frontKeys())
		}
	}
	return err
}

// frontKeys are the keys of front matter.
func frontKeys() []string {
	return []string{"title", "description", "vars", "requires_tools", "requires_caps", "stability", "importance"}
}

// frontFields is front matter as the reader of YAML fills it.
type frontFields FrontMatter

// DecodeNode reads the fields.
func (f *frontFields) DecodeNode(d *strict.Decoder, n *strict.Node) {
	var fields struct {
		Title         string           `json:"title,omitempty"`
		Description   string           `json:"description,omitempty"`
		Vars          varList          `json:"vars,omitempty" others:"variables"`
		RequiresTools strict.NameList  `json:"requires_tools,omitempty" others:"tools"`
		RequiresCaps  strict.NameList  `json:"requires_caps,omitempty" others:"caps capabilities"`
		Stability     *cento.Stability `json:"stability,omitempty"`
		Importance    *importance      `json:"importance,omitempty"`
	}
	d.Decode(n, &fields)
	f.Title, f.Description, f.Vars = fields.Title, fields.Description, fields.Vars
	d.In("requires_tools", func() { f.RequiresTools = gateNames(d, fields.RequiresTools) })
	d.In("requires_caps", func() { f.RequiresCaps = gateNames(d, fields.RequiresCaps) })
	f.GatesOrigin = strict.GateOrigins(fields.RequiresTools, nil, fields.RequiresCaps)
	f.Stability, f.Importance = fields.Stability, (*cento.Importance)(fields.Importance)
}

// gateNames are the names of tools or capabilities. It refuses one that nothing can have.
func gateNames(d *strict.Decoder, names strict.NameList) []string {
	for i := range names {
		if s, ok := names[i].Text(); ok && strings.TrimSpace(s) == "" {
			d.InItem(i, func() {
				d.Fail(names[i].Position(), strict.WrongValue, "a name must not be blank").Hint = "write the name, or take the item out"
			})
		}
	}
	return names.Values()
}

type importance cento.Importance

// DecodeNode reads a number or the word required.
func (i *importance) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if s, ok := n.Text(); ok && s == cento.Required.String() {
		*i = importance(cento.Required)
		return
	}
	v, ok := n.Int()
	if !ok || int64(int(v)) != v {
		d.Expected(n, `a whole number or "required"`).Hint = "the lower the number, the sooner it is left out; required never is"
		return
	}
	*i = importance(cento.ImportanceOf(int(v)))
}

// varList are declarations: a list of them, each with its name, or a mapping
// from the names.
type varList []Var

// DecodeNode reads either form.
func (l *varList) DecodeNode(d *strict.Decoder, n *strict.Node) {
	switch n.Kind() {
	case strict.List:
		items := n.Items()
		for i := range items {
			d.InItem(i, func() { l.declare(d, &items[i], "", &items[i]) })
		}
	case strict.Map:
		for key, value := range n.Members() {
			name, _ := key.Text()
			d.In(name, func() { l.declare(d, value, name, key) })
		}
	default:
		d.Expected(n, "a list of variables")
	}
}

// declare reads one declaration. The name is given where it is a key, and the
// place is that of the key or of the declaration.
func (l *varList) declare(d *strict.Decoder, n *strict.Node, name string, at *strict.Node) {
	var fields struct {
		Name        *strict.Node    `json:"name,omitempty"`
		Type        typeName        `json:"type,omitempty"`
		Default     *strict.Node    `json:"default,omitempty"`
		Description string          `json:"description,omitempty"`
		Stability   cento.Stability `json:"stability,omitempty"`
	}
	if name == "" || n.Kind() != strict.Null {
		d.Decode(n, &fields)
		if n.Kind() != strict.Map {
			return
		}
	}
	if fields.Name != nil {
		given, ok := fields.Name.Text()
		switch {
		case !ok:
			d.Expected(fields.Name, strict.Text.String())
			return
		case name != "" && given != name:
			d.Fail(fields.Name.Position(), strict.WrongValue, "the variable %q is given another name, %q", name, given)
			return
		}
		name, at = given, fields.Name
	}
	v := Var{Name: name, Type: VarType(fields.Type), Description: fields.Description, Stability: fields.Stability, Position: at.Position(), def: fields.Default}
	switch i := slices.IndexFunc(*l, func(o Var) bool { return o.Name == name }); {
	case name == "" && at == n:
		d.Fail(n.Position(), strict.MissingKey, "the key %q is missing", "name").Hint = "variables of a list have names, as in {name: style, type: string}"
		return
	case !isName(name):
		d.Fail(at.Position(), strict.WrongValue, "%q can't be the name of a variable", name).Hint = "a name has letters, digits and _, and begins with no digit"
	case i >= 0:
		e := d.Fail(at.Position(), strict.DuplicateKey, "the variable %q is declared twice", name)
		e.Related = []cento.Related{{Position: (*l)[i].Position, Message: "declared here first"}}
		return
	case v.def != nil && !v.Type.accepts(v.def):
		d.In("default", func() { d.Expected(v.def, v.Type.article()) })
	}
	*l = append(*l, v)
}

// typeName is the name of a type as it is written.
type typeName VarType

// otherTypes are the names that types have elsewhere.
var otherTypes = map[string]VarType{
	"integer": IntType, "number": FloatType, "double": FloatType, "boolean": BoolType, "array": ListType, "sequence": ListType,
	"object": MapType, "dict": MapType, "mapping": MapType, "str": StringType, "text": StringType,
}

// DecodeNode reads a name, and answers that of another format with the one that is
// written here.
func (t *typeName) DecodeNode(d *strict.Decoder, n *strict.Node) {
	name, _ := n.Text()
	other, known := otherTypes[name]
	if !known {
		d.Decode(n, (*VarType)(t))
		return
	}
	d.Fail(n.Position(), strict.WrongValue, "expected %s, got %q", enum.Or(varTypes[:]), name).Hint = fmt.Sprintf("did you mean %q?", other)
}

// isName reports whether a template can write the name.
func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r|0x20 < 'a' || r|0x20 > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// UnmarshalText accepts the name of a type.
func (t *VarType) UnmarshalText(text []byte) error { return varTypes.Unmarshal(text, t) }

// MarshalText gives the name.
func (t VarType) MarshalText() ([]byte, error) { return varTypes.Marshal(t) }

// String gives the name.
func (t VarType) String() string { return varTypes.Name(t) }

// article names the type as errors do.
func (t VarType) article() string {
	return [...]string{"a value", "a text", "a whole number", "a number", "true or false", "a list", "a map"}[t]
}

// accepts reports whether a value of a file is of the type.
func (t VarType) accepts(n *strict.Node) bool {
	switch t {
	case StringType:
		_, ok := n.Text()
		return ok
	case IntType:
		_, ok := n.Int()
		return ok
	case FloatType:
		return n.Kind() == strict.Number
	case BoolType:
		return n.Kind() == strict.Bool
	case ListType:
		return n.Kind() == strict.List
	case MapType:
		return n.Kind() == strict.Map
	}
	return true
}
