package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	promptfile "github.com/cento-dev/cento/pack"
)

func TestRedact(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		const secret = "hunter2-hunter2"
		for i := range 4 {
			if _, err := s.Append(ctx, "s", draft(t, "", "a: Be careful.", fmt.Sprintf("key: The password is %s for %d.\n", secret, i/2), "b: Stop.")); err != nil {
				t.Fatal(err)
			}
		}
		rec, err := s.Record(ctx, "s", 1)
		if err != nil {
			t.Fatal(err)
		}
		dry, err := s.Redact(ctx, RedactOptions{Fragment: "key", DryRun: true})
		if err != nil || dry.Records != 4 {
			t.Fatalf("%+v, %v", dry, err)
		}
		if text, _, err := s.Text(ctx, "s", 1); err != nil || !strings.Contains(text, secret) {
			t.Fatalf("a dry run took something out: %q, %v", text, err)
		}
		if _, err := s.Redact(ctx, RedactOptions{Fragment: "nokey"}); !errors.Is(err, UnknownRecord) {
			t.Error(err)
		}
		done, err := s.Redact(ctx, RedactOptions{Fragment: "key"})
		if err != nil || done.Records != 4 || len(done.Digests) != 2 {
			t.Fatalf("%+v, %v", done, err)
		}
		if v := verify(t, s); !v.OK || v.Records != 4 || v.Redacted == 0 {
			t.Errorf("%+v", v)
		}
		after, err := s.Record(ctx, "s", 1)
		if err != nil || after.Hash != rec.Hash || *after.Fragments[1].Digest != *rec.Fragments[1].Digest {
			t.Errorf("%+v, %v", after, err)
		}
		if _, _, err := s.Text(ctx, "s", 1); !errors.Is(err, Redacted) {
			t.Error(err)
		}
		if _, err := s.Input(ctx, "s", 1); !errors.Is(err, Redacted) {
			t.Error(err)
		}
		if got, err := s.Search(ctx, SearchQuery{Text: secret}); err != nil || len(got.Matches) != 0 {
			t.Errorf("%+v, %v", got, err)
		}
		if strings.Contains(export(t, s), secret) {
			t.Error("the export has it")
		}
		if !s.engine.Postgres {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{place, place + "-wal"} { // in the index a word may lack its first letters
				if b, err := os.ReadFile(name); err == nil && bytes.Contains(b, []byte("unter2")) {
					t.Errorf("%s has it", name)
				}
			}
			s = open(t, place, Options{})
		}
		// The same text is recorded anew when it comes again.
		if _, err := s.Append(ctx, "s", draft(t, "", "a: Be careful.", "key: The password is "+secret+" for 0.\n", "b: Stop.")); err != nil {
			t.Fatal(err)
		}
		if text, _, err := s.Text(ctx, "s", 0); err != nil || !strings.Contains(text, secret) {
			t.Errorf("%q, %v", text, err)
		}
		if v := verify(t, s); !v.OK {
			t.Errorf("%+v", v)
		}
	})
}

