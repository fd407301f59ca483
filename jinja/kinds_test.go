package jinja

import (
	"errors"
	"strings"
	"testing"
)

// Of each kind of value a test holds, or it doesn't, or it can't be asked: then it is an
// error and no plain no. An undefined value is asked by few.
func TestTestsOfEachKind(t *testing.T) {
	subjects := strings.Fields("u none true false 7 8 2.5 'a' 'A' '' [] {} range ns")
	const setUp = "{% set ns = namespace() %}"
	env := New(Options{})
	for test, want := range map[string]string{
		// T: it holds, a dot: it doesn't, u: undefined, !: of the wrong type.
		"undefined": "T.............", "defined": ".TTTTTTTTTTTTT", "none": ".T............", "boolean": "..TT..........", "true": "..T...........", "false": "...T..........",
		"int": "....TT........", "integer": "....TT........", "float": "......T.......", "number": "..TTTTT.......", "odd": "u.T.T.........", "even": "u..T.T........", "divisibleby(2)": "u..T.T........",
		"string": ".......TTT....", "lower": ".......T......", "upper": "........T.....", "startingwith('a')": "u!!!!!!T..!!!!", "endingwith('a')": "u!!!!!!T..!!!!", "startingwith(['x', 'a'])": "u!!!!!!T..!!!!",
		"safe": "..............", "escaped": "..............", "sequence": ".......TTTTT..", "iterable": ".......TTTTT.T", "mapping": "...........T.T", "callable": "............T.",
	} {
		got := ""
		for _, s := range subjects {
			o, err := mustParse(t, env, setUp+"{{ "+s+" is "+test+" }}").Render(None())
			switch {
			case errors.Is(err, ErrUndefined):
				got += "u"
			case errors.Is(err, ErrType):
				got += "!"
			case err != nil:
				t.Errorf("%s is %s: %v", s, test, err)
			case o.Text() == "True":
				got += "T"
			default:
				got += "."
			}
			if not, again := mustParse(t, env, setUp+"{{ "+s+" is not "+test+" }}").Render(None()); (again == nil) != (err == nil) || err == nil && (not.Text() == "True") == (o.Text() == "True") {
				t.Errorf("%s is %s and is not: %v, %v", s, test, err, again)
			}
		}
		if got != want {
			t.Errorf("%s of\n%s:\n%s, want\n%s", test, strings.Join(subjects, " "), got, want)
		}
	}
}
