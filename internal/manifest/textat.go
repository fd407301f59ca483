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
	for n := range root.All() {
		if text, ok := n.Text(); ok && n.Position() == at {
			return text, true
		}
	}
	return "", false
}
