package reminder

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento/internal/quote"
)

// builtin is a provider of this package.
type builtin struct {
	name     string
	evaluate func(Moment, *Session) []Reminder
	// over reports whether what was said before isn't so any more; nil: its life
	// alone ends it.
	over func(Moment) bool
}

func (b builtin) Name() string { return b.name }

// Evaluate tells what concerns this session and no child: that has a window, a
// conversation and a prompt of its own.
func (b builtin) Evaluate(m Moment, s Session) ([]Reminder, error) {
	out := b.evaluate(m, &s)
	for i := range out {
		out[i].Source, out[i].Propagate = StdlibProvider, ToNone
	}
	return out, nil
}

// Withdrawn takes back what isn't so any more.
func (b builtin) Withdrawn(m Moment, _ Session) []string {
	if b.over != nil && b.over(m) {
		return []string{b.name}
	}
	return nil
}

// BuiltinProviders are the providers of this package, in the order in which they
// are asked:
//
//   - token_pressure: 70, 85 or 95 % of the model's window are in use; taken back
//     when it is less
//   - idle_nudge: nothing was done for three turns
//   - tool_output_truncated: the output of a tool wasn't kept whole
//   - post_compact_recap: the conversation was compacted
//   - resume_continuity: the session goes on in another run
//   - workspace_drift: files that the prompt was made of have changed
//   - day_changed: the system prompt names another day than today's; once for each day
//
// Their words change with what they tell about and not with every number in it,
// so that what was sent once stays true, and a prompt cache holds.
func BuiltinProviders() []Provider {
	return []Provider{
		builtin{name: "token_pressure", evaluate: tokenPressure, over: pressureOver},
		builtin{name: "idle_nudge", evaluate: idleNudge},
		builtin{name: "tool_output_truncated", evaluate: toolOutputTruncated},
		builtin{name: "post_compact_recap", evaluate: postCompactRecap},
		builtin{name: "resume_continuity", evaluate: resumeContinuity},
		builtin{name: WorkspaceDrift, evaluate: workspaceDrift},
		builtin{name: DayChanged, evaluate: dayChanged},
	}
}

// WorkspaceDrift is the name of a built-in provider, and the dedupe key of its
// reminders: they are true for as long as the prompt is the one that was drifted
// from.
const WorkspaceDrift = "workspace_drift"

// DayChanged is the name of a built-in provider, and the dedupe key of its reminders.
const DayChanged = "day_changed"

// idleTurns is how many turns may go by without anything being done.
const idleTurns = 3

// pressures are the steps of token_pressure, the highest first.
var pressures = []struct {
	percent   int64
	authority Authority
	keep      bool
	text      string
}{
	{95, Contract, true, "At least 95 % of the context window is in use. Finish or hand over now: state what is done, what is open and where it stands, and start nothing new."},
	{85, Corrective, false, "At least 85 % of the context window is in use. Finish the step at hand, read nothing large, and prepare a short summary of what is open."},
	{70, Advisory, false, "At least 70 % of the context window is in use. Prefer narrow reads and short answers."},
}

func tokenPressure(m Moment, _ *Session) []Reminder {
	if m.Kind == AfterCompaction || m.Window <= 0 {
		return nil
	}
	for _, p := range pressures {
		// Divided first: the numbers are a caller's, and may be as large as can be.
		if m.TokensUsed/p.percent >= m.Window/100 && float64(m.TokensUsed)*100 >= float64(m.Window)*float64(p.percent) {
			return []Reminder{{Body: p.text, TTLTurns: 2, Authority: p.authority, PreserveOnCompact: p.keep}}
		}
	}
	return nil
}

// pressureOver: the window is known, and less of it is in use than the lowest
// step. What a compaction leaves isn't known yet.
func pressureOver(m Moment) bool {
	return m.Kind != AfterCompaction && m.Window > 0 && tokenPressure(m, nil) == nil
}

func idleNudge(m Moment, _ *Session) []Reminder {
	if m.Kind != AtTurn || m.IdleTurns < idleTurns { // after a pause nobody idled
		return nil
	}
	return []Reminder{{
		Body:     "Several turns went by without a tool being used or a result being stated. Take the next step, or say what you are waiting for.",
		TTLTurns: 1, Authority: Advisory,
	}}
}

func toolOutputTruncated(m Moment, _ *Session) []Reminder {
	var out []Reminder
	for _, t := range m.Truncated {
		if t.Kept == t.Total { // nothing is missing
			continue
		}
		tool := short(t.Tool)
		out = append(out, Reminder{
			Body: fmt.Sprintf("The output of the tool %s was cut: %d of %d bytes were kept. Don't conclude anything from what is missing; ask for less at a time.",
				tool, t.Kept, t.Total),
			DedupeKey: "tool_output_truncated:" + tool, TTLTurns: 1, Authority: Corrective,
		})
	}
	return out
}

// short is a stranger's name between quotes, in ASCII and of bounded length.
func short(name string) string {
	const most = 32 // ten bytes each, written out
	return strconv.QuoteToASCII(quote.ClipRunes(name, most))
}

func postCompactRecap(m Moment, _ *Session) []Reminder {
	if m.Kind != AfterCompaction {
		return nil
	}
	text := "The conversation before this point was compacted: earlier messages and file contents are gone from view. Read a file again before you rely on what it held."
	if recap := strings.TrimSpace(m.Recap); recap != "" {
		text += "\n\nWhat was kept:\n" + recap
	}
	return []Reminder{{Body: text, TTLTurns: 1}}
}

func resumeContinuity(m Moment, _ *Session) []Reminder {
	if m.Kind != OnResume {
		return nil
	}
	return []Reminder{{
		Body:     "This session was resumed: time has passed, and files, processes and branches may have changed. Check the state of what you were working on before you go on.",
		TTLTurns: 1,
	}}
}

func workspaceDrift(m Moment, _ *Session) []Reminder {
	if len(m.Drift) == 0 {
		return nil
	}
	const most = 10
	names := slices.Clone(m.Drift)
	slices.Sort(names)
	names = slices.Compact(names)
	var b strings.Builder
	b.WriteString("These files have changed since the system prompt was made, which still holds their earlier text. Read them before you rely on it:")
	for i, name := range names {
		if i == most {
			fmt.Fprintf(&b, "\n- and %d more", len(names)-most)
			break
		}
		b.WriteString("\n- " + short(name))
	}
	return []Reminder{{Body: b.String(), TTLTurns: 3, Authority: Advisory}}
}

// dayChanged leaves the prompt as it is: another date in it would cost the prompt cache of
// the whole conversation.
func dayChanged(m Moment, _ *Session) []Reminder {
	if m.Today == "" {
		return nil
	}
	return []Reminder{{
		Body:     "The date has changed since the system prompt was made, which still names the earlier one: today is " + m.Today + ".",
		TTLTurns: 1, Authority: Corrective,
	}}
}
