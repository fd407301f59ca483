package page

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser is one tab of a real browser. Everything that it asks the network
// for, and everything that it complains about, fails the test.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
}

func findBrowser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CENTO_REQUIRE_BROWSER") == "1" {
		t.Fatal("no chromium was found, and CENTO_REQUIRE_BROWSER=1 asks for one")
	}
	t.Skip("no chromium was found: what the page does in a browser is not tested")
	return ""
}

func newBrowser(t *testing.T) *browser {
	path := findBrowser(t)
	options := append([]chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir())},
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	ctx, stopAllocator := chromedp.NewExecAllocator(ctx, options...)
	ctx, stopTab := chromedp.NewContext(ctx)
	b := &browser{t: t, ctx: ctx}
	t.Cleanup(func() {
		// The process has to be gone before its folder is.
		if err := chromedp.Cancel(ctx); err != nil {
			t.Errorf("closing the browser: %v", err)
		}
		stopTab()
		stopAllocator()
		stop()
		for _, c := range b.complaints {
			t.Error(c)
		}
	})
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	command(b, network.Enable, network.EnableParams{})
	command(b, log.Enable, cdp.Empty{})
	command(b, runtime.Enable, cdp.Empty{})
	b.run(chromedp.EmulateViewport(1440, 900))
	return b
}

func (b *browser) listen(event any) {
	complaint := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, "file:") && !strings.HasPrefix(u, "data:") && u != "about:blank" {
			complaint = "the page asked for " + u
		}
	case *log.EventEntryAdded:
		complaint = "the log says: " + e.Entry.Text
	case *runtime.EventConsoleAPICalled:
		complaint = fmt.Sprintf("the console says: %s", e.Type)
	case *runtime.EventExceptionThrown:
		complaint = "the script failed: " + e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			complaint += " " + x.Description
		}
	}
	if complaint != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.complaints = append(b.complaints, complaint)
	}
}

func (b *browser) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

func command[P, R any](b *browser, c cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, c, params); err != nil {
		b.t.Fatal(err)
	}
}

// open writes the page to a disk and opens it from there.
func (b *browser) open(p Page, e *cento.Explanation, hash string) {
	b.t.Helper()
	name := filepath.Join(b.t.TempDir(), "page.html")
	if err := os.WriteFile(name, []byte(write(b.t, p, e)), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.run(chromedp.Navigate("file://" + name + hash))
}

// eval evaluates an expression, whose value goes through JSON.
func eval[T any](b *browser, expression string, args ...any) T {
	b.t.Helper()
	for i, a := range args {
		quoted, err := json.Marshal(a)
		if err != nil {
			b.t.Fatal(err)
		}
		args[i] = string(quoted)
	}
	if len(args) > 0 {
		expression = fmt.Sprintf(expression, args...)
	}
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func (b *browser) press(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		b.run(chromedp.KeyEvent(k))
	}
}

// find presses the key that leads to the filter, and types. A key pressed by
// the protocol types its character even when the page refuses it, so this one
// goes down without.
func (b *browser) find(text string) {
	b.t.Helper()
	for _, typ := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
		command(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: typ, Key: "/", Code: "Slash", WindowsVirtualKeyCode: 191})
	}
	if !eval[bool](b, `document.activeElement.matches('.filter input')`) {
		b.t.Fatal("the key / doesn't lead to the filter")
	}
	b.press(text)
}

// pointAt moves the pointer onto the first element of a selector, into sight
// first.
func (b *browser) pointAt(selector string) (x, y float64) {
	b.t.Helper()
	at := eval[[]float64](b, `(() => {
		const e = document.querySelector(%s);
		e.scrollIntoView({block: 'center'});
		const r = e.getClientRects()[0];
		return [r.x + Math.min(r.width / 2, 20), r.y + r.height / 2];
	})()`, selector)
	b.run(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]))
	return at[0], at[1]
}

func (b *browser) click(selector string) {
	b.t.Helper()
	x, y := b.pointAt(selector)
	b.run(chromedp.MouseClickXY(x, y))
}

// wait waits until an expression is true; the browser looks at every frame.
func (b *browser) wait(expression string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(10*time.Second))); err != nil {
		b.t.Fatalf("waiting for %s: %v", expression, err)
	}
}

func (b *browser) details() string {
	b.t.Helper()
	return eval[string](b, `document.querySelector('.inspector').innerText`)
}

func (b *browser) detailsHave(wants ...string) {
	b.t.Helper()
	got := b.details()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			b.t.Errorf("the details lack %q:\n%s", want, got)
		}
	}
}

