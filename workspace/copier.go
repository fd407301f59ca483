package workspace

import (
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// copier builds a passage out of a file, from its beginning to its end: parts
// of it are copied, others left out or replaced. It counts lines as it goes.
type copier struct {
	text     string
	replaced []int // offsets of U+FFFD that the file doesn't hold, see [tree.File]
	trust    cento.Trust
	madeBy   cento.Maker // of what is copied; zero: the trust and the place say it
	mark     bool        // a byte order mark comes before the first byte

	b   strings.Builder
	out passage
	// How far the file is copied, and how far its lines are counted: for what is
	// copied, and for what is asked for, which lies further on.
	done          int
	copied, asked cento.Cursor
}

func newCopier(f *tree.File, at cento.Position, trust cento.Trust) *copier {
	from := cento.CursorAt(at, f.Text)
	return &copier{text: f.Text, replaced: f.Replaced, trust: trust, mark: f.Mark, copied: from, asked: from}
}

// byteOrderMark is the mark as a character.
const byteOrderMark = "\ufeff"

// position is the place of an offset at or after all that were asked for.
func (c *copier) position(offset int) cento.Position { return c.asked.At(offset) }

// upTo copies the file as far as an offset.
func (c *copier) upTo(end int) {
	if c.mark && c.done == 0 && end > 0 {
		c.mark = false
		c.fixed(byteOrderMark, c.trust, c.copied.At(0))
	}
	for c.done < end {
		stop, bad := end, false
		for len(c.replaced) > 0 && c.replaced[0] < c.done {
			c.replaced = c.replaced[1:] // of a part that was left out
		}
		if len(c.replaced) > 0 && c.replaced[0] < end {
			if stop = c.replaced[0]; stop == c.done {
				stop, bad = c.done+len("\uFFFD"), true
			}
		}
		start := c.b.Len()
		c.b.WriteString(c.text[c.done:stop])
		c.out.runs = append(c.out.runs, cento.Run{
			Start: start, End: c.b.Len(), Position: c.copied.At(c.done), Trust: c.trust, MadeBy: c.madeBy, Fixed: bad,
		})
		c.done = stop
	}
}

// skip copies the file as far as start, and leaves what is before end out.
func (c *copier) skip(start, end int) {
	c.upTo(start)
	c.done = max(c.done, end)
}

// fixed adds a text that isn't the file's, and has to do with a place in it.
func (c *copier) fixed(text string, trust cento.Trust, at cento.Position) {
	if text == "" {
		return
	}
	start := c.b.Len()
	c.b.WriteString(text)
	c.out.runs = append(c.out.runs, cento.Run{Start: start, End: c.b.Len(), Position: at, Trust: trust, Fixed: true})
}

// passage adds that of another file; record is nil when it lists itself.
func (c *copier) passage(in passage, record *File) {
	start := c.b.Len()
	c.b.WriteString(in.text)
	for _, r := range in.runs {
		r.Start += start
		r.End += start
		c.out.runs = append(c.out.runs, r)
	}
	if record != nil {
		c.out.imports = append(c.out.imports, stretch{record, start, c.b.Len()})
	}
	for _, s := range in.imports {
		c.out.imports = append(c.out.imports, stretch{s.file, start + s.start, start + s.end})
	}
}

// finish gives the passage.
func (c *copier) finish() passage {
	c.out.text = c.b.String()
	return c.out
}

// lineFeeds is a text with LF for CRLF.
func lineFeeds(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
