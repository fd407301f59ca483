package cli_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/pacetest"
	"github.com/cento-dev/cento/internal/treetest"
)

// The harness of ceilings for commands: what a repository or a request holds grows,
// and the commands that read it are run as processes of their own. What the process
// asks the system for is what whoever runs it in CI sees: the time of its processor,
// and the most memory that it had, beyond that of a program that does nothing.

// grown is a file of a repository, made of items between an opening and an end. A
// %d in an item is its number.
type grown struct {
	path, open, item, end string
	// commands are run beside those that are run for every file.
	commands [][]string
	// each is how many seconds an item may take beyond the others, where a command
	// makes a prompt for each.
	each float64
}

func (g grown) text(size int) []byte {
	var b bytes.Buffer
	b.WriteString(g.open)
	for i := 0; b.Len() < size-len(g.end)-len(g.item)-8; i++ {
		b.WriteString(strings.ReplaceAll(g.item, "%d", strconv.Itoa(i)))
	}
	b.WriteString(g.end)
	return b.Bytes()
}

// Commands that read a repository, whatever it holds: those that read most of it,
// and the others, which are run with CENTO_GROWTH alone.
var (
	readingCommands = [][]string{{"build"}, {"check"}, {"explain", "--json"}, {"profile"}}
	otherCommands   = [][]string{
		{"explain"}, {"explain", "--html"}, {"tokens"}, {"diff", "--without-tool", "t0"}, {"why", "nowhere"},
		{"instructions"}, {"skills"}, {"scope"}, {"layers"}, {"tools", "list"}, {"prompt", "list"},
	}
)

var grownFiles = []grown{
	{"AGENTS.md", "# Rules\n\n", "Read src/a%d.go first, with care.\n", "", [][]string{{"instructions", "--text"}, {"why", "Read src/a0.go"}}, 0},
	{"AGENTS.md", "", "## Working boundaries\n", "", nil, 0},
	{"AGENTS.md", "", "<details>\n<b x=\"", "", nil, 0},
	{"AGENTS.md", "", "\u200b", "", nil, 0},
	{"AGENTS.md", "", "@a%d.md ", "", nil, 0},
	{"AGENTS.md", "", "<|im_start|>[INST]", "", nil, 0},
	{"AGENTS.md", "", "password=hunter%d token: ghp_abc%d ", "", nil, 0},
	{"CLAUDE.md", "", "`", "", [][]string{{"instructions", "--profile", "claude"}}, 0},
	{"cento.yaml", "fragments:\n", "- {id: a%d, body: x}\n", "", nil, 0},
	{"cento.yaml", "tools:\n", "- {name: t%d, guidance: x}\n", "", nil, 0},
	{"cento.yaml", "targets:\n", "  t%d: {caps: [a], system: " + strings.Repeat("x", 540) + "}\n", "", nil, 0.005}, // as many as may be
	{"cento.yaml", "targets:\n", "  t%d: {caps: [a]}\n", "", nil, 0},                                               // too many
	{"cento.yaml", "vars:\n", "  v%d: x\n", "", nil, 0},
	{"cento.yaml", "", "a%d: 1\n", "", nil, 0},
	{"cento.yaml", "scope:\n  allow:\n", "  - {target: a%d, permission: read}\n", "", [][]string{{"scope", "check", "a1"}}, 0},
	{"cento.yaml", "host: {system_prefix: [", "x,", "x]}", nil, 0},
	{".cento/prompts/a.md", "", "{{ vars.v%d | default('x') }}\n", "", [][]string{{"render", "$workspace/a"}}, 0},
	{".cento/prompts/a.md", "", "{% if true %}", "", [][]string{{"render", "$workspace/a"}}, 0},
	{".agents/skills/s/SKILL.md", "---\nname: s\ndescription: d\nmetadata:\n", "  k%d: x\n", "---\nText.\n", [][]string{{"skills", "list"}, {"skills", "check"}}, 0},
	{".agents/skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\n", "Do <b> and `c` @d%d.\n", "", [][]string{{"build", "--skill", "s"}}, 0},
	{".gitignore", "", "**/a%d/**/*.b\n", "", nil, 0},
	{"pyproject.toml", "", "[tool.t%d]\na = 1\n", "", nil, 0},
	{"package.json", "{\"scripts\":{", "\"s%d\":\"make a\",", "\"z\":\"x\"}}", nil, 0},
	{"Makefile", "", "target%d:\n\tmake a\n", "", nil, 0},
}

const (
	growthBase    = 64 << 20 // bytes beyond those of a program that does nothing
	growthPerByte = 160      // of the file or request
	growthPerOut  = 4        // bytes for each of the answer
	growthSeconds = 1.0      // of this machine (pacetest), beyond the start, for each 128 KiB
	growthFactor  = 1.8      // over n log n
)

