package page

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
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
	if testing.Short() {
		t.Skip("every view on every screen takes a minute")
	}
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
	eval[any](b, `document.querySelector('#keys').click()`)
	check("the keys")
	eval[any](b, `(() => { document.querySelector('#help').close(); document.querySelector('#sign-out').click(); })()`)
	check("signing in")
}

// TestInspectorKeyboard: all that can be done can be done without a pointer.
func TestInspectorKeyboard(t *testing.T) {
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
	if testing.Short() {
		t.Skip("every view on every screen takes a minute")
	}
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
	if files < 5 || total > 60_000 {
		t.Errorf("%d scripts have %d bytes, and may have 60,000", files, total)
	}
}
