package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/consent"
)

// TestStorePlace: a manifest alone gets no further than a file below its folder.
func TestStorePlace(t *testing.T) {
	for name, c := range map[string]struct {
		manifest, config, want string
		refused                bool
	}{
		"none":          {"", "", "", false},
		"below":         {"store: .cento/log.db", "", "<project>/.cento/log.db", false},
		"with a scheme": {"store: sqlite:log.db", "", "<project>/log.db", false},
		"above":         {"store: ../log.db", "", "", true},
		"absolute":      {"store: /tmp/log.db", "", "", true},
		"server":        {"store: postgres://bob:secret@db/x", "", "", true},
		"link":          {"store: out/log.db", "", "", true},
		"user":          {"", "store: my.db", "<config>/my.db", false},
		"user's home":   {"", "store: ~/my.db", "<home>/my.db", false},
		"user's server": {"", "store: postgres://db/x", "postgres://db/x", false},
		"both":          {"store: log.db", "store: my.db", "<project>/log.db", false},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			if real, err := filepath.EvalSymlinks(home); err == nil {
				home = real
			}
			dir, config := filepath.Join(home, "project"), filepath.Join(home, "config")
			for path, text := range map[string]string{
				filepath.Join(dir, "cento.yaml"): "version: 1\n" + c.manifest + "\n", filepath.Join(config, "config.yaml"): c.config + "\n",
			} {
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(home, filepath.Join(dir, "out")); err != nil {
				t.Skip(err)
			}
			r := project.Request{Dir: dir, Home: home, Config: config}
			site, err := project.Locate(r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := site.StoreAddress(r)
			if c.refused {
				if !errors.Is(err, consent.TrustRequired) || strings.Contains(err.Error(), "secret") {
					t.Fatalf("%q, %v; want %s without the password", got, err, consent.TrustRequired)
				}
				e, _ := errors.AsType[*cento.SourceError](err)
				if !strings.Contains(e.Hint, "--store") || e.Position.File != "cento.yaml" {
					t.Errorf("%+v", e)
				}
				return
			}
			want := strings.NewReplacer("<project>", dir, "<config>", config, "<home>", home).Replace(c.want)
			if err != nil || got != filepath.FromSlash(want) && got != want {
				t.Errorf("%q, %v; want %q", got, err, want)
			}
		})
	}
}
