package app

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/wire/cache"
)

// What became of requests in the prompt cache.
type (
	CacheReport     = cache.Report
	CachePrediction = cache.Prediction
	CacheMark       = cache.Mark
	// InputBilled is what a provider billed of the input of one request.
	InputBilled    = wire.Usage
	CacheCause     = cache.Cause
	CacheHint      = cache.Hint
	CacheDeviation = cache.Deviation
	CacheReason    = cache.Reason
)

// MarkDiffers: what stands before a mark was never sent before as a whole.
const MarkDiffers = cache.WhyDiffers

// InvalidUsage: what a provider is said to have billed is no usage of any form.
const InvalidUsage = wire.InvalidUsage

// Why a provider may have read something else than its rules say.
const (
	CacheOtherReplica = cache.OtherReplica
	CacheEvicted      = cache.Evicted
	CacheOverdue      = cache.Overdue
	CacheFraming      = cache.Framing
	CacheConversation = cache.Conversation
	CacheSentBefore   = cache.SentBefore
)

// CacheOptions say how prompts are set beside each other.
type CacheOptions struct {
	WireOptions
	// Price stands instead of that of the models; nil for theirs.
	Price *cento.ModelPrice
	// Model is the one that is asked where a record or a body names none that is known;
	// empty for none.
	Model string
}

// CacheRow takes prompts in the order in which they are, or would be, sent.
type CacheRow struct {
	o    CacheOptions
	row  *cache.Analysis
	base wire.Request // what the manifest says of requests
	form bool         // it says the form
	// models are those of the project.
	models *model.Catalog
	n      int
	// Of the prompt that is added next what was billed and what was sent; nil where
	// nobody told.
	billed *wire.Usage
	sent   *session.SentRequest
}

// newCacheRow begins a row. Where no conversation is named its requests have none: a turn
// that only stands for one would be counted, and priced, and could bring a prompt over the
// least that is kept.
func newCacheRow(o CacheOptions) *CacheRow {
	o.Partial = o.Partial || len(o.Messages) == 0
	return &CacheRow{o: o, row: cache.New(cache.Options{Price: o.Price, Reduce: pack.Reduce})}
}

// NewCacheRow begins a row of prompts of a project, or of what was recorded there.
func NewCacheRow(site Site, r Request, o CacheOptions) (*CacheRow, error) {
	out := newCacheRow(o)
	var err error
	if out.models, err = site.Models(r); err == nil {
		out.base, out.form, err = site.WireRequest(r)
	}
	return out, err
}

// CacheRow begins a row of prompts of an open project.
func (p *Project) CacheRow(o CacheOptions) (*CacheRow, error) {
	out := newCacheRow(o)
	var err error
	out.base, out.form, err = p.WireRequest(cento.Input{}, nil)
	return out, err
}

// Cache tells what became of the turns of a session in the prompt cache. The errors are
// [store.UnknownSession], and [TooFew] where it has a turn alone.
func (s *Sessions) Cache(ctx context.Context, id string, o CacheOptions) (*CacheReport, error) {
	if _, err := s.Show(ctx, id); err != nil {
		return nil, err
	}
	row, err := NewCacheRow(s.site, s.request, o)
	if err != nil {
		return nil, err
	}
	if err := row.Session(ctx, &Log{s.store, s.of, s.asked}, id, nil); err != nil {
		return nil, err
	}
	return row.Report()
}

// Prompt adds a prompt of a project that is made of an input.
func (c *CacheRow) Prompt(name string, p *Project, in cento.Input) error {
	in = p.InForm(in, c.o.Form)
	prompt, err := p.Reduce(in)
	if err != nil {
		return err
	}
	return c.add(name, time.Time{}, in, prompt)
}

// add adds a prompt with what it was made of.
func (c *CacheRow) add(name string, at time.Time, in cento.Input, prompt *cento.Prompt) error {
	r, chosen := c.base, c.form
	r.Model, r.Prompt, r.Tools, r.Active = in.Model, prompt, in.Tools, append([]string{}, in.ActiveTools()...)
	counter := CounterOf(in)
	if r.Model == nil && c.o.Model != "" {
		m, _ := c.models.Lookup(c.o.Model)
		r.Model = &m
		counter, _, _ = CountBy(c.o.Model, "")
	}
	if !chosen && r.Model != nil {
		chosen = r.Form.UnmarshalText([]byte(r.Model.Wire)) == nil
	}
	var blocks []wire.Block
	if x := c.sent; x != nil && (c.o.Form == "" || c.o.Form == x.Form.String()) {
		r.Form, r.Cache, r.Sections, chosen, blocks = x.Form, x.Cache, x.Sections, true, x.Blocks
	}
	if err := c.o.into(&r, chosen); err != nil {
		return err
	}
	r.Counter = counter
	return c.step(cache.Step{Name: name, At: at, Request: r, Input: &in, Blocks: blocks})
}

