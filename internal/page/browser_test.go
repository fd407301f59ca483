package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is one tab of a real browser. Everything that it asks the network
// for, and everything that it complains about, fails the test.
type browser struct {
	t   testing.TB
	ctx context.Context

	// site is where a service may be asked; empty: nobody is.
	site string

	mu         sync.Mutex
	complaints []string
	// expect is a part of complaints that are none.
	expect string
}

func findBrowser(t testing.TB) string {
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

// theBrowser is the process that all tests of the package have tabs of, each in a
// profile of its own: starting it takes longer than most of them.
var theBrowser struct {
	start sync.Once
	ctx   context.Context
	stop  func() error
	err   error
}

func startBrowser(path string) {
	folder, err := os.MkdirTemp("", "cento-browser")
	if theBrowser.err = err; err != nil {
		return
	}
	options := append([]chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(folder)},
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stopTab := chromedp.NewContext(ctx)
	theBrowser.ctx, theBrowser.err = ctx, chromedp.Do(ctx)
	theBrowser.stop = func() error {
		err := chromedp.Cancel(ctx)
		stopTab()
		stopAllocator()
		// The process has to be gone before its folder is.
		return errors.Join(err, os.RemoveAll(folder))
	}
}

// EndBrowser ends the process, if a test started it.
func EndBrowser() error {
	if theBrowser.stop == nil {
		return nil
	}
	return theBrowser.stop()
}

func newBrowser(t testing.TB) *browser {
	lengthtest.NotShort(t, "a browser takes seconds to draw")
	path := findBrowser(t)
	if t, ok := t.(*testing.T); ok {
		t.Parallel() // most of the time of a test is waiting for frames
	}
	theBrowser.start.Do(func() { startBrowser(path) })
	if theBrowser.err != nil {
		t.Fatal(theBrowser.err)
	}
	within := 2 * time.Minute
	if _, measures := t.(*testing.B); measures {
		within = 20 * time.Minute // many tries
	}
	ctx, stop := context.WithTimeout(theBrowser.ctx, within)
	ctx, stopTab := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	b := &browser{t: t, ctx: ctx}
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Errorf("closing the tab: %v", err)
		}
		stopTab()
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
		if u := e.Request.URL; !strings.HasPrefix(u, "file:") && !strings.HasPrefix(u, "data:") && u != "about:blank" && (b.site == "" || !strings.HasPrefix(u, b.site+"/")) {
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
		if b.expect == "" || !strings.Contains(complaint, b.expect) {
			b.complaints = append(b.complaints, complaint)
		}
	}
}

// expected lets the browser say something.
func (b *browser) expected(part string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expect = part
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
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(60*time.Second))); err != nil {
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