// TestRedactTakesWhatItWasMadeOf: with the texts of a fragment go those of the input that
// they were made of, and no others; of the records that were asked for alone.
func TestRedactTakesWhatItWasMadeOf(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		ctx := t.Context()
		s := open(t, place, Options{Clock: clock()})
		in := cento.Input{Fragments: []cento.Fragment{
			{ID: "key", Body: "The key is under the mat.", Variants: []cento.Text{{Body: "It is in the shed."}}},
			{ID: "plain", Body: "Lock the door."},
			{ID: "quote", Body: "Who said: The key is under the mat. Nobody?", RequiresTools: []string{"none"}},
		}}
		for i := range 3 {
			in.Fragments[1].Body = fmt.Sprint("Lock the door, ", i, ".")
			if _, err := s.Append(ctx, "s", drafted(t, "", in), drafted(t, "", in)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Append(ctx, "other", draft(t, "", "key: The key is here.", "plain: Stay.")); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []RedactOptions{{}, {Fragment: "key", Seq: 1}, {Fragment: "key", Seq: -1}} {
			if _, err := s.Redact(ctx, bad); !errors.Is(err, Invalid) {
				t.Errorf("%+v: %v", bad, err)
			}
		}
		one, err := s.Redact(ctx, RedactOptions{Fragment: "plain", Session: "s", Seq: 2})
		if err != nil || one.Records != 1 || !slices.Equal(one.Digests, []string{digestOf("Lock the door, 0.").hex()}) {
			t.Errorf("%+v, %v", one, err)
		}
		got, err := s.Redact(ctx, RedactOptions{Fragment: "key", Session: "s"})
		want := []string{}
		for _, text := range []string{"The key is under the mat.", "It is in the shed.", "Who said: The key is under the mat. Nobody?"} {
			want = append(want, digestOf(text).hex())
		}
		if err != nil || got.Records != 6 || len(got.Digests) != 3 || got.Digests[0] != want[0] || !slices.Equal(slices.Sorted(slices.Values(got.Digests)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%+v, %v; want %v", got, err, want)
		}
		left := export(t, s)
		for text, stays := range map[string]bool{
			"under the mat": false, "in the shed": false, "Lock the door, 0.": false, "Lock the door, 1.": true, "Lock the door, 2.": true, "The key is here.": true, "Stay.": true,
		} {
			if strings.Contains(left, text) != stays {
				t.Errorf("%q stays: %t", text, !stays)
			}
		}
		if v := verify(t, s); !v.OK || v.Redacted != 4 {
			t.Errorf("%+v", v)
		}
	})
}

// TestRedactTakesThePromptFile: what a fragment was rendered of goes with it, by whichever
// of its names the fragment has it.
func TestRedactTakesThePromptFile(t *testing.T) {
	for template, file := range map[string]string{"$workspace/key": "$workspace/key.md", "$workspace/key.md": "$workspace/key.md", "$user/key.txt": "$user/key.txt"} {
		s := open(t, sqlitePlace(t), Options{Clock: clock()})
		in := cento.Input{
			Fragments: []cento.Fragment{{ID: "key", Template: template}, {ID: "door", Template: "$workspace/door"}},
			Files:     cento.Files{Cwd: "/home", Sources: map[string]string{file: "In {{ cwd }} the key is under the mat.", "$workspace/door.md": "In {{ cwd }} the door is locked."}},
		}
		p, err := promptfile.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(t.Context(), "s", Draft{Prompt: p, Input: in}); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Redact(t.Context(), RedactOptions{Fragment: "key"}); err != nil || len(got.Digests) != 2 {
			t.Errorf("%s: %+v, %v", template, got, err)
		}
		if left := export(t, s); strings.Contains(left, "under the mat") || !strings.Contains(left, "{{ cwd }} the door is locked") {
			t.Errorf("%s: left is\n%s", template, left)
		}
		// So does another one of the same input, though that can't be read back any more.
		if got, err := s.Redact(t.Context(), RedactOptions{Fragment: "door"}); err != nil || len(got.Digests) != 2 {
			t.Errorf("%s: %+v, %v", template, got, err)
		}
		if left := export(t, s); strings.Contains(left, "locked") {
			t.Errorf("%s: left is\n%s", template, left)
		}
		if v := verify(t, s); !v.OK || v.Redacted != 4 {
			t.Errorf("%s: %+v", template, v)
		}
	}
}

// TestRedactTakesWhatItWasRenderedOf: with a prompt file go those that it includes and the
// values of variables that they read, short ones and numbers too, whoever set them. What
// the program has from elsewhere is told.
func TestRedactTakesWhatItWasRenderedOf(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		in := cento.Input{
			Fragments: []cento.Fragment{{ID: "key", Template: "$workspace/key"}, {ID: "door", Template: "$workspace/door"}},
			Files: cento.Files{
				Cwd: "/home",
				Sources: map[string]string{
					"$workspace/key.md":   "{% include 'where.md' %} In {{ cwd }}, {{ vars.pin }} {{ vars.number }} {{ vars.door.lock }} {{ vars.long }}",
					"$workspace/where.md": "Under the mat {{ vars.shed }}.",
					"$workspace/door.md":  "Red {{ vars.colour }}",
				},
				Vars:  json.RawMessage(`{"pin":"swordfish","number":90210,"shed":"in the shed","door":{"lock":["oak","tumbler"]},"colour":"vermilion","long":"a long text that is stored by itself, brass"}`),
				Given: json.RawMessage(`{"pin":"halibut"}`),
			},
		}
		secrets := []string{"swordfish", "halibut", "90210", "in the shed", "tumbler", "Under the mat", "brass"}
		var last cento.Input
		for i := range 4 {
			in.Fragments[1].Title = fmt.Sprint("Door ", i) // so that each input rests on the one before
			p, err := promptfile.Reduce(in)
			if err != nil {
				t.Fatal(err)
			}
			session := "s"
			if i == 3 {
				session = "other"
			}
			last = in
			if _, err := s.Append(t.Context(), session, Draft{Prompt: p, Input: in}); err != nil {
				t.Fatal(err)
			}
		}
		whole := export(t, s)
		for _, secret := range secrets {
			if !strings.Contains(whole, secret) {
				t.Fatalf("%q isn't in the store", secret)
			}
		}
		if got, err := s.Redact(t.Context(), RedactOptions{Fragment: "key", DryRun: true}); err != nil || len(got.Left) != 1 || got.Left[0] != (Remainder{What: LeftTemplate, Name: "$workspace/key", Session: "s", Seq: 1, Records: 4}) {
			t.Errorf("nobody tells what it was rendered of, and that isn't told: %+v, %v", got, err)
		}
		dry, err := s.Redact(t.Context(), RedactOptions{Fragment: "key", MadeOf: promptfile.MadeOf, DryRun: true})
		if err != nil || export(t, s) != whole {
			t.Fatalf("a dry run changed something: %+v, %v", dry, err)
		}
		got, err := s.Redact(t.Context(), RedactOptions{Fragment: "key", MadeOf: promptfile.MadeOf})
		if err != nil || got.Records != 4 || !slices.Equal(got.Digests, dry.Digests) || !slices.Contains(got.Digests, digestOf("swordfish").hex()) {
			t.Errorf("%+v, %v; told before: %+v", got, err, dry)
		}
		if want := []Remainder{{What: LeftVariable, Name: "cwd", Session: "s", Seq: 1, Records: 4}}; !slices.Equal(got.Left, want) {
			t.Errorf("left is %+v, want %+v", got.Left, want)
		}
		left := export(t, s)
		for _, secret := range secrets {
			if strings.Contains(left, secret) {
				t.Errorf("%q is still there", secret)
			}
		}
		for _, stays := range []string{"vermilion", "Red {{", "/home", `\"colour\"`} {
			if !strings.Contains(left, stays) {
				t.Errorf("%q is gone", stays)
			}
		}
		if v := verify(t, s); !v.OK || v.Redacted != int64(len(got.Digests)) {
			t.Errorf("%+v after %d digests", v, len(got.Digests))
		}
		other := open(t, sqlitePlace(t), Options{})
		if _, err := other.Import(t.Context(), strings.NewReader(left), ImportOptions{}); err != nil || export(t, other) != left {
			t.Errorf("what is left isn't imported as it is: %v", err)
		}
		// Again there is nothing to take; what the file read can't be told any more.
		again, err := s.Redact(t.Context(), RedactOptions{Fragment: "key", MadeOf: promptfile.MadeOf})
		if err != nil || len(again.Digests) != 0 || len(again.Left) != 1 || again.Left[0].What != LeftTemplate {
			t.Errorf("%+v, %v", again, err)
		}
		// The same prompt is recorded anew when it comes again.
		p, err := promptfile.Reduce(last)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(t.Context(), "s", Draft{Prompt: p, Input: last}); err != nil {
			t.Fatal(err)
		}
		if back, err := s.Input(t.Context(), "s", 0); err != nil || string(back.Files.Given) != string(last.Files.Given) {
			t.Errorf("%s, %v", back.Files.Given, err)
		}
		if v := verify(t, s); !v.OK {
			t.Errorf("%+v", v)
		}
	})
}

