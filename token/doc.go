// Package token counts the tokens that a text costs a language model, and says whether
// the count is exact. It asks no provider.
//
// The usual path is the name of a model and a text:
//
//	counter := token.CounterFor("gpt-5.4")
//	n := counter.Count(text) // exactly n tokens if counter.Exact()
//
// [LookupCounter] takes the name of an encoding or estimate instead.
// [Lookup] gives an [Encoding], which also tells the tokens themselves. The
// encodings o200k_base and cl100k_base are exact: token by token what OpenAI's
// tiktoken gives, proven against it on every code point, on hundreds of
// thousands of random strings and on long runs. All other models are counted
// by an [Estimate], or by the encoding of an earlier model of their house, and
// Exact is then false: either their vocabularies are not published, or too large
// to carry. [Basis] tells what such a count rests on.
//
// A [Cache] keeps counts by the digest of the text.
//
// Guarantees: the same text gives the same count on every machine. Nothing
// reads a file, a clock or the network: the vocabularies are embedded, 1.4 MB,
// and unpacked when first used, not at program start. Work is proportional to
// the length of the text, whatever it holds, also for one run of 100,000
// times the same letter. Counting with an [Encoding] allocates nothing for
// valid UTF-8. Everything is safe for concurrent use.
//
// It will not do: special tokens (they are counted as the text they are
// written as), the framing that a provider adds around messages, images, and
// training of vocabularies.
//
// The vocabularies are OpenAI's, under the licence in the file NOTICE.
package token

//go:generate go run ./gen -modules oracle/node_modules -out data
