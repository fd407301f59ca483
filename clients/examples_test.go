package clients_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cento-dev/cento/internal/archive"
)

// shop is the project that the tests are about.
var shop = map[string]string{
	"cento.yaml": "system: You work for the shop.\ntools: [{name: todo, guidance: Keep the list up to date.}]\ntargets: {ci: {tools: []}}\n",
	"AGENTS.md":  "Run the tests.\n",
}

// example is a request of the shared examples, which stand with the operations.
type example struct {
	name, Op string
	Request  json.RawMessage
}

// of is the request, about a project if it is one of those about the shop.
func (x example) of(project string) []byte {
	if x.name != "shop" {
		return x.Request
	}
	return append([]byte(`{"project":"`+project+`",`), x.Request[1:]...)
}

// examples are all that a program in another language can write: an object without keys
// that stand twice.
func examples(t *testing.T) []example {
	t.Helper()
	out := []example{
		{"shop", "assemble", json.RawMessage(`{"tokens":true}`)},
		{"shop", "explain", json.RawMessage(`{"without_tools":["todo"],"all_reasons":true}`)},
		{"shop", "why", json.RawMessage(`{"text":"Run the tests"}`)},
		{"shop", "diff", json.RawMessage(`{"to":{"target":"ci"}}`)},
		{"shop", "budget", json.RawMessage(`{"budget":100000}`)},
		{"shop", "check", json.RawMessage(`{"strict":true}`)},
		{"shop", "instructions", json.RawMessage(`{"for":["AGENTS.md"]}`)},
		{"shop", "wire", json.RawMessage(`{"provider":"anthropic","model":"claude-sonnet-4-6","partial":true}`)},
	}
	archive.Cases{Folder: "../internal/call/testdata"}.Each(t, func(name string, files map[string]string) {
		for _, file := range slices.Sorted(maps.Keys(files)) {
			op, ok := strings.CutSuffix(file, ".json")
			var request map[string]any
			if !ok || strings.Contains(op, "/") || op == "session" || json.Unmarshal([]byte(files[file]), &request) != nil {
				continue
			}
			out = append(out, example{name, op, sorted(t, []byte(files[file]))})
		}
	})
	if len(out) < 50 {
		t.Fatalf("%d examples: they are looked for at the wrong place", len(out))
	}
	return out
}

// sorted is a request as every client writes it: what is told of it has places in its
// text, so all have to ask in the same order of keys.
func sorted(t *testing.T, request []byte) []byte {
	t.Helper()
	var value any
	d := json.NewDecoder(bytes.NewReader(request))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// given is what a client gave.
type given struct {
	Answer json.RawMessage `json:"answer"`
	Error  *struct {
		Code, Message, Hint string
		Count               int
	} `json:"error"`
	TypeError bool `json:"typeError"`
}

// runExamples asks all examples through all ways of a client, and holds each answer to
// that of `cento call`, byte for byte but for white space.
func runExamples(t *testing.T, client func(t *testing.T, s *service, options string) *exec.Cmd) {
	s := startService(t, shop, "--max-inflight", "200") // some ways ask all at once
	all := examples(t)
	for _, way := range []struct {
		name, project string
		options       map[string]any
		expected      func(*testing.T, *service, example) string
	}{
		{"process", s.dir, map[string]any{}, called},
		{"process to await", s.dir, map[string]any{"await": true, "jobs": 3}, called},
		{"service", "shop", map[string]any{"url": s.url, "token": s.token}, posted},
		{"service to await", "shop", map[string]any{"url": s.url, "token": s.token, "await": true, "jobs": 3}, posted},
	} {
		t.Run(way.name, func(t *testing.T) {
			options, err := json.Marshal(way.options)
			if err != nil {
				t.Fatal(err)
			}
			var in, stderr bytes.Buffer
			for _, x := range all {
				fmt.Fprintf(&in, `{"op":%q,"request":%s}`+"\n", x.Op, x.of(way.project))
			}
			cmd := client(t, s, string(options))
			cmd.Stdin, cmd.Stderr = &in, &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
			if len(lines) != len(all) {
				t.Fatalf("%d answers to %d requests\n%s", len(lines), len(all), stderr.String())
			}
			answers := 0
			for i, x := range all {
				var got given
				if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
					t.Fatalf("%s: %v", lines[i], err)
				}
				if got.TypeError {
					continue // a key that no method has; its test is in the client's language
				}
				want := way.expected(t, s, x)
				var failure struct {
					Error *struct {
						Code, Message, Hint string
						Errors              []any
					}
				}
				if err := json.Unmarshal([]byte(want), &failure); err != nil {
					t.Fatalf("%s %s: %v: %s", x.name, x.Op, err, want)
				}
				switch e := failure.Error; {
				case e == nil && normal(t, got.Answer) == normal(t, []byte(want)):
					answers++
				case e != nil && got.Error != nil && got.Error.Code == e.Code && got.Error.Message == e.Message && got.Error.Hint == e.Hint && got.Error.Count == len(e.Errors):
				default:
					t.Errorf("%s %s:\n got %s\nwant %s", x.name, x.Op, lines[i], want)
				}
			}
			if answers < 30 {
				t.Errorf("%d of %d are answered", answers, len(all))
			}
		})
	}
}

