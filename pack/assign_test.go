package pack

import (
	"errors"
	"testing"

	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/jinja"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for _, x := range []struct {
		typ        VarType
		text, want string // no want: an error
	}{
		{AnyType, "5", `"5"`}, {StringType, " a \"b\" <c>\n", `" a \"b\" <c>\n"`}, {StringType, "", `""`},
		{IntType, " -12 ", "-12"}, {IntType, "9223372036854775807", "9223372036854775807"},
		{IntType, "9223372036854775808", ""}, {IntType, "1.5", ""}, {IntType, "", ""}, {IntType, "0x10", ""},
		{FloatType, "1.5e3", "1.5e3"}, {FloatType, "2", "2"}, {FloatType, "inf", ""}, {FloatType, "1,2", ""}, {FloatType, `"1"`, ""},
		{BoolType, "true", "true"}, {BoolType, " false", "false"}, {BoolType, "yes", ""}, {BoolType, "1", ""},
		{ListType, "a, b c,d", `["a","b c","d"]`}, {ListType, "", "[]"}, {ListType, `[1, "x", {a: true}]`, `[1,"x",{"a":true}]`}, {ListType, "[1", ""},
		{MapType, "{b: 1, a: [x]}", `{"b":1,"a":["x"]}`}, {MapType, "a", ""}, {MapType, "[a]", ""}, {MapType, "", ""},
	} {
		got, err := x.typ.Parse(x.text)
		switch {
		case x.want == "" && !errors.Is(err, strict.WrongType):
			t.Errorf("%s %q: %s, %v, and not an error of the type", x.typ, x.text, got, err)
		case x.want != "" && (err != nil || string(got) != x.want):
			t.Errorf("%s %q: %s, %v, not %s", x.typ, x.text, got, err, x.want)
		}
	}
}

// What a type reads is of the type, whatever stands on the command line.
func TestParsedIsOfType(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom([]VarType{StringType, IntType, FloatType, BoolType, ListType, MapType}).Draw(t, "type")
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-0-9.eE]{1,8}|true|false|[\[{][a-z0-9:, "]{0,9}[\]}]`)).Draw(t, "text")
		raw, err := typ.Parse(text)
		if err != nil {
			return
		}
		v, err := jinja.FromJSON(raw, 0)
		if err != nil {
			return // a number beyond 64 bits is the engine's to refuse
		}
		if !typ.is(v) {
			t.Fatalf("%s of %q is %s, a %s", typ, text, raw, v.Kind())
		}
	})
}
