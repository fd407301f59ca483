package app

import (
	"cmp"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/token"
)

// UnknownEncoding: no counter has the name.
const UnknownEncoding cento.ErrorCode = "encoding.unknown"

// Counting says how tokens were counted.
type Counting struct {
	// Model is whose tokens were asked for, null when none was named.
	Model *string `json:"model"`
	// Encoding is the name of the counter.
	Encoding string `json:"encoding"`
	// Exact is whether the count is what the model counts.
	Exact bool `json:"exact"`
	// Basis says what an estimate rests on; empty for an exact count.
	Basis string `json:"basis,omitempty"`
}

// CountBy finds what counts: the encoding when one is named, else that of the
// model, else the default.
func CountBy(model, encoding string) (cento.Counter, Counting, error) {
	return CountInput(cento.Input{Active: cento.Active{Model: model}}, encoding)
}

// CountInput is [CountBy] for the model of an input.
func CountInput(in cento.Input, encoding string) (cento.Counter, Counting, error) {
	model, about := in.Active.Model, Counting{}
	if model != "" {
		about.Model = &model
	}
	counter := CounterOf(in)
	if encoding != "" {
		var err error
		counter, err = token.LookupCounter(encoding)
		if unknown, ok := errors.AsType[*token.UnknownError](err); ok {
			return nil, about, &cento.SourceError{Code: UnknownEncoding, Message: unknown.Error(), Hint: unknown.Hint()}
		}
		if err != nil {
			return nil, about, err
		}
	}
	about.Encoding, about.Exact, about.Basis = counter.Name(), counter.Exact(), token.Basis(counter)
	return counts.Counter(counter), about, nil
}

// TextCount is the size of a text.
type TextCount struct {
	Bytes  int `json:"bytes"`
	Tokens int `json:"tokens"`
	Counting
	// Invalid is how many bytes aren't part of valid UTF-8. Each counts as the
	// replacement character that is sent in its place.
	Invalid int `json:"invalid_bytes,omitempty"`
	// Notes tell of the model that is named.
	Notes []cento.Note `json:"notes,omitempty"`
}

// Encodings lists what counts: the exact encodings and the estimates.
func Encodings() []string { return token.Names() }

// CountText counts a text as it is.
func CountText(text string, counter cento.Counter, about Counting) *TextCount {
	out := &TextCount{Bytes: len(text), Tokens: counter.Count(text), Counting: about}
	if !utf8.ValidString(text) {
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && size == 1 {
				out.Invalid++
			}
			i += size
		}
	}
	return out
}

// PromptCount is the size of a prompt and of its fragments.
type PromptCount struct {
	Bytes  int `json:"bytes"`
	Tokens int `json:"tokens"`
	Counting
	// Fragments are those that are in the prompt, in its order.
	Fragments []FragmentCount `json:"fragments"`
	// Sum is that of the fragments. The prompt isn't counted by its parts: there
	// are headings and blank lines between them, and a token may lie across.
	Sum int `json:"sum"`
	// Notes tell of what was read, and of what the flags change.
	Notes []cento.Note `json:"notes,omitempty"`
}

// FragmentCount is the size of a fragment on its own.
type FragmentCount struct {
	ID     string  `json:"id"`
	Source string  `json:"source"`
	Layer  *string `json:"layer"`
	Bytes  int     `json:"bytes"`
	Tokens int     `json:"tokens"`
}

// CountPrompt counts a prompt and its fragments.
func CountPrompt(p *cento.Prompt, counter cento.Counter, about Counting) *PromptCount {
	e := p.Explain(cento.ExplainOptions{Counter: counter})
	out := &PromptCount{Bytes: e.Bytes, Counting: about, Fragments: []FragmentCount{}}
	if e.Tokens != nil {
		out.Tokens = *e.Tokens
	}
	var in []cento.Trace
	for _, f := range e.Fragments {
		if f.Included {
			in = append(in, f)
		}
	}
	slices.SortStableFunc(in, func(a, b cento.Trace) int { return cmp.Compare(a.Span[0], b.Span[0]) })
	for _, f := range in {
		out.Fragments = append(out.Fragments, FragmentCount{ID: f.ID, Source: f.Source, Layer: f.Layer, Bytes: f.Bytes, Tokens: *f.Tokens})
		out.Sum += *f.Tokens
	}
	return out
}
