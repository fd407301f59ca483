package lint

import (
	"net/url"
	"path"
	"strings"

	"github.com/cento-dev/cento"
)

// linkedPaths visits the relative targets of the Markdown links of a text, as they are
// written, in order: those of `[text](target)` and of definitions, `[label]: target`.
// Images are left out: no model sees them. So is what stands between backticks.
func linkedPaths(text string, visit func(target string, offset int)) {
	for l := range prose(text) {
		line := withoutCode(l.text)
		found := func(from, to int) {
			if target := line[from:to]; target != "" && text[l.offset+from:l.offset+to] == target {
				visit(target, l.offset+from)
			}
		}
		if label, rest, ok := strings.Cut(line, "]:"); ok && strings.HasPrefix(l.bare, "[") && !strings.HasPrefix(l.bare, "[^") && !strings.Contains(label, "](") {
			at := len(line) - len(strings.TrimLeft(rest, " \t"))
			found(linkTarget(line, at, ""))
			continue
		}
		var images []bool // of the brackets that are open
		for at := 0; at < len(line); at++ {
			switch line[at] {
			case '[':
				images = append(images, at > 0 && line[at-1] == '!')
			case ']':
				image := false
				if n := len(images); n > 0 {
					image, images = images[n-1], images[:n-1]
				}
				if !image && strings.HasPrefix(line[at:], "](") {
					found(linkTarget(line, at+len("]("), ")"))
				}
			}
		}
	}
}

// maxTarget is how long a target may be that is looked at, with its title.
const maxTarget = 1000

// linkTarget is where the target of a link stands that begins at a place of a line:
// between angles, else up to white space or what closes it, parentheses in pairs.
func linkTarget(line string, at int, closing string) (from, to int) {
	from = at + len(line[at:]) - len(strings.TrimLeft(line[at:], " \t"))
	if strings.HasPrefix(line[from:], "<") {
		if i := strings.IndexByte(line[from:min(len(line), from+maxTarget)], '>'); i > 0 {
			return from + 1, from + i
		}
		return at, at
	}
	depth := 0
	line = line[:min(len(line), from+maxTarget)]
	for to = from; to < len(line); to++ {
		switch c := line[to]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if rest := strings.TrimSpace(line[to:]); closing != "" && !strings.HasPrefix(rest, closing) &&
				(!strings.ContainsAny(rest[:min(1, len(rest))], `"'(`) || !strings.Contains(rest, closing)) {
				return at, at // neither a title follows nor the end
			}
			return from, to
		case c == '(':
			depth++
		case c == ')' && depth == 0 && closing != "":
			return from, to
		case c == ')':
			depth--
		}
	}
	if closing != "" {
		return at, at // it isn't closed, so it is no link
	}
	return from, to
}

// withoutCode blanks what stands between backticks, and the backticks.
func withoutCode(line string) string {
	var out []byte // nil as long as nothing was blanked
	for at := 0; ; {
		open := strings.IndexByte(line[at:], '`')
		if open < 0 {
			break
		}
		open += at
		run := len(line[open:]) - len(strings.TrimLeft(line[open:], "`"))
		at = open + run
		if end := closingRun(line[at:], run); end >= 0 {
			out, at = blank(out, line, open, at+end), at+end
		}
	}
	if out == nil {
		return line
	}
	return string(out)
}

// closingRun is the end of the first run of so many backticks; -1 for none.
func closingRun(s string, run int) int {
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return -1
		}
		at += i
		n := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if at += n; n == run {
			return at
		}
	}
	return -1
}

// linkedPath is the path that the target of a link in a file leads to, from the root of
// the project; false for what is no file of it: an address, a place in the same text,
// what leads out of the project, and what stands for a name that the reader puts in.
func linkedPath(file, target string) (string, bool) {
	if i := strings.IndexAny(target, "#?"); i >= 0 {
		target = target[:i]
	}
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" || u.Path[0] == '/' {
		return "", false
	}
	if strings.ContainsAny(u.Path, "*{}<>$\\|…") || strings.Contains(u.Path, "...") || placeholder(strings.TrimPrefix(u.Path, "./")) || exampleTarget(u.Path) {
		return "", false
	}
	full := path.Join(path.Dir(file), u.Path)
	if full == ".." || strings.HasPrefix(full, "../") || strings.HasPrefix(full, "/") || full == "." {
		return "", false
	}
	if strings.HasSuffix(u.Path, "/") {
		full += "/"
	}
	return full, true
}

// exampleTarget reports whether a target is what people write to show how links are
// written.
func exampleTarget(target string) bool {
	switch strings.ToLower(strings.TrimPrefix(target, "./")) {
	case "url", "uri", "link", "href", "target", "file", "file.md", "filename", "filename.md", "page.md", "doc.md", "document.md", "other.md", "relative/path.md", "image.png":
		return true
	}
	return false
}

// deadLinks reports links in the files of the project that lead to nothing, neither
// from the file nor from the root, where agents begin.
func deadLinks(s *subject, t *target, report func(Finding)) {
	s.eachText(t, func(span cento.Span, text string, at func(offset int) cento.Position) {
		linkedPaths(text, func(target string, offset int) {
			position := at(offset)
			full, ok := linkedPath(position.File, target)
			if !ok || s.exists(full) {
				return
			}
			if fromRoot, ok := linkedPath("", target); ok && s.exists(fromRoot) {
				return
			}
			report(Finding{
				Position: position, ID: span.Fragment, Message: "links to " + quoted(target) + ", and there is no such file or folder",
				Hint: "correct the link, or take it out",
			})
		})
	})
}
