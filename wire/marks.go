package wire

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
)

// mark is a mark of the prompt cache that is going to be set.
type mark struct {
	after string
	end   int // bytes of the prompt before it
	// ttl is what is written: empty for the provider's shortest, which needs no word.
	ttl    string
	tokens *int
}

// What marks stand behind, in the order in which the last ones are given up first.
const (
	afterConversation = "conversation"
	afterSession      = "session"
	afterStatic       = "static"
	afterTools        = "tools"
	afterReminder     = "reminder"
)

// marks are those of a request.
type marks struct {
	there   int             // marks that raw messages and extra members bring along
	brought []cento.Related // where those are, as far as that has a place
	// inTools, inMessages and automatic are the times of those.
	inTools, inMessages, automatic ttlRange
	tools                          *mark
	blocks                         []mark // in the prompt, by where they stand
	conversation                   *mark
	reminders                      []*mark // behind reminders that ask for one
}

// bringAll adds the marks that a value of the caller's has.
func (b *builder) bringAll(raw []byte, at cento.Position, times *ttlRange) {
	n := 0
	eachMark(raw, b.rules.marked, func(value []byte) {
		n++
		times.add(ttlOf(value))
	})
	b.marks.bring(n, at)
}

// ttlRange are the times of breakpoints, as [ttlRank] orders them.
type ttlRange struct {
	any, short, long bool
}

func (t *ttlRange) add(ttl string) {
	t.any = true
	t.long = t.long || ttlRank(ttl) > 0
	t.short = t.short || ttlRank(ttl) == 0
}

// inOrder gives a breakpoint of Cento's the time that those of the caller's around it need: the
// longer time of a later one, and the shorter one of an earlier. Where both are there, no time
// is right, and the validator reports it.
func (b *builder) inOrder(m *mark, before []ttlRange, after ...ttlRange) {
	if _, ordered := verdicts[b.form][longerFirst]; !ordered {
		return
	}
	longer, shorter := false, false
	for _, t := range after {
		longer = longer || t.long
	}
	for _, t := range before {
		shorter = shorter || t.short
	}
	ttl, why := "", ""
	switch is := ttlRank(m.ttl); {
	case longer && is == 0:
		ttl, why = "1h", "a later one of the caller's does"
	case shorter && is > 0 && !longer:
		ttl, why = "5m", "an earlier one of the caller's does"
	default:
		return
	}
	m.ttl = ttl
	b.lose(Loss{Code: CodeTTLRaised, Severity: advice, Source: verdicts[b.form][longerFirst].source, Message: fmt.Sprintf("the breakpoint after %s keeps for %s, since %s and %s wants the longer time first", m.after, ttl, why, b.rules.vendor)})
}

// bring adds marks that are there already, and where.
func (m *marks) bring(n int, at cento.Position) {
	m.there += n
	if n > 0 && !at.IsZero() {
		m.brought = append(m.brought, cento.Related{Position: at, Message: fmt.Sprintf("%d of them stand here", n)})
	}
}

// any reports whether one is set.
func (m *marks) any() bool { return m.tools != nil || len(m.blocks) > 0 || m.conversation != nil }

