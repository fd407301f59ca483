package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestBrowserNarrow(t *testing.T) {
	lengthtest.OnlyLong(t, "every width is drawn")
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
	lengthtest.OnlyLong(t, "every colour is measured")
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
	lengthtest.OnlyLong(t, "a page is printed")
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
	lengthtest.OnlyLong(t, "thousands of lines are drawn")
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
