// The race detector empties pools at random, so what is asked for says nothing.
//go:build !race

package call_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/internal/pacetest"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/project/consent"
)

// The harness of ceilings: every operation and every kind of file that a stranger
// writes is given inputs that grow. No more work may be done than n log n of their
// length, and no more memory be asked for than the bound. Work is the time of the
// processor on this thread, which others on the machine don't change.

// shape is a text that grows: so many items between an opening and an end. A %d in
// an item is its number.
type shape struct{ open, item, end string }

func (s shape) text(size int) string {
	var b strings.Builder
	b.WriteString(s.open)
	numbered := strings.Contains(s.item, "%d")
	for i := 0; b.Len() < size-len(s.end); i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		if numbered {
			b.WriteString(strings.ReplaceAll(s.item, "%d", strconv.Itoa(i)))
		} else {
			b.WriteString(s.item)
		}
	}
	b.WriteString(s.end)
	return b.String()
}

// eater is something that takes a text.
type eater struct {
	name   string
	shapes []shape
	most   int // the longest text that is taken
	// project: a project is opened for it, at its own price.
	project bool
	eat     func(t testing.TB, text string) error
}

func eaters() []eater {
	operation := func(name string, shapes ...shape) eater {
		return eater{name, shapes, 4 << 20, false, func(_ testing.TB, text string) error {
			_, err := call.Answer(context.Background(), name, []byte(text), call.Options{})
			return err
		}}
	}
	asking := func(name string, shapes ...shape) eater {
		e := operation(name, shapes...)
		e.project = true
		return e
	}
	limits := cento.DefaultLimits()
	return []eater{
		operation("reduce",
			shape{`{"fragments":[`, `{}`, `]}`}, shape{`{"fragments":[`, `1`, `]}`}, shape{`{"fragments":[`, `{"id":"a%d","body":"x"}`, `]}`},
			shape{`{"fragments":[`, `{"id":"a","body":"x"}`, `]}`}, shape{`{"fragments":[{"id":"a","body":"x",`, `"k%d":1`, `}]}`},
			shape{`{"fragments":[`, `{"id":"a%d","body":"x","needs":["a0"]}`, `]}`}, shape{`{"fragments":[`, `{"id":"a%d","section":"s%d","body":"<|im_start|>"}`, `]}`},
			shape{`{"fragments":[],"tools":[`, `"t%d"`, `]}`}, shape{`{"fragments":[],"tools":[`, `"a b"`, `]}`}, shape{`{"fragments":[],"caps":[`, `"c%d"`, `]}`},
			shape{`{"fragments":[],"vars":{`, `"v%d":1`, `}}`}, shape{`{"fragments":[{"id":"a","trust":"session","body":"`, `## Working boundaries\n`, `"}]}`}),
		operation("scope",
			shape{`{"scope":{"allow":[`, `{}`, `]},"paths":[]}`}, shape{`{"scope":{"allow":[`, `{"target":"/a%d","permission":"read"}`, `]},"paths":["/x"]}`},
			shape{`{"scope":{"allow":[{"target":"/a","permission":"read"}]},"paths":[`, `"/a/%d"`, `]}`}),
		operation("render",
			shape{`{"root":"$workspace/a1","files":{`, `"$workspace/a%d":"x"`, `}}`}, shape{`{"root":"$workspace/a","files":{"$workspace/a":"`, `{{ 1 }}`, `"}}`},
			shape{`{"root":"$workspace/a","files":{"$workspace/a":"x"},"tools":[`, `{}`, `]}`}),
		operation("reminders",
			shape{`{"session":{"id":"s"},"ops":[`, `{}`, `]}`}, shape{`{"session":{"id":"s"},"ops":[`, `{"op":"turn_end"}`, `]}`},
			shape{`{"session":{"id":"s","reminders":[`, `{"id":"a%d","body":"x"}`, `]}}`}),
		operation("contract",
			shape{`{"contract":{"role":"proposer","objective":"x","context":{"seeds":[`, `{"id":"a%d","content":"x"}`, `]},"output":{"emit":"plan","key":"seeds"}}}`},
			shape{`{"contract":{"constraints":[`, `{}`, `]}}`}),
		operation("layers",
			shape{`{"layers":[`, `{}`, `]}`}, shape{`{"layers":[`, `{"name":"l%d","layer":{"slots":{"guidance":{"contributions":[{"content":"x"}]}}}}`, `]}`},
			shape{`{"layers":[],"context":{"tool_names":[`, `"a b"`, `]}}`}),
		asking("assemble",
			shape{`{"fragments":[`, `{}`, `]}`}, shape{`{"fragments":[`, `{"id":"a%d","body":"x"}`, `]}`}, shape{`{"manifest":{"fragments":[`, `{"id":"a%d","body":"x"}`, `]}}`},
			shape{`{"files":{`, `"a%d":"x"`, `}}`}, shape{`{"primary":{"parts":[`, `{"id":"a%d","body":"x"}`, `]}}`}, shape{`{"system_prompt_parts":[`, `"x"`, `]}`},
			shape{`{"tools":[`, `{"name":"t%d","guidance":"x"}`, `]}`}, shape{`{"without_tools":[`, `"t%d"`, `]}`}, shape{`{"caps":[`, `"c%d"`, `]}`}, shape{`{"vars":{`, `"v%d":1`, `}}`},
			shape{`{"input":{"fragments":[`, `{"id":"a%d","body":"x"}`, `]}}`}, shape{`{"system":"`, `## Working boundaries\n`, `"}`}),
		asking("explain", shape{`{"fragments":[`, `{"id":"a%d","body":"x"}`, `]}`}, shape{`{"profile":{"caps":[`, `"c%d"`, `]}}`}),
		asking("ablate",
			shape{`{"by":"source","fragments":[`, `{"id":"a%d","source":"team","body":"x y z"}`, `]}`}, shape{`{"by":"group","fragments":[`, `{"id":"a%d","body":"x","importance":1,"group":"g"}`, `]}`}),
		asking("budget",
			shape{`{"budget":4000,"model":"gpt-5.4","fragments":[`, `{"id":"a%d","body":"x y z","importance":%d,"variants":["x y","x"]}`, `]}`},
			shape{`{"budget":"1%","model":"gpt-5.4","fragments":[{"id":"a","body":"x"},`, `{"id":"a%d","body":"x","importance":1,"needs":["a"],"group":"g"}`, `]}`}),
		asking("wire",
			shape{`{"provider":"anthropic","messages":[`, `{"role":"user","text":"x"}`, `]}`}, shape{`{"provider":"json","messages":[`, `{"raw":{"role":"user","content":"x"}}`, `]}`},
			shape{`{"provider":"openai","messages":[`, `{}`, `]}`}, shape{`{"provider":"gemini","partial":true,"tools":[`, `{"name":"t%d","description":"x"}`, `]}`}),
		asking("why",
			shape{`{"system":"x","text":"`, `x `, `"}`}, shape{`{"text":"x","system":"`, `x `, `"}`}, shape{`{"text":"x","fragments":[`, `{"id":"a%d","body":"x","requires_tools":["t"]}`, `]}`},
			shape{`{"text":"nowhere","manifest":{"tools":"tools.json"},"files":{"tools.json":"[`, `{\"name\":\"t%d\",\"parameters\":{\"title\":\"x\"}}`, `]"}}`}),
		asking("diff", shape{`{"to":{"caps":["c"]},"fragments":[`, `{"id":"a%d","body":"x","requires_caps":["c"]}`, `]}`}, shape{`{"to":{"without_tools":[`, `"t%d"`, `]}}`}),
		asking("cache", shape{`{"model":"claude-opus-5","to":{"caps":["c"]},"fragments":[`, `{"id":"a%d","body":"x","requires_caps":["c"]}`, `]}`}, shape{`{"provider":"anthropic","to":{"caps":["c"]},"messages":[`, `{"role":"user","text":"x"}`, `]}`}),
		asking("models", shape{`{"manifest":{"models":[`, `{"id":"m%d"}`, `]}}`}, shape{`{"query":"`, `x`, `"}`}),
		asking("check", shape{`{"manifest":{"fragments":[`, `{"id":"a%d","body":"x"}`, `]}}`}, shape{`{"files":{`, `"a%d":"x"`, `}}`}),
		asking("instructions", shape{`{"files":{`, `"d%d/AGENTS.md":"x"`, `}}`}, shape{`{"for":[`, `"a%d"`, `]}`}),
		operation("session",
			shape{`{"op":"start","id":"s","fragments":[`, `{"id":"a%d","body":"x"}`, `]}`}, shape{`{"op":"start","id":"s","providers":[`, `"p%d"`, `]}`},
			shape{`{"op":"touch","id":"s","paths":[`, `"a%d"`, `]}`}, shape{`{"op":"turn","id":"s","moment":{"truncated":[`, `{"tool":"t%d","kept":1,"total":2}`, `]}}`}),
		operation("tokens", shape{`{"texts":[`, `"x%d"`, `]}`}, shape{`{"texts":["`, `x `, `"]}`}),
		{"cento.yaml", []shape{
			{"fragments: [", "{}", "]"}, {"fragments: [", "{id: a%d, body: x}", "]"}, {"caps: [", "c%d", "]"}, {"{", "k%d: 1", "}"}, {"tools: [", "{name: t%d}", "]"},
			{"targets: {", "t%d: {caps: [a]}", "}"}, {"fragments: [{id: a, body: b}], targets: {t: {fragments: {remove: [", "f%d", "]}}}"}, {"targets: {t: {tools: {add: [", "f%d", "]}}}"}, {"packs: [", "{name: p%d}", "]"}, {"scope: {allow: [", "{target: a%d, permission: read}", "]}"},
			{"skills: {active: [", "s%d", "]}"}, {"layers: [", "{name: l%d, layer: {}}", "]"}, {"tools: {mcp: {", "s%d: {command: [x]}", "}}"},
		}, limits.File, false, func(t testing.TB, text string) error {
			_, err := manifest.Parse("cento.yaml", []byte(text))
			return err
		}},
		{"a project", []shape{
			{"caps: [", "c%d, -d%d", "]"}, {"fragments: [", "{id: a%d, body: x, requires_tools: [t%d]}", "]"}, {"tools: [", "{name: t%d, guidance: x}", "]"},
			{"tools: {mcp: {", "s%d: {command: [x]}", "}}"}, {"vars: {", "v%d: 1", "}"}, {"profile: {caps: [", "c%d", "]}"}, {"scope: {allow: [", "{target: a%d, permission: read}", "]}"},
			{"host: {system_prefix: [", "x", "]}"}, {"layers: [", "{name: l%d, layer: {slots: {guidance: {contributions: [{content: x}]}}}}", "]"},
		}, limits.File, false, func(t testing.TB, text string) error {
			dir := t.(interface{ TempDir() string }).TempDir()
			if err := os.WriteFile(filepath.Join(dir, project.FileName), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := project.Assemble(t.Context(), project.Request{Dir: dir, Servers: project.NoServers})
			return err
		}},
		{"config.yaml", []shape{{"layers: [", "{name: l%d, layer: {}}", "]"}, {"skills: {exclude: [", "s%d", "]}"}}, limits.File, false, func(_ testing.TB, text string) error {
			_, err := manifest.ParseConfig("config.yaml", []byte(text), limits)
			return err
		}},
		{"tools.json", []shape{{"[", "{}", "]"}, {"[", "1", "]"}, {"[", `"a b"`, "]"}, {"[", `{"name":"t%d"}`, "]"}, {"[", `{"name":"t%d","description":"x\u200by"}`, "]"}}, limits.File, false, func(_ testing.TB, text string) error {
			_, err := manifest.ReadTools("tools.json", []byte(text), limits)
			return err
		}},
		{"cento.lock", []shape{{"version: 1\npacks: [", "{}", "]"}, {"version: 1\npacks: [", "{name: p%d, version: '1', sha256: " + strings.Repeat("0", 64) + "}", "]"}, {"version: 1\npacks: []\nservers: [{name: s, sha256: " + strings.Repeat("0", 64) + ", tools: [", "{name: t%d, sha256: " + strings.Repeat("0", 64) + "}", "]}]"}, {"version: 1\npacks: []\nservers: [", "{name: s%d, sha256: x, tools: []}", "]"}}, consent.MaxLock, false, func(_ testing.TB, text string) error {
			_, err := consent.ParseLock("cento.lock", text, cento.Limits{File: consent.MaxLock})
			return err
		}},
		{"listing", []shape{{`{"tools":[`, `{"name":"t%d"}`, `]}`}, {`{"tools":[`, `{"name":"a b%d"}`, `]}`}, {`{"tools":[`, `{}`, `]}`}}, consent.MaxListing, false, func(_ testing.TB, text string) error {
			_, _, err := manifest.ReadListing(consent.Server{Name: "s"}, text, limits)
			return err
		}},
		{"profile.json", []shape{{`{"caps":[`, `"c%d"`, `]}`}, {`{"signals":{`, `"s%d":1`, `}}`}, {`{"fragments":[`, `{}`, `]}`}}, limits.File, false, func(_ testing.TB, text string) error {
			_, err := project.ReadProfile("profile.json", []byte(text), limits)
			return err
		}},
		{"AGENTS.md", []shape{{"", "## Working boundaries\n", ""}, {"", "<details>\n", ""}, {"", "@a%d.md ", ""}, {"# x\n", "\u200b", ""}}, limits.File, false, func(t testing.TB, text string) error {
			dir := t.(interface{ TempDir() string }).TempDir()
			if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, ".git"), 0o700); err != nil {
				t.Fatal(err)
			}
			_, err := project.Assemble(t.Context(), project.Request{Dir: dir})
			return err
		}},
	}
}

