package contract

import (
	"strings"

	"github.com/cento-dev/cento/internal/quote"
)

func (w *writer) lines(c *Contract) {
	w.dst = append(w.dst, "role: "...)
	w.value(ref{part: rolePart}, string(c.role), asIs)
	w.dst = append(w.dst, "\nobjective:"...)
	if c.objective != "" {
		w.dst = append(w.dst, ' ')
		w.value(ref{part: objectivePart}, c.objective, linesText)
	}
	w.dst = append(w.dst, "\nconstraints:"...)
	for k := range Constraint(len(constraintNames)) {
		if !c.constraints.Has(k) {
			continue
		}
		w.dst = append(w.dst, ' ')
		w.value(ref{constraintPart, int(k)}, k.String(), asIs)
	}
	w.dst = append(w.dst, "\noutput: "...)
	w.value(ref{part: emitPart}, c.output.Emit.String(), asIs)
	w.dst = append(w.dst, " -> "...)
	w.value(ref{part: targetPart}, c.output.Key, asIs)
	if c.output.Format != NoFormat {
		w.dst = append(w.dst, ' ')
		w.value(ref{part: formatPart}, c.output.Format.String(), asIs)
	}
	for i, g := range c.groups {
		w.dst = append(w.dst, '\n')
		w.value(ref{keyPart, i}, g.key, asIs)
		w.count(g.to - g.from)
		w.dst = append(w.dst, ":\n"...)
		w.facts(c, g, &layouts[Lines])
	}
}

// line writes a text on one line: whatever would end a line for any reader of it
// is escaped. So is a space at either end, which nobody would see, and in an id,
// which ends at the first space, every one.
func (w *writer) line(s string, id bool) {
	if id && s == "" {
		w.instead(0, 0, `\e`)
		return
	}
	from := 0
	for i := 0; i < len(s); {
		text, size := "", 1
		switch c := s[i]; {
		case c == '\\':
			text = `\\`
		case c == '#' && id && i == 0 && strings.Trim(s, "#") == "":
			text = quote.Hex('#') // or the text behind it would be a heading
		case c == '\n':
			text = `\n`
		case c == '\r':
			text = `\r`
		case c == '\t':
			text = `\t`
		case c == ' ':
			if id || i == 0 || i == len(s)-1 {
				text = `\s`
			}
		case c < ' ' || c == 0x7f:
			text = quote.Hex(rune(c))
		case c == 0xc2 && strings.HasPrefix(s[i:], "\u0085"):
			text, size = `\u0085`, 2
		case c == 0xe2 && strings.HasPrefix(s[i:], "\u2028"):
			text, size = `\u2028`, 3
		case c == 0xe2 && strings.HasPrefix(s[i:], "\u2029"):
			text, size = `\u2029`, 3
		}
		if text != "" {
			w.copied(s, from, i)
			w.instead(i, i+size, text)
			from = i + size
		}
		i += size
	}
	w.copied(s, from, len(s))
}
