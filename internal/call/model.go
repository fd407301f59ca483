package call

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
)

// ofModel is an input for the model that it names: what is known of it, and the
// capabilities that it brings along. at is where it is named.
func ofModel(in cento.Input, at cento.Position) (cento.Input, []cento.Note) {
	if in.Active.Model == "" {
		return in, nil
	}
	m, notes := model.Default().Lookup(in.Active.Model)
	return in.WithModel(in.Active.Model, &m), model.At(at, notes)
}