func (b *browser) hash() string {
	b.t.Helper()
	return eval[string](b, `decodeURIComponent(location.hash)`)
}

var ours = Page{Title: "Acme reviewer", Project: "ledger", Target: "ci", Version: "0.1.0"}

func TestBrowserShowsTheExactPrompt(t *testing.T) {
	b := newBrowser(t)
	// Every character below U+0300 and a few that parsers of markup change.
	var all strings.Builder
	for r := range rune(0x300) {
		fmt.Fprintf(&all, "%c|", r)
	}
	for _, r := range []rune{0x2028, 0x2029, 0xfdd0, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0x1fffe, 0x10ffff} {
		fmt.Fprintf(&all, "%c|", r)
	}
	every := explain([]part{{id: "a", runs: text("\n\nfirst")}, {id: "b", trust: cento.TrustSession, runs: text(all.String())}})
	long := explain([]part{{id: "long", runs: text(strings.Repeat("a line, as they go\n\n", 5_000) + strings.Repeat("x", 200_000))}})
	for name, e := range map[string]*cento.Explanation{"sample": sample(), "hostile": hostilePrompt(), "every character": every, "long": long} {
		b.open(hostilePage(), e, "")
		if got := eval[string](b, `document.querySelector('.prompt').textContent`); got != *e.System {
			t.Errorf("%s: the text differs from the prompt:\n%.2000q\n%.2000q", name, got, *e.System)
		}
		if n := eval[int](b, `document.querySelectorAll('img, iframe, object, embed, script:not([type]):not(:last-of-type), [onerror], [onload], [onmouseover]').length`); n != 0 {
			t.Errorf("%s: %d elements came out of a text", name, n)
		}
		if got := eval[string](b, `document.title`); !strings.HasPrefix(got, "</script><img") {
			t.Errorf("%s: the title is %q", name, got)
		}
	}
}

// Selecting and copying a stretch across blocks gives its bytes too.
func TestBrowserCopiesTheExactPrompt(t *testing.T) {
	b := newBrowser(t)
	e := sample()
	b.open(ours, e, "")
	got := eval[string](b, `(() => { getSelection().selectAllChildren(document.querySelector('.prompt')); return getSelection().toString(); })()`)
	if got != *e.System {
		t.Errorf("the selection is\n%q\nand the prompt\n%q", got, *e.System)
	}
}

func TestBrowserWithoutScript(t *testing.T) {
	b := newBrowser(t)
	command(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	e := sample()
	b.open(ours, e, "")
	if got := eval[string](b, `document.querySelector('.prompt').textContent`); got != *e.System {
		t.Errorf("the text differs from the prompt: %q", got)
	}
	shown := eval[string](b, `document.body.innerText`)
	for i := range e.Fragments {
		f := &e.Fragments[i]
		for _, want := range []string{f.ID, f.Reason, string(f.Code)} {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: the page doesn't show %q", f.ID, want)
			}
		}
	}
	if !strings.Contains(shown, "Scripts are off") || strings.Contains(shown, "Copy prompt") {
		t.Error("the page promises what needs a script")
	}
}

func TestBrowserPointer(t *testing.T) {
	b := newBrowser(t)
	b.open(ours, sample(), "")
	b.pointAt(".prompt .var")
	b.detailsHave("primary:system", "cento.yaml:2:15", "agent.name", "untrusted: workspace", "Around it", "trusted: builtin", "unconditional")
	b.pointAt(`[id="tool:grep.guidance"] .body`)
	b.detailsHave("tool:grep.guidance", "tool(s) present: grep", "include.tools", "tools.json:12:18", "untrusted: tool", "129 bytes", "static", "project:instructions")
	b.pointAt(`[id="tool:read.guidance"] .heading`)
	b.detailsHave("tool:read.guidance", "heading")
	b.pointAt(`[id="host:system_suffix"] .body`)
	b.detailsHave("host:system_suffix", "session", "no file: a call, a flag or a request", "trusted: host")

	b.click(`[id="host:system_suffix"] .body`)
	if got := b.hash(); got != "#host:system_suffix" {
		t.Errorf("the address of a pinned fragment is %q", got)
	}
	b.pointAt(`[id="profile:go"] .body`)
	b.detailsHave("host:system_suffix", "unpin")
	b.click(".unpin")
	b.pointAt(`[id="profile:go"] .body`)
	b.detailsHave("profile:go", "go.mod:1:1")
	if got := b.hash(); got != "" {
		t.Errorf("after unpinning the address is %q", got)
	}
}

