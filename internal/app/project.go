// Package app holds the use cases that every door of the program offers: the
// command line (internal/cli), calls (internal/call), the service with its inspector
// (internal/serve), the MCP server (internal/mcpserver) and the language server
// (internal/lsp). A door turns its arguments into a request, asks here, and prints
// the answer; no rule about prompts lives in one. This is also the only place that
// asks the environment where the user's folders are.
//
// Answers are plain structs with JSON tags, the same for people and programs. How they
// are laid out for either, exit codes and HTTP are the doors': nothing here prints,
// parses a flag or ends the program.
package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/provenance"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// Environ is where the program runs.
type Environ struct {
	Dir    string // the current folder
	Home   string // the user's home; empty when there is none
	Config string // the user's prompts and instructions
	State  string // what the program keeps for the user; empty when there is no home
	// Clients are the folders of other clients, as [project.Request] has them.
	Clients map[string]string
	Cache   string // what can be had again; empty for none
}

// Environment asks the environment: the current folder, the home folder, and
// the user's folder, which is $CENTO_HOME, else cento in $XDG_CONFIG_HOME, else
// in ~/.config; what the program keeps is in $XDG_STATE_HOME, else in
// ~/.local/state.
func Environment() (Environ, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Environ{}, fmt.Errorf("finding the current folder: %w", err)
	}
	e := Environ{Dir: dir}
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		e.Home = filepath.Clean(home)
	}
	if cache, err := os.UserCacheDir(); err == nil {
		e.Cache = filepath.Join(cache, "cento")
	}
	switch {
	case os.Getenv("CENTO_HOME") != "":
		if e.Config, err = filepath.Abs(os.Getenv("CENTO_HOME")); err != nil {
			return e, fmt.Errorf("finding $CENTO_HOME: %w", err)
		}
	case filepath.IsAbs(os.Getenv("XDG_CONFIG_HOME")):
		e.Config = filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "cento")
	case e.Home != "":
		e.Config = filepath.Join(e.Home, ".config", "cento")
	}
	switch {
	case filepath.IsAbs(os.Getenv("XDG_STATE_HOME")):
		e.State = filepath.Join(os.Getenv("XDG_STATE_HOME"), "cento")
	case e.Home != "":
		e.State = filepath.Join(e.Home, ".local", "state", "cento")
	}
	e.Clients = clientFolders()
	return e, nil
}

// Project is a project that is open.
type Project struct {
	*project.Project
	provenance.Texts
}

func of(p *project.Project) *Project { return &Project{p, provenance.Of(p)} }

// Open reads the project that stands at a place.
func Open(ctx context.Context, site project.Site, r project.Request) (*Project, error) {
	p, err := site.Open(ctx, r)
	if err != nil {
		return nil, err
	}
	return of(p), nil
}

// Target is the project for another of its targets.
func (p *Project) Target(ctx context.Context, name string) (*Project, error) {
	q, err := p.Project.Target(ctx, name)
	if err != nil {
		return nil, err
	}
	return of(q), nil
}

// Remarks are the notes on the input that aren't in its summary already.
func (p *Project) Remarks() []cento.Note {
	return slices.DeleteFunc(slices.Clone(p.Input.Notes), func(n cento.Note) bool {
		return n.Code == workspace.InstructionsShadowed
	})
}

// ScopeAnswer tells what is permitted at some paths.
type ScopeAnswer struct {
	Configured bool        `json:"configured"`
	Summary    string      `json:"summary"`
	Paths      []ScopePath `json:"paths"`
}

// ScopePath is the permission at one path and the rules that decide it.
type ScopePath struct {
	Path       string               `json:"path"`
	Permission workspace.Permission `json:"permission"`
	Rules      []workspace.Rule     `json:"rules"`
}

// Forbidden reports whether a path has no permission at all.
func (a *ScopeAnswer) Forbidden() bool {
	return slices.ContainsFunc(a.Paths, func(x ScopePath) bool { return !x.Permitted() })
}

// Permitted reports whether anything is permitted at the path.
func (x *ScopePath) Permitted() bool { return x.Permission != workspace.None }

// RuleTexts are the rules in a line each, with the places where they were made.
func (x *ScopePath) RuleTexts() []string {
	var out []string
	for _, r := range x.Rules {
		text := fmt.Sprintf("%s %s %s", r.Effect, r.Permission, r.Target)
		if !r.Recursive {
			text += " [non-recursive]"
		}
		if !r.Position.IsZero() {
			text += " (" + r.Position.String() + ")"
		}
		out = append(out, text)
	}
	return out
}

// CheckScope tells what is permitted at paths, relative to the folder of the
// run.
func (p *Project) CheckScope(paths []string) *ScopeAnswer {
	a := &ScopeAnswer{Configured: p.Scope != nil, Paths: make([]ScopePath, 0, len(paths))}
	if p.Scope != nil {
		a.Summary = p.Scope.Summary()
	}
	for _, name := range paths {
		x := ScopePath{Path: name, Rules: []workspace.Rule{}}
		if p.Scope != nil {
			full := name
			if !filepath.IsAbs(full) {
				full = filepath.Join(p.Root.Cwd, full)
			}
			permission, rules := p.Scope.Permission(full)
			x.Permission = permission
			x.Rules = append(x.Rules, rules...)
		}
		a.Paths = append(a.Paths, x)
	}
	return a
}

// FolderHint is the hint for a folder that somebody names and err says isn't there: the
// nearest one beside it; empty where none is near.
func FolderHint(name string, err error) string {
	if near, ok := tree.NearFolder(disk.Disk{}, name, name); ok && errors.Is(err, fs.ErrNotExist) {
		return "did you mean " + strconv.Quote(filepath.ToSlash(near)) + "?"
	}
	return ""
}
