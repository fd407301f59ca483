package app

import (
	"bytes"
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/mention"
	"github.com/cento-dev/cento/internal/textdiff"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/lint"
)

// FileChanged: a file isn't what it was when it was read, and was left alone.
const FileChanged cento.ErrorCode = "file.changed"

// packFile marks the folder of a pack.
const packFile = "pack.yaml"

// MendedFile is a file that was changed, or would be.
type MendedFile struct {
	// File is its name in positions.
	File string `json:"file"`
	// Fixes is how many findings that mends. Several may be mended by one change.
	Fixes int `json:"fixes"`

	before, after string
}

// Lines compare it with what stood there before.
func (m *MendedFile) Lines() []textdiff.Line { return textdiff.Lines(m.before, m.after) }

// mendRounds bounds how often a project is checked again: what was mended may bring
// further findings to light, such as those of a manifest that couldn't be read.
const mendRounds = 20

// Mend applies the fixes of what a check of a project finds, but for what is accepted
// or stands in the baseline, checks it again, and does so until nothing is left to
// mend. Each file is written as a whole or not at all, and what was written before an
// error is told beside it. On trial nothing is written, and only what the first check
// finds is looked at.
//
// Fixes are for the project's own files: none that is a link or lies behind one, or
// that belongs to a pack.
func Mend(ctx context.Context, site project.Site, r project.Request, o CheckOptions, trial bool) ([]MendedFile, error) {
	own, err := openOwnFiles(site, r.Disk)
	if err != nil {
		return nil, err
	}
	defer own.tree.Close()
	mended := map[string]*MendedFile{}
	changed := true
	for round := 0; changed && err == nil && round < mendRounds && (round == 0 || !trial); round++ {
		var findings []lint.Finding
		if findings, err = fixable(ctx, site, r, o); err == nil {
			changed, err = own.mend(findings, mended, trial)
		}
	}
	out := []MendedFile{}
	for _, file := range slices.Sorted(maps.Keys(mended)) {
		out = append(out, *mended[file])
	}
	return out, err
}

// mend applies the fixes of findings, file by file.
func (o *ownFiles) mend(findings []lint.Finding, mended map[string]*MendedFile, trial bool) (changed bool, err error) {
	byFile := map[string][]*lint.Fix{}
	for _, f := range findings {
		if f.Fix != nil && f.Ignored == "" {
			byFile[f.Fix.File] = append(byFile[f.Fix.File], f.Fix)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		before, ok := o.text(file)
		if !ok {
			continue
		}
		after, n := lint.Mend(before, byFile[file])
		if n == 0 || after == before {
			continue
		}
		if !trial {
			if err := o.replace(file, before, after); err != nil {
				return changed, err
			}
		}
		changed = true
		if mended[file] == nil {
			mended[file] = &MendedFile{File: file, before: before}
		}
		mended[file].after = after
		mended[file].Fixes += n
	}
	return changed, nil
}

// fixable are the findings of a project, or the errors for which it can't be read where
// one of them can be mended.
func fixable(ctx context.Context, site project.Site, r project.Request, o CheckOptions) ([]lint.Finding, error) {
	answer, err := Check(ctx, site, r, o)
	if err == nil {
		return answer.Findings, nil
	}
	options, done := lintOptions(site, r)
	defer done()
	findings := lint.Findings(err, options)
	if !slices.ContainsFunc(findings, func(f lint.Finding) bool { return f.Fix != nil }) {
		return nil, err
	}
	return findings, nil
}

// lintOptions are what the checks of a project may ask about it, until they are done.
func lintOptions(site project.Site, r project.Request) (lint.Options, func()) {
	o := lint.Options{Exists: mention.New(r.Disk, site.Root.Dir, site.Root.Cwd, site.Base).Has}
	own, err := openOwnFiles(site, r.Disk)
	if err != nil {
		return o, func() {}
	}
	o.Text = own.text
	return o, func() { own.tree.Close() }
}

// ownFiles are the files of a project that may be changed.
type ownFiles struct {
	site project.Site
	tree *tree.Tree
}

func openOwnFiles(site project.Site, d disk.Disk) (*ownFiles, error) {
	t, err := tree.OpenOn(d, site.Root.Dir, tree.Options{Show: func(name string) string { return name }})
	if err != nil {
		return nil, err
	}
	return &ownFiles{site, t}, nil
}

// name is that of a file in the tree; false for one that isn't the project's own.
func (o *ownFiles) name(file string) (string, bool) {
	if strings.HasPrefix(file, "$") && !strings.HasPrefix(file, string(pack.Workspace)+"/") {
		return "", false
	}
	full, ok := o.site.Path(file)
	if !ok {
		return "", false
	}
	rel, err := filepath.Rel(o.site.Root.Dir, full)
	name := filepath.ToSlash(rel)
	if err != nil || tree.CheckName(name) != nil {
		return "", false
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, err := o.tree.Lstat(path.Join(dir, packFile)); err == nil {
			return "", false
		}
	}
	return name, true
}

// text is the file byte for byte.
func (o *ownFiles) text(file string) (string, bool) {
	name, ok := o.name(file)
	if !ok {
		return "", false
	}
	raw, err := o.tree.ReadOwn(name)
	return string(raw), err == nil
}

// replace writes a file, unless somebody else did so since it was read.
func (o *ownFiles) replace(file, before, after string) error {
	name, ok := o.name(file)
	if !ok {
		return &cento.SourceError{Code: tree.Outside, Position: cento.Position{File: file}, Message: "the file isn't the project's own"}
	}
	raw, err := o.tree.ReadOwn(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(raw, []byte(before)) {
		return &cento.SourceError{
			Code: FileChanged, Position: cento.Position{File: file}, Message: "the file was changed while it was checked, and isn't mended",
			Hint: "run the command again",
		}
	}
	return o.tree.Replace(name, []byte(after))
}
