package manifest

import (
	"path"
	"regexp"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/wire"
)

// The types of this file are tests as they are written.

// caseFile is a test.
type caseFile struct {
	strict.At
	Name        text              `json:"name" jsonschema:"Name of the test, which no other of the project has."`
	Target      *text             `json:"target,omitempty" jsonschema:"The target that it is about; default the manifest without one. Excludes targets."`
	Targets     *targetsFile      `json:"targets,omitempty" jsonschema:"The targets that it is about: a list, or all for every target and the manifest without one. It runs once for each."`
	With        *withFile         `json:"with,omitempty" jsonschema:"What is different from what the project's files say."`
	Matrix      *matrixFile       `json:"matrix,omitempty" jsonschema:"Keys of with and the values that they take: it runs once for each combination."`
	Contains    *wordsFile        `json:"contains,omitempty" jsonschema:"Texts that stand in the prompt; white space is folded."`
	NotContains *wordsFile        `json:"not_contains,omitempty" jsonschema:"Texts that don't stand in the prompt; white space is folded."`
	Matches     *wordsFile        `json:"matches,omitempty" jsonschema:"Regular expressions (RE2) that match somewhere in the exact prompt."`
	NotMatches  *wordsFile        `json:"not_matches,omitempty" jsonschema:"Regular expressions (RE2) that match nowhere in the exact prompt."`
	Included    *wordsFile        `json:"included,omitempty" jsonschema:"Ids of fragments that are in the prompt, or globs: then all of their fragments are."`
	Excluded    *excludedFile     `json:"excluded,omitempty" jsonschema:"Ids of fragments that are out, or globs; or a map of these to the code of the reason."`
	Order       *wordsFile        `json:"order,omitempty" jsonschema:"Ids of fragments that stand in the prompt in this order."`
	MaxTokens   *mostFile         `json:"max_tokens,omitempty" jsonschema:"How many tokens the prompt has at most."`
	MaxBytes    *mostFile         `json:"max_bytes,omitempty" jsonschema:"How many bytes the prompt has at most."`
	MaxTokensOf *mostOfFile       `json:"max_tokens_of,omitempty" jsonschema:"How many tokens fragments have at most together, by id or glob."`
	SamePrefix  *samePrefixFile   `json:"same_prefix,omitempty" jsonschema:"The prompt begins as another one does, so that a prompt cache holds."`
	Wire        *wireCaseFile     `json:"wire,omitempty" jsonschema:"What the prompt is as the request of a provider."`
	Golden      *text             `json:"golden,omitempty" jsonschema:"Path of a file with the exact prompt, from the file of the test."`
	Truth       *text             `json:"truth,omitempty" jsonschema:"Path of a CSV file with what became of each fragment in each run, from the file of the test."`
	Error       *text             `json:"error,omitempty" jsonschema:"Code of the error that assembling gives; nothing else is looked at then."`
	Findings    *findingsCaseFile `json:"findings,omitempty" jsonschema:"Codes of everything that cento check finds, or none."`
}

// samePrefixFile compares the beginnings of two prompts.
type samePrefixFile struct {
	strict.At
	As      withFile `json:"as" jsonschema:"What is different on the other side. Keys that aren't given are as in with."`
	Through *text    `json:"through,omitempty" jsonschema:"Id of a fragment: both are equal up to its end."`
	Bytes   *count   `json:"bytes,omitempty" jsonschema:"For how many bytes both are equal."`
}

// wireCaseFile is what a request has to be.
type wireCaseFile struct {
	strict.At
	Provider *wire.Form `json:"provider,omitempty" jsonschema:"Form of the request; default that of the manifest, else of the model."`
	Golden   *text      `json:"golden,omitempty" jsonschema:"Path of a file with the exact body, from the file of the test."`
	Losses   *wordsFile `json:"losses,omitempty" jsonschema:"Codes of everything that the form can't say, each once; an empty list: nothing is lost."`
}

