package unitab_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento/internal/unitab"
)

const (
	england  = "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"
	scotland = "🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F"
	wales    = "🏴\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F"
)

// benign holds text as people write it. Nothing in it is hidden.
var benign = []string{
	"",
	"Run the tests before every commit.\n\n\t- keep changes small\r\n",
	"Tokens like \x1B[0m and \x00 are ASCII, and ASCII is not judged here.",
	// Latin, composed and decomposed, with typographic spaces and signs
	"Führe die Prüfungen aus – «bevor» du überträgst…",
	"re\u0301sume\u0301, cafe\u0301, Vie\u0323\u0302t Nam",
	"10\u00A0km, 5\u202F000\u00A0€, 3\u2009×\u20094, non\u2011breaking",
	"zażółć gęślą jaźń; příliš žluťoučký kůň; İstanbul'da ışık",
	// Greek, Cyrillic, Armenian, Georgian
	"Τρέξε τις δοκιμές πριν από κάθε υποβολή· ᾳ ᾴ",
	"Запускай тесты перед коммитом. Їжак, ґанок, ё, й",
	"Գործարկեք թեստերը։ გაუშვით ტესტები",
	// Hebrew, without and with points
	"הריצו את הבדיקות לפני כל שמירה, ואל תשנו קבצים אחרים (README.md).",
	"בְּרֵאשִׁית בָּרָא אֱלֹהִים",
	// a grapheme joiner that keeps a Hebrew mark where its text has it
	"יְרוּשָׁלַ\u034Fִם",
	// Arabic, with marks, tatweel and number signs that show
	"شغّل الاختبارات قبل كل إيداع، ولا تغيّر ملفات أخرى. اللّٰه مـــن ١٢٣",
	"\u0601٢٠٢٤ \u06DD٣",
	// Persian, with its non-joiners
	"پیش از ثبت، آزمون‌ها را اجرا کنید؛ نمی‌خواهم پرونده‌های دیگر تغییر کنند.",
	"خانه‌ای که می‌بینید، کتاب‌هایِ‌شان و ۵‌ساله",
	"API‌ها و `git`‌ها و **نام**‌های فایل",
	"سال ۱۴۰۲ ه‍.ش. و ه‍",
	"هَـ‍",
	// Urdu, Pashto, Kurdish, Syriac, N'Ko, Uyghur
	"ہر تبدیلی سے پہلے ٹیسٹ چلائیں؛ خوش‌آمدید",
	"نه‌خۆشخانه",
	"ܫܠܡܐ ܥܠܝܟܘܢ",
	"ߒߞߏ ߞߊ߲ߡߊ",
	// Hindi, Marathi, Nepali: half forms and explicit viramas
	"हर कमिट से पहले परीक्षण चलाएँ।",
	"क्‍ष क्‌ष र्‍य श्‍र द्‌ध",
	"पर्‍यावरण, वाङ्‌मय, प्रोग्रामिङ्‌का",
	// Bengali and Assamese
	"র‍্যাব, উদ্‌যাপন, কোনো ফাইল মুছবেন না",
	"হঠাৎ হঠাত্‍ ",
	// Malayalam with chillu letters of old, also at the end of a word
	"അവന്‍ പറഞ്ഞു. സോഫ്റ്റ്‌വെയര്‍ ടെസ്റ്റുകള്‍",
	// Kannada, Telugu, Tamil, Gujarati, Gurmukhi, Odia, Sinhala
	"ಸಾಫ್ಟ್‌ವೇರ್ ಪರೀಕ್ಷೆ ರ‍್ಯಾಂಕ್ ಫೋನ್‌ ಕೊಡಿ",
	"సాఫ్ట్‌వేర్ పరీక్షలు",
	"க்‌ஷ மென்பொருள்",
	"સોફ્ટ્‌વેર ਸਾਫ਼ਟਵੇਅਰ ସଫ୍ଟ୍‌ୱେର",
	"ශ්‍රී ලංකාව, ක්‍රම, විද්‍යාව",
	// Thai, Lao, Khmer, Burmese, with and without separators
	"รันการทดสอบก่อนทุกครั้ง",
	"ทดสอบ\u200Bระบบ\u200BAPI",
	"ភាសា\u200Bខ្មែរ\u200B។ សូម\u200BREADME\u200Bអាន",
	"မြန်မာ\u200Bဘာသာ ພາສາ\u200Bລາວ",
	// Mongolian with variation selectors and vowel separator
	"ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ᠌ ᠰᠠᠶᠢᠨ᠎ᠠ ᠲᠡᠷᠡ᠋ ᠬᠠᠭᠠᠨ\u202Fᠤ",
	"ᠨ\u180B\u180Eᠠ ᠭ\u180C‍ ᠊ᠠ‍",
	"ꡏꡡꡃ ꡢꡡꡙ ꡨ\uFE00",
	// East Asian
	"コミットする前にテストを実行してください。ﾊﾝｶｸ　全角",
	"か\u3099は\u309A ㍿ 〰️",
	"提交前请运行测试。修改要小。",
	"커밋하기 전에 테스트를 실행하세요. ᄒᆞᆫ글",
	// standardized variants
	"0\uFE00 ∩\uFE00 𝒜\uFE00 𝒜\uFE01 、\uFE00 ဂ\uFE00 凞\uFE00",
	// Tibetan, Ethiopic, Cherokee, Javanese, hieroglyphs
	"བོད་སྐད། ፈተናዎችን ᏣᎳᎩ ꦗꦮ꧀ꦱꦮ",
	"𓀀\U00013430𓀁\U00013431𓀂",
	// emoji
	"👩‍👩‍👧‍👦 👨🏿‍🚀 👩🏽‍💻 🧑🏻‍🤝‍🧑🏿 ❤️‍🔥 🏳️‍🌈 🏳️‍⚧️ 🏴‍☠️ 👁️‍🗨️ 🐻‍❄️ 🏃🏽‍♀️‍➡️",
	"1️⃣ #️⃣ *️⃣ 0️⃣ 1⃣ ☎️ ☎︎ ©️ ™️ ↔️ ▶︎ 👍🏽 👍🏽️ ✊🏿",
	"🇩🇪🇫🇷🇯🇵 " + england + scotland + wales + england,
	// private use, unassigned, replacement characters: they show as a box
	"\uE000 \U000F0000 \u0378 \uFFFC \uFFFD",
	// line ends of other systems
	"a\u2028b\u2029c\u0085d",
}

