package manifest

import "github.com/cento-dev/cento/internal/strict"

// EveryTool are the names of the tools that the manifest and all its targets define or
// make active, and whether there may be others: those of files and servers that only
// another target has.
func (m *Manifest) EveryTool(target string) (names map[string]bool, others bool) {
	names = map[string]bool{}
	if m.root == nil {
		return names, false
	}
	var look func(n *strict.Node, read bool)
	look = func(n *strict.Node, read bool) {
		for key, value := range n.Members() {
			switch name, _ := key.Text(); name {
			case "tools", "add":
				look(value, read)
			case "mcp":
				others = others || !read
			}
		}
		items := n.Items()
		for i := range items {
			name, ok := items[i].Text()
			switch {
			case ok && isDataFile(name):
				others = others || !read
			case ok:
				names[name] = true
			default:
				definition := &items[i]
				for _, key := range []string{"function", customType} {
					if _, nested := definition.Member(key); nested != nil {
						definition = nested
					}
				}
				if _, value := definition.Member("name"); value != nil {
					name, _ = value.Text()
					names[name] = true
				}
			}
		}
		if name, ok := n.Text(); ok && isDataFile(name) {
			others = others || !read
		}
	}
	own := false
	if _, targets := m.root.Member("targets"); targets != nil {
		for key, value := range targets.Members() {
			name, _ := key.Text()
			if _, tools := value.Member("tools"); tools != nil {
				own = own || name == target && !changesTools(value) && !namesAlone(tools)
				look(tools, name == target)
			}
		}
	}
	if _, tools := m.root.Member("tools"); tools != nil {
		look(tools, !own)
	}
	return names, others
}

// namesAlone reports whether tools are a list of names, which makes some of those that are
// defined active and replaces none.
func namesAlone(tools *strict.Node) bool {
	if tools.Kind() != strict.List {
		return false
	}
	items := tools.Items()
	for i := range items {
		if name, ok := items[i].Text(); !ok || isDataFile(name) {
			return false
		}
	}
	return true
}
