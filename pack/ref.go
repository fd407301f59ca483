package pack

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cento-dev/cento"
)

// A Prefix names one root of prompt files: `$builtin`, `$user`, `$workspace`,
// `$pack/<name>`, or one that a host brings, see [Own]. There is no fall-through from
// one to another: a reference means one file.
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

// trust is that of every file below the prefix, where no host says another:
// [Loader.Trust] tells which holds. It follows from the place alone: nothing that a
// file says changes it.
func (p Prefix) trust() cento.Trust {
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

// compare orders references by their short name, bytewise.
func (r Ref) compare(s Ref) int { return strings.Compare(r.String(), s.String()) }

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

// IsPromptName reports whether a file may be a prompt file by the ending of its name.
func IsPromptName(name string) bool { return hasExtension(name) }

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
// that of the error. Those of own are known beside the prefixes that are always
// there.
//
// The errors are [*cento.SourceError] of the codes [InvalidRef],
// [UnknownPrefix] and [UnqualifiedRef]. Whether the prefix is configured and
// the file exists is for the [Loader] to say.
func ParseRef(raw string, current Ref, at cento.Position, own ...Prefix) (Ref, error) {
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
		if !prefix.standard() && prefix != packs && !slices.Contains(own, prefix) {
			return Ref{}, &cento.SourceError{
				Code: UnknownPrefix, Position: at,
				Message: "unknown prompt prefix " + quote(p) + " in reference " + quote(raw),
				Hint:    unknownPrefixHint(p, own),
			}
		}
	case current.IsZero():
		return Ref{}, &cento.SourceError{
			Code: UnqualifiedRef, Position: at,
			Message: "unqualified prompt reference " + quote(raw) +
				" requires a current prefix (include it from inside another prompt file, or use $prefix/path)",
			Hint: qualifiedHint(name),
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

// projectFolder is where the prompt files of a project stand, from the folder of
// its manifest.
const projectFolder = ".cento/prompts/"

// proseHint is the hint for a text that stands where a reference is wanted.
const proseHint = "this reads as a text and not as a name: the agent's main text stands in system, that of a fragment in body"

// isProse reports whether a name is a sentence.
func isProse(name string) bool {
	return strings.ContainsAny(strings.TrimSpace(name), " \t\n")
}

// Qualify proposes what to write for a name without a prefix that was to be a prompt
// file of the project, of the user or of the program; onDisk tells whether there is a
// file at a path from the folder of the manifest.
func (l *Loader) Qualify(name string, onDisk func(path string) bool) string {
	name = strings.TrimSpace(name)
	if isProse(name) && !onDisk(name) {
		return proseHint
	}
	path := strings.TrimPrefix(name, "./")
	file, inside := strings.CutPrefix(path, projectFolder)
	there, near := l.meantBy(file, l.proposed())
	switch to := fileName(base(file)); {
	case there != "" && inside:
		return "write " + there + ": the path from " + projectFolder
	case there != "":
		return "write " + there
	case len(near) == 0 && onDisk(name) && refusePath(to) == "":
		return "the prompt files of a project stand in " + projectFolder + ": move the file to " + printable(projectFolder+to) + ", and write " + printable(Ref{Workspace, to}.String())
	case len(near) > 0:
		return "write " + printable(strings.Join(near, " or "))
	}
	return "there is no such prompt file; those of a project stand in " + projectFolder + " beside the manifest, and are written $workspace/ with the path from there"
}

// QualifyInPack is [Loader.Qualify] for a name that stands in the layer of an installed
// pack, whose prompt files are in a folder of it; empty for all of the pack. It means a
// file of that pack, or one of the program: what project a pack comes to isn't known to it.
func (l *Loader) QualifyInPack(name, pack, folder string) string {
	name = strings.TrimSpace(name)
	if isProse(name) {
		return "this reads as a text and not as a name: the text of a contribution stands in content"
	}
	file := strings.TrimPrefix(name, "./")
	if folder != "" {
		file = strings.TrimPrefix(file, folder+"/")
	}
	own := PackPrefix(pack)
	there, near := l.meantBy(file, []Prefix{own, Builtin})
	switch {
	case there != "":
		return "write " + there
	case len(near) > 0:
		return "write " + printable(strings.Join(near, " or "))
	}
	refs, err := l.List(own)
	if err != nil || len(refs) == 0 {
		return "the pack has no prompt files"
	}
	return "a file of the pack is written " + string(own) + "/ with its path; there are: " + someOf(refs)
}

// Has gives the reference to the file that a path without a prefix means: one of the
// project, of the user, of the program or of a pack, by the first that has it.
func (l *Loader) Has(name string) (ref string, ok bool) {
	there, _ := l.meantBy(name, l.named())
	return there, there != ""
}

// Meant gives the references that a name without a prefix may have been to be: the one
// that [Loader.Has] gives, or else those that are near.
func (l *Loader) Meant(name string) []string {
	there, near := l.meantBy(strings.TrimPrefix(name, "./"), l.named())
	if there != "" {
		return []string{there}
	}
	for i := range near {
		near[i] = printable(near[i])
	}
	return near
}

// named are the prefixes whose files people may name: those that are proposed, and the packs.
func (l *Loader) named() []Prefix {
	return append(l.proposed(), slices.DeleteFunc(l.Prefixes(), func(p Prefix) bool { return !p.isPack() })...)
}

// meantBy gives the reference to the file that a path without a prefix means below the
// first of some prefixes that has it, and where none has it those that are near.
func (l *Loader) meantBy(file string, prefixes []Prefix) (there string, near []string) {
	for _, p := range prefixes {
		refs, err := l.List(p)
		if err != nil {
			continue
		}
		for _, part := range []string{file, strings.TrimPrefix(file, string(p[1:])+"/")} {
			if refusePath(part) != "" {
				continue
			}
			want := Ref{prefix: p, file: fileName(part)}
			if slices.Contains(refs, want) {
				return printable(want.String()), nil
			}
			if len(near) == 0 {
				near = nearestFiles(want, refs)
			}
			if len(near) == 0 {
				near = nearestFiles(Ref{prefix: p, file: base(want.file)}, refs)
			}
		}
	}
	return "", near
}

// qualifiedHint proposes references that a name without a prefix may stand for. A
// path to the folder of prompt files means the file in it.
func qualifiedHint(name string) string {
	if isProse(name) {
		return proseHint
	}
	path := strings.TrimPrefix(name, "./")
	file, inside := strings.CutPrefix(path, projectFolder)
	switch {
	case refusePath(file) != "":
		return "the prompt files of a project stand in " + projectFolder + " beside the manifest; write $workspace/ and the path from there"
	case inside:
		return "write " + printable(Ref{Workspace, fileName(file)}.String()) + ": the path from " + projectFolder
	}
	return "write $workspace/" + printable(path) + " for a file of the project, $user/" + printable(path) + " for one of your own"
}

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

// CheckName keeps names of packs to what a reference, a folder and a key of the
// lock can all hold. Its error is [InvalidPack] at the given place.
func CheckName(name string, at cento.Position) error {
	good := name != ""
	for i, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && (i == 0 || !strings.ContainsRune("-_.", r)) {
			good = false
		}
	}
	if good {
		return nil
	}
	return &cento.SourceError{
		Code: InvalidPack, Position: at, Message: quote(name) + " can't be the name of a pack",
		Hint: "a name has lower-case letters, digits, -, _ and ., and begins with a letter or digit",
	}
}
