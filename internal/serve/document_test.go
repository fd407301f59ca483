package serve_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// operation is what the document says of an operation.
type operation struct {
	OperationID, Summary, Description string
	Tags                              []string
	Security                          []map[string][]string
	Parameters                        []struct {
		Name, In, Description string
		Schema                map[string]any
	}
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Schema map[string]any }
	}
	Responses map[string]struct {
		Description string
		Content     map[string]struct{ Schema map[string]any }
	}
}

// TestDocument: the document has every route of the API and no other, each with what it is
// for, which token it needs, what it takes, and what it answers with in which form.
func TestDocument(t *testing.T) {
	s := begin(t, nil)
	raw := s.want(http.StatusOK, http.MethodGet, "/openapi.json", "", "Authorization", "")
	if raw.Header.Get("Content-Type") != "application/json" || !strings.HasSuffix(raw.body, "}\n") {
		t.Errorf("the document is %s", raw.Header.Get("Content-Type"))
	}
	var document struct {
		OpenAPI    string
		Info       struct{ Title, Version, Description string }
		Paths      map[string]map[string]operation
		Components struct {
			Schemas         map[string]any
			SecuritySchemes map[string]struct{ Type, Scheme string }
		}
	}
	must(t, json.Unmarshal([]byte(raw.body), &document))
	if document.OpenAPI != "3.1.0" || document.Info.Title != "Cento" || document.Info.Version == "" || document.Info.Description == "" || document.Components.SecuritySchemes["token"] != struct{ Type, Scheme string }{"http", "bearer"} {
		t.Errorf("the document is about %+v, with %+v", document.Info, document.Components.SecuritySchemes)
	}
	for _, m := range regexp.MustCompile(`"\$ref":"#/components/schemas/([^"]*)"`).FindAllStringSubmatch(raw.body, -1) {
		if document.Components.Schemas[m[1]] == nil {
			t.Errorf("there is no schema %s", m[1])
		}
	}
	kinds := map[string]string{"/metrics": "text/plain", "/v1/events": "text/event-stream", "/v1/sessions/{id}/prompt": "text/plain", "/v1/export": "application/x-ndjson"}
	routes, ids := s.server.Routes(), map[string]bool{}
	for path, methods := range document.Paths {
		for method, op := range methods {
			name := strings.ToUpper(method) + " " + path
			scope, ok := routes[name]
			if !ok {
				t.Errorf("%s is no route", name)
			}
			delete(routes, name)
			if op.OperationID == "" || ids[op.OperationID] || op.Summary == "" || len(op.Tags) != 1 || op.Tags[0] == "" {
				t.Errorf("%s: %+v", name, op)
			}
			ids[op.OperationID] = true
			if needs := "Needs the scope " + string(scope) + "."; (scope != "") != (len(op.Security) == 1) || (scope != "") != strings.HasPrefix(op.Description, needs) {
				t.Errorf("%s needs %q: %v %s", name, scope, op.Security, op.Description)
			}
			if ofProject := strings.HasPrefix(path, "/v1/projects/{project}/") && method == "get"; ofProject != strings.Contains(op.Description, "The parameters are the keys of the body that POST takes") {
				t.Errorf("%s: %s", name, op.Description)
			}
			for _, p := range op.Parameters {
				if p.Schema["type"] != "string" || p.In != "path" && p.Description == "" {
					t.Errorf("%s: the parameter %+v", name, p)
				}
			}
			if (op.RequestBody != nil) != (method == "post") || op.RequestBody != nil && (!op.RequestBody.Required || len(op.RequestBody.Content["application/json"].Schema) == 0) {
				t.Errorf("%s takes %+v", name, op.RequestBody)
			}
			kind := kinds[path]
			if kind == "" {
				kind = "application/json"
			}
			answer, ok := op.Responses["200"].Content[kind]
			if !ok || len(op.Responses["200"].Content) != 1 || (len(answer.Schema) > 0) != (kind == "application/json" && path != "/openapi.json") {
				t.Errorf("%s answers with %+v", name, op.Responses["200"])
			}
			problem := op.Responses["default"].Content["application/problem+json"].Schema
			if problem["$ref"] != "#/components/schemas/serve.Problem" {
				t.Errorf("%s fails with %v", name, problem)
			}
			same := method == "get" && kind == "application/json" && !untagged[path]
			if _, ok := op.Responses["304"]; ok != same {
				t.Errorf("%s says that it is still the same: %t", name, ok)
			}
			for status, r := range op.Responses {
				if r.Description == "" {
					t.Errorf("%s: nothing is said of %s", name, status)
				}
			}
		}
	}
	for name := range routes {
		if !strings.Contains(name, " /inspector/") && name != "GET /{$}" && name != "POST /sign-in" {
			t.Errorf("the document lacks %s", name)
		}
	}
	last := document.Paths["/v1/events"]["get"].Parameters
	if n := len(last); n != 3 || last[2].Name != "Last-Event-ID" || last[2].In != "header" {
		t.Errorf("the parameters of events are %+v", last)
	}
}

// untagged are paths whose answers have no tag.
var untagged = map[string]bool{"/healthz": true, "/readyz": true, "/openapi.json": true}