func (c *CacheRow) step(s cache.Step) error {
	c.n++
	s.Billed = c.billed
	_, err := c.row.Add(s)
	return err
}

// Record adds a prompt that was recorded. It is made again of what was recorded with
// it.
func (c *CacheRow) Record(ctx context.Context, l *Log, ref RecordRef) error {
	r, err := l.replayed(ctx, ref)
	if err != nil {
		return err
	}
	return c.add(r.ref().String(), r.record.At, r.input, r.prompt)
}

// Session adds the prompts of all turns of a session; of one that has none, all that
// were recorded under its name. Of a turn that asked for its request in the form that is
// meant, that one is set beside the others, with the digests of its conversation; of
// others, tools and system prompts are. progress may be nil.
func (c *CacheRow) Session(ctx context.Context, l *Log, id string, progress Progress) error {
	list, err := l.Records(ctx, RecordQuery{Session: id})
	if err != nil {
		return err
	}
	slices.Reverse(list)
	turns := slices.DeleteFunc(slices.Clone(list), func(s Summary) bool {
		_, ok := session.TurnOf(s.Label)
		return !ok
	})
	if len(turns) == 0 {
		turns = list
	}
	c.o.Partial = true
	service := session.New(l.store).In(l.projects)
	usages, err := service.Usages(ctx, id)
	var requests *session.SentRequests
	if err == nil {
		requests, err = service.Requests(ctx, id)
	}
	if err != nil && !errors.Is(err, store.UnknownSession) { // records without one have none
		return err
	}
	defer func() { c.billed, c.sent = nil, nil }()
	// Most turns have the prompt of the one before, which isn't made again.
	var last cento.Input
	var prompt *cento.Prompt
	for i, s := range turns {
		in, err := l.store.Input(ctx, s.Session, s.Seq)
		if err == nil && (prompt == nil || !reflect.DeepEqual(in, last)) {
			last = in
			prompt, err = pack.Reduce(in)
		}
		if err == nil {
			err = replaysElse(replayOf(RecordRef{s.Session, s.Seq}, s.PromptDigest, prompt))
		}
		if err == nil {
			err = c.ofTurn(ctx, s.Label, usages, requests)
		}
		if err == nil {
			err = c.add(StepName(s), s.At, in, prompt)
		}
		if err != nil {
			return err
		}
		if progress != nil {
			progress(int64(i+1), int64(len(turns)))
		}
	}
	return nil
}

// StepName is what the step of a record is called: as the turn that it is of, else as the
// record itself.
func StepName(s Summary) string {
	if _, ok := session.TurnOf(s.Label); ok {
		return s.Label
	}
	return RecordRef{s.Session, s.Seq}.String()
}

// ofTurn finds what is known of the turn that a record is of.
func (c *CacheRow) ofTurn(ctx context.Context, label string, usages []session.Usage, requests *session.SentRequests) (err error) {
	c.billed, c.sent = nil, nil
	turn, ok := session.TurnOf(label)
	if !ok {
		return nil
	}
	if i, known := slices.BinarySearchFunc(usages, turn, func(u session.Usage, t int64) int { return cmp.Compare(u.Turn, t) }); known {
		c.billed = &usages[i].Usage
	}
	if requests != nil && requests.Has(turn) {
		c.sent, err = requests.Of(ctx, turn)
	}
	return err
}

// file adds what a file holds: an input as it was recorded, or the body of a request.
// The form of a body is that of the options, the manifest's, or that of the model that
// it names. The errors are [InvalidInput], those of [wire.Parts], and
// [wire.InvalidForm] where the form isn't known.
func (c *CacheRow) file(name string, data []byte) error {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(data, &top); err != nil {
		return &cento.SourceError{
			Code: InvalidInput, Position: cento.Position{File: name}, Message: "neither a recorded input nor the body of a request: it isn't a JSON object",
			Hint: "cento log show RECORD --input prints the one, cento build --wire the other",
		}
	}
	if _, input := top["limits"]; input {
		p, err := OpenInput(data, cento.Position{File: name})
		if err != nil {
			return err
		}
		prompt, err := p.Reduce(p.Input)
		if err != nil {
			return err
		}
		return c.add(name, time.Time{}, p.Input, prompt)
	}
	return c.body(name, bytes.TrimSpace(data), top)
}

