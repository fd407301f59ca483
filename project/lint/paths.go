package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// deadPaths reports paths between backticks in texts of the project that a reader
// is told to use, and links, that lead to nothing. What a text forbids, gives as an
// example, or says to make is no path to use, and neither is what stands in a block of
// code or a comment; a link is there to be followed, whatever is said around it.
func deadPaths(s *subject, t *target, report func(Finding)) error {
	if s.Exists == nil {
		return nil
	}
	s.eachText(t, func(span cento.Span, text string, at func(offset int) cento.Position) {
		toldPaths(text, s.exists, func(name string, offset int) {
			if !s.exists(name) && !s.isModule(name) {
				report(Finding{
					Position: at(offset), ID: span.Fragment, Message: "tells of " + quoted(name) + ", and there is no such file or folder",
					Hint: "correct the path, or the text",
				})
			}
		})
	})
	deadLinks(s, t, report)
	return nil
}

// eachText visits the texts of the project in a prompt, with the places of their bytes.
func (s *subject) eachText(t *target, visit func(span cento.Span, text string, at func(offset int) cento.Position)) {
	text, _ := t.prompt.System()
	for span := range t.prompt.AllSpans() {
		if span.Kind != cento.BodySpan || span.Trust != cento.TrustWorkspace || span.Var != "" && span.Fragment != cento.InstructionsID {
			continue
		}
		from := places(span, text)
		visit(span, text[span.Start:span.End], func(offset int) cento.Position { return from.At(span.Start + offset) })
	}
}

// exists asks once for each path.
func (s *subject) exists(name string) bool {
	there, asked := s.paths[name]
	if !asked {
		there = s.Exists(name)
		s.paths[name] = there
	}
	return there
}

// toldPaths visits the paths that a text tells to use, in order; there tells of folders
// in the root of the project.
func toldPaths(text string, there func(folder string) bool, visit func(name string, offset int)) {
	heading, lead := false, false // whether what stands above shows that its paths aren't to be used: the last heading, the sentence that opens a list
	for l := range sentences(text) {
		line, bare := l.text, l.bare
		switch {
		case strings.HasPrefix(bare, "#"):
			heading, lead = unused(bare), false
		case bare == "" || isItem(bare):
		case strings.HasSuffix(bare, ":") || strings.HasSuffix(bare, ":**"):
			lead = unused(bare) || l.before
		case line[0] != ' ' && line[0] != '\t':
			lead = false
		}
		if heading || lead {
			continue
		}
		for at := 0; ; {
			from, to := codeSpan(line[at:])
			if to < 0 {
				break
			}
			if name, skipped, ok := mentionedPath(line[at+from:at+to], there); ok && !placeholder(name) && !l.unusedAt(at+from) {
				visit(name, l.offset+at+from+skipped)
			}
			at += to + 1
		}
	}
}

// isModule reports whether a path without an extension names a file that has one, as
// imports do.
func (s *subject) isModule(name string) bool {
	if strings.HasSuffix(name, "/") || path.Ext(name) != "" {
		return false
	}
	return slices.ContainsFunc([]string{".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue", ".svelte", ".py", ".go", ".rs", ".rb", ".java", ".kt", ".cs", ".c", ".h", ".md", ".json", ".yaml", ".yml", ".toml", ".sh", ".sql"},
		func(ext string) bool { return s.exists(name + ext) })
}

// mentionedPath is the path that stands between backticks, without a line behind it: the
// whole of it, or the script of a command; and how many bytes stand before it.
func mentionedPath(code string, there func(folder string) bool) (name string, skipped int, ok bool) {
	if script, at := scriptOf(code); script != "" {
		return script, at, true
	}
	name, _, _ = strings.Cut(code, ":")
	if line := code[len(name):]; strings.Trim(line, ":0123456789") != "" || line == ":" {
		return "", 0, false
	}
	return name, 0, looksLikePath(name) || inFolder(name, there)
}

