package skill

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
	"github.com/cento-dev/cento/internal/tree"
)

// Folder is a folder whose subfolders are skills. It needn't exist.
type Folder struct {
	// Root is an absolute path that no link leads out of, and Name the folder of
	// skills below it, parted by `/`.
	Root, Name string
	// Disk is where the folder lies; the zero value is the machine's.
	Disk disk.Disk
	// Trust is that of the skills in it.
	Trust cento.Trust
	// Place is the name as clients look for it, such as ".claude/skills", and At where it
	// lies, seen from the folder of the run.
	Place string
	At    At
	// Other: only other programs look here, so the skills are [Elsewhere].
	Other bool
	// Show turns a path into the name that people know. It must be on one line.
	Show func(path string) string
}

// Status is what became of a skill that was found.
type Status string

// The states. The finder gives the first four; which skills are active or
// excluded is for the caller to say.
const (
	// Usable: the skill is in the catalogue, unless its front matter keeps it out, and
	// can be made active.
	Usable Status = "usable"
	// Shadowed: another skill of the name is used.
	Shadowed Status = "shadowed"
	// Invalid: the file of the skill can't be read, or has no description.
	Invalid Status = "invalid"
	// Elsewhere: the skill lies where only other clients look, or is a link to one that is
	// there already.
	Elsewhere Status = "elsewhere"
	// Active: the text of the skill is in the prompt.
	Active Status = "active"
	// Excluded: somebody said that the skill isn't used.
	Excluded Status = "excluded"
)

// Skill is a skill that was found.
type Skill struct {
	Header
	Status Status `json:"status"`
	// Reason says why the skill isn't used; empty when it is.
	Reason string `json:"reason,omitempty"`
	// Warning names the first rule of the specification that a usable skill breaks.
	Warning string `json:"warning,omitempty"`
	// Path is its SKILL.md as people know it.
	Path  string      `json:"path"`
	Trust cento.Trust `json:"trust"`
	// Err is what is wrong with an invalid skill.
	Err error `json:"-"`
	// Deviation is what Warning is about, all of it; nil for none.
	Deviation error `json:"-"`
	// Listed is its line in a catalogue.
	Listed cento.ListedSkill `json:"-"`

	info   fs.FileInfo
	folder int    // of the set
	entry  string // in that folder
}

// Set is the skills of some folders.
type Set struct {
	// Skills are all that were found: by name. Of those with one name the user's come
	// first, then those named as their folder, then in the order of the folders. An
	// invalid skill has the name of its folder.
	Skills []Skill
	// Notes tell of what isn't used.
	Notes []cento.Note

	folders []Folder
	limits  cento.Limits
	effort  int // spent on front matter, see [maxEffort]
}

// Discover looks for skills in folders. Of two skills of one name the first in the
// order of [Set.Skills] is used. A folder that is given twice, under
// whatever name, is looked at once. Limits that are 0 are the defaults.
func Discover(folders []Folder, limits cento.Limits) *Set {
	s := &Set{folders: folders, limits: limits.Or(cento.DefaultLimits())}
	trees := make([]*tree.Tree, len(folders))
	defer func() {
		for _, t := range trees {
			if t != nil {
				t.Close()
			}
		}
	}()
	var seen []fs.FileInfo
	var later []costly
	left := maxFound
	for i, f := range folders {
		t, err := open(f, s.limits)
		if err != nil {
			s.noteFolder(f, err)
			continue
		}
		trees[i] = t
		info, err := t.Stat(f.Name)
		if err == nil && slices.ContainsFunc(seen, func(other fs.FileInfo) bool { return disk.SameFile(info, other) }) {
			continue
		}
		seen = append(seen, info)
		var entries []tree.Entry
		if err == nil {
			entries, err = t.ReadDir(f.Name, left)
		}
		if err != nil {
			s.noteFolder(f, err)
		}
		left -= len(entries)
		told := len(s.Notes)
		for _, e := range entries {
			x, cost, ok := s.read(t, i, e)
			if !ok {
				continue
			}
			if cost > 0 {
				later = append(later, costly{len(s.Skills), cost})
			}
			s.Skills = append(s.Skills, x)
		}
		if f.Other {
			s.Notes = s.Notes[:told]
		}
	}
	s.readCostly(later, trees)
	s.resolveNames()
	return s
}