// TestRedactTakesAnswers: an answer that has a text is gone, and who repeats the request is
// told so; states and what is kept beside them stay, and are told.
func TestRedactTakesAnswers(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		const secret = "The key <is> under\nthe mat."
		quoted, err := json.Marshal(map[string]string{"says": "Now: " + secret})
		if err != nil {
			t.Fatal(err)
		}
		nested, err := json.Marshal([]string{string(quoted)})
		if err != nil {
			t.Fatal(err)
		}
		transition := func(session, key string, answer []byte) Transition {
			c := Change{Session: session, State: []byte("{}"), Drafts: []Draft{drafted(t, "", cento.Input{Fragments: []cento.Fragment{{ID: "key", Body: secret}}})}}
			if session == "kept" {
				c.Blobs = [][]byte{quoted}
			}
			if session == "state" {
				c.State = quoted
			}
			return Transition{Key: key, RequestDigest: "d", Answer: answer, Changes: []Change{c}}
		}
		answers := map[string][]byte{"kept": nested, "plain": []byte("says " + secret), "state": []byte(`{"says":"nothing"}`), "quoted": quoted}
		for session, answer := range answers {
			if _, err := s.Commit(t.Context(), transition(session, "k", answer)); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.Redact(t.Context(), RedactOptions{Fragment: "key"})
		want := []Remainder{{What: LeftKept, Session: "kept"}, {What: LeftState, Session: "state"}}
		if err != nil || got.Answers != 3 || !slices.Equal(got.Left, want) {
			t.Errorf("%+v, %v; want 3 answers and left %+v", got, err, want)
		}
		exported := export(t, s)
		if n := strings.Count(exported, "under"); n != 2 {
			t.Errorf("%d are left, and 2 were told:\n%s", n, exported)
		}
		other := open(t, sqlitePlace(t), Options{})
		if _, err := other.Import(t.Context(), strings.NewReader(exported), ImportOptions{}); err != nil {
			t.Fatal(err)
		}
		for session, answer := range answers {
			for _, in := range []*Store{s, other} {
				done, err := in.Commit(t.Context(), transition(session, "k", answer))
				if session == "state" {
					if err != nil || !done.Replayed || string(done.Answer) != string(answer) {
						t.Errorf("%s: %+v, %v", session, done, err)
					}
				} else if !errors.Is(err, Redacted) {
					t.Errorf("%s: %+v, %v", session, done, err)
				}
			}
		}
	})
}

