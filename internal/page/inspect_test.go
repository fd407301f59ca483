package page

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// idle waits until nothing is under way.
func (b *browser) idle() {
	b.t.Helper()
	b.wait(`!document.body.classList.contains('busy')`)
}

// turn clicks the switch of a name.
func (b *browser) turn(name string) {
	b.t.Helper()
	eval[any](b, `[...document.querySelectorAll('.switch')].find((l) => l.textContent === %s).querySelector('input').click()`, name)
	b.idle()
}

// result is what the panel says of what is different.
func (b *browser) result() string {
	return eval[string](b, `document.querySelector('.result').innerText`)
}

// copied presses a button of the panel, and gives what it copies.
func (b *browser) copied(button string) string {
	b.t.Helper()
	eval[any](b, `(() => {
		window.copied = null;
		Object.defineProperty(navigator, 'clipboard', {configurable: true, value: {writeText: async (t) => { window.copied = t; }}});
		[...document.querySelectorAll('.result button')].find((e) => e.textContent === %s).click();
	})()`, button)
	b.wait(`window.copied !== null`)
	return eval[string](b, `window.copied`)
}

// TestInspectorSignIn: a link lets one browser in; the code is gone from the address and
// the history, and the token is in the tab alone.
func TestInspectorSignIn(t *testing.T) {
	b := newBrowser(t)
	dir := folder(t, nil)
	link := StartService(t, dir)
	b.site, _, _ = strings.Cut(link, "/#")
	b.run(chromedp.Navigate(link))
	b.wait(`document.querySelector('.row') !== null`)
	_, code, _ := strings.Cut(link, "sign-in=")
	token := eval[string](b, `sessionStorage.getItem('cento.token')`)
	if len(token) < 40 || strings.Contains(token, code) {
		t.Errorf("the token is %q", token)
	}
	for _, secret := range []string{code, token} {
		if at := eval[string](b, `location.href`); strings.Contains(at, secret) {
			t.Errorf("the address has a secret: %s", at)
		}
		if text := eval[string](b, `document.documentElement.outerHTML`); strings.Contains(text, secret) {
			t.Error("the page has a secret")
		}
	}
	if eval[int](b, `localStorage.length`) != 0 || eval[string](b, `document.cookie`) != "" {
		t.Error("something outlives the tab")
	}
	// The tab forgets, and the link is used up.
	eval[any](b, `document.querySelector('#sign-out').click()`)
	b.wait(`!document.querySelector('.enter').hidden`)
	if eval[bool](b, `sessionStorage.getItem('cento.token') !== null`) {
		t.Error("signing out keeps the token")
	}
	b.expected("401")
	b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(link))
	b.wait(`document.querySelector('.enter .wrong').textContent.includes('used')`)
	// A token of another sort is told, and the right one lets in.
	b.run(chromedp.SendKeys("#token", "nonsense"), chromedp.SendKeys("#token", kb.Enter))
	b.wait(`document.querySelector('.enter .wrong').textContent.includes('doesn’t know this token')`)
	b.run(chromedp.SendKeys("#token", "cento_of-the-tests-of-the-inspector-0123456789"), chromedp.SendKeys("#token", kb.Enter))
	b.wait(`document.querySelector('.row') !== null`)
}

// TestInspectorPrompt: the page that is alive shows what the one from a disk shows.
func TestInspectorPrompt(t *testing.T) {
	b := newBrowser(t)
	b.signIn(folder(t, nil))
	text := eval[string](b, `document.querySelector('.prompt').textContent`)
	if !strings.Contains(text, "Keep the todo list short and up to date.\n\nRun commands") || !strings.Contains(text, "Never push to main.") {
		t.Errorf("the prompt is\n%s", text)
	}
	b.click(`.prompt .var`)
	b.detailsHave("primary:system", "unconditional", "vars.lang", "cento.yaml:6:14", "unpin")
	if at := b.hash(); !strings.Contains(at, "at=primary:system") {
		t.Errorf("the address is %s", at)
	}
	b.press(kb.Escape)
	b.find("the list")
	b.wait(`document.querySelector('.filter output').textContent === '1 of 15 fragments, 1 place in the text'`)
	b.press(kb.Escape)
	// What is out stands in its place, struck, and is no part of what is searched.
	b.click("#struck")
	struck := eval[[]string](b, `[...document.querySelectorAll('.prompt .struck')].map((e) => e.innerText)`)
	if got := strings.Join(struck, "\n"); !strings.Contains(got, "team.ci: requires capability `headless` (not set)\nNobody can answer questions.") || !strings.Contains(got, "team.no-shell") {
		t.Errorf("struck is\n%s", got)
	}
	if before := eval[string](b, `document.querySelector('.struck').previousElementSibling.dataset.f`); before == "" {
		t.Error("what is out stands nowhere")
	}
	b.find("Nobody can answer")
	b.wait(`document.querySelector('.filter output').textContent === '1 of 15 fragments, 0 places in the text'`)
}

