package pack

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/jinja"
)

// BlockUnplaced is the note that a file has a block that none of those that it extends has, so
// that what it holds is in no prompt.
const BlockUnplaced cento.Code = "block.unplaced"

// BlockOutside is the note that a file that extends another one has text outside of its
// blocks, which is in no prompt.
const BlockOutside cento.Code = "block.outside"

// unplaced are the notes on what files hold that extend others, and nothing prints. Where it
// is known only when rendering which file that is, or a block may be printed by its name,
// blocks get none.
func (s *fileSet) unplaced() []cento.Note {
	extends := false
	for _, ref := range s.order {
		extends = extends || strings.Contains(s.files[ref].body, "extends")
	}
	if !extends {
		return nil
	}
	templates := map[Ref]*jinja.Template{}
	bySelf := false
	s.each(func(ref Ref, t *jinja.Template) {
		templates[ref] = t
		bySelf = bySelf || t.UsesSelf()
	})
	var notes []cento.Note
	for _, ref := range s.order {
		t := templates[ref]
		if t == nil {
			continue
		}
		if line, column, ok := t.Dropped(); ok {
			notes = append(notes, cento.Note{
				Code: BlockOutside, Position: plainPlace(ref.Path(), line, column),
				Message: "this file extends another, so its text outside of blocks is in no prompt",
			})
		}
		places := map[string]cento.Position{}
		if is, known := s.above(ref, templates, places); !is || !known || bySelf {
			continue
		}
		for _, b := range t.Blocks() {
			if _, there := places[b.Name]; there || b.Inner {
				continue
			}
			notes = append(notes, cento.Note{
				Code: BlockUnplaced, Position: plainPlace(ref.Path(), b.Line, b.Column),
				Message: fmt.Sprintf("no file that this one extends has a block %q, so what it holds is in no prompt; %s", b.Name, otherBlocks(b.Name, places)),
			})
		}
	}
	return notes
}

// above gathers the blocks of the files that one extends, and of those that these do, with
// the place of the first of a name. It reports whether there are such files, and whether all
// of them are known.
func (s *fileSet) above(ref Ref, templates map[Ref]*jinja.Template, places map[string]cento.Position) (extends, known bool) {
	known = true
	for _, inc := range templates[ref].Includes() {
		if inc.Kind != "extends" {
			continue
		}
		extends = true
		known = known && len(inc.Names) > 0
		for _, name := range inc.Names {
			to, err := s.loader.ParseRef(name, ref, cento.Position{})
			if err != nil || templates[to] == nil {
				continue // one of several that isn't there
			}
			for _, b := range templates[to].Blocks() {
				if _, there := places[b.Name]; !there {
					places[b.Name] = plainPlace(to.Path(), b.Line, b.Column)
				}
			}
			_, all := s.above(to, templates, places)
			known = known && all
		}
	}
	return extends, known
}

// otherBlocks names the near block, or all that there are.
func otherBlocks(name string, places map[string]cento.Position) string {
	const shown = 10
	names := make([]string, 0, len(places))
	for other := range places {
		names = append(names, other)
	}
	slices.Sort(names)
	if near, ok := nearest.Name(name, names); ok {
		return fmt.Sprintf("did you mean %q, at %s?", near, places[near])
	}
	if len(names) == 0 {
		return "they have no blocks"
	}
	more := ""
	if len(names) > shown {
		more = fmt.Sprintf(" and %d more", len(names)-shown)
		names = names[:shown]
	}
	return "the blocks are " + strings.Join(names, ", ") + more
}
