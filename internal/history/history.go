package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// State says what is known about the writer of a line.
type State string

// The states of a line.
const (
	// Committed: the line is as Commit wrote it.
	Committed State = "committed"
	// Uncommitted: the line differs from the last commit.
	Uncommitted State = "uncommitted"
	// Untracked: the last commit does not have the file. It may be staged.
	Untracked State = "untracked"
	// Shallow: the line is as old as the shallow clone reaches, or older.
	Shallow State = "shallow"
	// Unknown: Reason says why.
	Unknown State = "unknown"
)

// Line is the answer for one line of a file.
type Line struct {
	// Number is the line's number in the file, counted from 1.
	Number int
	State  State
	// Commit, Author, Summary and Time are those of the commit that wrote the line; all are empty unless
	// State is Committed. Commit is the full object name. Author and Summary are valid UTF-8 without
	// control characters, cut at 512 bytes; Summary is the first paragraph of the message on one line.
	// Time is the author's, in the author's zone; it is zero for a date beyond the year 9999.
	Commit  string
	Author  string
	Summary string
	Time    time.Time
	// Edge is the oldest commit that the shallow clone has of this line. Empty unless State is Shallow.
	Edge string
	// Reason is the code of what is in the way. Empty unless State is Unknown.
	Reason Reason
	// Note says in words why there is no commit, and Hint what to do about it. Note is empty for Committed
	// only; Hint may be.
	Note string
	Hint string
}

// ErrClosed is returned for a question to a closed [Repositories].
var ErrClosed = errors.New("history: already closed")

const (
	// maxFile is the largest file whose lines are looked up, in bytes, on disk and as committed.
	maxFile = 16 << 20
	// maxRanges is how many ranges of lines git is given. Beyond, it is asked for all lines between the
	// first and the last one, so that a command line stays within what every system takes.
	maxRanges = 100
)

// repository answers for the files of one work tree, as of the commit that it was opened at.
// It holds a temporary folder until closed. Its methods may be called from several goroutines.
type repository struct {
	layout  layout
	head    string
	edge    map[string]bool
	program string
	dir     string // against which relative file names are read

	using sync.RWMutex // held for reading by Lines, so that Close does not pull the view away
	view  view
	open  bool
}

// open opens the repository at a commit; empty for the one that HEAD names.
func open(found layout, dir, head string) (*repository, error) {
	if head == "" {
		var err error
		if head, err = found.head(); err != nil {
			return nil, err
		}
	}
	edge, err := found.boundary()
	if err != nil {
		return nil, err
	}
	program, err := findGit(found.root)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, &UnavailableError{Reason: Failed, Place: dir, Err: err, Detail: err.Error()}
	}
	made, err := newView(found, head, edge)
	if err != nil {
		return nil, &UnavailableError{Reason: Failed, Place: os.TempDir(), Err: err, Detail: printable(err.Error(), maxShown)}
	}
	return &repository{layout: found, head: head, edge: edge, program: program, dir: dir, view: made, open: true}, nil
}

// Close removes the temporary folder, after the questions under way. Later questions get [ErrClosed];
// closing again does nothing.
func (r *repository) Close() error {
	r.using.Lock()
	defer r.using.Unlock()
	if !r.open {
		return nil
	}
	r.open = false
	return r.view.close()
}

