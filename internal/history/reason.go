package history

import (
	"strconv"
	"strings"
	"unicode"
)

// Reason is a stable code for why the history of a line cannot be told.
type Reason string

// The reasons.
const (
	NoRepository Reason = "no_repository" // the folder is in no git work tree
	NoGit        Reason = "no_git"        // no usable git program
	NoCommits    Reason = "no_commits"    // HEAD names a branch without a commit
	Reftable     Reason = "reftable"      // references are kept in a format that is not read here
	Remote       Reason = "remote"        // a part of the repository is on another machine
	Damaged      Reason = "damaged"       // the git folder or its objects do not read
	Partial      Reason = "partial"       // a partial clone without the objects that were needed
	TooLarge     Reason = "too_large"     // a ceiling of this package was reached
	TimedOut     Reason = "timed_out"     // git took longer than it is given
	Outside      Reason = "outside"       // the file is not in this work tree
	NoSuchLine   Reason = "no_such_line"  // the file has fewer lines
	Failed       Reason = "failed"        // the view could not be made, or git not be run, on this machine
	NoRevision   Reason = "no_revision"   // no branch, tag or commit of that name
	BadRevision  Reason = "bad_revision"  // a revision is written in a way that is not read here
	NoMergeBase  Reason = "no_merge_base" // two revisions have no commit in common
)

var words = map[Reason]struct{ text, hint string }{
	NoRepository: {"not in a git work tree", ""},
	NoGit:        {"no git program to ask", "install git, or put it on the PATH"},
	NoCommits:    {"the repository has no commits yet", "commit something first"},
	Reftable:     {"the repository keeps its references in the reftable format, which is not read here", "run git blame yourself"},
	Remote:       {"a part of the repository is on another machine, which is not opened", ""},
	Damaged:      {"the repository does not read", "git fsck tells more"},
	Partial:      {"this is a partial clone and the objects needed were never fetched", "run git blame yourself, which fetches them"},
	TooLarge:     {"too large", ""},
	TimedOut:     {"git took too long", ""},
	Outside:      {"the file is not in this work tree", ""},
	NoSuchLine:   {"the file has no such line", ""},
	Failed:       {"git could not be asked", ""},
	NoRevision:   {"no such revision", ""},
	BadRevision:  {"not a revision that is read here", "name a branch, a tag or a commit, with ~N or ^N behind it"},
	NoMergeBase:  {"the two revisions have no commit in common", ""},
}

// UnavailableError says why there is no history to tell. Read it with errors.AsType.
type UnavailableError struct {
	Reason Reason
	// Place is the folder or file in question, as an operating-system path.
	Place string
	// Detail says more about this case, when there is more to say. Text that git printed is cut to one
	// line without control characters.
	Detail string
	// Near is the name that was probably meant; empty for none.
	Near string
	// Err is the cause; nil when there is no other error behind it.
	Err error
}

// Error returns the place and the message.
func (e *UnavailableError) Error() string {
	if e.Place == "" {
		return e.Message()
	}
	return e.Place + ": " + e.Message()
}

// Message returns the words for the user, without the place.
func (e *UnavailableError) Message() string {
	text := words[e.Reason].text
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// Hint returns what the user can do about it, or the empty string.
func (e *UnavailableError) Hint() string {
	if e.Near != "" {
		return "did you mean " + strconv.Quote(e.Near) + "?"
	}
	return words[e.Reason].hint
}

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Err }

// printable makes text from git or a commit fit for one line of output: valid UTF-8, control characters as
// spaces, at most limit bytes. Invisible characters stay: whoever shows the text decides about them.
func printable(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
	if len(text) <= limit {
		return text
	}
	const ellipsis = "…"
	return strings.ToValidUTF8(text[:limit-len(ellipsis)], "") + ellipsis
}
