package call_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/call"
)

// FuzzRequest: a request is answered or refused. A refusal tells what is wrong with
// the request, the same request has the same answer, and neither names the folder
// in which the files of a request lie while it is answered.
func FuzzRequest(f *testing.F) {
	archive.Cases{Folder: "testdata"}.Each(f, func(_ string, files map[string]string) {
		for _, file := range slices.Sorted(maps.Keys(files)) {
			if op, ok := strings.CutSuffix(file, ".json"); ok && slices.Contains(call.Names(), op) {
				f.Add(op, []byte(files[file]))
			}
		}
	})
	said := func(t *testing.T, op string, request []byte) []byte {
		answer, err := call.Answer(context.Background(), op, request, call.Options{})
		if err != nil {
			if !app.Refused(err) {
				t.Fatalf("%s fails instead of refusing: %v", op, err)
			}
			if len(cento.SourceErrors(err)) == 0 {
				t.Fatalf("%s refuses without a code: %v", op, err)
			}
			answer = app.Failure(err)
		}
		out, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	f.Fuzz(func(t *testing.T, op string, request []byte) {
		if len(request) > 64<<10 || !slices.Contains(call.Names(), op) {
			return
		}
		out := said(t, op, request)
		if again := said(t, op, request); !bytes.Equal(out, again) {
			t.Fatalf("%s says\n%s\nand then\n%s", op, out, again)
		}
		// A request may name such a folder itself.
		if mark := string(filepath.Separator) + "request"; bytes.Contains(out, []byte(mark)) && !bytes.Contains(request, []byte("request")) {
			t.Fatalf("%s names a folder of its own: %s", op, out)
		}
	})
}