// hostile holds texts with what is to be found in each: code points and kinds, in order.
var hostile = []struct{ name, text, want string }{
	{"zero width space", "ig\u200Bnore", "U+200B ignorable"},
	{"zero width space after Thai and a space", "ไทย \u200B", "U+200B ignorable"},
	{"two zero width spaces in Khmer", "ខ\u200B\u200Bខ", "U+200B ignorable, U+200B ignorable"},
	{"joiners in Latin", "a\u200Cb\u200Dc", "U+200C joiner, U+200D joiner"},
	{"joiners in Cyrillic", "д\u200Cа", "U+200C joiner"},
	{"joiners between digits", "1\u200C2\u200D3", "U+200C joiner, U+200D joiner"},
	{"joiners in Hangul and Han", "한\u200D글 漢\u200C字", "U+200D joiner, U+200C joiner"},
	{"joiner at the beginning", "\u200Ca", "U+200C joiner"},
	{"joiner at the end", "a\u200D", "U+200D joiner"},
	{"joiner before a space", "می\u200C خواهم", "U+200C joiner"},
	{"run in Persian", "می\u200C\u200Cخواهم", "U+200C joiner"},
	{"long run in Persian", "می\u200D\u200C\u200D\u200Dخ", "U+200C joiner, U+200D joiner, U+200D joiner"},
	{"run after a virama", "क्\u200D\u200Cष", "U+200C joiner"},
	{"run before Persian", "a\u200C\u200Cب", "U+200C joiner, U+200C joiner"},
	{"run between emoji", "❤\u200D\u200D🔥", "U+200D joiner, U+200D joiner"},
	{"joiner after one emoji", "🔥\u200D ", "U+200D joiner"},
	{"joiner before one emoji", "a\u200D🔥", "U+200D joiner"},
	{"non-joiner between emoji", "👨\u200C👩", "U+200C joiner"},
	{"joiner between regional indicators", "🇩\u200D🇪", "U+200D joiner"},
	{"joiner after a lone skin tone", "a🏽\u200D💻", "U+200D joiner"},
	{"selector after a letter", "a\uFE0Fb\uFE0E", "U+FE0F variation selector, U+FE0E variation selector"},
	{"stacked selectors", "❤\uFE0F\uFE0F\uFE0E", "U+FE0F variation selector, U+FE0E variation selector"},
	{"bytes behind an emoji", "😊\U000E0158\U000E0155", "U+E0158 variation selector, U+E0155 variation selector"},
	{"low bytes behind an emoji", "😊\uFE00\uFE0A", "U+FE00 variation selector, U+FE0A variation selector"},
	{"bytes behind the base of a standardized sequence", "𝒰\uFE00 𝒰\U000E0100", "U+E0100 variation selector"},
	{"bytes behind an ideograph", "葛\U000E0100\U000E01EF", "U+E0100 variation selector, U+E01EF variation selector"},
	{"selector after a digit", "1\uFE0F 2\uFE0E", "U+FE0F variation selector, U+FE0E variation selector"},
	{"selector after a regional indicator", "🇩\uFE0F", "U+FE0F variation selector"},
	{"selector not in a standardized sequence", "∩\uFE01 凞\uFE02", "U+FE01 variation selector, U+FE02 variation selector"},
	{"selector at the beginning", "\uFE0Fa", "U+FE0F variation selector"},
	{"Mongolian selector elsewhere", "a\u180B ᠠ\u180B\u180C", "U+180B variation selector, U+180C variation selector"},
	{"joiner behind a hidden selector", "ب\u180B\u200Cx", "U+180B variation selector, U+200C joiner"},
	{"joiner behind another selector", "ᠠ\uFE00\u200Ca", "U+FE00 variation selector, U+200C joiner"},
	{"vowel separator elsewhere", "a\u180Eb ᠠ\u180E ", "U+180E ignorable, U+180E ignorable"},
	{"tags", "hi\U000E0069\U000E0067", "U+E0069 tag, U+E0067 tag"},
	{"language tag", "\U000E0001\U000E0065", "U+E0001 tag, U+E0065 tag"},
	{"tags of no flag", "🏴\U000E0067\U000E0062\U000E0078\U000E0078\U000E0078\U000E007F",
		"U+E0067 tag, U+E0062 tag, U+E0078 tag, U+E0078 tag, U+E0078 tag, U+E007F tag"},
	{"flag of Texas", "🏴\U000E0075\U000E0073\U000E0074\U000E0078\U000E007F",
		"U+E0075 tag, U+E0073 tag, U+E0074 tag, U+E0078 tag, U+E007F tag"},
	{"flag not ended", strings.TrimSuffix(england, "\U000E007F"),
		"U+E0067 tag, U+E0062 tag, U+E0065 tag, U+E006E tag, U+E0067 tag"},
	{"tags after a flag", england + "\U000E0067\U000E0062", "U+E0067 tag, U+E0062 tag"},
	{"flag without the flag", strings.TrimPrefix(wales, "🏴"),
		"U+E0067 tag, U+E0062 tag, U+E0077 tag, U+E006C tag, U+E0073 tag, U+E007F tag"},
	{"override", "access\u202E txet \u202C", "U+202E bidi, U+202C bidi"},
	{"isolates", "\u2066a\u2069\u2067b\u2068c", "U+2066 bidi, U+2069 bidi, U+2067 bidi, U+2068 bidi"},
	{"embeddings", "\u202Aa\u202Bb\u202Dc", "U+202A bidi, U+202B bidi, U+202D bidi"},
	{"marks in Hebrew and Arabic", "א\u200Fב\u200E ج\u061C", "U+200F bidi, U+200E bidi, U+061C bidi"},
	{"soft hyphen", "pass\u00ADword", "U+00AD ignorable"},
	{"word joiner", "a\u2060b", "U+2060 ignorable"},
	{"byte order mark", "\uFEFFa\uFEFF", "U+FEFF ignorable, U+FEFF ignorable"},
	{"invisible operators", "f\u2061x\u2062y\u2063z\u2064", "U+2061 ignorable, U+2062 ignorable, U+2063 ignorable, U+2064 ignorable"},
	{"deprecated format characters", "\u206A\u206F", "U+206A ignorable, U+206F ignorable"},
	{"Hangul fillers", "\u115Fa\u1160b\u3164c\uFFA0", "U+115F ignorable, U+1160 ignorable, U+3164 ignorable, U+FFA0 ignorable"},
	{"Khmer inherent vowels", "ក\u17B4\u17B5", "U+17B4 ignorable, U+17B5 ignorable"},
	{"grapheme joiner", "a\u034Fb e\u0301\u034F a\u034F\u0301", "U+034F ignorable, U+034F ignorable, U+034F ignorable"},
	{"reserved", "\u2065\uFFF0\U000E0FFF", "U+2065 ignorable, U+FFF0 ignorable, U+E0FFF ignorable"},
	{"musical and shorthand controls", "\U0001D173\U0001BCA0", "U+1D173 ignorable, U+1BCA0 ignorable"},
	{"interlinear annotation", "\uFFF9a\uFFFAb\uFFFB", "U+FFF9 format, U+FFFA format, U+FFFB format"},
	{"hieroglyph controls elsewhere", "a\U00013430b", "U+13430 format"},
	{"noncharacters", "\uFDD0\uFFFE\uFFFF\U0001FFFE\U0010FFFF",
		"U+FDD0 noncharacter, U+FFFE noncharacter, U+FFFF noncharacter, U+1FFFE noncharacter, U+10FFFF noncharacter"},
	{"C1 controls", "\u009B31m\u0080", "U+009B control, U+0080 control"},
	{"after a character cut short", "\xE3\x81\u200B\xD0\u200B", "U+200B ignorable, U+200B ignorable"},
	{"between stray bytes", "\xE2\x80\u200B\x8B\xFF\xC2\u00AD\xF0\x9F\u202E\xE2", "U+200B ignorable, U+00AD ignorable, U+202E bidi"},
}

