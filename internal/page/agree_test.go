package page

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/chromedp/chromedp"
)

// state is what a prompt is said to be.
type state struct {
	Digest, Text, Tokens string
	// Verdicts are the fragments with in or out and the reason, in their order.
	Verdicts []string
}

// told is what the page says of the prompt.
func (b *browser) told() state {
	b.t.Helper()
	return eval[state](b, `({
		Digest: document.querySelector('.digest .full').textContent,
		Text: document.querySelector('.prompt').textContent,
		Tokens: document.querySelector('.facts dd').firstChild.data.replace(/[^0-9]/g, ''),
		Verdicts: [...document.querySelectorAll('.row')].map((r) => r.querySelector('a').textContent + (r.classList.contains('in') ? ' in ' : ' out ') + r.querySelector('.why').firstChild.data.replace(/;.*| $/, '')),
	})`)
}

// explained is what cento explain says of it.
func explained(t *testing.T, dir, flags string) state {
	t.Helper()
	var e cento.Explanation
	if err := json.Unmarshal(runCento(t, dir, "cento explain --json --clock 2026-01-02T03:04:05Z "+flags), &e); err != nil {
		t.Fatal(err)
	}
	s := state{Digest: *e.Digest, Text: *e.System, Tokens: fmt.Sprint(*e.Tokens)}
	for _, f := range e.Fragments {
		verdict := " out "
		if f.Included {
			verdict = " in "
		}
		s.Verdicts = append(s.Verdicts, f.ID+verdict+f.Reason)
	}
	return s
}

