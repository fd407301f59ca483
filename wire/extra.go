package wire

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// member is a top-level member that the caller brings along.
type member struct {
	name  string
	value []byte
}

// readExtra reads the further members of the body, sorted by name.
func (b *builder) readExtra() {
	if len(b.r.Extra) == 0 {
		return
	}
	if b.form == Text {
		b.faults.add(InvalidExtra, cento.Position{}, "leave extra out", "a text has no further members")
		return
	}
	if !validJSON(b.r.Extra) {
		b.faults.add(InvalidExtra, cento.Position{}, "give a JSON object", "extra isn't JSON in UTF-8")
		return
	}
	members, ok := membersOf(b.r.Extra)
	if !ok {
		b.faults.add(InvalidExtra, cento.Position{}, `as in {"metadata": {"user_id": "u1"}}`, "extra isn't an object")
		return
	}
	for _, m := range members {
		twice := slices.ContainsFunc(b.extra, func(x member) bool { return x.name == m.name })
		switch {
		case b.rules.settings.are(m.name) && !twice:
			b.readSettings(b.r.Extra[m.start:m.end])
		case !twice && slices.Contains(b.rules.members, m.name):
			b.faults.add(InvalidExtra, b.r.Places[ExtraPlace(m.name)], "take it out: it follows from the rest of the request", "extra has the member %q, which is written by the form %s", m.name, b.form)
			b.faults[len(b.faults)-1].Related = b.writes(m.name)
		case twice:
			b.faults.add(InvalidExtra, b.r.Places[ExtraPlace(m.name)], "keep one of the two", "extra has the member %q twice", m.name)
		}
		value := b.r.Extra[m.start:m.end]
		b.extra = append(b.extra, member{m.name, value})
		b.bringAll(value, b.r.Places[ExtraPlace(m.name)], &b.marks.automatic)
		if b.rules.marked != "" && m.name == b.rules.marked && string(value) != "null" {
			b.marks.automatic.add(ttlOf(value))
			b.marks.bring(1, b.r.Places[ExtraPlace(m.name)])
		}
	}
	slices.SortFunc(b.extra, func(x, y member) int { return strings.Compare(x.name, y.name) })
}

// readSettings reads the members that stand beside the form's own where it has settings in a
// member of theirs, sorted by name.
func (b *builder) readSettings(value []byte) {
	of := b.rules.settings
	at := b.r.Places[ExtraPlace(of.member)]
	members, ok := membersOf(value)
	if !ok {
		b.faults.add(InvalidExtra, at, "as in "+of.example, "the member %q of extra isn't an object", of.member)
		return
	}
	for _, m := range members {
		value := value[m.start:m.end]
		switch {
		case slices.Contains(of.bound, m.name):
			b.faults.add(InvalidExtra, at, "give it as max_tokens; other members of "+of.member+" are taken", "the member %q of extra has %q, which is the bound of the answer", of.member, m.name)
			b.faults[len(b.faults)-1].Related = b.writes(of.member)
		case slices.ContainsFunc(b.settings, func(x member) bool { return x.name == m.name }):
			b.faults.add(InvalidExtra, at, "keep one of the two", "the member %q of extra has %q twice", of.member, m.name)
		}
		if _, ok := wholeOf(value); b.form == Ollama && m.name == numCtx && !ok {
			b.faults.add(InvalidExtra, at, "give a whole number of tokens, such as 8192", "num_ctx in options of extra is %.80s", value)
		}
		b.settings = append(b.settings, member{m.name, value})
	}
	slices.SortFunc(b.settings, func(x, y member) int { return strings.Compare(x.name, y.name) })
}

// writeSettings writes the member that a form has for its settings: the bound of the answer,
// and what the caller brings along beside it.
func (b *builder) writeSettings() {
	of := b.rules.settings
	if b.r.MaxTokens <= 0 && len(b.settings) == 0 {
		return
	}
	b.w.name(of.member)
	b.w.object()
	b.bound(of.bound[0])
	for _, m := range b.settings {
		b.w.name(m.name)
		_ = b.w.compact(m.value) // valid, as was checked
	}
	b.w.end()
}

// writes tells where it is said what a member of the form's own holds, as far as that
// has a place.
func (b *builder) writes(name string) []cento.Related {
	switch name {
	case "max_tokens", "max_completion_tokens", "max_output_tokens", "generationConfig", "inferenceConfig", "options":
		if at, told := b.r.Places[MaxTokensPlace]; told {
			return []cento.Related{{Position: at, Message: "the bound of the answer, which stands in it"}}
		}
	case "tools", "toolConfig":
		for i := range b.r.Tools {
			if at := b.r.Tools[i].Origin; !at.IsZero() {
				return []cento.Related{{Position: at, Message: fmt.Sprintf("tool %q, which stands in it", b.r.Tools[i].Name)}}
			}
		}
	case "system", "instructions", "systemInstruction":
		if p := b.r.Prompt; p != nil && p.Len() > 0 {
			for i := range p.Len() {
				if at := p.Fragment(i).Origin; p.In(i) && !at.IsZero() {
					return []cento.Related{{Position: at, Message: "where the system prompt begins, which stands in it"}}
				}
			}
		}
	}
	return nil
}

// writeExtra writes them behind all others.
func (b *builder) writeExtra() {
	for _, m := range b.extra {
		if b.rules.settings.are(m.name) {
			continue // its members stand beside the form's own
		}
		b.w.name(m.name)
		_ = b.w.compact(m.value) // valid, as was checked
	}
}
