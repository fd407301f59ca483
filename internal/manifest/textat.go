package manifest

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// TextAt is the text value of a manifest that begins at a place, as it is written;
// false where none does.
func TextAt(name string, data []byte, at cento.Position) (string, bool) {
	root, err := strict.Read(name, data, cento.DefaultLimits())
	if err != nil {
		return "", false
	}
	return textAt(root, at)
}

func textAt(n *strict.Node, at cento.Position) (string, bool) {
	if text, ok := n.Text(); ok && n.Position() == at {
		return text, true
	}
	for i := range n.Items() {
		if text, ok := textAt(&n.Items()[i], at); ok {
			return text, true
		}
	}
	for _, value := range n.Members() {
		if text, ok := textAt(value, at); ok {
			return text, true
		}
	}
	return "", false
}
