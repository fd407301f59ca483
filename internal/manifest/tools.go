package manifest

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/project/consent"
)

// Tools are tool definitions and the names of active tools.
type Tools struct {
	// Files hold more of them, in order.
	Files []ToolFile `json:"files,omitempty"`
	// Defined are the definitions, in order.
	Defined []cento.Tool `json:"defined,omitempty"`
	// Servers are MCP servers that list more of them, behind all others.
	Servers []consent.Server `json:"servers,omitempty"`
	// LockRequired: a server that isn't in the lock is an error.
	LockRequired bool `json:"lock_required,omitempty"`
	// Active are the names of the active tools, when Listed. A list of names
	// and definitions lists both.
	Active []string `json:"active,omitempty"`
	// Listed is false when all defined tools are active.
	Listed bool `json:"listed,omitempty"`
	// Exact: Active is all there is. Otherwise the tools of files and servers are
	// active as well.
	Exact bool `json:"exact,omitempty"`
	// Removed are not active, also where files or servers have them. Without these there
	// are none.
	Removed []RemovedTool `json:"removed,omitempty"`
	// Notes are what hides in definitions, or imitates the program's own words.
	Notes []cento.Note `json:"notes,omitempty"`
	// NamedAt is where a tool is active by its name, without a definition there.
	NamedAt map[string]cento.Position `json:"-"`

	leftOut    []cento.Note // of a listing
	badSchemas []cento.Note // of a listing
	unmetNotes []cento.Note // on what schemas ask for and do not have
}

// ToolFile is a file with tools.
type ToolFile struct {
	FileReference
	// Before is how many of the definitions stand before it.
	Before int `json:"before,omitempty"`
}

// Names are the names of the active tools, without repetitions.
func (t Tools) Names() []string {
	if t.Listed {
		return t.Active
	}
	names := make([]string, len(t.Defined))
	for i := range t.Defined {
		names[i] = t.Defined[i].Name
	}
	return names
}

// ReadTools reads tool definitions or names of tools: a list, or a map with the
// list under `tools`. Definitions may be native (name, description, parameters,
// guidance) or stand as in a request to OpenAI or Anthropic or in the listing
// of an MCP server; guidance stands beside the name. The file is JSON when its
// name ends in `.json` or its text begins as JSON does, else YAML. Limits that
// are 0 are the defaults.
//
// A tool without a name is the error [cento.InvalidTool], two of one name are
// [cento.DuplicateTool] with both places.
func ReadTools(name string, data []byte, limits cento.Limits) (Tools, error) {
	read := strict.Read
	if ext := strings.ToLower(path.Ext(name)); ext != ".yaml" && ext != ".yml" && beginsAsJSON(data) {
		read = strict.JSON
	}
	n, err := read(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return Tools{}, err
	}
	d := strict.Decoder{Trust: cento.TrustTool}
	var t Tools
	t.decode(&d, n)
	return t, d.Err()
}

func beginsAsJSON(data []byte) bool {
	text := strings.TrimLeft(strings.TrimPrefix(string(data[:min(len(data), 4096)]), "\ufeff"), " \t\r\n")
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}

// toolsFile is the value of `tools` in a manifest, which may also be a path.
type toolsFile struct {
	strict.At
	Tools
}

func (t *toolsFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	file, ok := n.Text()
	switch {
	case n.Kind() == strict.List:
		t.list(d, n, inManifest)
	case n.Kind() == strict.Map:
		t.long(d, n)
	case !ok:
		d.Expected(n, "a list of tools")
	case isDataFile(file):
		t.Files = []ToolFile{{FileReference: FileReference{Path: file, Position: n.Position()}}}
	default:
		d.Fail(n.Position(), strict.WrongValue, "expected a path that ends in .json, .yaml or .yml, got %q", file).
			Hint = "names of tools stand in a list, as in tools: [read, write]"
	}
}

// toolsMap is the long form of the tools of a manifest.
type toolsMap struct {
	Tools *strict.Node `json:"tools,omitempty" jsonschema:"The list."`
	MCP   *serversFile `json:"mcp,omitempty" others:"mcpServers mcp_servers servers" jsonschema:"MCP servers whose tools are used: one server, a list, or a map of names to servers. Needs cento trust."`
	Lock  *lockFile    `json:"lock,omitempty" jsonschema:"Write require to refuse servers whose tools are not in cento.lock."`
}

// lockFile is the one word of the key lock.
type lockFile struct{}

func (*lockFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if s, ok := n.Text(); !ok || s != "require" {
		d.Fail(n.Position(), strict.WrongValue, `expected "require"`).Hint = "leave lock out to use servers that are not in cento.lock"
	}
}

