package app_test

import (
	"testing"

	"github.com/cento-dev/cento/internal/app"
)

// TestParsePrice: a price is any that a manifest can say, and nothing else.
func TestParsePrice(t *testing.T) {
	p, err := app.ParsePrice("5, 0.5,6.25", "5m", "1h")
	if err != nil || *p.Input != 5 || *p.CacheRead != 0.5 || p.CacheWrite["5m"] != 6.25 || p.CacheWrite["1h"] != 6.25 || p.Output != nil {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err = app.ParsePrice("2e9,0", "5m"); err != nil || *p.Input != 2e9 || *p.CacheRead != 0 || len(p.CacheWrite) != 0 {
		t.Errorf("without what is written: %+v, %v", p, err)
	}
	for _, text := range []string{"", "5", "5,", "5,x", "-1,0", "NaN,0", "Inf,0", "1e400,0", "1,2,3,4"} {
		if p, err := app.ParsePrice(text, "5m"); err == nil {
			t.Errorf("%q: %+v", text, p)
		}
	}
}