// TestRedactTakesOwnWords: of a fragment that the program framed, the words of others go where
// they stand by themselves, as they are or escaped; the program's own don't, and neither
// does a part of what stood together.
func TestRedactTakesOwnWords(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := open(t, place, Options{Clock: clock()})
		var f cento.Fragment
		for _, run := range []struct {
			text  string
			trust cento.Trust
		}{
			{"From here on", cento.TrustBuiltin}, {" the key is", cento.TrustHost}, {" under the &lt;mat&gt;", cento.TrustUser}, {" up to here", cento.TrustBuiltin},
			{" and the shed", cento.TrustUser}, {" is closed", cento.TrustTool},
		} {
			f.Runs = append(f.Runs, cento.Run{Start: len(f.Body), End: len(f.Body) + len(run.text), Trust: run.trust, Fixed: true})
			f.Body += run.text
		}
		f.ID, f.Trust = "key", cento.TrustTool
		d := drafted(t, "", cento.Input{Fragments: []cento.Fragment{f, {ID: "plain", Body: "the key"}}})
		goes := map[string]bool{
			f.Body: true, "the key is under the &lt;mat&gt;": true, "Now the key is under the <mat>!": true, "the shed is closed": false, "and the shed is closed": true,
			"the key is": false, "the key": false, "under the <mat>": false, "From here on": false, "up to here": false, "and the shed": false, "is closed": false,
		}
		commit := func(answer string) (*Committed, error) {
			return s.Commit(t.Context(), Transition{Key: answer, RequestDigest: "d", Answer: []byte(answer), Changes: []Change{{Session: "s", Expect: AnyVersion, State: []byte("{}"), Drafts: []Draft{d}}}})
		}
		want := int64(0)
		for answer, gone := range goes {
			if _, err := commit(answer); err != nil {
				t.Fatal(err)
			}
			if gone {
				want++
			}
		}
		if got, err := s.Redact(t.Context(), RedactOptions{Fragment: "key"}); err != nil || got.Answers != want {
			t.Errorf("%+v, %v; want %d answers", got, err, want)
		}
		for answer, gone := range goes {
			done, err := commit(answer)
			if gone && !errors.Is(err, Redacted) || !gone && (err != nil || !done.Replayed) {
				t.Errorf("%q goes: %t, and the answer is %+v, %v", answer, gone, done, err)
			}
		}
	})
}

