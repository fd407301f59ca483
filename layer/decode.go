package layer

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/strict"
)

// Read reads a layer, JSON by the end `.json` of the name, else YAML. The name is
// the one shown in errors, the trust that of the place it was read from; limits
// that are 0 are the defaults. Everything that is wrong is returned at once,
// with the codes of the strict reader, [UnknownBuiltin] and [UnknownKind]. What
// depends on other layers is checked by [Resolve].
func Read(name string, data []byte, trust cento.Trust, limits cento.Limits) (Layer, error) {
	n, err := strict.Read(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return Layer{}, err
	}
	var l Layer
	d := strict.Decoder{Trust: trust}
	d.Decode(n, &l)
	if err := d.Err(); err != nil {
		return Layer{}, err
	}
	return l, nil
}

// UnmarshalJSON reads a layer of the host's own words, as strictly as [Read] does.
func (l *Layer) UnmarshalJSON(data []byte) error { return unmarshal(data, l) }

// UnmarshalJSON reads a section plan of the host's own words, as strictly as [Read] does.
func (t *Template) UnmarshalJSON(data []byte) error { return unmarshal(data, t) }

// UnmarshalJSON reads a section of the host's own words, as strictly as [Read] does.
func (s *Section) UnmarshalJSON(data []byte) error { return unmarshal(data, s) }

// UnmarshalJSON reads an entry of the host's own words, as strictly as [Read] does.
func (e *Entry) UnmarshalJSON(data []byte) error { return unmarshal(data, e) }

// UnmarshalJSON reads a patch of the host's own words, as strictly as [Read] does.
func (p *Patch) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }

// UnmarshalJSON reads a contribution of the host's own words, as strictly as [Read]
// does. It has to name its slot.
func (c *Contribution) UnmarshalJSON(data []byte) error {
	var out Contribution
	if err := unmarshal(data, &out); err != nil {
		return err
	}
	if out.Slot == "" {
		return withoutSlot()
	}
	*c = out
	return nil
}

// UnmarshalJSON reads what a layer does to a slot, in the host's own words, as
// strictly as [Read] does. Each contribution has to name its slot.
func (s *SlotLayer) UnmarshalJSON(data []byte) error {
	var f slotFile
	if err := unmarshal(data, &f); err != nil {
		return err
	}
	out := f.layer()
	for i := range out.Contributions {
		if out.Contributions[i].Slot == "" {
			return withoutSlot()
		}
	}
	*s = out
	return nil
}

// withoutSlot is the error of a contribution whose slot nothing names.
func withoutSlot() error {
	return &cento.SourceError{Code: strict.MissingKey, Message: `the key "slot" is missing`,
		Hint: `write "slot": "guidance", or the name of another slot`}
}

// UnmarshalJSON reads the key of a contribution.
func (r *Removal) UnmarshalJSON(data []byte) error {
	var key string
	if err := unmarshal(data, &key); err != nil {
		return err
	}
	*r = Removal{Key: key}
	return nil
}

// resolvedFile is a contribution in force: what a contribution has, and its layer.
type resolvedFile struct {
	contributionFile
	Layer string `json:"layer,omitempty"`
	Key   string `json:"key,omitempty"`
}

// UnmarshalJSON reads a contribution in force, as strictly as [Read] does.
func (r *Resolved) UnmarshalJSON(data []byte) error { return unmarshal(data, r) }

// read reads the contribution, its layer and its key.
func (r *Resolved) read(d *strict.Decoder, n *strict.Node) {
	var f resolvedFile
	d.Decode(n, &f)
	r.Contribution.from(d, n, &f.contributionFile)
	r.Layer, r.Key = f.Layer, f.Key
}

// How values are read that stand in larger files.
var (
	_ = strict.ReadBy((*Layer).read)
	_ = strict.ReadBy((*Contribution).read)
	_ = strict.ReadBy((*Resolved).read)
	_ = strict.ReadBy((*Template).read)
	_ = strict.ReadBy((*Section).read)
	_ = strict.ReadBy((*Entry).read)
	_ = strict.ReadBy((*Patch).read)
)

// unmarshal reads a value that was handed over without a file: its words are the host's.
func unmarshal[T any](data []byte, v *T) error { return strict.Unmarshal(data, cento.TrustHost, v) }

// The …File types are the objects as people write them.

type layerFile struct {
	strict.At
	Template *Template    `json:"template,omitempty"`
	Slots    *strict.Node `json:"slots,omitempty"`
	Patch    []Patch      `json:"patch,omitempty"`
}

