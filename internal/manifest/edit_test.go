package manifest_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/manifest"
)

// packLayouts are ways to write a list of packs; in those that aren't editable one is
// told so.
var packLayouts = []struct {
	text     string
	editable bool
}{
	{"system: x\n", true},
	{"system: x", true},
	{"packs: []\n", true},
	{"packs:\n  []\n", true},
	{"packs: [{name: one}]\n", true},
	{"packs:\n  [{name: one},\n   {name: two}]\n", true},
	{"packs:\n  - name: one\n    path: there\nsystem: x\n", true},
	{"packs:\n- name: one\n- {name: two} # last\n", true},
	{"packs:\n  - {name: one}", true},
	{"? packs\n: []\n", true},
	{"{\"system\": \"x\"}\n", false},
	{"packs:\n", false},
}

// TestPackEdits: a pack that is added stands in the list as it is read again, all
// else stays, and what can't be changed so is refused with what to write.
func TestPackEdits(t *testing.T) {
	for _, c := range packLayouts {
		if got := editPacks(t, c.text); got != c.editable {
			t.Errorf("%q: editable %v", c.text, got)
		}
	}
}

// FuzzPackEdits: whatever a manifest looks like, adding a pack gives one that says so,
// or an error; and taking it out gives the packs of before.
func FuzzPackEdits(f *testing.F) {
	for _, c := range packLayouts {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := manifest.Parse("cento.yaml", []byte(text)); err == nil {
			editPacks(t, text)
		}
	})
}

func editPacks(t *testing.T, text string) (editable bool) {
	t.Helper()
	m, err := manifest.Parse("cento.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	more, err := m.WithPack("cento.yaml", text, "acme", "far/acme")
	if err != nil {
		if !errors.Is(err, manifest.NotEditable) {
			t.Fatalf("%q: %v", text, err)
		}
		return false
	}
	added, err := manifest.Parse("cento.yaml", []byte(more))
	if err != nil {
		t.Fatalf("%q became %q: %v", text, more, err)
	}
	at := slices.IndexFunc(added.Packs, func(p manifest.PackReference) bool { return p.Name == "acme" && p.Path == "far/acme" })
	if at < 0 || len(added.Packs) != len(m.Packs)+1 || !strings.HasPrefix(more, strings.SplitAfter(text, "packs")[0]) {
		t.Fatalf("%q became %q", text, more)
	}
	less, err := added.WithoutPack("cento.yaml", more, at)
	if err != nil {
		if !errors.Is(err, manifest.NotEditable) {
			t.Fatalf("%q: %v", more, err)
		}
		return true
	}
	if left, err := manifest.Parse("cento.yaml", []byte(less)); err != nil || len(left.Packs) != len(m.Packs) {
		t.Fatalf("%q became %q: %v", more, less, err)
	}
	return true
}
