package contract

import "github.com/cento-dev/cento/internal/quote"

var ednEscapes = quote.New("\nn\rr\tt", "\x7f")

func (w *writer) edn(c *Contract) {
	w.dst = append(w.dst, "{:r :"...)
	w.value(ref{part: rolePart}, string(c.role), asIs)
	w.dst = append(w.dst, "\n :o "...)
	w.value(ref{part: objectivePart}, c.objective, ednObjective)
	w.dst = append(w.dst, "\n :c {"...)
	for i, g := range c.groups {
		if i > 0 {
			w.dst = append(w.dst, ' ')
		}
		w.dst = append(w.dst, ':')
		w.value(ref{keyPart, i}, g.key, asIs)
		w.dst = append(w.dst, " ["...)
		w.facts(c, g, &layouts[EDN])
		w.dst = append(w.dst, ']')
	}
	w.dst = append(w.dst, "}\n :k #{"...)
	for k := range Constraint(len(constraintNames)) {
		if !c.constraints.Has(k) {
			continue
		}
		if w.dst[len(w.dst)-1] != '{' {
			w.dst = append(w.dst, ' ')
		}
		w.dst = append(w.dst, ':')
		w.value(ref{constraintPart, int(k)}, k.String(), asIs)
	}
	w.dst = append(w.dst, "}\n :out {:emit :"...)
	w.value(ref{part: emitPart}, c.output.Emit.String(), asIs)
	w.dst = append(w.dst, " :key :"...)
	w.value(ref{part: targetPart}, c.output.Key, asIs)
	if c.output.Format != NoFormat {
		w.dst = append(w.dst, " :format :"...)
		w.value(ref{part: formatPart}, c.output.Format.String(), asIs)
	}
	w.dst = append(w.dst, "}}"...)
}

// ednObjective writes a keyword where the objective can be one.
func (w *writer) ednObjective(s string) {
	switch {
	case isName(s, false):
		w.dst = append(w.dst, ':')
		w.copied(s, 0, len(s))
	case !w.exact && isName(s, true):
		w.dst = append(w.dst, ':')
		from := 0
		for i := range len(s) {
			if s[i] == ' ' {
				w.copied(s, from, i)
				w.instead(i, i+1, "-")
				from = i + 1
			}
		}
		w.copied(s, from, len(s))
	default:
		w.dst = append(w.dst, '"')
		w.backslashed(s, ednEscapes)
		w.dst = append(w.dst, '"')
	}
}

// nameByte marks what may stand in a keyword: 1 at its beginning too, 2 there
// only if no digit follows, 4 nowhere but later.
var nameByte = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = 1, 1
	}
	for _, c := range "*!_?$%&=<>" {
		t[c] = 1
	}
	for _, c := range "+-." {
		t[c] = 2
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = 4
	}
	return t
}()

// isName reports whether a text is a keyword's name that every reader of EDN
// takes for one: ASCII without a slash, a colon, a hash or a quote, and not
// what could begin a number. Spaces may count as the hyphens that they become.
func isName(s string, spaces bool) bool {
	if s == "" {
		return false
	}
	first := nameByte[s[0]]
	if spaces && s[0] == ' ' {
		first = nameByte['-']
	}
	if first&3 == 0 || first == 2 && len(s) > 1 && nameByte[s[1]] == 4 {
		return false
	}
	for i := range len(s) {
		if nameByte[s[i]] == 0 && !(spaces && s[i] == ' ') {
			return false
		}
	}
	return true
}
