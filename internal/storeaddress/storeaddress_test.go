package storeaddress

import (
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRead(t *testing.T) {
	for text, want := range map[string]Address{
		"x.db":                     {Path: "x.db"},
		"SQLite:y.db":              {Path: "y.db"},
		"./a:b.db":                 {Path: "./a:b.db"},
		`C:\logs\x.db`:             {Path: `C:\logs\x.db`},
		"Postgres://u:p@h:1/db":    {Server: "postgres://u:p@h:1/db"},
		"POSTGRESQL://h/db?a=B":    {Server: "postgresql://h/db?a=B"},
		"sqlite:C:/logs/x.db":      {Path: "C:/logs/x.db"},
		"~/logs/x.db":              {Path: "~/logs/x.db"},
		"sqlite:/var/lib/cento.db": {Path: "/var/lib/cento.db"},
	} {
		if got, err := Read(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

// Whatever an address of an unknown scheme holds, the error tells none of it.
func TestNothingIsTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[a-z0-9]{12}`).Draw(t, "secret")
		form := rapid.SampledFrom([]string{"mysql://u:%@h/db", "file:%", "%//u@h", "sqlite:mysql://%", "sqlite://%@h", ":memory:%", "redis:%", "postgres:%", "x+y:%", "host=h user=u password=%", "user=u\tPassword = % host=h", "u:%@tcp(h)/db", "dbname=%"}).Draw(t, "form")
		text := strings.ReplaceAll(form, "%", secret)
		if filepath.IsAbs(text) {
			t.Skip()
		}
		got, err := Read(text)
		if err == nil {
			t.Fatalf("%q is taken as %+v", text, got)
		}
		if f := err.(*Fault); strings.Contains(f.Message+f.Hint, secret) || f.Hint == "" {
			t.Fatalf("%q: %s; %s", text, f.Message, f.Hint)
		}
	})
}
