package wire

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/cento-dev/cento"
)

// turn is a message as it is going to be written.
type turn struct {
	role string // user, assistant, system; of raw ones as it stands there, empty for none
	raw  json.RawMessage
	// blocks are texts, the first the turn's own unless it is raw; what comes behind are
	// reminders.
	blocks []block
	mark   *mark // behind its own content
	at     cento.Position
}

// The roles of messages that are texts.
const (
	userRole      = "user"
	assistantRole = "assistant"
	systemRole    = "system"
	developerRole = "developer"
	modelRole     = "model" // of Gemini
)

// placeholder is a turn that says nothing. Providers refuse blank ones.
const placeholder = "."

// conversation makes the turns of the messages, with the reminders at their places.
// [Text] has none, and what is wrong with them is wrong there, too.
func (b *builder) conversation() []turn {
	if b.r.Partial {
		if e := b.r.Reminders.Envelope; e != nil {
			_, b.enveloped = e.System() // what the request says of the cache depends on it
		}
		return nil
	}
	var out []turn
	for i := range b.r.Messages {
		out = append(out, b.turn(i))
	}
	switch {
	case len(b.faults) > 0:
		return out
	case b.form == Text:
		return nil
	}
	out = b.withSent(out)
	b.own = len(out)
	out = b.withNative(b.withEnvelope(out))
	if len(out) == 0 && !b.standsAlone() {
		b.lose(Loss{Code: CodePlaceholder, Severity: advice, Message: fmt.Sprintf("there is no conversation, and %s wants one: a user turn with %q stands there", b.rules.vendor, placeholder)})
		out = append(out, turn{role: userRole, blocks: said(sourced{text: placeholder})})
	}
	return out
}

// standsAlone reports whether the form takes a request without a conversation.
func (b *builder) standsAlone() bool {
	switch b.form {
	case OpenAI, OpenAIResponses:
		return b.layout.text != ""
	}
	return b.form == JSON
}

// turn reads a message.
func (b *builder) turn(i int) turn {
	m := &b.r.Messages[i]
	fail := func(hint, format string, args ...any) {
		b.faults.add(InvalidMessage, m.Position, hint, "message %d: "+format, append([]any{i + 1}, args...)...)
	}
	if m.Raw == nil {
		switch {
		case m.Role != userRole && m.Role != assistantRole:
			fail("a message of another kind is handed over as raw, in the form's own terms", "a text is of the role user or assistant, not %q", m.Role)
		case !validText(m.Text):
			fail("save it as UTF-8", "its text isn't valid UTF-8")
		case isBlank(m.Text):
			fail("leave it out: providers refuse a message without text", "it has no text")
		}
		return turn{role: m.Role, blocks: said(sourced{text: m.Text}), at: m.Position}
	}
	if m.Role != "" || m.Text != "" {
		fail("keep one of the two", "it has a text and a raw object")
		return turn{}
	}
	if !json.Valid(m.Raw) || !validText(string(m.Raw)) {
		fail("write it as the provider does, an object", "what is raw isn't JSON in UTF-8")
		return turn{}
	}
	members, ok := membersOf(m.Raw)
	if !ok {
		fail(fmt.Sprintf(`as in {"raw": {"role": "user", %q: …}}`, b.rules.key), "what is raw isn't an object")
		return turn{}
	}
	t := turn{raw: m.Raw, at: m.Position}
	seen := map[string]bool{}
	for _, x := range members {
		if seen[x.name] {
			fail("keep one of them", "the member %q stands twice in it", x.name)
		}
		seen[x.name] = true
		if x.name == "role" {
			_ = json.Unmarshal(m.Raw[x.start:x.end], &t.role) // another kind of value is no role
		}
	}
	b.bringAll(m.Raw, m.Position, &b.marks.inMessages)
	return t
}

// withSent puts the envelopes of turns before where they were sent: at the end of
// what the user said in that turn.
func (b *builder) withSent(turns []turn) []turn {
	sent := slices.Clone(b.r.Reminders.Sent)
	if len(sent) == 0 {
		return turns
	}
	slices.SortStableFunc(sent, func(x, y Sent) int { return int(min(max(x.Turn-y.Turn, -1), 1)) })
	for i := range b.r.Messages {
		if m := &b.r.Messages[i]; m.Turn == nil {
			b.faults.add(InvalidMessage, m.Position, "say which turn each message is of", "message %d: its turn isn't told, and there are reminders that stay at theirs", i+1)
			return turns
		}
	}
	var out []turn
	next := 0
	put := func(s Sent) {
		span := cento.Span{End: len(s.Text), Fragment: "reminders:turn-" + strconv.FormatInt(s.Turn, 10), Trust: cento.TrustSession, MadeBy: cento.BySession}
		b.add(&out, userRole, block{sourced: b.source(s.Text, span)})
	}
	for i := range turns {
		m := &b.r.Messages[i]
		answer := turns[i].role == assistantRole || turns[i].role == modelRole
		for next < len(sent) && (sent[next].Turn < *m.Turn || sent[next].Turn == *m.Turn && answer) {
			put(sent[next])
			next++
		}
		out = append(out, turns[i])
	}
	for ; next < len(sent); next++ {
		put(sent[next])
	}
	return out
}

