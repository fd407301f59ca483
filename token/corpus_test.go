package token

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// A corpus is a set of texts that is the same on every machine, so that what
// tiktoken makes of it can be kept as a digest.
type corpus struct {
	name  string
	texts iter.Seq[string]
}

func corpora() []corpus {
	return []corpus{
		{"blanks", randomTexts(1, 100_000, 12, blanks)},
		{"blanks-and-others", randomTexts(2, 100_000, 14, blanksAndOthers)},
		{"classes", randomTexts(3, 200_000, 16, classSamples)},
		{"contractions", contractions},
		{"code-points", codePoints},
		{"random-code-points", randomCodePoints(4, 50_000, 12)},
		{"random-bytes", randomBytes(5, 50_000, 40)},
		{"emoji", randomTexts(6, 20_000, 8, emoji)},
		{"identifiers", randomTexts(7, 50_000, 9, identifiers)},
		{"tokens", everyToken},
		{"token-strings", tokenStrings(8, 50_000, 12)},
		{"languages", languages},
		{"short-runs", shortRuns},
		{"long-runs", longRuns},
	}
}

// splitMix is a generator of random numbers that is written down, so that no
// other version of a library gives other texts.
type splitMix uint64

func (r *splitMix) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (r *splitMix) intN(n int) int { return int(r.next() >> 1 % uint64(n)) }

// randomTexts gives texts of one to most parts each.
func randomTexts(seed splitMix, texts, most int, parts []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		r := seed
		for range texts {
			var b strings.Builder
			for range 1 + r.intN(most) {
				b.WriteString(parts[r.intN(len(parts))])
			}
			if !yield(b.String()) {
				return
			}
		}
	}
}

var blanks = []string{" ", " ", " ", "\t", "\t", "\n", "\n", "\r", "\r\n"}

var blanksAndOthers = []string{
	" ", "  ", "\t", "\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028",
	"\u2029", "\u202f", "\u205f", "\u3000", "\u180e", "\u200b", "\ufeff", "\x1c", "\x1f", "a", "B", "7", ".", "/", "é", "中", "'s",
}

// classSamples has what the patterns tell apart, some of it more than once.
var classSamples = []string{
	"a", "b", "s", "z", "ß", "я", "𝐚", // Ll
	"A", "S", "T", "Ω", "𐐀", // Lu
	"ǅ", "ᾈ", // Lt
	"ʰ", "ー", "々", // Lm
	"中", "ا", "א", "ª", "한", // Lo
	"\u0301", "\u0903", "\u20dd", "\ufe0f", // Mn, Mc, Me
	"1", "2", "٣", "Ⅷ", "½", // Nd, Nl, No
	".", "-", "_", "(", "!", "/", "//", "€", "+", "^", "°", "—", "«", // P, S
	"'", "'s", "'S", "'ſ", "'t", "'T", "'re", "'Re", "'VE", "'m", "'ll", "'lL", "'d", "'D", "’", "’s",
	"\u00ad", "\u200d", "\ue000", "\u0378", "\U000e0041", "\x00", "\x7f", // Cf, Co, Cn, Cc
	" ", " ", " ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u2028", "\u3000",
}

var emoji = []string{
	"😀", "👍🏽", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "🇯🇵", "1️⃣", "❤️", "❤", "☺", "🧑🏿‍🚀", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
	"🫠", "\u200d", "\ufe0f", "\ufe0e", "🏻", "🇦", "\u20e3", " ", "\n", "a", "'s", "!",
}

var identifiers = []string{
	"get", "Get", "HTTP", "Server", "snake", "_", "case", "Camel", "id", "ID", "URL", "x", "Y", "utf", "8", "2", "64", "1000",
	".", "(", ")", "{", "}\n", "\n\t", "\n\t\t", "    ", " ", " = ", ":=", "->", "//", "/*", "\"", "\\n", "$", "@", "#", "fragmentOrder", "Überprüfung",
}

// contractions has each contraction in each case after and before all kinds of
// neighbours.
func contractions(yield func(string) bool) {
	around := []string{"", "a", "A", "中", "\u0301", "1", ".", "'", " ", "\n", "s", "ſ"}
	for _, form := range []string{"s", "t", "re", "ve", "m", "ll", "d", "ſ", "r", "v", "l", "le", "er", "x", "K", "\u212a"} {
		for upper := range 1 << min(len(form), 2) {
			word := []byte(form)
			for i := range min(len(form), 2) {
				if upper>>i&1 == 1 && 'a' <= word[i] && word[i] <= 'z' {
					word[i] -= 'a' - 'A'
				}
			}
			for _, before := range around {
				for _, quote := range []string{"'", "''", " '", "’"} {
					for _, after := range around {
						if !yield(before + quote + string(word) + after) {
							return
						}
					}
				}
			}
		}
	}
}

// codePoints has code points between neighbours that show their class: a
// letter takes a contraction differently from a sign, a number takes two more,
// white space parts from a line end. Of the planes without assigned characters
// it has a sample.
func codePoints(yield func(string) bool) {
	for r := range rune(utf8.MaxRune + 1) {
		if r >= 0x40000 && r < 0xe0000 && r%64 != 0 || r >= 0xe0200 && r%64 != 0 || !utf8.ValidRune(r) {
			continue
		}
		c := string(r)
		if !yield(c + "'s" + c + "12345x" + c + c + "B" + c + "d " + c + "\n" + c + "." + c + "/\t" + c + "  " + c + "'" + c + "\n ") {
			return
		}
	}
}

