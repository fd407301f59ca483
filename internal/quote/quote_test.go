package quote_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/quote"
)

func TestAppend(t *testing.T) {
	const text = "a\"b\\\x00\b\t\n\f\r\x1f\x7f é\u2028</x>𝛼"
	for _, c := range []struct {
		table *quote.Escapes
		want  string
	}{
		{quote.JSON, `"a\"b\\\u0000\b\t\n\f\r\u001f` + "\x7f é\u2028</x>𝛼\""},
		{quote.Common, `"a\"b\\\u0000\u0008\t\n\u000c\r\u001f` + "\x7f é\u2028</x>𝛼\""},
		{quote.New("\ff", "\x7f<"), `"a\"b\\\u0000\u0008\u0009\u000a\f\u000d\u001f\u007f é` + "\u2028" + `\u003c/x>𝛼"`},
	} {
		if got := string(c.table.Append([]byte("x"), text)); got != "x"+c.want {
			t.Errorf("got  %s\nwant x%s", got, c.want)
		}
	}
}

// What is written is one line that reads back as the same.
func TestReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("\"\\/\b\f\n\r\t\x00\x1f\x7f")))).Draw(t, "text")
		text = strings.ToValidUTF8(text, "")
		for _, table := range []*quote.Escapes{quote.JSON, quote.Common} {
			var back string
			quoted := table.Append(nil, text)
			if err := json.Unmarshal(quoted, &back); err != nil || back != text {
				t.Fatalf("%s is read as %q, %v", quoted, back, err)
			}
			if strings.ContainsFunc(string(quoted), func(r rune) bool { return r < ' ' }) {
				t.Fatalf("%q holds a control", quoted)
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	text := strings.Repeat("Some words of a prompt, \"quoted\" here and there.\n", 40)
	var dst []byte
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		dst = quote.JSON.Append(dst[:0], text)
	}
}

// TestUnescape holds the escapes against the decoder of encoding/json, which takes
// half of a surrogate pair for U+FFFD.
func TestUnescape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := `\` + rapid.StringMatching(`(["\\/bfnrtxu]|u[0-9a-fA-F]{3,4}|u[dD][89abAB][0-9a-f]{2}\\u[dD][c-fC-F][0-9a-f]{2}|u[dD]8[0-9]{2}(\\u00e9|\\n|x)?)`).Draw(t, "text")
		c, size := quote.JSONLetters.Unescape(text + rapid.SampledFrom([]string{"", "0", "a rest"}).Draw(t, "rest"))
		var back string
		if size == 0 {
			if json.Unmarshal([]byte(`"`+text+`"`), &back) == nil {
				t.Fatalf("%s is no escape, and JSON reads %q", text, back)
			}
			return
		}
		if err := json.Unmarshal([]byte(`"`+text[:min(size, len(text))]+`"`), &back); size <= len(text) && (err != nil || back != string(c)) {
			t.Fatalf("%s is %q of %d bytes, and JSON reads %q, %v", text, c, size, back, err)
		}
	})
	for text, want := range map[string]int{`\/`: 0, `\b`: 0, `\n`: 2, `\"`: 2, `\\`: 2, `\u00e9`: 6, `\ud83d\ude00`: 12, `\ud83d`: 6, `\ud83dx`: 6, `\`: 0, ``: 0, `n`: 0} {
		if _, size := quote.CommonLetters.Unescape(text); size != want {
			t.Errorf("%s: %d bytes, and not %d", text, size, want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text         string
		most         int
		bytes, runes string
	}{
		{"", 3, "", ""},
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "abc…", "abc…"},
		{"aéé", 3, "aé…", "aéé"},
		{"ééé", 3, "é…", "ééé"},
		{"éééé", 3, "é…", "ééé…"},
		{"𝛼𝛼", 3, "…", "𝛼𝛼"},
		{"abcd", 0, "…", "…"},
		{"\xff\xff\xff\xff", 3, "\xff\xff\xff…", "\xff\xff\xff…"},
	} {
		if got := quote.Clip(c.text, c.most); got != c.bytes {
			t.Errorf("%d bytes of %q: %q", c.most, c.text, got)
		}
		if got := quote.ClipRunes(c.text, c.most); got != c.runes {
			t.Errorf("%d characters of %q: %q", c.most, c.text, got)
		}
	}
}