// add appends a text as a message of its own, or as a block of the one before where
// the form wants roles to take turns.
func (b *builder) add(turns *[]turn, role string, text block) {
	if n := len(*turns); n > 0 && (*turns)[n-1].role == role && (b.form == Bedrock || b.form == Gemini) {
		last := &(*turns)[n-1]
		if last.raw == nil || b.hasParts(last.raw) {
			last.blocks = append(slices.Clip(last.blocks), text)
			return
		}
	}
	*turns = append(*turns, turn{role: role, blocks: []block{text}})
}

// said is the content of a turn that is one text.
func said(text sourced) []block { return []block{{sourced: text}} }

// withEnvelope puts the reminders of the turn at the end of what the user said last,
// or behind it.
func (b *builder) withEnvelope(turns []turn) []turn {
	p := b.r.Reminders.Envelope
	if p == nil {
		return turns
	}
	text, ok := p.System()
	if !ok {
		return turns
	}
	b.enveloped = true
	spans := p.Spans()
	envelope := b.source(text, spans...)
	if b.r.Reminders.System && b.takesSystem(turns, spans) {
		return append(turns, turn{role: systemRole, blocks: said(envelope)})
	}
	return b.behindUser(turns, block{sourced: envelope})
}

// behindUser puts a text at the end of the user's last message; where that takes none, or the
// last message isn't the user's, into a turn of its own. Anthropic and Bedrock take no user's
// message after one of the system's, so that those may follow.
func (b *builder) behindUser(turns []turn, text block) []turn {
	n := len(turns)
	if b.form == Anthropic || b.form == Bedrock {
		for n > 0 && turns[n-1].role == systemRole {
			n--
		}
	}
	if n > 0 && turns[n-1].role == userRole {
		last := &turns[n-1]
		if last.raw == nil || b.hasParts(last.raw) {
			last.blocks = append(slices.Clip(last.blocks), text)
			return turns
		}
	}
	return append(turns, turn{role: userRole, blocks: []block{text}})
}

// withNative puts reminders in the words of a family behind what the user said last:
// as blocks of it where texts are lists of parts, else as messages of their own.
func (b *builder) withNative(turns []turn) []turn {
	for i := range b.r.Reminders.Native {
		n := &b.r.Reminders.Native[i]
		if n.Text == nil {
			continue
		}
		text, ok := n.Text.System()
		if !ok {
			continue
		}
		b.enveloped = true
		spans := n.Text.Spans()
		said := block{sourced: b.source(text, spans...)}
		if n.Mark && b.takesMarks() && !b.r.Cache.Off && b.listed() {
			said.mark = &mark{after: afterReminder, end: len(b.layout.text)}
			b.marks.reminders = append(b.marks.reminders, said.mark)
		} else if n.Mark && !b.r.Cache.Off {
			why := b.whyNoMarks()
			if b.takesMarks() {
				why = "its messages are texts, and a mark stands in a list of parts"
			}
			b.lose(Loss{Code: CodeNoMarks, Fragment: spans[0].Fragment, Message: "the reminder isn't marked for the prompt cache: " + why})
		}
		switch {
		case n.Role == developerRole && b.takesDeveloper():
			turns = append(turns, turn{role: developerRole, blocks: []block{said}})
			continue
		case n.Role == developerRole:
			b.lose(Loss{Code: CodeRole, Fragment: spans[0].Fragment, Message: "the reminder stands in a user's message: the form or the model has no message of the role developer"})
		}
		if b.listed() {
			turns = b.behindUser(turns, said)
		} else {
			turns = append(turns, turn{role: userRole, blocks: []block{said}})
		}
	}
	return turns
}

// takesDeveloper reports whether messages of the role developer can stand in the
// conversation.
func (b *builder) takesDeveloper() bool {
	return (b.form == OpenAI || b.form == OpenAIResponses) && b.model.System == cento.DeveloperMessage || b.form == JSON
}

// takesSystem reports whether the reminders can stand in a system message of the
// conversation: the model takes one, it follows what the user said, and no word in it
// is a stranger's or a session's.
func (b *builder) takesSystem(turns []turn, spans []cento.Span) bool {
	takes := b.model.MidConversationSystem != nil && *b.model.MidConversationSystem
	if n := len(turns); !takes || n == 0 || turns[n-1].role != userRole {
		b.lose(Loss{Code: CodeRole, Message: "the reminders stand in a user's message: " + map[bool]string{
			true: "a system message may only follow what the user said", false: "the model isn't known to take system messages between the turns",
		}[takes]})
		return false
	}
	ok := true
	told := map[string]bool{}
	for _, s := range spans {
		if s.Trust < cento.TrustUser {
			ok = false
			if !told[s.Fragment] {
				told[s.Fragment] = true
				b.lose(Loss{Code: CodeRole, Fragment: s.Fragment, Message: "the reminders stand in a user's message: these words are of the trust " + s.Trust.String()})
			}
		}
	}
	return ok
}

// source adds spans to those of the result, and gives the text with them.
func (b *builder) source(text string, spans ...cento.Span) sourced {
	first := len(b.spans)
	b.spans = append(b.spans, spans...)
	return b.sourced(text, first)
}

// sourced is a text with the spans of the result from first on.
func (b *builder) sourced(text string, first int) sourced {
	return sourced{text: text, spans: b.spans[first:len(b.spans):len(b.spans)], first: first}
}
