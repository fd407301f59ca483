package tests

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
)

// A manifest changes nothing that it doesn't name: in the folders of all
// conformance cases, a manifest that says nothing gives the input of none. The
// root is marked by a folder .cento where no repository marks it, as the manifest
// would.
func TestManifestThatSaysNothing(t *testing.T) {
	seen := 0
	for _, c := range conformanceCases(t) {
		files := map[string][]byte{}
		for name, data := range c.inputs {
			manifest := filepath.Base(name) == project.FileName || filepath.Base(name) == "cento.yml" // by mistake
			if strings.HasPrefix(name, "project/") && !manifest || strings.HasPrefix(name, "home/") {
				files[name] = data
			}
		}
		if len(files) == 0 {
			continue
		}
		seen++
		t.Run(c.name, func(t *testing.T) {
			top, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range slices.Sorted(maps.Keys(files)) {
				makeFile(t, filepath.Join(top, filepath.FromSlash(name)), string(files[name]))
			}
			dir, home := filepath.Join(top, "project"), filepath.Join(top, "home")
			for _, d := range []string{home, filepath.Join(dir, ".cento")} {
				if err := os.MkdirAll(d, 0o777); err != nil {
					t.Fatal(err)
				}
			}
			ask := func() string {
				p, err := project.Open(t.Context(), project.Request{Dir: dir, Home: home, Config: filepath.Join(home, ".config", "cento")})
				if err != nil {
					return err.Error()
				}
				in, err := json.Marshal(p.Input)
				if err != nil {
					t.Fatal(err)
				}
				return string(in)
			}
			without := ask()
			for _, text := range []string{"", "version: 1\n", "# Nothing yet.\n"} {
				makeFile(t, filepath.Join(dir, project.FileName), text)
				if with := ask(); with != without {
					t.Errorf("with %q:\n%s\nwithout:\n%s", text, with, without)
				}
			}
		})
	}
	if seen < 100 {
		t.Errorf("%d folders were looked at", seen)
	}
}

// One key changes what it is about, and nothing else: which fragments come, go or
// read otherwise.
func TestKeyHasItsEffectAlone(t *testing.T) {
	for key, touched := range map[string][]string{
		"version: 1":                {},
		"system: One.":              {"primary:system", "primary:environment", "builtin:instruction"},
		"instruction: $workspace/a": {"primary:system", "primary:environment", "builtin:instruction"},
		"instruction: off":          {"primary:system", "primary:environment"},
		"skills: off":               {"primary:skill_catalog"},
		"skills: {active: [tides]}": {"skill:tides"},
		"profile: off":              {"profile:go", "profile:build.go", "profile:task.build", "profile:task.test", "profile:git"},
		"scope: off":                {"scope:boundaries"},
		"scope: {allow: [{target: ., permission: read}]}": {"scope:boundaries"},
		"project: {instructions: off}":                    {"project:instructions"},
		"project: {limit: 100000}":                        {},
		"fragments: [{id: a, body: B.}]":                  {"a"},
		"host: {system_prefix: P.}":                       {"host:system_prefix"},
		"primary: {loop_contract: L.}":                    {"primary:loop_contract"},
		"caps: [x]":                                       {},
		"limits: {fragments: 1000}":                       {},
		"trust: {policy: strip}":                          {},
		"reminders: {placement: turn}":                    {},
		"model: gpt-5":                                    {},
		"vars: {x: 1}":                                    {},
		"targets: {t: {system: Two.}}":                    {},
		"layers: [{name: t, layer: {slots: {intro: {contributions: [{id: x, content: Hi.}]}}}}]": {"slot:intro/x"},
	} {
		t.Run(key, func(t *testing.T) {
			top, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range keyFiles {
				makeFile(t, filepath.Join(top, filepath.FromSlash(name)), text)
			}
			dir := filepath.Join(top, "project")
			ask := func(text string) map[string]string {
				makeFile(t, filepath.Join(dir, project.FileName), text)
				prompt, err := project.Assemble(t.Context(), project.Request{Dir: dir, Home: filepath.Join(top, "home")})
				if err != nil {
					t.Fatal(err)
				}
				out := map[string]string{}
				for i := range prompt.Len() {
					out[prompt.Fragment(i).ID] = prompt.Trace(i, cento.ExplainOptions{}).Reason + "\n" + prompt.Text(i)
				}
				return out
			}
			before, after := ask(""), ask(key+"\n")
			var got []string
			for id := range after {
				if was, there := before[id]; !there || was != after[id] {
					got = append(got, id)
				}
			}
			for id := range before {
				if _, there := after[id]; !there {
					got = append(got, id)
				}
			}
			slices.Sort(got)
			want := slices.Sorted(slices.Values(touched))
			if !slices.Equal(got, want) {
				t.Errorf("it touches %q, not %q", got, want)
			}
		})
	}
}