func TestBrowserKeyboard(t *testing.T) {
	b := newBrowser(t)
	b.open(ours, sample(), "")
	focus := func() string { return eval[string](b, `document.activeElement.closest('[data-f]')?.id ?? ''`) }
	b.press("j")
	b.detailsHave("host:system_preamble")
	b.press("j", kb.ArrowDown)
	if got := focus(); got != "primary:system" {
		t.Fatalf("the third fragment is %q", got)
	}
	b.detailsHave("primary:system", "$builtin/default:1:1")
	b.press("k", "j", kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	b.detailsHave("agent.name", "cento.yaml:2:15")
	if got := eval[string](b, `document.activeElement.textContent`); got != "Acme reviewer" {
		t.Errorf("the focus is on %q", got)
	}
	if got := eval[string](b, `document.querySelector('[role=status]').textContent`); !strings.Contains(got, "cento.yaml:2:15") || !strings.Contains(got, "untrusted: workspace") {
		t.Errorf("the screen reader hears %q", got)
	}
	b.press(kb.Enter)
	b.detailsHave("unpin", "agent.name")
	if got := b.hash(); got != "#primary:system" {
		t.Errorf("the address is %q", got)
	}
	b.press(kb.Escape)
	b.detailsHave("Point at any text")

	b.find("LEDGER/round.go")
	b.wait(`document.querySelector('output').textContent === '3 of 20 fragments, 3 places in the text'`)
	if got := eval[int](b, `CSS.highlights.get('found').size`); got != 3 {
		t.Errorf("%d places are marked", got)
	}
	b.press(kb.Enter, kb.Enter)
	b.detailsHave("team.money", "condition `project.topic == 'ledger'` is true")
	if got := eval[string](b, `[...CSS.highlights.get('found-here')].join()`); got != "ledger/round.go" {
		t.Errorf("the place is %q", got)
	}
	b.press(kb.ArrowDown)
	if got := eval[string](b, `document.activeElement.textContent`); got != "slot:guidance/reviews" {
		t.Errorf("the first row is %q", got)
	}
	b.press(kb.ArrowDown)
	b.detailsHave("team.money") // rows that are filtered out are passed over
	b.find("x")
	b.press(kb.Escape)
	if got := eval[int](b, `document.querySelectorAll('.row[hidden], .dim').length`); got != 0 {
		t.Errorf("after Escape %d elements are still filtered out", got)
	}

	// The prompt and the list are one stop of the tab key each.
	b.open(ours, sample(), "")
	if got := eval[int](b, `document.querySelectorAll('.prompt [tabindex="0"]').length`); got != 1 {
		t.Errorf("the prompt has %d stops", got)
	}
	if got := eval[int](b, `document.querySelectorAll('.rows a:not([tabindex="-1"])').length`); got != 1 {
		t.Errorf("the list has %d stops", got)
	}
}

func TestBrowserListOfFragments(t *testing.T) {
	b := newBrowser(t)
	e := sample()
	b.open(ours, e, "#profile:rust")
	b.detailsHave("profile:rust", "out", "requires capability `language.rust` (not set)", "requires tool `cargo` (not available)", "Cargo.toml:1:1", "unpin")
	rows := eval[[]string](b, `[...document.querySelectorAll('.row')].map((row) => row.innerText)`)
	if len(rows) != len(e.Fragments) {
		t.Fatalf("%d rows for %d fragments", len(rows), len(e.Fragments))
	}
	for i := range e.Fragments {
		if f := &e.Fragments[i]; !strings.Contains(rows[i], f.ID) || !strings.Contains(rows[i], f.Reason) {
			t.Errorf("row %d doesn't show %q and %q: %q", i, f.ID, f.Reason, rows[i])
		}
	}
	b.click(".counts input[value=out] + span")
	if got := eval[int](b, `document.querySelectorAll('.row:not([hidden])').length`); got != e.Excluded {
		t.Errorf("%d rows are out, not %d", got, e.Excluded)
	}
	b.click(`[id="tool:todo.guidance"] summary`)
	if got := eval[string](b, `document.querySelector('[id="tool:todo.guidance"] pre').innerText`); !strings.HasPrefix(got, "todo: keep the list") {
		t.Errorf("the text that is out reads %q", got)
	}
	b.click(".counts input[value=all] + span")
	b.click(`.legend [data-family="tool"]`)
	if got := eval[int](b, `document.querySelectorAll('.row:not([hidden])').length`); got != 4 {
		t.Errorf("%d rows are of tools, not 4", got)
	}
	b.click(`.legend [data-family="tool"]`)

	// Text that is out is found too, and an address leads to any fragment.
	b.find("close an item only")
	b.wait(`document.querySelector('output').textContent === '1 of 20 fragments, 0 places in the text'`)
	b.open(ours, e, "#scope:boundaries")
	b.detailsHave("scope:boundaries", "protected: nothing may take it out")
	if !eval[bool](b, `(() => { const r = document.getElementById('scope:boundaries').getBoundingClientRect(); return r.top >= 0 && r.top < innerHeight; })()`) {
		t.Error("the fragment of the address isn't in sight")
	}
	b.open(hostilePage(), hostilePrompt(), "#"+strings.TrimPrefix(link("0 "+hostile[0]), "#"))
	b.detailsHave("</script><img src=x onerror=alert(1)>", "unpin")
}

func TestBrowserNarrow(t *testing.T) {
	b := newBrowser(t)
	for _, width := range []int64{320, 390, 768, 1000, 1920} {
		b.run(chromedp.EmulateViewport(width, 800))
		for name, e := range map[string]*cento.Explanation{"sample": sample(), "hostile": hostilePrompt()} {
			b.open(ours, e, "")
			if got := eval[int64](b, `document.documentElement.scrollWidth`); got > width {
				t.Errorf("%s: the page is %d wide on a screen of %d", name, got, width)
			}
		}
	}
	b.run(chromedp.EmulateViewport(390, 800))
	b.open(ours, sample(), "#primary:system")
	b.detailsHave("primary:system")
	if !eval[bool](b, `(() => { const r = document.querySelector('.inspector').getBoundingClientRect(); return r.height > 100 && Math.abs(r.bottom - innerHeight) < 1; })()`) {
		t.Error("the details aren't on a sheet at the bottom")
	}
	b.press(kb.Escape)
	if eval[float64](b, `document.querySelector('.inspector').getBoundingClientRect().height`) != 0 {
		t.Error("the sheet stays")
	}
}

// contrast measures every kind of text of the page against what is behind it.
const contrast = `(() => {
	const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
	const rgb = (...colours) => {
		canvas.clearRect(0, 0, 1, 1);
		for (const c of colours) { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); }
		return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
	};
	const light = (c) => {
		const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
	const paper = getComputedStyle(document.documentElement).backgroundColor;
	const poor = [];
	let measured = 0;
	const check = (what, colour, behind) => {
		measured++;
		const r = ratio(rgb(...behind, colour), rgb(...behind));
		if (!(r >= 4.5)) poor.push(what + ': ' + r.toFixed(2));
	};
	const behind = (e) => {
		const list = [];
		for (; e; e = e.parentElement) list.unshift(getComputedStyle(e).backgroundColor);
		return [paper, ...list];
	};
	for (const e of document.querySelectorAll('header *, aside *')) {
		if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.closest('svg')) continue;
		check(e.tagName + '.' + e.className, getComputedStyle(e).color, behind(e));
	}
	// Each hue as text and name on its own tints.
	const probe = document.createElement('span');
	for (let h = 0; h <= 10; h++) {
		const box = document.createElement('div');
		box.className = 'h' + h;
		box.append(probe);
		document.querySelector('.prompt').append(box);
		const of = (v) => { probe.style.color = v; return getComputedStyle(probe).color; };
		for (const tint of ['--tint', '--at']) {
			for (const text of ['--ink', '--name', '--warn']) check('h' + h + ' ' + text + ' on ' + tint, of('var(' + text + ')'), [paper, of('var(' + tint + ')')]);
		}
		for (const text of ['--name', '--warn']) check('h' + h + ' ' + text + ' on paper', of('var(' + text + ')'), [paper]);
		box.remove();
	}
	for (const [text, back] of [['--ink', '--warn-paper'], ['--warn', '--warn-paper'], ['--on-found', '--found'], ['--on-found', '--found-here']]) {
		const of = (v) => { document.body.append(probe); probe.style.color = 'var(' + v + ')'; return getComputedStyle(probe).color; };
		check(text + ' on ' + back, of(text), [paper, of(back)]);
	}
	return {poor: [...new Set(poor)], measured};
})()`

func TestBrowserContrast(t *testing.T) {
	b := newBrowser(t)
	papers := map[string]bool{}
	for _, scheme := range []string{"light", "dark"} {
		command(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		b.open(ours, sample(), "#tool:grep.guidance")
		papers[eval[string](b, `getComputedStyle(document.documentElement).backgroundColor`)] = true
		got := eval[struct {
			Poor     []string
			Measured int
		}](b, contrast)
		if got.Measured < 150 {
			t.Errorf("%s: only %d texts were measured", scheme, got.Measured)
		}
		for _, p := range got.Poor {
			t.Errorf("%s: poor contrast, %s", scheme, p)
		}
	}
	if len(papers) != 2 {
		t.Error("light and dark don't differ")
	}
}

// Paper is white, whatever the screen is, and holds what can't be clicked open.
func TestBrowserPrint(t *testing.T) {
	b := newBrowser(t)
	b.open(ours, sample(), "#team.money")
	command(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	b.run(chromedp.EmulateViewport(760, 1075))
	if got := eval[string](b, `getComputedStyle(document.body).color`); got != "oklch(0.24 0.01 70)" {
		t.Errorf("the ink is %s", got)
	}
	eval[bool](b, `dispatchEvent(new Event('beforeprint'))`)
	shown := eval[string](b, `document.body.innerText`)
	for _, want := range []string{"requires tool `todo` (not available)", "todo: keep the list of findings", "untrusted: tool · include.tools · static · tools.json:4:18"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the print lacks %q", want)
		}
	}
	for _, no := range []string{"Copy prompt", "unpin"} {
		if strings.Contains(shown, no) {
			t.Errorf("the print holds %q", no)
		}
	}
	if got := eval[int](b, `[...document.querySelectorAll('.label')].filter((e) => e.getBoundingClientRect().left < 0).length`); got != 0 {
		t.Errorf("%d labels are off the paper", got)
	}
}

func TestBrowserCopyButtons(t *testing.T) {
	b := newBrowser(t)
	e := sample()
	b.open(ours, e, "")
	// What the clipboard would get: a tab without a user has none.
	eval[bool](b, `Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (s) => { window.copied = s; }}}), true`)
	b.click(`[data-copy="prompt"]`)
	b.wait(`window.copied !== undefined`)
	if got := eval[string](b, `window.copied`); got != *e.System {
		t.Errorf("the copy differs from the prompt: %q", got)
	}
	b.click(`[data-copy="digest"]`)
	b.wait(`window.copied.length === 64`)
	if got := eval[string](b, `window.copied`); got != *e.Digest {
		t.Errorf("the copied digest is %q", got)
	}
	b.click(".digest summary")
	if got := eval[string](b, `document.querySelector('.digest .full').innerText`); got != *e.Digest {
		t.Errorf("the full digest reads %q", got)
	}
}

// Of a long page only what is in sight is laid out; all of it is still found,
// led to and exact.
func TestBrowserLongPage(t *testing.T) {
	b := newBrowser(t)
	var parts []part
	for i := range 3_000 {
		p := part{id: fmt.Sprintf("part.%d", i), source: []string{"host", "tool:read", "manifest"}[i%3], trust: cento.Trust(i % 6), runs: text(strings.Repeat("Some words in a line.\n", i%9) + "The end.")}
		if i%10 == 9 {
			p.out, p.reason = cento.CodeToolMissing, "requires tool `read` (not available)"
		}
		parts = append(parts, p)
	}
	parts = append(parts, part{id: "long", source: "project", runs: text(strings.Repeat("A line of a long file.\n", 20_000) + "A needle.")}, part{id: "last", source: "scope", runs: text("Last.")})
	e := explain(parts)
	b.open(ours, e, "#last")
	b.detailsHave("last", "unpin")
	b.wait(`(() => { const r = document.getElementById('last').getBoundingClientRect(), v = document.querySelector('.text').getBoundingClientRect(); return r.top >= v.top && r.bottom <= v.bottom; })()`)
	if got := eval[string](b, `document.querySelector('.prompt').textContent`); got != *e.System {
		t.Error("the text differs from the prompt")
	}
	b.press("k")
	b.detailsHave("long", "460,009 bytes")
	if got := eval[int](b, `document.querySelectorAll('.map rect').length`); got == 0 || got > 2*markWidth {
		t.Errorf("the overview has %d marks", got)
	}
	b.find("a NEEDLE")
	b.wait(`document.querySelector('output').textContent === '1 of 3,002 fragments, 1 place in the text'`)
	b.press(kb.Enter)
	b.wait(`(() => { const r = [...CSS.highlights.get('found-here')][0].getBoundingClientRect(), v = document.querySelector('.text').getBoundingClientRect(); return r.top >= v.top && r.bottom <= v.bottom; })()`)
	if got := eval[int](b, `document.querySelectorAll('.rows > ol:not([hidden])').length`); got != 1 {
		t.Errorf("%d lists show for one row", got)
	}
}