// setMarks chooses the marks: behind the longest prefix that changes with files
// alone, behind the longest that is the same for a session, behind the tools where
// what follows them changes, and behind the conversation.
func (b *builder) setMarks(turns []turn) {
	c := &b.r.Cache
	if c.Key != "" && !c.Off && !b.form.TakesCacheKey() {
		b.lose(Loss{Code: CodeNoKey, Message: fmt.Sprintf("the key of the prompt cache isn't sent: the form %s has no place for it", b.form)})
	}
	if !b.takesMarks() {
		b.noMarks()
		return
	}
	ttls := b.ttls()
	if !b.checkTTLs(ttls) || c.Off {
		return
	}
	static, session := b.layout.prefix(cento.Static), b.layout.prefix(cento.PerSession)
	var list []mark
	if c.Conversation && b.markable(turns) {
		list = append(list, mark{after: afterConversation, end: len(b.layout.text), ttl: c.SessionTTL})
	}
	if session > static {
		list = append(list, mark{after: afterSession, end: session, ttl: c.SessionTTL})
	}
	if static > 0 {
		list = append(list, mark{after: afterStatic, end: static, ttl: c.StaticTTL})
	} else if b.marksTools() {
		list = append(list, mark{after: afterTools, ttl: c.StaticTTL})
	}
	list = b.longEnough(list)
	most := *b.model.Cache.MaxBreakpoints
	if b.marks.there > most {
		var at cento.Position
		related := b.marks.brought
		if len(related) > 0 {
			at = related[0].Position
		}
		if len(related) == 1 {
			related = nil
		}
		b.faults.add(TooManyMarks, at, "take marks out of the messages, the tools or extra", "messages, tools and extra members have %d marks of the prompt cache, and %s takes %d", b.marks.there, b.asked(), most)
		b.faults[len(b.faults)-1].Related = related
		return
	}
	if left := most - b.marks.there; len(list) > left {
		for _, m := range list[left:] {
			b.lose(Loss{Code: CodeGivenUp, Message: fmt.Sprintf("no mark stands after %s: %s takes %d, and %d stand in messages, tools and extra members", m.after, b.asked(), most, b.marks.there)})
		}
		list = list[:left]
	}
	b.giveUp(turns, most-b.marks.there-len(list))
	shortest := ""
	if len(ttls) > 0 {
		shortest = ttls[0]
	}
	for _, m := range b.marks.reminders {
		b.inOrder(m, []ttlRange{b.marks.inTools, b.marks.inMessages}, b.marks.automatic)
	}
	for _, m := range list {
		if m.after == afterConversation {
			b.inOrder(&m, []ttlRange{b.marks.inTools, b.marks.inMessages}, b.marks.automatic)
		} else {
			b.inOrder(&m, []ttlRange{b.marks.inTools}, b.marks.inMessages, b.marks.automatic)
		}
		if m.ttl == shortest {
			m.ttl = ""
		}
		switch m.after {
		case afterTools:
			b.marks.tools = &m
		case afterConversation:
			b.marks.conversation = &m
		default:
			b.marks.blocks = append(b.marks.blocks, m)
		}
	}
	slices.SortFunc(b.marks.blocks, func(x, y mark) int { return x.end - y.end })
	b.shortest = shortest
	if b.marks.any() && b.r.Counter == nil {
		b.lose(Loss{Code: CodeUncounted, Message: "nothing counts tokens, so that marks may stand below the least that " + b.asked() + " keeps"})
	}
}

// asked is the model, for people. The bounds of marks are known by model: in the form of
// one vendor the model of another can be asked.
func (b *builder) asked() string {
	if b.model.Name == "" {
		return "the model"
	}
	return "the model " + strconv.Quote(b.name)
}

// giveUp takes the marks behind reminders away for which there is no room, the first
// ones first.
func (b *builder) giveUp(turns []turn, room int) {
	for _, gone := range b.marks.reminders[:max(len(b.marks.reminders)-room, 0)] {
		for i := range turns {
			for j := range turns[i].blocks {
				if turns[i].blocks[j].mark == gone {
					turns[i].blocks[j].mark = nil
				}
			}
		}
		b.lose(Loss{Code: CodeGivenUp, Message: fmt.Sprintf("no mark stands after a reminder: %s takes %d, and the others go first", b.asked(), *b.model.Cache.MaxBreakpoints)})
	}
}

// marksTools reports whether the request has a place for a mark behind the tools.
func (b *builder) marksTools() bool {
	return b.form == Anthropic && b.bearing() >= 0 || b.form == Bedrock && len(b.tools) > 0
}

// ttls are the times that a mark may ask for, the shortest first: those of the model
// that the form knows too.
func (b *builder) ttls() []string {
	if b.rules.ttls == nil {
		return b.model.Cache.TTL
	}
	var out []string
	for _, t := range b.rules.ttls {
		if len(b.model.Cache.TTL) == 0 || slices.Contains(b.model.Cache.TTL, t) {
			out = append(out, t)
		}
	}
	return out
}

// checkTTLs reports whether the times that are asked for are ones that the provider
// has, and in its order: what changes less often stays as long or longer.
func (b *builder) checkTTLs(known []string) bool {
	c := &b.r.Cache
	ok := true
	rank := func(which, ttl, place string) int {
		if ttl == "" {
			return 0
		}
		i := slices.Index(known, ttl)
		if i < 0 {
			ok = false
			b.faults.add(InvalidTTL, b.r.Places[place], hintOf(known), "the cache of %s keeps nothing for %q, as is asked for %s texts", b.rules.vendor, ttl, which)
		}
		return i
	}
	static, session := rank("static", c.StaticTTL, StaticTTLPlace), rank("session", c.SessionTTL, SessionTTLPlace)
	if ok && session > static {
		ok = false
		given := c.StaticTTL
		if given == "" && len(known) > 0 {
			given = known[0] + " (the shortest, since none is given)"
		}
		b.faults.add(TTLOrder, b.r.Places[SessionTTLPlace], "give the static ttl at least the time of the session's: what stands first is to stay longest",
			"texts of a session are to be kept for %s and static ones before them for %s", c.SessionTTL, given)
		if at, told := b.r.Places[StaticTTLPlace]; told {
			b.faults[len(b.faults)-1].Related = []cento.Related{{Position: at, Message: "static ones, for " + given}}
		}
	}
	return ok
}

