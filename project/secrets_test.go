package project

import (
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/credential"
)

func TestSecrets(t *testing.T) {
	long := strings.Repeat("aB3", 20)
	for text, rule := range map[string]string{
		"key: sk-ant-" + long:                          "anthropic-api-key",
		"a\nghp_" + long + " b":                        "github-pat",
		"AKIA" + strings.Repeat("Q", 16):               "aws-access-token",
		"-----BEGIN OPENSSH PRIVATE KEY-----\n" + long: "private-key",
		"use sk-ant-… here, and ghp_xxx":               "",
		"-----BEGIN CERTIFICATE-----":                  "",
		"the word MAKIA" + strings.Repeat("Q", 16):     "",
		"prefix_ghp_" + strings.Repeat("a", 36) + "!":  "",
	} {
		notes := secretsIn(cento.Text{Body: text, Origin: cento.Position{File: "a.md", Line: 1, Column: 1}}, credential.Find(text))
		switch {
		case rule == "" && len(notes) > 0:
			t.Errorf("%q: %v", text, notes)
		case rule != "" && len(notes) != 1:
			t.Errorf("%q: %d notes, want one", text, len(notes))
		case rule != "" && !strings.Contains(notes[0].Message, rule):
			t.Errorf("%q: %s, want %s", text, notes[0].Message, rule)
		case rule != "" && strings.Contains(notes[0].Message, long):
			t.Errorf("%q: the note tells the value", text)
		case rule == "github-pat" && notes[0].Position.Line != 2:
			t.Errorf("%q: found at %v", text, notes[0].Position)
		}
	}
}
