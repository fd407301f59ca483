package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/token"
)

// Codes of notes on a model.
const (
	// CodeGuessed: the model isn't known; what holds for its series stands for it,
	// or the program doesn't know who serves it.
	CodeGuessed cento.Code = "model.guessed"
	// CodeUnknown: nothing is known of the model.
	CodeUnknown cento.Code = "model.unknown"
)

// Lookup tells what is known of a model by its name, as its vendor gives it or as
// a provider does that serves it: a path or region before it and a date or version
// behind it don't matter, nor does the case. Who serves it decides the form of
// requests, and what of its cache and price is known. A model that isn't known has
// what its series has, with the note [CodeGuessed]; of one that is of no known
// series there is a counter of tokens and the note [CodeUnknown] with the nearest
// names. Lookup never fails.
func (c *Catalog) Lookup(name string) (cento.Model, []cento.Note) {
	asked := strings.TrimSpace(name)
	if i, ok := c.byName[strings.ToLower(asked)]; ok {
		m := counted(c.models[i].Model, c.models[i].ID)
		m.Name = asked
		return m, nil
	}
	server, rest := served(strings.ToLower(asked))
	var notes []cento.Note
	if server != "" && !slices.Contains(servers, server) && !slices.ContainsFunc(c.models, func(e entry) bool { return e.Provider == server }) {
		notes = append(notes, cento.Note{
			Code:    CodeGuessed,
			Message: fmt.Sprintf("of %q, who serves the model %q, nothing is known: requests have the form of OpenAI's Chat Completions", server, asked),
		})
	}
	for _, spelling := range spellings(rest) {
		if i, ok := c.byName[spelling]; ok {
			return c.models[i].servedBy(server, asked), notes
		}
	}
	for _, spelling := range spellings(rest) {
		if e := c.seriesOf(spelling); e != nil {
			found := *e
			found.ID = asked
			message := fmt.Sprintf("the model %q isn't known: what holds for all of the series %s stands for it", asked, e.Series)
			if near := c.Nearest(asked); near != "" {
				message += fmt.Sprintf("; the nearest name is %q", near)
			}
			return found.servedBy(server, asked), append(notes, cento.Note{Code: CodeGuessed, Message: message})
		}
	}
	path, sent := sent(asked, server)
	unknown := cento.Model{ID: asked, Name: sent, Path: path, Provider: server, System: cento.SystemMessage, Wire: compatible}
	if server == bedrock {
		unknown.System, unknown.Wire = cento.SystemField, bedrock
	}
	unknown = counted(unknown, asked)
	message := fmt.Sprintf("nothing is known of the model %q: its tokens are estimated, and no cache is reckoned with", asked)
	if unknown.Counting.Exact {
		message = fmt.Sprintf("nothing is known of the model %q but its tokens: no cache is reckoned with", asked)
	}
	if near := c.Nearest(asked); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return unknown, append(notes, cento.Note{Code: CodeUnknown, Message: message})
}

// At gives notes on a model the place at which it is named.
func At(at cento.Position, notes []cento.Note) []cento.Note {
	for i := range notes {
		notes[i].Position = at
	}
	return notes
}

// Nearest is the name that was probably meant: the longest known one that the name
// begins with, with what is behind it mended; else the known one that is nearest; else
// the name with its line of models mended, where that is mistyped. It is empty when
// none is near. What is known are the ids and aliases of the catalog and the models of
// [token.Published].
func (c *Catalog) Nearest(name string) string {
	names := token.Published()
	for i := range c.models {
		names = append(append(names, c.models[i].ID), c.models[i].Aliases...)
	}
	_, rest := served(strings.ToLower(strings.TrimSpace(name)))
	begun := ""
	for _, known := range names {
		if strings.EqualFold(known, rest) {
			return ""
		}
		if len(known) > len(begun) && len(known) < len(rest) && strings.EqualFold(known, rest[:len(known)]) && strings.IndexByte("-:@", rest[len(known)]) >= 0 {
			begun = known
		}
	}
	if begun != "" {
		whole := map[string]string{} // the known names by what they have behind it
		for _, known := range names {
			if len(known) > len(begun)+1 && strings.EqualFold(known[:len(begun)], begun) {
				whole[known[len(begun)+1:]] = known
			}
		}
		if near, ok := nearest.Name(rest[len(begun)+1:], slices.Sorted(maps.Keys(whole))); ok {
			return whole[near]
		}
		return begun
	}
	if near, ok := nearest.Name(rest, names); ok {
		return near
	}
	return token.MendLine(name)
}