func hostileTexts() []string {
	var texts []string
	for _, test := range hostile {
		texts = append(texts, test.text)
	}
	return texts
}

type finding struct {
	start, end int
	r          rune
	kind       unitab.Kind
}

// hidden lists what NextHidden finds.
func hidden(s string) []finding {
	var list []finding
	for from := 0; ; {
		start, end, r, kind, ok := unitab.NextHidden(s, from)
		if !ok {
			return list
		}
		list = append(list, finding{start, end, r, kind})
		from = end
	}
}

func describe(list []finding) string {
	var parts []string
	for _, f := range list {
		parts = append(parts, fmt.Sprintf("%U %s", f.r, f.kind))
	}
	return strings.Join(parts, ", ")
}

func TestBenign(t *testing.T) {
	for _, text := range benign {
		if have := hidden(text); have != nil {
			t.Errorf("in %q: %s at byte %d", text, describe(have), have[0].start)
		}
	}
}

func TestHostile(t *testing.T) {
	kinds := make(map[unitab.Kind]bool)
	for _, test := range hostile {
		t.Run(test.name, func(t *testing.T) {
			found := hidden(test.text)
			if have := describe(found); have != test.want {
				t.Errorf("in %+q: %s, want %s", test.text, have, test.want)
			}
			for _, f := range found {
				kinds[f.kind] = true
			}
		})
	}
	for kind := unitab.Ignorable; kind <= unitab.Control; kind++ {
		if !kinds[kind] {
			t.Errorf("no example of kind %s", kind)
		}
	}
}

