package reminder_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/manifest"
)

// Each archive is a request and as much of its answer as its rule is about, one
// value a line.
var cases = archive.Cases{
	Folder: "testdata", Inputs: []string{request},
	Results: []string{"want/session", "want/child", "want/events", "want/fragments", "want/envelope", "want/messages", "want/notes", "want/error"},
	Always:  []string{"want/notes", "want/error"},
}

const request = "request.json"

func TestArchives(t *testing.T) {
	cases.Run(t, func(t *testing.T, files map[string]string) map[string]string {
		return answer(t, []byte(files[request]))
	})
}

func TestNoOrphans(t *testing.T) { cases.NoOrphans(t) }

func answer(t *testing.T, asked []byte) map[string]string {
	t.Helper()
	r, err := manifest.ParseReminders(request, asked, cento.Limits{})
	var out *call.RemindersAnswer
	if err == nil {
		out, err = call.AnswerReminders(t.Context(), r, cento.Options{})
	}
	if err != nil {
		return map[string]string{"want/error": archive.Error(t, err)}
	}
	got := map[string]string{
		"want/session": canonical(t, out.Session) + "\n", "want/child": "null\n", "want/envelope": "null\n",
		"want/events": jsonLines(t, out.Events), "want/fragments": jsonLines(t, out.Fragments), "want/messages": jsonLines(t, out.Messages),
	}
	if out.Child != nil {
		got["want/child"] = canonical(t, *out.Child) + "\n"
	}
	if out.Envelope != nil {
		got["want/envelope"] = *out.Envelope + "\n"
	}
	for _, n := range out.Notes {
		got["want/notes"] += fmt.Sprintf("%s [%s]\n", n.Message, n.Code)
	}
	return got
}

func jsonLines[T any](t *testing.T, list []T) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, x := range list {
		if err := e.Encode(x); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}
