package prompttest

import (
	"context"
	"fmt"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
)

// MatchGlob is for tests of it.
func MatchGlob(glob, id string) bool { return matchGlob(glob, id) }

// CompareReadings makes the prompt of each run as runs do, and by reading the project
// for it alone; the error tells of the first that differs.
func CompareReadings(ctx context.Context, r project.Request) error {
	s, err := Load(r)
	if err != nil {
		return err
	}
	lib := s.library()
	defer lib.close()
	for _, x := range s.runs() {
		a, err := lib.assemble(ctx, x.target, &x.with)
		site, request, failed := lib.locate("null", &x.with)
		if failed != nil {
			return failed
		}
		request.Vars = x.with.Vars
		if b := x.with.Budget; b != nil {
			request.Budget = &project.Budget{Tokens: b.Tokens}
		}
		p, failed := site.Open(ctx, request)
		if failed != nil {
			return failed
		}
		in := p.Input.WithTools(x.with.Tools...)
		for _, c := range x.with.Caps {
			in = in.WithCap(c)
		}
		want, failed := p.Reduce(in)
		if (err == nil) != (failed == nil) {
			return fmt.Errorf("%s: %v, and alone %v", x.name, err, failed)
		}
		if err != nil {
			if err.Error() != failed.Error() {
				return fmt.Errorf("%s: %w, and alone %w", x.name, err, failed)
			}
			continue
		}
		if text, _ := want.System(); text != a.text {
			return fmt.Errorf("%s: %q, and alone %q", x.name, a.text, text)
		}
		for i := range want.Len() {
			if want.Code(i) != a.Code(i) || want.Reason(i) != a.Reason(i) {
				return fmt.Errorf("%s: %s is %s, and alone %s", x.name, want.Fragment(i).ID, a.Code(i), want.Code(i))
			}
		}
	}
	return cento.Join(nil)
}
