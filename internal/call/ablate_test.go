package call_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/call"
)

// TestAblateIsBounded: an ablation by fragments takes time by their square, so that a
// request can't ask for any number; by something that there is less of, it can.
func TestAblateIsBounded(t *testing.T) {
	var list []string
	for i := range 1001 {
		list = append(list, fmt.Sprintf(`{"id": "f%d", "source": "team", "body": "x"}`, i))
	}
	request := func(by string) []byte {
		return []byte(`{"manifest": {"scope": "off", "profile": "off"}, "by": "` + by + `", "fragments": [` + strings.Join(list, ",") + `]}`)
	}
	_, err := call.Answer(t.Context(), "ablate", request("fragment"), call.Options{})
	if es := cento.SourceErrors(err); len(es) != 1 || es[0].Code != cento.LimitExceeded || es[0].Position.Column != 56 || !strings.Contains(es[0].Hint, "source") {
		t.Fatalf("%+v", err)
	}
	a, err := call.Answer(t.Context(), "ablate", request("source"), call.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(a.(*call.AblationAnswer).Parts); got < 1 || got > 5 {
		t.Fatalf("%d parts by source", got)
	}
}
