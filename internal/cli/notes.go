package cli

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/app"
)

// What there is to say of what was read, and of what flags change, is told on stderr in
// words; with --json the answer has the same as notes. Opening a project and making its
// prompt gather them in one way, so that no command can forget one. The prompt of a session
// brings them once more, among what was recorded with it: people are told each once.

// gather keeps notes for the answer, each once.
func (c *console) gather(notes []cento.Note) { c.notes = app.JoinNotes(c.notes, notes) }

// printNoted is printJSON for an answer about a project, whose notes stand at the place
// that is handed over.
func (c *console) printNoted(v any, notes *[]cento.Note) error {
	c.noted(notes)
	return c.printJSON(v)
}

// noted puts what was gathered behind the notes that an answer has.
func (c *console) noted(notes *[]cento.Note) { *notes = app.JoinNotes(*notes, c.notes) }

// tells keeps that people were told a note, in its own words or in those of flags.
func (c *console) tells(n cento.Note) {
	if c.told == nil {
		c.told = map[cento.Note]bool{}
	}
	c.told[unpathed(n)] = true
}

// untold are the notes that people weren't told yet.
func (c *console) untold(notes []cento.Note) []cento.Note {
	return slices.DeleteFunc(slices.Clone(notes), func(n cento.Note) bool { return c.told[unpathed(n)] })
}

// unpathed is a note without what answers alone say of its place.
func unpathed(n cento.Note) cento.Note {
	n.Path = ""
	return n
}

// flagOf is the flag of a remark.
func flagOf(r app.Remark) string {
	return "--" + strings.ReplaceAll(string(r.Change), "_", "-")
}
