package layer

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
)

// Builtins are the words of the builtins. They are the caller's to find: most
// are texts that users may reword.
type Builtins struct {
	MainAgentIntro cento.Text
	// ExecutionInstructions is the caller's own; blank when it has none.
	ExecutionInstructions cento.Text
	// CoreGuidance is one list in parts, so that the trace says why a line of it
	// is in. Those after the first are joined to the one before by one line end.
	CoreGuidance []Part
	// Instruction is the agent's main text, whose id is [cento.SystemID]; nil when
	// there is none. Only its text and gates count. It is of no layer unless it is the
	// program's own.
	Instruction *cento.Fragment
}

// Part is a part of a builtin with a gate of its own.
type Part struct {
	ID            string // core_guidance, core_guidance.ask, …
	Text          cento.Text
	RequiresTools []string
}

// parts are the parts of a builtin; one at least.
func (b *Builtins) parts(name string) []Part {
	switch name {
	case MainAgentIntro:
		return []Part{{ID: name, Text: b.MainAgentIntro}}
	case ExecutionInstructions:
		return []Part{{ID: name, Text: b.ExecutionInstructions}}
	}
	if len(b.CoreGuidance) == 0 {
		return []Part{{ID: name}}
	}
	return b.CoreGuidance
}

// InstructionSource is the source of the fragment of the agent's main text.
const InstructionSource = "primary"

// The sources of the other compiled fragments.
const (
	builtinSource  = "builtin"
	templateSource = "template"
	slotSource     = "slot:"
)

// Compile gives the fragments of the resolution in declaration order: the
// section plan with the contributions in their slots, then, excluded, what was
// taken out or has no place, by layer from low to high, slot name and
// declaration. Conditions and prompt files are handed on; the reducer needs an
// engine for them.
//
// Ids are `builtin:<name>`, [cento.SystemID] for the instruction, `text:<section>.<entry>` counted from 0, and
// `slot:<slot>/<key>`. A slot or builtin that is placed a second time gets `@2`,
// an id that is taken `~2`.
func (r *Resolution) Compile(b Builtins) []cento.Fragment {
	c := compiler{
		r: r, builtins: b,
		placed: make(map[string]int),
		taken:  make(map[string]struct{}, len(r.items)+4*len(r.plan)),
		out:    make([]cento.Fragment, 0, len(r.items)+4*len(r.plan)),
	}
	for i := range r.items {
		if it := &r.items[i]; it.out == "" {
			c.taken[it.id] = struct{}{}
		}
	}
	for i, s := range r.plan {
		for j, e := range s.entries {
			c.entry(i, j, s, e)
		}
	}
	c.homeless()
	c.excluded()
	return c.out
}

type compiler struct {
	r        *Resolution
	builtins Builtins
	placed   map[string]int // how often, by slot or builtin
	taken    map[string]struct{}
	next     map[string]int
	out      []cento.Fragment
}

func (it *item) source() string { return it.id[:len(slotSource)+len(it.slot)] }

func (it *item) key() string { return it.id[len(slotSource)+len(it.slot)+1:] }

// claim makes an id unique.
func (c *compiler) claim(id string) string {
	if _, taken := c.taken[id]; taken {
		id = numbered(id, &c.next, func(s string) bool {
			_, taken := c.taken[s]
			return taken
		})
	}
	c.taken[id] = struct{}{}
	return id
}

// again is the ending of the ids of a slot or builtin that is placed once more.
func again(times int) string {
	if times < 2 {
		return ""
	}
	return "@" + strconv.Itoa(times)
}

func (c *compiler) entry(i, j int, s *plannedSection, e plannedEntry) {
	at := cento.Fragment{Section: s.heading, SectionIndex: i + 1}
	if s.heading != "" {
		at.SectionFrom = s.from
	}
	switch e.Kind {
	case TextEntry:
		c.out = append(c.out, c.text(at, e, textID(i, j)))
	case BuiltinEntry:
		c.placed[builtinPlace(e.Value)]++
		c.builtin(at, e, again(c.placed[builtinPlace(e.Value)]))
	case SlotEntry:
		c.placed[slotSource+e.Value]++
		times := c.placed[slotSource+e.Value]
		for _, n := range c.r.ordered(e.Value) {
			it := &c.r.items[n]
			id := it.id
			if times > 1 {
				id = c.claim(id + again(times))
			}
			c.out = append(c.out, c.contribution(at, it, id))
		}
	}
}

