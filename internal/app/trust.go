package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/consent"
)

// The parts of a manifest that a flag allows for one run.
const (
	ServersPart = manifest.ServersPart
	StorePart   = manifest.StorePart
)

// Trust is what a project asks for, beside what the user agreed to.
type Trust struct {
	// Root is the folder of the manifest, as approvals know it.
	Root string `json:"root"`
	// Parts is empty for a project that asks for nothing.
	Parts []TrustPart `json:"parts"`
	// Approved: nothing is left to agree to.
	Approved bool `json:"approved"`
	// Written: this run approved it.
	Written bool `json:"written"`
}

// TrustPart is a part of a manifest with its state.
type TrustPart struct {
	consent.Part
	State consent.ApprovalState `json:"state"`
}

// Approved reports whether the user agreed to the part as it is.
func (x TrustPart) Approved() bool { return x.State == consent.Approved }

// AskedTrust tells what the project at a place asks for.
func AskedTrust(ctx context.Context, site project.Site, r project.Request) (*Trust, error) {
	parts, err := site.Asked(ctx, r)
	if err != nil {
		return nil, err
	}
	t := &Trust{Root: site.ApprovalRoot(), Parts: []TrustPart{}, Approved: true}
	if len(parts) == 0 {
		return t, nil
	}
	approvals, err := site.Approvals()
	if err != nil {
		return nil, err
	}
	for _, x := range parts {
		state := approvals.State(t.Root, x)
		t.Parts = append(t.Parts, TrustPart{x, state})
		t.Approved = t.Approved && t.Parts[len(t.Parts)-1].Approved()
	}
	return t, nil
}

// Approve keeps the user's agreement to what t says, and to nothing else of the
// project: if the manifest changed meanwhile, that isn't agreed to.
func (t *Trust) Approve(site project.Site) error {
	approvals, err := site.Approvals()
	if err != nil {
		return err
	}
	parts := make([]consent.Part, len(t.Parts))
	for i := range t.Parts {
		parts[i] = t.Parts[i].Part
	}
	if err := writeApprovals(site, approvals.With(t.Root, parts)); err != nil {
		return err
	}
	for i := range t.Parts {
		t.Parts[i].State = consent.Approved
	}
	t.Approved, t.Written = true, true
	return nil
}

// TrustedProject is a project that the user approved something of.
type TrustedProject struct {
	Root  string             `json:"root"`
	Parts []consent.Approval `json:"parts"`
}

// Trusted lists what the user agreed to, by project.
func Trusted(site project.Site) ([]TrustedProject, error) {
	approvals, err := site.Approvals()
	if err != nil {
		return nil, err
	}
	out := []TrustedProject{}
	for _, a := range approvals.List {
		if n := len(out); n == 0 || out[n-1].Root != a.Root {
			out = append(out, TrustedProject{Root: a.Root})
		}
		last := &out[len(out)-1]
		last.Parts = append(last.Parts, a)
	}
	return out, nil
}

// Distrust takes the user's agreement to a project back, and reports whether
// there was any. An empty root is that of the place.
func Distrust(site project.Site, root string) (string, bool, error) {
	if root == "" {
		root = site.ApprovalRoot()
	} else if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real // a folder that is gone is known by its name alone
	}
	approvals, err := site.Approvals()
	if err != nil {
		return root, false, err
	}
	if !slices.ContainsFunc(approvals.List, func(a consent.Approval) bool { return a.Root == root }) {
		return root, false, nil
	}
	return root, true, writeApprovals(site, approvals.Without(root))
}

// writeApprovals replaces the file as a whole. It is for the user's eyes alone:
// it tells where the user's projects are.
func writeApprovals(site project.Site, approvals *consent.Approvals) error {
	path, err := site.ApprovalsPath()
	if err != nil {
		return err
	}
	shown := site.Show(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("writing %s: %w", shown, tree.WithoutPath(err))
	}
	if err := replaceFile(path, approvals.String(), 0o600); err != nil {
		return fmt.Errorf("writing %s: %w", shown, err)
	}
	return nil
}
