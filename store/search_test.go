package store

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// TestSearchOfMany: of a text that more prompts have than are asked for one by one, those
// records are found that hold it, the newest first, each once whatever the size of a page,
// and of the sessions that were asked for alone.
func TestSearchOfMany(t *testing.T) {
	lengthtest.NotShort(t, "it writes as many records as a search reads one by one")
	onBoth(t, func(t *testing.T, place string) {
		if strings.HasPrefix(place, "postgres:") {
			lengthtest.OnlyLong(t, "a commit takes longer there")
		}
		s := open(t, place, Options{Clock: clock()})
		const turns = fewLists/3*4 + 20 // three of four have the common text
		has := map[string][]Stored{}    // by text, the newest first
		for from := 0; from < turns; from += 100 {
			session := fmt.Sprint("s", from/100%2)
			var drafts []Draft
			texts := make([][]string, 0, 100)
			for i := from; i < min(from+100, turns); i++ {
				fragments, holds := []string{fmt.Sprintf("turn: Turn %d.", i)}, []string{"Turn"}
				if i%4 != 0 {
					fragments, holds = append(fragments, "common: Run the tests."), append(holds, "the tests")
				}
				if i%10 == 0 {
					fragments, holds = append(fragments, fmt.Sprintf("odd: Odd one %d.", i)), append(holds, "Odd one")
				}
				drafts, texts = append(drafts, draft(t, "", fragments...)), append(texts, holds)
			}
			done, err := s.Append(t.Context(), session, drafts...)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range done {
				for _, text := range texts[i] {
					has[text] = append(has[text], x)
				}
			}
		}
		for text, all := range has {
			slices.Reverse(all)
			if many := text != "Odd one"; many != (len(all) > fewLists) {
				t.Fatalf("%d records have %q", len(all), text)
			}
			for _, session := range []string{"", "s1"} {
				want := slices.DeleteFunc(slices.Clone(all), func(x Stored) bool { return session != "" && x.Session != session })
				limits := []int{7, chunk}                                    // all of the first chunk have "Turn"
				if text != "Turn" && (!s.engine.Postgres || session != "") { // what is found has its cost
					limits = append(limits, len(want)-1, math.MaxInt)
				}
				for _, limit := range limits {
					q := SearchQuery{Text: text, RecordQuery: RecordQuery{Session: session, Limit: limit}}
					for at := 0; ; {
						got, err := s.Search(t.Context(), q)
						if err != nil {
							t.Fatal(err)
						}
						var page []Stored
						for _, m := range got.Matches {
							page = append(page, Stored{m.Session, m.Link})
						}
						rest := want[at:]
						n := min(limit, len(rest))
						if !slices.Equal(page, rest[:n]) || got.More != (len(rest) > n) {
							t.Fatalf("%q in session %q, %d at a time from %d: %d records, more %t; want %d, %t", text, session, limit, at, len(page), got.More, n, len(rest) > n)
						}
						at += n
						if !got.More || at >= min(3*limit, 2*chunk) { // that tells as much as all
							break
						}
						q.Before = page[n-1]
					}
				}
			}
		}
	})
}

// TestSearchOfOnePrompt: a prompt that many sessions have is found in all of them, as many at
// a time as are asked for, and whether there are more is told.
func TestSearchOfOnePrompt(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		const sessions = 4
		for i := range sessions {
			if _, err := s.Append(t.Context(), fmt.Sprint("s", i), draft(t, "", "a: Small steps.")); err != nil {
				t.Fatal(err)
			}
		}
		for limit := 1; limit <= sessions+1; limit++ {
			got, err := s.Search(t.Context(), SearchQuery{Text: "Small steps", RecordQuery: RecordQuery{Limit: limit}})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Matches) != min(limit, sessions) {
				t.Fatalf("%d at a time: %d are told", limit, len(got.Matches))
			}
			if got.More != (limit < sessions) || got.Matches[0].Session != fmt.Sprint("s", sessions-1) {
				t.Errorf("%d at a time: more %t, the first of %s", limit, got.More, got.Matches[0].Session)
			}
		}
	})
}
