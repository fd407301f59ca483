package lsp_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/lsp"
)

// converse has a server answer messages, and gives all that it says.
func converse(t testing.TB, input string) (string, bool, error) {
	t.Helper()
	var out bytes.Buffer
	orderly, err := lsp.Serve(context.Background(), strings.NewReader(input), &out, lsp.Options{Version: "test", Request: func() (app.Request, error) {
		return app.Request{Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, nil
	}})
	return out.String(), orderly, err
}

func framed(messages ...string) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	return b.String()
}

// Law: whatever an editor says, the server makes no mistake of its own, changes no file,
// and every message of its own is whole.
func FuzzMessages(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":2,"method":"textDocument/completion","params":{"textDocument":{"uri":"$ROOT/cento.yaml"},"position":{"line":1,"character":3}}}`, "version: 1\nsys")
	f.Add(`{"jsonrpc":"2.0","id":"x","method":"textDocument/rename","params":{"textDocument":{"uri":"$ROOT/cento.yaml"},"position":{"line":0,"character":15},"newName":"b"}}`, "tools: [{name: a}]")
	f.Add(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"$ROOT/cento.yaml","version":2},"contentChanges":[{"range":{"start":{"line":9,"character":0},"end":{"line":0,"character":1}},"text":"x"}]}}`, "𝒳\r\n\ufeff")
	f.Add(`{"jsonrpc":"2.0","id":null,"method":"textDocument/hover","params":{"textDocument":{"uri":"$ROOT/../x"},"position":{"line":4294967295,"character":4294967295}}}`, "a: [")
	f.Add(`{"jsonrpc":"2.0","id":3,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"$ROOT/cento.yaml"},"range":{"start":{"line":1,"character":3},"end":{"line":0,"character":0}},"context":{"diagnostics":[]}}}`, "vars: {a: 𝒳}\r\nfragment: []")
	f.Add(`[]`, "fragments: [{id: a, body: x}]")
	f.Add(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}`, "")
	f.Fuzz(func(t *testing.T, message, text string) {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		const saved = "version: 1\nsystem: You help.\n"
		if err := os.WriteFile(filepath.Join(dir, "cento.yaml"), []byte(saved), 0o644); err != nil {
			t.Fatal(err)
		}
		root := "file://" + filepath.ToSlash(dir)
		open := fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"%s/cento.yaml","languageId":"yaml","version":1,"text":%s}}}`, root, quoted(text))
		out, _, _ := converse(t, framed(
			fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":%q,"capabilities":{}}}`, root),
			open, strings.ReplaceAll(message, "$ROOT", root), `{"jsonrpc":"2.0","id":99,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`,
		))
		if strings.Contains(out, "mistake in cento") {
			t.Fatalf("%s", out)
		}
		for rest := out; rest != ""; {
			var size int
			head, body, ok := strings.Cut(rest, "\r\n\r\n")
			if _, err := fmt.Sscanf(head, "Content-Length: %d", &size); err != nil || !ok || size > len(body) {
				t.Fatalf("no whole message: %.200q", rest)
			}
			rest = body[size:]
		}
		if now, err := os.ReadFile(filepath.Join(dir, "cento.yaml")); err != nil || string(now) != saved {
			t.Fatalf("the file holds %q, %v", now, err)
		}
	})
}

// quoted is a text in JSON, whatever its bytes.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// What isn't a message ends the connection, and says why; what is none of the protocol
// is answered.
func TestBrokenInput(t *testing.T) {
	for input, want := range map[string]string{
		"Content-Length: 99999999999\r\n\r\n{}": "up to 67108864 are read",
		"Content-Length: -1\r\n\r\n{}":          "up to 67108864 are read",
		"Content-Length: 5\r\n\r\n{}":           "unexpected EOF",
		"Content-Length\r\n\r\n{}":              "has no colon",
		strings.Repeat("x", 5000):               "a line of more than 4096 bytes",
		"Content-Len":                           "unexpected EOF",
	} {
		if out, orderly, err := converse(t, input); err == nil || !strings.Contains(err.Error(), want) || orderly || out != "" {
			t.Errorf("%.40q: %v, %t, %q", input, err, orderly, out)
		}
	}
	for message, want := range map[string]string{
		"{":                 `"code":-32700`,
		"[]":                `"code":-32700`,
		`{"jsonrpc":"2.0"}`: `"code":-32700`,
		`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`:                    `"code":-32002`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":[]}`:      `"code":-32602`,
		`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}`:          `"code":-32002`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":null}`: `"window/logMessage"`,
	} {
		if out, orderly, err := converse(t, framed(message)); err != nil || orderly || !strings.Contains(out, want) {
			t.Errorf("%s: %v, %t, %q, want %s", message, err, orderly, out, want)
		}
	}
}

// A request that is cancelled ends, and the next one is answered.
func TestCancelled(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	started, release := make(chan struct{}), make(chan struct{})
	in, to := io.Pipe()
	from, out := io.Pipe()
	ended := make(chan bool, 1)
	go func() {
		orderly, err := lsp.Serve(context.Background(), in, out, lsp.Options{Request: func() (app.Request, error) {
			select {
			case started <- struct{}{}:
			case <-release: // another look, which nobody waits for
			}
			<-release
			return app.Request{}, nil
		}})
		if err != nil {
			t.Errorf("the server: %v", err)
		}
		out.Close()
		ended <- orderly
	}()
	var answers strings.Builder
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&answers, from)
	}()
	root := "file://" + filepath.ToSlash(dir)
	say := func(m string) {
		if _, err := io.WriteString(to, framed(strings.ReplaceAll(m, "$ROOT", root))); err != nil {
			t.Error(err)
		}
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":"$ROOT","capabilities":{}}}`)
	say(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"$ROOT/cento.yaml","languageId":"yaml","version":1,"text":"system: x\n"}}}`)
	<-started // the project is being looked at, and that takes as long as we want
	say(`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"$ROOT/cento.yaml"},"position":{"line":0,"character":0}}}`)
	say(`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"$ROOT/cento.yaml"},"position":{"line":0,"character":0}}}`)
	say(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}`)
	say(`{"jsonrpc":"2.0","id":3,"method":"shutdown"}`)
	say(`{"jsonrpc":"2.0","method":"exit"}`)
	close(release)
	if !<-ended {
		t.Error("it didn't end in order")
	}
	<-read
	for _, want := range []string{`"id":2,"error":{"code":-32800,`, `a request with this id is being answered`, `{"jsonrpc":"2.0","id":3,"result":null}`} {
		if !strings.Contains(answers.String(), want) {
			t.Errorf("no %s in\n%s", want, answers.String())
		}
	}
}
