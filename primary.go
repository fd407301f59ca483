package cento

import (
	"slices"
	"strconv"
	"strings"
)

// Fragments is the block as a list: the parts handed over, or the agent's text
// and the built-in parts.
func (p Primary) Fragments() []Fragment {
	c := composer{headings: new(Headings)}
	c.primary(p, nil, new(Files), false)
	return c.out
}

// Text is the block as one text: the trimmed bodies of its fragments, gates not
// asked, joined by a blank line. Its errors are those of [ReduceFragments].
func (p Primary) Text() (string, error) {
	parts := p.Fragments()
	for i := range parts {
		parts[i].RequiresTools, parts[i].RequiresAnyTools, parts[i].RequiresCaps, parts[i].GatesOrigin = nil, nil, nil, nil
		parts[i].When, parts[i].Needs, parts[i].NeedsOrigin, parts[i].Bucket = "", nil, nil, Before
	}
	prompt, err := ReduceFragments(parts, Active{}, Options{})
	if err != nil {
		return "", err
	}
	text, _ := prompt.System()
	return text, nil
}

// primary adds the block. Parts that were handed over stand instead of all the rest,
// which is told of as what gave way to them.
func (c *composer) primary(p Primary, tools []Tool, files *Files, guided bool) {
	if p.Parts == nil {
		c.block(p, tools, files, guided)
		return
	}
	taken := make(map[string]bool, len(p.Parts))
	for _, f := range p.Parts {
		if f.Source == "" {
			f.Source = primarySource
		}
		taken[f.ID] = true
		c.out = append(c.out, f)
	}
	rest := composer{headings: new(Headings)}
	rest.block(p, tools, files, guided)
	for k, f := range rest.out {
		if f.Excluded == nil { // what was out before stays out for its own reason
			f.Excluded = &Exclusion{Code: CodeOverridden, By: primaryParts}
		}
		if f.ID == SystemID && f.Template != "" {
			f.ID, f.Source = instructionID(f.Template), instructionSource(f.Template)
		}
		f.ID = unclaimed(f.ID, taken)
		taken[f.ID] = true
		c.out = append(c.out, f)
		if k == 0 && p.System != nil {
			c.notes = append(c.notes, Note{
				Code: CodeSystemIgnored, Fragment: f.ID, Position: p.System.Origin,
				Message: "the separate system text is ignored: the primary block was handed over as parts",
			})
		}
	}
}

// block adds the block that is made of the agent's text and the built-in parts. What
// it says of tools is one group with their guidance, under one heading: where tools
// are guided it stands there, else where the last of it stands.
func (c *composer) block(p Primary, tools []Tool, files *Files, guided bool) {
	switch {
	case p.System != nil:
		c.out = append(c.out, worded(Fragment{ID: SystemID}, p.System))
	case p.Instruction != nil:
		f := *p.Instruction
		f.ID, f.Source = SystemID, primarySource
		c.out = append(c.out, f)
	}
	c.sections(p.Sections)
	if p.System != nil && p.Instruction != nil {
		c.out = append(c.out, gaveWay(*p.Instruction, p.Sections))
	}
	var served []string
	for _, t := range tools {
		if t.Server != "" {
			served = append(served, t.Name)
		}
	}
	part := func(t *Text, f Fragment) []Fragment {
		switch {
		case t != nil:
			return []Fragment{worded(f, t)}
		case p.Worded:
			return []Fragment{byCatalog(f, files)}
		}
		return nil
	}
	fallBack := func(list []Fragment, heading *Text) {
		for _, f := range list {
			c.add(&f, heading, FallbackHeading)
		}
	}
	h := c.headings
	var advisory, progress []Fragment
	if len(served) > 0 {
		advisory = part(p.MCPAdvisory, Fragment{ID: mcpAdvisoryID, RequiresAnyTools: served})
	}
	if p.ProgressToolName != "" {
		progress = part(p.ProgressTool, Fragment{ID: progressToolID, RequiresTools: []string{p.ProgressToolName}})
	}
	switch grouped := !isBlank(h.Tools.Body); {
	case grouped && guided:
		c.onTools, advisory, progress = slices.Concat(advisory, progress), nil, nil
	case grouped && len(advisory) > 0 && len(progress) > 0:
		advisory, progress = nil, slices.Concat(advisory, progress)
	}
	fallBack(advisory, &h.Tools)
	skills := p.Skills
	if p.Worded && len(files.Skills) > 0 {
		skills = append(slices.Clip(skills), byCatalog(Fragment{ID: SkillCatalogID}, files))
	}
	c.group(skills, &h.Skills)
	if len(progress) > 1 {
		c.group(progress, &h.Tools)
	} else {
		fallBack(progress, &h.Tools)
	}
	fallBack(part(p.LoopContract, Fragment{ID: loopContractID}), &h.Manifest)
	if len(tools) > 0 {
		fallBack(part(p.ToolContract, Fragment{ID: toolContractID, RequiresCaps: []string{textToolsCap}}), &h.Manifest)
	}
}

