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

	"github.com/cento-dev/cento/internal/pacetest"
)

// The harness of ceilings for commands: what a repository holds grows, and the
// commands that read it are run as processes of their own. What the process asks the
// system for is what whoever runs it in CI sees: the time of its processor, and the
// most memory that it had, beyond that of a program that does nothing.

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
	growthPerByte = 64       // of the file
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

func runGrown(t *testing.T, program, dir string, args ...string) ran {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir+"/home", "XDG_CONFIG_HOME=", "CENTO_HOME=", "GOMAXPROCS=1")
	var out bytes.Buffer
	var answer count
	cmd.Stdout, cmd.Stderr = &answer, &out
	err := cmd.Run()
	if _, ended := err.(*exec.ExitError); err != nil && !ended || strings.Contains(out.String(), "panic:") || strings.Contains(out.String(), "fatal error:") {
		t.Fatalf("%v: %v\n%.2000s", args, err, out.String())
	}
	if strings.Contains(out.String(), "unknown command") || strings.Contains(out.String(), "unknown flag") {
		t.Fatalf("%v: %s", args, out.String())
	}
	p := cmd.ProcessState
	return ran{(p.UserTime() + p.SystemTime()).Seconds(), mostMemory(p) * (1 << 20), answer, p.ExitCode()}
}

// TestGrowthOfCommands gives commands repositories of which a file has 16 KiB and
// eight times that, or with CENTO_GROWTH 32 and 255 KiB, which is what a manifest may
// have.
func TestGrowthOfCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts hundreds of processes")
	}
	program := filepath.Join(t.TempDir(), "cento")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/cento").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	idle := runGrown(t, program, t.TempDir(), "version")
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
				a, b := runGrown(t, program, dirs[0], args...), runGrown(t, program, dirs[1], args...)
				if most := growthBase + growthPerByte*float64(large) + growthPerOut*float64(b.answer); b.bytes-idle.bytes > most {
					t.Errorf("%v: %d bytes of it take %.0f MiB, and %.0f may be", args, large, (b.bytes-idle.bytes)/(1<<20), most/(1<<20))
				}
				most := pacetest.Second().Seconds() * (growthSeconds*max(1, float64(large)/(128<<10)) + g.each*float64(large/len(g.item)))
				for n := 0; b.seconds-idle.seconds > most && n < 3; n++ { // others may have had the caches
					b.seconds = min(b.seconds, runGrown(t, program, dirs[1], args...).seconds)
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
