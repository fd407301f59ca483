package sdktest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/ollama/ollama/api"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"google.golang.org/genai"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/wire"
)

// What the documents show of each library is made of lines of the functions here.

func sendAnthropic(ctx context.Context, client anthropic.Client, r *wire.Result) (*anthropic.Message, error) {
	return client.Messages.New(ctx, anthropic.MessageNewParams{}, option.WithRequestBody("application/json", []byte(r.Body)))
}

func sendChat(ctx context.Context, client openai.Client, r *wire.Result) (*openai.ChatCompletion, error) {
	return client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{}, openaioption.WithRequestBody("application/json", []byte(r.Body)))
}

func sendResponses(ctx context.Context, client openai.Client, r *wire.Result) (*responses.Response, error) {
	return client.Responses.New(ctx, responses.ResponseNewParams{}, openaioption.WithRequestBody("application/json", []byte(r.Body)))
}

// unchanged sends a body in place of the one that a library wrote.
type unchanged struct{ body string }

func (u unchanged) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(u.body)), int64(len(u.body))
	return http.DefaultTransport.RoundTrip(r)
}

func sendGemini(ctx context.Context, config genai.ClientConfig, model string, r *wire.Result) (*genai.GenerateContentResponse, error) {
	config.HTTPClient = &http.Client{Transport: unchanged{r.Body}}
	client, err := genai.NewClient(ctx, &config)
	if err != nil {
		return nil, err
	}
	return client.Models.GenerateContent(ctx, model, genai.Text("."), nil)
}

func sendOllama(ctx context.Context, base *url.URL, r *wire.Result, answer api.ChatResponseFunc) error {
	client := api.NewClient(base, &http.Client{Transport: unchanged{r.Body}})
	return client.Chat(ctx, &api.ChatRequest{}, answer)
}

// withBody puts a body in before the request is signed.
func withBody(body string) func(*bedrockruntime.Options) {
	return bedrockruntime.WithAPIOptions(func(stack *middleware.Stack) error {
		return stack.Build.Add(middleware.BuildMiddlewareFunc("Cento", func(ctx context.Context, in middleware.BuildInput, next middleware.BuildHandler) (middleware.BuildOutput, middleware.Metadata, error) {
			q, err := in.Request.(*smithyhttp.Request).SetStream(strings.NewReader(body))
			if err != nil {
				return middleware.BuildOutput{}, middleware.Metadata{}, err
			}
			in.Request = q
			return next.HandleBuild(ctx, in)
		}), middleware.Before)
	})
}

func sendBedrock(ctx context.Context, client *bedrockruntime.Client, model string, r *wire.Result) (*bedrockruntime.ConverseOutput, error) {
	return client.Converse(ctx, &bedrockruntime.ConverseInput{ModelId: aws.String(model)}, withBody(r.Body))
}

// vendor is a server that keeps what it is sent, and gives an answer.
type vendor struct {
	*httptest.Server
	path, body string
	header     http.Header
}

func vendorWith(t *testing.T, answer string) *vendor {
	v := &vendor{}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		b, err := io.ReadAll(q.Body)
		if err != nil {
			t.Error(err)
		}
		v.path, v.body, v.header = q.URL.Path, string(b), q.Header
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(v.Close)
	return v
}