func builtinPlace(name string) string { return builtinSource + ":" + name }

func textID(section, entry int) string {
	return "text:" + strconv.Itoa(section) + "." + strconv.Itoa(entry)
}

func (c *compiler) text(f cento.Fragment, e plannedEntry, id string) cento.Fragment {
	f.ID, f.Source, f.Layer = c.claim(id), templateSource, c.r.layerName(e.layer)
	f.Body, f.Runs, f.Trust, f.Origin = e.Value, e.Runs, e.Trust, e.Origin
	return f
}

func (c *compiler) builtin(f cento.Fragment, e plannedEntry, ending string) {
	f.Source, f.Layer = builtinSource, c.r.layerName(e.layer)
	if e.Value == Instruction {
		if in := c.builtins.Instruction; in != nil {
			main := *in
			main.ID, main.Source, main.Layer, main.Excluded = c.claim(cento.SystemID+ending), InstructionSource, "", f.Excluded
			if in.Trust == cento.TrustBuiltin { // else nobody's but that of who wrote it: the plan has the place alone
				main.Layer = f.Layer
			}
			main.Section, main.SectionFrom, main.SectionIndex = f.Section, f.SectionFrom, f.SectionIndex
			c.out = append(c.out, main)
		}
		return
	}
	for k, p := range c.builtins.parts(e.Value) {
		f.ID, f.Tight, f.RequiresTools = c.claim(builtinPlace(p.ID)+ending), k > 0, p.RequiresTools
		f.Body, f.Runs, f.Trust, f.Origin, f.Stability = p.Text.Body, p.Text.Runs, p.Text.Trust, p.Text.Origin, p.Text.Stability
		c.out = append(c.out, f)
	}
}

func (c *compiler) contribution(f cento.Fragment, it *item, id string) cento.Fragment {
	f.ID, f.Source, f.Layer = id, it.source(), c.r.layerName(it.layer)
	f.RequiresTools, f.RequiresAnyTools, f.RequiresCaps = it.RequiresTools, it.RequiresAnyTools, it.RequiresCaps
	f.GatesOrigin = it.GatesOrigin
	f.When, f.WhenOrigin, f.WhenRuns = it.When, it.WhenOrigin, it.WhenRuns
	f.Body, f.Runs = it.Content, it.Runs
	f.Template, f.TemplateOrigin = it.Template, it.TemplateOrigin
	f.Importance, f.Stability, f.Protected = it.Importance, it.Stability, it.Protected
	f.Trust, f.Origin = it.Trust, it.Origin
	if it.Title != nil {
		f.Title, f.TitleOrigin = *it.Title, it.TitleOrigin
	}
	return f
}

// homeless places what is protected and has no slot in the plan: behind it,
// under no heading, by slot name and then as in a slot.
func (c *compiler) homeless() {
	at := cento.Fragment{SectionIndex: len(c.r.plan) + 1}
	for _, slot := range slices.Sorted(maps.Keys(c.r.slots)) {
		if c.placed[slotSource+slot] > 0 {
			continue
		}
		for _, n := range c.r.ordered(slot) {
			if it := &c.r.items[n]; it.Protected {
				c.out = append(c.out, c.contribution(at, it, it.id))
			}
		}
	}
}