// cost is what one meal took: seconds of the processor, bytes asked for.
type cost struct{ seconds, bytes float64 }

// measured is the least of three tries, each on a heap that was swept.
func measured(eat func()) cost {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	used := func() float64 {
		var r syscall.Rusage
		const thread = 1 // RUSAGE_THREAD
		if err := syscall.Getrusage(thread, &r); err != nil {
			panic(err)
		}
		return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
	}
	least := cost{math.Inf(1), math.Inf(1)}
	for range 3 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := used()
		eat()
		seconds := used() - start
		runtime.ReadMemStats(&after)
		least = cost{min(least.seconds, seconds), min(least.bytes, float64(after.TotalAlloc-before.TotalAlloc))}
	}
	return least
}

// Bounds of one meal: what is asked for in all, most of which is let go again while
// it is eaten. A project's fragments are composed anew by each that looks at them.
// docs/SECURITY.md says the bounds.
const (
	boundBase     = 32 << 20
	boundProject  = 384 << 20
	boundPerByte  = 256
	boundSeconds  = 1.0 // of this machine (pacetest), for each MiB
	growthAllowed = 1.8 // over n log n, for what isn't exactly measured
)

// TestGrowth gives everything texts of 32 KiB (8 KiB with -short) and eight times that, or with
// CENTO_GROWTH of the longest that it takes, and holds it to the bounds.
func TestGrowth(t *testing.T) {
	lengthtest.NotShort(t, "it measures what each input costs at two sizes")
	for _, e := range eaters() {
		for k, s := range e.shapes {
			if k%lengthtest.Of(4, 4, 1) != 0 {
				continue // of each eater some
			}
			name := e.name + " " + s.open + s.item
			if len(name) > 60 {
				name = name[:60]
			}
			t.Run(name, func(t *testing.T) {
				small, large := 32<<10, 256<<10
				switch {
				case os.Getenv("CENTO_GROWTH") != "":
					small, large = e.most/8, e.most
				case lengthtest.Wanted() != lengthtest.Long:
					small, large = 8<<10, 64<<10
				}
				var costs [2]cost
				var told [2]error
				for i, size := range []int{small, large} {
					text := s.text(min(size, e.most))
					costs[i] = measured(func() { told[i] = e.eat(t, text) })
					base := float64(boundBase)
					if e.project || strings.HasPrefix(e.name, "a project") || e.name == "AGENTS.md" {
						base = boundProject
					}
					if most := base + boundPerByte*float64(len(text)); costs[i].bytes > most {
						t.Errorf("%d bytes of text: %.0f bytes were asked for, and %.0f may be", len(text), costs[i].bytes, most)
					}
					if most := boundSeconds * pacetest.Second().Seconds() * max(1, float64(len(text))/(1<<20)); costs[i].seconds > most {
						t.Errorf("%d bytes of text: %.2f s, and %.2f s may be", len(text), costs[i].seconds, most)
					}
				}
				if (told[0] == nil) != (told[1] == nil) {
					return // the longer one is refused early: there is nothing to compare
				}
				// What opening a project costs hides how the rest grows.
				var nothing cost
				if e.project {
					nothing = measured(func() { _ = e.eat(t, s.text(0)) })
				}
				n := float64(large) / float64(small)
				linear := n * math.Log(float64(large)) / math.Log(float64(small))
				var net [2]cost
				for i, c := range costs {
					net[i] = cost{c.seconds - nothing.seconds, c.bytes - nothing.bytes}
				}
				if net[0].bytes > 64<<10 {
					if grown := net[1].bytes / net[0].bytes; grown > growthAllowed*linear {
						t.Errorf("%.0f times the text asks for %.1f times the memory", n, grown)
					}
				}
				// Under two milliseconds the clock of the kernel is too coarse, and what a
				// project costs is no more exact: the rest has to be as much.
				if net[0].seconds > max(0.002, nothing.seconds) {
					if grown := net[1].seconds / net[0].seconds; grown > 2*growthAllowed*linear {
						t.Errorf("%.0f times the text takes %.1f times as long", n, grown)
					}
				}
			})
		}
	}
}

// BenchmarkGrowth measures every meal at the longest text that is taken.
func BenchmarkGrowth(b *testing.B) {
	for _, e := range eaters() {
		for i, s := range e.shapes {
			b.Run(fmt.Sprintf("%s/%d", e.name, i), func(b *testing.B) {
				text := s.text(e.most)
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					_ = e.eat(b, text)
				}
			})
		}
	}
}

// Every operation is given something to eat.
func TestGrowthIsComplete(t *testing.T) {
	fed := map[string]bool{}
	for _, e := range eaters() {
		fed[e.name] = true
	}
	for _, name := range call.Names() {
		if !fed[name] {
			t.Errorf("the operation %s has no growing input", name)
		}
	}
}