// wordsFile is one text, or a list of them.
type wordsFile struct {
	list []text
	at   cento.Position
}

func (w *wordsFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	w.at = n.Position()
	if n.Kind() != strict.List {
		w.list = make([]text, 1)
		d.Decode(n, &w.list[0])
		return
	}
	d.Decode(n, &w.list)
}

// targetsFile is a list of targets, or all.
type targetsFile struct {
	words wordsFile
	all   bool
}

func (t *targetsFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if s, ok := n.Text(); ok && s == "all" {
		t.all = true
		return
	}
	d.Decode(n, &t.words)
}

// excludedFile is a list of ids, or a map of them to codes.
type excludedFile struct{ list []Excluded }

func (x *excludedFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map {
		var words wordsFile
		d.Decode(n, &words)
		for _, s := range said(d, &words) {
			x.list = append(x.list, Excluded{Said: s})
		}
		return
	}
	for key, value := range n.Members() {
		id, _ := key.Text()
		var code text
		d.In(id, func() { d.Decode(value, &code) })
		x.list = append(x.list, Excluded{Said{id, key.Position()}, code.Value})
	}
}

// mostFile is an upper bound.
type mostFile struct{ strict.Located[int] }

func (m *mostFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	m.Located.DecodeNode(d, n)
	if v, ok := n.Int(); ok && v < 0 {
		d.Fail(n.Position(), strict.WrongValue, "expected a number from 0 up, got %d", v)
	}
}

func (m *mostFile) most() *Most {
	if m == nil {
		return nil
	}
	return &Most{Said{Position: m.Position()}, m.Value}
}

// mostOfFile are upper bounds by id or glob.
type mostOfFile struct{ list []Most }

func (m *mostOfFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map {
		d.Expected(n, "a map of ids to numbers of tokens")
		return
	}
	for key, value := range n.Members() {
		id, _ := key.Text()
		var f mostFile
		d.In(id, func() { d.Decode(value, &f) })
		m.list = append(m.list, Most{Said{id, key.Position()}, f.Value})
	}
}

// findingsCaseFile is none, or a list of codes.
type findingsCaseFile struct {
	words wordsFile
	at    cento.Position
}

func (f *findingsCaseFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	f.at = n.Position()
	if s, ok := n.Text(); ok {
		if s != "none" {
			d.Expected(n, "none, or a list of codes")
		}
		return
	}
	d.Decode(n, &f.words.list)
}

// said are texts with their places; blank ones are refused.
func said(d *strict.Decoder, w *wordsFile) []Said {
	if w == nil {
		return nil
	}
	out := []Said{}
	for i := range w.list {
		t := &w.list[i]
		if s, ok := t.Text(); ok && strings.TrimSpace(s) == "" {
			d.InItem(i, func() {
				d.Fail(t.Position(), strict.WrongValue, "a blank text").Hint = "take it out, or say what it is"
			})
			continue
		}
		out = append(out, Said{t.Value, t.Position()})
	}
	return out
}

// expressions are regular expressions, which have to be some.
func expressions(d *strict.Decoder, w *wordsFile) []Said {
	list := said(d, w)
	for _, x := range list {
		if _, err := regexp.Compile(x.Text); err != nil {
			d.Fail(x.Position, strict.WrongValue, "%s", strings.TrimPrefix(err.Error(), "error parsing regexp: ")).Hint = "regular expressions are those of RE2; put them between single quotes"
		}
	}
	return list
}

