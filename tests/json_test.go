package tests

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/consent"
	"github.com/cento-dev/cento/project/lint"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
	"github.com/cento-dev/cento/workspace"
	"github.com/cento-dev/cento/workspace/skill"
)

// TestJSONTypesAreComplete: jsonTypes holds each exported type that says how it is
// written as JSON: by a method, or by the tag of a field.
func TestJSONTypesAreComplete(t *testing.T) {
	want := make(map[string]bool)
	for _, p := range publicPackages(t) {
		for _, name := range p.Scope().Names() {
			o, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || !o.Exported() || o.IsAlias() {
				continue
			}
			if n, ok := o.Type().(*types.Named); ok && n.TypeParams().Len() == 0 && writesJSON(n) {
				want[p.Name()+"."+name] = true
			}
		}
	}
	if len(want) < 150 {
		t.Fatalf("%d types: the test looks at the wrong place", len(want))
	}
	got := make(map[string]bool)
	for _, typ := range jsonTypes {
		got[typ.String()] = true
		delete(want, typ.String())
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		t.Errorf("jsonTypes lacks\treflect.TypeFor[%s](),", name)
	}
	for name := range jsonLeft {
		typ, _, _ := strings.Cut(name, " ")
		if !got[typ] {
			t.Errorf("jsonLeft has %s, which is not in jsonTypes", name)
		}
	}
}

func writesJSON(n *types.Named) bool {
	if _, ok := n.Underlying().(*types.Interface); ok {
		return false
	}
	methods := types.NewMethodSet(types.NewPointer(n))
	for _, name := range []string{"MarshalJSON", "MarshalText", "UnmarshalJSON", "UnmarshalText"} {
		if methods.Lookup(n.Obj().Pkg(), name) != nil {
			return true
		}
	}
	s, ok := n.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if strings.Contains(s.Tag(i), `json:"`) && s.Tag(i) != `json:"-"` {
			return true
		}
	}
	return false
}

// TestJSONReadsBack: a value of each exported type that Go writes as JSON reads back
// equal, or one of the two is refused. A value and a pointer to it give the same text,
// and the text is the same after it was read.
func TestJSONReadsBack(t *testing.T) {
	for _, typ := range jsonTypes {
		t.Run(typ.String(), func(t *testing.T) {
			read := 0
			for _, v := range jsonValues(typ) {
				to := reflect.New(typ)
				to.Elem().Set(v)
				text, err := json.Marshal(v.Interface())
				again, errPointer := json.Marshal(to.Interface())
				if (err == nil) != (errPointer == nil) || !bytes.Equal(text, again) {
					t.Fatalf("a value gives %s, %v; a pointer to it gives %s, %v", text, err, again, errPointer)
				}
				if err != nil {
					continue
				}
				back := reflect.New(typ)
				if err := json.Unmarshal(text, back.Interface()); err != nil {
					if testing.Verbose() {
						t.Logf("%s is refused: %v", text, err)
					}
					continue
				}
				read++
				if again, err := json.Marshal(back.Interface()); err != nil || !bytes.Equal(text, again) {
					t.Errorf("%s\nis read as\n%s, %v", text, again, err)
				}
				if at := jsonDiffers(typ.String(), v, back.Elem()); at != "" {
					t.Errorf("%s\nreads back with another %s", text, at)
				}
			}
			if read == 0 {
				t.Error("no value of the type is read back")
			}
		})
	}
}

// TestJSONOfNames: each constant of an enumeration reads back as itself, and what
// is not a constant is refused.
func TestJSONOfNames(t *testing.T) {
	for _, typ := range jsonTypes {
		if typ.Kind() != reflect.Uint8 {
			continue
		}
		names := make(map[string]int)
		for i := range 256 {
			v := reflect.New(typ).Elem()
			v.SetUint(uint64(i))
			text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
			if err != nil {
				continue
			}
			back := reflect.New(typ)
			if err := back.Interface().(encoding.TextUnmarshaler).UnmarshalText(text); err != nil || back.Elem().Uint() != uint64(i) {
				t.Errorf("%s: %d is written as %q and read as %d, %v", typ, i, text, back.Elem().Uint(), err)
			}
			if k, ok := names[string(text)]; ok {
				t.Errorf("%s: %d and %d are both %q", typ, k, i, text)
			}
			names[string(text)] = i
		}
		if len(names) < 2 || len(names) > 64 {
			t.Errorf("%s: %d names", typ, len(names))
		}
	}
}

