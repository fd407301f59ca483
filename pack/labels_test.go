package pack_test

import (
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
	"github.com/cento-dev/cento/pack"
)

// Every level has a label of its own and is found again by it, the less trusted the
// higher. A level or a label that nobody knows is the least trusted.
func TestLabelsOfTrust(t *testing.T) {
	levels := []cento.Trust{cento.TrustBuiltin, cento.TrustHost, cento.TrustUser, cento.TrustWorkspace, cento.TrustTool, cento.TrustSession}
	for i, level := range levels {
		if got := pack.Label(level); got != jinja.Trust(i) || pack.TrustOf(got) != level {
			t.Errorf("%s has the label %d, which is %s", level, got, pack.TrustOf(got))
		}
	}
	for _, unknown := range []cento.Trust{6, 255} {
		if got := pack.Label(unknown); got != pack.Label(cento.TrustSession) {
			t.Errorf("an unknown level has the label %d", got)
		}
	}
	for _, unknown := range []jinja.Trust{6, 7, 255} {
		if got := pack.TrustOf(unknown); got != cento.TrustSession {
			t.Errorf("the label %d is %s", unknown, got)
		}
	}
}
