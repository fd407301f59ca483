package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/contract"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// TestArchives runs the cases of testdata/manifest; its README says what the
// files of an archive are.
func TestArchives(t *testing.T) {
	for _, file := range archives(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(bytes.TrimSpace(a.Comment)) == 0 {
				t.Error("the archive doesn't say which rule it shows")
			}
			got := map[string]string{}
			var inputs []txtar.File
			for _, f := range a.Files {
				if !strings.HasPrefix(f.Name, "want/") {
					inputs = append(inputs, f)
					read(t, f, got)
				}
			}
			if len(inputs) == 0 {
				t.Fatal("the archive holds nothing to read")
			}
			want := map[string]string{}
			for _, f := range a.Files {
				if strings.HasPrefix(f.Name, "want/") {
					want[f.Name] = string(f.Data)
				}
			}
			if *update {
				a.Files = inputs
				for _, name := range slices.Sorted(maps.Keys(got)) {
					a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(got[name])})
				}
				if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func archives(t testing.TB) []string {
	files, err := filepath.Glob("testdata/manifest/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives in testdata/manifest: %v", err)
	}
	return files
}

// read reads one input and adds what came out under the name it is wanted by.
func read(t *testing.T, f txtar.File, got map[string]string) {
	name := strings.TrimSuffix(f.Name, filepath.Ext(f.Name))
	var v any
	var err error
	switch name {
	case "cento":
		m, e := ParseManifest(f.Name, f.Data)
		if e == nil {
			v = beyond(t, m, Defaults())
			for _, target := range m.Targets() {
				tm, err := m.Target(target)
				add(t, got, "target-"+target, func() any { return beyond(t, tm, m) }, err)
			}
		}
		err = e
		name = "manifest"
	case "config":
		var c userConfig
		c, err = parseConfig(f.Name, f.Data, cento.DefaultLimits())
		v = map[string]any{"layers": c.layers, "skills": c.skills, "prompt": c.wording, "store": c.store}
	case "tools":
		v, err = ReadTools(f.Name, f.Data, cento.Limits{})
	case "fragments":
		v, err = ReadFragments(f.Name, f.Data, cento.Limits{})
	case "reduce":
		v, err = ParseReduce(f.Name, f.Data, cento.Limits{})
	case "scope":
		v, err = ParseScope(f.Name, f.Data, cento.Limits{})
	case "render":
		v, err = ParseRender(f.Name, f.Data, cento.Limits{})
	case "contract":
		var r *contract.Request
		if r, err = contract.ParseRequest(f.Name, f.Data, cento.Limits{}); err == nil {
			v, err = r.Do()
		}
	default:
		t.Fatalf("nothing reads %s", f.Name)
	}
	add(t, got, name, func() any { return v }, err)
}

func add(t *testing.T, got map[string]string, name string, value func() any, err error) {
	if err != nil {
		got["want/"+name+".error.txt"] = show(t, err)
		return
	}
	got["want/"+name+".json"] = indented(t, value())
}

// beyond is what differs in a manifest from another; null is what only the
// other has.
func beyond(t *testing.T, m, from any) map[string]any {
	said := object(t, m)
	for k, v := range object(t, from) {
		if reflect.DeepEqual(said[k], v) {
			delete(said, k)
		} else if _, ok := said[k]; !ok {
			said[k] = nil
		}
	}
	return said
}

func object(t *testing.T, v any) map[string]any {
	var m map[string]any
	if err := json.Unmarshal([]byte(indented(t, v)), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// indented writes JSON for people: what fits on a line stands on one.
func indented(t *testing.T, v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(spread(nil, bytes.TrimSpace(b.Bytes()), "\n")) + "\n"
}

func spread(dst, value []byte, line string) []byte {
	const width = 100
	if len(value) <= width || value[0] != '{' && value[0] != '[' {
		return append(dst, value...)
	}
	dst = append(dst, value[0])
	depth, from, quoted := 0, 1, false
	for i := 1; i < len(value); i++ {
		switch c := value[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case depth == 0 && (c == ',' || i == len(value)-1):
			dst = append(dst, line+" "...)
			item := value[from:i]
			if item[0] == '"' && value[0] == '{' {
				key := bytes.Index(item, []byte(`":`)) + 2
				dst = append(append(dst, item[:key]...), ' ')
				item = item[key:]
			}
			dst = spread(dst, item, line+" ")
			if c == ',' {
				dst = append(dst, ',')
			}
			from = i + 1
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return append(append(dst, line...), value[len(value)-1])
}

// show gives an error as a reader sees it: place and message, code, related
// places, hint.
func show(t *testing.T, err error) string {
	var list []*cento.SourceError
	if all, ok := errors.AsType[*cento.Errors](err); ok {
		list = all.List
	} else if e, ok := errors.AsType[*cento.SourceError](err); ok {
		list = []*cento.SourceError{e}
	} else {
		t.Fatalf("an error without a place: %v", err)
	}
	var b strings.Builder
	for _, e := range list {
		b.WriteString(e.Error() + "\n  code: " + string(e.Code) + "\n")
		for _, r := range e.Related {
			b.WriteString("  " + r.Position.String() + ": " + r.Message + "\n")
		}
		if e.Hint != "" {
			b.WriteString("  hint: " + e.Hint + "\n")
		}
	}
	return b.String()
}
