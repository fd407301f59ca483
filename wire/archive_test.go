package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	tokens "github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
)

// archivedRequest is a request as the archives write it. testdata/forms/README.md says
// what its members mean.
type archivedRequest struct {
	Form      wire.Form        `json:"form"`
	Model     *cento.Model     `json:"model"`
	Fragments []cento.Fragment `json:"fragments"`
	Tools     []cento.Tool     `json:"tools"`
	Active    []string         `json:"active"`
	Messages  []wire.Message   `json:"messages"`
	Reminder  []cento.Fragment `json:"reminder"`
	System    bool             `json:"reminder_in_system"`
	Cache     wire.Cache       `json:"cache"`
	MaxTokens int              `json:"max_tokens"`
	Extra     json.RawMessage  `json:"extra"`
	Sections  wire.Sectioning  `json:"sections"`
	Encoding  string           `json:"encoding"`
	Budget    int              `json:"budget"`
}

var forms = archive.Cases{
	Folder: "testdata/forms", Inputs: []string{"request.json"},
	Results: []string{"want/url", "want/body.json", "want/losses", "want/cache_object.json", "want/error"},
	Always:  []string{"want/url", "want/body.json", "want/losses", "want/cache_object.json", "want/error"},
}

// TestForms holds the bodies of requests against the archives, byte for byte.
func TestForms(t *testing.T) {
	forms.Run(t, func(t *testing.T, files map[string]string) map[string]string {
		d := json.NewDecoder(strings.NewReader(files["request.json"]))
		d.DisallowUnknownFields()
		var a archivedRequest
		if err := d.Decode(&a); err != nil {
			t.Fatal(err)
		}
		var counter cento.Counter
		if a.Encoding != "" {
			var err error
			if counter, err = tokens.LookupCounter(a.Encoding); err != nil {
				t.Fatal(err)
			}
		}
		var budget *cento.Budget
		if a.Budget > 0 {
			budget = &cento.Budget{Tokens: a.Budget, Counter: counter}
		}
		r := wire.Request{
			Form: a.Form, Model: a.Model, Prompt: reduced(t, a.Fragments, budget), Tools: a.Tools, Active: a.Active, Messages: a.Messages,
			Reminders: wire.Reminders{Envelope: reduced(t, a.Reminder, nil), System: a.System}, Cache: a.Cache, MaxTokens: a.MaxTokens,
			Extra: a.Extra, Sections: a.Sections, Counter: counter,
		}
		out, err := wire.Build(r)
		if err != nil {
			return map[string]string{"want/error": archive.Error(t, err)}
		}
		got := map[string]string{"want/body.json": out.Body + "\n"}
		if out.URLPath != "" {
			got["want/url"] = out.URLPath + "\n"
		}
		var losses strings.Builder
		for _, l := range out.Losses {
			certain := ""
			if l.Severity == cento.SeverityError {
				certain = "error: "
			}
			fmt.Fprintln(&losses, strings.Join(strings.Fields(fmt.Sprint(l.Code, " ", l.Fragment, " ", l.Pointer)), " ")+": "+certain+l.Message)
		}
		if losses.Len() > 0 {
			got["want/losses"] = losses.String()
		}
		if o := out.CacheObject; o != nil {
			got["want/cache_object.json"] = o.Body + "\n"
		}
		return got
	})
}

// reduced is the prompt of fragments within a budget, if there is one; nil of none.
func reduced(t *testing.T, fragments []cento.Fragment, budget *cento.Budget) *cento.Prompt {
	t.Helper()
	if len(fragments) == 0 {
		return nil
	}
	p, err := cento.ReduceFragments(fragments, cento.Active{}, cento.Options{Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFormsAreWhole: every form has an archive, and every code of a loss two that are
// named for it: one shows it, the other a request like it that loses nothing.
func TestFormsAreWhole(t *testing.T) {
	forms.NoOrphans(t)
	paths, err := filepath.Glob("testdata/forms/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	for _, form := range wire.Forms() {
		if !bytes.Contains(all, []byte(`"form": "`+form+`"`)) {
			t.Errorf("no archive shows the form %s", form)
		}
	}
	codes := lossCodes(t)
	if len(codes) < 10 {
		t.Fatalf("%d codes of losses: the test looks at the wrong place", len(codes))
	}
	for _, code := range codes {
		if code == string(wire.CodeCacheUnknown) {
			continue // package cache reports it, and its tests show it
		}
		_, name, _ := strings.Cut(code, ".")
		path := "testdata/forms/loss_" + name + ".txtar"
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Errorf("the loss %s has no archive of its own: %v", code, err)
			continue
		}
		if !slices.ContainsFunc(a.Files, func(f txtar.File) bool { return f.Name == "want/losses" && loses(f.Data, code) }) {
			t.Errorf("%s doesn't show the loss %s", path, code)
		}
		path = "testdata/forms/kept_" + name + ".txtar"
		if a, err = txtar.ParseFile(path); err != nil {
			t.Errorf("no archive shows a request that doesn't have the loss %s: %v", code, err)
			continue
		}
		if slices.ContainsFunc(a.Files, func(f txtar.File) bool { return f.Name == "want/losses" || f.Name == "want/error" }) {
			t.Errorf("%s loses something", path)
		}
	}
}

// loses reports whether a line of want/losses has the code.
func loses(losses []byte, code string) bool {
	for line := range bytes.Lines(losses) {
		if at := bytes.IndexAny(line, " :"); at >= 0 && string(line[:at]) == code {
			return true
		}
	}
	return false
}

// lossCodes are the constants beside the type of losses.
func lossCodes(t *testing.T) (codes []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "result.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if x, ok := spec.Type.(*ast.SelectorExpr); ok && x.Sel.Name == "Code" {
			for _, v := range spec.Values {
				code, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				codes = append(codes, code)
			}
		}
		return true
	})
	return codes
}
