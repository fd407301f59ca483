package docs_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/project/lint"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/workspace"
)

// described are the types whose fields a table of FORMATS.md lists.
var described = map[string]reflect.Type{
	"cento.Explanation":       reflect.TypeFor[cento.Explanation](),
	"cento.Trace":             reflect.TypeFor[cento.Trace](),
	"cento.Span":              reflect.TypeFor[cento.Span](),
	"cento.Position":          reflect.TypeFor[cento.Position](),
	"cento.TextNote":          reflect.TypeFor[cento.TextNote](),
	"cento.Note":              reflect.TypeFor[cento.Note](),
	"cento.Unmet":             reflect.TypeFor[cento.Unmet](),
	"cento.Difference":        reflect.TypeFor[cento.Difference](),
	"cento.Change":            reflect.TypeFor[cento.Change](),
	"cento.TokenChange":       reflect.TypeFor[cento.TokenChange](),
	"app.Differing":           reflect.TypeFor[app.Differing](),
	"app.Side":                reflect.TypeFor[app.Side](),
	"app.Flip":                reflect.TypeFor[app.Flip](),
	"app.GateChange":          reflect.TypeFor[app.GateChange](),
	"app.WeightChange":        reflect.TypeFor[app.WeightChange](),
	"app.Parting":             reflect.TypeFor[app.Parting](),
	"app.AllDiffering":        reflect.TypeFor[app.AllDiffering](),
	"app.TargetDiffering":     reflect.TypeFor[app.TargetDiffering](),
	"cento.BudgetReport":      reflect.TypeFor[cento.BudgetReport](),
	"cento.TraceBudget":       reflect.TypeFor[cento.TraceBudget](),
	"cento.CachedLoss":        reflect.TypeFor[cento.CachedLoss](),
	"cento.Sacrifice":         reflect.TypeFor[cento.Sacrifice](),
	"cento.CurvePoint":        reflect.TypeFor[cento.CurvePoint](),
	"cento.Cut":               reflect.TypeFor[cento.Cut](),
	"cento.Budget":            reflect.TypeFor[cento.Budget](),
	"app.BudgetAnswer":        reflect.TypeFor[app.BudgetAnswer](),
	"cento.Input":             reflect.TypeFor[cento.Input](),
	"cento.Limits":            reflect.TypeFor[cento.Limits](),
	"provenance.Why":          reflect.TypeFor[app.Why](),
	"provenance.Match":        reflect.TypeFor[app.Match](),
	"provenance.Commit":       reflect.TypeFor[app.Commit](),
	"provenance.BlameLine":    reflect.TypeFor[app.BlameLine](),
	"provenance.BlameStretch": reflect.TypeFor[app.BlameStretch](),
	"app.ErrorObject":         reflect.TypeFor[app.ErrorObject](),
	"call.Assembled":          reflect.TypeFor[call.Assembled](),
	"call.Counts":             reflect.TypeFor[call.Counts](),
	"app.Rendering":           reflect.TypeFor[app.Rendering](),
	"app.PromptCount":         reflect.TypeFor[app.PromptCount](),
	"app.OutputsAnswer":       reflect.TypeFor[app.OutputsAnswer](),
	"app.OutputFile":          reflect.TypeFor[app.OutputFile](),
	"app.FragmentCount":       reflect.TypeFor[app.FragmentCount](),
	"app.TextCount":           reflect.TypeFor[app.TextCount](),
	"app.ContractCosts":       reflect.TypeFor[app.ContractCosts](),
	"app.ContractCost":        reflect.TypeFor[app.ContractCost](),
	"app.CheckAnswer":         reflect.TypeFor[app.CheckAnswer](),
	"app.Layers":              reflect.TypeFor[app.Layers](),
	"app.LayerReport":         reflect.TypeFor[app.LayerReport](),
	"lint.Finding":            reflect.TypeFor[lint.Finding](),
	"lint.Fix":                reflect.TypeFor[lint.Fix](),
	"app.MendedFile":          reflect.TypeFor[app.MendedFile](),
	"app.ContractAnswer":      reflect.TypeFor[app.ContractAnswer](),
	"contract.Report":         reflect.TypeFor[contract.Report](),
	"contract.Finding":        reflect.TypeFor[contract.Finding](),
	"manifest.RequestedLayer": reflect.TypeFor[manifest.RequestedLayer](),
	"manifest.LayersContext":  reflect.TypeFor[manifest.LayersContext](),
	"call.LayersAnswer":       reflect.TypeFor[call.LayersAnswer](),
	"call.RemindersAnswer":    reflect.TypeFor[call.RemindersAnswer](),
	"reminder.Event":          reflect.TypeFor[reminder.Event](),
	"reminder.Message":        reflect.TypeFor[reminder.Message](),
	"reminder.SentEnvelope":   reflect.TypeFor[reminder.SentEnvelope](),
	"session.Started":         reflect.TypeFor[session.Started](),
	"session.Turn":            reflect.TypeFor[session.Turn](),
	"session.Changed":         reflect.TypeFor[session.Changed](),
	"session.Forked":          reflect.TypeFor[session.Forked](),
	"session.Rematerialised":  reflect.TypeFor[session.Rematerialised](),
	"session.Drift":           reflect.TypeFor[session.Drift](),
	"session.DriftedFragment": reflect.TypeFor[session.DriftedFragment](),
	"session.SetChange":       reflect.TypeFor[session.SetChange](),
	"session.NameChange":      reflect.TypeFor[session.NameChange](),
	"session.Shown":           reflect.TypeFor[session.Shown](),
	"app.SessionRow":          reflect.TypeFor[app.SessionRow](),
	"app.SessionDeleted":      reflect.TypeFor[app.SessionDeleted](),
	"call.ScopeAnswer":        reflect.TypeFor[call.ScopeAnswer](),
	"workspace.Rule":          reflect.TypeFor[workspace.Rule](),

	"app.InstructionsReport":     reflect.TypeFor[app.InstructionsReport](),
	"app.InstructionFile":        reflect.TypeFor[app.InstructionFile](),
	"app.InstructionsComparison": reflect.TypeFor[app.InstructionsComparison](),
	"app.InstructionsDiff":       reflect.TypeFor[app.InstructionsDiff](),
	"app.InstructionsChange":     reflect.TypeFor[app.InstructionsChange](),
	"app.Skills":                 reflect.TypeFor[app.Skills](),
	"app.FoundSkill":             reflect.TypeFor[app.FoundSkill](),
	"app.SkillText":              reflect.TypeFor[app.SkillText](),
	"app.SkillsCheck":            reflect.TypeFor[app.SkillsCheck](),
	"app.SkillCheck":             reflect.TypeFor[app.SkillCheck](),
	"starter.Starter":            reflect.TypeFor[app.Starter](),
	"starter.Import":             reflect.TypeFor[app.Import](),
}