// caseFileReference is a file that a test names.
func caseFileReference(d *strict.Decoder, key string, t *text) *FileReference {
	if t == nil {
		return nil
	}
	name := t.Value
	bad := func(hint, format string, args ...any) {
		d.In(key, func() { d.Fail(t.Position(), strict.WrongValue, format, args...).Hint = hint })
	}
	switch _, ok := t.Text(); {
	case !ok:
	case strings.TrimSpace(name) == "":
		bad("leave "+key+" out, or name a file", "a blank path")
	case path.IsAbs(name) || strings.ContainsAny(name, "\\\x00") || strings.HasSuffix(name, "/"):
		bad("as in goldens/reviewer.txt", "%q is no path of a file from that of the test", name)
	}
	return &FileReference{Path: path.Clean(name), Position: t.Position()}
}

// cases checks tests as people write them.
func cases(d *strict.Decoder, files []caseFile) []Case {
	out := make([]Case, len(files))
	for i := range files {
		d.InItem(i, func() { out[i] = files[i].build(d) })
	}
	return out
}

// build is what is written, as the program holds it.
func (f *caseFile) build(d *strict.Decoder) Case {
	before := d.Failures()
	c := Case{Name: f.Name.Value, Position: f.Name.Position()}
	if s, ok := f.Name.Text(); ok && strings.TrimSpace(s) == "" {
		d.In("name", func() {
			d.Fail(f.Name.Position(), strict.WrongValue, "a blank name").Hint = "say what has to be so, as in ci has no todo"
		})
	}
	switch {
	case f.Target != nil && f.Targets != nil:
		at := f.Target.Position()
		if again, ok := f.At.KeyPosition("targets"); ok {
			conflict(d, "target", at, "targets", again, "both say what the test is about")
		}
	case f.Target != nil:
		c.Targets = []Said{{notBlankText(d, "target", f.Target), f.Target.Position()}}
	case f.Targets != nil:
		c.AllTargets = f.Targets.all
		d.In("targets", func() { c.Targets = said(d, &f.Targets.words) })
		if !c.AllTargets && len(c.Targets) == 0 && d.Failures() == before {
			at, _ := f.At.KeyPosition("targets")
			d.In("targets", func() {
				d.Fail(at, strict.WrongValue, "an empty list").Hint = "leave targets out for the manifest without one"
			})
		}
	}
	if f.With != nil {
		d.In("with", func() { c.With = f.With.with(d) })
	}
	if f.Matrix != nil {
		c.Matrix = f.Matrix.axes
	}
	for _, x := range []struct {
		key  string
		from *wordsFile
		to   *[]Said
		read func(*strict.Decoder, *wordsFile) []Said
	}{
		{"contains", f.Contains, &c.Contains, said}, {"not_contains", f.NotContains, &c.NotContains, said},
		{"matches", f.Matches, &c.Matches, expressions}, {"not_matches", f.NotMatches, &c.NotMatches, expressions},
		{"included", f.Included, &c.Included, said}, {"order", f.Order, &c.Order, said},
	} {
		if x.from != nil {
			d.In(x.key, func() { *x.to = x.read(d, x.from) })
		}
	}
	if f.Excluded != nil {
		c.Excluded = f.Excluded.list
	}
	c.MaxTokens, c.MaxBytes = f.MaxTokens.most(), f.MaxBytes.most()
	if f.MaxTokensOf != nil {
		c.MaxTokensOf = f.MaxTokensOf.list
	}
	d.In("same_prefix", func() { c.SamePrefix = f.SamePrefix.build(d) })
	d.In("wire", func() { c.Wire = f.Wire.build(d) })
	c.Golden, c.Truth = caseFileReference(d, "golden", f.Golden), caseFileReference(d, "truth", f.Truth)
	if f.Error != nil {
		c.Error = &Said{notBlankText(d, "error", f.Error), f.Error.Position()}
	}
	if f.Findings != nil {
		d.In("findings", func() { c.Findings = &Findings{said(d, &f.Findings.words), f.Findings.at} })
		f.plainFindings(d, &c)
	}
	if d.Failures() == before {
		f.assertsSomething(d, &c)
	}
	f.countRuns(d, &c)
	return c
}

