package prompttest

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/ignore"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// Suite are the tests of one project.
type Suite struct {
	site    project.Site
	request project.Request
	// manifest is an empty one where the project has none, and targets and outputs are its.
	manifest *manifest.Manifest
	targets  []string
	outputs  []manifest.Output
	files    []string // of tests, from the root
	cases    []testCase
}

// testCase is a case and the folder that its files start from.
type testCase struct {
	manifest.Case
	dir string // from the root
}

// Load reads the tests of a project: those of its manifest, and of the files below its
// folder whose names end in [manifest.CaseFileSuffix]. It doesn't look into ignored and
// hidden folders, but for .cento, nor into folders that are projects of their own. Of
// the request it takes the manifest and the user's folders.
//
// The errors are those of the manifest and of these files, [DuplicateName],
// [MisnamedFile], [OutsideRoot], [OwnFile], [TooManyFiles], and [manifest.UnknownTarget].
func Load(r project.Request) (*Suite, error) {
	near, err := project.Locate(r)
	if err != nil {
		return nil, err
	}
	request := project.Request{Dir: near.Base, Disk: r.Disk, Portable: true, Home: r.Home, Config: r.Config, Clients: r.Clients}
	if r.Manifest != "" {
		request.Manifest = near.ManifestPath
	}
	site, err := project.Locate(request)
	if err != nil {
		return nil, err
	}
	s := &Suite{site: site, request: request, manifest: new(manifest.Manifest)}
	t, err := tree.OpenOn(r.Disk, filepath.FromSlash(site.Root.Dir), tree.Options{Show: func(name string) string { return name }})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var faults []*cento.SourceError
	if err := s.readManifest(); err != nil {
		if faults = append(faults, cento.SourceErrors(err)...); faults == nil {
			return nil, err
		}
	}
	files, misnamed, err := caseFiles(t, s.fromRoot(site.Base))
	if err != nil {
		return nil, err
	}
	s.files = files
	for _, name := range misnamed {
		usual, _ := usualName(path.Base(name))
		faults = append(faults, &cento.SourceError{
			Code: MisnamedFile, Position: cento.Position{File: name}, Message: "tests stand in files that end in " + manifest.CaseFileSuffix + ", and this one isn't read",
			Hint: "rename it to " + usual,
		})
	}
	for _, name := range files {
		f, err := t.Read(name)
		if err == nil {
			var list []manifest.Case
			list, err = manifest.ParseCases(name, []byte(f.Text), cento.Limits{})
			s.add(path.Dir(name), list)
		}
		if err != nil {
			list := cento.SourceErrors(err)
			if list == nil {
				return nil, err
			}
			faults = append(faults, list...)
		}
	}
	if faults == nil {
		faults = s.check(t)
	}
	return s, cento.Join(faults)
}

// Files are the files of tests, by their paths, also where one can't be read.
func (s *Suite) Files() []string {
	out := make([]string, len(s.files))
	for i, name := range s.files {
		out[i] = filepath.Join(filepath.FromSlash(s.site.Root.Dir), filepath.FromSlash(name))
	}
	return out
}

// fromRoot is a folder of the disk as a path from the root; "." for one elsewhere.
func (s *Suite) fromRoot(dir string) string {
	rel, err := filepath.Rel(filepath.FromSlash(s.site.Root.Dir), dir)
	if rel = filepath.ToSlash(rel); err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return "."
	}
	return rel
}

func (s *Suite) add(dir string, list []manifest.Case) {
	for _, c := range list {
		s.cases = append(s.cases, testCase{c, dir})
	}
}

func (s *Suite) readManifest() error {
	name := s.site.ManifestPath
	if name == "" {
		return s.site.Misnamed()
	}
	shown := s.site.Show(name)
	f, err := tree.ReadPathOn(s.request.Disk, name, tree.Options{Show: func(string) string { return shown }})
	if err != nil {
		return err
	}
	m, err := manifest.Parse(shown, []byte(f.Text))
	if err != nil {
		return err
	}
	s.manifest, s.targets, s.outputs = m, m.Targets(), m.Outputs()
	s.add(s.fromRoot(s.site.Base), m.Tests)
	return nil
}

