package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
)

// A target may change a list of the manifest in place of writing it whole: by a map of
// what is added and what is removed. Such a map becomes the whole list before a target
// is decoded, each item with its own place, so that nothing else knows of it.

// changeFile is what stands in the place of the list.
type changeFile struct {
	strict.At
	Add    *strict.Node `json:"add,omitempty" jsonschema:"Items that stand behind those of the manifest."`
	Remove *strict.Node `json:"remove,omitempty" jsonschema:"Names of items of the manifest that this target is without."`
}

// changeable is a list that a target may change.
type changeable struct {
	path string
	// what one of its items is, and the key that names one which is a map.
	what, key string
	// others are the keys of a map that may stand there beside a list; nil for none.
	others []string
	// defaults: without the list others than none hold, so that there is nothing to change.
	defaults string
}

// toolsPath is the path of the list of tools, whose removed ones may come of files and servers.
const toolsPath = "tools"

var hostPartKeys = []string{
	"id", "title", "content", "body", "template", "position", "requires_tools", "requires_any_tools", "requires_caps", "when", "importance", "stability", "enabled", "parts",
}

// changeables are all of them.
var changeables = []changeable{
	{path: "fragments", what: "fragment", key: "id"},
	{path: toolsPath, what: "tool", key: "name", others: []string{"tools", "mcp", "lock", "mcpServers", "mcp_servers"}},
	{path: "caps", what: "capability"},
	{path: "layers", what: "layer", key: "name"},
	{path: "packs", what: "pack", key: "name"},
	{path: "models", what: "model", key: "id"},
	{path: "ignore", what: "finding", key: "code"},
	{path: "scope.allow", what: "rule", key: "target", defaults: "the scope that holds"},
	{path: "scope.deny", what: "rule", key: "target"},
	{path: "host.system_preamble", what: "part", key: "id", others: hostPartKeys},
	{path: "host.system_prefix", what: "part", key: "id", others: hostPartKeys},
	{path: "host.system_context", what: "part", key: "id", others: hostPartKeys},
	{path: "host.system_prompt_parts", what: "part", key: "id", others: hostPartKeys},
	{path: "host.system_appendix", what: "part", key: "id", others: hostPartKeys},
	{path: "host.system_suffix", what: "part", key: "id", others: hostPartKeys},
	{path: "project.markers", what: "marker", defaults: "the markers that hold"},
	{path: "profile.caps", what: "capability"},
	{path: "profile.fragments", what: "fragment", key: "id"},
	{path: "skills.active", what: "skill"},
	{path: "skills.exclude", what: "skill"},
	{path: "reminders.providers", what: "provider"},
}

var changeKeys = []string{"add", "remove"}

// isChange reports whether a map stands for a change of the list: in place of a list that
// can't be a map any does, else one that has a key of a change, or nothing but near ones.
func (c *changeable) isChange(n *strict.Node) bool {
	if n == nil || n.Kind() != strict.Map {
		return false
	}
	if c.others == nil {
		return true
	}
	some, all := false, true
	for key := range n.Members() {
		name, _ := key.Text()
		if slices.Contains(changeKeys, name) {
			return true
		}
		_, near := nearest.Name(name, changeKeys)
		_, other := nearest.Name(name, c.others)
		some, all = true, all && near && !other
	}
	return some && all
}

// nameOf is the name of an item; false for one without.
func (c *changeable) nameOf(item *strict.Node) (string, bool) {
	switch {
	case item.Kind() == strict.Map && c.path == toolsPath:
		return toolNameOf(item)
	case item.Kind() == strict.Map && c.key != "":
		_, name := item.Member(c.key)
		if name == nil {
			return "", false
		}
		return name.Text()
	case c.key == "" || c.path == toolsPath:
		return item.Text()
	}
	return "", false
}

// listed is the list of the manifest: its value, nil for none, its items, and whether it
// can be changed. A single tool file is a list of one.
func (c *changeable) listed(base *strict.Node) (value *strict.Node, items []strict.Node, ok bool) {
	value = base
	for _, step := range strings.Split(c.path, ".") {
		if value == nil {
			break
		}
		_, value = value.Member(step)
	}
	if c.path == toolsPath && value != nil && value.Kind() == strict.Map {
		_, value = value.Member("tools")
	}
	if value == nil || value.Kind() == strict.Null {
		return nil, nil, true
	}
	if file, is := value.Text(); is && c.path == toolsPath && isDataFile(file) {
		return value, []strict.Node{*value}, true
	}
	return value, value.Items(), value.Kind() == strict.List
}

// change is one of a list, as it is read.
type change struct {
	of      *changeable
	at      *strict.Node // the map
	add     *strict.Node // nil for none
	removed []strict.Node
	good    bool
}