// jsonValues are values of a type: samples, or the zero value, one with all
// fields, and one for each field alone.
func jsonValues(typ reflect.Type) []reflect.Value {
	var out []reflect.Value
	for _, v := range jsonSamples[typ] {
		out = append(out, reflect.ValueOf(v))
	}
	if len(out) > 0 {
		return out
	}
	out = append(out, reflect.Zero(typ))
	for seed := range 3 {
		f := jsonFill{seed: seed}
		v := reflect.New(typ).Elem()
		f.fill(v, 0)
		out = append(out, v)
	}
	if typ.Kind() == reflect.Struct {
		for i := range typ.NumField() {
			if field := typ.Field(i); jsonKept(field) {
				v := reflect.New(typ).Elem()
				f := jsonFill{seed: i}
				f.fill(v.Field(i), 1)
				out = append(out, v)
			}
		}
	}
	return out
}

// jsonKept reports whether a field is one that JSON carries.
func jsonKept(f reflect.StructField) bool {
	return f.IsExported() && f.Tag.Get("json") != "-" && f.Type.Kind() != reflect.Func
}

// jsonFill sets everything in a value to what is valid and not zero.
type jsonFill struct{ seed, n int }

var jsonTexts = []string{"a < b & \"c\"", "x\u2028y\tz", "é\U0001F600", "plain"}

func (f *jsonFill) fill(v reflect.Value, depth int) {
	f.n++
	typ := v.Type()
	if samples := jsonSamples[typ]; len(samples) > 0 {
		v.Set(reflect.ValueOf(samples[(f.seed+f.n)%len(samples)]))
		return
	}
	switch typ {
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`{"a":[1,"x"]}`))
		return
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2026, 11, 1, 2, 3, 4, 5, time.UTC)))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(jsonTexts[(f.seed+f.n)%len(jsonTexts)])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.n%100 + 1))
	case reflect.Uint8:
		// The names of an enumeration have no holes but for the first.
		v.SetUint(uint64(f.seed + 1))
		for n := f.seed + 1; n >= 0; n-- {
			v.SetUint(uint64(n))
			m, ok := v.Interface().(encoding.TextMarshaler)
			if !ok {
				v.SetUint(uint64(f.seed + 1))
				break
			}
			if _, err := m.MarshalText(); err == nil {
				break
			}
		}
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.n%100 + 1))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(f.n) + 0.25)
	case reflect.Pointer:
		if depth < 6 {
			p := reflect.New(typ.Elem())
			f.fill(p.Elem(), depth+1)
			v.Set(p)
		}
	case reflect.Slice:
		if depth < 6 {
			s := reflect.MakeSlice(typ, 2, 2)
			f.fill(s.Index(0), depth+1)
			f.fill(s.Index(1), depth+1)
			v.Set(s)
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		if depth < 6 {
			key, value := reflect.New(typ.Key()).Elem(), reflect.New(typ.Elem()).Elem()
			f.fill(key, depth+1)
			f.fill(value, depth+1)
			v.Set(reflect.MakeMap(typ))
			v.SetMapIndex(key, value)
		}
	case reflect.Interface:
		if typ.NumMethod() == 0 {
			v.Set(reflect.ValueOf("any"))
		}
	case reflect.Struct:
		for i := range typ.NumField() {
			if jsonKept(typ.Field(i)) {
				f.fill(v.Field(i), depth+1)
			}
		}
	}
}

