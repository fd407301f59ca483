package history

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// patience is how long one question to git may take.
const patience = 20 * time.Second

const (
	// allocationLimit bounds each single allocation of git, so that a small object which unpacks to
	// gigabytes is an error and not an exhausted machine. In git's notation.
	allocationLimit = "128m"
	// maxOutput bounds what git may print as an answer.
	maxOutput = 64 << 20
	// maxComplaint bounds what is kept of one line of standard error.
	maxComplaint = 4 << 10
	// maxDetail is how many bytes of it are shown.
	maxDetail = 300
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
// errTooMuch, a *refusal when git said no, or what kept git from running.
func (v view) ask(ctx context.Context, program string, stdin []byte, out io.Writer, args ...string) error {
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	git := exec.CommandContext(patient, program, append([]string{"--no-pager", "--git-dir=" + v.gitDir, "--work-tree=" + v.workTree}, args...)...)
	git.Dir = v.workTree
	git.Env = v.environment()
	git.Stdin = bytes.NewReader(stdin)
	answer := &bounded{to: out, left: maxOutput}
	var said complaints
	complaining := said.writer()
	git.Stdout, git.Stderr = answer, complaining
	// A killed git leaves no one holding its pipes; the delay is for a system where something does.
	git.WaitDelay = time.Second
	err := git.Run()
	complaining.flush()
	switch _, exited := errors.AsType[*exec.ExitError](err); {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil && patient.Err() != nil:
		return errTimedOut
	case answer.err != nil:
		return answer.err
	case exited:
		return &refusal{complaint: cmp.Or(said.fatal, said.first), cause: err}
	case err == nil && said.first != "":
		// git blame goes on when the parents of a commit do not read, and gives their lines to the commit.
		return &refusal{complaint: said.first}
	}
	return err
}

// refusal is git's answer by a status other than 0, or by an answer that it complained about.
type refusal struct {
	complaint string
	cause     error
}

func (r *refusal) Error() string { return r.complaint }
func (r *refusal) Unwrap() error { return r.cause }

// complaints keeps what git said on standard error: the first error and the line that it ended with.
type complaints struct{ first, fatal string }

func (c *complaints) writer() *lineWriter { return &lineWriter{most: maxComplaint, each: c.line} }

func (c *complaints) line(line string) {
	if text, ok := strings.CutPrefix(line, "fatal: "); ok && c.fatal == "" {
		c.fatal = printable(text, maxDetail)
	}
	text, ok := strings.CutPrefix(line, "error: ")
	if !ok || c.first != "" {
		return
	}
	// An alternate that is gone is no error of the history: git looks on without it, and says so elsewhere
	// if objects are missing then.
	if strings.Contains(text, "objects/info/alternates") || strings.Contains(text, "alternate object") {
		return
	}
	c.first = printable(text, maxDetail)
}

// bounded passes on at most left bytes and fails beyond. It keeps its error, because git, which then finds
// no one reading, ends with a status that says less.
type bounded struct {
	to   io.Writer
	left int
	err  error
}

func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > b.left {
		b.err = errTooMuch
		return 0, b.err
	}
	b.left -= len(p)
	var n int
	n, b.err = b.to.Write(p)
	return n, b.err
}