// read reads the layer.
func (l *Layer) read(d *strict.Decoder, n *strict.Node) {
	var f layerFile
	d.Decode(n, &f)
	*l = Layer{Template: f.Template, Patches: f.Patch, Origin: n.Position()}
	if f.Slots == nil {
		return
	}
	d.In("slots", func() {
		if f.Slots.Kind() != strict.Map {
			d.Expected(f.Slots, strict.Map.String())
			return
		}
		for key, value := range f.Slots.Members() {
			if value.Kind() == strict.Null {
				continue
			}
			name, _ := key.Text()
			d.In(name, func() { l.setSlot(name, slotLayer(d, name, key, value)) })
		}
	})
}

type slotFile struct {
	strict.At
	Reset         bool                     `json:"reset,omitempty"`
	Remove        []strict.Located[string] `json:"remove,omitempty" names:"a contribution"`
	Contributions []Contribution           `json:"contributions,omitempty"`
}

func slotLayer(d *strict.Decoder, name string, key, n *strict.Node) SlotLayer {
	if !slotName(name) {
		d.Fail(key.Position(), strict.WrongValue, "a slot with the name %q", name).Hint = slotNameHint
	}
	var f slotFile
	d.Decode(n, &f)
	s := f.layer()
	s.Origin = key.Position()
	for i := range s.Contributions {
		if c := &s.Contributions[i]; c.Slot == "" {
			c.Slot = name
		}
	}
	return s
}

// layer is what was read, without the place of its key.
func (f *slotFile) layer() SlotLayer {
	s := SlotLayer{Reset: f.Reset, Contributions: f.Contributions}
	if f.Reset {
		s.ResetOrigin, _ = f.KeyPosition("reset")
	}
	for _, r := range f.Remove {
		s.Remove = append(s.Remove, Removal{r.Value, r.Position()})
	}
	return s
}

type contributionFile struct {
	strict.At
	Slot             *strict.Located[string]          `json:"slot,omitempty"`
	Title            *strict.Located[string]          `json:"title,omitempty"`
	Priority         int32                            `json:"priority,omitempty"`
	Gate             *gateFile                        `json:"gate,omitempty"`
	RequiresAnyTools *strict.Located[strict.NameList] `json:"requires_any_tools,omitempty" names:"a tool"`
	Content          *strict.Located[string]          `json:"content,omitempty" others:"text body prompt"`
	Template         *strict.Located[string]          `json:"template,omitempty" others:"file path"`
	ID               *strict.Located[string]          `json:"id,omitempty"`
	RequiresTools    strict.NameList                  `json:"requires_tools,omitempty" names:"a tool"`
	RequiresCaps     strict.NameList                  `json:"requires_caps,omitempty" names:"a capability"`
	When             *strict.Located[string]          `json:"when,omitempty" others:"if condition"`
	Importance       *strict.Node                     `json:"importance,omitempty"`
	Stability        cento.Stability                  `json:"stability,omitempty"`
	Protected        bool                             `json:"protected,omitempty"`
}

type gateFile struct {
	strict.At
	Tools strict.NameList `json:"tools,omitempty" names:"a tool"`
}

// read reads the contribution.
func (c *Contribution) read(d *strict.Decoder, n *strict.Node) {
	var f contributionFile
	d.Decode(n, &f)
	c.from(d, n, &f)
}

// from takes what was read.
func (c *Contribution) from(d *strict.Decoder, n *strict.Node, f *contributionFile) {
	*c = Contribution{
		Priority: f.Priority, RequiresTools: f.RequiresTools.Values(), RequiresCaps: f.RequiresCaps.Values(),
		Stability: f.Stability, Protected: f.Protected, Trust: d.Trust, Origin: n.Position(),
	}
	c.Title, c.TitleOrigin = title(f.Title)
	c.When, c.WhenOrigin, c.WhenRuns = strict.Condition(d, f.When)
	if f.Slot != nil {
		c.Slot = f.Slot.Value
		notBlank(d, "slot", f.Slot)
	}
	if f.ID != nil {
		c.ID = f.ID.Value
		notBlank(d, "id", f.ID)
	}
	if f.Importance != nil {
		d.In("importance", func() { c.Importance = importance(d, f.Importance) })
	}
	var gate strict.NameList
	switch {
	case f.Gate != nil && f.RequiresAnyTools != nil:
		d.Fail(f.RequiresAnyTools.Position(), strict.WrongValue, "gate and requires_any_tools are the same, and both are given").
			Hint = "keep one of the two"
	case f.Gate != nil:
		gate = f.Gate.Tools
	case f.RequiresAnyTools != nil:
		gate = f.RequiresAnyTools.Value
	}
	c.RequiresAnyTools = gate.Values()
	c.GatesOrigin = strict.GateOrigins(f.RequiresTools, gate, f.RequiresCaps)
	switch {
	case f.Content != nil && f.Template != nil:
		d.Fail(f.Template.Position(), strict.WrongValue, "a contribution has either content or a template, not both").
			Hint = "keep one of the two"
	case f.Content != nil:
		c.Content, c.Runs = f.Content.Value, f.Content.Runs(d.Trust)
	case f.Template != nil:
		c.Template, c.TemplateOrigin = f.Template.Value, f.Template.Position()
		notBlank(d, "template", f.Template)
	case n.Kind() == strict.Map && !f.Misspelt(d, "content") && !f.Misspelt(d, "template"):
		d.Fail(n.Position(), strict.MissingKey, "the key %q is missing", "content").
			Hint = `a contribution has content, or template with the reference of a prompt file; one without text is written content: ""`
	}
}

