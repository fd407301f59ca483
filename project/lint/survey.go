package lint

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// subject is what checks look at: the project, and what all of its prompts have
// to say together. Prompts themselves come and go.
type subject struct {
	Options
	project  *project.Project
	files    []*pack.File // of the project, the user and the packs
	atOnce   int          // how many prompts are made at the same time
	names    []string     // of the prompts, in the order of the manifest
	alike    []string     // those of them whose prompts are one: the first is made for all
	requests requests
	// seen are the names of the prompts that could be made; nil before the first
	// look.
	seen []string
	// failed is how many could not be.
	failed int
	kept   map[string]*target
	// unsure: there are prompts that weren't looked at, so that something may be read
	// though nothing was found that reads it.
	unsure bool
	// testNames are the notes that [Options.TestNames] gave.
	testNames []cento.Note

	list  []Finding
	found map[foundKey]int

	// tools are those that some target defines, or names as active.
	tools map[string]bool
	// caps are those that some target has.
	caps map[string]bool
	// takenAway are those that the manifest takes away, with for how many prompts.
	takenAway map[string]int
	// asks are the tools that gates, conditions and prompt files ask for, as they
	// were met, with the targets.
	asks  []ask
	asked map[ask][]string
	// mentionable are the names of all these; nil before they are asked for.
	mentionable names
	// paths are those that texts tell of, and whether they are there.
	paths map[string]bool
	// opened are the prompt files that fragments name, by the name in positions.
	opened map[string]*pack.File
	// variables are those that the manifest and its targets declare; condVars
	// those that conditions read.
	variables map[string]cento.Position
	condVars  map[string]bool
	// agents are the names of the agent, and whether anything reads them, by their places.
	agents map[cento.Position]bool
	// fragments are the ids of those of all prompts.
	fragments map[string]bool
	// allowed are the rules of scopes that allow something, by their places, which are in
	// their order in allowedAt.
	allowed   map[cento.Position]*allowed
	allowedAt []cento.Position
	// told are the tools that the texts of fragments tell of, by the place of each.
	told map[cento.Position]map[string]bool
	// verdicts are those on fragments by id, in their order.
	verdicts map[string]*verdict
	order    []string
	// othersImports are the notes on imports that other clients don't find, by the first prompt.
	othersImports []cento.Note
	// attempts are the conditions that were tried, and whether each contradicts its gates.
	attempts map[attempt]bool
}

// ask is a place that asks for a tool.
type ask struct {
	tool, id string
	at       cento.Position
}

// allowed is a rule that allows something: whether it does so in any prompt, and else those
// that have it, and what takes it away in the first.
type allowed struct {
	gives   bool
	targets []string
	void    workspace.VoidRule
}

// verdict is what became of a fragment in all prompts.
type verdict struct {
	// at is where the gate stands that keeps it out, see [placeOf].
	at cento.Position
	// reason and code are those of the prompt in which least keeps it out: the
	// budget that keeps the most, else the gate that is asked last, else the first.
	reason    string
	code      cento.Code
	met       int    // how many of the names that the gate requires are there before the first that isn't
	missing   string // that one, where the gate names what is missing
	staysFrom int    // the least budget that keeps it, where a budget keeps it out
	exact     bool   // the model counts it so
	target    string // where that is enough
	in        bool
}

// gatesAsked are the gates of a fragment in the order in which they are asked.
var gatesAsked = []cento.Code{cento.CodeToolMissing, cento.CodeToolNone, cento.CodeCapMissing, cento.CodeWhenFalse}

func newSubject(p *project.Project, o Options) *subject {
	return &subject{
		Options: o, project: p, atOnce: 1, kept: map[string]*target{}, found: map[foundKey]int{},
		tools: map[string]bool{}, caps: map[string]bool{}, takenAway: map[string]int{}, asked: map[ask][]string{}, opened: map[string]*pack.File{},
		agents: map[cento.Position]bool{}, fragments: map[string]bool{}, allowed: map[cento.Position]*allowed{}, variables: p.Variables(), condVars: map[string]bool{}, paths: map[string]bool{}, told: map[cento.Position]map[string]bool{}, verdicts: map[string]*verdict{}, attempts: map[attempt]bool{},
	}
}

// survey gathers what checks need to know of all prompts before they look at one.
func (s *subject) survey(t *target) error {
	in := &t.project.Input
	for _, tool := range in.Tools {
		s.tools[tool.Name] = true
	}
	for _, name := range in.ActiveTools() {
		s.tools[name] = true
	}
	for _, name := range in.Active.Caps {
		s.caps[name] = true
	}
	for _, name := range t.project.CapsTakenAway() {
		s.takenAway[name]++
	}
	for _, f := range t.project.Files() {
		if path := f.Ref().Path(); s.opened[path] == nil {
			s.opened[path] = f
		}
	}
	for name, at := range t.project.Variables() {
		if _, there := s.variables[name]; !there {
			s.variables[name] = at
		}
	}
	if len(s.seen) == 1 {
		s.othersImports = t.project.ImportsOfOthers()
	}
	s.judge(t)
	s.allow(t)
	s.agent(t)
	return s.gates(t)
}

