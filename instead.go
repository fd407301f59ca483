package cento

import (
	"slices"
	"strconv"
	"strings"
)

// A text that somebody hands over stands instead of another one. That other one is
// still told of: it is out, with the name of what overrides it.

// primaryParts is what stands instead of the block that it overrides, as requests
// name it.
const primaryParts = "primary.parts"

// WithHost is the input with other host options. Those that are given, be it as an
// empty list, stand instead of the input's; what they replace is told of.
func (in Input) WithHost(h Host) Input {
	for _, x := range []struct {
		name     string
		bucket   Bucket
		from, to *HostOption
	}{
		{preambleOption, Before, &h.SystemPreamble, &in.Host.SystemPreamble},
		{prefixOption, Before, &h.SystemPrefix, &in.Host.SystemPrefix},
		{contextOption, Before, &h.SystemContext, &in.Host.SystemContext},
		{partsOption, Before, &h.SystemPromptParts, &in.Host.SystemPromptParts},
		{appendixOption, After, &h.SystemAppendix, &in.Host.SystemAppendix},
		{suffixOption, After, &h.SystemSuffix, &in.Host.SystemSuffix},
	} {
		if !x.from.IsList && len(x.from.Parts) == 0 {
			continue
		}
		before := in.optionFragments(x.name, *x.to, x.bucket)
		*x.to = *x.from
		if len(before) == 0 {
			continue
		}
		taken := map[string]bool{}
		for _, f := range slices.Concat(in.optionFragments(x.name, *x.to, x.bucket), in.Primary.Sections) {
			taken[f.ID] = true
		}
		in.Primary.Sections = slices.Clip(in.Primary.Sections)
		for _, f := range before {
			f.ID = unclaimed(f.ID, taken)
			taken[f.ID] = true
			f.Excluded = &Exclusion{Code: CodeOverridden, By: hostIDPrefix + x.name}
			in.Primary.Sections = append(in.Primary.Sections, f)
		}
	}
	return in
}

// optionFragments are those of one host option. One that can't be composed has none:
// an option that gives way isn't refused for it.
func (in Input) optionFragments(name string, o HostOption, bucket Bucket) []Fragment {
	c := composer{nesting: in.Limits.Or(DefaultLimits()).Nesting, headings: new(Headings)}
	c.host(name, o, bucket)
	return c.out
}

// WithSystem is the block with another main text, wherever the section plan has
// its place. What stood there is told of: it is out, overridden by the text.
func (p Primary) WithSystem(text Text) Primary {
	plan := p.Sections
	p.Sections = make([]Fragment, 0, len(plan)+1)
	var before *Fragment
	placed := false
	for _, f := range plan {
		if f.ID == SystemID || strings.HasPrefix(f.ID, SystemID+"@") {
			if old := f; before == nil {
				before = &old
			}
			if f.Excluded != nil {
				continue // a layer took it out; now the text stands in its place
			}
			placed = true
			f = worded(Fragment{
				ID: f.ID, Layer: f.Layer, Section: f.Section, SectionFrom: f.SectionFrom, SectionIndex: f.SectionIndex,
			}, &text)
		}
		p.Sections = append(p.Sections, f)
	}
	if !placed {
		if p.System != nil {
			old := worded(Fragment{ID: SystemID}, p.System)
			before = &old
		}
		p.System = &text
	}
	if before != nil {
		p.Sections = append(p.Sections, gaveWay(*before, p.Sections))
	}
	return p
}

// gaveWay is a main text that another stands instead of. It has an id that nothing
// in the plan has.
func gaveWay(f Fragment, plan []Fragment) Fragment {
	taken := map[string]bool{SystemID: true}
	for i := range plan {
		taken[plan[i].ID] = true
	}
	f.Section, f.SectionFrom, f.SectionIndex = "", nil, 0
	f.ID, f.Source = unclaimed(instructionID(f.Template), taken), instructionSource(f.Template)
	f.Excluded = &Exclusion{Code: CodeOverridden, By: SystemID}
	return f
}

// instructionID is the id of a main text that gave way: that of the built-in one,
// that of another prompt file, or that of a plain text, which has no template.
func instructionID(template string) string {
	switch {
	case template == "":
		return SystemID
	case strings.HasPrefix(template, builtinFiles):
		return "builtin:instruction"
	}
	return "primary:instruction"
}

func instructionSource(template string) string {
	if strings.HasPrefix(template, builtinFiles) {
		return "builtin"
	}
	return primarySource
}

// unclaimed is an id, with a number behind it where it is taken.
func unclaimed(id string, taken map[string]bool) string {
	if !taken[id] {
		return id
	}
	for n := 2; ; n++ {
		if next := id + "~" + strconv.Itoa(n); !taken[next] {
			return next
		}
	}
}
