package manifest

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/enum"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/wire"
)

// modelEntryFile is what is said of a model: it goes over what the catalog knows.
type modelEntryFile struct {
	strict.At
	ID                    text           `json:"id" jsonschema:"Name of the model. Of one that the catalog knows, what is said here stands instead; another one is added."`
	Provider              string         `json:"provider,omitempty" jsonschema:"Who serves it."`
	Family                string         `json:"family,omitempty" jsonschema:"The vendor's line, such as claude; sets the capability model.family.<family>."`
	Series                string         `json:"series,omitempty" jsonschema:"The finer line, such as claude-opus."`
	Aliases               []string       `json:"aliases,omitempty" jsonschema:"Other names of the model." names:"a model"`
	Context               *count         `json:"context,omitempty" jsonschema:"Size of the context window in tokens."`
	MaxInput              *count         `json:"max_input,omitempty" jsonschema:"Most tokens of an input, where that is less than the window."`
	MaxOutput             *count         `json:"max_output,omitempty" jsonschema:"Most tokens of an answer."`
	Price                 *modelRateFile `json:"price,omitempty" jsonschema:"US dollars for a million tokens."`
	Tokenizer             *text          `json:"tokenizer,omitempty" jsonschema:"Encoding that counts its tokens: o200k_base or cl100k_base."`
	Cache                 *modelCache    `json:"cache,omitempty" jsonschema:"Rules of its prompt cache."`
	System                *systemPlace   `json:"system,omitempty" jsonschema:"Where requests have the system prompt."`
	OneSystemMessage      *bool          `json:"one_system_message,omitempty" jsonschema:"It takes one system message, and that first."`
	MidConversationSystem *bool          `json:"mid_conversation_system,omitempty" jsonschema:"It takes system messages between the turns."`
	Prefill               *bool          `json:"prefill,omitempty" jsonschema:"It goes on with a last message of its own."`
	Sampling              *bool          `json:"sampling,omitempty" jsonschema:"It takes a temperature, top_p and top_k other than its own."`
	ThinkingBudget        *bool          `json:"thinking_budget,omitempty" jsonschema:"It takes a bound of the tokens that it reasons with (budget_tokens)."`
	Sections              []string       `json:"sections,omitempty" jsonschema:"Forms in which prompts are best parted." names:"a form"`
	Wire                  *wire.Form     `json:"wire,omitempty" jsonschema:"Form of the requests to it."`
	Tools                 *bool          `json:"tools,omitempty" jsonschema:"It calls tools by itself; false sets model.text_tools."`
	ChatTools             *bool          `json:"chat_tools,omitempty" jsonschema:"It takes tools in OpenAI's Chat Completions; one that doesn't may take them in the Responses."`
	Vision                *bool          `json:"vision,omitempty" jsonschema:"It takes images."`
	Reasoning             *bool          `json:"reasoning,omitempty" jsonschema:"It reasons before it answers."`
	Status                string         `json:"status,omitempty" jsonschema:"Such as active or legacy."`
	Source                string         `json:"source,omitempty" jsonschema:"What this rests on."`
}

type modelRateFile struct {
	Input      *dollars           `json:"input,omitempty" jsonschema:"Of input."`
	Output     *dollars           `json:"output,omitempty" jsonschema:"Of output."`
	CacheRead  *dollars           `json:"cache_read,omitempty" jsonschema:"Of input that is read from the prompt cache."`
	CacheWrite map[string]dollars `json:"cache_write,omitempty" jsonschema:"Of input that is written to it, by how long it stays, such as 5m." names:"a time such as 5m"`
}

type modelCache struct {
	Kind           *cacheKind `json:"kind,omitempty" jsonschema:"How it is told what to keep."`
	MinTokens      *count     `json:"min_tokens,omitempty" jsonschema:"Shortest prefix that is kept."`
	MaxBreakpoints *int       `json:"max_breakpoints,omitempty" jsonschema:"Most marks in a request."`
	TTL            []string   `json:"ttl,omitempty" jsonschema:"Times that a request may ask for, the shortest first." names:"a time such as 5m"`
	Automatic      *bool      `json:"automatic,omitempty" jsonschema:"Prefixes are kept without marks too."`
	Lookback       *count     `json:"lookback,omitempty" jsonschema:"Blocks before a mark that are compared."`
}

// dollars is a price, 0 or more.
type dollars float64

// DecodeNode reads a number.
func (p *dollars) DecodeNode(d *strict.Decoder, n *strict.Node) {
	switch v, ok := n.Float(); {
	case !ok:
		d.Expected(n, "a number")
	case v < 0:
		d.Fail(n.Position(), strict.WrongValue, "expected a price of 0 or more, got %v", v)
	default:
		*p = dollars(v)
	}
}

