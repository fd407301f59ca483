// Package starter makes the manifest that says what holds without one, for a project that
// has none. It writes no file.
//
// [New] looks at the folder, and at the files by which other clients are instructed there.
// The prompt stays the same to the byte, unless fragments that refer to these files are
// asked for.
package starter

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/project"
)

// Starter is a manifest that says what holds without one.
type Starter struct {
	// Path is where it belongs: beside the project's .cento folder when there is
	// one, else in the current folder.
	Path     string `json:"path"`
	Manifest string `json:"manifest"`
	// Written: it stands there now.
	Written bool `json:"written"`
	// Above is where the project begins when that is above the folder: its
	// manifest, else its root. A manifest here would be one of a part.
	Above string `json:"above,omitempty"`
	// Imports are the files by which other clients are instructed.
	Imports []Import `json:"imports"`
	// AddedTokens is by how many tokens the imported files make the prompt longer.
	AddedTokens int `json:"added_tokens,omitempty"`
}

// New makes the manifest that `init` writes; it writes nothing. Of the request it takes
// the folder and the user's own. With imports its fragments refer to the files of other
// clients.
func New(r project.Request, imports bool) (*Starter, error) {
	site, err := project.Locate(project.Request{Dir: r.Dir, Home: r.Home, Config: r.Config})
	if err != nil {
		return nil, err
	}
	root := site.Root
	dir := root.Cwd
	if root.Project != "" && site.ManifestPath == "" {
		dir = root.Project
	}
	target := "."
	if rel, err := filepath.Rel(dir, root.Dir); err == nil {
		target = filepath.ToSlash(rel)
	}
	s := &Starter{
		Path:     filepath.Join(filepath.FromSlash(dir), project.FileName),
		Manifest: fmt.Sprintf(starter, target, manifest.DefaultPermission(root)),
		Imports:  []Import{},
	}
	if s.Path != site.ManifestPath {
		here := site
		here.ManifestPath, here.Base = "", filepath.FromSlash(dir)
		if err := here.Misnamed(); err != nil {
			return nil, err // beside the new one it would be passed over from now on
		}
	}
	switch {
	case site.ManifestPath != "" && site.ManifestPath != s.Path:
		s.Above = site.ManifestPath
	case root.Dir != dir && dir != root.Project:
		s.Above = filepath.FromSlash(root.Dir)
	}
	s.asUser(site.UserSettings(r))
	base := "."
	if rel, err := filepath.Rel(root.Dir, dir); err == nil && filepath.IsLocal(rel) {
		base = filepath.ToSlash(rel)
	}
	if s.Imports, err = importFiles(r, root, dir, base, imports); err != nil {
		return nil, err
	}
	if added := fragments(s.Imports, base); added != "" {
		s.Manifest = strings.Replace(s.Manifest, starterExample, "", 1) + added
	}
	return s, nil
}

// asUser leaves the settings to the user's configuration that it has: a manifest's own
// would override them.
func (s *Starter) asUser(skills, scope bool) {
	if skills {
		s.Manifest = strings.Replace(s.Manifest, "\nskills: auto\n", "\n# skills: auto\n", 1)
	}
	if scope {
		s.Manifest = strings.Replace(s.Manifest, "\nscope:\n  allow:\n    - ", "\n# scope:\n#   allow:\n#     - ", 1)
	}
}

// WithLayer is the starter with a layer to go on from. Its error tells what is
// wrong with the name.
func (s Starter) WithLayer(name string) (*Starter, error) {
	var rank layer.Rank
	switch {
	case strings.IndexFunc(name, notInName) >= 0 || strings.Trim(name, "._-") == "":
		return nil, fmt.Errorf("%q can't be the name of a layer here: it is a word of letters, digits, dots, hyphens and underscores", name)
	case rank.UnmarshalText([]byte(name)) == nil && rank != layer.WorkspaceRank:
		return nil, fmt.Errorf("%q names layers of another place than a manifest", name)
	}
	s.Manifest += fmt.Sprintf(starterLayer, name)
	return &s, nil
}

func notInName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
}

// What of a starter depends on the files that are there.
const (
	starterExample = `
# Texts of your own, each gated on what it needs:
# fragments:
#   - id: team.todo
#     requires_tools: [todo]
#     body: Keep the todo list up to date.
`
)

const starter = `# What this agent's prompt is made of. See it at work: cento explain
# The keys are described by the schema: cento schema -o cento.schema.json
version: 1

# The agent's main text: a prompt file, or system with a text of your own.
instruction: $builtin/default

# What the agent is told it may read and write.
scope:
  allow:
    - {target: %s, permission: %s}

# Which files of the project instruct agents: AGENTS.md and its kin.
project: {instructions: cento}

# What the project's files say of its languages, build tools, commands and
# remotes. See it alone: cento profile
profile: auto

# The skills of the user and of the project, listed. See them: cento skills
skills: auto

# Texts of your own, each gated on what it needs:
# fragments:
#   - id: team.todo
#     requires_tools: [todo]
#     body: Keep the todo list up to date.
`

const starterLayer = `
# What is laid on the built-in section plan, low to high. See it at work: cento layers
layers:
  - name: %q
    layer:
      slots:
        guidance:
          contributions:
            - title: House rules
              content: |
                - Name the command that showed that a change works.
            - title: Reviews
              gate: {tools: [review]}
              content: |
                - Ask for a review before you merge.
`
