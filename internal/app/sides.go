package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/history"
	"github.com/cento-dev/cento/internal/prompttest"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/project"
)

// UnknownSide: what a side of a comparison names isn't there.
const UnknownSide cento.ErrorCode = "diff.side"

// SideKind is what a side of a comparison is.
type SideKind string

// The kinds of sides.
const (
	TargetSide   SideKind = "target"   // the files as they are, for a target
	RevisionSide SideKind = "revision" // the files as a commit has them
	RecordSide   SideKind = "record"   // a prompt that was handed out
	FileSide     SideKind = "file"     // a saved explanation
)

// Side is one side of a comparison.
type Side struct {
	Kind SideKind `json:"kind"`
	// Name is how it was asked for; empty for the files as they are, without a target.
	Name string `json:"name"`
	// Commit is that of a revision.
	Commit string `json:"commit,omitempty"`
	// Target is that of the manifest; empty for none.
	Target string `json:"target,omitempty"`
}

// String names a side for people.
func (s Side) String() string {
	switch {
	case s.Kind == RevisionSide && strings.HasPrefix(s.Commit, s.Name):
		return s.Commit[:12]
	case s.Kind == RevisionSide:
		return s.Name + " (" + s.Commit[:12] + ")"
	case s.Kind == TargetSide && s.Target != "":
		return "target " + s.Target
	case s.Kind == TargetSide:
		return "the work tree"
	}
	return s.Name
}

// DiffRequest says which two prompts are set beside each other.
type DiffRequest struct {
	Site    Site
	Request Request // of both sides
	// Args name the sides: none, one that stands against the files as they are, or two.
	Args []string
	// What is different on both sides, and on the right one alone.
	Both, Right WhatIf
	Layers      LayerChoice // of the right side
	Store       string      // where records are
	// Repository is opened when a revision is named, and closed by the caller.
	Repository *Repository
}

// sides are the two sides of a request, with what is read of them.
type sides struct {
	ctx     context.Context
	r       *DiffRequest
	targets []string // of the manifest as it is; empty where it can't be read
}

// parse says which sides the arguments name.
func (s *sides) parse() (left, right Side, err error) {
	now := Side{Kind: TargetSide, Target: s.r.Request.Target}
	switch args := s.r.Args; len(args) {
	case 0:
		return now, now, nil
	case 1:
		if slices.Contains(s.targets, args[0]) {
			left, right = now, Side{Kind: TargetSide, Name: args[0], Target: args[0]}
			return left, right, nil
		}
		if a, b, three := cutRange(args[0]); a != "" || b != "" {
			return s.between(a, b, three)
		}
		if left, err = s.side(args[0]); err != nil {
			return left, right, err
		}
		if left.Kind == RevisionSide && s.r.Repository.commits.Bare() {
			return left, right, &cento.SourceError{
				Code: UnknownSide, Message: "this repository has no work tree to set beside " + left.String(),
				Hint: "name both sides: cento diff " + args[0] + "..HEAD",
			}
		}
		return left, now, nil
	default:
		if left, err = s.side(args[0]); err == nil {
			right, err = s.side(args[1])
		}
		return left, right, err
	}
}

// cutRange parts A..B and A...B; both are empty for what is neither.
func cutRange(arg string) (a, b string, three bool) {
	arg = strings.TrimPrefix(arg, "git:")
	for _, other := range []string{"file:", "log:"} {
		if strings.HasPrefix(arg, other) {
			return "", "", false
		}
	}
	a, b, ok := strings.Cut(arg, "..")
	if !ok {
		return "", "", false
	}
	b, three = strings.CutPrefix(b, ".")
	if a == "" {
		a = "HEAD"
	}
	if b == "" {
		b = "HEAD"
	}
	return a, b, three
}

func (s *sides) between(a, b string, three bool) (left, right Side, err error) {
	if left, err = s.revision(a); err != nil {
		return left, right, err
	}
	if right, err = s.revision(b); err != nil || !three {
		return left, right, err
	}
	base, err := s.r.Repository.commits.MergeBase(s.ctx, left.Commit, right.Commit)
	if err != nil {
		return left, right, revisionError(err)
	}
	left.Name, left.Commit = a+"..."+b, base
	return left, right, nil
}

