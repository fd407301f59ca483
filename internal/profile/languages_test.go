package profile

import (
	"strings"
	"testing"

	"github.com/go-enry/go-enry/v2/data"
)

// TestLanguagesAreLinguists holds the table against Linguist's data: every
// language is one of programming by that name, and every name of a file means
// that language to Linguist too.
func TestLanguagesAreLinguists(t *testing.T) {
	seen := map[string]string{}
	once := func(what, id string) {
		if first, twice := seen[what]; twice {
			t.Errorf("%s stands for %s and for %s", what, first, id)
		}
		seen[what] = id
	}
	for _, l := range languages {
		once("id "+l.id, l.id)
		kind, ok := data.LanguagesType[l.label]
		if !ok {
			t.Errorf("%s: Linguist has no language %q", l.id, l.label)
			continue
		}
		// Vue and Svelte are markup to Linguist, and programs to those who write
		// them.
		if data.Type(kind) != data.TypeForString("programming") && l.id != "vue" && l.id != "svelte" {
			t.Errorf("%s is no language of programming", l.id)
		}
		for ext := range strings.FieldsSeq(l.extensions) {
			once(ext, l.id)
			if !has(data.LanguagesByExtension[ext], l.label) {
				t.Errorf("%s: Linguist takes %s for %v", l.id, ext, data.LanguagesByExtension[ext])
			}
		}
		for name := range strings.FieldsSeq(l.files) {
			once(name, l.id)
			if !has(data.LanguagesByFilename[name], l.label) {
				t.Errorf("%s: Linguist takes %s for %v", l.id, name, data.LanguagesByFilename[name])
			}
		}
	}
	if len(seen) < 150 {
		t.Errorf("only %d names were looked at", len(seen))
	}
}

func has(list []string, name string) bool {
	for _, x := range list {
		if x == name || data.LanguagesGroup[x] == name { // a dialect, as TSX is
			return true
		}
	}
	return false
}