// check finds what is wrong with cases beside one another and with what they name.
func (s *Suite) check(t *tree.Tree) []*cento.SourceError {
	var faults []*cento.SourceError
	first := map[string]cento.Position{}
	for i := range s.cases {
		c := &s.cases[i]
		if at, twice := first[c.Name]; twice {
			faults = append(faults, &cento.SourceError{
				Code: DuplicateName, Position: c.Position, Message: fmt.Sprintf("two tests have the name %q", c.Name),
				Related: []cento.Related{{Position: at, Message: "the other one"}}, Hint: "give one of them another name",
			})
		} else {
			first[c.Name] = c.Position
		}
		for _, target := range c.Targets {
			if slices.Contains(s.targets, target.Text) {
				continue
			}
			e := s.manifest.NoTarget(target.Text)
			e.Position = target.Position
			faults = append(faults, e)
		}
		for _, ref := range c.references() {
			if e := s.checkReference(t, c, ref); e != nil {
				faults = append(faults, e)
			}
		}
	}
	return faults
}

// references are the files that a case names.
func (c *testCase) references() []*manifest.FileReference {
	var out []*manifest.FileReference
	for _, ref := range []*manifest.FileReference{c.Golden, c.Truth} {
		if ref != nil {
			out = append(out, ref)
		}
	}
	if c.Wire != nil && c.Wire.Golden != nil {
		out = append(out, c.Wire.Golden)
	}
	return out
}

// file is the path from the root of a file that a case names.
func (c *testCase) file(ref *manifest.FileReference) string { return path.Join(c.dir, ref.Path) }

// checkReference refuses a file outside of the root, and one that is or lies behind a
// link: what a test writes has to be where it says.
func (s *Suite) checkReference(t *tree.Tree, c *testCase, ref *manifest.FileReference) *cento.SourceError {
	name := c.file(ref)
	if name == ".." || strings.HasPrefix(name, "../") {
		return &cento.SourceError{
			Code: OutsideRoot, Position: ref.Position, Message: fmt.Sprintf("%q lies outside of the project", ref.Path),
			Hint: "a path starts from the folder of the test and stays below the root of the project, as in goldens/reviewer.txt",
		}
	}
	if err := tree.CheckName(name); err != nil {
		return &cento.SourceError{Code: tree.InvalidName, Position: ref.Position, Message: fmt.Sprintf("%q can't be the name of a file: %s", ref.Path, err.Reason)}
	}
	if e := s.checkOwn(name, ref); e != nil {
		return e
	}
	for part := name; part != "."; part = path.Dir(part) {
		info, err := t.Lstat(part)
		switch {
		case err != nil: // it isn't there yet, or reading it tells
		case info.Mode().Type() != 0 && !info.IsDir():
			return &cento.SourceError{
				Code: OutsideRoot, Position: ref.Position, Message: fmt.Sprintf("%q is no plain file of the project: %s is a link or a special file", ref.Path, part),
				Hint: "name a file that isn't behind a link",
			}
		}
	}
	return nil
}

const (
	// maxWalked is how many entries of a project are looked through for tests.
	maxWalked = 200_000
	// maxFolder is how many a single folder may have.
	maxFolder = 50_000
)

// usualName is the name of a file of tests that is called nearly so, as it is read; false
// for any other file.
func usualName(name string) (string, bool) {
	usual := manifest.UsualName(name)
	if stem, several := strings.CutSuffix(usual, "s.yaml"); several {
		usual = stem + ".yaml"
	}
	stem, ok := strings.CutSuffix(usual, manifest.CaseFileSuffix)
	if !ok {
		return "", false
	}
	return name[:len(stem)] + manifest.CaseFileSuffix, true // the stem keeps its length
}

// caseFiles are the names of files with cases, and of those that were meant to have some,
// sorted.
func caseFiles(t *tree.Tree, from string) (out, misnamed []string, err error) {
	err = walk(t, from, func(dir string, e tree.Entry, in folder) (into bool) {
		if e.Mode.IsDir() {
			return !strings.HasPrefix(e.Name, ".") && !isProject(in.tree, path.Join(in.name, e.Name)) || e.Name == ".cento" && dir == from
		}
		switch {
		case !e.Mode.IsRegular():
		case strings.HasSuffix(e.Name, manifest.CaseFileSuffix):
			out = append(out, path.Join(dir, e.Name))
		default:
			if _, ok := usualName(e.Name); ok {
				misnamed = append(misnamed, path.Join(dir, e.Name))
			}
		}
		return false
	})
	slices.Sort(out)
	slices.Sort(misnamed)
	return out, misnamed, err
}