// side is what one argument names: a target first.
func (s *sides) side(arg string) (Side, error) {
	if slices.Contains(s.targets, arg) {
		return Side{Kind: TargetSide, Name: arg, Target: arg}, nil
	}
	if name, ok := strings.CutPrefix(arg, "git:"); ok {
		return s.revision(name)
	}
	if strings.HasPrefix(arg, "file:") {
		return Side{Kind: FileSide, Name: arg}, nil
	}
	if strings.HasPrefix(arg, "log:") || ParseRecordRef(arg).Seq > 0 {
		return Side{Kind: RecordSide, Name: arg}, nil
	}
	side, err := s.revision(arg)
	list := cento.SourceErrors(err)
	if err == nil || len(list) == 0 {
		return side, err
	}
	near := NearestName(arg, s.targets)
	switch {
	case s.r.Repository.commits == nil && near != "", s.r.Repository.commits == nil && len(s.targets) > 0:
		e := &cento.SourceError{Code: UnknownSide, Message: fmt.Sprintf("there is no target %q, and no repository to look for a revision in: %s", arg, list[0].Message)}
		if near != "" {
			e.Hint = fmt.Sprintf("did you mean %q?", near)
		} else {
			e.Hint = "the targets are " + someNames(s.targets)
		}
		return side, e
	case near != "" && list[0].Hint == "":
		list[0].Hint = fmt.Sprintf("did you mean the target %q?", near)
	}
	list[0].Message = fmt.Sprintf("there is no target %q, and as a revision: %s", arg, list[0].Message)
	return side, list[0]
}

// made is a side that was read.
type made struct {
	Side
	site     Site
	project  *Project // nil for records and files
	files    *history.Files
	input    cento.Input
	prompt   *cento.Prompt // nil for files
	explains *cento.Explanation
	notes    []cento.Note
	summary  string // what the prompt is made of
	of       string // the project of a record
}

// open reads a side, without making its prompt. beside is whether the other one is a
// revision: then tool servers speak by the listings that were locked, on both.
func (s *sides) open(side Side, beside bool) (*made, error) {
	m := &made{Side: side}
	r := s.r.Request
	r.Target = side.Target
	switch side.Kind {
	case RecordSide:
		return m, s.record(m)
	case FileSide:
		return m, s.file(m)
	case RevisionSide:
		beside = true
	}
	if beside && r.Servers != NoServers {
		r.Servers, r.Lister = KeptServers, prompttest.LockedListings{Disk: r.Disk}
	}
	site := s.r.Site
	var err error
	var looked lookedFor
	switch {
	case side.Kind == RevisionSide:
		if err = s.revise(m, &r); err != nil {
			return m, err
		}
	case s.r.Repository.commits != nil:
		r.Disk = looked.on(r.Disk)
	}
	if r.Disk != s.r.Request.Disk {
		if site, err = Locate(r); err != nil {
			return m, m.at(cmp.Or(m.lost(), err))
		}
	}
	m.site = site
	m.project, err = Open(s.ctx, site, r)
	if lost := m.lost(); lost != nil {
		return m, m.at(lost)
	}
	if left := looked.leftOut(s.r.Repository.commits); len(left) > 0 {
		m.notes = append(m.notes, sparse(left))
		hintSparse(err, left)
	}
	if err != nil {
		for _, e := range cento.SourceErrors(err) {
			if beside && e.Code == project.ServerNotAsked {
				e.Hint = "revisions are read with what `cento tools lock` writes to " + prompttest.ListingsFolder + ", which belongs into the repository"
			}
		}
		return m, m.at(err)
	}
	m.summary = m.project.Summary()
	if side.Kind == RevisionSide {
		m.summary = side.String() + ": " + m.summary
	}
	m.notes = append(m.notes, m.project.Remarks()...)
	if side.Kind == RevisionSide {
		for i := range m.notes {
			m.notes[i].Position = m.ofRevision(m.notes[i].Position)
		}
	}
	return m, nil
}

