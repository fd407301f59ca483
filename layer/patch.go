package layer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/nearest"
)

// A Patch changes the section plan in force in one place, so that a layer need
// not restate the rest.
//
// Patches are applied one after the other, each to what the one before left.
// So of two that insert after one place the second stands nearer to it, and of
// two that insert before one place the first stands farther away. Sections and
// entries that a patch inserted can be the anchors of later ones.
type Patch struct {
	Op PatchOp
	// Section is the title of the section that [InsertEntry] changes.
	Section string
	// Anchor is the title of a section for [InsertSection], the name of a slot or
	// builtin of the section for [InsertEntry]. Titles are compared as they are
	// printed; the empty one is that of an untitled section. Of several equal
	// ones the first is meant.
	Anchor string
	// After inserts behind the anchor instead of before it.
	After bool
	// NewSection is what [InsertSection] inserts, NewEntry what [InsertEntry]
	// does.
	NewSection Section
	NewEntry   Entry
	Origin     cento.Position

	anchorAt, sectionAt cento.Position // where these are named; zero for a library call
}

// PatchOp says what a patch does.
type PatchOp uint8

// The operations.
const (
	InsertSection PatchOp = iota
	InsertEntry
)

var patchOps = enum.Names[PatchOp]{"insert_section", "insert_entry"}

// String gives "insert_section" or "insert_entry".
func (o PatchOp) String() string { return patchOps.Name(o) }

// InsertSectionBefore puts a section before the one of a title.
func InsertSectionBefore(title string, s Section) Patch {
	return Patch{Op: InsertSection, Anchor: title, NewSection: s}
}

// InsertSectionAfter puts a section behind the one of a title.
func InsertSectionAfter(title string, s Section) Patch {
	return Patch{Op: InsertSection, Anchor: title, After: true, NewSection: s}
}

// InsertEntryBefore puts an entry before a slot or builtin of a section.
func InsertEntryBefore(section, anchor string, e Entry) Patch {
	return Patch{Op: InsertEntry, Section: section, Anchor: anchor, NewEntry: e}
}

// InsertEntryAfter puts an entry behind a slot or builtin of a section.
func InsertEntryAfter(section, anchor string, e Entry) Patch {
	return Patch{Op: InsertEntry, Section: section, Anchor: anchor, After: true, NewEntry: e}
}

// maxPatches bounds the patches of one section plan: each looks at the whole
// plan.
const maxPatches = 1000

// patch applies the n-th patch of a layer to the plan in force.
func (r *resolver) patch(n int, p *Patch) {
	fail := func(code cento.ErrorCode, format string, args ...any) *cento.SourceError {
		return r.fail(code, p.Origin, "layer %q, patch %d: %s", r.name(), n+1, fmt.Sprintf(format, args...))
	}
	unknown := func(at cento.Position, format string, args ...any) *cento.SourceError {
		e := fail(UnknownAnchor, format, args...)
		e.Position = cmp.Or(at, e.Position)
		return e
	}
	if r.patches++; r.patches > maxPatches {
		if r.patches == maxPatches+1 {
			fail(cento.LimitExceeded, "a section plan is patched more than %d times", maxPatches).Hint = "bring a template instead"
		}
		return
	}
	switch p.Op {
	case InsertSection:
		r.checkSection(&p.NewSection)
		i := r.findSection(p.Anchor)
		if i < 0 {
			unknown(p.anchorAt, "there is no section with the title %q", p.Anchor).Hint = r.hint(func() string { return r.sectionHint(p.Anchor) })
			return
		}
		r.plan = slices.Insert(r.plan, behind(i, p.After), r.planned(&p.NewSection))
	case InsertEntry:
		r.checkEntry(&p.NewEntry)
		i := r.findSection(p.Section)
		if i < 0 {
			unknown(p.sectionAt, "there is no section with the title %q", p.Section).Hint = r.hint(func() string { return r.sectionHint(p.Section) })
			return
		}
		s := r.plan[i]
		j := slices.IndexFunc(s.entries, func(e plannedEntry) bool { return e.Kind != TextEntry && e.Value == p.Anchor })
		if j < 0 {
			unknown(p.anchorAt, "section %q has no slot or builtin %q", p.Section, p.Anchor).Hint = r.hint(func() string { return entryHint(p.Anchor, s) })
			return
		}
		s.entries = slices.Insert(s.entries, behind(j, p.After), plannedEntry{&p.NewEntry, r.layer()})
		r.declare(&p.NewEntry)
	default:
		fail(InvalidLayer, "the operation %s doesn't exist", p.Op)
	}
}

func behind(i int, after bool) int {
	if after {
		return i + 1
	}
	return i
}

func (r *resolver) findSection(title string) int {
	title = foldSpace(title)
	return slices.IndexFunc(r.plan, func(s *plannedSection) bool { return s.heading == title })
}

// maxHinted bounds how many names a hint lists, and how many hints are given.
const maxHinted = 20

func (r *resolver) sectionHint(got string) string {
	titles := make([]string, len(r.plan))
	for i, s := range r.plan {
		titles[i] = s.heading
	}
	return anchorHint(got, "sections", titles)
}

func entryHint(got string, s *plannedSection) string {
	var names []string
	for _, e := range s.entries {
		if e.Kind != TextEntry {
			names = append(names, e.Value)
		}
	}
	return anchorHint(got, "its slots and builtins", names)
}

// anchorHint proposes the nearest name and lists those that there are; of very many the
// first are searched, and all are counted.
func anchorHint(got, what string, names []string) string {
	seen := make(map[string]bool, len(names))
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		again := seen[n]
		seen[n] = true
		return again
	})
	if len(names) == 0 {
		return what + ": none"
	}
	var b strings.Builder
	if near, ok := nearest.Name(got, names[:min(len(names), sampled)]); ok {
		fmt.Fprintf(&b, "did you mean %q? ", near)
	}
	b.WriteString(what + ": ")
	for i, n := range names {
		if i == maxHinted {
			fmt.Fprintf(&b, ", … and %d more", len(names)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(n))
	}
	return b.String()
}
