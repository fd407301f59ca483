package app

import (
	"cmp"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/token"
)

// UnknownEncoding: no counter has the name.
const UnknownEncoding cento.ErrorCode = "encoding.unknown"

// Counting says how tokens were counted.
type Counting struct {
	// Model is whose tokens were asked for, null when none was named, or an encoding.
	Model *string `json:"model"`
	// Encoding is the name of the counter.
	Encoding string `json:"encoding"`
	// Exact is whether the count is what the model counts, or the encoding where one was
	// asked for. Where neither is chosen nobody knows what will count, so that it isn't.
	Exact bool `json:"exact"`
	// Basis says what an estimate rests on; empty for an exact count.
	Basis string `json:"basis,omitempty"`
}

// CountBy finds what counts: the encoding when one is named, else that of the
// model, else the default. Both together are refused: whether a count is exact is said of
// a model, by the encoding that it has.
func CountBy(model, encoding string) (cento.Counter, Counting, error) {
	switch {
	case encoding == "":
		counter, about := CountInput(cento.Input{Active: cento.Active{Model: model}})
		return counter, about, nil
	case model != "":
		return nil, Counting{}, &cento.SourceError{
			Code: manifest.Conflict, Message: "model and encoding exclude each other",
			Hint: "an encoding is named, or follows from a model; keep one of the two",
		}
	}
	counter, err := token.LookupCounter(encoding)
	if unknown, ok := errors.AsType[*token.UnknownError](err); ok {
		return nil, Counting{}, &cento.SourceError{Code: UnknownEncoding, Message: unknown.Error(), Hint: unknown.Hint()}
	}
	if err != nil {
		return nil, Counting{}, err
	}
	return counts.Counter(counter), countingOf(counter), nil
}

// EncodingAt tells of an encoding that can't count at the place that it has.
func EncodingAt(err error, at cento.Position) error {
	return withPlace(withPlace(err, manifest.Conflict, at), UnknownEncoding, at)
}

// CountBy is [CountBy] for the prompt of a project, which was opened for the model that
// was named, if any, else for that of its manifest.
func (p *Project) CountBy(model, encoding string) (cento.Counter, Counting, error) {
	if encoding != "" {
		return CountBy(model, encoding)
	}
	counter, about := CountInput(p.Input)
	return counter, about, nil
}

// CountInput is what counts for the model of an input.
func CountInput(in cento.Input) (cento.Counter, Counting) {
	counter := CounterOf(in)
	about := countingOf(counter)
	if model := in.Active.Model; model != "" {
		about.Model = &model
	}
	return counts.Counter(counter), about
}

func countingOf(counter cento.Counter) Counting {
	return Counting{Encoding: counter.Name(), Exact: counter.Exact(), Basis: token.Basis(counter)}
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
