package project

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
)

const (
	// UnknownLayer: no layer of the project has the name.
	UnknownLayer cento.ErrorCode = "layer.unknown"
	// ReservedLayer: a layer has a name that says another rank than its own.
	ReservedLayer cento.ErrorCode = "layer.reserved"
)

const (
	// LayersUnused is the note that layers change a section plan that isn't in
	// the prompt.
	LayersUnused cento.Code = "layers.unused"
	// ExecutionUnused is the note that there is an execution prompt and no
	// section plan in the prompt to hold it.
	ExecutionUnused cento.Code = "execution_prompt.unused"
)

// layerFile is a layer as a manifest and the user's configuration list them.
type layerFile struct {
	strict.At
	Name  text        `json:"name" jsonschema:"What traces and messages call it, such as team."`
	Layer layer.Layer `json:"layer" jsonschema:"What it does: another section plan, contributions to slots, or both."`
}

// NamedLayer is a layer of a manifest or of the user's configuration.
type NamedLayer struct {
	Name     string         `json:"name"`
	Layer    layer.Layer    `json:"layer"`
	Position cento.Position `json:"position,omitzero"`
}

// LayerChoice says which layers are used, by name. The zero value is all of
// them. The built-in section plan is below whatever is chosen.
type LayerChoice struct {
	// Only are those that are used; nil: all. The name `builtin` in it stands for
	// none of them.
	Only []string
	// Without are those that aren't.
	Without []string
}

