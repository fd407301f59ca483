package call_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/call"
)

// TestArchives runs the cases of testdata; its README says what the files of an
// archive are.
func TestArchives(t *testing.T) {
	cases := archive.Cases{Folder: "testdata"}
	for _, name := range call.Names() {
		cases.Inputs = append(cases.Inputs, name+".json")
		cases.Results = append(cases.Results, "want/"+name+".json", "want/"+name+".error.txt")
	}
	cases.Always = cases.Results
	cases.Run(t, func(t *testing.T, files map[string]string) map[string]string {
		got := map[string]string{}
		for file, request := range files {
			name := strings.TrimSuffix(file, ".json")
			answer, err := call.Answer(t.Context(), name, []byte(request), call.Options{})
			if err != nil {
				got["want/"+name+".error.txt"] = strings.ReplaceAll(archive.Error(t, archive.CodeBelow, err), "<request>.json", file)
				continue
			}
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			e.SetIndent("", " ")
			if err := e.Encode(answer); err != nil {
				t.Fatal(err)
			}
			got["want/"+name+".json"] = b.String()
		}
		return got
	})
	cases.NoOrphans(t)
}