// TestRedactTakesTheCatalogueOfSkills: with the catalogue of skills go the names, the paths
// and the descriptions that it is made of.
func TestRedactTakesTheCatalogueOfSkills(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{Clock: clock()})
	in := cento.Input{
		Primary:   cento.Primary{Worded: true},
		Fragments: []cento.Fragment{{ID: "plain", Body: "Stay."}},
		Files: cento.Files{Skills: []cento.ListedSkill{
			{Name: cento.Text{Body: "mat"}, Path: cento.Text{Body: "under/SKILL.md"}, Description: cento.Text{Body: "Where the key is."}},
			{Name: cento.Text{Body: "shed"}, Description: cento.Text{Body: "Whom to ask."}},
		}},
	}
	p, err := promptfile.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), "s", Draft{Prompt: p, Input: in}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Redact(t.Context(), RedactOptions{Fragment: cento.SkillCatalogID, MadeOf: promptfile.MadeOf})
	if err != nil || got.Records != 1 || len(got.Digests) < 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	var want []string
	for _, text := range []string{"mat", "under/SKILL.md", "Where the key is.", "shed", "Whom to ask."} {
		want = append(want, digestOf(text).hex())
	}
	slices.Sort(want)
	if gone := slices.Sorted(slices.Values(got.Digests[1:])); !slices.Equal(gone, want) {
		t.Errorf("%d texts of the input are gone: %v, want %v", len(gone), gone, want)
	}
	left := export(t, s)
	for text, stays := range map[string]bool{`"mat"`: false, "under/SKILL": false, "Where the key": false, `"shed"`: false, "Whom to ask": false, "Stay.": true} {
		if strings.Contains(left, text) != stays {
			t.Errorf("%s stays: %t", text, !stays)
		}
	}
}

