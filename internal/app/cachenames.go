package app

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// NoCachePrompt: what is named to be set beside other prompts is none: no file, no target
// of the manifest, and no record.
const NoCachePrompt cento.ErrorCode = "cache.prompt"

// CacheSources are where named prompts are looked for.
type CacheSources struct {
	// Open opens the project; it is asked once, and where a name could be a target's.
	Open func(context.Context) (*Project, error)
	// Read reads the file of a prompt; name is the one that errors tell.
	Read func(ctx context.Context, path string) (name string, data []byte, err error)
	// Log does something with what is recorded.
	Log func(context.Context, func(*Log) error) error
}

// Named adds prompts by their names, in their order: a file (any path, whatever ends in
// .json, - for what Read makes of it), a target, or a record. Before a target that is alone
// stands the manifest. notes tell of the targets; project is nil where it wasn't asked for.
// Among the errors is [NoCachePrompt].
func (c *CacheRow) Named(ctx context.Context, from CacheSources, names []string) (project *Project, notes []cento.Note, err error) {
	record := func(name string) error {
		return from.Log(ctx, func(l *Log) error {
			ref, err := l.Named(ctx, name)
			if err != nil {
				return err
			}
			return c.Record(ctx, l, ref)
		})
	}
	for _, name := range names {
		switch {
		case namesFile(name):
			var shown string
			var data []byte
			if shown, data, err = from.Read(ctx, name); err == nil {
				err = c.file(shown, data)
			}
		case ParseRecordRef(name).Seq != 0:
			err = record(name)
		default:
			if project == nil {
				if project, err = from.Open(ctx); err != nil {
					return nil, nil, err
				}
			}
			if slices.Contains(project.Targets(), name) {
				var told []cento.Note
				told, err = c.target(ctx, project, name, len(names) == 1)
				notes = append(notes, told...)
				break
			}
			if err = record(name); err != nil {
				err = noCachePrompt(name, project.Targets(), err)
			}
		}
		if err != nil {
			return project, notes, err
		}
	}
	return project, notes, nil
}

func namesFile(name string) bool {
	if name == "-" || strings.ContainsAny(name, "/\\") || strings.HasSuffix(name, ".json") {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// target adds the prompt of a target; behind that of the manifest where it is alone.
func (c *CacheRow) target(ctx context.Context, p *Project, name string, alone bool) ([]cento.Note, error) {
	if alone {
		if err := c.Prompt("the manifest", p, p.Input); err != nil {
			return nil, err
		}
	}
	q, err := p.Target(ctx, name)
	if err != nil {
		return nil, err
	}
	return q.Notes(q.Input.Notes), c.Prompt(name, q, q.Input)
}

func noCachePrompt(name string, targets []string, why error) error {
	hint := "a record is SESSION@NUMBER"
	if near := NearestName(name, targets); near != "" {
		hint = "did you mean the target " + Quoted(near) + "?"
	}
	return &cento.SourceError{Code: NoCachePrompt, Message: fmt.Sprintf("%s is no file and no target, nor was it recorded: %v", name, why), Hint: hint}
}

// Comes adds two prompts of a project: the one before a change, which hasn't what comes with
// it, and the one after.
func (c *CacheRow) Comes(p *Project, w WhatIf) ([]Remark, error) {
	has := func(in, names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(in, name) })
	}
	before, _ := p.WhatIf(WhatIf{WithoutTools: has(p.Input.ActiveTools(), w.WithTools), WithoutCaps: has(p.Input.Active.Caps, w.WithCaps)})
	if err := c.Prompt("before", p, before); err != nil {
		return nil, err
	}
	after, remarks := p.WhatIf(w)
	return remarks, c.Prompt("after", p, after)
}