func (c *compiler) excluded() {
	for _, x := range c.r.lost() {
		excluded := &cento.Exclusion{Code: x.code, By: x.by, Layer: x.layer, Origin: x.at}
		switch {
		case x.item != nil:
			f := c.contribution(cento.Fragment{}, x.item, c.lostID(x.item))
			f.Excluded = excluded
			c.out = append(c.out, f)
		case x.entry.Kind == TextEntry:
			c.out = append(c.out, c.text(cento.Fragment{Excluded: excluded}, x.entry.plannedEntry, textID(x.entry.section, x.entry.entry)))
		default:
			// Without words there is nothing to miss.
			first := len(c.out)
			c.builtin(cento.Fragment{Excluded: excluded}, x.entry.plannedEntry, "")
			c.out = append(c.out[:first], slices.DeleteFunc(c.out[first:], func(f cento.Fragment) bool {
				return strings.TrimSpace(f.Body) == "" && f.Template == ""
			})...)
		}
	}
}

// lostID is the id of a contribution that isn't in the plan: its own unless
// another has it by now.
func (c *compiler) lostID(it *item) string {
	_, taken := c.taken[it.id]
	switch {
	case it.out == "": // without a place, it still holds its id
		return it.id
	case taken:
		return c.claim(it.source() + "/" + keyOf(it.Contribution, c.r.layerName(it.layer), it.index))
	}
	return c.claim(it.id)
}

// ordered lists what is in force in a slot, by priority; equal ones keep the
// order of their layers and of declaration, or that of a merge.
func (r *Resolution) ordered(slot string) []int32 {
	s := r.slots[slot]
	if s == nil {
		return nil
	}
	if r.merged {
		return s.live
	}
	list := slices.Clone(s.live)
	slices.SortStableFunc(list, func(a, b int32) int {
		return int(int64(r.items[a].Priority) - int64(r.items[b].Priority))
	})
	return list
}

// loss is something that is not in the plan, and who is responsible.
type loss struct {
	item  *item
	entry droppedEntry
	code  cento.Code
	by    string
	layer string         // whose template took its slot away
	at    cento.Position // where that is said
}

// lost lists what was taken out or has no place: by layer, slot name and
// declaration. Texts and builtins of a replaced plan precede what their layer
// contributed.
func (r *Resolution) lost() []loss {
	placed := make(map[string]bool)
	for _, s := range r.plan {
		for _, e := range s.entries {
			if e.Kind == SlotEntry {
				placed[e.Value] = true
			}
		}
	}
	entries := r.lostEntries()
	out := make([]loss, 0, len(entries))
	for i := range r.items {
		it := &r.items[i]
		x := loss{item: it, code: it.out}
		switch {
		case it.out == cento.CodeDuplicate:
			x.by, x.at = r.items[it.by].id, r.items[it.by].Origin
		case it.out != "":
			x.by, x.at = r.layerName(it.by), it.outAt
		case !placed[it.slot] && !it.Protected:
			x.code, x.by = cento.CodeSlotUnplaced, it.slot
			for _, u := range slices.Backward(r.unplaced) {
				if u.slot == it.slot {
					x.layer, x.at = r.layerName(u.by), u.at
					break
				}
			}
		default:
			continue
		}
		for len(entries) > 0 && entries[0].layer <= it.layer {
			out = append(out, r.entryLoss(entries[0]))
			entries = entries[1:]
		}
		out = append(out, x)
	}
	for _, e := range entries {
		out = append(out, r.entryLoss(e))
	}
	return out
}

func (r *Resolution) entryLoss(e droppedEntry) loss {
	return loss{entry: e, code: cento.CodeLayerReplaced, by: r.layerName(e.by), at: e.at}
}

// lostEntries are the texts and builtins of replaced plans that the plan in
// force doesn't have, each once, as the last plan had it.
func (r *Resolution) lostEntries() []droppedEntry {
	if len(r.dropped) == 0 {
		return nil
	}
	type word struct {
		kind  EntryKind
		value string
	}
	seen := make(map[word]bool)
	for _, s := range r.plan {
		for _, e := range s.entries {
			seen[word{e.Kind, strings.TrimSpace(e.Value)}] = true
		}
	}
	var out []droppedEntry
	for _, e := range slices.Backward(r.dropped) {
		w := word{e.Kind, strings.TrimSpace(e.Value)}
		if !seen[w] {
			seen[w] = true
			out = append(out, e)
		}
	}
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b droppedEntry) int { return int(a.layer - b.layer) })
	return out
}
