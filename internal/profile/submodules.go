package profile

import (
	"path"
	"slices"
	"strings"
)

// Submodules are the folders in which a .gitmodules file says that other repositories
// stand, from the folder of the file, in the order of their names. What leads out of
// that folder is left out.
func Submodules(text string) []string {
	var out []string
	for _, e := range parseGitConfig(text) {
		if e.section != "submodule" || e.key != "path" || e.value == "" {
			continue
		}
		if folder := path.Clean(e.value); folder != "." && !path.IsAbs(folder) && folder != ".." && !strings.HasPrefix(folder, "../") {
			out = append(out, folder)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
