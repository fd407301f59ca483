package contract

func (w *writer) json(c *Contract) {
	w.dst = append(w.dst, `{"role":"`...)
	w.value(ref{part: rolePart}, string(c.role), asIs)
	w.dst = append(w.dst, `","objective":"`...)
	w.value(ref{part: objectivePart}, c.objective, jsonString)
	w.dst = append(w.dst, `","context":{`...)
	for i, g := range c.groups {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		w.dst = append(w.dst, '"')
		w.value(ref{keyPart, i}, g.key, asIs)
		w.dst = append(w.dst, `":[`...)
		w.facts(c, g, &layouts[JSON])
		w.dst = append(w.dst, ']')
	}
	w.dst = append(w.dst, `},"constraints":[`...)
	for k := range Constraint(len(constraintNames)) {
		if !c.constraints.Has(k) {
			continue
		}
		if w.dst[len(w.dst)-1] != '[' {
			w.dst = append(w.dst, ',')
		}
		w.dst = append(w.dst, '"')
		w.value(ref{constraintPart, int(k)}, k.String(), asIs)
		w.dst = append(w.dst, '"')
	}
	w.dst = append(w.dst, `],"output":{"emit":"`...)
	w.value(ref{part: emitPart}, c.output.Emit.String(), asIs)
	w.dst = append(w.dst, `","key":"`...)
	w.value(ref{part: targetPart}, c.output.Key, asIs)
	if c.output.Format != NoFormat {
		w.dst = append(w.dst, `","format":"`...)
		w.value(ref{part: formatPart}, c.output.Format.String(), asIs)
	}
	w.dst = append(w.dst, `"}}`...)
}
