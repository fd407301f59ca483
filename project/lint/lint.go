package lint

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
)

// Finding is one thing that a check found.
type Finding struct {
	Code     cento.Code     `json:"code"`
	Severity cento.Severity `json:"severity"`
	Position cento.Position `json:"position"`
	// Path is the file of Position from the root of the project, where that names a prompt
	// file of it by its reference; else empty.
	Path string `json:"path,omitempty"`
	// ID is the fragment or the prompt file that it is about; empty for the
	// project as a whole.
	ID      string `json:"id,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	// Related are the other parties, each with what it has to do with it.
	Related []cento.Related `json:"related,omitempty"`
	// Targets are those that it holds for, when it doesn't hold for all; the
	// manifest without target is the empty name.
	Targets []string `json:"targets,omitempty"`
	// Ignored is the reason for which the manifest accepts it; empty when it
	// doesn't.
	Ignored string `json:"ignored,omitempty"`
	// Fix is how it can be mended; nil where somebody has to decide.
	Fix *Fix `json:"fix,omitempty"`
	// More is how many further findings of the code aren't listed one by one: a
	// check lists 100.
	More int `json:"more,omitempty"`

	proposal *proposal
}

// Check looks for one kind of finding.
type Check struct {
	Code     cento.Code
	Severity cento.Severity
	// Doc says in a sentence what is found, and why it matters.
	Doc string

	// prompt is asked about each prompt, while it is at hand.
	prompt func(s *subject, t *target, report func(Finding)) error
	// whole is asked once, when all prompts were seen.
	whole func(s *subject, report func(Finding))
	// ofAll: what whole says is about the prompts of all targets, so that it isn't asked
	// where one alone is looked at.
	ofAll bool
}

// Options say what checks can ask about beside the project.
type Options struct {
	// Exists tells whether there is a file or folder at a path that a text
	// mentions, or may be when the project is built or run; nil: paths aren't
	// looked at.
	Exists func(mentioned string) bool
	// Text gives a file that may be changed, byte for byte, by the name that positions
	// have; false for any other. Nil: findings have no fixes.
	Text func(file string) (string, bool)
	// TestNames are the notes on names in the tests of the project that nothing knows;
	// nil: tests aren't looked at.
	TestNames func() ([]cento.Note, error)
	// Baseline are findings that aren't told; nil for none.
	Baseline *Baseline
}

// Report is what checks found in a project.
type Report struct {
	// Findings are ordered by place, code and message.
	Findings []Finding
	// Targets are the prompts that were looked at, the empty name for that of the
	// manifest without target. Those that fail are findings.
	Targets []string
	// Project is the manifest without target, without the texts of its prompt.
	Project *project.Project
	// Known is how many findings stand in the baseline and aren't listed, and Stale
	// which of the baseline weren't found: they are gone, unless a prompt wasn't looked
	// at.
	Known int
	Stale []KnownFinding
	// Baseline are all findings that could stand in one: those of checks that the
	// manifest doesn't accept.
	Baseline *Baseline
}

// maxListed is how many findings of one code are listed one by one.
const maxListed = 100

// Run reads a project with its targets, or with one alone when the request names
// it, and asks the checks, all of [Checks] if none is given; of one alone it isn't asked
// what only all prompts tell, such as that nothing reads a variable. Prompts are looked
// at one after the other and let go. What fails is a finding: a target whose
// prompt can't be made, a prompt file that doesn't compile. A manifest that can't
// be read is an error.
func Run(ctx context.Context, site project.Site, r project.Request, o Options, checks ...Check) (*Report, error) {
	if len(checks) == 0 {
		checks = Checks()
	}
	base, err := site.OpenPrompts(ctx, r)
	if err != nil {
		return nil, err
	}
	s := newSubject(base, o)
	s.unsure = r.Target != ""
	if r.Lister == nil || r.Servers != project.AskServers {
		s.atOnce = min(runtime.GOMAXPROCS(0), mostAtOnce)
	}
	if err := s.openFiles(); err != nil {
		return nil, err
	}
	s.names = []string{r.Target}
	if r.Target == "" {
		s.names = append(s.names, base.Targets()...)
		s.alike = base.PlainTargets()
	}
	if err := s.eachTarget(ctx, s.distinct(), (*subject).survey); err != nil {
		return nil, err
	}
	err = s.eachTarget(ctx, s.seen, func(s *subject, t *target) error {
		defer func() { t.traces = nil }()
		for _, c := range checks {
			if c.prompt == nil {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err // somebody who types has no use for the rest
			}
			if err := c.prompt(s, t, s.reporter(c, t)); err != nil {
				return fmt.Errorf("check %s: %w", c.Code, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if o.TestNames != nil && r.Target == "" {
		if s.testNames, err = o.TestNames(); err != nil {
			return nil, err
		}
	}
	for _, c := range checks {
		if c.whole != nil && (r.Target == "" || !c.ofAll) {
			c.whole(s, s.reporter(c, nil))
		}
	}
	report := &Report{Targets: s.all(s.seen), Project: base, Baseline: newBaseline()}
	report.Findings = s.findings(checks, report)
	return report, nil
}

// target is one prompt.
type target struct {
	name    string
	project *project.Project
	prompt  *cento.Prompt

	traces []cento.Trace              // while checks look at the prompt; nil before they are asked for
	told   []mention                  // nil before they are looked for
	asks   map[string]map[string]bool // tools that a prompt file asks for, by file; nil before
}

// trace is what became of the prompt's fragments, without reasons for each gate.
func (t *target) trace() []cento.Trace {
	if t.traces == nil {
		t.traces = t.prompt.Traces(cento.ExplainOptions{})
	}
	return t.traces
}

// keptFragments and keptBytes are how many fragments the prompts have together that stay
// at hand between the first look and the second, and how long they are; the first one
// stays in any case. Others are made again: most projects have fewer, and none can fill the
// memory.
const (
	keptFragments = 8 << 10
	keptBytes     = 4 << 20
)

// maxBytes and maxFragments are how long the prompts of a project are together that are
// looked at, and how many fragments they have: so many targets may name one long file, or
// decide about so many fragments, that nobody would wait for the end. A fragment takes
// about ten microseconds in each target.
const (
	maxBytes     = 16 << 20
	maxFragments = 128 << 10
)

// mostAtOnce is how many prompts are made at the same time.
const mostAtOnce = 4

// ahead makes prompts that are asked for one after the other while others are looked
// at. Where servers are asked for their tools it makes one at a time, so that none is
// asked twice.
type ahead struct {
	s      *subject
	ctx    context.Context
	names  []string
	coming []chan func() (*target, error) // by name; nil for one that is at hand
}

func (a *ahead) target(i int) (*target, error) {
	for len(a.coming) < min(len(a.names), i+a.s.atOnce) {
		name := a.names[len(a.coming)]
		if a.s.kept[name] != nil {
			a.coming = append(a.coming, nil)
			continue
		}
		made := make(chan func() (*target, error), 1)
		a.coming = append(a.coming, made)
		go func() {
			defer func() {
				if p := recover(); p != nil { // it is for whoever asks
					made <- func() (*target, error) { panic(p) }
				}
			}()
			t, err := a.s.open(a.ctx, name)
			made <- func() (*target, error) { return t, err }
		}()
	}
	if t := a.s.kept[a.names[i]]; t != nil {
		return t, nil
	}
	made := a.coming[i]
	a.coming[i] = nil
	return (<-made)()
}

// done waits for those that nobody asked for.
func (a *ahead) done() {
	for _, made := range a.coming {
		if made != nil {
			<-made
		}
	}
}

// eachTarget looks at prompts, one after the other. Those that fail are findings,
// the first time, and so are those that aren't looked at for [maxBytes].
func (s *subject) eachTarget(ctx context.Context, names []string, inspect func(*subject, *target) error) error {
	first := s.seen == nil
	bytes, fragments := 0, 0
	ctx, stop := context.WithCancel(ctx)
	made := ahead{s: s, ctx: ctx, names: names}
	defer made.done()
	defer stop()
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if first && (bytes > maxBytes || fragments > maxFragments) {
			s.unseen(names[i:], bytes > maxBytes)
			break
		}
		t, err := made.target(i)
		if err != nil {
			if first {
				s.failed++
				err = s.fail(err, name)
			}
			if err != nil {
				return err
			}
			continue
		}
		if first {
			s.seen = append(s.seen, name)
			text, _ := t.prompt.System()
			bytes, fragments = bytes+len(text), fragments+t.prompt.Len()
			if len(s.kept) == 0 || bytes <= keptBytes && fragments <= keptFragments {
				s.kept[name] = t
			}
		}
		if err := inspect(s, t); err != nil {
			return err
		}
	}
	return nil
}

// distinct are the names of the prompts, of those that are alike the first alone.
func (s *subject) distinct() []string {
	if len(s.alike) < 2 {
		return s.names
	}
	gone := setOf(s.alike[1:])
	return slices.DeleteFunc(slices.Clone(s.names), func(name string) bool { return gone[name] })
}

// all adds the prompts that are like one of these, in the order of the manifest.
func (s *subject) all(names []string) []string {
	if len(s.alike) < 2 || !slices.Contains(names, s.alike[0]) {
		return names
	}
	is := setOf(slices.Concat(names, s.alike))
	return slices.DeleteFunc(slices.Clone(s.names), func(name string) bool { return !is[name] })
}

// unseen is the finding that targets weren't looked at.
func (s *subject) unseen(names []string, long bool) {
	most := fmt.Sprintf("%d fragments", maxFragments)
	if long {
		most = fmt.Sprintf("%d bytes", maxBytes)
	}
	f := Finding{
		Code: cento.Code(cento.LimitExceeded), Severity: cento.SeverityError, Position: s.project.TargetPosition(names[0]),
		Message: fmt.Sprintf("the target %q isn't checked: the prompts before it have more than %s together", names[0], most),
		Hint:    "check targets one at a time: `cento check --target NAME`",
	}
	if more := len(s.all(names)) - 1; more > 0 {
		f.Message = fmt.Sprintf("the target %q and %d after it aren't checked: the prompts before it have more than %s together", names[0], more, most)
	}
	s.unsure = true
	s.add(f)
}

func (s *subject) open(ctx context.Context, name string) (*target, error) {
	p, err := s.project.Target(ctx, name)
	if err != nil {
		return nil, err
	}
	prompt, err := p.Reduce(p.Input)
	return &target{name: name, project: p, prompt: prompt}, err
}

// openFiles reads the prompt files of the project, the user, the packs and the host.
func (s *subject) openFiles() error {
	loader := s.project.Loader()
	for _, prefix := range loader.Prefixes() {
		if _, own := s.project.Input.Files.Prefixes[string(prefix)]; prefix == pack.Builtin && !own {
			continue
		}
		refs, err := loader.List(prefix)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			f, err := loader.Open(ref, cento.Position{File: ref.Path()})
			if err == nil {
				s.files = append(s.files, f)
			} else if err := s.fail(err, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// fail keeps the errors of an input as findings; others are returned.
func (s *subject) fail(err error, target string) error {
	list := cento.SourceErrors(err)
	if list == nil {
		return err
	}
	s.unsure = true
	for _, e := range list {
		f, p := failed(e)
		f.proposal = p
		s.add(f, target)
	}
	return nil
}

// failed is an error as a finding, and what would mend it.
func failed(e *cento.SourceError) (Finding, *proposal) {
	message := strings.TrimPrefix(e.Error(), e.Position.String()+": ")
	f := Finding{Code: cento.Code(e.Code), Severity: cento.SeverityError, Position: e.Position, Message: message, Hint: e.Hint, Related: e.Related}
	changes := misspelt(e)
	if len(changes) == 0 {
		return f, nil
	}
	return f, &proposal{file: changes[0].At.File, changes: changes}
}

// reporter takes the findings of a check, whose code and severity are the
// check's own.
func (s *subject) reporter(c Check, t *target) func(Finding) {
	return func(f Finding) {
		f.Code, f.Severity = c.Code, c.Severity
		targets := f.Targets
		f.Targets = nil
		if t != nil {
			targets = []string{t.name}
		}
		s.add(f, targets...)
	}
}

// foundKey is what two findings that are one have in common.
type foundKey struct {
	position cento.Position
	code     cento.Code
	id       string
	message  string
}

// add keeps a finding, with those that differ in their targets alone as one.
func (s *subject) add(f Finding, targets ...string) {
	key := foundKey{f.Position, f.Code, f.ID, f.Message}
	i, there := s.found[key]
	if !there {
		i = len(s.list)
		s.found[key] = i
		s.list = append(s.list, f)
	}
	for _, t := range targets {
		// Targets come in one order, so that a second time is the last.
		if have := s.list[i].Targets; len(have) == 0 || have[len(have)-1] != t {
			s.list[i].Targets = append(have, t)
		}
	}
}

// findings is what was found, in order, without what stands in the baseline, and with
// at most [maxListed] of each code.
func (s *subject) findings(checks []Check, report *Report) []Finding {
	of := map[cento.Code]bool{}
	for _, c := range checks {
		of[c.Code] = true
	}
	for i := range s.list {
		// What fails can't be accepted: there is no prompt.
		if of[s.list[i].Code] {
			s.list[i].Ignored = s.ignored(s.list[i])
		}
	}
	out := s.together(s.list)
	for i := range out {
		if len(out[i].Targets) >= len(s.seen)+s.failed { // of all that were tried
			out[i].Targets = nil
		}
		out[i].Targets = s.all(out[i].Targets)
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(a.Position.Compare(b.Position), strings.Compare(string(a.Code), string(b.Code)), strings.Compare(a.ID, b.ID), strings.Compare(a.Message, b.Message))
	})
	left := s.Options.Baseline.remaining()
	out = slices.DeleteFunc(out, func(f Finding) bool {
		if !of[f.Code] || f.Ignored != "" {
			return false
		}
		k := known(f)
		report.Baseline.entries[k]++
		if left[k] == 0 {
			return false
		}
		left[k]--
		report.Known++
		return true
	})
	if !s.unsure {
		report.Stale = stale(left)
	}
	kept := []Finding{}
	type class struct {
		code    cento.Code
		ignored string
	}
	count, last := map[class]int{}, map[class]int{}
	for _, f := range out {
		c := class{f.Code, f.Ignored}
		if count[c]++; count[c] > maxListed {
			kept[last[c]].More++
			continue
		}
		last[c] = len(kept)
		kept = append(kept, f)
	}
	x := newFixer(s.Text)
	for i := range kept {
		if s.may(kept[i]) {
			kept[i].Fix = x.fix(kept[i].proposal)
		}
	}
	return kept
}

// together merges findings that differ only in the fragment, or in the name of a file that
// links give several. It keeps the name without a link, or else the first.
func (s *subject) together(list []Finding) []Finding {
	type key struct {
		position                 cento.Position
		code                     cento.Code
		id, message, acceptedFor string
	}
	type file struct {
		real   string
		linked bool
	}
	files := map[string]file{}
	out := make([]Finding, 0, len(list))
	first := map[key]int{}
	for _, f := range list {
		name := f.Position.File
		if _, known := files[name]; !known {
			real, linked := s.project.RealPath(name)
			files[name] = file{real, linked}
		}
		k := key{f.Position, f.Code, f.ID, f.Message, f.Ignored}
		k.position.File = files[name].real
		if k.position.Line > 0 {
			k.id = ""
		}
		i, there := first[k]
		if !there {
			first[k] = len(out)
			out = append(out, f)
			continue
		}
		one := &out[i]
		f.Targets = s.union(one.Targets, f.Targets)
		if files[one.Position.File].linked && (!files[name].linked || name < one.Position.File) {
			*one = f
		}
		one.Targets = f.Targets
	}
	return out
}

// union is the targets of two findings, in the order of the manifest; none stands for all.
func (s *subject) union(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	is := setOf(slices.Concat(a, b))
	return slices.DeleteFunc(slices.Clone(s.names), func(name string) bool { return !is[name] })
}

// ignored is the reason for which the manifest accepts a finding.
func (s *subject) ignored(f Finding) string {
	for _, i := range s.project.Ignored() {
		if i.Code == string(f.Code) && (i.ID == "" || i.ID == f.ID) {
			return i.Reason
		}
	}
	return ""
}

// Failed reports whether one of the findings is an error. What is accepted doesn't
// count.
func Failed(found []Finding) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Ignored == "" && f.Severity == cento.SeverityError })
}

// FailedStrictly is [Failed] with warnings counted too. No note counts.
func FailedStrictly(found []Finding) bool {
	return Failed(found) || slices.ContainsFunc(found, func(f Finding) bool { return f.Ignored == "" && f.Severity == cento.SeverityWarning })
}
