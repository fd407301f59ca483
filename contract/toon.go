package contract

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/cento-dev/cento/internal/quote"
	"github.com/cento-dev/cento/internal/toon"
)

func (w *writer) toon(c *Contract) {
	w.dst = append(w.dst, "role: "...)
	w.value(ref{part: rolePart}, string(c.role), toonString)
	w.dst = append(w.dst, "\nobjective: "...)
	w.value(ref{part: objectivePart}, c.objective, toonString)
	w.dst = append(w.dst, "\ncontext:"...)
	for i, g := range c.groups {
		w.dst = append(w.dst, "\n  "...)
		w.value(ref{keyPart, i}, g.key, toonKey)
		w.count(g.to - g.from)
		w.dst = append(w.dst, "{id,content}:\n"...)
		w.facts(c, g, &layouts[TOON])
	}
	w.dst = append(w.dst, "\nconstraints"...)
	if n := bits.OnesCount8(uint8(c.constraints)); n == 0 {
		w.dst = append(w.dst, ": []"...)
	} else {
		w.count(n)
		w.dst = append(w.dst, ": "...)
		for k := range Constraint(len(constraintNames)) {
			if !c.constraints.Has(k) {
				continue
			}
			if w.dst[len(w.dst)-1] != ' ' {
				w.dst = append(w.dst, ',')
			}
			w.value(ref{constraintPart, int(k)}, k.String(), asIs)
		}
	}
	w.dst = append(w.dst, "\noutput:\n  emit: "...)
	w.value(ref{part: emitPart}, c.output.Emit.String(), asIs)
	w.dst = append(w.dst, "\n  key: "...)
	w.value(ref{part: targetPart}, c.output.Key, asIs)
	if c.output.Format != NoFormat {
		w.dst = append(w.dst, "\n  format: "...)
		w.value(ref{part: formatPart}, c.output.Format.String(), asIs)
	}
}

// count writes a number in brackets.
func (w *writer) count(n int) {
	w.dst = append(strconv.AppendInt(append(w.dst, '['), int64(n), 10), ']')
}

func (w *writer) toonString(s string) {
	if !toon.Quotes(s, toon.Comma) {
		w.copied(s, 0, len(s))
		return
	}
	w.dst = append(w.dst, '"')
	w.backslashed(s, quote.Common)
	w.dst = append(w.dst, '"')
}

// toonKey writes a key of a group, which needs quotes for a hyphen alone.
func (w *writer) toonKey(key string) {
	if strings.IndexByte(key, '-') < 0 {
		w.copied(key, 0, len(key))
		return
	}
	w.dst = append(w.dst, '"')
	w.copied(key, 0, len(key))
	w.dst = append(w.dst, '"')
}
