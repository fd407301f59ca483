package project

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/builtin"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/pack"
)

// LayerChoice says which layers are used, by name. The zero value is all of
// them. The built-in section plan is below whatever is chosen.
type LayerChoice struct {
	// Only are those that are used; nil: all. The name `builtin` in it stands for
	// none of them.
	Only []string
	// Without are those that aren't.
	Without []string
}

// sectionPlan is what the layers come to.
type sectionPlan struct {
	stack      []layer.Ranked
	resolution *layer.Resolution
	primary    cento.Primary // its sections among the manifest's own texts
	notes      []cento.Note
}

// inPrompt reports whether the sections are in the prompt: whether any layer
// brings a template or touches a slot.
func (s *sectionPlan) inPrompt() bool {
	return slices.ContainsFunc(s.stack, func(l layer.Ranked) bool { return l.Layer.Template != nil || len(l.Layer.Slots) > 0 })
}

// Layers are the layers of the project in use, low to high: the user's, those of
// packs, those of the manifest, and where they rank those of the request.
func (p *Project) Layers() []layer.Ranked { return slices.Clone(p.plan.stack) }

// Resolution is what the layers come to.
func (p *Project) Resolution() *layer.Resolution { return p.plan.resolution }

// Layered reports whether the sections that the layers make are in the prompt:
// whether any layer brings a template or touches a slot. Otherwise the agent's
// main text stands alone. Without a template the sections stand behind it; a
// template of a layer has a place for it, or takes the built-in one out.
func (p *Project) Layered() bool { return p.plan.inPrompt() }

// WithLayers is the same project with other layers in use; the manifest isn't
// read again. A name that no layer has is the error [UnknownLayer].
func (p *Project) WithLayers(ctx context.Context, choice LayerChoice) (*Project, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := *p.from
	r.request.Layers = choice
	return r.collected(ctx, p.looked)
}

