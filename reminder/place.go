package reminder

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

// Every text of a reminder reaches a model through the one reducer: as fragments
// of the system prompt, or as the fragments of a second, small prompt. So the
// scan for hidden characters and imitated headings passes over all of them, and
// every byte of an envelope has a span.

const (
	fragmentPrefix = "reminder:"
	fragmentSource = "reminder"
	envelopeOpen   = "<context-directives>"
	envelopeClose  = "</context-directives>"
)

// Fragments are the reminders of a turn as fragments of the system prompt, one
// for each, in order. Bodies stand as they are: nothing frames them there that
// they could close.
func Fragments(live []Reminder) []cento.Fragment {
	out := make([]cento.Fragment, len(live))
	for i := range live {
		out[i] = fragment(&live[i], live[i].Body, nil)
	}
	return out
}

func fragment(r *Reminder, body string, runs []cento.Run) cento.Fragment {
	return cento.Fragment{
		ID: fragmentPrefix + r.ID, Source: fragmentSource, Body: body, Runs: runs,
		Stability: cento.PerTurn, Trust: r.trust(),
	}
}

// escaper makes a body that can't end the frame around it.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// framed is a reminder between two lines that the program writes, its body
// escaped.
func framed(r *Reminder, open, end string) cento.Fragment {
	body := escaper.Replace(strings.TrimSpace(r.Body))
	from, to := len(open), len(open)+len(body)
	return fragment(r, open+body+end, []cento.Run{
		{Start: 0, End: from, Trust: cento.TrustBuiltin, Fixed: true},
		{Start: from, End: to, Trust: r.trust(), Fixed: true},
		{Start: to, End: to + len(end), Trust: cento.TrustBuiltin, Fixed: true},
	})
}

// frame is a line of the envelope itself.
func frame(id, text string) cento.Fragment {
	return cento.Fragment{ID: id, Source: fragmentSource, Body: text, Tight: true, Stability: cento.PerTurn, Trust: cento.TrustBuiltin}
}

// EnvelopeFragments are the parts of the envelope: the line that opens it, a
// directive for each reminder, the line that closes it. They are none for no
// reminders.
func EnvelopeFragments(live []Reminder) []cento.Fragment {
	if len(live) == 0 {
		return nil
	}
	out := make([]cento.Fragment, 0, len(live)+2)
	out = append(out, frame("reminders:open", envelopeOpen))
	for i := range live {
		f := framed(&live[i], `<directive authority="`+live[i].Authority.String()+"\">\n", "\n</directive>")
		f.Tight = true
		out = append(out, f)
	}
	return append(out, frame("reminders:close", envelopeClose))
}

// Envelope is the text for the end of the newest user turn, with a span for each
// of its bytes. For no reminders there is no envelope: its System is then false.
// Of the options, the policy decides what happens to hidden characters. The
// errors are those of [cento.ReduceFragments].
func Envelope(live []Reminder, o cento.Options) (*cento.Prompt, error) {
	return cento.ReduceFragments(EnvelopeFragments(live), cento.Active{}, o)
}

// Message is a reminder in the form that a family of models knows.
type Message struct {
	// Role is "user" or "developer".
	Role string `json:"role"`
	Text string `json:"text"`
	// CacheControl asks for a breakpoint of the prompt cache behind the message.
	CacheControl bool `json:"cache_control,omitempty"`
	// Reminders are the ids of those that it holds.
	Reminders []string `json:"reminders"`
	// Prompt is the text with the origin of every byte.
	Prompt *cento.Prompt `json:"-"`
}

// The capabilities that decide the form of [Native], and the words that lead a
// reminder where no tag does.
const (
	claudeFamily  = "model.family.claude"
	developerRole = "model.developer_role"
	lead          = "System reminder:\n"
)

// Native is the reminders of a turn in the form that the model's family knows
// from before there was an envelope, as the capabilities tell it: for Claude a
// user block `<system-reminder>` each, with a breakpoint of the cache for those
// with the role [EphemeralCache]; for models with a developer role a developer
// message each; for others one user turn that holds them all. The errors are
// those of [cento.ReduceFragments].
func Native(live []Reminder, caps []string, o cento.Options) ([]Message, error) {
	var out []Message
	message := func(role string, parts ...cento.Fragment) error {
		p, err := cento.ReduceFragments(parts, cento.Active{}, o)
		if err != nil {
			return err
		}
		text, _ := p.System()
		m := Message{Role: role, Text: text, Prompt: p}
		for _, f := range parts {
			m.Reminders = append(m.Reminders, strings.TrimPrefix(f.ID, fragmentPrefix))
		}
		out = append(out, m)
		return nil
	}
	parts := NativeFragments(live, caps)
	claude, developer := slices.Contains(caps, claudeFamily), slices.Contains(caps, developerRole)
	if !claude && !developer {
		if len(parts) == 0 {
			return nil, nil
		}
		return out, message("user", parts...)
	}
	for i := range parts {
		role := "developer"
		if claude {
			role = "user"
		}
		if err := message(role, parts[i]); err != nil {
			return nil, err
		}
		out[i].CacheControl = claude && live[i].RoleHint == EphemeralCache
	}
	return out, nil
}

// NativeFragments are the reminders of a turn in the words of [Native], in order.
func NativeFragments(live []Reminder, caps []string) []cento.Fragment {
	out := make([]cento.Fragment, len(live))
	for i := range live {
		if slices.Contains(caps, claudeFamily) {
			out[i] = framed(&live[i], "<system-reminder>\n", "\n</system-reminder>")
		} else {
			out[i] = led(&live[i])
		}
	}
	return out
}

// led is a reminder behind words that say what it is.
func led(r *Reminder) cento.Fragment {
	body := strings.TrimSpace(r.Body)
	return fragment(r, lead+body, []cento.Run{
		{Start: 0, End: len(lead), Trust: cento.TrustBuiltin, Fixed: true},
		{Start: len(lead), End: len(lead) + len(body), Trust: r.trust(), Fixed: true},
	})
}
