package skill

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/internal/tree"
)

// client is how one version of a program finds skills and lists them.
type client struct {
	id, version, measured string

	up    []string // where skills lie in the folder of the run, and in those above it up to the root
	here  []string // where they lie in the folder of the run alone
	below []string // where they lie in folders below, and are listed once something there is worked on
	home  []string // where they lie in the user's home

	byFolder   bool // a skill is listed under the name of its folder
	nameBeside bool // with its own name beside that
	// list is how many characters the whole list has with a model whose context is
	// window tokens, and own about how many of them the client's own skills take; 0: no
	// limit. longest is how many characters of a description are listed.
	list, window, own, longest int
}

// trait is something about a SKILL.md that clients treat differently.
type trait uint32

const (
	misnamed trait = 1 << iota
	unlike         // nobody knows what clients do with it
	noFront
	byteMark
	notUTF8
	metadataList
	toolMap
	twice
	colon
	notYAML
	noName
	longName
	spacedName
	noDescription
	blankDescription
	numberDescription
	longDescription
	manual
)

// effect is what a trait does to a skill in the list of a client.
type effect uint8

const (
	in      effect = iota // it is listed
	line                  // it is listed with the first line of its text
	blank                 // it is listed by name alone
	hide                  // the model isn't told of it, and people can take it up
	out                   // it isn't there
	untried               // it wasn't measured
)

// At is where a folder of skills lies, seen from the folder of a run.
type At uint8

const (
	// Nowhere: no client looks there.
	Nowhere At = iota
	// Home: in the user's home.
	Home
	// Here: in the folder of the run.
	Here
	// Up: in a folder above that, up to the root of the project.
	Up
	// Under: in a folder below that of the run.
	Under
)

// Listing is what a client does with a skill.
type Listing string

// What clients do.
const (
	// Listed: the model is told of the skill.
	Listed Listing = "listed"
	// Hidden: people can take the skill up, and the model isn't told of it.
	Hidden Listing = "hidden"
	// OnDemand: the model is told of the skill once it works on a file of its folder.
	OnDemand Listing = "on_demand"
	// NotListed: the client doesn't have the skill.
	NotListed Listing = "not_listed"
	// NotMeasured: nobody has tried such a file.
	NotMeasured Listing = "not_measured"
)

// Reading is what one client does with one skill.
type Reading struct {
	// Client is the name of its rules, see [workspace.Conventions].
	Client  string  `json:"client"`
	Listing Listing `json:"listing"`
	// Name is the name under which the client lists the skill, where that isn't the
	// name of the skill.
	Name string `json:"name,omitempty"`
	// Reason says why the skill isn't listed, or isn't as it is written.
	Reason string `json:"reason,omitempty"`
}

// String says what the client does in one line.
func (r Reading) String() string {
	text := strings.ReplaceAll(string(r.Listing), "_", " ")
	if r.Name != "" {
		text += " as " + r.Name
	}
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return text
}

// Readings are what each client does with one skill.
type Readings []Reading

// ListedBy names the clients that have the skill, each at its newest version.
func (list Readings) ListedBy() string {
	var names []string
	newest, all := 0, true
	for _, r := range list {
		if strings.Contains(r.Client, "@") {
			continue
		}
		newest++
		switch r.Listing {
		case Listed:
			names = append(names, r.Client)
		case OnDemand, Hidden:
			names = append(names, fmt.Sprintf("%s (%s)", r.Client, strings.ReplaceAll(string(r.Listing), "_", " ")))
			all = false
		}
	}
	switch {
	case len(names) == 0:
		return "no client"
	case all && len(names) == newest:
		return "all clients"
	}
	return strings.Join(names, ", ")
}

// ClientList is what one client makes of all skills.
type ClientList struct {
	Client string `json:"client"`
	// Version is that of the client which was run, and Measured the day.
	Version  string `json:"version"`
	Measured string `json:"measured"`
	// Listed is how many of the skills are in the list at the start, and Described how
	// many of those have their description there: about, where Limit isn't 0.
	Listed    int `json:"listed"`
	Described int `json:"described"`
	// Limit is how many characters the list has room for, the client's own skills
	// included, with a model whose context is Window tokens; 0: no limit was met.
	Limit  int `json:"limit"`
	Window int `json:"window"`
}

// CutText says how many skills keep their description where the client lists some by name
// alone; empty where it lists none so.
func (l ClientList) CutText() string {
	if l.Limit == 0 || l.Described == l.Listed {
		return ""
	}
	name, _, _ := strings.Cut(l.Client, "@")
	skills := "skills"
	if l.Listed == 1 {
		skills = "skill"
	}
	return fmt.Sprintf("%s %s lists %d %s, about %d with a description: with a model of %d tokens its list has room for %d characters, its own skills among them",
		name, l.Version, l.Listed, skills, l.Described, l.Window, l.Limit)
}

