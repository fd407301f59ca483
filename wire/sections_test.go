package wire_test

import (
	"slices"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/wire"
)

// Sections that follow the model are those of the form that its entry has first.
func TestSectionsFollowTheModel(t *testing.T) {
	seen := map[wire.Sectioning]int{}
	for _, m := range model.Default().Models() {
		want := wire.Markdown
		if slices.Index(m.Sections, "xml") == 0 {
			want = wire.XML
		}
		seen[want]++
		if got := wire.Auto.For(&m); got != want {
			t.Errorf("%s: %s, want %s", m.ID, got, want)
		}
	}
	if len(seen) != 2 {
		t.Errorf("the catalog has models of one kind: %v", seen)
	}
	if got := wire.Auto.For(nil); got != wire.Markdown {
		t.Errorf("without a model %s", got)
	}
	claude := &cento.Model{Sections: []string{"xml"}}
	if wire.Markdown.For(claude) != wire.Markdown || wire.XML.For(nil) != wire.XML {
		t.Error("what is asked for is changed")
	}
}
