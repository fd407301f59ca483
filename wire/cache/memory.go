package cache

import (
	"fmt"
	"strings"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// rules are those of a model's prompt cache, as far as they are known.
type rules struct {
	known    bool
	marks    bool // it keeps what is marked
	prefixes bool // it keeps whatever a request begins with
	// newest: the newest message of the user has a mark without a word.
	newest   bool
	least    int
	lookback int // 0: all blocks
	step     int // reads are told in steps of so many tokens
	ttl      string
	ttls     []string
}

// rulesFor are the rules that a model has in a form. What a gateway makes of a request in a
// form that isn't the provider's isn't known.
func rulesFor(form wire.Form, m *cento.Model) rules {
	r := rules{step: 1}
	if m == nil || form.ForeignTo(m) {
		return r
	}
	c := &m.Cache
	if c.MinTokens != nil {
		r.least = *c.MinTokens
	}
	if c.Lookback != nil {
		r.lookback = *c.Lookback
	}
	r.ttls = c.TTL
	if len(c.TTL) > 0 {
		r.ttl = c.TTL[0]
	}
	r.known = c.Kind != ""
	openAI := form == wire.OpenAI || form == wire.OpenAIResponses
	switch c.Kind {
	case cento.CacheExplicit:
		r.marks = true
	case cento.CacheBoth:
		r.marks, r.newest = true, openAI
	case cento.CacheImplicit, cento.CacheObject:
		r.prefixes = true
		switch {
		case openAI:
			r.step = 128
		case m.Provider == "mistral":
			r.step = 64
		}
	}
	return r
}

// unkept is why nothing is predicted of a request, or why an implicit cache keeps nothing of it.
// For explicit caches [wire.Build] reports it.
func (r *rules) unkept(p *prepared) (wire.Loss, bool) {
	q := &p.step.Request
	l := wire.Loss{Code: wire.CodeCacheUnknown, Severity: cento.SeverityNote}
	switch {
	case !r.known && (q.Model == nil || q.Model.Name == ""):
		l.Message = "nothing is predicted: the request names no model"
	case !r.known && q.Form.ForeignTo(q.Model):
		l.Message = fmt.Sprintf("nothing is predicted: the model %q takes no request of the form %s, and a gateway that translates it isn't known", q.Model.Name, q.Form)
	case !r.known:
		l.Message = fmt.Sprintf("nothing is predicted: the catalog doesn't know the prompt cache of the model %q", q.Model.Name)
	case r.prefixes && !r.enough(p.view, p.view.tokens):
		sign, sure := "~", ""
		if p.view.exact && !p.view.mixed && !p.view.hasTools() {
			sign = ""
		}
		if p.view.tokens >= r.least {
			sure = "; an estimate has to be a tenth above"
		}
		l.Code, l.Message = wire.CodeBelowMinimum, fmt.Sprintf("nothing of the request is kept: it has %s%d tokens, and the cache of the model %q keeps %d or more%s", sign, p.view.tokens, q.Model.Name, r.least, sure)
	default:
		return l, false
	}
	return l, true
}

// What OpenAI keeps in memory stays 5 to 10 minutes after its last use, and an hour at most
// (developers.openai.com, prompt caching).
const (
	inMemory     = "in_memory"
	inMemoryIdle = 10 * time.Minute
	inMemoryMost = time.Hour
)

// lasts is how long a ttl is; false where it can't be told.
func lasts(ttl string) (time.Duration, bool) {
	if ttl == inMemory {
		return inMemoryIdle, true
	}
	d, err := time.ParseDuration(ttl)
	return d, err == nil && d > 0
}

// memory is what the provider has kept of a row of requests.
type memory struct {
	rules rules
	kept  map[key]*entry
	sent  map[key]bool // beginnings that were sent, kept or not
	last  *view
	// left is how many tokens the last request left in the cache.
	left int
}

type entry struct {
	until time.Time // zero: for ever
	ttl   string
	after time.Time // when it was read or written last
	most  time.Time // it stays no longer; zero: as long as it is read
}

func newMemory(r rules) *memory {
	return &memory{rules: r, kept: map[key]*entry{}, sent: map[key]bool{}}
}

// outcome is what becomes of a request.
type outcome struct {
	Prediction
	marks []Mark
	// expired are the entries that it would have read.
	expired *entry
}

// send lets the provider take a request. shared are the tokens that it has in common
// with the one before.
func (m *memory) send(v *view, at time.Time, shared int) outcome {
	out := outcome{Prediction: Prediction{ByTTL: map[string]int{}}}
	blocks := v.blocks
	if m.rules.newest && mode(v) == "implicit" {
		blocks = markNewest(v)
	}
	switch {
	case m.rules.marks:
		m.readMarks(v, blocks, at, &out)
		m.write(v, blocks, at, &out)
	case m.rules.prefixes:
		m.readPrefix(v, at, shared, &out)
		if m.left = 0; m.rules.enough(v, v.tokens) {
			m.left = v.tokens
		}
		for i := range v.blocks {
			if _, alive := m.alive(v.blocks[i].key, at); !alive || at.IsZero() {
				m.keep(v.blocks[i].key, m.rules.ttl, at)
			}
		}
	}
	for i := range blocks {
		m.sent[blocks[i].key] = true
	}
	out.Paid = v.tokens - out.Read - out.Written
	m.last = v
	return out
}

// mode is how a request to OpenAI uses the cache.
func mode(v *view) string {
	if strings.Contains(v.rest[cacheOptions], `"explicit"`) {
		return "explicit"
	}
	return "implicit"
}

// markNewest are the blocks with the mark that OpenAI sets by itself: behind the
// newest message of the user, or the system prompt where there is none.
func markNewest(v *view) []block {
	out := append([]block(nil), v.blocks...)
	n := 0
	last := -1
	for _, u := range v.units {
		switch u.Kind {
		case wire.SettingPart:
			continue
		case wire.SystemPart:
			n += len(v.starts)
			if last < 0 {
				last = n - 1
			}
			continue
		case wire.MessagePart:
			if u.Name == "user" || u.Name == "tool" || u.Name == "" {
				last = n
			}
		}
		n++
	}
	if last >= 0 {
		out[last].marked = true
	}
	return out
}

// alive finds what is kept under a key at a time.
func (m *memory) alive(k key, at time.Time) (e *entry, alive bool) {
	e = m.kept[k]
	return e, e != nil && (e.until.IsZero() || at.IsZero() || !at.After(e.until))
}

func (m *memory) keep(k key, ttl string, at time.Time) {
	e := &entry{ttl: ttl, after: at}
	if d, ok := lasts(ttl); ok && !at.IsZero() {
		e.until = at.Add(d)
		if ttl == inMemory {
			e.most = at.Add(inMemoryMost)
		}
	}
	m.kept[k] = e
}

// enough reports whether so many tokens are kept.
func (r *rules) enough(v *view, n int) bool {
	least := r.least
	if !v.exact {
		least = (least*11 + 9) / 10
	}
	return n > 0 && n >= least
}

// readMarks finds for each mark what was kept of the blocks before it.
func (m *memory) readMarks(v *view, blocks []block, at time.Time, out *outcome) {
	for i := range blocks {
		b := &blocks[i]
		if !b.marked {
			continue
		}
		mark := Mark{Pointer: b.pointer, Tokens: b.tokens, TTL: m.ttlOf(b)}
		for j := i; j >= 0; j-- {
			e, alive := m.alive(blocks[j].key, at)
			far := m.rules.lookback > 0 && i-j >= m.rules.lookback
			switch {
			case e == nil:
				continue
			case far:
				if mark.Why == "" {
					mark.Why = WhyFar
				}
			case !alive:
				if mark.Why == "" {
					mark.Why = WhyExpired
				}
				if out.expired == nil {
					out.expired = e
				}
				continue
			default:
				mark.Hit, mark.Read = j == i, blocks[j].tokens
				m.renew(e, at)
			}
			break
		}
		switch {
		case mark.Hit:
			mark.Why = ""
		case mark.Why != "":
		case m.last == nil:
			mark.Why = WhyFirst
		case !m.rules.enough(v, b.tokens):
			mark.Why = WhyShort
		case m.sent[b.key]:
			mark.Why = WhyUnwritten
		default:
			mark.Why = WhyDiffers
		}
		out.Read = max(out.Read, mark.Read)
		out.marks = append(out.marks, mark)
	}
}

func (m *memory) ttlOf(b *block) string {
	if b.ttl != "" {
		return b.ttl
	}
	return m.rules.ttl
}

// renew lets an entry stay anew, as a hit does.
func (m *memory) renew(e *entry, at time.Time) {
	if d, ok := lasts(e.ttl); ok && !at.IsZero() && !e.until.IsZero() {
		e.until, e.after = at.Add(d), at
		if !e.most.IsZero() && e.until.After(e.most) {
			e.until = e.most
		}
	}
}

// write keeps what the marks say, behind what was read.
func (m *memory) write(v *view, blocks []block, at time.Time, out *outcome) {
	from := out.Read
	m.left = out.Read
	for i := range blocks {
		b := &blocks[i]
		if !b.marked || !m.rules.enough(v, b.tokens) {
			continue
		}
		m.left = max(m.left, b.tokens)
		if _, alive := m.alive(b.key, at); alive {
			continue
		}
		m.keep(b.key, m.ttlOf(b), at)
		if n := b.tokens - from; n > 0 {
			out.Written += n
			out.ByTTL[m.ttlOf(b)] += n
			from = b.tokens
		}
	}
}

// readPrefix finds the longest beginning that is that of a request before: by blocks
// of any of them, by tokens of the last.
func (m *memory) readPrefix(v *view, at time.Time, shared int, out *outcome) {
	read, stale := 0, false
	for i := range v.blocks {
		e, alive := m.alive(v.blocks[i].key, at)
		switch {
		case alive:
			read = v.blocks[i].tokens
			m.renew(e, at)
			continue
		case e != nil:
			out.expired, stale = e, true
		}
		break
	}
	if m.last != nil && !stale && len(m.last.blocks) > 0 {
		e, alive := m.alive(m.last.blocks[len(m.last.blocks)-1].key, at)
		switch {
		case alive:
			read = max(read, shared)
		case shared > read:
			out.expired = e
		}
	}
	if m.rules.enough(v, read) {
		out.Read = read - read%m.rules.step
	}
}
