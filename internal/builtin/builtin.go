// Package builtin words the built-in entries of a section plan by the catalog. The
// plan doesn't know of catalogs, nor the catalog of plans; projects and requests
// bring the two together in the same way. It decides neither which entries a plan has
// nor where they stand, and reads no file: the texts come with their places from the
// catalog.
package builtin

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
)

// Texts are the built-in entries for an agent of a name; blank: the default one.
// The execution instructions have no wording of the program: they are the
// caller's. Errors are those of the catalog.
func Texts(catalog *pack.Catalog, agentName, execution cento.Text) (layer.Builtins, error) {
	intro, err := catalog.MainAgentIntro(agentName)
	if err != nil {
		return layer.Builtins{}, err
	}
	guidance, err := catalog.CoreGuidance()
	if err != nil {
		return layer.Builtins{}, err
	}
	out := layer.Builtins{MainAgentIntro: intro, ExecutionInstructions: execution}
	for _, g := range guidance {
		out.CoreGuidance = append(out.CoreGuidance, layer.Part{ID: g.ID, Text: g.Text, RequiresTools: g.RequiresTools})
	}
	return out, nil
}
