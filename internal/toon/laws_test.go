package toon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// texts are strings that the format treats apart, and any others.
func texts() *rapid.Generator[string] {
	special := []string{
		"", " ", "-", "- a", "#", "true", "null", "42", "-1.5", "05", "+1", "1e5", "a,b", "a|b", "a\tb", "a:b", "[2]", "[]", "{x}",
		"\"q\"", "\\", "\n", "\x01", "\u007f", "é", "😀", "a.b", "9a", "a-b", "\ufeff", "\ufeffz", "x ", "id", "name", "\u00a0",
	}
	return rapid.OneOf(rapid.SampledFrom(special), rapid.SampledFrom(special), rapid.StringN(0, 8, -1))
}

// values draws any value of at most some depth. Half of the arrays and objects
// hold values of one shape, which are what tables are made for.
func values(depth int) *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		kinds := 9
		if depth == 0 {
			kinds = 5
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return Value{}
		case 1:
			return Bool(rapid.Bool().Draw(t, "bool"))
		case 2:
			return Float(rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1e20, 1e21, 1e-6, 1e-7, -2.5})).Draw(t, "number"))
		case 3, 4:
			return String(texts().Draw(t, "text"))
		case 5, 6:
			return Array(draw(t, depth, rapid.IntRange(0, 4).Draw(t, "items"))...)
		default:
			keys := rapid.SliceOfNDistinct(texts(), 0, 4, rapid.ID[string]).Draw(t, "keys")
			var members []Member
			for i, v := range draw(t, depth, len(keys)) {
				members = append(members, Member{keys[i], v})
			}
			return Object(members...)
		}
	})
}

func draw(t *rapid.T, depth, n int) []Value {
	items := make([]Value, n)
	uniform := rapid.Bool().Draw(t, "uniform")
	for i := range items {
		if uniform && i > 0 {
			items[i] = reshape(t, items[0])
		} else {
			items[i] = values(depth-1).Draw(t, "item")
		}
	}
	return items
}

// reshape is another value of the same shape, its keys maybe in another order.
func reshape(t *rapid.T, like Value) Value {
	switch like.Kind() {
	case ArrayKind:
		return like
	case ObjectKind:
		var members []Member
		for key, v := range like.Members() {
			members = append(members, Member{key, reshape(t, v)})
		}
		return Object(rapid.Permutation(members).Draw(t, "members")...)
	}
	return values(0).Draw(t, "scalar")
}

// sorted is a value with its keys in order: tables put those of their rows in
// the order of the first.
func sorted(v Value) Value {
	switch v.Kind() {
	case ArrayKind:
		var items []Value
		for item := range v.Items() {
			items = append(items, sorted(item))
		}
		return Array(items...)
	case ObjectKind:
		var members []Member
		for key, item := range v.Members() {
			members = append(members, Member{key, sorted(item)})
		}
		slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.Key, b.Key) })
		return Object(members...)
	}
	return v
}

// What is written reads back as the same value, and is written the same again.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(4).Draw(t, "value")
		e := Encoder{
			Delimiter: rapid.SampledFrom([]Delimiter{0, Comma, Tab, Pipe}).Draw(t, "delimiter"),
			Indent:    rapid.IntRange(0, 4).Draw(t, "indent"),
		}
		text, err := e.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			if s := bytes.TrimRight(line, "\n"); len(s) == 0 || s[len(s)-1] == ' ' || bytes.TrimLeft(s, " ")[0] == '#' {
				t.Fatalf("the line %q in\n%s", line, text)
			}
		}
		back, err := Decoder{Indent: e.Indent}.Decode(string(text))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !sorted(back).Equal(sorted(v)) {
			t.Fatalf("%s became %s by\n%s", v.AppendJSON(nil), back.AppendJSON(nil), text)
		}
		if again, err := e.Append(nil, back); err != nil || !bytes.Equal(again, text) {
			t.Fatalf("%v, first\n%s\nthen\n%s", err, text, again)
		}
	})
}

// JSON is read and written as encoding/json does it.
func TestJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(4).Draw(t, "value")
		data := v.AppendJSON(nil)
		back, err := FromJSON(data)
		if err != nil || !back.Equal(v) {
			t.Fatalf("%s: %v", data, err)
		}
		var want, got any
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		text, err := Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if err := Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: got %v, want %v", err, got, want)
		}
	})
}