// everyCodePoint leaves none out.
func everyCodePoint(yield func(string) bool) {
	for r := range rune(utf8.MaxRune + 1) {
		if !utf8.ValidRune(r) {
			continue
		}
		c := string(r)
		if !yield(c + "'s" + c + "12345x" + c + "B" + c + "d " + c) {
			return
		}
	}
}

func randomCodePoints(seed splitMix, texts, most int) iter.Seq[string] {
	return func(yield func(string) bool) {
		r := seed
		for range texts {
			var b strings.Builder
			for range 1 + r.intN(most) {
				limit := []int{0x80, 0x250, 0x3000, 0x10000, 0x20000, utf8.MaxRune + 1}[r.intN(6)]
				b.WriteRune(rune(r.intN(limit)))
			}
			if !yield(b.String()) {
				return
			}
		}
	}
}

// randomBytes has texts that mostly are not valid UTF-8.
func randomBytes(seed splitMix, texts, most int) iter.Seq[string] {
	return func(yield func(string) bool) {
		r := seed
		for range texts {
			b := make([]byte, 1+r.intN(most))
			for i := range b {
				b[i] = byte(r.next() >> 17)
			}
			if !yield(string(b)) {
				return
			}
		}
	}
}

// everyToken has the text of each token of both vocabularies that is valid
// UTF-8 by itself, alone and behind a letter.
func everyToken(yield func(string) bool) {
	for i := range encodings {
		v := encodings[i].vocabulary()
		for rank := range v.size() {
			t := string(v.texts().of(rank))
			if utf8.ValidString(t) && (!yield(t) || !yield("x"+t)) {
				return
			}
		}
	}
}

// tokenStrings has random tokens in a row, which is where wrong merges show.
func tokenStrings(seed splitMix, texts, most int) iter.Seq[string] {
	return func(yield func(string) bool) {
		r := seed
		for range texts {
			v := encodings[r.intN(len(encodings))].vocabulary()
			var b []byte
			for range 1 + r.intN(most) {
				b = append(b, v.texts().of(r.intN(v.size()))...)
			}
			if !yield(strings.ToValidUTF8(string(b), "")) {
				return
			}
		}
	}
}

func languages(yield func(string) bool) {
	for _, text := range []string{
		"The quick brown fox doesn't jump over the lazy dog; it's asleep, and they'll wait.",
		"Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich – für 3,50 €!",
		"Voix ambiguë d’un cœur qui, au zéphyr, préfère les jattes de kiwis.",
		"El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia y frío.",
		"Съешь же ещё этих мягких французских булок, да выпей чаю.",
		"Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
		"いろはにほへと ちりぬるを。コンピューターは１２３台です。",
		"天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。我们在2024年见面。",
		"다람쥐 헌 쳇바퀴에 타고파. 123개의 사과가 있습니다.",
		"نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر ومغلف بجلد أزرق",
		"דג סקרן שט בים מאוכזב ולפתע מצא לו חברה איך הקליטה",
		"ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश",
		"เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน",
		"Pijamalı hasta yağız şoföre çabucak güvendi. İIıi",
		"Do bạch kim rất quý nên sẽ dùng để lắp vô xương.",
		"func main() {\n\tfmt.Println(\"hello, world\") // prints\n\tif x := f(1_000, 0xFF); x != nil {\n\t\treturn\n\t}\n}\n",
		"def f(a, *, b=None) -> dict[str, int]:\n    \"\"\"Doc.\"\"\"\n    return {k: v ** 2 for k, v in a.items() if k != '__x__'}\n",
		"{\"name\": \"x\", \"items\": [1, 2.5e-3, null, true], \"nested\": {\"a\\n\": \"\\u00e9\"}}",
		"# Title\n\n- item **bold** `code`\n  - nested\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\n$ ls -la | grep foo\n```\n",
		"<a href=\"https://example.org/path?q=1&r=%20#frag\">text</a>\r\n<br/>\r\n\r\n",
		"SELECT * FROM t WHERE a >= 10 AND b LIKE '%x''y%' ORDER BY c DESC;",
		"<|endoftext|><|fim_prefix|> and <|im_start|>system<|im_end|>",
		"e\u0301 vs é, ﬁ vs fi, Å vs Å, x\u200by, a\u00adb",
	} {
		if !yield(text) {
			return
		}
	}
}

// run has what long runs are made of.
var run = []string{
	"a", "A", " ", "\t", "\n", "\r\n", "=", "-", "_", "*", "#", ".", "0", "1", "é", "中", "😀", "\u0301", "\u00a0", "ab", "aB", "Ab",
	" \n", "\n ", "'s", "/", "\\", "xyz", "\x00", "\ufffd", "ſ", "()", "{}", "\"", "ACGT", "ــ",
}

func shortRuns(yield func(string) bool) {
	for _, c := range run {
		for n := 1; n <= 300; n++ {
			if s := strings.Repeat(c, n); !yield(s) || n%10 == 0 && !yield(s+"x") {
				return
			}
		}
	}
}

// longRuns ends with what takes tiktoken ten seconds each.
func longRuns(yield func(string) bool) {
	for _, c := range run {
		for _, n := range []int{1000, 1023, 3001} {
			if !yield(strings.Repeat(c, n)) {
				return
			}
		}
	}
	for _, c := range []string{"a", " ", "=", "\n"} {
		if !yield(strings.Repeat(c, 100_000)) {
			return
		}
	}
}