func notBlank(d *strict.Decoder, key string, s *strict.Located[string]) {
	if foldSpace(s.Value) == "" && !s.Position().IsZero() {
		d.In(key, func() {
			d.Fail(s.Position(), strict.WrongValue, "expected a name, got %q", s.Value).Hint = "leave " + key + " out, or give it a value"
		})
	}
}

func importance(d *strict.Decoder, n *strict.Node) cento.Importance {
	if s, ok := n.Text(); ok && s == cento.Required.String() {
		return cento.Required
	}
	var i int
	if v, ok := n.Int(); ok && int64(int(v)) == v {
		i = int(v)
	} else {
		d.Expected(n, `a whole number or "required"`).Hint = "the lower the number, the sooner it is left out; required never is"
	}
	return cento.ImportanceOf(i)
}

type templateFile struct {
	strict.At
	Sections []Section `json:"sections"`
}

// read reads the section plan.
func (t *Template) read(d *strict.Decoder, n *strict.Node) {
	var f templateFile
	d.Decode(n, &f)
	*t = Template{Sections: f.Sections, Origin: n.Position()}
}

type sectionFile struct {
	strict.At
	Title   *strict.Located[string] `json:"title,omitempty"`
	Entries []Entry                 `json:"entries,omitempty"`
}

// read reads the section.
func (s *Section) read(d *strict.Decoder, n *strict.Node) {
	var f sectionFile
	d.Decode(n, &f)
	*s = Section{Entries: f.Entries, Trust: d.Trust, Origin: n.Position()}
	s.Title, s.TitleOrigin = title(f.Title)
}

// title is a title with the place where its words begin.
func title(t *strict.Located[string]) (*string, cento.Position) {
	if t == nil {
		return nil, cento.Position{}
	}
	return &t.Value, t.Words()
}

type textFile struct {
	strict.At
	Kind    string                 `json:"kind"`
	Content strict.Located[string] `json:"content"`
}

type builtinFile struct {
	strict.At
	Kind    string                 `json:"kind"`
	Builtin strict.Located[string] `json:"builtin"`
}

type slotEntryFile struct {
	strict.At
	Kind string                 `json:"kind"`
	Slot strict.Located[string] `json:"slot"`
}

// read reads the entry: a map whose kind says what its other key is.
func (e *Entry) read(d *strict.Decoder, n *strict.Node) {
	*e = Entry{Trust: d.Trust, Origin: n.Position()}
	kind, ok := choice(d, n, "kind", entryKinds, entryForms)
	if !ok {
		return
	}
	switch e.Kind = EntryKind(kind); e.Kind {
	case TextEntry:
		var f textFile
		d.Decode(n, &f)
		e.Value, e.Runs = f.Content.Value, f.Content.Runs(d.Trust)
	case BuiltinEntry:
		var f builtinFile
		d.Decode(n, &f)
		e.Value = f.Builtin.Value
		if s, ok := f.Builtin.Text(); ok && !slices.Contains(anyBuiltin, s) {
			d.In("builtin", func() {
				d.Fail(f.Builtin.Position(), UnknownBuiltin, "unknown builtin %q", s).Hint = strict.UnknownHint(s, anyBuiltin)
			})
		}
	case SlotEntry:
		var f slotEntryFile
		d.Decode(n, &f)
		e.Value = f.Slot.Value
		if s, ok := f.Slot.Text(); ok && !slotName(s) {
			d.In("slot", func() { d.Fail(f.Slot.Position(), strict.WrongValue, "a slot with the name %q", s).Hint = slotNameHint })
		}
	}
}