func TestFromJSONRefuses(t *testing.T) {
	deep := strings.Repeat("[", 1_000_000)
	for _, c := range []struct {
		json string
		code ErrorCode
		want string
	}{
		{``, InvalidJSON, "1:1"},
		{`{"a":1,"a":2}`, DuplicateKey, "1:7"},
		{`["\ud83d"]`, InvalidJSON, "1:3"},
		{`["x\ude00"]`, InvalidJSON, "1:4"},
		{`["\ud83dx"]`, InvalidJSON, "1:3"},
		{"[\"\xff\"]", InvalidUTF8, "1:3"},
		{`[1] 2`, InvalidJSON, "1:4"},
		{`[1,]`, InvalidJSON, "1:4"},
		{`[1`, InvalidJSON, "1:3"},
		{`{"a" 1}`, InvalidJSON, "1:6"},
		{`nul`, InvalidJSON, "1:"},
		{`1e99999999999`, InvalidNumber, "1:1"},
		{deep, LimitExceeded, "1:101"},
	} {
		_, err := FromJSON([]byte(c.json))
		if !errors.Is(err, c.code) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v", c.json, err)
		}
	}
	if v, err := FromJSON([]byte(`["\ud83d\ude00\\ud83d"]`)); err != nil || v.Item(0).text != `😀\ud83d` {
		t.Errorf("%v, %v", v, err)
	}
}

// Nothing that is read costs out of proportion, whatever it declares.
func TestHostile(t *testing.T) {
	const many = 100_000
	for name, text := range map[string]string{
		"brackets":       strings.Repeat("[", many),
		"braces":         "a[1]" + strings.Repeat("{", many),
		"groups":         "a[1]" + strings.Repeat("{b", many) + strings.Repeat("}", many) + ":",
		"quotes":         strings.Repeat(`"`, many),
		"open quotes":    strings.Repeat(`"a`+"\n", many),
		"colons":         strings.Repeat(":", many),
		"hyphens":        "[1]:\n  " + strings.Repeat("- ", many) + "x",
		"nested items":   "[1]:\n" + nestedItems(2000),
		"nested members": nestedMembers(2000),
		"comments":       strings.Repeat("#\n", many),
		"blank lines":    "a[2]:\n" + strings.Repeat("\n", many) + "  - 1\n  - 2" + strings.Repeat("\n", many),
		"length":         "a[9223372036854775807]:\n  - 1",
		"cells":          "a[1]{x}:\n  " + strings.Repeat(",", many),
		"names":          "a[0]{" + strings.Repeat("x,", many) + "y}:",
		"backslashes":    `a: "` + strings.Repeat(`\\`, many) + `"`,
		"one line":       strings.Repeat("a", 1_000_000),
		"carriage":       strings.Repeat("\r", many),
	} {
		t.Run(name, func(t *testing.T) {
			v, err := Decode(text)
			if err != nil {
				e, ok := errors.AsType[*Error](err)
				if !ok || e.Place.Line == 0 || len(e.Message) > 300 {
					t.Fatalf("%T: %v", err, err)
				}
				return
			}
			if _, err := Encode(v); err != nil {
				t.Fatal(err)
			}
		})
	}
	for name, c := range map[string]struct {
		d    Decoder
		text string
	}{
		"bytes":  {Decoder{Bytes: 3}, "a: 1"},
		"depth":  {Decoder{Depth: 1}, "a:\n  b: 1"},
		"row":    {Decoder{Depth: 1}, "[1]{a}:\n  1"},
		"group":  {Decoder{Depth: 2}, "[1]{a{b}}:\n  1"},
		"values": {Decoder{Values: 3}, "[3]: 1,2,3"},
	} {
		if _, err := c.d.Decode(c.text); !errors.Is(err, LimitExceeded) {
			t.Errorf("%s: %v", name, err)
		}
		d := c.d
		d.Bytes, d.Depth, d.Values = d.Bytes+1, d.Depth+1, d.Values+1
		if c.d.Bytes == 0 {
			d.Bytes = 0
		}
		if c.d.Depth == 0 {
			d.Depth = 0
		}
		if c.d.Values == 0 {
			d.Values = 0
		}
		if _, err := d.Decode(c.text); err != nil {
			t.Errorf("%s: one more is refused too: %v", name, err)
		}
	}
	if _, err := Decode("a: \xff"); !errors.Is(err, InvalidUTF8) || !strings.HasPrefix(err.Error(), "1:4: ") {
		t.Error(err)
	}
	if v, err := Decode("\ufeffa: 1"); err != nil || v.Key(0) != "a" {
		t.Error(v, err)
	}
	if _, err := Decode("\ufeffä b"); err != nil {
		t.Error(err)
	}
	if _, err := Decode("\ufeffä:\n    b: 1"); err == nil || !strings.HasPrefix(err.Error(), "2:5: ") {
		t.Error(err)
	}
}

func nestedItems(depth int) string {
	var b strings.Builder
	for i := range depth {
		fmt.Fprintf(&b, "%s- [1]:\n", strings.Repeat("  ", i+1))
	}
	return b.String()
}

func nestedMembers(depth int) string {
	var b strings.Builder
	for i := range depth {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat("  ", i))
	}
	return b.String()
}