// jsonDiffers is where two values differ; "" where they are equal, or where they
// differ in what jsonLeft names. An empty list equals none.
func jsonDiffers(at string, a, b reflect.Value) string {
	typ, _, _ := strings.Cut(at, " ")
	if jsonLeft[at] != "" || strings.HasPrefix(typ, "layer.") && slices.Contains(layerLeft, a.Type()) {
		return ""
	}
	switch a.Kind() {
	case reflect.Struct:
		if a.Type() == reflect.TypeFor[time.Time]() {
			if !a.Interface().(time.Time).Equal(b.Interface().(time.Time)) {
				return at
			}
			return ""
		}
		for i := range a.NumField() {
			if d := jsonDiffers(a.Type().String()+" "+a.Type().Field(i).Name, a.Field(i), b.Field(i)); d != "" {
				return d
			}
		}
		return ""
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return at
			}
			return ""
		}
		if a.Kind() == reflect.Interface && a.Elem().Type() != b.Elem().Type() {
			return at
		}
		return jsonDiffers(at, a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Type() == reflect.TypeFor[json.RawMessage]() {
			if !bytes.Equal(a.Bytes(), b.Bytes()) && !(a.Len() == 0 && string(b.Bytes()) == "null") {
				return at
			}
			return ""
		}
		if a.Len() != b.Len() {
			return at
		}
		for i := range a.Len() {
			if d := jsonDiffers(at, a.Index(i), b.Index(i)); d != "" {
				return d
			}
		}
		return ""
	case reflect.Map:
		if a.Len() != b.Len() {
			return at
		}
		for _, k := range a.MapKeys() {
			x := b.MapIndex(k)
			if !x.IsValid() {
				return at
			}
			if d := jsonDiffers(at, a.MapIndex(k), x); d != "" {
				return d
			}
		}
		return ""
	case reflect.Func:
		return ""
	}
	if fmt.Sprint(a) != fmt.Sprint(b) {
		return at
	}
	return ""
}

// layerLeft are the types of fields that the JSON of layers leaves out: they follow
// from the place that a layer is read from.
var layerLeft = []reflect.Type{
	reflect.TypeFor[cento.Position](), reflect.TypeFor[cento.Trust](), reflect.TypeFor[[]cento.Run](), reflect.TypeFor[*cento.GateOrigins](),
}

// jsonLeft are fields that the JSON of a type leaves out or reads otherwise, and why.
var jsonLeft = map[string]string{
	"contract.File Origin":      "a contract without a file has no positions",
	"contract.File single":      "positions",
	"contract.File keys":        "positions",
	"contract.File ids":         "positions",
	"contract.File contents":    "positions",
	"contract.File constraints": "positions",
}

// jsonSamples are valid values of types whose fields don't say what is valid.
var jsonSamples = map[reflect.Type][]any{
	reflect.TypeFor[contract.Contract](): {*sampleContract()},
	reflect.TypeFor[contract.File]():     {contract.File{Contract: sampleContract(), Trust: cento.TrustHost}},
	reflect.TypeFor[cento.Importance]():  {cento.Importance{}, cento.Required, cento.ImportanceOf(0), cento.ImportanceOf(-3)},
	reflect.TypeFor[layer.Contribution](): {
		layer.NewContribution("intro", "", ""), sampleContribution(),
		layer.Contribution{Slot: "x", Template: "prompts/a.md"}, layer.Contribution{},
	},
	reflect.TypeFor[layer.Resolved](): {layer.Resolved{Contribution: sampleContribution(), Layer: "team", Key: "k"}},
	reflect.TypeFor[layer.Entry]():    {layer.Text("a < b"), layer.Builtin(layer.CoreGuidance), layer.Slot("guidance"), layer.Slot("a b")},
	reflect.TypeFor[layer.Patch](): {
		layer.InsertSectionBefore("A", layer.Titled("", layer.Text("x"))),
		layer.Patch{Op: layer.InsertEntry, Section: "A", Anchor: "guidance", After: true, NewEntry: layer.Slot("y")},
	},
	reflect.TypeFor[layer.SlotLayer](): {
		layer.SlotLayer{Reset: true},
		layer.SlotLayer{Remove: []layer.Removal{{Key: "a"}}, Contributions: []layer.Contribution{sampleContribution()}},
	},
	reflect.TypeFor[layer.Layer](): {
		layer.Layer{}, layer.Layer{}.WithClearedSlot("guidance"), layer.Layer{}.WithTemplate(layer.DefaultTemplate()),
		layer.Layer{}.WithContributions(sampleContribution()).WithPatches(layer.InsertSectionBefore("A", layer.Untitled())),
	},
	reflect.TypeFor[project.Profile](): {
		project.Profile{Caps: []string{"a", "signal.x"}, Signals: map[string]json.RawMessage{"x": json.RawMessage(`"a < b"`)}},
	},
	reflect.TypeFor[reminder.Session](): {
		reminder.Session{ID: "s", Turn: 3, TurnBuilt: true, Reminders: []reminder.Reminder{{ID: "r", Body: "Be < kind.", FiredAtTurn: new(int64(3))}}},
	},
	reflect.TypeFor[reminder.Reminder](): {
		reminder.Reminder{Body: "Be < kind."},
		reminder.Reminder{ID: "r", Body: "b", Tags: []string{"t"}, DedupeKey: "d", TTLTurns: 2, PreserveOnCompact: true, Trust: cento.TrustWorkspace},
	},
}

