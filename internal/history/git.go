package history

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Patience is how long one question to git may take.
const Patience = 20 * time.Second

const (
	// allocationLimit bounds each single allocation of git, so that a small object which unpacks to
	// gigabytes is an error and not an exhausted machine. In git's notation.
	allocationLimit = "128m"
	// maxOutput bounds what git may print as an answer.
	maxOutput = 64 << 20
	// maxComplaint bounds what is kept of standard error.
	maxComplaint = 8 << 10
)

var (
	errTimedOut = errors.New("git took too long")
	errTooMuch  = errors.New("git printed too much")
)

// findGit returns the absolute path of the git program. One that lies inside the work tree is not run: it
// is a part of what is not trusted, whatever the PATH says.
func findGit(root string) (string, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return "", &UnavailableError{Reason: NoGit, Err: err}
	}
	if program, err = filepath.Abs(program); err != nil {
		return "", &UnavailableError{Reason: NoGit, Err: err}
	}
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return "", &UnavailableError{Reason: NoGit, Place: program, Err: err}
	}
	for _, path := range []string{program, real} {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return "", &UnavailableError{Reason: NoGit, Place: program, Detail: "the one on the PATH is a part of the repository"}
		}
	}
	return program, nil
}

// ask runs git on the view and writes its answer to out. The error is ctx's own when ctx ended, errTimedOut,
// errTooMuch, out's error, a *refusal when git said no, or what kept git from running.
func (v view) ask(ctx context.Context, program string, stdin []byte, out io.Writer, args ...string) error {
	bounded, cancel := context.WithTimeoutCause(ctx, Patience, errTimedOut)
	defer cancel()
	git := exec.CommandContext(bounded, program, append([]string{"--no-pager", "--git-dir=" + v.gitDir, "--work-tree=" + v.workTree}, args...)...)
	git.Dir = v.workTree
	git.Env = v.environment()
	git.Stdin = bytes.NewReader(stdin)
	answer := &bounding{to: out, left: maxOutput, full: errTooMuch}
	complaint := new(bytes.Buffer)
	git.Stdout = answer
	git.Stderr = &bounding{to: complaint, left: maxComplaint}
	// A killed git leaves no one holding its pipes; the delay is for a system where something does.
	git.WaitDelay = time.Second
	err := git.Run()
	switch _, exited := errors.AsType[*exec.ExitError](err); {
	case ctx.Err() != nil && err != nil:
		return ctx.Err()
	case bounded.Err() != nil && err != nil:
		return errTimedOut
	case answer.err != nil:
		return answer.err
	case exited:
		return &refusal{complaint: firstComplaint(complaint.String()), cause: err}
	}
	return err
}

// refusal is git's answer by a status other than 0.
type refusal struct {
	complaint string
	cause     error
}

func (r *refusal) Error() string { return r.complaint }
func (r *refusal) Unwrap() error { return r.cause }

// firstComplaint takes the line that git ended with, or else the first one. Warnings about what was skipped
// may come before it.
func firstComplaint(text string) string {
	var first string
	for line := range strings.Lines(text) {
		line = printable(line, 200)
		if fatal, ok := strings.CutPrefix(line, "fatal: "); ok {
			return fatal
		}
		if first == "" {
			first = strings.TrimPrefix(line, "error: ")
		}
	}
	return first
}

// bounding passes on at most left bytes. Beyond, it is an error if full is one, and else silence.
type bounding struct {
	to   io.Writer
	left int
	full error
	err  error
}

func (b *bounding) Write(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	kept := p
	if len(kept) > b.left {
		if b.full != nil {
			b.err = b.full
			return 0, b.err
		}
		kept = kept[:b.left]
	}
	b.left -= len(kept)
	if _, b.err = b.to.Write(kept); b.err != nil {
		return 0, b.err
	}
	return len(p), nil
}