// ran is what a process took.
type ran struct {
	seconds, bytes float64
	answer         count
	status         int
}

// count is how many bytes were written.
type count float64

func (c *count) Write(b []byte) (int, error) {
	*c += count(len(b))
	return len(b), nil
}

func runGrown(t *testing.T, dir, input string, args ...string) ran {
	t.Helper()
	peak := filepath.Join(t.TempDir(), "peak")
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir+"/home", "XDG_CONFIG_HOME=", "CENTO_HOME=", "GOMAXPROCS=1", peakFile+"="+peak)
	var out bytes.Buffer
	var answer count
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &answer, &out
	err := cmd.Run()
	if _, ended := err.(*exec.ExitError); err != nil && !ended || strings.Contains(out.String(), "panic:") || strings.Contains(out.String(), "fatal error:") {
		t.Fatalf("%v: %v\n%.2000s", args, err, out.String())
	}
	if strings.Contains(out.String(), "unknown command") || strings.Contains(out.String(), "unknown flag") {
		t.Fatalf("%v: %s", args, out.String())
	}
	p := cmd.ProcessState
	return ran{(p.UserTime() + p.SystemTime()).Seconds(), readPeak(t, peak), answer, p.ExitCode()}
}

// TestGrowthOfCommands gives commands repositories of which a file has 16 KiB and
// eight times that, or with CENTO_GROWTH 32 and 255 KiB, which is what a manifest may
// have.
func TestGrowthOfCommands(t *testing.T) {
	lengthtest.OnlyLong(t, "it starts hundreds of processes")
	idle := runGrown(t, t.TempDir(), "", "version")
	small, large, commands := 16<<10, 128<<10, readingCommands
	if os.Getenv("CENTO_GROWTH") != "" {
		small, large, commands = 32<<10, 255<<10, slices.Concat(commands, otherCommands)
	}
	for _, g := range grownFiles {
		t.Run(fmt.Sprintf("%s %.24q", g.path, g.open+g.item), func(t *testing.T) {
			var dirs [2]string
			for i, size := range []int{small, large} {
				dirs[i] = t.TempDir()
				for _, d := range []string{".git", "home", filepath.Dir(g.path)} {
					if err := os.MkdirAll(filepath.Join(dirs[i], d), 0o700); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.WriteFile(filepath.Join(dirs[i], g.path), g.text(size), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, args := range slices.Concat(commands, g.commands) {
				a, b := runGrown(t, dirs[0], "", args...), runGrown(t, dirs[1], "", args...)
				if most := growthBase + growthPerByte*float64(large) + growthPerOut*float64(b.answer); b.bytes-idle.bytes > most {
					t.Errorf("%v: %d bytes of it take %.0f MiB, and %.0f may be", args, large, (b.bytes-idle.bytes)/(1<<20), most/(1<<20))
				}
				most := pacetest.Second().Seconds() * (growthSeconds*max(1, float64(large)/(128<<10)) + g.each*float64(large/len(g.item)))
				for n := 0; b.seconds-idle.seconds > most && n < 3; n++ { // others may have had the caches
					b.seconds = min(b.seconds, runGrown(t, dirs[1], "", args...).seconds)
				}
				if took := b.seconds - idle.seconds; took > most {
					t.Errorf("%v: %d bytes of it take %.2f s, and %.2f s may be", args, large, took, most)
				}
				// A start takes some ten milliseconds, more or less.
				n := float64(large) / float64(small)
				linear := n * math.Log(float64(large)) / math.Log(float64(small))
				if x, y := max(a.seconds-idle.seconds, 0.02), b.seconds-idle.seconds; a.status == b.status && y > 2*growthFactor*linear*x {
					t.Errorf("%v: %.0f times the file takes %.0f times as long: %.3f s, %.3f s", args, n, y/x, x, y)
				}
			}
		})
	}
}

// TestGrowthOfFolders checks that a walk opens each folder from the one above it: from the
// root, folders in folders take time with the square of their depth.
func TestGrowthOfFolders(t *testing.T) {
	lengthtest.NotShort(t, "it starts processes that take seconds")
	idle := runGrown(t, t.TempDir(), "", "version").seconds
	took := func(depth int) float64 {
		dir := t.TempDir()
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := root.Mkdir(".git", 0o700); err != nil {
			t.Fatal(err)
		}
		for range depth {
			above := root
			if err := above.Mkdir("d", 0o700); err != nil {
				t.Fatal(err)
			}
			if root, err = above.OpenRoot("d"); err != nil {
				t.Fatal(err)
			}
			above.Close()
		}
		root.Close()
		treetest.File(t, dir, "cento.yaml", "system: x\n")
		best := math.Inf(1)
		for range 3 { // others may have had the processors
			best = min(best, runGrown(t, dir, "", "check").seconds-idle)
		}
		return max(best, 0.02)
	}
	if few, many := took(400), took(1600); many > 4*growthFactor*few {
		t.Errorf("400 folders take %.2f s, 1,600 take %.2f s, which is more than %.1f times as long", few, many, 4*growthFactor)
	}
}

// Requests whose answers are long, or that are long to answer.
var grownRequests = []struct{ op, open, item, end string }{
	{"reduce", `{"fragments":[`, `{"id":"a%d","body":"x"}`, `]}`},
	{"assemble", `{"fragments":[`, `{"id":"a%d","body":"x"}`, `]}`},
	{"assemble", `{"tools":[`, `{"name":"t%d","guidance":"x"}`, `]}`},
	{"assemble", `{"files":{`, `"a%d":"x"`, `}}`},
	{"explain", `{"fragments":[`, `{"id":"a%d","body":"x"}`, `]}`},
	{"explain", `{"system":"`, `## Working boundaries\n`, `"}`},
	{"explain", `{"system":"`, `\u0001`, `"}`},
	{"diff", `{"to":{"caps":["c"]},"fragments":[`, `{"id":"a%d","body":"x","requires_caps":["c"]}`, `]}`},
	{"cache", `{"model":"claude-opus-5","to":{"caps":["c"]},"fragments":[`, `{"id":"a%d","body":"x","requires_caps":["c"]}`, `]}`},
	{"models", `{"manifest":{"models":[`, `{"id":"m%d"}`, `]}}`},
	{"check", `{"manifest":{"fragments":[`, `{"id":"a%d","body":"x"}`, `]}}`},
	{"why", `{"text":"x","system":"`, `x `, `"}`},
	{"budget", `{"budget":4000,"model":"gpt-5.4","fragments":[`, `{"id":"a%d","body":"x y z","importance":%d}`, `]}`},
	{"wire", `{"provider":"anthropic","messages":[`, `{"role":"user","text":"x"}`, `]}`},
	{"render", `{"root":"$workspace/a","files":{"$workspace/a":"`, `{{ 1 }}`, `"}}`},
	{"tokens", `{"texts":["`, `x `, `"]}`},
	{"instructions", `{"files":{`, `"d%d/AGENTS.md":"x"`, `}}`},
	{"layers", `{"layers":[`, `{"name":"l%d","layer":{"slots":{"guidance":{"contributions":[{"content":"x"}]}}}}`, `]}`},
	{"reminders", `{"session":{"id":"s"},"ops":[`, `{"op":"turn_end"}`, `]}`},
}

// TestPeakOfRequests gives operations requests of 512 KiB, or with CENTO_GROWTH of
// 4 MiB, and holds the memory of the process to the bound of commands.
func TestPeakOfRequests(t *testing.T) {
	lengthtest.NotShort(t, "it starts a process for each")
	idle := runGrown(t, t.TempDir(), "", "version")
	size := 512 << 10
	if os.Getenv("CENTO_GROWTH") != "" {
		size = 4 << 20
	}
	answered, asked := 0, 0
	for i, r := range grownRequests {
		if i%lengthtest.Of(9, 9, 1) != 0 {
			continue
		}
		asked++
		t.Run(fmt.Sprintf("%s %.24q", r.op, r.open+r.item), func(t *testing.T) {
			sep := ","
			if strings.HasSuffix(r.open, `"`) {
				sep = ""
			}
			request := grown{open: r.open, item: sep + r.item, end: r.end}.text(size)
			if sep != "" {
				request = bytes.Replace(request, []byte(r.open+sep), []byte(r.open), 1)
			}
			got := runGrown(t, t.TempDir(), string(request), "call", r.op)
			if got.status == 0 {
				answered++
			}
			most := growthBase + growthPerByte*float64(len(request)) + growthPerOut*float64(got.answer)
			for range 3 { // what is garbage counts too until the collector comes, some time
				if got.bytes-idle.bytes > most {
					got = runGrown(t, t.TempDir(), string(request), "call", r.op)
				}
			}
			if got.bytes-idle.bytes > most {
				t.Errorf("%d bytes of request and %.0f of the answer take %.0f MiB, and %.0f may be", len(request), got.answer, (got.bytes-idle.bytes)/(1<<20), most/(1<<20))
			}
			t.Logf("status %d: %.1f MiB beyond %.1f for %d and %.0f bytes; %.2f s", got.status, (got.bytes-idle.bytes)/(1<<20), idle.bytes/(1<<20), len(request), got.answer, got.seconds)
		})
	}
	if answered < asked/2 {
		t.Errorf("%d of %d requests were answered", answered, asked)
	}
}
