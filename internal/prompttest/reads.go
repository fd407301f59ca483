package prompttest

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
)

// FilesOf are the files that an input has something of, each with a place.
func FilesOf(in cento.Input) (map[string]cento.Position, error) {
	in.Notes = nil // what is said of files isn't what they say
	raw, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	out := map[string]cento.Position{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			if name, ok := v["file"].(string); ok {
				at := cento.Position{File: name}
				if n, ok := v["line"].(float64); ok {
					at.Line = int(n)
				}
				if n, ok := v["column"].(float64); ok {
					at.Column = int(n)
				}
				if known, there := out[name]; !there || at.Compare(known) < 0 {
					out[name] = at
				}
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(v)
	return out, nil
}

// checkOwn refuses a golden in the place of a file that has another owner: `--update`
// would write over the manifest, the tests, what is read for prompts, or an output.
func (s *Suite) checkOwn(name string, ref *manifest.FileReference) *cento.SourceError {
	e := &cento.SourceError{Code: OwnFile, Position: ref.Position, Hint: "name a file that nothing else reads or writes, as in goldens/reviewer.txt"}
	inside := s.fromBase(name)
	for _, o := range s.outputs {
		if strings.EqualFold(o.File, inside) {
			e.Message = fmt.Sprintf("%q can't be a golden: it is the output of the target %q", ref.Path, o.Target)
			e.Related = []cento.Related{{Position: o.Position, Message: "named here"}}
			return e
		}
	}
	if slices.Contains(strings.Split(strings.ToLower(name), "/"), ".git") || manifest.IsOwn(path.Base(name)) || isRead(strings.ToLower(inside)) {
		e.Message = fmt.Sprintf("%q can't be a golden: it belongs to the project, or to git", ref.Path)
		return e
	}
	return nil
}

// isRead reports whether a file below the folder of the manifest lies where the program
// looks for its own. Goldens may lie below .cento beside tests that do, elsewhere in it.
func isRead(name string) bool {
	rest, below := strings.CutPrefix(name, ".cento/")
	folder, _, deep := strings.Cut(rest, "/")
	return below && (name == manifest.OutputsRecord || deep && slices.Contains([]string{"packs", "prompts", "skills", "tools"}, folder))
}

// fromBase is a path from the root as one from the folder of the manifest, for a file
// that lies below it; else as it is.
func (s *Suite) fromBase(name string) string {
	if base := s.fromRoot(s.site.Base); base != "." {
		return strings.TrimPrefix(name, base+"/")
	}
	return name
}

// checkRead refuses to write over a file that a prompt of the tests is made of.
func (t *tester) checkRead(done []ran) error {
	if len(t.files.updates) == 0 {
		return nil
	}
	var faults []*cento.SourceError
	seen, told := map[*reading]bool{}, map[string]bool{}
	for _, r := range done {
		if r.prompt == nil || r.prompt.plan == nil || seen[r.prompt.plan.reading] {
			continue
		}
		seen[r.prompt.plan.reading] = true
		files, err := FilesOf(r.prompt.in)
		if err != nil {
			return err
		}
		for _, name := range t.files.updates {
			shown := t.suite.site.Show(filepath.Join(filepath.FromSlash(t.suite.site.Root.Dir), filepath.FromSlash(name)))
			if at, reads := files[shown]; reads && !told[name] {
				told[name] = true
				faults = append(faults, &cento.SourceError{
					Code: OwnFile, Position: t.files.texts[name].by, Message: fmt.Sprintf("%s can't be a golden: the prompt of the test %q is made of it", name, r.name),
					Related: []cento.Related{{Position: at, Message: "text of it is read here"}},
					Hint:    "nothing was written; name a file that nothing else reads or writes, as in goldens/reviewer.txt",
				})
			}
		}
	}
	return cento.Join(faults)
}