// slotSource begins the source of what a layer contributes.
const slotSource = "slot:"

// sections adds the section plan. What is contributed to a section without a
// title, and what follows it there, doesn't belong to the heading before it,
// whosever that is.
func (c *composer) sections(plan []Fragment) {
	contributed := 0 // the section without a title that has a contribution by now
	for _, f := range plan {
		if f.Excluded != nil || f.ID == SystemID || !isBlank(f.Section) {
			c.out = append(c.out, f)
			continue
		}
		if strings.HasPrefix(f.Source, slotSource) {
			contributed = f.SectionIndex
		}
		if contributed == 0 || f.SectionIndex != contributed {
			c.out = append(c.out, f)
			continue
		}
		c.add(&f, &c.headings.Manifest, FallbackHeading)
	}
}

// builtinFiles begins the reference of a prompt file that is part of the program.
const builtinFiles = "$builtin/"

// environment adds the folder and the day, which a built-in instruction doesn't
// name: behind all that changes less often, so that the beginning of the prompt
// stays as it is. Whoever words the main text says what belongs there, so this
// goes with the instruction.
func (c *composer) environment(p Primary, files *Files) {
	main := p.mainText()
	if !p.Worded || main == nil {
		return
	}
	e := byCatalog(Fragment{ID: environmentID, Stability: PerSession}, files)
	if p.Parts != nil {
		taken := make(map[string]bool, len(p.Parts))
		for i := range p.Parts {
			taken[p.Parts[i].ID] = true
		}
		e.ID, e.Excluded = unclaimed(e.ID, taken), &Exclusion{Code: CodeOverridden, By: primaryParts}
		c.out = append(c.out, e)
		return
	}
	if e.Excluded = main.Excluded; e.Excluded == nil && !strings.HasPrefix(main.Template, builtinFiles) {
		e.Excluded = &Exclusion{Code: CodeOverridden, By: SystemID}
	}
	c.add(&e, &c.headings.Manifest, FallbackHeading)
}

// mainText is the agent's main text, where it stands alone or in the section plan,
// also where a layer took it out; nil when there is none.
func (p *Primary) mainText() *Fragment {
	switch {
	case p.System != nil:
		return &Fragment{ID: SystemID}
	case p.Instruction != nil:
		return p.Instruction
	}
	i := slices.IndexFunc(p.Sections, func(f Fragment) bool { return f.ID == SystemID })
	if i < 0 {
		return nil
	}
	return &p.Sections[i]
}

// worded is a part of the primary block whose words stand in t.
func worded(f Fragment, t *Text) Fragment {
	f.Source = primarySource
	f.Body, f.Runs, f.Trust, f.Origin, f.Stability = t.Body, t.Runs, t.Trust, t.Origin, t.Stability
	return f
}

// byCatalog is a part of the primary block that the engine words: the wording may
// read the active set, which isn't known yet.
func byCatalog(f Fragment, files *Files) Fragment {
	key := strings.TrimPrefix(f.ID, primarySource+":")
	f.Source, f.Template = primarySource, CatalogTemplate+key
	f.Trust, f.Origin = TrustBuiltin, Position{File: catalogFiles + key + ".md", Line: 1, Column: 1}
	if w, ok := files.Wording[key]; ok {
		f.Trust, f.Origin = w.Trust, w.Origin
		if len(w.Runs) > 0 {
			f.Origin = w.Runs[0].Position
		}
	}
	return f
}

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
