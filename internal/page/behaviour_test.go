package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"
)

var ours = Page{Title: "Acme reviewer", Project: "ledger", Target: "ci", Changes: []string{"without the tool todo"}, Version: "0.1.0"}

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
	lengthtest.OnlyLong(t, "TestBrowserKeyboard pins the same kinds of lines")
	b := newBrowser(t)
	b.open(ours, sample(), "")
	b.pointAt(".prompt .var")
	b.detailsHave("primary:system", "cento.yaml:2:15", "agent.name", "this project's: workspace", "Around it", "this project's: workspace, with builtin", "unconditional")
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
	if got := eval[string](b, `document.querySelector('[role=status]').textContent`); !strings.Contains(got, "cento.yaml:2:15") || !strings.Contains(got, "this project's: workspace") {
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

func TestBrowserFindsRemovedTexts(t *testing.T) {
	b := newBrowser(t)
	e := sample()
	at := in("AGENTS.md", 31, 3)
	e.Removed = []cento.RemovedText{
		{Fragment: "project:instructions", Origin: &at, Bytes: 21, Reason: "cut by the budget: kept 998 of 2509 bytes", Code: cento.CodeBudgetInstructions, Text: "Rule number 30\n  says"},
		{Bytes: 5, Reason: "switched off", Code: "host.disabled", Text: "other"},
	}
	b.open(ours, e, "")
	b.find("rule NUMBER 30 says")
	b.wait(`document.querySelector('output').textContent === '0 of 20 fragments, 0 places in the text, 1 removed text'`)
	got := eval[string](b, `document.querySelector('.removed-of > ul > li:not([hidden])').innerText`)
	if !strings.Contains(got, "AGENTS.md:31:3") || !strings.Contains(got, e.Removed[0].Reason) {
		t.Errorf("the page shows %q", got)
	}
	b.find("nowhere at all")
	b.wait(`document.querySelector('output').textContent === '0 of 20 fragments, 0 places in the text'`)
}

func TestBrowserListOfFragments(t *testing.T) {
	lengthtest.OnlyLong(t, "TestBrowserKeyboard walks through the same list")
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
	b.detailsHave("scope:boundaries", "protected: a budget never drops it")
	if !eval[bool](b, `(() => { const r = document.getElementById('scope:boundaries').getBoundingClientRect(); return r.top >= 0 && r.top < innerHeight; })()`) {
		t.Error("the fragment of the address isn't in sight")
	}
	b.open(hostilePage(), hostilePrompt(), "#"+strings.TrimPrefix(link("0 "+hostile[0]), "#"))
	b.detailsHave("</script><img src=x onerror=alert(1)>", "unpin")
}