// Lines tells who wrote the given lines of a file, one answer for each entry of lines and in its order.
//
// The file is an operating-system path, absolute or relative to the folder that it was opened for; symbolic links
// are followed. Contents is the file's present text, which is compared with the last commit; line ends and
// a byte order mark may have been folded already, as long as that removed no line.
//
// The error is ctx's own or [ErrClosed]. Everything else that can be in the way is told in the answers.
func (r *repository) Lines(ctx context.Context, file string, contents []byte, lines []int) ([]Line, error) {
	r.using.RLock()
	defer r.using.RUnlock()
	if !r.open {
		return nil, ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answers, err := r.lines(ctx, file, contents, lines)
	if err == nil {
		return answers, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return unknown(lines, r.explain(file, err)), nil
}

func (r *repository) lines(ctx context.Context, file string, contents []byte, lines []int) ([]Line, error) {
	rel, err := r.relative(file)
	if err != nil {
		return nil, err
	}
	if len(contents) > maxFile {
		return nil, &UnavailableError{Reason: TooLarge, Place: file, Detail: fmt.Sprintf("over %d MiB", maxFile>>20)}
	}
	total := countLines(contents)
	asked := slices.DeleteFunc(slices.Clone(lines), func(number int) bool { return number < 1 || number > total })
	slices.Sort(asked)
	asked = slices.Compact(asked)

	committed, ok, err := r.committed(ctx, rel)
	if err != nil {
		return nil, err
	}
	if !ok {
		if nested, ok := r.layout.nestedRepository(rel); ok {
			return nil, &UnavailableError{Reason: Outside, Place: file, Detail: "it belongs to the one at " + nested}
		}
	}
	found := newAttribution(asked)
	if ok && len(asked) > 0 {
		args := []string{"blame", "--incremental", "--root", "--no-textconv", "--encoding=UTF-8"}
		for _, span := range ranges(asked) {
			args = append(args, "-L"+strconv.Itoa(span[0])+","+strconv.Itoa(span[1]))
		}
		// Without a commit on the command line git starts at HEAD, which in the view is the one meant;
		// before version 2.41 git refuses a commit together with --contents.
		args = append(args, "--contents", "-", "--", rel)
		if err := r.view.ask(ctx, r.program, asCommitted(contents, committed), found.writer(), args...); err != nil {
			return nil, err
		}
	}
	answers := make([]Line, len(lines))
	for i, number := range lines {
		switch {
		case number < 1 || number > total:
			answers[i] = unknownLine(number, &UnavailableError{Reason: NoSuchLine, Detail: "it has " + strconv.Itoa(total)})
		case !ok:
			answers[i] = Line{Number: number, State: Untracked, Note: "the last commit does not have this file"}
		default:
			answers[i] = r.answer(number, found.writers[number])
		}
	}
	return answers, nil
}

func (r *repository) answer(number int, by *writing) Line {
	switch {
	case by == nil:
		return unknownLine(number, &UnavailableError{Reason: Failed, Detail: "git gave no answer for this line"})
	case by.uncommitted():
		return Line{Number: number, State: Uncommitted, Note: "this line is not committed yet"}
	case r.edge[by.commit]:
		return Line{
			Number: number, State: Shallow, Edge: by.commit,
			Note: "this shallow clone ends at commit " + by.commit[:12] + "; the line was written there or before",
			Hint: "git fetch --unshallow gets the rest of the history",
		}
	}
	return Line{Number: number, State: Committed, Commit: by.commit, Author: by.author, Summary: by.summary, Time: by.time()}
}

// committed reads the file as the last commit has it; ok is false when it has none. That is decided on the
// tree's own listing, so that a damaged object is never taken for an absent file.
func (r *repository) committed(ctx context.Context, rel string) (text []byte, ok bool, err error) {
	var blob bytes.Buffer
	err = r.view.ask(ctx, r.program, nil, &bounded{to: &blob, left: maxFile}, "cat-file", "blob", r.head+":"+rel)
	if err == nil {
		return blob.Bytes(), true, nil
	}
	if _, refused := errors.AsType[*refusal](err); !refused {
		return nil, false, err
	}
	var listing bytes.Buffer
	if err := r.view.ask(ctx, r.program, nil, &listing, "ls-tree", "-z", r.head, "--", rel); err != nil {
		return nil, false, err
	}
	if entry, name, _ := strings.Cut(strings.TrimSuffix(listing.String(), "\x00"), "\t"); name == rel && strings.Contains(entry, " blob ") {
		return nil, false, err // it is there, and does not read
	}
	return nil, false, nil
}

// relative turns a file name into the path that git knows it by.
func (r *repository) relative(file string) (string, error) {
	outside := &UnavailableError{Reason: Outside, Place: file}
	if file == "" || strings.ContainsRune(file, 0) {
		return "", outside
	}
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	rel, err := filepath.Rel(r.layout.root, resolve(path))
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", outside
	}
	return filepath.ToSlash(rel), nil
}

// resolve follows symbolic links as far as the path exists, so that a deleted file still has a place.
func resolve(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolve(parent), filepath.Base(path))
}

// explain turns what came of asking git into the reason for it.
func (r *repository) explain(file string, err error) *UnavailableError {
	if known, ok := errors.AsType[*UnavailableError](err); ok {
		return known
	}
	e := &UnavailableError{Place: file, Err: err}
	refused, ok := errors.AsType[*refusal](err)
	switch {
	case errors.Is(err, errTimedOut):
		e.Reason, e.Detail = TimedOut, "more than "+patience.String()
	case errors.Is(err, errTooMuch):
		e.Reason, e.Detail = TooLarge, "as committed, or in its history"
	case !ok:
		e.Reason, e.Detail = Failed, printable(err.Error(), maxShown)
	case strings.Contains(refused.complaint, "attempting to allocate"):
		e.Reason, e.Detail = TooLarge, "an object of its history is over "+allocationLimit
	case r.layout.isPartialClone():
		e.Reason = Partial
	default:
		e.Reason, e.Detail = Damaged, refused.complaint
	}
	return e
}

// ranges joins sorted line numbers to ranges, both ends included.
func ranges(numbers []int) [][2]int {
	var spans [][2]int
	for _, number := range numbers {
		if last := len(spans) - 1; last >= 0 && spans[last][1] == number-1 {
			spans[last][1] = number
			continue
		}
		spans = append(spans, [2]int{number, number})
	}
	if len(spans) > maxRanges {
		return [][2]int{{numbers[0], numbers[len(numbers)-1]}}
	}
	return spans
}

func unknown(lines []int, why *UnavailableError) []Line {
	answers := make([]Line, len(lines))
	for i, number := range lines {
		answers[i] = unknownLine(number, why)
	}
	return answers
}

func unknownLine(number int, why *UnavailableError) Line {
	return Line{Number: number, State: Unknown, Reason: why.Reason, Note: why.Message(), Hint: why.Hint()}
}