// differ gives what came and what went from one state to another, and both numbers of
// tokens.
func differ(a, b state) (tokens []string, came, went []string) {
	in := func(s state) map[string]bool {
		out := map[string]bool{}
		for _, v := range s.Verdicts {
			if id, _, is := strings.Cut(v, " in "); is {
				out[id] = true
			}
		}
		return out
	}
	was, is := in(a), in(b)
	for _, id := range slices.Sorted(maps.Keys(is)) {
		if !was[id] {
			came = append(came, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(was)) {
		if !is[id] {
			went = append(went, id)
		}
	}
	return []string{a.Tokens, b.Tokens}, came, went
}

// TestInspectorAgrees: what the page says under a what-if is what cento explain says with
// the flags of it, and what came and went is what lies between the two: when it is turned,
// in another view and back, by the history, and after a reload.
func TestInspectorAgrees(t *testing.T) {
	b := newBrowser(t)
	dir := folder(t, nil)
	b.signIn(dir)
	plain := explained(t, dir, "")
	steps := []struct {
		flags string
		turn  func()
	}{
		{"", func() {}},
		{"--without-tool todo", func() { b.turn("todo") }},
		{"--without-tool todo --cap headless", func() { b.turn("headless") }},
		{"--without-tool todo --cap headless --var lang=fr", func() {
			eval[any](b, `(() => { const i = [...document.querySelectorAll('.vars label')].find((l) => l.textContent === 'lang').querySelector('input'); i.value = 'fr'; i.dispatchEvent(new Event('change')); })()`)
			b.idle()
		}},
		{"--without-tool todo --without-cap network --cap headless --var lang=fr", func() { b.turn("network") }},
	}
	agrees := func(what string, i int) {
		t.Helper()
		b.idle()
		want, got := explained(t, dir, steps[i].flags), b.told()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s, %q:\n%v\nis not\n%v", what, steps[i].flags, got, want)
		}
		tokens, came, went := differ(plain, want)
		if i == 0 {
			if said := b.result(); !strings.Contains(said, "Turn something off or on") {
				t.Errorf("%s: without a change is said %q", what, said)
			}
			return
		}
		for kind, ids := range map[string][]string{"came": came, "went": went} {
			got := eval[[]string](b, `[...document.querySelectorAll('.group.' + %s + ' li')].map((e) => e.textContent).sort()`, kind)
			if fmt.Sprint(got) != fmt.Sprint(ids) {
				t.Errorf("%s, %q: %s is %v, not %v", what, steps[i].flags, kind, got, ids)
			}
		}
		if got := eval[[]string](b, `document.querySelector('.delta').firstChild.data.match(/[0-9]+/g)`); fmt.Sprint(got) != fmt.Sprint(tokens) {
			t.Errorf("%s, %q: tokens are %v, not %v", what, steps[i].flags, got, tokens)
		}
		if on := eval[[]bool](b, `['todo', 'headless'].map((n) => [...document.querySelectorAll('.switch')].find((l) => l.textContent === n).querySelector('input').checked)`); on[0] || on[1] != (i >= 2) {
			t.Errorf("%s, %q: the switches are %v", what, steps[i].flags, on)
		}
	}
	for i, s := range steps {
		s.turn()
		agrees("turned", i)
	}
	last := len(steps) - 1
	b.view(strings.Replace(strings.TrimPrefix(eval[string](b, `location.hash`), "#/web/"), "prompt?", "budget?", 1))
	eval[any](b, `document.querySelector('[data-view=prompt]').click()`)
	b.wait(`!document.querySelector('.prompt-view').hidden`)
	agrees("back from another view", last)
	by := func(n int, address string) {
		t.Helper()
		eval[any](b, fmt.Sprintf(`(() => { window.arrived = false; addEventListener('hashchange', () => { window.arrived = true; }, {once: true}); history.go(%d); })()`, n))
		b.wait(`window.arrived`)
		b.wait(`location.hash.startsWith('#/web/` + address + `')`)
		b.idle()
	}
	by(-1, "budget")
	by(-1, "prompt")
	agrees("back to before the view", last)
	for i := last - 1; i >= 0; i-- {
		by(-1, "prompt")
		agrees("back", i)
	}
	for i := 1; i <= last; i++ {
		by(1, "prompt")
		agrees("forward", i)
	}
	b.run(chromedp.Reload())
	b.wait(`document.querySelector('.row') !== null`)
	agrees("reloaded", last)
}

// set gives a control of the panel a value, as whoever types or slides it does.
func (b *browser) set(selector, value, event string) {
	b.t.Helper()
	eval[any](b, `(() => { const e = document.querySelector(%s); e.value = %s; e.dispatchEvent(new Event(%s)); })()`, ".changes "+selector, value, event)
	b.idle()
}

// TestInspectorCommands: what the page says under each kind of change, and under all of
// them, is what the command says that it gives to copy; so it is for whoever comes by the
// address.
func TestInspectorCommands(t *testing.T) {
	lengthtest.OnlyLong(t, "it runs each command that the page tells")
	b := newBrowser(t)
	dir := folder(t, nil)
	// The paths of a scope are others for a test, and so is what fits the least budget.
	rewrite(t, filepath.Join(dir, "cento.yaml"), "skills: auto\n", "skills: auto\nscope: off\n")
	b.signIn(dir)
	reset := func() {
		eval[any](b, `[...document.querySelectorAll('.result button')].find((e) => e.textContent === 'Reset').click()`)
		b.idle()
	}
	before := explained(t, dir, "").Digest
	agrees := func(what, flags string) {
		t.Helper()
		line := b.copied("Copy as command")
		if line != "cento explain "+flags {
			t.Errorf("%s: the command is %s", what, line)
		}
		want, got := explained(t, dir, strings.TrimPrefix(line, "cento explain ")), b.told()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s, %s:\n%v\nis not\n%v", what, line, got, want)
		}
		if what != "model" && want.Digest == before {
			t.Errorf("%s: %s changes nothing", what, line)
		}
	}
	b.set("select", "ci", "change")
	agrees("target", "--target ci")
	b.turn("read")
	agrees("target without its tool", "--target ci --without-tool read")
	b.set("select", "", "change")
	reset()
	b.set("input[list]", "gpt-4o", "change")
	agrees("model", "--model gpt-4o")
	reset()
	least := eval[string](b, `document.querySelector('.budget [type=range]').min`)
	b.set(".budget [type=range]", least, "input")
	agrees("the least budget", "--budget "+least)
	most := eval[string](b, `document.querySelector('.budget [type=range]').max`)
	b.set(".budget [type=number]", most, "change")
	if line := b.copied("Copy as command"); line != "cento explain --budget "+most || b.told().Digest != before {
		t.Errorf("%s takes something out of the prompt", line)
	}
	reset()
	b.turn("pdf-forms")
	agrees("skill", "--skill pdf-forms")
	b.turn("pdf-forms")
	if !eval[bool](b, `[...document.querySelectorAll('.result button')].find((e) => e.textContent === 'Copy as command').disabled`) {
		t.Error("a command is offered for no skill at all")
	}
	b.turn("pdf-forms")
	b.turn("todo")
	b.turn("headless")
	b.turn("network")
	eval[any](b, `(() => { const i = [...document.querySelectorAll('.vars label')].find((l) => l.textContent === 'rounds').querySelector('input'); i.value = '7'; i.dispatchEvent(new Event('change')); })()`)
	b.idle()
	b.set("select", "brief", "change")
	b.set("input[list]", "gpt-4o", "change")
	b.set(".budget [type=number]", eval[string](b, `document.querySelector('.budget [type=range]').min`), "change")
	budget := eval[string](b, `document.querySelector('.budget [type=number]').value`)
	all := "--target brief --without-tool todo --cap headless --without-cap network --skill pdf-forms --model gpt-4o --var 'rounds=7' --budget " + budget
	agrees("all", all)
	b.run(chromedp.Reload())
	b.wait(`document.querySelector('.row') !== null`)
	b.idle()
	agrees("all, by the address", all)
	test := b.copied("Copy as test case")
	if err := os.WriteFile(filepath.Join(dir, "copied.cento-test.yaml"), []byte(test), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := string(runCento(t, dir, "cento test")); !strings.HasPrefix(out, "1 passed, 0 failed") {
		t.Errorf("the test says %s\n%s", out, test)
	}
}

// TestInspectorPlacesOfARecord: every line of a fragment of many lines tells the file, the
// line and the column where it stands, in a prompt from the log too, and when the file says
// something else by now.
func TestInspectorPlacesOfARecord(t *testing.T) {
	lengthtest.OnlyLong(t, "TestInspectorAgrees holds the places of a prompt")
	b := newBrowser(t)
	lines := []string{"# How we work", "", "Always run the tests.", "Never push to main.", "", "", "\tA line that is indented.", "Ünïcödé 漢字 and the end."}
	dir := folder(t, map[string]string{"AGENTS.md": strings.Join(lines, "\n") + "\n"})
	rewrite(t, filepath.Join(dir, "cento.yaml"), "  - {id: team.tone, body: Be kind., importance: 20}\n", "  - id: team.tone\n    body: |\n      Be kind.\n      Be short.\n\n      Be right.\n")
	manifest, err := os.ReadFile(filepath.Join(dir, "cento.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b.signIn(dir)
	b.conversation()
	if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte("Another text\n\nby now.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.view("prompt?record=web:s1@1")
	b.wait(`document.querySelector('.about a.chip')?.textContent.startsWith('record')`)
	check := func(id, file string, all []string, column func(line string) int) {
		t.Helper()
		spans := eval[[]string](b, `[...document.getElementById(%s).querySelectorAll('.body')].map((e) => e.textContent)`, id)
		told := 0
		for i, text := range spans {
			// A line that ends with others' blank ones tells the place of its own.
			line := strings.Trim(text, "\n")
			if line == "" {
				continue
			}
			n := slices.IndexFunc(all, func(l string) bool { return strings.Contains(l, strings.TrimSpace(line)) }) + 1
			eval[any](b, `[...document.getElementById(%s).querySelectorAll('.body')][%s].click()`, id, i)
			got := eval[string](b, `[...document.querySelectorAll('.inspector dt')].find((e) => e.textContent === 'From').nextSibling.textContent`)
			if n == 0 { // what the program puts around it
				if !strings.HasPrefix(got, "$builtin/") && !strings.HasPrefix(got, "no file") {
					t.Errorf("%s: %q is no line of %s, and told at %s", id, text, file, got)
				}
				continue
			}
			if want := fmt.Sprintf("%s:%d:%d", file, n, column(all[n-1])); got != want {
				t.Errorf("%s: %q is told at %s, not %s", id, text, got, want)
			}
			told++
		}
		if told < 3 {
			t.Errorf("%s: only %d lines tell their place: %q", id, told, spans)
		}
	}
	check("project:instructions", "AGENTS.md", lines, func(string) int { return 1 })
	check("team.tone", "cento.yaml", strings.Split(string(manifest), "\n"), func(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) + 1 })
}
