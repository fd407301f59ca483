package sdktest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cento-dev/cento/wire"
)

// Each body is a literal that TypeScript takes for the type of the vendor's own
// library: no member is unknown, missing, or of a value that the type doesn't have.
// The libraries are those of package.json, installed beside it.
func TestTypeScript(t *testing.T) {
	tsc, err := filepath.Abs("node_modules/.bin/tsc")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(tsc); err != nil {
		if os.Getenv("CENTO_REQUIRE_NPM") != "" {
			t.Fatal("npm install has not run here")
		}
		t.Skip("without the libraries of package.json: run npm install here")
	}
	typed := map[wire.Form]string{
		wire.Anthropic:       "Anthropic.MessageCreateParamsNonStreaming",
		wire.OpenAI:          "OpenAI.Chat.ChatCompletionCreateParamsNonStreaming",
		wire.OpenAIResponses: "OpenAI.Responses.ResponseCreateParamsNonStreaming",
	}
	var text strings.Builder
	text.WriteString("import type Anthropic from '@anthropic-ai/sdk';\nimport type OpenAI from 'openai';\n")
	n := 0
	for c := range bodies(t) {
		if typed[c.form] == "" {
			continue
		}
		n++
		fmt.Fprintf(&text, "export const b%d: %s = %s;\n", n, typed[c.form], short(c.Body))
	}
	if n < 100 {
		t.Fatalf("only %d bodies", n)
	}
	if out, err := compile(t, tsc, text.String()); err != nil {
		t.Errorf("%v\n%.4000s", err, out)
	}
	// What the types don't have is found.
	wrong := "import type Anthropic from '@anthropic-ai/sdk';\nexport const b: Anthropic.MessageCreateParamsNonStreaming = {\"model\":\"m\",\"max_tokens\":1,\"sytem\":[],\"messages\":[]};\n"
	if out, err := compile(t, tsc, wrong); err == nil || !strings.Contains(out, "sytem") {
		t.Errorf("a misspelt member: %v\n%s", err, out)
	}
	t.Logf("%d bodies", n)
}

// compile checks a file beside the libraries, so that it finds them.
func compile(t *testing.T, tsc, text string) (string, error) {
	t.Helper()
	dir, err := os.MkdirTemp(".", "bodies")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	file := filepath.Join(dir, "bodies.ts")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tsc, "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", file).CombinedOutput()
	return string(out), err
}
