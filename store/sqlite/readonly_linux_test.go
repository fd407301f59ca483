package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/treetest"
	"github.com/cento-dev/cento/store"
)

// TestReadOnly: a store can be read where nothing may be written, and whoever may not
// read it learns so.
func TestReadOnly(t *testing.T) {
	for _, c := range []struct {
		name         string
		file, folder os.FileMode
		log          bool
		o            store.Options
		code         cento.ErrorCode // empty: it opens
		says         string
	}{
		{"file and folder", 0o444, 0o555, false, store.Options{ReadOnly: true}, "", ""},
		{"folder", 0o666, 0o555, false, store.Options{ReadOnly: true}, "", ""},
		{"to write", 0o444, 0o555, false, store.Options{Existing: true}, store.ReadOnly, "may not be written to"},
		{"with a log", 0o444, 0o555, true, store.Options{ReadOnly: true}, store.ReadOnly, "a.db-wal"},
		{"file of somebody else", 0o600, 0o555, false, store.Options{ReadOnly: true}, store.Unreachable, "may not be read by this user"},
		{"file of somebody else, to write", 0o600, 0o755, false, store.Options{Existing: true}, store.Unreachable, "may not be read by this user"},
		{"folder of somebody else", 0o666, 0o700, false, store.Options{ReadOnly: true}, store.Unreachable, "may not be read by this user"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if os.Geteuid() != 0 {
				t.Skip("skipped: only the superuser can make files of somebody else")
			}
			dir := t.TempDir()
			sub := filepath.Join(dir, "sub")
			path := filepath.Join(sub, "a.db")
			s, err := Open(t.Context(), path, store.Options{})
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.log {
				if err := os.WriteFile(path+"-wal", []byte("changes"), 0o444); err != nil {
					t.Fatal(err)
				}
			}
			for name, mode := range map[string]os.FileMode{path: c.file, sub: c.folder} {
				if err := os.Chmod(name, mode); err != nil {
					t.Fatal(err)
				}
			}
			treetest.Unprivileged(t, dir, func() {
				s, err := Open(t.Context(), path, c.o)
				if err == nil {
					if _, err := s.Records(t.Context(), store.RecordQuery{}); err != nil {
						t.Error(err)
					}
					err = s.Close()
				}
				if c.code == "" && err != nil || c.code != "" && (!errors.Is(err, c.code) || !strings.Contains(err.Error(), c.says)) {
					t.Errorf("%v, want %q %q", err, c.code, c.says)
				}
			})
		})
	}
}