// isProject reports whether a folder has tests of its own project.
func isProject(t *tree.Tree, dir string) bool {
	if _, err := t.Lstat(path.Join(dir, project.FileName)); err == nil {
		return true
	}
	info, err := t.Lstat(path.Join(dir, ".cento"))
	return err == nil && info.IsDir()
}

// folder is a folder by its name in a tree, which may be one of its parents.
type folder struct {
	tree *tree.Tree
	name string
}

// maxReach is how many folders down a tree is asked for one: from the top each would cost
// as much as it is deep.
const maxReach = 16

// walk visits the files and folders below a folder, without those that .gitignore names and
// those that version control and package managers keep for themselves. It looks into a
// folder when visit says so.
func walk(t *tree.Tree, from string, visit func(dir string, e tree.Entry, in folder) (into bool)) error {
	rulesOf := func(dir string, in folder, above *ignore.Rules) *ignore.Rules {
		f, err := in.tree.Read(path.Join(in.name, ".gitignore"))
		if errors.Is(err, tree.Outside) && in.tree != t {
			f, err = t.Read(path.Join(dir, ".gitignore")) // a link to another folder of the project
		}
		if err == nil {
			return ignore.Parse(dir, f.Text, above)
		}
		return above // mostly there is none, and one that can't be read ignores nothing
	}
	effort := ignore.Effort{Left: ignore.MaxEffort}
	var rules *ignore.Rules
	if from != "." {
		above := "."
		rules = rulesOf(above, folder{t, above}, rules)
		parts := strings.Split(from, "/")
		for _, part := range parts[:len(parts)-1] {
			above = path.Join(above, part)
			rules = rulesOf(above, folder{t, above}, rules)
		}
	}
	left := maxWalked
	var walkIn func(dir string, in folder, reach int, rules *ignore.Rules) error
	walkIn = func(dir string, in folder, reach int, rules *ignore.Rules) error {
		if reach == maxReach {
			sub, err := in.tree.Sub(in.name)
			if err != nil {
				return err
			}
			defer sub.Close()
			in, reach = folder{sub, "."}, 0
		}
		entries, err := in.tree.ReadDir(in.name, min(left, maxFolder))
		if err != nil {
			return tooMany(err, dir)
		}
		left -= len(entries)
		rules = rulesOf(dir, in, rules)
		var into []string
		for _, e := range entries {
			if e.Name == "node_modules" || slices.Contains(workspace.VCSMarkers(), e.Name) || tree.CheckName(e.Name) != nil || rules.Ignored(dir, e.Name, e.Mode.IsDir(), &effort) {
				continue
			}
			if effort.Left < 0 {
				return &cento.SourceError{Code: TooManyFiles, Message: "the project has more rules in .gitignore and files to hold against them than are looked at", Hint: "put tests under tests: of the manifest of a smaller project"}
			}
			if visit(dir, e, in) {
				into = append(into, e.Name)
			}
		}
		for _, name := range into {
			if err := walkIn(path.Join(dir, name), folder{in.tree, path.Join(in.name, name)}, reach+1, rules); err != nil {
				return err
			}
		}
		return nil
	}
	return walkIn(from, folder{t, from}, 0, rules)
}

// tooMany words the error of a folder that holds too much.
func tooMany(err error, dir string) error {
	list := cento.SourceErrors(err)
	if len(list) == 1 && list[0].Code == tree.TooMany {
		return &cento.SourceError{
			Code: TooManyFiles, Position: cento.Position{File: dir}, Message: fmt.Sprintf("the project has more than %d files, or more than %d in one folder", maxWalked, maxFolder),
			Hint: "name folders that are made or fetched in .gitignore",
		}
	}
	return err
}

// near offers a known name as a hint; empty for none.
func near(name string, known []string) string { return nearest.Hint(name, known, "") }