func (t *toolsFile) long(d *strict.Decoder, n *strict.Node) {
	var l toolsMap
	before := d.Failures()
	d.Decode(n, &l)
	switch {
	case l.Tools != nil && l.Tools.Kind() == strict.List:
		d.In("tools", func() { t.list(d, l.Tools, inManifest) })
	case l.Tools != nil:
		d.In("tools", func() { d.Expected(l.Tools, strict.List.String()) })
	case l.MCP == nil && d.Failures() == before: // else a key that was meant was told
		noTools(d, n)
	}
	if l.MCP != nil {
		t.Servers = l.MCP.list
	}
	t.LockRequired = l.Lock != nil
}

func noTools(d *strict.Decoder, n *strict.Node) {
	d.Fail(n.Position(), strict.MissingKey, "the key %q is missing", "tools").Hint = "tools are a list, or a map with the list under tools"
}

// toolList is the long form of a list of tools outside of a manifest.
type toolList struct {
	Tools *strict.Node `json:"tools,omitempty" jsonschema:"The list."`
	MCP   *notHere     `json:"mcp,omitempty"`
}

// notHere stands for servers outside of a manifest.
type notHere struct{}

// Refused keeps the key from being proposed.
func (*notHere) Refused() {}

func (*notHere) DecodeNode(d *strict.Decoder, n *strict.Node) {
	d.Fail(n.Position(), Unsupported, "servers stand in the manifest alone").Hint = "name them in " + FileName + ", under tools: {mcp: …}"
}

func (t *Tools) decode(d *strict.Decoder, n *strict.Node) {
	switch n.Kind() {
	case strict.List:
		t.list(d, n, inFile)
	case strict.Map:
		var l toolList
		before := d.Failures()
		d.Decode(n, &l)
		switch {
		case l.Tools != nil && l.Tools.Kind() == strict.List:
			d.In("tools", func() { t.list(d, l.Tools, inFile) })
		case l.Tools != nil:
			d.In("tools", func() { d.Expected(l.Tools, strict.List.String()) })
		case l.MCP == nil && d.Failures() == before:
			noTools(d, n)
		}
	default:
		d.Expected(n, "a list of tools")
	}
}

// toolPlace is where a list of tools stands.
type toolPlace uint8

const (
	inManifest toolPlace = iota // files may be named
	inFile
	inListing // of a server, which can't be told to change a name
)

// list reads names and definitions, and in a manifest paths of files.
func (t *Tools) list(d *strict.Decoder, n *strict.Node, place toolPlace) {
	first := make(map[string]cento.Position)
	active := make(map[string]bool)
	activate := func(name string) {
		if !active[name] {
			active[name] = true
			t.Active = append(t.Active, name)
		}
	}
	var words toolWords
	var unsent unsentKeys
	defer func() {
		t.Notes = words.list(n.Position())
		if place != inListing { // a server says more of its tools than anybody asked for
			t.Notes = slices.Concat(t.Notes, unsent.notes(), t.unmetNotes)
		}
	}()
	t.Listed = len(n.Items()) == 0
	for i := range n.Items() {
		item := &n.Items()[i]
		d.InItem(i, func() {
			if name, ok := item.Text(); ok && place != inListing {
				if place == inManifest && isDataFile(name) {
					t.Files = append(t.Files, ToolFile{FileReference{Path: name, Position: item.Position()}, len(t.Defined)})
					return
				}
				t.Listed = true
				if checkToolName(d, name, item.Position()) {
					t.nameAt(name, item.Position())
					activate(name)
				}
				return
			}
			if item.Kind() != strict.Map {
				d.Expected(item, "the name of a tool or its definition")
				return
			}
			if place == inListing { // nobody can tell the server to take out a key that nothing uses
				item = only(item, "name", "description", "guidance", "function", "parameters", "input_schema", "inputSchema")
			}
			tool, at, ok := providerTool(d, item)
			var schema *strict.Node
			if !ok {
				var f toolFile
				d.Decode(item, &f)
				tool, schema, at = f.tool(d)
			}
			if ok {
				unsent.credentials(item)
			} else if place != inListing { // where a stranger would set them
				tool.Members = unsent.furtherMembers(d, item)
			}
			if tool.Name == "" || place == inListing && t.leaveOut(tool.Name, at) || !checkToolName(d, tool.Name, at) {
				return
			}
			if other, repeated := first[tool.Name]; repeated {
				e := d.Fail(at, cento.DuplicateTool, "two tools have the name %q", tool.Name)
				e.Related, e.Hint = []cento.Related{{Position: other, Message: "the other one"}}, "give one of the two another name"
				return
			}
			first[tool.Name] = at
			tool.Parameters = t.schemaOf(d, tool.Name, schema, place)
			words.definition(tool.Name, item)
			t.Defined = append(t.Defined, tool)
			activate(tool.Name)
		})
	}
	if !t.Listed {
		t.Active = nil
	}
}

