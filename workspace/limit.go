package workspace

import (
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento/internal/tree"
)

// spend takes as many whole lines of a part as there is room for. One that is
// read later than the others has the limit to itself.
func (l *loader) spend(p *part, later bool) {
	size, room, limit := len(p.passage.text), l.remaining, l.limit
	if later {
		defer func(remaining int) { l.remaining = remaining }(l.remaining)
		room = l.limit
	}
	if l.fileLimit <= room {
		room, limit = l.fileLimit, l.fileLimit
	}
	if size <= room {
		l.remaining -= size
		return
	}
	kept := strings.LastIndexByte(p.passage.text[:room], '\n') + 1
	p.file.Status = Cut
	shown := Visible(p.file.Path)
	if strings.TrimSpace(p.passage.text[:kept]) == "" {
		p.noteLeftOut(size, limit)
		p.notice = l.wording.leftOut(shown, size, limit)
		p.drop(Cut, InstructionsLeftOut, "left out")
		return
	}
	l.remaining -= kept
	p.noteCut(kept, size, limit, "")
	p.notice = l.wording.cut(shown, kept, size, limit)
	p.passage.cut(kept)
}

func (p *part) noteLeftOut(size, limit int) {
	p.file.Status, p.file.Code = Cut, string(InstructionsLeftOut)
	p.file.Reason = fmt.Sprintf("left out: %d bytes, limit %d", size, limit)
	p.note(InstructionsLeftOut, p.file.Reason)
}

// noteCut records a cut. Both sizes are of the text, as it would stand in the
// prompt.
func (p *part) noteCut(kept, size, limit int, more string) {
	p.file.Status, p.file.Code = Cut, string(InstructionsCut)
	p.file.Reason = fmt.Sprintf("kept %d of %d bytes, limit %d", kept, size, limit) + more
	p.note(InstructionsCut, "cut: "+p.file.Reason)
}

// spent reports that nothing is left for a project's files, so that they are
// not even read.
func (l *loader) spent(pl *place) bool {
	return l.convention.spend == orderBytes && !pl.user && l.remaining <= 0
}

// leaveOut records a file that isn't read.
func (l *loader) leaveOut(p *part, info fs.FileInfo) {
	size := 0
	if info != nil {
		size = int(info.Size())
	}
	p.file.Bytes = size
	p.noteLeftOut(size, l.limit)
}

// spendBytes takes as many bytes of a file as are left of the limit, as they
// are on disk. What a cut leaves of a character becomes U+FFFD.
func (l *loader) spendBytes(p *part, f *tree.File) {
	raw := f.Raw()
	if len(raw) <= l.remaining {
		l.remaining -= len(raw)
		return
	}
	room := l.remaining
	text, replaced, err := tree.DecodeLossy(p.file.Path, raw[:room])
	all, shown, mark := f.Text, text, f.Mark && room >= len(byteOrderMark)
	if f.Mark {
		all = byteOrderMark + all
	}
	if mark {
		shown = byteOrderMark + shown
	}
	if err != nil || strings.TrimSpace(text) == "" {
		// Blank as far as it goes, it costs nothing.
		p.noteLeftOut(len(all), l.limit)
		p.passage = passage{}
		return
	}
	l.remaining = 0
	// A line end or a character that was cut through reads as something else, which
	// isn't the file's.
	kept := commonPrefix(shown, all)
	more := ""
	if len(raw) != len(all) {
		more = fmt.Sprintf(" for the %d on disk", len(raw))
	}
	if strings.HasSuffix(text, "\uFFFD") && kept < len(shown) {
		more += ", and the character that is cut through reads U+FFFD"
	}
	p.noteCut(kept, len(all), l.limit, more)
	p.passage = whole(&tree.File{Text: text, Replaced: replaced, Mark: mark}, startOf(p.file.Path), p.file.Trust)
}

// commonPrefix is how many bytes two texts begin alike with.
func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			n = i
			break
		}
	}
	for n > 0 && n < len(b) && !utf8.RuneStart(b[n]) {
		n--
	}
	return n
}
