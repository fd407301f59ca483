package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/cento-dev/cento"
)

// write writes the body. Its keys stand in the order of the table of rules, behind
// them those of the caller.
func (b *builder) write(turns []turn) {
	if b.form == Text {
		b.w.buf = append(b.w.buf, b.layout.text...)
		for i := range b.layout.spans {
			s := &b.layout.spans[i]
			b.w.pieces = append(b.w.pieces, Piece{Start: s.Start, End: s.End, Span: i})
		}
		return
	}
	b.w.object()
	switch b.form {
	case Anthropic:
		b.anthropic(turns)
	case OpenAI:
		b.openAI(turns)
	case OpenAIResponses:
		b.responses(turns)
	case Gemini:
		b.gemini(turns)
	case Bedrock:
		b.bedrock(turns)
	case Ollama, OpenAICompatible:
		b.joinedSystem(turns)
	case JSON:
		b.neutral(turns)
	}
	b.writeExtra()
	b.w.end()
}

// messages writes the list of messages under a name; none of a partial request.
func (b *builder) messages(name string, turns []turn) {
	if b.r.Partial {
		return
	}
	b.w.name(name)
	b.w.array()
	b.writeTurns(turns)
	b.w.end()
}

// defaultAnswer bounds the answer where nothing is known of the model and the form
// wants a bound.
const defaultAnswer = 4096

func (b *builder) anthropic(turns []turn) {
	w := &b.w
	w.member("model", b.name)
	w.name("max_tokens")
	switch {
	case b.r.MaxTokens > 0:
		w.number(b.r.MaxTokens)
	case b.model.MaxOutput != nil:
		w.number(*b.model.MaxOutput)
	default:
		w.number(defaultAnswer)
		b.lose(Loss{Code: CodeBoundGuessed, Pointer: "/max_tokens", Message: fmt.Sprintf("max_tokens is %d, which is a guess: %s wants a bound of the answer, none is given, and %s", defaultAnswer, b.rules.vendor, b.unbounded())})
	}
	b.systemBlocks("system")
	b.writeTools()
	b.messages("messages", turns)
}

// unbounded says why no bound of the answer is known.
func (b *builder) unbounded() string {
	if b.model.Name == "" {
		return "no model is chosen"
	}
	return "none is known of " + b.asked()
}

// systemBlocks writes the system prompt as a list of blocks.
func (b *builder) systemBlocks(name string) {
	blocks := b.blocks()
	if len(blocks) == 0 {
		return
	}
	b.w.name(name)
	b.w.array()
	for _, x := range blocks {
		b.part(systemRole, x.sourced, x.mark)
	}
	b.w.end()
}

// bound writes the bound of the answer where one is given.
func (b *builder) bound(name string) {
	if b.r.MaxTokens > 0 {
		b.w.name(name)
		b.w.number(b.r.MaxTokens)
	}
}

// systemMessage writes the system prompt as the first message: a text, or parts
// where marks part it.
func (b *builder) systemMessage() {
	if b.layout.text == "" {
		return
	}
	role := systemRole
	if b.model.System == cento.DeveloperMessage {
		role = "developer"
	}
	w := &b.w
	w.item()
	w.object()
	if b.form == OpenAIResponses {
		w.member("type", "message")
	}
	w.member("role", role)
	if len(b.marks.blocks) > 0 {
		b.systemBlocks("content")
	} else {
		w.name("content")
		w.text(b.layout.all())
	}
	w.end()
}

func (b *builder) openAI(turns []turn) {
	w := &b.w
	w.member("model", b.name)
	w.name("messages")
	w.array()
	b.systemMessage()
	if !b.r.Partial {
		b.writeTurns(turns)
	}
	w.end()
	b.writeTools()
	b.bound("max_completion_tokens")
	b.cacheOptions()
}

// cacheKey is the member by whose value OpenAI finds the cache again. A form that doesn't
// write it has no place for a key.
const cacheKey = "prompt_cache_key"

// cacheOptions writes how OpenAI is to use its cache: marks of its own behind an
// envelope are paid and never read.
func (b *builder) cacheOptions() {
	if b.marks.any() {
		mode := "implicit"
		if b.enveloped {
			mode = "explicit"
		}
		b.w.name("prompt_cache_options")
		b.w.object()
		b.w.member("mode", mode)
		b.w.end()
	}
	if b.r.Cache.Key != "" {
		b.w.member(cacheKey, b.r.Cache.Key)
	}
}

// asInput reports whether the system prompt is a message of the input.
func (b *builder) asInput(turns []turn) bool {
	return len(b.marks.blocks) > 0 || len(turns) == 0 && !b.r.Partial
}