// TestLongRuns would not end in time if what is looked at around a character grew with the text.
func TestLongRuns(t *testing.T) {
	const n = 300_000
	for _, unit := range []string{"\u200D", "\u200C", "\U000E0067", "\uFE0F", "\u180B", "\u0651\u200D", "ب\u0651\u200C", england, "\u034F"} {
		text := "ب" + strings.Repeat("\u0651", n) + strings.Repeat(unit, n) + strings.Repeat("\u0651", n)
		for _, f := range hidden(text) {
			if f.end <= f.start {
				t.Fatalf("finding %v", f)
			}
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	text := strings.Join(slices.Concat(benign, hostileTexts()), " ")
	allocations := testing.AllocsPerRun(10, func() {
		for from := 0; ; {
			_, end, _, _, ok := unitab.NextHidden(text, from)
			if !ok {
				break
			}
			from = end
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}

func checkHiddenLaws(t interface {
	Helper()
	Errorf(string, ...any)
}, text string) {
	t.Helper()
	found := hidden(text)
	end := 0
	var removed, shown strings.Builder
	for _, f := range found {
		if f.start < end || f.end > len(text) || text[f.start:f.end] != string(f.r) {
			t.Errorf("in %+q: finding %v after byte %d", text, f, end)
			return
		}
		if f.kind == unitab.Visible || skeleton(string(f.r)) != "" {
			t.Errorf("in %+q: %U of kind %s is not invisible", text, f.r, f.kind)
		}
		removed.WriteString(text[end:f.start])
		shown.WriteString(text[end:f.start])
		fmt.Fprintf(&shown, "<%U>", f.r)
		end = f.end
	}
	removed.WriteString(text[end:])
	shown.WriteString(text[end:])

	if unitab.IsASCII(text) && found != nil {
		t.Errorf("in ASCII %q: %s", text, describe(found))
	}
	rest := found
	for from := range len(text) + 1 { // any start, also amid a character, finds the same
		for len(rest) > 0 && rest[0].start < from {
			rest = rest[1:]
		}
		start, end, r, kind, ok := unitab.NextHidden(text, from)
		want := finding{len(text), len(text), 0, unitab.Visible}
		if len(rest) > 0 {
			want = rest[0]
		}
		if have := (finding{start, end, r, kind}); have != want || ok != (len(rest) > 0) {
			t.Errorf("in %+q from byte %d: %v, want %v", text, from, have, want)
		}
	}
	if utf8.ValidString(text) { // removal may make a character of stray bytes
		if again := hidden(removed.String()); again != nil {
			t.Errorf("%+q without the hidden still has %s", text, describe(again))
		}
	}
	if again := hidden(shown.String()); again != nil {
		t.Errorf("%+q, shown as %+q, still has %s", text, shown.String(), describe(again))
	}
}

func TestHiddenLaws(t *testing.T) {
	for _, text := range slices.Concat(benign, hostileTexts()) {
		checkHiddenLaws(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		checkHiddenLaws(t, texts().Draw(t, "text"))
	})
}

func FuzzNextHidden(f *testing.F) {
	for _, seed := range slices.Concat(benign, hostileTexts()) {
		f.Add(seed)
	}
	f.Add(string(alphabet))
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<10 {
			t.Skip("every start is tried, so the cost is the square of the length")
		}
		checkHiddenLaws(t, text)
	})
}
