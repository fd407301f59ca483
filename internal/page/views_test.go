package page

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/lengthtest"
)

// view leads to a view by its address.
func (b *browser) view(rest string) {
	b.t.Helper()
	eval[any](b, `(() => {
		const was = location.hash;
		window.arrived = false;
		addEventListener('hashchange', () => { window.arrived = true; }, {once: true});
		location.hash = %s;
		if (location.hash === was) window.arrived = true; // where it is already
	})()`, "#/web/"+rest)
	b.wait(`window.arrived`)
	b.idle()
}

// posted asks the service as the page does, and gives its answer.
func (b *browser) posted(path, body string) string {
	b.t.Helper()
	eval[any](b, `(() => {
		window.answer = null;
		fetch(%s, {method: 'POST', headers: {Authorization: 'Bearer cento_of-the-tests-of-the-inspector-0123456789', 'Content-Type': 'application/json'}, body: %s}).then((r) => r.text()).then((t) => { window.answer = t; });
	})()`, path, body)
	b.wait(`window.answer !== null`)
	return eval[string](b, `window.answer`)
}

// conversation begins a session of three turns, of which one has a reminder and one
// another prompt.
func (b *browser) conversation() {
	b.t.Helper()
	for _, s := range [][2]string{
		{"/v1/sessions", `{"project": "web", "id": "s1", "placement": "system", "materialise": "per_turn"}`},
		{"/v1/sessions/web:s1/turn", `{}`},
		{"/v1/sessions/web:s1/remind", `{"reminder": {"body": "Tests are red.", "ttl_turns": 1}}`},
		{"/v1/sessions/web:s1/turn", `{}`},
		{"/v1/sessions/web:s1/turn", `{}`},
	} {
		if got := b.posted(s[0], s[1]); strings.Contains(got, `"status"`) {
			b.t.Fatalf("%s: %s", s[0], got)
		}
	}
}

func (b *browser) seen() string {
	return eval[string](b, `document.querySelector('.other-view').innerText`)
}

func (b *browser) sees(wants ...string) {
	b.t.Helper()
	got := b.seen()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			b.t.Errorf("the view lacks %q:\n%s", want, got)
		}
	}
}

// allViews are the views with something to see in each.
var allViews = map[string]string{
	"prompt": "prompt?without_tools=todo", "diff": "diff?b=target%3Aci", "budget": "budget", "wire": "wire", "session": "session", "records": "records?text=" + "Tests+are+red",
}

// TestSessionsOfTheProject: those that the service has are listed, also while nothing is
// recorded of one, the one that something was done to last before the others.
func TestSessionsOfTheProject(t *testing.T) {
	b := newBrowser(t)
	b.signIn(folder(t, nil))
	b.view("session")
	b.sees("No session of this project has begun.")
	b.posted("/v1/sessions", `{"project": "web", "id": "s0", "materialise": "per_turn"}`)
	b.view("prompt")
	b.view("session")
	b.sees("web:s0", "0 reminders pending")
	b.conversation()
	b.posted("/v1/sessions", `{"project": "web", "id": "s2", "materialise": "per_turn"}`)
	b.posted("/v1/sessions/web:s1/turn", `{}`)
	b.view("prompt")
	b.view("session")
	if got := eval[[]string](b, `[...document.querySelectorAll('.other-view option')].map((o) => o.value)`); fmt.Sprint(got) != "[web:s1 web:s2 web:s0]" {
		t.Errorf("listed are %v", got)
	}
}

