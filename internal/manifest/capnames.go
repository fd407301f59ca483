package manifest

import (
	"strings"

	"github.com/cento-dev/cento/internal/strict"
)

// EveryCap are the capabilities that the manifest and all its targets set.
func (m *Manifest) EveryCap() map[string]bool {
	names := map[string]bool{}
	if m.root == nil {
		return names
	}
	look := func(n *strict.Node) {
		_, caps := n.Member("caps")
		if caps == nil {
			return
		}
		items := caps.Items()
		for i := range items {
			if name, ok := items[i].Text(); ok && !strings.HasPrefix(name, "-") {
				names[name] = true
			}
		}
	}
	look(m.root)
	if _, targets := m.root.Member("targets"); targets != nil {
		for _, target := range targets.Members() {
			look(target)
		}
	}
	return names
}