// read reads a change, and reports what is wrong with its form.
func (c *changeable) read(d *strict.Decoder, n *strict.Node) change {
	x := change{of: c, at: n}
	if c.path == toolsPath && c.hasOthers(d, n) {
		return x
	}
	before := d.Failures()
	var f changeFile
	d.Decode(n, &f)
	if f.Add == nil && f.Remove == nil && d.Failures() == before {
		d.Fail(n.Position(), strict.MissingKey, "expected a list, or a map with add or remove").
			Hint = `a list stands between [ and ], or has "- " before each item; a target may write {add: […], remove: […]} in its place`
	}
	if f.Add != nil {
		if f.Add.Kind() == strict.List {
			x.add = f.Add
		} else {
			d.In("add", func() { d.Expected(f.Add, strict.List.String()) })
		}
	}
	if f.Remove != nil {
		d.In("remove", func() {
			if f.Remove.Kind() != strict.List {
				d.Expected(f.Remove, strict.List.String())
				return
			}
			for i, item := range f.Remove.Items() {
				d.InItem(i, func() { x.removal(d, &item) })
			}
		})
	}
	x.good = d.Failures() == before
	return x
}

// removal reads a name to remove.
func (x *change) removal(d *strict.Decoder, item *strict.Node) {
	switch name, ok := item.Text(); {
	case !ok:
		e := d.Expected(item, strict.Text.String())
		if e.Hint = "write the name alone"; x.of.key != "" {
			e.Hint = "write its " + x.of.key + " alone"
		}
	case strings.TrimSpace(name) == "":
		d.Fail(item.Position(), strict.WrongValue, "a blank name").Hint = "write the name of a " + x.of.what + ", or take the item out"
	default:
		x.removed = append(x.removed, *item)
	}
}

// eachChange gives the changes of a target, and where each stands in it.
func eachChange(over *strict.Node, yield func(c *changeable, path []string, n *strict.Node)) {
	for i := range changeables {
		c := &changeables[i]
		path := strings.Split(c.path, ".")
		n := over
		for _, step := range path {
			if n != nil {
				_, n = n.Member(step)
			}
		}
		if c.path == toolsPath && n != nil && !c.isChange(n) {
			// The long form has the list under a key of its own, which can't be another map.
			if _, list := n.Member("tools"); list != nil && list.Kind() == strict.Map {
				yield(c, append(path, "tools"), list)
			}
			continue
		}
		if c.isChange(n) {
			yield(c, path, n)
		}
	}
}

// addedAlone is a target in which each change is the list of what it adds: to be read on
// its own, so that what is wrong with the manifest's items isn't told again. The form of
// the changes is checked.
func addedAlone(d *strict.Decoder, over *strict.Node) *strict.Node {
	out := over
	eachChange(over, func(c *changeable, path []string, n *strict.Node) {
		within(d, path, func() {
			x := c.read(d, n)
			out = out.Put(path, n.AsList(x.added()))
			d.ItemsBelow("add")
		})
	})
	return out
}

// addedToTargets is a manifest in whose targets each change is what it adds.
func addedToTargets(d *strict.Decoder, root *strict.Node) *strict.Node {
	out := root
	eachTarget(d, root, func(name string, target *strict.Node) {
		if added := addedAlone(d, target); added != target {
			out = out.Put([]string{"targets", name}, added)
		}
	})
	return out
}

// checkRemovals reports what targets remove from lists of the manifest that don't have it.
func checkRemovals(d *strict.Decoder, root *strict.Node) {
	d.Afresh(func() {
		base := lists{root: root, check: true}
		eachTarget(d, root, func(_ string, target *strict.Node) { base.resolved(d, target) })
	})
}

// eachTarget gives the targets, each within its keys, as many as a manifest may have.
func eachTarget(d *strict.Decoder, root *strict.Node, yield func(name string, target *strict.Node)) {
	_, targets := root.Member("targets")
	if targets == nil {
		return
	}
	n := 0
	for key, target := range targets.Members() {
		name, _ := key.Text()
		if n++; n > maxTargets {
			break
		}
		within(d, []string{"targets", name}, func() { yield(name, target) })
	}
}

// removal is where a target removes an item of a list by its name; zero for nowhere.
func (m *Manifest) removal(list, name string) (at cento.Position) {
	if m.root == nil {
		return at
	}
	var d strict.Decoder
	eachTarget(&d, m.root, func(_ string, target *strict.Node) {
		eachChange(target, func(c *changeable, _ []string, n *strict.Node) {
			x := c.read(&d, n)
			for i := range x.removed {
				if removed, _ := x.removed[i].Text(); c.path == list && removed == name && at.IsZero() {
					at = x.removed[i].Position()
				}
			}
		})
	})
	return at
}

// within runs decode with the keys of a path added to that of the decoder.
func within(d *strict.Decoder, path []string, decode func()) {
	if len(path) == 0 {
		decode()
		return
	}
	d.In(path[0], func() { within(d, path[1:], decode) })
}

// lists are those of a manifest, for its targets.
type lists struct {
	root *strict.Node
	// check: nothing is made, and what is wrong is told.
	check bool
	known map[string]listNames
}

// listNames are the names of the items of a list, in order and as a set.
type listNames struct {
	names []string
	set   map[string]bool
}

