package serve_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk: on a disk without room a change is refused for now and nothing of it is
// stored; what is in memory is answered, and with room again everything goes on, each
// transition done once.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("cento-test", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("no small disk can be made here: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(dir, 0)) }) // behind the service's end
	s := start(t, filepath.Join(dir, "cento.db"), nil)
	s.want(http.StatusOK, http.MethodPost, "/v1/sessions", `{"project": "web", "id": "s"}`)
	prompt := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", "")

	filler, err := os.Create(filepath.Join(dir, "filler"))
	must(t, err)
	block := make([]byte, 4096)
	for err == nil {
		_, err = filler.Write(block)
	}
	must(t, filler.Close())
	remind := func(n int) reply {
		t.Helper()
		return s.ask(http.MethodPost, "/v1/sessions/web:s/remind", fmt.Sprintf(`{"reminder": {"body": "number %d: %s"}}`, n, strings.Repeat("x", 8000)), "Idempotency-Key", fmt.Sprint("k", n))
	}
	n := 0 // what the log that is written ahead had room for
	for ; remind(n).StatusCode == http.StatusOK; n++ {
		if n == 1000 {
			t.Fatal("the disk is never full")
		}
	}
	for range 2 {
		if r := remind(n); r.StatusCode != http.StatusServiceUnavailable || r.code() != "store.full" || r.Header.Get("Retry-After") == "" || strings.Contains(r.body, dir) {
			t.Errorf("without room: %d, %v: %s", r.StatusCode, r.Header, r.body)
		}
	}
	if r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s/prompt", ""); r.body != prompt.body {
		t.Errorf("out of memory: %q", r.body)
	}
	stands := func() (version, reminders int) {
		t.Helper()
		r := s.want(http.StatusOK, http.MethodGet, "/v1/sessions/web:s", "")
		return int(field(t, r.body, "version").(float64)), strings.Count(r.body, `"body": "number `)
	}
	before, kept := stands()
	if kept != n {
		t.Errorf("%d were acknowledged, and there are %d", n, kept)
	}
	must(t, os.Remove(filler.Name()))
	for range 2 {
		if r := remind(n); r.StatusCode != http.StatusOK {
			t.Fatalf("with room again: %d: %s", r.StatusCode, r.body)
		}
	}
	if version, reminders := stands(); version != before+1 || reminders != n+1 {
		t.Errorf("version %d behind %d, %d reminders of %d", version, before, reminders, n+1)
	}
	s.want(http.StatusOK, http.MethodGet, "/readyz", "")
}