// plainFindings refuses what checks can't be asked about: they look at a target as
// it stands.
func (f *caseFile) plainFindings(d *strict.Decoder, c *Case) {
	axes := map[string]cento.Position{}
	for _, a := range c.Matrix {
		if len(a.Values) > 0 {
			axes[a.Key] = a.Values[0].With.At(a.Key)
		}
	}
	for _, key := range []string{"tools", "without_tools", "caps", "without_caps"} {
		at := c.With.At(key)
		if at.IsZero() {
			at = axes[key]
		}
		if !at.IsZero() {
			conflict(d, "findings", c.Findings.Position, key, at, "checks look at the prompt of a target as it stands, so give "+key+" in a target")
		}
	}
}

// assertionKeys are the keys of a case that say what has to be so.
var assertionKeys = []string{
	"contains", "not_contains", "matches", "not_matches", "included", "excluded", "order", "max_tokens", "max_bytes", "max_tokens_of",
	"same_prefix", "wire", "golden", "truth", "error", "findings",
}

func (f *caseFile) assertsSomething(d *strict.Decoder, c *Case) {
	n := len(c.Contains) + len(c.NotContains) + len(c.Matches) + len(c.NotMatches) + len(c.Included) + len(c.Excluded) + len(c.Order) + len(c.MaxTokensOf)
	if n > 0 || c.MaxTokens != nil || c.MaxBytes != nil || c.SamePrefix != nil || c.Wire != nil || c.Golden != nil || c.Truth != nil || c.Error != nil || c.Findings != nil {
		return
	}
	known := 0
	for _, key := range append([]string{"name", "target", "targets", "with", "matrix"}, assertionKeys...) {
		if f.Has(key) {
			known++
		}
	}
	if known < f.Len() {
		return // an assertion was meant by a key that isn't known, as was told
	}
	d.Fail(f.Name.Position(), NoAssertion, "the test %q asserts nothing", c.Name).Hint = "say what has to be so: " + strings.Join(assertionKeys, ", ")
}

func (f *caseFile) countRuns(d *strict.Decoder, c *Case) {
	n := 1
	for _, a := range c.Matrix {
		if n *= max(len(a.Values), 1); n > maxRuns {
			d.Fail(f.Name.Position(), cento.LimitExceeded, "the matrix of the test %q has more than %d combinations", c.Name, maxRuns).Hint = "split it, or take values out"
			return
		}
	}
}

func (f *samePrefixFile) build(d *strict.Decoder) *SamePrefix {
	if f == nil {
		return nil
	}
	s := &SamePrefix{Through: notBlankText(d, "through", f.Through), Position: f.Position()}
	d.In("as", func() { s.As = f.As.with(d) })
	switch {
	case f.Through != nil && f.Bytes != nil:
		conflict(d, "through", f.Through.Position(), "bytes", f.Bytes.Position(), "both say how far the prompts are equal")
	case f.Bytes != nil:
		s.Bytes, s.Limit = f.Bytes.Value, f.Bytes.Position()
	case f.Through != nil:
		s.Limit = f.Through.Position()
	case !f.Position().IsZero():
		d.Fail(f.Position(), strict.MissingKey, "the key %q is missing", "through").Hint = "say how far the prompts are equal: through a fragment, or for so many bytes"
	}
	return s
}

func (f *wireCaseFile) build(d *strict.Decoder) *WireCase {
	if f == nil {
		return nil
	}
	w := &WireCase{Form: f.Provider, Golden: caseFileReference(d, "golden", f.Golden), Position: f.Position()}
	d.In("losses", func() { w.Losses = said(d, f.Losses) })
	if f.Losses != nil {
		w.LossesPosition = f.Losses.at
	}
	if f.Golden == nil && f.Losses == nil && !f.Position().IsZero() {
		d.Fail(f.Position(), strict.MissingKey, "the key %q is missing", "golden").Hint = "say what the request has to be: golden, or losses: []"
	}
	return w
}
