package tests

import (
	"errors"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/consent"
	"github.com/cento-dev/cento/reminder"
	"github.com/cento-dev/cento/wire"
	"github.com/cento-dev/cento/workspace"
)

// Zero and nil values, and folders that only the process knows, are errors with a code.
// Plans are in TestForeignBound, services of sessions in TestNoStore of their package.
func TestZeroValues(t *testing.T) {
	dir := t.TempDir()
	open := func(r project.Request) error { return failure(project.Open(t.Context(), r)) }
	for name, c := range map[string]struct {
		err  error
		want cento.ErrorCode
	}{
		"request of a provider": {failure(wire.Build(wire.Request{})), wire.InvalidForm},
		"model without a form":  {failure(wire.Build(wire.Request{Model: new(cento.Model)})), wire.InvalidForm},
		"unknown form":          {failure(wire.Build(wire.Request{Form: 200})), wire.InvalidForm},
		"parts of no form":      {failure(wire.Parts(0, "{}")), wire.InvalidBody},
		"nil provider":          {failure(reminder.Choose(nil, reminder.InTurn, nil)), reminder.Invalid},
		"no folder":             {open(project.Request{}), workspace.InvalidFolder},
		"relative folder":       {open(project.Request{Dir: "."}), workspace.InvalidFolder},
		"relative home":         {open(project.Request{Dir: dir, Home: "home"}), workspace.InvalidFolder},
		"relative user folder":  {open(project.Request{Dir: dir, Config: "x"}), workspace.InvalidFolder},
		"relative copy":         {open(project.Request{Dir: dir, Copy: "x"}), workspace.InvalidFolder},
		"no user folder":        {failure(project.Site{}.ApprovalsPath()), consent.TrustRequired},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %s", name, c.err, c.want)
		}
	}
}