// Places are the folders, relative to a folder of a project, where a client looks for
// skills, or relative to the user's home.
func Places(home bool) []string {
	var all []string
	for i := range clients {
		c := &clients[i]
		if home {
			all = append(all, c.home...)
			continue
		}
		all = append(append(all, c.up...), c.here...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// OnDemandPlaces are the folders of skills that a client also looks for in folders below
// that of the run.
func OnDemandPlaces() []string {
	var all []string
	for i := range clients {
		all = append(all, clients[i].below...)
	}
	return all
}

// looks tells whether a client finds the skills of a folder, and if not why.
func (c *client) looks(f *Folder) (Listing, string) {
	found := map[At][]string{Home: c.home, Here: slices.Concat(c.up, c.here), Up: c.up, Under: c.below}
	if slices.Contains(found[f.At], f.Place) {
		if f.At == Under {
			return OnDemand, "it lies below the folder of the run, and is listed once a file beside it is worked on"
		}
		return Listed, ""
	}
	switch f.At {
	case Up:
		if slices.Contains(c.here, f.Place) {
			return NotListed, "it looks in the folder of the run alone"
		}
	case Under:
		if slices.Contains(found[Here], f.Place) {
			return NotListed, "it doesn't look below the folder of the run"
		}
	case Home:
		return NotListed, "in the home folder it looks in " + strings.Join(c.home, ", ")
	}
	return NotListed, "it looks in " + strings.Join(found[Here], ", ")
}

// Clients tells what each client that was measured does with each skill, in the order of
// Skills, and with all of them.
func (s *Set) Clients() (skills []Readings, lists []ClientList) {
	skills = make([]Readings, len(s.Skills))
	natures := s.natures()
	var order []int // as they lie: the user's first, then from the folder of the run up
	for i := range s.Skills {
		order = append(order, i)
		skills[i] = make(Readings, len(clients))
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &s.Skills[a], &s.Skills[b]
		return cmp.Or(cmp.Compare(x.folder, y.folder), strings.Compare(x.entry, y.entry))
	})
	for k := range clients {
		c := &clients[k]
		list := ClientList{Client: c.id, Version: c.version, Measured: c.measured, Limit: c.list, Window: c.window}
		taken, left := map[string]string{}, c.list-c.own
		var described []int // the length of each description that is to be listed
		for _, i := range order {
			x := &s.Skills[i]
			r, size := c.reading(k, x, natures[i], &s.folders[x.folder])
			if by, ok := taken[x.entry]; c.byFolder && ok && r.Listing == Listed {
				r = Reading{Client: c.id, Listing: NotListed, Reason: "the folder of another skill has the same name: " + by}
			}
			skills[i][k] = r
			if r.Listing != Listed {
				continue
			}
			taken[x.entry] = x.Path
			list.Listed++
			left -= len("- \n") + units(cmp.Or(r.Name, x.Name))
			if size > 0 {
				described = append(described, len(": ")+size)
			}
		}
		for _, size := range described {
			if c.list == 0 || size <= left {
				list.Described++
				left -= size
			}
		}
		lists = append(lists, list)
	}
	return skills, lists
}

// reading is what a client does with a skill by itself, and how many characters of
// description it lists.
func (c *client) reading(k int, x *Skill, n nature, f *Folder) (Reading, int) {
	r := Reading{Client: c.id}
	r.Listing, r.Reason = c.looks(f)
	if r.Listing == NotListed {
		return r, 0
	}
	size := n.described
	for _, h := range heads {
		if n.traits&h.trait == 0 {
			continue
		}
		switch h.by[k] {
		case out:
			return Reading{Client: c.id, Listing: NotListed, Reason: h.about}, 0
		case untried:
			return Reading{Client: c.id, Listing: NotMeasured, Reason: h.about}, 0
		case hide:
			return Reading{Client: c.id, Listing: Hidden, Reason: h.about}, 0
		case line:
			if r.Reason == "" {
				r.Reason = h.about + ", and the first line of its text stands for the description"
			}
		case blank:
			r.Reason, size = h.about, 0
		}
	}
	if c.byFolder && x.Name != x.entry {
		if r.Name = x.entry; c.nameBeside && n.traits&(spacedName|noName) == 0 {
			r.Name += " (" + x.Name + ")"
		}
	}
	if c.longest > 0 {
		size = min(size, c.longest)
	}
	return r, size
}

// units is the length of a text as the clients count it.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// nature is what clients treat differently about one skill.
type nature struct {
	traits    trait
	described int // how many characters of description they list
}

// natures reads the heads of the skills once more for what clients treat differently.
func (s *Set) natures() []nature {
	out := make([]nature, len(s.Skills))
	trees := make([]*tree.Tree, len(s.folders))
	defer func() {
		for _, t := range trees {
			if t != nil {
				t.Close()
			}
		}
	}()
	for i := range s.Skills {
		x := &s.Skills[i]
		var err error
		if trees[x.folder] == nil {
			trees[x.folder], err = open(s.folders[x.folder], s.limits)
		}
		var head *tree.File
		if err == nil {
			head, err = readHead(trees[x.folder], path.Join(s.folders[x.folder].Name, x.entry, fileName))
		}
		switch {
		case errors.Is(x.Err, cento.LimitExceeded): // it costs too much
			out[i].traits = unlike
		case err == nil:
			out[i] = natureOf(head, x.Listed.Description.Body)
		case errors.Is(err, tree.InvalidUTF8):
			out[i].traits = notUTF8
		case errors.Is(err, tree.HoldsNUL), errors.Is(err, InvalidFrontMatter): // too long, for Cento alone
			out[i].described = 1
		case errors.Is(x.Err, Misspelt):
			out[i].traits = misnamed
		default:
			out[i].traits = unlike
		}
	}
	return out
}

func natureOf(head *tree.File, description string) nature {
	n := nature{described: units(description)}
	if bytes.HasPrefix(head.Raw(), []byte("\ufeff")) {
		n.traits |= byteMark
	}
	block, lead, ok := cut(head.Text)
	if ok {
		n.traits |= traitsOf(block)
	} else {
		n.traits |= noFront
		lead = head.Text
	}
	if n.described == 0 {
		first, _, _ := strings.Cut(strings.TrimSpace(lead), "\n")
		n.described = units(strings.TrimSpace(strings.TrimLeft(first, "# ")))
	}
	return n
}

// traitsOf reads front matter for what clients treat differently.
func traitsOf(block string) trait {
	var t trait
	limits := cento.DefaultLimits()
	root, err := strict.YAML("", []byte(block), limits)
	if err != nil {
		if root = strict.Loose("", []byte(block), limits); root == nil {
			return t // there is an anchor, or the like, which clients read
		}
		list := cento.SourceErrors(err)
		switch quoted, changed := quoteColons(block); {
		case slices.ContainsFunc(list, func(e *cento.SourceError) bool { return e.Code == strict.DuplicateKey }):
			t |= twice
		case len(list) == 0 || list[0].Code != strict.Syntax:
		case changed && parses(quoted, limits):
			t |= colon
		default:
			t |= notYAML
		}
	}
	if root.Kind() != strict.Map {
		return t | unlike
	}
	fields := map[string]*strict.Node{}
	for key, value := range root.Members() {
		if name, ok := key.Text(); ok && fields[name] == nil {
			fields[name] = value
		}
	}
	name, named := text(fields["name"])
	switch {
	case !named || strings.TrimSpace(name) == "":
		t |= noName
	case utf8.RuneCountInString(name) > maxName:
		t |= longName
	}
	if strings.ContainsAny(name, " \t\n") {
		t |= spacedName
	}
	description, _ := text(fields["description"])
	switch n := fields["description"]; {
	case n == nil || n.Kind() == strict.Null:
		t |= noDescription
	case n.Kind() == strict.Map || n.Kind() == strict.List:
		t |= unlike
	case n.Kind() == strict.Number || n.Kind() == strict.Bool:
		t |= numberDescription
	case strings.TrimSpace(description) == "":
		t |= blankDescription
	case utf8.RuneCountInString(description) > maxDescription:
		t |= longDescription
	}
	if n := fields["metadata"]; n != nil && n.Kind() == strict.List {
		t |= metadataList
	}
	if n := fields["allowed-tools"]; n != nil && n.Kind() == strict.Map {
		t |= toolMap
	}
	if n := fields["disable-model-invocation"]; n != nil {
		said, _ := n.Text()
		if yes, ok := n.Bool(); ok && yes || said == "true" {
			t |= manual
		}
	}
	return t
}

func text(n *strict.Node) (string, bool) {
	if n == nil {
		return "", false
	}
	return n.Text()
}

func parses(block string, limits cento.Limits) bool {
	_, err := strict.YAML("", []byte(block), limits)
	return err == nil
}

// quoteColons writes values with a colon and a space between quotes, as clients do that
// read front matter which isn't YAML.
func quoteColons(block string) (string, bool) {
	lines, changed := strings.Split(block, "\n"), false
	for i, l := range lines {
		key, value, ok := strings.Cut(l, ": ")
		if ok && strings.Contains(value, ": ") && !strings.ContainsAny(value[:1], `"'|>[{&*!@#%`) && key == strings.TrimSpace(key) {
			lines[i], changed = fmt.Sprintf("%s: %q", key, value), true
		}
	}
	return strings.Join(lines, "\n"), changed
}