// printed is what `cento call` printed, by operation and request.
var printed sync.Map

// called is what `cento call` prints.
func called(t *testing.T, s *service, x example) string {
	t.Helper()
	request := x.of(s.dir)
	if before, ok := printed.Load(x.Op + string(request)); ok {
		return before.(string)
	}
	cmd := exec.CommandContext(t.Context(), program(t), "call", x.Op)
	cmd.Env, cmd.Stdin = environment(t), bytes.NewReader(request)
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		t.Fatalf("%s %s: %v", x.name, x.Op, err)
	}
	printed.Store(x.Op+string(request), string(out))
	return string(out)
}

// posted is what the service answers somebody without a client. Where it isn't an error,
// the answer is that of `cento call`, too.
func posted(t *testing.T, s *service, x example) string {
	t.Helper()
	path, request := "/v1/"+x.Op, map[string]json.RawMessage{}
	if err := json.Unmarshal(x.of("shop"), &request); err != nil {
		t.Fatal(err)
	}
	var project string
	if json.Unmarshal(request["project"], &project) == nil && request["files"] == nil && request["manifest"] == nil {
		delete(request, "project") // one of the service, by its name
		path = "/v1/projects/" + url.PathEscape(project) + "/" + x.Op
	}
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	status, _, body := s.ask(t, http.MethodPost, path, string(sorted(t, text)))
	if status != http.StatusOK {
		return `{"error":` + body + `}`
	}
	if want := called(t, s, x); x.Op != "check" && normal(t, []byte(want)) != normal(t, []byte(body)) {
		t.Errorf("%s %s: the service answers\n%sand cento call\n%s", x.name, x.Op, body, want)
	}
	return body
}

// normal is a JSON text without white space, its texts and fractions written one way: one
// language writes 0.000005 and another 5e-06. The order of keys and the digits of whole
// numbers are as they were.
func normal(t *testing.T, text []byte) string {
	t.Helper()
	var b strings.Builder
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value func()
	next := func() json.Token {
		token, err := d.Token()
		if err != nil {
			t.Fatalf("%v: %.200s", err, text)
		}
		return token
	}
	value = func() {
		token := next()
		if delim, ok := token.(json.Delim); ok {
			b.WriteString(delim.String())
			for d.More() {
				value()
			}
			b.WriteString(next().(json.Delim).String())
			return
		}
		if number, ok := token.(json.Number); ok && strings.ContainsAny(number.String(), ".eE") {
			fraction, err := number.Float64()
			if err != nil {
				t.Fatalf("%v: %.200s", err, text)
			}
			token = fraction
		}
		word, err := json.Marshal(token)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(word, ' '))
	}
	value()
	return b.String()
}

// TestListsAreNeverNull holds what the types of TypeScript say: the document can't, as
// whether a list is null is up to the program.
func TestListsAreNeverNull(t *testing.T) {
	d := readDocument(t)
	s := startService(t, shop)
	var walk func(of *schema, value any, at string) (lists int)
	walk = func(of *schema, value any, at string) (lists int) {
		of, _ = of.bare()
		if of.Ref != "" {
			of = d.Components.Schemas[nameOf(of.Ref)]
		}
		values := of.values()
		switch {
		case (of.list() || values != nil) && value == nil:
			t.Errorf("%s is null", at)
		case of.Items != nil:
			list, _ := value.([]any)
			for _, x := range list {
				lists += walk(of.Items, x, at+"[]")
			}
			lists++
		case values != nil:
			for _, x := range value.(map[string]any) {
				lists += walk(values, x, at+".*")
			}
		case len(of.Properties) > 0 && value != nil:
			for key, x := range value.(map[string]any) {
				if p := of.Properties[key]; p != nil {
					lists += walk(p, x, at+"."+key)
				}
			}
		}
		return lists
	}
	operations := map[string]*operation{}
	for _, o := range d.tagged("operations") {
		operations[o.ID] = o
	}
	lists := 0
	for _, x := range examples(t) {
		var answer map[string]any
		if err := json.Unmarshal([]byte(called(t, s, x)), &answer); err != nil {
			t.Fatal(err)
		}
		if answer["error"] == nil {
			lists += walk(d.Components.Schemas[operations[x.Op].answer()], answer, x.name+" "+x.Op)
		}
	}
	if lists < 100 {
		t.Errorf("%d lists", lists)
	}
}
