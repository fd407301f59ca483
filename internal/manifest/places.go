package manifest

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// TemplatePlace is where the prompt file of what the manifest has at a place is named;
// that place itself where it names none.
func (m *Manifest) TemplatePlace(at cento.Position) cento.Position {
	if n := m.mapAt(at); n != nil {
		if _, value := n.Member("template"); value != nil {
			return value.Position()
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
