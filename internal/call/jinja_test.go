package call_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/rogpeppe/go-internal/txtar"
)

// otherwise are cases whose result by way of render is another one, and why.
var otherwise = map[string]string{
	"differences/debug":            "debug() prints what prompt files have besides vars",
	"functions/debug":              "as above",
	"differences/import_context":   "an import sees the context, and vars in it, not what the file around it sets",
	"statements/import":            "as above",
	"differences/static_include":   "render names a missing file by its reference",
	"differences/static_extends":   "as above",
	"errors/include_missing":       "as above",
	"errors/include_dynamic":       "as above",
	"errors/include_chain":         "as above",
	"jinja2/fails_missing_include": "as above",
	"differences/self_include":     "as above",
	"errors/include_itself":        "as above",
	"errors/include_cycle":         "as above",
	"errors/import_name":           "as above",
	"errors/required_block":        "as above",
	"errors/import_attribute":      "as above",
	"errors/host_error":            "the function is a host's",
	"functions/host":               "as above",
	"jinja2/fails_raise":           "as above",
}

// TestJinjaCases: what the engine's cases expect of a template comes out of the
// operation render too, where the values are `vars` and the templates prompt files.
// The first file of a request hands the values over by their names.
func TestJinjaCases(t *testing.T) {
	paths, err := filepath.Glob("../../jinja/testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	met := map[string]bool{}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range jinjaCases(t, ar) {
			name := strings.TrimSuffix(filepath.Base(path), ".txtar") + "/" + c.name
			if c.options != "" {
				continue // a request has no options of the engine
			}
			met[name] = true
			if otherwise[name] == "" {
				t.Run(name, func(t *testing.T) { c.run(t) })
			}
		}
	}
	for name := range otherwise {
		if !met[name] {
			t.Errorf("there is no case %s", name)
		}
	}
}

type jinjaCase struct {
	name, context, options string
	files                  map[string]string
	want                   string
	failure                string
}

func jinjaCases(t *testing.T, ar *txtar.Archive) []*jinjaCase {
	t.Helper()
	var all []*jinjaCase
	context, options := "{}", ""
	for _, f := range ar.Files {
		text := string(f.Data)
		name, rest, _ := strings.Cut(f.Name, "/")
		if rest == "template" {
			all = append(all, &jinjaCase{name: name, context: context, options: options, files: map[string]string{"main": text}})
			continue
		}
		switch f.Name {
		case "context.json":
			context = text
			continue
		case "options":
			options = text
			continue
		}
		i := slices.IndexFunc(all, func(c *jinjaCase) bool { return c.name == name })
		if i < 0 {
			t.Fatalf("%s belongs to no case", f.Name)
		}
		switch c := all[i]; {
		case rest == "context.json":
			c.context = text
		case rest == "options":
			c.options = text
		case rest == "want":
			c.want = text
		case rest == "error":
			// The kind, then the place with the message, then the source.
			c.failure = strings.SplitN(text, "\n", 3)[1]
		case strings.HasPrefix(rest, "templates/"):
			c.files[strings.TrimPrefix(rest, "templates/")] = text
		}
	}
	return all
}

func (c *jinjaCase) run(t *testing.T) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal([]byte(c.context), &values); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for name, text := range c.files {
		files["$workspace/"+name] = text
	}
	var root strings.Builder
	for name := range values {
		if name == "none" {
			continue // a word of the language
		}
		root.WriteString("{% set " + name + " = vars[\"" + name + "\"] -%}\n")
	}
	root.WriteString("{% include \"main\" %}")
	files["$workspace/hand over"] = root.String()
	request, err := json.Marshal(map[string]any{"files": files, "root": "$workspace/hand over", "vars": json.RawMessage(c.context)})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := call.Answer(t.Context(), "render", request, call.Options{})
	if c.failure != "" {
		place, message, _ := strings.Cut(c.failure, ": ")
		message, near, _ := strings.Cut(message, "; nearest is ") // in single quotes in the hint
		e, ok := errors.AsType[*cento.SourceError](err)
		if !ok || !strings.HasSuffix(err.Error(), message) || !strings.HasSuffix(e.Position.String(), place) || !strings.Contains(e.Hint, strings.Trim(near, "\"")) {
			t.Errorf("the error is %v, want %s", err, c.failure)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.(*app.Rendering).Text; got+"\n" != c.want {
		t.Errorf("got %q, want %q", got, c.want)
	}
}