// names are those of a list, gathered once for all targets.
func (l *lists) names(c *changeable, items []strict.Node) ([]string, map[string]bool) {
	known, there := l.known[c.path]
	if !there {
		known.names = c.names(items)
		known.set = setOf(known.names)
		if l.known == nil {
			l.known = make(map[string]listNames)
		}
		l.known[c.path] = known
	}
	return known.names, known.set
}

// resolved is a target in which each change is the whole list, and the tools that are
// removed without being items of it, or are defined there. A name that the list doesn't
// have is reported.
func (l *lists) resolved(d *strict.Decoder, over *strict.Node) (whole *strict.Node, without []RemovedTool) {
	whole = over
	eachChange(over, func(c *changeable, path []string, n *strict.Node) {
		within(d, path, func() {
			var form strict.Decoder // as was told
			x := c.read(&form, n)
			if !x.good {
				return
			}
			items, tools := x.applied(d, l, over)
			if l.check {
				return
			}
			without = append(without, tools...)
			list := n.AsList(items)
			if c.path == toolsPath && len(path) == 1 {
				if _, tools := l.root.Member("tools"); tools != nil && tools.Kind() == strict.Map {
					whole = whole.Put(path, tools.Put([]string{"tools"}, list))
					return
				}
			}
			whole = whole.Put(path, list)
		})
	})
	return whole, without
}

// applied are the items of the manifest's list without those removed, then those added.
func (x *change) applied(d *strict.Decoder, l *lists, over *strict.Node) (items []strict.Node, without []RemovedTool) {
	c := x.of
	value, there, ok := c.listed(l.root)
	if !ok || value == nil && c.defaults != "" {
		e := d.Fail(x.at.Position(), NoSuchItem, "the manifest has no list here that a target could change")
		if e.Hint = "write the whole list"; ok {
			e.Hint = "write the whole list: it stands for " + c.defaults + " by default"
		}
		if value != nil {
			e.Related = []cento.Related{{Position: value.Position(), Message: "what the manifest has"}}
		}
		return nil, nil
	}
	sources := c.path == toolsPath && toolSources(l.root, over, there, x.added())
	names, listed := l.names(c, there)
	added := setOf(c.names(x.added()))
	gone := map[string]bool{}
	d.In("remove", func() {
		for i := range x.removed {
			name, _ := x.removed[i].Text()
			known, tool := listed[name], c.path == toolsPath && !isDataFile(name)
			gone[name] = !tool || added[name]
			d.InItem(i, func() {
				switch at := x.removed[i].Position(); {
				case tool && !known && sources && added[name]:
					d.Fail(at, NoSuchItem, "the tool %q is both removed and added", name).Hint = "a tool of a file or server can't be defined anew; keep one of the two"
				case tool && (known && !gone[name] || !known && sources):
					// It stays defined, so that what asks for it knows that it isn't active.
					without = append(without, RemovedTool{Name: name, Position: at})
				case !known:
					x.unknown(d, &x.removed[i], value, names)
				}
			})
		}
	})
	if l.check {
		return nil, nil
	}
	for i := range there {
		if name, named := c.nameOf(&there[i]); !named || !gone[name] {
			items = append(items, there[i])
		}
	}
	return append(items, x.added()...), without
}

// added are the items that are added.
func (x *change) added() []strict.Node {
	if x.add == nil {
		return nil
	}
	return x.add.Items()
}

// names are those of items, of the ones that have one.
func (c *changeable) names(items []strict.Node) []string {
	var names []string
	for i := range items {
		if name, ok := c.nameOf(&items[i]); ok {
			names = append(names, name)
		}
	}
	return names
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// unknown reports a name that the list doesn't have.
func (x *change) unknown(d *strict.Decoder, item, list *strict.Node, names []string) {
	name, _ := item.Text()
	e := d.Fail(item.Position(), NoSuchItem, "there is no %s %q to remove", x.of.what, name)
	e.Hint = RemoveHint(name, names)
	switch {
	case list == nil:
		e.Hint = "the manifest has no such list"
	case len(names) == 0:
		e.Hint = "the list of the manifest has no item with the key " + x.of.key
		if x.of.key == "" || len(list.Items()) == 0 {
			e.Hint = "the list of the manifest is empty"
		}
	}
	if x.of.path == "caps" && !strings.HasPrefix(name, "-") {
		e.Hint += fmt.Sprintf("; add: [%q] takes away what the model or the profile sets", "-"+name)
	}
	if list != nil {
		e.Related = []cento.Related{{Position: list.Position(), Message: "the list of the manifest"}}
	}
}

// RemoveHint proposes what may be removed. Of very many names the nearest isn't looked for.
func RemoveHint(name string, names []string) string {
	const most, compared = 20, 200
	switch {
	case len(names) == 0:
		return "there is nothing to remove"
	case len(names) > compared:
		return "the list has none of this name"
	case len(names) > most:
		return nearest.Hint(name, names, "the list has none of this name")
	}
	return strict.UnknownHint(name, names)
}
