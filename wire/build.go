package wire

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/cento-dev/cento"
)

// builder makes one body: what goes in is checked, the prompt laid out, the marks
// chosen, and then all of it is written.
type builder struct {
	r           *Request
	form        Form
	rules       *rules
	model       *cento.Model
	name        string // what the request calls the model
	layout      layout
	tools       []tool
	definitions definitions
	marks       marks
	extra       []member
	settings    []member // beside the form's own, in its member for them
	spans       []cento.Span
	losses      []Loss
	faults      faults
	// own is how many turns there are before the one that the reminders have alone.
	own       int
	enveloped bool
	shortest  string // the ttl that needs no word
	unsent    int    // active tools that [Text] has no place for

	counted    map[int]int
	toolTokens int

	w           writer
	toolsAt     stretch // where the tools are in the body
	kept        []byte  // of Gemini's body what its cache object holds too
	breakpoints []Breakpoint
}

// Build writes a request. Everything that is wrong is told at once, and then nothing
// is written: the errors are of the codes [InvalidForm], [InvalidToolName],
// [TooManyTools], [InvalidToolSchema], [InvalidToolText], [InvalidMessage],
// [InvalidExtra], [InvalidMaxTokens], [InvalidTTL], [TTLOrder], [TooManyMarks] and
// [StaleObject].
func Build(r Request) (*Result, error) {
	r.Form = cmp.Or(r.Form, FormOf(r.Model))
	b := &builder{r: &r, form: r.Form, model: r.Model, losses: []Loss{}}
	switch {
	case r.Form == 0:
		b.faults.add(InvalidForm, cento.Position{}, "name one, of "+strings.Join(Forms(), ", ")+", or choose a model", "the form of the request isn't known: none is named, and no model is chosen that has one")
		return nil, cento.Join(b.faults)
	case int(r.Form) >= len(rulesOf):
		b.faults.add(InvalidForm, cento.Position{}, "it is one of "+strings.Join(Forms(), ", "), "there is no form %d", r.Form)
		return nil, cento.Join(b.faults)
	}
	b.rules = &rulesOf[r.Form]
	if b.model == nil {
		b.model = &cento.Model{}
	}
	b.name = b.form.sentName(b.model)
	var lost []Loss
	room := len(r.Tools) + len(r.Reminders.Sent) + 16
	b.layout, lost = lay(r.Prompt, r.Sections.For(b.model), room)
	b.losses = append(b.losses, lost...)
	b.spans = slices.Grow(b.layout.spans, room)
	b.layout.spans = b.spans
	if b.model.Name == "" && b.form != Text {
		b.lose(Loss{Code: CodeNoModel, Message: "no model is chosen, and the request has to name one"})
	}
	b.checkForm()
	b.checkBound()
	b.readExtra()
	b.checkSettings()
	b.chooseTools()
	b.checkChatTools()
	turns := b.conversation()
	b.textAlone()
	if len(b.faults) == 0 {
		b.checkImages()
		b.defineTools()
		b.setMarks(turns)
	}
	if len(b.faults) > 0 {
		return nil, cento.Join(b.faults)
	}
	b.w.buf = make([]byte, 0, len(b.layout.text)+len(b.layout.text)/16+len(b.definitions.json)+b.conversationSize(turns)+512)
	b.w.pieces = make([]Piece, 0, len(b.spans)+16)
	b.write(turns)
	b.validate(turns)
	out := &Result{
		Body: b.w.written(), URLPath: b.path(b.rules.path), Headers: b.headers(), Losses: b.losses, Breakpoints: b.breakpoints,
		Map: b.w.pieces, Spans: b.spans, Schemas: b.definitions.wrote,
	}
	// Tools come first in what a provider keeps, wherever they stand in the body.
	slices.SortStableFunc(out.Breakpoints, func(x, y Breakpoint) int { return rankOf(x.After) - rankOf(y.After) })
	if out.Breakpoints == nil {
		out.Breakpoints = []Breakpoint{}
	}
	if out.Map == nil {
		out.Map = []Piece{}
	}
	if out.Spans == nil {
		out.Spans = []cento.Span{}
	}
	if c := r.Counter; c != nil {
		n := 0
		if len(b.layout.text) > 0 {
			n = b.count(len(b.layout.text))
		}
		around, known := b.around(n > 0)
		reminders := b.reminders()
		framing := around + reminders
		if out.FramingKnown = known; known || reminders > 0 {
			out.FramingTokens = &framing
		}
		out.SystemTokens, out.ToolTokens, out.TokensExact = &n, &b.toolTokens, c.Exact() && b.model.Name != ""
		out.ToolsExact = b.toolTokens == 0
		out.Encoding = c.Name()
		b.checkBudget(n, framing)
		b.checkWindow(n + b.toolTokens + framing)
		out.Losses = b.losses
	}
	err := b.object(out)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func rankOf(after string) int {
	return slices.Index([]string{afterTools, afterStatic, afterSession, afterConversation, afterReminder}, after)
}

func (b *builder) lose(l Loss) { b.losses = append(b.losses, l) }

// conversationSize is about how many bytes the conversation takes.
func (b *builder) conversationSize(turns []turn) int {
	n := 0
	for i := range turns {
		n += len(turns[i].raw) + 64
		for j := range turns[i].blocks {
			text := len(turns[i].blocks[j].text)
			n += text + text/16 + 64
		}
	}
	return n
}

// leastAnswer is the shortest answer that Responses may be bound to.
const leastAnswer = 16

func (b *builder) checkBound() {
	switch n := b.r.MaxTokens; {
	case n < 0:
		b.faults.add(InvalidMaxTokens, cento.Position{}, "leave max_tokens out for the provider's own bound", "the bound of the answer is %d tokens", n)
	case n > 0 && n < leastAnswer && b.form == OpenAIResponses:
		b.faults.add(InvalidMaxTokens, cento.Position{}, fmt.Sprintf("give at least %d", leastAnswer), "OpenAI's Responses take no bound of the answer below %d tokens, and it is %d", leastAnswer, n)
	case n > 0 && b.form != Text && b.form != JSON && b.model.MaxOutput != nil && n > *b.model.MaxOutput:
		b.lose(Loss{Code: CodeOverOutput, Message: fmt.Sprintf("max_tokens is %d, and %s gives answers of at most %d tokens", n, b.asked(), *b.model.MaxOutput)})
	case n > 0 && (b.form == Text || b.form == JSON):
		b.lose(Loss{Code: CodeUnbounded, Message: fmt.Sprintf("the form %s has no place for the bound of the answer: max_tokens, which is %d, isn't sent", b.form, n)})
	}
}

// path is where the request goes.
func (b *builder) path(of string) string {
	if strings.Contains(of, "%s") {
		return fmt.Sprintf(of, url.PathEscape(b.name))
	}
	return of
}

// headers are those that the body asks for.
func (b *builder) headers() []Header {
	if b.form == Text {
		return []Header{}
	}
	out := []Header{{"content-type", "application/json"}}
	if b.form == Anthropic {
		out = append(out, Header{"anthropic-version", "2023-06-01"})
	}
	return out
}

// blocks are the stretches of the prompt that the marks make, each with the mark
// behind it; one where the form takes a text alone.
func (b *builder) blocks() []block {
	text := len(b.layout.text)
	if text == 0 {
		return nil
	}
	var out []block
	from := 0
	for i := range b.marks.blocks {
		m := &b.marks.blocks[i]
		out = append(out, block{sourced: b.layout.cut(from, m.end), mark: m})
		from = m.end
	}
	if from < text {
		out = append(out, block{sourced: b.layout.cut(from, text)})
	}
	return out
}

// block is a text that stands by itself, in the system prompt or in a message.
type block struct {
	sourced
	mark *mark // nil for none
}

// marked keeps a mark that was written at a pointer.
func (b *builder) marked(m *mark, pointer string) {
	ttl := m.ttl
	if ttl == "" {
		ttl = b.shortest
	}
	b.breakpoints = append(b.breakpoints, Breakpoint{Pointer: pointer, After: m.after, End: m.end, Tokens: m.tokens, TTL: ttl})
}

func isBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsSpace(r) })
}
