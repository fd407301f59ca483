package page

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// git runs git in a folder, without anything of the machine's configuration.
func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"}, args...)...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func rewrite(t testing.TB, name, from, to string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(b), from) {
		t.Fatalf("%s has no %q (%v)", name, from, err)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(string(b), from, to, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestInspectorHistory: a line that is pinned tells its commit, and the view Diff sets
// commits beside each other and beside the files.
func TestInspectorHistory(t *testing.T) {
	lengthtest.OnlyLong(t, "it makes the revisions of a repository")
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: there is no git")
	}
	dir := folder(t, nil)
	manifest := filepath.Join(dir, "cento.yaml")
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "How we began")
	rewrite(t, manifest, "Be kind.", "Be kind and short.")
	git(t, dir, "commit", "-q", "-a", "-m", "Shorter <b>answers</b>")
	rewrite(t, manifest, "Note every finding in the list.", "Note each finding in the list.")
	b := newBrowser(t)
	b.signIn(dir)
	for selector, want := range map[string]string{
		`#team\.tone .body`: "Shorter <b>answers</b>", `#project\:instructions .body:last-child`: "How we began", `#team\.todo .body`: "not committed",
	} {
		b.click(selector)
		b.wait(`document.querySelector('.inspector').innerText.includes('Commit') && !document.querySelector('.inspector').innerText.includes('looking it up')`)
		b.detailsHave(want)
	}
	b.view("diff?a=git%3AHEAD~1&b=git%3AHEAD")
	b.sees("team.tone", "1 difference", "commit HEAD~1")
	if got := eval[string](b, `[...document.querySelectorAll('.entry ins')].map((e) => e.textContent).join('|')`); got != " and short" && got != "and short" {
		t.Errorf("marked is %q", got)
	}
	b.view("diff?a=git%3AHEAD")
	b.sees("team.todo", "1 difference", "each")
	b.expected("422")
	// A commit is chosen by its name; one that isn't there is told, and the choice stays.
	eval[any](b, `(() => { const s = document.querySelector('.other-view select'); s.value = '?'; s.dispatchEvent(new Event('change')); const i = document.querySelector('.other-view .field input'); i.value = 'HAED'; i.dispatchEvent(new Event('change')); })()`)
	b.wait(`!document.querySelector('.failed').hidden`)
	b.idle()
	if got := eval[string](b, `document.querySelector('.failed').innerText`); !strings.Contains(got, "HAED") || strings.Contains(got, dir) {
		t.Errorf("of a commit that isn't there is said\n%s", got)
	}
	eval[any](b, `(() => { const s = document.querySelector('.other-view select'); s.value = ''; s.dispatchEvent(new Event('change')); })()`)
	b.wait(`document.querySelector('.failed').hidden`)
}

// TestInspectorLive: files that change make what is looked at anew, and what is pinned
// stays so.
func TestInspectorLive(t *testing.T) {
	dir := folder(t, nil)
	b := newBrowser(t)
	b.signIn(dir)
	b.wait(`document.querySelector('.is-live').textContent === 'live'`)
	b.turn("todo")
	b.click(`#primary\:system .var`)
	part := eval[string](b, `document.querySelector('.at-span').textContent`)
	rewrite(t, filepath.Join(dir, "AGENTS.md"), "Never push to main.", "Never push on Fridays.")
	b.wait(`document.querySelector('.prompt').textContent.includes('Fridays')`)
	b.idle()
	b.detailsHave("primary:system", "unpin", "vars.lang")
	if got := eval[string](b, `document.querySelector('.at-span').textContent`); got != part {
		t.Errorf("%q was pinned, and now %q", part, got)
	}
	if got := b.result(); !strings.Contains(got, "2 went") {
		t.Errorf("the what-if is\n%s", got)
	}
	if said := eval[string](b, `document.querySelector('[role=status]').textContent`); said == "" {
		t.Error("nothing is said")
	}
	// Files that can't be read are told, and what was shown stays until they can.
	b.expected("4")
	rewrite(t, filepath.Join(dir, "cento.yaml"), "fragments:", "fragment:")
	b.wait(`!document.querySelector('.failed').hidden`)
	if got := eval[string](b, `document.querySelector('.failed').innerText`); !strings.Contains(got, "cento.yaml") || !strings.Contains(got, "did you mean") {
		t.Errorf("what is wrong is told as\n%s", got)
	}
	rewrite(t, filepath.Join(dir, "cento.yaml"), "fragment:", "fragments:")
	b.wait(`document.querySelector('.failed').hidden`)
	// Another view follows, too, and a session shows its next turn, with what was billed.
	b.conversation()
	b.view("session")
	b.posted("/v1/sessions/web:s1/turn", `{}`)
	b.wait(`document.querySelectorAll('.entry').length >= 3`)
	if got := b.posted("/v1/sessions/web:s1/usage", `{"turn": 1, "usage": {"input_tokens": 40, "cache_creation_input_tokens": 1000, "cache_read_input_tokens": 7}}`); strings.Contains(got, `"status"`) {
		t.Fatal(got)
	}
	b.wait(`document.querySelector('.billed') !== null`)
	b.sees("billed 7 read from the cache, 1,000 written, 40 paid in full; 7 more tokens were read than predicted; likely: ")
	// A tab that nobody sees holds no connection, and is told what came when it is seen.
	see := func(hidden bool) {
		eval[any](b, `(() => { Object.defineProperty(document, 'hidden', {configurable: true, value: %s}); document.dispatchEvent(new Event('visibilitychange')); })()`, hidden)
	}
	see(true)
	eval[any](b, `(() => { window.streams = []; const real = fetch; window.fetch = (path, o) => { if (path === '/v1/events') window.streams.push(o.signal); return real(path, o); }; })()`)
	before := eval[int](b, `document.querySelectorAll('.entry').length`)
	b.posted("/v1/sessions/web:s1/remind", `{"reminder": {"body": "Lint is red.", "ttl_turns": 1}}`)
	b.posted("/v1/sessions/web:s1/turn", `{}`)
	if got := eval[[]int](b, `[window.streams.length, document.querySelectorAll('.entry').length]`); got[0] != 0 || got[1] != before {
		t.Errorf("a tab that is hidden asks %d times, and shows %d entries for %d", got[0], got[1], before)
	}
	see(false)
	b.wait(fmt.Sprintf(`document.querySelectorAll('.entry').length > %d`, before))
	see(true)
	if !eval[bool](b, `window.streams.length === 1 && window.streams[0].aborted`) {
		t.Error("a tab that is hidden keeps its connection")
	}
	// So a page that is left, which a browser keeps, takes none from those that come.
	for range 8 {
		b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(b.site+"/#/web/prompt"))
		b.wait(`document.querySelector('.row') !== null && document.querySelector('.is-live').textContent === 'live'`)
	}
}
