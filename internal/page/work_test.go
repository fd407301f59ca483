package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/chromedp/chromedp/kb"
)

// drawn is how many elements the page has, and of those rows and blocks.
type drawn struct{ All, Rows, Blocks int }

func (b *browser) drawn() drawn {
	b.t.Helper()
	return eval[drawn](b, `({All: document.getElementsByTagName('*').length, Rows: document.querySelectorAll('.row').length, Blocks: document.querySelectorAll('.frag').length})`)
}

// TestInspectorDrawsWhatIsSeen: what a page of many fragments costs doesn't grow with
// them. What is out of sight is text, is found, led to and copied all the same, and is made
// as it comes near.
func TestInspectorDrawsWhatIsSeen(t *testing.T) {
	lengthtest.OnlyLong(t, "thousands of fragments in a browser")
	b := newBrowser(t)
	in := tenThousand()
	b.enter(StartRecorded(t, folder(t, many(1000)), map[string]cento.Input{"big": in}))
	most := func(what string, rows, blocks int) {
		t.Helper()
		got := b.drawn()
		t.Logf("%s: %+v", what, got)
		if got.Rows == 0 || got.Rows > rows || got.Blocks == 0 || got.Blocks > blocks || got.All > 1200+10*(rows+blocks) {
			t.Errorf("%s: %+v is drawn, of rows at most %d, of blocks %d", what, got, rows, blocks)
		}
	}
	b.wait(`/^1,0/.test(document.querySelectorAll('.counts .n-of')[0]?.textContent)`)
	b.idle()
	most("a thousand", 150, 200)
	// What is made together looks like what it stands in: it is there for the browser alone.
	if got := eval[[]string](b, `[...document.querySelectorAll('.stretch, .rows > ol')].flatMap((e) => { const a = getComputedStyle(e), b = getComputedStyle(e.parentElement); return a.padding === '0px' && a.fontSize === b.fontSize && a.color === b.color ? [] : [e.className + ': ' + [a.padding, a.fontSize, a.color]]; })`); len(got) > 0 {
		t.Errorf("%d boxes have a look of their own, such as %s", len(got), got[0])
	}
	b.view("prompt?record=web:big@1")
	b.wait(`document.querySelectorAll('.counts .n-of')[0]?.textContent === '10,000'`)
	most("ten thousand", 150, 200)
	var text []string
	for i, f := range in.Fragments {
		if i%10 != 9 {
			text = append(text, f.Body)
		}
	}
	whole := strings.Join(text, "\n\n")
	if got := eval[string](b, `document.querySelector('.prompt').textContent`); got != whole {
		t.Errorf("the text of the page has %d bytes, the prompt %d", len(got), len(whole))
	}
	// A place far away is found, led to, and marked where it stands.
	b.find("Rule 9998:")
	b.wait(`document.querySelector('.filter output').textContent === '1 of 10,000 fragments, 1 place in the text'`)
	b.press(kb.Enter)
	b.wait(`(() => { const r = [...CSS.highlights.get('found-here')][0]?.getBoundingClientRect(), v = document.querySelector('.text').getBoundingClientRect(); return r && r.top >= v.top && r.bottom <= v.bottom; })()`)
	if got := eval[string](b, `[...CSS.highlights.get('found-here')][0].toString()`); got != "Rule 9998:" {
		t.Errorf("marked is %q", got)
	}
	b.detailsHave("part.09998")
	b.press(kb.Escape)
	b.wait(`document.querySelector('.filter output').textContent === ''`)
	eval[any](b, `document.activeElement.blur()`)
	most("at the end", 250, 300)
	// Keys go on across what wasn't made.
	b.press(kb.Escape, "k", "k")
	b.detailsHave("part.09997")
	// Whoever scrolls through all of it leaves nothing behind.
	for _, area := range []string{".text", ".rows"} {
		for _, part := range []float64{0, 0.2, 0.4, 0.6, 0.8, 1} {
			eval[any](b, fmt.Sprintf(`(() => { const e = document.querySelector('%s'); e.scrollTop = e.scrollHeight * %v; window.looks = 0; const look = () => { if (++window.looks < 4) requestAnimationFrame(look); }; look(); })()`, area, part))
			b.wait(`window.looks === 4`)
			b.wait(fmt.Sprintf(`(() => { const v = document.querySelector('%s').getBoundingClientRect(), e = document.elementFromPoint(v.x + v.width / 2, v.y + v.height / 2); return e.closest('.row, .frag') !== null || e.closest('.prompt, .rows') === null || e.matches('.prompt, .rows'); })()`, area))
		}
	}
	most("after scrolling", 300, 400)
	if got := eval[string](b, `document.querySelector('.prompt').textContent`); got != whole {
		t.Error("after scrolling the text is another")
	}
	// All of it is on paper.
	eval[any](b, `dispatchEvent(new Event('beforeprint'))`)
	if got := b.drawn(); got.Rows != 10_000 || got.Blocks != 9_000 {
		t.Errorf("on paper is %+v", got)
	}
}

// TestInspectorHiddenViews: a view that isn't shown does nothing, and one that is shown
// again is what it was: nothing is asked for, made or drawn anew.
func TestInspectorHiddenViews(t *testing.T) {
	lengthtest.OnlyLong(t, "it waits for frames that must not come")
	b := newBrowser(t)
	b.signIn(folder(t, many(1000)))
	b.wait(`document.querySelector('.is-live').textContent === 'live'`)
	b.turn("todo") // what was asked for before the service told of changes is asked for again
	eval[any](b, `document.querySelector('.row a').click()`)
	all := []string{"prompt?without_tools=todo", "diff?without_tools=todo", "budget?without_tools=todo", "wire?without_tools=todo"}
	for range 2 {
		for _, v := range all {
			b.view(v)
		}
	}
	eval[any](b, `(() => {
		window.made = [];
		performance.clearResourceTimings();
		new MutationObserver((list) => {
			for (const m of list) for (const n of m.addedNodes) if (!n.parentElement?.matches('.other-view, [role=status], .inspector') && !n.parentElement?.closest('.inspector')) window.made.push((n.className || n.nodeName) + ' in ' + (m.target.className || m.target.nodeName));
		}).observe(document.body, {childList: true, subtree: true});
	})()`)
	for _, v := range all {
		b.view(v)
	}
	if got := eval[[]string](b, `window.made`); len(got) > 0 {
		t.Errorf("%d nodes were made: %.300s", len(got), strings.Join(got, ", "))
	}
	if got := eval[[]string](b, `performance.getEntriesByType('resource').map((e) => e.name)`); len(got) > 0 {
		t.Errorf("asked was for %v", got)
	}
}
