package manifest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// Budget is how many tokens a request may take. Either Tokens or Share is set.
type Budget struct {
	// Tokens is their number.
	Tokens int `json:"tokens,omitempty"`
	// Share is a part of what the model takes in, above 0 and at most 1.
	Share float64 `json:"share,omitempty"`
	// Reserve is kept free.
	Reserve int `json:"reserve,omitempty"`
	// Hold is what has to be left for something to come back that a session's turn
	// before did without.
	Hold int `json:"hold,omitempty"`
	// KeepCached gives up last what stood before the last mark of the prompt cache in
	// that turn.
	KeepCached bool               `json:"keep_cached,omitempty"`
	Policy     cento.BudgetPolicy `json:"policy,omitempty"`
	Position   cento.Position     `json:"position,omitzero"`
}

type budgetFile struct {
	strict.At
	Tokens     *sizeTokens        `json:"tokens,omitempty" jsonschema:"How many tokens the whole request may take: the prompt, the definitions of the active tools and what is kept free. Excludes share."`
	Share      *share             `json:"share,omitempty" jsonschema:"The same as a part of what the model takes in, such as 0.2. Excludes tokens."`
	Reserve    *tokens            `json:"reserve,omitempty" jsonschema:"How many of them are kept free, for the conversation and the answer; default 0."`
	Hold       *tokens            `json:"hold,omitempty" jsonschema:"In a session: what a prompt did without comes back into the next one only where so many tokens are left then, so that nothing comes and goes from turn to turn; default 0."`
	Policy     cento.BudgetPolicy `json:"policy,omitempty" jsonschema:"What is done with room that is left: strict, the default, leaves it, so that a larger budget keeps all that a smaller one keeps; fill takes back what fits, the most important first."`
	KeepCached bool               `json:"keep_cached,omitempty" jsonschema:"In a session whose turns ask for the request of a provider: what stood before the last mark of the prompt cache in the turn before is given up behind all else; default false."`
}

// DecodeNode reads a budget, and tells of a size that stands alone how it is written there.
func (f *budgetFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	type fields budgetFile
	if hint := sizeHint(n); hint != "" {
		d.Expected(n, strict.Map.String()).Hint = hint
		return
	}
	d.Decode(n, (*fields)(f))
}

// noSizeHint tells of a size that is none how one is written.
const noSizeHint = "a budget is written {tokens: 8000}; without one nothing is left out"

// sizeHint says how the size of a budget is written in its map; it is empty for what is no
// size.
func sizeHint(n *strict.Node) string {
	switch tokens, ok := n.Int(); {
	case ok && tokens > 0:
		return fmt.Sprintf("write {tokens: %d}", tokens)
	case ok:
		return noSizeHint
	}
	if part := partOf(n); part > 0 {
		return "write {share: " + formatShare(part) + "}"
	}
	return ""
}

// partOf is a part of a whole, as a number or in percent; 0 for anything else.
func partOf(n *strict.Node) float64 {
	part, number := n.Float()
	if !number {
		text, _ := n.Text()
		part, _ = ParseShare(text)
	}
	if part > 0 && part <= 1 {
		return part
	}
	return 0
}

// sizeTokens are the tokens of a budget, which a part of the model's window may stand for
// by mistake.
type sizeTokens struct{ tokens }

func (t *sizeTokens) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if _, whole := n.Int(); !whole {
		if part := partOf(n); part > 0 {
			d.Expected(n, "a whole number").Hint = "write share: " + formatShare(part) + " instead of tokens"
			return
		}
	}
	t.tokens.DecodeNode(d, n)
}

// tokens is a number of tokens.
type tokens struct{ strict.Located[int] }

func (t *tokens) DecodeNode(d *strict.Decoder, n *strict.Node) {
	t.Located.DecodeNode(d, n)
	if v, ok := n.Int(); ok && v < 0 {
		d.Fail(n.Position(), strict.WrongValue, "expected a number of tokens, got %d", v).Hint = "write a whole number from 0 on"
	}
}

// share is a part of a whole.
type share struct {
	value float64
	at    cento.Position
}

