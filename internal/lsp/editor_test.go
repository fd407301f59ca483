package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"go.uber.org/goleak"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/lsp"
	"github.com/cento-dev/cento/internal/treetest"
)

// overhear names the file in which a server that this program becomes keeps what is said.
const overhear = "CENTO_TEST_OVERHEAR"

func TestMain(m *testing.M) {
	if name := os.Getenv(overhear); name != "" {
		os.Exit(overheard(name))
	}
	treetest.InMemory()
	goleak.VerifyTestMain(m)
}

// overheard is a server on stdin and stdout that keeps both sides.
func overheard(name string) int {
	f, err := os.Create(name)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	defer f.Close()
	var mu sync.Mutex
	in, to := io.Pipe()
	go func() {
		defer to.Close()
		_, _ = io.Copy(to, io.TeeReader(os.Stdin, &messages{to: f, mu: &mu, prefix: "--> "})) // its end is the editor's
	}()
	_, err = lsp.Serve(context.Background(), in, io.MultiWriter(&messages{to: f, mu: &mu, prefix: "<-- "}, os.Stdout), lsp.Options{
		Version: "test", Request: func() (app.Request, error) { return app.Request{Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, nil },
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	return 0
}

// messages writes those of one side, a line each, as they are whole.
type messages struct {
	to     io.Writer
	mu     *sync.Mutex
	prefix string
	kept   []byte
}

func (m *messages) Write(b []byte) (int, error) {
	m.kept = append(m.kept, b...)
	for {
		head, rest, ok := bytes.Cut(m.kept, []byte("\r\n\r\n"))
		if !ok {
			return len(b), nil
		}
		size := 0
		for line := range strings.SplitSeq(string(head), "\r\n") {
			if v, found := strings.CutPrefix(line, "Content-Length: "); found {
				size, _ = strconv.Atoi(v)
			}
		}
		if len(rest) < size {
			return len(b), nil
		}
		m.mu.Lock()
		_, err := fmt.Fprintf(m.to, "%s%s\n", m.prefix, rest[:size])
		m.mu.Unlock()
		if err != nil {
			return 0, err
		}
		m.kept = rest[size:]
	}
}

// TestNeovim has Neovim open a project, type, ask and rename, and holds what both said
// to testdata/neovim.txtar.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		if os.Getenv("CENTO_REQUIRE_NVIM") != "" {
			t.Fatal("nvim isn't here, and CENTO_REQUIRE_NVIM asks for it")
		}
		t.Skip("skipped: nvim isn't here (apt-get install neovim)")
	}
	const name = "testdata/neovim.txt"
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project, log := filepath.Join(dir, "project"), filepath.Join(dir, "log")
	said, script := -1, ""
	for i, f := range a.Files {
		switch f.Name {
		case "conversation":
			said = i
			continue
		case "script.lua":
			script = filepath.Join(dir, f.Name)
			if err := os.WriteFile(script, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		path := filepath.Join(project, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile "+script)
	cmd.Dir = project
	cmd.Env = append(os.Environ(), overhear+"="+log, "CENTO_TEST_SERVER="+self, "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		kept, _ := os.ReadFile(filepath.Join(dir, "nvim", "lsp.log"))
		t.Fatalf("nvim: %v\n%s\n%s", err, out, kept)
	}
	if !strings.Contains(string(out), "done") {
		t.Fatalf("the script didn't come to its end:\n%s", out)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	root := (&url.URL{Scheme: "file", Path: filepath.ToSlash(project)}).String()
	var got bytes.Buffer
	for _, line := range settled(strings.Split(strings.TrimSpace(string(data)), "\n")) {
		got.WriteString(plainMessage(t, line, root, project))
	}
	if want := a.Files[said].Data; !bytes.Equal(got.Bytes(), want) {
		if *update {
			a.Files[said].Data = got.Bytes()
			if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		t.Errorf("something else is said (rewrite with -update):\n%s", got.String())
	}
}

// settled is a conversation with the findings that came last for each file, behind all
// the rest: which ones come before depends on how fast the editor is. The script waits
// for those that it wants to see.
func settled(lines []string) []string {
	var out []string
	last := map[string]string{}
	for _, line := range lines {
		var m struct {
			Method string
			Params struct{ URI string }
		}
		if strings.HasPrefix(line, "<--") && json.Unmarshal([]byte(line[4:]), &m) == nil && m.Method == "textDocument/publishDiagnostics" {
			last[m.Params.URI] = line
			continue
		}
		out = append(out, line)
	}
	for _, uri := range slices.Sorted(maps.Keys(last)) {
		out = append(out, last[uri])
	}
	return out
}

// plainMessage is a message without what differs from one machine or version of the
// editor to the next.
func plainMessage(t *testing.T, line, root, project string) string {
	t.Helper()
	prefix, text := line[:4], line[4:]
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	delete(m, "jsonrpc")
	if p, ok := m["params"].(map[string]any); ok && m["method"] == "initialize" {
		for _, key := range []string{"capabilities", "clientInfo", "processId", "rootPath", "trace", "workspaceFolders", "initializationOptions"} {
			delete(p, key)
		}
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	text = string(data)
	return prefix + strings.ReplaceAll(strings.ReplaceAll(text, root, "$ROOT"), project, "$ROOT") + "\n"
}
