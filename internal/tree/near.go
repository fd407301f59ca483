package tree

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/nearest"
)

// maxSiblings is how many entries of a folder are looked at for a near name.
const maxSiblings = 1000

// Near is the name of the file in a folder that is nearest to one that isn't there, of
// the same kind. The extension says the kind alone: that it is alike makes no name near.
func (t *Tree) Near(dir, name string) (string, bool) {
	entries, err := t.ReadDir(dir, maxSiblings)
	if err != nil {
		return "", false
	}
	return nearFile(entries, name)
}

// nearFile is [Tree.Near] among the entries of a folder.
func nearFile(entries []Entry, name string) (string, bool) {
	var stems []string
	files := map[string]string{} // by stem
	for _, e := range entries {
		if !e.Mode.IsRegular() || !sameKind(e.Name, name) {
			continue
		}
		if s := stem(e.Name); files[s] == "" || e.Name < files[s] {
			stems, files[s] = append(stems, s), e.Name
		}
	}
	near, ok := nearest.Name(stem(name), stems)
	return files[near], ok
}

// stem is a name without its extension; a name that begins with its only period has none.
func stem(name string) string {
	return cmp.Or(strings.TrimSuffix(name, path.Ext(name)), name)
}

// NearFile is [Tree.Near] for a file that somebody gives by a path, in the form of that
// path; full is where it was looked for.
func NearFile(given, full string) (string, bool) {
	t, err := Open(filepath.Dir(full), Options{})
	if err != nil {
		return "", false
	}
	defer t.Close()
	near, ok := t.Near(".", filepath.Base(full))
	return filepath.Join(filepath.Dir(given), near), ok
}

// NearFolder is the folder nearest to one that isn't there, in the form of the path that
// somebody gives; full is where it was looked for.
func NearFolder(d disk.Disk, given, full string) (string, bool) {
	entries, err := ListPath(d, filepath.Dir(full), maxSiblings)
	if err != nil {
		return "", false
	}
	near, ok := nearFolder(entries, filepath.Base(full))
	return filepath.Join(filepath.Dir(given), near), ok
}

// nearFolder is the nearest folder among the entries of one.
func nearFolder(entries []Entry, name string) (string, bool) {
	var folders []string
	for _, e := range entries {
		if e.Mode.IsDir() {
			folders = append(folders, e.Name)
		}
	}
	return nearest.Name(name, folders)
}

// NearEntry is the name in a folder that is nearest to one that isn't there: that of a
// folder, else that of a file as [Tree.Near] has it.
func NearEntry(d disk.Disk, dir, name string) (string, bool) {
	entries, err := ListPath(d, dir, maxSiblings)
	if err != nil {
		return "", false
	}
	if near, ok := nearFolder(entries, name); ok {
		return near, true
	}
	return nearFile(entries, name)
}

// sameKind reports whether two names have extensions that can stand for each
// other.
func sameKind(a, b string) bool {
	kind := func(name string) string {
		switch ext := strings.ToLower(strings.TrimPrefix(name, stem(name))); ext {
		case ".yaml", ".yml":
			return ".json"
		default:
			return ext
		}
	}
	return kind(a) == kind(b)
}
