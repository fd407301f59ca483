package manifest

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// hostOption is the value of a host option: a text, a part, a list of these, or
// nothing.
type hostOption struct{ cento.HostOption }

// TakesText marks what a text can stand for.
func (*hostOption) TakesText() {}

// hostPart is an item of such a list.
type hostPart struct{ cento.HostPart }

// hostParts is the list itself.
type hostParts struct {
	strict.Located[[]hostPart]
}

// DecodeNode reads the six options, each known by its own name.
func (h *hostFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map {
		d.Decode(n, &h.hostOptions)
		return
	}
	d.Afresh(func() { d.Decode(n, &h.hostOptions) })
}

// host are the options as values.
func (h *hostOptions) host() cento.Host {
	return cento.Host{
		SystemPreamble: h.SystemPreamble.HostOption, SystemPrefix: h.SystemPrefix.HostOption,
		SystemContext: h.SystemContext.HostOption, SystemPromptParts: h.SystemPromptParts.HostOption,
		SystemAppendix: h.SystemAppendix.HostOption, SystemSuffix: h.SystemSuffix.HostOption,
	}
}

func (o *hostOption) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() == strict.List {
		o.IsList = true
		var list hostParts
		list.DecodeNode(d, n)
		o.Parts = list.parts()
		return
	}
	var p hostPart
	p.DecodeNode(d, n)
	if !p.absent(n) {
		o.Parts = []cento.HostPart{p.HostPart}
	}
}

// absent: null and false say that there is no part. In a list it keeps its
// index.
func (*hostPart) absent(n *strict.Node) bool {
	b, ok := n.Bool()
	return n.Kind() == strict.Null || ok && !b
}

func (p *hostPart) DecodeNode(d *strict.Decoder, n *strict.Node) {
	p.Trust, p.Origin = d.Trust, n.Position()
	content, isText := n.Text()
	switch {
	case p.absent(n):
		p.Disabled = true
	case n.Kind() == strict.Map:
		p.long(d, n)
	case n.Kind() == strict.List:
		var list hostParts
		list.DecodeNode(d, n)
		p.Parts = list.parts()
	case isText && n.Kind() != strict.Bool:
		p.Content, p.Runs = content, n.Runs(d.Trust)
	default:
		d.Expected(n, "a text, a map, a list or null")
	}
}

// long reads a part that is a map.
func (p *hostPart) long(d *strict.Decoder, n *strict.Node) {
	var f hostPartFile
	d.Decode(n, &f)
	if f.Content == nil {
		f.Content = f.Body
	} else if f.Body != nil {
		conflict(d, "content", f.Content.Position(), "body", f.Body.Position(), "they are two names of one thing")
	}
	if f.Content != nil && f.Parts != nil {
		conflict(d, "content", f.Content.Position(), "parts", f.Parts.At.Position(), "a part holds a text or a list of parts")
	}
	p.ID, p.Position = f.ID, f.Position
	p.Title, p.TitleOrigin = heading(f.Title)
	p.RequiresTools, p.RequiresAnyTools, p.RequiresCaps = f.RequiresTools.Values(), f.RequiresAnyTools.Values(), f.RequiresCaps.Values()
	p.GatesOrigin = strict.GateOrigins(f.RequiresTools, f.RequiresAnyTools, f.RequiresCaps)
	p.When, p.WhenOrigin, p.WhenRuns = strict.Condition(d, f.When)
	p.Importance, p.Stability = f.Importance.Importance, f.Stability
	p.Disabled = f.Enabled != nil && !*f.Enabled
	if f.Content != nil {
		p.Content, p.Runs = f.Content.Value, f.Content.Runs(d.Trust)
	}
	if f.Template != nil {
		if f.Content != nil {
			conflict(d, "content", f.Content.Position(), "template", f.Template.Position(), "a part has one text")
		}
		if f.Parts != nil {
			conflict(d, "template", f.Template.Position(), "parts", f.Parts.At.Position(), "a part holds a text or a list of parts")
		}
		p.Template, p.TemplateOrigin = reference(d, f.Template), f.Template.Position()
	}
	if f.Parts != nil {
		p.Parts = f.Parts.parts()
	}
}

// parts is the list without what only the reader needs. It isn't nil: a part
// that holds an empty list holds no text.
func (l *hostParts) parts() []cento.HostPart {
	parts := make([]cento.HostPart, len(l.Value))
	for i, p := range l.Value {
		parts[i] = p.HostPart
	}
	return parts
}

// conflict reports two values that exclude each other, at the second.
func conflict(d *strict.Decoder, first string, at cento.Position, second string, again cento.Position, hint string) {
	if again.Compare(at) < 0 {
		first, at, second, again = second, again, first, at
	}
	e := d.Fail(again, Conflict, "%s and %s exclude each other", first, second)
	e.Related = []cento.Related{{Position: at, Message: first + " is given here"}}
	e.Hint = hint + "; keep one of the two"
}
