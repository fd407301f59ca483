package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/storetest"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/sqlite"
)

// full is a project whose input has something in nearly every field.
func full(t *testing.T) *project.Project {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cento.yaml": `version: 1
system: You are careful.
agent: {name: Zelda}
host: {system_preamble: [{content: Before all.}], system_suffix: At the end.}
vars: {mode: {type: string, default: fast}}
tools: [{name: shell, guidance: Prefer make., parameters: {type: object}}]
scope: {allow: [{target: ., permission: write}]}
fragments:
  - {id: mode, template: $workspace/mode}
  - {id: git, when: "cap('git')", body: Commit often.}
`,
		".cento/prompts/mode.md":   "Mode {{ vars.mode }} in {{ agent.name }}.",
		".cento/prompts.yaml":      "prompt:\n  environment: The day is {{ date }}.\n",
		".cento/skills/a/SKILL.md": "---\nname: a\ndescription: Does it.\n---\nHow.\n",
		"AGENTS.md":                "Run the tests.\n",
		"go.mod":                   "module x\n\ngo 1.24\n",
	} {
		treetest.File(t, dir, name, text)
	}
	p, err := project.Open(t.Context(), project.Request{
		Dir: dir, Model: "gpt-5", Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC), Caps: []string{"git"}, Vars: json.RawMessage(`{"given":1}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Input.Reminders = reminder.Fragments([]reminder.Reminder{{ID: "r", Body: "Tests are red."}})
	return p
}

// changes are copies of an input, in each of which one value is another: every field
// that there is, in whatever depth, so that no new one is forgotten.
func changes(in cento.Input) (paths []string, all []cento.Input) {
	var walk func(path string, at func(root reflect.Value) reflect.Value, v reflect.Value, depth int)
	change := func(path string, at func(reflect.Value) reflect.Value, set func(reflect.Value)) {
		text, _ := json.Marshal(in)
		var next cento.Input
		if err := json.Unmarshal(text, &next); err != nil {
			panic(err)
		}
		set(at(reflect.ValueOf(&next).Elem()))
		paths, all = append(paths, path), append(all, next)
	}
	walk = func(path string, at func(reflect.Value) reflect.Value, v reflect.Value, depth int) {
		switch raw, isRaw := v.Interface().(json.RawMessage); {
		case isRaw:
			value := json.RawMessage(`{"mode":"slow"}`)
			if string(raw) == string(value) {
				value = json.RawMessage(`{}`)
			}
			change(path, at, func(x reflect.Value) { x.Set(reflect.ValueOf(value)) })
			return
		case v.Type() == reflect.TypeFor[time.Time]():
			change(path, at, func(x reflect.Value) { x.Set(reflect.ValueOf(v.Interface().(time.Time).Add(25 * time.Hour))) })
			return
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() {
					walk(path+"."+f.Name, func(r reflect.Value) reflect.Value { return at(r).Field(i) }, v.Field(i), depth+1)
				}
			}
		case reflect.Pointer:
			if v.IsNil() {
				change(path+"(set)", at, func(x reflect.Value) { x.Set(reflect.New(x.Type().Elem())) })
				return
			}
			change(path+"(nil)", at, func(x reflect.Value) { x.SetZero() })
			walk(path, func(r reflect.Value) reflect.Value { return at(r).Elem() }, v.Elem(), depth)
		case reflect.Slice:
			change(path+"(more)", at, func(x reflect.Value) { x.Set(reflect.Append(x, reflect.Zero(x.Type().Elem()))) })
			if v.Len() > 0 {
				change(path+"(less)", at, func(x reflect.Value) { x.Set(x.Slice(0, x.Len()-1)) })
				if depth < 12 {
					walk(path+"[0]", func(r reflect.Value) reflect.Value { return at(r).Index(0) }, v.Index(0), depth+1)
				}
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				change(path+"(less)", at, func(x reflect.Value) { x.SetMapIndex(key, reflect.Value{}) })
				change(path+"(other)", at, func(x reflect.Value) {
					value := reflect.New(x.Type().Elem()).Elem()
					value.Set(x.MapIndex(key))
					if value.Kind() == reflect.String {
						value.SetString("Another text.")
					} else {
						value.FieldByName("Body").SetString("Another text.")
					}
					x.SetMapIndex(key, value)
				})
			}
		case reflect.String:
			change(path, at, func(x reflect.Value) { x.SetString(x.String() + "x") })
		case reflect.Bool:
			change(path, at, func(x reflect.Value) { x.SetBool(!x.Bool()) })
		case reflect.Int, reflect.Int64: // a limit of 1 is met, one of 0 is the default
			change(path, at, func(x reflect.Value) { x.SetInt(max(1, 2-x.Int())) })
		case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			change(path, at, func(x reflect.Value) { x.SetUint(x.Uint() + 1) })
		case reflect.Float64:
			change(path, at, func(x reflect.Value) { x.SetFloat(x.Float() + 1) })
		default:
			panic(fmt.Sprintf("%s is a %s: say how it changes", path, v.Kind()))
		}
	}
	walk("Input", func(r reflect.Value) reflect.Value { return r }, reflect.ValueOf(in), 0)
	return paths, all
}

