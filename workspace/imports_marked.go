package workspace

import (
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// The imports of Gemini CLI: what an `@path` becomes stands between comments,
// and what goes wrong stands there too. Its rules for what is a path and what is
// code are simpler than Markdown's, and are kept as they are.

// maxMarkedDepth is how many imports deep a file is searched for more.
const maxMarkedDepth = 5

// isURL reports whether a path is the address of something else.
func isURL(p string) bool {
	return strings.HasPrefix(p, "file://") || strings.HasPrefix(p, "http://") || strings.HasPrefix(p, "https://")
}

// marked is one step of expand, at most maxMarkedDepth deep. Paths start from
// the folder of the name that the file was reached by.
func (x *expansion) marked(f *tree.File, as string, at cento.Position) passage {
	c := x.copier(f, at)
	if len(x.open) < maxMarkedDepth {
		for _, m := range markedMentions(f.Text) {
			if f.Mark && m.start == 0 {
				continue // the mark isn't white space
			}
			place := c.position(m.start)
			if !x.another(place) {
				break
			}
			c.skip(m.start, m.end)
			x.mark(c, m, as, place)
		}
	}
	c.upTo(len(f.Text))
	return c.finish()
}

// mark puts in what stands for a mention.
func (x *expansion) mark(c *copier, m mention, as string, at cento.Position) {
	trust := x.ground.trust
	name, outside := x.locateMarked(m.path, as)
	record := &File{Path: x.ground.tree.Show(name), Trust: trust, OnDemand: x.part.file.OnDemand}
	fail := func(status Status, code, reason, comment string) {
		if outside != "" {
			record.Path = m.path
		}
		record.Status, record.Code, record.OnDemand = status, code, false
		record.Reason = fmt.Sprintf("import at %s: %s", at, reason)
		x.part.imported = append(x.part.imported, record)
		x.part.noteAt(InstructionsImport, fmt.Sprintf("import %q leaves an error in the text: %s", "@"+m.path, reason), at)
		c.fixed("<!-- "+comment+" -->", trust, at)
	}
	if outside != "" {
		fail(Failed, string(tree.Outside), outside, "Import failed: "+m.path+" - Path traversal attempt")
		return
	}
	t := x.ground.tree
	target, err := x.ground.real(name)
	if err == nil {
		record.Path = t.Show(target)
		if _, ok := below(x.confine, target); !ok && x.confine != "." {
			fail(Failed, string(tree.Outside), "the file lies outside of the folder of instructions", "Import failed: "+m.path+" - Path traversal attempt")
			return
		}
		// By path, as the client does: another name of the file is another file.
		for _, o := range x.open {
			if o.path == name {
				fail(Ignored, string(InstructionsDuplicate), "it imports itself: "+chain(x.open, record.Path), "File already processed: "+m.path)
				return
			}
		}
	}
	var f *tree.File
	if err == nil {
		f, err = x.readImport(target)
	}
	if err != nil {
		code, reason, _ := explain(err, record.Path)
		if code == string(tree.Outside) {
			fail(Failed, code, reason, "Import failed: "+m.path+" - Path traversal attempt")
			return
		}
		fail(Failed, code, reason, "Import failed: "+m.path+" - "+x.words(err, name, reason))
		return
	}
	x.noteTwinOf(target, at)
	record.Status, record.Imported, record.Reason = Loaded, true, fmt.Sprintf("imported at %s", at)
	x.part.imported = append(x.part.imported, record)
	x.open = append(x.open, identity{f.Info, name})
	in := x.marked(f, name, startOf(record.Path))
	x.open = x.open[:len(x.open)-1]
	record.Bytes = len(in.text)
	c.fixed("<!-- Imported from: "+m.path+" -->\n", trust, at)
	c.passage(in, record)
	c.fixed("\n<!-- End of import from: "+m.path+" -->", trust, at)
}

// locateMarked gives the name in the tree that a path means in a file, or why
// there is none.
func (x *expansion) locateMarked(p, as string) (name, outside string) {
	const away = "the path leads out of the project"
	if isURL(p) {
		return "", "it is an address"
	}
	if strings.HasPrefix(p, "/") {
		rest, ok := below(x.ground.base, path.Clean(p))
		if !ok {
			return "", away
		}
		return rest, ""
	}
	if name = path.Join(path.Dir(as), p); name == ".." || strings.HasPrefix(name, "../") {
		return "", away
	}
	return name, ""
}

// words are those of the system that the client runs on, for the two errors
// that everybody meets.
func (x *expansion) words(err error, name, reason string) string {
	info, statErr := x.ground.tree.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Sprintf("ENOENT: no such file or directory, access '%s'", x.loader.nameOf(x.ground.absolute(name)))
	case statErr == nil && info.IsDir():
		return "EISDIR: illegal operation on a directory, read"
	}
	return reason
}

// markedMentions finds the `@path`s of a text as Gemini CLI does: after white
// space, beginning with a dot, a slash or a letter, up to the next white space
// with whatever punctuation, and not between backquotes.
func markedMentions(text string) []mention {
	if !strings.Contains(text, "@") {
		return nil
	}
	code := backquoted(text)
	var out []mention
	for i := 0; i < len(text); {
		n := strings.IndexByte(text[i:], '@')
		if n < 0 {
			break
		}
		start := i + n
		i = start + 1
		if start > 0 && !strings.ContainsRune(" \t\n\r", rune(text[start-1])) {
			continue
		}
		end := start + 1
		for end < len(text) && !strings.ContainsRune(" \t\n\r", rune(text[end])) {
			end++
		}
		i = end
		p := text[start+1 : end]
		if p == "" || len(p) > maxMention {
			continue
		}
		if c := p[0]; c != '.' && c != '/' && (c|0x20 < 'a' || 'z' < c|0x20) {
			continue
		}
		for len(code) > 0 && code[0].end <= start {
			code = code[1:]
		}
		if len(code) > 0 && code[0].start <= start {
			continue
		}
		out = append(out, mention{start, end, p})
	}
	return out
}

// backquoted finds the stretches between backquotes: from a run of them to the
// next place where as many stand, wherever it is. A run that finds none is tried
// as a shorter one, and then from its next character.
func backquoted(text string) []span {
	var out []span
	// From which offset on a number of backquotes was looked for in vain; it
	// isn't there further on either.
	vain := map[int]bool{}
	for i := 0; i < len(text); {
		n := strings.IndexByte(text[i:], '`')
		if n < 0 {
			break
		}
		start := i + n
		length := 0
		for start+length < len(text) && text[start+length] == '`' {
			length++
		}
		i = start + length
		for k := min(length, maxBackquotes); k > 0; k-- {
			if vain[k] {
				continue
			}
			end := strings.Index(text[start+k:], strings.Repeat("`", k))
			if end < 0 {
				vain[k] = true
				continue
			}
			i = start + k + end + k
			out = append(out, span{start, i})
			break
		}
	}
	return out
}

// maxBackquotes is the longest run that is looked for as a whole.
const maxBackquotes = 64
