package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// many is a project of so many fragments, some of which are out.
func many(n int) map[string]string {
	var b strings.Builder
	b.WriteString("version: 1\nprofile: off\nskills: off\nmodel: claude-sonnet-4-5\ntools:\n  - {name: read, guidance: Read it.}\n  - {name: todo, guidance: List it.}\nfragments:\n")
	for i := range n {
		gate := ""
		switch i % 10 {
		case 3:
			gate = "requires_tools: [todo], "
		case 7:
			gate = "requires_caps: [none], "
		}
		fmt.Fprintf(&b, "- {id: t.part-%05d, %sbody: \"Rule %d: look at the whole,\\nand say why.\"}\n", i, gate, i)
	}
	return map[string]string{"cento.yaml": b.String()}
}

// tenThousand is a prompt of as many fragments, of which a tenth is out.
func tenThousand() cento.Input {
	var in cento.Input
	for i := range 10_000 {
		f := cento.NewFragment(fmt.Sprintf("part.%05d", i), []string{"host", "tool:read", "manifest"}[i%3], cento.Before, fmt.Sprintf("Rule %d: look at the whole,\nand say why.", i))
		if i%10 == 9 {
			f.RequiresTools = []string{"none"}
		}
		in.Fragments = append(in.Fragments, f)
	}
	return in
}

// longLine is a prompt with one line of ten megabytes between two short ones.
func longLine() cento.Input {
	of := func(id, text string) cento.Fragment { return cento.NewFragment(id, "host", cento.Before, text) }
	return cento.Input{Fragments: []cento.Fragment{of("first", "How it begins."), of("line", strings.Repeat("0123456789", 1<<20)+" needle"), of("last", "How it ends.")}}
}

// watched makes a page note when its first view stands: when the first frame that has a
// row and waits for nothing is drawn.
const watched = `(() => {
	const look = () => {
		if (document.querySelector('.row, .failed:not([hidden])') && !document.body.classList.contains('busy')) requestAnimationFrame((now) => { window.stands = now; });
		else requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
})()`

// switched goes to an address, and notes the time until the frame in which its view
// stands, and until nothing is waited for.
const switched = `(() => {
	const from = performance.now();
	window.settled = null;
	const look = (then) => requestAnimationFrame(() => { then() || look(then); });
	addEventListener('hashchange', () => {
		look(() => { window.shown = performance.now() - from; return true; });
		look(() => !document.body.classList.contains('busy') && (window.settled = performance.now() - from));
	}, {once: true});
	location.hash = %s;
})()`

// BenchmarkInspector measures in the browser, in milliseconds: the first view from the
// start of the navigation (the median, the least and the most), and a switch to a view that was seen before, until it is shown
// and until nothing is waited for any more. The processor time of the page's thread is told
// beside both, since a machine that does other things too makes a page wait.
func BenchmarkInspector(b *testing.B) {
	for _, c := range []struct {
		name  string
		files map[string]string
		is    map[string]cento.Input
		at    string
	}{
		{"1000", many(1000), nil, ""},
		{"10000", nil, map[string]cento.Input{"big": tenThousand()}, "record=web:big@1"},
		{"line", nil, map[string]cento.Input{"big": longLine()}, "record=web:big@1"},
	} {
		b.Run(c.name, func(b *testing.B) {
			br := newBrowser(b)
			command(br, performance.Enable, performance.EnableParams{TimeDomain: "threadTicks"})
			br.enter(StartRecorded(b, folder(b, c.files), c.is))
			command(br, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: watched})
			eval[any](br, `location.hash = '#/web/prompt?' + %s`, c.at)
			var first []float64
			var work, shown, settled, again float64
			switches := 0
			for b.Loop() {
				br.run(chromedp.Navigate("about:blank"))
				before := br.worked()
				br.run(chromedp.Navigate(br.site + "/#/web/prompt?" + c.at))
				br.wait(`window.stands !== undefined`)
				first = append(first, eval[float64](br, `window.stands`))
				work += br.worked() - before
				views := []string{"prompt?" + c.at, "budget", "wire", "diff"}
				for round := range 2 {
					for _, v := range views {
						before := br.worked()
						eval[any](br, switched, "#/web/"+v)
						br.wait(`window.settled !== null`)
						if round == 0 {
							continue
						}
						switches++
						shown += eval[float64](br, `window.shown`)
						settled += eval[float64](br, `window.settled`)
						again += br.worked() - before
					}
				}
			}
			slices.Sort(first)
			for name, v := range map[string]float64{"first-ms": first[len(first)/2], "first-least-ms": first[0], "first-most-ms": first[len(first)-1], "first-work-ms": work / float64(b.N), "shown-ms": shown / float64(switches), "settled-ms": settled / float64(switches), "switch-work-ms": again / float64(switches)} {
				b.ReportMetric(v, name)
			}
		})
	}
}

// worked is how many milliseconds of a processor the page's thread has had.
func (b *browser) worked() float64 {
	b.t.Helper()
	m, err := chromedp.Call(b.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		b.t.Fatal(err)
	}
	at := slices.IndexFunc(m.Metrics, func(x *performance.Metric) bool { return x.Name == "TaskDuration" })
	return 1000 * m.Metrics[at].Value
}