func TestInspectorViews(t *testing.T) {
	b := newBrowser(t)
	b.signIn(folder(t, nil))
	b.conversation()
	b.view(allViews["diff"])
	b.sees("team.ci", "Nobody can answer questions.", "went", "came", "tool:shell.guidance")
	b.view("diff?a=target%3Aci&b=target%3Abrief")
	b.sees("changed", "fr")
	if got := eval[[]string](b, `[...document.querySelectorAll('.entry.mod ins')].map((e) => e.textContent)`); fmt.Sprint(got) != "[fr]" {
		t.Errorf("marked are %v", got)
	}
	b.view("budget")
	b.sees("team.tone", "Required", "The whole prompt")
	first := eval[string](b, `document.querySelector('output:not(.filter output)').textContent`)
	eval[any](b, `(() => { const s = document.querySelector('.other-view [type=range]'); s.value = s.min; s.dispatchEvent(new Event('input')); })()`)
	if now := eval[string](b, `document.querySelector('.other-view output').textContent`); now == first || !strings.Contains(now, "shortens required fragments") {
		t.Errorf("the slider says %s", now)
	}
	if eval[int](b, `document.querySelectorAll('tr.gone').length`) == 0 {
		t.Error("nothing is given up at the least budget")
	}
	b.view("wire")
	b.sees("cache breakpoint behind", "Refuse what has no test.", "claude-sonnet-4-5")
	if n := eval[int](b, `new Set([...document.querySelectorAll('.piece')].map((e) => e.title)).size`); n < 5 {
		t.Errorf("%d parts are coloured", n)
	}
	if got := eval[[]string](b, `[...document.querySelectorAll('.line select option')].map((o) => o.value)`); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(app.WireForms()))) {
		t.Errorf("the forms are %q", got)
	}
	b.view("session")
	b.sees("web:s1", "turn 1", "read from the cache")
	eval[any](b, `[...document.querySelectorAll('.entry details')].at(-1).open = true`)
	b.wait(`/reminder/.test([...document.querySelectorAll('.entry details')].at(-1).innerText)`)
	b.view(allViews["records"])
	b.sees("web:s1@", "1 record")
	eval[any](b, `document.querySelector('.entry details').open = true`)
	b.wait(`document.querySelector('.entry mark')?.textContent === 'Tests are red'`)
	eval[any](b, `document.querySelector('.entry a.frag-name').click()`)
	b.wait(`!document.querySelector('.prompt-view').hidden && document.querySelector('.prompt').textContent.includes('Tests are red.')`)
}

// TestInspectorNarrow: on the narrowest screens and at 200 % no view is wider than the
// screen, and every tab is seen whole, when the window was wide before too.
func TestInspectorNarrow(t *testing.T) {
	lengthtest.OnlyLong(t, "what a narrow screen shows changes with the style alone")
	b := newBrowser(t)
	b.signIn(folder(t, nil))
	b.conversation()
	for _, name := range slices.Sorted(maps.Keys(allViews)) {
		b.run(chromedp.EmulateViewport(1440, 900))
		b.view(allViews[name])
		for _, size := range [][2]int64{{360, 800}, {320, 640}, {720, 450}, {360, 225}} { // the last two are 200 % of usual ones
			b.run(chromedp.EmulateViewport(size[0], size[1]))
			got := eval[struct {
				Wide int
				Cut  []string
			}](b, `({Wide: document.documentElement.scrollWidth, Cut: [...document.querySelectorAll('.above :is(a, button, select):not([hidden])')].filter((e) => { const r = e.getBoundingClientRect(), top = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2); return r.x < 0 || r.right > innerWidth || e.scrollWidth > e.clientWidth + 1 || r.bottom <= innerHeight && !e.contains(top); }).map((e) => e.textContent)})`)
			if got.Wide > int(size[0]) || len(got.Cut) > 0 {
				t.Errorf("%s on %v is %d wide, and cut is %q", name, size, got.Wide, got.Cut)
			}
		}
	}
}

