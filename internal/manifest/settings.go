package manifest

import (
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/workspace"
)

// What is written becomes what is meant: the settings of a manifest, or of one
// with a target laid on it, key by key on the defaults.

// build turns what is written into what it means. It also checks a target on
// its own, so it says nothing of what only a whole manifest must have.
func build(d *strict.Decoder, f *settingsFile) *Manifest {
	m := Defaults()
	if a := f.Agent; a != nil {
		m.Agent = Agent{Name: textOf(a.Name, d.Trust), ExecutionPrompt: textOf(a.ExecutionPrompt, d.Trust)}
	}
	switch {
	case f.Instruction == nil:
	case f.Instruction.Value == off:
		m.Instruction = nil
	default:
		ref, err := parseRef(d, f.Instruction.Value, f.Instruction.Position())
		d.Report(err)
		m.Instruction = &Reference{Ref: ref, Position: f.Instruction.Position()}
	}
	if f.System != nil {
		if f.Instruction != nil {
			conflict(d, "system", f.System.Position(), "instruction", f.Instruction.Position(), "both say what the agent's main text is")
		}
		m.Instruction = nil
		m.Primary.System = textOf(f.System, d.Trust)
	}
	if h := f.Host; h != nil {
		m.Host = h.host()
	}
	if p := f.Primary; p != nil {
		m.Primary.MCPAdvisory, m.Primary.ProgressTool = textOf(p.MCPAdvisory, d.Trust), textOf(p.ProgressTool, d.Trust)
		m.Primary.LoopContract, m.Primary.ToolContract = textOf(p.LoopContract, d.Trust), textOf(p.ToolContract, d.Trust)
		m.Primary.ProgressToolName = strings.TrimSpace(p.ProgressToolName)
	}
	d.In("layers", func() { m.Layers = namedLayers(d, f.Layers, layer.WorkspaceRank) })
	d.In("fragments", func() {
		m.Fragments = fragments(d, f.Fragments, "manifest", true)
		m.Contracts, m.Notes = contractFiles(f.Fragments), contractNotes(f.Fragments)
	})
	if f.Tools != nil {
		m.Tools = f.Tools.Tools
	}
	d.In("caps", func() { m.Caps = caps(d, f.Caps) })
	if f.Scope != nil {
		if m.ScopeOff = f.Scope.off; !m.ScopeOff {
			scope := f.Scope.config(d)
			m.Scope = &scope
		}
	}
	if f.Project != nil {
		d.In("project", func() { m.Instructions = f.Project.instructions(d, m.Instructions) })
	}
	d.In("profile", func() { m.Profile = f.Profile.setting(d, true) })
	if f.Model != nil {
		m.Model, m.ModelAt = strings.TrimSpace(f.Model.Value), f.Model.Position()
		if _, ok := f.Model.Text(); ok && m.Model == "" {
			d.In("model", func() {
				d.Fail(f.Model.Position(), strict.WrongValue, "a blank name").Hint = "leave model out, or name one"
			})
		}
	}
	m.Wire = f.Wire.wire()
	d.In("models", func() { m.Models = modelEntries(d, f.Models) })
	if f.Replacement != nil {
		m.Replacement = &cento.Replacement{Text: *textOf(f.Replacement, d.Trust)}
		if _, ok := f.Replacement.Text(); ok && strings.TrimSpace(f.Replacement.Value) == "" {
			d.Fail(f.Replacement.Position(), cento.BlankReplacement, "the replacement is blank").
				Hint = "leave replacement out, or write the text that should stand instead"
		}
	}
	if f.Vars != nil {
		m.Vars, m.VarStability = f.Vars.json, f.Vars.stability
	}
	if f.PromptPack != nil {
		if _, ok := f.PromptPack.Text(); ok && strings.TrimSpace(f.PromptPack.Value) == "" {
			d.In("prompt_pack", func() {
				d.Fail(f.PromptPack.Position(), strict.WrongValue, "a blank path").Hint = "leave prompt_pack out, or name a file"
			})
		}
		m.PromptPack = &FileReference{Path: f.PromptPack.Value, Position: f.PromptPack.Position()}
	}
	d.In("packs", func() { m.Packs = packs(d, f.Packs) })
	m.Skills = f.Skills.settings()
	d.In("ignore", func() { m.Ignore = ignored(d, f.Ignore) })
	if m.Materialise = f.Materialise; f.Reminders != nil {
		d.In("reminders", func() { m.Reminders = f.Reminders.reminders(d) })
	}
	if f.Trust != nil && f.Trust.Policy != nil {
		m.Policy = f.Trust.Policy.Policy
	}
	d.In("budget", func() { m.Budget = f.Budget.budget(d) })
	if f.Limits != nil {
		d.In("limits", func() { m.Limits, m.limitsAt = f.Limits.tightened(d, m.Limits) })
	}
	return &m
}