// sends are how each library sends a body to an address, and what it reads of the answer.
var sends = map[wire.Form]struct {
	answer string
	send   func(ctx context.Context, at, model string, r *wire.Result) (string, error)
}{
	wire.Anthropic: {`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"Yes."}]}`, func(ctx context.Context, at, _ string, r *wire.Result) (string, error) {
		a, err := sendAnthropic(ctx, anthropic.NewClient(option.WithBaseURL(at), option.WithAPIKey("k")), r)
		if err != nil {
			return "", err
		}
		return a.Content[0].Text, nil
	}},
	wire.OpenAI: {`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Yes."}}]}`, func(ctx context.Context, at, _ string, r *wire.Result) (string, error) {
		a, err := sendChat(ctx, openai.NewClient(openaioption.WithBaseURL(at+"/v1"), openaioption.WithAPIKey("k")), r)
		if err != nil {
			return "", err
		}
		return a.Choices[0].Message.Content, nil
	}},
	wire.OpenAIResponses: {`{"id":"r","object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}]}`, func(ctx context.Context, at, _ string, r *wire.Result) (string, error) {
		a, err := sendResponses(ctx, openai.NewClient(openaioption.WithBaseURL(at+"/v1"), openaioption.WithAPIKey("k")), r)
		if err != nil {
			return "", err
		}
		return a.OutputText(), nil
	}},
	wire.Gemini: {`{"candidates":[{"content":{"role":"model","parts":[{"text":"Yes."}]}}]}`, func(ctx context.Context, at, model string, r *wire.Result) (string, error) {
		a, err := sendGemini(ctx, genai.ClientConfig{APIKey: "k", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: at}}, model, r)
		if err != nil {
			return "", err
		}
		return a.Text(), nil
	}},
	wire.Bedrock: {`{"output":{"message":{"role":"assistant","content":[{"text":"Yes."}]}},"stopReason":"end_turn"}`, func(ctx context.Context, at, model string, r *wire.Result) (string, error) {
		client := bedrockruntime.New(bedrockruntime.Options{
			Region: "us-east-1", BaseEndpoint: &at,
			Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{AccessKeyID: "a", SecretAccessKey: "b"}, nil
			}),
		})
		a, err := sendBedrock(ctx, client, model, r)
		if err != nil {
			return "", err
		}
		return bedrockText(a), nil
	}},
	wire.Ollama: {`{"model":"m","message":{"role":"assistant","content":"Yes."},"done":true}` + "\n", func(ctx context.Context, at, _ string, r *wire.Result) (said string, err error) {
		base, err := url.Parse(at)
		if err != nil {
			return "", err
		}
		err = sendOllama(ctx, base, r, func(a api.ChatResponse) error {
			said += a.Message.Content
			return nil
		})
		return said, err
	}},
}

// TestSending: through each provider's own library, as the documents show it, the bytes
// that arrive are those that were built, at the path that was told, with the headers, and
// the answer is read. The schema has members that the libraries' types reorder or round.
func TestSending(t *testing.T) {
	if len(sends) != len(models) {
		t.Errorf("%d libraries of %d", len(sends), len(models))
	}
	for form, x := range sends {
		t.Run(form.String(), func(t *testing.T) {
			name := models[form][0]
			r := awkward(t, form, name)
			v := vendorWith(t, x.answer)
			said, err := x.send(t.Context(), v.URL, name, r)
			if err != nil {
				t.Fatal(err)
			}
			if said != "Yes." {
				t.Errorf("the answer is read as %q", said)
			}
			arrived(t, v, r)
			if form != wire.Bedrock {
				return
			}
			sum := sha256.Sum256([]byte(r.Body))
			if got := v.header.Get("Authorization"); !strings.HasPrefix(got, "AWS4-HMAC-SHA256 ") {
				t.Errorf("signed as %q", got)
			}
			if got := v.header.Get("X-Amz-Content-Sha256"); got != "" && got != hex.EncodeToString(sum[:]) {
				t.Errorf("what was signed is another body: %s", got)
			}
		})
	}
}

// arrived compares what a server got with what was built.
func arrived(t *testing.T, v *vendor, r *wire.Result) {
	t.Helper()
	if v.body != r.Body {
		t.Errorf("arrived\n%s\nand built\n%s", v.body, r.Body)
	}
	want, err := url.PathUnescape(r.URLPath) // the libraries write colons in two ways
	if err != nil {
		t.Fatal(err)
	}
	if v.path != want {
		t.Errorf("it came to %q, and was to go to %q", v.path, want)
	}
	for _, h := range r.Headers {
		if got, _, _ := strings.Cut(v.header.Get(h.Name), ";"); got != h.Value {
			t.Errorf("the header %s is %q, not %q", h.Name, got, h.Value)
		}
	}
}

