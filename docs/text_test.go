package docs_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/lengthtest"
)

// blocks are the fenced blocks of a language in a document.
func blocks(text, language string) []string {
	var out []string
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "\n```"+language+"\n")
		if !ok {
			return out
		}
		block, more, ok := strings.Cut(after, "\n```")
		if !ok {
			return out
		}
		out = append(out, block+"\n")
		rest = more
	}
}

// TestGoBlocks holds the Go code of the documents to that of tested examples: a
// block is a stretch of their lines.
func TestGoBlocks(t *testing.T) {
	var code strings.Builder
	for _, name := range []string{"example_test.go", "docs/example_test.go", "wire/example_test.go", "wire/sdktest/sending_test.go", "wire/cache/example_test.go", "contract/example_test.go"} {
		code.WriteString(read(t, name))
	}
	seen := 0
	for _, name := range documents(t) {
		for _, block := range blocks(read(t, name), "go") {
			seen++
			if !holdsLines(code.String(), block) {
				t.Errorf("%s: this isn't code of a tested example:\n%s", name, block)
			}
		}
	}
	if seen == 0 {
		t.Error("no Go code was found in any document")
	}
}

// holdsLines reports whether a text holds the lines of a block, indented alike.
func holdsLines(text, block string) bool {
	for indent := 0; indent <= 3; indent++ {
		tabs := strings.Repeat("\t", indent)
		var want strings.Builder
		want.WriteByte('\n')
		for l := range strings.Lines(block) {
			if l != "\n" {
				want.WriteString(tabs)
			}
			want.WriteString(l)
		}
		if strings.Contains("\n"+text, want.String()) {
			return true
		}
	}
	return false
}

// TestSetUp runs what the README tells a newcomer to run first. The second
// block is the test command, which is running now.
func TestSetUp(t *testing.T) {
	lengthtest.NotShort(t, "it builds the program")
	shells := blocks(read(t, "README.md"), "sh")
	if len(shells) < 2 {
		t.Fatalf("the README has %d sh blocks, and begins with two", len(shells))
	}
	if shells[1] != "go test ./...\n" {
		t.Errorf("the second sh block of the README is %q", shells[1])
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh to run the first")
	}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", shells[0])
	cmd.Dir = root
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s%v\n%s", shells[0], err, errs.String())
	}
	for _, want := range []string{"primary:system", "scope:boundaries", "project:instructions"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%sprints nothing about %s:\n%s", shells[0], want, out)
		}
	}
}

var (
	link    = regexp.MustCompile(`!?\[[^\]]*\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	fenced  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
)

// TestLinks follows every link that stays in the repository.
func TestLinks(t *testing.T) {
	names := append(documents(t), "docs/reference/cli.md", "docs/reference/codes.md")
	seen := 0
	for _, name := range names {
		text := fenced.ReplaceAllString(read(t, name), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target := m[1]
			if strings.Contains(target, "://") {
				continue
			}
			seen++
			file, fragment, _ := strings.Cut(target, "#")
			path := filepath.Join(root, filepath.FromSlash(name))
			if file != "" {
				path = filepath.Join(filepath.Dir(path), filepath.FromSlash(file))
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Errorf("%s: the link to %s leads nowhere", name, target)
				continue
			}
			if fragment == "" || info.IsDir() {
				continue
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !hasHeading(string(b), fragment) {
				t.Errorf("%s: %s has no heading %q", name, file, fragment)
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d links were found", seen)
	}
}

func hasHeading(text, fragment string) bool {
	for _, h := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		if anchor(h[1]) == fragment {
			return true
		}
	}
	return false
}

// TestNoMachine keeps out what belongs to a machine or a person: paths below a
// home or temporary folder, and addresses of mail other than examples.
func TestNoMachine(t *testing.T) {
	forbidden := regexp.MustCompile(`/(?:home|Users|root|tmp|var/folders)/[A-Za-z0-9_.-]+|\b[A-Z]:\\[A-Za-z]|[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}`)
	for _, name := range append(documents(t), "docs/reference/cli.md", "docs/reference/codes.md") {
		for i, l := range strings.Split(read(t, name), "\n") {
			for _, m := range forbidden.FindAllString(l, -1) {
				if !strings.HasSuffix(m, "@example.com") {
					t.Errorf("%s:%d: %s", name, i+1, m)
				}
			}
		}
	}
}

// TestWords keeps to the words of the glossary, where another is often used for
// the same thing.
func TestWords(t *testing.T) {
	for wrong, right := range map[string]string{
		`(?i)\bdirector(y|ies)\b`: "folder",
		`(?i)\bwhitespace\b`:      "white space",
		`(?i)\bsnippets?\b`:       "fragment",
		`(?i)\bsystem message\b`:  "system prompt",
		`(?i)\bconfig file\b`:     "manifest",
		`(?i)\bprompt template\b`: "prompt file",
		`(?i)\buntrusted user\b`:  "stranger",
	} {
		pattern := regexp.MustCompile(wrong)
		for _, name := range documents(t) {
			if strings.HasPrefix(name, "testdata/") || name == "docs/jinja-compatibility.md" {
				continue
			}
			text := fenced.ReplaceAllStringFunc(read(t, name), func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
			for i, l := range strings.Split(text, "\n") {
				if m := pattern.FindString(l); m != "" {
					t.Errorf("%s:%d: %q, the word here is %q", name, i+1, m, right)
				}
			}
		}
	}
}

// TestPictures wants pictures small, and none that no document shows.
func TestPictures(t *testing.T) {
	files, err := os.ReadDir("images")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range documents(t) {
		all.WriteString(read(t, name))
	}
	if len(files) == 0 {
		t.Error("docs/images is empty")
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > 200_000 {
			t.Errorf("docs/images/%s has %d bytes, more than 200,000", f.Name(), info.Size())
		}
		if !strings.Contains(all.String(), "images/"+f.Name()+")") {
			t.Errorf("docs/images/%s is shown nowhere", f.Name())
		}
	}
}
