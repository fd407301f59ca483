package manifest

import (
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
)

// layerFile is a layer as a manifest and the user's configuration list them.
type layerFile struct {
	strict.At
	Name  text        `json:"name" jsonschema:"What traces and messages call it, such as team."`
	Layer layer.Layer `json:"layer" holds:"template slots patch" jsonschema:"What it does: another section plan, contributions to slots, or both."`
}

// NamedLayer is a layer of a manifest or of the user's configuration.
type NamedLayer struct {
	Name     string         `json:"name"`
	Layer    layer.Layer    `json:"layer"`
	Position cento.Position `json:"position,omitzero"`
}

// namedLayers checks layers of one rank as people write them.
func namedLayers(d *strict.Decoder, files []layerFile, rank layer.Rank) []NamedLayer {
	var out []NamedLayer
	first := make(map[string]cento.Position, len(files))
	for i := range files {
		d.InItem(i, func() {
			f := &files[i]
			d.In("layer", func() {
				for reference, at := range f.Layer.Templates() {
					_, err := parseRef(d, reference, at)
					d.Report(err)
				}
			})
			name, ok := f.Name.Text()
			if !ok {
				return // missing or of another kind, as was reported
			}
			d.In("name", func() { checkLayerName(d, name, f.Name.Position(), rank) })
			if at, repeated := first[name]; repeated {
				e := d.Fail(f.Name.Position(), Conflict, "two layers have the name %q", name)
				e.Related = []cento.Related{{Position: at, Message: "the other one"}}
				e.Hint = "give one of the two another name, or put what both do into one"
			} else {
				first[name] = f.Name.Position()
			}
			out = append(out, NamedLayer{Name: name, Layer: f.Layer, Position: f.Name.Position()})
		})
	}
	return out
}

// checkLayerName refuses names that say nothing, and those by which a layer
// would be taken for one of another rank.
func checkLayerName(d *strict.Decoder, name string, at cento.Position, rank layer.Rank) {
	if strings.TrimSpace(name) == "" {
		d.Fail(at, strict.WrongValue, "a blank name").Hint = "a layer's name is a word such as team"
		return
	}
	var said layer.Rank
	if said.UnmarshalText([]byte(name)) == nil && said != rank {
		d.Fail(at, ReservedLayer, "%q names layers of another place, and this one is of the %s", name, rank).
			Hint = "choose another name, such as team"
	}
}
