package workload

import (
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Text is a text to count the tokens of.
type Text struct{ Name, Text string }

// Texts are what token counters are measured on: prose and code of the Go
// installation, which every machine that measures has and nobody made for this,
// and long runs. The error is that of reading a file.
func Texts() ([]Text, error) {
	prose, err := sources("src/cmd/go/alldocs.go")
	if err != nil {
		return nil, err
	}
	code, err := sources("src/net/http/server.go", "src/go/types/expr.go", "src/encoding/json/decode.go")
	if err != nil {
		return nil, err
	}
	return []Text{
		{"prose", strings.ReplaceAll(prose, "\n// ", "\n")}, // documentation without its comment marks
		{"code", code},
		{"runs", runs()},
	}, nil
}

// GoRoot is the folder of the Go installation. A program that was built with
// -trimpath doesn't know it, so the go command is asked.
func GoRoot() (string, error) {
	if build.Default.GOROOT != "" {
		return build.Default.GOROOT, nil
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("asking for the folder of the Go installation: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// sources joins files of the Go installation.
func sources(names ...string) (string, error) {
	root, err := GoRoot()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		b.Write(content)
	}
	return b.String(), nil
}

// runs is one long run after another of what occurs in prompts as rules,
// indentation and padding.
func runs() string {
	var b strings.Builder
	for _, c := range []string{"a", " ", "=", "-", "\n", "0", "é", "ab"} {
		b.WriteString(strings.Repeat(c, 20_000))
		b.WriteString(".\n")
	}
	return b.String()
}

// Blanks is a text of words with random blanks, tabs and line ends between them,
// as where a blank line isn't empty. Some counters get it wrong.
func Blanks() string {
	c := &corpus{state: 88172645463325252}
	blanks := []string{" ", " ", " ", "\t", "\t", "\n", "\n", "\r", "\r\n"}
	var b strings.Builder
	for range 10_000 {
		b.WriteString(c.word())
		for range 1 + c.next(12) {
			b.WriteString(blanks[c.next(len(blanks))])
		}
	}
	return b.String()
}
