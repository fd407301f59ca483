package provenance

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// PartDisabled is the code of a text of a host part that is switched off.
const PartDisabled cento.Code = "host.disabled"

// OtherBody is the code of a body of a fragment in whose place another one of them stands.
const OtherBody cento.Code = "budget.other_body"

// disabledParts are the host parts that are switched off, as what they would be: they are
// no fragments, so that the prompt doesn't know them.
func (s *search) disabledParts() []leftText {
	host, any := enabled(s.in.Host)
	if !any {
		return nil
	}
	all, _, err := cento.Compose(cento.Input{Host: host, Limits: s.in.Limits})
	if err != nil { // of parts that nobody checks while they are off
		s.passOver("host parts that are switched off: " + err.Error())
		return nil
	}
	var out []leftText
	for i := range all {
		f := &all[i]
		if _, is := s.prompt.Index(f.ID); is {
			continue
		}
		left := located(cento.Text{Body: f.Body, Runs: f.Runs, Origin: f.Origin, Trust: f.Trust})
		left.reason, left.code, left.fragment = "`enabled: false` switches the host part off", PartDisabled, f
		if f.Body != "" {
			out = append(out, left)
		}
		if f.Title != "" {
			title := left
			at := cmp.Or(f.TitleOrigin, f.Origin)
			title.text, title.at, title.locate = f.Title, at, func(int) cento.Position { return at }
			out = append(out, title)
		}
		if f.Template == "" {
			continue
		}
		for _, src := range s.sources(f) {
			file := left
			file.text, file.at, file.locate, file.trust = src.Text, cento.Position{File: src.Ref.Path(), Line: 1, Column: 1}, nil, src.Trust
			out = append(out, file)
		}
	}
	return out
}

// enabled is the host with all of its parts switched on, and whether one was off.
func enabled(h cento.Host) (cento.Host, bool) {
	any := false
	var on func(parts []cento.HostPart) []cento.HostPart
	on = func(parts []cento.HostPart) []cento.HostPart {
		parts = slices.Clone(parts)
		for i := range parts {
			any = any || parts[i].Disabled
			parts[i].Disabled = false
			parts[i].Parts = on(parts[i].Parts)
		}
		return parts
	}
	for _, option := range []*cento.HostOption{
		&h.SystemPreamble, &h.SystemPrefix, &h.SystemContext, &h.SystemPromptParts, &h.SystemAppendix, &h.SystemSuffix,
	} {
		option.Parts = on(option.Parts)
	}
	return h, any
}

// otherBodies are those of fragments that have several, for a budget, but the one that
// stands in the prompt.
func (s *search) otherBodies() []leftText {
	var out []leftText
	for i := range s.prompt.Len() {
		f := s.prompt.Fragment(i)
		if len(f.Variants) == 0 {
			continue
		}
		bodies := append([]cento.Text{{Body: f.Body, Runs: f.Runs, Origin: f.Origin, Trust: f.Trust}}, f.Variants...)
		text := s.prompt.Text(i)
		stands := max(0, slices.IndexFunc(bodies, func(b cento.Text) bool { return !blank(b.Body) && strings.Contains(text, strings.TrimSpace(b.Body)) }))
		for k, body := range bodies {
			if k == stands || blank(body.Body) {
				continue
			}
			left := located(body)
			left.trust, left.code, left.fragment = f.Trust, OtherBody, &f
			switch {
			case !s.prompt.In(i):
				left.reason = "in another body of a fragment that is out: " + s.prompt.Reason(i)
			case k < stands:
				left.reason = "the budget has a shorter body of the fragment stand instead"
			default:
				left.reason = "a longer body of the fragment stands instead, since nothing has it shortened"
			}
			out = append(out, left)
		}
	}
	return out
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
