package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/amend"
)

// Edit puts a text in the place of a stretch of a file.
type Edit struct {
	// Start and End are offsets in bytes of the file as it is stored; where both are
	// the same, the text is put in between.
	Start int `json:"start"`
	End   int `json:"end"`
	// Text is what stands there then.
	Text string `json:"text"`
}

// Fix is how a finding can be mended without anybody deciding anything: as few bytes
// as can be are others then, and every comment stays. Several findings may have the
// same one.
type Fix struct {
	// File is the one that positions name, and Edits are of its bytes as they are
	// stored, sorted; see [Apply].
	File  string `json:"file"`
	Edits []Edit `json:"edits"`
	// Title says in a few words what the edits do, for whoever chooses among fixes.
	Title string `json:"title"`

	document *amend.Document
	changes  []amend.Change
}

// Apply puts edits into a text. Edits that overlap or lie outside of it are an error.
func Apply(text string, edits []Edit) (string, error) {
	list := make([]amend.Edit, len(edits))
	for i, e := range edits {
		list[i] = amend.Edit(e)
	}
	return amend.Apply(text, list)
}

// Mend applies the fixes of one file, as many of them as can be at once, to its text,
// and says how many those are. Others are in one another's way: they can be mended when
// the changed file was checked again. A text that isn't the one that was checked stays
// as it is.
func Mend(text string, fixes []*Fix) (mended string, done int) {
	edits, done := Together(text, fixes)
	mended, err := Apply(text, edits)
	if err != nil {
		return text, 0
	}
	return mended, done
}

// Together gives the edits by which [Mend] changes a text.
func Together(text string, fixes []*Fix) (edits []Edit, done int) {
	if len(fixes) == 0 || fixes[0].document.Text() != text {
		return nil, 0
	}
	if len(fixes) == 1 {
		return slices.Clone(fixes[0].Edits), 1
	}
	m := mender{document: fixes[0].document}
	m.add(fixes)
	return editsOf(m.edits), m.done
}

func editsOf(list []amend.Edit) []Edit {
	out := make([]Edit, len(list))
	for i, e := range list {
		out[i] = Edit(e)
	}
	return out
}

// mender gathers changes that can be made at once.
type mender struct {
	document *amend.Document
	changes  []amend.Change
	edits    []amend.Edit
	done     int
}

// add takes fixes, halving those that can't be made together.
func (m *mender) add(fixes []*Fix) {
	all := slices.Clone(m.changes)
	for _, f := range fixes {
		for _, c := range f.changes {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	edits, err := m.document.Edits(all...)
	switch half := len(fixes) / 2; {
	case err == nil:
		m.changes, m.edits = all, edits
		m.done += len(fixes)
	case half > 0:
		m.add(fixes[:half])
		m.add(fixes[half:])
	}
}

// proposal is what would mend a finding, before it is known how that is written.
type proposal struct {
	file    string
	changes []amend.Change
	// keys are those of the outermost map of the file that are taken out.
	keys []string
	// alone is the fragment that may tell of no other tool, else zero.
	alone cento.Position
	// everywhere: it mends nothing if there is a prompt for which the finding
	// doesn't hold, or one that wasn't looked at.
	everywhere bool
}

// fixer says how proposals are written.
type fixer struct {
	text      func(file string) (string, bool)
	documents map[string]*amend.Document
	reread    int // bytes
}

// maxReread is how many bytes are read again to see whether what fixes come to is what it
// should be. Mostly that is a few lines for each; it is all of a text that isn't written
// in lines, such as JSON. What is left over has no fix this time; where some are applied,
// the next check has those of the rest.
const maxReread = 2 << 20

func newFixer(text func(string) (string, bool)) *fixer {
	return &fixer{text: text, documents: map[string]*amend.Document{}}
}

// fix is how a proposal is written; nil where it can't be.
func (x *fixer) fix(p *proposal) *Fix {
	if x.text == nil || x.reread >= maxReread {
		return nil
	}
	d, known := x.documents[p.file]
	if !known {
		if text, ok := x.text(p.file); ok {
			d, _ = amend.Read(p.file, text) // what can't be read has no fix
		}
		x.documents[p.file] = d
	}
	if d == nil {
		return nil
	}
	before := d.Reread()
	defer func() { x.reread += d.Reread() - before }()
	changes := p.changes
	for _, at := range d.Keys(p.keys) {
		changes = append(changes, amend.Change{Kind: amend.TakeOut, At: at})
	}
	edits, err := d.Edits(changes...)
	if err != nil {
		return nil
	}
	return &Fix{File: p.file, Edits: editsOf(edits), Title: title(d, changes), document: d, changes: changes}
}

// title words changes, the first few of many.
func title(d *amend.Document, changes []amend.Change) string {
	const shown = 3
	var words []string
	for i, c := range changes {
		if i == shown {
			words = append(words, fmt.Sprintf("and %d more", len(changes)-shown))
			break
		}
		name := cmp.Or(c.Name, d.NameAt(c.At))
		switch c.Kind {
		case amend.TakeOut:
			words = append(words, "take out "+quoted(name))
		case amend.Spell:
			words = append(words, "write "+quoted(c.To)+" for "+quoted(name))
		case amend.PutIn:
			words = append(words, "add "+quoted(c.To)+" to "+name)
		}
	}
	return strings.Join(words, ", ")
}

// may reports whether a finding may be mended as its check proposed, now that all
// prompts were looked at.
func (s *subject) may(f Finding) bool {
	p := f.proposal
	switch {
	case p == nil, p.everywhere && (s.unsure || len(f.Targets) > 0):
		return false
	}
	return p.alone.IsZero() || len(s.told[p.alone]) == 1
}

// Findings gives the errors for which a project can't be read the form of findings,
// with their fixes. It is nil for a failure that isn't about what people wrote.
func Findings(err error, o Options) []Finding {
	var out []Finding
	x := newFixer(o.Text)
	for _, e := range cento.SourceErrors(err) {
		f, p := failed(e)
		if p != nil {
			f.Fix = x.fix(p)
		}
		out = append(out, f)
	}
	return out
}

// misspelt are the keys below an error that are surely meant to be others.
func misspelt(err error) []amend.Change {
	var out []amend.Change
	for _, e := range cento.SourceErrors(err) {
		if e.Meant != "" {
			out = append(out, amend.Change{Kind: amend.Spell, At: e.Position, To: e.Meant})
		}
		if e.Err != nil {
			out = append(out, misspelt(e.Err)...)
		}
	}
	return out
}
