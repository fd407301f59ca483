package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// folder is a project with something of every kind that the inspector shows.
func folder(t testing.TB, more map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"AGENTS.md": "# How we work\n\nAlways run the tests before you finish.\nNever push to main.\n",
		"cento.yaml": `version: 1
system: |
  You review changes of the shop in {{ cwd }}.
  Answer in the language of whoever asks.
instruction: $workspace/reviewer
profile: off
skills: auto
model: claude-sonnet-4-5
vars: {lang: en, rounds: 2, strict: true}
caps: [network]
tools:
  - {name: read, description: Reads a file., guidance: Read a file before you judge it.}
  - {name: todo, description: Keeps a list., guidance: Keep the todo list short and up to date.}
  - {name: shell, description: Runs a command., guidance: 'Run commands only in the project, and tell what each does.'}
fragments:
  - {id: team.todo, requires_tools: [todo], body: Note every finding in the list., importance: 40}
  - {id: team.ci, requires_caps: [headless], body: Nobody can answer questions.}
  - {id: team.tone, body: Be kind., importance: 20}
  - {id: team.no-shell, when: not tool('shell'), body: You have no shell; say what you would run.}
targets:
  ci: {tools: [read], caps: [headless]}
  brief: {vars: {lang: fr}}
models: [{id: claude-sonnet-4-5, cache: {min_tokens: 1}}]
`,
		".cento/prompts/reviewer.md":       "You review changes for {{ vars.lang }}.\n{% if vars.strict %}\nRefuse what has no test.\n{% endif %}\nGo round {{ vars.rounds }} times.\n",
		".cento/skills/pdf-forms/SKILL.md": "---\nname: pdf-forms\ndescription: Fills in PDF forms. Use when someone sends a form.\n---\n# Forms\n\nRead the fields first.\n",
	}
	for name, text := range more {
		files[name] = text
	}
	files["cento.yaml"] = strings.Replace(files["cento.yaml"], "system: |\n  You review changes of the shop in {{ cwd }}.\n  Answer in the language of whoever asks.\n", "", 1)
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// signIn opens the inspector of a folder by the link of its service.
func (b *browser) signIn(dir string) {
	b.t.Helper()
	b.enter(StartService(b.t, dir))
}

// enter opens the inspector by a link. It leaves before the service does, which it would
// look for.
func (b *browser) enter(link string) {
	b.t.Helper()
	b.t.Cleanup(func() { b.run(chromedp.Navigate("about:blank")) })
	b.site, _, _ = strings.Cut(link, "/#")
	b.run(chromedp.Navigate(link))
	b.wait(`document.querySelector('.row') !== null`)
}

// shot saves what is seen, where somebody wants to look at it.
func (b *browser) shot(name string) {
	dir := os.Getenv("CENTO_SHOTS")
	if dir == "" {
		return
	}
	data, err := chromedp.Call(b.ctx, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), data.Data, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// screens are the ways in which every view is looked at.
func (b *browser) screens(do func(name string)) {
	for _, scheme := range []string{"light", "dark"} {
		command(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		for name, width := range map[string]int64{"desktop": 1440, "phone": 360, "zoomed": 720} {
			b.run(chromedp.EmulateViewport(width, 900))
			do(name + "-" + scheme)
		}
	}
}
