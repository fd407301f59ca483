package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
)

// FolderTaken: a folder that is to be filled has something in it.
const FolderTaken cento.ErrorCode = "ablate.folder"

// promptfooConfig is the file in which promptfoo looks for its configuration.
const promptfooConfig = "promptfooconfig.yaml"

// ablationIndex is what index.json has.
type ablationIndex struct {
	Version int        `json:"version"`
	By      AblateUnit `json:"by"`
	Counting
	Prompts []ablationEntry `json:"prompts"`
}

// ablationEntry is a prompt, with the file that holds it instead of its text; empty
// where nothing is left.
type ablationEntry struct {
	File string `json:"file"`
	Ablated
	Prompt *struct{} `json:"prompt,omitempty"` // instead of the text
}

// Write fills a folder, which is made where there is none and has to be empty: a file for
// each prompt, byte for byte, and index.json, which is written last. With promptfoo it
// has each prompt as a conversation as well, and a configuration that names them.
// It gives the number of prompts.
func (a *Ablation) Write(dir string, promptfoo bool) (int, error) {
	t, err := emptyFolder(dir)
	if err != nil {
		return 0, err
	}
	defer t.Close()
	index := ablationIndex{Version: 1, By: a.By, Counting: a.Counting, Prompts: []ablationEntry{}}
	var config strings.Builder
	config.WriteString(promptfooHead)
	written := 0
	for i, x := range append([]Ablated{a.Whole}, a.Parts...) {
		e := ablationEntry{Ablated: x}
		if x.Prompt != nil {
			written++
			base := fmt.Sprintf("%03d-%s", i, fileWord(x.Name))
			e.File = base + ".txt"
			if err := t.Replace(e.File, []byte(*x.Prompt)); err != nil {
				return 0, err
			}
			if promptfoo {
				chat, err := conversation(*x.Prompt)
				if err != nil {
					return 0, err
				}
				if err := t.Replace(base+".json", chat); err != nil {
					return 0, err
				}
				label := x.Name
				if i > 0 {
					label = "without " + x.Name
				}
				fmt.Fprintf(&config, "  - {id: %s, label: %s}\n", asJSON("file://"+base+".json"), asJSON(label))
			}
		}
		index.Prompts = append(index.Prompts, e)
	}
	if promptfoo {
		config.WriteString(promptfooTail)
		if err := t.Replace(promptfooConfig, []byte(config.String())); err != nil {
			return 0, err
		}
	}
	text, err := plainJSON(index)
	if err != nil {
		return 0, err
	}
	return written, t.Replace("index.json", text)
}

// emptyFolder opens a folder, which is made unless there is one without anything in it.
func emptyFolder(dir string) (*tree.Tree, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder %s: %w", dir, tree.WithoutPath(err))
	}
	t, err := tree.Open(dir, tree.Options{})
	if err != nil {
		return nil, err
	}
	entries, err := t.ReadDir(".", mostEntries)
	if err == nil && len(entries) > 0 {
		err = &cento.SourceError{
			Code: FolderTaken, Position: cento.Position{File: dir}, Message: fmt.Sprintf("the folder isn't empty: it has %s", entries[0].Name),
			Hint: "name a new folder, so that no prompt of another ablation is taken for one of this",
		}
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// mostEntries is how many names of a folder are read to see that it isn't empty.
const mostEntries = 100_000

// fileWord is a name as a part of a file's name, on every system.
func fileWord(name string) string {
	word := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, name)
	return strings.Trim(word[:min(len(word), 60)], ".-")
}

// conversation is a prompt as promptfoo reads one from a file: text files it would cut at
// lines of three hyphens, and in all files it renders what looks like a template.
func conversation(prompt string) ([]byte, error) {
	return plainJSON([]struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}{{"system", literal(prompt)}, {"user", "{{message}}"}})
}

// literal is a text that promptfoo renders to itself: no brace of it begins an expression
// or tag, nothing ends a comment, which Nunjucks refuses where none has begun, and it
// doesn't begin like the name of a file, which would be read.
func literal(text string) string {
	var b strings.Builder
	for i := range len(text) {
		next := byte(0)
		if i+1 < len(text) {
			next = text[i+1]
		}
		marks := text[i] == '{' && (next == '{' || next == '%' || next == '#') || text[i] == '#' && next == '}'
		if marks || i == 0 && strings.HasPrefix(text, "file://") {
			b.WriteString(`{{ "` + text[i:i+1] + `" }}`)
		} else {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

const promptfooHead = `# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json
# One prompt for each part that is left out. Add the providers to ask, and tests with a
# variable message: what the user says. Then: promptfoo eval
description: What each part of a system prompt is worth
prompts:
`

const promptfooTail = `providers: []
tests: []
`