// allow keeps which rules of a prompt's scope allow something. Only those that somebody wrote
// have a place.
func (s *subject) allow(t *target) {
	if t.project.Scope == nil {
		return
	}
	void := map[cento.Position]workspace.VoidRule{}
	for _, v := range t.project.Scope.VoidRules() {
		void[v.Allow.Position] = v
	}
	for _, r := range t.project.Scope.Rules() {
		if r.Effect != workspace.Allow || r.Position.IsZero() {
			continue
		}
		a := s.allowed[r.Position]
		v, is := void[r.Position]
		if a == nil {
			a = &allowed{void: v}
			s.allowed[r.Position] = a
			s.allowedAt = append(s.allowedAt, r.Position)
		}
		a.gives = a.gives || !is
		a.targets = append(a.targets, t.name)
	}
}

// agent keeps whether a prompt has the agent's name. A condition and a text that is worded
// anew read it where they have the word: they may for another set of tools.
func (s *subject) agent(t *target) {
	at := t.setting("agent", "name")
	if at.IsZero() {
		return
	}
	reads := s.agents[at]
	for span := range t.prompt.AllSpans() {
		reads = reads || span.Var == "agent.name"
	}
	for i := range t.prompt.Len() {
		f := t.prompt.Fragment(i)
		reads = reads || strings.Contains(f.When, "agent")
	}
	for _, text := range t.project.Input.Files.Wording {
		reads = reads || strings.Contains(text.Body, "agent")
	}
	s.agents[at] = reads
}

// judge keeps the verdicts on the fragments of a prompt. Parts that the program
// brings along and blank ones are no mistake when they are out.
func (s *subject) judge(t *target) {
	caps, tools := setOf(t.project.Input.Active.Caps), setOf(t.project.Input.ActiveTools())
	for i := range t.prompt.Len() {
		f := t.prompt.Fragment(i)
		s.fragments[f.ID] = true
		if f.Trust == cento.TrustBuiltin || t.prompt.Code(i) == cento.CodeBodyEmpty || t.prompt.Code(i) == cento.CodeOverridden {
			continue
		}
		v := s.verdicts[f.ID]
		if v == nil {
			v = &verdict{at: placeOf(&f, t.prompt.Code(i), ""), reason: t.prompt.Reason(i), code: t.prompt.Code(i)}
			s.verdicts[f.ID] = v
			s.order = append(s.order, f.ID)
		}
		v.in = v.in || t.prompt.In(i)
		// The gates are open where a budget is all that keeps it out.
		if code := t.prompt.Code(i); code != cento.CodeBudgetDropped {
			names, there := []string(nil), tools
			switch code {
			case cento.CodeToolMissing:
				names = f.RequiresTools
			case cento.CodeToolNone:
				names = f.RequiresAnyTools // none of which is there
			case cento.CodeCapMissing:
				names, there = f.RequiresCaps, caps
			}
			met := slices.IndexFunc(names, func(name string) bool { return !there[name] })
			asked, was := slices.Index(gatesAsked, code), slices.Index(gatesAsked, v.code)
			if was >= 0 && (asked > was || asked == was && met >= 0 && (v.missing == "" || met > v.met)) {
				v.reason, v.code, v.met, v.missing = t.prompt.Reason(i), code, met, ""
				if met >= 0 {
					v.missing = names[met]
				}
				v.at = placeOf(&f, code, v.missing)
			}
			continue
		}
		if n := t.prompt.Trace(i, cento.ExplainOptions{}).Budget.StaysFrom; v.staysFrom == 0 || n < v.staysFrom {
			v.missing, v.at = "", f.Origin
			v.reason, v.code, v.staysFrom, v.exact, v.target = t.prompt.Reason(i), t.prompt.Code(i), n, t.prompt.Budget().RequestExact(), t.name
		}
	}
}

// placeOf is where the gate stands that keeps a fragment out: the name of what is missing, or
// the condition. Else it is that of the fragment.
func placeOf(f *cento.Fragment, code cento.Code, missing string) cento.Position {
	names := f.GateTools()
	switch code {
	case cento.CodeToolMissing, cento.CodeToolNone:
	case cento.CodeCapMissing:
		names = f.GateCaps()
	case cento.CodeWhenFalse:
		return cmp.Or(f.WhenOrigin, f.Origin)
	}
	for name, at := range names {
		if name == missing {
			return at
		}
	}
	return f.Origin
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// gates keeps the tools that the gates and conditions of a prompt ask for, and the
// variables that conditions read.
func (s *subject) gates(t *target) error {
	for i := range t.prompt.Len() {
		f := t.prompt.Fragment(i)
		for name, at := range f.GateTools() {
			s.ask(ask{name, f.ID, at}, t.name)
		}
		if f.When == "" {
			continue
		}
		c, err := t.project.Condition(&f)
		if err != nil {
			return err
		}
		for _, use := range c.Asks("tool") {
			s.ask(ask{use.Name, f.ID, use.Position}, t.name)
		}
		for _, name := range c.Variables() {
			s.condVars[name] = true
		}
	}
	return nil
}

func (s *subject) ask(a ask, target string) {
	targets, there := s.asked[a]
	if !there {
		s.asks = append(s.asks, a)
	}
	if len(targets) == 0 || targets[len(targets)-1] != target {
		s.asked[a] = append(targets, target)
	}
}

// allFiles are the prompt files that can be named and those that fragments do, by
// name.
func (s *subject) allFiles() []*pack.File {
	all := map[string]*pack.File{}
	for path, f := range s.opened {
		all[path] = f
	}
	for _, f := range s.files {
		all[f.Ref().Path()] = f
	}
	out := make([]*pack.File, 0, len(all))
	for _, path := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[path])
	}
	return out
}
