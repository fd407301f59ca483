package project

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/treetest"
)

// A file that was surely meant as one that is looked for by another name is refused, and
// nothing else is.
func TestMisnamedFiles(t *testing.T) {
	const (
		system = "system: Work.\n"
		words  = "prompt: {tools_heading: Tools}\n"
	)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"ending":             {map[string]string{"cento.yml": system}, "manifest.name cento.yml rename it to cento.yaml"},
		"case":               {map[string]string{"Cento.yaml": system}, "manifest.name Cento.yaml rename it to cento.yaml"},
		"capitals":           {map[string]string{"CENTO.YML": system}, "manifest.name CENTO.YML rename it to cento.yaml"},
		"hidden":             {map[string]string{".cento.yaml": system}, "manifest.name .cento.yaml rename it to cento.yaml"},
		"text":               {map[string]string{"cento.yaml.txt": system}, "manifest.name cento.yaml.txt rename it to cento.yaml"},
		"first of several":   {map[string]string{"cento.yml": system, "Cento.yaml": system}, "manifest.name Cento.yaml rename it to cento.yaml"},
		"in the folder":      {map[string]string{".cento/cento.yaml": system}, "manifest.name .cento/cento.yaml move it out of .cento"},
		"beside one":         {map[string]string{"cento.yaml": system, "cento.yml": system, ".cento/cento.yaml": system}, ""},
		"a folder":           {map[string]string{"cento.yml/a": ""}, ""},
		"another name":       {map[string]string{"cento.yaml.bak": system, "acento.yaml": system, "cento.toml": system}, ""},
		"JSON":               {map[string]string{"cento.json": "{}"}, "manifest.name cento.json rename it to cento.yaml"},
		"JSON beside one":    {map[string]string{"cento.yaml": system, "cento.json": "{}"}, ""},
		"the user's JSON":    {map[string]string{"home/config.json": "{}"}, "settings.name home/config.json rename it to config.yaml"},
		"wording":            {map[string]string{".cento/prompts.yml": words}, "settings.name .cento/prompts.yml rename it to prompts.yaml"},
		"wording in TOML":    {map[string]string{".cento/Prompts.toml": words}, "settings.name .cento/Prompts.toml rename it to prompts.toml"},
		"wording beside one": {map[string]string{".cento/prompts.yaml": words, ".cento/prompts.yml": words, ".cento/prompts/a.md": ""}, ""},
		"the user's":         {map[string]string{"home/prompts.yml": words}, "settings.name home/prompts.yml rename it to prompts.yaml"},
		"configuration":      {map[string]string{"home/config.yml": "skills: off\n"}, "settings.name home/config.yml rename it to config.yaml"},
		"and the right one":  {map[string]string{"home/config.yml": "skills: off\n", "home/config.yaml": ""}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := inFolder(t, c.files)
			r.Config = filepath.Join(r.Dir, "home")
			if name == "case" || name == "capitals" || name == "first of several" || name == "wording in TOML" {
				treetest.File(t, r.Dir, "x/probe", "")
				if _, err := os.Stat(filepath.Join(r.Dir, "x", "PROBE")); err == nil {
					t.Skip("the disk knows no case")
				}
			}
			_, err := Open(t.Context(), r)
			got := ""
			if e, ok := errors.AsType[*cento.SourceError](err); ok {
				got = string(e.Code) + " " + e.Position.File + " " + e.Hint
			} else if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
