package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/project/consent"
)

// Asked reads the manifest and lists the parts that need approval, those of its
// targets too, each once.
func (site Site) Asked(ctx context.Context, r Request) ([]consent.Part, error) {
	r.Target = ""
	p, err := site.read(r)
	if err != nil {
		return nil, err
	}
	parts := p.base.Parts()
	for _, name := range p.base.Targets() {
		target, err := p.base.Target(name)
		if err != nil {
			return nil, err
		}
		for _, x := range target.Parts() {
			if !slices.ContainsFunc(parts, x.Same) {
				parts = append(parts, x)
			}
		}
	}
	return parts, nil
}

// ApprovalRoot is the name that approvals know the project by: the folder of
// its manifest, links resolved.
func (site Site) ApprovalRoot() string { return resolved(site.Base) }

// resolved is a path without links, as far as it is there.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// configHint says how people, and programs that import the library, choose the user's
// folder.
const configHint = "set CENTO_HOME, or Config of project.Request in Go, to a folder of your own outside the project"

// ApprovalsPath is where the user's approvals are. Without a user's folder, or
// with one that lies in the project, so that whoever wrote the project could
// have written it too, there is no such place and an error.
func (site Site) ApprovalsPath() (string, error) {
	if site.config == "" {
		return "", &cento.SourceError{Code: consent.TrustRequired, Message: "approvals are kept in the user's folder, and there is none", Hint: configHint}
	}
	config := resolved(site.config)
	for _, dir := range []string{site.ApprovalRoot(), site.Root.Dir} {
		if dir == resolved(site.home) || filepath.Dir(dir) == dir {
			continue // the user's own, or the whole disk
		}
		if _, inside := below(dir, config); inside {
			return "", &cento.SourceError{
				Code: consent.TrustRequired, Message: fmt.Sprintf("the user's folder %s lies in the project, which could have written its own approvals there", site.Show(site.config)),
				Hint: configHint,
			}
		}
	}
	return filepath.Join(site.config, consent.ApprovalsName), nil
}

// Approvals reads what the user agreed to. Where there is no such file, that is
// nothing.
func (site Site) Approvals() (*consent.Approvals, error) {
	path, err := site.ApprovalsPath()
	if err != nil {
		return nil, err
	}
	f, err := (&reader{Site: site}).readFile(path, cento.Position{})
	if errors.Is(err, fs.ErrNotExist) {
		return &consent.Approvals{}, nil
	}
	if err != nil {
		return nil, err
	}
	return consent.ParseApprovals(site.Show(path), f.Text)
}

// requireApproval is nil when the user agreed to a part. Else it is the error
// [TrustRequired], one for each thing that the part asks for. The flag is the
// one that allows it for one run; empty for none.
func (site Site) requireApproval(x consent.Part, flag string) error {
	approvals, err := site.Approvals()
	if err != nil {
		return err
	}
	state := approvals.State(site.ApprovalRoot(), x)
	if state == consent.Approved {
		return nil
	}
	hint := "`cento trust` shows what the project asks for and approves it"
	if flag != "" {
		hint += "; " + flag + " allows it once"
	}
	if x.Name == manifest.ServersPart {
		hint += ", --mcp off does without"
	}
	var errs []*cento.SourceError
	for _, ask := range x.Asks {
		errs = append(errs, &cento.SourceError{
			Code: consent.TrustRequired, Position: ask.Position, Message: fmt.Sprintf("%s: %s, asked for by %s", state, ask.Text, x.Name), Hint: hint,
		})
	}
	return cento.Join(errs)
}
