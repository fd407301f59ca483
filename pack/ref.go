package pack

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// A Prefix names one root of prompt files: `$builtin`, `$user`, `$workspace`
// or `$pack/<name>`. There is no fall-through from one to another: a reference
// means one file.
type Prefix string

// The prefixes that need no name. [PackPrefix] gives those of installed packs.
const (
	Builtin   Prefix = "$builtin"
	User      Prefix = "$user"
	Workspace Prefix = "$workspace"

	packs Prefix = "$pack"
)

// PackPrefix is the prefix of the installed pack of that name.
func PackPrefix(name string) Prefix { return packs + "/" + Prefix(name) }

// Pack returns the name of the installed pack, and false for other prefixes.
func (p Prefix) Pack() (name string, ok bool) {
	return strings.CutPrefix(string(p), string(packs)+"/")
}

// Trust is that of every file below the prefix. It follows from the place
// alone: nothing that a file says changes it. A prefix that isn't known counts
// as workspace, the less trusted side.
func (p Prefix) Trust() cento.Trust {
	switch p {
	case Builtin:
		return cento.TrustBuiltin
	case User:
		return cento.TrustUser
	default:
		return cento.TrustWorkspace
	}
}

// extensions are those that a reference may spell out. Without one of them
// `.md` is meant.
var extensions = [...]string{".md", ".txt", ".j2", ".jinja"}

// A Ref names one prompt file, whatever way it was written: `$user/a` and
// `$user/a.md` are equal values. The zero Ref names none.
type Ref struct {
	prefix Prefix
	file   string // below the prefix, slash-separated, with the extension
}

// IsZero reports whether the reference names no file.
func (r Ref) IsZero() bool { return r == Ref{} }

// Prefix returns the root that the file is looked for in.
func (r Ref) Prefix() Prefix { return r.prefix }

// File returns the file's name below its prefix, with its extension.
func (r Ref) File() string { return r.file }

// Path returns the whole name with its extension, as positions show it:
// `$user/review.md`.
func (r Ref) Path() string {
	if r.IsZero() {
		return ""
	}
	return string(r.prefix) + "/" + r.file
}

// String returns the whole name in its short form, as chains and messages show
// it: `$user/review`. [ParseRef] reads it back as the same reference.
func (r Ref) String() string {
	if r.IsZero() {
		return ""
	}
	return string(r.prefix) + "/" + shortName(r.file)
}

// Compare orders references by their short name, bytewise.
func (r Ref) Compare(s Ref) int { return strings.Compare(r.String(), s.String()) }

// fileName is the name of the file that a path means.
func fileName(path string) string {
	if hasExtension(path) {
		return path
	}
	return path + ".md"
}

// shortName leaves `.md` out, unless what remains would mean another file:
// `a.txt.md` isn't `a.txt`.
func shortName(file string) string {
	short, ok := strings.CutSuffix(file, ".md")
	if !ok || short == "" || strings.HasSuffix(short, "/") || hasExtension(short) || short != strings.TrimSpace(short) {
		return file
	}
	return short
}

func hasExtension(path string) bool {
	for _, e := range extensions {
		if strings.HasSuffix(path, e) {
			return true
		}
	}
	return false
}

// ParseRef reads a reference as people write it. One without a prefix is
// looked for beside current, the file that includes it; current is the zero
// Ref where there is none. The position is the reference's own and becomes
// that of the error.
//
// The errors are [*cento.SourceError] of the codes [InvalidRef],
// [UnknownPrefix] and [UnqualifiedRef]. Whether the prefix is configured and
// the file exists is for the [Loader] to say.
func ParseRef(raw string, current Ref, at cento.Position) (Ref, error) {
	invalid := func(why string) (Ref, error) {
		return Ref{}, &cento.SourceError{
			Code: InvalidRef, Position: at,
			Message: "invalid prompt reference " + quote(raw) + ": " + why,
			Hint:    "a reference is $prefix/path, or a path beside the file that includes it",
		}
	}
	name := strings.TrimSpace(raw)
	if name == "" {
		return invalid("reference must not be empty")
	}

	prefix, folder := current.prefix, ""
	switch {
	case name[0] == '$':
		p, path, ok := strings.Cut(name, "/")
		if !ok {
			return invalid("prefix must be followed by '/'")
		}
		prefix, name = Prefix(p), path
		if prefix != Builtin && prefix != User && prefix != Workspace && prefix != packs {
			return Ref{}, &cento.SourceError{
				Code: UnknownPrefix, Position: at,
				Message: "unknown prompt prefix " + quote(p) + " in reference " + quote(raw),
				Hint:    didYouMean(p, prefixNames, "the prefixes are $builtin, $user, $workspace and $pack/<name>"),
			}
		}
	case current.IsZero():
		return Ref{}, &cento.SourceError{
			Code: UnqualifiedRef, Position: at,
			Message: "unqualified prompt reference " + quote(raw) +
				" requires a current prefix (include it from inside another prompt file, or use $prefix/path)",
			Hint: "write $workspace/" + printable(name) + " for a file of the project, $user/" + printable(name) + " for one of your own",
		}
	default:
		if i := strings.LastIndexByte(current.file, '/'); i >= 0 {
			folder = current.file[:i+1]
		}
	}

	name = strings.TrimSpace(strings.Trim(name, "/"))
	if name == "" {
		return invalid("path component must not be empty")
	}
	if why := refusePath(name); why != "" {
		return invalid(why)
	}
	if prefix == packs {
		pack, path, ok := strings.Cut(name, "/")
		if !ok {
			return invalid("path component must not be empty")
		}
		prefix, name = PackPrefix(pack), path
	}
	return Ref{prefix: prefix, file: folder + fileName(name)}, nil
}

var prefixNames = []string{string(Builtin), string(User), string(Workspace), string(packs)}

// refusePath says why a path can't be one, or nothing. The root that files are
// opened through refuses what leaves it as well; this refuses it on every
// system alike, and before any disk is touched.
func refusePath(path string) string {
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case ".", "..":
			return "path must not contain '.' or '..' segments"
		case "":
			return "path must not contain empty segments"
		}
	}
	switch {
	case strings.Contains(path, `\`):
		return "path must not contain backslashes"
	case strings.IndexByte(path, 0) >= 0:
		return "path must not contain NUL"
	case strings.ContainsFunc(path, unicode.IsControl):
		return "path must not contain control characters"
	case !utf8.ValidString(path):
		return "path must be valid UTF-8"
	}
	return ""
}