// Whatever is changed in a collected input, each way of making its prompt obeys, and
// all of them give the same one: the project that collected it, the engine that was
// made for the input before, the input alone, and a session.
func TestEveryWayObeysTheInput(t *testing.T) {
	lengthtest.NotShort(t, "every input by every way")
	p := full(t)
	engine, err := pack.NewEngine(p.Input)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(t.Context(), storetest.SQLite(t), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sessions := session.New(s)
	said := func(prompt *cento.Prompt, err error) string {
		if err != nil {
			return "error: " + err.Error()
		}
		text, ok := prompt.System()
		return fmt.Sprint(ok, " ", text)
	}
	same := said(p.Reduce(p.Input))
	if strings.HasPrefix(same, "error") {
		t.Fatal(same)
	}
	paths, all := changes(p.Input)
	heard := map[string]bool{}
	for i, in := range all {
		want := said(pack.Reduce(in))
		if want != same {
			heard[strings.SplitN(strings.TrimPrefix(paths[i], "Input."), ".", 2)[0]] = true
		}
		if got := said(p.Reduce(in)); got != want {
			t.Errorf("%s: the project gives\n%s\nand the input alone\n%s", paths[i], got, want)
		}
		if got := said(engine.Reduce(in)); got != want {
			t.Errorf("%s: the engine gives\n%s\nand the input alone\n%s", paths[i], got, want)
		}
		id := fmt.Sprint("s", i)
		_, err := sessions.Start(t.Context(), session.StartRequest{ID: id}, func(context.Context, session.Reading) (cento.Input, error) { return in, nil })
		got := "error: "
		if err != nil {
			got += err.Error()
		} else {
			text, ok, _ := sessions.System(t.Context(), id)
			got = fmt.Sprint(ok, " ", text)
		}
		refused := err != nil && strings.HasPrefix(want, "error: ") // it stores the input first
		if got != want && !refused {
			t.Errorf("%s: a session gives\n%s\nand the input alone\n%s", paths[i], got, want)
		}
	}
	if len(all) < 200 {
		t.Errorf("%d changes: the test looks at too little", len(all))
	}
	for _, field := range []string{"Active", "Host", "Primary", "Fragments", "Tools", "Reminders", "Boundaries", "Instructions", "Files", "Limits"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(heard)), func(f string) bool { return strings.HasPrefix(f, field) }) {
			t.Errorf("no change of %s is seen in the prompt", field)
		}
	}
	// So it is where the change is made in a map that all copies have.
	p.Input.Files.Sources["$workspace/mode.md"] = "Another text."
	if got, want := said(p.Reduce(p.Input)), said(pack.Reduce(p.Input)); got != want || !strings.Contains(got, "Another text.") {
		t.Errorf("the project gives\n%s\nand the input alone\n%s", got, want)
	}
}