// record makes the prompt of a record again.
func (s *sides) record(m *made) (err error) {
	l, err := OpenLog(s.ctx, s.r.Site, s.r.Request, s.r.Store, Reads)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	ref := ParseRecordRef(m.Name)
	if digest, ok := strings.CutPrefix(m.Name, "log:"); ok {
		if ref, err = l.recordOf(s.ctx, digest); err != nil {
			return err
		}
	}
	return s.replay(m, l, ref)
}

// fewestDigits is how many digits of a digest say which is meant.
const fewestDigits = 4

// recordOf is the record that has a hash, or the newest one whose prompt has the digest that
// begins so.
func (l *Log) recordOf(ctx context.Context, digest string) (RecordRef, error) {
	if len(digest) < fewestDigits {
		return RecordRef{}, &cento.SourceError{
			Code: UnknownSide, Message: fmt.Sprintf("%q doesn't say which prompt is meant", "log:"+digest),
			Hint: fmt.Sprintf("give at least %d digits of a digest that `cento log list` tells", fewestDigits),
		}
	}
	if strings.Trim(digest, "0123456789abcdefABCDEF") != "" {
		return RecordRef{}, &cento.SourceError{
			Code: UnknownSide, Message: fmt.Sprintf("%q is no hash of a record, nor the beginning of a digest: it isn't hex", digest),
			Hint: "log: stands before these alone; a record of a session is written without it, as SESSION@NUMBER",
		}
	}
	q := RecordQuery{Prompt: digest}
	if len(digest) == hex.EncodedLen(sha256.Size) {
		if found, err := l.ByHash(ctx, digest); err == nil {
			return found, nil
		}
		q.Limit = 1 // nothing else begins so
	}
	list, err := l.Records(ctx, q)
	if err != nil {
		return RecordRef{}, err
	}
	if len(list) == 0 {
		return RecordRef{}, &cento.SourceError{
			Code: UnknownSide, Message: fmt.Sprintf("no record has a prompt with the digest %q", digest), Hint: "`cento log list` tells the digests",
		}
	}
	for i := range list {
		if a, b := *list[0].PromptDigest, *list[i].PromptDigest; a != b {
			return RecordRef{}, &cento.SourceError{
				Code: UnknownSide, Message: fmt.Sprintf("the digests of several prompts begin with %q", digest),
				Hint: fmt.Sprintf("give more of it: %s is that of %s, %s that of %s", apart(a, b), RecordRef{list[0].Session, list[0].Seq}, apart(b, a), RecordRef{list[i].Session, list[i].Seq}),
			}
		}
	}
	return RecordRef{list[0].Session, list[0].Seq}, nil
}

// apart is as much of a digest as tells it from another one, and no less than lists show.
func apart(digest, from string) string {
	n := 0
	for n < len(digest)-1 && digest[n] == from[n] {
		n++
	}
	return digest[:min(len(digest), max(12, n+1))]
}

// replay makes the prompt of a record again. One that isn't what was recorded can't be
// compared.
func (s *sides) replay(m *made, l *Log, ref RecordRef) error {
	r, err := l.replayed(s.ctx, ref)
	if err != nil {
		return err
	}
	m.Name, m.prompt, m.input, m.of = r.ref().String(), r.prompt, r.input, r.record.Project
	return nil
}

// maxExplanation bounds a saved explanation.
const maxExplanation = 256 << 20

// file reads a saved explanation.
func (s *sides) file(m *made) error {
	name := strings.TrimPrefix(m.Name, "file:")
	if !filepath.IsAbs(name) {
		dir, err := os.Getwd()
		if err != nil {
			return err
		}
		name = filepath.Join(dir, name)
	}
	shown := strings.TrimPrefix(m.Name, "file:")
	f, err := tree.ReadPath(name, tree.Options{Limit: maxExplanation, Show: func(string) string { return shown }})
	if err != nil {
		return err
	}
	e := new(cento.Explanation)
	if err := json.Unmarshal([]byte(f.Text), e); err != nil || e.Fragments == nil {
		return &cento.SourceError{
			Code: UnknownSide, Position: cento.Position{File: shown}, Message: "not a saved explanation",
			Hint: "save one with cento explain --json -o " + strconv.Quote(shown),
		}
	}
	m.explains = e
	return nil
}