// nameAt keeps the first place of a name.
func (t *Tools) nameAt(name string, at cento.Position) {
	if t.NamedAt == nil {
		t.NamedAt = map[string]cento.Position{}
	}
	if _, there := t.NamedAt[name]; !there {
		t.NamedAt[name] = at
	}
}

// checkToolName refuses a name of another form.
func checkToolName(d *strict.Decoder, name string, at cento.Position) bool {
	if cento.IsToolName(name) {
		return true
	}
	if strings.TrimSpace(name) == "" {
		d.Fail(at, cento.InvalidTool, "a tool without a name").Hint = cento.ToolNameHint
		return false
	}
	d.Fail(at, cento.InvalidTool, "a tool can't have the name %s", quotedName(name)).Hint = cento.ToolNameHint
	return false
}

// leaveOut notes a tool of a listing whose name no tool can have, and reports
// whether it is one.
func (t *Tools) leaveOut(name string, at cento.Position) bool {
	if cento.IsToolName(name) || strings.TrimSpace(name) == "" {
		return false
	}
	t.leftOut = append(t.leftOut, cento.Note{
		Code: CodeToolName, Position: at,
		Message: "the server lists a tool with the name " + quotedName(name) + ", which no tool can have; it is left out",
	})
	return true
}

// quotedName is a name in a message: on one line, what can't be seen written
// out, and no longer than a line.
func quotedName(name string) string {
	const shown = 80
	if r := []rune(name); len(r) > shown {
		return strconv.QuoteToASCII(string(r[:shown])) + fmt.Sprintf(" and %d characters more", len(r)-shown)
	}
	return strconv.QuoteToASCII(name)
}

// tool is a definition of any dialect but for the schema of its arguments, that
// schema, nil for none, and where its name stands.
func (f *toolFile) tool(d *strict.Decoder) (t cento.Tool, schema *strict.Node, at cento.Position) {
	t = cento.Tool{Trust: cento.TrustTool, Origin: f.Position()}
	name, description, guidance := f.Name, f.Description, f.Guidance
	schema = f.Parameters
	for _, other := range [...]struct {
		key  string
		node *strict.Node
	}{{"input_schema", f.InputSchema}, {"inputSchema", f.MCPSchema}} {
		switch {
		case other.node == nil:
		case schema != nil:
			conflict(d, "the parameters", schema.Position(), other.key, other.node.Position(), "both are the schema of the arguments")
		default:
			schema = other.node
		}
	}
	if g := f.Function; g != nil {
		for _, beside := range [...]struct {
			key        string
			here, from *text
			to         **text
		}{{"name", f.Name, g.Name, &name}, {"description", f.Description, g.Description, &description}, {"guidance", f.Guidance, g.Guidance, &guidance}} {
			if beside.here != nil && beside.from != nil {
				conflict(d, "function."+beside.key, beside.from.Position(), beside.key, beside.here.Position(), "the definition stands in function")
			} else if beside.from != nil {
				*beside.to = beside.from
			}
		}
		if schema != nil && g.Parameters != nil {
			conflict(d, "function.parameters", g.Parameters.Position(), "the schema beside it", schema.Position(), "the definition stands in function")
		} else if g.Parameters != nil {
			schema = g.Parameters
		}
		if f.Type != nil && f.Type.Value != "function" {
			d.Fail(f.Type.Position(), strict.WrongValue, "expected %q, got %q", "function", f.Type.Value)
		}
	}
	switch {
	case name == nil && (f.Misspelt(d, "name") || f.Function != nil && f.Function.Misspelt(d, "name")):
	case name == nil && f.Function != nil && f.Function.Position().IsZero(): // no map, as was told
	case name == nil && !f.Position().IsZero():
		d.Fail(f.Position(), cento.InvalidTool, "a tool without a name").Hint = `every definition has a name, in OpenAI's form in function`
	case name != nil && strings.TrimSpace(name.Value) == "":
		if _, ok := name.Text(); ok {
			d.Fail(name.Position(), cento.InvalidTool, "a tool without a name").Hint = cento.ToolNameHint
		}
		name = nil
	}
	if name == nil {
		return t, schema, f.Position()
	}
	t.Name = name.Value
	if description != nil {
		t.Description, t.DescriptionRuns = description.Value, description.Runs(cento.TrustTool)
	}
	if guidance == nil && f.Meta != nil && f.Meta.Kind() == strict.Map {
		if _, said := f.Meta.Member("guidance"); said != nil && said.Kind() == strict.Text {
			guidance = new(text)
			d.Decode(said, guidance)
		}
	}
	if guidance != nil {
		t.Guidance, t.Runs, t.GuidanceOrigin = &guidance.Value, guidance.Runs(cento.TrustTool), guidance.Position()
	}
	return t, schema, name.Position()
}
