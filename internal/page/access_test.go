package page

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tap presses a key that the page does something with. One that the protocol presses
// types its character even where the page refuses it.
func (b *browser) tap(key, code string, number int64) {
	b.t.Helper()
	for _, typ := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
		command(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: typ, Key: key, Code: code, WindowsVirtualKeyCode: number})
	}
}

// axe is the checker of accessibility, as npm has it.
func axe(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", "axe", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		if os.Getenv("CENTO_REQUIRE_NPM") != "" {
			t.Fatal("npm ci has not run in internal/page/testdata/axe")
		}
		t.Skip("without axe-core: run npm ci in internal/page/testdata/axe")
	}
	return string(source)
}

// TestInspectorAccess: axe-core finds nothing in any view, in light and in dark, on a
// desktop and a phone, nor where one signs in or reads the keys.
func TestInspectorAccess(t *testing.T) {
	lengthtest.OnlyLong(t, "every view on every screen takes a minute")
	source := axe(t)
	b := newBrowser(t)
	b.signIn(folder(t, nil))
	b.conversation()
	eval[any](b, source+`; null`)
	check := func(what string) {
		t.Helper()
		eval[any](b, `(() => { window.axed = null; axe.run(document, {resultTypes: ['violations']}).then((r) => { window.axed = r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target + ' ' + n.failureSummary).join('\n  ')); }); })()`)
		b.wait(`window.axed !== null`)
		if found := eval[[]string](b, `window.axed`); len(found) > 0 {
			t.Errorf("%s: %s", what, strings.Join(found, "\n"))
		}
	}
	for _, scheme := range []string{"light", "dark"} {
		command(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		for _, width := range []int64{1440, 360} {
			b.run(chromedp.EmulateViewport(width, 900))
			for _, name := range slices.Sorted(maps.Keys(allViews)) {
				address := allViews[name]
				b.view(address)
				if name == "prompt" {
					eval[any](b, `(() => { const s = document.querySelector('#struck'); if (s.getAttribute('aria-pressed') !== 'true') s.click(); document.querySelector('.changes').hidden = false; document.querySelector('.row a').click(); })()`)
				}
				eval[any](b, `document.querySelectorAll('.other-view details').forEach((d) => { d.open = true; })`)
				check(fmt.Sprint(name, " ", scheme, " ", width))
			}
		}
	}
	b.run(chromedp.EmulateViewport(1440, 900))
	states := func(scheme string) {
		b.view("prompt?without_tools=todo")
		eval[any](b, `document.querySelector('#keys').click()`)
		check("the keys " + scheme)
		eval[any](b, `(() => { document.querySelector('#help').close(); document.querySelector('.digest summary').click(); document.querySelectorAll('.row details').forEach((d) => { d.open = true; }); })()`)
		check("what opens " + scheme)
		b.find("nothing has this")
		b.wait(`document.querySelector('.filter output').textContent.startsWith('0 of')`)
		check("nothing found " + scheme)
		b.press(kb.Escape)
		b.view("records?text=nobody+said+this")
		check("no record " + scheme)
		b.expected("status of 4")
		b.view("session?id=web%3Anone")
		check("no session " + scheme)
		b.view("diff")
		check("no difference " + scheme)
		eval[any](b, `(() => { const s = document.querySelector('.other-view select'); s.value = '?'; s.dispatchEvent(new Event('change')); })()`)
		check("a commit is asked for " + scheme)
		b.view("prompt?target=nowhere")
		b.wait(`!document.querySelector('.failed').hidden`)
		check("an error " + scheme)
	}
	for _, scheme := range []string{"dark", "light"} {
		command(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		states(scheme)
	}
	eval[any](b, `document.querySelector('#sign-out').click()`)
	check("signing in")
	b.run(chromedp.SendKeys("#token", "no token"), chromedp.SendKeys("#token", kb.Enter))
	b.wait(`document.querySelector('.enter .wrong').textContent !== ''`)
	check("no token")
}

// TestInspectorAccessOfExtremes: nor where there is nothing to show, nor where there is
// very much.
func TestInspectorAccessOfExtremes(t *testing.T) {
	lengthtest.OnlyLong(t, "every view of several projects takes a minute")
	source := axe(t)
	line := strings.Repeat("0123456789", 95_000) // with what else is in the file, about as much as it may have
	all := []string{"prompt", "diff", "budget", "wire", "session", "records"}
	for _, c := range []struct {
		name, manifest string
		views          []string
	}{
		{"nothing", "version: 1\nsystem: ''\nprofile: off\nskills: off\nscope: off\nproject: {instructions: off}\n", all},
		{"much", many(1000)["cento.yaml"], all},
		{"thousands", droppable(7000), []string{"budget", "wire"}},
		{"a line", "version: 1\nprofile: off\nskills: off\nmodel: claude-sonnet-4-5\nfragments: [{id: line, body: '" + line + "', importance: 2}, {id: last, body: How it ends., importance: 1}]\n", []string{"budget", "wire"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBrowser(t)
			b.expected("422") // a project without a model has no request
			b.signIn(folder(t, map[string]string{"cento.yaml": c.manifest}))
			eval[any](b, source+`; null`)
			for _, view := range c.views {
				b.view(view)
				eval[any](b, `(() => { window.axed = null; axe.run(document, {resultTypes: ['violations']}).then((r) => { window.axed = r.violations.map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.target + ' ' + n.failureSummary).join('\n  ')); }); })()`)
				b.wait(`window.axed !== null`)
				if found := eval[[]string](b, `window.axed`); len(found) > 0 {
					t.Errorf("%s: %s", view, strings.Join(found, "\n"))
				}
				b.shot(c.name + "-" + view)
				if c.name == "nothing" || view == "prompt" || view == "diff" {
					continue
				}
				if said := eval[string](b, `document.querySelector('.failed').hidden ? '' : document.querySelector('.failed').innerText`); said != "" {
					t.Errorf("%s: %s", view, said)
				}
				// However much there is, what is near the screen is made, and nothing is wider.
				if n := eval[int](b, `document.getElementsByTagName('*').length`); n > 3500 {
					t.Errorf("%s: %d elements are made", view, n)
				}
				b.run(chromedp.EmulateViewport(360, 800))
				if wide := eval[int](b, `document.documentElement.scrollWidth`); wide > 360 {
					t.Errorf("%s is %d wide of 360", view, wide)
				}
				b.run(chromedp.EmulateViewport(1440, 900))
			}
			switch c.name {
			case "thousands":
				b.view("budget")
				eval[any](b, `(() => { const s = document.querySelector('.other-view [type=range]'); s.value = +s.min + 6; s.dispatchEvent(new Event('input')); })()`)
				b.sees("7,000 dropped, 0 shortened")
				eval[any](b, `(() => { const e = document.querySelector('.other-view'); e.scrollTop = e.scrollHeight; })()`)
				b.wait(`document.querySelector('tbody:last-child tr:last-child.gone td')?.textContent === '7000'`)
				b.view("wire")
				if got := eval[string](b, `document.querySelector('.request').textContent`); !strings.Contains(got, "Rule 6999.") {
					t.Error("the request ends before its end")
				}
			case "a line":
				if got := eval[string](b, `document.querySelector('.request').textContent`); strings.Count(got, line) != 1 {
					t.Errorf("the lines stand %d times in the request", strings.Count(got, line))
				}
			}
		})
	}
}

// droppable is a manifest of so many fragments, each of which a budget can give up. It may
// have some seven thousand.
func droppable(n int) string {
	var b strings.Builder
	b.WriteString("version: 1\nprofile: off\nskills: off\nmodel: claude-sonnet-4-5\nfragments:\n")
	for i := range n {
		fmt.Fprintf(&b, "- {id: t.%05d, importance: %d, body: Rule %d.}\n", i, 1+i%9, i)
	}
	return b.String()
}

// TestInspectorKeyboard: all that can be done can be done without a pointer.
func TestInspectorKeyboard(t *testing.T) {
	lengthtest.OnlyLong(t, "every view is walked through; TestBrowserKeyboard holds the prompt")
	b := newBrowser(t)
	b.signIn(folder(t, nil))
	active := func() string {
		return eval[string](b, `(() => { const e = document.activeElement; return [e.id || e.className || e.localName, e.textContent.slice(0, 20)].join(' '); })()`)
	}
	// Every stop of the tab key can be seen to have the focus, and none is a trap.
	stops := map[string]bool{}
	for range 60 {
		b.tap("Tab", "Tab", 9)
		stops[active()] = true
		if !eval[bool](b, `(() => { const e = document.activeElement; if (e === document.body) return true; const s = getComputedStyle(e), n = e.nextElementSibling && getComputedStyle(e.nextElementSibling); return s.outlineStyle !== 'none' || n && n.outlineStyle !== 'none' || e.closest('.prompt, .row') !== null; })()`) {
			t.Errorf("the focus on %s isn't seen", active())
		}
	}
	for _, want := range []string{"project", "what-if", "keys", "sign-out", "struck"} {
		found := false
		for s := range stops {
			found = found || strings.HasPrefix(s, want)
		}
		if !found {
			t.Errorf("the tab key doesn't lead to %s: %v", want, stops)
		}
	}
	if len(stops) < 30 {
		t.Errorf("only %d stops", len(stops))
	}
	// A switch, by its own key.
	eval[any](b, `[...document.querySelectorAll('.switch input')][1].focus()`)
	b.tap(" ", "Space", 32)
	b.idle()
	if !strings.Contains(b.result(), "2 went") {
		t.Errorf("the space bar turns nothing off:\n%s", b.result())
	}
	if got := active(); !strings.HasPrefix(got, "input") {
		t.Errorf("the focus went to %s", got)
	}
	eval[any](b, `document.activeElement.blur()`)
	for i, want := range []string{"Prompt", "Diff", "Budget", "Wire", "Sessions", "Records"} {
		b.tap(fmt.Sprint(i+1), fmt.Sprintf("Digit%d", i+1), int64('1'+i))
		b.wait(fmt.Sprintf(`document.querySelector('[aria-current]').textContent === '%s'`, want))
		b.idle()
	}
	b.tap("1", "Digit1", '1')
	b.idle()
	b.tap("x", "KeyX", 'X')
	if !eval[bool](b, `document.querySelector('.struck') !== null`) {
		t.Error("x shows nothing that is out")
	}
	b.tap("w", "KeyW", 'W')
	if !eval[bool](b, `document.querySelector('.changes').hidden`) {
		t.Error("w doesn't close the panel")
	}
	b.tap("j", "KeyJ", 'J')
	b.detailsHave("primary:system")
	b.tap("?", "Slash", 191)
	b.wait(`document.querySelector('#help').open`)
	b.tap("Escape", "Escape", 27)
	b.wait(`!document.querySelector('#help').open`)
}

// TestInspectorHostile: texts that are written to be more than text are text in every
// view.
func TestInspectorHostile(t *testing.T) {
	lengthtest.OnlyLong(t, "every view on every screen takes a minute")
	evil := `<img src=x onerror="window.hit=1"><script>window.hit=1</script></pre>{{7*7}} ` + "\u202egnp.exe\u202c \u200b&lt; ${7*7} javascript:alert(1)"
	manifest := "version: 1\nprofile: off\nskills: off\nmodel: claude-sonnet-4-5\nsystem: " + quote(evil) + "\nvars: {" + quote("<b>v</b>") + ": " + quote(evil) + "}\ntools: [{name: read, description: " + quote(evil) + ", guidance: " + quote(evil) + "}]\nfragments:\n  - {id: " + quote("<img src=x onerror=window.hit=1>") + ", body: " + quote("later "+evil) + "}\n  - {id: out, requires_tools: [none], body: " + quote("out "+evil) + "}\n  - {id: cap, requires_caps: [" + quote("<i>x</i>") + "], body: x}\ntargets: {" + quote("<u>t</u>") + ": {tools: []}}\n"
	b := newBrowser(t)
	b.signIn(folder(t, map[string]string{"cento.yaml": manifest, "AGENTS.md": evil + "\n" + strings.Repeat("a", 200_000) + "\n"}))
	b.conversation()
	for name, address := range map[string]string{
		"prompt": "prompt?without_tools=read", "diff": "diff?b=target%3A%3Cu%3Et%3C%2Fu%3E", "budget": "budget", "wire": "wire", "session": "session", "records": "records?text=onerror",
	} {
		b.view(address)
		eval[any](b, `document.querySelector('#struck').click()`)
		eval[any](b, `document.querySelectorAll('.other-view details').forEach((d) => { d.open = true; })`)
		b.wait(`[...document.querySelectorAll('.other-view details > div')].every((d) => d.childNodes.length)`)
		if eval[bool](b, `window.hit !== undefined || document.querySelector('img, script:not([src]), b b, u, i') !== null`) {
			t.Errorf("%s: a text is more than text", name)
		}
		if !eval[bool](b, `document.querySelector('.failed').hidden`) {
			t.Errorf("%s: %s", name, eval[string](b, `document.querySelector('.failed').innerText`))
		}
		seen := eval[string](b, `(document.querySelector('.prompt-view').hidden ? document.querySelector('.other-view') : document.querySelector('.prompt-view')).innerText`)
		if name != "budget" && name != "session" && !strings.Contains(seen, "onerror") {
			t.Errorf("%s: the text isn't shown:\n%.2000s", name, seen)
		}
		if name != "prompt" && strings.ContainsAny(seen, "\u202e\u200b") {
			t.Errorf("%s: a character that can't be seen isn't written out", name)
		}
	}
}

// TestInspectorHostileRecord: nor are the names of fragments, files, sections and sessions,
// and a prompt of many megabytes in one line stays usable, with the keyboard too.
func TestInspectorHostileRecord(t *testing.T) {
	lengthtest.OnlyLong(t, "ten megabytes in every view take a minute")
	evil := "</script><img src=x onerror=\"window.hit=1\">'`\u202egnp\u202c\u200b${1}&lt;"
	var in cento.Input
	for i, id := range []string{"first", "</script><img src=x onerror=\"window.hit=1\">'`${1}&lt;", "{{ 7 * 7 }}", "javascript:alert(1)", "שלום"} {
		f := cento.NewFragment(id, "manifest", cento.Before, fmt.Sprintf("Text %d %s", i, evil))
		f.Origin = cento.Position{File: "dir/" + evil + "\n.md", Line: i + 1, Column: 2}
		f.Title = evil
		if i == 3 {
			f.RequiresTools = []string{evil}
		}
		in.Fragments = append(in.Fragments, f)
	}
	in.Fragments = append(in.Fragments, cento.NewFragment("line", "host", cento.Before, strings.Repeat("0123456789", 1<<20)+" needle"), cento.NewFragment("last", "host", cento.Before, "How it ends."))
	b := newBrowser(t)
	b.enter(StartRecorded(t, folder(t, nil), map[string]cento.Input{"big": in}))
	record := ""
	for _, name := range []string{"records", "prompt", "diff", "session"} {
		address := map[string]string{"prompt": "prompt?record=web:big@1", "session": "session?id=web:big", "records": "records?text=gnp"}[name]
		if name == "diff" {
			address = record
		}
		b.view(address)
		if name == "records" {
			record = strings.TrimPrefix(eval[string](b, `document.querySelector('.entry a[href*="/diff?"]').getAttribute('href')`), "#/web/")
		}
		b.wait(`!document.querySelector('.failed').hidden || document.querySelectorAll('.other-view > *').length > 1 || document.querySelectorAll('.row').length === 7`)
		if name == "prompt" {
			eval[any](b, `(() => { const s = document.querySelector('#struck'); if (s.getAttribute('aria-pressed') !== 'true') s.click(); })()`)
			eval[any](b, `document.querySelectorAll('.row a').forEach((a) => a.click())`)
		}
		eval[any](b, `document.querySelectorAll('.other-view details').forEach((d) => { d.open = true; })`)
		b.wait(`[...document.querySelectorAll('.other-view details > div')].every((d) => d.childNodes.length)`)
		if eval[bool](b, `window.hit !== undefined || document.querySelector('img, script:not([src])') !== null`) {
			t.Errorf("%s: a text is more than text", name)
		}
		if said := eval[string](b, `document.querySelector('.failed').hidden ? '' : document.querySelector('.failed').innerText`); said != "" {
			t.Errorf("%s: %s", name, said)
		}
		// Names are written out wherever they stand.
		if raw := eval[[]string](b, `[...document.querySelectorAll('.frag-name, .row > a, .why, .id, .place, h1, .chip, code')].map((e) => e.textContent).filter((x) => /[\u202e\u202c\u2066\u200b\n\r\t]/.test(x))`); len(raw) > 0 {
			t.Errorf("%s: names are shown as %q", name, raw)
		}
		if wide := eval[[]int](b, `[document.documentElement.scrollWidth, innerWidth]`); wide[0] > wide[1] {
			t.Errorf("%s is %d wide of %d", name, wide[0], wide[1])
		}
		b.tap("?", "Slash", 191)
		b.wait(`document.querySelector('#help').open`)
		b.tap("Escape", "Escape", 27)
		b.wait(`!document.querySelector('#help').open`)
	}
	b.view("prompt?record=web:big@1")
	b.wait(`document.querySelectorAll('.row').length === 7`)
	b.idle()
	eval[any](b, `document.activeElement.blur()`)
	b.press(kb.Escape, "j", "j")
	b.detailsHave(`dir/</script><img src=x onerror="window.hit=1">'` + "`<U+202E>gnp<U+202C><U+200B>${1}&lt;<U+000A>.md:2")
	b.find("needle")
	b.wait(`document.querySelector('.filter output').textContent === '1 of 7 fragments, 1 place in the text'`)
	b.press(kb.Enter)
	b.wait(`(() => { const r = [...CSS.highlights.get('found-here')][0]?.getBoundingClientRect(), v = document.querySelector('.text').getBoundingClientRect(); return r && r.top >= v.top && r.bottom <= v.bottom; })()`)
	b.detailsHave("line")
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\u202e", `\u202e`, "\u202c", `\u202c`, "\u200b", `\u200b`).Replace(s) + `"`
}

// TestInspectorScripts: what a browser has to read stays small.
func TestInspectorScripts(t *testing.T) {
	total, files := 0, 0
	for name, a := range Assets() {
		if strings.HasSuffix(name, ".js") {
			total += len(a.Body)
			files++
		}
	}
	t.Logf("%d bytes", total)
	if files < 5 || total > 60_500 {
		t.Errorf("%d scripts have %d bytes, and may have 60,500", files, total)
	}
}
