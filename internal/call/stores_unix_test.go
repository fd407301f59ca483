//go:build unix

package call_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
)

// A file that is taken away or replaced while it is open isn't written to: nobody would
// find there what was acknowledged.
func TestStreamSeesAnotherStore(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "s.db")
	stores := countedStores()
	defer stores.Close()
	in, lines := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- call.Stream(t.Context(), in, out, func() error { return nil }, 1, call.Options{Stores: stores.Stores})
		out.Close()
	}()
	d := json.NewDecoder(answers)
	ask := func(rest string) (code string) {
		t.Helper()
		if _, err := io.WriteString(lines, sessionLine(0, at, rest)); err != nil {
			t.Fatal(err)
		}
		var r reply
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if r.Error != nil {
			return string(r.Error.Code)
		}
		return ""
	}
	away := func() {
		t.Helper()
		for _, name := range []string{"s.db", "s.db-wal", "s.db-shm"} {
			if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, "away", name)); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "away"), 0o700); err != nil {
		t.Fatal(err)
	}
	steps := []struct{ asked, want string }{
		{`"op": "turn", "id": "s"`, "session.unknown"}, // no file is made for it
		{`"op": "start", "id": "s"`, ""},
		{"", ""},
		{`"op": "turn", "id": "s"`, "session.unknown"},
		{`"op": "start", "id": "other"`, ""},
		{`"op": "turn", "id": "other"`, ""},
		{`"op": "turn", "id": "s"`, "session.unknown"},
	}
	for i, step := range steps {
		if step.asked == "" {
			away()
		} else if got := ask(step.asked); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
	if n := stores.open(t.Context()); stores.at["s.db"] != 2 || n != 1 {
		t.Errorf("opened %d times, %d open", stores.at["s.db"], n)
	}
	lines.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := stores.Close(); err != nil {
		t.Fatal(err)
	}
	// What was acknowledged is where it was put.
	for name, id := range map[string]string{"s.db": "other", "away/s.db": "s"} {
		at = filepath.Join(dir, filepath.FromSlash(name))
		var b bytes.Buffer
		again := app.NewStores(nil)
		if err := call.Stream(t.Context(), strings.NewReader(sessionLine(0, at, fmt.Sprintf(`"op": "show", "id": %q`, id))), &b, func() error { return nil }, 1, call.Options{Stores: again}); err != nil || strings.Contains(b.String(), `"error"`) {
			t.Error(name, err, b.String())
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
}