// stack gathers the layers and takes out those that aren't chosen.
func (r *reader) stack(b basis) ([]layer.Ranked, error) {
	var stack []layer.Ranked
	for _, l := range r.user.Layers {
		stack = append(stack, layer.Ranked{Name: l.Name, Rank: layer.UserRank, Layer: l.Layer})
	}
	var errs []*cento.SourceError
	for _, installed := range b.packs {
		if !installed.HasLayer {
			continue
		}
		l, err := installed.Layer(r.prefixes()...)
		if err != nil {
			errs = append(errs, cento.SourceErrors(err)...)
		}
		stack = append(stack, layer.Ranked{Name: layer.PackRank.String() + ":" + installed.Name, Rank: layer.PackRank, Layer: l})
	}
	for _, l := range r.manifest.Layers {
		if i := slices.IndexFunc(r.user.Layers, func(u manifest.NamedLayer) bool { return u.Name == l.Name }); i >= 0 {
			errs = append(errs, &cento.SourceError{
				Code: manifest.Conflict, Position: r.user.Layers[i].Position, Message: fmt.Sprintf("the project has a layer %q, too", l.Name),
				Related: []cento.Related{{Position: l.Position, Message: "the other one"}},
				Hint:    "give yours another name, so that an explanation can tell them apart",
			})
		}
		stack = append(stack, layer.Ranked{Name: l.Name, Rank: layer.WorkspaceRank, Layer: l.Layer})
	}
	for _, l := range r.request.Stack {
		switch twice := slices.ContainsFunc(stack, func(o layer.Ranked) bool { return o.Name == l.Name }); {
		case strings.TrimSpace(l.Name) == "" || l.Rank == layer.BuiltinRank || l.Rank > layer.TurnRank:
			errs = append(errs, &cento.SourceError{
				Code: layer.InvalidLayer, Message: fmt.Sprintf("the layer %q of the request has no name, or a rank that nobody can give", l.Name),
				Hint: "a host gives its layers a name and a rank from user to turn",
			})
		case twice || l.Name == layer.SessionRank.String() || l.Name == layer.BuiltinRank.String():
			errs = append(errs, &cento.SourceError{
				Code: manifest.Conflict, Message: fmt.Sprintf("two layers have the name %q, one of them in the request", l.Name),
				Hint: "give it another name, so that an explanation can tell them apart",
			})
		}
		stack = append(stack, l)
	}
	if r.request.Session != nil {
		stack = append(stack, layer.Ranked{Name: layer.SessionRank.String(), Rank: layer.SessionRank, Layer: *r.request.Session})
	}
	if err := cento.Join(errs); err != nil {
		return nil, err
	}
	return r.request.Layers.of(layer.Sort(stack))
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
func (r *reader) layers(b basis, catalog *pack.Catalog) (sectionPlan, error) {
	plan := sectionPlan{primary: r.manifest.Primary}
	plan.primary.Parts = r.request.Primary
	// What the manifest doesn't word itself has the wording of the catalog.
	plan.primary.Worded = true
	var err error
	if plan.stack, err = r.stack(b); err != nil {
		return plan, err
	}
	var own []string
	if r.manifest.Agent.ExecutionPrompt != nil {
		own = []string{layer.ExecutionInstructions}
	}
	if plan.resolution, err = layer.ResolveOver(layer.ProjectTemplate(own...), plan.stack); err != nil {
		return plan, err
	}
	plan.notes = plan.resolution.Notes()
	if !plan.inPrompt() {
		plan.primary.Instruction = r.instructionFragment()
		plan.primary.Sections = r.replacedInstruction()
		plan.notes = append(plan.notes, r.unused(plan.stack)...)
		return plan, nil
	}
	var agent, execution cento.Text
	if name := r.manifest.Agent.Name; name != nil {
		agent = *name
	}
	if text := r.manifest.Agent.ExecutionPrompt; text != nil {
		execution = *text
	}
	builtins, err := builtin.Texts(catalog, agent, execution)
	if err != nil {
		return plan, err
	}
	main, named := r.mainText()
	if template := plan.resolution.Template(); named && !template.Places(layer.Instruction) {
		// Whoever names a main text gets it, also over a plan without a place for it.
		plan.primary.Instruction = r.instructionFragment()
	} else {
		plan.primary.System, builtins.Instruction = nil, main
	}
	plan.primary.Sections = plan.resolution.Compile(builtins)
	for _, f := range r.replacedInstruction() {
		f.Layer = layer.BuiltinRank.String()
		plan.primary.Sections = append(plan.primary.Sections, f)
	}
	return plan, nil
}

// replacedInstructionID is the built-in instruction where another main text stands
// in its place.
const replacedInstructionID = "builtin:" + layer.Instruction

// replacedInstruction is the built-in instruction, taken out by the main text that
// somebody named; none where nobody did, or who did wants no main text at all.
func (r *reader) replacedInstruction() []cento.Fragment {
	main, builtin := r.manifest.Instruction, manifest.Defaults().Instruction
	if r.manifest.Primary.System == nil && (main == nil || main.Ref == builtin.Ref) {
		return nil
	}
	f := r.promptFile(builtin)
	f.ID, f.Source = replacedInstructionID, layer.BuiltinRank.String()
	f.Excluded = &cento.Exclusion{Code: cento.CodeOverridden, By: cento.SystemID}
	return []cento.Fragment{*f}
}

// instructionFragment is the agent's main text as a prompt file; nil when it is no
// prompt file.
func (r *reader) instructionFragment() *cento.Fragment { return r.promptFile(r.manifest.Instruction) }

// promptFile is a prompt file that is named; nil where none is.
func (r *reader) promptFile(ref *manifest.Reference) *cento.Fragment {
	if ref == nil {
		return nil
	}
	loader := pack.NewLoader(r.roots(nil), r.manifest.Limits)
	return &cento.Fragment{
		Template: ref.Ref.String(), Trust: loader.Trust(ref.Ref),
		Origin: cento.Position{File: ref.Ref.Path(), Line: 1, Column: 1},
	}
}

// mainText is the agent's main text, and whether somebody named it.
func (r *reader) mainText() (text *cento.Fragment, named bool) {
	if t := r.manifest.Primary.System; t != nil {
		return &cento.Fragment{Body: t.Body, Runs: t.Runs, Trust: t.Trust, Origin: t.Origin}, true
	}
	ref := r.manifest.Instruction
	return r.instructionFragment(), ref != nil && !ref.Position.IsZero()
}

// unused tells what has no effect because the section plan isn't in the prompt.
func (r *reader) unused(stack []layer.Ranked) []cento.Note {
	const why = ": no layer has a template or slots, which bring the section plan in"
	var notes []cento.Note
	if text := r.manifest.Agent.ExecutionPrompt; text != nil {
		notes = append(notes, cento.Note{
			Code: ExecutionUnused, Position: text.Origin, Message: "agent.execution_prompt is not in the prompt" + why,
		})
	}
	for _, l := range stack {
		if len(l.Layer.Patches) > 0 {
			notes = append(notes, cento.Note{
				Code: LayersUnused, Position: l.Layer.Origin,
				Message: fmt.Sprintf("the patches of layer %q change nothing%s", l.Name, why),
			})
		}
	}
	return notes
}
