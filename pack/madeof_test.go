package pack

import (
	"slices"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// TestMadeOfKnowsEveryVariable: whatever has a value in a prompt file is named as what its
// text is rendered of, and the prompt files are, as an input has them.
func TestMadeOfKnowsEveryVariable(t *testing.T) {
	known := 0
	v := Variables{Now: time.Unix(0, 0), Cwd: "/w"}
	for key, value := range v.context(v.Vars).Entries() {
		name := key.String()
		if value.Kind() == jinja.KindFunction {
			continue // which is asked of names in the text itself
		}
		known++
		f := cento.Fragment{ID: "a", Template: "$workspace/a"}
		in := cento.Input{Fragments: []cento.Fragment{f}, Files: cento.Files{Sources: map[string]string{
			"$workspace/a.md": "{% include 'b' %}", "$workspace/b.md": "{{ " + name + "|string }}",
		}}}
		files, variables, err := MadeOf(in, &f)
		if err != nil || !slices.Equal(files, []string{"$workspace/a.md", "$workspace/b.md"}) || !slices.Equal(variables, []string{name}) {
			t.Errorf("%s: files %q, variables %q, %v", name, files, variables, err)
		}
	}
	if known < 8 {
		t.Errorf("%d variables were looked at", known)
	}
}
