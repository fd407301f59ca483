package sdktest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// TestOllamaSchemas: each keyword with each kind of value, at each depth of a tool's schema,
// is told as refused where Ollama's library can't read the request, as dropped where it comes
// back without the keyword, and not at all where it comes back whole.
func TestOllamaSchemas(t *testing.T) {
	places := map[string]string{ // a schema with a hole for a member
		"top":           `{"type":"object","properties":{"a":{"type":"string"}},%s}`,
		"property":      `{"type":"object","properties":{"a":{%s}}}`,
		"of a property": `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{%s}}}}}`,
		"alternative":   `{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{%s}]}}}`,
		"item":          `{"type":"object","properties":{"a":{"type":"array","items":{%s}}}}`,
		"properties":    `{"type":"object","properties":{"a":{"type":"object","properties":%s}}}`,
		"alternatives":  `{"type":"object","properties":{"a":{"anyOf":%s}}}`,
	}
	keywords := []string{
		"$defs", "$ref", "additionalProperties", "allOf", "anyOf", "const", "default", "description", "enum", "format", "items", "minLength", "minimum", "not", "oneOf", "pattern", "properties", "required", "title", "type",
	}
	values := []string{`true`, `7`, `"x"`, `["x"]`, `["x",7]`, `[{"type":"string"}]`, `{"x":{"type":"string"}}`, `{"x":true}`, `[{"type":"string"},false]`}
	refused, dropped, kept := 0, 0, 0
	check := func(place, schema string) {
		if strings.HasPrefix(schema, `{"type":"object","properties":{"a":{"type":"string"}},"properties"`) || strings.HasPrefix(place, "top type") {
			return // the member is there
		}
		r := wire.Request{
			Form: wire.Ollama, Model: &cento.Model{Name: "m"}, Messages: []wire.Message{{Role: "user", Text: "x"}},
			Tools: []cento.Tool{{Name: "t", Parameters: json.RawMessage(schema)}},
		}
		got, err := wire.Build(r)
		if err != nil {
			t.Errorf("%s: %v", place, err)
			return
		}
		said := map[string]int{}
		for _, l := range got.Losses {
			_, word, _ := strings.Cut(l.Message, "Ollama ")
			word, _, _ = strings.Cut(word, " ")
			said[word]++
		}
		var body api.ChatRequest
		switch err := json.Unmarshal([]byte(got.Body), &body); {
		case err != nil:
			if refused++; said["refuses"] == 0 {
				t.Errorf("%s: Ollama can't read it, which isn't told (%v)\n%s\n%v", place, err, schema, got.Losses)
			}
		case said["refuses"] > 0:
			t.Errorf("%s: Ollama reads what is told as refused\n%s\n%v", place, schema, got.Losses)
		default:
			back, err := json.Marshal(body.Tools[0].Function.Parameters)
			if err != nil {
				t.Fatal(err)
			}
			// A list of one type comes back as that type where Ollama has a type for the schema,
			// and as the list below items, which it keeps as they are.
			one := strings.ReplaceAll(schema, `"type":["x"]`, `"type":"x"`)
			whole := bytes.Equal(sorted(t, back), sorted(t, []byte(schema))) || bytes.Equal(sorted(t, back), sorted(t, []byte(one)))
			if whole {
				kept++
			} else {
				dropped++
			}
			if whole == (said["drops"] > 0) {
				t.Errorf("%s: what Ollama keeps and what is told differ\n%s\n%s\n%v", place, schema, back, got.Losses)
			}
		}
	}
	for place, schema := range places {
		for _, value := range values {
			if place == "properties" || place == "alternatives" {
				check(place, fmt.Sprintf(schema, value))
				continue
			}
			for _, keyword := range keywords {
				check(place+" "+keyword+" "+value, fmt.Sprintf(schema, fmt.Sprintf("%q:%s", keyword, value)))
			}
		}
	}
	if refused < 20 || dropped < 20 || kept < 20 {
		t.Errorf("%d refused, %d dropped, %d kept", refused, dropped, kept)
	}
}

// sorted is a value with its members in order.
func sorted(t *testing.T, text []byte) []byte {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
