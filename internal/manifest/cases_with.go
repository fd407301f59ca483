package manifest

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// withFile is what is different.
type withFile struct {
	strict.At
	Tools        []text          `json:"tools,omitempty" jsonschema:"The active tools, instead of all that are defined."`
	WithoutTools []text          `json:"without_tools,omitempty" jsonschema:"Tools that are not active."`
	Caps         []text          `json:"caps,omitempty" jsonschema:"Capabilities that are set as well."`
	WithoutCaps  []text          `json:"without_caps,omitempty" jsonschema:"Capabilities that are not set."`
	Model        *text           `json:"model,omitempty" jsonschema:"Name of the model."`
	Vars         *valuesFile     `json:"vars,omitempty" jsonschema:"Variables for prompt files and conditions, over those of the manifest." names:"a variable"`
	Skills       []string        `json:"skills,omitempty" jsonschema:"The active skills, instead of those of the manifest." names:"a skill"`
	Now          *text           `json:"now,omitempty" jsonschema:"The clock, as in RFC 3339; its offset is the time zone. Default 2000-01-01T00:00:00Z."`
	Budget       *budgetSizeFile `json:"budget,omitempty" jsonschema:"How many tokens the request may take, or a part of what the model takes in such as 20%."`
	Cwd          *text           `json:"cwd,omitempty" jsonschema:"Folder of the run, from the root of the project; default that of the manifest."`
	Files        caseFiles       `json:"files,omitempty" jsonschema:"Texts that stand over the files of the project, by their paths from its root; null takes one away."`
	Home         bool            `json:"home,omitempty" jsonschema:"Read the files of the user too; default false, so that a test says the same on every machine."`
}

// caseFiles are texts by their paths from the root; nil takes a file away.
type caseFiles map[string]*text

// matrixFile are the axes of a matrix, in the order of the file.
type matrixFile struct{ axes []Axis }

func (m *matrixFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map {
		d.Expected(n, "a map of keys of with to lists of values")
		return
	}
	for key, values := range n.Members() {
		name, _ := key.Text()
		if !slices.Contains(withKeyNames(), name) {
			d.Unknown(key, withKeyNames())
			continue
		}
		d.In(name, func() { m.axis(d, name, values) })
	}
}

func withKeyNames() []string {
	out := make([]string, len(withKeys))
	for i, k := range withKeys {
		out[i] = k.name
	}
	return out
}

func (m *matrixFile) axis(d *strict.Decoder, key string, values *strict.Node) {
	if values.Kind() != strict.List {
		d.Expected(values, "a list of one or more values")
		return
	}
	if len(values.Items()) == 0 {
		d.Fail(values.Position(), strict.WrongValue, "an empty list").Hint = "leave " + key + " out of the matrix, or give it values"
		return
	}
	a := Axis{Key: key}
	first := map[string]cento.Position{}
	for i := range values.Items() {
		v := &values.Items()[i]
		d.InItem(i, func() {
			var f withFile
			f.decodeKey(d, key, v)
			label := axisLabel(v)
			if at, twice := first[label]; twice {
				e := d.Fail(v.Position(), strict.WrongValue, "the value %s stands twice", label)
				e.Related = []cento.Related{{Position: at, Message: "the other one"}}
				e.Hint = "keep one of the two"
				return
			}
			first[label] = v.Position()
			w := f.with(d)
			w.at = map[string]cento.Position{key: v.Position()}
			a.Values = append(a.Values, AxisValue{label, w})
		})
	}
	m.axes = append(m.axes, a)
}

// decodeKey reads one value as that of a key; null is as if it weren't given.
func (f *withFile) decodeKey(d *strict.Decoder, key string, n *strict.Node) {
	if n.Kind() == strict.Null {
		return
	}
	var to any
	switch key {
	case "tools":
		to = &f.Tools
	case "without_tools":
		to = &f.WithoutTools
	case "caps":
		to = &f.Caps
	case "without_caps":
		to = &f.WithoutCaps
	case "model":
		to = &f.Model
	case "vars":
		to = &f.Vars
	case "skills":
		to = &f.Skills
	case "now":
		to = &f.Now
	case "budget":
		to = &f.Budget
	case "cwd":
		to = &f.Cwd
	case "files":
		to = &f.Files
	case "home":
		to = &f.Home
	}
	d.Decode(n, to)
}