// inFolder reports whether a name without an extension is that of something below a
// folder of the project's root. Without such a folder it may be anything, such as
// `and/or`, a branch, or a media type.
func inFolder(name string, there func(folder string) bool) bool {
	first, rest, several := strings.Cut(strings.TrimPrefix(name, "./"), "/")
	if !several || rest == "" || path.Ext(name) != "" || !plainPath(name) || strings.Contains(name, "@") {
		return false
	}
	switch first { // packages of Go's standard library are named like that
	case "archive", "compress", "container", "crypto", "database", "debug", "encoding", "go", "hash", "html", "image", "index", "io", "log", "math", "mime", "net", "os", "path", "runtime", "sync", "testing", "text", "unicode":
		return false
	}
	return there(first+"/") && !strings.HasPrefix(rest, "/")
}

// scriptOf is the script of the project that a command runs, and where it begins; empty
// for none.
func scriptOf(command string) (script string, at int) {
	word, rest, more := strings.Cut(command, " ")
	switch word {
	case "bash", "sh", "zsh", "source", "python", "python3", "node", "ruby", "perl", "deno", "tsx":
		at = len(word) + 1
		word, _, _ = strings.Cut(rest, " ")
	default:
		if !more || !strings.HasPrefix(word, "./") {
			return "", 0
		}
	}
	switch path.Ext(word) {
	case ".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl":
		if looksLikePath(word) || strings.HasPrefix(word, "./") && plainPath(word) {
			return word, at
		}
	}
	return "", 0
}

// isItem reports whether a line is an item of a list.
func isItem(line string) bool {
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ") || line[0] >= '0' && line[0] <= '9'
}

// placeholder reports whether a component of a path stands for one that the
// reader puts in.
func placeholder(name string) bool {
	for part := range strings.SplitSeq(strings.ToLower(name), "/") {
		stem, _, _ := strings.Cut(part, ".")
		switch stem {
		case "foo", "bar", "baz", "qux", "example", "examples", "sample", "xxx", "xyz", "path", "to", "name", "my", "your", "some", "placeholder", "feature", "thing", "module-name", "package-name", "component-name":
			if stem != "examples" || part != "examples" {
				return true
			}
		}
		for _, p := range []string{"my-", "my_", "your-", "your_", "some-", "some_", "foo-", "foo_", "new-", "new_", "yyyy", "example-", "example_"} {
			if strings.HasPrefix(part, p) {
				return true
			}
		}
	}
	return false
}

// codeSpan finds what stands between the next two backticks of a line.
func codeSpan(text string) (start, end int) {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '`')
		if i < 0 {
			return -1, -1
		}
		start = at + i + 1
		j := strings.IndexAny(text[start:], "`\n")
		switch {
		case j < 0:
			return -1, -1
		case j > 0 && text[start+j] == '`':
			return start, start + j
		}
		at = start + j
		if text[at] == '\n' {
			at++
		}
	}
}

// plainPath reports whether a text has nothing but what paths of a project have.
func plainPath(name string) bool {
	for _, r := range name {
		if (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-+@", r) {
			return false
		}
	}
	trimmed := strings.TrimPrefix(name, "./")
	return !strings.HasPrefix(trimmed, "/") && !strings.Contains(trimmed, "//") && !strings.Contains(trimmed, "..")
}

// looksLikePath reports whether a text can only be meant as a path of the
// project: several components, of which the last has an extension or ends in a
// slash, and none is a pattern, a URL or a placeholder.
func looksLikePath(name string) bool {
	if !plainPath(name) {
		return false
	}
	trimmed := strings.TrimPrefix(name, "./")
	if folder, ok := strings.CutSuffix(trimmed, "/"); ok {
		// @scope/ is a namespace, and origin/ the name of a remote.
		return folder != "" && folder[0] != '@' && !strings.Contains(folder, "@")
	}
	first, _, several := strings.Cut(trimmed, "/")
	// example.com/x.html and @scope/pkg.x are names of other things, v1/a.b2 too.
	ext := path.Ext(trimmed)
	return several && len(ext) > 1 && ext[1] > '9' && !strings.Contains(strings.TrimPrefix(first, "."), ".") && !strings.Contains(trimmed, "@")
}
