package lint

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Baseline are findings that were there when somebody began to check: only what comes
// to them is told. A finding is known by what it says and the file that it is in, not by
// its line, so that a change above it doesn't bring it back.
type Baseline struct {
	entries map[KnownFinding]int
}

// KnownFinding is what a baseline knows of a finding.
type KnownFinding struct {
	Code    cento.Code `json:"code"`
	File    string     `json:"file,omitempty"`
	ID      string     `json:"id,omitempty"`
	Message string     `json:"message"`
}

// newBaseline is one without findings.
func newBaseline() *Baseline { return &Baseline{entries: map[KnownFinding]int{}} }

// Len is how many findings stand in it.
func (b *Baseline) Len() int {
	n := 0
	for _, count := range b.entries {
		n += count
	}
	return n
}

// lines are the places that messages name; those change with every line above them.
var lines = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(:\d+){1,2}\b`) })

func known(f Finding) KnownFinding {
	return KnownFinding{f.Code, f.Position.File, f.ID, lines().ReplaceAllString(f.Message, "")}
}

// remaining are the findings that weren't met yet, with how many of each.
func (b *Baseline) remaining() map[KnownFinding]int {
	if b == nil {
		return map[KnownFinding]int{}
	}
	return maps.Clone(b.entries)
}

func stale(left map[KnownFinding]int) []KnownFinding {
	var out []KnownFinding
	for k, n := range left {
		if n > 0 {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, KnownFinding.compare)
	return out
}

func (k KnownFinding) compare(o KnownFinding) int {
	return cmp.Or(cmp.Compare(k.File, o.File), cmp.Compare(k.Code, o.Code), cmp.Compare(k.ID, o.ID), cmp.Compare(k.Message, o.Message))
}

// baselineFile is a baseline as it is stored.
type baselineFile struct {
	Version  int            `json:"version"`
	Findings []baselineItem `json:"findings"`
}

type baselineItem struct {
	Code    string `json:"code"`
	File    string `json:"file,omitempty"`
	ID      string `json:"id,omitempty"`
	Message string `json:"message"`
	Count   int    `json:"count,omitempty"`
}

// baselineVersion is that of the form; another one is refused.
const baselineVersion = 1

// ParseBaseline reads a baseline, JSON by a name for positions.
func ParseBaseline(name string, data []byte) (*Baseline, error) {
	return parseBaseline(name, data, cento.DefaultLimits())
}

// UnmarshalJSON reads a baseline as [ParseBaseline] does.
func (b *Baseline) UnmarshalJSON(data []byte) error {
	limits := cento.DefaultLimits()
	limits.File = max(limits.File, len(data))
	out, err := parseBaseline("", data, limits)
	if err != nil {
		return err
	}
	*b = *out
	return nil
}

func parseBaseline(name string, data []byte, limits cento.Limits) (*Baseline, error) {
	n, err := strict.JSON(name, data, limits)
	if err != nil {
		return nil, err
	}
	var d strict.Decoder
	var f baselineFile
	d.Decode(n, &f)
	if !d.Failed() && f.Version != baselineVersion {
		d.Fail(n.Position(), strict.Unsupported, "version %d of a baseline is not supported, only %d is", f.Version, baselineVersion)
	}
	b := newBaseline()
	for i, x := range f.Findings {
		if x.Count < 0 {
			d.InItem(i, func() { d.Fail(n.Position(), strict.WrongValue, "a count of %d", x.Count) })
		}
		b.entries[KnownFinding{cento.Code(x.Code), x.File, x.ID, x.Message}] += max(x.Count, 1)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return b, nil
}

// MarshalJSON gives the form that [ParseBaseline] reads, sorted.
func (b Baseline) MarshalJSON() ([]byte, error) {
	f := baselineFile{Version: baselineVersion, Findings: []baselineItem{}}
	for _, k := range slices.SortedFunc(maps.Keys(b.entries), KnownFinding.compare) {
		item := baselineItem{Code: string(k.Code), File: k.File, ID: k.ID, Message: k.Message}
		if n := b.entries[k]; n > 1 {
			item.Count = n
		}
		f.Findings = append(f.Findings, item)
	}
	return json.Marshal(f)
}
