package contract

import "strings"

// indented stands for a line end in the forms for people: what follows is six
// spaces in, where it can begin neither a fact nor a heading.
const indented = "\n      "

func (w *writer) plain(c *Contract) {
	w.dst = append(w.dst, "Role: "...)
	w.value(ref{part: rolePart}, string(c.role), pascal)
	w.dst = append(w.dst, "\nObjective: "...)
	w.value(ref{part: objectivePart}, c.objective, unbroken)
	w.dst = append(w.dst, "\n\nContext:\n"...)
	for i, g := range c.groups {
		w.dst = append(w.dst, "\n## "...)
		w.value(ref{keyPart, i}, g.key, pascal)
		w.dst = append(w.dst, '\n')
		w.listed(c, g, "- ", ": ")
	}
	if c.constraints != 0 {
		w.dst = append(w.dst, "\nConstraints:\n"...)
		w.rules(c, pascal)
	}
	w.dst = append(w.dst, "\nOutput: "...)
	w.value(ref{part: emitPart}, c.output.Emit.String(), pascal)
	w.dst = append(w.dst, " -> "...)
	w.value(ref{part: targetPart}, c.output.Key, pascal)
	if c.output.Format != NoFormat {
		w.dst = append(w.dst, " as "...)
		w.value(ref{part: formatPart}, c.output.Format.String(), pascal)
	}
	w.dst = append(w.dst, '\n')
}

func (w *writer) markdown(c *Contract) {
	w.dst = append(w.dst, "# Contract\n- **Role:** "...)
	w.value(ref{part: rolePart}, string(c.role), asIs)
	w.dst = append(w.dst, "\n- **Objective:** "...)
	w.value(ref{part: objectivePart}, c.objective, unbroken)
	w.dst = append(w.dst, "\n\n## Context\n"...)
	for i, g := range c.groups {
		w.dst = append(w.dst, "\n### "...)
		w.value(ref{keyPart, i}, g.key, asIs)
		w.dst = append(w.dst, '\n')
		w.listed(c, g, "- **", "**: ")
	}
	if c.constraints != 0 {
		w.dst = append(w.dst, "\n## Constraints\n"...)
		w.rules(c, asIs)
	}
	w.dst = append(w.dst, "\n## Output\n- **Emit:** "...)
	w.value(ref{part: emitPart}, c.output.Emit.String(), asIs)
	w.dst = append(w.dst, "\n- **Key:** "...)
	w.value(ref{part: targetPart}, c.output.Key, asIs)
	if c.output.Format != NoFormat {
		w.dst = append(w.dst, "\n- **Format:** "...)
		w.value(ref{part: formatPart}, c.output.Format.String(), asIs)
	}
	w.dst = append(w.dst, '\n')
}

// listed writes the facts of a group as a list.
func (w *writer) listed(c *Contract, g stretch, open, between string) {
	for i := g.from; i < g.to; i++ {
		how := asIs
		if c.marks[i]&markBreak != 0 {
			how = unbroken
		}
		w.dst = append(w.dst, open...)
		w.value(ref{idPart, i}, c.facts[i].ID, how)
		w.dst = append(w.dst, between...)
		w.value(ref{contentPart, i}, c.facts[i].Content, how)
		w.dst = append(w.dst, '\n')
	}
}

func (w *writer) rules(c *Contract, how escape) {
	for k := range Constraint(len(constraintNames)) {
		if !c.constraints.Has(k) {
			continue
		}
		w.dst = append(w.dst, "- "...)
		w.value(ref{constraintPart, int(k)}, k.String(), how)
		w.dst = append(w.dst, '\n')
	}
}

// unbroken writes a text whose line ends begin no line of their own.
func (w *writer) unbroken(s string) {
	from := 0
	for i := 0; i < len(s); {
		size := lineEnd(s[i:])
		if size == 0 {
			i++
			continue
		}
		w.copied(s, from, i)
		w.instead(i, i+size, indented)
		i += size
		from = i
	}
	w.copied(s, from, len(s))
}

// lineEnd is the length of the line end that a text begins with, 0 for none.
// Whatever some reader takes for a line end is one.
func lineEnd(s string) int {
	switch s[0] {
	case '\r':
		if strings.HasPrefix(s, "\r\n") {
			return 2
		}
		return 1
	case '\n', '\v', '\f':
		return 1
	case 0xc2:
		if strings.HasPrefix(s, "\u0085") {
			return 2
		}
	case 0xe2:
		if strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029") {
			return 3
		}
	}
	return 0
}

// pascal writes a name with each of its words begun by a capital letter.
func (w *writer) pascal(name string) {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(name, func(c rune) bool { return c == '-' || c == '_' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	w.instead(0, len(name), b.String())
}