// TestInspectorLongNames: names of 200 characters, in any script, stand upon nothing else and
// within the screen, in every view.
func TestInspectorLongNames(t *testing.T) {
	lengthtest.OnlyLong(t, "every view is drawn")
	name := strings.Repeat("averylongname", 15) + "שלום!"
	b := newBrowser(t)
	b.expected("422")
	b.signIn(folder(t, map[string]string{"cento.yaml": "version: 1\nprofile: off\nskills: off\nmodel: claude-sonnet-4-5\nvars: {v: " + name + ", " + name[:195] + ": x}\ncaps: [" + name[:195] + ", b]\ntools: [{name: " + name[:60] + ", description: d, guidance: 'استخدم (1) الأداة'}]\nfragments:\n  - {id: x." + name + ", body: 'שלום (1) abc', importance: 2}\n  - {id: y." + name + ", requires_tools: [none], body: out}\n  - {id: z, requires_tools: [" + name[:60] + "], body: in}\ntargets: {" + name[:195] + ": {tools: []}}\n"}))
	b.conversation()
	for _, address := range []string{"prompt?without_tools=" + name[:60], "diff?b=what&without_tools=" + name[:60], "budget", "wire", "session", "records?text=abc"} {
		b.view(address)
		eval[any](b, `(() => { if (!document.querySelector('.prompt-view').hidden) { document.querySelector('.changes').hidden = false; document.querySelector('.row a').click(); } document.querySelectorAll('.other-view details').forEach((d) => { d.open = true; }); })()`)
		b.wait(`[...document.querySelectorAll('.other-view details > div')].every((d) => d.childNodes.length)`)
		for _, width := range []int64{360, 720, 1440} {
			b.run(chromedp.EmulateViewport(width, 900))
			got := eval[struct {
				Wide     int
				Seen     int
				Off, Met []string
			}](b, `(() => {
				const seen = (e) => e.checkVisibility() && !e.closest('.sr, .scrolled, datalist, .skips') && e.getClientRects().length > 0;
				const box = (e) => e.getBoundingClientRect(), called = (e) => e.localName + '.' + e.className + ' ' + e.textContent.slice(0, 30);
				const all = [...document.querySelectorAll('button, select, input, summary, h1, h2, dd, p, .chip, .frag-name')].filter(seen);
				// Of those that stand beside each other none may stand on another.
				const lists = [...document.querySelectorAll('.switches, .controls, .entries, .rows > ol, .facts, .actions, .line, .head, .inspector dl, .frag > .label')].filter(seen);
				const met = lists.flatMap((list) => {
					const items = [...list.children].filter((e) => seen(e) && getComputedStyle(e).position !== 'absolute').map((e) => [e, box(e.matches('.switch') ? e.lastElementChild : e)]);
					return items.filter(([e, a], i) => items.slice(i + 1).some(([, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).map(([e]) => called(e));
				});
				return { Wide: document.documentElement.scrollWidth, Seen: all.length, Off: all.filter((e) => box(e).left < -1 || box(e).right > innerWidth + 1).map(called), Met: met };
			})()`)
			if got.Wide > int(width) || len(got.Off)+len(got.Met) > 0 || got.Seen < 5 {
				t.Errorf("%.20s on %d is %d wide with %d seen; off it are %q, and upon another stand %q", address, width, got.Wide, got.Seen, got.Off, got.Met)
			}
		}
	}
}

// TestInspectorTriesAgain: a service that is busy is asked again when it says, and one that
// can't be reached when somebody wants it.
func TestInspectorTriesAgain(t *testing.T) {
	lengthtest.OnlyLong(t, "it waits for what fails")
	b := newBrowser(t)
	b.signIn(folder(t, nil))
	answers := func(answer, view string) {
		eval[any](b, fmt.Sprintf(`(() => { const real = fetch; window.fetch = () => { window.fetch = real; return %s; }; location.hash = '#/web/%s'; })()`, answer, view))
		b.wait(`!document.querySelector('.failed').hidden || document.querySelector('.curve') !== null`)
	}
	answers(`Promise.resolve(new Response('{"status": 503, "code": "serve.busy", "message": "too much to do"}', {status: 503, headers: {'Retry-After': '0.2'}}))`, "budget")
	b.wait(`document.querySelector('.failed').hidden && document.querySelector('.curve') !== null`)
	answers(`Promise.reject(new TypeError('gone'))`, "wire")
	if got := eval[string](b, `document.querySelector('.failed').innerText`); !strings.Contains(got, "can’t be reached") {
		t.Errorf("of a service that is gone is said %q", got)
	}
	eval[any](b, `[...document.querySelectorAll('.failed button')].find((e) => e.textContent === 'Try again').click()`)
	b.wait(`document.querySelector('.failed').hidden && document.querySelector('.request') !== null`)
}