func TestEncodeRefuses(t *testing.T) {
	deep := Value{}
	for range 1_000_000 {
		deep = Array(deep)
	}
	for name, c := range map[string]struct {
		v    Value
		code ErrorCode
	}{
		"deep":      {deep, LimitExceeded},
		"twice":     {Object(Member{"a", Value{}}, Member{"a", Value{}}), DuplicateKey},
		"text":      {String("\xff"), InvalidUTF8},
		"key":       {Object(Member{"\xff", Value{}}), InvalidUTF8},
		"split":     {Array(String("\xc3"), String("\xa9")), InvalidUTF8},
		"wide keys": {Object(slices.Repeat([]Member{{"b", Value{}}}, 40)...), DuplicateKey},
	} {
		if text, err := Encode(c.v); !errors.Is(err, c.code) || text != "" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if _, err := (Encoder{Delimiter: ';'}).Append(nil, Value{}); !errors.Is(err, Syntax) {
		t.Error(err)
	}
	if text, err := (Encoder{}).Append([]byte("x"), Object(Member{"a", Int(1)})); err != nil || string(text) != "xa: 1" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		v := Float(f)
		if math.IsInf(f, 0) || math.IsNaN(f) {
			if v.Kind() != NullKind {
				t.Fatal(v)
			}
			return
		}
		back, ok := v.Float64()
		digits, _ := v.Number()
		if !ok || back != f && !(back == 0 && f == 0) || !isNumber(digits) || !json.Valid([]byte(digits)) {
			t.Fatalf("%v is written %s", f, digits)
		}
		if m := math.Abs(f); m == 0 || m >= 1e-6 && m < 1e21 {
			if strings.ContainsAny(digits, "eE") {
				t.Fatalf("%v is written %s", f, digits)
			}
		}
		again, err := Number(digits)
		if err != nil || !again.Equal(v) {
			t.Fatal(digits, again, err)
		}
	})
	for _, s := range []string{"", "-", "1.", ".5", "01", "1e", "+1", "0x1", "1 ", "٣", "NaN"} {
		if _, err := Number(s); !errors.Is(err, InvalidNumber) {
			t.Errorf("%q: %v", s, err)
		}
	}
	if i, ok := Int(math.MinInt64).Int64(); !ok || i != math.MinInt64 {
		t.Error(i, ok)
	}
}

// The tokens of a document nest, each value of an object follows its key, and
// each stands where it says.
func FuzzReader(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		r := Decoder{}.Tokens(text)
		var open []bool // an object
		key, done := false, false
		for {
			tok, err := r.Next()
			if err == io.EOF {
				if len(open) > 0 || !done {
					t.Fatal("the value doesn't end")
				}
				return
			}
			if err != nil {
				if e, ok := errors.AsType[*Error](err); !ok || e.Place.Line == 0 {
					t.Fatalf("%T: %v", err, err)
				}
				if _, again := r.Next(); again != err {
					t.Fatal("an error isn't final")
				}
				return
			}
			if tok.Offset < 0 || tok.Offset > len(text) || !utf8.ValidString(tok.Text) {
				t.Fatalf("%+v", tok)
			}
			if tok.Kind == EndArray || tok.Kind == EndObject {
				if len(open) == 0 || open[len(open)-1] != (tok.Kind == EndObject) || key {
					t.Fatalf("%+v ends nothing", tok)
				}
				open = open[:len(open)-1]
				done = len(open) == 0
				continue
			}
			if object := len(open) > 0 && open[len(open)-1]; object != (key || tok.Kind == Key) || key && tok.Kind == Key || done {
				t.Fatalf("%+v in the wrong place", tok)
			}
			key = tok.Kind == Key
			if tok.Kind == BeginArray || tok.Kind == BeginObject {
				open = append(open, tok.Kind == BeginObject)
			}
			done = len(open) == 0
		}
	})
}

// What is read is written so that it is read as the same.
func FuzzDecode(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Decode(text)
		if err != nil {
			return
		}
		written, err := Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(written)
		if err != nil || !sorted(back).Equal(sorted(v)) {
			t.Fatalf("%v: %q became %q", err, text, written)
		}
		if again, err := FromJSON(v.AppendJSON(nil)); err != nil || !again.Equal(v) {
			t.Fatalf("%v: %s", err, v.AppendJSON(nil))
		}
	})
}

func seeds(f *testing.F) {
	for _, s := range []string{
		"", "x", "a: 1\nb:\n  c: \"x\\n\"", "a[2]{x,y{z}}:\n  1,2\n  \"3,\",4", "a[2:|]{x}:\n  k: 1\n  l: 2",
		"[3]:\n  - 1\n  - a: 1\n    b[1]: 2\n  - [1]: 3", "# c\n\na[0]:", "a[2\t]: 1\t2",
	} {
		f.Add(s)
	}
}
