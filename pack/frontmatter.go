package pack

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cento-dev/cento"
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
	// Stability and Importance hold where the fragment says nothing; nil when
	// the file doesn't either.
	Stability  *cento.Stability  `json:"stability,omitempty"`
	Importance *cento.Importance `json:"importance,omitempty"`
	// Origin is the line of the first `---`; zero when there is no front matter.
	Origin cento.Position `json:"origin,omitzero"`
}

// Var is a variable that a prompt file declares.
type Var struct {
	Name        string         `json:"name"`
	Type        VarType        `json:"type,omitempty"` // empty: any
	Description string         `json:"description,omitempty"`
	Position    cento.Position `json:"position,omitzero"`

	def *yaml.Node // nil: required
}

// Required reports whether a value must be given, since there is no default.
func (v Var) Required() bool { return v.def == nil }

// VarType is the type of a declared variable.
type VarType string

// The types; a float may be given as a whole number.
const (
	AnyType    VarType = ""
	StringType VarType = "string"
	IntType    VarType = "int"
	FloatType  VarType = "float"
	BoolType   VarType = "bool"
	ListType   VarType = "list"
	MapType    VarType = "map"
)

var varTypes = []string{"string", "int", "float", "bool", "list", "map"}

var (
	frontFields = []string{"title", "description", "vars", "requires_tools", "requires_caps", "stability", "importance"}
	varFields   = []string{"name", "type", "default", "description"}
)

// frontMatter parts a file into its front matter and the text after it.
//
// There is front matter when line 1 is exactly `---`, a later line is `---` and
// what stands between is a YAML mapping. Otherwise all of it is text, since
// `---` is a ruler in Markdown. A block that begins like a mapping and isn't
// valid YAML is an error: to print it would be the surprise.
func frontMatter(src *Source, nesting int) (front FrontMatter, body string, above int, err error) {
	block, body, ok := cutFrontMatter(src.Text)
	if !ok {
		return FrontMatter{}, src.Text, 0, nil
	}
	d := &document{file: src.Ref.Path(), above: 1, code: InvalidFrontMatter, nesting: nesting}
	root, err := d.parse(block)
	switch {
	case err != nil && !looksLikeMapping(block):
		return FrontMatter{}, src.Text, 0, nil
	case err != nil:
		e := err.(*cento.SourceError)
		e.Hint = "front matter is a YAML mapping between two lines ---; begin the file with an empty line if this is text"
		return FrontMatter{}, "", 0, e
	case root == nil || root.Kind != yaml.MappingNode:
		return FrontMatter{}, src.Text, 0, nil
	}
	front = FrontMatter{Origin: cento.Position{File: d.file, Line: 1, Column: 1}}
	front.read(d, root)
	if err := cento.Join(d.errs); err != nil {
		return FrontMatter{}, "", 0, err
	}
	return front, body, strings.Count(block, "\n") + 2, nil
}

// cutFrontMatter finds the two rulers.
func cutFrontMatter(text string) (block, body string, ok bool) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", "", false
	}
	for at := 0; at < len(rest); {
		line, _, ended := strings.Cut(rest[at:], "\n")
		next := at + len(line)
		if ended {
			next++
		}
		if line == "---" {
			return rest[:at], rest[next:], true
		}
		at = next
	}
	return "", "", false
}

// looksLikeMapping reports whether the first line that says anything begins as
// a member of a mapping does.
func looksLikeMapping(block string) bool {
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		return ok && (value == "" || value[0] == ' ') && !strings.ContainsAny(key, " \t`*_[](){}")
	}
	return false
}

func (f *FrontMatter) read(d *document, root *yaml.Node) {
	d.pairs(root, func(key, value *yaml.Node) {
		switch key.Value {
		case "title":
			f.Title = d.text(key, value)
		case "description":
			f.Description = d.text(key, value)
		case "vars":
			f.Vars = readVars(d, value)
		case "requires_tools":
			f.RequiresTools = d.list(key, value)
		case "requires_caps":
			f.RequiresCaps = d.list(key, value)
		case "stability":
			f.Stability = readStability(d, value)
		case "importance":
			f.Importance = readImportance(d, value)
		default:
			d.unknown(key, frontFields)
		}
	})
}

func readStability(d *document, n *yaml.Node) *cento.Stability {
	var s cento.Stability
	if isNull(n) {
		return nil
	}
	if !isText(n) || s.UnmarshalText([]byte(n.Value)) != nil {
		names := []string{cento.Static.String(), cento.PerSession.String(), cento.PerTurn.String()}
		e := d.fail(n, "stability must be static, session or turn, not %s", kindOf(n))
		e.Hint = didYouMean(n.Value, names, "")
		return nil
	}
	return &s
}