func sampleContribution() layer.Contribution {
	c := layer.Guidance("Deploy", "Deploy <at> once.").RequiresTool("shell")
	c.RequiresAnyTools, c.RequiresCaps, c.ID, c.When = []string{"deploy", "push"}, []string{"x"}, "deploy", "a and b"
	c.Priority, c.Importance, c.Stability, c.Protected = -2, cento.Required, cento.Stability(1), true
	return c
}

func sampleContract() *contract.Contract {
	var facts contract.Context
	facts.Declare("more")
	facts.DeclareRoles("scout")
	facts.AddFacts("seeds", contract.Fact{ID: "a", Content: "x < y"}, contract.Fact{ID: "b", Content: ""})
	facts.AddFacts("more", contract.Fact{ID: "c", Content: "z"})
	c, err := contract.New("scout", "Find <it>.", facts, contract.NewOutput(contract.EmitPlan, "seeds").WithFormat(1))
	if err != nil {
		panic(err)
	}
	return c
}

// jsonTypes are all exported types that say how they are written as JSON.
var jsonTypes = []reflect.Type{
	reflect.TypeFor[cache.Billed](),
	reflect.TypeFor[cache.Cause](),
	reflect.TypeFor[cache.Cost](),
	reflect.TypeFor[cache.Deviation](),
	reflect.TypeFor[cache.Difference](),
	reflect.TypeFor[cache.Hint](),
	reflect.TypeFor[cache.Mark](),
	reflect.TypeFor[cache.Prediction](),
	reflect.TypeFor[cache.Report](),
	reflect.TypeFor[cache.StepReport](),
	reflect.TypeFor[cache.Sum](),
	reflect.TypeFor[cache.Witness](),
	reflect.TypeFor[cento.Active](),
	reflect.TypeFor[cento.Attribution](),
	reflect.TypeFor[cento.Bucket](),
	reflect.TypeFor[cento.Budget](),
	reflect.TypeFor[cento.BudgetPolicy](),
	reflect.TypeFor[cento.BudgetReport](),
	reflect.TypeFor[cento.CacheKind](),
	reflect.TypeFor[cento.CachedLoss](),
	reflect.TypeFor[cento.Caveats](),
	reflect.TypeFor[cento.Change](),
	reflect.TypeFor[cento.CurvePoint](),
	reflect.TypeFor[cento.Cut](),
	reflect.TypeFor[cento.Difference](),
	reflect.TypeFor[cento.Exclusion](),
	reflect.TypeFor[cento.Explanation](),
	reflect.TypeFor[cento.Files](),
	reflect.TypeFor[cento.Fragment](),
	reflect.TypeFor[cento.GateOrigins](),
	reflect.TypeFor[cento.Headings](),
	reflect.TypeFor[cento.HiddenPolicy](),
	reflect.TypeFor[cento.Host](),
	reflect.TypeFor[cento.HostOption](),
	reflect.TypeFor[cento.HostPart](),
	reflect.TypeFor[cento.Importance](),
	reflect.TypeFor[cento.Input](),
	reflect.TypeFor[cento.Limits](),
	reflect.TypeFor[cento.ListedSkill](),
	reflect.TypeFor[cento.Maker](),
	reflect.TypeFor[cento.Model](),
	reflect.TypeFor[cento.ModelCache](),
	reflect.TypeFor[cento.ModelCounting](),
	reflect.TypeFor[cento.ModelPrice](),
	reflect.TypeFor[cento.Note](),
	reflect.TypeFor[cento.NotedText](),
	reflect.TypeFor[cento.Policy](),
	reflect.TypeFor[cento.Position](),
	reflect.TypeFor[cento.PriceAbove](),
	reflect.TypeFor[cento.Primary](),
	reflect.TypeFor[cento.Provenance](),
	reflect.TypeFor[cento.Related](),
	reflect.TypeFor[cento.RemovedText](),
	reflect.TypeFor[cento.Replacement](),
	reflect.TypeFor[cento.Run](),
	reflect.TypeFor[cento.Sacrifice](),
	reflect.TypeFor[cento.Sacrificed](),
	reflect.TypeFor[cento.SectionForm](),
	reflect.TypeFor[cento.Severity](),
	reflect.TypeFor[cento.Span](),
	reflect.TypeFor[cento.SpanKind](),
	reflect.TypeFor[cento.Stability](),
	reflect.TypeFor[cento.Text](),
	reflect.TypeFor[cento.TextNote](),
	reflect.TypeFor[cento.TitleForm](),
	reflect.TypeFor[cento.TokenChange](),
	reflect.TypeFor[cento.Tool](),
	reflect.TypeFor[cento.ToolMember](),
	reflect.TypeFor[cento.ToolServer](),
	reflect.TypeFor[cento.Trace](),
	reflect.TypeFor[cento.TraceBudget](),
	reflect.TypeFor[cento.Trust](),
	reflect.TypeFor[cento.Unmet](),
	reflect.TypeFor[consent.Approval](),
	reflect.TypeFor[consent.Ask](),
	reflect.TypeFor[consent.ListedTool](),
	reflect.TypeFor[consent.Part](),
	reflect.TypeFor[consent.Server](),
	reflect.TypeFor[consent.ToolChange](),
	reflect.TypeFor[contract.Answer](),
	reflect.TypeFor[contract.AnswerFact](),
	reflect.TypeFor[contract.Constraint](),
	reflect.TypeFor[contract.Contract](),
	reflect.TypeFor[contract.Cost](),
	reflect.TypeFor[contract.Emit](),
	reflect.TypeFor[contract.Fact](),
	reflect.TypeFor[contract.File](),
	reflect.TypeFor[contract.Finding](),
	reflect.TypeFor[contract.Form](),
	reflect.TypeFor[contract.Format](),
	reflect.TypeFor[contract.Output](),
	reflect.TypeFor[contract.Report](),
	reflect.TypeFor[layer.Contribution](),
	reflect.TypeFor[layer.Entry](),
	reflect.TypeFor[layer.Layer](),
	reflect.TypeFor[layer.Patch](),
	reflect.TypeFor[layer.Rank](),
	reflect.TypeFor[layer.Removal](),
	reflect.TypeFor[layer.Resolved](),
	reflect.TypeFor[layer.Saved](),
	reflect.TypeFor[layer.Section](),
	reflect.TypeFor[layer.SlotLayer](),
	reflect.TypeFor[layer.Template](),
	reflect.TypeFor[lint.Baseline](),
	reflect.TypeFor[lint.Edit](),
	reflect.TypeFor[lint.Finding](),
	reflect.TypeFor[lint.Fix](),
	reflect.TypeFor[lint.KnownFinding](),
	reflect.TypeFor[pack.FrontMatter](),
	reflect.TypeFor[pack.Link](),
	reflect.TypeFor[pack.Use](),
	reflect.TypeFor[pack.Var](),
	reflect.TypeFor[pack.VarType](),
	reflect.TypeFor[project.Output](),
	reflect.TypeFor[project.PackState](),
	reflect.TypeFor[project.Profile](),
	reflect.TypeFor[reminder.Authority](),
	reflect.TypeFor[reminder.Event](),
	reflect.TypeFor[reminder.Message](),
	reflect.TypeFor[reminder.Moment](),
	reflect.TypeFor[reminder.MomentKind](),
	reflect.TypeFor[reminder.OpName](),
	reflect.TypeFor[reminder.Placement](),
	reflect.TypeFor[reminder.Propagate](),
	reflect.TypeFor[reminder.Reminder](),
	reflect.TypeFor[reminder.RoleHint](),
	reflect.TypeFor[reminder.SentEnvelope](),
	reflect.TypeFor[reminder.Session](),
	reflect.TypeFor[reminder.Source](),
	reflect.TypeFor[reminder.TruncatedOutput](),
	reflect.TypeFor[session.AdoptRequest](),
	reflect.TypeFor[session.Adopted](),
	reflect.TypeFor[session.Billed](),
	reflect.TypeFor[session.Changed](),
	reflect.TypeFor[session.ClearRequest](),
	reflect.TypeFor[session.CompactRequest](),
	reflect.TypeFor[session.DeleteRequest](),
	reflect.TypeFor[session.Drift](),
	reflect.TypeFor[session.DriftedFragment](),
	reflect.TypeFor[session.EndRequest](),
	reflect.TypeFor[session.ForkRequest](),
	reflect.TypeFor[session.Forked](),
	reflect.TypeFor[session.Listed](),
	reflect.TypeFor[session.Meta](),
	reflect.TypeFor[session.NameChange](),
	reflect.TypeFor[session.Own](),
	reflect.TypeFor[session.RematerialiseRequest](),
	reflect.TypeFor[session.Rematerialised](),
	reflect.TypeFor[session.RemindRequest](),
	reflect.TypeFor[session.SentRequest](),
	reflect.TypeFor[session.SetChange](),
	reflect.TypeFor[session.Shown](),
	reflect.TypeFor[session.StartRequest](),
	reflect.TypeFor[session.Started](),
	reflect.TypeFor[session.TouchRequest](),
	reflect.TypeFor[session.Touched](),
	reflect.TypeFor[session.Turn](),
	reflect.TypeFor[session.TurnRequest](),
	reflect.TypeFor[session.Usage](),
	reflect.TypeFor[session.UsageRequest](),
	reflect.TypeFor[skill.ClientList](),
	reflect.TypeFor[skill.Header](),
	reflect.TypeFor[skill.Reading](),
	reflect.TypeFor[skill.Skill](),
	reflect.TypeFor[store.Collected](),
	reflect.TypeFor[store.Committed](),
	reflect.TypeFor[store.Deleted](),
	reflect.TypeFor[store.Fault](),
	reflect.TypeFor[store.Fragment](),
	reflect.TypeFor[store.Imported](),
	reflect.TypeFor[store.Link](),
	reflect.TypeFor[store.Match](),
	reflect.TypeFor[store.Record](),
	reflect.TypeFor[store.Redaction](),
	reflect.TypeFor[store.Remainder](),
	reflect.TypeFor[store.SearchResult](),
	reflect.TypeFor[store.Session](),
	reflect.TypeFor[store.Stored](),
	reflect.TypeFor[store.Summary](),
	reflect.TypeFor[store.Verification](),
	reflect.TypeFor[wire.Block](),
	reflect.TypeFor[wire.Breakpoint](),
	reflect.TypeFor[wire.Cache](),
	reflect.TypeFor[wire.CacheObject](),
	reflect.TypeFor[wire.Form](),
	reflect.TypeFor[wire.Header](),
	reflect.TypeFor[wire.Loss](),
	reflect.TypeFor[wire.Message](),
	reflect.TypeFor[wire.ObjectName](),
	reflect.TypeFor[wire.PartKind](),
	reflect.TypeFor[wire.Piece](),
	reflect.TypeFor[wire.Result](),
	reflect.TypeFor[wire.Sectioning](),
	reflect.TypeFor[wire.Usage](),
	reflect.TypeFor[workspace.Effect](),
	reflect.TypeFor[workspace.File](),
	reflect.TypeFor[workspace.Instructions](),
	reflect.TypeFor[workspace.Permission](),
	reflect.TypeFor[workspace.Root](),
	reflect.TypeFor[workspace.Rule](),
	reflect.TypeFor[workspace.ScopeConfig](),
	reflect.TypeFor[workspace.ScopeRule](),
}
