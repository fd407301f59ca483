package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/strict"
)

// What is marshalled is what a file holds.
func TestMarshalJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contracts().Draw(t, "contract")
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), `\u0000`) {
			t.Skip("files hold no NUL")
		}
		f, err := ParseFile("c.json", data, cento.Limits{}, cento.TrustHost)
		if err != nil || !f.Equal(c) || !slices.Equal(f.Declared(), c.Declared()) {
			t.Fatalf("%v: %s", err, data)
		}
	})
}

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("contract.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("contract.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// Every contract of the archives that is read passes the schema, and so do the
// contract files of the sample repositories.
func TestSchemaTakesExamples(t *testing.T) {
	schema := compiledSchema(t)
	check := func(name string, data []byte) bool {
		if _, err := ParseFile(name, data, cento.Limits{}, cento.TrustHost); err != nil {
			return false
		}
		n, err := strict.Read(name, data, cento.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		text, err := n.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return true
	}
	read := 0
	found, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range found {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if strings.HasPrefix(f.Name, "contract.") && check(name+"/"+f.Name, f.Data) {
				read++
			}
		}
	}
	if read < 10 {
		t.Errorf("%d contracts were found", read)
	}
	if found, err = filepath.Glob("../internal/cli/testdata/repos/*/contracts/*"); err != nil || len(found) == 0 {
		t.Fatalf("%d contracts in the sample repositories, %v", len(found), err)
	}
	for _, name := range found {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !check(name, data) {
			t.Errorf("%s can't be read", name)
		}
	}
}

// The schema agrees with the reader on what a file may hold.
func TestSchema(t *testing.T) {
	if *archive.Update {
		if err := os.WriteFile("schema.json", append(Schema(), '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("schema.json")
	if err != nil || !bytes.Equal(append(Schema(), '\n'), want) {
		t.Fatalf("schema.json isn't what Schema gives, %v", err)
	}
	schema := compiledSchema(t)
	valid := func(text string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	base := `{"role":"proposer","objective":"x","output":{"emit":"fact","key":"seeds"}%s}`
	for more, good := range map[string]bool{
		``: true,
		`,"context":{"seeds":[{"id":"a","content":"b"}]}`:                   true,
		`,"context":{"seeds":null,"votes":[]}`:                              true,
		`,"context":[{"key":"seeds","facts":[{"id":"a"}]}]`:                 true,
		`,"context":null,"constraints":null,"keys":null`:                    true,
		`,"constraints":["no-invent","cite-sources"]`:                       true,
		`,"keys":["risks"],"context":{"risks":[{"id":"a","content":null}]}`: true,
		`,"constraints":["no-invents"]`:                                     false,
		`,"constraints":["no-invent","no-invent"]`:                          false,
		`,"context":[{"key":"seeds"}]`:                                      false,
		`,"context":{"Seeds":[]}`:                                           false,
		`,"context":{"seeds":[{"content":"x"}]}`:                            false,
		`,"context":{"seeds":[{"id":"a","text":"x"}]}`:                      false,
		`,"context":{"seeds":["a"]}`:                                        false,
		`,"keys":["No"]`:                                                    false,
		`,"roles":["auditor"]`:                                              true,
		`,"roles":null`:                                                     true,
		`,"roles":["No"]`:                                                   false,
		`,"more":1`:                                                         false,
	} {
		text := fmt.Sprintf(base, more)
		_, err := ParseFile("c.json", []byte(text), cento.Limits{}, cento.TrustHost)
		if s := valid(text); (s == nil) != good || (err == nil) != good {
			t.Errorf("%s: schema %v, reader %v", more, s, err)
		}
	}
	for _, text := range []string{
		`{"role":"poser","objective":"x","output":{"emit":"fact","key":"seeds"}}`,
		`{"role":"proposer","output":{"emit":"fact","key":"seeds"}}`,
		`{"role":"proposer","objective":"x"}`,
		`{"role":"proposer","objective":"x","output":{"emit":"facts","key":"seeds"}}`,
		`{"role":"proposer","objective":"x","output":{"emit":"fact"}}`,
		`{"role":"proposer","objective":"x","output":{"emit":"fact","key":"seeds","format":"yaml"}}`,
	} {
		if valid(text) == nil {
			t.Errorf("the schema allows %s", text)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		data, err := json.Marshal(contracts().Draw(t, "contract"))
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(string(data)); err != nil {
			t.Fatal(err)
		}
	})
}

// words counts words, which is no token count of anybody.
type words struct{}

func (words) Name() string          { return "words" }
func (words) Exact() bool           { return false }
func (words) Count(text string) int { return len(strings.Fields(text)) }

func TestCosts(t *testing.T) {
	c := exampleContract(t)
	var forms []Form
	for cost := range Costs(c, words{}) {
		text := c.Text(cost.Form)
		if cost.Bytes != len(text) || cost.Tokens != len(strings.Fields(text)) || cost.Exact {
			t.Errorf("%+v", cost)
		}
		forms = append(forms, cost.Form)
	}
	if !slices.Equal(forms, Forms()) {
		t.Error(forms)
	}
}

func TestNames(t *testing.T) {
	for _, form := range Forms() {
		var back Form
		name, err := form.MarshalText()
		if err != nil || back.UnmarshalText(name) != nil || back != form {
			t.Errorf("%s, %v", name, err)
		}
	}
	var f Format
	if _, err := NoFormat.MarshalText(); err == nil || f.UnmarshalText(nil) == nil {
		t.Error("no format has a name")
	}
	if len(builtinKeys) != 12 {
		t.Error(builtinKeys)
	}
}
