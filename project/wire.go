package project

import (
	"cmp"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// WireRequest is a prompt of the project as what a request is written of: with the
// tools and the model of the input, and what the manifest says under wire. The second
// result is false where neither the manifest nor the model says which form it has. The
// error is [consent.TrustRequired]: nobody agreed to the further members of the manifest.
func (p *Project) WireRequest(in cento.Input, prompt *cento.Prompt) (wire.Request, bool, error) {
	r, chosen, err := p.from.wireRequest()
	r.Model, r.Prompt, r.Tools, r.Active = in.Model, prompt, in.Tools, append([]string{}, in.ActiveTools()...)
	if !chosen {
		r.Form = wire.FormOf(in.Model)
	}
	return r, r.Form != 0, err
}

// PlannedRequest is a request as a check looks at it: without a conversation, and without
// asking whether anybody agreed to the further members, since it is never sent.
type PlannedRequest struct {
	wire.Request
	// Position is what chooses the provider format: an output, wire or the model.
	Position cento.Position
	// Output is the file that holds the request; empty for one that is sent.
	Output string
}

// PlannedRequests are the requests that a prompt of the project's input becomes by what
// the manifest says: the one that `cento build --wire` makes, where the manifest or the
// model names a provider format, then those that its target writes to files.
func (p *Project) PlannedRequests(prompt *cento.Prompt) []PlannedRequest {
	w := &p.from.manifest.Wire
	in := &p.Input
	planned := PlannedRequest{Position: w.Position, Request: wire.Request{
		Model: in.Model, Prompt: prompt, Tools: in.Tools, Active: append([]string{}, in.ActiveTools()...),
		Cache: w.Cache, MaxTokens: w.MaxTokens, Sections: w.Sections, Extra: w.Extra, Places: w.Places(), Partial: true,
	}}
	var out []PlannedRequest
	switch {
	case w.Form != nil:
		planned.Form = *w.Form
		out = append(out, planned)
	case wire.FormOf(in.Model) != 0:
		planned.Form = wire.FormOf(in.Model)
		planned.Position = cmp.Or(p.ModelPosition(), w.Position)
		out = append(out, planned)
	}
	for _, o := range p.from.base.Outputs() {
		of := p.from.request.Target // plain targets share a prompt, which is made for one of them
		if (o.Target == of || p.from.base.Plain(of) && p.from.base.Plain(o.Target)) && o.Wire != nil {
			planned.Form, planned.Position, planned.Output = *o.Wire, o.Position, o.File
			out = append(out, planned)
		}
	}
	return out
}

// CheckTools holds the active tools of an input against what the provider takes that the
// manifest names under wire, before a session begins whose requests it would refuse. The
// errors are those of [wire.Build]; nil where the manifest names none.
func (p *Project) CheckTools(in cento.Input) error {
	form := p.from.manifest.Wire.Form
	if form == nil {
		return nil
	}
	_, err := wire.Build(wire.Request{Form: *form, Model: in.Model, Tools: in.Tools, Active: append([]string{}, in.ActiveTools()...), Partial: true})
	return err
}

// WireRequest reads the manifest, and nothing else of a project, and gives what it says
// under wire: of the prompt, the tools and the model there is nothing in it. The second
// result is false where it names no form.
func (site Site) WireRequest(r Request) (wire.Request, bool, error) {
	p, err := site.read(r)
	if err != nil {
		return wire.Request{}, false, err
	}
	return p.wireRequest()
}

// wireRequest is what the manifest says of requests. Its further members may reach
// servers and keep data, so somebody has to have agreed to them, unless the manifest is
// the word of who asks.
func (r *reader) wireRequest() (wire.Request, bool, error) {
	w := &r.manifest.Wire
	out := wire.Request{Cache: w.Cache, MaxTokens: w.MaxTokens, Sections: w.Sections, Extra: w.Extra, Places: w.Places()}
	if w.Form != nil {
		out.Form = *w.Form
	}
	if part := r.manifest.ExtraAsked(); part != nil && r.request.ManifestText == nil {
		if err := r.requireApproval(*part, ""); err != nil {
			return wire.Request{}, false, err
		}
	}
	return out, w.Form != nil, nil
}