func readImportance(d *document, n *yaml.Node) *cento.Importance {
	if isNull(n) {
		return nil
	}
	i := cento.Required
	switch {
	case isText(n) && n.Value == "required":
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!int":
		level, err := strconv.Atoi(n.Value)
		if err != nil {
			d.fail(n, "importance must be a decimal number, not %s", kindOf(n))
			return nil
		}
		i = cento.ImportanceOf(level)
	default:
		d.fail(n, "importance must be a whole number or required, not %s", kindOf(n))
		return nil
	}
	return &i
}

// readVars reads the declarations: a list of them, each with its name, or a
// mapping from the names.
func readVars(d *document, n *yaml.Node) []Var {
	var out []Var
	add := func(v Var) {
		i := slices.IndexFunc(out, func(o Var) bool { return o.Name == v.Name })
		if i < 0 {
			out = append(out, v)
			return
		}
		d.errs = append(d.errs, &cento.SourceError{
			Code: d.code, Position: v.Position, Message: "the variable " + quote(v.Name) + " is declared twice",
			Related: []cento.Related{{Position: out[i].Position, Message: "the first one"}},
		})
	}
	switch {
	case isNull(n):
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind != yaml.MappingNode {
				d.fail(item, "a variable is a mapping with name, type, default and description, not %s", kindOf(item))
				continue
			}
			v := Var{Position: d.at(item)}
			readVar(d, item, &v)
			if v.Name == "" {
				d.fail(item, "a variable needs a name")
				continue
			}
			add(v)
		}
	case n.Kind == yaml.MappingNode:
		d.pairs(n, func(key, value *yaml.Node) {
			v := Var{Name: key.Value, Position: d.at(key)}
			switch {
			case isNull(value):
			case value.Kind != yaml.MappingNode:
				d.fail(value, "the variable %s must be a mapping with type, default and description, not %s", quote(key.Value), kindOf(value))
				return
			default:
				readVar(d, value, &v)
			}
			checkVarName(d, key)
			add(v)
		})
	default:
		d.fail(n, "vars must be a list of variables, not %s", kindOf(n))
	}
	return out
}

func readVar(d *document, n *yaml.Node, v *Var) {
	d.pairs(n, func(key, value *yaml.Node) {
		switch key.Value {
		case "name":
			if v.Name != "" && v.Name != value.Value {
				d.fail(value, "the variable %s is given another name, %s", quote(v.Name), kindOf(value))
			} else if name := d.text(key, value); name != "" {
				v.Name = name
				checkVarName(d, value)
			}
		case "type":
			name := d.text(key, value)
			if name != "" && !slices.Contains(varTypes, name) {
				e := d.fail(value, "unknown type %s", quote(name))
				e.Hint = didYouMean(name, varTypes, "the types are "+strings.Join(varTypes, ", "))
				name = ""
			}
			v.Type = VarType(name)
		case "default":
			v.def = value
		case "description":
			v.Description = d.text(key, value)
		default:
			d.unknown(key, varFields)
		}
	})
	if v.def != nil && !v.Type.accepts(v.def) {
		d.fail(v.def, "the default of %s must be of type %s, not %s", quote(v.Name), v.Type, kindOf(v.def))
	}
}

// checkVarName refuses a name that no template could write.
func checkVarName(d *document, n *yaml.Node) {
	for i, r := range n.Value {
		if r == '_' || 'a' <= r|0x20 && r|0x20 <= 'z' || i > 0 && '0' <= r && r <= '9' {
			continue
		}
		d.fail(n, "%s can't be the name of a variable", quote(n.Value)).Hint = "a name has letters, digits and _, and begins with no digit"
		return
	}
}

// accepts reports whether a YAML value is of the type.
func (t VarType) accepts(n *yaml.Node) bool {
	tag := n.ShortTag()
	switch t {
	case StringType:
		return isText(n)
	case IntType:
		return tag == "!!int"
	case FloatType:
		return tag == "!!int" || tag == "!!float"
	case BoolType:
		return tag == "!!bool"
	case ListType:
		return n.Kind == yaml.SequenceNode
	case MapType:
		return n.Kind == yaml.MappingNode
	}
	return true
}

// String gives the name; "any" for none.
func (t VarType) String() string {
	if t == AnyType {
		return "any"
	}
	return string(t)
}