func (s *share) DecodeNode(d *strict.Decoder, n *strict.Node) {
	s.at = n.Position()
	if n.Kind() != strict.Number {
		e := d.Expected(n, "a number above 0, at most 1")
		text, _ := n.Text()
		switch part, percent := ParseShare(text); {
		case part > 0:
			e.Hint = "write " + formatShare(part)
		case percent:
			e.Hint = "all that the model takes in is 1, and 20 percent are written 0.2"
		}
		return
	}
	written, err := n.AppendJSON(nil)
	if err != nil {
		d.Report(err)
		return
	}
	s.value, err = strconv.ParseFloat(string(written), 64)
	if err != nil || s.value <= 0 || s.value > 1 {
		d.Fail(s.at, strict.WrongValue, "expected a number above 0, at most 1, got %s", written).Hint = "all that the model takes in is 1, and 20 percent are written 0.2"
	}
}

func formatShare(part float64) string { return strconv.FormatFloat(part, 'g', 6, 64) }

// ParseShare reads a part such as 20% as a number above 0, at most 1; it is 0 for what is
// none. percent tells whether a part is meant.
func ParseShare(text string) (part float64, percent bool) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	p, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !percent || err != nil || !(p > 0 && p <= 100) { // not so of NaN either
		return 0, percent
	}
	return p / 100, true
}

// budget is what is written, as the program holds it.
func (f *budgetFile) budget(d *strict.Decoder) *Budget {
	if f == nil {
		return nil
	}
	b := &Budget{KeepCached: f.KeepCached, Policy: f.Policy, Position: f.Position()}
	if f.Tokens != nil {
		b.Tokens = f.Tokens.Value
	}
	for _, x := range [...]struct {
		from *tokens
		to   *int
	}{{f.Reserve, &b.Reserve}, {f.Hold, &b.Hold}} {
		if x.from != nil {
			*x.to = x.from.Value
		}
	}
	if f.Share != nil {
		b.Share = f.Share.value
	}
	switch {
	case f.Tokens != nil && f.Share != nil:
		conflict(d, "tokens", f.Tokens.Position(), "share", f.Share.at, "both say how large the budget is")
	case f.Tokens == nil && f.Share == nil && !f.Position().IsZero() && !f.Misspelt(d, "tokens") && !f.Misspelt(d, "share"):
		d.Fail(f.Position(), strict.MissingKey, "the key %q is missing", "tokens").Hint = "say how large the budget is, by tokens or by share"
	case f.Tokens != nil && f.Reserve != nil && f.Reserve.Value > f.Tokens.Value && f.Tokens.Value >= 0:
		d.In("reserve", func() {
			e := d.Fail(f.Reserve.Position(), strict.WrongValue, "%d tokens can't be kept free of %d", f.Reserve.Value, f.Tokens.Value)
			e.Related = []cento.Related{{Position: f.Tokens.Position(), Message: "the budget"}}
		})
	}
	return b
}

// budgetSizeFile is a number of tokens, or a part of what the model takes in.
type budgetSizeFile struct {
	tokens int
	share  float64
	at     cento.Position
}

func (b *budgetSizeFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	b.at = n.Position()
	if i, ok := n.Int(); ok && i >= 0 && int64(int(i)) == i {
		b.tokens = int(i)
		return
	}
	if s, ok := n.Text(); ok {
		if b.share, _ = ParseShare(s); b.share > 0 {
			return
		}
	}
	d.Expected(n, "a number of tokens, or a part such as 20%").Hint = `as in 8000, or "20%" between quotes`
}

// budget is what is written; nil for nothing.
func (b *budgetSizeFile) budget() *Budget {
	if b == nil {
		return nil
	}
	return &Budget{Tokens: b.tokens, Share: b.share, Position: b.at}
}

// variants are shorter bodies, each with its place.
func variants(d *strict.Decoder, list []text, trust cento.Trust) []cento.Text {
	var out []cento.Text
	for i := range list {
		out = append(out, cento.Text{Body: list[i].Value, Runs: list[i].Runs(trust), Trust: trust, Origin: list[i].Position()})
		if body, ok := list[i].Text(); ok && isBlank(body) {
			d.InItem(i, func() {
				d.Fail(list[i].Position(), strict.WrongValue, "a blank variant").Hint = "leave it out: behind its variants a fragment is dropped"
			})
		}
	}
	return out
}