func (b *builder) responses(turns []turn) {
	w := &b.w
	w.member("model", b.name)
	// What instructions say can't be marked, and a request of instructions alone is
	// refused.
	asInput := b.asInput(turns)
	if b.layout.text != "" && !asInput {
		w.name("instructions")
		w.text(b.layout.all())
	}
	if asInput || !b.r.Partial {
		w.name("input")
		w.array()
		if asInput {
			b.systemMessage()
		}
		b.writeTurns(turns)
		w.end()
	}
	b.writeTools()
	b.bound("max_output_tokens")
	stored := false
	for _, m := range b.extra {
		stored = stored || m.name == "store"
	}
	if !stored { // nothing is kept unless somebody says so
		w.name("store")
		w.bool(false)
	}
	b.cacheOptions()
}

func (b *builder) gemini(turns []turn) {
	if b.r.Cache.Object == nil {
		from := len(b.w.buf)
		b.systemInstruction()
		b.writeTools()
		b.kept = b.w.buf[from:]
	}
	b.messages("contents", turns)
	b.writeSettings()
	if o := b.r.Cache.Object; o != nil {
		b.w.member("cachedContent", o.Name)
	}
}

func (b *builder) systemInstruction() {
	if b.layout.text == "" {
		return
	}
	b.w.name("systemInstruction")
	b.w.object()
	b.systemBlocks("parts")
	b.w.end()
}

// object makes the cache object of Gemini, and holds the one that the request names
// against it.
func (b *builder) object(out *Result) error {
	named := b.r.Cache.Object
	if b.form != Gemini {
		if named != nil {
			b.faults.add(InvalidForm, cento.Position{}, "leave the object out", "the form %s knows no cache objects", b.form)
		}
		return cento.Join(b.faults)
	}
	if b.r.Cache.Off && named == nil || b.layout.text == "" && len(b.tools) == 0 {
		return nil
	}
	if named == nil && b.model.Cache.Kind != cento.CacheObject {
		return nil
	}
	if b.layout.changes() {
		if named != nil {
			b.faults.add(StaleObject, cento.Position{}, "send the request without it", "the cache object %q can't hold this prompt, which changes with each turn", named.Name)
			return cento.Join(b.faults)
		}
		out.Losses = append(out.Losses, Loss{Code: CodeNoObject, Message: "the prompt changes with each turn, so that there is no cache object of it"})
		return nil
	}
	body := *b
	body.w = writer{buf: make([]byte, 0, len(b.kept)+256)}
	body.w.object()
	body.w.member("model", "models/"+b.name)
	if len(b.kept) > 0 {
		body.w.next()
		body.w.raw(b.kept)
	} else {
		body.systemInstruction()
		body.writeTools()
	}
	sum := sha256.Sum256(body.w.buf)
	if ttl, err := time.ParseDuration(b.r.Cache.StaticTTL); err == nil {
		body.w.member("ttl", fmt.Sprintf("%ds", int64(ttl/time.Second)))
	}
	body.w.end()
	out.CacheObject = &CacheObject{Body: body.w.written(), URLPath: "/v1beta/cachedContents", Digest: hex.EncodeToString(sum[:])}
	if named != nil && named.Digest != out.CacheObject.Digest {
		b.faults.add(StaleObject, cento.Position{}, "make the cache object anew", "the cache object %q holds another prompt, other tools or is of another model: its digest is %.12s…, and now it is %.12s…", named.Name, named.Digest, out.CacheObject.Digest)
		return cento.Join(b.faults)
	}
	return nil
}

func (b *builder) bedrock(turns []turn) {
	w := &b.w
	b.systemBlocks("system")
	if len(b.tools) > 0 {
		w.name("toolConfig")
		from := len(w.buf)
		w.object()
		b.writeTools()
		w.end()
		b.toolsAt = stretch{start: from, end: len(w.buf)}
	}
	b.messages("messages", turns)
	b.writeSettings()
}

// joinedSystem writes a request of texts alone, with one system message, the first.
func (b *builder) joinedSystem(turns []turn) {
	w := &b.w
	w.member("model", b.name)
	w.name("messages")
	w.array()
	if b.layout.text != "" {
		w.item()
		w.object()
		w.member("role", systemRole)
		w.name("content")
		w.text(b.layout.all())
		w.end()
	}
	if !b.r.Partial {
		b.writeTurns(turns)
	}
	w.end()
	b.writeTools()
	if b.form == OpenAICompatible {
		b.bound("max_tokens")
		return
	}
	w.name("stream")
	w.bool(false)
	b.writeSettings()
}

// neutral writes the form of no provider.
func (b *builder) neutral(turns []turn) {
	b.w.member("model", b.name)
	b.systemBlocks("system")
	b.writeTools()
	b.messages("messages", turns)
}
