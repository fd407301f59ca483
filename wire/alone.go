package wire

import "fmt"

// textAlone tells what [Text] has no place for: it is the prompt and nothing else. A
// partial request has no conversation in any form.
func (b *builder) textAlone() {
	if b.form != Text {
		return
	}
	r := &b.r.Reminders
	reminders := len(r.Sent)
	if r.Envelope != nil {
		if _, said := r.Envelope.System(); said {
			reminders++
		}
	}
	for i := range r.Native {
		if text := r.Native[i].Text; text != nil {
			if _, said := text.System(); said {
				reminders++
			}
		}
	}
	messages := len(b.r.Messages)
	if b.r.Partial {
		messages, reminders = 0, 0
	}
	for _, x := range []struct {
		n         int
		one, many string
	}{
		{b.unsent, "the definition of a tool isn't", "the definitions of %d tools aren't"},
		{messages, "the conversation, of one message, isn't", "the conversation, of %d messages, isn't"},
		{reminders, "the reminder of a turn isn't", "the reminders, %d of them, aren't"},
	} {
		if x.n == 0 {
			continue
		}
		what := x.one
		if x.n > 1 {
			what = fmt.Sprintf(x.many, x.n)
		}
		b.lose(Loss{Code: CodeTextAlone, Message: "the form text is the prompt alone: " + what + " sent"})
	}
}
