package wire_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/wire"
)

func Example() {
	prompt, err := cento.ReduceFragments([]cento.Fragment{
		cento.NewFragment("rules", "", cento.Before, "Run the tests."),
	}, cento.Active{}, cento.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _ := model.Default().Lookup("claude-opus-5")
	r, err := wire.Build(wire.Request{
		Form: wire.Anthropic, Model: &m, Prompt: prompt, MaxTokens: 1000,
		Tools:    []cento.Tool{{Name: "read", Description: "Reads a file.", Parameters: json.RawMessage(`{"type":"object"}`)}},
		Messages: []wire.Message{{Role: "user", Text: "Begin."}},
		Cache:    wire.Cache{Off: true},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Body)
	at := r.Map[0]
	fmt.Println(at.Pointer, at.Start, at.End, r.Spans[at.Span].Fragment)
	// Output:
	// {"model":"claude-opus-5","max_tokens":1000,"system":[{"type":"text","text":"Run the tests."}],"tools":[{"name":"read","description":"Reads a file.","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":[{"type":"text","text":"Begin."}]}]}
	// /system/0/text 0 14 rules
}

// send posts a body as it is.
func send(address string, r *wire.Result) (err error) {
	req, err := http.NewRequest(http.MethodPost, address+r.URLPath, strings.NewReader(r.Body))
	if err != nil {
		return err
	}
	for _, h := range r.Headers {
		req.Header.Set(h.Name, h.Value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// The bytes that arrive are those that were built.
func ExampleBuild() {
	provider := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		fmt.Println(q.URL.Path, q.Header.Get("Content-Type"), string(body))
	}))
	defer provider.Close()
	r, err := wire.Build(wire.Request{Form: wire.Gemini, Model: &cento.Model{Name: "m"}, Messages: []wire.Message{{Role: "user", Text: "Hi"}}})
	if err == nil {
		err = send(provider.URL, r)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output: /v1beta/models/m:generateContent application/json {"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}
}
