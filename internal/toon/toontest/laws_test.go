package toontest

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/toon"
)

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
		v := Values(4).Draw(t, "value")
		e := Encoder{
			Delimiter: rapid.SampledFrom([]toon.Delimiter{0, toon.Comma, toon.Tab, toon.Pipe}).Draw(t, "delimiter"),
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
		back, err := DecodeBy(toon.Decoder{Indent: e.Indent}, string(text))
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
		v := Values(4).Draw(t, "value")
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
		code toon.ErrorCode
		want string
	}{
		{``, InvalidJSON, "1:1"},
		{`{"a":1,"a":2}`, toon.DuplicateKey, "1:7"},
		{`["\ud83d"]`, InvalidJSON, "1:3"},
		{`["x\ude00"]`, InvalidJSON, "1:4"},
		{`["\ud83dx"]`, InvalidJSON, "1:3"},
		{"[\"\xff\"]", toon.InvalidUTF8, "1:3"},
		{`[1] 2`, InvalidJSON, "1:4"},
		{`[1,]`, InvalidJSON, "1:4"},
		{`[1`, InvalidJSON, "1:3"},
		{`{"a" 1}`, InvalidJSON, "1:6"},
		{`nul`, InvalidJSON, "1:"},
		{`1e99999999999`, InvalidNumber, "1:1"},
		{deep, toon.LimitExceeded, "1:101"},
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

func TestEncodeRefuses(t *testing.T) {
	deep := Value{}
	for range 1_000_000 {
		deep = Array(deep)
	}
	for name, c := range map[string]struct {
		v    Value
		code toon.ErrorCode
	}{
		"deep":      {deep, toon.LimitExceeded},
		"twice":     {Object(Member{"a", Value{}}, Member{"a", Value{}}), toon.DuplicateKey},
		"text":      {String("\xff"), toon.InvalidUTF8},
		"key":       {Object(Member{"\xff", Value{}}), toon.InvalidUTF8},
		"split":     {Array(String("\xc3"), String("\xa9")), toon.InvalidUTF8},
		"wide keys": {Object(slices.Repeat([]Member{{"b", Value{}}}, 40)...), toon.DuplicateKey},
	} {
		if text, err := Encode(c.v); !errors.Is(err, c.code) || text != "" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if _, err := (Encoder{Delimiter: ';'}).Append(nil, Value{}); !errors.Is(err, toon.Syntax) {
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

// What is read is written so that it is read as the same.
func FuzzDecode(f *testing.F) {
	for _, document := range Documents {
		f.Add(document)
	}
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