// TestInspectorWhatIf: a switch makes the prompt anew; the address has the state; what is
// copied runs, and says the same.
func TestInspectorWhatIf(t *testing.T) {
	b := newBrowser(t)
	dir := folder(t, nil)
	b.signIn(dir)
	digest := func() string { return eval[string](b, `document.querySelector('.digest .full').textContent`) }
	first := digest()
	// What stays is not made anew, so that nobody loses their place.
	eval[any](b, `window.stays = document.getElementById('primary:system')`)
	b.turn("todo")
	if !eval[bool](b, `window.stays === document.getElementById('primary:system') && +window.stays.dataset.f >= 0`) {
		t.Error("a fragment that stays is another element")
	}
	got := b.result()
	for _, want := range []string{"→", "−", "2 went", "team.todo", "tool:todo.guidance"} {
		if !strings.Contains(got, want) {
			t.Errorf("the result lacks %q:\n%s", want, got)
		}
	}
	if said := eval[string](b, `document.querySelector('[role=status]').textContent`); !strings.Contains(said, "2 fragments went") {
		t.Errorf("a screen reader is told %q", said)
	}
	if strings.Contains(eval[string](b, `document.querySelector('.prompt').textContent`), "todo") {
		t.Error("the prompt still speaks of the tool")
	}
	eval[any](b, `[...document.querySelectorAll('.went button')][0].click()`)
	b.detailsHave("team.todo", "requires tool `todo` (not available)")
	b.press(kb.Escape)
	// A capability, a variable, and a tool that wasn't on.
	b.turn("headless")
	eval[any](b, `(() => { const i = [...document.querySelectorAll('.vars label')].find((l) => l.textContent === 'lang').querySelector('input'); i.value = "it's"; i.dispatchEvent(new Event('change')); })()`)
	b.idle()
	if got := b.result(); !strings.Contains(got, "1 came") || !strings.Contains(got, "1 changed") {
		t.Errorf("the result is\n%s", got)
	}
	if got, want := b.hash(), `#/web/prompt?without_tools=todo&caps=headless&vars={"lang":"it's"}`; strings.ReplaceAll(got, "+", " ") != want {
		t.Errorf("the address is %s, not %s", got, want)
	}
	changed := digest()
	if changed == first {
		t.Error("the digest stays")
	}
	line := b.copied("Copy as command")
	if want := `cento explain --without-tool todo --cap headless --var 'lang=it'\''s'`; line != want {
		t.Errorf("the command is %s, not %s", line, want)
	}
	var e struct{ Digest string }
	if err := json.Unmarshal(runCento(t, dir, line+" --json --clock 2026-01-02T03:04:05Z"), &e); err != nil || e.Digest != changed {
		t.Errorf("the command gives %s (%v), the page %s", e.Digest, err, changed)
	}
	test := b.copied("Copy as test case")
	if err := os.WriteFile(filepath.Join(dir, "copied.cento-test.yaml"), []byte(test), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := string(runCento(t, dir, "cento test")); !strings.HasPrefix(out, "1 passed, 0 failed") {
		t.Errorf("the test says %s\n%s", out, test)
	}
	// The test says something: without the change it fails.
	broken := strings.Replace(test, "      without_tools: [\"todo\"]\n", "", 1)
	if err := os.WriteFile(filepath.Join(dir, "copied.cento-test.yaml"), []byte(broken), 0o600); err != nil || broken == test {
		t.Fatal(err, "\n", test)
	}
	if out := string(runCento(t, dir, "cento test || true")); !strings.Contains(out, "0 passed, 1 failed") {
		t.Errorf("a test that can't fail:\n%s", out)
	}
	if err := os.Remove(filepath.Join(dir, "copied.cento-test.yaml")); err != nil {
		t.Fatal(err)
	}
	// Another tab with the same address is in the same state.
	b.run(chromedp.Reload())
	b.wait(`document.querySelector('.row') !== null`)
	b.idle()
	if digest() != changed {
		t.Error("the address doesn't lead to the same prompt")
	}
	eval[any](b, `[...document.querySelectorAll('.result button')].find((e) => e.textContent === 'Reset').click()`)
	b.idle()
	if digest() != first || b.hash() != "#/web/prompt" {
		t.Errorf("after a reset the address is %s", b.hash())
	}
}

// TestInspectorSlider: the slider takes things out as it moves, and a target that has
// fewer tools lets one be added.
func TestInspectorSlider(t *testing.T) {
	lengthtest.OnlyLong(t, "TestInspectorWhatIf holds what a change shows")
	b := newBrowser(t)
	dir := folder(t, nil)
	b.signIn(dir)
	eval[any](b, `(() => { const s = document.querySelector('.budget [type=range]'); s.value = Number(s.max) - 5; s.dispatchEvent(new Event('input')); })()`)
	b.idle()
	if got := b.result(); !strings.Contains(got, "went") || !strings.Contains(got, "team.tone") {
		t.Errorf("under a budget\n%s", got)
	}
	eval[any](b, `[...document.querySelectorAll('.budget button')][0].click()`)
	b.idle()
	eval[any](b, `(() => { const s = document.querySelector('.changes select'); s.value = 'ci'; s.dispatchEvent(new Event('change')); })()`)
	b.idle()
	b.turn("shell")
	if got := b.copied("Copy as command"); got != "cento explain --target ci --tool read,shell" && got != "cento explain --target ci --tool read --tool shell" {
		t.Errorf("the command is %s", got)
	}
	b.turn("shell")
	b.turn("read")
	line := b.copied("Copy as command")
	var e struct{ Digest string }
	if err := json.Unmarshal(runCento(t, dir, line+" --json --clock 2026-01-02T03:04:05Z"), &e); err != nil || e.Digest != eval[string](b, `document.querySelector('.digest .full').textContent`) {
		t.Errorf("%s gives %s (%v)", line, e.Digest, err)
	}
}

// runCento runs a line in a folder, as a shell does.
func runCento(t *testing.T, dir, line string) []byte {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("skipped: there is no sh to run what was copied")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "cento")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(sh, "-c", line)
	home := t.TempDir()
	c.Dir, c.Env = dir, []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home}
	var complaint strings.Builder
	c.Stderr = &complaint
	out, err := c.Output()
	if err != nil {
		t.Errorf("%s: %v\n%s%s", line, err, out, complaint.String())
	}
	return out
}
