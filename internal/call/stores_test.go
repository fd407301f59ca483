package call_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/store"
)

// openings are stores that count how often one is opened.
type openings struct {
	*app.Stores
	mu     sync.Mutex
	at     map[string]int
	opened []*app.Service
	// fails is what the next opening gives.
	fails error
}

func countedStores() *openings {
	o := &openings{at: map[string]int{}}
	o.Stores = app.NewStores(func(ctx context.Context, place string, access app.Access) (*app.Service, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.at[filepath.Base(place)]++
		if err := o.fails; err != nil {
			o.fails = nil
			return nil, err
		}
		s, err := app.OpenService(ctx, place, access)
		if err == nil {
			o.opened = append(o.opened, s)
		}
		return s, err
	})
	return o
}

// open is how many are open.
func (o *openings) open(ctx context.Context) (n int) {
	for _, s := range o.opened {
		if !errors.Is(s.Reach(ctx), store.Closed) {
			n++
		}
	}
	return n
}

func sessionLine(id int, store, rest string) string {
	return fmt.Sprintf(`{"id": %d, "op": "session", "request": {"manifest": {"version": 1, "system": "x", "scope": "off", "profile": "off"}, "files": {}, "store": %q, %s}}`+"\n", id, store, rest)
}

// A store is opened once for all requests of a stream, however many are answered at the
// same time, and closed when the stream has ended.
func TestStreamOpensAStoreOnce(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		dir := t.TempDir()
		one, other := filepath.Join(dir, "one.db"), filepath.Join(dir, "other.db")
		begun := sessionLine(0, one, `"op": "start", "id": "s"`) + sessionLine(1, other, `"op": "start", "id": "s"`)
		var lines strings.Builder
		for i := range 40 {
			lines.WriteString(sessionLine(i, []string{one, other}[i%2], `"op": "turn", "id": "s"`))
		}
		stores := countedStores()
		for _, text := range []string{begun, lines.String()} { // no turn before its session
			var out bytes.Buffer
			if err := call.Stream(t.Context(), strings.NewReader(text), &out, func() error { return nil }, jobs, call.Options{Stores: stores.Stores}); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), `"error"`) || strings.Count(out.String(), "\n") != strings.Count(text, "\n") {
				t.Fatal(out.String())
			}
		}
		if stores.at["one.db"] != 1 || stores.at["other.db"] != 1 || stores.open(t.Context()) != 2 {
			t.Errorf("%d jobs: opened %v, %d of them open", jobs, stores.at, stores.open(t.Context()))
		}
		if err := stores.Close(); err != nil || stores.open(t.Context()) != 0 {
			t.Errorf("%d jobs: %v, %d open at the end", jobs, err, stores.open(t.Context()))
		}
	}
}

// An opening that fails is the answer of who asked, and tried again by the next one.
func TestStreamOpensAgain(t *testing.T) {
	stores := countedStores()
	defer stores.Close()
	stores.fails = errors.New("no room")
	line := sessionLine(0, filepath.Join(t.TempDir(), "s.db"), `"op": "start", "id": "s"`)
	var out bytes.Buffer
	if err := call.Stream(t.Context(), strings.NewReader(line+line), &out, func() error { return nil }, 1, call.Options{Stores: stores.Stores}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(out.String(), "\n"); len(got) != 3 || !strings.Contains(got[0], "no room") || !strings.Contains(got[1], `"made":true`) {
		t.Errorf("%q", got)
	}
	if stores.at["s.db"] != 2 {
		t.Errorf("opened %d times", stores.at["s.db"])
	}
}

// Stores that nobody uses aren't kept without end; the one that was used last is.
func TestStreamOfManyStores(t *testing.T) {
	dir := t.TempDir()
	stores := countedStores()
	defer stores.Close()
	var lines strings.Builder
	for i := range 20 {
		lines.WriteString(sessionLine(i, filepath.Join(dir, fmt.Sprint(i)), `"op": "start", "id": "s"`))
		lines.WriteString(sessionLine(i, filepath.Join(dir, "0"), `"op": "turn", "id": "s"`))
	}
	var out bytes.Buffer
	if err := call.Stream(t.Context(), strings.NewReader(lines.String()), &out, func() error { return nil }, 1, call.Options{Stores: stores.Stores}); err != nil || strings.Contains(out.String(), `"error"`) {
		t.Fatal(err, out.String())
	}
	if n := stores.open(t.Context()); n > 8 || stores.at["0"] != 1 {
		t.Errorf("%d stores are open, the first was opened %d times", n, stores.at["0"])
	}
}
