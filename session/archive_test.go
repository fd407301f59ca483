package session_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/call"
)

// TestArchives runs the cases of testdata/rules; the README there says what the
// files of an archive are.
func TestArchives(t *testing.T) {
	cases := archive.Cases{Folder: "testdata/rules", Inputs: []string{"requests.jsonl"}, Results: []string{"want/answers.txt"}, Always: []string{"want/answers.txt"}}
	cases.Run(t, func(t *testing.T, files map[string]string) map[string]string {
		stores := app.NewStores(nil)
		defer func() {
			if err := stores.Close(); err != nil {
				t.Error(err)
			}
		}()
		store := filepath.Join(t.TempDir(), "s.db")
		var out strings.Builder
		for i, line := range strings.Split(strings.TrimSpace(files["requests.jsonl"]), "\n") {
			var request map[string]json.RawMessage
			if err := json.Unmarshal([]byte(line), &request); err != nil {
				t.Fatalf("request %d: %v", i+1, err)
			}
			var op string
			if err := json.Unmarshal(request["op"], &op); err != nil {
				t.Fatal(err)
			}
			out.WriteString(strconv.Itoa(i+1) + " " + op + "\n")
			path, err := json.Marshal(store)
			if err != nil {
				t.Fatal(err)
			}
			// The store goes behind what is written, so that places stay as they are.
			whole := strings.TrimSuffix(strings.TrimSpace(line), "}") + `, "store": ` + string(path) + "}"
			answer, err := call.Answer(t.Context(), "session", []byte(whole), call.Options{Stores: stores})
			if err != nil {
				text := archive.Error(t, err)
				text = strings.ReplaceAll(strings.ReplaceAll(text, "<request>.json:1:", "request:"), store, "the store")
				out.WriteString(text)
				continue
			}
			out.WriteString(withoutEmpty(t, answer))
		}
		return map[string]string{"want/answers.txt": numbered(out.String())}
	})
	cases.NoOrphans(t)
}

// made is what a session calls things by itself, which is another name each time.
var made = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// numbered is a text with a number for each such name, by when it comes up.
func numbered(text string) string {
	numbers := map[string]string{}
	return made.ReplaceAllStringFunc(text, func(id string) string {
		if numbers[id] == "" {
			numbers[id] = "<id " + strconv.Itoa(len(numbers)+1) + ">"
		}
		return numbers[id]
	})
}

// clocked are members that tell the time, or are made of it.
var clocked = []string{"created", "updated", "cursor"}

// withoutEmpty is an answer without its digests, its times, and what is empty in it.
func withoutEmpty(t *testing.T, answer any) string {
	t.Helper()
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	value, _ = full(value)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// full is a value without its empty members; false where it is empty itself.
func full(value any) (any, bool) {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			kept, ok := full(member)
			if v[name] = kept; !ok || strings.HasSuffix(name, "digest") || name == "from" && isHash(member) || name == "to" && isHash(member) || name == "hash" || slices.Contains(clocked, name) {
				delete(v, name)
			}
		}
		return v, len(v) > 0
	case []any:
		for i := range v {
			v[i], _ = full(v[i])
		}
		return v, len(v) > 0
	case nil:
		return v, false
	case bool:
		return v, v
	case string:
		return v, v != ""
	}
	return value, true
}

func isHash(value any) bool {
	text, ok := value.(string)
	return ok && len(text) == 64
}
