package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/consent"
)

// Pack is an installed pack beside what was agreed to.
type Pack struct {
	project.PackState
	OK    bool         `json:"ok"`
	Error *ErrorObject `json:"error,omitempty"`
}

// Packs lists the packs of a project, each with what keeps it from being used.
func Packs(ctx context.Context, site project.Site, r project.Request) ([]Pack, error) {
	states, err := site.Packs(ctx, r)
	if err != nil {
		return nil, err
	}
	out := []Pack{}
	for _, s := range states {
		x := Pack{PackState: s, OK: s.Err == nil}
		if s.Err != nil {
			x.Error = &ErrorObject{Code: internalFailure, Message: s.Err.Error(), Related: []cento.Related{}}
			if list := cento.SourceErrors(s.Err); len(list) > 0 {
				o := errorObject(list[0])
				x.Error = &o
			}
		}
		out = append(out, x)
	}
	return out, nil
}

// AddedPack tells what installing a pack did.
type AddedPack struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Digest  string `json:"sha256"`
	Path    string `json:"path"`
	Files   int    `json:"files"`
	Copied  bool   `json:"copied"`
}

// AddPack installs the pack in a folder, or agrees to it where it lies in the
// project already. The lock is written last: a run that ends halfway leaves a
// pack that nobody agreed to, which is not used.
func AddPack(ctx context.Context, site project.Site, r project.Request, dir string) (*AddedPack, error) {
	change, err := site.AddPack(ctx, r, dir)
	if err != nil {
		return nil, err
	}
	if change.Copied {
		if err := installPack(site, change); err != nil {
			return nil, err
		}
	}
	if err := writePackChange(site, change); err != nil {
		return nil, err
	}
	p := change.Pack
	return &AddedPack{
		Name: p.Name, Version: p.Version, Digest: p.Digest, Path: site.Show(change.Folder), Files: len(p.Files), Copied: change.Copied,
	}, nil
}

// RemovePack takes a pack out of the manifest and the lock, and its folder
// away when it is a copy. It returns the folder as people know it, empty when
// one was left.
func RemovePack(ctx context.Context, site project.Site, r project.Request, name string) (string, error) {
	change, err := site.RemovePack(ctx, r, name)
	if err != nil {
		return "", err
	}
	if err := writePackChange(site, change); err != nil || change.Folder == "" {
		return "", err
	}
	files, rel, err := packRoot(site, change)
	if err == nil {
		err = errors.Join(files.RemoveAll(rel), files.Close())
	}
	if err != nil {
		return "", fmt.Errorf("removing %s: %w", site.Show(change.Folder), tree.WithoutPath(err))
	}
	return site.Show(change.Folder), nil
}

// installPack copies the files of a pack as they were read into a folder of
// its own, and puts that in place as a whole.
func installPack(site project.Site, change *project.PackChange) (err error) {
	files, folder, err := packRoot(site, change)
	if err != nil {
		return fmt.Errorf("installing the pack: %w", err)
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	fresh := filepath.Join(filepath.Dir(folder), ".new-"+rand.Text())
	if err := files.MkdirAll(fresh, 0o755); err != nil {
		return fmt.Errorf("installing the pack: %w", err)
	}
	defer func() { err = errors.Join(err, files.RemoveAll(fresh)) }()
	for _, name := range change.Pack.Files {
		file := filepath.Join(fresh, filepath.FromSlash(name))
		if err := errors.Join(files.MkdirAll(filepath.Dir(file), 0o755), files.WriteFile(file, []byte(change.Pack.Text(name)), 0o644)); err != nil {
			return fmt.Errorf("installing the pack: %w", err)
		}
	}
	copied, err := consent.OpenInstalled(disk.Disk{}, change.Pack.Name, filepath.Join(files.Name(), fresh), nil, cento.Limits{}, cento.Position{})
	if err != nil {
		return err
	}
	if copied.Digest != change.Pack.Digest {
		return &cento.SourceError{
			Code: pack.InvalidPack, Message: fmt.Sprintf("the pack %q has links to folders, which can't be copied", change.Pack.Name),
			Hint: "put its folder into the project yourself, and add it there",
		}
	}
	old := fresh + ".old"
	if err := files.Rename(folder, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("installing the pack: %w", err)
	}
	if err := files.Rename(fresh, folder); err != nil {
		return fmt.Errorf("installing the pack: %w", errors.Join(err, files.Rename(old, folder)))
	}
	return files.RemoveAll(old)
}

// packRoot opens the folder that a pack is installed below, and names the pack there: no
// link leads out of it.
func packRoot(site project.Site, change *project.PackChange) (*os.Root, string, error) {
	rel, err := filepath.Rel(site.FilesRoot(), change.Folder)
	if err != nil {
		return nil, "", err
	}
	files, err := tree.OpenRoot(site.FilesRoot())
	return files, rel, err
}

// writePackChange writes the manifest, then the lock.
func writePackChange(site project.Site, change *project.PackChange) error {
	if err := replaceFile(site.ManifestPath, change.Manifest, 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", site.Show(site.ManifestPath), err)
	}
	if err := replaceFile(site.LockPath(), change.Lock, 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", site.Show(site.LockPath()), err)
	}
	return nil
}

// replaceFile writes a text to a file as a whole, or not at all.
func replaceFile(path, text string, mode fs.FileMode) error {
	return tree.Replace(path, mode, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}
