package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/workspace/skill"
)

// Choice is something that a what-if can turn on or off.
type Choice struct {
	Name string `json:"name"`
	On   bool   `json:"on"`
}

// Choices are what a what-if can change of a project, and how it stands.
type Choices struct {
	Targets []string `json:"targets"`
	Tools   []Choice `json:"tools"`
	Caps    []Choice `json:"caps"`
	// Skills are empty where they are off.
	Skills []Choice `json:"skills"`
	// Vars are the variables of the manifest and those that were set over them, with
	// their values.
	Vars  []SetVariable `json:"vars"`
	Model string        `json:"model"`
	// Budget is how many tokens the request may take; null for any number.
	Budget *int `json:"budget"`
	// Forms are those that a request can be written in.
	Forms []string `json:"forms"`
}

// SetVariable is a variable with its value.
type SetVariable struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// Choices are what can be changed of an input of the project; to is the input as it was
// changed. Names that either knows are among them, in the order of the project's files.
func (p *Project) Choices(to *Project, in cento.Input) (*Choices, error) {
	out := &Choices{Targets: append([]string{}, p.Targets()...), Model: in.Active.Model, Skills: []Choice{}, Vars: []SetVariable{}, Forms: WireForms()}
	var tools []string
	for _, x := range []cento.Input{p.Input, in} {
		for _, t := range x.Tools {
			tools = united(tools, []string{t.Name})
		}
		tools = united(tools, x.ActiveTools())
	}
	out.Tools = choices(tools, in.ActiveTools())
	caps := united(p.CapNames(), united(to.CapNames(), in.Active.Caps))
	slices.Sort(caps)
	out.Caps = choices(caps, in.Active.Caps)
	if to.Skills != nil && to.Skills.Set != nil && to.Skills.On {
		for _, s := range to.Skills.Usable() {
			out.Skills = append(out.Skills, Choice{s.Name, s.Status == skill.Active})
		}
	}
	values := map[string]json.RawMessage{}
	for _, object := range []json.RawMessage{in.Files.Vars, in.Files.Given} {
		var members map[string]json.RawMessage
		if len(object) == 0 {
			continue
		}
		if err := json.Unmarshal(object, &members); err != nil {
			return nil, fmt.Errorf("reading the variables: %w", err)
		}
		for name, value := range members {
			values[name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out.Vars = append(out.Vars, SetVariable{name, values[name]})
	}
	if in.Budget != nil {
		out.Budget = &in.Budget.Tokens
	}
	return out, nil
}

func choices(names, on []string) []Choice {
	is := setOf(on)
	out := make([]Choice, len(names))
	for i, n := range names {
		out[i] = Choice{n, is[n]}
	}
	return out
}

// Quoted is a name as it has to be written in a shell. Names come out of files: a
// command that is proposed must not do more than it says.
func Quoted(name string) string {
	plain := name != "" && name[0] != '-'
	for _, r := range name {
		plain = plain && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/:@,+", r))
	}
	if plain {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// AsCommand is the command that tells on a terminal what a what-if tells; empty where
// none does: no flag takes definitions of tools that aren't in a file, a list without
// names, a name with a comma, or nothing for a value.
func AsCommand(c manifest.Changes) string {
	if c.ToolsText != nil || c.Tools != nil && len(c.Tools) == 0 || c.Skills != nil && len(c.Skills) == 0 {
		return ""
	}
	for _, names := range [][]string{c.Tools, c.WithoutTools, c.Caps, c.WithoutCaps, c.Skills} {
		if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, ",") || strings.TrimSpace(n) != n || n == "" }) {
			return ""
		}
	}
	words := []string{"cento", "explain"}
	flag := func(name string, values ...string) {
		for _, v := range values {
			words = append(words, "--"+name, Quoted(v))
		}
	}
	given := func(name, value string) {
		if value != "" {
			flag(name, value)
		}
	}
	given("target", c.Target)
	flag("tool", c.Tools...)
	flag("without-tool", c.WithoutTools...)
	flag("cap", c.Caps...)
	flag("without-cap", c.WithoutCaps...)
	flag("skill", c.Skills...)
	given("model", c.Model)
	var vars map[string]json.RawMessage
	if len(c.Vars) > 0 {
		if err := json.Unmarshal(c.Vars, &vars); err != nil {
			return ""
		}
		for _, name := range slices.Sorted(maps.Keys(vars)) {
			if string(vars[name]) == "null" {
				return ""
			}
			flag("var", name+"="+asWords(vars[name]))
		}
	}
	if c.Budget != nil {
		flag("budget", budgetWords(c.Budget))
	}
	if !c.Now.IsZero() {
		flag("clock", c.Now.Format("2006-01-02T15:04:05.999999999Z07:00"))
	}
	return strings.Join(words, " ")
}

// asWords is a value as the command line takes it: a text without its quotes.
func asWords(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func budgetWords(b *manifest.Budget) string {
	if b.Share > 0 {
		return strconv.FormatFloat(b.Share*100, 'f', -1, 64) + "%"
	}
	return strconv.Itoa(b.Tokens)
}

// AsTest is a what-if as a file of tests: what is in that wasn't, and out that was. It
// is empty where nothing is, since a test has to say something, and where tools are
// defined that are in no file.
func AsTest(c manifest.Changes, d *cento.Difference, to *cento.Explanation) string {
	is := map[string]*cento.Trace{}
	for i := range to.Fragments {
		is[to.Fragments[i].ID] = &to.Fragments[i]
	}
	var in, out []string
	for _, list := range [][]cento.Change{d.Verdicts, d.Added} {
		for _, x := range list {
			switch t := is[x.ID]; {
			case t == nil:
			case t.Included:
				in = append(in, x.ID)
			default:
				out = append(out, x.ID)
			}
		}
	}
	if len(in)+len(out) == 0 || c.ToolsText != nil {
		return ""
	}
	var b strings.Builder
	key := func(indent, name, value string) { fmt.Fprintf(&b, "%s%s: %s\n", indent, name, value) }
	name := strings.TrimPrefix(AsCommand(c), "cento explain ")
	if name == "" {
		name = "what is changed"
	}
	fmt.Fprintf(&b, "tests:\n  - name: %s\n", asJSON(name))
	if c.Target != "" {
		key("    ", "target", asJSON(c.Target))
	}
	var with strings.Builder
	rest := func(name string, given bool, value any) {
		if given {
			fmt.Fprintf(&with, "      %s: %s\n", name, asJSON(value))
		}
	}
	rest("tools", c.Tools != nil, c.Tools)
	rest("without_tools", len(c.WithoutTools) > 0, c.WithoutTools)
	rest("caps", len(c.Caps) > 0, c.Caps)
	rest("without_caps", len(c.WithoutCaps) > 0, c.WithoutCaps)
	rest("skills", c.Skills != nil, c.Skills)
	rest("model", c.Model != "", c.Model)
	rest("vars", len(c.Vars) > 0, c.Vars)
	if c.Budget != nil && c.Budget.Share > 0 {
		rest("budget", true, budgetWords(c.Budget))
	} else if c.Budget != nil {
		rest("budget", true, c.Budget.Tokens)
	}
	rest("now", !c.Now.IsZero(), c.Now)
	if with.Len() > 0 {
		b.WriteString("    with:\n" + with.String())
	}
	if len(in) > 0 {
		key("    ", "included", asJSON(in))
	}
	if len(out) > 0 {
		b.WriteString("    excluded:\n")
		for _, id := range out {
			key("      ", asJSON(id), asJSON(is[id].Code))
		}
	}
	return b.String()
}

// asJSON is a value in one line, which YAML reads as the same.
func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("app: " + err.Error()) // of texts, lists and times
	}
	return string(b)
}