func (c *CacheRow) body(name string, data []byte, top map[string]json.RawMessage) error {
	r, chosen := c.base, c.form
	asked := c.o.Model
	if asked == "" {
		_ = json.Unmarshal(top["model"], &asked) // Gemini's and Bedrock's stand in the address
	}
	if asked != "" {
		m, _ := c.models.Lookup(asked)
		r.Model = &m
		if !chosen {
			chosen = r.Form.UnmarshalText([]byte(m.Wire)) == nil
		}
	}
	o := c.o.WireOptions
	o.Messages = nil
	if err := o.into(&r, chosen); err != nil {
		return err
	}
	r.Counter, _, _ = CountBy(asked, "")
	err := c.step(cache.Step{Name: name, Request: r, Body: string(data)})
	if e, ok := err.(*cento.SourceError); ok && e.Code == wire.InvalidBody {
		e.Position.File = name
	}
	return err
}

// TooFew: a row of one prompt has nothing to be set beside.
const TooFew cento.ErrorCode = "cache.too_few"

// Report tells what became of the prompts. The error is [TooFew].
func (c *CacheRow) Report() (*CacheReport, error) {
	if c.n < 2 {
		return nil, &cento.SourceError{Code: TooFew, Message: fmt.Sprintf("%d of at least 2 prompts to set beside each other", c.n), Hint: "a session needs two turns, records and files two names"}
	}
	return c.row.Report(), nil
}

// ParsePrice reads a price as people write it: of input, of input that is read from
// the prompt cache, and of input that is written to it, in dollars for a million
// tokens, such as 5,0.5,6.25. The last may be left out.
func ParsePrice(s string, ttls ...string) (*cento.ModelPrice, error) {
	parts := strings.Split(s, ",")
	var list []float64
	for _, p := range parts {
		x, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || !(x >= 0) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%q is no price", p)
		}
		list = append(list, x)
	}
	if len(list) < 2 || len(list) > 3 {
		return nil, fmt.Errorf("%d prices, and there are those of input, read and written", len(list))
	}
	out := &cento.ModelPrice{Input: &list[0], CacheRead: &list[1], CacheWrite: map[string]float64{}}
	for _, ttl := range ttls {
		if len(list) == 3 {
			out.CacheWrite[ttl] = list[2]
		}
	}
	return out, nil
}

// mostWitnesses is how many witnesses of a cause are told in lines.
const mostWitnesses = 10

// CauseLines are a cause in words: the cause, then what shows it.
func CauseLines(c CacheCause) []string {
	head := string(c.Kind)
	if c.Fragment != "" {
		head += " " + c.Fragment
	}
	if c.Provider != "" && c.Provider != string(c.Kind) {
		head += " (the provider calls it " + c.Provider + ")"
	}
	out := []string{head}
	for i, w := range c.Witnesses {
		if i == mostWitnesses {
			out = append(out, fmt.Sprintf("    and %d more", len(c.Witnesses)-i))
			break
		}
		line := "    " + w.What
		for _, word := range []string{w.Name, w.Change} {
			if word != "" {
				line += " " + word
			}
		}
		if w.Server != "" {
			line += ", of the server " + w.Server
		}
		if w.From != "" || w.To != "" {
			line += ": was " + strconv.Quote(w.From) + ", is " + strconv.Quote(w.To)
		}
		if w.Position != nil {
			line += " (" + w.Position.String() + ")"
		}
		out = append(out, line)
	}
	return out
}

// HintText is a hint in words.
func HintText(h CacheHint, exact bool) string {
	does := ""
	switch h.Change {
	case cache.MoveBehind:
		does = "put " + h.Fragment + " last (bucket: after"
		if h.Behind != "" {
			does = "put " + h.Fragment + " behind " + h.Behind + " (bucket: after"
		}
		if h.Stability > cento.Static {
			does += ", stability: " + h.Stability.String()
		}
		does += ")"
	case cache.MarkSession:
		does = "declare stability: session of " + h.Fragment
	case cache.PlaceInTurn:
		does = "place reminders in the turn (placement: turn)"
	case cache.SortTools:
		does = "sort the tools by their names"
	case cache.LongerTTL:
		does = "ask for the ttl " + h.TTL
	}
	return fmt.Sprintf("%s: %s tokens more are read", does, cento.FormatTokens(h.Keeps, exact))
}

// reasonWords are the reasons for a deviation in words.
var reasonWords = map[CacheReason]string{
	CacheOtherReplica: "another replica of the provider answered", CacheEvicted: "it was evicted", CacheOverdue: "it was kept for a shorter time",
	CacheFraming: "the provider's framing is in no count", CacheConversation: "the conversation, of which nothing was kept, was read too",
	CacheSentBefore: "the same beginning was sent before by others",
}

// DeviationText is a deviation in words, with what is likely.
func DeviationText(d *CacheDeviation) string {
	n, more := d.Read, "more"
	if n < 0 {
		n, more = -n, "fewer"
	}
	words := make([]string, len(d.Reasons))
	for i, r := range d.Reasons {
		words[i] = reasonWords[r]
	}
	return fmt.Sprintf("%d %s tokens were read than predicted; likely: %s", n, more, strings.Join(words, ", or "))
}
