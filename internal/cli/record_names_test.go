package cli_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestRecordNames: a record has the same names in every command that takes one.
func TestRecordNames(t *testing.T) {
	d := openDoors(t)
	var rec struct {
		Hash   string
		Prompt string `json:"prompt_digest"`
	}
	must(t, json.Unmarshal([]byte(d.run("", "log", "show", "s@1", "--store", "s.db", "--json")), &rec))
	for _, command := range []string{
		"log show NAME", "log diff NAME s@1", "log replay NAME", "log redact tool:todo.guidance --record NAME", "budget --record NAME", "cache NAME NAME",
		"diff log:NAME s@1",
	} {
		line := strings.Fields(command + " --store s.db --json")
		answer := func(name string) string {
			return d.run("", strings.Fields(strings.ReplaceAll(strings.Join(line, " "), "NAME", name))...)
		}
		want := ""
		for _, name := range []string{"s@1", rec.Hash, rec.Prompt, rec.Prompt[:8]} {
			if name == "s@1" && strings.Contains(command, ":NAME") { // such a side needs no prefix
				continue
			}
			if got := answer(name); want == "" {
				want = got
			} else if got != want {
				t.Errorf("cento %s: %s is another record than by its first name:\n%s\nwant:\n%s", command, name, got, want)
			}
		}
	}
	d.refuses([]string{"log", "redact", "tool:todo.guidance", "--record", "s", "--store", "s.db"}, "", "--record s has no number")
	d.refuses([]string{"budget", "--record", strings.Repeat("0", 64), "--store", "s.db"}, "", "there is no session")
}
