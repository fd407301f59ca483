package app

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// The codes of errors about files for CI.
const (
	// CIExists: a file that would be written is there, and has other bytes.
	CIExists cento.ErrorCode = "ci.exists"
	// NoRepository: files for CI belong to the root of a git repository, and there is none.
	NoRepository cento.ErrorCode = "ci.no_repository"
	// CIFolder: the folder of the project has a name that can't stand in a script as it is.
	CIFolder cento.ErrorCode = "ci.folder"
)

// CIService is where checks run.
type CIService string

// The services.
const (
	CIGitHub CIService = "github" // a workflow of GitHub Actions
	CIGitLab CIService = "gitlab" // jobs of GitLab CI
	CIHook   CIService = "hook"   // a git hook, before a commit
)

// CIServices lists the services.
func CIServices() []string { return []string{string(CIGitHub), string(CIGitLab), string(CIHook)} }

// CIFile is one of the files that hold prompts to their checks outside of an editor.
type CIFile struct {
	// Path is from the root of the repository.
	Path string `json:"path"`
	Text string `json:"text"`
	// Executable: it is a program.
	Executable bool `json:"executable"`
	// Written: it wasn't there, and is now.
	Written bool `json:"written"`
}

// CIFiles are those of some services.
type CIFiles struct {
	// Root is the folder of the repository.
	Root  string   `json:"root"`
	Files []CIFile `json:"files"`
	// Include tells that a .gitlab-ci.yml is there, which has to include what is written.
	Include bool `json:"include"`
}

var (
	//go:embed ci/github.yml
	githubWorkflow string
	//go:embed ci/gitlab.yml
	gitlabJobs string
	//go:embed ci/include.yml
	gitlabInclude string
	//go:embed ci/pre-commit
	preCommit string
)

// The files, from the root of the repository.
const (
	githubFile  = ".github/workflows/cento.yml"
	gitlabFile  = ".gitlab/cento.yml"
	gitlabEntry = ".gitlab-ci.yml"
	hookFile    = ".githooks/pre-commit"
)

// plainFolder is a folder's name that means itself in YAML, in an expression of a service,
// and in a shell.
var plainFolder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$`)
})

// release is a version that everybody can install.
var release = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)
})

// NewCIFiles makes the files for the project of a folder; it writes nothing.
func NewCIFiles(e Environ, services []CIService) (*CIFiles, error) {
	site, err := project.Locate(project.Request{Dir: e.Dir, Home: e.Home, Config: e.Config})
	if err != nil {
		return nil, err
	}
	repository, err := workspace.FindRoot(site.Disk(), site.Base, "", []string{".git"})
	if err != nil {
		return nil, err
	}
	if !repository.VCS {
		return nil, &cento.SourceError{
			Code: NoRepository, Position: cento.Position{File: site.Base}, Message: "files for CI stand at the root of a git repository, and there is none here",
			Hint: "run git init first, or go to a folder of one",
		}
	}
	root := repository.Dir
	folder, rel := "", "."
	if site.ManifestPath != "" {
		if rel, err = filepath.Rel(root, filepath.FromSlash(site.Base)); err != nil {
			return nil, err
		}
	}
	if rel = filepath.ToSlash(rel); rel != "." {
		if !plainFolder().MatchString(rel) {
			return nil, &cento.SourceError{
				Code: CIFolder, Position: cento.Position{File: rel}, Message: "the folder of the project can't be written into a script: its name has more than letters, digits, dots, hyphens and underscores",
				Hint: "give it a plainer name",
			}
		}
		folder = " --cwd " + rel
	}
	version := "latest"
	if release().MatchString(Version()) {
		version = Version()
	}
	fill := strings.NewReplacer("@VERSION", "@"+version, "FOLDER", folder).Replace
	out := &CIFiles{Root: root, Files: []CIFile{}}
	for _, s := range services {
		switch s {
		case CIGitHub:
			out.Files = append(out.Files, CIFile{Path: githubFile, Text: fill(githubWorkflow)})
		case CIGitLab:
			out.Files = append(out.Files, CIFile{Path: gitlabFile, Text: fill(gitlabJobs)})
			entry, err := readRaw(root, gitlabEntry)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				out.Files = append(out.Files, CIFile{Path: gitlabEntry, Text: gitlabInclude})
			case err != nil:
				return nil, err
			default:
				out.Include = !strings.Contains(string(entry), gitlabFile)
			}
		case CIHook:
			out.Files = append(out.Files, CIFile{Path: hookFile, Text: fill(preCommit), Executable: true})
		}
	}
	return out, nil
}

// Write writes the files. One that is there with other bytes is an error, and then none is
// written; one with the same bytes is left as it is.
func (c *CIFiles) Write() error {
	t, err := tree.Open(c.Root, tree.Options{})
	if err != nil {
		return err
	}
	defer t.Close()
	var taken []*cento.SourceError
	var missing []*CIFile
	for i := range c.Files {
		f := &c.Files[i]
		switch there, err := t.ReadRaw(f.Path); {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, f)
		case err != nil:
			taken = append(taken, cento.SourceErrors(err)...)
			if len(cento.SourceErrors(err)) == 0 {
				return err
			}
		case string(there) != f.Text:
			taken = append(taken, &cento.SourceError{
				Code: CIExists, Position: cento.Position{File: f.Path}, Message: "is there already, and stays as it is; nothing is written",
				Hint: "see what would be written with `cento init --ci --print`",
			})
		}
	}
	if taken != nil {
		return cento.Join(taken)
	}
	for i, f := range missing {
		if err := c.create(t, f); err != nil {
			for _, made := range missing[:i+1] { // all or none
				if !made.Written {
					continue
				}
				made.Written = false
				err = errors.Join(err, os.Remove(filepath.Join(c.Root, filepath.FromSlash(made.Path))))
			}
			return err
		}
	}
	return nil
}

// readRaw reads a file of a folder.
func readRaw(dir, name string) ([]byte, error) {
	t, err := tree.Open(dir, tree.Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return t.ReadRaw(name)
}

func (c *CIFiles) create(t *tree.Tree, f *CIFile) error {
	if err := t.Replace(f.Path, []byte(f.Text)); err != nil {
		if len(cento.SourceErrors(err)) > 0 {
			return err
		}
		return fmt.Errorf("writing %s: %w", f.Path, tree.WithoutPath(err))
	}
	f.Written = true
	if f.Executable {
		return os.Chmod(filepath.Join(c.Root, filepath.FromSlash(f.Path)), 0o755)
	}
	return nil
}

// ParseCIServices reads names of services; none are all. Its error names the nearest.
func ParseCIServices(names []string) ([]CIService, error) {
	if len(names) == 0 || slices.Equal(names, []string{"all"}) {
		names = CIServices()
	}
	var out []CIService
	for _, n := range names {
		if !slices.Contains(CIServices(), n) {
			return nil, fmt.Errorf("%q is none of the services; %s", n, NearestHint(n, CIServices()))
		}
		if !slices.Contains(out, CIService(n)) {
			out = append(out, CIService(n))
		}
	}
	return out, nil
}
