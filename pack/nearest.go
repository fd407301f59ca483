package pack

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento/internal/nearest"
)

// didYouMean is the hint that offers the nearest of the known names, or, where
// none is near, the general one.
func didYouMean(name string, known []string, general string) string {
	if near, ok := nearest.Name(name, known); ok {
		return "did you mean " + quote(near) + "?"
	}
	return general
}

// nearestFiles returns which of the files below a prefix a reference may have
// meant, sorted: the one of the nearest name, and those of the same name in
// another folder.
func nearestFiles(want Ref, there []Ref) []string {
	const offered = 3
	names := make([]string, len(there))
	var out []string
	for i, r := range there {
		names[i] = shortName(r.file)
		if base(r.file) == base(want.file) {
			out = append(out, r.String())
		}
	}
	if near, ok := nearest.Name(shortName(want.file), names); ok {
		out = append(out, string(want.prefix)+"/"+near)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), offered)]
}

// base is the last component of a path.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
