package mention

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/treetest"
)

// TestHas: no is said of what isn't there and won't be, and of nothing else.
func TestHas(t *testing.T) {
	for name, c := range map[string]struct {
		files     string // each with a line, unless one stands behind a colon
		mentioned string
		cwd       string
		want      bool
	}{
		"there":                           {"src/main.go", "src/main.go", "", true},
		"there, with a dot":               {"src/main.go", "./src/main.go", "", true},
		"a folder":                        {"src/main.go", "src/", "", true},
		"nowhere":                         {"src/main.go", "src/other.go", "", false},
		"further down":                    {"web/src/index.ts", "src/index.ts", "", true},
		"further down, the end of a name": {"web/mysrc/index.ts", "src/index.ts", "", false},
		"from the folder of the run":      {"web/a/b.css", "../a/b.css", "web/a", true},
		"compiled from another":           {"web/src/index.tsx", "src/index.js", "", true},
		"compiled from nothing":           {"web/src/index.css", "src/index.js", "", false},
		"built":                           {"a", "dist/app.css", "", true},
		"ignored":                         {".gitignore:*.log a", "var/x.log", "", true},
		"ignored below":                   {"web/.gitignore:cache/ web/a", "web/cache/x", "", true},
		"not ignored":                     {".gitignore:*.log a", "var/x.txt", "", false},
		"what a tool makes":               {"a", ".venv/bin/python", "", true},
		"what people write":               {"a", ".github/workflows/ci.yml", "", false},
		"of a tool whose folder is there": {".tool/x a", ".tool/y", "", false},
		"a hidden file":                   {"a", ".envrc", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for file := range strings.FieldsSeq(c.files) {
				file, line, ok := strings.Cut(file, ":")
				if !ok {
					line = "x"
				}
				files[file] = line + "\n"
			}
			root := treetest.Project(t, files)
			x := New(disk.Disk{}, root, filepath.Join(root, filepath.FromSlash(c.cwd)), root)
			for range 2 { // the names are read once
				if got := x.Has(c.mentioned); got != c.want {
					t.Errorf("%q is one of the project: %t", c.mentioned, got)
				}
			}
		})
	}
}

// TestHasOfSubmodule: what stands in a submodule that isn't checked out may be there.
func TestHasOfSubmodule(t *testing.T) {
	const modules = "[submodule \"lib\"]\n\tpath = lib\n\turl = https://example.com/lib.git\n"
	for checkedOut, files := range map[bool]map[string]string{
		false: {".gitmodules": modules, "a": "x"},
		true:  {".gitmodules": modules, "lib/b": "x"},
	} {
		root := treetest.Project(t, files)
		if got := New(disk.Disk{}, root, root, root).Has("lib/x.c"); got == checkedOut {
			t.Errorf("checked out %t: a path in it is one of the project: %t", checkedOut, got)
		}
	}
}
