package tests

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// listedPackage is what `go list` says of a package.
type listedPackage struct {
	ImportPath, Dir                    string
	Imports, TestImports, XTestImports []string
	Module                             *struct{ Path string } // nil: the standard library
	DepOnly                            bool                   // not of this module
}

// decodeList calls for each value that `go list -json` prints.
func decodeList[T any](each func(T), args ...string) error {
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var v T
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		each(v)
	}
}

// listed are the packages of the module and all that they import, in the order of their
// paths: asked once, since each question is a third of a second of work.
var listed = sync.OnceValues(func() ([]listedPackage, error) {
	var all []listedPackage
	err := decodeList(func(p listedPackage) { all = append(all, p) },
		"-deps", "-json=ImportPath,Dir,Imports,TestImports,XTestImports,Module,DepOnly", "../...")
	slices.SortFunc(all, func(a, b listedPackage) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return all, err
})

func linkedPackages(t *testing.T) []listedPackage {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// listPackages are the packages of the module.
func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(linkedPackages(t)), func(p listedPackage) bool { return p.DepOnly })
}

// linkedBy are packages and all that a program has which imports them.
func linkedBy(t *testing.T, paths ...string) []listedPackage {
	t.Helper()
	all, paths := linkedPackages(t), slices.Clone(paths)
	seen := make(map[string]bool)
	var linked []listedPackage
	for len(paths) > 0 {
		path := paths[len(paths)-1]
		paths = paths[:len(paths)-1]
		if seen[path] || path == "C" { // cgo's, which is nowhere
			continue
		}
		seen[path] = true
		i, found := slices.BinarySearchFunc(all, path, func(p listedPackage, path string) int { return strings.Compare(p.ImportPath, path) })
		if !found {
			t.Fatalf("go list doesn't know %q, which something imports", path)
		}
		linked = append(linked, all[i])
		paths = append(paths, all[i].Imports...)
	}
	return linked
}
