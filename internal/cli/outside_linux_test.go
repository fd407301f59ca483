package cli_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/cento-dev/cento/internal/treetest"
)

// watched tells what the system sees happen in folders and their files.
type watched struct {
	fd    int
	names map[int32]string
}

func watchFolders(t *testing.T, folders ...string) *watched {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		t.Skip("skipped: nothing tells of opened files here:", err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	w := &watched{fd, map[int32]string{}}
	for _, f := range folders {
		id, err := syscall.InotifyAddWatch(fd, f, syscall.IN_OPEN|syscall.IN_CREATE|syscall.IN_MODIFY|syscall.IN_DELETE|syscall.IN_MOVE|syscall.IN_ATTRIB)
		if err != nil {
			t.Skip("skipped: nothing tells of opened files here:", err)
		}
		w.names[int32(id)] = f
	}
	return w
}

// events are those since the last call.
func (w *watched) events(t *testing.T) (out []string) {
	t.Helper()
	buf := make([]byte, 64<<10)
	for {
		n, err := syscall.Read(w.fd, buf)
		if errors.Is(err, syscall.EAGAIN) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < n; {
			id, mask, size := int32(binary.NativeEndian.Uint32(buf[at:])), binary.NativeEndian.Uint32(buf[at+4:]), int(binary.NativeEndian.Uint32(buf[at+12:]))
			name := string(bytes.TrimRight(buf[at+16:at+16+size], "\x00"))
			out = append(out, fmt.Sprintf("%#x %s", mask, filepath.Join(w.names[id], name)))
			at += 16 + size
		}
	}
}

// linkLayouts are ways out of a project: what its links are, by name.
func linkLayouts(name, outside, project string) map[string]map[string]string {
	up, err := filepath.Rel(project, outside)
	if err != nil {
		panic(err)
	}
	depth := strings.Repeat("../", strings.Count(name, "/"))
	file := filepath.Base(name)
	out := map[string]map[string]string{
		"relative":          {name: depth + up + "/there"},
		"absolute":          {name: outside + "/there"},
		"dangling":          {name: depth + up + "/new"},
		"dangling absolute": {name: outside + "/new"},
		"folder missing":    {name: depth + up + "/no/new"},
		"chain":             {name: "chain1", filepath.Join(filepath.Dir(name), "chain1"): "chain2", filepath.Join(filepath.Dir(name), "chain2"): depth + up + "/new"},
		"up and down":       {name: "./../" + depth + filepath.Base(project) + "/" + up + "/new"},
	}
	if dir := filepath.Dir(name); dir != "." {
		out["folder"] = map[string]string{dir: strings.Repeat("../", strings.Count(dir, "/")) + up}
		out["folder absolute"] = map[string]string{dir: outside}
		first, _, _ := strings.Cut(name, "/")
		out["first folder"] = map[string]string{first: up}
		out["folder within, then out"] = map[string]string{dir: "within", "within/" + file: "../" + up + "/new"}
	}
	return out
}

// TestNothingOutside: no command opens, makes or changes a file outside of a project by a
// link of it. The system says what was opened.
func TestNothingOutside(t *testing.T) {
	needsUnix(t, "links and inotify")
	cento := program(t)
	type subject struct {
		name     string // of the link
		manifest string
		commands []string
	}
	subjects := []subject{
		{".cento/records.db", "store: .cento/records.db\nsystem: x\n", []string{
			"trust", "check", "build --record", "build --record --session x", "session start s", "session turn s", "session list", "log list", "log verify", "log search x", "log gc",
		}},
		{"records.db", "store: records.db\nsystem: x\n", []string{"build --record", "session start s", "log list"}},
		{"store.db", "system: x\n", []string{"build --record --store store.db", "session start s --store store.db", "log list --store store.db"}},
		{"out/p.md", "system: x\noutput: out/p.md\n", []string{"build --all", "build --all --check", "build --all --force", "check", "build -o out/p.md", "check --baseline out/p.md --update-baseline", "test --junit out/p.md"}},
		{"AGENTS.md", "system: x\n", []string{"check", "check --fix", "build", "explain", "why x", "instructions", "blame", "diff --without-tool x", "init --print", "test"}},
		{"cento.lock", "system: x\npacks: {p: {path: p}}\n", []string{"pack list", "pack add p", "check", "tools lock", "build"}},
		{".cento/packs/p", "system: x\n", []string{"pack add ./p", "pack remove p", "pack list"}},
		{"cento.yaml", "", []string{"check", "check --fix", "build", "init", "trust", "pack add p", "why x", "lsp"}},
		{".cento/prompts/a.md", "system: x\nfragments: [{prompt: $workspace/a.md}]\n", []string{"build", "check", "check --fix", "prompt check", "render $workspace/a.md", "why x"}},
		{".gitlab-ci.yml", "system: x\n", []string{"init --ci gitlab"}},
		{".cento/tests/goldens/a.txt", "system: x\ntests: [{name: a, golden: a.txt}]\n", []string{"test", "test --update"}},
		{"baseline.json", "system: x\n", []string{"check --baseline baseline.json", "check --baseline baseline.json --update-baseline"}},
	}
	ran := 0
	for _, s := range subjects {
		for layout := range linkLayouts(s.name, "/o", "/p") {
			top := treetest.Project(t, map[string]string{"outside/there": "text of somebody else", "home/.config/cento/keep": "", "p/p/pack.yaml": "name: p\n", "p/p/prompts/a.md": "A.\n"})
			outside, project := filepath.Join(top, "outside"), filepath.Join(top, "p")
			if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
				t.Fatal(err)
			}
			if s.manifest != "" {
				treetest.File(t, project, "cento.yaml", s.manifest)
			}
			for name, target := range linkLayouts(s.name, outside, project)[layout] {
				full := filepath.Join(project, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.RemoveAll(full), os.Symlink(target, full)); err != nil {
					t.Fatal(err)
				}
			}
			w := watchFolders(t, outside)
			for _, command := range s.commands {
				cmd := exec.CommandContext(t.Context(), cento, strings.Fields(command)...)
				cmd.Dir, cmd.Env = project, append(os.Environ(), hermetic(filepath.Join(top, "home"))...)
				out, _ := cmd.CombinedOutput()
				if got := w.events(t); len(got) > 0 {
					t.Errorf("%s, %s: cento %s: %q\n%s", s.name, layout, command, got, out)
				}
				if strings.Contains(string(out), "unknown flag") || strings.Contains(string(out), "unknown command") {
					t.Errorf("cento %s: %s", command, out)
				}
				ran++
			}
			var left []string
			if err := filepath.WalkDir(outside, func(path string, _ fs.DirEntry, err error) error {
				left = append(left, filepath.Base(path))
				return err
			}); err != nil || !slices.Equal(left, []string{"outside", "there"}) {
				t.Errorf("%s, %s: there are %q: %v", s.name, layout, left, err)
			}
		}
	}
	if ran < 100 {
		t.Errorf("only %d runs", ran)
	}
	// The system tells of an opened file.
	top := treetest.Project(t, map[string]string{"a": "a"})
	w := watchFolders(t, top)
	if _, err := os.ReadFile(filepath.Join(top, "a")); err != nil || len(w.events(t)) == 0 {
		t.Error("nothing was seen:", err)
	}
}
