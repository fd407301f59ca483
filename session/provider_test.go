package session_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/wiretest"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/wire"
)

// TestProvider: a provider takes each request of an agent's loop that a turn makes. It refuses
// a request that a turn refuses, which leaves the session as it was.
func TestProvider(t *testing.T) {
	for _, form := range wiretest.Forms {
		t.Run(form.String(), func(t *testing.T) {
			server := httptest.NewServer(wiretest.Provider(form))
			defer server.Close()
			f := begin(t, filepath.Join(t.TempDir(), "s.db"), session.Settings{})
			send := func(t *rapid.T, body string) (int, string) {
				a, err := http.Post(server.URL, "application/json", strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				defer a.Body.Close()
				said, err := io.ReadAll(a.Body)
				if err != nil {
					t.Fatal(err)
				}
				return a.StatusCode, string(said)
			}
			rapid.Check(t, func(t *rapid.T) {
				c := wiretest.Draw(t, form)
				for _, r := range c.Requests() {
					got, err := f.Turn(f.t.Context(), session.TurnRequest{ID: "s", Wire: &r}, f.files.source)
					if err != nil {
						t.Fatal(err)
					}
					if status, said := send(t, got.Request.Body); status != http.StatusOK {
						t.Fatalf("%s\n%s", said, got.Request.Body)
					}
				}
				code := c.Break(t)
				refused := c.Build(t)
				if status, said := send(t, refused.Body); status != http.StatusBadRequest || len(wiretest.Refusals(refused)) == 0 {
					t.Fatalf("%s: %d %s, and Cento reports %v\n%s", code, status, said, refused.Losses, refused.Body)
				}
				before, head := f.show("s"), f.head("s")
				requests := c.Requests()
				_, err := f.Turn(f.t.Context(), session.TurnRequest{ID: "s", Wire: &requests[len(requests)-1]}, f.files.source)
				certain := refused.Refused() != nil
				if e, ok := errors.AsType[*cento.SourceError](err); certain != ok || ok && e.Code != wire.Refused {
					t.Fatalf("certain %t, %v\n%s", certain, err, refused.Body)
				}
				if after := f.show("s"); certain && (after.Version != before.Version || f.head("s") != head) {
					t.Fatalf("version %d became %d, record %d became %d", before.Version, after.Version, head, f.head("s"))
				}
			})
		})
	}
}
