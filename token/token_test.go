package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// holds reports the first of the laws of an encoding that a text breaks.
func holds(e Encoding, s string) error {
	tokens := e.AppendTokens(nil, s)
	text, err := e.AppendText(nil, tokens...)
	switch {
	case err != nil:
		return err
	case string(text) != valid(s):
		return fmt.Errorf("the tokens of %+q are those of %+q", s, text)
	case e.Count(s) != len(tokens):
		return fmt.Errorf("%+q counts %d tokens and has %d", s, e.Count(s), len(tokens))
	case len(tokens) > len(text):
		return fmt.Errorf("%+q has more tokens than bytes", s)
	}
	return nil
}

func TestLaws(t *testing.T) {
	for i := range encodings {
		e := Encoding{index: uint8(i)}
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.OneOf(
				rapid.String(),
				rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
				pieces(encodings[i].vocabulary()),
				rapid.Map(rapid.SliceOf(rapid.SampledFrom(classSamples)), func(s []string) string { return strings.Join(s, "") }),
			).Draw(t, "text")
			if err := holds(e, text); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// FuzzTokens: what the tokens of a text stand for is the text, they are as
// many as counted, and where pieces end is what the published expression says.
func FuzzTokens(f *testing.F) {
	for _, text := range vectors {
		f.Add(text)
	}
	for text := range languages {
		f.Add(text)
	}
	f.Add("\xff\xfe a\xc3")
	ends := make([]func(string, int) int, len(encodings))
	for i := range encodings {
		ends[i] = matcher(patterns[encodings[i].name])
	}
	f.Fuzz(func(t *testing.T, text string) {
		for i := range encodings {
			if err := holds(Encoding{index: uint8(i)}, text); err != nil {
				t.Fatal(err)
			}
			checkSplit(t, &encodings[i], ends[i], knownToGo(valid(text)))
		}
	})
}

// TestInvalidUTF8 holds that bytes which are not valid UTF-8 cost what a JSON
// encoder makes of them.
func TestInvalidUTF8(t *testing.T) {
	texts := []string{"\xff", "a\xc3", "\xe4\xb8", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xc0\xaf", "ok\x80\x80 \xf0\x9f\x98", strings.Repeat("\xff", 5000)}
	for text := range randomBytes(9, 1000, 40) {
		texts = append(texts, text)
	}
	for _, text := range texts {
		sent, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var received string
		if err := json.Unmarshal(sent, &received); err != nil {
			t.Fatal(err)
		}
		for _, name := range Names() {
			counter, err := LookupCounter(name)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := counter.Count(text), counter.Count(received); got != want {
				t.Errorf("%s counts %d tokens in %+.40q, %d in what JSON carries", name, got, text, want)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		e, err := Lookup(name)
		if err != nil || e.Name() != name || !e.Exact() {
			t.Errorf("Lookup(%q) is %q, exact %v, error %v", name, e.Name(), e.Exact(), err)
		}
		c, err := LookupCounter(name)
		if err != nil || c != cento.Counter(e) {
			t.Errorf("LookupCounter(%q) is %v, error %v", name, c, err)
		}
	}
	if got := (Encoding{}).Name(); got != "o200k_base" {
		t.Errorf("the zero encoding is %q", got)
	}
	want := []string{"cl100k_base", "claude", "deepseek", "gemini", "generic", "llama", "mistral", "o200k_base", "qwen"}
	if diff := cmp.Diff(want, Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestUnknown(t *testing.T) {
	for _, c := range []struct{ name, message, hint string }{
		{"o200k", `unknown encoding "o200k", did you mean "o200k_base"?`, "known: cl100k_base, o200k_base"},
		{"cl100k-base", `unknown encoding "cl100k-base", did you mean "cl100k_base"?`, "known: cl100k_base, o200k_base"},
		{"O200K_BASE", `unknown encoding "O200K_BASE", did you mean "o200k_base"?`, "known: cl100k_base, o200k_base"},
		{"", `unknown encoding ""`, "known: cl100k_base, o200k_base"},
		{"p50k_edit", `unknown encoding "p50k_edit"`, "known: cl100k_base, o200k_base"},
		{"claude", `unknown encoding "claude"`, "known: cl100k_base, o200k_base"},
		{strings.Repeat("x", 2000), `unknown encoding "` + strings.Repeat("x", 2000) + `"`, "known: cl100k_base, o200k_base"},
	} {
		_, err := Lookup(c.name)
		unknown, ok := errors.AsType[*UnknownError](err)
		if !ok || unknown.Name != c.name {
			t.Errorf("Lookup(%q) gives %v", c.name, err)
			continue
		}
		if got := err.Error(); got != c.message {
			t.Errorf("Lookup(%q) says\n%s, want\n%s", c.name, got, c.message)
		}
		if got := unknown.Hint(); got != c.hint {
			t.Errorf("Lookup(%q) hints %q, want %q", c.name, got, c.hint)
		}
	}
	_, err := LookupCounter("claude-sonnet")
	if want := `unknown encoding "claude-sonnet", did you mean "claude"?`; err == nil || err.Error() != want {
		t.Errorf("LookupCounter says %v, want %s", err, want)
	}
}

func TestAppendText(t *testing.T) {
	for i := range encodings {
		e := Encoding{index: uint8(i)}
		for _, token := range []int{-1, e.Size(), math.MaxInt} {
			text, err := e.AppendText([]byte("x"), 64, token, 65)
			wrong, ok := errors.AsType[*RangeError](err)
			if !ok || wrong.Token != token || string(text) != "xa" {
				t.Errorf("%s: token %d gives %q, error %v", e.Name(), token, text, err)
			}
		}
	}
	_, err := Encoding{}.AppendText(nil, 199998)
	if want := "199998 is not a token of o200k_base: they are 0 to 199997"; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
}

func TestAppendTokensKeepsWhatIsThere(t *testing.T) {
	for _, text := range []string{"a b", strings.Repeat("=", 5000)} {
		got := Encoding{}.AppendTokens([]int{7}, text)
		if want := append([]int{7}, Encoding{}.AppendTokens(nil, text)...); !slices.Equal(got, want) {
			t.Errorf("appended to a slice, %.10q gives %v", text, got)
		}
	}
}

func TestCountAllocatesNothing(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates: run without it")
	}
	text := code(t) + strings.Repeat("=", 3000) + "天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。我们在年见面天地玄黃宇宙洪荒日月盈昃辰宿列張"
	for i := range encodings {
		e := Encoding{index: uint8(i)}
		if n := testing.AllocsPerRun(10, func() { e.Count(text) }); n > 1 { // a collection may empty the pool
			t.Errorf("%s: Count allocates %v times", e.Name(), n)
		}
	}
}

// TestWithoutTexts holds that what is counted first, before the texts of the
// tokens are built, is counted alike.
func TestWithoutTexts(t *testing.T) {
	for i := range encodings {
		fresh := load(*encodings[i].table)
		texts := encodings[i].vocabulary().texts()
		n := 0
		for text := range randomTexts(10, 5000, 12, slices.Concat(identifiers, classSamples, blanks)) {
			for at := 0; at < len(text); {
				end := encodings[i].end(text, at)
				with, without := fresh.append(nil, texts, text, at, end), fresh.append(nil, nil, text, at, end)
				if !slices.Equal(with, without) || fresh.count(nil, text, at, end) != len(with) || fresh.count(texts, text, at, end) != len(with) {
					t.Fatalf("%s: tokens of %+q are %v with texts, %v without", encodings[i].name, text[at:end], with, without)
				}
				n++
				at = end
			}
		}
		if fresh.built.Load() != nil || n < 10_000 {
			t.Errorf("%s: texts were built or only %d pieces compared", encodings[i].name, n)
		}
		if fresh.textsFor(worthTexts-1) != nil || fresh.textsFor(1) == nil {
			t.Errorf("%s: texts are not built at %d bytes", encodings[i].name, worthTexts)
		}
	}
}

// TestConcurrent is for the race detector: first use, remembered pieces and
// the pool, all at once.
func TestConcurrent(t *testing.T) {
	fresh := published{name: "fresh", end: o200kEnd, table: &o200kTable}
	text := prose(t)[:50_000] + strings.Repeat("ab", 3000)
	want := Encoding{}.Count(text)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			v := fresh.vocabulary()
			n := 0
			for i := 0; i < len(text); {
				end := fresh.end(text, i)
				n += v.count(v.textsFor(end-i), text, i, end)
				i = end
			}
			if n != want {
				t.Errorf("%d tokens, want %d", n, want)
			}
		})
	}
	group.Wait()
}

// calls counts texts by their length and how often it was asked.
type calls struct {
	mu    sync.Mutex
	asked int
	name  string
}

func (c *calls) Name() string { return c.name }
func (c *calls) Exact() bool  { return true }
func (c *calls) Count(s string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	return len(s)
}

func TestCache(t *testing.T) {
	cache := NewCache(3)
	counter, second := &calls{name: "a"}, &calls{name: "b"}
	for _, step := range []struct {
		counter *calls
		text    string
		asked   int // how often the counter was asked after this
		kept    int
	}{
		{counter, "x", 1, 1}, {counter, "x", 1, 1}, {counter, "yy", 2, 2}, {second, "x", 1, 3}, {counter, "x", 2, 3},
		{counter, "zzz", 3, 3}, // forgets x, the oldest
		{counter, "yy", 3, 3}, {counter, "x", 4, 3}, {counter, "yy", 5, 3}, {counter, "", 6, 3}, {counter, "", 6, 3},
	} {
		if got := cache.Count(step.counter, step.text); got != len(step.text) {
			t.Errorf("%q counts %d", step.text, got)
		}
		if step.counter.asked != step.asked || cache.Len() != step.kept {
			t.Errorf("after %q of %s: asked %d times, kept %d, want %d and %d", step.text, step.counter.name, step.counter.asked, cache.Len(), step.asked, step.kept)
		}
	}
	var zero Cache
	if got := zero.Count(counter, "four"); got != 4 || zero.Len() != 1 {
		t.Errorf("the zero cache counts %d and keeps %d", got, zero.Len())
	}
}

// TestCacheCounter holds that a counter with a cache is the counter in all but
// how often it counts.
func TestCacheCounter(t *testing.T) {
	var cache Cache
	asked := &calls{name: "a"}
	c := cache.Counter(asked)
	for range 3 {
		if got := c.Count("four"); got != 4 || c.Name() != "a" || !c.Exact() {
			t.Errorf("%s counts %d, exact %v", c.Name(), got, c.Exact())
		}
	}
	if asked.asked != 1 {
		t.Errorf("asked %d times", asked.asked)
	}
	for _, name := range Names() {
		plain, err := LookupCounter(name)
		if err != nil {
			t.Fatal(err)
		}
		c := cache.Counter(plain)
		for text := range languages {
			for range 2 {
				if got, want := c.Count(text), plain.Count(text); got != want || c.Exact() != plain.Exact() {
					t.Errorf("%s counts %d in %q, want %d", name, got, text, want)
				}
			}
		}
	}
}

// TestCacheConcurrent holds that a cache never changes a count, however small
// it is and whoever asks.
func TestCacheConcurrent(t *testing.T) {
	cache := NewCache(5)
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 500 {
				text := strings.Repeat("word ", (i*(g+1))%17)
				if got, want := cache.Count(Encoding{}, text), (Encoding{}).Count(text); got != want {
					t.Errorf("%q counts %d, want %d", text, got, want)
				}
			}
		})
	}
	group.Wait()
	if cache.Len() > 5 {
		t.Errorf("the cache keeps %d counts, want 5 at most", cache.Len())
	}
}
