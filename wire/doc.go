// Package wire writes a prompt as the request of a provider: the system prompt in
// blocks, the tools, the conversation with the reminders of the turn, the marks of the
// prompt cache. It sends nothing and knows no key.
//
//	r, err := wire.Build(wire.Request{Form: wire.Anthropic, Model: &m, Prompt: p, Tools: tools, Messages: messages})
//	// send r.Body, byte for byte, to r.URLPath with r.Headers
//
// The bodies are those of Anthropic's Messages, OpenAI's Chat Completions and
// Responses, Gemini's generateContent, Bedrock's Converse, Ollama's /api/chat, and
// of servers that understand OpenAI's form. Nothing is sent, no key is known, and no
// library of a provider is needed: the official ones send a body that is there
// already.
//
// Guarantees: the same request gives the same bytes, keys in a fixed order, numbers
// of schemas as they were written. The texts of the blocks, put together, are the
// prompt byte for byte. [Result.Map] says of every byte of the prompt, the reminders
// and the descriptions of tools where in the body it stands, and where it is from.
// What a provider would drop or refuse is a loss that is told, or an error before
// anything is written; never silent.
//
// The rules are those of the providers' documentation and official libraries, as of
// November 2026; see the table beside each form.
package wire
