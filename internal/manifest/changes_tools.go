package manifest

import (
	"fmt"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// The list of tools changes as others do. But a tool that is removed stays defined, so that
// what asks for it knows that it isn't active, and it may be one of a file or a server.

// toolNameOf is the name in a definition of any dialect.
func toolNameOf(item *strict.Node) (string, bool) {
	var d strict.Decoder // what is wrong is told where the list is read
	if tool, _, ok := providerTool(&d, item); ok {
		return tool.Name, tool.Name != ""
	}
	if _, nested := item.Member("function"); nested != nil {
		if name, ok := toolNameOf(nested); ok {
			return name, true
		}
	}
	_, name := item.Member("name")
	if name == nil {
		return "", false
	}
	return name.Text()
}

// hasOthers reports keys that stand beside those of a change of the tools, which has to
// stand under a key of its own then.
func (c *changeable) hasOthers(d *strict.Decoder, n *strict.Node) bool {
	for key := range n.Members() {
		if name, _ := key.Text(); slices.Contains(c.others, name) {
			d.Fail(key.Position(), Conflict, "%q stands beside what changes the list of tools", name).Hint = "write {tools: {add: […], remove: […]}, mcp: …}"
			return true
		}
	}
	return false
}

// changesTools reports whether a target changes the list of tools.
func changesTools(over *strict.Node) bool {
	found := false
	eachChange(over, func(c *changeable, _ []string, _ *strict.Node) { found = found || c.path == toolsPath })
	return found
}

// toolSources reports whether tools come of files and servers, so that not all are known
// where a manifest is read.
func toolSources(base, over *strict.Node, lists ...[]strict.Node) bool {
	for _, n := range []*strict.Node{base, over} {
		if _, tools := n.Member("tools"); tools != nil {
			if _, servers := tools.Member("mcp"); servers != nil && servers.Kind() != strict.Null {
				return true
			}
		}
	}
	return slices.ContainsFunc(slices.Concat(lists...), func(item strict.Node) bool {
		file, ok := item.Text()
		return ok && isDataFile(file)
	})
}

// without takes tools from those that are active. They may be ones of files or servers,
// which whoever reads these has to take out.
func (t *Tools) without(removed []RemovedTool) {
	if len(removed) == 0 {
		return
	}
	names := t.Names()
	known, gone := setOf(names), make(map[string]bool, len(removed))
	for i := range t.Defined {
		known[t.Defined[i].Name] = true
	}
	for _, r := range removed {
		if r.Known = known[r.Name]; r.Known {
			t.Listed, gone[r.Name] = true, true
		}
		if len(t.Files)+len(t.Servers) > 0 {
			t.Removed = append(t.Removed, r)
		}
	}
	if t.Listed {
		t.Active = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return gone[name] })
	}
}

// Unknown is the error that there is no such tool to remove, without a hint.
func (r *RemovedTool) Unknown() *cento.SourceError {
	return &cento.SourceError{Code: NoSuchItem, Position: r.Position, Message: fmt.Sprintf("there is no tool %q to remove", r.Name)}
}

// RemovedTool is a tool that a target is without, and where that is said.
type RemovedTool struct {
	Name     string         `json:"name"`
	Position cento.Position `json:"position,omitzero"`
	// Known: the manifest names or defines it, whatever its files and servers have.
	Known bool `json:"known,omitempty"`
}