// axisLabel is a value as a name has it: a text as it is, a list between brackets,
// anything else as JSON.
func axisLabel(n *strict.Node) string {
	if s, ok := n.Text(); ok {
		return s
	}
	if n.Kind() == strict.List {
		items := make([]string, len(n.Items()))
		for i := range n.Items() {
			items[i] = axisLabel(&n.Items()[i])
		}
		return "[" + strings.Join(items, " ") + "]"
	}
	b, err := n.AppendJSON(nil)
	if err != nil {
		return "?" // a number that JSON has no form for is refused where it is read
	}
	return string(b)
}

// with is what is written, as the program holds it.
func (f *withFile) with(d *strict.Decoder) With {
	w := With{Skills: f.Skills, Home: f.Home, Model: notBlankText(d, "model", f.Model), Now: clock(d, f.Now), at: map[string]cento.Position{}, names: map[string]map[string]cento.Position{}}
	for _, key := range withKeyNames() {
		if at, ok := f.At.KeyPosition(key); ok {
			w.at[key] = at
		}
	}
	names := func(key string, list []text, tools bool) []string {
		if list == nil {
			return nil
		}
		out, places := []string{}, map[string]cento.Position{}
		w.names[key] = places
		d.In(key, func() {
			for i := range list {
				d.InItem(i, func() {
					switch s, ok := list[i].Text(); {
					case !ok:
					case tools:
						checkToolName(d, s, list[i].Position())
					case strings.TrimSpace(s) == "":
						d.Fail(list[i].Position(), strict.WrongValue, "a capability without a name").Hint = noCapHint
					}
				})
				out = append(out, list[i].Value)
				if _, twice := places[list[i].Value]; !twice {
					places[list[i].Value] = list[i].Position()
				}
			}
		})
		return out
	}
	w.Tools, w.WithoutTools = names("tools", f.Tools, true), names("without_tools", f.WithoutTools, true)
	w.Caps, w.WithoutCaps = names("caps", f.Caps, false), names("without_caps", f.WithoutCaps, false)
	if f.Vars != nil {
		w.Vars, w.names["vars"] = f.Vars.json, f.Vars.at
	}
	if w.Model != "" {
		w.names["model"] = map[string]cento.Position{w.Model: f.Model.Position()}
	}
	w.Budget = f.Budget.budget()
	if f.Cwd != nil {
		w.Cwd = f.Cwd.Value
		if s, ok := f.Cwd.Text(); ok && !localPath(s) {
			d.In("cwd", func() {
				d.Fail(f.Cwd.Position(), strict.WrongValue, "%q is no folder from the root of the project", s).Hint = "as in services/api"
			})
		}
	}
	if f.Files != nil {
		w.Files = map[string]*string{}
		d.In("files", func() {
			for _, name := range slices.Sorted(maps.Keys(f.Files)) {
				t, at := f.Files[name], w.at["files"]
				if t != nil {
					at = t.Position()
					w.Files[name] = &t.Value
				} else {
					w.Files[name] = nil
				}
				if !localPath(name) || name == "." {
					d.In(name, func() {
						d.Fail(at, strict.WrongValue, "%q is no path from the root of the project", name).Hint = "as in AGENTS.md or .cento/prompts/review.md"
					})
				}
			}
		})
	}
	return w
}

// localPath reports whether a path stays below the folder that it starts from.
func localPath(name string) bool {
	return name != "" && !path.IsAbs(name) && path.Clean(name) == name && name != ".." && !strings.HasPrefix(name, "../") && !strings.ContainsAny(name, "\\\x00")
}
