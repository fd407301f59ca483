package manifest

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// GatePlace is where what the manifest has at a place asks for a tool by a gate; that place
// itself where it doesn't.
func (m *Manifest) GatePlace(at cento.Position, tool string) cento.Position {
	return m.namedIn(at, tool, "tools", "requires_tools", "requires_any_tools", "gate")
}

// CapPlace is the same for a capability that it requires.
func (m *Manifest) CapPlace(at cento.Position, name string) cento.Position {
	return m.namedIn(at, name, "caps", "requires_caps", "gate")
}

// namedIn is where a name stands in the lists that a map has under keys, or under one
// further key of the map that it has there; the place of the map where it doesn't.
func (m *Manifest) namedIn(at cento.Position, name, below string, keys ...string) cento.Position {
	n := m.mapAt(at)
	if n == nil {
		return at
	}
	for _, key := range keys {
		_, names := n.Member(key)
		if names != nil && names.Kind() == strict.Map {
			_, names = names.Member(below)
		}
		if names == nil {
			continue
		}
		for i := range names.Items() {
			if got, _ := names.Items()[i].Text(); got == name {
				return names.Items()[i].Position()
			}
		}
	}
	return at
}

func (m *Manifest) mapAt(at cento.Position) *strict.Node {
	if m.root == nil || at.IsZero() {
		return nil
	}
	return m.root.MapAt(at)
}

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
			case "tools":
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
				if _, nested := definition.Member("function"); nested != nil {
					definition = nested
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
				own = own || name == target
				look(tools, name == target)
			}
		}
	}
	if _, tools := m.root.Member("tools"); tools != nil {
		look(tools, !own)
	}
	return names, others
}
