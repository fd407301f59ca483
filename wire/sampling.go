package wire

import (
	"fmt"
	"slices"
	"strings"
)

// setting is something by which a model is told how to choose its words, or where to stop. It
// has one name or another, and stands in one place or another, by the form.
type setting struct {
	names []string
	// places are where forms have it, as a path in the body. A form that isn't there has it
	// nowhere.
	places map[Form]string
}

// answerSettings are those that callers put into extra, by the providers' pages.
var answerSettings = []setting{
	{names: []string{"temperature"}, places: map[Form]string{
		Anthropic: "temperature", OpenAI: "temperature", OpenAIResponses: "temperature",
		Gemini: "generationConfig.temperature", Bedrock: "inferenceConfig.temperature", Ollama: "options.temperature",
	}},
	{names: []string{"top_p", "topP"}, places: map[Form]string{
		Anthropic: "top_p", OpenAI: "top_p", OpenAIResponses: "top_p",
		Gemini: "generationConfig.topP", Bedrock: "inferenceConfig.topP", Ollama: "options.top_p",
	}},
	{names: []string{"top_k", "topK"}, places: map[Form]string{
		Anthropic: "top_k", Gemini: "generationConfig.topK", Ollama: "options.top_k",
	}},
	{names: []string{"stop_sequences", "stopSequences", "stop"}, places: map[Form]string{
		Anthropic: "stop_sequences", OpenAI: "stop", Gemini: "generationConfig.stopSequences", Bedrock: "inferenceConfig.stopSequences", Ollama: "options.stop",
	}},
	{names: []string{"seed"}, places: map[Form]string{OpenAI: "seed", Gemini: "generationConfig.seed", Ollama: "options.seed"}},
	{names: []string{"frequency_penalty", "frequencyPenalty"}, places: map[Form]string{
		OpenAI: "frequency_penalty", Gemini: "generationConfig.frequencyPenalty", Ollama: "options.frequency_penalty",
	}},
	{names: []string{"presence_penalty", "presencePenalty"}, places: map[Form]string{
		OpenAI: "presence_penalty", Gemini: "generationConfig.presencePenalty", Ollama: "options.presence_penalty",
	}},
	{names: []string{numCtx}, places: map[Form]string{Ollama: options + "." + numCtx}},
}

// ofModel is the member in which Bedrock has what is a model's own.
const ofModel = "additionalModelRequestFields"

// checkSettings tells of further members that say how the model is to answer, and that the form
// has elsewhere or nowhere. What the servers of other vendors' models
// take isn't known.
func (b *builder) checkSettings() {
	if b.form == Text || b.form == JSON {
		return
	}
	for _, m := range b.extra {
		switch {
		case b.rules.settings.are(m.name):
			for _, inner := range b.settings {
				b.checkSetting(m.name, inner)
			}
		default:
			b.checkSetting("", m)
		}
	}
}

// ofVendor reports whether who is asked is known to be the one that the form is of.
func (b *builder) ofVendor() bool {
	ofMany := b.model.Wire == OpenAICompatible.String() && b.form != Gemini && b.form != Bedrock && b.form != Ollama
	return b.form != OpenAICompatible && !ofMany
}

// checkSetting holds a member, which stands in another or at the top, against where the form has
// it.
func (b *builder) checkSetting(in string, m member) {
	i := slices.IndexFunc(answerSettings, func(s setting) bool { return slices.Contains(s.names, m.name) })
	if i < 0 || !b.ofVendor() || string(m.value) == "null" {
		return
	}
	here, there := strings.TrimPrefix(in+"."+m.name, "."), answerSettings[i].places[b.form]
	// Gemini reads the names of its settings with _ too.
	if here == there || b.form == Gemini && in != "" && there != "" && slices.Index(answerSettings[i].names, m.name) < 2 {
		return
	}
	why := fmt.Sprintf("in a request to %s it is %s", b.rules.vendor, there)
	if there == "" {
		why = fmt.Sprintf("the form %s has no such setting", b.form)
		if b.form == Bedrock {
			why += "; what a model has of its own stands in " + ofModel
		}
	}
	b.lose(Loss{Code: CodeExtraPlace, Pointer: pointerTo(in, m.name), Message: here + " is dropped or refused: " + why})
}

// pointerTo is the JSON pointer to a member of the body, or of one of its members.
func pointerTo(in, name string) string {
	if in == "" {
		return "/" + pointerEscaper.Replace(name)
	}
	return "/" + in + "/" + pointerEscaper.Replace(name)
}