// TestRedactOfWhatWasLeftOut: of a prompt file that was never rendered what stands in the
// input goes, and no record has lost a text by that.
func TestRedactOfWhatWasLeftOut(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{Clock: clock()})
	in := cento.Input{
		Fragments: []cento.Fragment{{ID: "key", Template: "$workspace/key", RequiresTools: []string{"none"}}, {ID: "plain", Body: "Stay."}},
		Files:     cento.Files{Sources: map[string]string{"$workspace/key.md": "It is {{ vars.where }}."}, Vars: json.RawMessage(`{"where":"under the mat"}`)},
	}
	p, err := promptfile.Reduce(in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(t.Context(), "s", Draft{Prompt: p, Input: in}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Redact(t.Context(), RedactOptions{Fragment: "key", MadeOf: promptfile.MadeOf})
	if want := []string{digestOf("It is {{ vars.where }}.").hex()}; err != nil || got.Records != 0 || !slices.Equal(got.Digests, want) {
		t.Errorf("%+v, %v; want %v", got, err, want)
	}
	// A variable that nothing was rendered with is nobody's text.
	if left := export(t, s); strings.Contains(left, "{{ vars.where }}") || !strings.Contains(left, "under the mat") {
		t.Errorf("left is\n%s", left)
	}
	if text, _, err := s.Text(t.Context(), "s", 1); err != nil || text != "Stay." {
		t.Errorf("%q, %v", text, err)
	}
	if v := verify(t, s); !v.OK || v.Redacted != 1 {
		t.Errorf("%+v", v)
	}
}

// TestOwnWordsOfRuns: the words of others are what stands between those of the program, at
// either end too, and never the whole of a text, which is looked for anyway.
func TestOwnWordsOfRuns(t *testing.T) {
	run := func(start, end int, trust cento.Trust) cento.Run {
		return cento.Run{Start: start, End: end, Trust: trust}
	}
	for name, c := range map[string]struct {
		runs []cento.Run
		want []string
	}{
		"at both ends":      {[]cento.Run{run(0, 3, cento.TrustUser), run(3, 6, cento.TrustBuiltin), run(6, 9, cento.TrustTool)}, []string{"abc", "ghi"}},
		"in the middle":     {[]cento.Run{run(0, 3, cento.TrustBuiltin), run(3, 5, cento.TrustUser), run(5, 6, cento.TrustHost), run(6, 9, cento.TrustBuiltin)}, []string{"def"}},
		"all of it":         {[]cento.Run{run(0, 9, cento.TrustUser)}, nil},
		"none of it":        {[]cento.Run{run(0, 9, cento.TrustBuiltin)}, nil},
		"beyond the text":   {[]cento.Run{run(0, 3, cento.TrustBuiltin), run(3, 20, cento.TrustUser)}, []string{"defghi"}},
		"before it":         {[]cento.Run{run(-2, 3, cento.TrustUser), run(3, 9, cento.TrustBuiltin)}, nil},
		"nothing at an end": {[]cento.Run{run(0, 9, cento.TrustBuiltin), run(9, 9, cento.TrustUser)}, nil},
	} {
		var g gathered
		g.addOwn(&cento.Fragment{Body: "abcdefghi", Runs: c.runs})
		if !slices.Equal(g.own, c.want) {
			t.Errorf("%s: %q, want %q", name, g.own, c.want)
		}
	}
}

// TestRedactLeavesOtherValues: of two inputs of which one is stored by its difference from the
// other, the values of the record that was named go, in the order in which they stand, and
// those of the other stay as they are.
func TestRedactLeavesOtherValues(t *testing.T) {
	s := open(t, sqlitePlace(t), Options{Clock: clock()})
	for _, where := range []string{"mat", "shed"} {
		in := cento.Input{
			Fragments: []cento.Fragment{{ID: "key", Template: "$workspace/key"}},
			Files: cento.Files{
				Sources: map[string]string{"$workspace/key.md": "It is in the {{ vars.b }} or the {{ vars.a }}."},
				Vars:    json.RawMessage(`{"a":"a ` + where + `","b":"b ` + where + `"}`), Given: json.RawMessage(`{"other":"` + strings.Repeat("other ", 4) + `"}`),
			},
		}
		for i := range 100 {
			in.Fragments = append(in.Fragments, cento.Fragment{ID: fmt.Sprintf("plain-%d", i*i), Body: fmt.Sprint("Stay ", i)})
		}
		p, err := promptfile.Reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(t.Context(), "s", Draft{Prompt: p, Input: in}); err != nil {
			t.Fatal(err)
		}
	}
	var resting int
	if err := s.read.QueryRow("SELECT count(*) FROM input WHERE base IS NOT NULL").Scan(&resting); err != nil || resting != 1 {
		t.Fatalf("%d inputs rest on another, %v", resting, err)
	}
	got, err := s.Redact(t.Context(), RedactOptions{Fragment: "key", Session: "s", Seq: 1, MadeOf: promptfile.MadeOf})
	var want []string
	for _, text := range []string{"It is in the b mat or the a mat.", "It is in the {{ vars.b }} or the {{ vars.a }}.", "a mat", "b mat"} {
		want = append(want, digestOf(text).hex())
	}
	if err != nil || !slices.Equal(got.Digests, want) {
		t.Errorf("%+v, %v; want %v", got, err, want)
	}
	left := export(t, s)
	for text, stays := range map[string]bool{"a mat": false, "b mat": false, "a shed": true, "b shed": true} {
		if strings.Contains(left, text) != stays {
			t.Errorf("%q stays: %t", text, !stays)
		}
	}
	if v := verify(t, s); !v.OK || v.Records != 2 {
		t.Errorf("%+v", v)
	}
}

// TestRedactWhileRead: what was taken out stays in the log of the database as
// long as somebody reads what was there before, and that is told.
func TestRedactWhileRead(t *testing.T) {
	place := sqlitePlace(t)
	s := open(t, place, Options{Wait: 100 * time.Millisecond})
	some(t, s)
	other := open(t, place, Options{ReadOnly: true})
	tx, err := other.read.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM record").Scan(&n); err != nil || n == 0 {
		t.Fatal(n, err)
	}
	if _, err := s.Redact(t.Context(), RedactOptions{Fragment: "b"}); !errors.Is(err, Locked) {
		t.Errorf("%v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Redact(t.Context(), RedactOptions{Fragment: "b"}); err != nil {
		t.Errorf("nobody reads any more: %v", err)
	}
	if info, err := os.Stat(place + "-wal"); err == nil && info.Size() > 0 {
		t.Errorf("the log has %d bytes", info.Size())
	}
	if v := verify(t, s); !v.OK || v.Redacted == 0 {
		t.Errorf("%+v", v)
	}
}
