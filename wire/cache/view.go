package cache

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/wire"
)

// view is a request as the cache of its provider reads it.
type view struct {
	units  []unit
	blocks []block
	bytes  int
	tokens int
	exact  bool // the counts of what is text are the model's own
	// data is what in the messages is no text, sorted; mixed: something in them isn't a text
	// alone, so that what the provider makes of it isn't known.
	data  []string
	mixed bool
	model string
	form  wire.Form
	// system is the system prompt, joined, and starts where its parts begin.
	system string
	starts []start
	owners []owner // of the system prompt, tiling it; nil where nobody knows
	parts  []wire.Part
	tools  int // what all definitions count, -1 where that isn't known
	// rest are settings that break nothing, by name.
	rest map[string]string
	// sealed are the parts of which no text is at hand, by their pointers; others:
	// tools are among them.
	sealed map[string]wire.Block
	others bool
	// made says where the parts of the system prompt begin in which it is made again;
	// nil: those that it has.
	made map[string]int
}

// unit is what two requests are compared by: a setting, a tool, the whole system
// prompt, a part of a message.
type unit struct {
	wire.Part
	// before are the tokens of all that stands before it, after those with it.
	before, after int
	sealed        *wire.Block // nil: its text is at hand
}

// block is what a mark can stand behind.
type block struct {
	key     key // digest of everything up to here
	tokens  int // of everything up to here
	pointer string
	marked  bool
	ttl     string
}

type key [sha256.Size]byte