func open(f Folder, limits cento.Limits) (*tree.Tree, error) {
	return tree.OpenOn(f.Disk, f.Root, tree.Options{Limit: limits.File, Show: func(name string) string {
		return f.Show(filepath.Join(f.Root, filepath.FromSlash(name)))
	}})
}

// noteFolder tells of a folder that is there and can't be read.
func (s *Set) noteFolder(f Folder, err error) {
	if f.Other || errors.Is(err, tree.NotFound) {
		return
	}
	n := cento.Note{Code: NotUsable, Message: "no skill of this folder is used: " + message(err)}
	n.Position.File = f.Show(filepath.Join(f.Root, filepath.FromSlash(f.Name)))
	s.Notes = append(s.Notes, n)
}

// message is an error without its place, which a note has already.
func message(err error) string {
	list := cento.SourceErrors(err)
	if len(list) == 0 {
		return err.Error()
	}
	first := *list[0]
	first.Position = cento.Position{}
	if more := len(list) + cento.OmittedErrors(err) - 1; more > 0 {
		return fmt.Sprintf("%s (and %d more)", first.Error(), more)
	}
	return first.Error()
}

// read looks at one entry of a folder of skills. It is false for what is no
// skill: a file, a folder without SKILL.md. A cost above 0 says that the front
// matter is too costly to be parsed before the others are known.
func (s *Set) read(t *tree.Tree, folder int, e tree.Entry) (x Skill, cost int, ok bool) {
	link := e.Mode&fs.ModeSymlink != 0
	if !e.Mode.IsDir() && !link || strings.HasPrefix(e.Name, ".") || e.Name == "node_modules" {
		return Skill{}, 0, false
	}
	f := &s.folders[folder]
	name := path.Join(f.Name, e.Name, fileName)
	x = Skill{
		Header: Header{Name: e.Name}, Status: Usable, Path: t.Show(name), Trust: f.Trust,
		folder: folder, entry: e.Name,
	}
	head, err := readHead(t, name)
	switch {
	case err == nil:
		x.info = head.Info
		if i := slices.IndexFunc(s.Skills, func(other Skill) bool {
			return other.entry == e.Name && other.info != nil && disk.SameFile(head.Info, other.info)
		}); i >= 0 { // which other clients find here all the same
			first := s.Skills[i]
			first.Path, first.Trust, first.folder = x.Path, x.Trust, folder
			first.Status, first.Reason, first.Warning = Elsewhere, "the same file as "+s.Skills[i].Path, ""
			return first, 0, true
		}
		if cost := effort(head.Text); cost > fairEffort && !f.Other {
			return x, cost, true
		}
		err = s.parse(&x, head.Text)
	case errors.Is(err, tree.NotFound):
		switch {
		case misspelt(t, path.Dir(name)):
			err = &cento.SourceError{
				Code: Misspelt, Position: cento.Position{File: t.Show(path.Dir(name))},
				Message: "the file of a skill is named " + fileName + ", in capitals",
			}
		case link && absent(t, path.Dir(name)):
		default:
			return Skill{}, 0, false
		}
	case link && isFile(t, path.Dir(name)):
		return Skill{}, 0, false
	}
	if err != nil {
		s.invalid(&x, err)
	}
	if f.Other {
		x.Status, x.Reason, x.Warning = Elsewhere, "Cento doesn't look in this folder", ""
	}
	return x, 0, true
}

// parse takes the front matter of a skill.
func (s *Set) parse(x *Skill, text string) error {
	s.effort += effort(text)
	doc, err := Parse(x.Path, x.entry, text, x.Trust, s.limits)
	if err != nil {
		return err
	}
	x.Header, x.Listed = doc.Header, cento.ListedSkill{Name: doc.Named, Description: doc.Described}
	s.Notes = append(s.Notes, doc.Notes...)
	if len(doc.Deviations) > 0 {
		x.Deviation = cento.Join(doc.Deviations)
		x.Warning = message(x.Deviation)
		s.Notes = append(s.Notes, cento.Note{
			Code: Deviates, Position: doc.Deviations[0].Position,
			Message: fmt.Sprintf("the skill %q breaks a rule of the specification: %s", x.Name, x.Warning),
		})
	}
	return nil
}

