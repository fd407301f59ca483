package tests

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

func at(file string, line int) cento.Position {
	return cento.Position{File: file, Line: line, Column: 1}
}

func TestJoin(t *testing.T) {
	first := &cento.SourceError{Code: cento.InvalidTool, Message: "first", Position: at("a.yaml", 2)}
	second := &cento.SourceError{Code: cento.DuplicateID, Message: "second", Position: at("a.yaml", 10)}
	third := &cento.SourceError{Code: cento.InvalidHost, Message: "third", Position: at("b.yaml", 1)}
	again := *second

	if err := cento.Join(nil); err != nil {
		t.Errorf("nothing joined is %v", err)
	}
	if err := cento.Join([]*cento.SourceError{first}); err != error(first) {
		t.Errorf("one joined is %#v, not itself", err)
	}
	list := []*cento.SourceError{third, second, first, &again}
	err := cento.Join(list)
	want := "a.yaml:2:1: first\na.yaml:10:1: second\nb.yaml:1:1: third"
	if err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
	if list[0] != third || list[3] != &again {
		t.Error("the list handed over was sorted itself")
	}
	for _, code := range []cento.ErrorCode{cento.InvalidTool, cento.DuplicateID, cento.InvalidHost} {
		if !errors.Is(err, code) {
			t.Errorf("%v isn't found in it", code)
		}
	}
	if errors.Is(err, cento.CyclicNeeds) {
		t.Error("a code is found that isn't in it")
	}
	if e, ok := errors.AsType[*cento.SourceError](err); !ok || e != first {
		t.Errorf("the first is %v", e)
	}
	same := &cento.SourceError{Code: cento.InvalidHost, Message: "first", Position: at("a.yaml", 2)}
	if both, ok := errors.AsType[*cento.Errors](cento.Join([]*cento.SourceError{first, same})); !ok || len(both.List) != 2 {
		t.Error("two codes at one place with one message are one error")
	}
}

func TestJoinEndsAtTheMost(t *testing.T) {
	const most = cento.MaxErrors
	var list []*cento.SourceError
	for i := range most + 5 {
		list = append(list, &cento.SourceError{Code: cento.InvalidFragment, Message: "wrong", Position: at("a.yaml", most+5-i)})
	}
	many, ok := errors.AsType[*cento.Errors](cento.Join(list))
	if !ok || len(many.List) != most || many.Omitted != 5 {
		t.Fatalf("%d listed, %d left out", len(many.List), many.Omitted)
	}
	if many.List[0].Position.Line != 1 || many.List[most-1].Position.Line != most {
		t.Error("those listed aren't the first by place")
	}
	if !strings.HasSuffix(many.Error(), "\n… and 5 more") {
		t.Errorf("what was left out isn't told: %q", many.Error())
	}
	if many, _ := errors.AsType[*cento.Errors](cento.Join(list[:most])); many.Omitted != 0 || strings.Contains(many.Error(), "more") {
		t.Error("of as many as a list has some are left out")
	}
}

func TestSourceError(t *testing.T) {
	for _, c := range []struct {
		err  cento.SourceError
		want string
	}{
		{cento.SourceError{Message: "wrong"}, "wrong"},
		{cento.SourceError{Message: "wrong", Position: cento.Position{File: "a.md"}}, "a.md: wrong"},
		{cento.SourceError{Message: "wrong", Position: cento.Position{File: "a.md", Line: 3}}, "a.md:3: wrong"},
		{cento.SourceError{Message: "wrong", Position: cento.Position{File: "a.md", Line: 3, Column: 7}}, "a.md:3:7: wrong"},
		{cento.SourceError{Message: "wrong", Position: cento.Position{Line: 3, Column: 7}}, "3:7: wrong"},
		{cento.SourceError{Message: "reading", Err: fs.ErrPermission}, "reading: permission denied"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	err := fmt.Errorf("around: %w", &cento.SourceError{Code: cento.InvalidUTF8, Message: "reading", Err: fs.ErrPermission})
	if !errors.Is(err, cento.InvalidUTF8) || !errors.Is(err, fs.ErrPermission) {
		t.Error("an error doesn't give both its code and its cause")
	}
	if cento.InvalidUTF8.Error() != "text.utf8" {
		t.Errorf("the code reads %q", cento.InvalidUTF8.Error())
	}
}

func TestPositionsCompare(t *testing.T) {
	ordered := []cento.Position{
		{}, {File: "a"}, {File: "a", Line: 2}, {File: "a", Line: 2, Column: 3}, {File: "a", Line: 10, Column: 1}, {File: "a.b"}, {File: "b", Line: 1},
	}
	for i, p := range ordered {
		for j, q := range ordered {
			if got := p.Compare(q); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%q against %q gives %d", p, q, got)
			}
		}
		if p.IsZero() != (i == 0) {
			t.Errorf("%q is zero: %v", p, p.IsZero())
		}
	}
}

// TestErrorsAreBounded: fragments that are wrong everywhere cost what their list
// costs, and all of them are counted.
func TestErrorsAreBounded(t *testing.T) {
	for name, broken := range map[string]cento.Fragment{
		"no id": {}, "UTF-8": {ID: "x", Body: "\xff"}, "template": {ID: "x", Template: "y"},
	} {
		const n = 50_000
		list := make([]cento.Fragment, n)
		for i := range list {
			if list[i] = broken; broken.ID != "" {
				list[i].ID += strconv.Itoa(i)
			}
		}
		allocs := testing.AllocsPerRun(1, func() {
			_, err := cento.ReduceFragments(list, cento.Active{}, cento.Options{})
			if got := len(cento.SourceErrors(err)) + cento.OmittedErrors(err); got != n {
				t.Errorf("%s: %d errors for %d fragments", name, got, n)
			}
		})
		if allocs > 4*n {
			t.Errorf("%s: %.0f allocations", name, allocs)
		}
	}
}