// compatible is the form of servers that speak OpenAI's Chat Completions.
const compatible = "openai-compatible"

// Servers of models of others, as paths before names have them.
const (
	bedrock    = "bedrock"
	openRouter = "openrouter"
	vertex     = "vertex_ai"
	azure      = "azure"
)

var servers = []string{bedrock, openRouter, vertex, azure}

// vendorPaths are the vendors' own names in paths, and before points in the ids
// of Bedrock.
var vendorPaths = map[string]string{
	"anthropic": "anthropic", "openai": "openai", "google": "google", "models": "google", "gemini": "google", "amazon": "amazon",
	"meta": "meta", "meta-llama": "meta", "mistral": "mistral", "mistralai": "mistral", "deepseek": "deepseek", "deepseek-ai": "deepseek",
	"qwen": "alibaba", "alibaba": "alibaba", "moonshot": "moonshot", "moonshotai": "moonshot", "zai": "zai", "z-ai": "zai",
	"xai": "xai", "x-ai": "xai", "minimax": "minimax",
}

// served parts a name in lower case from who serves the model: empty where the
// name doesn't say, the vendor itself, or somebody else.
func served(name string) (server, rest string) {
	if strings.HasPrefix(name, "arn:") && strings.Contains(name, ":bedrock:") {
		_, name, _ = cutLast(name, "/") // of a model, or of an inference profile
		server = bedrock
	}
	if path, last, ok := cutLast(name, "/"); ok {
		first, _, _ := strings.Cut(path, "/")
		_, vendor := vendorPaths[first]
		switch {
		case vendor && first == path:
			return vendorPaths[first], last
		case strings.HasPrefix(first, "vertex"):
			return vertex, last
		case strings.HasPrefix(first, azure):
			return azure, last
		case first == bedrock:
			name = last
		case !vendor:
			return first, last
		default: // a path below a vendor, as of somebody's fine-tuning
			return vendorPaths[first], last
		}
		server = bedrock
	}
	// us.anthropic.claude-…: a region, a vendor, the id of the vendor.
	words := strings.SplitN(name, ".", 3)
	for i := range min(len(words)-1, 2) {
		if _, vendor := vendorPaths[words[i]]; vendor && !strings.ContainsAny(words[i], "0123456789") {
			if words[i] == "amazon" {
				return bedrock, strings.Join(words[i:], ".")
			}
			return bedrock, strings.Join(words[i+1:], ".")
		}
	}
	return server, name
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+len(sep):], true
}

// sent is the name in requests: as it was asked for, without the word for who
// serves the model; and the path before it where that is the vendor's, which others than
// the vendor may want with the name. A path that a server itself has stays.
func sent(asked, server string) (path, name string) {
	first, rest, ok := strings.Cut(asked, "/")
	if !ok {
		return "", asked
	}
	if slices.Contains(servers, strings.ToLower(first)) {
		return "", rest
	}
	if _, vendor := vendorPaths[strings.ToLower(first)]; vendor && server != bedrock {
		return first, rest
	}
	return "", asked
}