// with is the key behind a part whose text has a digest.
func (k key) with(p *wire.Part, digest string) key {
	h := sha256.New()
	h.Write(k[:])
	var n [8]byte
	for _, s := range []string{p.Kind.String(), p.Name, digest} {
		binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	binary.LittleEndian.PutUint64(n[:], uint64(p.Message))
	h.Write(n[:])
	return key(h.Sum(nil))
}

// start is where a part of the system prompt begins in the whole.
type start struct {
	at      int
	pointer string
}

// owner is a stretch of the system prompt that is of one fragment.
type owner struct {
	id         string
	start, end int
	stability  cento.Stability
	reminder   bool
	pos        cento.Position
}

// cacheOptions is the setting by which OpenAI is told whether it sets marks of its own.
const cacheOptions = "prompt_cache_options"

// newView reads a request. Whose texts are where is told by the result, if there is
// one. What begins like the request before, nil for none, isn't counted again.
func newView(s *Step, body, model string, result *wire.Result, before *view) (*view, error) {
	prompt, counter := s.Request.Prompt, s.Request.Counter
	parts, err := wire.Parts(s.Request.Form, body)
	if err != nil {
		return nil, err
	}
	v := &view{model: model, exact: counter.Exact() && model != "", form: s.Request.Form, rest: map[string]string{}}
	made := parts
	if s.Blocks != nil {
		parts = v.asSent(s, parts)
	}
	if s.tried == PlaceInTurn && s.Request.Partial {
		parts = v.withEnvelope(s, parts)
	}
	named := slices.IndexFunc(parts, func(p wire.Part) bool { return p.Kind == wire.SettingPart && p.Name == "model" })
	if named < 0 {
		parts = append([]wire.Part{{Kind: wire.SettingPart, Name: "model", Text: model}}, parts...)
	}
	for i := range parts {
		if parts[i].Kind == wire.SystemPart {
			parts[i].Name = "" // what marks part stands under another name than what they don't
		}
	}
	last := len(parts)
	for last > 0 && parts[last-1].Kind == wire.SettingPart && parts[last-1].Name != "model" {
		last--
		v.rest[parts[last].Name] = parts[last].Text
	}
	if s.tried == PlaceInTurn {
		for i := range made {
			if made[i].Kind == wire.SettingPart && made[i].Name == cacheOptions {
				v.rest[cacheOptions] = made[i].Text // it depends on the envelope
			}
		}
	}
	if v.rest["cache_control"] != "" && v.rest["cache_control"] != "null" && last > 0 {
		parts[last-1].Marked = true // one word for the last block
	}
	tools := -1
	if result != nil && result.ToolTokens != nil && !v.others {
		tools = *result.ToolTokens
	}
	v.spoken(parts)
	v.read(parts[:last], counter, tools, before)
	if result != nil && prompt != nil {
		v.owned(result, prompt)
	}
	return v, nil
}

// spoken finds what in the messages and the system prompt isn't a text alone.
func (v *view) spoken(parts []wire.Part) {
	for i := range parts {
		p := &parts[i]
		if p.Kind != wire.MessagePart && p.Kind != wire.SystemPart || p.Decoded {
			continue
		}
		if b, sealed := v.sealed[p.Pointer]; sealed && named(b.Pointer) {
			continue
		}
		v.mixed = true
		_, data := v.form.Counted(p)
		v.data = append(v.data, data...)
	}
	slices.Sort(v.data)
	v.data = slices.Compact(v.data)
	v.exact = v.exact && len(v.data) == 0
}

// named reports whether a pointer leads to a member: a text stands in one, and a part that is
// more than a text is an element of a list.
func named(pointer string) bool {
	last := pointer[strings.LastIndexByte(pointer, '/')+1:]
	return strings.Trim(last, "0123456789") != ""
}

// hasTools reports whether tools are among what is counted: a provider makes a text of
// them that it keeps to itself.
func (v *view) hasTools() bool {
	return slices.ContainsFunc(v.units, func(u unit) bool { return u.Kind == wire.ToolPart })
}

// read makes units and blocks of parts. tools is what all definitions count, -1
// where that isn't known.
func (v *view) read(parts []wire.Part, counter cento.Counter, tools int, before *view) {
	v.parts, v.tools = parts, tools
	v.units, v.blocks = make([]unit, 0, len(parts)), make([]block, 0, len(parts))
	alike := 0 // blocks that are those of the request before
	if before != nil && before.tools == tools && before.exact == v.exact {
		for i := 0; i < min(len(parts), len(before.parts)) && parts[i] == before.parts[i]; i++ {
			if parts[i].Kind != wire.SettingPart {
				alike++
			}
		}
	}
	var chain key
	// put adds a block, and gives what is counted up to it.
	put := func(p *wire.Part, count func() int) {
		if n := len(v.blocks); n < alike {
			v.blocks = append(v.blocks, before.blocks[n])
			chain, v.tokens = before.blocks[n].key, before.blocks[n].tokens
			return
		}
		chain = chain.with(p, v.digest(p))
		v.tokens = count()
		v.blocks = append(v.blocks, block{chain, v.tokens, p.Pointer, p.Marked, p.TTL})
	}
	toolsFrom := 0 // what stands before the tools
	for i := 0; i < len(parts); i++ {
		p := &parts[i]
		u := unit{Part: *p, before: v.tokens}
		size := len(p.Text)
		count := func() int {
			text, _ := v.form.Counted(p)
			return counter.Count(text)
		}
		if b, sealed := v.sealed[p.Pointer]; sealed {
			u.sealed, size = &b, b.Bytes
			count = func() int { return v.tokensOf(&b) }
		}
		switch p.Kind {
		case wire.SettingPart:
			chain = chain.with(p, v.digest(p))
		case wire.SystemPart:
			end := i
			var b strings.Builder
			for ; end < len(parts) && parts[end].Kind == wire.SystemPart; end++ {
				v.starts = append(v.starts, start{b.Len(), parts[end].Pointer})
				b.WriteString(parts[end].Text)
			}
			u.Text, v.system = b.String(), b.String()
			at := 0
			for ; i < end; i++ {
				at += len(parts[i].Text)
				put(&parts[i], func() int { return u.before + counter.Count(v.system[:at]) })
			}
			i--
			v.bytes += len(u.Text)
		case wire.ToolPart:
			if i == 0 || parts[i-1].Kind != wire.ToolPart {
				toolsFrom = v.tokens // some forms have the system prompt before them
			}
			last := i+1 == len(parts) || parts[i+1].Kind != wire.ToolPart
			put(p, func() int {
				switch {
				case tools >= 0 && last:
					return max(v.tokens, toolsFrom+tools)
				case tools >= 0:
					return min(v.tokens+count(), toolsFrom+tools)
				}
				return v.tokens + count()
			})
			v.bytes += size
		default:
			put(p, func() int { return v.tokens + count() })
			v.bytes += size
		}
		u.after = v.tokens
		v.units = append(v.units, u)
	}
}

// owned tells the fragments of the system prompt apart.
func (v *view) owned(result *wire.Result, prompt *cento.Prompt) {
	at := v.made
	if at == nil {
		at = make(map[string]int, len(v.starts))
		for _, s := range v.starts {
			at[s.pointer] = s.at
		}
	}
	v.owners = make([]owner, 0, min(len(result.Map), len(result.Spans)))
	for _, m := range result.Map {
		base, ok := at[m.Pointer]
		if !ok {
			continue
		}
		s := &result.Spans[m.Span]
		if n := len(v.owners); n > 0 && v.owners[n-1].id == s.Fragment {
			v.owners[n-1].end = base + m.End
			continue
		}
		o := owner{id: s.Fragment, start: base + m.Start, end: base + m.End, reminder: isReminder(s.Fragment), pos: cento.Position{File: s.File, Line: s.Line, Column: s.Column}}
		if i, ok := prompt.Index(s.Fragment); ok {
			o.stability = prompt.Fragment(i).Stability
		}
		v.owners = append(v.owners, o)
	}
	if n := len(v.owners); n == 0 || v.owners[n-1].end != len(v.system) {
		v.owners = nil // of a prompt that is not the whole
	}
}

// isReminder reports whether a fragment is a reminder.
func isReminder(id string) bool {
	return strings.HasPrefix(id, "reminder:") || strings.HasPrefix(id, "reminders:")
}

// sortedOwners reports whether no fragment stands before one that changes less often.
func sortedOwners(owners []owner) bool {
	return slices.IsSortedFunc(owners, func(a, b owner) int { return cmp.Compare(a.stability, b.stability) })
}

// at is where a byte of the system prompt stands in the body.
func (v *view) at(offset int) (pointer string, in int) {
	i, ok := slices.BinarySearchFunc(v.starts, offset, func(s start, at int) int { return cmp.Compare(s.at, at) })
	if !ok {
		i--
	}
	if i < 0 {
		return "", offset
	}
	return v.starts[i].pointer, offset - v.starts[i].at
}

// owner is whose byte of the system prompt it is.
func (v *view) owner(offset int) (owner, bool) {
	i, _ := slices.BinarySearchFunc(v.owners, offset+1, func(o owner, at int) int { return cmp.Compare(o.end, at) })
	if i == len(v.owners) {
		return owner{}, false
	}
	return v.owners[i], true
}