// textOf is a text with its places; nil for none.
func textOf(t *text, trust cento.Trust) *cento.Text {
	if t == nil {
		return nil
	}
	return &cento.Text{Body: t.Value, Runs: t.Runs(trust), Trust: trust, Origin: t.Position()}
}

const noCapHint = "write the name of a capability, or take the item out"

// caps parts names that are set from those that are taken away.
func caps(d *strict.Decoder, list []text) Caps {
	var c Caps
	seen := make(map[string]bool, len(list)) // true: taken away
	for i := range list {
		name, removed := strings.CutPrefix(list[i].Value, "-")
		before, repeated := seen[name]
		switch {
		case strings.TrimSpace(name) == "":
			if _, ok := list[i].Text(); !ok {
				continue // of another kind, as was reported
			}
			d.InItem(i, func() { d.Fail(list[i].Position(), strict.WrongValue, "a capability without a name").Hint = noCapHint })
		case repeated && before != removed:
			d.InItem(i, func() {
				d.Fail(list[i].Position(), Conflict, "capability %q is both set and taken away", name).Hint = "keep one of the two"
			})
		case !repeated && removed:
			c.Remove, c.RemoveAt = append(c.Remove, name), append(c.RemoveAt, list[i].Position())
			seen[name] = true
		case !repeated:
			c.Set, c.SetAt = append(c.Set, name), append(c.SetAt, list[i].Position())
			seen[name] = false
		}
	}
	return c
}

// config is the scope as the workspace takes it.
func (s *scopeFile) config(d *strict.Decoder) workspace.ScopeConfig {
	return workspace.ScopeConfig{Allow: rules(d, s.Allow), Deny: rules(d, s.Deny), ShowDenied: s.ShowDenied}
}

func rules(d *strict.Decoder, list []scopeRuleFile) []workspace.ScopeRule {
	var out []workspace.ScopeRule
	for _, r := range list {
		out = append(out, workspace.ScopeRule{
			Target: r.Target.Value, Permission: workspace.Read + workspace.Permission(r.Permission), Recursive: r.Recursive,
			Position: r.Target.Position(), Trust: d.Trust,
		})
		if _, ok := r.Target.Text(); ok && strings.TrimSpace(r.Target.Value) == "" {
			d.Fail(r.Target.Position(), workspace.InvalidTarget, "a blank target").Hint = `the project itself is "."`
		}
	}
	return out
}

func (s *scopeFile) requireAllow(d *strict.Decoder) {
	if len(s.Allow) == 0 && !s.Position().IsZero() && (s.Allow != nil || !s.Has("allow")) {
		d.Fail(s.Position(), workspace.NoAllow, "the scope has no allow rule").
			Hint = "without one nothing may be read; add allow: [{target: ., permission: read}]"
	}
}

// instructions lays what is written on the defaults.
func (p *projectFile) instructions(d *strict.Decoder, i Instructions) Instructions {
	if p.Instructions != nil {
		i.Convention = p.Instructions.Value
		if err := workspace.CheckConvention(i.Convention); err != nil {
			d.In("instructions", func() {
				d.Fail(p.Instructions.Position(), workspace.UnknownConvention, "%s", err.Message).Hint = err.Hint
			})
		}
	}
	if p.Markers != nil {
		i.Markers = make([]string, len(p.Markers))
		for j, m := range p.Markers {
			i.Markers[j] = m.Value
			if _, ok := m.Text(); ok && (strings.TrimSpace(m.Value) == "" || strings.ContainsAny(m.Value, `/\`) || m.Value == "." || m.Value == "..") {
				d.In("markers", func() {
					d.InItem(j, func() {
						d.Fail(m.Position(), workspace.InvalidMarker, "expected the name of one file or folder, got %q", m.Value).Hint = "as in .git, or go.work"
					})
				})
			}
		}
	}
	if p.Limit != nil {
		i.Limit = p.Limit.Value
	}
	i.Imports = p.Imports
	return i
}

// tightened lowers the limits that hold, and tells where each was set. One that
// is higher is an error.
func (f *limitsFile) tightened(d *strict.Decoder, l cento.Limits) (cento.Limits, map[string]cento.Position) {
	at := map[string]cento.Position{}
	for _, c := range [...]struct {
		name  string
		asked *count
		limit *int
	}{{"file", f.File, &l.File}, {"prompt", f.Prompt, &l.Prompt}, {"fragments", f.Fragments, &l.Fragments}, {"nesting", f.Nesting, &l.Nesting}} {
		switch {
		case c.asked == nil:
		case c.asked.Value > *c.limit:
			d.In(c.name, func() {
				d.Fail(c.asked.Position(), Loosened, "%d is more than the %d that hold", c.asked.Value, *c.limit).
					Hint = "limits can only be lowered"
			})
		case c.asked.Value > 0:
			*c.limit = c.asked.Value
			at[c.name] = c.asked.Position()
		}
	}
	return l, at
}
