package cento

// ExplainOptions choose what an explanation holds besides the usual.
type ExplainOptions struct {
	// AllReasons adds every unmet condition of an excluded fragment.
	AllReasons bool
	// ExcludedTexts adds the texts of excluded fragments.
	ExcludedTexts bool
	// Counter counts tokens; nil leaves them null.
	Counter Counter
}

// Counter counts the tokens of a text.
type Counter interface {
	// Name is the encoding, or the family of an estimate.
	Name() string
	// Exact says whether Count is what the model is charged, or an estimate.
	Exact() bool
	Count(text string) int
}

// Explain gives everything known about the prompt as plain data.
func (p *Prompt) Explain(o ExplainOptions) *Explanation {
	e := &Explanation{
		Fragments: p.Traces(o), Included: p.Included(), Excluded: p.Len() - p.Included(),
		Spans: p.Spans(), Bytes: p.Bytes(), Notes: p.notes,
	}
	if text, ok := p.System(); ok {
		sum := p.Digest()
		e.System, e.Digest = &text, &sum
	}
	if o.Counter != nil {
		// The whole is counted as it stands: parts that meet share tokens.
		e.Tokens, e.TokensExact, e.Encoding = ptr(o.Counter.Count(p.text)), ptr(o.Counter.Exact()), ptr(o.Counter.Name())
	}
	if m := p.bound.active.Model; m != "" {
		e.Model = &m
	}
	return e
}

// Provenance gives one record for each fragment and their counts, under the
// keys of Harn's prompt_explain.
func (p *Prompt) Provenance() Provenance {
	return Provenance{Fragments: p.Traces(ExplainOptions{}), Included: p.Included(), Excluded: p.Len() - p.Included()}
}

// Traces is the record of every fragment, in declaration order.
func (a *Assembly) Traces(o ExplainOptions) []Trace {
	out := make([]Trace, a.Len())
	for i := range out {
		out[i] = a.Trace(i, o)
	}
	return out
}

// Trace is the record of one fragment.
func (a *Assembly) Trace(i int, o ExplainOptions) Trace {
	f := &a.plan.frags[i]
	text := a.Text(i)
	t := Trace{
		ID: f.ID, Source: f.source(), Bucket: f.Bucket, Included: a.In(i),
		Reason: a.Reason(i), Code: a.Code(i), Trust: f.Trust,
		Stability: f.Stability, Protected: f.Protected, Importance: f.Importance,
	}
	if _, rendered := a.expanded[int32(i)]; rendered || f.Template == "" {
		sum := digest(text)
		t.Digest = &sum
	}
	if f.Protected {
		t.Importance = Required
	}
	if s := foldSpace(f.Section); s != "" {
		t.Section = &s
	}
	if f.Layer != "" {
		t.Layer = &f.Layer
	}
	if !f.Origin.IsZero() {
		t.Origin = &f.Origin
	}
	if d := a.detail(i); d != nil {
		t.Notes = d.notes
	}
	if start, end, ok := a.Place(i); ok {
		t.Bytes, t.Span = end-start, &[2]int{start, end}
		if o.Counter != nil {
			t.Tokens = ptr(o.Counter.Count(text))
		}
		return t
	}
	if o.Counter != nil {
		t.Tokens = ptr(0)
	}
	if o.AllReasons {
		t.Unmet = a.Unmet(i)
	}
	if o.ExcludedTexts {
		t.Text = text
	}
	return t
}
