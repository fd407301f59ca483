package workspace

import (
	"strings"

	"github.com/cento-dev/cento"
)

// ScopeWording is the part of the summary that can be worded otherwise.
type ScopeWording struct {
	// Denied heads the deny rules, when they are shown. Default
	// `Not accessible:`.
	Denied string
	// Trust is that of the wording; looked at only when Denied is set.
	Trust cento.Trust
}

// summaryVar is the variable by which the summary is put into its section.
const summaryVar = "scope_summary"

// Summary lists the rules for the model: those that allow, in declaration
// order, under `Readable:`, those that allow writing again under `Writable:`,
// and those that deny only when they are to be shown. Blocks without rules are
// left out; there is no newline at the end.
func (s *Scope) Summary() string { return s.Text().Body }

// Text is the summary with the place of each rule that stands in it.
func (s *Scope) Text() *cento.Text {
	denied := line{"Not accessible:", cento.Position{}, cento.TrustBuiltin}
	if w := strings.TrimSpace(s.wording.Denied); w != "" {
		denied.text, denied.trust = w, s.wording.Trust
	}
	lines := block(nil, line{"Readable:", cento.Position{}, cento.TrustBuiltin}, s.allow, Read)
	lines = block(lines, line{"Writable:", cento.Position{}, cento.TrustBuiltin}, s.allow, Write)
	if s.showDenied {
		lines = block(lines, denied, s.deny, Read)
	}
	t := &cento.Text{Trust: cento.TrustBuiltin, Runs: make([]cento.Run, len(lines))}
	var b strings.Builder
	for i, l := range lines {
		start := b.Len()
		b.WriteString(l.text)
		if i < len(lines)-1 {
			b.WriteByte('\n')
		}
		t.Runs[i] = cento.Run{
			Start: start, End: b.Len(), Position: l.at, Var: summaryVar, Trust: l.trust, Fixed: true,
		}
	}
	t.Body = b.String()
	return t
}

// line is one line of the summary.
type line struct {
	text  string
	at    cento.Position
	trust cento.Trust
}

// block adds the rules of at least a permission, under a heading.
func block(lines []line, heading line, rules []Rule, least Permission) []line {
	for i, headed := 0, false; i < len(rules); i++ {
		r := &rules[i]
		if r.Permission < least {
			continue
		}
		if !headed {
			lines, headed = append(lines, heading), true
		}
		text := "  - " + r.Target
		if !r.Recursive {
			text += " [non-recursive]"
		}
		lines = append(lines, line{text, r.Position, r.trust})
	}
	return lines
}
