package contract

import (
	"strings"

	"github.com/cento-dev/cento/internal/quote"
)

func (w *writer) xml(c *Contract) {
	w.dst = append(w.dst, `<contract role="`...)
	w.value(ref{part: rolePart}, string(c.role), asIs)
	w.dst = append(w.dst, "\">\n<objective"...)
	text := xmlText
	if beyondXML(c.objective) {
		w.dst = append(w.dst, ` esc="u"`...)
		text = xmlEscapedText
	}
	w.dst = append(w.dst, '>')
	w.value(ref{part: objectivePart}, c.objective, text)
	w.dst = append(w.dst, "</objective>\n<context>\n"...)
	for i, g := range c.groups {
		w.dst = append(w.dst, `<facts key="`...)
		w.value(ref{keyPart, i}, g.key, asIs)
		w.dst = append(w.dst, "\">\n"...)
		w.facts(c, g, &layouts[XML])
		w.dst = append(w.dst, "\n</facts>\n"...)
	}
	w.dst = append(w.dst, "</context>\n<constraints>"...)
	for k := range Constraint(len(constraintNames)) {
		if !c.constraints.Has(k) {
			continue
		}
		if w.dst[len(w.dst)-1] != '>' {
			w.dst = append(w.dst, ' ')
		}
		w.value(ref{constraintPart, int(k)}, k.String(), asIs)
	}
	w.dst = append(w.dst, "</constraints>\n<output emit=\""...)
	w.value(ref{part: emitPart}, c.output.Emit.String(), asIs)
	w.dst = append(w.dst, `" key="`...)
	w.value(ref{part: targetPart}, c.output.Key, asIs)
	if c.output.Format != NoFormat {
		w.dst = append(w.dst, `" format="`...)
		w.value(ref{part: formatPart}, c.output.Format.String(), asIs)
	}
	w.dst = append(w.dst, "\"/>\n</contract>"...)
}

// beyondXML reports whether a text has a character that XML 1.0 can't hold, not
// even as a reference.
func beyondXML(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return true
		}
	}
	return strings.Contains(s, "\ufffe") || strings.Contains(s, "\uffff")
}

// xmlReference is what the syntax of XML needs for a character, "" for nothing:
// its own signs, and what would be changed when it is read: a bare CR to LF, and
// in attributes tabs and line ends to spaces.
func xmlReference(c byte, attribute bool) string {
	switch c {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '\r':
		return "&#13;"
	}
	if attribute {
		switch c {
		case '"':
			return "&quot;"
		case '\t':
			return "&#9;"
		case '\n':
			return "&#10;"
		}
	}
	return ""
}

// xmlValue writes a text or attribute. In one that is marked as escaped, a
// backslash is doubled and what XML can't hold is \uXXXX.
func (w *writer) xmlValue(s string, e escape) {
	attribute := e == xmlAttribute || e == xmlEscapedAttribute
	escaped := e == xmlEscapedText || e == xmlEscapedAttribute
	from := 0
	for i := 0; i < len(s); {
		c, size := s[i], 1
		text := xmlReference(c, attribute)
		switch {
		case text != "" || !escaped:
		case c == '\\':
			text = `\\`
		case c < ' ' && c != '\t' && c != '\n':
			text = quote.Hex(rune(c))
		case c == 0xef && strings.HasPrefix(s[i:], "\ufffe"):
			text, size = `\ufffe`, 3
		case c == 0xef && strings.HasPrefix(s[i:], "\uffff"):
			text, size = `\uffff`, 3
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