// invalid records what is wrong with a skill.
func (s *Set) invalid(x *Skill, err error) {
	x.Status, x.Err, x.Reason = Invalid, err, message(err)
	at := cento.Position{File: x.Path}
	if list := cento.SourceErrors(err); len(list) > 0 && list[0].Position.Line > 0 {
		at = list[0].Position
	}
	s.Notes = append(s.Notes, cento.Note{Code: NotUsable, Position: at, Message: fmt.Sprintf("the skill %q is not used: %s", x.entry, x.Reason)})
}

// readHead reads as much of a SKILL.md as its front matter can take. For most,
// the first two kilobytes do.
func readHead(t *tree.Tree, name string) (*tree.File, error) {
	const most = 2 << 10
	head, whole, err := t.ReadHead(name, most)
	if err != nil || whole {
		return head, err
	}
	if _, _, ok := cut(head.Text); ok {
		return head, nil
	}
	if head, whole, err = t.ReadHead(name, maxFrontMatter); err != nil || whole {
		return head, err
	}
	if _, _, ok := cut(head.Text); !ok && begins(head.Text) {
		return nil, tooLong(t.Show(name))
	}
	return head, nil
}

// misspelt reports whether a folder has SKILL.md in other letters.
func misspelt(t *tree.Tree, folder string) bool {
	for _, name := range []string{"skill.md", "Skill.md", "SKILL.MD", "skill.MD", "Skill.MD"} {
		if _, err := t.Lstat(path.Join(folder, name)); err == nil {
			return true
		}
	}
	return false
}

func absent(t *tree.Tree, name string) bool {
	_, err := t.Stat(name)
	return errors.Is(err, tree.NotFound)
}

func isFile(t *tree.Tree, name string) bool {
	info, err := t.Stat(name)
	return err == nil && !info.IsDir()
}

// resolveNames orders the skills and decides between those of one name.
func (s *Set) resolveNames() {
	other := func(x Skill) int { // no skill takes the name of one that is named as its folder
		if x.Name == x.entry {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(s.Skills, func(a, b Skill) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), -cmp.Compare(a.Trust, b.Trust), cmp.Compare(other(a), other(b)))
	})
	used := -1
	for i := range s.Skills {
		x := &s.Skills[i]
		if x.Status != Usable {
			continue
		}
		if used < 0 || s.Skills[used].Name != x.Name {
			used = i
			continue
		}
		by := &s.Skills[used]
		x.Status = Shadowed
		if disk.SameFile(x.info, by.info) {
			x.Reason = "the same file as " + by.Path
			continue
		}
		x.Reason = "another skill of the name is used: " + by.Path
		s.Notes = append(s.Notes, cento.Note{
			Code: NameTaken, Position: cento.Position{File: x.Path},
			Message: fmt.Sprintf("the skill %q is not used: %s has the name already", x.Name, by.Path),
		})
	}
	slices.SortStableFunc(s.Notes, func(a, b cento.Note) int { return a.Position.Compare(b.Position) })
}

// File is the absolute path of a skill's SKILL.md.
func (s *Set) File(x *Skill) string {
	f := s.folders[x.folder]
	return filepath.Join(f.Root, filepath.FromSlash(f.Name), x.entry, fileName)
}

// Usable are the skills that can be listed and made active, by name.
func (s *Set) Usable() []*Skill {
	var out []*Skill
	for i := range s.Skills {
		if x := &s.Skills[i]; x.Status == Usable || x.Status == Active {
			out = append(out, x)
		}
	}
	return out
}

// Load reads the whole SKILL.md of a skill, and gives what it holds now. The
// errors are those of [Parse] and of package tree.
func (s *Set) Load(x *Skill) (*Document, error) {
	text, err := s.Text(x)
	if err != nil {
		return nil, err
	}
	return Parse(x.Path, x.entry, text, s.folders[x.folder].Trust, s.limits)
}

// Text reads the whole SKILL.md of a skill as it is written, front matter included, also
// of one that is invalid. The errors are those of package tree.
func (s *Set) Text(x *Skill) (string, error) {
	f := s.folders[x.folder]
	t, err := open(f, s.limits)
	if err != nil {
		return "", err
	}
	defer t.Close()
	file, err := t.Read(path.Join(f.Name, x.entry, fileName))
	if err != nil {
		return "", err
	}
	return file.Text, nil
}