func hintOf(known []string) string {
	if len(known) == 0 {
		return "leave ttl out"
	}
	return "it knows " + nearest.List(known)
}

// noMarks tells what was asked of the cache where there are no marks.
func (b *builder) noMarks() {
	c := &b.r.Cache
	if b.form == Gemini && b.model.Cache.Kind == cento.CacheObject {
		if c.StaticTTL != "" {
			if _, err := time.ParseDuration(c.StaticTTL); err != nil {
				b.faults.add(InvalidTTL, b.r.Places[StaticTTLPlace], "write it as in 1h or 300s", "%q is no time for a cache object", c.StaticTTL)
			}
		}
		if !c.Off && (c.SessionTTL != "" || c.Conversation) {
			b.lose(Loss{Code: CodeNoMarks, Message: "what is asked of the prompt cache for the session or the conversation has no place here: a cache object of " + b.rules.vendor + " holds the system prompt and the tools, for the time of static texts"})
		}
		return
	}
	if c.Off || c.StaticTTL == "" && c.SessionTTL == "" && !c.Conversation {
		return
	}
	b.lose(Loss{Code: CodeNoMarks, Message: "what is asked of the prompt cache has no place here: " + b.whyNoMarks()})
}

// whyNoMarks says why the request takes no marks.
func (b *builder) whyNoMarks() string {
	switch {
	case b.rules.marked == "":
		return "a request to " + b.rules.vendor + " takes no marks"
	case b.model.Name == "":
		return "no model is chosen, and whether a request to " + b.rules.vendor + " takes marks depends on it"
	}
	return b.asked() + " takes no marks in a request to " + b.rules.vendor + b.retention()
}

// retention tells by which member OpenAI is asked for a time that a model without marks
// knows; empty where it knows none that is asked for, or is asked by it already.
func (b *builder) retention() string {
	const name = "prompt_cache_retention"
	if b.form != OpenAI && b.form != OpenAIResponses || slices.ContainsFunc(b.extra, func(m member) bool { return m.name == name }) {
		return ""
	}
	for _, ttl := range []string{b.r.Cache.StaticTTL, b.r.Cache.SessionTTL} {
		if slices.Contains(b.model.Cache.TTL, ttl) {
			return fmt.Sprintf("; a member of extra says how long it keeps what it keeps by itself: %q: %q", name, ttl)
		}
	}
	return ""
}

// longEnough leaves out the marks before which there is less than the provider keeps.
// An estimate has to be a tenth above it.
func (b *builder) longEnough(list []mark) []mark {
	if b.r.Counter == nil {
		return list
	}
	out := list[:0]
	for _, m := range list {
		if m.after == afterConversation {
			out = append(out, m)
			continue
		}
		n := b.toolTokens
		if m.end > 0 {
			n += b.count(m.end)
		}
		m.tokens = &n
		if least := b.model.Cache.MinTokens; least != nil {
			need, sign, sure := *least, "", ""
			if !b.r.Counter.Exact() {
				need, sign = (*least*11+9)/10, "~"
			} else if b.toolTokens > 0 {
				sign = "~"
			}
			if n >= *least && need > *least {
				sure = fmt.Sprintf("; an estimate has to be a tenth above, which is %d", need)
			}
			if n < need {
				b.lose(Loss{Code: CodeBelowMinimum, Severity: advice, Message: fmt.Sprintf("no mark stands after %s: before it are %s%d tokens, and the cache of %s keeps %d or more%s", m.after, sign, n, b.asked(), *least, sure)})
				continue
			}
		}
		out = append(out, m)
	}
	return out
}

// count counts the tokens of the prompt up to a place, each once.
func (b *builder) count(end int) int {
	if n, ok := b.counted[end]; ok {
		return n
	}
	n := b.r.Counter.Count(b.layout.text[:end])
	if b.counted == nil {
		b.counted = map[int]int{}
	}
	b.counted[end] = n
	return n
}

// markable reports whether the last message before the reminders can be marked, and
// tells why where it can't.
func (b *builder) markable(turns []turn) bool {
	own := min(b.own, len(turns))
	if own == 0 || len(b.r.Messages) == 0 {
		return false
	}
	t := &turns[own-1]
	why := ""
	switch {
	case t.raw == nil:
		if t.role == assistantRole && (b.form == OpenAI || b.form == OpenAIResponses) {
			why = "it is the assistant's, which takes no mark here"
		}
	default:
		why = b.unmarkable(t)
	}
	if why != "" {
		b.lose(Loss{Code: CodeNoMarks, Message: "the last message of the conversation isn't marked: " + why})
	}
	return why == ""
}
