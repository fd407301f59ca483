package manifest

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/strict"
)

// archives are what is read from files and requests; the README of testdata says what the
// files of an archive are.
var archives = archive.Cases{
	Folder:  "testdata",
	Inputs:  slices.Sorted(maps.Keys(readers)),
	Results: []string{"want/*"},
	Always:  []string{"want/*"},
}

func TestArchives(t *testing.T) {
	archives.Run(t, func(t *testing.T, files map[string]string) map[string]string {
		got := map[string]string{}
		for file, text := range files {
			name, _, _ := strings.Cut(file, ".")
			if name == "cento" {
				name = "manifest"
				targets(t, file, text, got)
			}
			v, err := readers[file](t, file, []byte(text))
			add(t, got, name, func() any { return v }, err)
		}
		return got
	})
	archives.NoOrphans(t)
}

// inputReader reads an input of a case.
type inputReader = func(t *testing.T, file string, data []byte) (any, error)

// readers are what reads each input, by its name.
var readers = map[string]inputReader{
	"cento.yaml": func(t *testing.T, file string, data []byte) (any, error) {
		m, err := Parse(file, data)
		if err != nil {
			return nil, err
		}
		return beyond(t, m, Defaults()), nil
	},
	"config.yaml": func(t *testing.T, file string, data []byte) (any, error) {
		c, err := ParseConfig(file, data, cento.DefaultLimits())
		out := map[string]any{"layers": c.Layers, "skills": c.Skills, "prompt": c.Wording, "store": c.Store}
		for name, v := range map[string]any{"fragments": c.Fragments, "allow": c.Scope.Allow, "deny": c.Scope.Deny, "policy": c.Policy} {
			if !reflect.ValueOf(v).IsZero() {
				out[name] = v
			}
		}
		if c.Limits != cento.DefaultLimits() {
			out["limits"] = c.Limits
		}
		return out, err
	},
	"tools.json":     reader(ReadTools),
	"tools.yaml":     reader(ReadTools),
	"fragments.json": reader(readFragments),
	"reduce.json":    reader(ParseReduce),
	"scope.json":     reader(ParseScope),
	"render.json":    reader(ParseRender),
}

func reader[T any](read func(string, []byte, cento.Limits) (T, error)) inputReader {
	return func(_ *testing.T, file string, data []byte) (any, error) { return read(file, data, cento.Limits{}) }
}

// targets adds what each target of a manifest changes.
func targets(t *testing.T, file, text string, got map[string]string) {
	m, err := Parse(file, []byte(text))
	if err != nil {
		return
	}
	for _, target := range m.Targets() {
		tm, err := m.Target(target)
		add(t, got, "target-"+target, func() any { return beyond(t, tm, m) }, err)
	}
}

func add(t *testing.T, got map[string]string, name string, value func() any, err error) {
	if err != nil {
		got["want/"+name+".error.txt"] = archive.Error(t, err)
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

// readFragments reads a list of fragments as a request carries it, JSON or YAML
// by the name's end. Their trust is that of the host unless they say a lower one, their source is the id
// unless they say another. They come from no file, so they have no origin.
// Limits that are 0 are the defaults.
func readFragments(name string, data []byte, limits cento.Limits) ([]cento.Fragment, error) {
	n, err := strict.Read(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustHost}
	var files []fragmentFile
	d.Decode(n, &files)
	out := fragments(&d, files, "", false)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return withoutOrigin(out), nil
}
