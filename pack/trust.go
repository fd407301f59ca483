package pack

import (
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// byTrust orders the levels from the most trusted down, as the engine's labels
// count: what is made of several texts takes the label of the least trusted.
var byTrust = []cento.Trust{
	cento.TrustBuiltin, cento.TrustHost, cento.TrustUser, cento.TrustWorkspace, cento.TrustTool, cento.TrustSession,
}

// label is the engine's label of a level. A level that isn't known is the least
// trusted.
func label(t cento.Trust) jinja.Trust {
	if i := slices.Index(byTrust, t); i >= 0 {
		return jinja.Trust(i)
	}
	return jinja.Trust(len(byTrust) - 1)
}

// trustOf is the level of a label.
func trustOf(l jinja.Trust) cento.Trust { return byTrust[min(int(l), len(byTrust)-1)] }

// leastTrusted is the label of a text of several origins.
func leastTrusted(t cento.Text) jinja.Trust {
	if len(t.Runs) == 0 {
		return label(t.Trust)
	}
	var least jinja.Trust
	for _, r := range t.Runs {
		least = max(least, label(r.Trust))
	}
	return least
}