// spellings are a name in lower case, and without a date, version or variant
// behind it; and with hyphens for the points that gateways put in the numbers of
// Claude.
func spellings(name string) []string {
	out := []string{name}
	add := func(s string) {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for k := 0; k < len(out); k++ {
		s := out[k]
		for _, sign := range []string{":", "@"} {
			before, _, _ := cutLast(s, sign)
			add(before)
		}
		add(strings.TrimSuffix(s, "-latest"))
		if before, last, ok := cutLast(s, "-"); ok {
			if digits(last) && len(last) == 8 || strings.HasPrefix(last, "v") && digits(last[1:]) {
				add(before)
			}
		}
		if n := len(s) - len("-2006-01-02"); n > 0 && s[n] == '-' && s[n+5] == '-' && s[n+8] == '-' && digits(s[n+1:n+5]+s[n+6:n+8]+s[n+9:]) {
			add(s[:n])
		}
		if strings.HasPrefix(s, "claude") {
			add(strings.ReplaceAll(s, ".", "-"))
		}
	}
	return out
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// seriesOf is the entry of the series with the longest prefix; nil for none.
func (c *Catalog) seriesOf(name string) *entry {
	var found *entry
	for i := range c.series {
		if e := &c.series[i]; e.begins(name) && (found == nil || len(e.Prefix) > len(found.Prefix)) {
			found = e
		}
	}
	return found
}

// begins reports whether a name is of the series. A number ends where it ends,
// and so does a word: gpt-5 is neither gpt-50 nor gpt-5.6.
func (e *entry) begins(name string) bool {
	rest, ok := strings.CutPrefix(name, e.Prefix)
	if !ok || rest == "" {
		return ok
	}
	last, next := e.Prefix[len(e.Prefix)-1], rest[0]
	digit := func(c byte) bool { return '0' <= c && c <= '9' }
	letter := func(c byte) bool { return 'a' <= c && c <= 'z' }
	switch {
	case digit(last):
		return !digit(next) && next != '.'
	case letter(last):
		return !letter(next)
	}
	return true
}

// servedBy is the entry as somebody serves it. What isn't known of a model there
// isn't known: prices, the rules of its cache, and what its own interface refuses.
func (e *entry) servedBy(server, asked string) cento.Model {
	m := e.Model
	counting := cmp.Or(e.ID, asked)
	if server != "" && server != m.Provider && (server != bedrock || m.Wire != bedrock) {
		m.Provider = server
		m.Price, m.MidConversationSystem, m.ChatTools = cento.ModelPrice{}, nil, nil
		cache := m.Cache
		m.Cache = cento.ModelCache{}
		switch server {
		case bedrock:
			m.Wire, m.System = bedrock, cento.SystemField
			if e.Provider == "openai" { // Converse doesn't have them: they are asked by Responses there
				m.Wire, m.System = "openai-responses", e.System
			}
			m.Price = e.Price // Bedrock has the vendor's prices
			if cache.Kind == cento.CacheExplicit && m.Family == "claude" {
				m.Cache = cento.ModelCache{Kind: cento.CacheBoth, MaxBreakpoints: cache.MaxBreakpoints, TTL: cache.TTL, Automatic: cache.Automatic, Lookback: cache.Lookback}
			}
		case azure:
			m.Cache, m.Price = cache, cento.ModelPrice{}
		case vertex:
			if m.Family == "claude" || m.Family == "gemini" {
				m.Cache = cache // the vendor's own form, under Google's address
				break
			}
			fallthrough
		default:
			m.Wire, m.System, m.OneSystemMessage, m.Prefill = compatible, cento.SystemMessage, nil, nil
			m.Sampling, m.SamplingAtNone, m.SamplingPair, m.Efforts, m.DefaultEffort = nil, nil, nil, nil, ""
			m.ThinkingBudget, m.AdaptiveThinking, m.ChatMaxTokens = nil, nil, nil
		}
		overlay(&m, e.Elsewhere[server])
	}
	m.Path, m.Name = sent(asked, server)
	return counted(m, counting)
}
