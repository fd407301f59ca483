package cache_test

import (
	"encoding/json"
	"testing"

	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/token"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// TestImagesAreNoText: what an image counts as is known to its provider alone, so a report with
// one in a conversation isn't exact, and one without is.
func TestImagesAreNoText(t *testing.T) {
	m, _ := model.Default().Lookup("gpt-5.4")
	for raw, exact := range map[string]bool{
		`{"role": "user", "content": [{"type": "text", "text": "What is an image_url?"}]}`:                               true,
		`{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]}`:       false,
		`{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://images.example.com/a.png"}}]}`: false,
	} {
		a := cache.New(cache.Options{})
		if _, err := a.Add(cache.Step{Request: wire.Request{
			Form: wire.OpenAI, Model: &m, Counter: token.CounterFor("gpt-5.4"), Messages: []wire.Message{{Raw: json.RawMessage(raw)}},
		}}); err != nil {
			t.Fatal(err)
		}
		if got := a.Report().Exact; got != exact {
			t.Errorf("%s: exact %v", raw, got)
		}
	}
}
