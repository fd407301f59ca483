package lsp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/lsp"
)

var update = flag.Bool("update", false, "rewrite what is expected")

// conversation is an editor's side of a connection.
type conversation struct {
	t      testing.TB
	dir    string
	to     io.WriteCloser
	from   *bufio.Reader
	heard  chan []byte // messages as they come, since neither side waits for the other
	ended  chan bool
	settle string // a text that is open
	asked  int
}

// speak starts a server for the files of a folder.
func speak(t testing.TB, dir string) *conversation {
	in, to := io.Pipe()
	from, out := io.Pipe()
	c := &conversation{t: t, dir: dir, to: to, from: bufio.NewReader(from), heard: make(chan []byte, 1000), ended: make(chan bool, 1)}
	go func() {
		orderly, err := lsp.Serve(context.Background(), in, out, lsp.Options{Version: "test", Request: func() (app.Request, error) {
			return app.Request{Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, nil
		}})
		if err != nil {
			t.Errorf("the server: %v", err)
		}
		in.Close()
		out.Close()
		c.ended <- orderly
	}()
	go func() {
		defer close(c.heard)
		for m := c.next(); m != nil; m = c.next() {
			c.heard <- m
		}
	}()
	t.Cleanup(func() { to.Close() })
	return c
}

func (c *conversation) send(message string) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.to, "Content-Length: %d\r\n\r\n%s", len(message), message); err != nil {
		c.t.Fatal(err)
	}
}

// receive gives the next message; nil when there are no more.
func (c *conversation) receive() []byte { return <-c.heard }

// next reads the next message; nil when there are no more.
func (c *conversation) next() []byte {
	size := 0
	for {
		line, err := c.from.ReadString('\n')
		if err != nil {
			return nil
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		if _, err := fmt.Sscanf(line, "Content-Length: %d", &size); err != nil {
			c.t.Errorf("a header %q: %v", line, err)
			return nil
		}
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(c.from, body); err != nil {
		c.t.Error(err)
		return nil
	}
	return body
}

// root is the folder as URIs have it.
func (c *conversation) root() string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(c.dir)}).String()
}

// say sends what an archive has and gives what comes back: the answer of a request, and
// for anything else what the server tells once it has looked.
func (c *conversation) say(line string, files map[string]string) []string {
	c.t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		c.t.Fatalf("%s: %v", line, err)
	}
	m["jsonrpc"] = "2.0"
	filled := fill(m, c.root(), files).(map[string]any)
	data, err := json.Marshal(filled)
	if err != nil {
		c.t.Fatal(err)
	}
	if method, _ := m["method"].(string); method == "textDocument/didOpen" && c.settle == "" {
		c.settle = filled["params"].(map[string]any)["textDocument"].(map[string]any)["uri"].(string)
	} else if method == "exit" {
		c.send(string(data))
		return nil
	}
	c.send(string(data))
	id := m["id"]
	if id == nil {
		if c.settle == "" {
			return nil
		}
		c.asked++
		id = "settle" + strconv.Itoa(c.asked)
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"textDocument/hover","params":{"textDocument":{"uri":%q},"position":{"line":0,"character":0}}}`, id, c.settle))
	}
	var out []string
	for {
		raw := c.receive()
		if raw == nil {
			c.t.Fatalf("the server ended at %s", line)
		}
		var got map[string]any
		if err := json.Unmarshal(raw, &got); err != nil {
			c.t.Fatal(err)
		}
		delete(got, "jsonrpc")
		answered := got["id"] != nil && fmt.Sprint(got["id"]) == fmt.Sprint(id)
		if !answered || m["id"] != nil {
			text, err := json.Marshal(got)
			if err != nil {
				c.t.Fatal(err)
			}
			out = append(out, strings.ReplaceAll(strings.ReplaceAll(string(text), c.root(), "$ROOT"), c.dir, "$DIR"))
		}
		if answered {
			// What is wrong with a message is told as it comes in, and what a look at the files
			// found when that ends, maybe before: their order is nobody's promise.
			logs := slices.DeleteFunc(slices.Clone(out), func(message string) bool { return !isLog(message) })
			return append(logs, slices.DeleteFunc(out, isLog)...)
		}
	}
}

// isLog reports whether a message is one that a client logs.
func isLog(message string) bool { return strings.Contains(message, `"method":"window/logMessage"`) }

// fill puts the folder and the texts of files in place.
func fill(v any, root string, files map[string]string) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = fill(x, root, files)
		}
	case []any:
		for i, x := range v {
			v[i] = fill(x, root, files)
		}
	case string:
		if name, ok := strings.CutPrefix(v, "@"); ok && files[name] != "" {
			return files[name]
		}
		return strings.ReplaceAll(v, "$ROOT", root)
	}
	return v
}

// TestConversations runs the archives of testdata, whose README describes them.
func TestConversations(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			said := -1
			for i, f := range a.Files {
				if f.Name == "conversation" {
					said = i
					continue
				}
				files[f.Name] = string(f.Data)
				path := filepath.Join(dir, filepath.FromSlash(f.Name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if said < 0 {
				t.Fatal("the archive has no conversation")
			}
			c := speak(t, dir)
			var got bytes.Buffer
			told := false
			for line := range strings.Lines(string(a.Files[said].Data)) {
				line = strings.TrimRight(line, "\n")
				switch {
				case strings.HasPrefix(line, "<-- "):
					continue
				case strings.HasPrefix(line, "--> "):
					fmt.Fprintln(&got, line)
					told = true
					for _, answer := range c.say(line[4:], files) {
						fmt.Fprintf(&got, "<-- %s\n", answer)
					}
				default:
					fmt.Fprintln(&got, line)
				}
			}
			if !told {
				t.Fatal("nothing is said")
			}
			c.to.Close()
			for c.receive() != nil {
			}
			<-c.ended
			err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
				if rel, relErr := filepath.Rel(dir, path); err == nil && relErr == nil && !e.IsDir() && files[filepath.ToSlash(rel)] == "" {
					t.Errorf("%s was not there before", rel)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if want := a.Files[said].Data; !bytes.Equal(got.Bytes(), want) {
				if *update {
					a.Files[said].Data = got.Bytes()
					if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				t.Errorf("the server says something else; what it says (rewrite with -update):\n%s", got.String())
			}
		})
	}
}
