package serve

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

type inner struct {
	Name  string `json:"name"`
	Below *inner `json:"below,omitempty"`
}

type embedded struct {
	Own    int  `json:"own"`
	Hidden bool `json:"shared,omitempty"`
}

type Pointed struct{ Far uint8 }

type everyForm struct {
	embedded
	*Pointed
	Shared  string           `json:"shared"`
	Text    string           `json:"text"`
	Truth   bool             `json:"truth"`
	Part    float32          `json:"part"`
	Number  int64            `json:"number"`
	Bytes   []byte           `json:"bytes"`
	List    []inner          `json:"list"`
	Pair    [2]int           `json:"pair"`
	Map     map[string]bool  `json:"map,omitzero"`
	Maybe   *string          `json:"maybe"`
	When    time.Time        `json:"when"`
	Spelled netip.Addr       `json:"spelled"`
	Raw     json.RawMessage  `json:"raw,omitempty"`
	Any     any              `json:"any"`
	Chars   map[string][]int `json:"-"`
	NoTag   string
	private string
}

// TestSchemas: a type stands in the document as encoding/json writes it: what may be null,
// what may be absent, and what of an embedded one is its own. A struct stands there once.
func TestSchemas(t *testing.T) {
	_ = everyForm{private: ""}.private
	d := begun()
	ref := d.schema(reflect.TypeFor[everyForm]())
	if ref.Ref != "#/components/schemas/serve.everyForm" || d.schema(reflect.TypeFor[everyForm]()).Ref != ref.Ref {
		t.Errorf("it is named %s", ref.Ref)
	}
	null := func(schema string) string { return `{"anyOf":[` + schema + `,{"type":"null"}]}` }
	const of = `{"$ref":"#/components/schemas/serve.inner"}`
	want := map[string]string{
		"own": `{"type":"integer"}`, "Far": `{"type":"integer"}`, "shared": `{"type":"string"}`, "text": `{"type":"string"}`, "truth": `{"type":"boolean"}`, "part": `{"type":"number"}`, "number": `{"type":"integer"}`,
		"bytes": `{"format":"byte","type":"string"}`, "list": null(`{"items":` + of + `,"type":"array"}`), "pair": `{"items":{"type":"integer"},"maxItems":2,"minItems":2,"type":"array"}`,
		"map": null(`{"additionalProperties":{"type":"boolean"},"type":"object"}`), "maybe": null(`{"type":"string"}`), "when": `{"format":"date-time","type":"string"}`, "spelled": `{"type":"string"}`,
		"raw": `{"description":"as docs/FORMATS.md describes it"}`, "any": `{}`, "NoTag": `{"type":"string"}`,
	}
	all := d.Components.Schemas.Map()
	got := all["serve.everyForm"]
	for name, schema := range got.Properties {
		b, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		if string(b) != want[name] {
			t.Errorf("%s is %s, want %s", name, b, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("it lacks %v", want)
	}
	if got.Type != "object" || strings.Join(got.Required, " ") != "Far NoTag any bytes list maybe number own pair part shared spelled text truth when" {
		t.Errorf("of type %s it requires %q", got.Type, got.Required)
	}
	if below := all["serve.inner"]; below == nil || strings.Join(below.Required, " ") != "name" || len(below.Properties) != 2 {
		t.Errorf("what leads back to itself is %+v", below)
	}
	defer func() {
		if recover() == nil {
			t.Error("a struct without a name has one")
		}
	}()
	d.schema(reflect.TypeFor[struct{ X int }]())
}

// TestMoved: the references of a schema lead to where the definitions stand in the document,
// at any depth, and nothing else of it changes.
func TestMoved(t *testing.T) {
	var schema any
	if err := json.Unmarshal([]byte(`{"$ref": "#/$defs/a", "items": [{"$ref": "#/$defs/b"}, "$ref", 3], "properties": {"$ref": {"type": "string"}}}`), &schema); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(moved(schema))
	if want := `{"$ref":"#/components/schemas/request.a","items":[{"$ref":"#/components/schemas/request.b"},"$ref",3],"properties":{"$ref":{"type":"string"}}}`; err != nil || string(b) != want {
		t.Errorf("%v: %s, want %s", err, b, want)
	}
}