// cacheKind is how a prompt cache is told what to keep.
type cacheKind uint8

var cacheKinds = enum.Names[cacheKind]{
	string(cento.CacheExplicit), string(cento.CacheImplicit), string(cento.CacheBoth), string(cento.CacheObject), string(cento.CacheNone),
}

// MarshalText gives the name.
func (k cacheKind) MarshalText() ([]byte, error) { return cacheKinds.Marshal(k) }

// UnmarshalText accepts a name.
func (k *cacheKind) UnmarshalText(t []byte) error { return cacheKinds.Unmarshal(t, k) }

// systemPlace is where requests have the system prompt.
type systemPlace uint8

var systemPlaces = enum.Names[systemPlace]{
	string(cento.SystemField), string(cento.SystemMessage), string(cento.DeveloperMessage), string(cento.SystemInstruction),
}

// MarshalText gives the name.
func (p systemPlace) MarshalText() ([]byte, error) { return systemPlaces.Marshal(p) }

// UnmarshalText accepts a name.
func (p *systemPlace) UnmarshalText(t []byte) error { return systemPlaces.Unmarshal(t, p) }

// modelEntries are what is said of models. Each may stand once.
func modelEntries(d *strict.Decoder, list []modelEntryFile) []cento.Model {
	var out []cento.Model
	first := map[string]cento.Position{}
	for i := range list {
		d.InItem(i, func() {
			m, at := list[i].entry(d), list[i].ID.Position()
			for _, name := range append([]string{m.ID}, m.Aliases...) {
				key := strings.ToLower(name)
				if other, twice := first[key]; twice && name != "" {
					d.Fail(at, Conflict, "two entries name the model %q", name).Related = []cento.Related{{Position: other, Message: "the other one"}}
				}
				first[key] = at
			}
			out = append(out, m)
		})
	}
	return out
}

// entry is the entry as the catalog takes it. What isn't said is left as it is
// there.
func (f *modelEntryFile) entry(d *strict.Decoder) cento.Model {
	m := cento.Model{
		ID: strings.TrimSpace(f.ID.Value), Provider: f.Provider, Family: f.Family, Series: f.Series, Aliases: f.Aliases,
		Context: f.Context.number(), MaxInput: f.MaxInput.number(), MaxOutput: f.MaxOutput.number(),
		OneSystemMessage: f.OneSystemMessage, MidConversationSystem: f.MidConversationSystem, Prefill: f.Prefill,
		Sampling: f.Sampling, ThinkingBudget: f.ThinkingBudget, Sections: f.Sections, Tools: f.Tools, ChatTools: f.ChatTools, Vision: f.Vision, Reasoning: f.Reasoning, Status: f.Status, Source: f.Source,
	}
	if _, ok := f.ID.Text(); ok && m.ID == "" {
		d.Fail(f.ID.Position(), strict.WrongValue, "a model without a name").Hint = "write the id that the provider gives it"
	}
	if f.System != nil {
		m.System = cento.SystemPlace(systemPlaces.Name(*f.System))
	}
	if f.Wire != nil {
		m.Wire = f.Wire.String()
	}
	if t := f.Tokenizer; t != nil {
		known := exactEncodings
		if _, ok := t.Text(); ok && !slices.Contains(known, t.Value) {
			d.In("tokenizer", func() {
				d.Fail(t.Position(), strict.WrongValue, "no exact encoding is named %q", t.Value).Hint = strict.UnknownHint(t.Value, known)
			})
		}
		m.Tokenizer = &t.Value
	}
	if c := f.Cache; c != nil {
		m.Cache = cento.ModelCache{
			MinTokens: c.MinTokens.number(), MaxBreakpoints: c.MaxBreakpoints, TTL: c.TTL, Automatic: c.Automatic, Lookback: c.Lookback.number(),
		}
		if c.Kind != nil {
			m.Cache.Kind = cento.CacheKind(cacheKinds.Name(*c.Kind))
		}
	}
	if p := f.Price; p != nil {
		m.Price = cento.ModelPrice{Input: (*float64)(p.Input), Output: (*float64)(p.Output), CacheRead: (*float64)(p.CacheRead)}
		for ttl, price := range p.CacheWrite {
			if m.Price.CacheWrite == nil {
				m.Price.CacheWrite = map[string]float64{}
			}
			m.Price.CacheWrite[ttl] = float64(price)
		}
	}
	return m
}

// exactEncodings are the encodings that are counted exactly.
var exactEncodings = []string{"cl100k_base", "o200k_base"}

// number is nil where nothing was written.
func (c *count) number() *int {
	if c == nil {
		return nil
	}
	return &c.Value
}
