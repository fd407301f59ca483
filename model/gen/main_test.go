package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestCatalogIsFresh: what the program holds is made of what people reviewed.
func TestCatalogIsFresh(t *testing.T) {
	in, err := os.ReadFile("../facts.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := catalog(in)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile("../catalog.json"); !bytes.Equal(got, want) {
		t.Error("catalog.json isn't what facts.json gives: run go generate ./model")
	}
}

// TestFactsAreChecked: what a reviewer may overlook is refused.
func TestFactsAreChecked(t *testing.T) {
	for _, c := range []struct{ facts, want string }{
		{`{"sources":{"a":{"date":"1","title":"t"}},"models":[{"id":"m","sources":["a"],"checked":"2026-11-22"},{"id":"M","sources":["a"],"checked":"2026-11-22"}]}`, "names both"},
		{`{"sources":{"a":{"date":"1","title":"t"}},"models":[{"id":"m","aliases":["m"],"sources":["a"]}]}`, "names both"},
		{`{"sources":{},"models":[{"id":"m"}]}`, "no source"},
		{`{"sources":{},"models":[{"id":"m","sources":["b"]}]}`, `no source has the code "b"`},
		{`{"sources":{"a":{"date":"1","title":"t"}},"models":[]}`, "no fact rests on"},
		{`{"models":[{"id":"m","colour":"red"}]}`, "unknown field"},
		{`{"sources":{"a":{"date":"2026-11","title":"t"}},"models":[{"id":"m","sources":["a"]}]}`, `checked ""`},
		{`{"sources":{"a":{"date":"2026-11-23","title":"t"}},"models":[{"id":"m","sources":["a"],"checked":"2026-11-22"}]}`, "the newest source is of 2026-11-23"},
		{`{"sources":{"a":{"date":"2026-11","title":"t"}},"models":[{"id":"m","sources":["a"],"checked":"2026-11-22","note":"promotion of 1/2"}]}`, "price.until"},
		{`{"sources":{"a":{"date":"2026-11","title":"t"}},"models":[{"id":"m","sources":["a"],"checked":"2026-11-22","note":"promotion","price":{"until":"soon"}}]}`, "price.until"},
	} {
		if _, err := catalog([]byte(c.facts)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.facts, err, c.want)
		}
	}
}