// TestInspectorScreens: on no screen is a view wider than it, and what is seen is saved
// where somebody wants to look.
func TestInspectorScreens(t *testing.T) {
	lengthtest.OnlyLong(t, "every view on every screen takes a minute")
	b := newBrowser(t)
	b.signIn(folder(t, nil))
	b.conversation()
	for _, name := range slices.Sorted(maps.Keys(allViews)) {
		address := allViews[name]
		b.view(address)
		b.screens(func(screen string) {
			if wide := eval[[]int](b, `[document.documentElement.scrollWidth, innerWidth]`); wide[0] > wide[1] {
				t.Errorf("%s on %s is %d wide of %d", name, screen, wide[0], wide[1])
			}
			b.shot(name + "-" + screen)
		})
		b.run(chromedp.EmulateViewport(1440, 900))
	}
	// What opens, and what is seen where there is nothing.
	b.expected("status of 4")
	for _, state := range [][3]string{
		{"pinned", "prompt", `document.querySelector('.prompt .var').click()`},
		{"struck", "prompt", `(() => { document.querySelector('#struck').click(); document.querySelector('.text').scrollIntoView(); })()`},
		{"found", "prompt", `(() => { const i = document.querySelector('.filter input'); i.value = 'the list'; i.dispatchEvent(new Event('input')); })()`},
		{"keys", "budget", `document.querySelector('#keys').click()`},
		{"no-record", "records?text=nobody+said+this", `document.querySelector('#help').close()`},
		{"no-difference", "diff", `1`},
		{"error", "prompt?target=nowhere", `1`},
		{"sign-in", "prompt", `document.querySelector('#sign-out').click()`},
	} {
		b.view(state[1])
		eval[any](b, state[2])
		b.screens(func(screen string) {
			if wide := eval[[]int](b, `[document.documentElement.scrollWidth, innerWidth]`); wide[0] > wide[1] {
				t.Errorf("%s on %s is %d wide of %d", state[0], screen, wide[0], wide[1])
			}
			if off := eval[[]string](b, `[...document.querySelectorAll('.enter:not([hidden]) *, dialog[open] *')].filter((e) => { const r = e.getBoundingClientRect(); return r.width && (r.left < 0 || r.right > innerWidth); }).map((e) => e.localName)`); len(off) > 0 {
				t.Errorf("%s on %s: off the screen are %v", state[0], screen, off)
			}
			b.shot(state[0] + "-" + screen)
		})
		b.run(chromedp.EmulateViewport(1440, 900))
	}
}