var (
	fieldTable  = regexp.MustCompile(`(?m)^<!-- (fields|keys): ([\w.]+) -->\n((?:\|.*\n)+)`)
	inBackticks = regexp.MustCompile("`([^`]+)`")
)

// tables are the tables of FORMATS.md that are held to something, by its name,
// with the names in their first columns.
func tables(t *testing.T, kind string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, m := range fieldTable.FindAllStringSubmatch(read(t, "docs/FORMATS.md"), -1) {
		if m[1] != kind {
			continue
		}
		var names []string
		for row := range strings.Lines(m[3]) {
			first := strings.SplitN(row, "|", 3)[1]
			for _, n := range inBackticks.FindAllStringSubmatch(first, -1) {
				names = append(names, n[1])
			}
		}
		slices.Sort(names)
		out[m[2]] = names
	}
	return out
}

// TestFields holds the tables of fields to the types that are written.
func TestFields(t *testing.T) {
	found := tables(t, "fields")
	for name, typ := range described {
		names, ok := found[name]
		if !ok {
			t.Errorf("FORMATS.md has no table of the fields of %s", name)
			continue
		}
		if want := jsonFields(typ); !slices.Equal(names, want) {
			t.Errorf("fields of %s: FORMATS.md lists\n%q, and it has\n%q", name, names, want)
		}
	}
	for name := range found {
		if _, ok := described[name]; !ok {
			t.Errorf("FORMATS.md has a table of %s, and nothing to hold it to", name)
		}
	}
}

func jsonFields(typ reflect.Type) []string {
	var out []string
	for f := range fieldsOf(typ) {
		if f.Anonymous && f.Tag.Get("json") == "" {
			out = append(out, jsonFields(f.Type)...)
		} else if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.IsExported() && name != "-" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out) // a field hides one of its name that is embedded
}

func fieldsOf(typ reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range typ.NumField() {
			if !yield(typ.Field(i)) {
				return
			}
		}
	}
}

// schema is as much of a JSON Schema as the references need.
type schema struct {
	Ref         string            `json:"$ref"`
	Description string            `json:"description"`
	Properties  map[string]schema `json:"properties"`
	Items       *schema           `json:"items"`
	AnyOf       []schema          `json:"anyOf"`
	Defs        map[string]schema `json:"$defs"`
}

// requests are the types of requests that the schema doesn't describe.
var requests = map[string]reflect.Type{"layers": reflect.TypeFor[manifest.LayersRequest]()}

