package mcpserver_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cento-dev/cento/internal/mcpserver"
)

// rewrite puts a file in the place of another one, at once, as editors do.
func rewrite(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// A client that asks nothing hears of texts that it subscribed to and that have become
// others, of lists that have, and of nothing else.
func TestHearsOfFiles(t *testing.T) {
	for _, version := range []string{"2025-06-18", ""} { // before and since clients open a stream to listen
		t.Run(version, func(t *testing.T) { hearsOfFiles(t, version) })
	}
}

func hearsOfFiles(t *testing.T, version string) {
	files := map[string]string{
		"cento.yaml":             "instruction: $workspace/main.md\nprofile: off\nfragments: [{id: style, body: Write plainly.}]\ntargets:\n  ci: {instruction: $workspace/ci.md}\n  idle: {}\n",
		".cento/prompts/main.md": "You work.\n", ".cento/prompts/ci.md": "You check.\n",
	}
	dir := folder(t, files)
	heard := make(chan string, 100)
	s := mcpserver.New([]mcpserver.Project{project("acme", dir)}, mcpserver.Options{})
	c := connectTo(t, s, &mcp.ClientOptions{
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { heard <- "prompts" },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { heard <- "resources" },
		ResourceUpdatedHandler:     func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { heard <- r.Params.URI },
	}, version)
	const own, ci, style = "cento://acme/prompt", "cento://acme/prompt/ci", "cento://acme/fragment/style"
	for _, uri := range []string{own, ci, style} {
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
		for !s.Hears(uri) {
			if t.Context().Err() != nil {
				t.Fatalf("nobody hears of %s", uri)
			}
		}
	}
	// Of a newer client every listening is a stream of its own, and SDK 1.8.0 takes the end
	// of one for that of all of them: so there none ends.
	streams := version == ""
	for _, uri := range []string{"cento://nobody/prompt", "file:///etc/passwd"} {
		if streams {
			continue
		}
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err == nil {
			t.Errorf("%s can be subscribed to", uri)
		}
	}
	hears := func(what ...string) {
		t.Helper()
		missing := map[string]bool{}
		for _, x := range what {
			missing[x] = true
		}
		for len(missing) > 0 {
			var got string
			select {
			case got = <-heard:
			case <-time.After(20 * time.Second):
				t.Fatalf("it waits for %v", missing)
			}
			again := slices.Contains(what, got) && !strings.Contains(got, ":") // a list that became longer after it became shorter
			if !missing[got] && !again {
				t.Errorf("it hears of %s, and waits for %v", got, missing)
			}
			delete(missing, got)
		}
	}
	text := func(uri string) string {
		t.Helper()
		r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			return err.Error()
		}
		return r.Contents[0].Text
	}
	// A file that only one target reads.
	rewrite(t, dir, ".cento/prompts/ci.md", "You check twice.\n")
	hears(ci)
	if got := text(ci); !strings.Contains(got, "You check twice.") {
		t.Errorf("%q", got)
	}
	rewrite(t, dir, ".cento/prompts/main.md", "You work hard.\n")
	hears(own, style) // which begins elsewhere in the prompt
	if got := text(own); !strings.Contains(got, "You work hard.") {
		t.Errorf("%q", got)
	}
	// A target more; the trace of the fragment tells the same line.
	rewrite(t, dir, "cento.yaml", files["cento.yaml"]+"  more: {}\n")
	hears("prompts", "resources")
	// A manifest that can't be read, and one that can again.
	rewrite(t, dir, "cento.yaml", "targets: [\n")
	hears("prompts", "resources", own, ci, style)
	if got := text(own); !strings.Contains(got, "cento.yaml:") {
		t.Errorf("%q", got)
	}
	last := []string{"prompts", "resources", own, style}
	if streams {
		last = append(last, ci)
	} else if err := c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: ci}); err != nil || s.Hears(ci) {
		t.Errorf("it goes on about %s: %v", ci, err)
	}
	rewrite(t, dir, "cento.yaml", strings.Replace(files["cento.yaml"], "plainly", "well", 1))
	hears(last...)
	if got := text(style); got != "Write well." {
		t.Errorf("%q, and the prompt is %q", got, text(own))
	}
}

// A client that listens for changes and goes away without a word doesn't keep the server.
func TestListenerGoesAway(t *testing.T) {
	const listens = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
	in, say := io.Pipe()
	heard, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcpserver.New([]mcpserver.Project{project("acme", folder(t, files))}, mcpserver.Options{}).Serve(t.Context(), in, out, func() error { return nil })
	}()
	if _, err := io.WriteString(say, listens); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(heard).ReadString('\n')
	if err != nil || !strings.Contains(line, "notifications/subscriptions/acknowledged") {
		t.Fatalf("%q %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, heard) }() // what is said behind it is nobody's
	_ = say.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	_ = out.Close()
}