// TestInspectorEarlier: where what is asked for can't be made, what stays is told to be
// from before, and where nothing was before nothing stands there.
func TestInspectorEarlier(t *testing.T) {
	lengthtest.OnlyLong(t, "TestInspectorAgrees draws the views of what is")
	b := newBrowser(t)
	b.signIn(folder(t, nil))
	failed := func() string {
		return eval[string](b, `document.querySelector('.failed').hidden ? '' : document.querySelector('.failed').innerText`)
	}
	earlier := func() bool { return eval[bool](b, `document.body.classList.contains('earlier')`) }
	b.view("prompt")
	if failed() != "" || earlier() {
		t.Errorf("before anything fails: %q, earlier %v", failed(), earlier())
	}
	b.expected("status of 4")
	b.view("prompt?target=nowhere")
	if got := failed(); !strings.Contains(got, "Below is the earlier prompt, not this one.") || !strings.Contains(got, "known here: ci, brief") || !earlier() {
		t.Errorf("above the earlier prompt stands %q", got)
	}
	if got := eval[string](b, `getComputedStyle(document.querySelector('.about'), '::after').content`); got != `"earlier"` {
		t.Errorf("the earlier prompt is named %s", got)
	}
	eval[any](b, `document.querySelector('.failed button').click()`)
	b.idle()
	if got := failed(); got != "" || earlier() || strings.Contains(eval[string](b, `location.hash`), "nowhere") {
		t.Errorf("after the way back: %q, earlier %v", got, earlier())
	}
	// Another view has nothing from before where it shows nothing yet.
	b.view("budget?target=nowhere")
	if got := failed(); strings.Contains(got, "from before") || earlier() {
		t.Errorf("an empty view is told to be from before: %q", got)
	}
	b.view("budget")
	b.view("budget?target=nowhere")
	if got := failed(); !strings.Contains(got, "What stands below is from before.") || !earlier() {
		t.Errorf("a view from before isn't told to be one: %q", got)
	}
	// A request without a form can be given one where it is missed.
	b.view("wire?form=nothing")
	if got := failed(); got == "" || earlier() || strings.Contains(got, "from before") {
		t.Errorf("of a form that isn't there is said %q", got)
	}
	eval[any](b, `(() => { const s = document.querySelector('.other-view select'); s.value = 'openai'; s.dispatchEvent(new Event('change')); })()`)
	b.idle()
	if got := failed(); got != "" {
		t.Errorf("with a form: %q", got)
	}
	b.sees("messages")
	b.view("wire?form=openai-compatible")
	if got := failed(); got != "" {
		t.Errorf("with another: %q", got)
	}
	eval[any](b, `document.querySelector('#sign-out').click()`)
	if got := failed(); got != "" || earlier() {
		t.Errorf("where one signs in stands %q", got)
	}
	if got := eval[[]string](b, `(() => { const s = getComputedStyle(document.querySelector('.enter button')); return [s.color, s.backgroundColor]; })()`); got[0] == got[1] {
		t.Errorf("the button to sign in is %s on itself", got[0])
	}
	// The first that is asked for fails.
	eval[any](b, `(() => { location.hash = '#/web/prompt?target=nowhere'; const i = document.querySelector('#token'); i.value = 'cento_of-the-tests-of-the-inspector-0123456789'; i.form.requestSubmit(); })()`)
	b.wait(`!document.querySelector('.failed').hidden`)
	if got := failed(); strings.Contains(got, "earlier") || earlier() || !eval[bool](b, `document.querySelector('.prompt-view').hidden && document.querySelector('#what-if').hidden`) {
		t.Errorf("nothing was before, and it says %q", got)
	}
	b.shot("nothing-before")
	eval[any](b, `document.querySelector('.failed button').click()`)
	b.wait(`document.querySelector('.row') !== null && !document.querySelector('.prompt-view').hidden`)
	b.idle()
	if got := failed(); got != "" {
		t.Errorf("after the way back: %q", got)
	}
}

// TestInspectorCountsWhatIf: the button tells how much is different, and on a phone the
// panel is closed until it is asked for.
func TestInspectorCountsWhatIf(t *testing.T) {
	lengthtest.OnlyLong(t, "TestInspectorWhatIf holds what a change shows")
	b := newBrowser(t)
	b.signIn(folder(t, nil))
	counted := func() string { return eval[string](b, `document.querySelector('#what-if').textContent.trim()`) }
	b.run(chromedp.EmulateViewport(360, 800))
	for _, c := range [][2]string{
		{"prompt?without_tools=todo", "What if 2 fragments different"},
		{"prompt?model=claude-sonnet-4-5", "What if 0 fragments different"},
		{"prompt", "What if"},
	} {
		b.view("budget")
		b.view(c[0])
		if got := counted(); got != c[1] {
			t.Errorf("%s: the button says %q", c[0], got)
		}
		if !eval[bool](b, `document.querySelector('.changes').hidden`) {
			t.Errorf("%s: the panel stands before the prompt", c[0])
		}
	}
	b.run(chromedp.EmulateViewport(1440, 900))
	b.view("budget")
	b.view("prompt?without_tools=todo")
	if eval[bool](b, `document.querySelector('.changes').hidden`) {
		t.Error("the panel is closed on a desktop")
	}
}
