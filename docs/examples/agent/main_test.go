package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The test is its own child: an agent that can be killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("AGENT_DIR"); dir != "" {
		if err := run(context.Background(), dir, filepath.Join(dir, "agent.db"), os.Stdout); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

func start(t *testing.T, dir string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), "AGENT_DIR="+dir), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("workspace")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// lines are what an agent prints, without the digest of its prompt, which names the
// folder.
func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		head, rest, cut := strings.Cut(strings.TrimSpace(line), "system ")
		if cut {
			_, rest, _ = strings.Cut(rest, ", ")
		}
		out = append(out, head+rest)
	}
	return out
}

func whole(t *testing.T, dir string) string {
	t.Helper()
	cmd, out := start(t, dir)
	text, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAgent(t *testing.T) {
	dir := copied(t)
	text := whole(t, dir)
	want := []string{
		"coder turn 0: reminders 0: read",
		"coder   read: # Rules", "",
		"Run `make test` before you say that you are done.",
		"coder turn 1: reminders 0: write",
		"coder   write: error: vendor/x.go: write is wanted, and read allowed",
		"coder turn 2: reminders 1: I see: not there.",
		"coder turn 3: reminders 0: task",
		"coder-reader turn 0: reminders 0: an answer that cites s9",
		"coder-reader   asked again, since",
		"coder-reader turn 1: reminders 0: an answer that cites s1",
		"coder   task: tests are run by make",
		"coder turn 4: reminders 0: write",
		"coder   write: written",
		"coder turn 5: reminders 0: Done.",
	}
	got := lines(text)
	if len(got) != len(want) {
		t.Fatalf("the agent said\n%s", text)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("line %d: %q, want %q", i+1, got[i], want[i])
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "notes.txt")); err != nil {
		t.Error(err)
	}
}

// An agent that is killed at any line goes on with the turn that it was in: with the
// prompt that it had, though its files are others now, and all that was to be said is.
func TestAgentKilled(t *testing.T) {
	plain := whole(t, copied(t))
	last := lines(plain)[len(lines(plain))-1]
	for _, at := range []string{"turn 0", "turn 2", "coder-reader turn 1", "turn 4"} {
		t.Run(at, func(t *testing.T) {
			dir := copied(t)
			cmd, out := start(t, dir)
			var before bytes.Buffer
			for in := bufio.NewScanner(out); in.Scan(); {
				before.WriteString(in.Text() + "\n")
				if strings.Contains(in.Text(), at+":") {
					break
				}
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed
			if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte("Another rule.\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			after := whole(t, dir)
			if got := lines(after); len(got) == 0 || got[len(got)-1] != last {
				t.Fatalf("before\n%s\nafter\n%s", before.String(), after)
			}
			if was, is := digest(before.String()), digest(after); was == "" || was != is {
				t.Errorf("the prompt was %s and is %s", was, is)
			}
			if again := whole(t, dir); strings.Contains(again, "task:") {
				t.Errorf("what was done was done again:\n%s", again)
			}
		})
	}
}

// digest is that of the prompt of the last line that the coder's model was asked.
func digest(text string) string {
	out := ""
	for line := range strings.Lines(text) {
		if _, rest, ok := strings.Cut(line, "system "); ok && strings.HasPrefix(line, "coder ") {
			out, _, _ = strings.Cut(rest, ",")
		}
	}
	return out
}