// TestRequests holds the tables of requests to their schema or type, and finds
// those that are missing.
func TestRequests(t *testing.T) {
	var all schema
	if err := json.Unmarshal([]byte(read(t, "internal/manifest/requests.schema.json")), &all); err != nil {
		t.Fatal(err)
	}
	found := tables(t, "keys")
	for _, op := range call.Names() {
		want := slices.Sorted(maps.Keys(all.Defs[op].Properties))
		if typ, ok := requests[op]; ok && len(want) == 0 {
			want = jsonFields(typ)
		}
		if len(want) == 0 {
			t.Errorf("neither the schema of requests nor a type says what %s is asked with", op)
		}
		if !slices.Equal(found[op], want) {
			t.Errorf("keys of %s: FORMATS.md lists\n%q, and it has\n%q", op, found[op], want)
		}
	}
}

// TestLimits holds the numbers of FORMATS.md to those of the program.
func TestLimits(t *testing.T) {
	text := read(t, "docs/FORMATS.md")
	l := cento.DefaultLimits()
	for name, n := range map[string]int{"file": l.File, "prompt": l.Prompt, "fragments": l.Fragments, "nesting": l.Nesting} {
		row := regexp.MustCompile(fmt.Sprintf("(?m)^\\| `%s`:[^|]*\\| %d \\|", name, n))
		if !row.MatchString(text) {
			t.Errorf("FORMATS.md doesn't say that the limit %s is %d", name, n)
		}
	}
	if want := fmt.Sprintf("`project.limit`, %d bytes by default", workspace.DefaultInstructionLimit); !strings.Contains(text, want) {
		t.Errorf("FORMATS.md doesn't say: %s", want)
	}
}

// TestProfiles holds the table of instructions profiles to those that there are.
func TestProfiles(t *testing.T) {
	var names []string
	table := regexp.MustCompile(`(?s)\n\| profile \|.*?\n\n`).FindString(read(t, "docs/how-to.md"))
	for _, m := range regexp.MustCompile("(?m)^\\| `([\\w-]+)`").FindAllStringSubmatch(table, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	want := workspace.Conventions()
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("how-to.md tells about the profiles %q, and there are %q", names, want)
	}
}

// manifestReference lists the keys of a manifest with the words of its schema.
func manifestReference(t *testing.T) string {
	var all schema
	if err := json.Unmarshal(manifest.Schema(), &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Properties) < 10 {
		t.Fatalf("%d keys: the schema isn't that of the manifest", len(all.Properties))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# cento.yaml\n\n%s\nThe keys of a manifest, by name. The same as a JSON Schema: `cento schema`.\n\n", generated)
	keyTable(&b, all)
	for _, name := range slices.Sorted(maps.Keys(all.Defs)) {
		if def := all.Defs[name]; len(def.Properties) > 0 && !strings.HasPrefix(name, "target") {
			fmt.Fprintf(&b, "\n## %s\n\n", name)
			if def.Description != "" {
				fmt.Fprintf(&b, "%s\n\n", def.Description)
			}
			keyTable(&b, def)
		}
	}
	b.WriteString("\n## Lists of a target\n\nIn a target such a map may stand in the place of a list, and changes that of the manifest.\n\n")
	keyTable(&b, all.Defs["target_change_skill"])
	return b.String()
}

// keyTable lists the keys of an object and, below each, those of the objects
// that stand in it.
func keyTable(b *strings.Builder, s schema) {
	b.WriteString("| key | meaning |\n|---|---|\n")
	keyRows(b, s, "")
}

func keyRows(b *strings.Builder, s schema, prefix string) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		v := s.Properties[name]
		text := v.Description
		if ref := v.ref(); ref != "" && ref != "target" {
			text += fmt.Sprintf(" See [%s](#%s).", ref, anchor(ref))
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", prefix+name, inTable(text))
		keyRows(b, v, prefix+name+".")
		if v.Items != nil {
			keyRows(b, *v.Items, prefix+name+"[].")
		}
	}
}

// ref is the name of the definition that a key, the items of its list or a
// choice of it refers to, when that is one of an object.
func (s schema) ref() string {
	all := append([]schema{s}, s.AnyOf...)
	if s.Items != nil {
		all = append(append(all, *s.Items), s.Items.AnyOf...)
	}
	for _, x := range all {
		switch name := strings.TrimPrefix(x.Ref, "#/$defs/"); name {
		case "":
		case "hostOption", "hostItem":
			return "hostPart"
		case "tools", "toolList":
			return "tool"
		case "contractSource":
			return "promptContract"
		case "contract_context_map", "contract_context_list":
			return "contract_fact"
		case "entry", "patch", "contract_key":
		default:
			return name
		}
	}
	return ""
}
