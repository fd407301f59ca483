package call

import (
	"context"
	"fmt"
	"iter"
	"path"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/workspace"
)

// outside refuses a request that names what its door has no way to, or may not let it
// see. What is wrong with a manifest is told where it is read.
func (o Options) outside(r *manifest.ProjectRequest) error {
	refuse := func(at cento.Position, hint, format string, args ...any) *cento.SourceError {
		return &cento.SourceError{Code: NoProjects, Position: at, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	if o.Place != nil {
		var faults []*cento.SourceError
		for _, key := range r.Named {
			switch {
			case key.Name == "prefixes":
				faults = append(faults, refuse(key.Position, "hand the manifest and its files over as well, to the operation itself", "%q brings prompt files, and the project has its own", key.Name))
			case key.Name != "project" || r.Folder != "": // else it is the door's own name of the place
				faults = append(faults, refuse(key.Position, "leave it out, or ask the operation itself", "%q says what project the request is about, and its address does already", key.Name))
			}
		}
		return cento.Join(append(faults, noUserFiles(r.Templates())...))
	}
	if r.Input != nil && o.Sealed {
		return refuse(r.At("input"), "name a project, or hand the manifest and its files over", "a recorded input can't be handed over here")
	}
	if !o.Sealed || r.Recorded() {
		return nil
	}
	name, text := RequestName, r.Manifest
	if text == nil {
		name, text = app.ManifestName, []byte(r.Files[app.ManifestName])
	}
	m, err := manifest.Parse(name, text)
	if err != nil {
		return nil
	}
	for _, target := range append([]string{""}, m.Targets()...) {
		of := m
		if target != "" {
			if of, err = m.Target(target); err != nil {
				return nil
			}
		}
		if err := outsideOf(of, refuse); err != nil {
			return err
		}
	}
	return nil
}

// NoUserFiles refuses the prompt files of the user among those that a request names for a
// project which is somebody else's to ask about: what the project itself names of them is
// in its prompts, the others are nobody's to read.
func NoUserFiles(named iter.Seq2[string, cento.Position]) error {
	return cento.Join(noUserFiles(named))
}

func noUserFiles(named iter.Seq2[string, cento.Position]) []*cento.SourceError {
	var faults []*cento.SourceError
	for name, at := range named {
		if ref, err := pack.ParseRef(name, pack.Ref{}, at); err == nil && ref.Prefix() == pack.User {
			faults = append(faults, &cento.SourceError{
				Code: NoProjects, Position: at, Message: fmt.Sprintf("%s is a file of the user who runs this, and the request isn't theirs", ref),
				Hint: "name a prompt file of the project, or hand the text over",
			})
		}
	}
	return faults
}

// outsideOf refuses what a manifest, or one of its targets, asks for outside of the
// files that it came with.
func outsideOf(m *manifest.Manifest, refuse func(at cento.Position, hint, format string, args ...any) *cento.SourceError) *cento.SourceError {
	const own = "a project that comes with a request sees its own files alone"
	if m.Store != nil {
		return refuse(m.Store.Position, own, "a store can't be named here")
	}
	if len(m.Tools.Servers) > 0 {
		return refuse(m.Tools.Servers[0].Position, own, "tool servers aren't asked here")
	}
	if i := m.Instruction; i != nil && i.Ref.Prefix() == pack.User {
		return refuse(i.Position, own, "%s is a file of the user, and there is none here", i.Ref)
	}
	if m.Scope == nil {
		return nil
	}
	for _, rules := range [][]workspace.ScopeRule{m.Scope.Allow, m.Scope.Deny} {
		for _, rule := range rules {
			if filepath.IsAbs(rule.Target) || path.IsAbs(filepath.ToSlash(rule.Target)) {
				return refuse(rule.Position, "say where the project lies with root, and name targets from there", "the target %q of the scope is absolute", rule.Target)
			}
		}
	}
	return nil
}

// recorded is the project of a record that a request names by its hash.
func (o Options) recorded(ctx context.Context, r *manifest.ProjectRequest) (*app.Project, error) {
	if o.Record == nil {
		return nil, &cento.SourceError{
			Code: NoRecord, Position: r.Position, Message: "a record can't be named here: there is no store", Hint: "hand its input over, as cento log show RECORD --input prints it",
		}
	}
	in, err := o.Record(ctx, r.Record)
	if err != nil {
		return nil, err
	}
	return app.OpenRecorded(in)
}