// namedLayers checks layers of one rank as people write them.
func namedLayers(d *strict.Decoder, files []layerFile, rank layer.Rank) []NamedLayer {
	var out []NamedLayer
	first := make(map[string]cento.Position, len(files))
	for i := range files {
		d.InItem(i, func() {
			f := &files[i]
			d.In("layer", func() { templateReferences(d, &f.Layer) })
			name, ok := f.Name.Text()
			if !ok {
				return // missing or of another kind, as was reported
			}
			d.In("name", func() { checkLayerName(d, name, f.Name.Position(), rank) })
			if at, repeated := first[name]; repeated {
				e := d.Fail(f.Name.Position(), Conflict, "two layers have the name %q", name)
				e.Related = []cento.Related{{Position: at, Message: "the other one"}}
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

// templateReferences checks the references to prompt files.
func templateReferences(d *strict.Decoder, l *layer.Layer) {
	for _, slot := range slices.Sorted(maps.Keys(l.Slots)) {
		for _, c := range l.Slots[slot].Contributions {
			if strings.TrimSpace(c.Template) == "" {
				continue // none, or blank as was reported
			}
			_, err := pack.ParseRef(c.Template, pack.Ref{}, c.Origin)
			d.Report(err)
		}
	}
}

// Layers are the layers of the project in use, low to high: the user's, those of
// packs, those of the manifest.
func (p *Project) Layers() []layer.Ranked { return slices.Clone(p.stack) }

// Resolution is what the layers come to.
func (p *Project) Resolution() *layer.Resolution { return p.resolution }

// Layered reports whether the sections that the layers make are in the prompt:
// whether any layer brings a template or touches a slot. Otherwise the agent's
// main text stands alone.
func (p *Project) Layered() bool {
	return slices.ContainsFunc(p.stack, func(l layer.Ranked) bool { return l.Layer.Template != nil || len(l.Layer.Slots) > 0 })
}

// WithLayers is the same project with other layers in use; the manifest isn't
// read again. A name that no layer has is the error [UnknownLayer].
func (p *Project) WithLayers(ctx context.Context, choice LayerChoice) (*Project, error) {
	q := &Project{Place: p.Place, request: p.request, base: p.base, Manifest: p.Manifest}
	q.request.Layers = choice
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return q, q.collect(ctx)
}

// stackLayers gathers the layers and takes out those that aren't chosen.
func (p *Project) stackLayers() error {
	var stack []layer.Ranked
	for _, l := range p.settings.layers {
		stack = append(stack, layer.Ranked{Name: l.Name, Rank: layer.UserRank, Layer: l.Layer})
	}
	var errs []*cento.SourceError
	for _, installed := range p.packs {
		if installed.Layer == nil {
			continue
		}
		l, err := packLayer(installed)
		if err != nil {
			errs = append(errs, asSourceErrors(err)...)
		}
		stack = append(stack, layer.Ranked{Name: layer.PackRank.String() + ":" + installed.Name, Rank: layer.PackRank, Layer: l})
	}
	for _, l := range p.Manifest.Layers {
		if i := slices.IndexFunc(p.settings.layers, func(u NamedLayer) bool { return u.Name == l.Name }); i >= 0 {
			errs = append(errs, &cento.SourceError{
				Code: Conflict, Position: p.settings.layers[i].Position, Message: fmt.Sprintf("the project has a layer %q, too", l.Name),
				Related: []cento.Related{{Position: l.Position, Message: "the other one"}},
				Hint:    "give yours another name, so that an explanation can tell them apart",
			})
		}
		stack = append(stack, layer.Ranked{Name: l.Name, Rank: layer.WorkspaceRank, Layer: l.Layer})
	}
	if p.request.Session != nil {
		stack = append(stack, layer.Ranked{Name: layer.SessionRank.String(), Rank: layer.SessionRank, Layer: *p.request.Session})
	}
	if err := cento.Join(errs); err != nil {
		return err
	}
	chosen, err := p.request.Layers.of(layer.Sort(stack))
	p.stack = chosen
	return err
}

// packLayer reads the layer of a pack.
func packLayer(installed *pack.Installed) (layer.Layer, error) {
	d := strict.Decoder{Trust: cento.TrustWorkspace}
	var l layer.Layer
	d.In("layer", func() {
		d.Decode(installed.Layer, &l)
		templateReferences(&d, &l)
	})
	return l, d.Err()
}

// of takes the chosen layers out of a stack.
func (c LayerChoice) of(stack []layer.Ranked) ([]layer.Ranked, error) {
	if c.Only == nil && c.Without == nil {
		return stack, nil
	}
	names := make([]string, len(stack))
	for i, l := range stack {
		names[i] = l.Name
	}
	var errs []*cento.SourceError
	check := func(asked, known []string) {
		for _, name := range asked {
			if slices.Contains(known, name) {
				continue
			}
			e := &cento.SourceError{Code: UnknownLayer, Message: fmt.Sprintf("there is no layer %q", name)}
			if e.Hint = "the project has no layers"; len(names) > 0 {
				e.Hint = strict.UnknownHint(name, names)
			}
			errs = append(errs, e)
		}
	}
	check(c.Only, append([]string{layer.BuiltinRank.String()}, names...))
	check(c.Without, names)
	if err := cento.Join(errs); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(stack, func(l layer.Ranked) bool {
		return c.Only != nil && !slices.Contains(c.Only, l.Name) || slices.Contains(c.Without, l.Name)
	}), nil
}

// layers resolves the layers and compiles them to the sections of the prompt.
func (p *Project) layers(catalog *pack.Catalog) error {
	if err := p.stackLayers(); err != nil {
		return err
	}
	var err error
	if p.resolution, err = layer.Resolve(p.stack); err != nil {
		return err
	}
	p.Input.Notes = append(p.Input.Notes, p.resolution.Notes()...)
	if !p.Layered() {
		p.noteUnusedLayers()
		return nil
	}
	words := Builtins{Catalog: catalog.With(p.variables())}
	if name := p.Manifest.Agent.Name; name != nil {
		words.AgentName = *name
	}
	if text := p.Manifest.Agent.ExecutionPrompt; text != nil {
		words.ExecutionPrompt = *text
	}
	builtins, err := words.Texts()
	if err != nil {
		return err
	}
	p.Input.Primary.Sections = p.resolution.Compile(builtins)
	return nil
}

// noteUnusedLayers tells what has no effect because the section plan isn't in
// the prompt.
func (p *Project) noteUnusedLayers() {
	const why = ": no layer has a template or slots, so the agent's main text stands alone"
	if text := p.Manifest.Agent.ExecutionPrompt; text != nil {
		p.Input.Notes = append(p.Input.Notes, cento.Note{
			Code: ExecutionUnused, Position: text.Origin, Message: "agent.execution_prompt is not in the prompt" + why,
		})
	}
	for _, l := range p.stack {
		if len(l.Layer.Patches) > 0 {
			p.Input.Notes = append(p.Input.Notes, cento.Note{
				Code: LayersUnused, Position: l.Layer.Origin,
				Message: fmt.Sprintf("the patches of layer %q change nothing%s", l.Name, why),
			})
		}
	}
}

// Builtins finds the words of the texts that the program brings to the section
// plan.
type Builtins struct {
	Catalog *pack.Catalog
	// AgentName is who the agent is told to be; blank: the default.
	AgentName cento.Text
	// ExecutionPrompt is the caller's own.
	ExecutionPrompt cento.Text
}

// Texts gives the words. Its errors are those of the catalog.
func (b Builtins) Texts() (layer.Builtins, error) {
	intro, err := b.Catalog.MainAgentIntro(b.AgentName)
	if err != nil {
		return layer.Builtins{}, err
	}
	guidance, err := b.Catalog.CoreGuidance()
	if err != nil {
		return layer.Builtins{}, err
	}
	out := layer.Builtins{MainAgentIntro: intro, ExecutionInstructions: b.ExecutionPrompt}
	for _, g := range guidance {
		out.CoreGuidance = append(out.CoreGuidance, layer.Part{ID: g.ID, Text: g.Text, RequiresTools: g.RequiresTools})
	}
	return out, nil
}

// configPath is where the user's configuration is; empty without a folder.
func (p *Project) configPath() string {
	if p.request.Config == "" {
		return ""
	}
	return filepath.Join(p.request.Config, ConfigName)
}