// The forms are entries and patches as they can be written, by the kind or operation.
var (
	entryForms = []string{"{kind: text, content: TEXT}", "{kind: builtin, builtin: NAME}", "{kind: slot, slot: NAME}"}
	patchForms = []string{
		"{op: insert_section, after: TITLE OF A SECTION, section: {title: TITLE, entries: [{kind: slot, slot: NAME}]}}",
		"{op: insert_entry, section: TITLE OF A SECTION, after: NAME OF A SLOT OR BUILTIN IN IT, entry: {kind: slot, slot: NAME}}",
	}
)

// choice reads a member that is one of a closed list of names, each with the form that
// the map has then.
func choice(d *strict.Decoder, n *strict.Node, key string, names, forms []string) (int, bool) {
	if n.Kind() != strict.Map {
		d.Expected(n, strict.Map.String())
		return 0, false
	}
	_, v := n.Member(key)
	if v == nil {
		withoutChoice(d, n, key, names, forms)
		return 0, false
	}
	at := -1
	d.In(key, func() {
		s, ok := v.Text()
		if at = slices.Index(names, s); !ok {
			at = -1
			d.Expected(v, strict.Text.String())
		} else if at < 0 {
			d.Fail(v.Position(), UnknownKind, "unknown %s %q", key, s).Hint = strict.UnknownHint(s, names)
		}
	})
	return at, at >= 0
}

// withoutChoice reports a map that doesn't say what it is. Where one of the names stands
// as a key, that is what is meant, and it is told there.
func withoutChoice(d *strict.Decoder, n *strict.Node, key string, names, forms []string) {
	for k := range n.Members() {
		got, _ := k.Text()
		if _, near := nearest.Name(got, []string{key}); near {
			e := d.Unknown(k, []string{key})
			e.Meant = key
			return
		}
		if i := slices.Index(names, got); i >= 0 {
			d.Fail(k.Position(), strict.MissingKey, "the key %q is missing, which says what this is; %q is a value of it", key, names[i]).
				Hint = "write " + forms[i]
			return
		}
	}
	d.Fail(n.Position(), strict.MissingKey, "the key %q is missing", key).Hint = "write " + strings.Join(forms, ", or ")
}

type insertSectionFile struct {
	anchorFile
	Section Section `json:"section"`
}

type insertEntryFile struct {
	anchorFile
	Section strict.Located[string] `json:"section"`
	Entry   Entry                  `json:"entry"`
}

type anchorFile struct {
	strict.At
	Op     string                  `json:"op"`
	Before *strict.Located[string] `json:"before,omitempty"`
	After  *strict.Located[string] `json:"after,omitempty"`
}

// read reads the patch: a map whose op says what its other keys are.
func (p *Patch) read(d *strict.Decoder, n *strict.Node) {
	*p = Patch{Origin: n.Position()}
	op, ok := choice(d, n, "op", patchOps, patchForms)
	if !ok {
		return
	}
	switch p.Op = PatchOp(op); p.Op {
	case InsertSection:
		var f insertSectionFile
		d.Decode(n, &f)
		p.NewSection = f.Section
		p.anchor(d, n, &f.anchorFile)
	case InsertEntry:
		var f insertEntryFile
		d.Decode(n, &f)
		p.Section, p.sectionAt, p.NewEntry = f.Section.Value, f.Section.Position(), f.Entry
		p.anchor(d, n, &f.anchorFile)
	}
}

// place is what before and after name.
func (p *Patch) place() string {
	if p.Op == InsertSection {
		return "TITLE OF A SECTION"
	}
	return "NAME OF A SLOT OR BUILTIN OF THE SECTION"
}

func (p *Patch) anchor(d *strict.Decoder, n *strict.Node, f *anchorFile) {
	switch {
	case f.Before != nil && f.After != nil:
		d.Fail(f.After.Position(), strict.WrongValue, "before and after are both given").Hint = "keep one of the two"
	case f.Before != nil:
		p.Anchor, p.anchorAt = f.Before.Value, f.Before.Position()
	case f.After != nil:
		p.Anchor, p.anchorAt, p.After = f.After.Value, f.After.Position(), true
	default:
		d.Fail(n.Position(), strict.MissingKey, "the key %q or %q is missing", "before", "after").
			Hint = "name the place that the new one goes to, as in after: " + p.place()
	}
}