// awkward is a request of which no library's types would write the same bytes.
func awkward(t *testing.T, form wire.Form, name string) *wire.Result {
	t.Helper()
	m, _ := model.Default().Lookup(name)
	r, err := wire.Build(wire.Request{
		Form: form, Model: &m, Prompt: reduce(t, stabilities[2]), MaxTokens: 100, Messages: []wire.Message{{Role: "user", Text: "Is it <so> & \u2028 é?"}},
		Tools: []cento.Tool{{Name: "read", Description: "Reads.", Parameters: json.RawMessage(`{"type":"object","zeta":1.0,"alpha":12345678901234567890,"properties":{"b":{"type":"integer"},"a":{"type":"string"}},"middle":"<&>"}`)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSendingOtherwise: what the documents warn of. A body that goes through the types of
// a library is another one.
func TestSendingOtherwise(t *testing.T) {
	r := awkward(t, wire.Anthropic, "claude-opus-5")
	var params anthropic.MessageNewParams
	if err := json.Unmarshal([]byte(r.Body), &params); err != nil {
		t.Fatal(err)
	}
	v := vendorWith(t, sends[wire.Anthropic].answer)
	client := anthropic.NewClient(option.WithBaseURL(v.URL), option.WithAPIKey("k"))
	if _, err := client.Messages.New(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	if v.body == r.Body || v.body == "" {
		t.Errorf("the library sends the same bytes, and the documents say that it doesn't: %q", v.body)
	}
}

// shown is the block of code of docs/wire.md in a language that has a word.
func shown(t *testing.T, language, word string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("../../docs/wire.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(text, -1) {
		if code := string(found[1]); strings.Contains(code, word) {
			return code
		}
	}
	t.Fatalf("docs/wire.md has no code in %s with %q", language, word)
	return ""
}

// TestShownLanguages runs the code that the documents show in other languages, with a
// program in place of cento that prints an awkward request: what arrives is what was
// built.
func TestShownLanguages(t *testing.T) {
	const out, chat = "const out = JSON.parse((await import('node:fs')).readFileSync('out.json', 'utf8'));\n", "\nconsole.log(answer.choices[0].message.content);\n"
	for _, c := range []struct {
		name, language, word string
		form                 wire.Form
		library              string // that has to be installed
		before, after        string
	}{
		{"urllib", "python", "https://api.anthropic.com", wire.Anthropic, "", "key = 'k'\n", "\nprint(answer['content'][0]['text'])\n"},
		{"fetch", "ts", "https://api.openai.com", wire.OpenAI, "", "const key = 'k';\n", "\nconsole.log((await answer.json()).choices[0].message.content);\n"},
		{"anthropic", "ts", "new Anthropic({ apiKey: key,", wire.Anthropic, "@anthropic-ai/sdk", "import Anthropic from '@anthropic-ai/sdk';\nconst key = 'k';\n" + out, "\nconsole.log(answer.content[0].text);\n"},
		{"openai", "ts", "new OpenAI({ apiKey: key,", wire.OpenAI, "openai", "import OpenAI from 'openai';\nconst key = 'k';\n" + out, chat},
		{"responses", "ts", "new OpenAI({ apiKey: key,", wire.OpenAIResponses, "openai", "import OpenAI from 'openai';\nconst key = 'k';\n" + out, "\nconsole.log(answer.output_text);\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			program, suffix := "python3", ".py"
			if c.language == "ts" { // without types, it is JavaScript
				program, suffix = "node", ".mjs"
			}
			program, err := exec.LookPath(program)
			if err != nil {
				t.Skip(err)
			}
			if c.library != "" {
				installed(t, c.library)
			}
			r := awkward(t, c.form, models[c.form][0])
			v := vendorWith(t, sends[c.form].answer)
			code := shown(t, c.language, c.word)
			switch c.library {
			case "":
				code = strings.Replace(code, c.word, v.URL, 1)
			case "openai":
				code = strings.Replace(code, "apiKey: key,", "apiKey: key, baseURL: '"+v.URL+"/v1',", 1)
			default:
				code = strings.Replace(code, "apiKey: key,", "apiKey: key, baseURL: '"+v.URL+"',", 1)
			}
			if c.form == wire.OpenAIResponses {
				code = strings.Replace(code, `chat.completions.create({ model: "-", messages: [] })`, "responses.create({})", 1)
			}
			// Beside the libraries, so that they are found.
			dir, err := os.MkdirTemp(".", "sending")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
			printed, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "out.json"), string(printed), 0o600)
			write(t, filepath.Join(dir, "cento"), "#!/bin/sh\ncat out.json\n", 0o700)
			write(t, filepath.Join(dir, "send"+suffix), c.before+code+c.after, 0o600)
			at, err := filepath.Abs(dir)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, "send"+suffix)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+at+string(os.PathListSeparator)+os.Getenv("PATH"))
			var told bytes.Buffer
			cmd.Stderr = &told
			said, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, told.String())
			}
			if strings.TrimSpace(string(said)) != "Yes." {
				t.Errorf("the answer is read as %q", said)
			}
			arrived(t, v, r)
		})
	}
}

// installed skips a test where a library of package.json isn't there.
func installed(t *testing.T, library string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join("node_modules", filepath.FromSlash(library))); err != nil {
		if os.Getenv("CENTO_REQUIRE_NPM") != "" {
			t.Fatal("npm install has not run here")
		}
		t.Skip("without the libraries of package.json: run npm install here")
	}
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
